"""The widget of the Triad Lab: it judges the graph on the table, draws it, and answers clicks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...balance import Balance, Sheet, as_signed, balance, shortest_unbalanced_cycle
from ...pairs import PairsError
from ..bench.widget import Bench
from . import controls, panels, picture, question, table
from . import exercises as work  # `exercises` is a parameter of the constructor
from .starts import starts

if TYPE_CHECKING:
    import networkx as nx

    from ...draw.view import View

__all__ = ["TriadLab"]


class TriadLab(Bench):
    """A signed graph to poke at: click an edge to turn its sign, and both verdicts change at once.

    Strong balance (Harary 1953) and weak balance (Davis 1967) are shown with their witness: the camps by colour, or
    an unbalanced cycle drawn thick with the product of its signs. Play dynamics forward and back, let a class vote
    before the verdict is shown, draw a graph of your own, or work through exercises.

    Parameters
    ----------
    graph : str, signed networkx graph, or ParaphraseGraph, optional
        The name of a start (`starts`), a graph whose edges carry `sign`, or a dataset of which `cluster` is taken.
    cluster : int, optional
        Of a `ParaphraseGraph`: the cluster whose sentences are the nodes, with its stated labels.
    exercises : Sheet, optional
        A `paragraph.balance.exercises.Sheet` to work through, from number `exercise` on.
    seed : int
        Of layout and dynamics.

    Attributes
    ----------
    graph : networkx.Graph
        A copy of what is on the table; set it to put something else there.
    history : list of dict
        The changes since: ``{"did": "sign", "edge": (a, b), "from": 1, "to": -1}`` and so on.
    verdicts : dict
        ``{"strong": Balance, "weak": Balance}``.

    Examples
    --------
    >>> from paragraph.widgets import TriadLab
    >>> lab = TriadLab("triad ++-")
    >>> bool(lab.verdicts["weak"]), lab.verdicts["weak"].cycle_signs
    (False, [1, 1, -1])
    >>> lab.set_sign("A", "C", +1)
    >>> bool(lab.verdicts["weak"]), lab.history[-1]["to"]
    (True, 1)
    """

    def __init__(
        self,
        graph: Any = "the four triads",
        cluster: int | None = None,
        *,
        exercises: Sheet | None = None,
        exercise: int = 1,
        height: int = 520,
        seed: int = 0,
    ):
        if exercises is not None and not isinstance(exercises, Sheet):
            raise PairsError(f"exercises is a Sheet to work through, not a {type(exercises).__name__}")
        super().__init__(height=height, name="Triad Lab")
        self.seed, self.sheet = seed, exercises
        self._starts = starts()
        self._cycle_none = False  # does a click also remove an edge?
        self._hidden, self._votes = False, {}
        self._rule, self._dynamics = "local", None
        self._attempt, self._attempts = None, {}  # the exercise on the table, and all that were, by number
        self._summary = False  # of the sheet, at its end
        self._scene_number = 0
        if exercises is not None:
            work.go(self, exercise)
        else:
            table.lay(self, graph, cluster)

    @property
    def graph(self) -> nx.Graph:
        """A copy of the graph on the table."""
        return self._graph.copy()

    @graph.setter
    def graph(self, graph: Any) -> None:
        self.lay(graph)

    def lay(self, graph: Any, cluster: int | None = None) -> None:
        """Put a start (by name), a signed graph, or a cluster of a dataset on the table."""
        with self.hold_sync():
            if not work.draws(self):
                self._attempt, self._summary = None, False
            table.lay(self, graph, cluster)

    def set_sign(self, a: Any, b: Any, sign: int) -> None:
        """Give an edge a sign, +1 or -1; 0 removes it. An edge that was not there is added."""
        if sign not in (1, -1, 0):
            raise PairsError(f"sign {sign!r} is not one of 1, -1, 0")
        for node in (a, b):
            if node not in self._graph:
                raise PairsError(f"{node!r} is not on the table")
        if a == b:
            raise PairsError("a node has no edge to itself")
        with self.hold_sync():
            table.put(self, a, b, sign)
            self._message = ""  # a message about the start no longer holds
            self._changed()

    def _changed(self, keep_dynamics: bool = False) -> None:
        """Judge again and draw."""
        if not keep_dynamics:
            self._dynamics, self._votes = None, {}
        signed = as_signed(self._graph)
        self.verdicts = {kind: _shortest(balance(signed, kind)) for kind in ("strong", "weak")}
        self._show()

    # -- drawing -------------------------------------------------------------------------------------------

    def _show(self) -> None:
        self.picture = picture.drawn(self)
        self._send_why()
        self.controls = controls.bar(self)
        self.shortcuts = controls.helped(self.controls)
        self._update_twin()

    def _send_why(self) -> None:
        panel = question.panel if not self._free else panels.vote if self._hidden else panels.verdict
        self._show_why(panel(self) | panels.chart(self))

    @property
    def _free(self) -> bool:
        """Is this free play, and no exercise?"""
        return self._attempt is None and not self._summary

    @property
    def _secret(self) -> bool:
        return self._hidden or not self._free

    @property
    def _unbalanced(self) -> Balance | None:
        """The verdict that shows an unbalanced cycle, the weak one first."""
        return next((self.verdicts[kind] for kind in ("weak", "strong") if not self.verdicts[kind]), None)

    @property
    def _chosen(self) -> list[Any]:
        """The nodes chosen, of those that are on the table: a page may speak of one that is gone."""
        keys = {self._key(node): node for node in self._graph}
        return [keys[key] for key in dict.fromkeys(self.selected) if key in keys]

    def _answer_is_open(self) -> None:
        """A grade speaks of the graph as it was."""
        if self._attempt is not None:
            self._attempt.grade = None

    def _text(self, node: Any) -> str:
        return str(self._graph.nodes[node].get("text", node))

    def _key(self, node: Any) -> str:
        return f"n{self._number[node]}"

    def _node(self, key: str) -> Any:
        """The node of a key; `PairsError` where there is none."""
        for node in self._graph:
            if self._key(node) == key:
                return node
        raise PairsError(f"no node has the key {key!r}")

    def _still(self) -> View:
        return picture.still(self)

    # -- intents -------------------------------------------------------------------------------------------

    def on_edge(self, id: str) -> None:
        """An edge was clicked: its sign turns; an exercise may ask for something else."""
        ends = next(({edge["from"], edge["to"]} for edge in self.picture["edges"] if edge["id"] == id), None)
        if ends is None:  # it went while the click was on its way
            return
        a, b = map(self._node, sorted(ends))
        if self._attempt is not None:
            work.click_edge(self, a, b)
        elif self._free:
            sign = self._graph.edges[a, b]["sign"]
            self.set_sign(a, b, -1 if sign > 0 else 0 if self._cycle_none else 1)

    def on_select(self, keys: list[str]) -> None:
        """Nodes were clicked. Two without an edge get one, where a click also removes edges."""
        known, before = {self._key(node) for node in self._graph}, self._chosen
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            return
        if keys and known.isdisjoint(keys):
            return
        self.selected = [key for key in dict.fromkeys(keys) if key in known]
        chosen = self._chosen
        if self._attempt is not None and self._attempt.one.kind == "camps":
            self.selected = []
            for node in chosen[:1]:
                work.click_node(self, node)
        elif len(chosen) == len(before) == 1 and chosen != before and self._joins(*before, *chosen):
            self.selected = []
            self.set_sign(*before, *chosen, self._sign_between(*before, *chosen))
        else:
            self.controls = controls.bar(self)

    def on_show(self, key: str) -> None:
        """A sentence of the list: it is chosen in the picture."""
        self.on_select([key])

    def on_expand(self, key: str) -> None:
        """A double click has no meaning of its own here: it is two clicks."""

    def _joins(self, a: Any, b: Any) -> bool:
        """Do two clicks join these nodes?"""
        may = self._cycle_none if self._free else work.draws(self) and self._attempt.one.touch != "turn"
        return may and not self._graph.has_edge(a, b)

    def _sign_between(self, a: Any, b: Any) -> int:
        """The sign with which an edge comes (back): that of the exercise, where it has one."""
        shown = self._attempt.one.graph if self._attempt is not None else None
        return shown.edges[a, b]["sign"] if shown is not None and shown.has_edge(a, b) else 1

    def on_vote(self, kind: str, answer: str) -> None:
        """One vote of the class."""
        if (kind, answer) not in panels.ANSWERS:
            raise PairsError(f"no vote for {kind!r}, {answer!r}")
        self._votes[kind, answer] = self._votes.get((kind, answer), 0) + 1
        self._send_why()

    def on_answer(self, answer: Any = None) -> None:
        """An answer to the exercise: a choice, what was typed, or what was clicked."""
        work.answer(self, answer)

    def on_hint(self) -> None:
        """The next hint."""
        work.hint(self)

    def on_control(self, name: str, value: Any) -> None:
        """A button, choice or switch of the bar."""
        controls.use(self, name, value)


def _shortest(verdict: Balance) -> Balance:
    """The verdict with a shortest unbalanced cycle for its witness; the table is small enough to look for one."""
    cycle = None if verdict else shortest_unbalanced_cycle(verdict.graph, verdict.kind)
    return verdict if cycle is None else replace(verdict, cycle=cycle)
