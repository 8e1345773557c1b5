"""A graph in counts."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["summary"]


def summary(graph) -> pd.Series:
    """The graph in counts.

    Rows as read, what became of them, and what they make: sentences, stated pairs, clusters, conflicts.
    """

    def count(flags: np.ndarray) -> int:
        return int(np.count_nonzero(flags))

    edges, positive, within = len(graph.edge_sign), count(graph.edge_sign > 0), count(graph.within)
    return pd.Series(
        {
            "rows": graph.n_rows,
            "rows that pair a sentence with itself": graph.n_self_pairs,
            "of these labelled 0": count((graph.row_a == graph.row_b) & (graph.row_sign < 0)),
            "rows without a label": graph.n_unlabelled,
            "rows that repeat a pair": count((graph.row_edge >= 0) & graph.row_labelled) - edges,
            "spellings merged into a sentence seen before": graph.merged,
            "sentences": graph.n,
            "stated pairs": edges,
            "positive": positive,
            "negative": edges - positive,
            "clusters of two or more": count(graph.cluster_sizes > 1),
            "sentences in no such cluster": count(graph.cluster_sizes == 1),
            "largest cluster": int(graph.cluster_sizes.max(initial=0)),
            "negatives inside a cluster (within-conflicts)": within,
            "pairs stated both ways (direct contradictions)": count(graph.both_ways),
            "negatives between clusters": edges - positive - within,
        },
        name="count",
    )
