"""Strategies of collecting labels, compared on labelled data as if nobody had labelled them yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ...files import PairsError
from ...files.errors import check_int
from ...graph import ParaphraseGraph
from ..experiments.charts import draw_learning_curve
from .all_pairs import AllPairs, all_pairs
from .cosine import Cosine
from .learner import STRATEGIES, Learner, model_of
from .ranking import count_all, scaled
from .worlds import World

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Simulation", "simulate", "sizes"]

PARTS = ("train", "dev", "test")


@dataclass(frozen=True)
class Simulation:
    """The result of `simulate`.

    Attributes
    ----------
    table : DataFrame
        One row per strategy, seed and round: pairs `asked` and `positives` among them so far, average precision on
        all pairs of dev and test, `p20_test`, the precision at 20 % recall.
    asked : DataFrame
        Every question, in order: `strategy`, `seed`, `round`, `text_a`, `text_b`, `label`.
    scores : dict
        The `AllPairs` of the test part after the last round, by strategy and seed.
    """

    table: pd.DataFrame
    asked: pd.DataFrame
    scores: dict[tuple[str, int], AllPairs] = field(repr=False)

    def figure(self, what: str = "AP") -> Figure:
        """Draw average precision on all pairs of the test part (or the "positives" found) by the number of labels."""
        names = {"strategy": "model", "asked": "rows", "ap_test": "AP"}
        return draw_learning_curve(self.table.rename(columns=names), what)


def simulate(
    parts: pd.DataFrame | Mapping[str, pd.DataFrame | ParaphraseGraph],
    strategies: Sequence[str] = ("random", "static", "uncertainty"),
    encoder: str | PathLike | Cosine = "bow",
    *,
    rounds: int = 4,
    first: int = 512,
    neighbours: int = 100,
    seeds: int | Sequence[int] = 3,
    lr: float | Mapping[str, float] | None = None,
    epochs: int | None = None,
    progress: bool = True,
) -> Simulation:
    """Collect labels by several strategies, and measure each on all pairs of other sentences.

    The labels of the training part answer; those of dev and test are read only to evaluate. A pair that nobody stated
    counts as 0, unless it lies inside a cluster (Mussmann, Jia and Liang 2020, section 3.1.2).

    Parameters
    ----------
    parts : {"train": …, "dev": …, "test": …} of pair tables or graphs, or one table with a column `split`
        No sentence in two of them.
    strategies : sequence of str
        Those of `Learner.query`.
    encoder, neighbours, epochs
        As for `Learner`.
    rounds, first : int
        Round i asks for ``first · (3/2) ** (i − 1)`` pairs.
    seeds : int, or sequence of int
        Each strategy is run with each; a number k stands for ``0 .. k-1``.
    lr : float, or {strategy: float}
        The learning rate; by default that of `Cosine`.

    Raises
    ------
    PairsError
        Unknown strategies, parts that are missing or share sentences.
    """
    graphs = _graphs(parts)
    if not isinstance(seeds, Sequence):
        seeds = range(check_int("seeds", seeds))
    _check(strategies, rounds, first, len(seeds))
    train, dev, test = (World(graphs[name]) for name in PARTS)
    texts = sorted(train.graph.sentences.to_pylist())
    base = model_of(encoder, texts, progress=False)
    if epochs is not None:
        base.epochs = epochs
    rates = lr
    if not isinstance(lr, Mapping):
        rates = dict.fromkeys(strategies, lr)
    usual = base.lr
    rows = []
    asked = []
    scores = {}
    runs = list(product(seeds, strategies))
    for seed, strategy in tqdm(runs, "simulating", unit="run", disable=not progress):
        base.lr = rates.get(strategy) or usual
        learner = Learner(texts, base, seed=seed, neighbours=neighbours)
        for at, size in enumerate(sizes(first, rounds), 1):
            batch = learner.query(size, strategy)[["text_a", "text_b"]]
            ends = [train.nodes(batch[side]) for side in ("text_a", "text_b")]
            label = np.isin(train.ranks(*ends), train.positives).astype(int)
            batch = batch.assign(label=label)
            asked.append(batch.assign(strategy=strategy, seed=seed, round=at))
            learner.teach(batch)
            counts = (len(learner.known), int(learner.known["label"].sum()))
            of_dev, _ = _score(dev, learner)
            rows.append((strategy, seed, at, *counts, of_dev, *_score(test, learner)))
        vectors = learner.model.vectors
        scores[strategy, seed] = all_pairs(graphs["test"], vectors=vectors, progress=False)
    columns = ["strategy", "seed", "round", "asked", "positives", "ap_dev", "ap_test", "p20_test"]
    table = pd.DataFrame(rows, columns=columns)
    columns = ["strategy", "seed", "round", "text_a", "text_b", "label"]
    questions = pd.concat(asked, ignore_index=True)[columns]
    return Simulation(table, questions, scores)


def sizes(first: int, rounds: int) -> list[int]:
    """Return how many pairs each round asks for (Mussmann, Jia and Liang 2020, section 5.1).

    >>> sum(sizes(2048, 10)), sum(sizes(2048, 4))
    (232100, 16640)
    """
    return [round(first * 1.5**i) for i in range(rounds)]


def _score(world: World, learner: Learner) -> tuple[float, float]:
    """Return average precision on all pairs, and precision at 20 % recall, as `all_pairs` without its interval."""
    texts = world.graph.sentences.to_pylist()
    vectors = learner.model.vectors(texts)
    steps, *_ = count_all(world, scaled(vectors, len(texts)))
    precision, _ = steps.at_fifth()
    return steps.average_precision(), precision


def _graphs(
    parts: pd.DataFrame | Mapping[str, pd.DataFrame | ParaphraseGraph],
) -> dict[str, ParaphraseGraph]:
    """Return the graph of each part; `PairsError` where one is missing, without a positive, or shares a sentence."""
    if isinstance(parts, pd.DataFrame):
        if "split" not in parts:
            raise PairsError("one table needs a column split, as pg.split makes it")
        split = parts["split"]
        parts = {name: parts[(split == name).fillna(False)] for name in PARTS}
    missing = [name for name in PARTS if name not in parts or not len(parts[name])]
    if missing:
        names = ", ".join(missing)
        raise PairsError(f"a simulation needs the parts train, dev and test; missing: {names}")
    graphs = {}
    seen = {}
    for name in PARTS:
        graph = parts[name]
        if not isinstance(graph, ParaphraseGraph):
            graph = ParaphraseGraph.from_pairs(graph)
        graphs[name] = graph
        if not (graph.edge_sign > 0).any():
            raise PairsError(f"no pair of {name} is positive, so there is nothing to find")
        for text in graph.sentences.to_pylist():
            other = seen.setdefault(text, name)
            if other != name:
                raise PairsError(
                    f"{text!r} is in {other} and in {name}; pg.split keeps sentences apart"
                )
    return graphs


def _check(strategies: Sequence[str], rounds: int, first: int, seeds: int) -> None:
    for name in strategies:
        if name not in STRATEGIES:
            raise PairsError(f"strategy {name!r} is not one of {', '.join(STRATEGIES)}")
    check_int("rounds", rounds)
    check_int("first", first)
    check_int("seeds", seeds)
