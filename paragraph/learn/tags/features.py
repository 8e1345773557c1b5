"""The columns of the alignment tagger: signs that a word has a counterpart in the other sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...words.lexicon import FUNCTION_WORDS, NUMBERS
from ...words.tokens import stem

__all__ = ["NEIGHBOURS", "OF_A_LAYER", "OF_A_WORD", "columns", "names"]

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
#: Columns whose mean counts too, over the word and so many words on either side.
_AROUND, _REACH = ("stem", "cosine"), 3


def names(layers: Sequence[int]) -> list[str]:
    """The names of the columns, in their order.

    >>> names([3])[13:16], len(names([3, 6]))
    (['cosine 3', 'margin 3', 'mutual 3'], 54)
    """
    plain = [*OF_A_WORD, *(f"{name} {layer}" for layer in layers for name in OF_A_LAYER)]
    beside = [f"{plain[i]} at {at:+d}" for i, _, distances in _spread(plain) for at in distances]
    return [*plain, *beside, *(f"{plain[i]} around" for i, name, _ in _spread(plain) if name in _AROUND)]


def columns(a: Sequence[str], b: Sequence[str], alike: np.ndarray, layers: Sequence[int]) -> np.ndarray:
    """The columns of every word of two sentences, first those of `a`: float32, (words, columns).

    Parameters
    ----------
    a, b : sequences of str
        The words.
    alike : array of float, (layers, words of a, words of b)
        The cosines of their vectors.
    """
    sides = [_side(a, b, alike), _side(b, a, alike.transpose(0, 2, 1))]
    spread = _spread([*OF_A_WORD, *(f"{name} {layer}" for layer in layers for name in OF_A_LAYER)])
    return np.concatenate([_with_neighbours(each, spread) for each in sides]).astype(np.float32)


def _spread(plain: Sequence[str]) -> list[tuple[int, str, tuple[int, ...]]]:
    """The columns whose neighbours count: number, kind and distances."""
    kinds = [name.rsplit(" ", 1)[0] if name.startswith("cosine") else name for name in plain]
    return [(i, kind, NEIGHBOURS[kind]) for i, kind in enumerate(kinds) if kind in NEIGHBOURS]


def _side(x: Sequence[str], y: Sequence[str], alike: np.ndarray) -> np.ndarray:
    """Own columns of the words of x, whose counterparts are sought in y."""
    if not len(x):
        return np.empty((0, len(OF_A_WORD) + len(alike) * len(OF_A_LAYER)))
    if not len(y):  # then nothing is alike
        y, alike = [""], np.zeros((len(alike), len(x), 1), dtype=alike.dtype)
    n, m = len(x), len(y)
    read, other = [_read(word) for word in x], [_read(word) for word in y]
    facts = np.array([each[3:] for each in read], dtype=np.float64).reshape(n, -1)
    exact, same = (_equal([one[k] for one in read], [one[k] for one in other]) for k in (0, 1))
    own = _equal([one[1] for one in read], [one[1] for one in read])
    stems = same.any(axis=1)
    letters = [1.0 if found else _letters(one[2], other) for found, one in zip(stems, read, strict=True)]
    place = np.arange(n)
    found = [
        exact.any(axis=1), stems, letters, own.sum(axis=1) - same.sum(axis=1), *facts.T,
        place / n, np.full(n, n), np.full(n, m / n), np.full(n, stems.mean()),
    ]  # fmt: skip
    to = np.array([each[3:] for each in other], dtype=np.float64)
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
    return np.array(found, dtype=np.float64).reshape(-1, n).T


def _equal(x: Sequence[str], y: Sequence[str]) -> np.ndarray:
    """Which words of x are which of y: bool, (words of x, words of y)."""
    code = {word: i for i, word in enumerate(dict.fromkeys([*x, *y]))}
    left, right = (np.array([code[word] for word in side], dtype=np.int64) for side in (x, y))
    return left[:, None] == right


def _with_neighbours(own: np.ndarray, spread: Sequence[tuple[int, str, tuple[int, ...]]]) -> np.ndarray:
    """The same, and the neighbours' values: −1 where there is none."""
    n, found = len(own), [own]
    for i, _, distances in spread:
        wide = np.pad(own[:, i], 2, constant_values=-1.0)
        found += [wide[2 + at : 2 + at + n, None] for at in distances]
    for i, kind, _ in spread:
        if kind in _AROUND:
            sums = np.cumsum(np.append(0.0, own[:, i]))
            low, high = np.maximum(np.arange(n) - _REACH, 0), np.minimum(np.arange(n) + _REACH + 1, n)
            found.append(((sums[high] - sums[low]) / (high - low))[:, None])
    return np.concatenate(found, axis=1)


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


def _letters(runs: frozenset[str], others: Sequence[tuple]) -> float:
    """The greatest share of runs of three letters (Dice) that a word of the other sentence has in common."""
    return max(2 * len(runs & each[2]) / max(1, len(runs) + len(each[2])) for each in others)
