"""Stated labels by the probability that they are wrong, in a conflict or not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.core import checked_graph
from ..measure.judged import KINDS, SIZES, Strata
from ..measure.logistic import Weights, newton, sigmoid
from ..pairs import PairsError
from ..words.reasons import reasons
from ..words.tokens import tagged_shares
from .evidence import DECIDED, evidence_log_odds, in_english
from .propose import Proposals
from .rates import nature, rates
from .same import asked

__all__ = ["calibration", "judgement", "suspects"]

#: Log-odds by which each further row of the same label makes it more credible: rows err together more often than not.
AGREE = float(np.log(9))
#: Precision, in judged labels, of what nature says of a judge (slope 1, level 0); and of a stratum, in stated labels.
WORTH = 4
#: The share of pairs, one stated 1 and one stated 0, that P(same) puts in this order, below which it says little.
COIN = 0.6
#: All log-odds of a stratum are shifted by something between these.
SHIFTS = (-50.0, 50.0)
#: What is said of a negative in which a tagger finds nothing.
ITSELF = "a sentence paired with itself"
UNTAGGED = "labelled not, yet no word is tagged; "


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

    1. The words and the model's opinion of the two sentences are weighed. The weights come from stated pairs of Quora
       Question Pairs that were judged (`judgement`). A conflict has the `p_flip` of `repair` instead.
    2. The log-odds of a stratum (label and size of cluster) are shifted alike, until the mean probability is its
       error rate (`error_rates`): that of an audit, or that of other files. An audit stretches them, too.
    3. A positive on a cut between the sentences of a conflict gets its share of the blame, if the negative is right
       (`cut.Cuts.blame`). Then p_wrong is 1 − (1 − own) · (1 − blame).

    Parameters
    ----------
    evidence : DataFrame, optional
        Further evidence about pairs; see `evidence.evidence`. A column `model` takes the place of `same.p_same`, and
        other columns than `decision` then say no more.
    model : {"minilm"}, Judge, function of two lists of texts, name, folder or hub id, optional
        Who reads all stated pairs; see `same.asked`. Without one, words alone, which see a third of what MiniLM sees.
    audit : DataFrame, or a log or review with a method `judged`, optional
        Judged pairs (`text_a`, `text_b`, `same`), as `paragraph.audit` draws them. They tell how often labels of each
        kind are wrong, and how far the judge can be trusted. Their own labels are as the audit says.
    tagger : optional
        Tags the words that the other sentence cannot paraphrase (`learn.default_tagger`). It changes no `p_wrong`.

    First come the sentences that a row pairs with themselves and labels 0: that is wrong, whoever judges.

    Columns
    -------
    text_a, text_b, label
        As first stated; the stated label.
    p_wrong
        Probability that the label is wrong.
    reason
        The conflict it is part of, and how the sentences differ in words (for a positive), or that they do not.
    score
        Where labels are thresholds of one: the score, or the share of votes, of the first row.
    untagged
        With a tagger: a negative in which it tags no word, for people to confirm. How many of them are paraphrases
        depends on where they come from: 47.6 % of a model's proposals (Wang et al. 2022, section 4.3); of 147 judged
        negatives of Quora the tagger that ships leaves 39 untagged, none of which is one.

    ``.attrs["rates"]`` holds the error rates, as of `error_rates`; ``.attrs["advice"]`` says what to do where they
    are those of other files; ``.attrs["judge"]`` is the share of pairs, one stated 1 and one stated 0, of which
    P(same) is higher for the former. Near a half the order within a kind says little, and a warning says so.

    Raises
    ------
    PairsError
        Evidence or judged pairs that do not fit; bipartite pairs.

    Examples
    --------
    >>> rows = [("Is tea hot?", "is tea hot", 1), ("Is it far?", "Is it far from Rome?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> suspects(ParaphraseGraph.from_pairs(pairs)).loc[0, ["text_a", "text_b", "reason"]].tolist()
    ['Is it far?', 'Is it far from Rome?', "only one side: 'from Rome'"]
    """
    from tqdm.auto import tqdm

    if checked_graph(graph, "suspects").bipartite:
        raise PairsError("these pairs are bipartite: nothing in them is transitive, so no label contradicts a path")
    evidence, model = asked(graph, evidence, model, progress=progress)
    proposals = Proposals(graph, evidence, model, audit)
    proposals.progress = progress
    strata = Strata(graph)
    table = rates(strata, proposals.audited)
    columns = judgement(proposals, evidence)
    p, cuts = sigmoid(_log_odds(proposals, columns, strata, table)), proposals.cuts
    p = 1 - (1 - p) * (1 - cuts.blame(1 - p[cuts.conflicts]))
    p = p.round(6)  # the last digits differ between machines, and would order what is alike
    order = np.argsort(-p, kind="stable")
    a, b = map(graph.texts, graph.ends(order))
    conflict = (graph.within | cuts.crossed)[order]
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
    alone = graph.texts(graph.denied)  # no judge is needed for these
    first = {"text_a": alone, "text_b": alone, "label": 0, "p_wrong": 1.0, "reason": ITSELF}
    listed = pd.concat([pd.DataFrame(first, columns=[*listed]).astype({"label": np.int8}), listed], ignore_index=True)
    listed = listed.astype({"text_a": "str", "text_b": "str", "reason": "str"})
    if graph.pairs is not None and "score" in graph.pairs:
        first = [graph.rows_of(edge)[0] for edge in order.tolist()]
        listed["score"] = graph.pairs["score"].to_numpy()[first]
        listed["reason"] += [f"; scored {score:.3g}" for score in listed["score"]]
    if tagger is not None:
        untagged = (listed["label"] == 0).to_numpy()
        if untagged.any():
            untagged[untagged] = tagged_shares(tagger.tag(listed.loc[untagged, ["text_a", "text_b"]])) == 0
        listed["untagged"] = untagged
        listed["reason"] = listed["reason"].mask(untagged, UNTAGGED + listed["reason"])
    listed.attrs["rates"], listed.attrs["judge"] = table.to_dict("list"), _in_order(columns["same"], graph.edge_sign)
    listed.attrs |= table.attrs
    if (order := listed.attrs["judge"]) < COIN:
        told = f"of a pair stated 1 and one stated 0 the judge tells which is which in {order:.0%} of the cases"
        warnings.warn(f"{told}, a coin in 50 %: the order of this list says little", stacklevel=2)
    return listed


