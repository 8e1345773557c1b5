"""Check the pairs of a source: make their table, and say what is wrong with the other rows."""

import re
from collections import Counter
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError, capped
from ..files.spelling import option
from .labels import label_text
from .question import question
from .signs import EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN
from .tables import DECIDED, ROLES

__all__ = ["Checked", "Rules", "checked", "first_of", "kinds_of", "run_on", "sift", "skipped_in_words"]

#: The parts in which messages may differ and still count as one.
VALUES = re.compile(r"'.*'|0x\w+|(?<![-\w])\d+")
SHOWN = 20  #: unknown labels in a message


class Report(dict):
    """A plain dict, except that copies of a table share it: pandas copies `attrs` deeply at every step."""

    def __deepcopy__(self, memo):
        return self


class Rules(NamedTuple):
    """The fate of rows that are no labelled pairs: options of `read_pairs`."""

    unlabelled: str = "error"
    on_error: str | None = None
    leave_out: tuple = ()


class Checked(NamedTuple):
    """The pair table of a source, and the rows that are not in it, each as (row, value, why)."""

    pairs: pd.DataFrame
    kept: np.ndarray  #: a mask of the pairs that the lens gave
    skipped: list  #: rows that are always skipped
    faults: list  #: faulty rows
    warnings: list  #: understood labels, and rows that seem to run on into the next


def checked(texts, layout, signs, rules):
    """Make the pair table of a source with its report (see `read`), and list the warnings."""
    found = sift(texts, layout, signs, rules)
    pairs, faults = found.pairs, found.faults
    if faults and not len(pairs):
        row, _, why = min(faults)
        raise PairsError(f"{texts.name}: none of {len(faults):,} rows can be read; row {row}: {why}")
    skipped, rows = sorted(found.skipped + faults), len(texts.row) + len(texts.faults)
    pairs.attrs["report"] = Report(
        source=texts.name,
        format=layout.name,
        rows=rows,
        kept=len(pairs),
        skipped=[{"row": row, "value": value, "why": why} for row, value, why in skipped],
        notes=[texts.note, *found.warnings],
    )
    if layout.bipartite:
        pairs.attrs["bipartite"] = True
    few = []
    if len(skipped) < 4:
        few = [f"row {row}: {why}" for row, _, why in skipped]
    messages = [*skipped_in_words(kinds_of(skipped), few), *found.warnings]
    if not rows:
        messages.append("no rows")
    return pairs, messages


class _Sieve:
    """The rows of a source that are left, and those that were dropped, with the reasons."""

    def __init__(self, texts):
        self.texts = texts
        self.keep = np.ones(len(texts.row), bool)

    def drop(self, mask, into, value, why):
        """Drop the rows of a mask into a list. `value` and `why` are functions of a position, or column and text."""
        for i in np.flatnonzero(mask & self.keep).tolist():
            shown = value(i) if callable(value) else value[i].as_py()
            reason = why(i) if callable(why) else why
            into.append((int(self.texts.row[i]), shown.replace("\0", "\\0")[:80], reason))
        self.keep &= ~mask


def sift(texts, layout, signs, rules):
    """Sort the pairs of a source; `PairsError` for a faulty one, unless it may be skipped."""
    if "label" not in texts.columns and rules.unlabelled != "keep" and signs.sign:
        raise PairsError(f"{texts.name}: there is no label column").with_table(question(layout.sample, texts=True))
    state, sieve = signs.state, _Sieve(texts)
    skipped, faults = [], list(texts.faults)
    sides = {role: texts.columns[role] for role in ("text_a", "text_b")}
    empty = {}
    for role, column in sides.items():
        blank = pc.or_(pc.utf8_is_space(column), pc.equal(pc.binary_length(column), 0))
        empty[role] = blank.to_numpy()
    sieve.drop(empty["text_a"] & empty["text_b"] & (state == EMPTY), skipped, texts.label, "blank row")
    for role, column in sides.items():
        name = layout.roles[role]
        out = pc.is_in(pc.utf8_trim_whitespace(column), pa.array([*rules.leave_out], pa.large_string())).to_numpy()
        sieve.drop(out, skipped, column, lambda i, c=column: f"text {capped(c[i].as_py(), 40)!r} is left out")
        sieve.drop(empty[role], faults, column, f"{name if isinstance(name, str) and name else role} is empty")
        sieve.drop(pc.match_substring(column, "\0").to_numpy(), faults, column, "NUL byte in the text")
    sieve.drop(_header_again(texts, layout), skipped, sides["text_a"], "the header again")
    sieve.drop(state == OUTSIDE, faults, texts.label, lambda i: signs.whys[texts.label(i)])
    if rules.unlabelled != "keep":
        sieve.drop(state == NO_SIGN, skipped, texts.label, lambda i: f"label {texts.label(i)!r} gives no sign")
        without = skipped if rules.unlabelled == "skip" else faults
        sieve.drop(state == WITHDRAWN, without, texts.label, _withdrawn(texts))
        sieve.drop(state == EMPTY, without, texts.label, "no label")
    skip = "skip" if layout.official else "error"
    if faults and (rules.on_error or skip) == "error":
        raise _refusal(texts, layout, signs, faults, sieve.keep.any())
    pairs = _table(texts, sieve.keep, state)
    if signs.scores is not None:
        pairs["score"] = signs.scores[sieve.keep]
    return Checked(pairs, sieve.keep, skipped, faults, [*signs.notes, *_swallowed(layout, pairs, signs.sign)])


