"""Agreement of two annotators on tags."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...files import PairsError
from ..experiments.resampling import middle
from .table import checked, need_tags

__all__ = ["agreement", "cohen_kappa"]

BELOW = 0.4  # F1 of two annotators below which a pair is to be talked about (Wang et al. 2022, section 4.2)


def agreement(
    tags: pd.DataFrame, annotators: tuple[str, str] | None = None, seed: int = 0
) -> pd.Series:
    """Measure how far two annotators agree on the words of the pairs that both tagged.

    Parameters
    ----------
    tags : DataFrame
        A tag table with one row per pair and annotator; an annotator's last row of a pair counts.
    annotators : two of them, optional
        Where the table has more.

    Returns
    -------
    Series
        `first`, `second`, `pairs`, `words`; `kappa` with its 95 % interval `low`, `high` (percentiles of 1,000 draws
        of pairs), missing where both give all words one tag: chance alone would agree; `accuracy`, and `f1` of the 1s
        over all words, as the paper prints; and `queue`, how many pairs to talk about (F1 below .4).

    Raises
    ------
    PairsError
        There are not two annotators; both tagged no pair; they cut one sentence into different words.

    References
    ----------
    Z. Wang et al., *ParaTag: a dataset of paraphrase tagging*, EMNLP 2022, section 4.2.

    Examples
    --------
    >>> from paragraph.papers.tags import untagged
    >>> table = untagged(pd.DataFrame({"text_a": ["He paid $2."] * 2, "text_b": ["He got $3."] * 2}))
    >>> table = table.assign(annotator=["Ada", "Ben"], tags_a=[[0, 1, 0, 1, 0], [0, 0, 0, 1, 0]])
    >>> found = agreement(table.assign(tags_b=[[0, 1, 0, 1, 0]] * 2))
    >>> print(f"{found.kappa:.3f} {found.f1:.3f}")
    0.783 0.857
    """
    need_tags(tags)
    tags = checked(tags, "the tag table")
    known = list(dict.fromkeys(tags["annotator"]))
    names = tuple(annotators or known)
    two = len(names) == len({*names}) == 2
    if not two or not {*names} <= {*known}:
        raise PairsError(
            f"agreement takes two annotators: {', '.join(map(repr, names))} of {known!r} are not two"
        )
    counts = _counts_by_pair(tags, *names)
    total = counts.sum(axis=0)
    n = len(counts)
    rng = np.random.default_rng(seed)
    even = np.full(n, 1 / n)
    drawn = rng.multinomial(n, even, 1000)
    low, high = middle(cohen_kappa(np.tensordot(drawn, counts, 1)))
    found = {"first": names[0], "second": names[1], "pairs": n, "words": int(total.sum())}
    found |= {"kappa": float(cohen_kappa(total)), "low": low, "high": high}
    found["accuracy"] = np.trace(total) / total.sum()
    found["f1"] = _f1(total)
    found["queue"] = sum(_f1(each) < BELOW for each in counts)
    return pd.Series(found)


def cohen_kappa(counts: np.ndarray) -> float | np.ndarray:
    """Return Cohen's κ of two raters, their agreement beyond chance: (p₀ − pₑ) / (1 − pₑ).

    Parameters
    ----------
    counts : array, shape (…, k, k)
        Items that the first rater put in category i and the second in j; several tables at once.

    Returns
    -------
    1 if they always agree, 0 if they agree as often as by chance; NaN if both put everything in one category.

    References
    ----------
    J. Cohen (1960), A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20, 37–46.

    Examples
    --------
    >>> round(float(cohen_kappa([[20, 5], [10, 15]])), 3)
    0.4
    """
    counts = np.asarray(counts, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = counts / counts.sum(axis=(-2, -1), keepdims=True)
        observed = np.trace(share, axis1=-2, axis2=-1)
        by_chance = share.sum(axis=-1) * share.sum(axis=-2)
        expected = by_chance.sum(axis=-1)
        kappa = (observed - expected) / (1 - expected)
    return np.where(expected < 1, kappa, np.nan)[()]


def _f1(counts: np.ndarray) -> float:
    """Return F1 of the 1s from the counts of two annotators; without any 1 they agree."""
    twice = 2 * counts[1, 1]
    ones = counts[1, 0] + counts[0, 1] + twice
    return float(twice / ones) if ones else 1.0


def _counts_by_pair(tags: pd.DataFrame, first: str, second: str) -> np.ndarray:
    """Count the words of each pair that both tagged, by both tags: (pairs, 2, 2)."""
    of_pair: dict[frozenset, dict] = {}
    for row in tags.to_dict("records"):
        pair = frozenset((row["text_a"], row["text_b"]))
        of_pair.setdefault(pair, {})[row["annotator"]] = row
    found = []
    for rows in of_pair.values():
        if not {first, second} <= {*rows}:
            continue
        one = rows[first]
        other = rows[second]
        counts = np.zeros((2, 2))
        sides = "ab" if one["text_a"] == other["text_a"] else "ba"
        for mine, its in zip("ab", sides, strict=True):
            if one[f"words_{mine}"] != other[f"words_{its}"]:
                text = one[f"text_{mine}"]
                raise PairsError(
                    f"{first!r} and {second!r} cut one sentence into other words: {text!r}"
                )
            np.add.at(counts, (one[f"tags_{mine}"], other[f"tags_{its}"]), 1)
        found.append(counts)
    if not found:
        raise PairsError(f"no pair was tagged by both {first!r} and {second!r}")
    return np.array(found)
