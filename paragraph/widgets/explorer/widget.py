"""The Explorer: find a cluster, see its signed graph, ask why a label holds, and take the results back to Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ...decisions.labels import DecidedLabels
from ...decisions.log import DecisionLog
from ...doubts.trust import Trusted
from ...draw.page import source
from ...draw.view import View
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ..base.live import checked_friends, held
from ..base.records import Plain
from ..base.sketch import Sketch, beside, sketch
from ..base.widget import LAYERS, PAGE, Bench, Refused
from ..pages import NOTEBOOK, living
from .browse import ClusterList, Query, recall
from .help import HELP
from .keeper import Keeper
from .kept import NO_LOG, Kept
from .looks import Attributes, Look
from .records import neighbours_of
from .saved import KERNEL, page
from .still import still

__all__ = ["Explorer"]

HERE = Path(__file__).parent
OPEN = 6  # clusters shown as sentences at a time
VIEWS = ("cluster", "clusters")


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Refuse a value that cannot be read."""
    try:
        yield
    except (PairsError, KeyError, AttributeError, TypeError, ValueError) as error:
        raise Refused(f"this is no {what}: {error}") from None


class Explorer(Kept):
    """See the clusters of a graph, and the origin of each label.

    The left side lists the clusters: sort them, filter them, search their sentences. The middle shows one cluster
    with its neighbours, or the cluster of clusters. The right side lists its sentences and describes the cluster,
    then the item that was clicked. Every choice can be read and set from Python; setting it changes the picture.

    The Explorer lives in the page, which keeps the clusters that it has received and asks Python for others. You can
    read its content while a cell runs, and after the kernel has stopped.

    Parameters
    ----------
    graph : ParaphraseGraph
    cluster : int, optional
        The cluster to begin with; default: that of the last Explorer of the same cell and data, else the largest.
    columns : DataFrame, optional
        Further attributes of sentences, for their colours: one row per sentence, named by its `node` or `text`.
    suspects : DataFrame, optional
        The table of `paragraph.suspects`: a sentence is coloured by the most doubtful of its labels, and `layers` has
        a key `trust`: stated positives whose probability of being right is lower are taken out.
    friends : Trusted, optional
        A result of `paragraph.trust`: the style of an inferred label shows the probability that it is right, a proof
        names its weakest step, and `layers` has a key `sure`. The model reads the drawn sentences while inferred
        labels are on.
    log : path or DecisionLog, optional
        The log of decisions. With a line selected, ``x`` says that its label is wrong, ``k`` that it is right, ``a``
        that nobody can say; ``u`` takes back the last answer, ``w`` writes a note, ``s`` sends the selection (or else
        the open cluster) to a colleague. The log is created if it does not exist; reviews with the same log and
        reviewer do not ask again, and `paragraph.replay` applies it.
    reviewer : str, optional
        The person who decides: by default the log's reviewer.
    height : int
        Pixels.
    limit : int
        The most sentences drawn per cluster.
    distance : {"rounds", "hops"}
        The unit of the distance of inferred labels.
    seed : int
        The seed of the layout: the same seed gives the same picture.
    fresh : bool
        Forget the view of the last Explorer of the same cell and data.

    Attributes
    ----------
    cluster : int or None
        The open cluster.
    selection : DataFrame
        The selected sentences: `node`, `text`, `cluster`. Set it to nodes, sentences or such a table; up to six
        clusters of sentences that are not drawn will open.
    positions : dict
        ``{node: (x, y)}`` in pixels, for the drawn sentences of open clusters. Set some to move them.
    layers : dict
        The visible layers: `positive`, `negative`, `conflicts`, `inferred_positive`, `inferred_negative`, each True
        or False, the inferred ones up to `distance` and, with `friends`, from the probability `sure` on; `paths`:
        only conflicts and their paths; sentences with `degree` stated positives or more. Set a new one:
        ``explorer.layers | {"inferred_positive": True}``.
    left_out : DataFrame
        With `suspects`, the stated positives that ``layers["trust"]`` takes out, in the form for `apply_repairs`.
    view : {"cluster", "clusters"}
    query : Query
        The query of the list.
    sent : DataFrame
        The pairs sent to a colleague: ``pg.PairReview(explorer.sent, graph, "bo.db", reviewer="Bo")``.
    decision_log : DecisionLog or None
    look : Look
        The attribute for colour, and the amount drawn: ``explorer.look.with_(color="degree")``.

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

    _css = Bench._css + source(HERE / "style.css")
    _esm = f"{Bench._script}\n{living(KERNEL)}\n{source(NOTEBOOK, HERE / 'notebook.js')}"

    data = traitlets.Dict()  #: what stays the same, and the list as columns of numbers
    given = traitlets.Dict()  #: records, and answers to questions of the page, of what Python has shown last
    screen = traitlets.Dict()  #: the open cluster, the view, the clusters shown as sentences, sentences wanted
    asked = traitlets.Dict()  #: the query of the list
    looks = traitlets.Dict()  #: colour, captions, reach

    def __init__(
        self,
        graph: ParaphraseGraph,
        cluster: int | None = None,
        *,
        columns: pd.DataFrame | None = None,
        suspects: pd.DataFrame | None = None,
        friends: Trusted | None = None,
        log: str | PathLike | DecisionLog | None = None,
        reviewer: str | None = None,
        height: int = 600,
        limit: int = 300,
        distance: str = "rounds",
        seed: int = 0,
        fresh: bool = False,
    ):
        memory = self._memory = recall(checked_graph(graph, "Explorer"), seed, fresh)
        self._friends = checked_friends(friends, graph)
        self._layers = LAYERS | {"paths": False, "degree": 0}
        if friends is not None:
            self._layers |= {"sure": getattr(friends.keep, "level", 0.0)}
        if suspects is not None:
            self._layers |= {"trust": 0.0}
        self.graph, self.limit, self.distance, self.seed = graph, limit, distance, seed
        self._attributes = Attributes(graph, columns, suspects)
        self._list = ClusterList(graph, self._attributes.doubted)
        self._decisions = None if log is None else DecidedLabels(graph, log, reviewer)
        self._keeper = Keeper(graph, self._attributes, self._list, self._friends, limit, seed)
        self._tell_decided()
        self._sketch = lru_cache(8)(self._sketch)
        # Single sentences would crowd the list, unless there is nothing else.
        start = Query() if graph.cluster_sizes.max(initial=0) > 1 else Query(bounds={})
        first = 0 if len(graph.cluster_sizes) else None
        if cluster is not None:
            first, memory = self._checked(cluster), memory | {"selected": [], "screen": None}
        view, kept = (self._memory.get("screen") or {"view": "cluster"})["view"], memory.get("layers", {})
        self.screen = memory.get("screen") or {"view": view} | self._at(first, view)
        asked = memory.get("asked", start.plain)
        self.asked = asked if {*asked["bounds"]} <= {*self._list.columns} else start.plain
        self.selected = memory.get("selected", [])
        self.looks = vars(self._attributes.possible(Look(**memory.get("looks", {}))))
        # A page begins with the state at the time it is opened.
        super().__init__(
            height=height, shortcuts=HELP, placed=memory.get("placed", {}), data=self._data(start),
            layers={name: kept.get(name, value) for name, value in self._layers.items()}, given=self._given(),
        )  # fmt: skip
        self.observe(self._remember, ["screen", "asked", "looks", "layers", "placed", "selected"])
        self._remember()

    def _data(self, start: Query) -> Plain:
        """Return the data that a page needs before it asks anything."""
        graph, of, columns = self.graph, self._attributes, {}
        for name, column in self._list.counts.items():
            columns[name] = column.astype(np.min_scalar_type(column.max(initial=0))).tobytes() if len(column) else []
        return {
            "bipartite": graph.bipartite, "hops": self.distance == "hops", "table": graph.pairs is not None,
            "isTrusted": self._friends is not None, "colors": of.colors, "start": start.plain, "nobody": NO_LOG,
            "attributes": {name: of.scale(name) for name in of.values},
            "columns": columns | {"count": len(graph.cluster_sizes)},
        }  # fmt: skip

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def cluster(self) -> int | None:
        """The open cluster."""
        return self.screen["cluster"]

    @cluster.setter
    def cluster(self, cluster: int) -> None:
        self._go(self._at(self._checked(cluster), self.view))

    @property
    def view(self) -> str:
        """``"cluster"``: sentences of the open cluster; ``"clusters"``: it and its neighbours as nodes."""
        return self.screen["view"]

    @view.setter
    def view(self, view: str) -> None:
        if view not in VIEWS:
            raise PairsError(f"view {view!r} is not one of {', '.join(map(repr, VIEWS))}")
        self._go({"view": view} | self._at(self.cluster, view))

    @property
    def query(self) -> Query:
        """The query of the list of clusters."""
        return Query.of(self.asked)

    @query.setter
    @held
    def query(self, query: Query) -> None:
        self.asked = query.plain
        self.given = self._given(page=0)

    @property
    def look(self) -> Look:
        """An attribute for colour, how many labels and neighbours."""
        return Look(**self.looks)

    @look.setter
    def look(self, look: Look) -> None:
        self.looks = vars(self._attributes.check(look))

    @property
    def found(self) -> np.ndarray:
        """The ids of all clusters that match the query, in its order."""
        return self._list.find(self.query)

    @property
    def selection(self) -> pd.DataFrame:
        """The selected sentences: `node`, `text`, `cluster`; all sentences of a selected cluster node."""
        numbers = [(key[0], int(key[1:])) for key in self.selected]
        parts = [self.graph.members(n) if kind == "c" else np.array([n]) for kind, n in numbers]
        nodes = np.concatenate([np.empty(0, np.int64), *parts])
        texts = pd.Series(self.graph.texts(nodes), dtype="str")
        return pd.DataFrame({"node": nodes, "text": texts, "cluster": self.graph.cluster_of[nodes]})

    @selection.setter
    @held
    def selection(self, chosen: pd.DataFrame | Iterable[int | str]) -> None:
        if isinstance(chosen, pd.DataFrame):
            if "node" not in chosen and "text" not in chosen:
                raise PairsError(f"a selection has a column node or text, not {', '.join(map(str, chosen))}")
            chosen = chosen["node"] if "node" in chosen else chosen["text"]
        chosen = [chosen] if isinstance(chosen, str | int | np.integer) else chosen
        nodes = [self.graph.node(one) for one in chosen]
        if not {f"n{node}" for node in nodes} <= {*beside(self._sketches)}:
            homes = list(dict.fromkeys(self.graph.cluster_of[nodes].tolist()))
            closed = not set(homes) <= set(self.screen["opened"])
            opened = {"cluster": homes[0], "opened": homes[:OPEN]} if closed else {}
            self._go(opened | {"wanted": nodes})
        self.selected = [f"n{node}" for node in dict.fromkeys(nodes)]

    @property
    def positions(self) -> dict[int, tuple[float, float]]:
        """The place of each drawn sentence of open clusters: ``{node: (x, y)}``, in pixels."""
        spots = beside(self._sketches).items()
        return {int(key[1:]): tuple(self.placed.get(key, spot)) for key, spot in spots}

    @positions.setter
    def positions(self, positions: Mapping[int, tuple[float, float]]) -> None:
        spots = {f"n{self.graph.node(node)}": [float(x), float(y)] for node, (x, y) in positions.items()}
        self.placed = self.placed | spots

    @property
    def left_out(self) -> pd.DataFrame:
        """The stated positives that ``layers["trust"]`` takes out: ``apply_repairs(graph, explorer.left_out)``."""
        if self._attributes.doubted is None:
            raise PairsError("nothing is left out: how probably labels are wrong is not known without suspects=")
        return self._attributes.doubted.table(self.layers["trust"])

    # -- what a page may set --------------------------------------------------------------------------------

    @traitlets.validate("screen")
    def _check_screen(self, proposal: Plain) -> Plain:
        screen = proposal["value"]
        with _refusing("screen"):
            opened, nodes = screen["opened"], [self.graph.node(one) for one in screen["wanted"]]
            clusters = [self._checked(one) for one in [screen["cluster"], *opened] if one is not None]
            whole = len(screen) == 4 and screen["view"] in VIEWS and len(opened) == len({*opened}) <= OPEN
            if whole and (screen["cluster"] is not None or not self.graph.n):
                return screen | {"opened": clusters[len(clusters) - len(opened) :], "wanted": nodes}
            raise PairsError(f"{screen!r:.200}")

    @traitlets.validate("asked")
    def _check_asked(self, proposal: Plain) -> Plain:
        with _refusing("query"):
            return self._list.check(Query.of(proposal["value"])).plain

    @traitlets.validate("looks")
    def _check_looks(self, proposal: Plain) -> Plain:
        with _refusing("look"):
            return vars(self._attributes.check(Look(**proposal["value"])))

    @traitlets.validate("selected")
    def _check_selected(self, proposal: Plain) -> list[str]:
        for key in proposal["value"]:
            most = {"n": self.graph.n, "c": len(self.graph.cluster_sizes)}.get(key[:1], 0)
            if not (key[1:].isdecimal() and int(key[1:]) < most):
                raise Refused(f"{key!r} is no sentence and no cluster")
        return proposal["value"]

    # -- how it is done ------------------------------------------------------------------------------------

    def _checked(self, cluster: int) -> int:
        """Return the number of a cluster, if it exists."""
        if not len(self.graph.cluster_sizes):
            raise PairsError(f"there is no cluster {cluster!r}: the graph has no sentences")
        if isinstance(cluster, bool) or not isinstance(cluster, int | np.integer):
            raise PairsError(f"cluster {cluster!r} is not a number")
        self.graph.members(cluster)
        return int(cluster)

    @staticmethod
    def _at(cluster: int | None, view: str) -> Plain:
        """Return a screen of a cluster, without the view."""
        opened = [cluster] if view == "cluster" and cluster is not None else []
        return {"cluster": cluster, "opened": opened, "wanted": []}

    @held
    def _go(self, changes: Plain) -> None:
        """Show another screen, with nothing selected."""
        self.screen, self.selected = self.screen | changes, []
        self.given = self._given()

    def _given(self, page: int | None = None) -> Plain:
        """Return the page's questions for this screen, and a page of its list; None: that with the open cluster."""
        screen, words, found = self.screen, self.asked["words"], self.found
        if page is None:
            at = np.flatnonzero(found == screen["cluster"])
            page = int(at[0]) // PAGE if len(at) else 0
        ids = found[page * PAGE : (page + 1) * PAGE].tolist()
        answers = [["names", {"ids": ids, "words": words}, self._keeper.names(ids, words)]]
        if words.split():
            answers.append(["search", {"words": words}, self._keeper.search(words)])
        open, around = [c for c in [screen["cluster"], *screen["opened"]] if c is not None], self.look.neighbours
        open += [int(key[1:]) for key in self.selected if key[0] == "c"]
        if open and not screen["opened"]:
            near = [open[0], *neighbours_of(self.graph, open[0], around)]
            answers.append(["around", {"ids": near}, self._keeper.around(near)])
        records = self._keeper.clusters(list(dict.fromkeys(open)), [], [], screen["wanted"], around)
        return {"clusters": records, "answers": answers}

    @property
    def _sketches(self) -> tuple[Sketch, ...]:
        """The open clusters as drawn; if none is, the selected one."""
        opened = self.screen["opened"] or [self.cluster] * (self.cluster is not None)
        return tuple(self._sketch(cluster, tuple(self.screen["wanted"])) for cluster in opened)

    def _sketch(self, cluster: int, wanted: tuple[int, ...]) -> Sketch:
        return sketch(self.graph, cluster, self.limit, self.seed, wanted)

    def _still(self) -> View:
        return still(self, self._sketches)

    _page = page

    def _draw_twin(self) -> None:
        if self._live:  # a notebook that is opened again begins with what was on screen
            self.given = self._given()
        super()._draw_twin()

    def _remember(self, _: Any = None) -> None:
        names = ("screen", "asked", "looks", "layers", "placed", "selected")
        self._memory.update({name: getattr(self, name) for name in names})
        self._update_twin()