def _withdrawn(texts):
    """A function that says of the row at a position that its answer does not count."""
    return lambda i: f"the answer is withdrawn ({texts.columns['status'][i].as_py()})"


def _header_again(texts, layout):
    """The rows that repeat the header, as where files were joined."""
    named = {role: name for role, name in layout.roles.items() if role in texts.columns and role != DECIDED}
    if not all(isinstance(name, str) for name in named.values()) or not layout.header:
        return np.zeros(len(texts.row), bool)
    again = [pc.equal(texts.columns[role], name).to_numpy() for role, name in named.items()]
    return np.logical_and.reduce(again)


def _refusal(texts, layout, signs, faults, some_are_right):
    """The error for the first fault, with the ways to go on."""
    row, _, why, more = first_of(faults)
    if row == 1 and not layout.header and layout.delimiters:
        why += f" ({option('header', True)} if this row names the columns)"
    ways = _unknown(faults, signs)
    if some_are_right:
        ways.append(f"{option('on_error', 'skip')} leaves such rows out")
    if any(why.startswith(("no label", "the answer is")) for *_, why in faults):
        keep, skip = (option("unlabelled", way) for way in ("keep", "skip"))
        ways.append(f"{keep} keeps rows without a label, for their sentences, {skip} leaves these out")
    return PairsError("; ".join([f"{texts.name}, row {row}: {why}{more}", *ways]))


def _unknown(faults, signs):
    """Name all labels without a known meaning, if there are several: the first row and the number of rows of each."""
    whys, rows = {*signs.whys.values()}, {}
    for row, label, why in sorted(faults):
        if why in whys:
            rows.setdefault(label_text(label), []).append(row)
    each = [f"{label!r} (row {places[0]}, {len(places):,} in all)" for label, places in rows.items()]
    if len(each) < 2:
        return []
    more = f" and {len(each) - SHOWN:,} more" if len(each) > SHOWN else ""
    return [f"unknown labels: {', '.join(each[:SHOWN])}{more}"]


def _table(texts, keep, state):
    rows = slice(None) if keep.all() else keep
    columns = {}
    for role in ROLES:
        if role == "label":
            kept = state[rows]
            columns["label"] = pd.arrays.IntegerArray(np.where(kept > 1, 0, kept).astype(np.int8), kept > 1)
            columns["row"] = texts.row[rows]
        elif role in texts.columns:
            values = texts.columns[role]
            values = values.filter(pa.array(keep)) if rows is keep else values
            columns[role] = pd.arrays.ArrowStringArray(values, dtype=pd.StringDtype("pyarrow", np.nan))
    return pd.DataFrame(columns, copy=False)


def _swallowed(layout, pairs, sign):
    """A warning for each row whose text seems to hold a row, label included, because of a stray quote."""
    if not layout.delimiters or not layout.quoted or not isinstance(layout.roles.get("label"), str | int):
        return []
    names, rows = [*layout.names], set()
    for role in ("text_a", "text_b"):
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
    if not kinds:
        return []
    reasons = few or [f"{n:,}: {why}" for why, n in kinds.most_common(5)]
    total = kinds.total()
    return [f"{total:,} {'rows' if total > 1 else 'row'} skipped ({'; '.join(reasons)})"]
