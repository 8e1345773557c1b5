"""The kinds of difference between two sentences, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

import numpy as np
import pandas as pd

from . import lexicon
from .matching import compare, inversions
from .tokens import Sentence, read, words_of

__all__ = ["COLUMNS", "Difference", "Vocabulary", "differences", "seems_english"]


class Difference(NamedTuple):
    """The counts of `differences`; all are symmetric in the two sentences, and 0 means "the same" unless noted."""

    swapped: float  #: content words on both sides that the other lacks (the lesser count)
    added: float  #: content words that one side has in excess of that
    overlap: (
        float  #: share of content words in common, each weighted by its rarity (1: the same words)
    )
    rarest: float  #: rarity of the rarest word that one side lacks
    rarest_swapped: float  #: the same, where both sides lack one: the rarer words' lesser rarity
    name: float  #: a name on each side that the other lacks
    name_added: float  #: a name on one side only
    number: float  #: a number on each side that the other lacks
    number_added: float  #: a number on one side only
    negation: float  #: a negation on one side only
    opposite: float  #: words of opposite meaning
    question: float  #: another kind of question
    why: float  #: one side asks why, the other does not
    comparison: float  #: more, less, best … on one side only
    person: float  #: he, she or they on one side only
    past: float  #: one side is about the past
    order: float  #: the common words stand in another order (share of pairs of words that change places)
    length: float  #: difference of lengths in words, as a share of the longer


COLUMNS = Difference._fields


class Vocabulary(NamedTuple):
    """The words of a corpus: how rare each is, and which are names."""

    #: log(sentences / sentences that hold the word), as a share of its greatest value
    rarity: dict[str, float]
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

    def rarities(self, words: Iterable[str]) -> list[float]:
        """The rarity of each word; an unknown one is as rare as can be."""
        return [self.rarity.get(word, 1.0) for word in words]


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

    bar = {"delay": 1, "leave": False, "disable": not progress}
    distinct = dict.fromkeys([*left, *right])
    sentences = {
        text: read(text) for text in tqdm(distinct, "reading words", unit=" sentences", **bar)
    }
    known = [one or Vocabulary.of([*sentences.values()]) for one in vocabularies]
    rows = [[] for _ in known]
    pairs = zip(left, right, strict=True)
    for x, y in tqdm(pairs, "comparing words", total=len(left), unit=" pairs", **bar):
        a = sentences[x]
        b = sentences[y]
        compared = compare(a, b)
        kinds = _kinds(a, b, *compared)
        for of, vocabulary in zip(rows, known, strict=True):
            rare = _rare(a, b, *compared[:2], vocabulary)
            of.append(Difference(**kinds, **rare))
    return [pd.DataFrame(of, columns=COLUMNS, dtype=np.float32) for of in rows]


def _kinds(
    a: Sentence, b: Sentence, left: list[str], right: list[str], opposites: list
) -> dict[str, float]:
    """The columns that depend on no vocabulary; `left`, `right` and `opposites` are those of `compare`."""
    words_a = set(a.words)
    words_b = set(b.words)
    number_left = not a.numbers <= b.numbers
    number_right = not b.numbers <= a.numbers
    lengths = len(a.words), len(b.words)
    return {
        "swapped": min(len(left), len(right)),
        "added": abs(len(left) - len(right)),
        "number": number_left and number_right,
        "number_added": number_left != number_right,
        "negation": a.negations % 2 != b.negations % 2,
        "opposite": bool(opposites),
        "question": a.kind != b.kind,
        "why": (a.kind == "why") != (b.kind == "why"),
        "comparison": not lexicon.COMPARISON.isdisjoint(words_a ^ words_b),
        "person": _persons(words_a) != _persons(words_b),
        "past": lexicon.PAST.isdisjoint(words_a) != lexicon.PAST.isdisjoint(words_b),
        "order": inversions(a.content, b.content),
        "length": (max(lengths) - min(lengths)) / max(*lengths, 1),
    }


def _persons(words: set[str]) -> set[str]:
    return {lexicon.PERSON[word] for word in words if word in lexicon.PERSON}


def _rare(
    a: Sentence, b: Sentence, left: list[str], right: list[str], known: Vocabulary
) -> dict[str, float]:
    """The columns that depend on a vocabulary."""
    rare_left = known.rarities(left)
    rare_right = known.rarities(right)
    total = sum(known.rarities(a.content + b.content))
    overlap = float({*a.words} == {*b.words})
    if total:
        overlap = 1 - sum(rare_left + rare_right) / total
    rarest = max(rare_left, default=0.0), max(rare_right, default=0.0)
    written = a.capitals | b.capitals  # as names in one of the two
    name_left = not (known.names.isdisjoint(left) and written.isdisjoint(left))
    name_right = not (known.names.isdisjoint(right) and written.isdisjoint(right))
    return {
        "overlap": overlap,
        "rarest": max(rarest),
        "rarest_swapped": min(rarest),
        "name": name_left and name_right,
        "name_added": name_left != name_right,
    }


def seems_english(texts: Iterable[str]) -> bool:
    """Return True if one word in four is an English function word, or if fewer than 100 words cannot tell.

    >>> seems_english(["Wie kann ich in einer Nacht lernen, so dass es gut ist?"] * 20)
    False
    """
    words = words_of("\n".join(texts))
    words = [word.casefold() for word in words if word[0].isalpha()]
    if len(words) < 100:
        return True
    return sum(word in lexicon.FUNCTION_WORDS for word in words) > len(words) / 4
