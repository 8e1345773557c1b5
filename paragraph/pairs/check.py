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
from .signs import EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN
from .tables import ROLES

__all__ = ["Checked", "checked", "first_of", "kinds_of", "run_on", "sift", "skipped_in_words"]

#: The parts in which messages may differ and still count as one.
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
    warnings: list  #: understood labels, and rows that seem to run on into the next


def checked(reading: Any) -> tuple[pd.DataFrame, list[str]]:
    """Make the pair table of what was read (`read.Reading`) with its report, and list the warnings."""
    pairs, _, skipped, warnings = sift(reading)
    source = reading.source
    report = Report(
        source=source.name, format=reading.layout.name, path=source.path, sha256=source.sha256
    )
    report |= {
        "rows": len(pairs) + len(skipped),
        "kept": len(pairs),
        "notes": [reading.texts.note, *warnings],
    }
    report["skipped"] = [{"row": row, "value": value, "why": why} for row, value, why in skipped]
    report |= {"ending": f".{source.kind}", "back": reading.lens.says, "keeps": reading.lens.keeps}
    if reading.signs.words:
        report["words"] = reading.signs.words
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
    """Sort the pairs of what was read; `PairsError` for a faulty one, unless it may be skipped."""
    texts = reading.texts
    if "label" not in texts.columns and reading.options["unlabelled"] != "keep":
        table = question(reading.layout.sample, texts=True)
        raise PairsError(f"{texts.name}: there is no label column").with_table(table)
    keep = np.ones(len(texts.row), bool)
    skipped = []
    faults = [*texts.faults]
    for mask, role, fate, why in _tests(reading):
        values = texts.columns.get(role)
        for i in np.flatnonzero(mask & keep).tolist():
            value = values[i].as_py() if values else ""
            reason = why if isinstance(why, str) else why(value)
            found = faults if fate == "error" else skipped
            found.append((int(texts.row[i]), value.replace("\0", "\\0")[:80], reason))
        keep &= ~mask
    on_error = reading.options["on_error"]
    if on_error is None and reading.layout.release.official:
        on_error = "skip"
    if faults and on_error != "skip":
        raise _refusal(reading, faults, keep.any())
    if faults and not keep.any():
        row, _, why, _ = first_of(faults)
        raise PairsError(
            f"{texts.name}: none of {len(faults):,} rows can be read; row {row}: {why}"
        )
    pairs = _table(texts, keep, reading.signs)
    return Checked(
        pairs, keep, sorted(skipped + faults), [*reading.signs.notes, *_swallowed(reading, pairs)]
    )


def _tests(reading: Any) -> Iterator[tuple]:
    """The tests of rows, in their order: who fails, the column to show, "skip" or "error", and why."""
    unlabelled = reading.options["unlabelled"]
    columns = reading.texts.columns
    state = reading.signs.state
    empty = {}
    for role in ("text_a", "text_b"):
        empty[role] = pc.equal(
            pc.binary_length(pc.utf8_trim_whitespace(columns[role])), 0
        ).to_numpy()
    yield empty["text_a"] & empty["text_b"] & (state == EMPTY), "label", "skip", "blank row"
    out = pa.array([*reading.options["leave_out"]], pa.large_string())
    for role in ("text_a", "text_b"):
        is_out = pc.is_in(pc.utf8_trim_whitespace(columns[role]), out).to_numpy()
        yield is_out, role, "skip", lambda text: f"text {capped(text, 40)!r} is left out"
        name = reading.layout.roles[role]
        yield (
            empty[role],
            role,
            "error",
            f"{name if isinstance(name, str) and name else role} is empty",
        )
        yield (
            pc.match_substring(columns[role], "\0").to_numpy(),
            role,
            "error",
            "NUL byte in the text",
        )
    yield state == OUTSIDE, "label", "error", reading.signs.whys.get
    if unlabelled != "keep":
        yield state == NO_SIGN, "label", "skip", lambda text: f"label {text!r} gives no sign"
        yield (
            state == WITHDRAWN,
            "status",
            unlabelled,
            lambda text: f"the answer is withdrawn ({text})",
        )
        yield state == EMPTY, "label", unlabelled, "no label"


def _refusal(reading: Any, faults: list, some_are_right: bool) -> PairsError:
    """The error for the first fault, with the ways to go on."""
    row, _, why, more = first_of(faults)
    if row == 1 and not getattr(reading.source, "header", True):
        why += f" ({option('header', True)} if this row names the columns)"
    ways = []
    unknown = Counter(
        label_text(label) for _, label, why in faults if why in reading.signs.whys.values()
    )
    if len(unknown) > 1:
        ways.append(f"unknown labels: {listed(unknown, 20)}")
    if some_are_right:
        ways.append(f"{option('on_error', 'skip')} leaves such rows out")
    if any(why.startswith(("no label", "the answer is")) for *_, why in faults):
        keep, skip = (option("unlabelled", way) for way in ("keep", "skip"))
        ways.append(
            f"{keep} keeps rows without a label, for their sentences, {skip} leaves these out"
        )
    return PairsError("; ".join([f"{reading.source.name}, row {row}: {why}{more}", *ways]))


def _table(texts: Any, keep: np.ndarray, signs: Any) -> pd.DataFrame:
    mask = pa.array(keep)
    columns = {}
    for role in ROLES:
        if role == "label":
            state = signs.state[keep]
            columns["label"] = pd.arrays.IntegerArray(
                np.where(state > 1, 0, state).astype(np.int8), state > 1
            )
            columns["row"] = texts.row[keep]
        elif role in texts.columns:
            values = texts.columns[role] if keep.all() else texts.columns[role].filter(mask)
            columns[role] = pd.arrays.ArrowStringArray(
                values, dtype=pd.StringDtype("pyarrow", np.nan)
            )
    if signs.scores is not None:
        columns["score"] = signs.scores[keep]
    return pd.DataFrame(columns, copy=False)


def _swallowed(reading: Any, pairs: pd.DataFrame) -> list[str]:
    """A warning for each row whose text seems to hold a row, label included, because of a stray quote."""
    source = reading.source
    roles = reading.layout.roles
    if not getattr(source, "quoted", None) or "label" not in roles:
        return []
    label = source.names.index(roles["label"])
    rows = set()
    for role in ("text_a", "text_b"):
        place = source.names.index(roles[role])
        column = pa.chunked_array(pa.array(pairs[role]))
        for i, fields in run_on(column, len(source.names) - place, source.delimiter):
            with suppress(ValueError):
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
    for i in np.flatnonzero(pc.match_substring(texts, "\n").to_numpy()).tolist():
        fields = texts[i].as_py().split("\n")[0].removesuffix("\r").split(delimiter)
        if len(fields) == left > 1:
            yield i, fields


def kinds_of(skipped: Iterable[tuple]) -> Counter:
    """The number of skipped rows, (row, value, why), by reason; reasons that differ in values alone are one."""
    return Counter(VALUES.sub("…", why) for *_, why in skipped)


def skipped_in_words(kinds: Counter, few: list[str] | tuple = ()) -> list[str]:
    """A note, if rows were skipped: how many for which reasons, or which if there are only a few."""
    if not kinds:
        return []
    reasons = few or [f"{n:,}: {why}" for why, n in kinds.most_common(5)]
    rows = "rows"
    if kinds.total() == 1:
        rows = "row"
    return [f"{kinds.total():,} {rows} skipped ({'; '.join(reasons)})"]
