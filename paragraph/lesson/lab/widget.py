"""The Triad Lab in a notebook: it lives in the browser; Python gives it graphs, and keeps the results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import traitlets

from ...balance import Balance, as_signed, balance
from ...draw.page import source
from ...draw.signed import signed_view
from ...draw.view import View
from ...files import PairsError
from ...widgets import base
from ...widgets.base.records import Plain
from ...widgets.base.widget import Bench, Refused
from ...widgets.pages import NOTEBOOK, living
from ..exercises import Sheet
from ..exercises.ask import steps
from .contents import HELP, exercise_on_the_table, given, known, lab_page, starts
from .table import laid, lifted, names, places_of

__all__ = ["TriadLab"]

HERE = Path(__file__).parent
BASE = Path(base.__file__).parent
KERNEL = (BASE / "layout.js", *(HERE / f"{name}.js" for name in (
    "places", "graph", "balance", "triads", "dynamics", "telling", "answers", "judges", "table", "bench", "verdict",
    "question", "story", "bar", "drawn", "pupil", "changes", "playing", "working", "kernel",
)))  # fmt: skip

TICKS = {True: "✓", False: "✗"}
FIRST = "triad ++-"  #: what lies on the table at first

#: The state before anything is done; bench.js describes each part.
WORK = {"place": 0, "sheet": None, "student": "", "attempts": {}, "vote": None, "revealed": False, "wall": None,
        "asked": None, "right": [], "removes": False, "rule": "local", "story": None}  # fmt: skip


class TriadLab(Bench):
    """A signed graph to experiment with: click an edge to turn its sign, and both verdicts change at once.

    Strong balance (Harary 1953) and weak balance (Davis 1967) are shown with their witness: the camps by colour, or
    an unbalanced cycle drawn thick with its signs. Play dynamics, predict before the verdict is
    shown, draw your own graph, or work through exercises. ``lab.save("lab.html")`` writes the Lab for a
    class as one file without Python: a pupil's name selects one of eight sheets of exercises, progress stays in the
    browser, and `paragraph.lesson.summaries` reads the files that are handed in.

    Parameters
    ----------
    graph : str, signed graph, or ParaphraseGraph, optional
        The name of a start (`starts`), a networkx graph whose edges carry `sign`, the result of
        `paragraph.balance.read_signed`, or a dataset from which `cluster` is taken. It has at most 60 nodes.
    cluster : int, optional
        For a `ParaphraseGraph`: the cluster whose sentences are the nodes, with its stated labels.
    exercises : Sheet, optional
        A `paragraph.lesson.exercises.Sheet` to work through, from number `exercise` on. It keeps the results.
    seed : int
        The seed of the dynamics.

    Attributes
    ----------
    graph : networkx.Graph
        A copy of the graph on the table; set it to put another one there.
    history : list of dict
        The changes since: ``{"did": "sign", "edge": (a, b), "from": 1, "to": -1}`` and so on.
    verdicts : dict
        ``{"strong": Balance, "weak": Balance}``.
    sheet : Sheet or None
        The current sheet.

    Examples
    --------
    >>> from paragraph.lesson import TriadLab
    >>> lab = TriadLab("triad ++-")
    >>> bool(lab.verdicts["weak"]), lab.verdicts["weak"].cycle_signs
    (False, [1, 1, -1])
    >>> other = lab.graph
    >>> other["A"]["C"]["sign"] = 1
    >>> lab.graph = other
    >>> bool(lab.verdicts["weak"])
    True
    """

    _css = Bench._css + source(HERE / "style.css")
    _esm = f"{Bench._script}\n{living(KERNEL)}\n{source(NOTEBOOK, HERE / 'notebook.js')}"

    data = traitlets.Dict()  #: starts, exercises and keys, for JavaScript
    table = traitlets.Dict({"of": None, "nodes": [], "edges": []})  #: the graph, see table.js
    changes = traitlets.List()  #: its history
    work = traitlets.Dict(WORK)  #: place in the sheet, answers, votes, dynamics: see bench.js
    progress = traitlets.Dict()  #: what was done on each exercise, by its number

    def __init__(
        self,
        graph: Any = FIRST,
        cluster: int | None = None,
        *,
        exercises: Sheet | None = None,
        exercise: int = 1,
        height: int = 520,
        seed: int = 0,
    ):
        if exercises is not None and not isinstance(exercises, Sheet):
            raise PairsError(
                f"exercises is a Sheet to work through, not a {type(exercises).__name__}"
            )
        self.sheet = exercises
        self._seed = seed
        self._own = nx.Graph()
        work = WORK
        progress = {}
        sheets = []
        if exercises is None:
            table = self._laid(graph, *given(graph, cluster))
        else:
            one = exercises.exercise(exercise)
            table = exercise_on_the_table(one)
            progress = json.loads(exercises.to_json())["progress"]
            work = WORK | {"place": one.number, "sheet": 0, "student": exercises.student}
            sheets.append(exercises)
        # All at once, because the page begins with its first state.
        data = known(sheets, seed)
        table["scene"] = 1
        super().__init__(
            height=height,
            name="Triad Lab",
            shortcuts=HELP,
            data=data,
            table=table,
            work=work,
            progress=progress,
        )

    @property
    def graph(self) -> nx.Graph:
        """A copy of the graph on the table."""
        return lifted(self.table, self._source(self.table["of"]))

    @graph.setter
    def graph(self, graph: Any) -> None:
        self.lay(graph)

    @property
    def history(self) -> list[Plain]:
        """The changes since the graph was put on the table."""
        name = self._names()
        changes = []
        for change in self.changes:
            if change["did"] == "sign":
                edge = tuple(name[end] for end in change["edge"])
                changes.append(change | {"edge": edge})
            else:
                node = name[change["node"]["key"]]
                changes.append({"did": change["did"], "node": node})
        return changes

    @property
    def verdicts(self) -> dict[str, Balance]:
        """Both verdicts on the graph, with an unbalanced cycle where there is one."""
        return {kind: balance(self.graph, kind) for kind in ("strong", "weak")}

    def lay(self, graph: Any) -> None:
        """Put a start (by name) or a signed graph on the table.

        If an exercise asks for a graph, one on its nodes is put there as the answer.
        """
        name, found = given(graph)
        place = self.work["place"]
        if 0 < place <= len(self.progress):
            one = self.sheet.exercise(place)
            if one.kind in ("draw", "turn") and set(found) == set(one.graph):
                drawn = nx.create_empty_copy(one.asked.graph)
                drawn.add_edges_from(found.edges(data=True))
                self._put(self.table | {"edges": laid(drawn)["edges"]})
                return
        self._put(self._laid(graph, name, found), place=0)

    # -- the table in Python -------------------------------------------------------------------------------

    def _put(self, table: Plain, **work: Any) -> None:
        """Reset the table: nothing is selected, no node was moved, and there is nothing to take back."""
        work["revealed"] = False
        if self.work["vote"] is not None:
            work["vote"] = ""
        scene = self.table.get("scene", 0)
        with self.hold_sync():
            self.work = self.work | work
            self.table = table | {"scene": scene + 1}
            self.changes = []
            self.placed = {}
            self.selected = []

    def _laid(self, graph: Any, name: str, found: nx.Graph) -> Plain:
        """Return the given graph in the form for the table; keep it for later, unless it is a start."""
        if isinstance(graph, str):
            return laid(found, name, name)
        self._own = found
        return laid(found, name)

    def _source(self, of: str | int | None) -> nx.Graph:
        """Return the original graph: a start, that of an exercise, or the given one."""
        if isinstance(of, int):
            return self.sheet.exercise(of).asked.graph
        if of is None:
            return self._own
        return starts()[of]()

    def _names(self) -> Plain:
        added = [change["node"] for change in self.changes if "node" in change]
        return names(self._source(self.table["of"]), [*self.table["nodes"], *added])

    @traitlets.validate("table")
    def _check_table(self, proposal: Plain) -> Plain:
        table = proposal["value"]
        try:
            as_signed(lifted(table, self._source(table["of"])))
        except (PairsError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise Refused(f"this is no table: {error!r:.200}") from None
        return table

    @traitlets.validate("progress")
    def _keep_progress(self, proposal: Plain) -> Plain:
        """Keep the results in the sheet, and so in its file."""
        try:
            for number, done in proposal["value"].items():
                self.sheet.keep(int(number), **done)
        except (PairsError, AttributeError, TypeError, ValueError) as error:
            raise Refused(f"this is no progress: {error}") from None
        return proposal["value"]

    # -- still pictures ------------------------------------------------------------------------------------

    @traitlets.observe("table", "work", "placed")
    def _follow(self, _: Any) -> None:
        self._update_twin()

    def _page(self, *_: Any) -> str:
        own = None
        if self.sheet is None and (self.table["of"] != FIRST or self.changes):
            own = self.table
        return lab_page(self, KERNEL, own, self.sheet or Sheet(self._seed), WORK)

    def _still(self) -> View:
        """Return the table for paper, with the verdict in the title and its unbalanced cycle on yellow."""
        graph = self.graph
        positions = places_of(self.table, self.placed)
        title = self.table["name"]
        is_hidden = self.work["vote"] is not None and not self.work["revealed"]
        if self.work["place"] or is_hidden:
            return signed_view(graph, title, positions)
        strong = self.verdicts["strong"]
        weak = self.verdicts["weak"]
        title += f": strong balance {TICKS[strong.balanced]}, weak balance {TICKS[weak.balanced]}"
        cycle = weak.cycle or strong.cycle or ()
        camps = {}
        if weak:
            camps = {node: weak.camp_of(node) for node in graph}
        return signed_view(graph, title, positions, camps, steps(cycle))
