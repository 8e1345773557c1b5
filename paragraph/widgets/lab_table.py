"""The Triad Lab's table: the signed graph that lies on it, where its nodes are, and what was done to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..balance import as_signed
from ..draw.layout import layout
from ..graph import ParaphraseGraph
from ..pairs import PairsError
from .bench.widget import Bench

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["MOST", "SPACING", "Table"]

SPACING = 150  # pixels between neighbouring nodes
MOST = 40  # nodes one can still poke at


class Table(Bench):
    """The part of the lab that holds a graph and lets it be changed, and unchanged."""

    @property
    def graph(self) -> nx.Graph:
        """A copy of the graph on the table."""
        return self._graph.copy()

    @graph.setter
    def graph(self, graph: Any) -> None:
        with self.hold_sync():
            self._lay(graph, None)

    def lay(self, graph: Any, cluster: int | None = None) -> None:
        """Put a start (by name), a signed graph, or a cluster of a dataset on the table."""
        with self.hold_sync():
            self._lay(graph, cluster)

    def set_sign(self, a: Any, b: Any, sign: int) -> None:
        """Give an edge a sign, +1 or -1; 0 takes it away, and an edge that was not there comes."""
        if sign not in (1, -1, 0):
            raise PairsError(f"sign {sign!r} is not one of 1, -1, 0")
        for node in (a, b):
            if node not in self._graph:
                raise PairsError(f"{node!r} is not on the table")
        if a == b:
            raise PairsError("a node has no edge to itself")
        before = self._graph.edges[a, b]["sign"] if self._graph.has_edge(a, b) else 0
        with self.hold_sync():
            self._put(a, b, sign)
            self._note("sign", edge=(a, b), **{"from": before, "to": sign})
            self._said = ""  # what was said of the start no longer holds
            self._changed()

    def _put(self, a: Any, b: Any, sign: int) -> None:
        if sign:
            self._graph.add_edge(a, b, sign=sign)
        elif self._graph.has_edge(a, b):
            self._graph.remove_edge(a, b)

    def _lay(self, graph: Any, cluster: int | None) -> None:
        import networkx as nx

        if isinstance(graph, str):
            if graph not in self._starts:
                raise PairsError(f"no start is called {graph!r}; there are: {', '.join(self._starts)}")
            self._start, graph = graph, self._starts[graph]()
        elif isinstance(graph, ParaphraseGraph):
            if cluster is None:
                raise PairsError("say which cluster of the data: TriadLab(graph, cluster=3)")
            members = graph.members(cluster)
            if len(members) > MOST:
                raise PairsError(f"cluster {cluster} has {len(members)} sentences, more than {MOST} on one table")
            self._start = f"cluster {cluster}"
            graph = graph.to_networkx(cluster=cluster)
        else:
            self._start = "your own"
        as_signed(graph)  # complains of what is no signed graph
        if graph.number_of_nodes() > MOST:
            raise PairsError(f"{graph.number_of_nodes()} nodes are more than {MOST} on one table")
        self._graph = nx.Graph(graph)
        self.history: list[dict[str, Any]] = []
        self.placed = {}
        self._said = str(self._graph.graph.get("source", ""))
        self._arrange()
        self._changed()

    def _arrange(self) -> None:
        nodes = list(self._graph)
        number = {node: i for i, node in enumerate(nodes)}
        self._number = number
        parts = [(number[a], number[b]) for a, b in self._graph.edges]
        spots = layout(len(nodes), parts, self.seed) * SPACING
        self._spots = {
            node: (round(float(x), 1), round(float(-y), 1)) for node, (x, y) in zip(nodes, spots, strict=True)
        }
        self._scene_number += 1

    def _note(self, did: str, **what: Any) -> None:
        self.history.append({"did": did, **what})

    def _control_start(self, value: str) -> None:
        if value in self._starts:
            self._lay(value, None)

    def _control_node(self, _: Any) -> None:
        if len(self._graph) >= MOST:
            raise PairsError(f"{MOST} nodes are all the table holds")
        taken = {str(node) for node in self._graph}
        letters = [chr(65 + i % 26) + (str(i // 26) if i >= 26 else "") for i in range(26 * 3)]
        node = next(name for name in letters if name not in taken)
        spots = np.array(list(self._spots.values()) or [(0.0, 0.0)])
        self._graph.add_node(node)
        self._number[node] = max(self._number.values(), default=-1) + 1
        self._spots[node] = (float(spots[:, 0].max()) + SPACING * 0.8, float(spots[:, 1].mean()))
        self._scene_number += 1
        self._cycle_none = True
        self._note("add", node=node)
        self._changed()

    def _control_remove(self, _: Any) -> None:
        known = {f"n{i}": node for node, i in self._number.items()}
        for key in self.selected:
            node = known[key]
            edges = [(a, b, sign) for a, b, sign in self._graph.edges(node, data="sign")]
            self._note("remove", node=node, edges=edges, spot=self._spots[node], data=dict(self._graph.nodes[node]))
            self._graph.remove_node(node)
            del self._number[node], self._spots[node]
        self.selected = []
        self._scene_number += 1
        self._changed()

    def _control_undo(self, _: Any) -> None:
        if not self.history:
            return
        last = self.history.pop()
        if last["did"] == "sign":
            self._put(*last["edge"], last["from"])
        elif last["did"] == "add":
            self._graph.remove_node(last["node"])
            del self._number[last["node"]], self._spots[last["node"]]
            self._scene_number += 1
        elif last["did"] == "remove":
            self._graph.add_node(last["node"], **last["data"])
            self._graph.add_edges_from((a, b, {"sign": sign}) for a, b, sign in last["edges"])
            self._number[last["node"]] = max(self._number.values(), default=-1) + 1
            self._spots[last["node"]] = last["spot"]
            self._scene_number += 1
        self._changed()
