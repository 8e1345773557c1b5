"""A place in the clusters of a graph, and the memory of it, so that running a cell again loses nothing."""

from __future__ import annotations

import sys
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...pairs import PairsError
from .browse import Query

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["OPEN", "VIEWS", "Screen", "recall"]

OPEN = 6  # clusters shown as sentences at a time
VIEWS = ("cluster", "clusters")


@dataclass(frozen=True)
class Screen:
    """One cluster with its neighbours (view "cluster"), or as a node among them ("clusters"), and what is open."""

    cluster: int | None = None  #: None in a graph without sentences
    view: str = "cluster"
    opened: tuple[int, ...] = ()  #: clusters shown as sentences
    wanted: tuple[int, ...] = ()  #: sentences that a picture of part of a cluster must show

    @property
    def closed(self) -> tuple[int, ...]:
        """The cluster itself where it is to be one node."""
        return () if self.view == "cluster" or self.cluster is None else (self.cluster,)

    def at(self, cluster: int | None) -> Screen:
        """The same view of another cluster.

        >>> Screen().at(3)
        Screen(cluster=3, view='cluster', opened=(3,), wanted=())
        """
        return replace(self, cluster=cluster, wanted=()).seen_as(self.view)

    def seen_as(self, view: str) -> Screen:
        """The other view of the same cluster."""
        if view not in VIEWS:
            raise PairsError(f"view {view!r} is not one of {', '.join(map(repr, VIEWS))}")
        opened = (self.cluster,) if view == "cluster" and self.cluster is not None else ()
        return replace(self, view=view, opened=opened)

    def with_sentences(self, nodes: list[int], homes: list[int]) -> Screen:
        """A screen that shows these sentences, whose clusters are `homes`; of those, the first six open."""
        homes = list(dict.fromkeys(homes))
        if set(homes) <= set(self.opened):
            return replace(self, wanted=tuple(nodes))
        return replace(self, cluster=homes[0], opened=tuple(homes[:OPEN]), wanted=tuple(nodes))

    def toggled(self, cluster: int) -> Screen:
        """Another cluster opened beside what is open, or closed; the cluster of a view "cluster" stays open.

        >>> Screen().at(3).toggled(5).opened, Screen().at(3).toggled(5).toggled(5).opened
        ((3, 5), (3,))
        """
        if cluster not in self.opened:
            return replace(self, opened=(*self.opened, cluster))
        if self.view == "cluster" and cluster == self.cluster:
            return self
        return replace(self, opened=tuple(one for one in self.opened if one != cluster))


_kept: dict[tuple, dict[str, Any]] = {}


def recall(graph: ParaphraseGraph, seed: int, fresh: bool) -> dict[str, Any]:
    """Return the memory of the last Explorer of the same data and cell; empty if `fresh`, or if there was none.

    Another cell has a memory of its own: a sort order set in one does not turn up in the next. Where no front end
    tells the cell, all share one memory, and the order is left out of it.
    """
    cell = _cell()
    key = (cell, seed, *_fingerprint(graph))
    if fresh or key not in _kept:
        _kept[key] = {}
    memory = _kept[key]
    if cell is None and "query" in memory:
        memory["query"] = memory["query"].with_(sort=Query().sort, descending=Query().descending)
    return memory


def _cell() -> str | None:
    """The id of the notebook's cell that runs, where there is one."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "get_parent"):
        return None
    return (shell.get_parent() or {}).get("metadata", {}).get("cellId")


def _fingerprint(graph: ParaphraseGraph) -> tuple:
    """Two graphs of the same data have the same."""
    parts = (graph.edge_a, graph.edge_b, graph.edge_sign)
    texts = [graph.text(node) for node in {0, graph.n // 2, graph.n - 1} if 0 <= node < graph.n]
    return graph.n, *(zlib.crc32(np.ascontiguousarray(part)) for part in parts), *texts
