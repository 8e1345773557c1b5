"""A review of words: which of them can the other sentence not paraphrase?"""

from __future__ import annotations

import time
from collections.abc import Iterable
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.items import Items
from ...decisions.log import DecisionLog
from ...decisions.records import Decision, pair_of, standing
from ...decisions.tagging import is_of_tags, marks_of, shown_of, tag_table
from ...draw.style import Line
from ...measure.tags import agreement, disagreements
from ...pairs import PairsError
from ...pairs.tagged import checked
from ...words.tokens import places, spans
from ..bench.scene import Scene
from ..review.desk import ReviewBench

__all__ = ["TagReview"]

HERE = Path(__file__).parent
ASKS = "Mark the fewest words whose change would make the two say the same. No mark: they do."
STATES = {
    "open": ("", "not tagged"),
    "skip": ("skipped", "skipped: comes back when nothing else is open"),
    "same": ("paraphrase", "tagged: no word, a paraphrase"),
    "different": ("tagged", "tagged"),
    "ambiguous": ("ambiguous", "nobody can say"),
}
WORDS = {
    "one": "pair", "many": "pairs", "revealing": "", "reveal": "how others tagged it", "note": "n",
    "decide": [
        ["Enter", "tags", "Done", "The marks are the tags; without any the two are paraphrases"],
        ["a", "ambiguous", "Ambiguous", "Nobody can say: the pair gets no tags"],
        ["s", "skip", "Skip", "Not now: it comes back later"],
    ],
    "marks": [
        ["← →", "previous, next word"], ["Space", "mark the word, or clear it"],
        ["Shift → / ←", "mark it and go on / go back and clear"], ["w", "mark the whole sentence, or clear it"],
        ["o", "the other sentence"],
    ],
    "mouse": [["Click", "a word: mark it, or clear it"], ["Drag", "over words: mark them, or clear them"]],
}  # fmt: skip


class Tagged(Items):
    """The rows of a tag table, numbered from 1 in the order in which they are to be tagged."""

    def __init__(self, table: pd.DataFrame, order: Iterable[int], records: Iterable[Decision]):
        order = list(order)
        super().__init__(order, ((table["text_a"][i], table["text_b"][i]) for i in order))
        self.read(records)

    def read(self, records: Iterable[Decision]) -> None:
        """The last decision on the words of a pair counts."""
        self._standing, self.elsewhere = {}, 0
        for record in records:
            item = self.item_of(record)
            if item is None:
                self.elsewhere += 1
            else:
                self._standing[item] = record

    def item_of(self, record: Decision) -> int | None:
        return super().item_of(record) if is_of_tags(record) else None

    def state(self, item: int) -> str:
        record = self._standing.get(item)
        if record is None or record.decision in ("skip", "ambiguous"):
            return record.decision if record else "open"
        return "same" if record.decision == "flip" else "different"

    def description(self, item: int, long: bool = False) -> str:
        return STATES[self.state(item)][long]


