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
    """Find the nodes whose sentences contain all the words, or `forms` of them.

    A word may stand inside another. Case and Unicode form do not count.
    """
    matches = np.ones(graph.n, dtype=bool)
    for word in words.split():
        matches &= holds(graph, word)
    return np.flatnonzero(matches)


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
    parts = re.fullmatch(rf"([a-z]{{3,}}?)(?:{ENDINGS})", word.lower())
    if parts is None:
        return ""
    stem = re.sub(r"([bdgmnprt])\1$", r"\1", parts[1])
    return rf"{stem}{stem[-1]}?(?:{ENDINGS})?"


def match_grade(graph, nodes: Array, words: str) -> Array:
    """Grade how well sentences that hold all the words match them: an int8 each.

    3 if the sentence is these words and nothing else, except marks at its ends; 2 if it holds them
    together, in this order; 1 if it holds each as a whole word; else 0. Case is ignored.
    """
    texts = graph.sentences.take(pa.array(nodes))
    patterns = [re.escape(word) for word in words.split()]
    phrase = r"\W+".join(patterns)

    def matches(pattern: str) -> Array:
        flags = pc.match_substring_regex(texts, pattern, ignore_case=True)
        return flags.to_numpy(zero_copy_only=False)

    has_word = [matches(rf"(^|\W){pattern}(\W|$)") for pattern in patterns]
    grade = np.all(has_word, axis=0).astype(np.int8)
    grade[matches(rf"(^|\W){phrase}(\W|$)")] = 2
    grade[matches(rf"^\W*{phrase}\W*$")] = 3
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
    table = pd.DataFrame({"node": nodes, "text": text, "cluster": clusters})
    table["size"] = graph.cluster_sizes[clusters]
    return table


def holds(graph, word: str) -> Array:
    """Flags of the sentences that contain a word, or one of its `forms`."""
    pattern = pc.utf8_normalize(as_scalar(word), form="NFC").as_py()
    texts = graph.sentences
    if not word.isascii():  # plain ASCII has only one Unicode form
        texts = pc.utf8_normalize(texts, form="NFC")
    flags = pc.match_substring(texts, pattern, ignore_case=True)
    form = forms(word)
    if form:
        has_form = pc.match_substring_regex(texts, rf"\b{form}\b", ignore_case=True)
        flags = pc.or_(flags, has_form)
    return flags.to_numpy(zero_copy_only=False)


def as_scalar(text: str) -> pa.LargeStringScalar:
    """Turn a sentence into an Arrow value; `PairsError` if it is no valid Unicode."""
    try:
        return pa.scalar(text, pa.large_string())
    except UnicodeEncodeError:
        raise PairsError(f"{text!r} holds half a surrogate pair, which no sentence can") from None


def node_of(graph, sentence: str | int) -> int:
    """The node of a sentence (`lookup`); without one, `PairsError` names the nearest sentences."""
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
        texts = pa.array(sentences, pa.large_string())
    except UnicodeEncodeError:
        # raises, and names the first such sentence
        texts = [as_scalar(sentence) for sentence in sentences]
    nodes = _places(texts, graph.sentences)
    missing = np.flatnonzero(nodes < 0)
    if len(missing):  # perhaps in another spelling
        spelling = "text" if graph.identity == "id" else graph.identity
        keys = sentence_keys(texts.take(pa.array(missing)), spelling)
        nodes[missing] = _places(keys, sentence_keys(graph.sentences, spelling))
    return nodes


def _places(texts: pa.Array, among: pa.Array) -> Array:
    places = pc.index_in(texts, among).fill_null(-1)
    return places.to_numpy(zero_copy_only=False).astype(np.int64)


def _nearest(graph, sentence: str) -> list[str]:
    """The sentences most like this one by difflib's ratio, of the 200 that share most words."""
    shared = np.zeros(graph.n, dtype=np.int16)
    for word in set(sentence.split()[:20]):
        shared += holds(graph, word)
    most = np.argsort(-shared, kind="stable")[:200]
    candidates = graph.texts(most[shared[most] > 0])
    return get_close_matches(sentence, candidates, n=3, cutoff=0.4)
