"""Pairs about which somebody asked a colleague, as a table to review."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.closure import known_labels
from ..graph.search import nodes_of
from .answers import Answer, asked, notes

__all__ = ["asked_pairs"]


def asked_pairs(graph: ParaphraseGraph, records: Iterable[Answer]) -> pd.DataFrame:
    """List the pairs that were sent to a colleague: `text_a`, `text_b`, `label`, `asked_by`, `note`.

    For a sentence these are its stated pairs, for a cluster all pairs stated in it. Pairs that are not in the data
    are left out.
    """
    records = list(records)
    noted, rows = notes(records), []
    sent = asked(records)
    ends = nodes_of(graph, [text for one in sent for text in (one.text_a, one.text_b)]).reshape(-1, 2)
    for one, (a, b) in zip(sent, ends.tolist(), strict=True):
        if min(a, b) < 0:
            continue
        cluster, pairs = graph.cluster_of[a], [[a, b]]
        if one.saw["ask"] != "pair":
            edges = graph.edges_at([cluster])
            inside = np.equal(*graph.edge_clusters[:, edges])
            mine = (graph.ends(edges) == a).any(axis=0) if one.saw["ask"] == "sentence" else inside
            pairs = graph.ends(edges[mine]).T.tolist()
        rows += [(*pair, one.reviewer, noted.get((one.reviewer, one.pair), "")) for pair in pairs]
    table = pd.DataFrame(rows, columns=["a", "b", "asked_by", "note"]).drop_duplicates(["a", "b"])
    a, b = table[["a", "b"]].to_numpy(np.int64).T
    label = pd.array(known_labels(graph, a, b)[0], dtype="Int8")
    texts = {"text_a": graph.texts(a), "text_b": graph.texts(b), "label": label}
    return pd.DataFrame(texts)[label >= 0].join(table.reset_index(drop=True)[["asked_by", "note"]])
