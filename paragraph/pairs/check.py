"""Check the pairs of a source: make their table, and say what is wrong with the other rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files.errors import PairsError, capped
from ..files.spelling import option
from .labels import is_number, label_text, listed
from .question import question
from .signs import EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN
from .tables import COLUMNS

__all__ = ["Checked", "checked", "first_of", "kinds_of", "run_on", "sift", "skipped_in_words"]

#: The parts in which reasons may differ and still count as one.
VALUES = re.compile(r"'.*'|0x\w+|(?<![-\w])\d+")


class Report(dict):
    """A plain dict, except that copies of a table share it: pandas copies `attrs` deeply at every step."""

    def __deepcopy__(self, memo: Any) -> Report:
        return self


class Checked(NamedTuple):
    """The pair table of a source, and the rows that are not in it."""

    pairs: pd.DataFrame
    kept: np.ndarray  #: a mask of the pairs that the lens gave
    skipped: list  #: the other rows, each as (row, value, why)
    warnings: list  #: the notes of signs, and rows that seem to run on into the next


def checked(reading: Any) -> tuple[pd.DataFrame, list[str]]:
    """Make the pair table of a `read.Reading`, with its report, and list the warnings."""
    pairs, _, skipped, warnings = sift(reading)
    source = reading.source
    report = Report(
        source=source.name,
        format=reading.layout.name,
        path=source.path,
        sha256=source.sha256,
        rows=len(pairs) + len(skipped),
        kept=len(pairs),
        notes=[reading.note, *warnings],
        skipped=[{"row": row, "value": value, "why": why} for row, value, why in skipped],
        ending=f".{source.kind}",
        back=reading.lens.says,
        keeps=reading.lens.keeps,
    )
    words = [label_text(reading.signs.words.get(sign, str(sign))) for sign in (0, 1)]
    if not any(map(is_number, words)):
        report["words"] = words
    pairs.attrs["report"] = report
    if reading.layout.release.bipartite:
        pairs.attrs["bipartite"] = True
    few = []
    if len(skipped) < 4:
        few = [f"row {row}: {why}" for row, _, why in skipped]
    messages = [*skipped_in_words(kinds_of(skipped), few), *warnings]
    if not report["rows"]:
        messages.append("no rows")
    return pairs, messages


def sift(reading: Any) -> Checked:
    """Part the pairs of a `read.Reading` by the tests of rows; `PairsError` for a fault, unless it may be skipped."""
    frame = reading.frame
    name = reading.source.name
    if "label" not in frame and reading.options["unlabelled"] != "keep":
        table = question(reading.layout.sample, texts=True)
        raise PairsError(f"{name}: there is no label column").with_table(table)
    kept = np.ones(len(frame), bool)
    skipped = []
    faults = [*reading.faults]
    for mask, role, fate, why in _tests(reading):
        rows = faults if fate == "error" else skipped
        for i in np.flatnonzero(mask & kept):
            value = frame[role].iloc[i] if role in frame else ""
            reason = why if isinstance(why, str) else why(value)
            rows.append((int(frame["row"].iloc[i]), value.replace("\0", "\\0")[:80], reason))
        kept &= ~np.asarray(mask)
    on_error = reading.options["on_error"]
    if on_error is None and reading.layout.release.official:
        on_error = "skip"
    if faults and on_error != "skip":
        raise _refusal(reading, faults, kept.any())
    if faults and not kept.any():
        row, _, why, _ = first_of(faults)
        raise PairsError(f"{name}: none of {len(faults):,} rows can be read; row {row}: {why}")
    pairs = _table(frame, kept, reading.signs)
    warnings = [*reading.signs.notes, *_swallowed(reading, pairs)]
    return Checked(pairs, kept, sorted(skipped + faults), warnings)


def _tests(reading: Any) -> Iterator[tuple]:
    """The tests of rows, in order: a mask of those that fail, the column to show, "skip" or "error", and why."""
    unlabelled = reading.options["unlabelled"]
    frame = reading.frame
    state = reading.signs.state
    trimmed = {role: frame[role].str.strip() for role in ("text_a", "text_b")}
    blank = (trimmed["text_a"] == "") & (trimmed["text_b"] == "")
    yield blank & (state == EMPTY), "label", "skip", "blank row"
    for role, texts in trimmed.items():
        is_out = texts.isin([*reading.options["leave_out"]])
        yield is_out, role, "skip", lambda text: f"text {capped(text, 40)!r} is left out"
        name = reading.layout.roles[role]
        if not isinstance(name, str):
            name = role
        yield texts == "", role, "error", f"{name or role} is empty"  # a name may be empty
        has_nul = frame[role].str.contains("\0", regex=False)
        yield has_nul, role, "error", "NUL byte in the text"
    yield state == OUTSIDE, "label", "error", reading.signs.whys.get
    if unlabelled != "keep":
        yield state == NO_SIGN, "label", "skip", lambda text: f"label {text!r} gives no sign"
        is_withdrawn = state == WITHDRAWN
        yield is_withdrawn, "status", unlabelled, lambda text: f"the answer is withdrawn ({text})"
        yield state == EMPTY, "label", unlabelled, "no label"


def _refusal(reading: Any, faults: list, may_skip: bool) -> PairsError:
    """The error for the first fault, with the flags that go on."""
    row, _, why, more = first_of(faults)
    if row == 1 and not getattr(reading.source, "header", True):
        why += f" ({option('header', True)} if this row names the columns)"
    ways = []
    about_labels = {*reading.signs.whys.values()}
    unknown = Counter(label_text(label) for _, label, why in faults if why in about_labels)
    if len(unknown) > 1:
        ways.append(f"unknown labels: {listed(unknown, 20)}")
    if may_skip:
        ways.append(f"{option('on_error', 'skip')} leaves such rows out")
    missing = ("no label", "the answer is")
    if any(why.startswith(missing) for *_, why in faults):
        keep = option("unlabelled", "keep")
        skip = option("unlabelled", "skip")
        ways.append(
            f"{keep} keeps rows without a label, for their sentences, {skip} leaves these out"
        )
    return PairsError("; ".join([f"{reading.source.name}, row {row}: {why}{more}", *ways]))


def _table(frame: pd.DataFrame, kept: np.ndarray, signs: Any) -> pd.DataFrame:
    """The pair table of the rows that are kept, with their signs and scores."""
    table = frame
    if not kept.all():
        table = frame[kept].reset_index(drop=True)
    state = signs.state[kept]
    missing = state >= EMPTY
    label = np.where(missing, 0, state).astype(np.int8)
    table = table.assign(label=pd.arrays.IntegerArray(label, missing))
    if signs.scores is not None:
        table["score"] = signs.scores[kept]
    return table[[name for name in COLUMNS if name in table]]


def _swallowed(reading: Any, pairs: pd.DataFrame) -> list[str]:
    """A warning for each row whose text seems to hold the next row, with its label, because of a stray quote."""
    source = reading.source
    roles = reading.layout.roles
    if not getattr(source, "quoted", None) or "label" not in roles:
        return []
    label = source.names.index(roles["label"])
    rows = set()
    for role in ("text_a", "text_b"):
        text = source.names.index(roles[role])
        left = len(source.names) - text
        for i, fields in run_on(pairs[role], left, source.delimiter):
            with suppress(ValueError):  # a field that is no label shows no row
                reading.signs.meaning.sign(fields[label - text])
                rows.add(int(pairs["row"].iloc[i]))
    return [f"row {row} seems to run on into the next, after a stray quote" for row in sorted(rows)]


def first_of(faults: list) -> tuple[int, str, str, str]:
    """Return the row, the value and the reason of the first fault, and the number of further ones in words."""
    more = ""
    if len(faults) > 1:
        more = f" (and {len(faults) - 1:,} more such rows)"
    return *min(faults), more


def run_on(texts: pd.Series, left: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (position, fields) of texts that seem to hold further rows, because of a stray quote.

    The first line of such a text is the rest of a row: it has as many fields as there are columns `left`, from that
    of the text on.
    """
    for i in np.flatnonzero(texts.str.contains("\n", regex=False)):
        line = texts.iloc[i].split("\n")[0]
        fields = line.removesuffix("\r").split(delimiter)
        if len(fields) == left > 1:
            yield i, fields


def kinds_of(skipped: Iterable[tuple]) -> Counter:
    """The number of skipped rows, (row, value, why), by reason; reasons that differ in values alone are one."""
    return Counter(VALUES.sub("…", why) for *_, why in skipped)


def skipped_in_words(kinds: Counter, few: list[str] | tuple = ()) -> list[str]:
    """A note, if rows were skipped: their number by reason, or the `few` that there are."""
    if not kinds:
        return []
    reasons = few or [f"{n:,}: {why}" for why, n in kinds.most_common(5)]
    rows = "rows"
    if kinds.total() == 1:
        rows = "row"
    return [f"{kinds.total():,} {rows} skipped ({'; '.join(reasons)})"]
