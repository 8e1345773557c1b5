"""The Explorer: find a cluster, see its signed graph, ask why a label holds, and take the results back to Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ...decisions.log import DecisionLog
from ...decisions.marks import Marks
from ...doubts.trust import Trusted
from ...draw.page import source
from ...draw.shared import LISTED, PAGE
from ...draw.view import View
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ..base.doubted import Doubted
from ..base.keys import naming_keys
from ..base.records import Plain, pair_of
from ..base.widget import LAYERS, Bench
from ..pages import NOTEBOOK, living
from .help import CHOICES, HELP
from .keeper import QUESTIONS, Keeper
from .query import ClusterList
from .saved import KERNEL, page
from .state import Screen
from .still import still_of

__all__ = ["Explorer"]

HERE = Path(__file__).parent
#: The message if nothing can be decided.
NO_LOG = 'To decide here, give the Explorer a log: pg.Explorer(graph, log=pg.DecisionLog("mine.db", "your name")).'


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
    suspects : DataFrame, optional
        The table of `paragraph.suspects`: a sentence is coloured by the most doubtful of its labels, and `layers` has
        a key `trust`: stated positives whose probability of being right is lower are taken out.
    trusted : Trusted, optional
        A result of `paragraph.trust`: the style of an inferred label shows the probability that it is right, a proof
        names its weakest step, and `layers` has a key `sure`. The model reads the drawn sentences while inferred
        labels are on.
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
    positions : dict
        ``{node: (x, y)}`` in pixels, of the sentences that were dragged. Set some to move them.
    layers : dict
        The visible layers: `positive`, `negative`, `conflicts`, `inferred_positive`, `inferred_negative`, each True
        or False, the inferred ones up to `distance` and, with `trusted`, from the probability `sure` on. Set a new
        one: ``explorer.layers | {"inferred_positive": True}``.
    left_out : DataFrame
        With `suspects`, the stated positives that ``layers["trust"]`` takes out: `text_a`, `text_b`, `label`,
        `p_wrong`.
    view : {"cluster", "clusters"}
    query : dict
        The query of the list (`query.EVERYTHING`): ``explorer.query |= {"words": "exam", "sort": "size"}``.
    found : array
        The ids of all clusters that match the query, in its order.
    look : dict
        The meaning of colours, "conflicts" or "p_wrong": ``explorer.look = {"color": "p_wrong"}``.
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

    def __init__(
        self,
        graph: ParaphraseGraph,
        *,
        suspects: pd.DataFrame | None = None,
        trusted: Trusted | None = None,
        log: DecisionLog | None = None,
    ):
        self.graph = checked_graph(graph, "Explorer")
        self._layers = dict(LAYERS)
        self._colors = ["conflicts"]
        self._doubted = None
        if suspects is not None:
            self._doubted = Doubted(graph, suspects)
            self._layers["trust"] = 0.0
            self._colors.append("p_wrong")
        self._list = ClusterList(graph, self._doubted)
        self._keeper = Keeper(graph, self._doubted, trusted)
        if trusted is not None:
            self._layers["sure"] = float(getattr(trusted.keep, "level", 0))
        self._questions = {name: getattr(self._keeper, name) for name in QUESTIONS}
        self._questions |= {
            "names": self._list.names,
            "search": self._list.search,
            "save": self._saved,
        }
        if suspects is not None:
            self._questions["apart"] = self._doubted.apart
        self._decisions = None
        if log is not None:
            self._decisions = Marks(graph, log, None)
            self._questions["follows"] = self._decisions.follows
            self._questions |= {name: partial(self._act, name) for name in ("decide", "undo")}
        self.screen = self._at(0 if graph.n else None, "cluster")
        self.query = self._list.start
        self.look = {"color": "conflicts"}
        self._tell_decided()
        # A page begins with the state at the time it is opened.
        super().__init__(
            shortcuts=HELP, data=self._data(), layers=self._layers, prefetched=self._prefetched()
        )
        self.observe(lambda _: self._update_twin(), ["screen", "layers", "selected"])

    def _data(self) -> Plain:
        """Return the data that a page needs before it asks anything."""
        columns: Plain = {"count": len(self.graph.cluster_sizes)}
        for name, column in self._list.counts.items():
            columns[name] = []
            if len(column):
                columns[name] = column.astype(np.min_scalar_type(column.max())).tobytes()
        return self._keeper.about | {
            "start": self._list.start,
            "nobody": NO_LOG,
            "choices": CHOICES,
            "colors": self._colors,
            "columns": columns,
        }

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def left_out(self) -> pd.DataFrame:
        """The stated positives that ``layers["trust"]`` takes out, the most doubtful first."""
        if self._doubted is None:
            raise PairsError(
                "nothing is left out: how probably labels are wrong is not known without suspects="
            )
        return self._doubted.table(self.layers["trust"])

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
            self._list.decide(self.decided["answers"])

    def _act(self, name: str, **content: Any) -> Plain:
        """Decide or undo as the page asks."""
        try:
            return getattr(self._decisions, name)(**content)
        finally:
            self._tell_decided()
            self.send_state("decided")  # before the answer: then the page marks what it tells

    # -- for pages and paper -------------------------------------------------------------------------------

    def _prefetched(self) -> Plain:
        """Return answers to the page's questions about this screen: records, and the page of the list with it."""
        screen = self.screen
        words = self.query["words"]
        found = self.found.tolist()
        first = 0
        if screen["cluster"] in found:
            place = found.index(screen["cluster"])
            first = place - place % PAGE
        ids = found[first : first + PAGE]
        answers = [["names", {"ids": ids, "words": words}, self._list.names(ids, words)]]
        if words.split():
            answers.append(["search", {"words": words}, self._list.search(words)])
        open = list(screen["opened"])
        if self.graph.n:
            open.insert(0, screen["cluster"])
        open += [int(key[1:]) for key in self.selected if key[0] == "c"]
        records = self._keeper.clusters(open, [], [], screen["wanted"])
        return {"clusters": records, "answers": answers}

    def _still(self) -> View:
        if self.cluster is None:
            return View("The graph has no sentences.", [], [], np.empty((0, 2)))
        return still_of(
            self.graph, self.screen["opened"] or [self.cluster], self.layers, self.selected
        )

    _page = page

    def _saved(self) -> str:
        """Return the page for a file, and tell the page that asks how much of it is done."""
        return page(self, lambda share: self.send({"saving": share}))

    @traitlets.observe("snapshot")
    def _follow_page(self, change: Any) -> None:
        # a notebook that is opened again begins with what was on screen
        self.prefetched = self._prefetched()
        super()._follow_page(change)
