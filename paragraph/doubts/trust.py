"""The probability that an inferred label is right, and closures of labels that are probably right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_type
from ..graph.arrays import Array, PairIndex
from ..graph.closure import SIGNS, Batch, Closure
from ..graph.core import ParaphraseGraph
from ..learn.logistic import sigmoid
from .answered import answered_pairs
from .cuts import DECIDED
from .judges import Judgements
from .prior import Normal, drawn, learnt, probability, scale_of, scaled, with_level
from .shipped import in_english

__all__ = ["LEVELS", "Confidence", "Trusted", "trust"]

#: Levels of `Trusted.levels`.
LEVELS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


def trust(
    friends: Closure,
    judge: Any = "minilm",
    *,
    sure: float | None = None,
    answers: Any = None,
    progress: bool = True,
) -> Trusted:
    """Estimate for each inferred label the probability that it is right.

    Transitivity holds for meanings, but some of the stated labels are wrong, and so are labels inferred from them: in
    Quora Question Pairs a quarter of the inferred positives are wrong, in large clusters half.

    Parameters
    ----------
    friends : Closure
        A result of `paragraph.infer`, with its limits.
    judge : {"minilm"}, function of two lists of texts, or folder
        The reader of the two sentences; see `repair`. Words alone cannot tell: their AUC is .68 for positives and .56
        for negatives, and they are surer than .9 about no positive.
    sure : float, optional
        Leave out labels whose probability of being right is lower. Every function of closures takes the result:
        ``four_datasets(sure)``.
    answers : DataFrame, or a log or review with a method `answered`, optional
        Answered pairs, drawn by `paragraph.audit`. Unlabelled pairs inside clusters show how far to trust the model
        about positives, stated negatives how often negatives are wrong; and for these pairs, the answers hold.

    Returns
    -------
    Trusted
        A closure: `counts`, `batches`, `sample`, `to_frame` (with a column `p_right`), `write`; and `levels`.

    Raises
    ------
    PairsError
        A level out of range; a model that is not available; an audit that does not fit.

    Notes
    -----
    `p_right` of a positive is P(same) of its two sentences. That of a negative is a mean over
    files: the share of wrong negatives differs from file to file, and inferred ones are wrong about as often as
    stated ones (`prior.Prior`). The judge's log-odds are calibrated to the file's own labels, of which 200 of each
    sign are read. The probability of the path adds nothing to that, nor do its length and the size of the cluster
    (docs/evidence.md). The judgements of "minilm" are kept on disk by pair, so another level costs no reading. Only
    one batch of the closure is in memory.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> friends = pg.infer(graph, negatives="clusters", max_per_cluster=2)
    >>> sure = trust(friends, "minilm", sure=0.5, progress=False)
    >>> stay = sure.to_frame()
    >>> 0 < len(stay) < sum(friends.counts().values()), bool((stay["p_right"] >= 0.5).all())
    (True, True)
    """
    check_type(friends, Closure, "trust", "a closure", "trust(pg.infer(graph))")
    if judge is None:
        raise PairsError(
            "words alone cannot tell which inferred labels are right; name a judge: 'minilm'"
        )
    if sure is not None and not 0 <= sure <= 1:
        raise PairsError(f"sure {sure} is not between 0 and 1")
    if isinstance(judge, str) and judge == "minilm":
        in_english(friends.graph)
    judgements = Judgements(friends.graph, judge, progress=progress)
    confidence = Confidence(friends.graph, judgements, answers)
    settings = {field.name: getattr(friends, field.name) for field in fields(Closure)}
    if sure is not None:
        settings["keep"] = Sure(confidence, sure, friends.keep)
    return Trusted(**settings, confidence=confidence)


class Sure(NamedTuple):
    """A function that flags the labels of a batch whose probability of being right reaches a level."""

    confidence: Confidence
    level: float
    before: Callable[[Batch], Array] | None  #: the function of the closure before

    def __call__(self, batch: Batch) -> Array:
        flags = self.confidence(batch) >= self.level
        if self.before is not None:
            flags &= self.before(batch)
        return flags


@dataclass(frozen=True)
class Trusted(Closure):
    """A closure whose labels each have a probability of being right; see `trust`."""

    confidence: Confidence | None = None

    def __repr__(self) -> str:
        labels = " and ".join(f"{number:,} {sign}" for sign, number in self.at_most().items())
        level = self.keep.level if isinstance(self.keep, Sure) else 0.0
        return f"Trusted: at most {labels}, right with probability {level} or more"

    def levels(self, at: Sequence[float] = LEVELS, n: int | None = None) -> pd.DataFrame:
        """Count the labels that stay at each level of `p_right`, and how many of them are expected to be right.

        Columns `sure`, `positive`, `positive_right`, `negative`, `negative_right`: numbers of labels, of all that are
        inferred, whatever the level of this closure; or estimates from `n` labels drawn at random, for a quick look.

        Examples
        --------
        >>> import paragraph as pg
        >>> pairs = pd.DataFrame({"text_a": ["a", "a"], "text_b": ["b", "c"], "label": 1})
        >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
        >>> trust(pg.infer(graph), lambda left, right: [0.5] * len(left)).levels([0, 1])["positive"].tolist()
        [1, 0]
        """
        closure = self  # without a level
        if isinstance(self.keep, Sure):
            closure = replace(self, keep=self.keep.before)
        if n is None:
            batches = ((batch.label, self.confidence(batch)) for batch in closure.batches())
            scale = 1
        else:
            sample = closure.sample(n, self.seed, distances=False)
            batches = [(sample["label"].to_numpy(), sample["p_right"].to_numpy())]
            total = sum(closure.counts().values())
            scale = total / max(1, len(sample))
        sure = np.sort(np.asarray(at, dtype=float))
        counts = np.zeros((2, 2, len(sure)))  # by sign: labels, and those of them that are right
        for label, p in batches:
            for sign, value in enumerate((1, 0)):
                p_right = p[label == value].astype(float)
                stays = p_right >= sure[:, None]
                counts[sign, 0] += scale * stays.sum(axis=1)
                counts[sign, 1] += scale * (stays @ p_right)
        table = {"sure": sure}
        for name, (labels, right) in zip(SIGNS, counts, strict=True):
            table[name] = np.rint(labels).astype(np.int64)
            table[f"{name}_right"] = right
        return pd.DataFrame(table)

    def _frame(self, batches: list[Batch], distances: bool) -> pd.DataFrame:
        p = [self.confidence(batch) for batch in batches]
        frame = super()._frame(batches, distances)
        return frame.assign(p_right=np.concatenate([np.empty(0), *p]))


class Confidence:
    """A function of a batch of inferred labels that returns the probability that each is right, float32."""

    def __init__(self, graph: ParaphraseGraph, judgements: Judgements, answers: Any):
        self.graph = graph
        self._judgements = judgements
        self._answered = answered_pairs(graph, answers)
        ends = self._answered[["a", "b"]].to_numpy()
        self._index = PairIndex.of(*ends.T, graph.n)

    def __call__(self, batch: Batch) -> Array:
        same = self._judgements(batch.a, batch.b)
        level, slope = self._positive_trust.mean
        p_right = sigmoid(level + slope * same)
        negative = batch.label == 0
        if negative.any():
            x = with_level(scaled(self._scale, same[negative]))
            p_right[negative] = 1 - probability(self._negative_trust, x)
        place = self._index.places(batch.a, batch.b)
        answered = np.flatnonzero(place >= 0)
        answer = self._answered["same"].to_numpy()[place[answered]]
        agrees = answer == batch.label[answered]
        p_right[answered] = sigmoid(np.where(agrees, DECIDED, -DECIDED))
        return p_right.astype(np.float32)

    @cached_property
    def _positive_trust(self) -> Normal:
        """Level and slope of the judge for positives, learnt from answered pairs that no row states."""
        pairs = self._answered.query("edge < 0")
        same = self._judgements(pairs["a"], pairs["b"])
        return learnt("unstated", same, pairs["same"])

    @cached_property
    def _negative_trust(self) -> Normal:
        """Level and slope of the judge for negatives, learnt from answered negatives between clusters."""
        pairs = self._answered.query("edge >= 0")
        between = self.graph.edge_sign < 0
        between &= ~self.graph.negatives_inside
        pairs = pairs[between[pairs["edge"]]]
        same = self._stated(pairs["edge"])
        return learnt("negatives", scaled(self._scale, same), pairs["wrong"])

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """The judge's scale by stated labels."""
        positive = self.graph.edge_sign > 0
        edges = drawn(positive)
        return scale_of(self._stated(edges), positive[edges])

    def _stated(self, edges: Array) -> Array:
        """The judge's log-odds that the sentences of stated labels mean the same."""
        return self._judgements(*self.graph.ends(edges))
