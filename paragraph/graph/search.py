"""Find sentences in a graph by their words."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..pairs import PairsError
from ..pairs.tables import column
from .identity import sentence_keys

__all__ = ["find", "lookup", "match_grade", "node_of", "nodes_of", "search"]

BLOCK = 1 << 20  # sentences that are brought to one form together
#: Endings of English words: dropped from a search word, and matched after the rest. As in `draw/dom.js`.
ENDINGS = "ings?|ying|ied|ies|ed|e?s|ers?|ly|e|y"


def node_of(graph, sentence: str | int) -> int:
    """The node of a sentence (`lookup`), or else an error that names the nearest sentences."""
    if not isinstance(sentence, str):
        if not (isinstance(sentence, int | np.integer) and 0 <= sentence < graph.n):
            raise PairsError(f"{sentence!r} is not a node: nodes are the whole numbers 0 .. {graph.n - 1}")
        return int(sentence)
    at = lookup(graph, sentence)
    if at < 0:
        near = "".join(f"\n  {text}" for text in _nearest(graph, sentence))
        raise PairsError(f"sentence {sentence!r} is not in the graph" + (f"; nearest:{near}" if near else ""))
    return at


def lookup(graph, sentence: str) -> int:
    """The node of a sentence, in any spelling of the data, or -1.

    Unicode form (NFC) and outer white space do not count.
    """
    given = _scalar(sentence)
    if (at := pc.index(graph.sentences, given).as_py()) >= 0:
        return at
    key = sentence_keys(pa.array([sentence], pa.large_string()), _spelling(graph))[0]
    for start in range(0, graph.n, BLOCK):
        keys = sentence_keys(graph.sentences.slice(start, BLOCK), _spelling(graph))
        if (at := pc.index(keys, key).as_py()) >= 0:
            return start + at
    for pairs, *ends in graph.row_parts() if graph.identity == "id" else ():  # a spelling merged into another
        for name, nodes in zip(("text_a", "text_b"), ends, strict=True):
            if (row := pc.index(column(pairs, name), given).as_py()) >= 0:
                return int(nodes[row])
    return -1


def nodes_of(graph, sentences: list[str]) -> np.ndarray:
    """The node of each sentence, in any spelling that is the same by the graph's identity, or -1; linear time."""
    try:
        given = pa.array(sentences, pa.large_string())
    except UnicodeEncodeError:
        given = [_scalar(sentence) for sentence in sentences]  # raises, and names the first such sentence
    keys = (sentence_keys(texts, _spelling(graph)) for texts in (given, graph.sentences))
    return pc.index_in(*keys).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


def find(graph, words: str) -> np.ndarray:
    """Nodes whose sentences contain all the words, or them as parts or `forms`, ignoring case and Unicode form."""
    found = np.ones(graph.n, dtype=bool)
    for word in words.split():
        found &= _holds(graph, word)
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


def match_grade(graph, nodes: np.ndarray, words: str) -> np.ndarray:
    """Grade how well sentences that hold all the words match them: an int8 each.

    3 if the sentence is nothing else (except marks at its ends), 2 if it has the words together in this order, 1 if
    it has each as a whole word, else 0; case is ignored.
    """
    texts = graph.sentences.take(pa.array(nodes))
    each = [re.escape(word) for word in words.split()]
    phrase = r"\W+".join(each)

    def holds(pattern: str) -> np.ndarray:
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
    clusters, text = graph.cluster_of[nodes], pd.Series(graph.texts(nodes), dtype="str")
    return pd.DataFrame({"node": nodes, "text": text, "cluster": clusters, "size": graph.cluster_sizes[clusters]})


def _spelling(graph) -> str:
    """The identity by which spellings of a sentence are compared: the text, if ids decide."""
    return "text" if graph.identity == "id" else graph.identity


def _scalar(text: str) -> pa.LargeStringScalar:
    try:
        return pa.scalar(text, pa.large_string())
    except UnicodeEncodeError:
        raise PairsError(f"{text!r} holds half a surrogate pair, which no sentence can") from None


def _holds(graph, word: str) -> np.ndarray:
    pattern, texts = pc.utf8_normalize(_scalar(word), form="NFC").as_py(), graph.sentences
    if not word.isascii():  # composing letters matter to others only
        texts = pc.utf8_normalize(texts, form="NFC")
    found = pc.match_substring(texts, pattern, ignore_case=True)
    if form := forms(word):
        found = pc.or_(found, pc.match_substring_regex(texts, rf"\b{form}\b", ignore_case=True))
    return found.to_numpy(zero_copy_only=False)


def _nearest(graph, sentence: str) -> list[str]:
    """The sentences most like this one, ignoring case: first by shared words, then by difflib's ratio."""
    from difflib import get_close_matches

    shared = np.zeros(graph.n, dtype=np.int16)
    for word in set(sentence.split()[:20]):
        shared += _holds(graph, word)
    best = np.argsort(-shared, kind="stable")[:200]
    likely = {text.casefold(): text for text in reversed(graph.texts(best[shared[best] > 0]))}
    return [likely[text] for text in get_close_matches(sentence.casefold(), likely, n=3, cutoff=0.4)]
