"""Decisions where a label is seen: what one person says in the Explorer, written to a log, and what would follow."""

from __future__ import annotations

from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.answers import ASKS, Answer, asked, last_words, notes, standing
from ...decisions.asked import asked_pairs
from ...decisions.log import DecisionLog, signed
from ...decisions.queue import changes_of
from ...graph import ParaphraseGraph
from ...graph.search import nodes_of
from ...pairs import PairsError
from ...repairs.what_if import NONE, Changes, Decided
from ..base.why import Plain

__all__ = ["Decisions"]

#: In the `shown` of each record.
OCCASION = {"occasion": "seen in the Explorer"}


class Decisions:
    """The answers of a person to the labels of a graph: kept in a log, and marked on the page.

    The page asks `decide`, of each act by its name, and `follows`.
    """

    def __init__(self, graph: ParaphraseGraph, log: str | PathLike | DecisionLog, reviewer: str | None):
        self.graph, (self.log, self.reviewer) = graph, signed(log, reviewer)
        self._records: list[Answer] = []
        self._node: dict[str, int] = {}  # by sentence
        self._said: dict[tuple[int, int], Answer] = {}  # by nodes, the lower first: the last answer
        self.catch_up()

    def catch_up(self) -> None:
        """Read what was added to the log."""
        self._take(self.log.records(self.reviewer, self._records[-1].time if self._records else ""))

    @property
    def plain(self) -> Plain:
        """The answers that stand, as a page marks them: `said` of pairs of nodes and clusters, `noted`, `asked`."""
        ends = np.array([*self._said], dtype=np.int64).reshape(-1, 2)
        homes = self.graph.cluster_of[ends].tolist()
        said = [[*pair, *home, one.same] for (pair, one), home in zip(self._said.items(), homes, strict=True)]
        noted = {pair: text for (_, pair), text in notes(self._records).items()}
        named = {" ".join(map(str, self._nodes(pair))): text for pair, text in noted.items()}
        sent = [[one.saw["ask"], *self._nodes(one.pair)] for one in asked(self._records)]
        return {"reviewer": self.reviewer, "said": said, "noted": named, "asked": sent}

    @property
    def sent(self) -> pd.DataFrame:
        """The pairs that were sent to a colleague: see `asked_pairs`."""
        return asked_pairs(self.graph, self._records)

    # -- what a page asks ----------------------------------------------------------------------------------

    def decide(self, act: str, **content: Any) -> Plain:
        """Do an act: "say", "note", "ask" or "undo"; the log has it when this returns."""
        if act not in ("say", "note", "ask", "undo"):
            raise PairsError(f"no such act: {act!r:.50}")
        self.catch_up()
        return getattr(self, f"_{act}")(**content)

    def _edge(self, a: int, b: int) -> int:
        """The edge between two nodes, or -1."""
        for node in (a, b):
            if isinstance(node, bool) or not isinstance(node, int | np.integer):
                raise PairsError(f"{node!r:.50} is no node")
        return self.graph.edge_between(self.graph.node(a), self.graph.node(b))

    def follows(self, a: int, b: int) -> Plain:
        """Work out the effect if the stated label of two sentences were wrong: in words, and as a table."""
        graph, edge = self.graph, self._edge(a, b)
        if edge < 0 or graph.bipartite:
            return {}
        home, away = graph.edge_clusters[:, edge].tolist()
        if home != away:
            size, others = int(graph.cluster_sizes[[home, away]].sum()), int(graph.links_between([home], [away])[0])
            others = int(graph.links.count[others]) - 1
            yet = f", contradicted by {others:,} more negative{'s' * (others > 1)}" if others else ""
            return {"text": f"one cluster of {size:,} sentences instead of {home} and {away}{yet}"}
        now = self._decided.of(home)
        now = Changes(now.flipped - {edge}, now.gone - {edge})
        name = "cut" if graph.edge_sign[edge] > 0 else "flip"
        then = Changes(now.flipped, now.gone | {edge}) if name == "cut" else Changes(now.flipped | {edge}, now.gone)
        before, after = (self._decided.outcome(home, changes) for changes in (now, then))
        mine = {edge} if name == "flip" and edge not in before.apart else set()
        settled = np.array([*(after.apart - before.apart) - {edge}, *mine], dtype=np.int64)
        count = int(np.count_nonzero(graph.within[settled]))
        told = f"{count:,} conflict{'s' * (count != 1)}" if count else "no conflict"
        parts, more = len(before.parts), len(after.parts)
        falls = "no cluster falls apart" if more == parts else f"{more:,} clusters instead of {parts:,}"
        rows = [["as it is", *before.cells(), ""], [name, *after.cells(before), f"{count:,}" if count else "–"]]
        table = {"title": "What if: clusters, inferred labels", "head": ["", "clusters", "+", "−", "settles"]}
        return {"text": f"{falls}, {told} settled", "table": table | {"rows": rows}}

    def _say(self, a: int, b: int, same: int | str) -> Plain:
        if same not in (0, 1, "?"):
            raise PairsError(f"{same!r} is not one of 0, 1, '?'")
        edge = self._edge(a, b)
        stated = int(self.graph.edge_sign[edge] > 0) if edge >= 0 else None
        return self._give(a, b, same=same, stated=stated)

    def _note(self, a: int, b: int, text: str) -> Plain:
        if not isinstance(text, str) or not text.strip():
            raise PairsError(f"a note is a text, not {text!r:.50}")
        return self._give(a, b, note=text.strip())

    def _ask(self, a: int, b: int, what: str) -> Plain:
        if what not in ASKS:
            raise PairsError(f"ask about one of {', '.join(ASKS)}, not {what!r:.50}")
        return self._give(a, b, ask=what)

    def _undo(self) -> Plain:
        """Take back what was said last of a pair of the graph, or asked; return the two nodes."""
        known = [one for one in self._records if min(self._nodes(one.pair)) >= 0]
        told = {one.id for one in [*standing(known), *asked(known)]}
        last = next((one for one in reversed(known) if one.id in told), None)
        if last is None:
            return {"at": None}
        self._take(self.log.undo(self.reviewer, last.id))
        return {"at": self._nodes(last.pair)}

    def _give(self, a: int, b: int, ask: str | None = None, **content: Any) -> Plain:
        self._edge(a, b)
        texts = dict(zip(("text_a", "text_b"), self.graph.texts([a, b]), strict=True))
        shown = OCCASION | ({"ask": ask} if ask else {})
        self._take(self.log.give([texts | content | {"shown": shown}], reviewer=self.reviewer))
        return {}

    # -- what is known -------------------------------------------------------------------------------------

    @cached_property
    def _decided(self) -> Decided:
        decided = Decided(self.graph)
        self._change(decided, self._said)
        return decided

    def _nodes(self, pair: frozenset[str]) -> list[int]:
        """The two nodes of a pair, the lower first; -1 where the graph lacks one."""
        nodes = sorted(self._node[text] for text in pair)
        return (nodes * 2)[:2]

    def _take(self, news: list[Answer]) -> None:
        """Read records that are new."""
        if not news:
            return
        texts = list({text for one in news for text in one.pair} - self._node.keys())
        self._node |= dict(zip(texts, nodes_of(self.graph, texts).tolist(), strict=True))
        self._records += news
        before, self._said = self._said, {}
        for one in last_words(standing(self._records)):
            a, b = self._nodes(one.pair)
            edge = self.graph.edge_between(a, b) if a >= 0 else -1
            label = str(int(self.graph.edge_sign[edge] > 0)) if edge >= 0 else ""
            if a >= 0 and one.same != "later" and one.stated in ("", label):
                self._said[a, b] = one
        if "_decided" in vars(self):
            self._change(self._decided, before.keys() | self._said.keys())

    def _change(self, decided: Decided, pairs: Any) -> None:
        """Work out anew what is changed in the clusters of some pairs."""
        of = self.graph.cluster_of
        wanted = {int(of[a]) for a, b in pairs if of[a] == of[b]}
        said: dict[int, dict[int, str]] = {cluster: {} for cluster in wanted}
        for (a, b), one in self._said.items():
            edge = self.graph.edge_between(a, b)
            if edge >= 0 and of[a] == of[b] and of[a] in said:
                said[int(of[a])][edge] = one.same
        for cluster, words in said.items():
            decided.set(cluster, changes_of(self.graph, words) if words else NONE)
