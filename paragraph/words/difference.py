"""The words in which two sentences differ, and the kind of difference."""

from __future__ import annotations

import re
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
from .lexicon import FUNCTION_WORDS, NEGATION, PREPOSITIONS
from .numerals import decimals, digit_runs, signs_of
from .tokens import Sentence, read, words_of

__all__ = [
    "COLUMNS", "Vocabulary", "compare", "differences", "forms", "reasons", "seems_english", "turned", "typo",
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
        n, holding, capital = len(sentences), Counter(), Counter()
        for sentence in sentences:
            holding.update(set(sentence.content))
            capital.update(sentence.capitals)
        most = log(max(n, 2))
        names = frozenset(word for word, count in capital.items() if 2 * count > holding[word])
        return cls({word: log(n / count) / most for word, count in holding.items()}, names)


def forms(x: str, y: str) -> bool:
    """Return True if two stems differ only in their endings.

    >>> forms("india", "indian"), forms("austria", "australia")
    (True, False)
    """
    shared = (k for k in range(4, min(len(x), len(y)) + 1) if x[:k] == y[:k])
    return any({x[k:], y[k:]} <= lexicon.ENDINGS for k in shared)


def typo(x: str, y: str) -> bool:
    """Return True if two stems are one word with a typo: one or two letters of a longer word, not the first.

    Two known words are not a typo of each other, unless they are forms of one word. Any word outside the list may be
    one.
    """
    if x[0] != y[0] or min(len(x), len(y)) < 4 or abs(len(x) - len(y)) > 2 or any(map(str.isdigit, x + y)):
        return False
    allowed = 1 if min(len(x), len(y)) < 7 else 2
    if len({*x} ^ {*y}) > 2 * allowed:  # each error changes at most two of the letters: seen at once
        return False
    if x in lexicon.KNOWN and y in lexicon.KNOWN and not forms(x, y):
        return False
    before, row = [], list(range(len(y) + 1))
    for i, p in enumerate(x, 1):
        older, before = before, row
        row = [i]
        for j, q in enumerate(y, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (p != q))
            if i > 1 and j > 1 and p == y[j - 2] and q == x[i - 2]:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1] <= allowed


@lru_cache(maxsize=1 << 14)
def _opposites_of(word: str) -> frozenset[str]:
    """All words that would be the opposite of this one, existing or not."""
    prefixes = lexicon.NEGATIVE_PREFIXES
    listed = {other for pair in lexicon.OPPOSITES if word in pair for other in pair - {word}}
    longer = {prefix + word for prefix in prefixes if len(word) > 3}
    shorter = {rest for prefix in prefixes if word.startswith(prefix) and len(rest := word.removeprefix(prefix)) > 3}
    return frozenset(listed | longer | shorter)


def compare(a: Sentence, b: Sentence) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    """The content words that only one side has, in order, and the pairs of words that are opposites."""
    left, right = _less(a.content, b.content), _less(b.content, a.content)
    if not (left and right):
        return left, right, []
    held, begins = set(right), defaultdict(list)
    opposites = [(x, y) for x in left if held & _opposites_of(x) for y in right if y in _opposites_of(x)]
    for y in right:
        begins[y[0]].append(y)
    for x in list(left):
        near = begins.get(x[0], [])
        same = next((y for y in near if typo(x, y) and y not in _opposites_of(x)), None)
        if same is not None:
            left.remove(x)
            right.remove(same)
            near.remove(same)
    for some, other, s, o in ((left, right, a, b), (right, left, b, a)):  # "face book" is "facebook"
        whole = {o.surface[word].casefold(): word for word in other} if len(some) > 1 and other else {}
        for x, y in pairwise(some):
            word = whole.get((s.surface[x] + s.surface[y]).casefold())
            if word in other and x in some and y in some:
                some.remove(x)
                some.remove(y)
                other.remove(word)
    return left, right, opposites


