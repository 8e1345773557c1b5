"""The words in which two sentences differ, and the kinds of difference, counted."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import NamedTuple

import numpy as np
import pandas as pd

from . import lexicon
from .lexicon import FUNCTION_WORDS
from .tokens import Sentence, read, words_of

__all__ = [
    "COLUMNS", "Vocabulary", "compare", "differences", "forms", "seems_english", "turned", "typo",
]  # fmt: skip

#: The counts of `differences`; all are symmetric in the two sentences, and 0 means "the same" unless noted.
COLUMNS = {
    "swapped": "content words on both sides that the other lacks (the lesser count)",
    "added": "content words that one side has in excess of that",
    "overlap": "share of content words in common, each weighted by its rarity (1: the same words)",
    "rarest": "rarity of the rarest word that one side lacks",
    "rarest_swapped": "the same, where both sides lack one: the rarer words' lesser rarity",
    "name": "a name on each side that the other lacks",
    "name_added": "a name on one side only",
    "number": "a number on each side that the other lacks",
    "number_added": "a number on one side only",
    "negation": "a negation on one side only",
    "opposite": "words of opposite meaning",
    "question": "another kind of question",
    "why": "one side asks why, the other does not",
    "comparison": "more, less, best … on one side only",
    "person": "he, she or they on one side only",
    "past": "one side is about the past",
    "order": "the common words stand in another order (share of pairs of words that change places)",
    "length": "difference of lengths in words, as a share of the longer",
}


#: Those that depend on a vocabulary.
_RARITY = ("overlap", "rarest", "rarest_swapped", "name", "name_added")


class Vocabulary(NamedTuple):
    """The words of a corpus: how rare each is, and which are names."""

    rarity: dict[str, float]  #: log(sentences / sentences that hold the word), as a share of its greatest value
    names: frozenset[str]  #: words written with a capital inside a sentence more often than not

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> Vocabulary:
        """The vocabulary of a corpus, of distinct sentences."""
        n = len(sentences)
        holding = Counter()
        capital = Counter()
        for sentence in sentences:
            holding.update(set(sentence.content))
            capital.update(sentence.capitals)
        most = log(max(n, 2))
        rarity = {word: log(n / count) / most for word, count in holding.items()}
        names = [word for word, count in capital.items() if 2 * count > holding[word]]
        return cls(rarity, frozenset(names))


def forms(x: str, y: str) -> bool:
    """Return True if two stems differ only in their endings.

    >>> forms("india", "indian"), forms("austria", "australia")
    (True, False)
    """
    for k in range(4, min(len(x), len(y)) + 1):
        endings = {x[k:], y[k:]}
        if x[:k] == y[:k] and endings <= lexicon.ENDINGS:
            return True
    return False


def typo(x: str, y: str) -> bool:
    """Return True if two stems are one word with a typo: one or two letters of a longer word, not the first.

    Two known words are not a typo of each other, unless they are forms of one word. Any word outside the list may be
    one.
    """
    shorter = min(len(x), len(y))
    longer = max(len(x), len(y))
    if x[0] != y[0] or shorter < 4 or longer > shorter + 2:
        return False
    if any(map(str.isdigit, x + y)):
        return False
    allowed = 1 if shorter < 7 else 2
    if len({*x} ^ {*y}) > 2 * allowed:  # each error changes at most two of the letters: seen at once
        return False
    if x in lexicon.KNOWN and y in lexicon.KNOWN and not forms(x, y):
        return False
    before: list[int] = []
    row = list(range(len(y) + 1))
    for i, p in enumerate(x, 1):
        older = before
        before = row
        row = [i]
        for j, q in enumerate(y, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (p != q))
            crossed = i > 1 and j > 1 and p == y[j - 2] and q == x[i - 2]
            if crossed:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1] <= allowed


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


def compare(a: Sentence, b: Sentence) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    """The content words that only one side has, in order, and the pairs of words that are opposites."""
    left = _less(a.content, b.content)
    right = _less(b.content, a.content)
    if not (left and right):
        return left, right, []
    opposites = []
    of_right = set(right)
    for x in left:
        opposite = _opposites_of(x)
        if not of_right.isdisjoint(opposite):
            opposites += [(x, y) for y in right if y in opposite]
    _drop_slips(left, right)
    _drop_joined(left, right, a, b)
    _drop_joined(right, left, b, a)
    return left, right, opposites


def _drop_slips(left: list[str], right: list[str]) -> None:
    """Take out of both lists the words that are a slip away from a word of the other."""
    begins = defaultdict(list)
    for y in right:
        begins[y[0]].append(y)
    for x in list(left):
        for y in begins.get(x[0], []):
            if typo(x, y) and y not in _opposites_of(x):
                left.remove(x)
                right.remove(y)
                begins[x[0]].remove(y)
                break


def _drop_joined(some: list[str], other: list[str], s: Sentence, o: Sentence) -> None:
    """Take out neighbours of one list that are one word of the other: "face book" is "facebook"."""
    if len(some) < 2 or not other:
        return
    whole = {o.surface[word].casefold(): word for word in other}
    for x, y in pairwise(some):
        together = s.surface[x] + s.surface[y]
        word = whole.get(together.casefold())
        if word in other and x in some and y in some:
            some.remove(x)
            some.remove(y)
            other.remove(word)


def _less(words: Sequence[str], other: Sequence[str]) -> list[str]:
    """The words that one side has in excess; of a repeated word, the first occurrences."""
    if len({*words}) == len(words):
        known = {*other}
        return [word for word in words if word not in known]
    spare = dict(Counter(other))
    found = []
    for word in reversed(words):
        if spare.get(word):
            spare[word] -= 1
        else:
            found.append(word)
    return found[::-1]


def turned(a: Sequence[str], b: Sequence[str]) -> float:
    """The share of pairs of common words (each at its first place) that are in the opposite order."""
    place = {word: i for i, word in enumerate(dict.fromkeys(b))}
    common = [place[word] for word in dict.fromkeys(a) if word in place]
    if common == sorted(common):
        return 0.0
    k = len(common)
    turned = 0
    passed = []
    for i, at in enumerate(common):
        where = bisect(passed, at)
        turned += i - where
        passed.insert(where, at)
    return turned / (k * (k - 1) / 2)


def _flags(a: Sentence, b: Sentence, vocabularies: Sequence[Vocabulary]) -> list[float]:
    """The columns of `COLUMNS` that depend on no vocabulary, then for each one those of `_RARITY`."""
    left, right, opposites = compare(a, b)
    number_left = bool(a.numbers - b.numbers)
    number_right = bool(b.numbers - a.numbers)
    words_a = set(a.words)
    words_b = set(b.words)
    longer = max(len(a.words), len(b.words), 1)
    found = [
        min(len(left), len(right)),
        abs(len(left) - len(right)),
        number_left and number_right,
        number_left != number_right,
        a.negations % 2 != b.negations % 2,
        bool(opposites),
        a.kind != b.kind,
        (a.kind == "why") != (b.kind == "why"),
        bool((words_a ^ words_b) & lexicon.COMPARISON),
        _persons(words_a) != _persons(words_b),
        bool(words_a & lexicon.PAST) != bool(words_b & lexicon.PAST),
        turned(a.content, b.content),
        abs(len(a.words) - len(b.words)) / longer,
    ]
    capitals = a.capitals | b.capitals
    capital_left = not capitals.isdisjoint(left)
    capital_right = not capitals.isdisjoint(right)
    for rarity, names in vocabularies:
        rare_left = [rarity.get(word, 1.0) for word in left]
        rare_right = [rarity.get(word, 1.0) for word in right]
        rarities = [rarity.get(word, 1.0) for word in a.content + b.content]
        total = sum(rarities)
        overlap = float(words_a == words_b)
        if total:
            overlap = 1 - sum(rare_left + rare_right) / total
        high = max(rare_left, default=0.0)
        low = max(rare_right, default=0.0)
        name_left = capital_left or not names.isdisjoint(left)
        name_right = capital_right or not names.isdisjoint(right)
        found += [overlap, max(high, low), min(high, low)]
        found += [name_left and name_right, name_left != name_right]
    return found


def _persons(words: set[str]) -> set[str]:
    return {lexicon.PERSON[word] for word in words if word in lexicon.PERSON}


def differences(
    left: Sequence[str],
    right: Sequence[str],
    vocabularies: Sequence[Vocabulary | None] = (None,),
    *,
    progress: bool = True,
) -> list[pd.DataFrame]:
    """Measure how each pair of sentences differs: one row per pair, the columns of `COLUMNS` as float32.

    The reader uses rules and short English word lists (`lexicon`), not a tagger: closed classes of words, numbers and
    capitals decide, and tagging 128,000 pairs would take hours. In other languages numbers, names, overlap and rarity
    still work; scripts without spaces are read character by character.

    There is one table per vocabulary, from which rarity and names come: None for that of the given sentences. Each
    distinct sentence is read, and each pair compared, once.

    Examples
    --------
    >>> [found] = differences(["May hamsters eat nuts?", "How do I go?"], ["May hamsters eat honey?", "Why go?"])
    >>> found[["swapped", "added", "question", "why"]]
       swapped  added  question  why
    0      1.0    0.0       0.0  0.0
    1      0.0    0.0       1.0  1.0
    """
    from tqdm.auto import tqdm

    sides = [np.asarray(side, dtype=object) for side in (left, right)]
    texts = np.concatenate(sides)
    codes, distinct = pd.factorize(texts)
    bar = {"delay": 1, "leave": False, "disable": not progress}
    sentences = [read(text) for text in tqdm(distinct, "reading words", unit=" sentences", **bar)]
    known = [Vocabulary.of(sentences) if one is None else one for one in vocabularies]
    n = len(left)
    ends = np.column_stack([codes[:n], codes[n:]]).tolist()
    rows = []
    for i, j in tqdm(ends, "comparing words", unit=" pairs", **bar):
        rows.append(_flags(sentences[i], sentences[j], known))
    names = [name for name in COLUMNS if name not in _RARITY]
    width = len(names) + len(_RARITY) * len(known)
    found = np.array(rows, np.float32).reshape(len(rows), width)
    plain = found[:, : len(names)]
    own = found[:, len(names) :]
    own = own.reshape(len(rows), len(known), len(_RARITY))
    tables = []
    for i in range(len(known)):
        values = np.hstack([plain, own[:, i]])
        table = pd.DataFrame(values, columns=[*names, *_RARITY])
        tables.append(table[[*COLUMNS]])
    return tables


def seems_english(texts: Iterable[str]) -> bool:
    """Return True if one word in four is an English function word, or if fewer than 100 words cannot tell.

    >>> seems_english(["Wie kann ich in einer Nacht lernen, so dass es gut ist?"] * 20)
    False
    """
    words = words_of("\n".join(texts))
    words = [word.casefold() for word in words if word[0].isalpha()]
    if len(words) < 100:
        return True
    return sum(word in FUNCTION_WORDS for word in words) > len(words) / 4
