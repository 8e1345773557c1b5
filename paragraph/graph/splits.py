"""Splits in which no sentence stands on two sides."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_int
from ..pairs.tables import canonical
from . import ParaphraseGraph
from .arrays import Array, connected
from .identity import identify, signs

__all__ = ["Sides", "sides", "split"]

_SHARES = {"train": 0.8, "dev": 0.1, "test": 0.1}
_LABELS = ("positive", "negative", "unlabelled")


def split(
    pairs: pd.DataFrame,
    shares: Mapping[str, float] = _SHARES,
    by: str = "components",
    seed: int = 0,
    identity: str = "text",
) -> pd.DataFrame:
    """Add a column `split` to a pair table, as close to the shares as whole components allow.

    Each split gets its share of the positive, of the negative and of the unlabelled rows.
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
        raise PairsError(
            "a table to split needs the column label; a row without one has a missing label"
        )
    check_int("seed", seed, 0)
    _check_shares(shares)
    if by not in ("components", "clusters"):
        raise PairsError(f"by={by!r} is not one of 'components', 'clusters'")
    if by == "clusters" and pairs.attrs.get("bipartite"):
        raise PairsError(
            "the sides of these pairs are different things, so there are no clusters; by='components'"
        )
    names = list(shares)
    share = list(map(float, shares.values()))
    a, b, side, kind = sides(pairs, share, by, seed, identity)
    side_of_row = np.where(side[a] == side[b], side[a], len(names))  # the last is for no split
    reports = []
    for count in _count_rows(side_of_row, kind, len(names) + 1):
        counts = dict(zip(_LABELS, count.tolist(), strict=True))
        reports.append({"rows": sum(counts.values())} | counts)
    *by_split, crossing = reports
    if crossing["rows"]:
        message = f"{crossing['rows']:,} of {len(pairs):,} rows join clusters on different sides and have no split"
        warnings.warn(message, stacklevel=2)
    empty = [name for name, report in zip(names, by_split, strict=True) if not report["rows"]]
    if empty:
        warnings.warn(f"too few components: nothing is left for {', '.join(empty)}", stacklevel=2)
    n_placed = max(1, len(pairs) - crossing["rows"])
    splits = {}
    for name, asked, report in zip(names, share, by_split, strict=True):
        achieved = round(report["rows"] / n_placed, 6)
        splits[name] = {"asked": asked, "achieved": achieved, **report}
    name_of = pd.array([*names, None], dtype="str")
    result = pairs.assign(split=name_of.take(side_of_row))
    report = {"by": by, "seed": seed, "splits": splits, "without_split": crossing}
    result.attrs["split_report"] = report
    return result


class Sides(NamedTuple):
    """The side of every sentence of a pair table; see `sides`."""

    a: Array  #: code of each row's first sentence
    b: Array  #: code of each row's second sentence
    side: Array  #: side of each sentence
    kind: Array  #: kind of each row: 0 positive, 1 negative, 2 unlabelled


def sides(
    pairs: pd.DataFrame, share: list[float], by: str, seed: int, identity: str = "text"
) -> Sides:
    """Give every sentence one of ``len(share)`` sides, as `split` does; rows may cross.

    Warns of a component, or a cluster if components are cut, that is larger than the largest share.
    """
    a, b, texts, _ = identify(pairs, identity)
    kind = np.array([2, 0, 1])[signs(pairs)]  # the place is the sign: 0, 1, -1
    rng = np.random.default_rng(seed)
    component = connected(len(texts), a, b)
    rows = _count_rows(component[a], kind, component.max(initial=-1) + 1)
    most = max(share) * len(pairs)
    size = rows.sum(axis=1)
    too_large = size > most
    largest = size.max(initial=0)
    thing = "component"
    side = np.full(len(texts), -1)
    cut = np.zeros(len(a), dtype=bool)  # of each row: its component is cut
    if by == "clusters" and too_large.any():
        cluster = ParaphraseGraph.from_pairs(pairs, identity).cluster_of
        cut = too_large[component[a]]
        nodes = too_large[component]
        home = cluster[a]
        away = cluster[b]
        side_of_cluster = _assign_clusters(home[cut], away[cut], share, rng)
        side[nodes] = side_of_cluster[cluster[nodes]]
        thing = "cluster"
        largest = np.bincount(home[home == away]).max(initial=0)
    if largest > most:
        warnings.warn(
            f"one {thing} holds {largest:,} of {len(pairs):,} rows, more than the largest share "
            f"({max(share):.0%}): the shares cannot be met",
            stacklevel=3,
        )
    inside = cut & (side[a] == side[b])
    loads = _count_rows(side[a[inside]], kind[inside], len(share))
    whole = np.unique(component[a[~cut]])
    side_of_component = np.zeros(len(rows), dtype=np.int64)
    side_of_component[whole] = _assign_components(rows[whole], share, loads, rng)
    side = np.where(side < 0, side_of_component[component], side)
    return Sides(a, b, side, kind)


