"""The widget of the Triad Lab: it draws a board and the work on it, and answers clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...pairs import PairsError
from ..base.widget import Bench
from . import panels, picture
from .board import Board
from .work import Work

if TYPE_CHECKING:
    import networkx as nx

    from ...balance import Balance, Sheet
    from ...draw.view import View

__all__ = ["TriadLab"]


class TriadLab(Bench):
    """A signed graph to poke at: click an edge to turn its sign, and both verdicts change at once.

    Strong balance (Harary 1953) and weak balance (Davis 1967) are shown with their witness: the camps by colour, or
    an unbalanced cycle drawn thick with the product of its signs. Play dynamics forward and back, let a class vote
    before the verdict is shown, draw a graph of your own, or work through exercises. ``lab.save("lab.html")`` writes
    the Lab for a class as one file without Python: a pupil's name chooses one of eight sheets of exercises, progress
    stays in the browser, and `paragraph.balance.summaries` reads the files that are handed in.

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
        self._board = Board(seed)
        self._work = Work(self._board, exercises)
        super().__init__(height=height, name="Triad Lab")
        if exercises is not None:
            self._work.go(exercise)
        else:
            self._board.lay(graph, cluster)
        self._show()

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that is worked through."""
        return self._work.sheet

    @property
    def graph(self) -> nx.Graph:
        """A copy of the graph on the table."""
        return self._board.graph.copy()

    @graph.setter
    def graph(self, graph: Any) -> None:
        self.lay(graph)

    @property
    def history(self) -> list[dict[str, Any]]:
        """The changes since the graph was put on the table."""
        return self._board.history

    @property
    def verdicts(self) -> dict[str, Balance]:
        """Both verdicts on the graph."""
        return self._board.verdicts

    def lay(self, graph: Any, cluster: int | None = None) -> None:
        """Put a start (by name), a signed graph, or a cluster of a dataset on the table."""
        self._board.lay(graph, cluster)
        if not self._work.draws:
            self._work.leave()
        self._clean()

    def set_sign(self, a: Any, b: Any, sign: int) -> None:
        """Give an edge a sign, +1 or -1; 0 removes it. An edge that was not there is added."""
        self._board.set_sign(a, b, sign)
        self._work.reopen()
        self._show()

    # -- drawing -------------------------------------------------------------------------------------------

    def _clean(self) -> None:
        """Show a table that was laid anew: nothing is chosen, and no node was moved."""
        with self.hold_sync():
            self.placed, self.selected = {}, []
            self._show()

    def _show(self) -> None:
        with self.hold_sync():
            self.picture = picture.drawn(self._board, self._work)
            self._send_why()
            self._send_controls()
        self._update_twin()

    def _send_controls(self) -> None:
        self.controls = panels.bar(self._board, self._work, bool(self._chosen))
        self.shortcuts = panels.helped(self.controls)

    def _send_why(self) -> None:
        if self._work.summary:
            panel = panels.summary(self._work.sheet)
        elif self._work.now is not None:
            panel = panels.question(self._board, self._work)
        else:
            panel = (panels.vote if self._board.hidden else panels.verdict)(self._board)
        self._show_why(panel | panels.chart(self._board))

    @property
    def _chosen(self) -> list[Any]:
        """The chosen nodes; a page may name one that is gone."""
        return self._board.nodes(self.selected)

    def _page(self) -> str:
        from .page import lab_page

        return lab_page(self, self._board, self.sheet, self.height)

    def _still(self) -> View:
        return picture.still(self._board, self._work, self.placed)

    # -- intents -------------------------------------------------------------------------------------------

    def on_edge(self, id: str) -> None:
        """Turn the sign of an edge that was clicked; an exercise may ask for something else."""
        for edge in self.picture["edges"]:
            if edge["id"] == id:  # else it went while the click was on its way
                a, b = self._board.nodes([edge["from"], edge["to"]])
                self._work.click_edge(a, b)
                self._show()

    def on_select(self, keys: list[str]) -> None:
        """Choose nodes. Two without an edge get one, where a click also removes edges."""
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            return
        before, chosen = self._chosen, self._board.nodes(keys)
        if keys and not chosen:
            return
        self.selected = list(map(self._board.key, chosen))
        if self._work.click_nodes(before, chosen):
            self.selected = []
            self._show()
        else:
            self._send_controls()

    def on_show(self, key: str) -> None:
        """Choose a sentence of the list in the picture."""
        self.on_select([key])

    def on_expand(self, key: str) -> None:
        """Do nothing: a double click is two clicks here."""

    def on_vote(self, kind: str, answer: str) -> None:
        """Count one vote of the class."""
        if (kind, answer) not in panels.ANSWERS:
            raise PairsError(f"no vote for {kind!r}, {answer!r}")
        self._board.votes[kind, answer] = self._board.votes.get((kind, answer), 0) + 1
        self._send_why()

    def on_answer(self, answer: Any = None) -> None:
        """Grade an answer to the exercise: a choice, what was typed, or what was clicked."""
        self._work.answer(answer)
        self._show()

    def on_hint(self) -> None:
        """Take the next hint."""
        self._work.hint()
        self._show()

    def on_control(self, name: str, value: Any) -> None:
        """Use a button, choice or switch of the bar."""
        if name not in CONTROLS:
            raise PairsError(f"no control is called {name!r}")
        if not self._work.free and name in FREE:  # an exercise keeps its nodes, and a click may come late
            return
        CONTROLS[name](self, value)
        if name in ("start", "exercise", "before", "next", "clear", "solve"):
            self._clean()
        else:
            self._show()

    def _undo(self) -> None:
        if self._work.free or self._work.draws:
            self._board.undo()
            self._work.reopen()

    def _remove(self) -> None:
        self._board.remove(self._chosen)
        self.selected = []

    def _hide(self, hidden: bool) -> None:
        self._board.hidden = hidden
        if not hidden:
            self._board.votes = {}


#: What each button, choice and switch does: (lab, value) → None.
CONTROLS = {
    "exercise": lambda lab, value: lab._work.go(int(value)),
    "before": lambda lab, _: lab._work.step(-1),
    "next": lambda lab, _: lab._work.step(1),
    "clear": lambda lab, _: lab._work.clear(),
    "solve": lambda lab, _: lab._work.solve(),
    "start": lambda lab, name: lab._board.lay(name),
    "node": lambda lab, _: lab._board.add(),
    "remove": lambda lab, _: lab._remove(),
    "none": lambda lab, value: setattr(lab._board, "removes", bool(value)),
    "undo": lambda lab, _: lab._undo(),
    "rule": lambda lab, value: lab._board.follow(value),
    "back": lambda lab, _: lab._board.back(),
    "step": lambda lab, _: lab._board.play(1),
    "play": lambda lab, _: lab._board.play(),
    "hide": lambda lab, value: lab._hide(bool(value)),
    "reveal": lambda lab, _: lab._hide(False),
}

#: Those of free play.
FREE = {"start", "node", "remove", "rule", "back", "step", "play", "hide", "reveal"}
