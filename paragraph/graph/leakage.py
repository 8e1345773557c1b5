"""Leakage: what stands on two sides of a split, and what follows across it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..files import PairsError
from ..pairs.tables import canonical, column
from .core import ParaphraseGraph
from .distance import check_rule, check_transitive
from .identity import identify, signs
from .proof import known_labels

__all__ = ["Leakage", "leakage"]

#: The counts and their totals, in words, in the order of the report.
_COUNTS = {
    "shared_sentences": ("test_sentences", "test sentences that occur in train"),
    "shared_clusters": (
        "test_clusters",
        "test clusters that share a sentence with a cluster of train",
    ),
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
    #: test pairs that train states or implies: `label`, `train_label`, `how`, `agrees`
    pairs: pd.DataFrame

    def table(self) -> pd.DataFrame:
        """Return the counts in words: `what`, `count`, `of`, `share`."""
        rows = []
        for name, (of, words) in _COUNTS.items():
            rows.append((words, self.counts[name], self.counts[of]))
        table = pd.DataFrame(rows, columns=["what", "count", "of"])
        of = table["of"]
        table["share"] = table["count"] / of.where(of > 0)
        return table

    def __repr__(self) -> str:
        return self.table().to_string(index=False, float_format="{:.2%}".format)


def leakage(
    train: pd.DataFrame, test: pd.DataFrame, identity: str = "text", negatives: str = "all"
) -> Leakage:
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
    columns = ["text_a", "text_b", "label"]
    if identity == "id":
        columns += ["id_a", "id_b"]
    tables = [_checked("train", train, columns), _checked("test", test, columns)]
    both = pd.concat([table[columns] for table in tables], ignore_index=True)
    a, b, texts, _ = identify(both, identity)
    m = len(train)
    graphs = []
    for table, rows in zip(tables, (slice(m), slice(m, None)), strict=True):
        graph = ParaphraseGraph(a[rows], b[rows], signs(table), len(texts), texts, table)
        check_transitive(graph)
        graphs.append(graph)
    left, right = graphs
    of_train, of_test = (np.bincount(np.append(g.row_a, g.row_b), minlength=g.n) for g in graphs)
    shared = np.flatnonzero((of_train > 0) & (of_test > 0))
    sentences = pd.DataFrame({"text": left.texts(shared)}, dtype="str")
    sentences["train_rows"] = of_train[shared]
    sentences["test_rows"] = of_test[shared]
    pairs = _known_pairs(left, right, negatives)
    joined = (left.degree[shared] > 0) & (right.degree[shared] > 0)  # in clusters of two or more
    clusters = np.unique(right.cluster_of[shared[joined]])
    counts = {"shared_sentences": len(shared), "shared_clusters": len(clusters)}
    for how in ("stated", "inferred"):
        agrees = pairs.loc[pairs["how"] == how, "agrees"]
        counts[f"{how}_agree"] = int(agrees.sum())
        counts[f"{how}_disagree"] = int((~agrees).sum())
    counts["test_sentences"] = np.count_nonzero(of_test)
    counts["test_clusters"] = np.count_nonzero(right.cluster_sizes > 1)
    counts["test_pairs"] = len(right.edge_a)
    return Leakage(counts, sentences, pairs)


def _checked(name: str, table: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return a pair table with these columns; an error names its own row."""
    table = canonical(table, name)
    missing = [each for each in columns if each not in table]
    if missing:
        raise PairsError(f"{name}: a pair table needs the columns {missing}")
    column(table, "text_a")
    column(table, "text_b")
    return table


def _known_pairs(left: ParaphraseGraph, right: ParaphraseGraph, negatives: str) -> pd.DataFrame:
    """List the stated pairs of the right table that the left one states or implies."""
    a, b = right.ends(slice(None))
    train_label, stated = known_labels(left, a, b, negatives)
    known = np.flatnonzero(train_label >= 0)
    table = right.pair_texts(a[known], b[known])
    table["label"] = (right.edge_sign[known] > 0).astype(np.int8)
    table["train_label"] = train_label[known]
    table["how"] = np.where(stated[known], "stated", "inferred")
    table["agrees"] = table["label"] == table["train_label"]
    return table
