"""Odd sentences: placeholders, and hubs that join sentences without a word in common."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from ..graph import ParaphraseGraph
from ..words.tokens import stems

__all__ = ["odd_sentences"]

#: A text that stands for a missing one, or is one or two characters long.
PLACEHOLDER = r"(?i)^([^\d]{1,2}|n/?a|nan|null|none|nil|undefined|error|\W+|#\w+[!?]?|[\[<(]\w+[\])>])$"
#: The least number of paraphrases of a hub, and the number of hubs examined, the largest first.
HUB, HUBS = 5, 1000


def odd_sentences(graph: ParaphraseGraph) -> pd.DataFrame:
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
    for node in np.argsort(-count, kind="stable")[:HUBS].tolist():
        if count[node] < HUB or node in found:
            continue
        texts = graph.texts([node, *others[starts[node] : starts[node + 1]].tolist()])
        words = [word for text in texts for word in stems(text)]
        if len({*words}) == len(words):
            found[node] = f"joins {count[node]} sentences without a word in common"
    nodes = sorted(found, key=lambda node: (-count[node], node))
    why = [found[node] for node in nodes]
    return pd.DataFrame({"text": graph.texts(nodes), "paraphrases": count[nodes], "why": why})
