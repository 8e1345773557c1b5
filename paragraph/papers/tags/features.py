"""The columns of the tagger: signs that a word has a counterpart in the other sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...words.lexicon import FUNCTION_WORDS, NUMBERS
from ...words.tokens import stem

__all__ = ["columns", "names"]

#: Of the word itself and of its sentence.
OF_A_WORD = (
    "exact", "stem", "letters", "excess", "number", "capital", "function", "mark", "length",
    "position", "words", "ratio", "shared",
)  # fmt: skip
#: Of its match at a layer: the word of the other sentence whose vector has the greatest cosine with its own.
OF_A_LAYER = (
    "cosine", "margin", "mutual", "rivalry", "rank", "typical", "beside", "moved", "same", "to number", "to function",
)  # fmt: skip
#: Columns of which the neighbours' values count too, at these distances.
NEIGHBOURS = {
    "stem": (-2, -1, 1, 2),
    "cosine": (-2, -1, 1, 2),
    "function": (-1, 1),
    "mark": (-1, 1),
}
#: Columns whose mean counts too, over the word and `_REACH` words on either side.
_AROUND = ("stem", "cosine")
_REACH = 3


def names(layers: Sequence[int]) -> list[str]:
    """The names of the columns, in their order.

    >>> names([3])[13:16], len(names([3, 6]))
    (['cosine 3', 'margin 3', 'mutual 3'], 54)
    """
    plain = list(OF_A_WORD)
    for layer in layers:
        plain += [f"{name} {layer}" for name in OF_A_LAYER]
    beside = []
    around = []
    for i, kind in _spread(len(layers)):
        beside += [f"{plain[i]} at {at:+d}" for at in NEIGHBOURS[kind]]
        if kind in _AROUND:
            around.append(f"{plain[i]} around")
    return [*plain, *beside, *around]


def columns(
    a: Sequence[str], b: Sequence[str], alike: np.ndarray, layers: Sequence[int]
) -> np.ndarray:
    """The columns of every word of two sentences, first those of `a`: float32, (words, columns).

    Parameters
    ----------
    a, b : sequences of str
        The words.
    alike : array of float, (layers, words of a, words of b)
        The cosines of their vectors.
    """
    turned = alike.transpose(0, 2, 1)
    sides = (_side(a, b, alike), _side(b, a, turned))
    rows = [_with_neighbours(side, len(layers)) for side in sides]
    return np.concatenate(rows).astype(np.float32)


def _spread(layers: int) -> list[tuple[int, str]]:
    """The columns whose neighbours count: number and kind."""
    kinds = [*OF_A_WORD, *OF_A_LAYER * layers]
    return [(i, kind) for i, kind in enumerate(kinds) if kind in NEIGHBOURS]


def _side(x: Sequence[str], y: Sequence[str], alike: np.ndarray) -> np.ndarray:
    """Own columns of the words of x, whose counterparts are sought in y."""
    if not len(x):
        of_layers = len(alike) * len(OF_A_LAYER)
        return np.empty((0, len(OF_A_WORD) + of_layers))
    if not len(y):  # then nothing is alike
        y = [""]
        shape = (len(alike), len(x), 1)
        alike = np.zeros(shape, dtype=alike.dtype)
    n = len(x)
    m = len(y)
    lower, stems, runs, facts = _read_all(x)
    lower_y, stems_y, runs_y, facts_y = _read_all(y)
    same = _equal(stems, stems_y)
    has_stem = same.any(axis=1)
    letters = np.ones(n)
    for i in np.flatnonzero(~has_stem):
        letters[i] = _letters(runs[i], runs_y)
    place = np.arange(n)
    exact = _equal(lower, lower_y).any(axis=1)
    own = _equal(stems, stems).sum(axis=1)
    excess = own - same.sum(axis=1)
    found = [exact, has_stem, letters, excess, *facts.T, place / n]
    of_sentence = (n, m / n, has_stem.mean())
    found += [np.full(n, value) for value in of_sentence]
    for cosines in alike:
        match = cosines.argmax(axis=1)
        back = cosines.argmax(axis=0)
        best = cosines[place, match]
        second = best
        if m > 1:
            second = np.partition(cosines, -2, axis=1)[:, -2]
        rivalry = best - cosines.max(axis=0)[match]
        order = np.argsort(best, kind="stable")
        rank = np.argsort(order, kind="stable") / n
        step = np.abs(np.diff(match)) == 1
        beside = np.append(0, step) + np.append(step, 0)
        moved = np.abs(match / m - place / n)
        typical = np.full(n, best.mean())
        margin = best - second
        mutual = back[match] == place
        found += [best, margin, mutual, rivalry, rank, typical]
        found += [beside, moved, same[place, match]]
        found += [facts_y[match, 0], facts_y[match, 2]]
    return np.array(found, dtype=np.float64).T


def _equal(x: Sequence[str], y: Sequence[str]) -> np.ndarray:
    """Compare each word of x with each of y: bool, (words of x, words of y)."""
    code: dict[str, int] = {}
    left = [code.setdefault(word, len(code)) for word in x]
    right = [code.setdefault(word, len(code)) for word in y]
    return np.array(left)[:, None] == np.array(right)


def _with_neighbours(own: np.ndarray, layers: int) -> np.ndarray:
    """The same, and the neighbours' values: −1 where there is none."""
    n = len(own)
    beside = []
    around = []
    place = np.arange(n)
    low = np.maximum(place - _REACH, 0)
    high = np.minimum(place + _REACH + 1, n)
    for i, kind in _spread(layers):
        wide = np.pad(own[:, i], 2, constant_values=-1.0)
        begins = [2 + at for at in NEIGHBOURS[kind]]
        beside += [wide[begin : begin + n] for begin in begins]
        if kind in _AROUND:
            sums = np.cumsum(np.append(0.0, own[:, i]))
            total = sums[high] - sums[low]
            around.append(total / (high - low))
    return np.column_stack([own, *beside, *around])


@lru_cache(maxsize=2**16)
def _read(word: str) -> tuple:
    """The word without capitals, its stem, its runs of three letters, and what kind of word it is."""
    low = word.casefold()
    framed = f"<{low}>"
    begins = range(len(framed) - 2)
    runs = frozenset(framed[i : i + 3] for i in begins)
    number = any(map(str.isdigit, low)) or low in NUMBERS
    capital = word[:1].isupper()
    mark = not any(map(str.isalnum, low))
    function = low in FUNCTION_WORDS
    length = min(len(low), 20)
    facts = (number, capital, function, mark, length)
    return low, stem(low), runs, facts


def _read_all(words: Sequence[str]) -> tuple:
    """The words in lower case, their stems, runs of letters, and facts: float64, (n, 5)."""
    read = map(_read, words)
    lower, stems, runs, facts = zip(*read, strict=True)
    return lower, stems, runs, np.array(facts, dtype=np.float64)


def _letters(runs: frozenset[str], others: Sequence[frozenset[str]]) -> float:
    """The greatest share of runs of three letters (Dice) that a word of the other sentence has in common."""
    shares = []
    for each in others:
        total = len(runs) + len(each)
        shared = len(runs & each)
        shares.append(shared / max(1, total))
    return 2 * max(shares)
