"""The widget of the Triad Lab: it judges the graph on the table, draws it, and answers clicks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...balance import Balance, as_signed, balance, shortest_unbalanced_cycle
from ...draw.lettering import oneline, shorten, wrap
from ...draw.style import line
from ...draw.view import Drawn, View
from ...pairs import PairsError
from ..bench.widget import Bench
from . import exercises, table
from .exercises import take as take_exercise  # `exercises` is a parameter of the constructor
from .starts import starts

if TYPE_CHECKING:
    import networkx as nx

    from ...balance.exercises import Sheet

__all__ = ["TriadLab"]

HIDDEN = "hidden until the vote is closed"
ANSWERS = [(kind, answer) for kind in ("strong", "weak") for answer in ("balanced", "not balanced")]


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
        super().__init__(height=height, name="Triad Lab")
        self.seed, self.sheet = seed, exercises
        self._starts = starts()
        self._cycle_none = False  # does a click also remove an edge?
        self._hidden, self._votes = False, {}
        self._rule, self._dynamics = "local", None
        self._exercise = None
        self._scene_number = 0
        if exercises is not None:
            take_exercise(self, exercise)
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
        self._send_picture()
        self._send_why()
        self._send_controls()
        self._update_twin()

    @property
    def _secret(self) -> bool:
        return self._hidden or self._exercise is not None

    @property
    def _unbalanced(self) -> Balance | None:
        """The verdict that shows an unbalanced cycle, the weak one first."""
        return next((self.verdicts[kind] for kind in ("weak", "strong") if not self.verdicts[kind]), None)

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

    def _send_picture(self) -> None:
        verdict = next((self.verdicts[kind] for kind in ("weak", "strong") if self.verdicts[kind]), None)
        nodes = []
        for node in self._graph:
            text, (x, y) = self._text(node), self._spots[node]
            label = "\n".join(wrap(shorten(oneline(text), 44), 24)[:2])
            camp = {} if verdict is None or self._secret else {"camp": verdict.camp_of(node)}
            entry = {"key": self._key(node), "text": text, "label": label, "size": 1, "conflict": False}
            nodes.append(entry | {"x": x, "y": y} | camp)
        edges = [
            {
                "id": f"e{self._number[a]}-{self._number[b]}", "from": self._key(a), "to": self._key(b), "sign": sign,
                "layer": "positive" if sign > 0 else "negative", "count": 1,
                "text": f"{_symbol(sign)} Click to turn the sign.",
            }
            for a, b, sign in self._graph.edges(data="sign")
        ]  # fmt: skip
        self.picture = {
            "scene": self._scene_number, "view": "lab", "title": self._title(), "note": self._message,
            "nodes": nodes, "edges": edges, "inferred": [], "farthest": 1,
        }  # fmt: skip

    def _title(self) -> str:
        if self._exercise is not None:
            return f"Exercise {self._exercise.number}: {self._exercise.title}"
        signs = [sign for *_, sign in self._graph.edges(data="sign")]
        name = self._start[:1].upper() + self._start[1:]
        return f"{name}: {len(self._graph)} nodes, {signs.count(1)} +, {signs.count(-1)} −"

    def _send_why(self) -> None:
        if self._exercise is not None:
            panel = exercises.panel(self)
        elif self._hidden:
            panel = self._vote_panel()
        else:
            panel = self._verdict_panel()
        if self._dynamics is not None:
            shares = self._dynamics.balanced_shares
            panel["chart"] = {"points": shares, "title": "Share of balanced triads, step by step"}
        self._show_why(panel)

    def _vote_panel(self) -> dict[str, Any]:
        """What the class can vote for, with the votes so far."""
        actions = [
            {"text": f"{kind}: {answer} ({self._votes.get((kind, answer), 0)})", "intent": "vote",
             "content": {"kind": kind, "answer": answer}}
            for kind, answer in ANSWERS
        ]  # fmt: skip
        reveal = {"text": "Reveal the verdict (r)", "intent": "control", "content": {"name": "reveal", "value": True}}
        text = f"Is this graph balanced? The verdict is {HIDDEN}."
        return {"title": "Vote", "text": text, "actions": [*actions, reveal]}

    def _verdict_panel(self) -> dict[str, Any]:
        facts = [[f"{kind} balance", _verdict(verdict)] for kind, verdict in self.verdicts.items()]
        strong, weak = self.verdicts["strong"], self.verdicts["weak"]
        for verdict in (strong, weak):
            if not verdict and (verdict is strong or verdict.cycle != strong.cycle):
                facts.append([f"unbalanced cycle ({verdict.kind})", self._product(verdict)])
        if strong:
            camps = "One camp" if len(np.unique(strong.camps)) == 1 else "Two camps"
            text = f"{camps}: every cycle has an even number of negatives."
        elif weak:
            text = "More than two camps: friends of friends are friends, but enemies of enemies need not be."
        else:
            text = "A path of positives is contradicted by one negative: no camps agree with every edge."
        panel = {"title": "Verdict", "facts": facts, "text": text, "note": "Click a line to turn its sign."}
        if self._unbalanced is not None:
            keys = list(map(self._key, self._unbalanced.cycle))
            panel["highlight"] = {"nodes": keys, "edges": [list(one) for one in _around(keys)], "soft": True}
        return panel

    def _product(self, verdict: Balance) -> str:
        names = [shorten(oneline(self._text(node)), 18) for node in verdict.cycle]
        signs = " · ".join(map(_symbol, verdict.cycle_signs))
        return f"{' – '.join([*names, names[0]])}: {signs} = {_symbol(np.prod(verdict.cycle_signs))}"

    def _send_controls(self) -> None:
        one, moving, controls = self._exercise, self._dynamics, []
        if self.sheet is not None:
            options = [["0", "free play"]] + [[str(n), f"{n}. {title}"] for n, title in self.sheet.titles()]
            controls.append(_select("exercise", "exercise", str(one.number) if one else "0", options))
        if one is None:
            names = self._starts if self._start in self._starts else [self._start, *self._starts]
            controls += [
                _select("start", "start", self._start, [[name, name] for name in names]),
                _button("node", "+ node", "n", "Add a node (n)"),
                _button("remove", "remove", "Delete", "Remove the chosen nodes (Delete)", not self.selected),
            ]
        if one is None or one.kind == "graph":
            hint = "A third click removes the edge; two chosen nodes without an edge get one"
            controls += [
                _toggle("none", "click: + / − / none", self._cycle_none, hint),
                _button("undo", "undo", "u", "Undo (u)", not self.history),
            ]
        if one is None:
            rules = [["local", "local triad"], ["constrained", "constrained"]]
            controls += [
                {"kind": "gap"},
                _select("rule", "dynamics", self._rule, rules) | {"hint": "Antal, Krapivsky and Redner (2005)"},
                _button("back", "◀", "b", "A step back (b)", moving is None or not moving.history),
                _button("step", "▶", "f", "A step forward (f)"),
                _button("play", "▶▶", "p", "Play to the end (p)"),
                {"kind": "gap"},
                _toggle("hide", "predict first", self._hidden, "Hide the verdict until the class has voted"),
            ]
        self.controls = controls

    # -- intents -------------------------------------------------------------------------------------------

    def on_edge(self, id: str) -> None:
        """An edge was clicked: its sign turns; in an exercise about edges, it is chosen."""
        a, b = (self._node(f"n{number}") for number in id[1:].split("-"))
        sign = self._graph.edges[a, b]["sign"]
        if self._exercise is not None and self._exercise.kind in ("edges", "cycle"):
            exercises.pick(self, a, b)
            self._show()
        elif self._exercise is None or self._exercise.kind == "graph":
            self.set_sign(a, b, -1 if sign > 0 else 0 if self._cycle_none else 1)

    def on_select(self, keys: list[str]) -> None:
        """Nodes were clicked. Two without an edge get one, where a click also removes edges."""
        nodes = [self._node(key) for key in keys]
        if len(nodes) == len(self.selected) == 1 and keys != self.selected and self._cycle_none:
            pair = self._node(self.selected[0]), nodes[0]
            if not self._graph.has_edge(*pair) and (self._exercise is None or self._exercise.kind == "graph"):
                self.selected = []
                self.set_sign(*pair, 1)
                return
        self.selected = list(keys)
        self._send_controls()

    def on_expand(self, key: str) -> None:
        """A double click has no meaning here."""

    def on_vote(self, kind: str, answer: str) -> None:
        """One vote of the class."""
        if (kind, answer) not in ANSWERS:
            raise PairsError(f"no vote for {kind!r}, {answer!r}")
        self._votes[kind, answer] = self._votes.get((kind, answer), 0) + 1
        self._send_why()

    def on_answer(self, answer: Any = None) -> None:
        """An answer to the exercise: a choice, what was typed, or what was clicked."""
        if self._exercise is None:
            raise PairsError("no exercise is on the table")
        self._grade = self.sheet.check(self._exercise.number, exercises.answered(self, answer))
        self._send_why()

    def on_hint(self) -> None:
        """The next hint."""
        self._hint = self.sheet.hint(self._exercise.number)
        self._send_why()

    def on_control(self, name: str, value: Any) -> None:
        """A button, choice or switch of the bar."""
        if name not in CONTROLS:
            raise PairsError(f"no control is called {name!r}")
        CONTROLS[name](self, value)

    # -- still pictures ------------------------------------------------------------------------------------

    def _still(self) -> View:
        number = {node: i for i, node in enumerate(self._graph)}
        shown = None if self._secret else self._unbalanced
        cycle = set() if shown is None else set(map(frozenset, _around(shown.cycle)))
        edges = []
        for a, b, sign in self._graph.edges(data="sign"):
            kind = line(sign)
            if frozenset((a, b)) in cycle:
                kind = kind._replace(halo=True, name=f"{kind.name.split(',')[0]}, of an unbalanced cycle")
            edges.append(Drawn(number[a], number[b], kind, 0.0, _symbol(sign)))
        spots = [self.placed.get(self._key(node), self._spots[node]) for node in number]
        positions = np.array(spots, dtype=float).reshape(-1, 2) / [table.SPACING, -table.SPACING]
        title = self._title()
        if self._hidden:
            title += f" — {HIDDEN}"
        elif self._exercise is None:
            title += " — " + "; ".join(f"{kind}: {_verdict(verdict)}" for kind, verdict in self.verdicts.items())
        return View(title, np.arange(len(number)), [self._text(node) for node in number], edges, positions)


def _select_exercise(lab: TriadLab, value: str) -> None:
    if int(value):
        take_exercise(lab, int(value))
    else:
        lab._exercise = None
        table.lay(lab, "the four triads")


def _select_rule(lab: TriadLab, value: str) -> None:
    lab._rule, lab._dynamics = value, None
    lab._show()


def _hide(lab: TriadLab, hidden: bool) -> None:
    lab._hidden, lab._votes = bool(hidden), {} if hidden else lab._votes
    lab._show()


def _toggle_none(lab: TriadLab, value: bool) -> None:
    lab._cycle_none = bool(value)
    lab._send_controls()


#: What each button, choice and switch does: (lab, value) → None.
CONTROLS = {
    "exercise": _select_exercise,
    "start": lambda lab, name: table.lay(lab, name),
    "node": lambda lab, _: table.add(lab),
    "remove": lambda lab, _: table.remove(lab),
    "none": _toggle_none,
    "undo": lambda lab, _: table.undo(lab),
    "rule": _select_rule,
    "back": lambda lab, _: table.back(lab),
    "step": lambda lab, _: table.play(lab, 1),
    "play": lambda lab, _: table.play(lab),
    "hide": _hide,
    "reveal": lambda lab, _: _hide(lab, False),
}


def _toggle(name: str, text: str, value: bool, hint: str) -> dict[str, Any]:
    return {"kind": "toggle", "name": name, "text": text, "value": value, "hint": hint}


def _button(name: str, text: str, key: str, hint: str, disabled: bool = False) -> dict[str, Any]:
    return {"kind": "button", "name": name, "text": text, "key": key, "hint": hint, "disabled": disabled}


def _select(name: str, text: str, value: str, options: list[list[str]]) -> dict[str, Any]:
    return {"kind": "select", "name": name, "text": text, "value": value, "options": options}


def _shortest(verdict: Balance) -> Balance:
    """The verdict with a shortest unbalanced cycle for its witness; the table is small enough to look for one."""
    cycle = None if verdict else shortest_unbalanced_cycle(verdict.graph, verdict.kind)
    return verdict if cycle is None else replace(verdict, cycle=cycle)


def _around(cycle: list) -> list[tuple]:
    """The edges of a cycle given by its nodes."""
    return list(zip(cycle, cycle[1:] + cycle[:1], strict=True))


def _symbol(sign: int) -> str:
    return "+" if sign > 0 else "−"


def _verdict(verdict: Balance) -> str:
    if not verdict:
        return "✗ not balanced"
    camps = len(np.unique(verdict.camps))
    return f"✓ balanced, {camps} camp{'s' * (camps != 1)}"
