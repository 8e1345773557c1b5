"""The Explorer: find a cluster, see its signed graph, ask why a label holds, and take the results back to Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
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
from ...draw.view import View
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ..base.doubted import Doubted
from ..base.live import State, checked_friends, held
from ..base.records import DRAWN, Plain
from ..base.widget import LAYERS, PAGE, Bench, Refused
from ..pages import NOTEBOOK, living
from .columns import columns_of
from .help import HELP
from .keeper import QUESTIONS, Keeper
from .query import ClusterList
from .records import listed
from .saved import KERNEL, page
from .still import still_of

__all__ = ["Explorer"]

HERE = Path(__file__).parent
OPEN = 6  # clusters shown as sentences at a time
#: The message if nothing can be decided.
NO_LOG = 'To decide here, give the Explorer a log: pg.Explorer(graph, log=pg.DecisionLog("mine.db", "your name")).'


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Refuse a value that cannot be read."""
    try:
        yield
    except (PairsError, KeyError, AttributeError, TypeError, ValueError) as error:
        raise Refused(f"this is no {what}: {error}") from None


class Explorer(Bench):
    """See the clusters of a graph, and the origin of each label.

    The left side lists the clusters: sort them, filter them, search their sentences. The middle shows one cluster
    with its neighbours, or the cluster of clusters. The right side lists its sentences and describes the cluster,
    then the item that was clicked. Every choice can be read and set from Python; setting it changes the picture.

    The Explorer lives in the page, which keeps the clusters that it has received and asks Python for others. You can
    read its content while a cell runs, and after the kernel has stopped.

    Parameters
    ----------
    graph : ParaphraseGraph
    columns : DataFrame, optional
        Columns that colour sentences: one row per sentence, named by its `text` or `node`.
    suspects : DataFrame, optional
        The table of `paragraph.suspects`: a sentence is coloured by the most doubtful of its labels, and `layers` has
        a key `trust`: stated positives whose probability of being right is lower are taken out.
    friends : Trusted, optional
        A result of `paragraph.trust`: the style of an inferred label shows the probability that it is right, a proof
        names its weakest step, and `layers` has a key `sure`. The model reads the drawn sentences while inferred
        labels are on.
    log : DecisionLog, optional
        The log of decisions, with the name of the person who decides. With a line selected,
        ``f`` says that its label is wrong, ``k`` that it is right, ``a`` that nobody can say;
        ``u`` takes back the last answer, ``w`` writes a note. Reviews with the same log do not ask again,
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
        or False, the inferred ones up to `distance` and, with `friends`, from the probability `sure` on. Set a new
        one: ``explorer.layers | {"inferred_positive": True}``.
    left_out : DataFrame
        With `suspects`, the stated positives that ``layers["trust"]`` takes out, in the form for `apply_repairs`.
    view : {"cluster", "clusters"}
    query : dict
        The query of the list (`query.EVERYTHING`): ``explorer.query |= {"words": "exam", "sort": "size"}``.
    found : array
        The ids of all clusters that match the query, in its order.
    look : dict
        The meaning of colours, "conflicts", "p_wrong" or a column: ``explorer.look = {"color": "p_wrong"}``.
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
    prefetched = traitlets.Dict()  #: records, and answers to questions of the page, of what Python has shown last
    screen = traitlets.Dict()  #: the open cluster, the view, the clusters shown as sentences, sentences wanted
    query = State()  #: the query of the list
    look = State()  #: the meaning of colours
    shown = traitlets.Dict()  #: what Python has the page list
    decided = traitlets.Dict()  #: what a person has said of labels (`Marks.plain`); empty without a log

    def __init__(
        self,
        graph: ParaphraseGraph,
        *,
        columns: pd.DataFrame | None = None,
        suspects: pd.DataFrame | None = None,
        friends: Trusted | None = None,
        log: DecisionLog | None = None,
    ):
        self.graph = checked_graph(graph, "Explorer")
        self._friends = checked_friends(friends, graph)
        self._layers = dict(LAYERS)
        if friends is not None:
            self._layers |= {"sure": float(getattr(friends.keep, "level", 0))}
        if suspects is not None:
            self._layers |= {"trust": 0.0}
        self._doubted = None if suspects is None else Doubted(graph, suspects)
        self._columns = columns_of(graph, columns)
        doubt = [] if suspects is None else ["p_wrong"]
        self._colors = ["conflicts", *doubt, *self._columns]
        self._list = ClusterList(graph, self._doubted)
        self._decisions = None if log is None else Marks(graph, log, None)
        self._keeper = Keeper(graph, self._doubted, self._list, self._friends, self._columns)
        self._questions = {name: getattr(self._keeper, name) for name in QUESTIONS}
        self._questions |= {"names": self._list.names, "save": self._saved}
        if log is not None:
            self._questions |= {"follows": self._decisions.follows}
            self._questions |= {name: partial(self._act, name) for name in ("decide", "undo")}
        self.screen = {"view": "cluster"} | self._at(0 if len(graph.cluster_sizes) else None, "cluster")
        self.query = self._list.start
        self.look = {"color": "conflicts"}
        self._tell_decided()
        # A page begins with the state at the time it is opened.
        super().__init__(shortcuts=HELP, data=self._data(), layers=self._layers, prefetched=self._prefetched())
        self.observe(lambda _: self._update_twin(), ["screen", "layers", "selected"])

    def _data(self) -> Plain:
        """Return the data that a page needs before it asks anything."""
        columns = {}
        for name, column in self._list.counts.items():
            columns[name] = column.astype(np.min_scalar_type(column.max(initial=0))).tobytes() if len(column) else []
        return self._keeper.about | {
            "start": self._list.start, "nobody": NO_LOG, "colors": self._colors,
            "scales": {name: column.scale for name, column in self._columns.items()},
            "columns": columns | {"count": len(self.graph.cluster_sizes)},
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
        if view not in ("cluster", "clusters"):
            raise PairsError(f"view {view!r} is not one of 'cluster', 'clusters'")
        self._go({"view": view} | self._at(self.cluster, view))

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
        homes = list(dict.fromkeys(self.graph.cluster_of[nodes].tolist()))
        if not {*homes} <= {*self.screen["opened"]}:
            self._go({"cluster": homes[0], "opened": homes[:OPEN], "wanted": nodes})
        elif (self.graph.cluster_sizes[homes] > DRAWN).any() and not {*nodes} <= {*self.screen["wanted"]}:
            self._go({"wanted": nodes})
        self.selected = [f"n{node}" for node in dict.fromkeys(nodes)]

    @property
    def positions(self) -> dict[int, tuple[float, float]]:
        """The places of the sentences that were dragged or moved: ``{node: (x, y)}``, in pixels."""
        return {int(key[1:]): tuple(spot) for key, spot in self.placed.items()}

    @positions.setter
    def positions(self, positions: Mapping[int, tuple[float, float]]) -> None:
        spots = {f"n{self.graph.node(node)}": [float(x), float(y)] for node, (x, y) in positions.items()}
        self.placed = self.placed | spots

    @property
    def left_out(self) -> pd.DataFrame:
        """The stated positives that ``layers["trust"]`` takes out: ``apply_repairs(graph, explorer.left_out)``."""
        if self._doubted is None:
            raise PairsError("nothing is left out: how probably labels are wrong is not known without suspects=")
        return self._doubted.table(self.layers["trust"])

    def show_list(self, title: str, some: Iterable[Iterable[int]], total: int | None = None) -> None:
        """List sentences, or pairs of sentences, on the right: nodes, one or two each; the first 200 of `total`."""
        some = [[*map(self.graph.node, nodes)] for nodes in some]
        self.shown = listed(self.graph, title, some, total or len(some))

    # -- decisions -----------------------------------------------------------------------------------------

    @property
    def decision_log(self) -> DecisionLog | None:
        """The log of the decisions made here."""
        return self._decisions and self._decisions.log

    def decide(self, same: int | str) -> None:
        """Decide about the two selected sentences: 1 (the same), 0 (different) or "?" (nobody can say)."""
        if len(nodes := self.selection["node"].tolist()) != 2:
            raise PairsError(f"two sentences are to be chosen, not {len(nodes)}: explorer.selection = [one, other]")
        self._deciding.decide(*nodes, same)
        self._tell_decided()

    @property
    def _deciding(self) -> Marks:
        if self._decisions is None:
            raise PairsError(NO_LOG)
        return self._decisions

    def _tell_decided(self) -> None:
        if self._decisions is not None:
            self.decided = self._decisions.plain
            self._list.decide(self.decided["answers"])

    # -- what a page asks, and may set ---------------------------------------------------------------------

    def _act(self, name: str, **content: Any) -> Plain:
        """Decide or undo as the page asks."""
        try:
            return getattr(self._decisions, name)(**content)
        finally:
            self._tell_decided()
            self.send_state("decided")  # before the answer: then the page marks what it tells

    @traitlets.validate("screen")
    def _check_screen(self, proposal: Plain) -> Plain:
        screen = proposal["value"]
        with _refusing("screen"):
            opened = screen["opened"]
            nodes = [*map(self.graph.node, screen["wanted"])]
            clusters = [self._checked(one) for one in [screen["cluster"], *opened] if one is not None]
            whole = len(screen) == 4 and len(opened) == len({*opened}) <= OPEN
            known = screen["view"] in ("cluster", "clusters")
            if whole and known and (screen["cluster"] is not None or not self.graph.n):
                return screen | {"opened": clusters[len(clusters) - len(opened) :], "wanted": nodes}
            raise PairsError(f"{screen!r:.200}")

    @traitlets.validate("query")
    def _check_query(self, proposal: Plain) -> Plain:
        with _refusing("query"):
            return self._list.checked(proposal["value"])

    @traitlets.validate("look")
    def _check_look(self, proposal: Plain) -> Plain:
        if (look := proposal["value"]) not in [{"color": name} for name in self._colors]:
            raise Refused(f"a look is {{'color': one of {', '.join(self._colors)}}}, not {look!r:.200}")
        return look

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
        self.screen = self.screen | changes
        self.selected = []
        self.prefetched = self._prefetched()

    def _prefetched(self) -> Plain:
        """Return answers to the page's questions about this screen: records, and the page of the list with it."""
        screen = self.screen
        words = self.query["words"]
        found = self.found
        at = np.flatnonzero(found == screen["cluster"])
        page = int(at[0]) // PAGE if len(at) else 0
        ids = found[page * PAGE : (page + 1) * PAGE].tolist()
        answers = [["names", {"ids": ids, "words": words}, self._list.names(ids, words)]]
        if words.split():
            answers.append(["search", {"words": words}, self._keeper.search(words)])
        open = [c for c in [screen["cluster"], *screen["opened"]] if c is not None]
        open += [int(key[1:]) for key in self.selected if key[0] == "c"]
        records = self._keeper.clusters(list(dict.fromkeys(open)), [], [], screen["wanted"])
        return {"clusters": records, "answers": answers}

    def _still(self) -> View:
        if self.cluster is None:
            return View("The graph has no sentences.", [], [], np.empty((0, 2)))
        return still_of(self.graph, self.screen["opened"] or [self.cluster], self.layers, self.selected)

    _page = page

    def _saved(self) -> str:
        """Return the page for a file, and tell the page that asks how much of it is done."""
        return page(self, lambda share: self.send({"saving": share}))

    @traitlets.observe("snapshot")
    def _follow_page(self, change: Any) -> None:
        self.prefetched = self._prefetched()  # a notebook that is opened again begins with what was on screen
        super()._follow_page(change)
