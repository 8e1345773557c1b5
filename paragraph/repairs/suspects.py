"""Stated labels by the probability that they are wrong, in a conflict or not; error rates of each kind of label."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..learn.text.paraphrases import shares
from ..measure.judged import KINDS, SIZES, Strata, judged_pairs
from ..measure.logistic import newton, sigmoid
from ..pairs import PairsError
from ..words.reasons import reasons
from .cut import Cuts
from .evidence import DECIDED, evidence_log_odds, in_english
from .same import opinions

__all__ = ["Rates", "channel", "error_rates", "flips", "rates", "suspects"]

#: Labels wrong in nature, which is what judged pairs start from: 23 of 95 stated positives and 3 of 75 stated
#: negatives, drawn at random from Quora Question Pairs and judged in two blind readings by a
#: language model; about half of the conflicts that Chen, Ji and Evans (2020) list.
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
#: What is said of a negative in which a tagger finds nothing.
UNTAGGED = "labelled not, yet no word is tagged; "


class Rates(NamedTuple):
    """Results of `rates`."""

    table: pd.DataFrame  #: see `error_rates`
    log_odds: np.ndarray  #: that each stated label is wrong, by evidence about its own pair and the rate of its kind
    cuts: Cuts  #: of the conflicts


def suspects(
    graph: ParaphraseGraph,
    evidence: pd.DataFrame | None = None,
    *,
    model: Any = None,
    audit: Any = None,
    tagger: Any = None,
    progress: bool = True,
) -> pd.DataFrame:
    """Every stated pair with the probability that its label is wrong, the most suspicious first.

    Three things make `p_wrong`, and nothing is drawn at random:

    1. how often labels of its kind are wrong (`error_rates`), by an audit or by the evidence;
    2. what the evidence says of the pair, its label aside (`evidence.evidence_log_odds`);
    3. for a positive on a cut between the sentences of a conflict, how probable it is that the negative is right and
       the cut is what is wrong (`cut.Cuts.blame`). Either reason is enough: 1 − (1 − own) · (1 − blame).

    Parameters
    ----------
    evidence : DataFrame, optional
        Further evidence about pairs; see `evidence.evidence`.
    model : {"minilm"}, Judge, function of two lists of texts, name, folder or hub id, optional
        Who gives an opinion on all stated pairs, in the place of `evidence`; see `same.opinions`.
    audit : DataFrame, or a log or review with a method `judged`, optional
        Judged pairs (`text_a`, `text_b`, `same`), as `paragraph.audit` draws them: they say how often labels of each
        kind are wrong, and what they say of their own pairs holds.
    tagger : optional
        Tags the words that the other sentence cannot paraphrase (`learn.default_tagger`). It changes no `p_wrong`.

    Columns
    -------
    text_a, text_b, label
        As first stated; the stated label.
    p_wrong
        Probability that the label is wrong.
    reason
        The conflict it is part of, and how the sentences differ in words (for a positive), or that they do not.
    untagged
        With a tagger: a negative in which it tags no word, for people to confirm. How many of them are paraphrases
        depends on where they come from: 47.6 % of a model's proposals (Wang et al. 2022, section 4.3); of 147 judged
        negatives of Quora the tagger that ships leaves 39 untagged, none of which is one.

    ``.attrs["rates"]`` holds the error rates, as of `error_rates`.

    Raises
    ------
    PairsError
        Evidence or judged pairs that do not fit; bipartite pairs.

    Notes
    -----
    For a conflict `p_wrong` is not the `p_flip` of `repair`, which proposes what to do about one conflict, by what
    people judged. A ranking asks which labels stand out in this file: the evidence is that of the file's own labels,
    and so is the share of flips (`flips`). Ranked by `p_flip`, average precision on planted errors is lower by .005
    to .31 (``benchmarks/results/suspects.tsv``). To decide on flip or cut, take `repair`.

    Examples
    --------
    >>> rows = [("Is tea hot?", "is tea hot", 1), ("Is it far?", "Is it far from Rome?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> suspects(ParaphraseGraph.from_pairs(pairs)).loc[0, ["text_a", "text_b", "reason"]].tolist()
    ['Is it far?', 'Is it far from Rome?', "only one side: 'from Rome'"]
    """
    from tqdm.auto import tqdm

    if graph.bipartite:
        raise PairsError("these pairs are bipartite: nothing in them is transitive, so no label contradicts a path")
    found = rates(graph, _log_odds(graph, evidence, model, progress), audit)
    p = sigmoid(found.log_odds)
    p = 1 - (1 - p) * (1 - found.cuts.blame(1 - p[found.cuts.conflicts]))
    p = p.round(6)  # the last digits differ between machines, and would order what is alike
    order = np.argsort(-p, kind="stable")
    a, b = graph.texts(graph.edge_a[order]), graph.texts(graph.edge_b[order])
    conflict = (graph.within | found.cuts.crossed)[order]
    label = (graph.edge_sign[order] > 0).astype(np.int8)
    rows = zip(a, b, label.tolist(), conflict.tolist(), strict=True)
    why, english = [], in_english(graph)
    for *ends, positive, crossed in tqdm(
        rows, "reasons", len(a), unit=" pairs", delay=2, leave=False, disable=not progress
    ):
        found_there = reasons(*ends, english=english) or ["no difference in words"]
        if crossed:
            found_there = ["a negative lies across it" if positive else "joined by positives", *found_there]
        why.append("; ".join(found_there))
    listed = pd.DataFrame({"text_a": a, "text_b": b, "label": label, "p_wrong": p[order], "reason": why})
    listed = listed.astype({"text_a": "str", "text_b": "str", "reason": "str"})
    if tagger is not None:
        untagged = label == 0
        if untagged.any():
            untagged[untagged] = shares(tagger.tag(listed.loc[untagged, ["text_a", "text_b"]])) == 0
        listed["untagged"] = untagged
        listed["reason"] = listed["reason"].mask(untagged, UNTAGGED + listed["reason"])
    listed.attrs["rates"] = found.table.to_dict("list")
    return listed


def error_rates(
    graph: ParaphraseGraph,
    judged: Any = None,
    evidence: pd.DataFrame | None = None,
    *,
    model: Any = None,
    progress: bool = True,
) -> pd.DataFrame:
    """The share of stated labels that is wrong, by kind of label and size of cluster.

    Parameters
    ----------
    judged : DataFrame, or a log or review with a method `judged`, optional
        Judged pairs, as `paragraph.audit` draws them: `text_a`, `text_b`, `same` (1, 0 or empty).
    evidence : DataFrame, optional
        As in `evidence.evidence`.
    model : optional
        As in `suspects`.

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
    return rates(graph, _log_odds(graph, evidence, model, progress), judged).table


def _log_odds(graph: ParaphraseGraph, evidence: pd.DataFrame | None, model: Any, progress: bool) -> np.ndarray:
    if model is not None:
        if evidence is not None:
            raise PairsError("evidence and model are two sources of evidence; give one")
        evidence = opinions(graph, model, progress=progress)
    return evidence_log_odds(graph, evidence, progress=progress)


def rates(graph: ParaphraseGraph, evidence: np.ndarray, judged: Any = None) -> Rates:
    """`error_rates` with `evidence` as log-odds that each edge is truly positive (`evidence.evidence_log_odds`).

    The evidence may hold a base rate, as a logistic regression on the file's own labels does: rates are derived for
    the file, such that the probabilities of a stratum have its rate as their mean.
    """
    from scipy.special import betaincinv

    sign, z = graph.edge_sign, np.array(evidence, dtype=float)
    strata = Strata(graph)
    kind, size = strata.of(graph.edge_a, graph.edge_b)
    number, wrong = np.zeros((2, len(KINDS), len(SIZES)), dtype=np.int64)
    if judged is not None:
        found = judged_pairs(graph, judged, strata)
        np.add.at(number, (found.kind, found.size), 1)
        np.add.at(wrong, (found.kind, found.size), found.wrong)
        stated = found.edge >= 0
        z[found.edge[stated]] = DECIDED * (2 * found.same[stated] - 1)
    free = np.abs(z) < DECIDED
    turned, slope = channel(z[free], sign[free])
    agree = sign * (graph.edge_n_positive - graph.edge_n_negative)  # rows for the label, less those against
    odds = np.where(free, (np.log(turned) - np.log1p(-turned)) * agree - sign * slope * z, -sign * z)
    cuts = Cuts(graph, odds)
    inside = np.flatnonzero((kind == list(KINDS).index("conflict")) & free)
    odds[inside] = flips(graph, slope * z, cuts, inside)
    rows = []
    for k, (name, nature) in enumerate(NATURE.items()):
        own = (wrong[k].sum() + WORTH * nature) / (number[k].sum() + WORTH)
        together = {"all": [*range(len(SIZES))]} if name == "conflict" else {SIZES[s]: [s] for s in range(len(SIZES))}
        for called, sizes in together.items():
            edges = np.flatnonzero((kind == k) & np.isin(size, sizes))
            if not len(edges):
                continue
            n, bad = int(number[k, sizes].sum()), int(wrong[k, sizes].sum())
            if number[k].any():
                rate, worth = (own if name == "conflict" else (bad + WORTH * own) / (n + WORTH)), n + WORTH
                source, open_ = "judged" if n else "judged, other sizes", edges[free[edges]]
                odds[open_] = _with_mean(odds[open_], rate)
            else:
                p = sigmoid(odds[edges])
                rate, source = float(p.mean()), "evidence"
                # What labels tell beside what they would if their truth were seen (Orchard and Woodbury 1972).
                worth = WORTH + float(((p - rate) ** 2).sum() / max(rate * (1 - rate), 1e-9))
            low, high = betaincinv(rate * worth, (1 - rate) * worth, [0.025, 0.975]).tolist()
            rows.append((name, KINDS[name], called, len(edges), n, bad, rate, low, high, source))
    columns = ["kind", "label", "size", "stated", "judged", "wrong", "rate", "low", "high", "source"]
    return Rates(pd.DataFrame(rows, columns=columns), odds, cuts)


def channel(log_odds: np.ndarray, sign: np.ndarray) -> tuple[float, float]:
    """Estimate how often labels are turned, and by how much evidence that learnt from them is too faint.

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
        x = np.append(ratio[positive], ratio[negative])
        y = np.repeat([1.0, 0.0], [np.count_nonzero(positive), np.count_nonzero(negative)])
        times = len(x) / 2 / np.where(y, y.sum(), len(y) - y.sum())  # both classes weigh alike
        (bias, slope), _ = newton(np.column_stack([np.ones(len(x)), x]), y, times, np.array([0.0, 1.0]), LOCAL)
        there = bias + slope * there
    n = len(edges)
    return there + brentq(lambda c: sigmoid(there + c).sum() + 1 - (n + 2) * sigmoid(c), *SHIFTS)


def _with_mean(log_odds: np.ndarray, rate: float) -> np.ndarray:
    """Shift all log-odds alike, to probabilities with this mean."""
    from scipy.optimize import brentq

    if not len(log_odds):
        return log_odds
    return log_odds + brentq(lambda c: len(log_odds) * rate - sigmoid(log_odds + c).sum(), *SHIFTS)
