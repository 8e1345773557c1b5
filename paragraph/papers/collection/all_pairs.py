"""A score on *all* pairs of some sentences, of which nearly all are negative; its precision, corrected by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...files import PairsError
from ...files.errors import check_int
from ..experiments.resampling import interval
from ..experiments.scoring import floats, steps
from ..experiments.scoring import scores as accuracies
from .corrected import STRATA, Corrected, correct
from .ranking import cosines, count_all, scaled
from .worlds import World, near_pairs, random_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...graph import ParaphraseGraph

__all__ = ["AllPairs", "all_pairs"]

#: A function from a pair table to a number for each pair.
Scorer = Callable[[pd.DataFrame], np.ndarray]
#: Pairs that a function is asked about at most.
MOST = 10**8
#: Pairs that it is asked about at a time.
PART = 1 << 18


@dataclass(frozen=True)
class AllPairs:
    """A score on all pairs of a world, as `all_pairs` finds it.

    Attributes
    ----------
    world : World
    method : {"exact", "estimate"}
    ap : float
        The average precision; pairs of one score are found together.
    low, high : float
        Its 95 % interval (`resampling.interval`).
    p_r20, threshold : float
        The precision at the first threshold with a recall of 20 % or more; that threshold.
    curve : DataFrame
        `threshold`, `recall`, `precision` at every score that a positive has, the highest first.
    sample : DataFrame
        `rank`, `score`, `positive`, `near`, `weight` of some pairs: all positives, the near negatives, and random
        pairs with the weight of the pairs they stand for. Where all pairs are scored, *near* are the highest scores.
    negatives : array
        The scores of the stated negatives.
    """

    world: World
    method: str
    ap: float
    low: float
    high: float
    p_r20: float
    threshold: float
    curve: pd.DataFrame
    sample: pd.DataFrame
    negatives: np.ndarray

    def __repr__(self) -> str:
        rare = self._rarity()
        interval = f"{100 * self.low:.3g} to {100 * self.high:.3g}"
        return f"<AllPairs: AP {100 * self.ap:.3g} % ({interval}), {self.method}; {rare}>"

    def _rarity(self) -> str:
        one_in = self.world.size / len(self.world.positives)
        return f"1 in {one_in:,.0f} of {self.world.size:,} pairs positive"

    def stated(self) -> tuple[np.ndarray, np.ndarray]:
        """Return label and score of the pairs balanced by choice: all positives, and the stated negatives."""
        positive = self.sample.loc[self.sample["positive"], "score"]
        counts = [len(positive), len(self.negatives)]
        label = np.repeat([1, 0], counts)
        return label, np.append(positive, self.negatives)

    def balanced(self) -> pd.Series:
        """Return accuracy, F1 and average precision on the `stated` pairs; from a score of .5 on, 1 is predicted."""
        label, score = self.stated()
        found = accuracies(label, score >= 0.5)
        found = found[["n", "positives", "accuracy", "F1"]]
        found["average precision"] = steps(score, label == 1).average_precision()
        return found

    def figure(self) -> Figure:
        """Draw precision over recall on all pairs and on the balanced ones."""
        from ...draw.figures import new_figure
        from ...draw.style import NEGATIVE, POSITIVE, QUIET
        from ..experiments.charts import plain

        label, score = self.stated()
        stated = steps(score, label == 1)
        figure = new_figure(5.6, 4.6, layout="constrained")
        axes = plain(figure.subplots())

        def draw(name: str, table: pd.DataFrame, average: float, **style: Any) -> None:
            recall = [0, *table["recall"]]
            precision = table["precision"].tolist()
            style["label"] = f"{name}: average precision {average:.1%}"
            axes.step(recall, [precision[0], *precision], where="pre", lw=1.8, **style)

        draw("all pairs", self.curve, self.ap, color=POSITIVE, ls="-")
        average = stated.average_precision()
        curve = stated.curve()
        draw("positives and stated negatives", curve, average, color=NEGATIVE, ls="--")
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        axes.set_xlabel("recall: share of the positives found")
        axes.set_ylabel("precision: share of positives\namong the pairs found")
        axes.set_title(self._rarity(), size=10, color=QUIET, loc="left")
        figure.legend(frameon=False, fontsize=9, handlelength=3.2, loc="outside lower left")
        return figure

    def false_positives(self, n: int = 50, seed: int = 0) -> pd.DataFrame:
        """Draw up to `n` random false positives at the threshold of each stratum, shuffled.

        Columns `text_a`, `text_b`, `label` (0), `stratum`, `score`, and `same`, which is empty: 1 where the two mean
        the same after all, 0 where not. In a spreadsheet, or by keys: ``PairReview(table, graph)``.
        """
        rng = np.random.default_rng(seed)
        wrong = self.wrong
        drawn = [wrong[:0]]
        for _, part in wrong.groupby("stratum"):
            size = min(n, len(part))
            drawn.append(part.sample(size, random_state=rng))
        drawn = pd.concat(drawn)
        table = drawn.sample(frac=1, random_state=rng)
        texts = self.world.table(table["rank"].to_numpy())
        facts = table[["stratum", "score"]].reset_index(drop=True)
        facts["same"] = pd.Series(pd.NA, facts.index, "Int8")
        return texts.assign(label=0).join(facts)

    def corrected(self, answers: Any) -> Corrected:
        """Correct the precision at the threshold by people's answers about random false positives (`correct`)."""
        return correct(self, answers)

    @property
    def wrong(self) -> pd.DataFrame:
        """The rows of `sample` that are false positives at the threshold, and the `stratum` of each."""
        high = self.sample["score"] >= self.threshold
        wrong = self.sample[high & ~self.sample["positive"]]
        return wrong.assign(stratum=np.where(wrong["near"], *STRATA))


