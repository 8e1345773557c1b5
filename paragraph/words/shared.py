"""Words that a family of sentences shares, and words that set some of it apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from .lexicon import COMPARISON, FUNCTION_WORDS, NEGATION
from .tokens import stem, words_of

__all__ = ["Span", "mark_rare", "shared_and_splitting"]

#: A piece of text, and whether it is marked.
Span = tuple[str, bool]


NAMED = 6  # words named that a family shares, or that split it

#: Words of grammar that change no meaning by themselves.
SMALL = FUNCTION_WORDS - NEGATION - COMPARISON - frozenset(["how", "why", "when", "where", "who", "which"])


def joined(spans: list[Span]) -> list[Span]:
    """Mark white space between two marked words, too, so that a changed phrase is one piece."""
    marks = [marked for _, marked in spans]
    for i, (text, _) in enumerate(spans[1:-1], 1):
        marks[i] |= text.isspace() and spans[i - 1][1] and spans[i + 1][1]
    runs = groupby(zip(spans, marks, strict=True), key=itemgetter(1))
    return [("".join(text for (text, _), _ in run), marked) for marked, run in runs]


def mark_rare(text: str, others: Sequence[str]) -> list[Span]:
    """A sentence as spans, marked where most of the others lack the word; joined, they give the sentence.

    Ignores case, endings and function words.

    Examples
    --------
    >>> mark_rare("May hamsters eat nuts?", ["May hamsters eat honey?", "Can a hamster eat honey?"])
    [('May hamsters eat ', False), ('nuts', True), ('?', False)]
    """
    if not others or not text:
        return [(text, False)]
    held = Counter(word for other in others for word in _content(other))
    pieces = words_of(text)
    rare = [(word := _normal(piece)) != "" and 2 * held[word] < len(others) for piece in pieces]
    return joined(list(zip(pieces, rare, strict=True)))


def shared_and_splitting(
    texts: Sequence[str], groups: Sequence[int] | None = None
) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Words that more than half of the sentences hold, and words that at most half hold, each with its count.

    The second kind are words in at least two sentences, first those whose share differs most between the `groups`
    (one number per sentence). Function words are left out; case and endings are ignored. At most six of each kind,
    each in its most frequent spelling.

    Examples
    --------
    >>> texts = ["I want to gain weight", "Gaining weight fast", "Can I lose weight?", "Weight: losing it"]
    >>> shared_and_splitting(texts, [0, 0, 1, 1])
    ([('weight', 4)], [('gain', 2), ('lose', 2)])
    """
    content = [_content(text) for text in texts]
    count = Counter(word for words in content for word in words)
    spelled: dict[str, Counter] = defaultdict(Counter)
    for text in texts:
        for piece in words_of(text):
            spelled[_normal(piece)][piece.casefold()] += 1
    members: dict[int, list[frozenset[str]]] = defaultdict(list)
    for i, words in enumerate(content):
        members[groups[i] if groups is not None else 0].append(words)

    def contrast(word: str) -> float:
        shares = [sum(word in one for one in some) / len(some) for some in members.values() if len(some) > 1]
        return max(shares, default=0) - min(shares, default=0)

    def named(words: list[str]) -> list[tuple[str, int]]:
        usual = (min(spelled[word].items(), key=lambda form: (-form[1], len(form[0]), form[0])) for word in words)
        return [(form, count[word]) for (form, _), word in zip(usual, words, strict=True)]

    shared = sorted((word for word in count if 2 * count[word] > len(texts)), key=lambda w: (-count[w], w))
    rest = (word for word in count if 2 <= count[word] <= len(texts) / 2)
    rest = sorted(rest, key=lambda word: (-contrast(word), -count[word], word))
    return named(shared[:NAMED]), named(rest[:NAMED])


@lru_cache(maxsize=8192)
def _normal(piece: str) -> str:
    """The form in which a word is compared, or the empty text."""
    word = piece.casefold()
    return "" if not piece[0].isalnum() or word in SMALL else stem(word)


@lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    return frozenset(map(_normal, words_of(text))) - {""}
