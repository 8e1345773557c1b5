"""ROUGE: how many words and pairs of words a candidate shares with a reference, as ROUGE-1.5.5 counts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .porter import porter_stem

__all__ = ["ROUGE", "Overlap", "Piece", "gram_shares", "rouge", "rouge_overlap"]

#: The kinds there are.
ROUGE = ("rouge1", "rouge2", "rougeL")
#: Where a word begins and ends in its text, and its part in a score.
Piece = tuple[int, int, float]

_WORD = re.compile("[A-Za-z0-9]+")


class Overlap(NamedTuple):
    """What a candidate shares with a reference."""

    precision: float
    recall: float
    f: float
    candidate: list[Piece]  #: its words, each with the share of its n-grams that count as shared
    reference: list[Piece]


class _Text(NamedTuple):
    places: list[tuple[int, int]]
    stems: list[str]
    sentence: list[int]  #: the number of the sentence of each word


def rouge(candidates: Sequence[str], references: Sequence[str], kind: str = "rouge1") -> np.ndarray:
    """Precision, recall and F of each candidate against the reference in the same place: float64, (n, 3).

    The figures of ROUGE-1.5.5 with the options ``-n 2 -a -m``, less its list of irregular words: lower case, words
    of a–z and 0–9, those of more than three letters stemmed (`porter_stem`), sentences split at " . ". Precision
    and recall are rounded to five decimals, F is computed from them and rounded again, so that two texts tie where
    they tie there. A text without words scores 0.

    Parameters
    ----------
    candidates, references : sequence of str
        Of the same length.
    kind : {"rouge1", "rouge2", "rougeL"}
        Shared words; shared pairs of neighbours; the words on longest common subsequences of sentences (the union
        over the candidate's sentences, for each of the reference).

    References
    ----------
    Lin (2004), "ROUGE: a package for automatic evaluation of summaries".

    Examples
    --------
    >>> rouge(["The cats sat .", "Sat the cat"], ["A cat sat down", "A cat sat down"]).tolist()
    [[0.66667, 0.5, 0.57143], [0.66667, 0.5, 0.57143]]
    >>> rouge(["The cats sat .", "Sat the cat"], ["A cat sat down", "A cat sat down"], "rougeL")[:, 1].tolist()
    [0.5, 0.25]
    """
    found = [rouge_overlap(a, b, kind)[:3] for a, b in zip(candidates, references, strict=True)]
    return np.array(found, dtype=np.float64).reshape(-1, 3)


def rouge_overlap(candidate: str, reference: str, kind: str = "rouge1") -> Overlap:
    """One candidate against one reference, with the words that count.

    Examples
    --------
    >>> rouge_overlap("a cat, a hat", "a cat").candidate
    [(0, 1, 1.0), (2, 5, 1.0), (7, 8, 0.0), (9, 12, 0.0)]
    """
    texts = [_read(candidate), _read(reference)]
    if kind not in ROUGE:
        raise ValueError(f"kind={kind!r} is not one of {', '.join(ROUGE)}")
    order = 2 if kind == "rouge2" else 1
    shared, shares = gram_shares(*(text.stems for text in texts), order, _union(*texts) if kind == "rougeL" else None)
    totals = [max(0, len(text.stems) - order + 1) for text in texts]
    precision, recall = (float(f"{shared / total:.5f}") if total else 0.0 for total in totals)
    f = precision * recall / (0.5 * precision + 0.5 * recall) if precision + recall > 0 else 0.0
    sides = [
        [(*place, share) for place, share in zip(text.places, side, strict=True)]
        for text, side in zip(texts, shares, strict=True)
    ]
    return Overlap(precision, recall, float(f"{f:.5f}"), *sides)


def gram_shares(
    a: Sequence[str], b: Sequence[str], order: int, on: tuple[set[int], set[int]] | None = None
) -> tuple[int, tuple[list[float], list[float]]]:
    """How many n-grams two lists of words share, and of each word the share of its n-grams that are among them.

    Of equal n-grams of a list the first count. Where places `on` either list are given, only n-grams that begin at
    those of `b` count, and in `a` those there are the first.

    Examples
    --------
    >>> gram_shares(["a", "b", "a"], ["a", "b", "c"], 2)
    (1, ([1.0, 0.5, 0.0], [1.0, 0.5, 0.0]))
    """
    grams = [list(zip(*(side[i:] for i in range(order)), strict=False)) for side in (a, b)]
    shared = Counter(grams[0]) & Counter(grams[1])
    if on:
        shared &= Counter(grams[1][i] for i in on[1])
    first = on or ((), ())
    return shared.total(), tuple(
        _shares(side, shared, begins, len(words), order)
        for side, begins, words in zip(grams, first, (a, b), strict=True)
    )


def _shares(
    grams: list[tuple[str, ...]], shared: Counter, first: Collection[int], words: int, order: int
) -> list[float]:
    left, hit = shared.copy(), np.zeros(len(grams))
    for i in sorted(range(len(grams)), key=lambda i: (i not in first, i)):
        if left[grams[i]] > 0:
            left[grams[i]] -= 1
            hit[i] = 1
    return [float(hit[max(0, i - order + 1) : i + 1].mean()) if len(grams) else 0.0 for i in range(words)]


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> _Text:
    places, stems, sentence = [], [], []
    breaks = [found.start() for found in re.finditer(r" \. ", text)]
    for found in _WORD.finditer(text):
        word = found[0].lower()
        places.append(found.span())
        stems.append(porter_stem(word) if len(word) > 3 else word)
        while breaks and breaks[0] < found.start():
            breaks.pop(0)
        sentence.append(-len(breaks))
    return _Text(places, stems, sentence)


def _union(candidate: _Text, reference: _Text) -> tuple[set[int], set[int]]:
    """The places of words on a longest common subsequence of some sentence of one and some sentence of the other."""
    marked: tuple[set[int], set[int]] = (set(), set())
    for line in _sentences(reference):
        for other in _sentences(candidate):
            for i, j in _subsequence([reference.stems[i] for i in line], [candidate.stems[j] for j in other]):
                marked[0].add(other[j])
                marked[1].add(line[i])
    return marked


def _sentences(text: _Text) -> list[list[int]]:
    lines: dict[int, list[int]] = defaultdict(list)
    for i, line in enumerate(text.sentence):
        lines[line].append(i)
    return list(lines.values())


def _subsequence(rows: list[str], columns: list[str]) -> Iterator[tuple[int, int]]:
    """The matches of one longest common subsequence, from the end: where several are, the one ROUGE-1.5.5 finds.

    Bit-parallel (Hyyrö 2004): bit j of ``steps[i]`` says that the subsequence of the first i rows grows at column j.
    """
    where: dict[str, int] = defaultdict(int)
    for j, word in enumerate(columns):
        where[word] |= 1 << j
    full = (1 << len(columns)) - 1
    rest, steps = full, [0]
    for word in rows:
        match = rest & where[word] if word in where else 0
        rest = ((rest + match) | (rest & ~match)) & full
        steps.append(full & ~rest)
    i, j = len(rows), len(columns)
    while i and j:
        upto = (1 << j) - 1
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            yield i, j
        elif (steps[i] & upto).bit_count() == (steps[i - 1] & upto).bit_count():
            i -= 1
        else:
            j -= 1
