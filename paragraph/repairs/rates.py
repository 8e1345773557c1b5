"""How often labels are wrong: by judged pairs where there are some, by the evidence where there are none."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..measure.judged import KINDS, SIZES, Strata, judged_pairs
from ..measure.logistic import sigmoid
from .cut import Cuts
from .evidence import DECIDED, evidence_log_odds

__all__ = ["Rates", "channel", "error_rates", "flips", "rates"]

#: Labels wrong in nature, which is what judged pairs start from: 23 of 95 stated positives and 3 of 75 stated
#: negatives, drawn at random from Quora Question Pairs and judged by two readers; about half of the conflicts that
#: Chen, Ji and Evans (2020) list.
NATURE = {"positive": 23 / 95, "negative": 3 / 75, "conflict": 1 / 2}
#: Judged pairs that `NATURE` is worth.
WORTH = 10
#: How often a label is turned, whatever the truth: in nature P(1 | different) = .13 and P(0 | same) = .08, by these
#: pairs. So no sign is worse than the other until somebody judges.
TURNED = 0.1
#: The share of its labels by which a file is held to `TURNED`: evidence is never so well calibrated that its tails
#: alone tell how many labels are wrong.
HELD = 0.1
#: Stated pairs by which the evidence inside clusters is held to mean what it means elsewhere.
LOCAL = 10
#: All log-odds of a stratum are shifted by something between these.
SHIFTS = (-50.0, 50.0)


class Rates(NamedTuple):
    """What `rates` finds."""

    table: pd.DataFrame  #: see `error_rates`
    log_odds: np.ndarray  #: that each stated label is wrong, by evidence about its own pair and the rate of its kind
    cuts: Cuts  #: of the conflicts


def error_rates(
    graph: ParaphraseGraph,
    judged: Any = None,
    evidence: pd.DataFrame | None = None,
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """The share of stated labels that is wrong, by kind of label and size of cluster.

    Parameters
    ----------
    judged : DataFrame, or a log or review with a method `judged`, optional
        Judged pairs, as `paragraph.audit` draws them: `text_a`, `text_b`, `same` (1, 0 or empty).
    evidence : DataFrame, optional
        As in `evidence.evidence`.

    Columns
    -------
    kind, label, size
        *positive*, *negative* (between clusters) or *conflict* (a negative inside a cluster); the stated label; how
        many sentences the cluster has, for a negative the larger of its two. Conflicts of all sizes are taken
        together.
    stated, judged, wrong
        Labels of that kind, how many of them were judged, and how many of these are wrong.
    rate, low, high
        The share that is wrong with its 95 % interval, which never holds 0 or 1.
    source
        *judged*: the judged labels of this stratum and, worth ten of them, the rate of the kind, which in turn starts
        from ten of nature (`NATURE`). *judged, other sizes*: none of this stratum was judged, but others of its kind.
        *evidence*: none of its kind was; see Notes.

    Raises
    ------
    PairsError
        Evidence or judged pairs that do not fit.

    Notes
    -----
    By evidence, a rate is the mean probability that a label of the stratum is wrong, found by
    expectation–maximisation (`channel`; in conflicts `flips`). That sees labels which the evidence contradicts. It
    cannot see a family of labels that are wrong in the same way: they teach the evidence itself. Only judged pairs
    tell of those.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> audit = pg.audit(graph, n=60).assign(same=1)  # somebody finds that all of them mean the same
    >>> found = error_rates(graph, audit, progress=False).set_index(["kind", "size"])["rate"]
    >>> bool(found["positive", "≥ 10"] < 0.15 < 0.7 < found["conflict", "all"])
    True
    """
    return rates(graph, evidence_log_odds(graph, evidence, progress=progress), judged).table


def rates(graph: ParaphraseGraph, evidence: np.ndarray, judged: Any = None) -> Rates:
    """`error_rates` with `evidence` as log-odds that each edge is truly positive (`evidence.evidence_log_odds`).

    The evidence may hold a base rate, as a logistic regression on the file's own labels does: rates are derived for
    the file, such that the probabilities of a stratum have its rate as their mean.
    """
    sign, z = graph.edge_sign, np.array(evidence, dtype=float)
    strata = Strata(graph)
    kind, size = strata.of(graph.edge_a, graph.edge_b)
    number, wrong = (np.zeros((len(KINDS), len(SIZES)), dtype=np.int64) for _ in range(2))
    if judged is not None:
        found = judged_pairs(graph, judged, strata)
        np.add.at(number, (found.kind, found.size), 1)
        np.add.at(wrong, (found.kind, found.size), found.wrong)
        stated = found.edge >= 0
        z[found.edge[stated]] = DECIDED * (2 * found.same[stated] - 1)
    free = np.abs(z) < DECIDED
    turned, slope = channel(z[free], sign[free])
    label = np.log(turned) - np.log1p(-turned)
    agree = sign * (
        graph.edge_n_positive.astype(float) - graph.edge_n_negative
    )  # rows for the label, less those against
    odds = label * agree - sign * slope * z
    odds[~free] = -(sign * z)[~free]
    cuts = Cuts(graph, odds)
    inside = np.flatnonzero(kind == list(KINDS).index("conflict"))
    inside = inside[free[inside]]
    odds[inside] = flips(graph, slope * z, cuts, inside)
    rows = []
    for k, (name, right) in enumerate(list(KINDS.items())[:3]):
        groups = [(SIZES[s], [s]) for s in range(len(SIZES))] if name != "conflict" else [("all", range(len(SIZES)))]
        own = (wrong[k].sum() + WORTH * NATURE[name]) / (number[k].sum() + WORTH)
        for called, those in groups:
            edges = np.flatnonzero((kind == k) & np.isin(size, list(those)))
            if not len(edges):
                continue
            n, bad = int(number[k, those].sum()), int(wrong[k, those].sum())
            if number[k].any():
                rate, worth = ((bad + WORTH * own) / (n + WORTH) if name != "conflict" else own), n + WORTH
                source = "judged" if n else "judged, other sizes"
                open_ = edges[free[edges]]
                odds[open_] = _with_mean(odds[open_], rate)
            else:
                p = sigmoid(odds[edges])
                rate, source = float(p.mean()), "evidence"
                # What labels tell beside what they would if their truth were seen (Orchard and Woodbury 1972).
                worth = WORTH + float(((p - rate) ** 2).sum() / max(rate * (1 - rate), 1e-9))
            rows.append((name, right, called, len(edges), n, bad, rate, *_interval(rate, worth), source))
    columns = ["kind", "label", "size", "stated", "judged", "wrong", "rate", "low", "high", "source"]
    return Rates(pd.DataFrame(rows, columns=columns), odds, cuts)


def channel(log_odds: np.ndarray, sign: np.ndarray) -> tuple[float, float]:
    """How often labels are turned, and by how much evidence that learnt from them is too faint.

    The truth is latent: P(same) = sigmoid(slope · z), and each label is turned with one probability, whatever the
    pair. Expectation–maximisation (Raykar and others 2010, Journal of Machine Learning Research 11, section 2, with
    one annotator) from and towards `TURNED`, which counts as much as `HELD` of the labels.

    Parameters
    ----------
    log_odds : float array
        z, the log-odds of a positive label by evidence.
    sign : array of 1 and -1
        The stated labels.

    Returns
    -------
    turned, slope : float

    Examples
    --------
    One label in fifty at odds with evidence that is sure of itself:

    >>> sign = np.array([1, -1] * 500)
    >>> round(channel(5 * sign * np.where(np.arange(1000) < 20, -1, 1), sign)[0], 2)
    0.03
    """
    z, s = np.asarray(log_odds, dtype=float), np.asarray(sign, dtype=float)
    turned, slope, last = TURNED, 1.0, np.inf
    for _ in range(300):
        if abs(turned - last) < 1e-7 or not len(z):
            break
        same = sigmoid(slope * z)
        right = np.where(s > 0, same, 1 - same)
        wrong = (1 - right) * turned / ((1 - right) * turned + right * (1 - turned))
        last, turned = turned, float((wrong.sum() + HELD * len(z) * TURNED) / (len(z) * (1 + HELD)))
        truth = np.where(s > 0, 1 - wrong, wrong)
        slope += float(((truth - same) @ z - (slope - 1)) / ((same * (1 - same)) @ z**2 + 1))
    return turned, slope


def flips(graph: ParaphraseGraph, log_odds: np.ndarray, cuts: Cuts, edges: np.ndarray) -> np.ndarray:
    """Log-odds that each of some conflicts is to be flipped: that its label, 0, is wrong.

    What evidence says of pairs anywhere, it does not say of look-alikes in and around a cluster. So it is first
    weighed anew on the stated pairs of the same clusters: positives on no cut against negatives that lead out. Then
    the share of flips is found by expectation–maximisation, with a flat prior (Saerens, Latinne and Decaestecker
    2002, Neural Computation 14, section 2.2).

    Parameters
    ----------
    log_odds : float array, one entry an edge
        That each pair means the same, by evidence.
    """
    from scipy.optimize import brentq

    if not len(edges):
        return np.empty(0)
    sign, (a, b) = graph.edge_sign, graph.edge_clusters
    share = np.count_nonzero(sign > 0) / len(sign)
    ratio = log_odds - np.log(share / max(1 - share, 1e-9))
    hit = np.zeros(len(graph.cluster_sizes), dtype=bool)
    hit[a[edges]] = True
    positive = (sign > 0) & hit[a] & ~cuts.crossed
    negative = (sign < 0) & ~graph.within & (hit[a] | hit[b])
    there = ratio[edges]
    if positive.any() and negative.any():
        bias, slope = _weighed(ratio[positive], ratio[negative])
        there = bias + slope * there
    n = len(edges)
    return there + brentq(lambda c: sigmoid(there + c).sum() + 1 - (n + 2) * sigmoid(c), *SHIFTS)


def _weighed(positive: np.ndarray, negative: np.ndarray) -> tuple[float, float]:
    """Bias and slope of a logistic regression on one column, both classes weighted alike, held to 0 and 1."""
    x = np.append(positive, negative)
    y = np.repeat([1.0, 0.0], [len(positive), len(negative)])
    times = len(x) / 2 / np.where(y, len(positive), len(negative))
    x, found, prior = np.column_stack([np.ones(len(x)), x]), np.array([0.0, 1.0]), np.array([0.0, 1.0])
    for _ in range(100):
        p = sigmoid(x @ found)
        curvature = (x * (times * p * (1 - p))[:, None]).T @ x + LOCAL * np.eye(2)
        step = np.linalg.solve(curvature, x.T @ (times * (y - p)) - LOCAL * (found - prior))
        found = found + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return float(found[0]), float(found[1])


def _with_mean(log_odds: np.ndarray, rate: float) -> np.ndarray:
    """The same log-odds, all shifted so that the probabilities have this mean."""
    from scipy.optimize import brentq

    if not len(log_odds):
        return log_odds
    return log_odds + brentq(lambda c: len(log_odds) * rate - sigmoid(log_odds + c).sum(), *SHIFTS)


def _interval(rate: float, worth: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    low, high = betaincinv(rate * worth, (1 - rate) * worth, [0.025, 0.975])
    return float(low), float(high)
