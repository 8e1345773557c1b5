"""The Conflict Review: one conflict after another with its evidence, one key per decision, all of it in a log."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...decisions.conflict_queue import ConflictQueue, what_if
from ...decisions.log import Log
from ...doubts.proposals import Proposals
from ...doubts.what_if import Changes
from ...draw.shared import NUMBERED
from ...files import PairsError
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ..base.keys import naming_keys
from ..base.records import Plain
from .desk import Review
from .evidence import open_links, proposal_of
from .questions import CONFLICT

__all__ = ["ConflictReview"]


@naming_keys
class ConflictReview(Review):
    """Decide by hand which label of each conflict is wrong, one key per decision.

    A conflict is a stated negative inside a cluster, a pair that is stated both ways, or a sentence that is stated to
    differ from itself. The queue is on the left. In the middle are the pair with its differing words, and its cluster
    with the negative and a shortest positive path. On the right are the path step by step, the effect of each
    decision, and the rows. Keys: ``{flip}`` flip, ``{cut}`` and a number cut (on a path of ten lines or more, then
    ``Enter``), ``{keep}`` keep, ``{ambiguous}`` ambiguous, ``{skip}`` skip, ``{undo}`` undo, ``{note}`` note,
    ``{reveal}`` reveal the proposal, ``{go on}`` the next undecided one, ``{help}`` all keys.

    After a cut that leaves another path, the conflict stays: a further cut, *skip* (the rest comes back later) and
    *keep* (the rest stands) leave the cut as it is; *flip* and *ambiguous* replace it.

    The log holds the answers about pairs that a decision implies. *flip*: the negative's two sentences mean the same.
    *cut*: they do not, nor do those of the positive. *keep*: they do not, and those of each positive on the path do.
    *ambiguous*: nobody can say. For a pair that is stated both ways, *flip* says that 1 is right, and *cut* that 0
    is.

    A decision is in the log before the next pair is shown. Conflicts that become moot by it leave the queue: if a cut
    divides a cluster, the other negatives between the two sides no longer contradict anything. Undo brings them back.

    Parameters
    ----------
    graph : ParaphraseGraph
    log : path or DecisionLog
        Created if it does not exist. A review continues where its log ends. Each reviewer has their own log: never
        use a file on a network drive to which several people write.
    reviewer : str
        The person who decides. Decisions of others in the same log are not shown.
    judge : optional
        For the proposals, which are those of `paragraph.repair`, computed when the first is revealed. A `judge` then
        takes some seconds to load; without one, only evidence is revealed. Instead of it: `proposals`, made earlier.
    blind : bool
        Hide the proposal, including the weakest link, until ``{reveal}`` is pressed. The log says what was shown.
    second : path or DecisionLog, optional
        Review what others have decided in a log, without seeing how.
    settle : Agreement, optional
        Review only the pairs on which two others disagree: ``settle=paragraph.agreement("a.db", "b.db")``. The
        decisions are this person's, and replace theirs in `paragraph.replay`.
    show : list of str
        Columns of the file (or of the pair table), such as ids and remarks, whose values stand beside each row.
    height : int
        Pixels.

    Attributes
    ----------
    current : int or None
        Number of the conflict on screen, from 1; set it to go there.
    queue : DataFrame
        All conflicts in their order: `number`, `text_a`, `text_b`, `cluster`, `state`.
    answers : DataFrame
        This reviewer's answers that stand.
    decision_log : DecisionLog
        The log, with everybody's answers, also those taken back.

    Examples
    --------
    >>> import paragraph as pg, pathlib, tempfile
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "decisions.db"
    >>> review = pg.ConflictReview(graph, path, reviewer="Ada")  # shows itself at the end of a cell
    >>> review.decide("flip")
    >>> review.current, review.queue["state"].tolist()[:2]
    (2, ['flip', 'open'])
    >>> review.answers[["reviewer", "same", "stated"]].values.tolist()
    [['Ada', 1, 0]]
    """

    _called = "Conflict Review"
    _question = CONFLICT
    _by_conflict = True
    _queue: ConflictQueue

    def __init__(
        self,
        graph: ParaphraseGraph,
        log: Log = "decisions.db",
        *,
        reviewer: str | None = None,
        judge: Any = None,
        proposals: Proposals | None = None,
        **options: Any,
    ):
        super().__init__(checked_graph(graph, "ConflictReview"), log, reviewer, **options)
        self._proposals = proposals or Proposals(graph, judge)
        self._start(ConflictQueue(graph, self._session.answers, self._session.wanted))

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def queue(self) -> pd.DataFrame:
        """All conflicts in their order, with their states."""
        table = super().queue
        clusters = [self._queue.cluster[edge] for edge in self._queue.items]
        table.insert(3, "cluster", np.array(clusters, dtype=np.int64))
        return table

    def decide(self, decision: str, cut: int | None = None) -> None:
        """Decide the conflict on screen as a key does; for a cut, `cut` is the number of the positive on the path."""
        edge = None
        if decision == "cut" and self._item is not None:
            path = self._path
            if not isinstance(cut, int | np.integer) or not 1 <= cut <= len(path):
                raise PairsError(
                    f"which positive is wrong? cut=1 to {len(path)}, as numbered on the path"
                )
            edge = path[cut - 1]
        super().decide(decision, edge)

    # -- decisions -----------------------------------------------------------------------------------------

    def _choose(self, decision: str, edge: int | None) -> None:
        at = self._item
        queue = self._queue
        others: dict[int, int] = {}  # answers to the positives
        if decision == "cut":
            if not self._is_positive(edge):
                self._message = (
                    "Only a stated positive of this cluster can be cut: a solid blue line."
                )
                return self._tell()
            others = {edge: 0}
        elif decision == "keep":
            others = {one: 1 for one in self._path if self.graph.edge_sign[one] > 0}
        others.pop(at, None)
        # One path of this conflict is cut already, another is left: skip, keep and a further cut leave that cut as it
        # is.
        half_cut = queue.is_half_cut(at)
        if half_cut and decision == "skip":  # in the log it would take the place of the cut
            self._message = f"#{self._number}: the cut stands, another path is left for later"
            return self._go(queue.next(at))
        taken_back = queue.about(at)
        if half_cut and decision in ("cut", "keep"):
            taken_back = []
        same = {"flip": 1, "cut": 0, "keep": 0, "ambiguous": "?", "skip": "later"}[decision]
        given = {"about": [queue.pair[at]], "shown": self._shown()}
        answers = [self._answer_to(at, same) | given]
        answers += [self._answer_to(one, right) | given for one, right in others.items()]
        if self._keep(answers, taken_back):
            stays = decision == "cut" and queue.state(at) == "open"
            self._go(at if stays else queue.next(at), known=stays)

    def _basis(self) -> Any:
        item = self._item
        if item is None:
            return None
        return super()._basis(), self._changes, self._queue.path(item), self._queue.about(item)

    def _answer_to(self, item: int, same: int | str) -> Plain:
        """An answer to the pair of an item, or of an edge."""
        if item < len(self.graph.edge_a):
            a, b = self.graph.texts(self.graph.ends(item))
            stated = int(self.graph.edge_sign[item] > 0)
        else:  # a sentence that is stated to differ from itself
            a, b = self._queue.pair[item]
            stated = 0
        return {"text_a": a, "text_b": b, "same": same, "stated": stated}

    def _is_positive(self, edge: int | None) -> bool:
        """True if a line is a stated positive that can be cut."""
        if type(edge) is not int or not 0 <= edge < len(self.graph.edge_sign):
            raise PairsError(f"no line has the number {edge!r}")
        if edge == self._item and self._queue.is_direct(edge):
            return True  # some of its rows are positives
        cluster = self.graph.cluster_of[self.graph.edge_a[edge]]
        if self.graph.edge_sign[edge] < 0 or cluster != self._queue.cluster[self._item]:
            return False
        return edge not in self._queue.before(self._item).gone

    def _shown(self) -> Plain:
        shown = super()._shown()
        if self._is_revealed:
            shown["proposal"] = self._proposals.of(self._item)[0]
        return shown

    # -- what is shown -------------------------------------------------------------------------------------

    @property
    def _path(self) -> list[int]:
        """The lines of the path against the conflict on screen."""
        return self._queue.decided.path_edges(self._queue.path(self._item))

    @property
    def _changes(self) -> Changes:
        """The decisions on the cluster on screen."""
        return self._queue.decided.of(self._queue.cluster[self._item])

    @property
    def _can_reveal(self) -> bool:
        return not self._queue.is_direct(self._item)

    @property
    def _is_revealed(self) -> bool:
        return self._revealed and self._can_reveal

    def _prepare_reveal(self) -> None:
        self._proposals.of(self._item)

    def _nodes(self, item: int) -> list[int]:
        return [*self._queue.ends[item], *self._queue.path(item)]

    def _case(self) -> Plain:
        queue = self._queue
        item = self._item
        cluster = queue.cluster[item]
        a, b = queue.ends[item]
        steps = self._path
        others = [one for one in queue.items if queue.cluster[one] == cluster]
        others.remove(item)
        apart = [one for one in others if queue.state(one) in ("moot", "cut")]
        direct = queue.is_direct(item)
        case = {
            "steps": steps, "direct": direct, "apart": apart,
            "gone": [*self._changes.gone], "flipped": [*self._changes.flipped],
        }  # fmt: skip
        if a == b:
            case["rows"] = self._rows.alone(a)
        if not direct:
            before = queue.before(item)
            case["paths"] = queue.decided.disjoint(a, b, before) if steps else 0
            actions = {"flip": item}
            for number, edge in enumerate(steps[:NUMBERED], 1):
                if edge not in before.flipped:
                    actions[f"cut {number}"] = edge
            case["what_if"] = what_if(queue.decided, cluster, before, actions)
        if self._is_revealed:
            links = open_links(self._proposals, queue, item)
            case["weakest"] = next(iter(links), None)
        return case

    def _why(self) -> Plain:
        if not self._is_revealed:
            return {}
        return {"proposal": proposal_of(self._proposals, self._queue, self._item)}

    def _beside(self, item: int) -> dict[str, str]:
        size = int(self.graph.cluster_sizes[self._queue.cluster[item]])
        return {"aside": f"cluster of {size:,}", "hint": "sentences in its cluster"}

    def _title(self) -> str:
        total = len(self._queue.items)
        if self._item is not None:
            a, b = self._queue.ends[self._item]
            what = "a sentence stated to differ from itself, " if a == b else ""
            size = int(self.graph.cluster_sizes[self._queue.cluster[self._item]])
            where = f"in a cluster of {counting(size, 'sentence')}"
            return f"Conflict #{self._number:,} of {total:,}: {what}{where}"
        if total:
            done = self._queue.progress()
            return f"All decided: {done['decided']} by you, {done['moot']} moot as a consequence."
        if self._session.wanted is not None:
            return "No conflict is among those asked for: nobody has decided one, or all agree."
        return "No conflicts: no label contradicts another."
