"""Sentences by their words, and by themselves, in any spelling."""

from __future__ import annotations

import re
from difflib import get_close_matches

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files import PairsError
from .arrays import Array
from .identity import sentence_keys

__all__ = ["find", "lookup", "match_grade", "node_of", "nodes_of", "search"]

#: Endings of English words: dropped from a search word, and matched after the rest. As in `widgets/base/dom.js`.
ENDINGS = "ings?|ying|ied|ies|ed|e?s|ers?|ly|e|y"


def find(graph, words: str) -> Array:
    """Nodes whose sentences contain all the words, or them as parts or `forms`, ignoring case and Unicode form."""
    found = np.ones(graph.n, dtype=bool)
    for word in words.split():
        found &= holds(graph, word)
    return np.flatnonzero(found)


def forms(word: str) -> str:
    """A pattern of the forms of an English word by its ending, or "" if it has no ending to drop.

    At least three letters stay, and the last of them may be doubled.

    Examples
    --------
    >>> [bool(re.fullmatch(forms("planning"), word)) for word in ("plan", "planned", "plans", "planet")]
    [True, True, True, False]
    >>> forms("tea"), forms("Übung")
    ('', '')
    """
    whole = re.fullmatch(rf"([a-z]{{3,}}?)(?:{ENDINGS})", word.lower())
    stem = re.sub(r"([bdgmnprt])\1$", r"\1", whole[1]) if whole else ""
    return stem and rf"{stem}{stem[-1]}?(?:{ENDINGS})?"


def match_grade(graph, nodes: Array, words: str) -> Array:
    """Grade how well sentences that hold all the words match them: an int8 each.

    3 if the sentence is nothing else (except marks at its ends), 2 if it has the words together in this order, 1 if
    it has each as a whole word, else 0; case is ignored.
    """
    texts = graph.sentences.take(pa.array(nodes))
    each = [re.escape(word) for word in words.split()]
    phrase = r"\W+".join(each)

    def holds(pattern: str) -> Array:
        found = pc.match_substring_regex(texts, pattern, ignore_case=True)
        return found.to_numpy(zero_copy_only=False)

    grade = np.all([holds(rf"(^|\W){word}(\W|$)") for word in each], axis=0).astype(np.int8)
    grade[holds(rf"(^|\W){phrase}(\W|$)")] = 2
    grade[holds(rf"^\W*{phrase}\W*$")] = 3
    return grade


def search(graph, words: str, limit: int = 20) -> pd.DataFrame:
    """Find sentences that contain all the words (`find`), in order of appearance, at most `limit` of them.

    Columns `node`, `text`, `cluster`, `size` (sentences in its cluster). Linear in the text.
    """
    if limit < 0:
        raise PairsError(f"limit {limit} is negative")
    nodes = find(graph, words)[:limit]
    clusters = graph.cluster_of[nodes]
    text = pd.Series(graph.texts(nodes), dtype="str")
    return pd.DataFrame(
        {"node": nodes, "text": text, "cluster": clusters, "size": graph.cluster_sizes[clusters]}
    )


def holds(graph, word: str) -> Array:
    """Flags of the sentences that contain a word, or one of its `forms`."""
    pattern = pc.utf8_normalize(as_scalar(word), form="NFC").as_py()
    texts = graph.sentences
    if not word.isascii():  # composing letters matter to others only
        texts = pc.utf8_normalize(texts, form="NFC")
    found = pc.match_substring(texts, pattern, ignore_case=True)
    if form := forms(word):
        found = pc.or_(found, pc.match_substring_regex(texts, rf"\b{form}\b", ignore_case=True))
    return found.to_numpy(zero_copy_only=False)


def as_scalar(text: str) -> pa.LargeStringScalar:
    """The sentence as Arrow holds it; `PairsError` if it can be none."""
    try:
        return pa.scalar(text, pa.large_string())
    except UnicodeEncodeError:
        raise PairsError(f"{text!r} holds half a surrogate pair, which no sentence can") from None


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