def all_pairs(
    graph: ParaphraseGraph,
    *,
    vectors: np.ndarray | Callable[[list[str]], np.ndarray] | None = None,
    scores: Scorer | None = None,
    near: int = 100,
    random: int | None = None,
    seed: int = 0,
    progress: bool = True,
) -> AllPairs:
    """Measure how well a score finds the positives among all pairs of the sentences of a graph.

    Positive are the pairs inside clusters; all others count as negative, whether a row states that or not. So
    positives are few, and a score that is good on the stated pairs can be poor here.

    Parameters
    ----------
    graph : ParaphraseGraph
        A sentence that no pair holds joins it by a row that pairs it with itself.
    vectors : array (n, d), or a function from a list of sentences to one
        Those of the graph's sentences, in their order. The score is the cosine; where scores are given too, vectors
        tell only what is near.
    scores : function from a pair table to an array
        Such as ``predict_proba`` of a model.
    random : int, optional
        Estimate: score the positives, the near pairs, and this many random pairs, which stand for all the rest. By
        default every pair is scored.
    near : int
        For an estimate: how many neighbours of each sentence, by the vectors, are scored with it.
    seed : int
        Draws the random pairs and the interval.
    progress : bool
        Show a progress bar where it takes long.

    Raises
    ------
    PairsError
        There is no positive; a score or a vector is no number; the data have two sides.

    References
    ----------
    S. Mussmann, R. Jia and P. Liang (2020), On the importance of adaptive data collection for extremely imbalanced
    pairwise tasks. Findings of EMNLP, sections 2.2 and 3.1, appendix A.2.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> vectors = np.random.default_rng(0).standard_normal((graph.n, 40))
    >>> vectors += vectors[graph.cluster_of]  # sentences of a cluster have something in common
    >>> all_pairs(graph, vectors=vectors)
    <AllPairs: AP 44.3 % (36.8 to 52.1), exact; 1 in 263 of 381,501 pairs positive>
    """
    world = World(graph)
    _check(world, vectors, scores, near, random)
    if callable(vectors):
        vectors = vectors(graph.sentences.to_pylist())
    if vectors is not None:
        vectors = scaled(vectors, world.n)

    def score_of(ranks: np.ndarray) -> np.ndarray:
        if scores is None:
            return cosines(vectors, *world.ends(ranks))
        return _score_pairs(world, scores, ranks, progress)

    ranking = None
    weight = 1.0
    if random is not None:
        known = near_pairs(world, vectors, near, progress)
        known = np.union1d(world.positives, known)
        drawn, weight = random_pairs(world, known, random, seed)
        rank = np.append(known, drawn)
        counted = len(known)
        score = score_of(rank)
    elif vectors is not None:
        ranking, rank, score, counted = count_all(world, vectors, seed, progress)
        drawn = len(rank) - counted
        weight = (world.size - counted) / max(1, drawn)
    else:
        counted = world.size
        rank = np.arange(min(counted, MOST + 1))
        score = score_of(rank)
    positive = np.isin(rank, world.positives)
    sample = pd.DataFrame({"rank": rank, "score": score, "positive": positive})
    sample["near"] = np.arange(len(rank)) < counted
    sample["weight"] = np.where(sample["near"], 1.0, weight)
    arrays = [score, positive, sample["weight"].to_numpy()]
    if ranking is None:
        ranking = steps(*arrays)
    ends = world.ends(rank)
    units = tuple(world.unit[nodes] for nodes in ends)
    low, high = interval(*arrays, units, seed)
    p_r20, threshold = ranking.at_fifth()
    curve = ranking.curve()[ranking.hits > 0]
    curve = curve.reset_index(drop=True)
    method = "exact" if random is None else "estimate"
    ap = ranking.average_precision()
    negatives = score_of(world.negatives)
    return AllPairs(
        world, method, ap, low, high, p_r20, threshold, curve, sample, negatives
    )  # fmt: skip


def _check(world: World, vectors: Any, scores: Any, near: int, random: int | None) -> None:
    """Refuse arguments that do not go together."""
    if not len(world.positives):
        raise PairsError("no pair of these sentences is positive, so there is nothing to find")
    if scores is not None and not callable(scores):
        raise PairsError(
            "scores are a function of a table of pairs, such as predict_proba of a model"
        )
    one_way = (vectors is None) != (scores is None)
    estimated = random is not None and scores is not None
    if not (one_way or estimated):
        raise PairsError(
            "give vectors or scores, one of the two; an estimate takes a function that scores and vectors"
        )
    if random is not None:
        check_int("random", random)
        check_int("near", near, 0)
        if vectors is None:
            raise PairsError("what is near? An estimate needs vectors")


def _score_pairs(world: World, score: Scorer, ranks: np.ndarray, progress: bool) -> np.ndarray:
    """Return the scores that a function gives pairs, a part at a time."""
    if len(ranks) > MOST:
        raise PairsError(
            f"to score {len(ranks):,} pairs one by one would take too long: random=1_000_000 estimates"
        )
    from tqdm.auto import tqdm

    found = np.empty(len(ranks))
    parts = range(0, len(ranks), PART)
    for i in tqdm(parts, "pairs scored", delay=2, disable=not progress):
        table = world.table(ranks[i : i + PART])
        values = floats(score(table), "score")
        if values.shape != (len(table),):
            raise PairsError(
                f"scores must be one number per pair, ({len(table):,},); these are {values.shape}"
            )
        finite = np.isfinite(values)
        if not finite.all():
            first = int(np.argmin(finite))
            one, other = table.iloc[first]
            raise PairsError(f"the score of {one!r} with {other!r} is not a number")
        found[i : i + PART] = values
    return found
