"""Labels that one person decides where they are seen, in the Explorer; and what follows if one is wrong."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..doubts.what_if import Changes, Decided
from ..files import PairsError
from ..graph import ParaphraseGraph
from .answers import Row, ends_of
from .conflict_queue import what_if
from .session import Log, Reviewer

__all__ = ["Marks"]

#: Part of the `shown` of each record.
OCCASION = {"occasion": "seen in the Explorer"}


class Marks(Reviewer):
    """A person's answers about the labels of a graph: kept in a log, and marked on the page.

    The page calls `decide`, `undo` and `follows`.
    """

    def __init__(self, graph: ParaphraseGraph, log: Log, reviewer: str | None):
        super().__init__(log, reviewer, graph)
        self.graph = graph
        self.catch_up()

    @property
    def _known(self) -> list[Row]:
        """The answers about pairs whose sentences the graph has."""
        return [row for row in self.answers.rows if row.ends[0] >= 0]

    @property
    def _marked(self) -> list[Row]:
        """The answers that say something of a label that is still the graph's."""
        return [row for row in self._known if row.same != "later" and row.fits]

    @property
    def plain(self) -> dict[str, Any]:
        """The answers that stand, for a page's marks: `answers` about nodes and their clusters, `notes` by pair."""
        rows = self._marked
        homes = self.graph.cluster_of[np.array([row.ends for row in rows], dtype=np.int64).reshape(-1, 2)].tolist()
        answers = [[*row.ends, *home, row.same] for row, home in zip(rows, homes, strict=True)]
        notes = {" ".join(map(str, ends_of(pair))): text for (_, pair), text in self.answers.notes.items()}
        return {"reviewer": self.reviewer, "answers": answers, "notes": notes}

    # -- what a page asks ----------------------------------------------------------------------------------

    def decide(self, a: int, b: int, same: int | str = "", note: str = "") -> dict[str, Any]:
        """Log an answer about two sentences, or a note on them."""
        nodes = [self.graph.node(a), self.graph.node(b)]
        if same == "" and not note.strip():
            raise PairsError("nothing is said: no answer, no note")
        self.catch_up()
        edge = self.graph.edge_between(*nodes)
        stated = int(self.graph.edge_sign[edge] > 0) if edge >= 0 and same != "" else None
        content = {"same": same, "stated": stated, "note": note, "shown": OCCASION}
        texts = dict(zip(("text_a", "text_b"), self.graph.texts(nodes), strict=True))
        self.give([texts | content])
        return {}

    def undo(self) -> dict[str, Any]:
        """Take back the last answer about a pair of the graph; return the two nodes."""
        self.catch_up()
        last = super().undo()
        return {"at": last and [*last.ends]}

    @property
    def last(self) -> Row | None:
        return next(reversed(self._known), None)

    def follows(self, a: int, b: int) -> list[list[str]]:
        """Tabulate the effect if the stated label of two sentences were wrong: see `what_if`."""
        graph, edge = self.graph, self.graph.edge_between(self.graph.node(a), self.graph.node(b))
        if edge < 0 or graph.bipartite:
            return []
        home, away = graph.edge_clusters[:, edge].tolist()
        if home != away:
            one, other = graph.cluster_sizes[[home, away]].tolist()
            return [["as it is", f"{one:,} + {other:,}"], ["flip", f"{one + other:,}"]]
        self._decided.read({row.edge: row.same for row in self._marked if row.edge >= 0})
        now = Changes(*(changed - {edge} for changed in self._decided.of(home)))
        return what_if(self._decided, home, now, {"cut" if graph.edge_sign[edge] > 0 else "flip": edge})

    @cached_property
    def _decided(self) -> Decided:
        """The graph as changed by the answers that were read last."""
        return Decided(self.graph)
