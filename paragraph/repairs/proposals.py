"""Which label of a conflict is wrong: flip the negative, or cut a positive on the way."""

from __future__ import annotations

from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ..balance.blocks import blocks
from ..graph import ParaphraseGraph
from ..graph.conflicts import write_conflicts
from ..measure.judged import judged_pairs
from ..measure.weights import sigmoid
from ..pairs import PairsError
from ..words.differences import reasons
from .cuts import best_cut, on_paths
from .delta import DELTA, Delta, learn_delta, prior_shift
from .effects import Changes, Decided
from .evidence import DECIDED, evidence, evidence_log_odds
from .posterior import Posterior, label_log_odds, posterior
from .sameness import p_same

__all__ = ["UNSURE", "Proposals", "repair", "write_repairs"]

#: Below this margin, odds of 3 to 2, the proposal is "unsure".
UNSURE = float(np.log(1.5))
#: Alternatives listed of each conflict.
LISTED = 6

TYPES = {
    "text_a": "str", "text_b": "str", "proposal": "str", "margin": "float64", "edge1": "str", "edge2": "str",
    "p_flip": "float64", "changes": "object", "alternatives": "object", "reason": "str", "method": "str",
    "block": "int64", "parts": "object", "inferred_positive": "int64", "inferred_negative": "int64",
    "settles": "int64", "p_same": "float64",
}  # fmt: skip


