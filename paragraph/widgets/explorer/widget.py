"""The Explorer: find a cluster, see its signed graph, ask why a label holds, and take the results back to Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import traitlets

from ...decisions.log import DecisionLog
from ...decisions.marks import Marks
from ...draw.page import source
from ...draw.shared import LISTED, PAGE
from ...draw.style import POSITIVE
from ...draw.view import Drawn, View, view_of
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ...graph.core import checked_graph
from ..base.keys import MOUSE, deciding, help_of, naming_keys
from ..base.records import Plain, about, clusters, pair_of
from ..base.widget import Bench
from ..pages import NOTEBOOK, living
from .query import ClusterList
from .saved import KERNEL, page
from .state import Screen

__all__ = ["Explorer"]

HERE = Path(__file__).parent
#: The message if nothing can be decided.
NO_LOG = 'To decide here, give the Explorer a log: pg.Explorer(graph, log=pg.DecisionLog("mine.db", "your name")).'

#: What can be said of the chosen label: key (`KEYS`), name, button, hint.
CHOICES = [
    ["flip", "flip", "Wrong", "Its label should be the other one"],
    ["keep", "keep", "Right", "Its label is as it should be"],
    ["ambiguous", "ambiguous", "Ambiguous", "Nobody can say"],
]
HELP = help_of(
    {
        "step": None, "page": None, "search": "search sentences", "go on": "open the first cluster of the list",
        **deciding(CHOICES), "undo": None, "note": None, "view": None, "zoom": None,
        "number": "the layers on and off, from left to right", "back": "back: help, search, selection", "help": None,
    },
    MOUSE,
    "cluster", "clusters",
)  # fmt: skip


@naming_keys
class Explorer(Screen):
    """See the clusters of a graph, and the origin of each label.

    The left side lists the clusters: sort them, filter them, search their sentences. The middle shows one cluster
    with its neighbours, or the cluster of clusters. The right side lists its sentences and describes the cluster,
    then the item that was clicked. Every choice can be read and set from Python; setting it changes the picture.

    The Explorer lives in the page, which keeps the clusters that it has received and asks Python for others. You can
    read its content while a cell runs, and after the kernel has stopped.

    Parameters
    ----------
    graph : ParaphraseGraph
    log : DecisionLog, optional
        The log of decisions, with the name of the person who decides. With a line selected,
        ``{flip}`` says that its label is wrong, ``{keep}`` that it is right, ``{ambiguous}`` that nobody can say;
        ``{undo}`` takes back the last answer, ``{note}`` writes a note. Reviews with the same log do not ask again,
        and `paragraph.replay` applies it.

    Attributes
    ----------
    cluster : int or None
        The open cluster; at first the largest.
    selection : DataFrame
        The selected sentences: `node`, `text`, `cluster`. Set it to nodes, sentences or such a table; up to six
        clusters of sentences that are not drawn will open.
    placed : dict
        Where sentences were dragged: ``{"n12": [x, y]}`` for sentence 12, in pixels. Set some to move them.
    layers : dict
        The visible layers: `positive`, `negative`, `conflicts`, `inferred_positive`, `inferred_negative`, each True
        or False, the inferred ones up to `distance`: ``explorer.layers |= {"inferred_positive": True}``.
    view : {"cluster", "clusters"}
    query : dict
        The query of the list (`query.EVERYTHING`): ``explorer.query |= {"words": "exam", "sort": "size"}``.
    decision_log : DecisionLog or None

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
    shown = traitlets.Dict()  #: what Python has the page list
    #: what a person has said of labels (`Marks.plain`); empty without a log
    decided = traitlets.Dict()

    def __init__(self, graph: ParaphraseGraph, *, log: DecisionLog | None = None):
        self.graph = checked_graph(graph, "Explorer")
        self._list = ClusterList(graph)
        self._last_names: Plain = {}  # the page of the list that was asked for last
        self._questions = {
            "clusters": partial(clusters, graph),
            "names": self._names,
            "search": self._list.search,
        }
        self._decisions = None
        if log is not None:
            self._decisions = Marks(graph, log, None)
            self._questions["follows"] = self._decisions.follows
            self._questions |= {name: partial(self._act, name) for name in ("decide", "undo")}
        self.screen = self._at(0 if graph.n else None, "cluster")
        self.query = self._list.start
        self._tell_decided()
        # A page begins with the state at the time it is opened.
        super().__init__(shortcuts=HELP, data=self._data(), prefetched=self._prefetched())
        self.observe(lambda _: self._update_twin(), ["screen", "layers", "selected"])

    def _data(self) -> Plain:
        """Return the data that a page needs before it asks anything."""
        columns: Plain = {"count": len(self.graph.cluster_sizes)}
        for name, column in self._list.counts.items():
            columns[name] = []
            if len(column):
                columns[name] = column.astype(np.min_scalar_type(column.max())).tobytes()
        return about(self.graph) | {
            "start": self._list.start,
            "nobody": NO_LOG,
            "choices": CHOICES,
            "columns": columns,
        }

    def _names(self, ids: list[int], words: str) -> list[list[Any]]:
        """Name the clusters of a page of the list, and remember which they were."""
        names = self._list.names(ids, words)
        self._last_names = {"ids": ids, "words": words}
        return names

    def show_list(self, title: str, some: Iterable[Iterable[int]], total: int) -> None:
        """List sentences, or pairs of sentences, on the right: nodes, one or two each; the first 200 of `total`."""
        some = list(some)[:LISTED]
        entries = [pair_of(self.graph, nodes) for nodes in some]
        note = ""
        if total > len(some):
            note = f"{len(some):,} of {total:,} are listed."
        self.shown = {"title": title, "pairs_title": f"{total:,}", "pairs": entries, "note": note}

    # -- decisions -----------------------------------------------------------------------------------------

    @property
    def decision_log(self) -> DecisionLog | None:
        """The log of the decisions made here."""
        return self._decisions and self._decisions.log

    def decide(self, same: int | str) -> None:
        """Decide about the two selected sentences: 1 (the same), 0 (different) or "?" (nobody can say)."""
        nodes = self.selection["node"].tolist()
        if len(nodes) != 2:
            raise PairsError(
                f"two sentences are to be chosen, not {len(nodes)}: explorer.selection = [one, other]"
            )
        if self._decisions is None:
            raise PairsError(NO_LOG)
        self._decisions.decide(*nodes, same)
        self._tell_decided()

    def _tell_decided(self) -> None:
        if self._decisions is not None:
            self.decided = self._decisions.plain

    def _act(self, name: str, **content: Any) -> Plain:
        """Decide or undo as the page asks."""
        try:
            return getattr(self._decisions, name)(**content)
        finally:
            self._tell_decided()
            self.send_state("decided")  # before the answer: then the page marks what it tells

    # -- for pages and paper -------------------------------------------------------------------------------

    def _prefetched(self) -> Plain:
        """Return answers to the page's questions about this screen: records, and names for a page of the list.

        By the first query, the page has the open cluster; by another, it is the one that was asked for last.
        """
        screen = self.screen
        if self.query == self._list.start:
            first = 0
            if self.graph.n and screen["cluster"] < self._list.listed:
                first = screen["cluster"] - screen["cluster"] % PAGE
            ids = range(first, min(first + PAGE, self._list.listed))
            self._last_names = {"ids": list(ids), "words": ""}
        answers = [["names", self._last_names, self._list.names(**self._last_names)]]
        words = self.query["words"]
        if words.split():
            answers.append(["search", {"words": words}, self._list.search(words)])
        opened = list(screen["opened"])
        if self.graph.n:
            opened.insert(0, screen["cluster"])
        opened += [int(key[1:]) for key in self.selected if key[0] == "c"]
        records = clusters(self.graph, opened, [], [], screen["wanted"])
        return {"clusters": records, "answers": answers}

    def _still(self) -> View:
        """The open clusters, with the layers and the sentences that are chosen."""
        if self.cluster is None:
            return View("The graph has no sentences.", [], [], np.empty((0, 2)))
        graph = self.graph
        layers = self.layers
        closure = None
        if (layers["inferred_positive"] or layers["inferred_negative"]) and not graph.bipartite:
            closure = infer(graph, max_distance=layers["distance"])
        view = view_of(graph, self.screen["opened"] or [self.cluster], closure=closure)
        nodes = map(graph.node, view.texts)
        chosen = [place for place, node in enumerate(nodes) if f"n{node}" in self.selected]
        shown = [line for line in view.edges if layers[layer_of(line)]]
        return view._replace(edges=shown, chosen=frozenset(chosen))

    _page = page

    @traitlets.observe("snapshot")
    def _follow_page(self, change: Any) -> None:
        # a notebook that is opened again begins with what was on screen
        self.prefetched = self._prefetched()
        super()._follow_page(change)


def layer_of(label: Drawn) -> str:
    """Return the name of the layer that shows a line."""
    if label.line.halo:
        return "conflicts"
    sign = "positive" if label.line.color == POSITIVE else "negative"
    return f"inferred_{sign}" if label.line.width < 1 else sign
