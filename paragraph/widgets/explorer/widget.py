"""The Explorer: find a cluster, see its signed graph, ask why a label holds, and take the results back to Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...draw.page import source
from ...draw.view import View
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ...pairs import PairsError
from ...repairs.trust import Trusted
from ..base.live import checked_friends, held
from ..base.scene import Scene, make_scene, still_view
from ..base.why import NOTHING, Plain, why_negatives
from ..base.widget import PAGE, Bench
from .browse import COLUMNS, OPEN, ClusterList, Place, Query, recall
from .looks import Attributes, Look
from .saved import page
from .shown import HELP, layers_of, picture_of, roster, why_of

__all__ = ["Explorer"]


class Explorer(Bench):
    """See the clusters of a graph, and where each label comes from.

    The left side lists the clusters: sort them, filter them, search their sentences. The middle shows one cluster
    with its neighbours, or the cluster of clusters. The right side lists its sentences and tells of the cluster, then
    of what was clicked. Every choice can be read and set from Python; setting it changes the picture.

    Parameters
    ----------
    graph : ParaphraseGraph
    cluster : int, optional
        The cluster to begin with; default where the last Explorer of the same cell and data stood, else the largest.
    columns : DataFrame, optional
        What else is known of sentences, to colour them by: one row each, named by its `node` or `text`.
    suspects : DataFrame, optional
        The table that `paragraph.suspects` makes: a sentence is coloured by the most doubtful of its labels.
    friends : Trusted, optional
        What `paragraph.trust` gives: an inferred label is drawn by how probably it is right, a proof names its
        weakest step, and `layers` has a key `sure`. The model reads what is drawn, while inferred labels are on.
    height : int
        Pixels.
    limit : int
        Most sentences drawn of one cluster.
    distance : {"rounds", "hops"}
        How the distance of inferred labels is counted.
    seed : int
        Of the layout and of "surprise me": the same seed, the same picture.
    fresh : bool
        Forget what the last Explorer of the same cell and data showed.

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
        False, the inferred ones up to `distance` and, with `friends`, from the probability `sure` on. Set a new
        one: ``explorer.layers | {"inferred_positive": True}``.
    view : {"cluster", "clusters"}
    query : Query
        What the list shows.
    look : Look
        An attribute for colour, how many labels: ``explorer.look.with_(color="degree")``.

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
    _css = Bench._css + source(Path(__file__).with_name("style.css"))

    def __init__(
        self,
        graph: ParaphraseGraph,
        cluster: int | None = None,
        *,
        columns: pd.DataFrame | None = None,
        suspects: pd.DataFrame | None = None,
        friends: Trusted | None = None,
        height: int = 600,
        limit: int = 300,
        distance: str = "rounds",
        seed: int = 0,
        fresh: bool = False,
    ):
        memory = self._memory = recall(checked_graph(graph, "Explorer"), seed, fresh)
        self._friends = checked_friends(friends, graph)
        self._layers, kept = layers_of(self._friends), memory.get("layers", {})
        super().__init__(
            height=height, shortcuts=HELP, why=dict(NOTHING), placed=dict(memory.get("placed", {})),
            layers={name: kept.get(name, value) for name, value in self._layers.items()},
        )  # fmt: skip
        self.graph, self.limit, self.distance, self.seed = graph, limit, distance, seed
        self._rng, self._list = np.random.default_rng(seed), ClusterList(graph)
        self._attributes = Attributes(graph, columns, suspects)
        self._look = self._attributes.possible(memory.get("look", Look()))
        # Single sentences would crowd the list, unless there is nothing else.
        self._start = Query() if graph.cluster_sizes.max(initial=0) > 1 else Query(bounds={})
        self._query: Query = memory.get("query", self._start)
        self._found = self._list.find(self._query)
        self._screen = memory.get("screen") or Place().at(0 if len(graph.cluster_sizes) else None)
        selected = memory.get("selected", [])  # read before the picture overwrites it
        if cluster is not None:
            self._screen, selected = self._screen.at(self._checked(cluster)), []
        self._scene, self._scene_number = Scene(), 0
        self.observe(self._switch_layers, "layers")
        self.observe(self._remember, ["layers", "placed", "selected"])
        with self.hold_sync():
            self._draw()
            self._list_page(self._page_of(self.cluster))
            self._choose(selected)

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def cluster(self) -> int | None:
        """The open cluster."""
        return self._screen.cluster

    @cluster.setter
    def cluster(self, cluster: int) -> None:
        self._go(self._screen.at(self._checked(cluster)), find=True)

    @property
    def view(self) -> str:
        """``"cluster"``: sentences of the open cluster; ``"clusters"``: it and its neighbours as nodes."""
        return self._screen.view

    @view.setter
    def view(self, view: str) -> None:
        self._go(self._screen.seen_as(view))

    @property
    def query(self) -> Query:
        """The query of the list of clusters."""
        return self._query

    @query.setter
    @held
    def query(self, query: Query) -> None:
        self._found, self._query = self._list.find(query), query
        self._list_page(0)
        self._remember()

    @property
    def look(self) -> Look:
        """An attribute for colour, how many labels and neighbours."""
        return self._look

    @look.setter
    @held
    def look(self, look: Look) -> None:
        before, self._look = self._look, self._attributes.check(look)
        if (before.neighbours, before.steps) != (look.neighbours, look.steps):
            self._draw()
            self._list_page(None)
        self._send_look()
        self._remember()

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
        self._select([self.graph.node(one) for one in chosen])

    @property
    def positions(self) -> dict[int, tuple[float, float]]:
        """The place of each sentence drawn: ``{node: (x, y)}``, in pixels."""
        return {int(key[1:]): spot for key, spot in self._scene.spots(self.placed).items() if key[0] == "n"}

    @positions.setter
    def positions(self, positions: Mapping[int, tuple[float, float]]) -> None:
        spots = {f"n{self.graph.node(node)}": [float(x), float(y)] for node, (x, y) in positions.items()}
        self.placed = self.placed | spots

    def _still(self) -> View:
        return still_view(self._scene, self.picture["title"], self.layers, self.picture["inferred"], self.placed)

    _page = page

    # -- what a page asks ----------------------------------------------------------------------------------

    def on_open(self, cluster: int) -> None:
        """Open a cluster of the list, or of the explanation."""
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
        self.query = query.with_(**changes)

    def on_surprise(self, by: str) -> None:
        """Open a cluster drawn at random."""
        cluster = self._list.surprise(by, self._rng)
        if cluster is not None:
            self.cluster = cluster

    def on_view(self, view: str) -> None:
        """Show one cluster, or the cluster of clusters."""
        self.view = view

    def on_layers(self, layers: Plain) -> None:
        """Answer that a layer was switched: the trait has changed already."""

    def on_look(self, **changes: Any) -> None:
        """Change colour, share of labels, or reach."""
        self.look = self._look.with_(**changes)

    def on_select(self, keys: list[str]) -> None:
        """Choose the nodes clicked, or the ends of an inferred label."""
        drawn = self._scene.drawn(keys)
        if drawn or keys == []:
            self._choose(drawn)

    def on_edge(self, id: str) -> None:
        """Explain a stated label, or the negatives to a closed cluster."""
        edge = next((edge for edge in self._scene.edges if edge["id"] == id), None)
        if edge is not None:
            ends = [edge["from"], edge["to"]]
            self._choose(ends, None if "a" in edge else why_negatives(self.graph, *ends))

    def on_show(self, key: str) -> None:
        """Choose a sentence of the explanation; its cluster opens where it is not drawn."""
        if key[0] == "c" and self._scene.drawn([key]):
            self._choose([key])
        elif key[0] == "n":
            self._select([self.graph.node(int(key[1:]))])
        else:
            raise PairsError(f"{key!r} is not a sentence")

    def on_expand(self, key: str) -> None:
        """Open a closed cluster beside what is there, or close that of a sentence."""
        if not self._scene.drawn([key]):
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
        """Return the number of a cluster, if there is such a one."""
        if not len(self.graph.cluster_sizes):
            raise PairsError(f"there is no cluster {cluster!r}: the graph has no sentences")
        if isinstance(cluster, bool) or not isinstance(cluster, int | np.integer):
            raise PairsError(f"cluster {cluster!r} is not a number")
        self.graph.members(cluster)
        return int(cluster)

    @held
    def _go(self, screen: Place, find: bool = False, keep: bool = False) -> None:
        """Draw another screen; `find` its cluster in the list; `keep` what is chosen."""
        self._screen = screen
        self._draw()
        if not keep:
            self._choose([])
        self._list_page(self._page_of(screen.cluster) if find else None)

    @held
    def _select(self, nodes: list[int]) -> None:
        """Choose sentences; where they are not drawn, their clusters open, those of giant ones around them."""
        if not set(nodes) <= set(self._scene.sentences.tolist()):
            self._go(self._screen.with_sentences(nodes, self.graph.cluster_of[nodes].tolist()), find=True)
        self._choose([f"n{node}" for node in dict.fromkeys(nodes)])

    def _page_of(self, cluster: int | None) -> int:
        at = np.flatnonzero(self._found == cluster) if cluster is not None else []
        return int(at[0]) // PAGE if len(at) else 0

    def _list_page(self, page: int | None) -> None:
        """Send a page of the list; None: the one that is there, with another cluster marked."""
        query, start = self._query, self._start
        now = {"current": self.cluster, "hits": self._hits(), "only": query.only and len(query.only)}
        if page is None:
            self.listing = self.listing | now
            return
        self._send_list(
            self._found, page, **vars(query) | now, any=len(self.graph.cluster_sizes) > 0,
            filtered=query.filter != start.filter, near=self._list.nearest(query.words),
            beyond=self._list.beyond(query),
        )  # fmt: skip

    def _hits(self) -> list[str]:
        """Return the nodes drawn that hold what is searched for."""
        if not self._query.words.split():
            return []
        hits = self._list.hits(self._query.words)
        homes = set(self.graph.cluster_of[hits].tolist())
        here = self._scene.sentences[np.isin(self._scene.sentences, hits)]
        return [f"n{node}" for node in here.tolist()] + [f"c{c}" for c in self._scene.closed if c in homes]

    def _rows(self, found: np.ndarray) -> list[Plain]:
        return self._list.rows(found, self._query.words)

    def _draw(self) -> None:
        screen, look = self._screen, self._look
        steps = look.steps if screen.view == "clusters" else 1
        scene = make_scene(
            self.graph, screen.opened, screen.closed, self.limit, self.seed, screen.wanted, look.neighbours, steps
        )
        self._scene, self._scene_number = replace(scene, nodes=roster(scene)), self._scene_number + 1
        self._send_picture()
        self._send_look()
        self._remember()

    def _send_picture(self) -> None:
        shown = self._screen, self._scene, self.layers, self.distance
        self.picture = picture_of(self.graph, *shown, self._friends) | {"scene": self._scene_number}

    def _send_look(self) -> None:
        self.dress = self._attributes.dress(self._look, self._scene, self.view)

    def _switch_layers(self, change: Plain) -> None:
        if any(change["old"][name] != change["new"][name] for name in ("inferred_positive", "inferred_negative")):
            self._send_picture()

    def _choose(self, keys: list[str], why: Plain | None = None) -> None:
        """Choose nodes and say why, in words of their own or given."""
        self.selected = keys
        self._show_why(why or why_of(self.graph, self.cluster, self._scene, keys, self._friends))

    def _remember(self, _: Any = None) -> None:
        self._memory.update(
            screen=self._screen, query=self._query, layers=dict(self.layers), look=self._look,
            placed=dict(self.placed), selected=list(self.selected),
        )  # fmt: skip
        self._update_twin()
