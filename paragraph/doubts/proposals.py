"""The evidence about each conflict, and a proposal, flip or cut, if a model read the sentences."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.arrays import Array
from ..graph.bridges import blocks
from ..graph.core import checked_graph
from ..learn.logistic import sigmoid
from ..words.phrases import reasons
from .answered import answered_edges
from .cuts import CERTAIN, DECIDED, Cuts
from .judges import Judgements, default_judge
from .prior import DELTA, learnt
from .shipped import in_english
from .what_if import Changes, Decided

__all__ = ["BIPARTITE", "UNSURE", "Proposals", "repair"]

#: Below this margin, odds of 3 to 2, the proposal is "unsure".
UNSURE = float(np.log(1.5))
#: The log-odds that one row is right, if nothing better is known: one in twenty errs, each by itself.
ROW = np.log(0.95 / 0.05)
BIPARTITE = (
    "these pairs are bipartite: nothing in them is transitive, so no label contradicts a path"
)
#: Columns of the table of `repair`, with their types.
TYPES = {
    "text_a": "str", "text_b": "str", "proposal": "str", "margin": "float64", "edge1": "str", "edge2": "str",
    "p_flip": "float64", "changes": "object", "reason": "str", "parts": "object", "inferred_positive": "int64",
    "inferred_negative": "int64", "settles": "int64", "p_same": "float64",
}  # fmt: skip


def repair(
    graph: ParaphraseGraph,
    method: str = "weigh",
    *,
    judge: Any = "auto",
    answers: Any = None,
    progress: bool = True,
) -> pd.DataFrame:
    """Show the evidence about each conflict (a negative inside a cluster), and propose which of its labels is wrong.

    A proposal needs a reader of the sentences, a `judge` or a person: words alone name a wrong label no more often
    than "flip_all". Without a reader, only the evidence is shown, and `proposal` is "none".

    Parameters
    ----------
    method : {"weigh", "flip_all"}
        ``"weigh"``: flip or cut, depending on whether the two sentences mean the same; a minimum cut between them
        says what to cut (`cuts.Cuts`). ``"flip_all"``: the rule of Chen, Ji and Evans (2020), which flips every
        conflict, with no opinion on how sure that is.
    judge : {"auto", "minilm"}, function of two lists of texts, or folder; or None
        The reader of the sentences around conflicts; see `judges.judge_of`. "auto": MiniLM where it is installed.
    answers : DataFrame, or a log or review with a method `answered`, optional
        Pairs that a person answered: `text_a`, `text_b`, `same` (1, 0, empty), drawn by `paragraph.audit`. The
        conflicts among them teach δ, the difference of the log-odds of `p_flip` and `p_same` (`prior.learnt`),
        and the person's answer counts for each of these pairs.

    Columns
    -------
    text_a, text_b
        The negative, as first stated.
    proposal, margin, p_flip
        `p_flip` is the probability that the negative is truly positive. `proposal` is "flip" or "cut", whichever is
        more probable; `margin` is the log-odds (natural) of the proposal against the other, never negative. "unsure"
        is below odds of 3 to 2 (`UNSURE`); the rest of the row is then about the more probable of the two. "none"
        means that nobody read the sentences; then both figures are missing, and the rest of the row is about the most
        probable cut, in case the negative is right.
    edge1, edge2
        The pair whose label to change: for *flip*, the negative itself; for *cut*, the pair of `changes` that is most
        probably wrong.
    changes
        All pairs whose labels to change, as lists of two sentences. For a *cut*: the positives of the most probable
        cut.
    reason
        How the two sentences of `edge1`, `edge2` differ, in words.
    parts, inferred_positive, inferred_negative, settles
        The effect of the changes: sizes of the clusters into which the cluster falls, number of inferred labels of
        each sign that are gained (or lost, below 0), number of conflicts that are settled.
    p_same
        The probability that the two sentences of the negative mean the same, regardless of its label; missing if
        nobody read them.

    ``.attrs["delta"]`` describes δ, if a judge read: `value`, its 95 % interval `low`, `high`, and the number of
    `answered` conflicts.

    Raises
    ------
    PairsError
        An unknown method; bipartite pairs; answers that do not fit.

    Notes
    -----
    Paths do not affect flip or cut: real wrong positives come in families ("… in Italy", "… in Portugal") that
    support each other, so many paths are no evidence.

    Only pairs near a conflict are examined: those of its block (biconnected component).

    Examples
    --------
    >>> a, b, c = "How can I learn chess?", "How do I learn chess?", "Why did 3 people learn chess?"
    >>> rows = [(a, b, 1), (b, c, 1), (c, a, 0)]
    >>> graph = ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    >>> [row] = repair(graph, judge=None).itertuples()  # nobody read them: if a positive is wrong, then this
    >>> row.proposal, row.edge1, row.edge2
    ('none', 'How do I learn chess?', 'Why did 3 people learn chess?')
    >>> p_same = {(a, b): 0.9, (b, c): 0.2, (a, c): 0.3}
    >>> def opinion(left, right):
    ...     return [p_same[min(pair), max(pair)] for pair in zip(left, right)]
    >>> [row] = repair(graph, judge=opinion).itertuples()
    >>> row.proposal, round(row.p_flip, 2)
    ('cut', 0.13)
    """
    if method not in ("weigh", "flip_all"):
        raise PairsError(f"method {method!r} is not one of 'weigh', 'flip_all'")
    all_flipped = method == "flip_all"
    checked_graph(graph, "repair")
    if isinstance(judge, str) and judge == "auto":
        judge = None
        if graph.negatives_inside.any() and not all_flipped:
            judge = default_judge()
    if all_flipped and not (judge is None and answers is None):
        raise PairsError("flip_all flips every conflict: it takes no judge and no answers")
    return Proposals(graph, judge, answers, progress=progress).table(all_flipped)


class Proposals:
    """Proposals for the conflicts of a graph: evidence, log-odds, cuts, decision, row of the table.

    Each step is computed when it is first needed. Parameters are those of `repair`.
    """

    def __init__(
        self,
        graph: ParaphraseGraph,
        judge: Any = None,
        answers: Any = None,
        *,
        progress: bool = True,
    ):
        self.graph = checked_graph(graph, "repair")
        self.progress = progress
        #: A person's answer about each edge, 1 (the same), 0, or NaN; and flags of those drawn at random.
        self.decisions, self.random = answered_edges(graph, answers)
        self.judgements = Judgements(graph, judge, progress=progress)
        self.conflicts = np.flatnonzero(graph.negatives_inside)
        self.by_words = judge is None  #: no judge reads the sentences
        self._decided = Decided(graph)
        self._before = cache(self._decided.outcome)

    def same(self, edges: Array) -> Array:
        """Return the log-odds that the sentences of some edges mean the same."""
        return self.judgements(*self.graph.ends(edges))

    @cached_property
    def delta(self) -> dict[str, float]:
        """δ by the conflicts that a person answered: see `repair`."""
        decisions = self.decisions[self.conflicts]
        answered = self.conflicts[~np.isnan(decisions)]
        level = learnt("conflicts", self.same(answered), self.decisions[answered])
        value = float(level.mean[0])
        variance = float(level.covariance[0, 0])
        half = 1.96 * variance**0.5
        interval = {"low": value - half, "high": value + half}
        return {"value": value, **interval, "answered": len(answered)}

    @cached_property
    def near(self) -> Array:
        """The positives that a cut may name: those of a block with a conflict."""
        block = blocks(self.graph.n, self.graph.edge_a, self.graph.edge_b)
        near = np.isin(block, block[self.conflicts])
        near &= self.graph.edge_sign > 0
        return np.flatnonzero(near)

    @cached_property
    def cuts(self) -> Cuts:
        """The cuts of all conflicts, by the evidence on each positive near them: its sentences and its rows."""
        return self.cuts_by(self.same(self.near))

    def cuts_by(self, same: Array) -> Cuts:
        """Return the cuts by the log-odds that the sentences of the positives near conflicts mean the same."""
        rows = self.graph.edge_n_positive.astype(float) - self.graph.edge_n_negative
        wrong = -rows * ROW
        wrong[self.near] -= same + DELTA
        wrong[self.decisions == 1] = CERTAIN
        wrong[self.decisions == 0] = DECIDED
        return Cuts(self.graph, wrong)

    def ask(self) -> None:
        """Judge all sentences near conflicts at once: a model is loaded once, and later steps ask nothing."""
        self.same(np.union1d(self.conflicts, self.near))

    def odds(self, conflicts: Array) -> Array:
        """Return the log-odds (natural) of flip against cut for each conflict, even if only words judged it."""
        decision = self.decisions[conflicts]
        odds = self.same(conflicts) + self.delta["value"]
        sign = 2 * decision - 1  # 1: flip, -1: cut
        return np.where(np.isnan(decision), odds, DECIDED * sign)

    def decide(self, conflicts: Array) -> Array:
        """Return the `odds` of each conflict, NaN if nobody read its sentences."""
        unread = np.isnan(self.decisions[conflicts])
        unread &= self.by_words
        return np.where(unread, np.nan, self.odds(conflicts))

    def of(self, edge: int) -> tuple[str, float]:
        """Return the proposal for a conflict, and the log-odds of flip against cut (`decide`)."""
        [odds] = self.decide(np.array([edge])).tolist()
        return _proposal(odds), odds

    def links(self, edge: int, odds: float) -> dict[int, float]:
        """Return the positives that may be wrong instead of a conflict, each with its probability, highest first.

        Without a proposal, the probabilities hold in case the negative is right.
        """
        links, shares = self.cuts.shares(edge)
        if not np.isnan(odds):
            shares = shares * sigmoid(-odds)
        by_link = pd.Series(shares, links)
        by_link = by_link.sort_values(ascending=False, kind="stable")
        return by_link.to_dict()

    def table(self, all_flipped: bool = False) -> pd.DataFrame:
        """Return the proposals for all conflicts, see `repair`; or those of the rule that flips all."""
        from tqdm.auto import tqdm

        if self.graph.bipartite:
            raise PairsError(BIPARTITE)
        # in the order of clusters, so that each is read once
        clusters = self.graph.edge_clusters[0][self.conflicts]
        order = np.argsort(clusters, kind="stable")
        edges = self.conflicts[order]
        odds = np.full(len(edges), np.inf)
        if not all_flipped:
            self.ask()
            self.cuts.walk(edges)
            odds = self.decide(edges)
        bar = {"unit": " conflicts", "delay": 2, "leave": False, "disable": not self.progress}
        conflicts = zip(edges.tolist(), odds.tolist(), strict=True)
        rows = []
        for conflict in tqdm(conflicts, "repair", len(edges), **bar):
            rows.append(self._row(*conflict))
        table = pd.DataFrame(rows, order, [*TYPES])
        if not all_flipped:
            table["margin"] = np.abs(odds)
            table["p_flip"] = sigmoid(odds)
            if not self.by_words:
                table["p_same"] = sigmoid(self.same(edges))
        table = table.sort_index().astype(TYPES)
        if len(edges) and not (all_flipped or self.by_words):
            table.attrs["delta"] = self.delta
        return table

    def _row(self, edge: int, odds: float) -> dict[str, Any]:
        """The proposal for a conflict by the log-odds of flip against cut, and its effect."""
        cluster = int(self.graph.cluster_of[self.graph.edge_a[edge]])
        before = self._before(cluster)
        if odds > 0:
            edges = [edge]
            after = before  # a flip parts nothing, and joins nothing
            settled = {edge}
        else:
            edges = self.cuts.best(edge).tolist()
            changes = Changes(gone=frozenset(edges))
            after = self._decided.outcome(cluster, changes)
            settled = after.apart - {*edges}
        a, b = map(self.graph.texts, self.graph.ends([edge, *edges]))
        (text_a, text_b), *pairs = map(list, zip(a, b, strict=True))
        edge1, edge2 = pairs[0]
        differences = reasons(edge1, edge2, english=in_english(self.graph))
        return {
            "text_a": text_a,
            "text_b": text_b,
            "proposal": _proposal(odds),
            "edge1": edge1,
            "edge2": edge2,
            "changes": pairs,
            "reason": "; ".join(differences),
            "parts": list(after.parts),
            "inferred_positive": after.positive - before.positive,
            "inferred_negative": after.negative - before.negative,
            "settles": len(settled),
        }


def _proposal(odds: float) -> str:
    """The name of the proposal at some log-odds of flip against cut."""
    if np.isnan(odds):
        return "none"
    if abs(odds) < UNSURE:
        return "unsure"
    if odds > 0:
        return "flip"
    return "cut"
