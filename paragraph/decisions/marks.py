"""One person's answers about labels in the Explorer, and the effect if a label is wrong."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..doubts.what_if import Changes, Decided
from ..files import PairsError
from ..graph import ParaphraseGraph
from .answers import Row
from .conflict_queue import what_if
from .log import Log
from .places import ends_of
from .session import Reviewer

__all__ = ["Marks"]

#: The `shown` of each record.
OCCASION = {"occasion": "seen in the Explorer"}


class Marks(Reviewer):
    """One person's answers about the labels of a graph, which are logged, and marked on the page.

    The page calls `decide`, `undo` and `follows`.
    """

    def __init__(self, graph: ParaphraseGraph, log: Log, reviewer: str | None):
        super().__init__(log, reviewer, graph)
        self.graph = graph
        self.catch_up()

    @property
    def _here(self) -> list[Row]:
        """The answers about pairs whose sentences the graph has."""
        return [row for row in self.answers.rows if row.ends[0] >= 0]

    @property
    def _marked(self) -> list[Row]:
        """The answers but "later" whose label is still that of the graph."""
        return [row for row in self._here if row.same != "later" and row.fits]

    @property
    def plain(self) -> dict[str, Any]:
        """The answers that stand, for the marks of a page.

        One of `answers` has two nodes, their clusters and the answer; `notes` are by pair.
        """
        answers = []
        for row in self._marked:
            clusters = self.graph.cluster_of[list(row.ends)].tolist()
            answers.append([*row.ends, *clusters, row.same])
        notes = {}
        for (_, pair), text in self.answers.notes.items():
            a, b = ends_of(pair)
            notes[f"{a} {b}"] = text
        return {"reviewer": self.reviewer, "answers": answers, "notes": notes}

    # -- calls of the page --------------------------------------------------------------------------------

    def decide(self, a: int, b: int, same: int | str = "", note: str = "") -> dict[str, Any]:
        """Log an answer about two sentences, or a note on them."""
        if same == "" and not note.strip():
            raise PairsError("nothing is said: no answer, no note")
        graph = self.graph
        edge = graph.edge_between(graph.node(a), graph.node(b))
        self.catch_up()
        answer = {"same": same, "note": note, "shown": OCCASION}
        answer["text_a"] = graph.text(a)
        answer["text_b"] = graph.text(b)
        if edge >= 0 and same != "":
            answer["stated"] = int(graph.edge_sign[edge] > 0)
        self.give([answer])
        return {}

    def undo(self) -> dict[str, Any]:
        """Take back the last answer about a pair of the graph; return the two nodes."""
        self.catch_up()
        last = super().undo()
        return {"at": last and list(last.ends)}

    @property
    def last(self) -> Row | None:
        return next(reversed(self._here), None)

    def follows(self, a: int, b: int) -> list[list[str]]:
        """Tabulate the effect if the stated label of two sentences were wrong: see `what_if`.

        Between two clusters, only their sizes; without a stated label, no rows.
        """
        graph = self.graph
        edge = graph.edge_between(graph.node(a), graph.node(b))
        if edge < 0 or graph.bipartite:
            return []
        home, away = graph.edge_clusters[:, edge].tolist()
        if home != away:
            one, other = graph.cluster_sizes[[home, away]].tolist()
            return [["as it is", f"{one:,} + {other:,}"], ["flip", f"{one + other:,}"]]
        same = {row.edge: row.same for row in self._marked}
        same.pop(-1, None)
        self._decided.read(same)
        changes = self._decided.of(home)
        now = Changes(changes.flipped - {edge}, changes.gone - {edge})  # as if not answered
        name = "cut" if graph.edge_sign[edge] > 0 else "flip"
        return what_if(self._decided, home, now, {name: edge})

    @cached_property
    def _decided(self) -> Decided:
        """The graph as the answers change it; `follows` reads them."""
        return Decided(self.graph)
