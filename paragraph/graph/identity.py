"""Sentence identity: when do two spellings count as one sentence, and which sentences hold some words?"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files import PairsError
from ..pairs.tables import column, refuse

__all__ = [
    "IDENTITIES", "Sentences", "check_ids", "find", "identify", "lookup", "match_grade", "node_of", "nodes_of",
    "search", "sentence_keys", "signs",
]  # fmt: skip

IDENTITIES = ("text", "normal", "id")
#: Punctuation before a sentence, and a character of the punctuation after it, without a meaning: "Why?" is "why". Not
#: included are symbols that carry meaning ($5, C++, 5 %), a dash or a dot at a word (-5, .5, .NET), marks at a number
#: (5!, 5"), the apostrophe of "the dogs'", empty brackets (main()), and marks alone (::).
_BEFORE = re.compile(r"(?:[\s\"'`“”‘’„‚«»‹›「『¿¡!?…。]|[(\[{](?!\s)|\.{2,}|\.(?!\w)|[-–—](?=\s))*")
_BEHIND = re.compile(
    r"[\s?.…`“”‘«»‹›」』。、？！，；：؟।]|(?<!\d)[!\"]|(?<![\ds])['’]|"
    r"(?<![\s,;:])[,;:]|(?<![(\[{:;=-])[)\]}]|(?<=\s)[-–—]"
)


class Sentences(NamedTuple):
    """The distinct sentences of a pair table and where they stand in it."""

    a: np.ndarray  #: code of each row's first sentence
    b: np.ndarray  #: code of each row's second sentence
    texts: pa.LargeStringArray  #: the spelling first seen of each sentence, by code
    merged: int  #: spellings that were counted as a sentence already seen


def identify(pairs: pd.DataFrame, identity: str = "text") -> Sentences:
    """Number the sentences of a pair table in order of first appearance, row by row, `text_a` first.

    Parameters
    ----------
    identity : {"text", "normal", "id"}
        ``"text"``: the exact string after Unicode NFC and stripping outer white space. ``"normal"``: also without
        regard to case, runs of white space and outer punctuation, except symbols that carry meaning (C++, $5, −5 %).
        ``"id"``: the data's own `id_a`, `id_b`.

    Raises
    ------
    PairsError
        An unknown identity, or ``"id"`` if an id is missing.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Why?", "why "], "text_b": [" Why?", "How?"]})
    >>> identify(pairs).texts.to_pylist(), identify(pairs).merged
    (['Why?', 'why ', 'How?'], 1)
    >>> identify(pairs, "normal").texts.to_pylist(), identify(pairs, "normal").merged
    (['Why?', 'How?'], 2)
    """
    a, b, spellings = _number(pairs, "text")
    if identity == "id":
        check_ids(pairs)
        id_a, id_b, ids = _number(pairs, "id")
        spelled, known = (np.stack(ends, axis=1).ravel() for ends in ((a, b), (id_a, id_b)))
        _, first = np.unique(known, return_index=True)
        merged = len(np.unique(known.astype(np.int64) * len(spellings) + spelled)) - len(ids)
        return Sentences(id_a, id_b, spellings.take(pa.array(spelled[first])), merged)
    keys = sentence_keys(spellings, identity)
    if keys.equals(spellings):
        return Sentences(a, b, spellings, 0)
    sentence = keys.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    _, first = np.unique(sentence, return_index=True)  # spellings come in order of appearance: the first one stays
    return Sentences(sentence[a], sentence[b], spellings.take(pa.array(first)), len(spellings) - len(first))


def sentence_keys(spellings: pa.Array, identity: str = "text") -> pa.Array:
    """The common form of all spellings of one sentence, for identity "text" or "normal"."""
    if identity not in IDENTITIES:
        raise PairsError(f"identity {identity!r} is not one of {', '.join(map(repr, IDENTITIES))}")
    keys = pc.utf8_trim_whitespace(pc.utf8_normalize(spellings, form="NFC"))
    if identity == "normal":
        keys = pa.array([_normal_form(text) for text in keys.to_pylist()], pa.large_string())
    return keys


def _normal_form(text: str) -> str:
    plain = " ".join(text.casefold().split())
    start = _BEFORE.match(plain).end()
    end = len(plain)
    while end > start and _BEHIND.match(plain, end - 1):
        end -= 1
    return plain[start:end] or plain  # "???" stays itself


def check_ids(pairs: pd.DataFrame) -> None:
    """Raise `PairsError` unless both sentences of every row have an id."""
    for name in ("id_a", "id_b"):
        if name not in pairs:
            raise PairsError(f"identity 'id' needs a column {name!r}; this pair table has none")
        gone = (pairs[name].isna() | (pairs[name] == "")).to_numpy()
        why = f"{name} is empty ({gone.sum():,} such rows); use identity='text' for these data"
        refuse(pairs, gone, lambda row, why=why: why)


def signs(pairs: pd.DataFrame) -> np.ndarray:
    """The sign of each row: 1 for label 1, -1 for label 0, 0 for a missing label; `PairsError` for any other."""
    label = pairs["label"]
    number = pd.to_numeric(label, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    odd = label.notna().to_numpy() & (number != 0) & (number != 1)
    refuse(pairs, odd, lambda row: f"label '{row['label']}' is not one of 0, 1")
    return np.select([number == 1, number == 0], [1, -1], 0).astype(np.int8)


def _number(pairs: pd.DataFrame, kind: str) -> tuple[np.ndarray, np.ndarray, pa.LargeStringArray]:
    """Codes of the columns `kind`_a and `kind`_b by first appearance, row by row; the distinct strings."""
    chunks = [chunk for end in "ab" for chunk in column(pairs, f"{kind}_{end}").chunks]
    both = pa.chunked_array(chunks, pa.large_string()).dictionary_encode()
    codes = np.concatenate([chunk.indices for chunk in both.chunks] or [np.empty(0, np.int32)])
    distinct = both.chunk(0).dictionary if both.num_chunks else pa.array([], pa.large_string())
    del both
    pa.default_memory_pool().release_unused()
    codes, order = pd.factorize(codes.reshape(2, -1).T.ravel())
    a, b = codes.astype(np.int32).reshape(-1, 2).T.copy()
    return a, b, distinct.take(pa.array(order))


#: Endings of English words: dropped from a search word, and matched after the rest. As in `widgets/base/dom.js`.
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
    at = pc.index(graph.sentences, _scalar(sentence)).as_py()
    return at if at >= 0 else int(nodes_of(graph, [sentence])[0])


def nodes_of(graph, sentences: list[str]) -> np.ndarray:
    """The node of each sentence, in any spelling that is the same by the graph's identity, or -1; linear time."""
    try:
        given = pa.array(sentences, pa.large_string())
    except UnicodeEncodeError:
        given = [_scalar(sentence) for sentence in sentences]  # raises, and names the first such sentence
    nodes = _places(given, graph.sentences)
    missing = np.flatnonzero(nodes < 0)
    if len(missing):  # in another spelling, perhaps
        keys = (sentence_keys(texts, _spelling(graph)) for texts in (given.take(pa.array(missing)), graph.sentences))
        nodes[missing] = _places(*keys)
    return nodes


def _places(texts: pa.Array, among: pa.Array) -> np.ndarray:
    return pc.index_in(texts, among).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)


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
    clusters = graph.cluster_of[nodes]
    text = pd.Series(graph.texts(nodes), dtype="str")
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
    pattern = pc.utf8_normalize(_scalar(word), form="NFC").as_py()
    texts = graph.sentences
    if not word.isascii():  # composing letters matter to others only
        texts = pc.utf8_normalize(texts, form="NFC")
    found = pc.match_substring(texts, pattern, ignore_case=True)
    if form := forms(word):
        found = pc.or_(found, pc.match_substring_regex(texts, rf"\b{form}\b", ignore_case=True))
    return found.to_numpy(zero_copy_only=False)


def _nearest(graph, sentence: str) -> list[str]:
    """The sentences most like this one: first by shared words, then by difflib's ratio."""
    from difflib import get_close_matches

    shared = np.zeros(graph.n, dtype=np.int16)
    for word in set(sentence.split()[:20]):
        shared += _holds(graph, word)
    best = np.argsort(-shared, kind="stable")[:200]
    return get_close_matches(sentence, graph.texts(best[shared[best] > 0]), n=3, cutoff=0.4)
