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
NEIGHBOURS = {"stem": (-2, -1, 1, 2), "cosine": (-2, -1, 1, 2), "function": (-1, 1), "mark": (-1, 1)}
#: Columns whose mean counts too, over the word and this many words on either side.
_AROUND, _REACH = ("stem", "cosine"), 3


def names(layers: Sequence[int]) -> list[str]:
    """The names of the columns, in their order.

    >>> names([3])[13:16], len(names([3, 6]))
    (['cosine 3', 'margin 3', 'mutual 3'], 54)
    """
    plain = [*OF_A_WORD, *(f"{name} {layer}" for layer in layers for name in OF_A_LAYER)]
    spread = _spread(len(layers))
    beside = [f"{plain[i]} at {at:+d}" for i, kind in spread for at in NEIGHBOURS[kind]]
    return [*plain, *beside, *(f"{plain[i]} around" for i, kind in spread if kind in _AROUND)]


def columns(a: Sequence[str], b: Sequence[str], alike: np.ndarray, layers: Sequence[int]) -> np.ndarray:
    """The columns of every word of two sentences, first those of `a`: float32, (words, columns).

    Parameters
    ----------
    a, b : sequences of str
        The words.
    alike : array of float, (layers, words of a, words of b)
        The cosines of their vectors.
    """
    sides = _side(a, b, alike), _side(b, a, alike.transpose(0, 2, 1))
    return np.concatenate([_with_neighbours(each, len(layers)) for each in sides]).astype(np.float32)


def _spread(layers: int) -> list[tuple[int, str]]:
    """The columns whose neighbours count: number and kind."""
    return [(i, kind) for i, kind in enumerate([*OF_A_WORD, *OF_A_LAYER * layers]) if kind in NEIGHBOURS]


def _side(x: Sequence[str], y: Sequence[str], alike: np.ndarray) -> np.ndarray:
    """Own columns of the words of x, whose counterparts are sought in y."""
    if not len(x):
        return np.empty((0, len(OF_A_WORD) + len(alike) * len(OF_A_LAYER)))
    if not len(y):  # then nothing is alike
        y, alike = [""], np.zeros((len(alike), len(x), 1), dtype=alike.dtype)
    n, m = len(x), len(y)
    read, other = [_read(word) for word in x], [_read(word) for word in y]
    facts, to = (np.array([each[3:] for each in side], dtype=np.float64) for side in (read, other))
    (low, stems, runs), (low_y, stems_y, runs_y) = ([*zip(*side, strict=True)][:3] for side in (read, other))
    same = _equal(stems, stems_y)
    has_stem = same.any(axis=1)
    letters = [1.0 if found else _letters(one, runs_y) for found, one in zip(has_stem, runs, strict=True)]
    place = np.arange(n)
    found = [
        _equal(low, low_y).any(axis=1), has_stem, letters, _equal(stems, stems).sum(axis=1) - same.sum(axis=1),
        *facts.T, place / n, np.full(n, n), np.full(n, m / n), np.full(n, has_stem.mean()),
    ]  # fmt: skip
    for cosines in alike:
        match, back = cosines.argmax(axis=1), cosines.argmax(axis=0)
        best = cosines[place, match]
        second = np.partition(cosines, -2, axis=1)[:, -2] if m > 1 else best
        step = np.abs(np.diff(match)) == 1
        found += [
            best, best - second, back[match] == place, best - cosines.max(axis=0)[match],
            np.argsort(np.argsort(best, kind="stable"), kind="stable") / n, np.full(n, best.mean()),
            np.append(0, step) + np.append(step, 0), np.abs(match / m - place / n),
            same[place, match], to[match, 0], to[match, 2],
        ]  # fmt: skip
    return np.array(found, dtype=np.float64).T


def _equal(x: Sequence[str], y: Sequence[str]) -> np.ndarray:
    """Compare each word of x with each of y: bool, (words of x, words of y)."""
    code = {word: i for i, word in enumerate(dict.fromkeys([*x, *y]))}
    left, right = (np.array([code[word] for word in side], dtype=np.int64) for side in (x, y))
    return left[:, None] == right


def _with_neighbours(own: np.ndarray, layers: int) -> np.ndarray:
    """The same, and the neighbours' values: −1 where there is none."""
    n, beside, around = len(own), [], []
    low, high = np.maximum(np.arange(n) - _REACH, 0), np.minimum(np.arange(n) + _REACH + 1, n)
    for i, kind in _spread(layers):
        wide = np.pad(own[:, i], 2, constant_values=-1.0)
        beside += [wide[2 + at : 2 + at + n] for at in NEIGHBOURS[kind]]
        if kind in _AROUND:
            sums = np.cumsum(np.append(0.0, own[:, i]))
            around.append((sums[high] - sums[low]) / (high - low))
    return np.column_stack([own, *beside, *around])


@lru_cache(maxsize=2**16)
def _read(word: str) -> tuple:
    """The word without capitals, its stem, its runs of three letters, and what kind of word it is."""
    low = word.casefold()
    framed = f"<{low}>"
    return (
        low, stem(low), frozenset(framed[i : i + 3] for i in range(len(framed) - 2)),
        any(map(str.isdigit, low)) or low in NUMBERS, word[:1].isupper(), low in FUNCTION_WORDS,
        not any(map(str.isalnum, low)), min(len(low), 20),
    )  # fmt: skip


def _letters(runs: frozenset[str], others: Sequence[frozenset[str]]) -> float:
    """The greatest share of runs of three letters (Dice) that a word of the other sentence has in common."""
    return max(2 * len(runs & each) / max(1, len(runs) + len(each)) for each in others)
