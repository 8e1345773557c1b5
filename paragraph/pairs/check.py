"""Check the columns of a source: find the pairs, and say what is wrong with the other rows."""

import re
from collections import Counter
from contextlib import suppress

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError, capped
from ..files.spelling import option
from .labels import label_text
from .meanings import EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN
from .tables import ROLES
from .unknown import question

__all__ = ["checked", "first_of", "kinds_of", "run_on", "sift", "skipped_in_words"]

#: The parts in which messages may differ and still count as one.
VALUES = re.compile(r"'.*'|0x\w+|(?<![-\w])\d+")
SHOWN = 20  #: unknown labels in a message


class Report(dict):
    """A plain dict, except that copies of a table share it: pandas copies `attrs` deeply at every step."""

    def __deepcopy__(self, memo):
        return self


def checked(source, signs, unlabelled, on_error, leave_out=()):
    """Make the pair table of a source with its report (see `read`), and list the warnings."""
    pairs, skipped, faults, odd = sift(source, signs, unlabelled, on_error, leave_out)
    if faults and not len(pairs):
        row, _, why = min(faults)
        raise PairsError(f"{source.name}: none of {len(faults):,} rows can be read; row {row}: {why}")
    skipped, rows = sorted(skipped + faults), len(source.row) + len(source.faults)
    pairs.attrs["report"] = Report(
        source=source.name,
        format=source.layout.name,
        rows=rows,
        kept=len(pairs),
        skipped=[{"row": row, "value": value, "why": why} for row, value, why in skipped],
        notes=[source.note, *odd],
    )
    if source.layout.bipartite:
        pairs.attrs["bipartite"] = True
    few = [f"row {row}: {why}" for row, _, why in skipped[: 4 * (len(skipped) < 4)]]
    return pairs, [*skipped_in_words(kinds_of(skipped), few), *odd, *["no rows"] * (not rows)]


