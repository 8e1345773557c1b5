"""Stated labels, in a conflict or not, by the probability that they are wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from threading import Thread, main_thread
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import whole
from ..graph import ParaphraseGraph
from ..graph.core import checked_graph
from ..learn.logistic import SUREST, log_odds
from ..pairs.tables import refuse
from ..words.difference import reasons as differing
from .belief import Belief, ranked, weigh
from .judges import judge_of
from .proposals import BIPARTITE
from .readers import in_english
from .reasons import REASONS, Reading, Reason, evidence_of

__all__ = ["FIRST", "Ahead", "believed", "may_stop", "outlook", "reasons_in", "summary", "suspects"]

#: The number of labels of each sign at the top of a list whose sentences a model reads.
FIRST = 1000
#: The number of labels at the top with reasons.
REASONED = 2000
ITSELF = "a sentence paired with itself"
#: Labels of each sign at the top of a list among which a judge reads on, and labels read at once.
AHEAD, BATCH = 128, 64
#: Labels drawn at random from which on something is said of all that are left.
ENOUGH = 20
#: Reading on is hardly worth it once the interval ends at this share of wrong labels.
LITTLE = 0.1
#: Advice for a file that nobody has judged.
ADVICE = (
    "Nobody has judged labels of this file, so the number of wrong ones of each sign is unknown: read twenty to a "
    "hundred, drawn at random (paragraph review --audit 40, pg.audit), and ask again with the answers."
)

#: Names of a list of suspects, or of its levels, that a reason cannot have.
_RESERVED = {"text_a", "text_b", "label", "p_wrong", "reason", "answer", "random", "level", "top"}


def suspects(
    graph: ParaphraseGraph,
    reasons: Mapping[str, Reason] = REASONS,
    judge: Any = None,
    answers: Any = None,
    *,
    first: int | None = FIRST,
    progress: bool = True,
) -> pd.DataFrame:
    """List every stated pair with the probability that its label is wrong, the most suspicious first.

    The log-odds of a label being wrong are a level of its sign, and for each reason a slope times the word of the
    reason. Levels and slopes differ between files: what judged files have tell the first order, and what was
    answered in this file, the list as of now (`belief.weigh`).

    Parameters
    ----------
    reasons : dict of functions, optional
        By name, functions of the graph that return the log-odds against each stated label (`graph.edge_a`,
        `graph.edge_b`), NaN where they are silent. A reason of your own has the slope 0, and answers teach it:
        ``pg.REASONS | {"short": mine}``.
    judge : {"minilm"}, function of two lists of texts, table, or folder, optional
        The reader of stated pairs, as for `repair`. Without one, words alone, which see a third of what MiniLM sees.
    answers : DataFrame, or a log or review with a method `judged`, optional
        Pairs that a person judged (`text_a`, `text_b`, `same`), drawn by `paragraph.audit` or by a list. For these,
        the person's answer is final.
    first : int, optional
        The judge reads about this many labels of each sign, the most probably wrong, besides conflicts and a few at
        random (`reasons.Reading`). For the others, words predict its answer. 0: it reads conflicts and those at
        random, and a review of the list reads on. None: it reads all, as with a table.

    First come the sentences that a row pairs with themselves and labels 0, which is certainly wrong.

    Columns
    -------
    text_a, text_b, label
        As first stated; the stated label.
    p_wrong
        Probability that the label is wrong: the mean over the possible levels and slopes of this file.
    reason
        The conflict it is part of, and how the words of the sentences differ, if they do; for the first 2,000.
    judge, words, own, rows, conflict, blame, …
        One for each reason, log-odds against the label; empty where it is silent. With the answers, these determine
        the order (`PairReview`). `judge` is empty where it has not read the pair.
    top
        How near the top of its sign the label was before any answer, from 0 to 1 (`belief.ranked`).
    answer, random
        What a person said before: 1, the label is wrong; 0, it is right; or empty. And of these labels 1 if it was
        drawn at random, 0 if a list chose it.

    Answers about labels that a list chose, and none about random ones, tell nothing of the other labels but their
    order: then `p_wrong` is to be read as an order only, and nothing is expected.

    ``.attrs["expected"]`` estimates the number of wrong labels among the first 50, 100, 1,000 that nobody judged,
    with a 95 % interval (`belief.Belief.expected`); ``.attrs["judged"]`` counts the judged labels of each sign, and
    the wrong ones among them; ``.attrs["slopes"]`` gives the slope of each reason of yours, and its standard
    deviation.

    Raises
    ------
    PairsError
        A table or answers that do not fit; bipartite pairs; a reason without a number for each label.

    Examples
    --------
    >>> rows = [("Is tea hot?", "is tea hot", 1), ("Is it far?", "Is it far from Rome?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> suspects(ParaphraseGraph.from_pairs(pairs)).loc[0, ["text_a", "text_b", "reason"]].tolist()
    ['Is it far?', 'Is it far from Rome?', "only one side: 'from Rome'"]
    """
    if checked_graph(graph, "suspects").bipartite:
        raise PairsError(BIPARTITE)
    if first is not None:
        whole("first", first, 0)
    if reserved := {*reasons} & _RESERVED:
        raise PairsError(f"a reason cannot be called {', '.join(sorted(reserved))}: that name is taken")
    first = None if isinstance(judge, pd.DataFrame) else first
    reading = Reading(graph, judge, answers, first, progress=progress).best_first()
    evidence = ranked(evidence_of(reading, reasons).round(6))  # as the list has it
    belief = weigh(evidence, None, reading.answers, reading.proposals.random)
    order = np.argsort(-belief.p_wrong, kind="stable")
    random = np.where(np.isnan(belief.wrong), np.nan, belief.random)
    known = evidence.assign(answer=belief.wrong, random=random).add(0.0).astype({"label": np.int8})  # no -0
    known = graph.pair_texts(*graph.ends(order)).join(known.iloc[order].reset_index(drop=True))
    crossed = (graph.negatives_inside | evidence.get("blame", pd.Series(np.nan, evidence.index)).notna())[order]
    rows = zip(known["text_a"], known["text_b"], known["label"], crossed.tolist(), strict=True)
    why, english = [], in_english(graph)
    for text_a, text_b, label, conflict in islice(rows, REASONED):
        differences = differing(text_a, text_b, english=english) or ["no difference in words"]
        if conflict:
            differences = ["a negative lies across it" if label else "joined by positives", *differences]
        why.append("; ".join(differences))
    known.insert(3, "p_wrong", belief.p_wrong[order])
    known.insert(4, "reason", pd.Series(why, dtype=object).reindex(known.index, fill_value=""))
    alone = graph.texts(graph.self_negatives)  # no judge is needed for these
    itself = {"text_a": alone, "text_b": alone, "label": 0, "p_wrong": 1.0, "reason": ITSELF}
    itself |= dict.fromkeys(("judge", "words", "own", "rows"), 0.0) | {"conflict": 20.0}
    itself = pd.DataFrame(itself, columns=[*known], index=range(len(alone))).astype(known.dtypes)
    listed = pd.concat([itself, known], ignore_index=True)
    listed = listed.astype({"text_a": "str", "text_b": "str", "reason": "str"})
    listed.attrs |= outlook(belief)
    return listed


def reasons_in(table: pd.DataFrame) -> list[str]:
    """The reasons of a list of suspects: the names of its columns between `reason` and `answer`; of others none.

    Raises
    ------
    PairsError
        A list in the form of an earlier version.
    """
    names = [*table]
    if not {"reason", "answer"} <= {*names}:
        return []
    if "random" not in names:
        raise PairsError("this list of suspects has no column random, as by an earlier version: make it again")
    return names[names.index("reason") + 1 : names.index("answer")]


def believed(table: pd.DataFrame, label: np.ndarray) -> Belief | None:
    """Return the belief about the labels of a list of suspects, also of one read from a file; None of another table.

    Parameters
    ----------
    label : int array
        0 or 1 for each row.

    Raises
    ------
    PairsError
        Naming the row and a value that is not a number; see `reasons_in`.
    """
    if not (names := reasons_in(table)):
        return None
    known = {}
    for name in [*names, "answer", "random"]:
        given = table[name].replace("", None)
        known[name] = pd.to_numeric(given, errors="coerce").to_numpy(float, na_value=np.nan)
        odd = ~np.isfinite(known[name]) & given.notna().to_numpy()
        refuse(table, odd, lambda row, name=name: f"{name} {row[name]!r} is no number")
    answers, random = known.pop("answer"), known.pop("random")
    return weigh(pd.DataFrame({"label": label} | known), None, answers, random == 1)


def outlook(belief: Belief, first: Sequence[int] = (50, 100, 1000)) -> dict[str, Any]:
    """The facts of a list, for its `attrs` and its messages.

    `judged`: the judged labels of each sign, and the wrong ones among them; `random`: the number of these that were
    drawn at random; `left`: the number of labels that are not judged; `expected`: the rows of `Belief.expected`, and
    one of all labels left once `ENOUGH` were drawn at random; `slopes`: those of reasons that no judged file has
    tested.
    """
    left = len(belief.open)
    random = int(belief.random.sum())
    numbers = {n for n in first if n < left} or {left}
    if random >= ENOUGH:
        numbers.add(left)
    expected = belief.expected(sorted(numbers)).to_dict("records")
    found = {"judged": belief.found(), "random": random, "left": left, "expected": expected}
    return found | {"slopes": belief.slopes}


def summary(known: Mapping[str, Any]) -> str:
    """Return the `outlook` of a list in one line.

    Examples
    --------
    >>> judged = {"positive": (14, 2), "negative": (10, 7)}
    >>> known = {"judged": judged, "random": 6, "left": 80, "slopes": {}}
    >>> summary(known | {"expected": [{"first": 50, "low": 9.0, "high": 34.0}]})
    'wrong: 9 of 24 read (positives 2 of 14, negatives 7 of 10), probably 9 to 34 of the next 50'
    >>> summary(known | {"random": 0, "expected": []})[60:]
    'none was drawn at random, so of the others only the order is known'
    """
    read, wrong = map(sum, zip(*known["judged"].values(), strict=True))
    parts = []
    if read:
        signs = [f"{sign}s {bad:,} of {n:,}" for sign, (n, bad) in known["judged"].items()]
        parts.append(f"{wrong:,} of {read:,} read ({', '.join(signs)})")
    for row in known["expected"]:
        all_left = row["first"] == known["left"] and known["random"] >= ENOUGH
        which = f"all {row['first']:,} others" if all_left else f"the next {row['first']:,}"
        parts.append(f"probably {row['low']:,.0f} to {row['high']:,.0f} of {which}")
    text = f"wrong: {', '.join(parts)}"
    if known["left"] and not known["expected"]:
        text += "; none was drawn at random, so of the others only the order is known"
    for name, (slope, error) in known["slopes"].items():
        text += f"; {name}: {slope:.1f} ± {error:.1f}"
    return text


def may_stop(known: Mapping[str, Any]) -> bool:
    """Return True if reading on is hardly worth it: the interval of the next labels ends at `LITTLE` or below."""
    return any(row["high"] <= LITTLE * row["first"] for row in known["expected"][:1])


class Ahead:
    """Goes on with a list that a judge has read in part, in the background, best first, ahead of the questions.

    What a thread has read is `news` until the caller takes it over: the evidence changes only when it is written
    down. If the judge is not available, `failed` says why, and nothing is read.

    Parameters
    ----------
    judge
        The one that has read the list; see `judges.judge_of`.
    texts, label
        The sentences and the label of each row.
    against : float array
        The judge's log-odds against each label, on the scale of the list; NaN where it has not read.
    """

    def __init__(self, judge: Any, texts: Sequence[tuple[str, str]], label: np.ndarray, against: np.ndarray):
        self._judge, self._texts, self._sign = judge, texts, np.where(label > 0, -1, 1)
        self._known = np.flatnonzero(np.abs(against) < SUREST)[:BATCH]
        self._scale = (self._sign * against)[self._known]
        self.unread, self.failed = np.isnan(against), ""
        #: By row: log-odds that the two mean the same, on the scale of the list.
        self.news: dict[int, float] = {}
        self._order, self._thread = np.empty(0, dtype=np.int64), Thread()

    def take(self, read: dict[int, float]) -> tuple[list[int], np.ndarray]:
        """Take over the readings, and return the newly read rows with log-odds against their labels."""
        rows = [row for row in read if self.unread[row]]
        self.unread[rows] = False
        for row in read:
            self.news.pop(row, None)
        return rows, self._sign[rows] * [read[row] for row in rows]

    def prepare(self, order: np.ndarray) -> None:
        """Continue in the background with the first labels of each sign in an order."""
        self._order = order
        if not self.failed and not self._thread.is_alive():
            self._thread = Thread(target=self._read_on)
            self._thread.start()

    def _read_on(self) -> None:
        try:
            judge = judge_of(self._judge, progress=False)
            while (rows := self._following()) and main_thread().is_alive():
                texts = [self._texts[row] for row in (*self._known, *rows)]
                said, same = np.split(log_odds(judge(*zip(*texts, strict=True))), [len(self._known)])
                same = np.polyval(np.polyfit(said, self._scale, 1), same).clip(-SUREST, SUREST)
                self.news |= zip(rows, same.round(3).tolist(), strict=True)
        except Exception as error:  # there is nobody else to tell
            self.failed = str(error)

    def _following(self) -> list[int]:
        """The rows to read next: of each sign, among those that come first."""
        found = []
        for sign in (-1, 1):
            first = self._order[self._sign[self._order] == sign][:AHEAD]
            found += [row for row in first[self.unread[first]].tolist() if row not in self.news][: BATCH // 2]
        return found
