"""A review of words: the person marks those that the other sentence cannot paraphrase."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from html import escape
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.answers import Answers
from ...decisions.log import Log
from ...decisions.pair_queue import PairQueue, meaning
from ...decisions.record import Answer, pair_of
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
        mouse={
            "Click": "a word: mark it, or clear it",
        },
    ),
    meaning,
    {
        "same": ("paraphrase", "tagged: no word, a paraphrase"),
        "different": ("tagged", "words are tagged"),
    },
)


@naming_keys
class TagReview(Review):
    """Tag the words of pairs of sentences: 1 where the other sentence cannot paraphrase a word.

    Click a word; or move with the arrows, ``{mark}`` marks, ``{every}`` every word,
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
    _called = "Tag Review"
    _question = TAGS
    _only = staticmethod(is_of_words)
    _queue: PairQueue

    def __init__(
        self,
        table: pd.DataFrame,
        log: Log = "tags.db",
        reviewer: str | None = None,
        **options: Any,
    ):
        table = canonical(table, "the table")
        table = table.set_axis(range(1, len(table) + 1))
        table = checked(table, "the table").assign(label=0)
        pairs = list(map(pair_of, table["text_a"], table["text_b"]))
        pairs = pd.Series(pairs, table.index, dtype=object)
        for row, pair in pairs.items():
            if len(pair) < 2:
                raise PairsError(
                    f"the table, row {row}: a sentence is paired with itself; leave it out"
                )
        repeated = pairs.duplicated()
        self._table = table[~repeated].reset_index(drop=True)
        self._repeats = int(repeated.sum())
        self._drafts: dict[
            int, list[Marks]
        ] = {}  # by item: its marks, and all that they were before
        self._theirs = lru_cache(1)(self._read_theirs)
        super().__init__(None, log, reviewer, **{"height": 480} | options)
        left = self._table["text_a"]
        right = self._table["text_b"]
        texts = list(zip(left, right, strict=True))
        items = list(self._table.index)
        pairs = pairs[~repeated].tolist()
        labels = self._table["label"]
        queue = PairQueue(texts, labels, items, pairs, TAGS.of, TAGS.states)
        self._start(queue)

    # -- back to Python ------------------------------------------------------------------------------------

    def mark(self, side: str, first: int, end: int | None = None, on: bool = True) -> None:
        """Mark words of sentence "a" or "b" on screen, counted from 0, up to `end`; or clear them."""
        if self._item is None:
            raise PairsError("there is nothing to mark: set `current` to the number of a pair")
        if end is None:
            end = first + 1
        with self.hold_sync():
            self.on_mark(self._number, "ab".find(side), first, end, on)

    @property
    def tags(self) -> pd.DataFrame:
        """This reviewer's tags that stand, of this table and others, as a tag table."""
        return tag_table(self.decision_log.records(), self.reviewer)

    def agreement(self, other: str | None = None) -> pd.Series:
        """Return the agreement on words with another annotator of the log: see `tags.agreement`."""
        tags = tag_table(self.decision_log.records())
        return agreement(tags, other and (self.reviewer, other))

    # -- intents -------------------------------------------------------------------------------------------

    def on_mark(self, item: int, side: int, first: int, end: int, on: bool) -> None:
        """Mark or clear words of the pair that the page shows."""
        if item != self._number or item is None:
            return
        words = self._words_of(self._item)
        there = side in (0, 1) and 0 <= first < end <= len(words[side])
        if not there:
            raise PairsError(f"words {first} to {end} of sentence {side} are none")
        before = self._marks()
        after = [[*marks] for marks in before]
        for word in range(first, end):
            after[side][word] = int(bool(on))
        if after != before:
            self._drafts.setdefault(self._item, [before]).append(after)
            self._message = ""
            self._tell()

    def _choose(self, decision: str, edge: int | None) -> None:
        at = self._item
        paraphrase = not any(map(any, self._marks()))
        others = {"ambiguous": "?", "skip": "later"}
        same = others.get(decision, int(paraphrase))
        a, b = self._queue.pair[at]
        answer = {"text_a": a, "text_b": b, "same": same}
        answer["shown"] = self._shown()
        if self._keep([answer]):
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
        marks = [list(map(list, spans(side))) for side in self._marks()]
        words = self._words_of(self._item)
        return super()._shown() | {"words": words, "tags": marks}

    @property
    def _can_reveal(self) -> bool:
        return bool(self._others(self._item))

    def _words_of(self, item: int) -> list[list[str]]:
        return [self._table[f"words_{side}"][item] for side in "ab"]

    def _marks(self) -> Marks:
        """The marks on the pair on screen."""
        draft = self._drafts.get(self._item)
        if draft:
            return draft[-1]
        row = self._queue.rows.get(self._item)
        marks = row and self._fitting(row.record, self._item)
        return marks or [[0 for _ in words] for words in self._words_of(self._item)]

    def _fitting(self, record: Answer, item: int) -> Marks | None:
        """Return the marks of a record, in the order of our two sentences; None where it has other words."""
        words, marks = marks_of(record)
        left, _ = self._queue.pair[item]
        if pair_of(record.text_a, "") != pair_of(left, ""):
            words = words[::-1]
            marks = marks[::-1]
        if words != self._words_of(item):
            return None
        return marks

    def _others(self, item: int) -> dict[str, Marks]:
        """Return the marks of others on a pair: the last of each, and those of the table."""
        found = {}
        if "tags_a" in self._table:
            name = self._table["annotator"][item] or "the table"
            found[name] = [self._table[f"tags_{side}"][item] for side in "ab"]
        theirs = self._theirs(self.decision_log.count_besides(self.reviewer))
        for record in theirs[item]:
            found[record.reviewer] = has_tags(record) and self._fitting(record, item)
        return {name: marks for name, marks in found.items() if marks}

    def _read_theirs(self, _count: int) -> dict[int | None, list[Answer]]:
        """Return the decisions of others that stand, by item; the log is read anew once they have written."""
        found = defaultdict(list)
        records = self.decision_log.records()
        for row in Answers(records, only=is_of_words).rows:
            if row.reviewer != self.reviewer:
                found[self._queue.item_of(row)].append(row.record)
        return found

    def _case(self) -> Plain:
        counts = []
        others = self._others(self._item).values() if self._revealed else ()
        if others:
            for marks in zip(*others, strict=True):
                counts.append(np.sum(marks, axis=0).tolist())
        case = {"pieces": self._pieces(), "marks": self._marks()}
        case["others"] = counts
        if self._queue.state(self._item) in ("same", "different"):
            case["state"] = "tags"
        return case

    def _pieces(self) -> list[list[str]]:
        """Cut both sentences into the text before each word and the word, by turns; the rest comes last."""
        pieces = []
        pair = self._queue.pair[self._item]
        words_of_pair = self._words_of(self._item)
        for text, words in zip(pair, words_of_pair, strict=True):
            inner = chain(*places(text, words))
            edges = pairwise([0, *inner, len(text)])
            pieces.append([text[i:j] for i, j in edges])
        return pieces

    def _can_undo(self) -> bool:
        draft = self._drafts.get(self._item, [])
        return super()._can_undo() or len(draft) > 1

    def _why(self) -> Plain:
        why: Plain = {"text": ASKS}
        source = self._table["source"][self._item]
        if source:
            why["facts"] = [["source", source]]
        if self._revealed:
            others = self._others(self._item)
            lines = [f"{name}: {self._quoted(marks)}" for name, marks in others.items()]
            text = "Dotted below the words:" if lines else "Nobody else has tagged it."
            why["proposal"] = {"badge": "others", "text": text, "reasons": lines}
        return why

    def _quoted(self, marks: Marks) -> str:
        """Quote the tagged spans of both sentences."""
        sides = []
        for pieces, side in zip(self._pieces(), marks, strict=True):
            runs = []
            for i, j in spans(side):
                run = "".join(pieces[2 * i + 1 : 2 * j])
                runs.append(f"“{run}”")
            sides.append(", ".join(runs) or "–")
        return " / ".join(sides)

    def _summary(self) -> Plain:
        """Return nothing: tags are no step to a corrected file."""
        return {}

    def _twin_parts(self) -> tuple[str, str]:
        """Write the pair on screen with its marks, for places where no script runs."""
        title = self._title()
        lines = ""
        sides = []
        if self._item is not None:
            sides = zip(self._pieces(), self._marks(), strict=True)
        for pieces, marks in sides:
            shown = [escape(text) for text in pieces]
            for word, mark in enumerate(marks):
                if mark:
                    shown[2 * word + 1] = f"<mark>{shown[2 * word + 1]}</mark>"
            lines += f'<p dir="auto">{"".join(shown)}</p>'
        return title, f"<p><b>{escape(title)}</b></p>{lines}"
