"""Check the columns of a source: which rows are pairs, and what is wrong with the others."""

import re
from collections import Counter
from contextlib import suppress

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from .columns import KNOWN, ROLES, is_number, label_text, sign_of
from .delimited import run_on
from .errors import PairsError, option
from .formats import likely_columns
from .opening import LOOKS_LIKE

__all__ = ["VALUES", "labels_of", "other_encoding", "sift", "summary"]

#: What reasons that are counted as one differ in.
VALUES = re.compile(r"'.*'|0x\w+|(?<![-\w])\d+")

# Beside the signs 1 and 0, what a label can come to
EMPTY, NO_SIGN, OUTSIDE = 2, 3, 4


def sift(raw, labels=None, unlabelled="error", on_error=None):
    """Make the pair table of a source (`RawColumns`); options and errors are those of `read_pairs`.

    Returns
    -------
    DataFrame
    list of (row, value, why)
        The rows that are always skipped.
    list of (row, value, why)
        The faulty rows.
    list of str
        Warnings: which spellings of labels were understood, and each row that seems to run on into the next.
    """
    if "label" not in raw.columns and unlabelled != "keep":
        hint = option("columns", likely_columns(raw.names or [], raw.fmt.columns))
        keep = f"{option('unlabelled', 'keep')} reads the pairs without labels"
        raise PairsError(f"{raw.name}: there is no label column; name one, as with {hint}; {keep}")
    labels, known = labels_of(raw, labels)
    sign = sign_of(labels)
    state, why_outside = _states(raw, sign)
    keep, skipped, faults = np.ones(len(raw.row), bool), [], list(raw.bad)

    def drop(mask, into, value, why):
        for i in np.flatnonzero(mask & keep).tolist():
            shown = (value(i) if callable(value) else value[i].as_py()).replace("\0", "\\0")[:80]
            into.append((int(raw.row[i]), shown, why(i) if callable(why) else why))
        np.logical_and(keep, ~mask, out=keep)

    texts = {role: raw.columns[role] for role in ("text_a", "text_b")}
    empty = {role: _is_blank(column) for role, column in texts.items()}
    drop(empty["text_a"] & empty["text_b"] & (state == EMPTY), skipped, raw.label, "blank row")
    for role, column in texts.items():
        name = raw.fmt.columns[role]
        drop(empty[role], faults, column, f"{name if isinstance(name, str) and name else role} is empty")
        if raw.names is None:  # else it was refused before
            drop(pc.match_substring(column, "\0").to_numpy(), faults, column, "NUL byte in the text")
    drop(state == OUTSIDE, faults, raw.label, lambda i: why_outside[raw.label(i)])
    if unlabelled != "keep":
        drop(state == NO_SIGN, skipped, raw.label, lambda i: f"label {raw.label(i)!r} gives no sign")
        drop(state == EMPTY, skipped if unlabelled == "skip" else faults, raw.label, "no label")
    if faults and (on_error or ("skip" if raw.fmt.title else "error")) == "error":
        row, _, why = min(faults)
        more = f" (and {len(faults) - 1:,} more such rows)" if len(faults) > 1 else ""
        ways = [f"{option('on_error', 'skip')} leaves such rows out", *other_encoding(faults)]
        if any(why == "no label" for *_, why in faults):
            ways.append(f"{option('unlabelled', 'keep')} keeps rows without a label, for their sentences")
        ways += _naming(raw, labels) if OUTSIDE in state else []
        raise PairsError(f"{raw.name}, row {row}: {why}{more}{_unknown(raw, state)}; {'; '.join(ways)}")
    pairs = _table(raw, keep, state)
    return pairs, skipped, faults, [*known, *_swallowed(raw, pairs, sign)]


def labels_of(raw, labels=None):
    """The map of the labels of a source, or its thresholds; and a note where yes, no, true, false are understood.

    They are where neither the caller nor a public dataset says what its labels mean.
    """
    if labels is not None or raw.fmt.title or "label" not in raw.columns:
        return raw.fmt.labels if labels is None else labels, []
    given = [label_text(label) for label in raw.columns["label"].unique().to_pylist()]
    known = {label: KNOWN[label.casefold()] for label in given if label.casefold() in KNOWN}
    read = ", ".join(f"{label!r} as {sign}" for label, sign in known.items())
    told = f"labels read: {read}; {option('labels')} says otherwise"
    return raw.fmt.labels | known, [told] if known else []


