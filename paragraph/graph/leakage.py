"""Leakage: sentences that stand on two sides of a split, and labels that follow across it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..files import PairsError
from ..pairs.tables import canonical, column
from .arrays import Array
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
        for name, (total, words) in _COUNTS.items():
            rows.append((words, self.counts[name], self.counts[total]))
        table = pd.DataFrame(rows, columns=["what", "count", "of"])
        total = table["of"].where(table["of"] > 0)
        table["share"] = table["count"] / total
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
        test pairs that train states as well, with the same or the other label.
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
    tables = [_checked_table("train", train, columns), _checked_table("test", test, columns)]
    both = pd.concat([table[columns] for table in tables], ignore_index=True)
    a, b, texts, _ = identify(both, identity)
    m = len(train)
    parts = (slice(m), slice(m, None))
    graphs = []
    for table, rows in zip(tables, parts, strict=True):
        sign = signs(table)
        graph = ParaphraseGraph(a[rows], b[rows], sign, len(texts), texts, table)
        check_transitive(graph)
        graphs.append(graph)
    train_graph, test_graph = graphs
    train_rows, test_rows = map(_rows_by_sentence, graphs)
    shared = np.flatnonzero((train_rows > 0) & (test_rows > 0))
    sentences = pd.DataFrame({"text": train_graph.texts(shared)}, dtype="str")
    sentences["train_rows"] = train_rows[shared]
    sentences["test_rows"] = test_rows[shared]
    pairs = _known_pairs(train_graph, test_graph, negatives)
    # a sentence with a positive pair is in a cluster of two or more
    clustered = (train_graph.degree[shared] > 0) & (test_graph.degree[shared] > 0)
    clusters = np.unique(test_graph.cluster_of[shared[clustered]])
    counts = {"shared_sentences": len(shared), "shared_clusters": len(clusters)}
    for how in ("stated", "inferred"):
        agrees = pairs.loc[pairs["how"] == how, "agrees"]
        counts[f"{how}_agree"] = int(agrees.sum())
        counts[f"{how}_disagree"] = int((~agrees).sum())
    counts["test_sentences"] = np.count_nonzero(test_rows)
    counts["test_clusters"] = np.count_nonzero(test_graph.cluster_sizes > 1)
    counts["test_pairs"] = len(test_graph.edge_a)
    return Leakage(counts, sentences, pairs)


def _rows_by_sentence(graph: ParaphraseGraph) -> Array:
    """Count the rows in which each sentence stands; a row with itself counts twice."""
    nodes = np.append(graph.row_a, graph.row_b)
    return np.bincount(nodes, minlength=graph.n)


def _checked_table(name: str, table: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return a pair table with these columns; an error names the row of this table."""
    table = canonical(table, name)
    missing = [each for each in columns if each not in table]
    if missing:
        raise PairsError(f"{name}: a pair table needs the columns {missing}")
    column(table, "text_a")  # raises at a value that is no text
    column(table, "text_b")
    return table


def _known_pairs(train: ParaphraseGraph, test: ParaphraseGraph, negatives: str) -> pd.DataFrame:
    """List the stated pairs of the test set that the training set states or implies."""
    a, b = test.ends(slice(None))
    train_label, stated = known_labels(train, a, b, negatives)
    edges = np.flatnonzero(train_label >= 0)
    table = test.pair_texts(a[edges], b[edges])
    table["label"] = (test.edge_sign[edges] > 0).astype(np.int8)
    table["train_label"] = train_label[edges]
    table["how"] = np.where(stated[edges], "stated", "inferred")
    table["agrees"] = table["label"] == table["train_label"]
    return table
