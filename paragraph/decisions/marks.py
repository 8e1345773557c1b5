"""Labels that one person decides where they are seen, in the Explorer; and what follows if one is wrong."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..doubts.what_if import Changes, Decided
from ..files import PairsError
from ..graph import ParaphraseGraph
from .answers import Row
from .conflict_queue import what_if
from .places import ends_of
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
    def _here(self) -> list[Row]:
        """The answers about pairs whose sentences the graph has."""
        return [row for row in self.answers.rows if row.ends[0] >= 0]

    @property
    def _marked(self) -> list[Row]:
        """The answers that say something of a label that is still the graph's."""
        return [row for row in self._here if row.same != "later" and row.fits]

    @property
    def plain(self) -> dict[str, Any]:
        """The answers that stand, for a page's marks: `answers` about nodes and their clusters, `notes` by pair."""
        answers = []
        for row in self._marked:
            homes = self.graph.cluster_of[list(row.ends)].tolist()
            answers.append([*row.ends, *homes, row.same])
        notes = {
            " ".join(map(str, ends_of(pair))): text
            for (_, pair), text in self.answers.notes.items()
        }
        return {"reviewer": self.reviewer, "answers": answers, "notes": notes}

    # -- what a page asks ----------------------------------------------------------------------------------

    def decide(self, a: int, b: int, same: int | str = "", note: str = "") -> dict[str, Any]:
        """Log an answer about two sentences, or a note on them."""
        if same == "" and not note.strip():
            raise PairsError("nothing is said: no answer, no note")
        edge = self.graph.edge_between(self.graph.node(a), self.graph.node(b))
        self.catch_up()
        answer = {
            "text_a": self.graph.text(a),
            "text_b": self.graph.text(b),
            "same": same,
            "note": note,
        }
        if edge >= 0 and same != "":
            answer["stated"] = int(self.graph.edge_sign[edge] > 0)
        self.give([answer | {"shown": OCCASION}])
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
        """Tabulate the effect if the stated label of two sentences were wrong: see `what_if`."""
        graph = self.graph
        edge = graph.edge_between(graph.node(a), graph.node(b))
        if edge < 0 or graph.bipartite:
            return []
        home, away = graph.edge_clusters[:, edge].tolist()
        if home != away:
            one, other = graph.cluster_sizes[[home, away]].tolist()
            return [["as it is", f"{one:,} + {other:,}"], ["flip", f"{one + other:,}"]]
        self._decided.read({row.edge: row.same for row in self._marked if row.edge >= 0})
        changes = self._decided.of(home)
        now = Changes(changes.flipped - {edge}, changes.gone - {edge})
        name = "cut" if graph.edge_sign[edge] > 0 else "flip"
        return what_if(self._decided, home, now, {name: edge})

    @cached_property
    def _decided(self) -> Decided:
        """The graph as changed by the answers that were read last."""
        return Decided(self.graph)
