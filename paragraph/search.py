"""Finding sentences in a graph by their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from .pairs import PairsError

if TYPE_CHECKING:
    from .graph import ParaphraseGraph

__all__ = ["node_of", "search"]


def node_of(graph: ParaphraseGraph, sentence: str) -> int:
    """The node whose sentence this is (NFC and outer white space aside); else an error naming the nearest."""
    texts = graph.sentences
    at = pc.index(texts, pa.scalar(sentence, pa.large_string())).as_py()
    if at < 0:
        wanted = pc.utf8_normalize(pa.scalar(sentence.strip(), pa.large_string()), form="NFC")
        at = pc.index(pc.utf8_trim_whitespace(pc.utf8_normalize(texts, form="NFC")), wanted).as_py()
    if at >= 0:
        return at
    near = "".join(f"\n  {text}" for text in _nearest(graph, sentence))
    raise PairsError(f"sentence {sentence!r} is not in the graph" + (f"; nearest:{near}" if near else ""))


def search(graph: ParaphraseGraph, words: str, limit: int = 20) -> pd.DataFrame:
    """Sentences that hold all the words, case aside, in order of appearance, at most `limit` of them.

    Columns `node`, `text`, `cluster`, `size` (sentences in its cluster). Linear in the text.
    """
    found = np.ones(graph.n, dtype=bool)
    for word in words.split():
        found &= _holds(graph.sentences, word)
    nodes = np.flatnonzero(found)[:limit]
    clusters = graph.cluster_of[nodes]
    return pd.DataFrame(
        {
            "node": nodes,
            "text": pd.Series(graph.texts(nodes), dtype="str"),
            "cluster": clusters,
            "size": graph.cluster_sizes[clusters],
        }
    )


def _holds(texts: pa.LargeStringArray, word: str) -> np.ndarray:
    return pc.match_substring(texts, word, ignore_case=True).to_numpy(zero_copy_only=False)


def _nearest(graph: ParaphraseGraph, sentence: str, count: int = 3) -> list[str]:
    """The sentences most like this one: first by shared words, then by difflib's ratio."""
    from difflib import get_close_matches

    shared = np.zeros(graph.n, dtype=np.int16)
    for word in set(sentence.split()[:20]):
        shared += _holds(graph.sentences, word)
    best = np.argsort(-shared, kind="stable")[:200]
    return get_close_matches(sentence, graph.texts(best[shared[best] > 0]), n=count, cutoff=0.4)
