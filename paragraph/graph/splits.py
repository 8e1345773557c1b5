"""Splits in which no sentence stands on two sides, and what stands on two sides of a split that there is."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_int
from ..pairs.tables import canonical, column, origins
from . import ParaphraseGraph
from .arrays import connected, symmetric
from .closure import known_labels
from .distance import check_rule, check_transitive
from .identity import identify, signs

__all__ = ["Leakage", "Sides", "leakage", "sides", "split"]

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
        raise PairsError("a table to split needs the column label; a row without one has a missing label")
    check_int("seed", seed, 0)
    names, share = _checked(shares)
    if by not in ("components", "clusters"):
        raise PairsError(f"by={by!r} is not one of 'components', 'clusters'")
    if by == "clusters" and pairs.attrs.get("bipartite"):
        raise PairsError("the sides of these pairs are different things, so there are no clusters; by='components'")
    a, b, side, kind = sides(pairs, share, by, seed, identity)
    of_row = np.where(side[a] == side[b], side[a], len(names))  # the last place is for none
    counts = _count(of_row, kind, len(names) + 1)
    if crossing := int(counts[-1].sum()):
        message = f"{crossing:,} of {len(pairs):,} rows join clusters on different sides and have no split"
        warnings.warn(message, stacklevel=2)
    if empty := [name for name, found in zip(names, counts, strict=False) if not found.any()]:
        warnings.warn(f"too few components: nothing is left for {', '.join(empty)}", stacklevel=2)
    rows = [{"rows": sum(row), **dict(zip(_LABELS, row, strict=True))} for row in counts.tolist()]
    splits = {}
    for name, asked, row in zip(names, share, rows, strict=False):
        splits[name] = {"asked": asked, "achieved": round(row["rows"] / max(1, counts[:-1].sum()), 6), **row}
    result = pairs.assign(split=pd.array([*names, None], dtype="str").take(of_row))
    result.attrs["split_report"] = {"by": by, "seed": seed, "splits": splits, "without_split": rows[-1]}
    return result


class Sides(NamedTuple):
    """The side of every sentence of a pair table; see `sides`."""

    a: np.ndarray  #: sentence of each row
    b: np.ndarray  #: the other one
    side: np.ndarray  #: of each sentence
    kind: np.ndarray  #: of each row: 0 positive, 1 negative, 2 unlabelled


def sides(pairs: pd.DataFrame, share: list[float], by: str, seed: int, identity: str = "text") -> Sides:
    """Give every sentence one of ``len(share)`` sides, like `split`; the caller decides about rows that cross.

    Warns of a component, or a cluster if components are cut, that is larger than the largest share.
    """
    sentences = identify(pairs, identity)
    a = sentences.a
    b = sentences.b
    n = len(sentences.texts)
    kind = np.array([2, 0, 1])[signs(pairs)]  # by sign: 0, 1, -1
    rng = np.random.default_rng(seed)

    made, stated = origins(pairs)  # what was made from a row takes its side
    component = connected(n, np.r_[a, a[made], b[made]], np.r_[b, a[stated], b[stated]])
    amounts = _count(component[a], kind, component.max(initial=-1) + 1)
    total = len(pairs)
    too_large = amounts.sum(axis=1) > max(share) * total
    thing = "component"
    largest = amounts.sum(axis=1).max(initial=0)
    side = np.full(n, -1)
    cut = np.zeros(len(a), dtype=bool)
    if by == "clusters" and too_large.any():
        cluster = ParaphraseGraph.from_pairs(pairs, identity).cluster_of
        cut = too_large[component[a]]
        nodes = np.flatnonzero(too_large[component])
        side[nodes] = _cut(cluster[a[cut]], cluster[b[cut]], share, rng)[cluster[nodes]]
        thing = "cluster"
        largest = np.bincount(cluster[a[cluster[a] == cluster[b]]]).max(initial=0)
    if largest > max(share) * total:
        large = f"one {thing} holds {largest:,} of {total:,} rows, more than the largest share ({max(share):.0%})"
        warnings.warn(f"{large}: the shares cannot be met", stacklevel=3)
    inside = cut & (side[a] == side[b])
    loads = _count(side[a[inside]], kind[inside], len(share))
    kept = np.unique(component[a[~cut]])
    side_of = np.zeros(len(amounts), dtype=np.int64)
    side_of[kept] = _assign(amounts[kept], share, loads, rng)
    return Sides(a, b, np.where(side < 0, side_of[component], side), kind)


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
    kinds = range(len(_LABELS))
    sides = range(len(share))
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
    x = place[: len(a)]
    y = place[len(a) :]
    weight = np.bincount(place, minlength=len(clusters)) / 2  # a row inside counts 1, one that crosses ½
    crosses = x != y
    matrix = symmetric(len(clusters), x[crosses], y[crosses], np.ones(crosses.sum()))  # repeated rows add up
    starts = matrix.indptr.tolist()
    others = matrix.indices.tolist()
    shared = matrix.data.tolist()

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


#: The counts and their totals, in words, in the order of the report.
_COUNTS = {
    "shared_sentences": ("test_sentences", "test sentences that occur in train"),
    "shared_clusters": ("test_clusters", "test clusters that share a sentence with a cluster of train"),
    "stated_agree": ("test_pairs", "test pairs stated in train, same label"),
    "stated_disagree": ("test_pairs", "test pairs stated in train, other label"),
    "inferred_agree": ("test_pairs", "test pairs inferable from train, same label"),
    "inferred_disagree": ("test_pairs", "test pairs inferable from train, other label"),
}


@dataclass(frozen=True, repr=False)
class Leakage:
    """The result of `leakage`; shown, it is the table of its counts."""

    counts: dict[str, int]  #: see `leakage`; and `test_sentences`, `test_clusters`, `test_pairs`
    sentences: pd.DataFrame  #: shared sentences: `text`, `train_rows`, `test_rows`
    pairs: pd.DataFrame  #: test pairs that train states or implies: `label`, `train_label`, `how`, `agrees`

    def table(self) -> pd.DataFrame:
        """Return the counts in words: `what`, `count`, `of`, `share`."""
        rows = [(words, self.counts[name], self.counts[of]) for name, (of, words) in _COUNTS.items()]
        table = pd.DataFrame(rows, columns=["what", "count", "of"])
        return table.assign(share=table["count"] / table["of"].where(table["of"] > 0))

    def __repr__(self) -> str:
        return self.table().to_string(index=False, float_format="{:.2%}".format)


def leakage(train: pd.DataFrame, test: pd.DataFrame, identity: str = "text", negatives: str = "all") -> Leakage:
    """Count the parts of a test set that occur in, or follow from, the training set.

    A *pair* is a distinct unordered pair with a stated label. `counts` holds

    ``shared_sentences``
        sentences that occur in a row of each.
    ``shared_clusters``
        test clusters (of two sentences or more) that share a sentence with such a cluster of train.
    ``stated_agree``, ``stated_disagree``
        test pairs that train states, too.
    ``inferred_agree``, ``inferred_disagree``
        test pairs that train does not state but implies: positive where both sentences are in one cluster of
        train, negative where a stated negative of train joins their two clusters.

    Parameters
    ----------
    train, test : DataFrame
        Pair tables.
    identity : {"text", "normal", "id"}
        The rule by which two spellings are one sentence.
    negatives : {"all", "clusters"}
        The stated negatives that carry over (see `infer`).

    Raises
    ------
    PairsError
        An unknown option, a malformed table, or data whose sides are different things.

    Notes
    -----
    The closures are counted and never listed: O(m log m) for m rows.

    Examples
    --------
    >>> train = pd.DataFrame({"text_a": ["a", "b"], "text_b": ["b", "c"], "label": [1, 1]})
    >>> test = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["c", "d"], "label": [0, 1]})
    >>> leakage(train, test).counts["inferred_disagree"]
    1
    """
    check_rule(negatives)
    columns = ["text_a", "text_b", "label", *(["id_a", "id_b"] if identity == "id" else [])]
    train = canonical(train, "train")
    test = canonical(test, "test")
    for name, table in (("train", train), ("test", test)):
        if missing := [column for column in columns if column not in table]:
            raise PairsError(f"{name}: a pair table needs the columns {missing}")
        for texts in ("text_a", "text_b"):
            column(table, texts)  # an error names the row of this table, not of both together
    found = identify(pd.concat([train[columns], test[columns]], ignore_index=True), identity)
    m = len(train)
    n = len(found.texts)
    graphs = []
    rows_of = []
    for table, here in ((train, slice(m)), (test, slice(m, None))):
        a = found.a[here]
        b = found.b[here]
        graphs.append(ParaphraseGraph(a, b, signs(table), n, found.texts, table))
        check_transitive(graphs[-1])
        rows_of.append(np.bincount(np.concatenate([a, b]), minlength=n))
    left, right = graphs
    shared = np.flatnonzero((rows_of[0] > 0) & (rows_of[1] > 0))
    sentences = {"text": left.texts(shared), "train_rows": rows_of[0][shared], "test_rows": rows_of[1][shared]}
    pairs = _known_pairs(left, right, negatives)
    joined = shared[(left.degree[shared] > 0) & (right.degree[shared] > 0)]  # in clusters of two or more
    counts = {"shared_sentences": len(shared), "shared_clusters": len(np.unique(right.cluster_of[joined]))}
    for how in ("stated", "inferred"):
        agrees = pairs.loc[pairs["how"] == how, "agrees"]
        counts |= {f"{how}_agree": int(agrees.sum()), f"{how}_disagree": int((~agrees).sum())}
    counts |= {
        "test_sentences": int(np.count_nonzero(rows_of[1])),
        "test_clusters": int(np.count_nonzero(right.cluster_sizes > 1)),
        "test_pairs": len(right.edge_a),
    }
    return Leakage(counts, pd.DataFrame(sentences).astype({"text": "str"}), pairs)


def _known_pairs(left: ParaphraseGraph, right: ParaphraseGraph, negatives: str) -> pd.DataFrame:
    """List the stated pairs of the right table that the left one states or implies."""
    a = right.edge_a
    b = right.edge_b
    train_label, stated = known_labels(left, a, b, negatives)
    known = np.flatnonzero(train_label >= 0)
    label = (right.edge_sign[known] > 0).astype(np.int8)
    table = right.pair_texts(a[known], b[known]).assign(label=label, train_label=train_label[known])
    return table.assign(how=np.where(stated[known], "stated", "inferred"), agrees=label == table["train_label"])