def sift(source, signs, unlabelled, on_error, leave_out=()):
    """Make the pair table of a `Source` and its `Signs`; options and errors are those of `read_pairs`.

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
    if "label" not in source.columns and unlabelled != "keep" and signs.of:
        raise PairsError(f"{source.name}: there is no label column").with_table(question(source, texts=True))
    state = signs.state
    keep, skipped, faults = np.ones(len(source.row), bool), [], list(source.faults)

    def drop(mask, into, value, why):
        for i in np.flatnonzero(mask & keep).tolist():
            shown = (value(i) if callable(value) else value[i].as_py()).replace("\0", "\\0")[:80]
            into.append((int(source.row[i]), shown, why(i) if callable(why) else why))
        np.logical_and(keep, ~mask, out=keep)

    texts = {role: source.columns[role] for role in ("text_a", "text_b")}
    empty = {
        role: pc.or_(pc.utf8_is_space(column), pc.equal(pc.binary_length(column), 0)).to_numpy()
        for role, column in texts.items()
    }
    drop(empty["text_a"] & empty["text_b"] & (state == EMPTY), skipped, source.label, "blank row")
    for role, column in texts.items():
        name = source.layout.roles[role]
        out = pc.is_in(pc.utf8_trim_whitespace(column), pa.array([*leave_out], pa.large_string())).to_numpy()
        drop(out, skipped, column, lambda i, column=column: f"text {capped(column[i].as_py(), 40)!r} is left out")
        drop(empty[role], faults, column, f"{name if isinstance(name, str) and name else role} is empty")
        if source.kind != "delimited":  # else it was refused before
            drop(pc.match_substring(column, "\0").to_numpy(), faults, column, "NUL byte in the text")
    named = {role: name for role, name in source.layout.roles.items() if role in source.columns}
    if all(isinstance(name, str) for name in named.values()):
        again = [pc.equal(source.columns[role], name).to_numpy() for role, name in named.items()]
        drop(np.logical_and.reduce(again), skipped, texts["text_a"], "the header again")
    drop(state == OUTSIDE, faults, source.label, lambda i: signs.whys[source.label(i)])
    if unlabelled != "keep":
        drop(state == NO_SIGN, skipped, source.label, lambda i: f"label {source.label(i)!r} gives no sign")
        without = skipped if unlabelled == "skip" else faults
        said = [column for role, column in source.columns.items() if role.startswith("status")]
        drop(
            state == WITHDRAWN,
            without,
            source.label,
            lambda i: f"the answer is withdrawn ({', '.join(column[i].as_py() for column in said)})",
        )
        drop(state == EMPTY, without, source.label, "no label")
    if faults and (on_error or ("skip" if source.layout.official else "error")) == "error":
        row, _, why, more = first_of(faults)
        why += f" ({option('header', True)} if this row names the columns)" * (
            row == 1 and source.kind == "delimited"
        )
        ways = [*_unknown(faults, signs), f"{option('on_error', 'skip')} leaves such rows out"]
        if any(why.startswith(("no label", "the answer is")) for *_, why in faults):
            keep, skip = (option("unlabelled", way) for way in ("keep", "skip"))
            ways.append(f"{keep} keeps rows without a label, for their sentences, {skip} leaves these out")
        raise PairsError(f"{source.name}, row {row}: {why}{more}; {'; '.join(ways)}")
    pairs = _table(source, keep, state)
    if signs.scores is not None:
        pairs["score"] = signs.scores[keep]
    return pairs, skipped, faults, [*signs.told, *_swallowed(source, pairs, signs.of)]


def _unknown(faults, signs):
    """Name all labels without a known meaning, if there are several: the first row and the number of rows of each."""
    whys, rows = {*signs.whys.values()}, {}
    for row, label, why in sorted(faults):
        if why in whys:
            rows.setdefault(label_text(label), []).append(row)
    each = [f"{label!r} (row {places[0]}, {len(places):,} in all)" for label, places in rows.items()]
    more = f" and {len(each) - SHOWN:,} more" * (len(each) > SHOWN)
    return [f"unknown labels: {', '.join(each[:SHOWN])}{more}"] * (len(each) > 1)


def _table(source, keep, state):
    rows = slice(None) if keep.all() else keep
    columns = {}
    for role in ROLES:
        if role == "label":
            kept = state[rows]
            columns["label"] = pd.arrays.IntegerArray(np.where(kept > 1, 0, kept).astype(np.int8), kept > 1)
            columns["row"] = source.row[rows]
        elif role in source.columns:
            texts = source.columns[role] if rows is not keep else source.columns[role].filter(pa.array(keep))
            columns[role] = pd.arrays.ArrowStringArray(texts, dtype=pd.StringDtype("pyarrow", np.nan))
    return pd.DataFrame(columns, copy=False)


def _swallowed(source, pairs, sign):
    """A warning for each row whose text seems to hold a row, label included, because of a stray quote."""
    layout, names, rows = source.layout, source.names, set()
    for role in (
        ("text_a", "text_b") if source.kind == "delimited" and layout.quoted and "label" in layout.roles else ()
    ):
        place, label = (names.index(layout.roles[name]) for name in (role, "label"))
        for i, fields in run_on(pa.chunked_array(pa.array(pairs[role])), len(names) - place, layout.delimiters):
            with suppress(ValueError):
                if label > place:
                    sign(fields[label - place])
                    rows.add(int(pairs["row"].iloc[i]))
    return [f"row {row} seems to run on into the next, after a stray quote" for row in sorted(rows)]


def first_of(faults):
    """Return the row, the value and the reason of the first fault, and say in words how many more there are."""
    return *min(faults), f" (and {len(faults) - 1:,} more such rows)" if len(faults) > 1 else ""


def run_on(texts, left, delimiter):
    """Yield (position, fields) of texts that seem to hold further rows, because of a stray quote.

    The first line of such a text is the rest of a row: it has as many fields as are `left` from this column on.
    """
    for i in np.flatnonzero(pc.match_substring(texts, "\n").to_numpy()).tolist() if left > 1 else ():
        fields = texts[i].as_py().split("\n")[0].removesuffix("\r").split(delimiter)
        if len(fields) == left:
            yield i, fields


# ---------------------------------------------------------------- in words


def kinds_of(skipped):
    """The number of skipped rows, (row, value, why), by reason; reasons that differ in values alone are one."""
    return Counter(VALUES.sub("…", why) for *_, why in skipped)


def skipped_in_words(kinds, few=()):
    """A note, if rows were skipped: how many for which reasons, or which if there are only a few."""
    said, total = few or [f"{n:,}: {why}" for why, n in kinds.most_common(5)], kinds.total()
    return [f"{total:,} row{'s' * (total > 1)} skipped ({'; '.join(said)})"] if kinds else []