def _less(words: Sequence[str], other: Sequence[str]) -> list[str]:
    """The words that one side has in excess; of a repeated word, the first occurrences."""
    if len({*words}) == len(words):
        held = {*other}
        return [word for word in words if word not in held]
    spare, found = dict(Counter(other)), []
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
    k, turned, passed = len(common), 0, []
    for i, at in enumerate(common):
        where = bisect(passed, at)
        turned += i - where
        passed.insert(where, at)
    return turned / (k * (k - 1) / 2)


def _flags(a: Sentence, b: Sentence, vocabularies: Sequence[Vocabulary]) -> list[float]:
    """The columns of `COLUMNS` that depend on no vocabulary, then for each one those of `_RARITY`."""
    left, right, opposites = compare(a, b)
    number_left, number_right = bool(a.numbers - b.numbers), bool(b.numbers - a.numbers)
    words_a, words_b = set(a.words), set(b.words)
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
        abs(len(a.words) - len(b.words)) / max(len(a.words), len(b.words), 1),
    ]
    capitals = a.capitals | b.capitals
    capital_left, capital_right = not capitals.isdisjoint(left), not capitals.isdisjoint(right)
    for rarity, names in vocabularies:
        rare_left, rare_right = ([rarity.get(word, 1.0) for word in words] for words in (left, right))
        total = sum([rarity.get(word, 1.0) for word in a.content + b.content])
        high, low = max(rare_left, default=0.0), max(rare_right, default=0.0)
        name_left = capital_left or not names.isdisjoint(left)
        name_right = capital_right or not names.isdisjoint(right)
        found += [
            1 - sum(rare_left + rare_right) / total if total else float(words_a == words_b),
            max(high, low),
            min(high, low),
            name_left and name_right,
            name_left != name_right,
        ]
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

    codes, distinct = pd.factorize(np.concatenate([np.asarray(left, dtype=object), np.asarray(right, dtype=object)]))
    bar = {"delay": 1, "leave": False, "disable": not progress}
    sentences = [read(text) for text in tqdm(distinct, "reading words", unit=" sentences", **bar)]
    known = [Vocabulary.of(sentences) if one is None else one for one in vocabularies]
    ends = zip(codes[: len(left)].tolist(), codes[len(left) :].tolist(), strict=True)
    pairs = tqdm(ends, "comparing words", len(left), unit=" pairs", **bar)
    rows = [_flags(sentences[i], sentences[j], known) for i, j in pairs]
    plain, own = len(COLUMNS) - len(_RARITY), len(_RARITY)
    found = np.array(rows, np.float32).reshape(len(rows), plain + own * len(known))
    names = [*(name for name in COLUMNS if name not in _RARITY), *_RARITY]
    parts = (found[:, plain + own * i :][:, :own] for i in range(len(known)))
    return [pd.DataFrame(np.hstack([found[:, :plain], part]), columns=names)[[*COLUMNS]] for part in parts]


def seems_english(texts: Iterable[str]) -> bool:
    """Return True if one word in four is an English function word, or if fewer than 100 words cannot tell.

    >>> seems_english(["Wie kann ich in einer Nacht lernen, so dass es gut ist?"] * 20)
    False
    """
    words = [word.casefold() for word in words_of("\n".join(texts)) if word[0].isalpha()]
    return len(words) < 100 or sum(word in FUNCTION_WORDS for word in words) > len(words) / 4


#: Phrases quoted of one side, and their characters together, that a reader compares at a glance.
MOST_PHRASES, MOST_CHARACTERS = 2, 32
#: Words that open a question whose kind the reader sees at once.
OPENERS = lexicon.QUESTION["whether"] | {"how", "why", "what", "which", "who", "whom", "whose", "when", "where"}


