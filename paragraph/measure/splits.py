"""Splits in which no sentence is on two sides."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import connected, symmetric
from ..graph.identity import identify, signs
from ..pairs import PairsError
from ..pairs.errors import whole
from ..pairs.tables import canonical, origins

__all__ = ["Sides", "sides", "split"]

_SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
_LABELS = ("positive", "negative", "unlabelled")


def split(
    pairs: pd.DataFrame,
    shares: Mapping[str, float] = _SHARES,
    by: str = "components",
    seed: int = 0,
    identity: str = "text",
    count: str = "rows",
) -> pd.DataFrame:
    """Add a column `split` to a pair table, as close to the shares as whole components allow.

    Each split gets its share of the positive, of the negative and of the unlabelled rows, or of the sentences.
    ``.attrs["split_report"]`` compares the shares asked for with the result.

    Parameters
    ----------
    pairs : DataFrame
        A pair table.
    shares : mapping of name to share
        Positive, with sum 1.
    by : {"components", "clusters"}
        ``"components"``: sentences that any row joins (positive, negative, unlabelled) stay together, so no sentence
        is on two sides and every row has a split. ``"clusters"``: a component larger than the largest share is cut
        between its clusters; the rows that would cross have no split (missing), and the report counts them. No
        sentence and no cluster is on two sides, but there are fewer negatives.
    seed : int
        Decides between components, and between clusters, of equal size.
    identity : {"text", "normal", "id"}
        The rule by which two spellings are one sentence.
    count : {"rows", "sentences"}
        The unit of the shares; the clusters of a component that is cut are counted by rows.

    Warns
    -----
    UserWarning
        One component (or cluster) is larger than the largest share, rows cross, or a split stays empty.

    Raises
    ------
    PairsError
        Shares that do not add up, an unknown `by`, ``"clusters"`` of data whose sides are different things.

    Notes
    -----
    Components go, largest first, to the split where they add the least to the squared deviations from the shares;
    O(components × splits). Clusters of a component that is cut go to the split with which they share the most rows,
    with less weight the fuller it is (linear deterministic greedy: Stanton and Kliot 2012). A random cut into .8, .1,
    .1 would lose a third of the negatives, and nine in ten of those in the two small splits.

    Mussmann, Jia and Liang (2020), section 3.1, say that no two questions paired positively or negatively cross
    their splits, which is ``"components"``; their published code keeps only the positive components whole.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": [*"acegik"], "text_b": [*"bdfhjl"], "label": [1, 1, 1, 1, 0, 0]})
    >>> halves = split(pairs, {"train": 0.5, "test": 0.5})
    >>> halves.groupby("split")["label"].agg(["size", "sum"]).to_dict("index")
    {'test': {'size': 3, 'sum': 2}, 'train': {'size': 3, 'sum': 2}}
    """
    pairs = canonical(pairs, "a table to split")
    if "label" not in pairs:
        raise PairsError("a table to split needs the column label; a row without one has a missing label")
    whole("seed", seed, 0)
    names, share = _checked(shares)
    for name, value, known in (("by", by, ("components", "clusters")), ("count", count, ("rows", "sentences"))):
        if value not in known:
            raise PairsError(f"{name}={value!r} is not one of {', '.join(map(repr, known))}")
    if by == "clusters" and pairs.attrs.get("bipartite"):
        raise PairsError("the sides of these pairs are different things, so there are no clusters; by='components'")
    a, b, side, kind, thing, largest = sides(pairs, share, by, seed, identity, count)
    of_row = np.where(side[a] == side[b], side[a], len(names))  # the last place is for none
    counts = _count(of_row, kind, len(names) + 1)
    amounts, total = counts[:-1].sum(axis=1), len(pairs)
    if count == "sentences":
        amounts, total = np.bincount(side, minlength=len(names)), len(side)
    if largest > max(share) * total:
        advice = {
            "cluster": "no cluster is ever cut; look for wrong positives in it",
            "component": "by='clusters' cuts it between clusters, at the price of the rows that then cross",
        }
        large = f"one {thing} holds {largest:,} of {total:,} {count}, more than the largest share ({max(share):.0%})"
        warnings.warn(f"{large}, so the shares cannot be met: {advice[thing]}", stacklevel=2)
    if crossing := int(counts[-1].sum()):
        message = f"{crossing:,} of {len(pairs):,} rows join clusters on different sides and have no split"
        warnings.warn(message, stacklevel=2)
    if empty := [name for name, found in zip(names, counts, strict=False) if not found.any()]:
        warnings.warn(f"too few components: nothing is left for {', '.join(empty)}", stacklevel=2)
    rows = [{"rows": sum(row), **dict(zip(_LABELS, row, strict=True))} for row in counts.tolist()]
    splits = {}
    for name, asked, amount, row in zip(names, share, amounts.tolist(), rows, strict=False):
        splits[name] = {"asked": asked, "achieved": round(amount / max(1, amounts.sum()), 6), **row}
        if count == "sentences":
            splits[name]["sentences"] = amount
    result = pairs.assign(split=pd.array([*names, None], dtype="str").take(of_row))
    result.attrs["split_report"] = {"by": by, "seed": seed, "splits": splits, "without_split": rows[-1]}
    return result


class Sides(NamedTuple):
    """The side of every sentence of a pair table; see `sides`."""

    a: np.ndarray  #: sentence of each row
    b: np.ndarray  #: the other one
    side: np.ndarray  #: of each sentence
    kind: np.ndarray  #: of each row: 0 positive, 1 negative, 2 unlabelled
    thing: str  #: what was kept whole: "component", or "cluster" where one was cut
    largest: int  #: rows, or sentences, of the largest such thing


def sides(
    pairs: pd.DataFrame, share: list[float], by: str, seed: int, identity: str = "text", count: str = "rows"
) -> Sides:
    """Give every sentence one of ``len(share)`` sides, like `split`; the caller decides about rows that cross."""
    sentences = identify(pairs, identity)
    a, b, n = sentences.a, sentences.b, len(sentences.texts)
    kind = np.array([2, 0, 1])[signs(pairs)]  # by sign: 0, 1, -1
    rng = np.random.default_rng(seed)

    made, stated = origins(pairs)  # what was made from a row takes its side
    component = connected(n, np.r_[a, a[made], b[made]], np.r_[b, a[stated], b[stated]])
    amounts, total = _count(component[a], kind, component.max(initial=-1) + 1), len(pairs)
    if count == "sentences":
        amounts, total = np.zeros_like(amounts), n
        amounts[:, 0] = np.bincount(component, minlength=len(amounts))
    too_large = amounts.sum(axis=1) > max(share) * total
    thing, largest = "component", amounts.sum(axis=1).max(initial=0)
    side, cut = np.full(n, -1), np.zeros(len(a), dtype=bool)
    if by == "clusters" and too_large.any():
        cluster = ParaphraseGraph.from_pairs(pairs, identity).cluster_of
        cut = too_large[component[a]]
        nodes = np.flatnonzero(too_large[component])
        side[nodes] = _cut(cluster[a[cut]], cluster[b[cut]], share, rng)[cluster[nodes]]
        of = cluster if count == "sentences" else cluster[a[cluster[a] == cluster[b]]]
        thing, largest = "cluster", np.bincount(of).max(initial=0)
    inside = cut & (side[a] == side[b])
    loads = _count(side[a[inside]], kind[inside], len(share))
    if count == "sentences":
        loads[:, 0], loads[:, 1:] = np.bincount(side[side >= 0], minlength=len(share)), 0
    kept = np.unique(component[a[~cut]])
    side_of = np.zeros(len(amounts), dtype=np.int64)
    side_of[kept] = _assign(amounts[kept], share, loads, rng)
    return Sides(a, b, np.where(side < 0, side_of[component], side), kind, thing, int(largest))


def _checked(shares: Mapping[str, float]) -> tuple[list[str], list[float]]:
    if not isinstance(shares, Mapping) or not all(isinstance(x, int | float) for x in shares.values()):
        raise PairsError(f"shares must be numbers by name, such as {_SHARES}, not {shares!r}")
    share = [float(x) for x in shares.values()]
    if not (share and all(x > 0 for x in share) and math.isclose(sum(share), 1, abs_tol=1e-6)):
        raise PairsError(f"shares must be above 0 and add up to 1: {dict(shares)}")
    return list(shares), share


def _count(group: np.ndarray, kind: np.ndarray, k: int) -> np.ndarray:
    """Count the rows of each kind in each group: shape (k, 3)."""
    return np.bincount(group * len(_LABELS) + kind, minlength=k * len(_LABELS)).reshape(k, len(_LABELS))


def _largest_first(sizes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the order of decreasing sizes, equal ones shuffled."""
    order = rng.permutation(len(sizes))
    return order[np.argsort(-sizes[order], kind="stable")]


