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
from ...files.errors import whole
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
    seeds = range(whole("seeds", seeds)) if not isinstance(seeds, Sequence) else seeds
    _check(strategies, rounds, first, len(seeds))
    train, *held_out = (World(graphs[name], pool) for name in PARTS)
    right = train.texts(train.columns) if train.two_sided else []
    left = train.texts(train.rows if train.two_sided else None)
    options = {} if epochs is None else {"epochs": epochs}
    base = model_of(encoder, sorted({*left, *right}), **options, progress=False)
    rates, usual = lr if isinstance(lr, Mapping) else dict.fromkeys(strategies, lr), base.schedule.lr
    rows, asked, scores = [], [], {}
    bar = tqdm(total=len(seeds) * len(strategies), desc="simulating", unit="run", disable=not progress)
    for seed in seeds:
        found: dict[str, list[int]] = {}  # positives of each round
        for strategy in sorted(strategies, key="stratified".__eq__):  # which needs the others' counts
            base.schedule = base.schedule._replace(lr=rates.get(strategy) or usual)
            learner = Learner(left, base, others=right, seed=seed, neighbours=neighbours)
            found[strategy], known = [], np.empty(0, dtype=np.int64)
            once = strategy in ("stated", "stratified-all")
            for at, size in enumerate(sizes(first, 1 if once else rounds), 1):
                if strategy == "stated":
                    batch = train.table(np.union1d(train.positives, train.negatives))
                elif strategy == "stratified":
                    positives = found["uncertainty"][at - 1]
                    batch = _drawn(train, known, positives, size - positives, [seed, at])
                elif strategy == "stratified-all":
                    positives = len(train.positives)
                    left_over = max(0, sum(sizes(first, rounds)) - positives)
                    batch = _drawn(train, known, positives, left_over if train.two_sided else positives, [seed, at])
                else:
                    batch = learner.query(size, strategy)
                # A pair that nobody stated counts as 0 (Mussmann, Jia and Liang 2020, section 3.1.2).
                ranks = train.ranks(*(train.nodes(batch[name].tolist()) for name in ("text_a", "text_b")))
                known = np.union1d(known, ranks)
                batch = batch[["text_a", "text_b"]].assign(label=np.isin(ranks, train.positives).astype(int))
                found[strategy].append(int(batch["label"].sum()))
                asked.append(batch.assign(strategy=strategy, seed=seed, round=at))
                learner.teach(batch)
                (dev, _), test = (_score(world, learner) for world in held_out)
                rows.append((strategy, seed, at, len(known), sum(found[strategy]), dev, *test))
            scores[strategy, seed] = all_pairs(
                graphs["test"], vectors=learner.model.vectors, others=pool, progress=False
            )
            bar.update()
    bar.close()
    columns = ["strategy", "seed", "round", "asked", "positives", "ap_dev", "ap_test", "p20_test"]
    questions = pd.concat(asked, ignore_index=True)[["strategy", "seed", "round", "text_a", "text_b", "label"]]
    return Simulation(pd.DataFrame(rows, columns=columns), questions, scores)


def sizes(first: int, rounds: int) -> list[int]:
    """Return how many pairs each round asks for (Mussmann, Jia and Liang 2020, section 5.1).

    >>> sum(sizes(2048, 10)), sum(sizes(2048, 4))
    (232100, 16640)
    """
    return [round(first * 1.5**i) for i in range(rounds)]


def _drawn(world: World, known: np.ndarray, positives: int, negatives: int, seed: list[int]) -> pd.DataFrame:
    """Draw this many random positives and negatives that are not known yet."""
    left = np.setdiff1d(world.positives, known)
    some = np.random.default_rng(seed).permutation(left)[:positives]
    others, _ = random_pairs(world, np.union1d(world.positives, known), negatives, seed)
    return world.table(np.append(some, others))


def _score(world: World, learner: Learner) -> tuple[float, float]:
    """Return average precision on all pairs, and precision at 20 % recall, as `all_pairs` without its interval."""
    vectors = scaled(learner.model.vectors(world.graph.sentences.to_pylist()), world.graph.n)
    steps = count_all(world, vectors)[0]
    return steps.average_precision(), steps.at_fifth()[0]


def _graphs(
    parts: pd.DataFrame | Mapping[str, pd.DataFrame | ParaphraseGraph],
) -> tuple[dict[str, ParaphraseGraph], list[str]]:
    """Return the graph of each part; of two-sided data also all right sentences."""
    if isinstance(parts, pd.DataFrame):
        if "split" not in parts:
            raise PairsError("one table needs a column split, as pg.split makes it")
        parts = {name: parts[(parts["split"] == name).fillna(False)] for name in PARTS}
    if missing := [name for name in PARTS if name not in parts or not len(parts[name])]:
        raise PairsError(f"a simulation needs the parts train, dev and test; missing: {', '.join(missing)}")
    graphs, seen, pool = {}, {}, set()
    for name in PARTS:
        part = parts[name]
        graph = graphs[name] = part if isinstance(part, ParaphraseGraph) else ParaphraseGraph.from_pairs(part)
        if graph.bipartite != graphs["train"].bipartite:
            raise PairsError("some parts have two sides and some have one")
        if not (graph.edge_sign > 0).any():
            raise PairsError(f"no pair of {name} is positive, so there is nothing to find")
        for text in graph.texts(np.unique(graph.row_a) if graph.bipartite else np.arange(graph.n)):
            if seen.setdefault(text, name) != name:
                raise PairsError(f"{text!r} is in {seen[text]} and in {name}; pg.split keeps sentences apart")
        if graph.bipartite:
            pool.update(graph.texts(np.unique(graph.row_b)))
    return graphs, sorted(pool)


def _check(strategies: Sequence[str], rounds: int, first: int, seeds: int) -> None:
    if unknown := [name for name in strategies if name not in KNOWN]:
        raise PairsError(f"strategy {unknown[0]!r} is not one of {', '.join(KNOWN)}")
    if "stratified" in strategies and "uncertainty" not in strategies:
        raise PairsError("'stratified' takes as many positives as 'uncertainty' has found: name that too")
    for name, value in (("rounds", rounds), ("first", first), ("seeds", seeds)):
        whole(name, value)
