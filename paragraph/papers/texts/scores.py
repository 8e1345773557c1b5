"""Scores of generated texts against their references."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ...files import PairsError
from ...learn.vectors import check_texts
from ..tags.shading import Highlighted, highlighted
from .metrics import Metric, Pair, make_metric

__all__ = ["Scores", "score"]

_BLOCK = 512  # pairs that are scored at once
_WANTED = "score takes lists of texts: candidates, and a reference or references for each"


def score(
    cands: Sequence[str],
    refs: Sequence[str] | Sequence[Sequence[str]],
    metric: str | Metric = "matching",
    *,
    progress: bool = True,
    **options: Any,
) -> Scores:
    """Score how well each candidate says the same as its references: precision, recall and F.

    Parameters
    ----------
    refs : sequence of str, or of sequences of str
        One reference per candidate, or several, of which each candidate may have another number; the greatest P, R
        and F count, each by itself.
    metric : str or Metric
        As for `make_metric`, to which further options go; ``tagger=``, ``encoder=``.

    Returns
    -------
    Scores
        Which unpacks into three arrays: ``P, R, F = score(cands, refs)``. A warning counts the pairs that have no
        score.

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
    for texts in (cands, refs):
        if isinstance(texts, str) or not isinstance(texts, Sized) or len(texts) != len(refs):
            raise PairsError(_WANTED)
    cands = list(cands)
    lists = [[one] if isinstance(one, str) else list(one) for one in refs]
    pairs = []
    rows = []
    for row, (text, its_own) in enumerate(zip(cands, lists, strict=True)):
        if not its_own:
            raise PairsError(f"row {row}: no reference for {text!r}")
        check_texts((text, *its_own), f"row {row}: text")
        for number, reference in enumerate(its_own):
            pairs.append((text, reference))
            rows.append((row, number))
    if isinstance(metric, str):
        metric = make_metric(metric, **options)
    each = pd.DataFrame(rows, columns=["row", "reference"])
    each[["P", "R", "F"]] = _score_pairs(metric, pairs, progress)
    table = each.groupby("row")[["P", "R", "F"]].max()
    order = each.sort_values("F", ascending=False, kind="stable", na_position="last")
    table["reference"] = order.groupby("row")["reference"].first()
    return Scores(metric, cands, lists, table)


@dataclass(frozen=True, repr=False)
class Scores:
    """The scores of some candidates; iterates over P, R and F, each an array."""

    metric: Metric
    cands: list[str]
    refs: list[list[str]]
    #: one row per candidate: `P`, `R`, `F`, and `reference`, the number, from 0, of the reference with the highest F
    table: pd.DataFrame

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.table[name].to_numpy() for name in "PRF")

    def __repr__(self) -> str:
        values = zip("PRF", self, strict=True)
        means = ", ".join(f"{name} {each.mean():.4f}" for name, each in values)
        return f"<Scores of {len(self.cands):,} texts by {self.metric.name}: mean {means}>"

    def show(self, i: int) -> Highlighted:
        """Shade the words of a candidate and its best reference: the worse a word, the darker.

        Raises `PairsError` for a metric that gives words no values: BERTScore and *matching* do.
        """
        if self.metric.words is None:
            raise PairsError(
                f"{self.metric.name} gives single words no values; bertscore and matching do"
            )
        row = self.table.loc[i]
        texts = {"candidate": self.cands[i], "reference": self.refs[i][int(row["reference"])]}
        lines = []
        plain = []
        words_of = self.metric.words(*texts.values())
        for (name, text), words in zip(texts.items(), words_of, strict=True):
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


def _score_pairs(metric: Metric, pairs: Sequence[Pair], progress: bool) -> np.ndarray:
    """The scores of each pair. Different pairs are scored once, and in an order that does not know the candidates."""
    from tqdm.auto import tqdm

    distinct = sorted(set(pairs), key=lambda pair: (*sorted(pair), pair))
    parts = [np.empty((0, 3))]
    blocks = range(0, len(distinct), _BLOCK)
    for at in tqdm(blocks, metric.name, unit="block", delay=2, disable=not progress):
        parts.append(metric.score(distinct[at : at + _BLOCK]))
    scores = np.concatenate(parts)
    empty = int(np.isnan(scores).any(axis=1).sum())
    if empty:
        warnings.warn(
            f"{metric.name}: {empty:,} of {len(distinct):,} pairs have an empty text and no score",
            stacklevel=3,  # at the line that called score
        )
    number = {pair: i for i, pair in enumerate(distinct)}
    return scores[[number[pair] for pair in pairs]]
