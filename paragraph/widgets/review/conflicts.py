"""The Conflict Review: one conflict after the other with its evidence, one key a decision, all of it in a log."""

from __future__ import annotations

import time
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...decisions.log import DecisionLog
from ...decisions.queue import Queue, ordered
from ...decisions.records import AGAIN, DECISIONS, FOR, Decision, last_words, pair_of, standing
from ...draw.style import QUIET, Line
from ...pairs import PairsError
from ...pairs.columns import canonical
from ...repairs.propose import Proposals
from .case import case_of, evidence_of, open_links, proposal_of
from .desk import ReviewBench, reviewer_of
from .questions import choice

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["ConflictReview"]

CUT = Line("cut: decided to be wrong", QUIET, 1.0, (1, 3))
#: What the page calls things, and the keys that decide: key, decision, button, what it says.
WORDS = {
    "one": "conflict",
    "many": "conflicts",
    "reveal": "the proposal and its reasons",
    "revealing": "Working out a proposal … The first may take a while.",  # it reads all words of all pairs
    "decide": [
        choice("flip", "Flip", "The negative is wrong: the two are paraphrases"),
        choice("cut", "Cut…", "A positive on the path is wrong: say which"),
        choice("keep", "Keep", "Both labels stand"),
        choice("ambiguous", "Ambiguous", "Nobody can say: the pair is set aside"),
        choice("skip", "Skip", "Not now: it comes back later"),
    ],
}