def _states(raw, sign):
    """A sign, EMPTY, NO_SIGN or OUTSIDE for each row (int8), and {label: why} for those outside."""
    state, whys = np.full(len(raw.row), EMPTY, np.int8), {}

    def of(label, sign):
        try:
            return NO_SIGN if (it := sign(label)) is None else it
        except ValueError as error:
            whys[label] = str(error)
            return OUTSIDE if label.strip() else EMPTY

    signs = {"label": sign, "otherwise": raw.fmt.otherwise and sign_of(raw.fmt.otherwise[1])}
    for role, sign in signs.items():
        if role in raw.columns:
            coded = raw.columns[role].combine_chunks().dictionary_encode()
            states = np.array([of(label, sign) for label in coded.dictionary.to_pylist()], np.int8)
            state = np.where(state == EMPTY, states[coded.indices.to_numpy()], state)
    return state, whys


def _is_blank(column):
    """Return a mask of the texts that are empty or all white space."""
    return pc.or_(pc.utf8_is_space(column), pc.equal(pc.binary_length(column), 0)).to_numpy()


def _table(raw, keep, state):
    rows = slice(None) if keep.all() else keep
    columns = {}
    for role in ROLES:
        if role == "label":
            kept = state[rows]
            columns["label"] = pd.arrays.IntegerArray(np.where(kept > 1, 0, kept).astype(np.int8), kept > 1)
            columns["row"] = raw.row[rows]
        elif role in raw.columns:
            texts = raw.columns[role] if rows is not keep else raw.columns[role].filter(pa.array(keep))
            columns[role] = pd.arrays.ArrowStringArray(texts, dtype=pd.StringDtype("pyarrow", np.nan))
    return pd.DataFrame(columns, copy=False)


def _swallowed(raw, pairs, sign):
    """A warning for each row whose text seems to hold a row, label included, because of a stray quote."""
    fmt, names, rows = raw.fmt, raw.names, set()
    for role in ("text_a", "text_b") if names and fmt.quoted and "label" in fmt.columns else ():
        place, label = (names.index(fmt.columns[name]) for name in (role, "label"))
        for i, fields in run_on(pa.chunked_array(pa.array(pairs[role])), len(names) - place, fmt.delimiters):
            with suppress(ValueError):
                if label > place:
                    sign(fields[label - place])
                    rows.add(int(pairs["row"].iloc[i]))
    return [f"row {row} seems to run on into the next, after a stray quote" for row in sorted(rows)]


# ---------------------------------------------------------------- in words


def other_encoding(faults):
    """An advice to read the file in the encoding that most of the rows seem to have which are not UTF-8."""
    likely = Counter(why.rpartition(LOOKS_LIKE)[2] for _, _, why in faults if LOOKS_LIKE in why)
    return [f"{option('encoding', likely.most_common(1)[0][0])} reads the rows that are not UTF-8"] if likely else []


def _naming(raw, labels, most=5):
    """An advice to say what each label means, where one is unknown; none where they are scores, or many."""
    given = [*filter(None, map(label_text, raw.columns["label"].unique().to_pylist()))]
    if len(given) > most or not isinstance(labels, dict) or None in labels.values():
        return []
    signs = {label_text(label): sign for label, sign in labels.items()}
    return [f"{option('labels', {it: signs.get(it, '…') for it in given})} says what they mean (each … is 1 or 0)"]


def _unknown(raw, state, most=10):
    """The labels that mean nothing, each with its rows, where there are several; in words."""
    outside = [label_text(raw.label(i))[:40] for i in np.flatnonzero(state == OUTSIDE).tolist()]
    counts = Counter(outside).most_common()
    if len(counts) < 2:
        return ""
    rest = f", and {len(counts) - most:,} more" if len(counts) > most else ""
    return f"; labels unknown here: {', '.join(f'{label!r} {n:,}' for label, n in counts[:most])}{rest}"


def summary(skipped):
    """The skipped rows in words: how many for each reason, values aside; grades between two thresholds are one."""
    if not skipped:
        return []
    no_sign = Counter(value for _, value, why in skipped if why.endswith("gives no sign"))
    kinds = Counter(VALUES.sub("…", why) for _, _, why in skipped if not why.endswith("gives no sign"))
    parts = [f"{label}, no sign: {n:,}" for label, n in no_sign.most_common(5)]
    if len(no_sign) > 2 and all(map(is_number, no_sign)):
        low, high = min(no_sign, key=float), max(no_sign, key=float)
        parts = [f"neutral, no sign: {no_sign.total():,} ({low} to {high})"]
    parts += [f"{n:,}: {why}" for why, n in kinds.most_common(5)]
    return [f"{len(skipped):,} {'row' if len(skipped) == 1 else 'rows'} skipped ({'; '.join(parts)})"]
