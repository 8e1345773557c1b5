"""Labels that one person decides where they are seen, in the Explorer; and what follows if one is wrong."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from ..doubts.what_if import Changes, Decided
from ..files import PairsError
from ..graph import ParaphraseGraph
from ..graph.identity import nodes_of
from .answers import ASKS, Answer, last_answers, notes, sent, sent_pairs, standing
from .queue import changes_of
from .sitting import Answering, Log

__all__ = ["DecidedLabels"]

#: Part of the `shown` of each record.
OCCASION = {"occasion": "seen in the Explorer"}


class DecidedLabels(Answering):
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
        """The answers that stand, for a page's marks: `said` about nodes and their clusters, `noted`, `asked`."""
        homes = self.graph.cluster_of[np.array([*self._said], dtype=np.int64).reshape(-1, 2)].tolist()
        said = [[*pair, *home, same] for (pair, same), home in zip(self._said.items(), homes, strict=True)]
        noted = {" ".join(map(str, self._nodes(pair))): text for (_, pair), text in notes(self.records).items()}
        questions = [[one.saw["ask"], *self._nodes(one.pair)] for one in sent(self.records)]
        return {"reviewer": self.reviewer, "said": said, "noted": noted, "asked": questions}

    @property
    def sent(self) -> pd.DataFrame:
        """The pairs that were sent to a colleague: see `sent_pairs`."""
        return sent_pairs(self.graph, self.records)

    # -- what a page asks ----------------------------------------------------------------------------------

    def decide(self, a: int, b: int, same: int | str = "", note: str = "", ask: str = "") -> dict[str, Any]:
        """Log an answer about two sentences, a note on them, or a question to a colleague (`answers.ASKS`)."""
        nodes = [self.graph.node(a), self.graph.node(b)]
        if same == "" and not note.strip() and ask not in ASKS:
            raise PairsError("nothing is said: no answer, no note, no question")
        self.take(self.news())
        edge = self.graph.edge_between(*nodes)
        stated = int(self.graph.edge_sign[edge] > 0) if edge >= 0 and same != "" else None
        content = {"same": same, "stated": stated, "note": note, "shown": OCCASION | ({"ask": ask} if ask else {})}
        texts = dict(zip(("text_a", "text_b"), self.graph.texts(nodes), strict=True))
        self.give([texts | content])
        return {}

    def undo(self) -> dict[str, Any]:
        """Take back the last answer or question about a pair of the graph; return the two nodes."""
        self.take(self.news())
        last = super().undo()
        return {"at": last and self._nodes(last.pair)}

    @property
    def last(self) -> Answer | None:
        known = [one for one in self.records if min(self._nodes(one.pair)) >= 0]
        told = {one.id for one in [*standing(known), *sent(known)]}
        return next((one for one in reversed(known) if one.id in told), None)

    def follows(self, a: int, b: int) -> dict[str, Any]:
        """Compute the effect if the stated label of two sentences were wrong: in words, and as a table."""
        graph, edge = self.graph, self.graph.edge_between(self.graph.node(a), self.graph.node(b))
        if edge < 0 or graph.bipartite:
            return {}
        home, away = graph.edge_clusters[:, edge].tolist()
        if home != away:
            size, link = int(graph.cluster_sizes[[home, away]].sum()), graph.links_between([home], [away])[0]
            others = int(graph.links.count[link]) - 1
            yet = f", contradicted by {others:,} more negative{'s' * (others > 1)}" if others else ""
            return {"text": f"one cluster of {size:,} sentences instead of {home} and {away}{yet}"}
        decided = self._decided()
        now = decided.of(home)
        now = Changes(now.flipped - {edge}, now.gone - {edge})
        name = "cut" if graph.edge_sign[edge] > 0 else "flip"
        then = Changes(now.flipped, now.gone | {edge}) if name == "cut" else Changes(now.flipped | {edge}, now.gone)
        before, after = (decided.outcome(home, changes) for changes in (now, then))
        mine = {edge} if name == "flip" and edge not in before.apart else set()
        settled = np.array([*(after.apart - before.apart) - {edge}, *mine], dtype=np.int64)
        count = int(np.count_nonzero(graph.within[settled]))
        told = f"{count:,} conflict{'s' * (count != 1)}" if count else "no conflict"
        parts, more = len(before.parts), len(after.parts)
        falls = "no cluster falls apart" if more == parts else f"{more:,} parts instead of {parts:,}"
        rows = [["as it is", *before.cells(), ""], [name, *after.cells(before), f"{count:,}" if count else "–"]]
        table = {"title": "What if: clusters, inferred labels", "head": ["", "clusters", "+", "−", "settles"]}
        return {"text": f"{falls}, {told} settled", "table": table | {"rows": rows}}

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