class ConflictReview(ReviewBench):
    """Decide by hand which label of each conflict is wrong, one key a decision.

    A conflict is a stated negative inside a cluster. The queue is on the left. In the middle are the pair with its
    differing words, and its cluster with the negative and a shortest positive path. On the right are the path step by
    step, what each decision would do, and the rows. Keys: ``f`` flip, ``c`` and a number cut, ``k`` keep,
    ``a`` ambiguous, ``s`` skip, ``u`` undo, ``w`` note, ``r`` reveal the proposal, ``Enter`` the next undecided one,
    ``?`` all keys.

    After a cut that leaves another path the conflict stays: cut on, *skip* (the rest comes back later) or *keep* (the
    rest stands) leave the cut alone; *flip* and *ambiguous* take its place.

    A decision is in the log before the next pair is shown. Conflicts that it settles leave the queue: where a cut
    divides a cluster, the other negatives between the two sides contradict nothing any more. Undo brings them back.

    Parameters
    ----------
    graph : ParaphraseGraph
    log : path or DecisionLog
        Created where there is none. A review continues where its log ends.
    reviewer : str
        Whose decisions these are. Those of others in the same log are not shown.
    evidence, model, audit : optional
        For the proposals, which are those of `paragraph.repair`, worked out when the first is revealed. A `model`
        then takes some seconds to load.
    order : {"effect", "margin", "size", "random"}
        Of the queue: see `decisions.queue.ordered`. "margin" computes all proposals first.
    blind : bool
        Hide the proposal, of which the weakest link is a part, until ``r`` is pressed. The log says what was shown.
    pairs : DataFrame, optional
        Only the conflicts between its `text_a` and `text_b`: those on which two reviewers disagree, for example.
    second : bool or str
        Review what others (or this one) have decided, without seeing how.
    seed : int
        Of the random order and the layout.
    height, limit : int
        Pixels; most sentences drawn of a cluster.
    tagger : optional
        As of `learn.default_tagger`: each word of the pair is underlined, the stronger the more probably the
        other sentence lacks it; hovering says its P, its best match there and their cosine.

    Attributes
    ----------
    current : int or None
        Number of the conflict on screen, from 1; set it to go there.
    queue : DataFrame
        All conflicts in their order: `number`, `text_a`, `text_b`, `cluster`, `state`, `settled_by`.
    proposals : DataFrame
        What `paragraph.repair` proposes, for all conflicts of the graph. The page hides it until ``r`` is pressed.
    decisions : DataFrame
        This reviewer's decisions that stand.
    decision_log : DecisionLog
        The log, with the decisions of all and what was taken back.

    Examples
    --------
    >>> import paragraph as pg, pathlib, tempfile
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "decisions.db"
    >>> review = pg.ConflictReview(graph, path, reviewer="Ada")  # shows itself at the end of a cell
    >>> review.decide("flip")
    >>> review.current, review.queue["state"].tolist()[:2]
    (2, ['flip', 'open'])
    >>> review.decisions[["reviewer", "decision"]].values.tolist()
    [['Ada', 'flip']]
    """

    def __init__(
        self,
        graph: ParaphraseGraph,
        log: str | PathLike | DecisionLog = "decisions.db",
        *positional: str,
        reviewer: str | None = None,
        evidence: pd.DataFrame | None = None,
        log_odds: None = None,
        model: str | None = None,
        audit: Any = None,
        order: str = "effect",
        pairs: pd.DataFrame | None = None,
        second: bool | str = False,
        **options: Any,
    ):
        reviewer = reviewer_of(positional, reviewer)
        super().__init__(graph, log, reviewer, "Conflict Review", WORDS, "cut", **options)
        if log_odds is not None:
            raise PairsError("log_odds= is gone: give your own figures as evidence, in the columns model or decision")
        self._proposals = Proposals(graph, evidence, model, audit)
        edges = self._edges(self._records, pairs, second, order)
        self._start(Queue(graph, edges, standing(self._mine)))

    @staticmethod
    def from_pairs(*_: Any, **__: Any) -> None:
        """Refuse: `PairReview` reviews a table of pairs."""
        raise PairsError("ConflictReview.from_pairs is gone: PairReview(table, graph, log, reviewer=…)")

    def _edges(
        self, records: list[Decision], pairs: pd.DataFrame | None, second: bool | str, order: str
    ) -> list[int]:
        """The conflicts to decide, in their order."""
        within = np.empty(0, dtype=np.int64) if self.graph.bipartite else np.flatnonzero(self.graph.within)
        ends = (self.graph.texts(end[within]) for end in (self.graph.edge_a, self.graph.edge_b))
        named = {edge: pair_of(*texts) for edge, *texts in zip(within.tolist(), *ends, strict=True)}
        wanted = set(named.values())
        if pairs is not None:
            pairs = canonical(pairs, "a table of pairs to review")
            wanted &= {pair_of(*texts) for texts in zip(pairs["text_a"], pairs["text_b"], strict=True)}
        if second:
            wanted &= self._decided_by(records, second)
        within = np.array([edge for edge, pair in named.items() if pair in wanted], dtype=np.int64)
        p_flip = self._proposals.p_flip() if order == "margin" else None
        return ordered(self.graph, within, order, self.seed, p_flip)

    def _decided_by(self, records: list[Decision], second: bool | str) -> set[frozenset[str]]:
        """The pairs that others, or one of them, have decided."""
        others = {record.reviewer for record in records} - {self.reviewer}
        if isinstance(second, str) and second not in others:
            known = ", ".join(sorted(others)) or "nobody else"
            raise PairsError(f"{second!r} has decided nothing in {self.decision_log.path.name}; in it: {known}")
        others = {second} if isinstance(second, str) else others
        theirs = standing([record for record in records if record.reviewer in others])
        return {record.pair for record in last_words(theirs) if record.decision != "skip"}

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def queue(self) -> pd.DataFrame:
        """All conflicts in their order, with their states."""
        edges, table = self._queue.items, super().queue
        table.insert(3, "cluster", np.array([self._queue.cluster[edge] for edge in edges], dtype=np.int64))
        return table.assign(settled_by=pd.array([self._queue.settled_by(edge) for edge in edges], dtype="Int64"))

    @cached_property
    def proposals(self) -> pd.DataFrame:
        """What `paragraph.repair` proposes, for all conflicts of the graph."""
        return self._proposals.table()

    def decide(self, decision: str, cut: int | None = None) -> None:
        """Decide the conflict on screen as a key does; of a cut, `cut` is the number of the positive on the path."""
        edge = None
        if decision == "cut" and self._item is not None:
            path = self.case["path"]
            if not isinstance(cut, int | np.integer) or not 1 <= cut <= len(path):
                raise PairsError(f"which positive is wrong? cut=1 to {len(path)}, as numbered on the path")
            edge = path[cut - 1]["edge"]
        self._decide(decision, edge=edge)

    # -- intents -------------------------------------------------------------------------------------------

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """A decision on the conflict that the page shows; for a cut, the line of the positive that is wrong."""
        if decision not in DECISIONS:
            raise PairsError(f"{decision!r} is not one of {', '.join(DECISIONS)}")
        if item != self.current:
            return  # a second press, made before the page showed what the first had done
        at, cut = self._item, None
        if decision == "cut":
            cut = self._positive(edge)
            if cut is None:
                return
        pair, before = list(self._queue.pair[at]), self._decided_before(at)
        content: dict[str, Any] = {"seconds": time.monotonic() - self._began, "shown": self._shown(at)}
        # One path of this conflict is cut already, another is left: skip, keep and a further cut let that cut stand.
        half_cut = self._queue.state(at) == "open" and self._queue.standing(at) is not None
        further = half_cut and decision == "cut"
        if further:  # a decision on the positive itself
            content["shown"][FOR], pair = pair, list(cut)
        if half_cut and decision == "skip":  # in the log it would take the place of the cut
            self._message = f"#{item}: the cut stands, another path is left for later"
            self._go(self._queue.next(at))
            return
        if half_cut and decision == "keep" and not self._cut_again(at):
            return
        content |= {"label": int(further), "edge": cut, "reviewer": self.reviewer}
        if not self._write(lambda log: log.add(*pair, decision, **content)):
            return
        self._message = f"#{item}: {self._changed(self._queue.description(at) or decision, before)}"
        stays = decision == "cut" and self._queue.state(at) == "open"
        self._go(at if stays else self._queue.next(at), known=stays)

    # -- how it is done ------------------------------------------------------------------------------------

    def _cut_again(self, edge: int) -> bool:
        """Log the cut of a conflict as one of the positive itself, for the next decision takes its place."""
        positive = self._queue.cut_by(edge)
        cut = self.graph.texts([self.graph.edge_a[positive], self.graph.edge_b[positive]])
        shown = {FOR: list(self._queue.pair[edge]), AGAIN: True}
        return self._write(
            lambda log: log.add(*cut, "cut", label=1, edge=tuple(cut), shown=shown, reviewer=self.reviewer)
        )

    def _positive(self, line: str | None) -> tuple[str, str] | None:
        """The sentences of a stated positive that can be cut; nothing for anything else, and a message says why."""
        edge = int(line[1:]) if isinstance(line, str) and line[:1] == "e" and line[1:].isdecimal() else -1
        if not 0 <= edge < len(self.graph.edge_sign):
            raise PairsError(f"no line is called {line!r}")
        here = self.graph.cluster_of[self.graph.edge_a[edge]] == self._queue.cluster[self._item]
        if self.graph.edge_sign[edge] > 0 and here and edge not in self._queue.before(self._item).gone:
            return tuple(self.graph.texts([self.graph.edge_a[edge], self.graph.edge_b[edge]]))
        flipped = edge in self._queue.decided.of(self._queue.cluster[self._item]).flipped
        self._message = (
            "This line is a negative that you flipped: undo that first (u, or decide it anew)."
            if flipped
            else "Only a stated positive of this cluster can be cut: a solid blue line."
        )
        self._tell()
        return None

    def _shown(self, edge: int) -> dict[str, Any]:
        shown = {"blind": self._is_blind(edge)}
        if not self._revealed:
            return shown
        proposal, log_odds = self._proposals.of(edge)
        return shown | {"proposal": proposal, "margin": round(log_odds, 3)}

    def _path(self, edge: int | None = None) -> list[int]:
        edge = self._item if edge is None else edge
        a, b = int(self.graph.edge_a[edge]), int(self.graph.edge_b[edge])
        return self._queue.decided.path(a, b, self._queue.before(edge))

    def _prepare_reveal(self) -> None:
        self._proposals.of(self._item)

    def _nodes(self, item: int) -> list[int]:
        return [int(self.graph.edge_a[item]), int(self.graph.edge_b[item]), *self._path(item)]

    def _case(self) -> dict[str, Any]:
        return case_of(self._queue, self._item, self._path())

    def _evidence(self) -> dict[str, Any]:
        path = self._path()
        explanation = evidence_of(self._queue, self._item, path)
        if self._revealed:
            edges = self._queue.decided.path_edges(path)
            explanation["proposal"] = proposal_of(self._proposals, self._item, edges, self._flipped)
        return explanation

    @property
    def _flipped(self) -> frozenset[int]:
        """The negatives of the cluster on screen that the reviewer flipped."""
        return self._queue.decided.of(self._queue.cluster[self._item]).flipped

    def _aside_of(self, item: int) -> tuple[str, str]:
        return f"of {int(self.graph.cluster_sizes[self._queue.cluster[item]]):,}", "sentences in its cluster"

    def _lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Lines with what was decided of them, the positives of the path numbered."""
        changes = self._queue.decided.of(self._queue.cluster[self._item])
        number = {edge: i for i, edge in enumerate(self._queue.decided.path_edges(self._path()), 1)}
        links = open_links(self._proposals, self._item, list(number), changes.flipped) if self._revealed else {}
        weakest = next(iter(links), None)
        marked = []
        for line in lines:
            edge = int(line["id"][1:])
            if edge in changes.flipped:
                line = line | {"sign": 1, "layer": "positive", "text": "a paraphrase: flipped by your decision"}
            elif edge in changes.gone:
                line = line | {"layer": "cut", "text": "set aside by your decision"}
            if edge in number:
                line = line | {"tag": f"{number[edge]}" + " weakest" * (edge == weakest)}
            marked.append(line)
        return marked

    def _title(self) -> str:
        if self._item is not None:
            size = int(self.graph.cluster_sizes[self._queue.cluster[self._item]])
            return f"Conflict #{self.current:,} of {len(self._queue.items):,}, in a cluster of {size:,} sentences"
        done = self._queue.progress()
        if not done["total"]:
            return "No conflicts: no stated negative lies inside a cluster."
        return f"All is decided: {done['decided']} by you, {done['settled']} settled by these decisions."

    def _special(self) -> dict[str, Line]:
        return {line["text"]: CUT for line in self._scene.edges if line["layer"] == "cut"}
