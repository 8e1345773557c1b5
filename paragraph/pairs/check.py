"""Check the columns of a source; make a pair table and a report of them."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from .columns import ROLES, is_number, label_text, sign_of
from .errors import PairsError, option
from .opening import LOOKS_LIKE

__all__ = ["VALUES", "check", "sift", "swallowed"]


class Report(dict):
    """A plain dict, except that copies of a table share it: pandas copies `attrs` deeply at every step."""

    def __deepcopy__(self, memo):
        return self


def check(found, labels=None, unlabelled="error", on_error=None):
    """Make the pair table of a source with its report; return the warnings beside it.

    Parameters
    ----------
    found : sources.Found
    labels, unlabelled, on_error
        As in `read_pairs`.

    Returns
    -------
    DataFrame, list of str

    Raises
    ------
    PairsError
        If a row cannot be read, and such rows are not to be skipped or are all there are.
    """
    sign = sign_of(found.fmt.labels if labels is None else labels)
    pairs, skipped, faults = sift(found, sign, unlabelled, on_error)
    if faults and not len(pairs):
        row, _, why = min(faults)
        raise PairsError(f"{found.name}: none of {len(faults):,} rows can be read; row {row}: {why}")
    rows, skipped, odd = len(found.row) + len(found.bad), sorted(skipped + faults), swallowed(pairs, found, sign)
    pairs.attrs["report"] = Report(
        source=found.name,
        path=None,
        format=found.fmt.name,
        rows=rows,
        kept=len(pairs),
        skipped=[{"row": row, "value": value, "why": why} for row, value, why in skipped],
        notes=[found.note, *_notes(pairs), *odd],
    )
    if found.fmt.bipartite:
        pairs.attrs["bipartite"] = True
    return pairs, [*_summary(skipped), *_other_encoding(skipped), *odd, *([] if rows else ["no rows"])]


def sift(found, sign, unlabelled="error", on_error=None):
    """`check` without a report: the pair table, and (row, value, why) of each row skipped, and of each faulty one."""
    if "label" not in found.columns and unlabelled != "keep":
        raise PairsError(f"{found.name}: there is no label column; name one, or say {option('unlabelled', 'keep')}")
    state, why_outside = _states(found, sign)
    keep, skipped, faults = _sift(found, state, why_outside, unlabelled)
    if faults and (on_error or ("skip" if found.fmt.official else "error")) == "error":
        row, _, why = min(faults)
        more = f" (and {len(faults) - 1:,} more such rows)" if len(faults) > 1 else ""
        other = [f"{option('on_error', 'skip')} leaves such rows out", *_other_encoding(faults)]
        raise PairsError(f"{found.name}, row {row}: {why}{more}{_unknown(found, state)}; {'; '.join(other)}")
    return _table(found, keep, state), skipped, faults


def _other_encoding(faults):
    """An advice to read the file in the encoding that most of the rows seem to have which are not UTF-8."""
    likely = Counter(why.rpartition(LOOKS_LIKE)[2] for _, _, why in faults if LOOKS_LIKE in why)
    return [f"{option('encoding', likely.most_common(1)[0][0])} reads the rows that are not UTF-8"] if likely else []


#: What reasons that are counted as one differ in.
VALUES = re.compile(r"'.*'|0x\w+|(?<![-\w])\d+")

# Beside the signs 1 and 0, what a label can come to
EMPTY, NO_SIGN, OUTSIDE = 2, 3, 4


def _states(found, sign):
    """A sign, EMPTY, NO_SIGN or OUTSIDE for each row (int8), and {label: why} for those outside."""
    if "label" not in found.columns:
        return np.full(len(found.row), EMPTY, np.int8), {}
    state, why = _states_of(found.columns["label"], sign)
    if "otherwise" in found.columns:
        second, more = _states_of(found.columns["otherwise"], sign_of(found.fmt.otherwise[1]))
        state, why = np.where(state == EMPTY, second, state), why | more
    return state, why


def _states_of(labels, sign):
    coded = labels.combine_chunks().dictionary_encode()
    why, states = {}, []
    for label in coded.dictionary.to_pylist():
        try:
            found = sign(label)
            states.append(NO_SIGN if found is None else found)
        except ValueError as error:
            states.append(OUTSIDE if label.strip() else EMPTY)
            why[label] = str(error)
    return np.array(states, np.int8)[coded.indices.to_numpy()], why


def _unknown(found, state, most=10):
    """The labels that mean nothing, each with its rows, where there are several; in words."""
    outside = [label_text(found.label(i))[:40] for i in np.flatnonzero(state == OUTSIDE).tolist()]
    counts = Counter(outside).most_common()
    if len(counts) < 2:
        return ""
    rest = f", and {len(counts) - most:,} more" if len(counts) > most else ""
    return f"; labels unknown here: {', '.join(f'{label!r} {n:,}' for label, n in counts[:most])}{rest}"


def _sift(found, state, why_outside, unlabelled):
    """Return a mask of the rows to keep, and (row, value, why) of those always skipped and of the faulty."""
    keep = np.ones(len(found.row), bool)
    skipped, faults = [], list(found.bad)

    def drop(mask, into, value, why):
        for i in np.flatnonzero(mask & keep).tolist():
            shown = (value(i) if callable(value) else value[i].as_py()).replace("\0", "\\0")[:80]
            into.append((int(found.row[i]), shown, why(i) if callable(why) else why))
        np.logical_and(keep, ~mask, out=keep)

    text = {role: found.columns[role] for role in ("text_a", "text_b")}
    empty = {role: _blank(column) for role, column in text.items()}
    drop(empty["text_a"] & empty["text_b"] & (state == EMPTY), skipped, found.label, "blank row")
    for role, column in text.items():
        name = found.fmt.columns[role]
        drop(empty[role], faults, column, f"{name if isinstance(name, str) and name else role} is empty")
        if found.may_hold_nul:
            drop(pc.match_substring(column, "\0").to_numpy(), faults, column, "NUL byte in the text")
    drop(state == OUTSIDE, faults, found.label, lambda i: why_outside[found.label(i)])
    if unlabelled != "keep":
        drop(state == NO_SIGN, skipped, found.label, lambda i: f"label {found.label(i)!r} gives no sign")
        drop(state == EMPTY, skipped if unlabelled == "skip" else faults, found.label, "no label")
    return keep, skipped, faults


def _blank(column):
    """Return a mask of the texts that are empty or all white space."""
    return pc.or_(pc.utf8_is_space(column), pc.equal(pc.binary_length(column), 0)).to_numpy()


def _table(found, keep, state):
    rows = slice(None) if keep.all() else keep
    columns = {}
    for role in ROLES:
        if role == "label":
            kept = state[rows]
            columns["label"] = pd.arrays.IntegerArray(np.where(kept > 1, 0, kept).astype(np.int8), kept > 1)
            columns["row"] = found.row[rows]
        elif role in found.columns:
            texts = found.columns[role] if rows is not keep else found.columns[role].filter(pa.array(keep))
            columns[role] = pd.arrays.ArrowStringArray(texts, dtype=pd.StringDtype("pyarrow", np.nan))
    return pd.DataFrame(columns, copy=False)


def _notes(pairs):
    """Say in words how many kept rows pair a text with itself or repeat another row."""
    selves = (pairs["text_a"] == pairs["text_b"]).sum()
    key = pairs["label"].to_numpy(np.int64, na_value=2)
    for name in ("text_a", "text_b"):
        coded = pa.chunked_array(pa.Array.from_pandas(pairs[name])).dictionary_encode().chunks
        key = key * len(pairs) + np.concatenate([chunk.indices for chunk in coded] or [key])
        del coded
        pa.default_memory_pool().release_unused()
    repeats = len(key) - len(np.unique(key))
    notes = []
    if selves:
        notes.append(f"{_count(selves, 'row pairs', 'rows pair')} a text with itself; kept")
    if repeats:
        notes.append(f"{_count(repeats, 'row repeats', 'rows repeat')} an earlier one, label included; kept")
    return notes


def _count(n, one, many):
    return f"{n:,} {one if n == 1 else many}"


def _summary(skipped):
    """The skipped rows in words: how many for each reason, values aside."""
    no_sign = Counter(value for _, value, why in skipped if why.endswith("gives no sign"))
    kinds = Counter(VALUES.sub("…", why) for _, _, why in skipped if not why.endswith("gives no sign"))
    if not skipped:
        return []
    parts = _without_sign(no_sign) + [f"{n:,}: {why}" for why, n in kinds.most_common(5)]
    return [f"{_count(len(skipped), 'row', 'rows')} skipped ({'; '.join(parts)})"]


def _without_sign(counts):
    """Count the rows whose label has no sign, by label; grades between two thresholds count as one."""
    if len(counts) > 2 and all(map(is_number, counts)):
        low, high = sorted(counts, key=float)[:: len(counts) - 1]
        return [f"neutral, no sign: {counts.total():,} ({low} to {high})"]
    return [f"{label}, no sign: {n:,}" for label, n in counts.most_common(5)]


def swallowed(pairs, found, sign):
    """A warning for each row that seems to have swallowed the next ones, because of a stray quote.

    The first line of its text is then the rest of a row: it has as many fields as are left of one, and a label in
    the label's place.
    """
    layout, columns = found.layout, found.fmt.columns
    if layout is None or "label" not in columns:
        return []
    rows = set()
    for role in ("text_a", "text_b"):
        place = layout.names.index(columns[role])
        left, ahead = len(layout.names) - place, layout.names.index(columns["label"]) - place
        long = pairs.loc[pairs[role].str.contains("\n", regex=False), [role, "row"]]
        for text, row in long.itertuples(index=False):
            fields = text.split("\n")[0].removesuffix("\r").split(layout.delimiter)
            if 0 < ahead < len(fields) == left and _is_label(fields[ahead], sign):
                rows.add(row)
    return [f"row {row} seems to run on into the next, after a stray quote" for row in sorted(rows)]


def _is_label(text, sign):
    try:
        sign(text)
    except ValueError:
        return False
    return True
