"""Sentences that are perhaps none: placeholders, such as "NS" or "#NAME?", that stand in many pairs."""

from __future__ import annotations

import numpy as np

from ..words.tokens import stems

__all__ = ["placeholders"]

FEW = 5  # pairs: a sentence in fewer is not suspected
SHARE = 0.02  # of all pairs, that a sentence stands in
LOOKED_AT = 20  # sentences, those in most pairs
COMPARED = 200  # pairs of each


def placeholders(graph) -> list[tuple[str, int]]:
    """Find sentences in many pairs that share no word with the other sentence of any: each with its number of pairs.

    Many are 2 % of all pairs, and at least five. The twenty sentences in most pairs are looked at, in 200 pairs each.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["NS"] * 5, "text_b": ["Hi!", "Why?", "How so?", "Go!", "No."], "label": 0})
    >>> placeholders(pg.ParaphraseGraph.from_pairs(pairs))
    [('NS', 5)]
    """
    ends = np.append(graph.edge_a, graph.edge_b)
    others = np.append(graph.edge_b, graph.edge_a)
    count = np.bincount(ends, minlength=graph.n)
    most = np.argsort(-count, kind="stable")[:LOOKED_AT]
    many = max(FEW, SHARE * len(graph.edge_sign))
    found = []
    for node in most[count[most] >= many].tolist():
        own = stems(graph.text(node))
        beside = graph.texts(others[ends == node][:COMPARED])
        if all(own.isdisjoint(stems(text)) for text in beside):
            found.append((graph.text(node), int(count[node])))
    return found
