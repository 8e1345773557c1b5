"""The annotators behind the rows of a graph, and the pairs on which they differ."""

from __future__ import annotations

import numpy as np

from .arrays import Array

__all__ = ["annotators_of", "differing", "votes"]


def annotators_of(graph) -> Array | None:
    """Return the annotator of each row, empty where it has none; None if fewer than two are known.

    Linear in the rows.

    >>> import pandas as pd
    >>> from paragraph import ParaphraseGraph
    >>> pairs = pd.DataFrame({"text_a": ["a", "a"], "text_b": ["b", "b"], "label": [1, 0]})
    >>> pairs["annotator"] = ["Ada", "Bo"]
    >>> annotators_of(ParaphraseGraph.from_pairs(pairs)).tolist()
    ['Ada', 'Bo']
    """
    if graph.pairs is None or "annotator" not in graph.pairs:
        return None
    names = graph.pairs["annotator"].astype("str").fillna("").to_numpy(object)
    return names if len({*names.tolist()} - {""}) > 1 else None


def differing(graph) -> Array:
    """Return flags of the edges on which annotators differ: different ones, whose rows state both labels."""
    found = np.zeros(len(graph.edge_sign), bool)
    names = graph.annotators
    if names is not None:
        for edge in np.flatnonzero(graph.labelled_twice).tolist():
            found[edge] = len({*names[graph.rows_of(edge)].tolist()}) > 1
    return found


def votes(graph, edge: int) -> str:
    """Return the annotators' labels of an edge in words, such as ``Ada: yes, Bo: no``; empty if none are known."""
    names = graph.annotators
    if names is None or edge < 0:
        return ""
    rows = graph.rows_of(edge).tolist()
    labels = [graph.words[int(graph.row_sign[row] > 0)] for row in rows]
    return ", ".join(
        f"{names[row] or 'somebody'}: {label}" for row, label in zip(rows, labels, strict=True)
    )
