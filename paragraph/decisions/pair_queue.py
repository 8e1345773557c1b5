"""Pairs to review: a table of them, a list in its order, and a list that learns what to ask next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..doubts.belief import Belief, next_questions
from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..graph.proof import known_labels
from ..pairs.tables import canonical, column, refuse
from .answers import Answers, Pair, Row
from .queue import Queue

__all__ = ["TURN", "LearningQueue", "PairQueue", "PairTable", "meaning", "pair_table", "verdict"]

#: Pairs drawn after an answer: the next one, and those that Enter moves on to without an answer.
TURN = 4
#: 1 for the verdict that a label is wrong, 0 for right; the others say neither.
IS_WRONG = {"flip": 1, "keep": 0}
#: By answer, its verdict on the two sentences.
MEANINGS = {"?": "ambiguous", "later": "skip", "1": "same", "0": "different"}


class PairTable(NamedTuple):
    """Pairs with a label to judge, in their order."""

    graph: ParaphraseGraph
    texts: list[tuple[str, str]]
    nodes: np.ndarray  #: of both sentences, one row per pair
    label: np.ndarray  #: 0 or 1
    known: np.ndarray  #: the label by the graph: 0, 1, or -1 where nothing follows
    stated: np.ndarray  #: bool: true if the graph states it
    blank: np.ndarray  #: bool: true if nobody gave a label, and none follows; it counts as 0
    facts: pd.DataFrame  #: the other columns
    repeats: int  #: rows left out, because they name a pair of an earlier row with its label again


def pair_table(
    table: pd.DataFrame, graph: ParaphraseGraph | None = None, blank: bool = False
) -> PairTable:
    """Read a table with the columns `text_a`, `text_b`, and `label` or a graph.

    A missing label is taken from the graph, stated or inferred; without a graph, one is made from the rows. With
    `blank`, labels may be missing.

    Raises
    ------
    PairsError
        Columns are missing; a sentence is not text, or not in the graph; a label is not 0 or 1, or is missing and
        cannot be inferred; two rows give one pair different labels.
    """
    table = canonical(table, "a table of pairs to review").reset_index(drop=True)
    texts = table[["text_a", "text_b"]]
    for name in texts:
        column(table, name)  # refuses what is not text
    label = _labels(table, graph)
    if graph is None:
        if "label" not in table and not blank:
            raise PairsError(
                "which labels are to be judged? Add a column label (0, 1), or give the graph"
            )
        pairs = texts.assign(label=pd.array(label, dtype="Int8"))
        graph = ParaphraseGraph.from_pairs(pairs)
    a, b = graph.pair_nodes(texts)
    missing = "is not in the graph; give the graph of these data, or none"
    refuse(table, a < 0, lambda row: f"{row['text_a']!r} {missing}")
    refuse(table, b < 0, lambda row: f"{row['text_b']!r} {missing}")
    known, stated = known_labels(graph, a, b)
    # a sentence means the same as itself, unless a row states that it differs
    for i in np.flatnonzero(a == b):
        known[i] = a[i] not in graph.self_negatives
        stated[i] = len(graph.rows_between(a[i], b[i])) > 0
    follows = np.isnan(label) & (known >= 0)
    label = np.where(follows, known, label)
    is_blank = np.isnan(label)
    if not blank:
        why = "no label to judge, and none follows; add a column label"
        refuse(table, is_blank, lambda row: why)
    label = np.nan_to_num(label).astype(np.int8)
    keys = pair_keys(a, b, graph.n)
    labels_of_pair = pd.Series(label).groupby(keys)
    first = labels_of_pair.transform("first").to_numpy()
    refuse(table, first != label, lambda row: "an earlier row gives this pair another label")
    is_repeat = pd.Series(keys).duplicated()
    once = np.flatnonzero(~is_repeat)
    own = ["text_a", "text_b", "label"]
    facts = table.drop(columns=own, errors="ignore").iloc[once]
    text_rows = texts.iloc[once].itertuples(index=False, name=None)
    return PairTable(
        graph=graph,
        texts=list(text_rows),
        nodes=np.stack([a, b], axis=1)[once],
        label=label[once],
        known=known[once],
        stated=stated[once],
        blank=is_blank[once],
        facts=facts.reset_index(drop=True),
        repeats=len(table) - len(once),
    )


def _labels(table: pd.DataFrame, graph: ParaphraseGraph | None) -> np.ndarray:
    """The label of each row: 0, 1 or NaN; also from the words of the file behind the graph."""
    if "label" not in table:
        return np.full(len(table), np.nan)
    words = {}
    for label, word in enumerate(graph.own_words if graph else ()):
        words[word] = label
        if word.lower() in ("true", "false"):
            words[word.lower()] = label  # pandas reads "TRUE" as True

    def label_of(value: Any) -> Any:
        if words and isinstance(value, bool | np.bool_):
            value = str(value).lower()
        if isinstance(value, str):
            value = words.get(value, value)
        return value

    values = table["label"].astype(object).map(label_of)
    label = pd.to_numeric(values, errors="coerce")
    label = label.to_numpy(float, na_value=np.nan)
    is_known = np.isin(label, [0, 1])
    is_given = values.notna().to_numpy()
    refuse(table, is_given & ~is_known, lambda row: f"label {row['label']!r} is not one of 0, 1")
    return label


def verdict(answer: Row, label: int) -> str:
    """Return the verdict of an answer on a label: "flip" (it is wrong), "keep", "ambiguous" or "skip"."""
    verdicts = {"?": "ambiguous", "later": "skip", str(label): "keep"}
    return verdicts.get(answer.same, "flip")


def meaning(answer: Row, label: int) -> str:
    """Return the verdict of an answer on the two sentences: "same", "different", "ambiguous" or "skip"."""
    return MEANINGS[answer.same]


class PairQueue(Queue):
    """Pairs with a label to judge, in their order, and the answers to a question about each.

    Parameters
    ----------
    texts, label
        Both sentences of each row, and the label to judge.
    order : list of int
        The rows to ask about.
    pairs : list of Pair
        The pair of each row, as `Row.pair` has it.
    verdict_of : callable
        Takes the answer about a pair and its label, and returns its state.
    words : dict
        By state, its words in the list, and those above the pair.
    audit : bool
        The pairs were drawn at random, by `audit`.
    """

    belief: Belief | None = None
    drawn: Sequence[int] = ()  #: the rows to ask about next
    random: Set[int] = frozenset()  #: of these, the rows drawn at random

    def __init__(
        self,
        texts: Sequence[tuple[str, str]],
        label: Sequence[int],
        order: list[int],
        pairs: Sequence[Pair],
        verdict_of: Callable[[Row, int], str],
        words: Mapping[str, tuple[str, str]],
        audit: bool = False,
    ):
        texts_in_order = [texts[i] for i in order]
        pairs_in_order = [pairs[i] for i in order]
        super().__init__(order, texts_in_order, pairs_in_order)
        self.label = label
        self.verdict_of = verdict_of
        self.words = words
        self.audit = audit

    def read(self, answers: Answers) -> None:
        """Read the answers; one to a different stated label does not count."""
        self.rows = {}
        self.states = {}
        self.elsewhere = answers.left_out
        for row in answers.rows:
            item = self.item_of(row)
            if item is None:
                self.elsewhere += 1
            else:
                self.rows[item] = row
                self.states[item] = self.verdict_of(row, self.label[item])

    def item_of(self, row: Row) -> int | None:
        """The item that an answer is about; none for an answer to a different stated label."""
        if not row.fits:
            return None
        return self.item_at(row.pair)

    def description(self, item: int, long: bool = False) -> str:
        """The state of a pair in words."""
        return self.words[self.state(item)][long]

    def chosen(self, item: int) -> dict[str, Any]:
        """Return how an item was chosen, for the log."""
        return {"random": True} if self.audit else {}


class LearningQueue(PairQueue):
    """A list whose next pairs follow from a belief about all its labels, and from the answers.

    Parameters
    ----------
    belief : Belief
        About the rows of the table.
    seed : int
        Decides which pairs are drawn at random.
    """

    belief: Belief

    def __init__(self, *arguments: Any, belief: Belief, seed: int = 0):
        super().__init__(*arguments)
        self.belief = belief
        self.seed = seed
        self._wrong = belief.wrong.copy()  # before the answers of this log
        self._random = belief.random
        self._never = np.ones(len(self.label), dtype=bool)
        self._never[self.items] = False

    def read(self, answers: Answers) -> None:
        """Read the answers, and draw the next pairs."""
        super().read(answers)
        part = self.part
        records = answers.records if part.records is None else part.records
        # an answer in the log, even one taken back, replaces the one that the belief came with
        texts = [(record.text_a, record.text_b) for record in records if record.same]
        for pair in answers.pairs(texts):
            item = self.item_at(pair)
            if item is not None:
                self._wrong[item] = np.nan
        wrong = self._wrong.copy()
        random = self._random.copy()
        aside = self._never.copy()
        aside[[*part.due, *part.barred]] = True
        rows = {**part.taught, **self.rows}
        for item, row in rows.items():
            state = verdict(row, self.label[item])
            wrong[item] = IS_WRONG.get(state, np.nan)
            random[item] = row.random
            aside[item] |= state in ("ambiguous", "skip")
        self.belief = self.belief.with_answers(wrong, random, aside)
        self.drawn = [item for item in part.due if self.state(item) == "open"]
        self.random = set(part.random)
        if part.is_open:
            drawn, at_random = next_questions(self.belief, TURN, self.seed)
            self.drawn += drawn.tolist()
            self.random |= {*drawn[at_random].tolist()}

    def next(self, after: int | None = None) -> int | None:
        """The next drawn item after a given one, round to it; if none is drawn, see `Queue.next`."""
        drawn = [item for item in self.drawn if self.part.asks(item)]
        if not drawn:
            return super().next(after)
        place = drawn.index(after) + 1 if after in drawn else 0
        return drawn[place % len(drawn)]

    def find(self, words: str, show: str) -> list[int]:
        """Find items, in the order of the list: with an answer; drawn; the others by belief.

        Of the others, the most probably wrong come first.
        """
        order = dict.fromkeys([*self.rows, *self.drawn, *self.belief.open.tolist()])
        rank = {item: i for i, item in enumerate(order)}
        items = super().find(words, show)
        return sorted(items, key=lambda item: rank.get(item, len(rank)))

    def chosen(self, item: int) -> dict[str, Any]:
        """Return how an item was chosen, for the log: with it, seed and earlier answers reproduce the draw."""
        p_wrong = float(self.belief.p_wrong[item])
        answered = int(np.count_nonzero(self.belief.answered))
        return {
            "p_wrong": round(p_wrong, 3),
            "drawn": item in self.drawn,
            "random": item in self.random,
            "after": answered,
            "seed": self.seed,
        }