def reasons(a: str, b: str, english: bool = True) -> list[str]:
    """Say how two sentences differ, in short phrases, the most important first; none if no difference was found.

    Only what a reader sees at once is said; where more differs, the phrase is "many words differ". Negations and
    kinds of questions are recognised only in English; `english` False leaves them out.

    Examples
    --------
    >>> reasons("Can I fly with 3 bags?", "Can I not fly with 5 bags in India?")
    ["number differs: '3' / '5'", "negation on one side: 'not'", "only one side: 'in India'"]
    >>> reasons("Shares rose 2% in Paris on Friday after a bank had said it would sell", "Paris gained 3% by noon")
    ["number differs: '2' / '3'", 'many words differ']
    """
    x, y = read(a), read(b)
    left, right, _ = compare(x, y)
    phrases = []
    numbers = [_numbers(a, x, b, y), _numbers(b, y, a, x)]
    if all(numbers) and max(map(len, numbers)) <= MOST_PHRASES:
        phrases.append(f"number differs: {' / '.join(map(_quoted, numbers))}")
    sides = [
        _phrases(text, s, words)
        for text, s, o, every in ((a, x, y, left), (b, y, x, right))
        if (words := [word for word in every if word not in s.numbers - o.numbers])
    ]
    if any(len(found) > MOST_PHRASES or sum(map(len, found)) > MOST_CHARACTERS for found in sides):
        return [*phrases, "many words differ"]
    digits = [number for side in numbers for number in side if number[0].isdigit()]
    if not phrases and 0 < len(digits) <= MOST_PHRASES:
        phrases.append(f"number on one side: {_quoted(digits)}")
    if english and x.negations % 2 != y.negations % 2:
        more = max(x, y, key=lambda s: s.negations)
        word = more.surface[next(word for word in more.words if word in NEGATION)]
        phrases.append(f"negation on one side: {_quoted([word])}")
    asked = all(s.kind and s.words[0] in OPENERS for s in (x, y)) and {x.kind, y.kind} != {"how", "what"}
    if english and asked and x.kind != y.kind:
        phrases.append(f"another question: {x.kind} / {y.kind}")
    if sides:
        kind = "differs" if len(sides) == 2 else "only one side"
        phrases.append(f"{kind}: {' / '.join(map(_quoted, sides))}")
    signs = [signs_of(a), signs_of(b)]
    only = [sorted(signs[0] - signs[1]), sorted(signs[1] - signs[0])]
    if all(only):
        phrases.append(f"sign differs: {' / '.join(map(_quoted, only))}")
    elif any(only):
        phrases.append(f"sign on one side: {_quoted(only[0] or only[1])}")
    if not phrases and turned(x.content, y.content):
        phrases.append("same words, another order")
    if not phrases and turned(digit_runs(a), digit_runs(b)):
        phrases.append("same numbers, another order")
    return phrases


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _numbers(text: str, sentence: Sentence, other_text: str, other: Sentence) -> list[str]:
    """The numbers that the other sentence lacks, as written; 3.05 is one number."""
    divided = decimals(text)
    parts = {part.lstrip("0") or "0" for decimal in divided for part in re.findall(r"\d+", decimal)}
    whole = {sentence.surface["#" + number] for number in sentence.numbers - other.numbers - parts}
    found = whole | (divided - decimals(other_text))
    return sorted(found, key=lambda number: (text.find(number), number))


def _phrases(text: str, sentence: Sentence, words: list[str]) -> list[str]:
    """The words as they stand in the text, in runs; each includes the preposition before it."""
    pieces = words_of(text)
    surfaces = {sentence.surface[word] for word in words}
    runs: list[list[int]] = []
    for i in (i for i, piece in enumerate(pieces) if piece in surfaces):
        if runs and all(p.isspace() or p.casefold() in FUNCTION_WORDS for p in pieces[runs[-1][1] + 1 : i]):
            runs[-1][1] = i
        else:
            runs.append([i, i])
    for run in runs:
        if run[0] >= 2 and pieces[run[0] - 2].casefold() in PREPOSITIONS:
            run[0] -= 2
    return ["".join(pieces[first : last + 1]) for first, last in runs] or [sentence.surface[word] for word in words]
