"""What a score is worth on *all* pairs of some sentences, of which nearly all are negative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..graph.identity import column, row_name
from ..pairs import PairsError
from ..pairs.columns import canonical
from ..pairs.errors import whole
from .corrected import correct, queue
from .counting import cosines, count_all, unit
from .ranking import Steps, interval, steps
from .sampling import near_pairs, random_pairs
from .scoring import scores as accuracies
from .worlds import World

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..graph import ParaphraseGraph

__all__ = ["AllPairs", "all_pairs"]

#: Pairs that a function is asked about at most.
MOST = 10**8


@dataclass(frozen=True)
class AllPairs:
    """A score on all pairs of a world, as `all_pairs` finds it.

    Attributes
    ----------
    world : World
    method : {"exact", "estimate"}
    ap, ap_min, ap_max : float
        The average precision, ties merged; and between what it lies, however ties are resolved.
    low, high : float
        Its 95 % interval (`ranking.interval`).
    p_r20, threshold : float
        The precision at the first threshold with a recall of 20 % or more; that threshold.
    curve : DataFrame
        `threshold`, `recall`, `precision` at every score that a positive has, the highest first.
    sample : DataFrame
        `rank`, `score`, `positive`, `near`, `weight` of some pairs: all positives, the near negatives, and random
        ones with the weight of those they stand for. Where all pairs are scored, *near* are those of highest score.
    negatives : array
        The scores of the stated negatives.
    """

    world: World
    method: str
    ap: float
    ap_min: float
    ap_max: float
    low: float
    high: float
    p_r20: float
    threshold: float
    curve: pd.DataFrame
    sample: pd.DataFrame
    negatives: np.ndarray

    def summary(self) -> dict[str, Any]:
        """The figures by name."""
        counts = {"sentences": self.world.n, "pairs": self.world.size, "positives": len(self.world.positives)}
        names = {"ap": "AP", "ap_min": "AP_min", "ap_max": "AP_max", "low": "AP_low", "high": "AP_high"}
        names |= {"p_r20": "P_R20", "threshold": "threshold"}
        return counts | {"method": self.method} | {name: getattr(self, field) for field, name in names.items()}

    def __repr__(self) -> str:
        rare = f"1 in {self.world.size / len(self.world.positives):,.0f} of {self.world.size:,} pairs positive"
        ap, low, high = (f"{100 * value:.3g}" for value in (self.ap, self.low, self.high))
        return f"<AllPairs: AP {ap} % ({low} to {high}), {self.method}; {rare}>"

    def stated(self) -> tuple[np.ndarray, np.ndarray]:
        """Label and score of the pairs that are balanced by choice: all positives, and the stated negatives."""
        positive = self.sample.loc[self.sample["positive"], "score"]
        return np.repeat([1, 0], [len(positive), len(self.negatives)]), np.append(positive, self.negatives)

    def balanced(self, threshold: float = 0.5) -> pd.Series:
        """Accuracy, F1 and average precision on those pairs; one with the threshold or more is predicted 1."""
        label, score = self.stated()
        found = accuracies(label, score >= threshold)[["n", "positives", "accuracy", "F1"]]
        found["average precision"] = steps(score, label == 1).average_precision()[0]
        return found

    def figure(self) -> Figure:
        """Precision over recall on all pairs and on the balanced ones; and how rare positives are."""
        from ..draw.charts import draw_rare

        label, score = self.stated()
        stated = steps(score, label == 1)
        curves = {"positives and stated negatives": (_curve(stated), stated.average_precision()[0])}
        return draw_rare({"all pairs": (self.curve, self.ap)} | curves, self.world.size, len(self.world.positives))

    false_positives = queue
    corrected = correct


def all_pairs(
    graph: ParaphraseGraph,
    *,
    vectors: np.ndarray | Callable[[list[str]], np.ndarray] | None = None,
    scores: pd.DataFrame | Callable[[pd.DataFrame], np.ndarray] | None = None,
    others: Sequence[str] = (),
    near: int | tuple[np.ndarray, np.ndarray] | None = None,
    random: int | None = None,
    seed: int = 0,
    progress: bool = True,
) -> AllPairs:
    """How well a score finds the positives among all pairs of the sentences of a graph.

    Positive are the pairs inside clusters; all others count as negative, whether a row states that or not. So
    positives are few, and a score that is good on the stated pairs can be poor here.

    Parameters
    ----------
    graph : ParaphraseGraph
        In bipartite data the pairs are those of a left and a right sentence, and only stated positives count.
    vectors : array (n, d), or a function from a list of sentences to one
        Of the graph's sentences, in their order, then of the others. The score is the cosine; where there are scores
        too, vectors tell only what is near.
    scores : DataFrame, or a function from a pair table to an array
        `text_a`, `text_b`, `score`: every unordered pair once. Or what scores pairs, as ``predict_proba`` of a model.
    others : sequence of str
        Further sentences, that no row names; in bipartite data on the right side.
    random : int, optional
        An estimate: not all pairs are scored, but the positives, the near pairs, and so many random ones of the rest,
        which stand for all of it. Without it, everything is exact.
    near : int, or two integer arrays, optional
        Of an estimate: for how many neighbours of each sentence the pairs with it are scored (default: 100, by the
        vectors); or the pairs themselves, as numbers of sentences, such as neighbours by another encoder.
    seed : int
        Of the random pairs, and of the interval.
    progress : bool
        Show a progress bar where it takes long.

    Raises
    ------
    PairsError
        There is no positive; a pair has no score, or two; a score or a vector is no number. Row and value are named.

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
    world = World(graph, others)
    positives, negatives = world.positives, world.negatives
    if not len(positives):
        raise PairsError("no pair of these sentences is positive, so there is nothing to find")
    if (vectors is None) == (scores is None) and (random is None or not callable(scores)):
        raise PairsError("give vectors or scores, one of the two; of an estimate, a function that scores and vectors")
    if random is None and near is not None:
        raise PairsError("near pairs are of use to an estimate: say also how many random pairs, random=1_000_000")
    whole("seed", seed, 0)
    if random is not None:
        whole("random", random)
    if near is not None and not isinstance(near, tuple | list):
        whole("near", near, 0)
    if vectors is not None:
        vectors = unit(vectors(world.texts()) if callable(vectors) else vectors, world.n)
    if scores is not None and not callable(scores):
        if random is not None:
            raise PairsError("scores of all pairs need no estimate: leave random out")
        table = _read(world, scores)

    def score_of(ranks: np.ndarray) -> np.ndarray:
        if scores is None:
            return cosines(vectors, *world.ends(ranks))
        return _asked(world, scores, ranks, progress) if callable(scores) else table[ranks]

    weight = found = None
    if random is not None:
        if isinstance(near, tuple | list):
            close = world.ranks(*_numbers(world, near))
        elif vectors is not None:
            close = near_pairs(world, vectors, 100 if near is None else near, progress)
        else:
            raise PairsError("what is near? Give vectors, or near as two arrays of sentences")
        known = np.union1d(positives, close[close >= 0])
        drawn, weight = random_pairs(world, known, random, seed)
        rank, scored = np.append(known, drawn), len(known)
    elif vectors is not None:
        found, rank, score, scored = count_all(world, vectors, seed, progress)
        weight = (world.size - scored) / max(1, len(rank) - scored)
    else:
        rank, scored = np.arange(min(world.size, MOST + 1)), world.size
    if found is None:
        score = score_of(rank)
    sample = pd.DataFrame({"rank": rank, "score": score, "positive": np.isin(rank, positives)})
    sample["near"] = np.arange(len(rank)) < scored
    sample["weight"] = np.where(sample["near"], 1.0, weight)
    arrays = [sample[name].to_numpy() for name in ("score", "positive", "weight")]
    found = found or steps(*arrays)
    ends = tuple(world.unit[nodes] for nodes in world.ends(rank))
    curve = _curve(found)
    hits = np.cumsum(found.hits[found.hits > 0])
    fifth = curve.iloc[int(np.argmax(5 * hits >= hits[-1]))]
    return AllPairs(
        world, "exact" if random is None else "estimate", *found.average_precision(), *interval(*arrays, ends, seed),
        float(fifth["precision"]), float(fifth["threshold"]), curve, sample, score_of(negatives),
    )  # fmt: skip


