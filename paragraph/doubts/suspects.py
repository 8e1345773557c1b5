"""Stated labels, in a conflict or not, by the probability that they are wrong."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import whole
from ..graph import ParaphraseGraph
from ..graph.core import checked_graph
from ..words.difference import reasons
from .cut import Cuts
from .evidence import in_english
from .propose import Proposals
from .reading import Reading
from .wrong import NOTHING, Belief, columns_of, prior

__all__ = ["FIRST", "believed", "suspects"]

#: The number of labels of each sign at the top of a list whose sentences a model reads.
FIRST = 1000
#: The number of labels at the top with reasons.
REASONED = 2000
ITSELF = "a sentence paired with itself"
#: Advice for a file that nobody has judged.
ADVICE = (
    "Nobody has judged labels of this file, so the number of wrong ones of each sign is unknown: read twenty to a "
    "hundred (paragraph audit, pg.audit; paragraph review --pairs, pg.PairReview), and ask again with the answers."
)


def suspects(
    graph: ParaphraseGraph,
    *,
    model: Any = None,
    judged: Any = None,
    first: int | None = FIRST,
    progress: bool = True,
) -> pd.DataFrame:
    """List every stated pair with the probability that its label is wrong, the most suspicious first.

    1. Two things are known of each label: the word of the judge who reads the two sentences, and the opinion of a
       model that learnt the file's other labels (`wrong.COLUMNS`). Rows that agree speak for it.
    2. Its log-odds of being wrong are a level of its sign, and a slope times either. Levels and slopes differ
       between files: what judged files have tell the first order, and what was judged in this file, the list as of
       now (`wrong.Belief`).
    3. A conflict has the `p_flip` of `repair` instead. A positive on a cut between its sentences gets its share of
       the blame, if the negative is right (`cut.Cuts.blame`): p_wrong is 1 − (1 − own) · (1 − blame).

    Parameters
    ----------
    model : {"minilm"}, Judge, function of two lists of texts, table, fitted model, folder or hub id, optional
        The reader of stated pairs, as for `repair`. Without one, words alone, which see a third of what MiniLM sees.
    judged : DataFrame, or a log or review with a method `judged`, optional
        Pairs that a person judged (`text_a`, `text_b`, `same`), drawn by `paragraph.audit` or by a list. For these,
        the person's answer is final.
    first : int, optional
        The model reads about this many labels of each sign, the most probably wrong, besides conflicts and a few at
        random (`reading.Reading`). For the others, words predict its answer, and the column `by` says so. 0: it reads
        conflicts and those at random, and a review of the list reads on. None: it reads all, as with a table.

    First come the sentences that a row pairs with themselves and labels 0, which is certainly wrong.

    Columns
    -------
    text_a, text_b, label
        As first stated; the stated label.
    p_wrong
        Probability that the label is wrong: the mean over the possible levels and slopes of this file.
    reason
        The conflict it is part of, and how the words of the sentences differ, if they do; for the first 2,000.
    score
        If labels are thresholds of a score: the score, or the share of votes, of the first row.

    judge, own, rows, conflict, blame, judged, by
        The origin of `p_wrong` (`wrong.KNOWN`): with the answers, these determine the order (`PairReview`).

    ``.attrs["expected"]`` estimates the number of wrong labels among the first 50, 100, 1,000 that nobody judged,
    with a 95 % interval (`wrong.Belief.expected`); ``.attrs["judged"]`` counts the judged labels of each sign, and
    the wrong ones among them; ``.attrs["advice"]`` says what to do if none was judged.

    Raises
    ------
    PairsError
        A table or judged pairs that do not fit; bipartite pairs.

    Examples
    --------
    >>> rows = [("Is tea hot?", "is tea hot", 1), ("Is it far?", "Is it far from Rome?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> suspects(ParaphraseGraph.from_pairs(pairs)).loc[0, ["text_a", "text_b", "reason"]].tolist()
    ['Is it far?', 'Is it far from Rome?', "only one side: 'from Rome'"]
    """
    from tqdm.auto import tqdm

    belief, cuts = believed(graph, model=model, judged=judged, first=first, progress=progress)
    order = np.argsort(-belief.p_wrong, kind="stable")
    a, b = map(graph.texts, graph.ends(order))
    conflict = (graph.within | cuts.crossed)[order]
    label = (graph.edge_sign[order] > 0).astype(np.int8)
    rows = zip(a, b, label.tolist(), conflict.tolist(), strict=True)
    why, english = [], in_english(graph)
    for *ends, positive, crossed in tqdm(
        islice(rows, REASONED), "reasons", unit=" pairs", delay=2, leave=False, disable=not progress
    ):
        found_there = reasons(*ends, english=english) or ["no difference in words"]
        if crossed:
            found_there = ["a negative lies across it" if positive else "joined by positives", *found_there]
        why.append("; ".join(found_there))
    why += [""] * (len(a) - len(why))
    listed = pd.DataFrame({"text_a": a, "text_b": b, "label": label, "p_wrong": belief.p_wrong[order], "reason": why})
    listed = listed.join(columns_of(belief).iloc[order].reset_index(drop=True))
    if graph.pairs is not None and "score" in graph.pairs:
        first = [graph.rows_of(edge)[0] for edge in order.tolist()]
        listed["score"] = graph.pairs["score"].to_numpy(float)[first]
        listed["reason"] += [f"; scored {score:.3g}" for score in listed["score"]]
    alone = graph.texts(graph.denied)  # no judge is needed for these
    first = {"text_a": alone, "text_b": alone, "label": 0, "p_wrong": 1.0, "reason": ITSELF} | NOTHING
    first = pd.DataFrame(first, columns=[*listed], index=range(len(alone))).astype(listed.dtypes)
    listed = pd.concat([first, listed], ignore_index=True)
    listed = listed.astype({"text_a": "str", "text_b": "str", "reason": "str"})
    listed.attrs["expected"], listed.attrs["judged"] = belief.expected().to_dict("records"), belief.found()
    if not any(judged for judged, _ in listed.attrs["judged"].values()):
        listed.attrs["advice"] = ADVICE
    return listed


def believed(
    graph: ParaphraseGraph,
    *,
    model: Any = None,
    judged: Any = None,
    first: int | None = FIRST,
    progress: bool = True,
) -> tuple[Belief, Cuts]:
    """Weigh each stated label: the belief, and the cuts that blame positives for a conflict; see `suspects`.

    The belief is updated from one answer to the next without reading a sentence again (`wrong.Belief.told`).
    """
    if checked_graph(graph, "suspects").bipartite:
        raise PairsError("these pairs are bipartite: nothing in them is transitive, so no label contradicts a path")
    if first is not None:
        whole("first", first, 0)
    if isinstance(model, pd.DataFrame):  # all of it was read
        first = None
    proposals = Proposals(graph, model, judged)
    proposals.progress = progress
    positive, decided = graph.edge_sign > 0, proposals.decisions
    wrong = np.where(np.isnan(decided), np.nan, np.where(positive, 1 - decided, decided))
    before, reading = prior("words" if proposals.by_words else "minilm"), Reading(proposals, first)
    reading.read(np.flatnonzero(~np.isnan(wrong)))
    while len(new := reading.ahead(Belief(reading.labels(), before, wrong).open, first)):
        reading.read(new)
    return Belief(reading.labels(), before, wrong), reading.cuts
