"""What a test set gives away that the training set already holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..graph.distance import check_rule
from ..graph.identity import column as texts_of
from ..graph.identity import identify, signs
from ..pairs import PairsError
from ..pairs.columns import canonical

__all__ = ["Leakage", "leakage"]

_CHUNK = 4_000_000  # pairs of cells looked at together

# In the order of the report: what is counted, out of which total, in words.
_COUNTS = {
    "shared_sentences": ("test_sentences", "test sentences that occur in train"),
    "shared_clusters": ("test_clusters", "test clusters that share a sentence with a cluster of train"),
    "stated_agree": ("test_pairs", "test pairs stated in train, same label"),
    "stated_disagree": ("test_pairs", "test pairs stated in train, other label"),
    "inferred_agree": ("test_pairs", "test pairs inferable from train, same label"),
    "inferred_disagree": ("test_pairs", "test pairs inferable from train, other label"),
    "both_positive": (None, "positives inferable only from both together"),
    "both_negative": (None, "negatives inferable only from both together"),
    "both_conflicts": (None, "stated negatives inside a cluster only of both together"),
}


@dataclass(frozen=True)
class Leakage:
    """The result of `leakage`."""

    counts: dict[str, int]  #: see `leakage`; and `test_sentences`, `test_clusters`, `test_pairs`
    sentences: pd.DataFrame  #: shared sentences: `text`, `train_rows`, `test_rows`
    clusters: pd.DataFrame  #: `train_cluster`, `test_cluster`, their sizes, `shared` sentences, an `example`
    pairs: pd.DataFrame  #: test pairs that train states or implies: `label`, `train_label`, `how`, `agrees`

    def table(self) -> pd.DataFrame:
        """The counts in words: `what`, `count`, `of`, `share`."""
        rows = [(words, self.counts[name], self.counts[of] if of else pd.NA) for name, (of, words) in _COUNTS.items()]
        table = pd.DataFrame(rows, columns=["what", "count", "of"]).astype({"of": "Int64"})
        return table.assign(share=(table["count"] / table["of"].where(table["of"] > 0)).astype("Float64"))

    def __str__(self) -> str:
        lines = []
        for name, (of, words) in _COUNTS.items():
            lines.append(f"{self.counts[name]:>12,}  {words}" + (f" (of {self.counts[of]:,})" if of else ""))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        table = self.table().to_html(index=False, na_rep="", float_format="{:.2%}".format)
        return f'<div class="tex2jax_ignore mathjax_ignore">{table}</div>'


def leakage(train: pd.DataFrame, test: pd.DataFrame, identity: str = "text", negatives: str = "all") -> Leakage:
    """What of a test set occurs in, or follows from, the training set.

    A *pair* is a distinct unordered pair with a stated label. `counts` holds

    ``shared_sentences``
        sentences that occur in a row of each.
    ``shared_clusters``
        test clusters (of two sentences or more) that share a sentence with such a cluster of train.
    ``stated_agree``, ``stated_disagree``
        test pairs that train states too.
    ``inferred_agree``, ``inferred_disagree``
        test pairs that train does not state but implies: positive where both sentences are in one cluster of
        train, negative where a stated negative of train joins their two clusters.
    ``both_positive``, ``both_negative``
        pairs that neither states and neither alone implies with that sign, but both together do. *Together*
        means all stated pairs of both; clusters then are the components of the positives of both.
    ``both_conflicts``
        negatives stated in one, outside the clusters of that one but inside a cluster of both together.

    Parameters
    ----------
    train, test : DataFrame
        Pair tables.
    identity : {"text", "normal", "id"}
        When two spellings are one sentence.
    negatives : {"all", "clusters"}
        Which stated negatives carry over (see `infer`).

    Raises
    ------
    PairsError
        An unknown option, or data whose sides are different things.

    Notes
    -----
    The closures are counted and never listed: O(m log m) for m rows, and for ``both_negative`` the pairs of
    clusters that the shared sentences of two linked clusters lie in.

    Examples
    --------
    >>> train = pd.DataFrame({"text_a": ["a", "b"], "text_b": ["b", "c"], "label": [1, 1]})
    >>> test = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["c", "d"], "label": [0, 1]})
    >>> found = leakage(train, test)
    >>> found.counts["inferred_disagree"], found.counts["both_positive"]
    (1, 2)
    """
    columns = ["text_a", "text_b", "label", *(["id_a", "id_b"] if identity == "id" else [])]
    train, test = canonical(train, "train"), canonical(test, "test")
    for name, table in (("train", train), ("test", test)):
        if missing := [column for column in columns if column not in table]:
            raise PairsError(f"{name}: a pair table needs the columns {missing}")
        for column in ("text_a", "text_b"):
            texts_of(table, column)  # a row that holds none is named as it is here, not in both together
    m = len(train)
    rows = pd.concat([train[columns], test[columns]], ignore_index=True)
    found = identify(rows, identity)
    sign = np.concatenate([signs(train), signs(test)])
    a, b, n = found.a, found.b, len(found.texts)
    left = ParaphraseGraph(a[:m], b[:m], sign[:m], n, found.texts, train)
    right = ParaphraseGraph(a[m:], b[m:], sign[m:], n, found.texts, test)
    check_rule(left, negatives)
    check_rule(right, negatives)

    n_left, n_right = (np.bincount(np.concatenate(ends), minlength=n) for ends in ((a[:m], b[:m]), (a[m:], b[m:])))
    shared = np.flatnonzero((n_left > 0) & (n_right > 0))
    sentences = pd.DataFrame(
        {
            "text": pd.Series(left.texts(shared), dtype="str"),
            "train_rows": n_left[shared],
            "test_rows": n_right[shared],
        }
    )
    clusters = _shared_clusters(left, right, shared)
    pairs = _known_pairs(left, right, negatives)
    known = pairs.groupby(["how", "agrees"], observed=False).size()
    counts = {
        "shared_sentences": len(shared),
        "shared_clusters": int(clusters["test_cluster"].nunique()),
        **{
            f"{how}_{word}": int(known.get((how, agrees), 0))
            for how in ("stated", "inferred")
            for word, agrees in (("agree", True), ("disagree", False))
        },
        **_both(left, right, shared, negatives),
        "test_sentences": int(np.count_nonzero(n_right)),
        "test_clusters": int(np.count_nonzero(right.cluster_sizes > 1)),
        "test_pairs": len(right.edge_a),
    }
    return Leakage(counts, sentences, clusters, pairs)


def _shared_clusters(left: ParaphraseGraph, right: ParaphraseGraph, shared: np.ndarray) -> pd.DataFrame:
    c, d = left.cluster_of[shared], right.cluster_of[shared]
    proper = (left.cluster_sizes[c] > 1) & (right.cluster_sizes[d] > 1)
    k = len(right.cluster_sizes)
    keys, first, count = np.unique(c[proper].astype(np.int64) * k + d[proper], return_index=True, return_counts=True)
    c, d = keys // max(k, 1), keys % max(k, 1)
    return pd.DataFrame(
        {
            "train_cluster": c,
            "test_cluster": d,
            "train_size": left.cluster_sizes[c],
            "test_size": right.cluster_sizes[d],
            "shared": count,
            "example": pd.Series(left.texts(shared[proper][first]), dtype="str"),
        }
    )


def _known_pairs(left: ParaphraseGraph, right: ParaphraseGraph, negatives: str) -> pd.DataFrame:
    """The stated pairs of the right that the left states or implies."""
    a, b = right.edge_a, right.edge_b
    edge = left.edge_index.places(a, b)
    is_stated = edge >= 0
    same = left.cluster_of[a] == left.cluster_of[b]
    known = np.flatnonzero(is_stated | same | _Linked(left, negatives)(a, b))
    train_label = same[known].astype(np.int8)
    train_label[is_stated[known]] = left.edge_sign[edge[known][is_stated[known]]] > 0
    label = (right.edge_sign[known] > 0).astype(np.int8)
    pairs = pd.DataFrame(
        {
            "text_a": pd.Series(right.texts(a[known]), dtype="str"),
            "text_b": pd.Series(right.texts(b[known]), dtype="str"),
            "label": label,
            "train_label": train_label,
            "how": np.where(is_stated[known], "stated", "inferred"),
            "agrees": label == train_label,
        }
    )
    return pairs


class _Linked:
    """Whether a stated negative joins the clusters of two sentences, under a rule for negatives."""

    def __init__(self, graph: ParaphraseGraph, negatives: str):
        self.cluster_of, self.k = graph.cluster_of, len(graph.cluster_sizes)
        a, b = graph.links.a, graph.links.b
        if negatives == "clusters":
            proper = (graph.cluster_sizes[a] > 1) & (graph.cluster_sizes[b] > 1)
            a, b = a[proper], b[proper]
        self.a, self.b = a, b  #: the clusters it joins, a < b
        self.keys = pair_keys(a, b, self.k)

    def __call__(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return _among(self.keys, pair_keys(self.cluster_of[a], self.cluster_of[b], self.k))


def _both(left: ParaphraseGraph, right: ParaphraseGraph, shared: np.ndarray, negatives: str) -> dict[str, int]:
    """The counts of what only both together imply."""
    n = left.n
    ends = [np.concatenate([getattr(left, end), getattr(right, end)]) for end in ("edge_a", "edge_b")]
    sign = np.concatenate([left.edge_sign, right.edge_sign])
    cluster_of = ParaphraseGraph(ends[0][sign > 0], ends[1][sign > 0], sign[sign > 0], n).cluster_of
    # A pair that one calls positive and the other negative lies in a cluster of both: leave its negative out.
    kept = (sign > 0) | (cluster_of[ends[0]] != cluster_of[ends[1]])
    both = ParaphraseGraph(ends[0][kept], ends[1][kept], sign[kept], n)
    here = both.cluster_of
    distinct = np.unique(pair_keys(*ends, n))
    x, y = distinct // max(n, 1), distinct % max(n, 1)
    in_left, in_right = (g.cluster_of[x] == g.cluster_of[y] for g in (left, right))
    inside = here[x] == here[y]

    cells = np.unique(left.cluster_of[shared].astype(np.int64) * n + right.cluster_of[shared], return_counts=True)
    positive = _pairs_within(both.cluster_sizes) - np.count_nonzero(inside & ~in_left & ~in_right)
    positive -= _pairs_within(left.cluster_sizes) + _pairs_within(right.cluster_sizes) - _pairs_within(cells[1])

    links, link_left, link_right = (_Linked(g, negatives) for g in (both, left, right))
    negative = _pairs_across(links, both.cluster_sizes)
    negative -= np.count_nonzero(links(x, y) & ~link_left(x, y) & ~link_right(x, y))
    for graph, linked in ((left, link_left), (right, link_right)):
        home = np.empty(linked.k, dtype=np.int64)  # the cluster of both that a cluster has become part of
        home[graph.cluster_of] = here
        apart = home[linked.a] != home[linked.b]
        linked.a, linked.b, linked.keys = linked.a[apart], linked.b[apart], linked.keys[apart]
        negative -= _pairs_across(linked, graph.cluster_sizes)
    negative += _pairs_across_both(cells, n, link_left, link_right)

    conflicts = [
        pair_keys(g.edge_a, g.edge_b, n)[(g.edge_sign < 0) & ~g.within & (here[g.edge_a] == here[g.edge_b])]
        for g in (left, right)
    ]
    return {
        "both_positive": int(positive),
        "both_negative": int(negative),
        "both_conflicts": len(np.unique(np.concatenate(conflicts))),
    }


def _pairs_across_both(cells: tuple, n: int, left: _Linked, right: _Linked) -> int:
    """Pairs of sentences whose clusters are linked on the left and on the right.

    Both must be shared sentences, since a sentence that does not occur has no link. Those in one cluster on the
    left and in one on the right, a *cell*, are looked at together.
    """
    keys, size = cells
    of_left, of_right = keys // max(n, 1), keys % max(n, 1)
    useful = np.isin(of_left, [left.a, left.b]) & np.isin(of_right, [right.a, right.b])
    of_left, of_right, size = of_left[useful], of_right[useful], size[useful]

    starts = np.searchsorted(of_left, np.arange(left.k + 1))  # the cells of each cluster on the left; keys are sorted
    cells_of = np.diff(starts)
    bounds = np.concatenate([[0], np.cumsum(cells_of[left.a] * cells_of[left.b])])
    total = 0
    for begin in range(0, int(bounds[-1]), _CHUNK):
        at = np.arange(begin, min(begin + _CHUNK, int(bounds[-1])))
        link = np.searchsorted(bounds, at, side="right") - 1
        i, j = np.divmod(at - bounds[link], cells_of[left.b[link]])
        i, j = starts[left.a[link]] + i, starts[left.b[link]] + j
        joined = _among(right.keys, pair_keys(of_right[i], of_right[j], right.k))
        total += int(np.sum(size[i[joined]] * size[j[joined]]))
    return total


def _pairs_within(sizes: np.ndarray) -> int:
    sizes = sizes.astype(np.int64)
    return int(np.sum(sizes * (sizes - 1) // 2))


def _pairs_across(linked: _Linked, sizes: np.ndarray) -> int:
    return int(np.sum(sizes[linked.a].astype(np.int64) * sizes[linked.b]))


def _among(ordered: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Which of the wanted are among the ordered values."""
    if not len(ordered):
        return np.zeros(len(wanted), dtype=bool)
    at = np.searchsorted(ordered, wanted)
    return ordered[np.minimum(at, len(ordered) - 1)] == wanted