def repair(
    graph: ParaphraseGraph,
    evidence: pd.DataFrame | None = None,
    method: str = "map",
    *,
    model: str | PathLike | None = None,
    audit: Any = None,
    delta: float | None = None,
    log_odds: np.ndarray | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """A proposal for each conflict (negative inside a cluster): is its label wrong, or one on the path?

    Parameters
    ----------
    evidence : DataFrame, optional
        Columns of numbers about pairs, beside `text_a`, `text_b`; see `evidence.evidence_log_odds`, which weighs them
        together with the words, to say which positive to cut. Two columns decide on flip or cut as well: `model`, the
        probability of a model of yours that the two mean the same, in the place of `p_same`; `decision`, a person's
        word.
    method : {"map", "flip_all"}
        ``"map"``: flip or cut by whether the two sentences mean the same (`sameness.p_same`), what to cut by the
        posterior over weakly balanced labellings (`posterior`). ``"flip_all"``: the rule of Chen, Ji and Evans
        (2020), which flips every one; it has no opinion on how sure that is.
    model : {"minilm"}, folder or hub id, optional
        Who reads the sentences too (the extra ``learn``), those of the conflicts' blocks only; see
        `sameness.p_same`. Without one, words alone: quick, and a weak judge.
    audit : DataFrame or DecisionLog, optional
        Pairs that a person judged: `text_a`, `text_b`, `same` (1, 0, empty), as `paragraph.audit` draws them. The
        conflicts among them teach δ (`delta.learn_delta`), and for every pair among them the person's word counts.
    delta : float, optional
        p_flip has the log-odds of p_same, and δ more. Without it and without an audit δ is `delta.DELTA`.
    log_odds : float array, one entry an edge, optional
        Instead of evidence, the log-odds that each edge is truly positive, labels included (`evidence.log_odds`).
        Then the posterior decides on flip or cut as well.

    Columns
    -------
    text_a, text_b
        The negative, as first stated.
    proposal, margin, p_flip
        `p_flip` is the probability that the negative is truly positive. "flip" or "cut", whichever is
        more probable; `margin` is the log-odds (natural) of the proposal against the other, never negative.
        "unsure" below odds of 3 to 2 (`UNSURE`); then the rest of the row is about the more probable of the two.
    edge1, edge2
        The pair whose label to change: for *flip* the negative itself; for *cut* that of `changes` which is most
        probably wrong.
    changes
        All pairs whose label to change, as lists of two sentences. Of a *cut*: the positives that keep the two
        sentences apart in the most probable labelling in which they are.
    alternatives
        ``[change, sentence, sentence, probability]``: the marginal probability that this label is wrong, for the
        negative (flip) and for positives on the paths between its ends (cut), the highest first.
    reason
        How the two sentences of `edge1`, `edge2` differ, in words.
    method, block
        How the probabilities of this block were found (see `posterior`), and its number.
    parts, inferred_positive, inferred_negative, settles
        What the changes do: sizes of the clusters that the cluster becomes, how many inferred labels of each sign
        are gained (or withdrawn, below 0), how many conflicts are no more.
    p_same
        The probability that the two sentences of the negative mean the same, whatever its label says.

    ``.attrs["delta"]`` tells of δ: `value`, its 95 % interval `low`, `high`, how many conflicts were `judged`; `em`,
    what those that nobody judged say by themselves (`delta.prior_shift`, a check and not used); and how many
    proposals change between flip and cut if δ were less by 1 (`turn_below`) or more (`turn_above`).

    Raises
    ------
    PairsError
        An unknown method; bipartite pairs; evidence or an audit that does not fit.

    Notes
    -----
    Paths do not enter into flip or cut: real wrong positives come in families ("… in Italy", "… in Portugal") that
    support each other, so that many paths are no evidence. Where `log_odds` are given, errors are taken to be
    independent instead. Then, by labels alone and one path of two positives, *cut* is twice as probable as *flip*:
    either of the two may be wrong, and there is only one negative; each further path speaks for *flip*.

    Only the blocks (biconnected components) that hold a conflict are looked at.

    Examples
    --------
    One path, then three that share no edge:

    >>> from paragraph.repairs.posterior import label_log_odds
    >>> pairs = pd.DataFrame({"text_a": [*"abaadae"], "text_b": [*"bccdcec"], "label": [1, 1, 0, 1, 1, 1, 1]})
    >>> for rows in (3, 7):
    ...     graph = ParaphraseGraph.from_pairs(pairs.head(rows))
    ...     found = repair(graph, log_odds=label_log_odds(graph))
    ...     print(found[["text_a", "text_b", "proposal", "margin"]].round(2))
      text_a text_b proposal  margin
    0      a      c      cut    0.72
      text_a text_b proposal  margin
    0      a      c     flip    3.74
    """
    return Proposals(graph, evidence, log_odds, model, audit, delta).table(method, progress)


class Proposals:
    """Proposals for the conflicts of a graph: evidence, log-odds, posterior, decision, row of the table.

    Each step is worked out when it is first asked for, and only for the conflicts that are asked about and their
    blocks. Parameters are those of `repair`.
    """

    def __init__(
        self,
        graph: ParaphraseGraph,
        evidence: pd.DataFrame | None = None,
        log_odds: np.ndarray | None = None,
        model: str | PathLike | None = None,
        audit: Any = None,
        delta: float | None = None,
    ):
        if isinstance(evidence, np.ndarray):
            raise PairsError("evidence is a table of columns about pairs; give an array of log-odds as log_odds=")
        if evidence is not None and log_odds is not None:
            raise PairsError("evidence and log_odds are two ways to say the same; give one")
        if audit is not None and (delta is not None or log_odds is not None):
            other = "delta" if log_odds is None else "log_odds"
            raise PairsError(f"an audit teaches what {other} would settle; give one")
        self.graph, self.model, self.progress = graph, model, False
        self._evidence, self._log_odds, self._audit, self._delta = evidence, log_odds, audit, delta
        self._decided = Decided(graph)

    @property
    def by_sentences(self) -> bool:
        """Whether p_same and δ decide on flip or cut, and not log-odds that were given."""
        return self._log_odds is None

    @cached_property
    def judged(self) -> np.ndarray:
        """What a person judged in the audit: for each edge 1 (the same), 0, or NaN."""
        found = np.full(len(self.graph.edge_a), np.nan)
        if self._audit is not None:
            pairs = judged_pairs(self.graph, self._audit)
            stated = pairs.edge >= 0
            found[pairs.edge[stated]] = pairs.same[stated]
        return found

    @cached_property
    def delta(self) -> Delta:
        """δ as given, or as the conflicts judged in the audit teach it."""
        if self._delta is not None:
            return Delta(self._delta, np.nan, np.nan, 0)
        conflicts = np.flatnonzero(self.graph.within & ~np.isnan(self.judged))
        return learn_delta(self.same(conflicts), self.judged[conflicts])

    @cached_property
    def _given(self) -> dict[str, np.ndarray]:
        """The columns `model` and `decision` of the evidence, NaN where an edge has none."""
        table = (
            pd.DataFrame() if self._evidence is None else evidence(self.graph, self._evidence, progress=self.progress)
        )
        nothing = np.full(len(self.graph.edge_a), np.nan)
        return {name: table[name].to_numpy(float) if name in table else nothing for name in ("model", "decision")}

    @cached_property
    def _same(self) -> np.ndarray:
        return self._given["model"].copy()

    def same(self, edges: np.ndarray) -> np.ndarray:
        """Log-odds that the sentences of some edges mean the same: see `p_same`; or the opinion that was given."""
        edges = np.asarray(edges, dtype=np.int64)
        new = edges[np.isnan(self._same[edges])]
        if len(new):
            ends = (self.graph.texts(end[new]) for end in (self.graph.edge_a, self.graph.edge_b))
            p = p_same(*ends, self.model, progress=self.progress)
            self._same[new] = np.log(p) - np.log1p(-p)
        return self._same[edges]

    @cached_property
    def weighed(self) -> np.ndarray:
        """Log-odds that each edge is truly positive, by evidence other than labels; 0 far from every conflict."""
        if self._evidence is not None:
            found = evidence_log_odds(self.graph, self._evidence, progress=self.progress)
        else:
            found, number = np.zeros(len(self._same)), blocks(self.graph.n, self.graph.edge_a, self.graph.edge_b)
            near = np.flatnonzero(np.isin(number, number[self.graph.within]))
            found[near] = self.same(near) + DELTA
        return np.where(np.isnan(self.judged), found, DECIDED * (2 * self.judged - 1))

    @cached_property
    def posterior(self) -> Posterior:
        """The posterior, summed for those blocks that were asked about."""
        given = self.weighed + label_log_odds(self.graph) if self._log_odds is None else self._log_odds
        return posterior(self.graph, given, edges=np.empty(0, dtype=np.int64))

    def table(self, method: str = "map", progress: bool = True) -> pd.DataFrame:
        """All conflicts: see `repair`."""
        from tqdm.auto import tqdm

        if method not in ("map", "flip_all"):
            raise PairsError(f"method {method!r} is not one of 'map', 'flip_all'")
        given = {"evidence": self._evidence, "model": self.model, "audit": self._audit, "delta": self._delta}
        unused = [name for name, value in given.items() if value is not None]
        if method == "flip_all" and unused:
            raise PairsError(f"flip_all flips every conflict, whatever {' and '.join(unused)} would say")
        if self.graph.bipartite:
            raise PairsError(
                "these pairs are bipartite: nothing in them is transitive, so no label contradicts a path"
            )
        conflicts, row = np.flatnonzero(self.graph.within), self.flipped
        if method == "map" and len(conflicts):
            row, self.progress = self.row, progress
            self.posterior.sum_blocks(conflicts, progress)
        bar = tqdm(conflicts.tolist(), "repair", unit=" conflicts", delay=2, leave=False, disable=not progress)
        found = pd.DataFrame([row(edge) for edge in bar], columns=list(TYPES)).astype(TYPES)
        if row == self.row and self.by_sentences:
            found.attrs["delta"] = self.about_delta()
        return found

    def about_delta(self) -> dict[str, Any]:
        """What `repair` says of δ, from all conflicts; None where a figure is not known."""
        conflicts = np.flatnonzero(self.graph.within)
        odds, open_ = self.decide(conflicts), np.isnan(self._decisions[conflicts])
        turns = [int(np.count_nonzero(open_ & ((odds > 0) != (odds + step > 0)))) for step in (-1, 1)]
        figures = self.delta._asdict() | {"em": prior_shift(self.same(conflicts[np.isnan(self.judged[conflicts])]))}
        known = {name: None if np.isnan(value) else value for name, value in figures.items()}
        return known | dict(zip(("turn_below", "turn_above"), turns, strict=True))

    @cached_property
    def _decisions(self) -> np.ndarray:
        """A person's word on each edge, from the evidence or else the audit: 1, 0, or NaN."""
        given = self._given["decision"]
        return np.where(np.isnan(given), self.judged, given)

    def decide(self, conflicts: np.ndarray) -> np.ndarray:
        """Log-odds (natural) of flip against cut for each of some conflicts."""
        if self._log_odds is not None:
            return self.log_odds(conflicts)
        decision = self._decisions[conflicts]
        odds = self.same(conflicts) + self.delta.value
        return np.where(np.isnan(decision), odds, DECIDED * (2 * decision - 1))

    def of(self, edge: int) -> tuple[str, float]:
        """The proposal for a conflict, and the log-odds of flip against cut."""
        odds = float(self.decide(np.array([edge]))[0])
        return "unsure" if abs(odds) < UNSURE else "flip" if odds > 0 else "cut", odds

    def p_flip(self) -> np.ndarray:
        """For each edge that is a conflict the probability that it is truly positive; NaN for other edges."""
        found, conflicts = np.full(len(self.graph.edge_a), np.nan), np.flatnonzero(self.graph.within)
        found[conflicts] = sigmoid(self.decide(conflicts))
        return found

    def log_odds(self, edges: list[int]) -> np.ndarray:
        """Log-odds that each of some edges is truly positive, by the posterior of its block."""
        at = np.asarray(edges, dtype=np.int64)
        self.posterior.sum_blocks(at, False)
        return self.posterior.log_odds[at]

    def row(self, edge: int) -> dict[str, Any]:
        """What `repair` says of a conflict."""
        proposal, odds = self.of(edge)
        p_flip, [block, inside] = float(sigmoid(odds)), self._near(edge)
        changes = np.array([edge]) if odds > 0 else best_cut(self.posterior, edge, inside)
        cuts = on_paths(self.posterior, edge, inside)[:LISTED].tolist()
        p_cut = sigmoid(-self.log_odds(cuts)).tolist()
        others = [["flip", *self._texts(edge), round(p_flip, 4)]]
        others += [["cut", *self._texts(one), round(p, 4)] for one, p in zip(cuts, p_cut, strict=True)]
        return self._row(edge, changes.tolist(), "flip" if odds > 0 else "cut") | {
            "proposal": proposal,
            "margin": abs(odds),
            "p_flip": p_flip,
            "alternatives": sorted(others, key=lambda other: -other[3])[:LISTED],
            "method": self.posterior.blocks.at[block, "method"],
            "block": block,
            "p_same": float(sigmoid(self.same([edge])[0])),
        }

    def flipped(self, edge: int) -> dict[str, Any]:
        """The same by the rule that flips all."""
        return self._row(edge, [edge], "flip") | {
            "proposal": "flip",
            "margin": np.nan,
            "p_flip": np.nan,
            "alternatives": [],
            "method": "flip_all",
            "block": -1,
            "p_same": np.nan,
        }

    def _row(self, edge: int, edges: list[int], change: str) -> dict[str, Any]:
        """The conflict, the labels to change, and what that does to the cluster."""
        changes = Changes(flipped=frozenset(edges)) if change == "flip" else Changes(gone=frozenset(edges))
        cluster = int(self.graph.cluster_of[self.graph.edge_a[edge]])
        before, after = self._decided.outcome(cluster), self._decided.outcome(cluster, changes)
        texts = [list(self._texts(one)) for one in edges]
        return dict(zip(("text_a", "text_b", "edge1", "edge2"), (*self._texts(edge), *texts[0]), strict=True)) | {
            "changes": texts,
            "reason": "; ".join(reasons(*texts[0])),
            "parts": list(after.parts),
            "inferred_positive": after.positive - before.positive,
            "inferred_negative": after.negative - before.negative,
            "settles": len(after.apart) + len(changes.flipped),
        }

    def _near(self, edge: int) -> tuple[int, np.ndarray]:
        """The block of a conflict, and the edges of the block that lie in its cluster."""
        self.posterior.sum_blocks([edge], False)
        block = int(self.posterior.block[edge])
        inside = self._decided.inside(int(self.graph.cluster_of[self.graph.edge_a[edge]]))
        return block, inside[self.posterior.block[inside] == block]

    def _texts(self, edge: int) -> tuple[str, str]:
        return self.graph.text(self.graph.edge_a[edge]), self.graph.text(self.graph.edge_b[edge])


def write_repairs(table: pd.DataFrame, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write a table of proposals (or suspects) as TSV, quoted where needed; lists as JSON, what is missing empty."""
    write_conflicts(table.astype(object).where(table.notna(), ""), path, spreadsheet_safe)
