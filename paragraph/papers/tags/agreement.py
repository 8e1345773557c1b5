"""Agreement of two annotators on tags."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...files import PairsError
from ..experiments.resampling import middle
from .penn import spans
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
        of pairs); `accuracy`, and `f1` of the 1s over all words, as the paper prints; `span_f1`, of whole spans (runs
        of 1s, the scheme IO); `queue`, how many pairs to talk about (F1 below .4); and `why`: why there is no κ.

    Raises
    ------
    PairsError
        There are not two annotators; both tagged no pair; they cut one sentence into different words.

    References
    ----------
    Z. Wang et al., *ParaTag: a dataset of paraphrase tagging*, EMNLP 2022, section 4.2. L. Ramshaw and M. Marcus,
    *Text chunking using transformation-based learning*, 1995 (IO).

    Examples
    --------
    >>> from paragraph.papers.tags import untagged
    >>> table = untagged(pd.DataFrame({"text_a": ["He paid $2."] * 2, "text_b": ["He got $3."] * 2}))
    >>> table = table.assign(annotator=["Ada", "Ben"], tags_a=[[0, 1, 0, 1, 0], [0, 0, 0, 1, 0]])
    >>> found = agreement(table.assign(tags_b=[[0, 1, 0, 1, 0]] * 2))
    >>> print(f"{found.kappa:.3f} {found.f1:.3f} {found.span_f1:.3f}")
    0.783 0.857 0.857
    """
    doubles, names = _doubles(tags, annotators)
    counts = np.array([counts for counts, _ in doubles], dtype=float)
    total = counts.sum(axis=0)
    n = len(counts)
    rng = np.random.default_rng(seed)
    even = np.full(n, 1 / n)
    drawn = rng.multinomial(n, even, 1000)
    kappas = cohen_kappa(np.tensordot(drawn, counts, 1))
    kappa = float(cohen_kappa(total))
    words = int(total.sum())
    every = [spans_of for _, spans_of in doubles]
    shared, a, b = np.sum(every, axis=0)
    found = {"first": names[0], "second": names[1]}
    found |= {"pairs": n, "words": words, "kappa": kappa}
    found |= {"low": np.nan, "high": np.nan}
    found["accuracy"] = np.trace(total) / total.sum()
    found["f1"] = _f1(total)
    found["span_f1"] = 2 * shared / (a + b) if a + b else 1.0
    found["queue"] = sum(_f1(each) < BELOW for each in counts)
    found["why"] = ""
    if np.isnan(kappa):
        one = "1" if total[1, 1] else "0"
        found["why"] = f"all {words:,} words have tag {one} by both: chance alone would agree"
    else:
        found["low"], found["high"] = middle(kappas)
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


def _f1(counts):
    """Return F1 of the 1s from the counts of two annotators; without any 1 they agree."""
    twice = 2 * counts[1][1]
    ones = counts[1][0] + counts[0][1] + twice
    return float(twice / ones) if ones else 1.0


def _doubles(tags, annotators):
    """Count words and spans of each pair that both annotators tagged; return the counts, and both names."""
    need_tags(tags)
    tags = checked(tags, "the tag table")
    known = list(dict.fromkeys(tags["annotator"]))
    names = tuple(annotators or known)
    two = len(names) == len({*names}) == 2
    if not two or not {*names} <= {*known}:
        raise PairsError(
            f"agreement takes two annotators: {', '.join(map(repr, names))} of {known!r} are not two"
        )
    of_pair: dict[frozenset, dict] = {}
    for row in tags.to_dict("records"):
        pair = frozenset((row["text_a"], row["text_b"]))
        of_pair.setdefault(pair, {})[row["annotator"]] = row
    rows = []
    for found in of_pair.values():
        if not {*names} <= {*found}:
            continue
        one, other = (found[name] for name in names)
        counts = np.zeros((2, 2), dtype=int)
        spans_of = np.zeros(3, dtype=int)
        sides = "ab" if one["text_a"] == other["text_a"] else "ba"
        for mine, its in zip("ab", sides, strict=True):
            if one[f"words_{mine}"] != other[f"words_{its}"]:
                text = one[f"text_{mine}"]
                raise PairsError(
                    f"{names[0]!r} and {names[1]!r} cut one sentence into other words: {text!r}"
                )
            first = one[f"tags_{mine}"]
            second = other[f"tags_{its}"]
            np.add.at(counts, (first, second), 1)
            marked = set(spans(first))
            other_marked = set(spans(second))
            shared = len(marked & other_marked)
            spans_of += [shared, len(marked), len(other_marked)]
        rows.append((counts, spans_of))
    if not rows:
        raise PairsError(f"no pair was tagged by both {names[0]!r} and {names[1]!r}")
    return rows, names