class TagReview(ReviewBench):
    """Tag the words of pairs of sentences: 1 where the other sentence cannot paraphrase a word.

    Click a word or drag over some; or move with the arrows, ``Space`` marks, ``w`` the whole sentence, ``o`` goes to
    the other one. ``Enter`` done, ``a`` ambiguous, ``s`` skip, ``u`` undo (marks first, then decisions), ``n`` note,
    ``r`` reveal how others tagged the pair, ``?`` all keys. What is decided is in the log before the next pair shows,
    and another session goes on from there.

    Parameters
    ----------
    table : DataFrame
        Pairs, or a tag table; its tags, if any, are hidden until revealed, as are those of others in the log. A pair
        named again is left out.
    log, reviewer, blind, seed, height
        As of `PairReview`, which can share the log: no tag means that the two say the same.
    order : {"given", "random"}
        That of the table, or shuffled by `seed`.

    Raises
    ------
    PairsError
        A table that is none; a sentence paired with itself.

    Examples
    --------
    >>> import paragraph as pg, pathlib, tempfile
    >>> pairs = pd.DataFrame({"text_a": ["He paid $2."], "text_b": ["He got $3."]})
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "tags.db"
    >>> for name in ("Ada", "Ben"):
    ...     review = pg.TagReview(pairs, path, name)  # shows itself at a cell's end
    ...     review.mark("a", 3)
    ...     review.mark("b", 1 if name == "Ben" else 3)
    ...     review.decide("tags")
    >>> round(review.agreement().kappa, 3)
    0.375
    """

    _esm = ReviewBench._esm + (HERE / "words.js").read_text(encoding="utf-8")
    _css = ReviewBench._css + (HERE / "style.css").read_text(encoding="utf-8")
    _queue: Tagged

    def __init__(
        self,
        table: pd.DataFrame,
        log: str | PathLike | DecisionLog = "tags.db",
        reviewer: str | None = None,
        *,
        order: str = "given",
        **options: Any,
    ):
        if order not in ("given", "random"):
            raise PairsError(f"order {order!r} is not one of given, random")
        table = checked(table.reset_index(drop=True), "the table").assign(row=range(1, len(table) + 1))
        pairs = [pair_of(*texts) for texts in zip(table["text_a"], table["text_b"], strict=True)]
        if same := next((row for row, pair in enumerate(pairs, 1) if len(pair) < 2), None):
            raise PairsError(f"the table, row {same}: a sentence is paired with itself; leave it out")
        table = table[~pd.Series(pairs, table.index, dtype=object).duplicated()].reset_index(drop=True)
        self._table, self._repeats = table, len(pairs) - len(table)
        self._drafts: dict[int, list[list[list[int]]]] = {}  # by item: its marks, and all that they were before
        super().__init__(None, log, reviewer, "Tag Review", WORDS, "tags", **{"height": 480} | options)
        items = (
            np.arange(len(table)) if order == "given" else np.random.default_rng(self.seed).permutation(len(table))
        )
        self._start(Tagged(table, items.tolist(), standing(self._mine)))

    # -- back to Python ------------------------------------------------------------------------------------

    def mark(self, side: str, first: int, end: int | None = None, on: bool = True) -> None:
        """Mark words of the pair on screen, counted from 0, up to `end`; or clear them."""
        if self._item is None:
            raise PairsError("there is nothing to mark: set `current` to the number of a pair")
        with self.hold_sync():
            self.on_mark(self.current, "ab".find(side), first, first + 1 if end is None else end, on)

    def decide(self, decision: str) -> None:
        """Decide the pair on screen as a key does: "tags", "ambiguous" or "skip"."""
        self._decide(decision)

    @property
    def tags(self) -> pd.DataFrame:
        """This reviewer's tags that stand, of this table and others, as a tag table."""
        return tag_table(self.decision_log, self.reviewer)

    def agreement(self, other: str | None = None) -> pd.Series:
        """Agreement on words with another annotator of the log: see `paragraph.tags.agreement`."""
        return agreement(tag_table(self.decision_log), other and (self.reviewer, other))

    def disagreements(self, other: str | None = None) -> pd.DataFrame:
        """The pairs to talk about with another annotator of the log: see `paragraph.tags.disagreements`."""
        return disagreements(tag_table(self.decision_log), other and (self.reviewer, other))

    # -- intents -------------------------------------------------------------------------------------------

    def on_mark(self, item: int, side: int, first: int, end: int, on: bool) -> None:
        """Words of the pair that the page shows, marked or cleared."""
        if item != self.current or item is None:
            return
        if not (side in (0, 1) and 0 <= first < end <= len(self._words_of(self._item)[side])):
            raise PairsError(f"words {first} to {end} of sentence {side} are none")
        before = self._marks()
        after = [[*marks] for marks in before]
        after[side][first:end] = [int(bool(on))] * (end - first)
        if after != before:
            self._drafts.setdefault(self._item, [before]).append(after)
            self._message = ""
            self._tell()

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """A decision on the words of the pair that the page shows."""
        if decision not in [name for _, name, *_ in WORDS["decide"]]:
            raise PairsError(f"{decision!r} is not one of tags, ambiguous, skip")
        if item != self.current:
            return  # a second press, made before the page showed what the first had done
        at, marks = self._item, self._marks() if decision == "tags" else None
        shown = shown_of(self._words_of(at), marks, not (self._revealed and self._others(at)))
        if decision == "tags":
            decision = "keep" if any(map(any, marks)) else "flip"
        content = {"label": 0, "seconds": time.monotonic() - self._began, "shown": shown}
        if not self._write(lambda log: log.add(*self._queue.pair[at], decision, **content, reviewer=self.reviewer)):
            return
        self._drafts.pop(at, None)
        self._message = f"#{item}: {self._queue.description(at, long=True)}"
        self._go(self._queue.next(at))

    def on_undo(self) -> None:
        """Take back the last mark on this pair; where there is none, the last decision, whose marks come back."""
        draft = self._drafts.get(self._item, [])
        if len(draft) > 1:
            draft.pop()
            self._message = "Taken back: the last mark"
            return self._tell()
        if (last := self._last()) and (found := marks_of(last)):
            self._drafts[self._queue.item_of(last)] = [found[1]]
        super().on_undo()

    # -- what is shown -------------------------------------------------------------------------------------

    def _words_of(self, item: int) -> list[list[str]]:
        return [self._table[f"words_{side}"][item] for side in "ab"]

    def _marks(self) -> list[list[int]]:
        """The marks on the pair on screen."""
        if draft := self._drafts.get(self._item):
            return draft[-1]
        record = self._queue.standing(self._item)
        found = record and self._fitting(record, self._item)
        return found or [[0] * len(words) for words in self._words_of(self._item)]

    def _fitting(self, record: Decision, item: int) -> list[list[int]] | None:
        """The tags of a record in the order of our two sentences; None where it has none, or of other words."""
        words, marks = marks_of(record) or (None, [])
        if pair_of(record.question1, "") != pair_of(self._queue.pair[item][0], ""):
            words, marks = words and words[::-1], marks[::-1]
        return marks if words == self._words_of(item) else None

    def _others(self, item: int) -> dict[str, list[list[int]]]:
        """How others tagged a pair: the last word of each, and what the table has."""
        pair, found = pair_of(*self._queue.pair[item]), {}
        if "tags_a" in self._table:
            name = self._table["annotator"][item] or "the table"
            found[name] = [self._table[f"tags_{side}"][item] for side in "ab"]
        for record in standing(self.decision_log.records()):
            if record.reviewer != self.reviewer and record.pair == pair and is_of_tags(record):
                found[record.reviewer] = self._fitting(record, item)
        return {name: marks for name, marks in found.items() if marks}

    def _case(self) -> dict[str, Any]:
        texts = self._queue.pair[self._item]
        others = list(self._others(self._item).values()) if self._revealed else []
        counts = [np.sum([marks[side] for marks in others], axis=0).tolist() for side in (0, 1)] if others else []
        return {
            "pieces": [_pieces(text, words) for text, words in zip(texts, self._words_of(self._item), strict=True)],
            "marks": self._marks(),
            "others": counts,
            "sign": 0, "stated": "", "path": [],
            "state": {"same": "tags", "different": "tags"}.get(state := self._queue.state(self._item), state),
            "description": self._queue.description(self._item, long=True),
        }  # fmt: skip

    def _off(self, case: dict[str, Any]) -> dict[str, str]:
        off = super()._off(case)
        if len(self._drafts.get(self._item, [])) > 1:
            off.pop("undo", None)
        return off

    def _evidence(self) -> dict[str, Any]:
        item, why = self._item, {"title": f"Pair #{self.current}", "text": ASKS}
        if source := self._table["source"][item]:
            why["facts"] = [["source", source]]
        if self._revealed:
            said = [f"{name}: {self._quoted(marks)}" for name, marks in self._others(item).items()]
            text = "Dotted below the words:" if said else "Nobody else has tagged it."
            why["proposal"] = {"badge": "others", "text": text, "reasons": said}
        return why | {"highlight": {"nodes": [], "edges": []}}

    def _quoted(self, marks: list[list[int]]) -> str:
        """The tagged spans of both sentences as they are written."""
        parts = []
        for text, words, side in zip(self._queue.pair[self._item], self._words_of(self._item), marks, strict=True):
            where = places(text, words)
            parts.append(", ".join(f"“{text[where[i][0] : where[j - 1][1]]}”" for i, j in spans(side)) or "–")
        return " / ".join(parts)

    def _summary(self) -> dict[str, Any]:
        """When all is tagged: agreement with each of the others."""
        table, rows = tag_table(self.decision_log), []
        for name in sorted({*table["annotator"]} - {self.reviewer}):
            try:
                found = agreement(table, (self.reviewer, name))
            except PairsError:
                continue
            kappa = found["why"] or f"{found['kappa']:.2f} ({found['low']:.2f}–{found['high']:.2f})"
            rows.append([name, f"{found['pairs']:,}", kappa, f"{found['f1']:.2f}", f"{found['queue']:,}"])
        head = ["with", "pairs", "κ of words", "F1", "to talk about"]
        return {"table": {"title": "Agreement", "head": head, "rows": rows}} if rows else {}

    def _scene_with(self, wanted: list[int]) -> tuple[int, Scene]:
        return 0, Scene()

    def _nodes(self, item: int) -> list[int]:
        return []

    def _lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return lines

    def _special(self) -> dict[str, Line]:
        return {}

    def _title(self) -> str:
        total = len(self._queue.items)
        if self._item is None:
            return "All is tagged." if total else "The table has no pairs."
        return f"Pair #{self.current:,} of {total:,}: which words differ in meaning?"

    def _aside_of(self, item: int) -> tuple[str, str]:
        return "", ""

    def _name_of(self, record: Decision) -> str:
        return {"keep": "tags", "flip": "paraphrase"}.get(record.decision, record.decision)

    def _listing_note(self) -> str:
        again = (
            f"Left out: {self._repeats:,} row{'s' * (self._repeats > 1)} naming a pair again."
            if self._repeats
            else ""
        )
        return " ".join(filter(None, [again, super()._listing_note()]))

    def _twin_bundle(self) -> dict[str, str]:
        """The pair on screen with its marks, for where no script runs."""
        lines = []
        if self._item is not None:
            for text, words, marks in zip(
                self._queue.pair[self._item], self._words_of(self._item), self._marks(), strict=True
            ):
                pieces = [escape(piece) for piece in _pieces(text, words)]
                for i in np.flatnonzero(marks):
                    pieces[2 * i + 1] = f"<mark>{pieces[2 * i + 1]}</mark>"
                lines.append(f'<p dir="auto">{"".join(pieces)}</p>')
        title = self._title()
        page = f'<div class="pg-twin"><p><b>{escape(title)}</b></p>{"".join(lines)}</div>'
        return {"text/html": page, "text/plain": f"<{self.name}: {title}>"}


def _pieces(text: str, words: list[str]) -> list[str]:
    """What stands before each word, and the word, by turns; at last what stands behind them."""
    edges = [edge for place in places(text, words) for edge in place]
    return [text[i:j] for i, j in zip([0, *edges], [*edges, len(text)], strict=True)]