def _assign(rows: np.ndarray, share: list[float], loads: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the side of each component, given its rows of each kind and the rows that the sides already hold."""
    totals = rows.sum(axis=0) + loads.sum(axis=0)
    # Relative squared deviation (load - share total)² / (share total²), summed over sides and kinds: what a
    # component adds to it at one side is Σ w (2 lack + w) scale, with lack = load - share total.
    lack = (loads - np.outer(share, totals)).tolist()
    scale = (1 / np.outer(share, np.maximum(totals, 1) ** 2.0)).tolist()
    kinds, sides = range(len(_LABELS)), range(len(share))
    side = np.empty(len(rows), dtype=np.int64)
    order = _largest_first(rows.sum(axis=1), rng)
    for i, w in zip(order.tolist(), rows[order].tolist(), strict=True):
        given = [k for k in kinds if w[k]]
        best = min(sides, key=lambda s: sum(w[k] * (2 * lack[s][k] + w[k]) * scale[s][k] for k in given))
        for k in given:
            lack[best][k] += w[k]
        side[i] = best
    return side


def _cut(a: np.ndarray, b: np.ndarray, share: list[float], rng: np.random.Generator) -> np.ndarray:
    """Return the side of each cluster, given the clusters at both ends of every row; -1 where no row has it."""
    clusters, place = np.unique(np.concatenate([a, b]), return_inverse=True)
    x, y = place[: len(a)], place[len(a) :]
    weight = np.bincount(place, minlength=len(clusters)) / 2  # a row inside counts 1, one that crosses ½
    crosses = x != y
    matrix = symmetric(len(clusters), x[crosses], y[crosses], np.ones(crosses.sum()))  # repeated rows add up
    starts, others, shared = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()

    room = [x * weight.sum() for x in share]
    load = [0.0] * len(share)
    side = [-1] * len(clusters)
    for i in _largest_first(weight, rng).tolist():
        w = float(weight[i])
        ties = [0.001] * len(share)  # so that a cluster without placed neighbours goes where there is room
        for at in range(starts[i], starts[i + 1]):
            if side[others[at]] >= 0:
                ties[side[others[at]]] += shared[at]
        free = [1 - (has + w) / of for has, of in zip(load, room, strict=True)]
        side[i] = max(range(len(share)), key=lambda s: free[s] * (ties[s] if free[s] > 0 else 1))
        load[side[i]] += w
    found = np.full(clusters.max(initial=-1) + 1, -1)
    found[clusters] = side
    return found
