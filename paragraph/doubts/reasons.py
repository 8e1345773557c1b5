"""Reasons to doubt a label: functions from a graph to the log-odds that each stated label is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.arrays import Array
from ..learn.logistic import SUREST, log_odds, sigmoid
from .belief import believe
from .cuts import DECIDED
from .prior import SCALED, drawn, scale_of, scaled
from .proposals import Proposals
from .shipped import compared, log_odds_by_words, own_opinion

__all__ = ["REASONS", "Evidence", "Reason"]

#: Log-odds against each stated label, one entry per edge; NaN: silent. A function of the graph, and of its `Evidence`
#: if it has a parameter called evidence.
Reason = Callable[..., Array]

#: Log-odds that each further row of the same label adds to its credibility: rows err together more often than not.
AGREE = float(np.log(9))
#: The least number of labels of each sign drawn at random that a judge reads for its scale.
FEW = 64
#: The ridge of the regression from words to the judge.
RIDGE = 10.0


class Evidence:
    """The evidence about the stated labels of a graph: judgements of their sentences, answers, and reasons.

    Words judge all pairs. Another judge reads conflicts (of which a list says what `repair` does), answered labels,
    some drawn at random, and then the most probably wrong ones by what is known so far. For the others, words predict
    its judgement, by a linear regression on those it gave.

    Parameters
    ----------
    judge, answers
        As for `Proposals`.
    first : int, optional
        The number of labels of each sign to read, the most probably wrong; by default all.
    reasons : dict of functions
        By name; see `REASONS`.
    """

    def __init__(
        self,
        graph: ParaphraseGraph,
        judge: Any = None,
        answers: Any = None,
        first: int | None = None,
        reasons: Mapping[str, Reason] | None = None,
        *,
        progress: bool = True,
    ):
        self.graph = graph
        self.proposals = Proposals(graph, judge, answers, progress=progress)
        self.positive = graph.edge_sign > 0
        self.reasons = REASONS if reasons is None else reasons
        decided = self.proposals.decisions
        self.answers = np.where(self.positive, 1 - decided, decided)  # 1: the label is wrong
        words = compared(graph, progress=progress)[1]
        if judge is None:
            #: The judge's log-odds that the sentences of each label mean the same; NaN where it has not read them.
            self.same = log_odds_by_words(words)
            self._set_scale(drawn(self.positive, len(self.positive)))
            return
        self.reasons = {"judge": by_judge} | self.reasons
        count = SCALED if first is None else min(SCALED, max(FEW, first))
        some = drawn(self.positive, count)
        self.read(np.union1d(some, self.proposals.conflicts))
        self._set_scale(some)
        self.read(np.flatnonzero(~np.isnan(decided)))
        if first is None:
            self.read(np.arange(len(self.positive)))
        elif first:
            order = believe(self.table(), None, self.answers, self.proposals.random).open
            unread = order[np.isnan(self.same[order])]
            for sign in (True, False):
                self.read(unread[self.positive[unread] == sign][:first])

    def read(self, edges: Array) -> None:
        """Let the judge read the sentences of some edges."""
        self.proposals.same(edges)
        self.same = self.proposals.judgements.so_far(self.graph.edge_a, self.graph.edge_b)

    def _set_scale(self, edges: Array) -> None:
        """Set the scale of the judge by some labels that it has read."""
        self.scale = scale_of(self.same[edges], self.positive[edges])

    def expected(self) -> Array:
        """The judge's actual or expected log-odds that the sentences of each label mean the same."""
        unread = np.isnan(self.same)
        if not unread.any():
            return self.same
        x = compared(self.graph)[0].to_numpy(float)
        x = (x - x.mean(axis=0)) / x.std(axis=0).clip(1e-9)
        x = np.column_stack([np.ones(len(x)), x])
        known = x[~unread]
        ridge = known.T @ known + RIDGE * np.eye(x.shape[1])
        slopes = np.linalg.solve(ridge, known.T @ self.same[~unread])
        return np.where(unread, x @ slopes, self.same)

    def against(self, same: Array) -> Array:
        """The log-odds against each label by what a judge says, on the scale of the file's own labels."""
        return np.where(self.positive, -1, 1) * scaled(self.scale, same)

    def table(self) -> pd.DataFrame:
        """The table for `believe`: the label of each edge, and a column for each reason.

        Raises
        ------
        PairsError
            A reason that does not give one number for each label.
        """
        columns = {"label": self.positive.astype(np.int8)}
        for name, reason in self.reasons.items():
            values = self.values(reason)
            if values.shape != self.positive.shape or np.isinf(values).any():
                count = values.shape if values.size else "no"
                raise PairsError(
                    f"the reason {name!r} gives {count} numbers, and not a finite one (or NaN) for each of the "
                    f"{len(self.positive):,} stated labels (graph.edge_a, graph.edge_b)"
                )
            columns[name] = values
        return pd.DataFrame(columns)

    def values(self, reason: Reason) -> Array:
        """The values of a reason, which gets the evidence if it has a parameter for it; none if not numbers."""
        if "evidence" in signature(reason).parameters:
            values = reason(self.graph, evidence=self)
        else:
            values = reason(self.graph)
        try:
            values = np.asarray(values, dtype=float)
        except (TypeError, ValueError):
            return np.empty(0)
        if reason is by_judge or reason in REASONS.values():
            return values
        return in_spreads(values)


