"""Check the pairs of a source: make their table, and say what is wrong with the other rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError, capped
from ..files.spelling import option
from .labels import label_text, listed
from .question import question
from .recognise import Layout
from .signs import EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN, Signs
from .source import Source
from .tables import ROLES
from .texts import Texts

__all__ = ["Checked", "Rules", "checked", "first_of", "kinds_of", "run_on", "sift", "skipped_in_words"]

#: The parts in which messages may differ and still count as one.
VALUES = re.compile(r"'.*'|0x\w+|(?<![-\w])\d+")


class Report(dict):
    """A plain dict, except that copies of a table share it: pandas copies `attrs` deeply at every step."""

    def __deepcopy__(self, memo: Any) -> Report:
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


def checked(reading: Any, rules: Rules) -> tuple[pd.DataFrame, list[str]]:
    """Make the pair table of what was read (`read.Reading`) with its report, and list the warnings."""
    found = sift(reading, rules)
    texts = reading.texts
    release = reading.layout.release
    pairs = found.pairs
    if found.faults and not len(pairs):
        row, _, why = min(found.faults)
        raise PairsError(f"{texts.name}: none of {len(found.faults):,} rows can be read; row {row}: {why}")
    skipped = sorted(found.skipped + found.faults)
    rows = len(pairs) + len(skipped)
    pairs.attrs["report"] = Report(
        source=texts.name,
        format=reading.layout.name,
        rows=rows,
        kept=len(pairs),
        skipped=[{"row": row, "value": value, "why": why} for row, value, why in skipped],
        notes=[texts.note, *found.warnings],
    )
    if release.bipartite:
        pairs.attrs["bipartite"] = True
    few = []
    if len(skipped) < 4:
        few = [f"row {row}: {why}" for row, _, why in skipped]
    messages = [*skipped_in_words(kinds_of(skipped), few), *found.warnings]
    if not rows:
        messages.append("no rows")
    return pairs, messages


def sift(reading: Any, rules: Rules) -> Checked:
    """Sort the pairs of what was read; `PairsError` for a faulty one, unless it may be skipped."""
    texts, layout, signs = reading.texts, reading.layout, reading.signs
    columns = texts.columns
    if "label" not in columns and rules.unlabelled != "keep":
        raise PairsError(f"{texts.name}: there is no label column").with_table(question(layout.sample, texts=True))
    keep = np.ones(len(texts.row), bool)
    skipped = [*texts.skipped]
    faults = [*texts.faults]
    for mask, values, into, why in _tests(texts, layout, signs, rules):
        for i in np.flatnonzero(mask & keep).tolist():
            value = values[i].as_py() if values is not None else ""
            reason = why if isinstance(why, str) else why(value)
            place = faults if into == "error" else skipped
            place.append((int(texts.row[i]), value.replace("\0", "\\0")[:80], reason))
        keep &= ~mask
    on_error = rules.on_error or ("skip" if layout.release.official else "error")
    if faults and on_error == "error":
        raise _refusal(reading, faults, keep.any())
    pairs = _table(texts, keep, signs.state)
    if signs.scores is not None:
        pairs["score"] = signs.scores[keep]
    return Checked(pairs, keep, skipped, faults, [*signs.notes, *_swallowed(reading, pairs)])


def _tests(texts: Texts, layout: Layout, signs: Signs, rules: Rules) -> Iterator[tuple]:
    """The tests of rows, in their order: who fails, the values to show, "skip" or "error", and why."""
    state = signs.state
    label = texts.columns.get("label")
    sides = {role: texts.columns[role] for role in ("text_a", "text_b")}
    empty = {role: _is_blank(column) for role, column in sides.items()}
    yield empty["text_a"] & empty["text_b"] & (state == EMPTY), label, "skip", "blank row"
    out = pa.array([*rules.leave_out], pa.large_string())
    for role, column in sides.items():
        is_out = pc.is_in(pc.utf8_trim_whitespace(column), out).to_numpy()
        yield is_out, column, "skip", lambda text: f"text {capped(text, 40)!r} is left out"
        name = layout.roles[role]
        yield empty[role], column, "error", f"{name if isinstance(name, str) and name else role} is empty"
        yield pc.match_substring(column, "\0").to_numpy(), column, "error", "NUL byte in the text"
    yield state == OUTSIDE, label, "error", signs.whys.get
    if rules.unlabelled != "keep":
        yield state == NO_SIGN, label, "skip", lambda text: f"label {text!r} gives no sign"
        yield (
            state == WITHDRAWN,
            texts.columns.get("status"),
            rules.unlabelled,
            lambda text: f"the answer is withdrawn ({text})",
        )
        yield state == EMPTY, label, rules.unlabelled, "no label"


def _is_blank(column: pa.ChunkedArray) -> np.ndarray:
    return pc.or_(pc.utf8_is_space(column), pc.equal(pc.binary_length(column), 0)).to_numpy()


def _refusal(reading: Any, faults: list, some_are_right: bool) -> PairsError:
    """The error for the first fault, with the ways to go on."""
    source: Source = reading.source
    row, _, why, more = first_of(faults)
    if row == 1 and not getattr(source, "header", True):
        why += f" ({option('header', True)} if this row names the columns)"
    ways = []
    unknown = Counter(label_text(label) for _, label, why in faults if why in reading.signs.whys.values())
    if len(unknown) > 1:
        ways.append(f"unknown labels: {listed(unknown, 20)}")
    if some_are_right:
        ways.append(f"{option('on_error', 'skip')} leaves such rows out")
    if any(why.startswith(("no label", "the answer is")) for *_, why in faults):
        keep, skip = (option("unlabelled", way) for way in ("keep", "skip"))
        ways.append(f"{keep} keeps rows without a label, for their sentences, {skip} leaves these out")
    return PairsError("; ".join([f"{source.name}, row {row}: {why}{more}", *ways]))


def _table(texts: Texts, keep: np.ndarray, state: np.ndarray) -> pd.DataFrame:
    every = keep.all()
    columns = {}
    for role in ROLES:
        if role == "label":
            kept = state if every else state[keep]
            columns["label"] = pd.arrays.IntegerArray(np.where(kept > 1, 0, kept).astype(np.int8), kept > 1)
            columns["row"] = texts.row if every else texts.row[keep]
        elif role in texts.columns:
            values = texts.columns[role] if every else texts.columns[role].filter(pa.array(keep))
            columns[role] = pd.arrays.ArrowStringArray(values, dtype=pd.StringDtype("pyarrow", np.nan))
    return pd.DataFrame(columns, copy=False)


def _swallowed(reading: Any, pairs: pd.DataFrame) -> list[str]:
    """A warning for each row whose text seems to hold a row, label included, because of a stray quote."""
    source, roles = reading.source, reading.layout.roles
    if not getattr(source, "quoted", None) or "label" not in roles:
        return []
    names = [*source.names]
    label = names.index(roles["label"])
    rows = set()
    for role in ("text_a", "text_b"):
        place = names.index(roles[role])
        column = pa.chunked_array(pa.array(pairs[role]))
        for i, fields in run_on(column, len(names) - place, source.delimiter):
            with suppress(ValueError):
                if label > place:
                    reading.signs.meaning.sign(fields[label - place])
                    rows.add(int(pairs["row"].iloc[i]))
    return [f"row {row} seems to run on into the next, after a stray quote" for row in sorted(rows)]


def first_of(faults: list) -> tuple[int, str, str, str]:
    """Return the row, the value and the reason of the first fault, and say in words how many more there are."""
    more = ""
    if len(faults) > 1:
        more = f" (and {len(faults) - 1:,} more such rows)"
    return *min(faults), more


def run_on(texts: pa.ChunkedArray, left: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (position, fields) of texts that seem to hold further rows, because of a stray quote.

    The first line of such a text is the rest of a row: it has as many fields as are `left` from this column on.
    """
    if left < 2:
        return
    for i in np.flatnonzero(pc.match_substring(texts, "\n").to_numpy()).tolist():
        fields = texts[i].as_py().split("\n")[0].removesuffix("\r").split(delimiter)
        if len(fields) == left:
            yield i, fields


# ---------------------------------------------------------------- in words


def kinds_of(skipped: Iterable[tuple]) -> Counter:
    """The number of skipped rows, (row, value, why), by reason; reasons that differ in values alone are one."""
    return Counter(VALUES.sub("…", why) for *_, why in skipped)


def skipped_in_words(kinds: Counter, few: list[str] | tuple = ()) -> list[str]:
    """A note, if rows were skipped: how many for which reasons, or which if there are only a few."""
    if not kinds:
        return []
    reasons = few or [f"{n:,}: {why}" for why, n in kinds.most_common(5)]
    total = kinds.total()
    return [f"{total:,} {'rows' if total > 1 else 'row'} skipped ({'; '.join(reasons)})"]
