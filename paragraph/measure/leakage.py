"""Leakage: sentences and pairs of a test set that the training set states or implies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..graph.distance import carrying, check_rule
from ..graph.identity import column, identify, signs
from ..pairs import PairsError
from ..pairs.columns import canonical

__all__ = ["Leakage", "leakage"]

#: What is counted, out of which total, in words; in the order of the report.
_COUNTS = {
    "shared_sentences": ("test_sentences", "test sentences that occur in train"),
    "shared_clusters": ("test_clusters", "test clusters that share a sentence with a cluster of train"),
    "stated_agree": ("test_pairs", "test pairs stated in train, same label"),
    "stated_disagree": ("test_pairs", "test pairs stated in train, other label"),
    "inferred_agree": ("test_pairs", "test pairs inferable from train, same label"),
    "inferred_disagree": ("test_pairs", "test pairs inferable from train, other label"),
}


@dataclass(frozen=True)
class Leakage:
    """The result of `leakage`."""

    counts: dict[str, int]  #: see `leakage`; and `test_sentences`, `test_clusters`, `test_pairs`
    sentences: pd.DataFrame  #: shared sentences: `text`, `train_rows`, `test_rows`
    clusters: pd.DataFrame  #: `train_cluster`, `test_cluster`, their sizes, `shared` sentences, an `example`
    pairs: pd.DataFrame  #: test pairs that train states or implies: `label`, `train_label`, `how`, `agrees`

    def table(self) -> pd.DataFrame:
        """Return the counts in words: `what`, `count`, `of`, `share`."""
        rows = [(words, self.counts[name], self.counts[of]) for name, (of, words) in _COUNTS.items()]
        table = pd.DataFrame(rows, columns=["what", "count", "of"])
        return table.assign(share=table["count"] / table["of"].where(table["of"] > 0))

    def __str__(self) -> str:
        return "\n".join(f"{row.count:>12,}  {row.what} (of {row.of:,})" for row in self.table().itertuples())

    def _repr_html_(self) -> str:
        table = self.table().to_html(index=False, na_rep="", float_format="{:.2%}".format)
        return f'<div class="tex2jax_ignore mathjax_ignore">{table}</div>'


def leakage(train: pd.DataFrame, test: pd.DataFrame, identity: str = "text", negatives: str = "all") -> Leakage:
    """Count what of a test set occurs in, or follows from, the training set.

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
    columns = ["text_a", "text_b", "label", *(["id_a", "id_b"] if identity == "id" else [])]
    train, test = canonical(train, "train"), canonical(test, "test")
    for name, table in (("train", train), ("test", test)):
        if missing := [column for column in columns if column not in table]:
            raise PairsError(f"{name}: a pair table needs the columns {missing}")
        for texts in ("text_a", "text_b"):
            column(table, texts)  # an error names the row of this table, not of both together
    m = len(train)
    found = identify(pd.concat([train[columns], test[columns]], ignore_index=True), identity)
    a, b, n = found.a, found.b, len(found.texts)
    left = ParaphraseGraph(a[:m], b[:m], signs(train), n, found.texts, train)
    right = ParaphraseGraph(a[m:], b[m:], signs(test), n, found.texts, test)
    check_rule(left, negatives)
    check_rule(right, negatives)

    n_left, n_right = (np.bincount(np.concatenate(ends), minlength=n) for ends in ((a[:m], b[:m]), (a[m:], b[m:])))
    shared = np.flatnonzero((n_left > 0) & (n_right > 0))
    texts = pd.Series(left.texts(shared), dtype="str")
    sentences = pd.DataFrame({"text": texts, "train_rows": n_left[shared], "test_rows": n_right[shared]})
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
        "test_sentences": int(np.count_nonzero(n_right)),
        "test_clusters": int(np.count_nonzero(right.cluster_sizes > 1)),
        "test_pairs": len(right.edge_a),
    }
    return Leakage(counts, sentences, clusters, pairs)


def _shared_clusters(left: ParaphraseGraph, right: ParaphraseGraph, shared: np.ndarray) -> pd.DataFrame:
    c, d = left.cluster_of[shared], right.cluster_of[shared]
    proper = (left.cluster_sizes[c] > 1) & (right.cluster_sizes[d] > 1)
    k = max(len(right.cluster_sizes), 1)
    keys, first, count = np.unique(c[proper].astype(np.int64) * k + d[proper], return_index=True, return_counts=True)
    c, d = keys // k, keys % k
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
    """List the stated pairs of the right that the left states or implies."""
    a, b = right.edge_a, right.edge_b
    edge = left.edge_index.places(a, b)
    is_stated = edge >= 0
    same = left.cluster_of[a] == left.cluster_of[b]
    known = np.flatnonzero(is_stated | same | _linked(left, a, b, negatives))
    train_label = same[known].astype(np.int8)
    train_label[is_stated[known]] = left.edge_sign[edge[known][is_stated[known]]] > 0
    label = (right.edge_sign[known] > 0).astype(np.int8)
    return pd.DataFrame(
        {
            "text_a": pd.Series(right.texts(a[known]), dtype="str"),
            "text_b": pd.Series(right.texts(b[known]), dtype="str"),
            "label": label,
            "train_label": train_label,
            "how": np.where(is_stated[known], "stated", "inferred"),
            "agrees": label == train_label,
        }
    )


def _linked(graph: ParaphraseGraph, a: np.ndarray, b: np.ndarray, negatives: str) -> np.ndarray:
    """Flag the pairs whose clusters a stated negative joins, if it carries over under the rule."""
    (c, d, _), sizes, k = graph.links, graph.cluster_sizes, len(graph.cluster_sizes)
    links = pair_keys(c, d, k)[carrying(sizes[c], sizes[d], negatives)]
    return np.isin(pair_keys(graph.cluster_of[a], graph.cluster_of[b], k), links)
