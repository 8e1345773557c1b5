"""Labels that one person decides where they are seen, in the Explorer; and what follows if one is wrong."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any

import numpy as np

from ..doubts.what_if import Changes, Decided
from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.identity import nodes_of
from .conflict_queue import changes_of, what_if
from .record import Answer, last_answers, notes, standing
from .session import Answering, Log

__all__ = ["Marks"]

#: Part of the `shown` of each record.
OCCASION = {"occasion": "seen in the Explorer"}


class Marks(Answering):
    """A person's answers about the labels of a graph: kept in a log, and marked on the page.

    The page calls `decide`, `undo` and `follows`.
    """

    def __init__(self, graph: ParaphraseGraph, log: Log, reviewer: str | None):
        super().__init__(log, reviewer)
        self.graph = graph
        self._node: dict[str, int] = {}  # by sentence
        self._said: dict[tuple[int, int], str] = {}  # by nodes, the lower first: the last answer
        self.take(self.news())

    @property
    def plain(self) -> dict[str, Any]:
        """The answers that stand, for a page's marks: `said` about nodes and their clusters, `noted`."""
        homes = self.graph.cluster_of[np.array([*self._said], dtype=np.int64).reshape(-1, 2)].tolist()
        said = [[*pair, *home, same] for (pair, same), home in zip(self._said.items(), homes, strict=True)]
        noted = {" ".join(map(str, self._nodes(pair))): text for (_, pair), text in notes(self.records).items()}
        return {"reviewer": self.reviewer, "said": said, "noted": noted}

    # -- what a page asks ----------------------------------------------------------------------------------

    def decide(self, a: int, b: int, same: int | str = "", note: str = "") -> dict[str, Any]:
        """Log an answer about two sentences, or a note on them."""
        nodes = [self.graph.node(a), self.graph.node(b)]
        if same == "" and not note.strip():
            raise PairsError("nothing is said: no answer, no note")
        self.take(self.news())
        edge = self.graph.edge_between(*nodes)
        stated = int(self.graph.edge_sign[edge] > 0) if edge >= 0 and same != "" else None
        content = {"same": same, "stated": stated, "note": note, "shown": OCCASION}
        texts = dict(zip(("text_a", "text_b"), self.graph.texts(nodes), strict=True))
        self.give([texts | content])
        return {}

    def undo(self) -> dict[str, Any]:
        """Take back the last answer about a pair of the graph; return the two nodes."""
        self.take(self.news())
        last = super().undo()
        return {"at": last and self._nodes(last.pair)}

    @property
    def last(self) -> Answer | None:
        known = (one for one in reversed(standing(self.records)) if min(self._nodes(one.pair)) >= 0)
        return next(known, None)

    def follows(self, a: int, b: int) -> list[list[str]]:
        """Tabulate the effect if the stated label of two sentences were wrong: see `what_if`."""
        graph, edge = self.graph, self.graph.edge_between(self.graph.node(a), self.graph.node(b))
        if edge < 0 or graph.bipartite:
            return []
        home, away = graph.edge_clusters[:, edge].tolist()
        if home != away:
            one, other = graph.cluster_sizes[[home, away]].tolist()
            return [["as it is", f"{one:,} + {other:,}"], ["flip", f"{one + other:,}"]]
        decided = self._decided()
        now = Changes(*(changed - {edge} for changed in decided.of(home)))
        return what_if(decided, home, now, {"cut" if graph.edge_sign[edge] > 0 else "flip": edge})

    # -- what is known -------------------------------------------------------------------------------------

    def _nodes(self, pair: frozenset[str]) -> list[int]:
        """The two nodes of a pair, the lower first; -1 where the graph lacks one."""
        return (sorted(self._node[text] for text in pair) * 2)[:2]

    def take(self, news: list[Answer]) -> None:
        """Take in new records."""
        texts = list({text for one in news for text in one.pair} - self._node.keys())
        self._node |= dict(zip(texts, nodes_of(self.graph, texts).tolist(), strict=True)) if texts else {}
        super().take(news)
        self._said = {}
        for one in last_answers(standing(self.records)):
            a, b = self._nodes(one.pair)
            edge = self.graph.edge_between(a, b) if a >= 0 else -1
            label = str(int(self.graph.edge_sign[edge] > 0)) if edge >= 0 else ""
            if a >= 0 and one.same != "later" and one.stated in ("", label):
                self._said[a, b] = one.same

    @cached_property
    def _known(self) -> Decided:
        return Decided(self.graph)

    def _decided(self) -> Decided:
        """The graph as changed by the answers."""
        said: dict[int, dict[int, str]] = defaultdict(dict)
        for (a, b), same in self._said.items():
            edge = self.graph.edge_between(a, b)
            if edge >= 0 and len({*self.graph.edge_clusters[:, edge].tolist()}) == 1:
                said[int(self.graph.cluster_of[a])][edge] = same
        for cluster in {*self._known.changes, *said}:
            self._known.set(cluster, changes_of(self.graph, said[cluster]))
        return self._known
