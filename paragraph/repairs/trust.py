"""The probability that a label which follows by transitivity is right; and closures of those that are right enough."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..graph.closure import SIGNS, Batch, Closure
from ..graph.core import ParaphraseGraph
from ..graph.proof import Explanation, explain
from ..measure.judged import SIZES, Judged, Strata, judged_pairs
from ..measure.logistic import Weights, sigmoid
from ..pairs import PairsError
from .evidence import DECIDED
from .same import p_same
from .suspects import calibrated

__all__ = ["LEVELS", "Trusted", "trust"]

#: Weights fitted on judged pairs that follow; written by ``python -m benchmarks.trust``.
FITTED = Path(__file__).with_name("trust.json")
#: Levels of `Trusted.levels`.
LEVELS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


def trust(
    friends: Closure,
    model: Any = None,
    *,
    sure: float | None = None,
    audit: Any = None,
    limit: int | None = None,
    progress: bool = True,
) -> Trusted:
    """Ask of each label that follows how probable it is that it is right.

    Transitivity holds for what sentences mean, and labels follow from stated ones, some of which are wrong: of the
    positives that follow in Quora Question Pairs a quarter are wrong, in large clusters half.

    Parameters
    ----------
    friends : Closure
        What `paragraph.infer` gives, with its limits.
    model : {"minilm"}, Judge, function of two lists of texts, folder or hub id, optional
        Who reads the two sentences; see `same.p_same`. Without one, words alone, a weak judge: of labels surer
        than .9 it finds few.
    sure : float, optional
        Leave out labels that are less probably right. The closure may then stand wherever one is taken:
        ``four_datasets(graph, sure)``.
    audit : DataFrame, or a log or review with a method `judged`, optional
        Judged pairs, as `paragraph.audit` draws them: its pairs inside clusters that no row labels tell how far the
        model can be trusted (level and slope), and what they say of their own pairs holds.
    limit : int, optional
        Ask about so many labels of the closure, drawn at random: quick to look at. `levels` then estimates.

    Returns
    -------
    Trusted
        A closure: `counts`, `batches`, `sample`, `to_frame` (with a column `p_right`), `write`; and `levels`,
        `explain`.

    Raises
    ------
    PairsError
        A level or limit out of range; a model that cannot be had; an audit that does not fit.

    Notes
    -----
    `p_right` is a logistic regression on P(same) of the two sentences and on the size of their cluster, for either
    sign, fitted on judged pairs of Quora that follow: docs/evidence.md has its figures. The path adds nothing to it
    and is left out. What a model answers is kept on disk by pair, so another level costs no reading. Nothing is listed in
    memory but one batch of the closure at a time.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> friends = trust(pg.infer(graph))
    >>> levels = friends.levels()
    >>> bool(levels["positive"].is_monotonic_decreasing), int(levels["positive"][0]) == friends.counts()["positive"]
    (True, True)
    """
    if sure is not None and not 0 <= sure <= 1:
        raise PairsError(f"sure {sure} is not between 0 and 1")
    if limit is not None:
        whole("limit", limit)
    reader = Reader(friends.graph, model, audit, progress)
    given = {field.name: getattr(friends, field.name) for field in fields(Closure)}
    if sure is not None:
        given["keep"] = Sure(reader, sure, friends.keep)
    return Trusted(**given, reader=reader, limit=limit)


class Sure(NamedTuple):
    """Marks the labels of a batch that are at least so probably right."""

    reader: Reader
    level: float
    before: Callable[[Batch], np.ndarray] | None  #: what marked them before

    def __call__(self, batch: Batch) -> np.ndarray:
        kept = self.reader(batch) >= self.level
        return kept if self.before is None else kept & self.before(batch)


@dataclass(frozen=True)
class Trusted(Closure):
    """A closure whose labels have a probability of being right; see `trust`."""

    reader: Reader | None = None
    limit: int | None = None

    def to_frame(self, distances: bool = True) -> pd.DataFrame:
        """All labels that stay: `text_a`, `text_b`, `label`, `distance`, `p_right`; with a limit, of those drawn."""
        if self.limit is None:
            return super().to_frame(distances)
        drawn = replace(self, keep=None).sample(self.limit, self.seed, distances)
        return drawn if self.keep is None else drawn[drawn["p_right"] >= self.keep.level].reset_index(drop=True)

    def levels(self, at: Sequence[float] = LEVELS) -> pd.DataFrame:
        """How many labels stay at each level of `p_right`, and how many of them are expected to be right.

        Columns `sure`, `positive`, `positive_right`, `negative`, `negative_right`: numbers of labels, of all that
        follow, whatever level the closure has. With a limit they are estimated from the labels drawn.

        Examples
        --------
        >>> import paragraph as pg
        >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?"] * 2, "text_b": ["is tea hot", "Is tea HOT"], "label": 1})
        >>> graph = pg.ParaphraseGraph.from_pairs(pairs, identity="text")
        >>> trust(pg.infer(graph)).levels([0, 1])[["sure", "positive"]].values.tolist()
        [[0.0, 1.0], [1.0, 0.0]]
        """
        level, every = np.sort(np.asarray(at, dtype=float)), replace(self, keep=None)
        number, right = np.zeros((2, 2, len(level)))
        if self.limit is None:
            told = ((int(batch.label[0]), self.reader(batch)) for batch in every.batches())
        else:
            drawn = every.to_frame(distances=False)
            told = drawn.groupby("label")["p_right"]
        for sign, p in told:
            place = np.searchsorted(level, p, side="right") - 1
            for sums, values in ((number, np.ones(len(p))), (right, p)):
                at_level = np.bincount(place[place >= 0], values[place >= 0], len(level))
                sums[sign] += at_level[::-1].cumsum()[::-1]
        columns = {"sure": level}
        for sign, name in ((1, "positive"), (0, "negative")):
            columns |= {name: number[sign], f"{name}_right": right[sign]}
        table = pd.DataFrame(columns)
        if self.limit is not None:
            table.iloc[:, 1:] *= sum(every.counts().values()) / max(1, len(drawn))
            table.attrs["asked"] = len(drawn)
        return table

    def explain(self, text_a: str | int, text_b: str | int) -> Explanation:
        """Explain a label (`paragraph.explain`), how probably it is right, and which step of its proof is the weakest."""
        graph = self.graph
        found = explain(graph, text_a, text_b, self.negatives)
        if found.verdict != "inferred":
            return found
        steps = [replace(step, p_right=p) for step, p in zip(found.steps, self.reader.steps(found.steps), strict=True)]
        ends = np.array([[graph.node(found.text_a)], [graph.node(found.text_b)]])
        [p] = self.reader(Batch(*ends, np.array([found.label]), None)).tolist()
        return replace(found, steps=steps, p_right=p)

    def _frame(self, batches: list[Batch], distances: bool) -> pd.DataFrame:
        p = [self.reader(batch) for batch in batches]
        return super()._frame(batches, distances).assign(p_right=np.concatenate([np.empty(0), *p]))


class Reader:
    """Reads labels that follow: from a batch of them to the probability that each is right."""

    def __init__(self, graph: ParaphraseGraph, model: Any, audit: Any, progress: bool):
        self.graph, self.progress = graph, progress
        self._stated = Proposals(graph, None, model, None)
        self._stated.progress = progress
        self._name = "words" if model is None else "minilm"
        self._audited = None if audit is None else judged_pairs(graph, audit)

    def __call__(self, batch: Batch) -> np.ndarray:
        found = np.empty(len(batch.a))
        for sign in np.unique(batch.label).tolist():
            rows = np.flatnonzero(batch.label == sign)
            found[rows] = self._right(batch.a[rows], batch.b[rows], sign)
        return found

    def _right(self, a: np.ndarray, b: np.ndarray, sign: int) -> np.ndarray:
        odds = self._log_odds(a, b, sign)
        return sigmoid(odds).astype(np.float32)

    def _log_odds(self, a, b, sign):
        p = p_same(self.graph.texts(a), self.graph.texts(b), self._stated.model, 0.5, progress=self.progress)
        columns = pd.DataFrame({"same": np.log(p) - np.log1p(-p)})
        if sign:
            columns["weakest"] = self._weakest(a, b)
        return _weights(self._name, SIGNS[1 - sign]).log_odds(columns)

    def _weakest(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The least log-odds that the sentences of a step mean the same, on the shortest path of each pair."""
        paths = list(shortest_paths(self.graph, a, b))
        length = np.array(list(map(len, paths)))
        nodes = np.concatenate(paths)
        first = np.cumsum(length) - length
        inside = np.delete(np.arange(len(nodes)), first)   # the later end of each step
        edges, of = np.unique(self.graph.edge_index.places(nodes[inside - 1], nodes[inside]), return_inverse=True)
        return np.minimum.reduceat(self._stated.same(edges)[of], first - np.arange(len(first)))
