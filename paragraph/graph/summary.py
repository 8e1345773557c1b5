"""A graph in counts, and odd sentences: placeholders, and hubs that join sentences without a word in common."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from ..words.tokens import stems

__all__ = ["odd_sentences", "summary"]

#: A text that stands for a missing one, or is one or two characters long.
PLACEHOLDER = r"(?i)^([^\d]{1,2}|n/?a|nan|null|none|nil|undefined|error|\W+|#\w+[!?]?|[\[<(]\w+[\])>])$"
#: The least number of paraphrases of a hub, and the number of hubs examined, the largest first.
HUB, MOST = 5, 1000


def summary(graph) -> pd.Series:
    """The graph in counts.

    Rows as read, skipped and kept, and what they make: sentences, stated pairs, clusters, conflicts.
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


def odd_sentences(graph) -> pd.DataFrame:
    """List odd sentences: `text`, `paraphrases`, `why`; ``leave_out`` of `read_pairs` leaves them out.

    Placeholders, texts of one or two characters, and hubs: sentences with five or more paraphrases that share no
    word with any of them, and these share none with each other.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["#NAME?", "#NAME?"], "text_b": ["Who won?", "Is it far?"], "label": 1})
    >>> odd_sentences(pg.ParaphraseGraph.from_pairs(pairs)).values.tolist()
    [['#NAME?', 2, 'a placeholder']]
    """
    count, (starts, others) = graph.degree, graph.neighbours_of
    stands = pc.match_substring_regex(graph.sentences, PLACEHOLDER).to_numpy(zero_copy_only=False)
    found = dict.fromkeys(np.flatnonzero(stands).tolist(), "a placeholder")
    for node in np.argsort(-count, kind="stable")[:MOST].tolist():
        if count[node] < HUB or node in found:
            continue
        texts = graph.texts([node, *others[starts[node] : starts[node + 1]].tolist()])
        words = [word for text in texts for word in stems(text)]
        if len({*words}) == len(words):
            found[node] = f"joins {count[node]} sentences without a word in common"
    nodes = sorted(found, key=lambda node: (-count[node], node))
    why = [found[node] for node in nodes]
    return pd.DataFrame({"text": graph.texts(nodes), "paraphrases": count[nodes], "why": why})