def _numbers(world: World, near: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Both ends of some pairs, checked."""
    ends = [np.asarray(end) for end in near]
    if [end.shape for end in ends] != [(len(ends[0]),)] * 2 or any(end.dtype.kind not in "iu" for end in ends):
        raise PairsError("near must be two arrays of whole numbers, one for each end of the pairs, of one length")
    for end in ends:
        if ((end < 0) | (end >= world.n)).any():
            odd = end[(end < 0) | (end >= world.n)][0]
            raise PairsError(f"near: {odd} is no sentence; there are {world.n:,}, counted from 0")
    return ends


def _curve(found: Steps) -> pd.DataFrame:
    hits, pairs, has = np.cumsum(found.hits), np.cumsum(found.pairs), found.hits > 0
    columns = {"threshold": found.score, "recall": hits / hits[-1], "precision": hits / pairs}
    return pd.DataFrame({name: values[has] for name, values in columns.items()})


def _asked(
    world: World, score: Callable[[pd.DataFrame], np.ndarray], ranks: np.ndarray, progress: bool
) -> np.ndarray:
    """The scores that a function gives pairs, a part at a time."""
    if len(ranks) > MOST:
        raise PairsError(f"to score {len(ranks):,} pairs one by one would take too long: random=1_000_000 estimates")
    from tqdm.auto import tqdm

    begins = tqdm(range(0, len(ranks), 1 << 18), "pairs scored", delay=2, disable=not progress)
    tables = (world.table(ranks[i : i + (1 << 18)]) for i in begins)
    parts = [_numbers_of(score(table), len(table)) for table in tables]
    found = np.concatenate(parts or [np.empty(0)])
    if not np.isfinite(found).all():
        one, other = world.table(ranks[[np.argmin(np.isfinite(found))]]).iloc[0]
        raise PairsError(f"the score of {one!r} with {other!r} is not a number")
    return found


def _numbers_of(scores: np.ndarray, n: int) -> np.ndarray:
    """The scores of n pairs as float64; `PairsError` where they are not one number a pair."""
    try:
        found = np.asarray(scores, dtype=float)
    except (TypeError, ValueError) as error:
        raise PairsError(f"a score is not a number: {error}") from None
    if found.shape != (n,):
        raise PairsError(f"scores must be one number a pair, ({n:,},); these are {found.shape}")
    return found


def _read(world: World, table: pd.DataFrame) -> np.ndarray:
    """The score of every pair, from a table that has each once."""
    table = canonical(table, "a table of scores")
    if missing := {"text_a", "text_b", "score"} - {*table}:
        raise PairsError(f"a table of scores needs the columns text_a, text_b, score; missing: {sorted(missing)}")
    ends = [world.nodes(column(table, name).to_pylist()) for name in ("text_a", "text_b")]
    value = pd.to_numeric(table["score"], errors="coerce").to_numpy(float, na_value=np.nan)
    rank = np.where(np.minimum(*ends) < 0, -1, world.ranks(*ends))
    for odd, why in (
        (ends[0] < 0, "{text_a!r} is not in the data"),
        (ends[1] < 0, "{text_b!r} is not in the data"),
        (rank < 0, "{text_a!r} and {text_b!r} are no pair: they are one sentence, or on one side"),
        (pd.Series(rank).duplicated(), "the pair {text_a!r}, {text_b!r} again; each unordered pair has one score"),
        (~np.isfinite(value), "score '{score}' is not a number"),
    ):
        if odd.any():
            at = int(np.argmax(odd))
            raise PairsError(f"{row_name(table, at)}: {why.format(**table.iloc[at])}")
    if len(table) < world.size:
        absent = np.ones(world.size, dtype=bool)
        absent[rank] = False
        one, other = world.table(np.flatnonzero(absent)[:1]).iloc[0]
        raise PairsError(f"{absent.sum():,} of {world.size:,} pairs have no score, as {one!r} with {other!r}")
    found = np.empty(world.size)
    found[rank] = value
    return found
