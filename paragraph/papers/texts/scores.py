"""Scores of generated texts against their references."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from ...files import PairsError
from ...learn.cache import cached_rows
from ...learn.vectors import check_texts
from ..tags.shading import Highlighted, highlighted
from .metrics import Metric, Pair, make_metric

__all__ = ["Scores", "score"]

_BLOCK = 512  # pairs that are scored, and then kept, at once


def score(
    cands: Sequence[str],
    refs: Sequence[str] | Sequence[Sequence[str]],
    metric: str | Metric = "matching",
    *,
    several: str = "max",
    cache: Any = True,
    progress: bool = True,
    **options: Any,
) -> Scores:
    """Score how well each candidate says the same as its references: precision, recall and F.

    Parameters
    ----------
    refs : sequence of str, or of sequences of str
        One reference per candidate, or several, of which each candidate may have another number.
    metric : str or Metric
        As for `make_metric`, to which further options go; ``tagger=``, ``encoder=``.
    several : {"max", "mean"}
        Of P, R and F over the references of a candidate, each by itself.
    cache : bool or path
        Whether, and where, to keep what a model has scored: the same two texts are never read twice.

    Returns
    -------
    Scores
        Which unpacks into three arrays: ``P, R, F = score(cands, refs)``. Warnings count the texts that were longer
        than the model takes and were read in windows, and the rows that have no score.

    Raises
    ------
    PairsError
        Another number of references than of candidates, a candidate without a reference, something that is no text.

    Examples
    --------
    >>> P, R, F = score(["A cat sat."], [["The dog ran.", "The cat sat down."]], "rouge1")
    >>> P.round(2).tolist(), R.tolist()
    ([0.67], [0.5])
    """
    if several not in ("max", "mean"):
        raise PairsError(f"several={several!r} is not one of max, mean")
    lists = all(isinstance(texts, Sized) and not isinstance(texts, str) for texts in (cands, refs))
    if not lists or len(cands) != len(refs):
        raise PairsError("score takes lists of texts: candidates, and a reference or references for each")
    cands, lists = list(cands), [[one] if isinstance(one, str) else list(one) for one in refs]
    for row, (text, its_own) in enumerate(zip(cands, lists, strict=True)):
        if not its_own:
            raise PairsError(f"row {row}: no reference for {text!r}")
        check_texts((text, *its_own), f"row {row}: text")
    metric = make_metric(metric, **options) if isinstance(metric, str) else metric
    row = np.repeat(np.arange(len(lists)), [len(each) for each in lists])
    found = _scored(metric, [(cands[i], one) for i, one in zip(row, chain(*lists), strict=True)], cache, progress)
    return Scores(metric, cands, lists, found, row, several)


@dataclass(frozen=True, repr=False)
class Scores:
    """The scores of some candidates; iterates over P, R and F, each an array."""

    metric: Metric
    cands: list[str]
    refs: list[list[str]]
    each: np.ndarray  #: P, R, F and windows of each candidate with each of its references: (pairs, 4)
    row: np.ndarray  #: the candidate of each of those
    several: str

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per candidate: `row`, `metric`, `P`, `R`, `F`, `reference`, `windows`.

        `reference` is the number, from 0, of the reference with the highest F. `windows` is in how many windows the
        longest of the texts was read: 1 but where one is longer than the model takes.
        """
        each = pd.DataFrame(self.each, columns=["P", "R", "F", "windows"])
        found = each.groupby(self.row).agg(dict.fromkeys("PRF", self.several) | {"windows": "max"})
        best = each["F"].fillna(-np.inf).groupby(self.row).idxmax() - np.searchsorted(self.row, found.index)
        found = found.assign(row=found.index, metric=self.metric.name, reference=best).astype({"windows": int})
        return found[["row", "metric", "P", "R", "F", "reference", "windows"]]

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.table[name].to_numpy() for name in "PRF")

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {values.mean():.4f}" for name, values in zip("PRF", self, strict=True))
        return f"<Scores of {len(self.cands):,} texts by {self.metric.hash}: mean {means}>"

    def show(self, i: int) -> Highlighted:
        """Shade the words of a candidate and its best reference: the worse a word, the darker.

        Raises `PairsError` for a metric that gives words no values: BERTScore and *matching* do.
        """
        if self.metric.words is None:
            raise PairsError(f"{self.metric.name} gives single words no values; bertscore and matching do")
        row, share = self.table.loc[i], self.metric.share
        texts = self.cands[i], self.refs[i][row["reference"]]
        sides = list(zip(texts, self.metric.words(*texts), strict=True))
        lines = [highlighted(text, ((a, b, 1 - share(x), f"{x:.3f}") for a, b, x in its)) for text, its in sides]
        plain = [" ".join(f"{text[a:b]}·{x:.2f}" for a, b, x in its) for text, its in sides]
        caption = self.metric.name + "".join(f", {name} {row[name]:.4f}" for name in "PRF")
        named = list(zip(("candidate", "reference"), lines, strict=True))
        return Highlighted(named, caption, "\n".join([*plain, caption]))


def _scored(metric: Metric, pairs: Sequence[Pair], cache: Any, progress: bool) -> np.ndarray:
    """The scores of each pair. Different pairs are scored once, and in an order that does not know the candidates."""
    distinct = sorted(set(pairs), key=lambda pair: (*sorted(pair), pair))
    name = f"score-{hashlib.blake2b(metric.hash.encode(), digest_size=12).hexdigest()}"
    cache = cache if metric.kept and distinct else False
    # P, R, F and windows of each
    scores = cached_rows(
        name, 4, distinct, metric.score, metric.name, block=_BLOCK, cache=cache, progress=progress, dtype=np.float64
    )  # fmt: skip
    long, none = (scores[:, 3] > 1).sum(), np.isnan(scores[:, :3]).any(axis=1).sum()
    for count, what in (
        (long, "a text longer than the model takes, which was read in windows"),
        (none, "an empty text and no score"),
    ):
        if count:
            message = f"{metric.name}: {count:,} of {len(distinct):,} pairs have {what}"
            warnings.warn(message, stacklevel=3)  # at the line that called score
    number = {pair: i for i, pair in enumerate(distinct)}
    return scores[[number[pair] for pair in pairs]]
