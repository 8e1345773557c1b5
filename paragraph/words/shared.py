"""Words that a family of sentences shares, and words that set some of it apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from .lexicon import COMPARISON, FUNCTION_WORDS, NEGATION
from .tokens import stem, words_of

__all__ = ["Span", "mark_rare", "shared_and_splitting"]

#: A piece of text, and whether it is marked.
Span = tuple[str, bool]


NAMED = 6  # words named that a family shares, or that split it

#: Words of grammar that change no meaning by themselves.
_ASKING = {"how", "why", "when", "where", "who", "which"}
SMALL = FUNCTION_WORDS - NEGATION - COMPARISON - _ASKING


def join_spans(spans: list[Span]) -> list[Span]:
    """Mark white space between two marked words, too, so that a changed phrase is one piece."""
    marks = [marked for _, marked in spans]
    for i, (text, _) in enumerate(spans[1:-1], 1):
        if text.isspace() and spans[i - 1][1] and spans[i + 1][1]:
            marks[i] = True
    found = []
    for (text, _), marked in zip(spans, marks, strict=True):
        if found and found[-1][1] == marked:
            text = found.pop()[0] + text
        found.append((text, marked))
    return found


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
    counts = Counter(chain(*map(_content, others)))
    spans = []
    for piece in words_of(text):
        word = _normal(piece)
        rare = word != "" and 2 * counts[word] < len(others)
        spans.append((piece, rare))
    return join_spans(spans)


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
    count = Counter(chain(*content))
    spelled = defaultdict(Counter)
    for text in texts:
        for piece in words_of(text):
            spelled[_normal(piece)][piece.casefold()] += 1
    members = defaultdict(list)
    if groups is None:
        groups = [0 for _ in texts]
    for group, words in zip(groups, content, strict=True):
        members[group].append(words)

    def contrast(word: str) -> float:
        shares = []
        for some in members.values():
            if len(some) > 1:
                shares.append(sum(word in one for one in some) / len(some))
        return max(shares, default=0) - min(shares, default=0)

    def name(words: list[str]) -> list[tuple[str, int]]:
        return [(_usual(spelled[word]), count[word]) for word in words]

    shared = [word for word in count if 2 * count[word] > len(texts)]
    shared.sort(key=lambda word: (-count[word], word))
    rest = [word for word in count if 2 <= count[word] <= len(texts) / 2]
    rest.sort(key=lambda word: (-contrast(word), -count[word], word))
    return name(shared[:NAMED]), name(rest[:NAMED])


def _usual(spellings: Counter) -> str:
    """The most frequent spelling, the shortest of several."""
    return min(spellings, key=lambda form: (-spellings[form], len(form), form))


@lru_cache(maxsize=8192)
def _normal(piece: str) -> str:
    """The form in which a word is compared, or the empty text."""
    word = piece.casefold()
    if not piece[0].isalnum() or word in SMALL:
        return ""
    return stem(word)


@lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    return frozenset(map(_normal, words_of(text))) - {""}
