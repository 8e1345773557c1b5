"""The nodes of sentences, in any spelling."""

from __future__ import annotations

from difflib import get_close_matches

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files import PairsError
from .arrays import Array
from .identity import sentence_keys
from .search import as_scalar, holds

__all__ = ["lookup", "node_of", "nodes_of"]


def node_of(graph, sentence: str | int) -> int:
    """The node of a sentence (`lookup`), or else an error that names the nearest sentences."""
    if isinstance(sentence, str):
        node = lookup(graph, sentence)
        if node >= 0:
            return node
        why = f"sentence {sentence!r} is not in the graph"
        near = _nearest(graph, sentence)
        if near:
            why = "\n  ".join([f"{why}; nearest:", *near])
        raise PairsError(why)
    if isinstance(sentence, int | np.integer) and 0 <= sentence < graph.n:
        return int(sentence)
    raise PairsError(f"{sentence!r} is not a node: nodes are the whole numbers 0 .. {graph.n - 1}")


def lookup(graph, sentence: str) -> int:
    """The node of a sentence, in any spelling of the data, or -1.

    Unicode form (NFC) and outer white space do not count.
    """
    node = pc.index(graph.sentences, as_scalar(sentence)).as_py()
    if node < 0:
        node = int(nodes_of(graph, [sentence])[0])
    return node


def nodes_of(graph, sentences: list[str]) -> Array:
    """The node of each sentence, in any spelling that is the same by the graph's identity, or -1; linear time."""
    try:
        given = pa.array(sentences, pa.large_string())
    except UnicodeEncodeError:
        # raises, and names the first such sentence
        given = [as_scalar(sentence) for sentence in sentences]
    nodes = _places(given, graph.sentences)
    missing = np.flatnonzero(nodes < 0)
    if len(missing):  # in another spelling, perhaps
        spelling = "text" if graph.identity == "id" else graph.identity
        wanted = sentence_keys(given.take(pa.array(missing)), spelling)
        nodes[missing] = _places(wanted, sentence_keys(graph.sentences, spelling))
    return nodes


def _places(texts: pa.Array, among: pa.Array) -> Array:
    places = pc.index_in(texts, among).fill_null(-1)
    return places.to_numpy(zero_copy_only=False).astype(np.int64)


def _nearest(graph, sentence: str) -> list[str]:
    """The sentences most like this one: first by shared words, then by difflib's ratio."""
    shared = np.zeros(graph.n, dtype=np.int16)
    for word in set(sentence.split()[:20]):
        shared += holds(graph, word)
    best = np.argsort(-shared, kind="stable")[:200]
    return get_close_matches(sentence, graph.texts(best[shared[best] > 0]), n=3, cutoff=0.4)