def in_spreads(value: Array) -> Array:
    """Return the values of a reason that no judged file has tested, on a scale that its unknown slope is for.

    Values beyond ±`SUREST` are no log-odds (a length, a year), and are taken from their mean. What still spreads by
    more than 1 (root mean square) is divided by that.

    Examples
    --------
    >>> in_spreads(np.array([0.5, np.nan, 1.0])), in_spreads(np.array([2019, np.nan, 2023]))
    (array([0.5, nan, 1. ]), array([-1., nan,  1.]))
    """
    spoken = value[np.isfinite(value)]
    if not len(spoken):
        return value
    if np.abs(spoken).max() > SUREST:
        value = value - spoken.mean()
        spoken = spoken - spoken.mean()
    return value / max(1.0, float(np.sqrt(np.square(spoken).mean())))


def by_judge(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The judgement of the two sentences, where a judge has read them."""
    return evidence.against(evidence.same)


def words(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The evidence of the words; beside a judge, its expected judgement where it has read nothing."""
    against = evidence.against(evidence.expected())
    if evidence.proposals.by_words:
        return against
    return np.where(np.isnan(evidence.same), against, np.nan)


def own(graph: ParaphraseGraph) -> Array:
    """The opinion of a model that learnt the file's other labels."""
    positive = graph.edge_sign > 0
    share = log_odds((positive.sum() + 1) / (len(positive) + 2))
    same = (own_opinion(graph) - share).clip(-SUREST, SUREST)
    return np.where(positive, -same, same)


def rows(graph: ParaphraseGraph) -> Array:
    """The rows of the pair: 0 for one, less for rows that agree."""
    return -AGREE * (graph.edge_sign * (graph.edge_n_positive - graph.edge_n_negative) - 1.0)


def conflict(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The `p_flip` of `repair` for a negative inside a cluster: it settles the label."""
    proposals = evidence.proposals
    against = np.full(len(graph.edge_a), np.nan)
    against[proposals.conflicts] = proposals.odds(proposals.conflicts)
    return against


def blame(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The share of the blame of a positive on a cut between the ends of a conflict, if the negative is right."""
    proposals = evidence.proposals
    cuts = proposals.cuts_by(evidence.expected()[proposals.near])
    p = cuts.blame(sigmoid(-proposals.odds(proposals.conflicts)))
    # of long sentences, words make p 1
    return log_odds(np.where(p > 0, p, np.nan)).clip(max=DECIDED)


#: The reasons that ship. A judge that reads the sentences is one more.
REASONS: dict[str, Reason] = {
    "words": words,
    "own": own,
    "rows": rows,
    "conflict": conflict,
    "blame": blame,
}