def _check_shares(shares: Mapping[str, float]) -> None:
    message = f"shares must be numbers by name, such as {_SHARES}, not {shares!r}"
    if not isinstance(shares, Mapping):
        raise PairsError(message)
    values = list(shares.values())
    if not all(isinstance(share, int | float) for share in values):
        raise PairsError(message)
    adds_up = math.isclose(sum(values), 1, abs_tol=1e-6)
    if min(values, default=0) <= 0 or not adds_up:
        raise PairsError(f"shares must be above 0 and add up to 1: {dict(shares)}")


def _count_rows(group: Array, kind: Array, k: int) -> Array:
    """Count the rows of each kind in each group: shape (k, 3)."""
    kinds = len(_LABELS)
    counts = np.bincount(group * kinds + kind, minlength=k * kinds)
    return counts.reshape(k, kinds)


def _largest_first(sizes: Array, rng: np.random.Generator) -> Array:
    """Order by size, the largest first, equal ones shuffled."""
    order = rng.permutation(len(sizes))
    return order[np.argsort(-sizes[order], kind="stable")]


def _assign_components(
    rows: Array, share: list[float], loads: Array, rng: np.random.Generator
) -> Array:
    """Give each component a side.

    `rows` counts the rows of each component by kind, `loads` those that the sides already hold.
    """
    totals = rows.sum(axis=0) + loads.sum(axis=0)
    # Relative squared deviation (load - share total)² / (share total²), summed over sides and kinds: what a
    # component adds to it at one side is Σ w (2 lack + w) scale, with lack = load - share total.
    lack = loads - np.outer(share, totals)
    scale = 1 / np.outer(share, np.maximum(totals, 1) ** 2.0)
    side = np.empty(len(rows), dtype=np.int64)
    for i in _largest_first(rows.sum(axis=1), rng).tolist():
        added = rows[i] * (2 * lack + rows[i]) * scale
        side[i] = added.sum(axis=1).argmin()
        lack[side[i]] += rows[i]
    return side


def _assign_clusters(a: Array, b: Array, share: list[float], rng: np.random.Generator) -> Array:
    """Give each cluster a side, -1 if it is in no row; `a` and `b` are the clusters of each row."""
    clusters, place = np.unique([a, b], return_inverse=True)
    # a row inside a cluster counts 1, a row between two ½ for each
    weight = np.bincount(place.ravel(), minlength=len(clusters)) / 2
    shared: list[Counter[int]] = [Counter() for _ in clusters]
    for i, j in place.reshape(2, -1).T.tolist():
        if i != j:
            shared[i][j] += 1
            shared[j][i] += 1
    capacity = weight.sum() * np.array(share)
    load = np.zeros(len(share))
    side = [-1 for _ in clusters]
    for i in _largest_first(weight, rng).tolist():
        # not quite 0, so that a cluster without placed neighbours goes where there is room
        neighbours = np.full(len(share), 0.001)
        for other, rows in shared[i].items():
            if side[other] >= 0:
                neighbours[side[other]] += rows
        free = 1 - (load + weight[i]) / capacity
        score = np.where(free > 0, free * neighbours, free)
        side[i] = int(score.argmax())
        load[side[i]] += weight[i]
    result = np.full(clusters.max(initial=-1) + 1, -1)
    result[clusters] = side
    return result
