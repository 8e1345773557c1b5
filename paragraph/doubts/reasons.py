"""Reasons to doubt a label: functions from a graph to the log-odds that each stated label is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph import ParaphraseGraph
from ..learn.logistic import SUREST, Weights, fit_logistic, log_odds, sigmoid
from .belief import weigh
from .cuts import DECIDED, Cuts
from .proposals import Proposals
from .readers import LABELS_PER_WEIGHT, NATURAL, SHIPPED, compared, own_opinion

__all__ = ["REASONS", "Reading", "Reason", "drawn", "evidence_of", "judged_by", "scale_of"]

#: Log-odds against each stated label, one entry per edge; NaN: silent.
Reason = Callable[[ParaphraseGraph], np.ndarray]

#: Log-odds that each further row of the same label adds to its credibility: rows err together more often than not.
AGREE = float(np.log(9))
#: Labels of each sign, drawn at random, that show a judge's scale; if only a few of a list are read, fewer.
SCALED, FEW = 200, 64
#: The least number of labels of a sign read at once: a turn takes a while, however few they are.
TURN = 64
#: The ridge of the regression from words to the judge.
RIDGE = 10.0


class Reading:
    """The sentences of a file as read by words or by a judge, for the reasons that depend on the reader.

    Words read all pairs. A judge reads conflicts (of which a list says what `repair` does), answered labels and some
    drawn at random; then, in `best_first`, the most probably wrong ones by all that is known so far. For the others,
    words predict its answer, by a linear regression on those it gave.

    Parameters
    ----------
    judge, answers
        As for `Proposals`.
    first : int, optional
        The number of labels of each sign to read, best first; by default all.
    """

    def __init__(
        self, graph: ParaphraseGraph, judge: Any = None, answers: Any = None, first: int | None = None,
        *, progress: bool = True,
    ):  # fmt: skip
        self.proposals, self.graph = Proposals(graph, judge, answers, progress=progress), graph
        self.positive, decided = graph.edge_sign > 0, self.proposals.decisions
        self.answers = np.where(self.positive, 1 - decided, decided)  # 1: the label is wrong
        words = compared(graph, progress=progress)[1]
        if self.proposals.by_words:
            some = slice(None)
            self.same = Weights.read(SHIPPED, "words").log_odds(words.astype(float)) + NATURAL
        else:
            some = drawn(self.positive, SCALED if first is None else min(SCALED, max(FEW, first)), 0)
            self.read(np.union1d(some, self.proposals.conflicts))
        self.scale = scale_of(self.same[some], self.positive[some])
        self._first = first
        self.read(np.flatnonzero(~np.isnan(decided)))

    def best_first(self) -> Reading:
        """Let the judge read on, the most probably wrong labels first.

        The order changes with each reading, and new labels keep coming to its top. So at most one turn more than the
        first ones is read in all, of each sign.
        """
        first, new = self._first, [np.ones(1)]
        left = dict.fromkeys((True, False), len(self.same) if first is None else first + TURN)
        while sum(map(len, new)) and (unread := np.isnan(self.same)).any():
            order, new = weigh(evidence_of(self), None, self.answers, self.proposals.random).open, []
            for sign in left:
                edges = order[self.positive[order] == sign]
                wanted = np.count_nonzero(unread[edges][:first])
                new.append(edges[unread[edges]][: min(max(wanted, TURN), left[sign]) if wanted else 0])
                left[sign] -= len(new[-1])
            self.read(np.concatenate(new))
        return self

    def read(self, edges: np.ndarray) -> None:
        """Let the judge read the sentences of some edges."""
        if not self.proposals.by_words:
            self.proposals.same(edges)
            self.same = self.proposals.judgements.so_far(self.graph.edge_a, self.graph.edge_b)

    def expected(self) -> np.ndarray:
        """The judge's actual or expected answer about each label."""
        same, unread = self.same.copy(), np.isnan(self.same)
        if unread.any():
            x = compared(self.graph)[0].to_numpy(float)
            x = np.column_stack([np.ones(len(x)), (x - x.mean(axis=0)) / x.std(axis=0).clip(1e-9)])
            known = x[~unread]
            ridge = known.T @ known + RIDGE * np.eye(x.shape[1])
            same[unread] = x[unread] @ np.linalg.solve(ridge, known.T @ same[~unread])
        return same

    def against(self, same: np.ndarray) -> np.ndarray:
        """The log-odds against each label by what a judge says, on the scale of the file's own labels."""
        level, slope = self.scale
        return (np.where(self.positive, -1, 1) * (level + slope * same)).clip(-SUREST, SUREST)

    @property
    def cuts(self) -> Cuts:
        """The cuts of all conflicts, as far as their positives have been read."""
        return self._cuts(np.count_nonzero(~np.isnan(self.same[self.proposals.near])))

    @lru_cache(1)  # noqa: B019 - a reading lives as long as one list
    def _cuts(self, read: int) -> Cuts:
        return self.proposals.cuts_by(self.expected().__getitem__)


def judged(graph: ParaphraseGraph, by: Reading) -> np.ndarray:
    """The word of a judge who reads the two sentences, where it has read them."""
    return by.against(by.same)


def words(graph: ParaphraseGraph, by: Reading | None = None) -> np.ndarray:
    """The evidence of the words; beside a judge, its expected answer where it has read nothing."""
    by = by or Reading(graph)
    read = ~np.isnan(by.same) & (not by.proposals.by_words)
    return np.where(read, np.nan, by.against(by.expected()))


