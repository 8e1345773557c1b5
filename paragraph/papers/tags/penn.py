"""Words of a sentence that a tag is put on, and the spans of those that are tagged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from ...words.tokens import UNSPACED

__all__ = ["places", "spans", "tags_of", "words"]

_QUOTES = ('"', "``", "''")  # ways in which tokenizers write a quotation mark


def words(text: str) -> list[str]:
    """Return the words of a sentence as the Penn Treebank cuts them (NLTK's tokenizer), each as it is written.

    Contractions are two words, punctuation marks are words, a full stop is one only where it ends the text. Scripts
    without spaces are cut into characters.

    Examples
    --------
    >>> words('He didn\\'t pay "$2.5 billion", Mr. Fox said.')
    ['He', 'did', "n't", 'pay', '"', '$', '2.5', 'billion', '"', ',', 'Mr.', 'Fox', 'said', '.']
    """
    text = UNSPACED.sub(r" \g<0> ", text)
    places = _treebank().span_tokenize(text)
    return [text[begin:end] for begin, end in places]


@cache
def _treebank() -> Any:
    from nltk.tokenize import TreebankWordTokenizer

    return TreebankWordTokenizer()


def places(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Locate each word in the text: its first character, and the one behind its last.

    ValueError where a word is not in the text behind the word before it. What tokenizers write for quotation marks is
    found again.

    Examples
    --------
    >>> places('"Buy" or sell', ["``", "Buy", "''", "or", "sell"])
    [(0, 1), (1, 4), (4, 5), (6, 8), (9, 13)]
    """
    found = []
    end = 0
    for word in words:
        forms = _QUOTES if word in _QUOTES else (word,)
        hits = []
        for form in forms:
            at = text.find(form, end)
            if form and at >= 0:
                hits.append((at, -len(form)))
        if not hits:
            raise ValueError(f"word {word!r} is not in the sentence after its character {end}")
        begin, length = min(hits)
        end = begin - length
        found.append((begin, end))
    return found


def spans(tags: Sequence[int]) -> list[tuple[int, int]]:
    """Return the runs of 1s: the first word of each, and the word behind its last.

    >>> spans([0, 1, 1, 0, 1])
    [(1, 3), (4, 5)]
    """
    framed = [bool(tag) for tag in (0, *tags, 0)]
    edges = [i for i, (a, b) in enumerate(pairwise(framed)) if a != b]
    return list(zip(edges[::2], edges[1::2], strict=True))


def tags_of(spans: Iterable[tuple[int, int]], n: int) -> list[int]:
    """Return 0 or 1 for each of n words: 1 for those in a span; ValueError where one is not within the n words.

    >>> tags_of([(1, 3), (4, 5)], 5)
    [0, 1, 1, 0, 1]
    """
    tags = [0 for _ in range(n)]
    for first, end in spans:
        if not 0 <= first < end <= n:
            raise ValueError(f"span ({first}, {end}) is not within {n} words")
        for i in range(first, end):
            tags[i] = 1
    return tags
