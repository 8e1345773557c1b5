"""Leakage: sentences and pairs of a test set that the training set states or implies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.closure import known_labels
from ..graph.distance import check_rule
from ..graph.identity import identify, signs
from ..pairs import PairsError
from ..pairs.tables import canonical, column

__all__ = ["Leakage", "leakage"]

#: The counts and their totals, in words, in the order of the report.
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
    columns = ["text_a", "text_b", "label", *(["id_a", "id_b"] if identity == "id" else [])]
    train, test = canonical(train, "train"), canonical(test, "test")
    for name, table in (("train", train), ("test", test)):
        if missing := [column for column in columns if column not in table]:
            raise PairsError(f"{name}: a pair table needs the columns {missing}")
        for texts in ("text_a", "text_b"):
            column(table, texts)  # an error names the row of this table, not of both together
    found, m = identify(pd.concat([train[columns], test[columns]], ignore_index=True), identity), len(train)
    n, graphs, rows_of = len(found.texts), [], []
    for table, here in ((train, slice(m)), (test, slice(m, None))):
        a, b = found.a[here], found.b[here]
        graphs.append(ParaphraseGraph(a, b, signs(table), n, found.texts, table))
        check_rule(graphs[-1], negatives)
        rows_of.append(np.bincount(np.concatenate([a, b]), minlength=n))
    left, right = graphs
    shared = np.flatnonzero((rows_of[0] > 0) & (rows_of[1] > 0))
    sentences = {"text": left.texts(shared), "train_rows": rows_of[0][shared], "test_rows": rows_of[1][shared]}
    clusters = _shared_clusters(left, right, shared)
    pairs = _known_pairs(left, right, negatives)
    counts = {"shared_sentences": len(shared), "shared_clusters": int(clusters["test_cluster"].nunique())}
    for how in ("stated", "inferred"):
        agrees = pairs.loc[pairs["how"] == how, "agrees"]
        counts |= {f"{how}_agree": int(agrees.sum()), f"{how}_disagree": int((~agrees).sum())}
    counts |= {
        "test_sentences": int(np.count_nonzero(rows_of[1])),
        "test_clusters": int(np.count_nonzero(right.cluster_sizes > 1)),
        "test_pairs": len(right.edge_a),
    }
    return Leakage(counts, pd.DataFrame(sentences).astype({"text": "str"}), clusters, pairs)


def _shared_clusters(left: ParaphraseGraph, right: ParaphraseGraph, shared: np.ndarray) -> pd.DataFrame:
    table = pd.DataFrame({"train_cluster": left.cluster_of[shared], "test_cluster": right.cluster_of[shared]})
    table["train_size"] = left.cluster_sizes[table["train_cluster"]]
    table["test_size"] = right.cluster_sizes[table["test_cluster"]]
    table = table.assign(node=shared)[(table["train_size"] > 1) & (table["test_size"] > 1)]
    found = table.groupby(list(table)[:4])["node"].agg(shared="size", example="first").reset_index()
    return found.assign(example=pd.Series(left.texts(found["example"]), dtype="str"))


def _known_pairs(left: ParaphraseGraph, right: ParaphraseGraph, negatives: str) -> pd.DataFrame:
    """List the stated pairs of the right table that the left one states or implies."""
    a, b = right.edge_a, right.edge_b
    train_label, stated = known_labels(left, a, b, negatives)
    known = np.flatnonzero(train_label >= 0)
    label = (right.edge_sign[known] > 0).astype(np.int8)
    table = right.pair_texts(a[known], b[known]).assign(label=label, train_label=train_label[known])
    return table.assign(how=np.where(stated[known], "stated", "inferred"), agrees=label == table["train_label"])
