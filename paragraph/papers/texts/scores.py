"""Scores of generated texts against their references."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
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
_SIDES = ("candidate", "reference")
_WANTED = "score takes lists of texts: candidates, and a reference or references for each"


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
    for texts in (cands, refs):
        if isinstance(texts, str) or not isinstance(texts, Sized):
            raise PairsError(_WANTED)
    if len(cands) != len(refs):
        raise PairsError(_WANTED)
    cands = list(cands)
    lists = [[one] if isinstance(one, str) else list(one) for one in refs]
    pairs = []
    rows = zip(cands, lists, strict=True)
    for row, (text, its_own) in enumerate(rows):
        if not its_own:
            raise PairsError(f"row {row}: no reference for {text!r}")
        check_texts((text, *its_own), f"row {row}: text")
        pairs += [(text, reference) for reference in its_own]
    if isinstance(metric, str):
        metric = make_metric(metric, **options)
    counts = [len(each) for each in lists]
    row = np.repeat(np.arange(len(lists)), counts)
    found = _score_pairs(metric, pairs, cache, progress)
    return Scores(metric, cands, lists, found, row, several)


@dataclass(frozen=True, repr=False)
class Scores:
    """The scores of some candidates; iterates over P, R and F, each an array."""

    metric: Metric
    cands: list[str]
    refs: list[list[str]]
    #: P, R, F and windows of each candidate with each of its references: (pairs, 4)
    each: np.ndarray
    row: np.ndarray  #: the candidate of each of those
    several: str

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per candidate: `row`, `metric`, `P`, `R`, `F`, `reference`, `windows`.

        `reference` is the number, from 0, of the reference with the highest F. `windows` is in how many windows the
        longest of the texts was read: 1 but where one is longer than the model takes.
        """
        each = pd.DataFrame(self.each, columns=["P", "R", "F", "windows"])
        how = dict.fromkeys("PRF", self.several) | {"windows": "max"}
        found = each.groupby(self.row).agg(how)
        scores = each["F"].fillna(-np.inf)
        best = scores.groupby(self.row).idxmax()
        first = np.searchsorted(self.row, found.index)
        found["row"] = found.index
        found["metric"] = self.metric.name
        found["reference"] = best - first
        found = found.astype({"windows": int})
        return found[["row", "metric", "P", "R", "F", "reference", "windows"]]

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.table[name].to_numpy() for name in "PRF")

    def __repr__(self) -> str:
        values = zip("PRF", self, strict=True)
        means = ", ".join(f"{name} {each.mean():.4f}" for name, each in values)
        return f"<Scores of {len(self.cands):,} texts by {self.metric.hash}: mean {means}>"

    def show(self, i: int) -> Highlighted:
        """Shade the words of a candidate and its best reference: the worse a word, the darker.

        Raises `PairsError` for a metric that gives words no values: BERTScore and *matching* do.
        """
        if self.metric.words is None:
            raise PairsError(
                f"{self.metric.name} gives single words no values; bertscore and matching do"
            )
        row = self.table.loc[i]
        reference = self.refs[i][row["reference"]]
        texts = (self.cands[i], reference)
        lines = []
        plain = []
        words_of = self.metric.words(*texts)
        for name, text, words in zip(_SIDES, texts, words_of, strict=True):
            shaded = []
            marked = []
            for begin, end, value in words:
                dark = 1 - self.metric.share(value)
                shaded.append((begin, end, dark, f"{value:.3f}"))
                marked.append(f"{text[begin:end]}·{value:.2f}")
            lines.append((name, highlighted(text, shaded)))
            plain.append(" ".join(marked))
        means = [f"{name} {row[name]:.4f}" for name in "PRF"]
        caption = ", ".join([self.metric.name, *means])
        return Highlighted(lines, caption, "\n".join([*plain, caption]))


def _score_pairs(metric: Metric, pairs: Sequence[Pair], cache: Any, progress: bool) -> np.ndarray:
    """The scores of each pair. Different pairs are scored once, and in an order that does not know the candidates."""
    distinct = sorted(set(pairs), key=lambda pair: (*sorted(pair), pair))
    digest = hashlib.blake2b(metric.hash.encode(), digest_size=12)
    name = f"score-{digest.hexdigest()}"
    if not metric.kept or not distinct:
        cache = False
    # P, R, F and windows of each
    scores = cached_rows(
        name, 4, distinct, metric.score, metric.name, block=_BLOCK, cache=cache, progress=progress, dtype=np.float64
    )  # fmt: skip
    long = (scores[:, 3] > 1).sum()
    unscored = np.isnan(scores[:, :3]).any(axis=1)
    empty = unscored.sum()
    counts = {
        "a text longer than the model takes, which was read in windows": long,
        "an empty text and no score": empty,
    }
    for what, count in counts.items():
        if count:
            message = f"{metric.name}: {count:,} of {len(distinct):,} pairs have {what}"
            warnings.warn(message, stacklevel=3)  # at the line that called score
    number = {pair: i for i, pair in enumerate(distinct)}
    return scores[[number[pair] for pair in pairs]]
