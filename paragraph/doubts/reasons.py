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

#: A function of the graph, and of its `Evidence` if it has a parameter `evidence`, that returns the log-odds against
#: each stated label: one entry per edge, NaN where it is silent.
Reason = Callable[..., Array]

#: Log-odds that each further row of the same label adds to its credibility: rows err together more often than not.
AGREE = np.log(9)
#: The least number of labels of each sign, drawn at random, that a judge reads for its scale.
FEW = 64
#: The ridge penalty of the regression from words to the judge: its columns are related.
RIDGE = 10.0


class Evidence:
    """The evidence about the stated labels of a graph: judgements of their sentences, answers, and reasons.

    Words judge all pairs. Another judge reads the conflicts (for the same figures as in `repair`), answered labels,
    some drawn at random, and then the most probably wrong ones by what is known so far. For the others, words predict
    its judgement: a linear regression on the pairs that it has read.

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
            sample = drawn(self.positive, len(self.positive))
            self._set_scale(sample)
            return
        self.reasons = {"judge": by_judge} | self.reasons
        count = SCALED
        if first is not None:
            count = min(SCALED, max(FEW, first))
        sample = drawn(self.positive, count)
        self.read(np.union1d(sample, self.proposals.conflicts))
        self._set_scale(sample)
        answered = np.flatnonzero(~np.isnan(decided))
        self.read(answered)
        if first is None:
            self.read(np.arange(len(self.positive)))
        elif first:
            self._read_suspicious(first)

    def _read_suspicious(self, first: int) -> None:
        """Let the judge read the labels of each sign that are most probably wrong so far."""
        belief = believe(self.table(), None, self.answers, self.proposals.random)
        order = belief.open
        unread = order[np.isnan(self.same[order])]
        positive = self.positive[unread]
        for sign in (True, False):
            edges = unread[positive == sign]
            self.read(edges[:first])

    def read(self, edges: Array) -> None:
        """Let the judge read the sentences of some edges."""
        self.proposals.same(edges)
        self.same = self.proposals.judgements.so_far(self.graph.edge_a, self.graph.edge_b)

    def _set_scale(self, edges: Array) -> None:
        """Set the scale of the judge from labels that it has read."""
        self.scale = scale_of(self.same[edges], self.positive[edges])

    def expected(self) -> Array:
        """The judge's log-odds that the sentences of each label mean the same, predicted where it has not read."""
        unread = np.isnan(self.same)
        if not unread.any():
            return self.same
        x = compared(self.graph)[0].to_numpy(float)
        spread = x.std(axis=0).clip(1e-9)
        x = x - x.mean(axis=0)
        x /= spread
        x = np.column_stack([np.ones(len(x)), x])
        read = x[~unread]
        gram = read.T @ read
        gram += RIDGE * np.eye(x.shape[1])
        slopes = np.linalg.solve(gram, read.T @ self.same[~unread])
        return np.where(unread, x @ slopes, self.same)

    def against(self, same: Array) -> Array:
        """The log-odds against each label by a judge's log-odds, on the scale of the file's own labels."""
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
        """The values of a reason, which gets the evidence if it has a parameter for it; empty if not numbers."""
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
    """Put the values of a user's reason on the scale of log-odds, for which its unknown slope is meant.

    Values beyond ±`SUREST` are no log-odds (a length, a year): their mean is subtracted. If the root mean square is
    still greater than 1, the values are divided by it.

    Examples
    --------
    >>> in_spreads(np.array([0.5, np.nan, 1.0])), in_spreads(np.array([2019, np.nan, 2023]))
    (array([0.5, nan, 1. ]), array([-1., nan,  1.]))
    """
    finite = value[np.isfinite(value)]
    if not len(finite):
        return value
    if np.abs(finite).max() > SUREST:
        value = value - finite.mean()
        finite = finite - finite.mean()
    square = float(np.square(finite).mean())
    return value / max(1.0, square**0.5)


def by_judge(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The judgement of the two sentences, where a judge has read them."""
    return evidence.against(evidence.same)


def words(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The evidence of the words; beside a judge, its predicted judgement where it has read nothing."""
    against = evidence.against(evidence.expected())
    if evidence.proposals.by_words:
        return against
    return np.where(np.isnan(evidence.same), against, np.nan)


def own(graph: ParaphraseGraph) -> Array:
    """The opinion of a model that learnt the file's other labels."""
    positive = graph.edge_sign > 0
    share = (positive.sum() + 1) / (len(positive) + 2)
    same = own_opinion(graph) - log_odds(share)
    same = same.clip(-SUREST, SUREST)
    return np.where(positive, -same, same)


def rows(graph: ParaphraseGraph) -> Array:
    """The rows of the pair: 0 for one, less for rows that agree."""
    majority = graph.edge_sign * (graph.edge_n_positive - graph.edge_n_negative)
    return -AGREE * (majority - 1.0)


def conflict(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The log-odds of `p_flip` of `repair` for a negative inside a cluster: they settle its label."""
    proposals = evidence.proposals
    against = np.full(len(graph.edge_a), np.nan)
    against[proposals.conflicts] = proposals.odds(proposals.conflicts)
    return against


def blame(graph: ParaphraseGraph, evidence: Evidence) -> Array:
    """The probability that a positive is wrong because it lies on a cut of a conflict (`Cuts.blame`)."""
    proposals = evidence.proposals
    same = evidence.expected()[proposals.near]
    cuts = proposals.cuts_by(same)
    p_cut = sigmoid(-proposals.odds(proposals.conflicts))
    p = cuts.blame(p_cut)
    p = np.where(p > 0, p, np.nan)
    # The words of long sentences can make p exactly 1.
    return log_odds(p).clip(max=DECIDED)


#: The reasons that ship, by name. A judge that reads the sentences is one more.
REASONS: dict[str, Reason] = {
    "words": words,
    "own": own,
    "rows": rows,
    "conflict": conflict,
    "blame": blame,
}
