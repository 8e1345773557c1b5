"""The words of two sentences, matched: those that only one side has, opposites, and the order of the rest."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from . import lexicon
from .tokens import Sentence

__all__ = ["compare", "inversions", "is_form", "is_typo"]


def compare(a: Sentence, b: Sentence) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    """The content words that only one side has, in order, and the pairs of words that are opposites."""
    left = _excess(a.content, b.content)
    right = _excess(b.content, a.content)
    if not (left and right):
        return left, right, []
    opposites = []
    of_right = set(right)
    for x in left:
        opposite = _opposites_of(x)
        if not of_right.isdisjoint(opposite):
            opposites += [(x, y) for y in right if y in opposite]
    _drop_typos(left, right)
    _drop_joined(left, right, a, b)
    _drop_joined(right, left, b, a)
    return left, right, opposites


def _excess(words: Sequence[str], other: Sequence[str]) -> list[str]:
    """The words that one side has in excess; of a repeated word, the first occurrences."""
    left_over = Counter(other)
    found = []
    for word in reversed(words):
        if left_over[word] > 0:
            left_over[word] -= 1
        else:
            found.append(word)
    return found[::-1]


@lru_cache(maxsize=1 << 14)
def _opposites_of(word: str) -> frozenset[str]:
    """All words that would be the opposite of this one, existing or not."""
    found = set()
    for pair in lexicon.OPPOSITES:
        if word in pair:
            found |= pair - {word}
    for prefix in lexicon.NEGATIVE_PREFIXES:
        if len(word) > 3:
            found.add(prefix + word)
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) > 3:
            found.add(rest)
    return frozenset(found)


def _drop_typos(left: list[str], right: list[str]) -> None:
    """Take out of both lists the words that are a typo of a word of the other."""
    begins = defaultdict(list)
    for y in right:
        begins[y[0]].append(y)
    for x in list(left):
        for y in begins[x[0]]:
            if is_typo(x, y) and y not in _opposites_of(x):
                left.remove(x)
                right.remove(y)
                begins[x[0]].remove(y)
                break


def _drop_joined(some: list[str], other: list[str], a: Sentence, b: Sentence) -> None:
    """Take out neighbours of one list that are one word of the other: "face book" is "facebook"."""
    stems = {b.surface[word].casefold(): word for word in other}
    for x, y in pairwise(list(some)):
        together = a.surface[x] + a.surface[y]
        word = stems.get(together.casefold())
        if word in other and x in some and y in some:
            some.remove(x)
            some.remove(y)
            other.remove(word)


def is_form(x: str, y: str) -> bool:
    """Return True if two stems differ only in their endings.

    >>> is_form("india", "indian"), is_form("austria", "australia")
    (True, False)
    """
    places = range(4, min(len(x), len(y)) + 1)
    return any(x[:k] == y[:k] and {x[k:], y[k:]} <= lexicon.ENDINGS for k in places)


def is_typo(x: str, y: str) -> bool:
    """Return True if two stems are one word with a typo: one or two letters of a longer word, not the first.

    Two known words are not a typo of each other, unless they are forms of one word. Any word outside the list may be
    one.
    """
    shorter = min(len(x), len(y))
    if x[0] != y[0] or shorter < 4 or any(map(str.isdigit, x + y)):
        return False
    most = 1 if shorter < 7 else 2
    if len({*x} ^ {*y}) > 2 * most:  # each error changes at most two of the letters: seen at once
        return False
    if x in lexicon.KNOWN and y in lexicon.KNOWN and not is_form(x, y):
        return False
    return _within(x, y, most)


def _within(x: str, y: str, most: int) -> bool:
    """True if two words are at most so many errors apart: a letter too much, another one, or two exchanged.

    >>> _within("definately", "definitely", 1), _within("recieve", "receive", 1), _within("angle", "ankles", 1)
    (True, True, False)
    """
    if x == y or most == 0:
        return x == y
    if x[:1] == y[:1]:
        return _within(x[1:], y[1:], most)
    after_one = [(x[1:], y), (x, y[1:]), (x[1:], y[1:])]
    if x[:2] == y[1::-1]:
        after_one.append((x[2:], y[2:]))
    return any(_within(*rest, most - 1) for rest in after_one)


def inversions(a: Sequence[str], b: Sequence[str]) -> float:
    """The share of pairs of common words (each at its first place) that are in the opposite order."""
    place = {word: i for i, word in enumerate(dict.fromkeys(b))}
    common = [place[word] for word in dict.fromkeys(a) if word in place]
    if common == sorted(common):
        return 0.0
    count = 0
    before = []
    for at in common:
        where = bisect(before, at)
        count += len(before) - where
        before.insert(where, at)
    k = len(common)
    return count / (k * (k - 1) / 2)