def judgement(proposals: Proposals, evidence: pd.DataFrame | None) -> pd.DataFrame:
    """Columns that tell whether a stated label is right: one row an edge.

    `same`: the log-odds that the sentences mean the same (`same.p_same`). Where no model reads them, `own` too: the
    same by a fit on all labels of the file (`evidence.evidence_log_odds`), which adds nothing to a model. The weight
    of each is fitted for either sign on judged stated pairs of Quora Question Pairs, with a model or without one
    (`rates.NATURE`; ``python -m benchmarks.natural``).
    """
    found = pd.DataFrame({"same": proposals.same(np.arange(len(proposals.graph.edge_a)))})
    if proposals.by_words:
        if evidence is not None:
            evidence = evidence.drop(columns=["model", "decision"], errors="ignore")
        found["own"] = evidence_log_odds(proposals.graph, evidence, progress=proposals.progress)
    return found


def _log_odds(proposals: Proposals, columns: pd.DataFrame, strata: Strata, table: pd.DataFrame) -> np.ndarray:
    """The log-odds that each label is wrong by itself."""
    found = proposals.audited
    graph, name = proposals.graph, "words" if proposals.by_words else "minilm"
    kind, size = strata.of(graph.edge_a, graph.edge_b)
    rows = graph.edge_sign * (graph.edge_n_positive - graph.edge_n_negative)  # for the label, less those against
    odds = -AGREE * (rows - 1.0)
    for k, of in enumerate(("positive", "negative")):
        edges = np.flatnonzero(kind == k)
        if len(edges):
            odds[edges] += Weights.of(nature()["weights"][name][of]).log_odds(columns.loc[edges])
            if found is not None and (judged := found.kind == k).any():
                level, slope = calibration(odds[found.edge[judged]], found.wrong[judged])
                odds[edges] = level + slope * odds[edges]
    decided = proposals.decisions
    odds[~np.isnan(decided)] = (DECIDED * graph.edge_sign * (1 - 2 * decided))[~np.isnan(decided)]
    for row in table[table["kind"] != "conflict"].itertuples():
        open_ = (kind == list(KINDS).index(row.kind)) & (size == SIZES.index(row.size)) & np.isnan(decided)
        odds[open_] = _with_mean(odds[open_], row.rate)
    odds[proposals.conflicts] = proposals.decide(proposals.conflicts)
    return odds


def calibration(odds: np.ndarray, found: np.ndarray) -> tuple[float, float]:
    """Level and slope that carry log-odds over to what was found, by judged pairs; drawn to 0 and 1."""
    x = np.column_stack([np.ones(len(odds)), odds])
    (level, slope), _ = newton(x, found, np.ones(len(x)), np.array([0.0, 1.0]), WORTH)
    return level, max(slope, 0.0)


def _in_order(same: pd.Series, sign: np.ndarray) -> float:
    """The area under the ROC curve: NaN where all labels are alike."""
    ranks, positive = same.rank().to_numpy(), sign > 0
    n, m = np.count_nonzero(positive), np.count_nonzero(~positive)
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * m)) if n and m else np.nan


def _with_mean(log_odds: np.ndarray, rate: float) -> np.ndarray:
    """Shift all log-odds alike, to probabilities with this mean; hardly so where they are fewer than `WORTH`."""
    from scipy.optimize import brentq

    if not len(log_odds):
        return log_odds
    drawn = WORTH * rate * (1 - rate)
    return log_odds + brentq(lambda c: len(log_odds) * rate - sigmoid(log_odds + c).sum() - drawn * c, *SHIFTS)
