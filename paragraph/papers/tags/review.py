"""A review of words: the person marks those that the other sentence cannot paraphrase."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.answers import Answers
from ...decisions.pair_queue import PairList, meaning
from ...decisions.record import Answer, pair_of
from ...decisions.session import Log
from ...draw.page import source
from ...files import PairsError
from ...pairs.tables import canonical
from ...widgets.base.keys import naming_keys
from ...widgets.base.records import Plain
from ...widgets.review.desk import Review
from ...widgets.review.questions import Question, choices
from .agreement import agreement
from .logged import Marks, has_tags, is_of_words, marks_of, tag_table
from .penn import places, spans
from .table import checked

__all__ = ["TagReview"]

HERE = Path(__file__).parent
ASKS = "Mark the fewest words whose change would make the two say the same. No mark: they do."
#: Asked of the words of a pair.
TAGS = Question(
    "which words differ in meaning?",
    choices(
        "how others tagged it",
        ("tags", "Done", "The marks are the tags; without any the two are paraphrases", "go on"),
        ("ambiguous", "Ambiguous", "Nobody can say: the pair gets no tags"),
        marks={
            "move": "the word before, the next one",
            "mark": None,
            "every": None,
            "other": None,
        },
        mouse={"Click": "a word: mark it, or clear it", "Drag": "over words: mark them, or clear them"},
    ),
    meaning,
    {"same": ("paraphrase", "tagged: no word, a paraphrase"), "different": ("tagged", "words are tagged")},
)


@naming_keys
class TagReview(Review):
    """Tag the words of pairs of sentences: 1 where the other sentence cannot paraphrase a word.

    Click a word or drag over some; or move with the arrows, ``{mark}`` marks, ``{every}`` every word,
    ``{other}`` goes to the other sentence. ``{go on}`` done, ``{ambiguous}`` ambiguous, ``{skip}`` skip, ``{undo}``
    undo (marks first, then decisions), ``{note}`` note, ``{reveal}`` reveal how others tagged the pair, ``{help}``
    all keys. What is decided is in the log before the next pair shows,
    and another session goes on from there.

    Parameters
    ----------
    table : DataFrame
        Pairs, or a tag table; its tags, if any, are hidden until revealed, as are those of others in the log. A pair
        named again is left out.
    log, reviewer, blind, height
        As in `PairReview`, which can share the log: no tag means that the two say the same.

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

    _esm = Review._esm + source(HERE / "words.js")
    _css = Review._css + source(HERE / "words.css")
    _called, _question, _only = "Tag Review", TAGS, staticmethod(is_of_words)
    _queue: PairList

    def __init__(
        self,
        table: pd.DataFrame,
        log: Log = "tags.db",
        reviewer: str | None = None,
        **options: Any,
    ):
        table = canonical(table, "the table")
        table = checked(table.set_axis(range(1, len(table) + 1)), "the table").assign(label=0)
        pairs = pd.Series(list(map(pair_of, table["text_a"], table["text_b"])), table.index, dtype=object)
        if len(same := pairs[pairs.map(len) < 2]):
            raise PairsError(f"the table, row {same.index[0]}: a sentence is paired with itself; leave it out")
        self._table = table[~pairs.duplicated()].reset_index(drop=True)
        self._repeats = len(table) - len(self._table)
        self._drafts: dict[int, list[Marks]] = {}  # by item: its marks, and all that they were before
        self._theirs = lru_cache(1)(self._read_theirs)
        super().__init__(None, log, reviewer, **{"height": 480} | options)
        texts = list(zip(self._table["text_a"], self._table["text_b"], strict=True))
        items = list(self._table.index)
        pairs = [pair_of(*pair) for pair in texts]
        self._start(PairList(texts, self._table["label"], items, pairs, TAGS.of, TAGS.states))

    # -- back to Python ------------------------------------------------------------------------------------

    def mark(self, side: str, first: int, end: int | None = None, on: bool = True) -> None:
        """Mark words of sentence "a" or "b" on screen, counted from 0, up to `end`; or clear them."""
        if self._item is None:
            raise PairsError("there is nothing to mark: set `current` to the number of a pair")
        with self.hold_sync():
            self.on_mark(self._number, "ab".find(side), first, first + 1 if end is None else end, on)

    @property
    def tags(self) -> pd.DataFrame:
        """This reviewer's tags that stand, of this table and others, as a tag table."""
        return tag_table(self.decision_log.records(), self.reviewer)

    def agreement(self, other: str | None = None) -> pd.Series:
        """Return the agreement on words with another annotator of the log: see `tags.agreement`."""
        return agreement(tag_table(self.decision_log.records()), other and (self.reviewer, other))

    # -- intents -------------------------------------------------------------------------------------------

    def on_mark(self, item: int, side: int, first: int, end: int, on: bool) -> None:
        """Mark or clear words of the pair that the page shows."""
        if item != self._number or item is None:
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

    def _choose(self, decision: str, edge: int | None) -> None:
        at = self._item
        same = {"ambiguous": "?", "skip": "later"}.get(decision, int(not any(map(any, self._marks()))))
        a, b = self._queue.pair[at]
        if self._keep([{"text_a": a, "text_b": b, "same": same, "shown": self._shown()}]):
            self._drafts.pop(at, None)
            self._go(self._queue.next(at))

    def on_undo(self) -> None:
        """Take back the last mark on this pair; where there is none, the last decision, whose marks come back."""
        draft = self._drafts.get(self._item, [])
        if len(draft) > 1:
            draft.pop()
            self._message = "Taken back: the last mark"
            return self._tell()
        last = self._session.last
        if last is not None:
            item = self._queue.item_of(last)
            marks = self._fitting(last.record, item)
            if marks:
                self._drafts[item] = [marks]
        super().on_undo()

    # -- what is shown -------------------------------------------------------------------------------------

    def _shown(self) -> Plain:
        marks = [[[*span] for span in spans(side)] for side in self._marks()]
        return super()._shown() | {"words": self._words_of(self._item), "tags": marks}

    @property
    def _can_reveal(self) -> bool:
        return bool(self._others(self._item))

    def _words_of(self, item: int) -> list[list[str]]:
        return [self._table[f"words_{side}"][item] for side in "ab"]

    def _marks(self) -> Marks:
        """The marks on the pair on screen."""
        if draft := self._drafts.get(self._item):
            return draft[-1]
        row = self._queue.standing(self._item)
        found = row and self._fitting(row.record, self._item)
        return found or [[0] * len(words) for words in self._words_of(self._item)]

    def _fitting(self, record: Answer, item: int) -> Marks | None:
        """Return the marks of a record, in the order of our two sentences; None where it has other words."""
        words, marks = marks_of(record)
        if pair_of(record.text_a, "") != pair_of(self._queue.pair[item][0], ""):
            words, marks = words[::-1], marks[::-1]
        return marks if words == self._words_of(item) else None

    def _others(self, item: int) -> dict[str, Marks]:
        """Return the marks of others on a pair: the last of each, and those of the table."""
        found = {}
        if "tags_a" in self._table:
            name = self._table["annotator"][item] or "the table"
            found[name] = [self._table[f"tags_{side}"][item] for side in "ab"]
        for record in self._theirs(self.decision_log.count_besides(self.reviewer))[item]:
            found[record.reviewer] = has_tags(record) and self._fitting(record, item)
        return {name: marks for name, marks in found.items() if marks}

    def _read_theirs(self, _count: int) -> dict[int | None, list[Answer]]:
        """Return the decisions of others that stand, by item; the log is read anew once they have written."""
        found = defaultdict(list)
        for row in Answers(self.decision_log.records(), only=is_of_words).rows:
            if row.reviewer != self.reviewer:
                found[self._queue.item_of(row)].append(row.record)
        return found

    def _case(self) -> Plain:
        others = list(self._others(self._item).values()) if self._revealed else []
        counts = [np.sum([marks[side] for marks in others], axis=0).tolist() for side in (0, 1) if others]
        case = {"pieces": self._pieces(), "marks": self._marks(), "others": counts}
        return case | ({"state": "tags"} if self._queue.state(self._item) in ("same", "different") else {})

    def _pieces(self) -> list[list[str]]:
        """Cut both sentences into the text before each word and the word, by turns; the rest comes last."""
        pieces = []
        for text, words in zip(self._queue.pair[self._item], self._words_of(self._item), strict=True):
            edges = [edge for place in places(text, words) for edge in place]
            pieces.append([text[i:j] for i, j in zip([0, *edges], [*edges, len(text)], strict=True)])
        return pieces

    def _can_undo(self) -> bool:
        return super()._can_undo() or len(self._drafts.get(self._item, [])) > 1

    def _why(self) -> Plain:
        why: Plain = {"text": ASKS}
        if source := self._table["source"][self._item]:
            why["facts"] = [["source", source]]
        if self._revealed:
            said = [f"{name}: {self._quoted(marks)}" for name, marks in self._others(self._item).items()]
            text = "Dotted below the words:" if said else "Nobody else has tagged it."
            why["proposal"] = {"badge": "others", "text": text, "reasons": said}
        return why

    def _quoted(self, marks: Marks) -> str:
        """Quote the tagged spans of both sentences."""
        return " / ".join(
            ", ".join(f"“{''.join(pieces[2 * i + 1 : 2 * j])}”" for i, j in spans(side)) or "–"
            for pieces, side in zip(self._pieces(), marks, strict=True)
        )

    def _summary(self) -> Plain:
        """Return nothing: tags are no step to a corrected file."""
        return {}

    def _twin_parts(self) -> tuple[str, str]:
        """Write the pair on screen with its marks, for places where no script runs."""
        title, lines = self._title(), ""
        for pieces, marks in zip(self._pieces(), self._marks(), strict=True) if self._item is not None else ():
            shown = (
                f"<mark>{escape(text)}</mark>" if k % 2 and marks[k // 2] else escape(text)
                for k, text in enumerate(pieces)
            )
            lines += f'<p dir="auto">{"".join(shown)}</p>'
        return title, f"<p><b>{escape(title)}</b></p>{lines}"
