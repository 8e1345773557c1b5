"""The Explorer: find a cluster, see its signed graph, ask why a label holds, and take the results back to Python."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...draw.view import View
from ...pairs import PairsError
from ..bench.listed import PAGE, ListBench
from ..bench.scene import Scene, inferred_labels, make_scene
from ..bench.still import still_view
from ..bench.why import NOTHING, why_cluster, why_negatives, why_pair, why_sentence
from ..bench.widget import LAYERS
from .browse import COLUMNS, ClusterList, Query
from .screen import OPEN, Screen

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["Explorer"]

#: What explains a choice of sentences (n) and closed clusters (c).
WHY = {"n": why_sentence, "c": why_cluster, "nn": why_pair}

#: What a person had on screen, by graph, so that running the cell again loses nothing.
_memory: dict[tuple, dict[str, Any]] = {}


class Explorer(ListBench):
    """See the clusters of a graph, and where each label comes from.

    The left side lists the clusters: sort them, filter them, search their sentences. The middle shows one cluster
    with its neighbours, or the cluster of clusters. The right side explains what was clicked. Every choice can be
    read and set from Python; setting it changes the picture.

    Parameters
    ----------
    graph : ParaphraseGraph
    cluster : int, optional
        The cluster to begin with; default where the last Explorer of the same data stood, else the largest.
    height : int
        Pixels.
    limit : int
        Most sentences drawn of one cluster.
    distance : {"rounds", "hops"}
        How the distance of inferred labels is counted.
    seed : int
        Of the layout and of "surprise me": the same seed, the same picture.
    fresh : bool
        Forget what the last Explorer of the same data showed.

    Attributes
    ----------
    cluster : int or None
        The open cluster.
    selection : DataFrame
        The chosen sentences: `node`, `text`, `cluster`. Set it with nodes, sentences or such a table; the clusters
        of those that are not drawn open, up to six.
    positions : dict
        ``{node: (x, y)}`` in pixels of the sentences drawn. Set some to move them.
    layers : dict
        What is drawn: `positive`, `negative`, `conflicts`, `inferred_positive`, `inferred_negative`, each True or
        False, the inferred ones up to `distance`. Set a new one: ``explorer.layers | {"inferred_positive": True}``.
    view : {"cluster", "clusters"}
    query : Query
        What the list shows.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> explorer = pg.Explorer(graph)  # shows itself at the end of a cell
    >>> explorer.cluster = 3
    >>> explorer.selection = graph.texts(graph.members(3))[:2]
    >>> explorer.selection["cluster"].tolist()
    [3, 3]
    """

    _entry = "cluster"

    def __init__(
        self,
        graph: ParaphraseGraph,
        cluster: int | None = None,
        *,
        height: int = 600,
        limit: int = 300,
        distance: str = "rounds",
        seed: int = 0,
        fresh: bool = False,
    ):
        key = (_fingerprint(graph), seed)
        memory = _memory[key] = {} if fresh else _memory.get(key, {})
        super().__init__(
            height=height, name="Explorer", why=dict(NOTHING), layers=dict(memory.get("layers", LAYERS)),
            placed=dict(memory.get("placed", {})),
        )  # fmt: skip
        self.graph, self.limit, self.distance, self.seed = graph, limit, distance, seed
        self._memory, self._rng = memory, np.random.default_rng(seed)
        self._list = ClusterList(graph)
        # Single sentences would crowd the list, unless there is nothing else.
        self._start = Query() if graph.cluster_sizes.max(initial=0) > 1 else Query(bounds={})
        self._query: Query = memory.get("query", self._start)
        self._found = self._list.find(self._query)
        self._screen = memory.get("screen") or Screen().at(0 if len(graph.cluster_sizes) else None)
        selected = memory.get("selected", [])  # read before the picture overwrites it
        if cluster is not None:
            self._screen, selected = self._screen.at(self._checked(cluster)), []
        self._scene, self._scene_number = Scene(), 0
        self.observe(self._switch_layers, "layers")
        self.observe(self._remember, ["layers", "placed", "selected"])
        with self.hold_sync():
            self._draw()
            self._list_page(self._page_of(self.cluster))
            if selected:
                self._choose(selected)

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def cluster(self) -> int | None:
        """The open cluster."""
        return self._screen.cluster

    @cluster.setter
    def cluster(self, cluster: int) -> None:
        with self.hold_sync():
            self._go(self._screen.at(self._checked(cluster)), find=True)

    @property
    def view(self) -> str:
        """``"cluster"``: sentences of the open cluster; ``"clusters"``: it and its neighbours as nodes."""
        return self._screen.view

    @view.setter
    def view(self, view: str) -> None:
        with self.hold_sync():
            self.on_view(view)

    @property
    def query(self) -> Query:
        """What the list of clusters shows."""
        return self._query

    @query.setter
    def query(self, query: Query) -> None:
        with self.hold_sync():
            self._ask(query)

    @property
    def found(self) -> np.ndarray:
        """Ids of all clusters that answer the query, in its order."""
        return self._found.copy()

    @property
    def selection(self) -> pd.DataFrame:
        """The chosen sentences: `node`, `text`, `cluster`; all sentences of a chosen cluster node."""
        numbers = [(key[0], int(key[1:])) for key in self.selected]
        parts = [self.graph.members(n) if kind == "c" else np.array([n]) for kind, n in numbers]
        nodes = np.concatenate([Scene().sentences, *parts])
        texts = pd.Series(self.graph.texts(nodes), dtype="str")
        return pd.DataFrame({"node": nodes, "text": texts, "cluster": self.graph.cluster_of[nodes]})

    @selection.setter
    def selection(self, chosen: pd.DataFrame | Iterable[int | str]) -> None:
        if isinstance(chosen, pd.DataFrame):
            if "node" not in chosen and "text" not in chosen:
                raise PairsError(f"a selection has a column node or text, not {', '.join(map(str, chosen))}")
            chosen = chosen["node"] if "node" in chosen else chosen["text"]
        chosen = [chosen] if isinstance(chosen, str | int | np.integer) else chosen
        nodes = dict.fromkeys(self.graph.node(one) if isinstance(one, str) else int(one) for one in chosen)
        with self.hold_sync():
            self._select(list(nodes))

    @property
    def positions(self) -> dict[int, tuple[float, float]]:
        """Where each sentence drawn stands: ``{node: (x, y)}``, in pixels."""
        return {int(key[1:]): spot for key, spot in self._scene.spots(self.placed).items() if key[0] == "n"}

    @positions.setter
    def positions(self, positions: Mapping[int, tuple[float, float]]) -> None:
        self._check_nodes(positions)
        self.placed = self.placed | {f"n{node}": [float(x), float(y)] for node, (x, y) in positions.items()}

    def _still(self) -> View:
        return still_view(self._scene, self._title(), self.layers, self.picture["inferred"], self.placed)

    # -- intents -------------------------------------------------------------------------------------------

    def on_open(self, cluster: int) -> None:
        """A cluster of the list, or the button in the explanation."""
        self._go(self._screen.at(self._checked(cluster)))

    def on_query(
        self, reset: bool = False, bound: dict | None = None, sort: str | None = None, **changes: Any
    ) -> None:
        """Search, filter or sort."""
        query = self._start if reset else self._query
        if bound:
            if bound["side"] not in ("least", "most"):
                raise PairsError(f"{bound['side']!r} is not a side")
            least, most = query.bounds.get(bound["name"], (None, None))
            pair = (bound["value"], most) if bound["side"] == "least" else (least, bound["value"])
            query = query.with_(bounds=query.bounds | {bound["name"]: pair})
        if sort:
            first = COLUMNS[sort] < 0
            query = query.with_(sort=sort, descending=not query.descending if sort == query.sort else first)
        self._ask(query.with_(**changes))

    def on_surprise(self, by: str) -> None:
        """A cluster drawn at random."""
        cluster = self._list.surprise(by, self._rng)
        if cluster is not None:
            self._go(self._screen.at(cluster), find=True)

    def on_view(self, view: str) -> None:
        """One cluster, or the cluster of clusters."""
        self._go(self._screen.seen_as(view))

    def on_layers(self, layers: dict[str, Any]) -> None:
        """A layer switched, or the distance moved; the trait has changed already."""

    def on_select(self, keys: list[str]) -> None:
        """Nodes clicked."""
        drawn = [key for key in dict.fromkeys(list(keys)) if self._drawn(key)]
        if drawn or keys == []:
            self._choose(drawn)

    def on_edge(self, id: str) -> None:
        """A stated label, or the negatives to a closed cluster, clicked."""
        edge = next((edge for edge in self._scene.edges if edge["id"] == id), None)
        if edge is not None:
            ends = [edge["from"], edge["to"]]
            self._choose(ends, None if "a" in edge else why_negatives(self.graph, *ends))

    def on_pair(self, keys: list[str]) -> None:
        """An inferred label clicked."""
        one, other = keys
        if one != other and self._drawn(one, "n") and self._drawn(other, "n"):
            self._choose([one, other])

    def on_show(self, key: str) -> None:
        """A sentence of the explanation: choose it, opening its cluster where it is not drawn."""
        if key[0] == "c" and self._drawn(key):
            self._choose([key])
        elif key[0] == "n":
            self._select([int(key[1:])])
        else:
            raise PairsError(f"{key!r} is not a sentence")

    def on_expand(self, key: str) -> None:
        """A double click: a closed cluster opens beside what is there; a sentence of such a one closes it."""
        if not self._drawn(key):
            return
        number = int(key[1:])
        screen = self._screen.toggled(number if key[0] == "c" else int(self.graph.cluster_of[number]))
        if len(screen.opened) > OPEN:
            text = f"{OPEN} clusters are open. Double click a sentence of one to close it."
            self._show_why({"title": "Enough", "text": text})
        elif screen != self._screen:
            self._go(screen, keep=key[0] == "c")

    # -- how it is done ------------------------------------------------------------------------------------

    def _checked(self, cluster: int) -> int:
        """The number of a cluster, if there is such a one."""
        if not len(self.graph.cluster_sizes):
            raise PairsError(f"there is no cluster {cluster!r}: the graph has no sentences")
        if isinstance(cluster, bool) or not isinstance(cluster, int | np.integer):
            raise PairsError(f"cluster {cluster!r} is not a number")
        self.graph.members(cluster)
        return int(cluster)

    def _check_nodes(self, nodes: Iterable[int]) -> None:
        for node in nodes:
            if not 0 <= node < self.graph.n:
                raise PairsError(f"node {node} is not one of 0 .. {self.graph.n - 1}")

    def _go(self, screen: Screen, find: bool = False, keep: bool = False) -> None:
        """Draw another screen; `find` its cluster in the list; `keep` what is chosen."""
        self._screen = screen
        if not keep:
            self._choose([])
        self._draw()
        self._list_page(self._page_of(screen.cluster) if find else None)

    def _select(self, nodes: list[int]) -> None:
        """Choose sentences; where they are not drawn, their clusters open, those of giant ones around them."""
        self._check_nodes(nodes)
        if not set(nodes) <= set(self._scene.sentences.tolist()):
            self._go(self._screen.with_sentences(nodes, self.graph.cluster_of[nodes].tolist()), find=True)
        self._choose([f"n{node}" for node in nodes])

    def _ask(self, query: Query) -> None:
        self._found = self._list.find(query)
        self._query = query
        self._list_page(0)
        self._remember()

    def _page_of(self, cluster: int | None) -> int:
        at = np.flatnonzero(self._found == cluster) if cluster is not None else []
        return int(at[0]) // PAGE if len(at) else 0

    def _list_page(self, page: int | None) -> None:
        """Send a page of the list; None: the one that is there, with another cluster marked."""
        if page is None:
            self.listing = self.listing | {"current": self.cluster}
            return
        query, start = self._query, self._start
        self._send_list(
            self._found, page, current=self.cluster, any=len(self.graph.cluster_sizes) > 0,
            words=query.words, kind=query.kind, sort=query.sort, descending=query.descending,
            bounds={name: list(pair) for name, pair in query.bounds.items()},
            filtered=(query.bounds, query.kind) != (start.bounds, start.kind),
        )  # fmt: skip

    def _rows(self, found: np.ndarray) -> list[dict[str, Any]]:
        return self._list.rows(found, self._query.words)

    def _draw(self) -> None:
        screen = self._screen
        self._scene = make_scene(self.graph, screen.opened, screen.closed, self.limit, self.seed, screen.wanted)
        self._scene_number += 1
        self._send_picture()
        self._remember()

    def _send_picture(self) -> None:
        inferred, farthest, notes = [], 1, [self._scene.note] if self._scene.note else []
        for name, sign in (("inferred_positive", 1), ("inferred_negative", -1)):
            if not self.layers[name]:
                continue
            labels, total = inferred_labels(self.graph, self._scene, sign, self.distance)
            if len(labels) < total:
                notes.append(f"Of {total:,} inferred labels the {len(labels):,} nearest can be drawn.")
            farthest = max(farthest, int(labels[:, 2].max(initial=1)))
            inferred += [(f"n{a}", f"n{b}", sign, far) for a, b, far in labels.tolist()]
        if self.graph.bipartite and (self.layers["inferred_positive"] or self.layers["inferred_negative"]):
            notes.append("The two sides of these pairs are different things: no labels follow.")
        elif self.layers["inferred_negative"] and len(self._screen.opened) < 2:
            notes.append("Inferred negatives join open clusters: double click a neighbour to open it.")
        self.picture = {
            "scene": self._scene_number, "view": self.view, "title": self._title(), "note": " ".join(notes),
            "nodes": self._scene.nodes, "edges": self._scene.edges, "inferred": inferred, "farthest": farthest,
        }  # fmt: skip

    def _switch_layers(self, change: dict[str, Any]) -> None:
        before, after = change["old"], change["new"]
        if any(before.get(n) != after[n] for n in ("inferred_positive", "inferred_negative")):
            self._send_picture()

    def _title(self) -> str:
        if self.cluster is None:
            return "The graph has no sentences."
        size = int(self.graph.cluster_sizes[self.cluster])
        name = f"Cluster {self.cluster}: {size:,} sentence{'s' * (size != 1)}"
        around = len(self._scene.closed) - (self.view == "clusters" and self.cluster in self._scene.closed)
        neighbours = f"{around} neighbouring cluster{'s' * (around != 1)}"
        if self.view == "clusters":
            return f"Cluster of clusters: cluster {self.cluster} of {size:,}, " + (neighbours if around else "alone")
        return f"{name}, {neighbours}" if around else name

    def _drawn(self, key: str, kind: str = "") -> bool:
        return any(node["key"] == key and key.startswith(kind) for node in self._scene.nodes)

    def _choose(self, keys: list[str], why: dict[str, Any] | None = None) -> None:
        """Choose nodes and say why, in words of their own or given."""
        self.selected = keys
        explain = WHY.get("".join(key[0] for key in keys))
        if why is None:
            why = explain(self.graph, *(int(key[1:]) for key in keys)) if explain else NOTHING
        self._show_why(why)

    def _remember(self, _: Any = None) -> None:
        self._memory.update(
            screen=self._screen, query=self._query, layers=dict(self.layers), placed=dict(self.placed),
            selected=list(self.selected),
        )  # fmt: skip
        self._update_twin()


def _fingerprint(graph: ParaphraseGraph) -> tuple:
    """Two graphs of the same data have the same."""
    parts = (graph.edge_a, graph.edge_b, graph.edge_sign)
    texts = [graph.text(node) for node in {0, graph.n // 2, graph.n - 1} if 0 <= node < graph.n]
    return graph.n, *(zlib.crc32(np.ascontiguousarray(part)) for part in parts), *texts