def own(graph: ParaphraseGraph) -> np.ndarray:
    """The opinion of a model that learnt the file's other labels."""
    positive = graph.edge_sign > 0
    share = log_odds((positive.sum() + 1) / (len(positive) + 2))
    return (np.where(positive, -1, 1) * (own_opinion(graph) - share)).clip(-SUREST, SUREST)


def rows(graph: ParaphraseGraph) -> np.ndarray:
    """The rows of the pair: 0 for one, less for rows that agree."""
    return -AGREE * (graph.edge_sign * (graph.edge_n_positive - graph.edge_n_negative) - 1.0)


def conflict(graph: ParaphraseGraph, by: Reading | None = None) -> np.ndarray:
    """The `p_flip` of `repair` for a negative inside a cluster: it settles the label."""
    proposals, found = (by or Reading(graph)).proposals, np.full(len(graph.edge_a), np.nan)
    found[proposals.conflicts] = proposals.odds(proposals.conflicts)
    return found


def blame(graph: ParaphraseGraph, by: Reading | None = None) -> np.ndarray:
    """The share of the blame of a positive on a cut between the ends of a conflict, if the negative is right."""
    by = by or Reading(graph)
    p = by.cuts.blame(sigmoid(-conflict(graph, by)[by.cuts.conflicts]))
    return log_odds(np.where(p > 0, p, np.nan)).clip(max=DECIDED)  # of long sentences, words make p 1


#: The reasons that ship. Those of `_READ` depend on who reads the sentences.
REASONS: dict[str, Reason] = {"words": words, "own": own, "rows": rows, "conflict": conflict, "blame": blame}
_READ = (judged, words, conflict, blame)


def judged_by(judge: Any, first: int | None = 1000) -> Reason:
    """Make a reason of a judge that reads about the `first` labels of each sign, the most probably wrong.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> alike = judged_by(lambda left, right: [0.9 if len(a) == len(b) else 0.2 for a, b in zip(left, right)], 50)
    >>> silent = np.isnan(alike(graph))
    >>> bool(0 < silent.sum() < len(silent))
    True
    """
    return lambda graph: judged(graph, Reading(graph, judge, first=first).best_first())


def evidence_of(reading: Reading, reasons: Mapping[str, Reason] = REASONS) -> pd.DataFrame:
    """The table for `weigh`: the label of each edge, and a column for each reason.

    Raises
    ------
    PairsError
        A reason that does not give one number for each label.
    """
    graph, found = reading.graph, {"label": (reading.positive).astype(np.int8)}
    by_judge = {} if reading.proposals.by_words else {"judge": judged}
    for name, reason in (by_judge | dict(reasons)).items():
        given = reason(graph, reading) if reason in _READ else reason(graph)
        value = np.asarray(given, dtype=float)
        if value.shape != (len(graph.edge_a),) or np.isinf(value).any():
            raise PairsError(
                f"the reason {name!r} gives {value.shape} numbers, and not a finite one (or NaN) for each of the "
                f"{len(graph.edge_a):,} stated labels (graph.edge_a, graph.edge_b)"
            )
        shipped = reason in (judged, *REASONS.values())
        found[name] = value if shipped else in_spreads(value)
    return pd.DataFrame(found)


def in_spreads(value: np.ndarray) -> np.ndarray:
    """Return the values of a reason that no judged file has tested, on a scale that its unknown slope is for.

    Values beyond ±`SUREST` are no log-odds (a length, a year), and are taken from their mean. What still spreads by
    more than 1 (root mean square) is divided by that.

    Examples
    --------
    >>> in_spreads(np.array([0.5, np.nan, 1.0])), in_spreads(np.array([2019, np.nan, 2023]))
    (array([0.5, nan, 1. ]), array([-1., nan,  1.]))
    """
    spoken = value[~np.isnan(value)]
    if not len(spoken):
        return value
    if np.abs(spoken).max() > SUREST:
        value = value - spoken.mean()
        spoken = spoken - spoken.mean()
    return value / max(1.0, float(np.sqrt(np.square(spoken).mean())))


def drawn(positive: np.ndarray, many: int = SCALED, least: int = LABELS_PER_WEIGHT) -> np.ndarray:
    """Draw that many labels of each sign, in their order; none if a sign has too few."""
    rng, signs = np.random.default_rng(0), [np.flatnonzero(positive), np.flatnonzero(~positive)]
    if min(map(len, signs)) < least:
        return signs[0][:0]
    return np.sort(np.concatenate([rng.permutation(edges)[:many] for edges in signs]))


def scale_of(same: np.ndarray, positive: np.ndarray) -> tuple[float, float]:
    """The level and slope that calibrate a judge's log-odds to a file's own labels, with equal weight for both signs.

    A judge's .05 on one kind of text is .9 on another. Most stated labels are right; a judge that cannot tell their
    signs apart gets a slope near 0. With fewer than `LABELS_PER_WEIGHT` of a sign the scale stays as it is.
    """
    if min(np.count_nonzero(positive), np.count_nonzero(~positive)) < LABELS_PER_WEIGHT:
        return 0.0, 1.0
    share = positive.mean()
    times = np.where(positive, 0.5 / share, 0.5 / (1 - share))
    found = fit_logistic(same[:, None], positive, times=times)
    slope = float(found.weight[0] / found.scale[0])
    return (float(found.bias - slope * found.mean[0]), slope) if slope > 0 else (0.0, 0.0)
