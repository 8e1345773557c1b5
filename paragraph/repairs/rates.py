"""Rates of wrong labels of each kind: those of other files, and of this one by an audit."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.core import checked_graph
from ..measure.judged import KINDS, SIZES, Judged, Strata, judged_pairs
from ..measure.logistic import sigmoid

__all__ = ["ADVICE", "NATURE", "error_rates", "nature", "other_files", "rates"]

#: Judged labels of public files, and weights fitted on them; written by ``python -m benchmarks.natural``.
NATURE = Path(__file__).with_name("nature.json")
ADVICE = (
    "Nobody has judged labels of this file, so these are the rates of other files. To measure this file, judge 100 "
    "pairs (about 20 minutes): paragraph audit (pg.audit)."
)
#: Rates are worked out at these log-odds.
GRID = np.linspace(-8, 5, 261)
#: Means of log-odds over files that are tried, and standard deviations between files with their prior, half a
#: normal distribution.
MEANS, SPREADS, SPREAD = np.linspace(-6, 3, 46), np.linspace(0.05, 3, 30), 1.0
#: Sizes of one file differ from what `NATURE` says of them by so much, in log-odds; and the probability of each: that
#: of Student's t with three degrees of freedom, half a log-odds wide, since a size may be quite another thing.
LOCAL = np.linspace(-5, 5, 41)
LOCALLY = (1 + (LOCAL / 0.5) ** 2 / 3) ** -2
LOCALLY /= LOCALLY.sum()
_STATED = list(KINDS)[:3]


def error_rates(graph: ParaphraseGraph, judged: Any = None) -> pd.DataFrame:
    """The share of stated labels that is wrong, by kind of label and size of cluster.

    A file's own labels cannot tell how often they are wrong. Without judged pairs the rates are those of other
    files, with intervals as wide as files differ; `pg.audit` draws a hundred pairs to judge, in twenty minutes.

    Parameters
    ----------
    judged : DataFrame, or a log or review with a method `judged`, optional
        Judged pairs, as `paragraph.audit` draws them: `text_a`, `text_b`, `same` (1, 0 or empty).

    Columns
    -------
    kind, label, size
        *positive*, *negative* (between clusters) or *conflict* (a negative inside a cluster); the stated label; how
        many sentences the cluster has, for a negative the larger of its two. Conflicts of all sizes are taken
        together.
    stated, judged, wrong
        Labels of that kind, how many of them were judged, and how many of these are wrong.
    rate, low, high
        The share that is wrong, as the mean of its distribution, with its 95 % interval.
    source
        *judged*: labels of this stratum. *judged, other sizes*: labels of the kind, none of this stratum. *not
        judged: other files*: none of the kind. What is known of other files enters all three.

    ``.attrs["advice"]`` says what to do where no label of a kind was judged.

    Raises
    ------
    PairsError
        Judged pairs that do not fit.

    Notes
    -----
    The log-odds of a rate are normally distributed over files, with a mean and a spread that the files judged so far
    leave open (`other_files`; docs/audits.md); sizes of one file differ by what is known of sizes and a little more.
    The posterior is exact but for the grid.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> audit = pg.audit(graph, n=60).assign(same=1)  # somebody finds that all of them mean the same
    >>> before, after = (error_rates(graph, given).set_index(["kind", "size"])["rate"] for given in (None, audit))
    >>> bool(after["positive", "≥ 10"] < before["positive", "≥ 10"] < before["conflict", "all"] < 0.6)
    True
    """
    strata = Strata(checked_graph(graph, "error_rates"))
    return rates(strata, None if judged is None else judged_pairs(graph, judged, strata))


def rates(strata: Strata, found: Judged | None) -> pd.DataFrame:
    """`error_rates` from judged pairs that are read already."""
    number, wrong = np.zeros((2, len(KINDS), len(SIZES)), dtype=np.int64)
    if found is not None:
        np.add.at(number, (found.kind, found.size), 1)
        np.add.at(wrong, (found.kind, found.size), found.wrong)
    rows = []
    for k, kind in enumerate(_STATED):
        parts = {"all": [*range(len(SIZES))]} if kind == "conflict" else {s: [i] for i, s in enumerate(SIZES)}
        n, bad = (np.array([counts[k, part].sum() for part in parts.values()]) for counts in (number, wrong))
        figures = _posterior(other_files(kind), n, bad, np.array(nature()["sizes"].get(kind, [0.0])))
        for i, (size, part) in enumerate(parts.items()):
            stated = int(strata.counts[k, part].sum())
            if stated:
                source = "judged" if n[i] else "judged, other sizes" if n.any() else "not judged: other files"
                rows.append((kind, KINDS[kind], size, stated, int(n[i]), int(bad[i]), *figures[i], source))
    columns = ["kind", "label", "size", "stated", "judged", "wrong", "rate", "low", "high", "source"]
    table = pd.DataFrame(rows, columns=columns)
    if table["source"].str.startswith("not").any():
        table.attrs["advice"] = ADVICE
    return table


@lru_cache
def other_files(kind: str) -> np.ndarray:
    """The probability of each rate (`GRID`) of a kind of labels in a file that nobody has judged.

    Each file has a rate of its own, whose log-odds come from a normal distribution; its mean and its spread are
    unknown, and the probability is the mean over all that may be, by how well they explain the files judged so far.
    """
    judged, wrong = np.array([counts for _, *counts in nature()["files"][kind]]).T
    likelihood = np.exp(_binomial(judged[:, None], wrong[:, None], GRID))  # (files, rates)
    z = (GRID - MEANS[:, None, None]) / SPREADS[:, None]
    normal = np.exp(-(z**2) / 2)
    normal /= normal.sum(axis=2, keepdims=True)  # (means, spreads, rates)
    weight = (normal @ likelihood.T).prod(axis=2) * np.exp(-((SPREADS / SPREAD) ** 2) / 2)
    return np.tensordot(weight / weight.sum(), normal, 2)


def _posterior(prior: np.ndarray, judged: np.ndarray, wrong: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Mean and 95 % interval of the rate of each size of a kind: (sizes, 3)."""
    from scipy.special import logsumexp

    logit = GRID[:, None, None] + sizes[:, None] + LOCAL  # (rates of the kind, sizes, rates of a size)
    own = np.log(LOCALLY) + _binomial(
        judged[:, None], wrong[:, None], logit
    )  # logs: many labels leave no number else
    of_size = logsumexp(own, axis=2)
    log = np.log(prior)[:, None, None] + (of_size.sum(axis=1, keepdims=True) - of_size)[:, :, None] + own
    weight = np.exp(log - log.max(axis=(0, 2), keepdims=True))
    found = []
    for i in range(len(sizes)):
        order = np.argsort(logit[:, i].ravel())
        rate, share = sigmoid(logit[:, i].ravel()[order]), weight[:, i].ravel()[order]
        share = share / share.sum()
        low, high = np.interp([0.025, 0.975], np.cumsum(share) - share / 2, rate)
        found.append((rate @ share, low, high))
    return np.array(found)


def _binomial(judged: np.ndarray, wrong: np.ndarray, logit: np.ndarray) -> np.ndarray:
    """Log-likelihood of so many wrong ones, less that of the share that was seen."""
    share = np.clip(wrong / np.maximum(judged, 1), 1e-9, 1 - 1e-9)
    seen = wrong * np.log(share) + (judged - wrong) * np.log1p(-share)
    return wrong * logit - judged * np.logaddexp(0, logit) - seen


@lru_cache
def nature() -> dict[str, Any]:
    """The contents of `NATURE`."""
    return json.loads(NATURE.read_bytes())
