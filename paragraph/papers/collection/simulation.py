"""Strategies of collecting labels, compared on labelled data as if nobody had labelled them yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from .cosine import CosineModel
from .learner import STRATEGIES, Learner, model_of
from .ranking import count_all, scaled
from .worlds import World, random_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["KNOWN", "Simulation", "simulate", "sizes"]

#: Strategies of `Learner.query`, and those that take labels nobody would have yet.
KNOWN = (*STRATEGIES, "stated", "stratified", "stratified-all")
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
    encoder: str | PathLike | CosineModel = "bow",
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

    The labels of the training part answer; those of dev and test are read only to evaluate. Nothing is inferred by
    transitivity. In bipartite data the right sentences of all parts are one pool, and the left ones differ.

    Parameters
    ----------
    parts : {"train": …, "dev": …, "test": …} of pair tables or graphs, or one table with a column `split`
        No sentence in two of them.
    strategies : sequence of str
        Those of `Learner.query`; and, of labels nobody would have yet, "stated" (all positives by closure, and the
        stated negatives), "stratified" (random positives and negatives, as many as "uncertainty" has found, which
        has to be among the strategies) and "stratified-all" (all positives and as many random negatives; in bipartite
        data negatives up to the number asked otherwise).
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
    graphs, pool = _graphs(parts)
    if not isinstance(seeds, Sequence):
        seeds = range(check_int("seeds", seeds))
    _check(strategies, rounds, first, len(seeds))
    train, *held_out = (World(graphs[name], pool) for name in PARTS)
    left = train.texts()
    right = []
    if train.two_sided:
        left = train.texts(train.rows)
        right = train.texts(train.columns)
    options = {} if epochs is None else {"epochs": epochs}
    texts = sorted({*left, *right})
    base = model_of(encoder, texts, **options, progress=False)
    rates = lr
    if not isinstance(lr, Mapping):
        rates = dict.fromkeys(strategies, lr)
    usual = base.schedule.lr
    rows = []
    asked = []
    scores = {}
    runs = len(seeds) * len(strategies)
    bar = tqdm(total=runs, desc="simulating", unit="run", disable=not progress)
    for seed in seeds:
        found: dict[str, list[int]] = {}  # positives of each round
        for strategy in sorted(
            strategies, key="stratified".__eq__
        ):  # which needs the others' counts
            rate = rates.get(strategy) or usual
            base.schedule = base.schedule._replace(lr=rate)
            learner = Learner(left, base, others=right, seed=seed, neighbours=neighbours)
            found[strategy] = []
            known = np.empty(0, dtype=np.int64)
            once = strategy in ("stated", "stratified-all")
            batches = sizes(first, 1 if once else rounds)
            for at, size in enumerate(batches, 1):
                if strategy == "stated":
                    stated = np.union1d(train.positives, train.negatives)
                    batch = train.table(stated)
                elif strategy == "stratified":
                    positives = found["uncertainty"][at - 1]
                    negatives = size - positives
                    batch = _draw(train, known, positives, negatives, [seed, at])
                elif strategy == "stratified-all":
                    positives = len(train.positives)
                    negatives = positives
                    if train.two_sided:
                        total = sum(sizes(first, rounds))
                        negatives = max(0, total - positives)
                    batch = _draw(train, known, positives, negatives, [seed, at])
                else:
                    batch = learner.query(size, strategy)
                # A pair that nobody stated counts as 0 (Mussmann, Jia and Liang 2020, section 3.1.2).
                a = train.nodes(batch["text_a"].tolist())
                b = train.nodes(batch["text_b"].tolist())
                ranks = train.ranks(a, b)
                known = np.union1d(known, ranks)
                label = np.isin(ranks, train.positives).astype(int)
                batch = batch[["text_a", "text_b"]].assign(label=label)
                found[strategy].append(int(label.sum()))
                questions = batch.assign(strategy=strategy, seed=seed, round=at)
                asked.append(questions)
                learner.teach(batch)
                (dev, _), test = (_score(world, learner) for world in held_out)
                so_far = sum(found[strategy])
                counts = (len(known), so_far)
                rows.append((strategy, seed, at, *counts, dev, *test))
            vectors = learner.model.vectors
            found_of = all_pairs(graphs["test"], vectors=vectors, others=pool, progress=False)
            scores[strategy, seed] = found_of
            bar.update()
    bar.close()
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


def _draw(
    world: World, known: np.ndarray, positives: int, negatives: int, seed: list[int]
) -> pd.DataFrame:
    """Draw this many random positives and negatives that are not known yet."""
    left = np.setdiff1d(world.positives, known)
    order = np.random.default_rng(seed).permutation(left)
    closed = np.union1d(world.positives, known)
    others, _ = random_pairs(world, closed, negatives, seed)
    return world.table(np.append(order[:positives], others))


def _score(world: World, learner: Learner) -> tuple[float, float]:
    """Return average precision on all pairs, and precision at 20 % recall, as `all_pairs` without its interval."""
    texts = world.graph.sentences.to_pylist()
    vectors = learner.model.vectors(texts)
    steps, *_ = count_all(world, scaled(vectors, len(texts)))
    precision, _ = steps.at_fifth()
    return steps.average_precision(), precision


def _graphs(
    parts: pd.DataFrame | Mapping[str, pd.DataFrame | ParaphraseGraph],
) -> tuple[dict[str, ParaphraseGraph], list[str]]:
    """Return the graph of each part; of two-sided data also all right sentences."""
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
    pool = set()
    for name in PARTS:
        graph = parts[name]
        if not isinstance(graph, ParaphraseGraph):
            graph = ParaphraseGraph.from_pairs(graph)
        graphs[name] = graph
        if graph.bipartite != graphs["train"].bipartite:
            raise PairsError("some parts have two sides and some have one")
        if not (graph.edge_sign > 0).any():
            raise PairsError(f"no pair of {name} is positive, so there is nothing to find")
        nodes = np.arange(graph.n)
        if graph.bipartite:
            nodes = np.unique(graph.row_a)
        for text in graph.texts(nodes):
            other = seen.setdefault(text, name)
            if other != name:
                raise PairsError(
                    f"{text!r} is in {other} and in {name}; pg.split keeps sentences apart"
                )
        if graph.bipartite:
            pool.update(graph.texts(np.unique(graph.row_b)))
    return graphs, sorted(pool)


def _check(strategies: Sequence[str], rounds: int, first: int, seeds: int) -> None:
    for name in strategies:
        if name not in KNOWN:
            raise PairsError(f"strategy {name!r} is not one of {', '.join(KNOWN)}")
    if "stratified" in strategies and "uncertainty" not in strategies:
        raise PairsError(
            "'stratified' takes as many positives as 'uncertainty' has found: name that too"
        )
    check_int("rounds", rounds)
    check_int("first", first)
    check_int("seeds", seeds)
