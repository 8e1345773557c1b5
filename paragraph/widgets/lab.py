"""The Triad Lab: a signed graph that answers when it is poked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..balance import Balance, as_signed, balance, shortest_guilty_cycle
from ..draw.lettering import oneline, shorten, wrap
from ..draw.style import line
from ..draw.view import Drawn, View
from ..pairs import PairsError
from .lab_dynamics import Moving
from .lab_exercises import Exercising
from .lab_starts import starts
from .lab_table import SPACING, Table
from .lab_votes import HIDDEN, Voting

if TYPE_CHECKING:
    from ..balance.exercises import Sheet

__all__ = ["TriadLab"]

LAYERS = {"positive": True, "negative": True, "conflicts": True, "inferred_positive": False,
          "inferred_negative": False, "distance": 1}  # fmt: skip


class TriadLab(Table, Moving, Voting, Exercising):
    """A signed graph to poke at: click an edge and its sign turns, and both verdicts change at once.

    Strong balance (Harary 1953) and weak balance (Davis 1967) are shown with their witness: the camps by colour, or
    the guilty cycle drawn thick with the product of its signs. Play dynamics forward and back, let a class vote
    before the verdict shows, draw a graph of your own, or work through exercises.

    Parameters
    ----------
    graph : str, signed networkx graph, or ParaphraseGraph, optional
        The name of a start (`starts`), a graph whose edges carry `sign`, or a dataset of which `cluster` is taken.
    cluster : int, optional
        Of a `ParaphraseGraph`: the cluster whose sentences are the nodes, with its stated labels.
    exercises : Sheet, optional
        `paragraph.balance.exercises.Sheet`: the exercises to work through, from number `exercise` on.
    seed : int
        Of layout and dynamics.

    Attributes
    ----------
    graph : networkx.Graph
        A copy of what is on the table; set it to put something else there.
    history : list of dict
        What was done since: ``{"did": "sign", "edge": (a, b), "from": 1, "to": -1}`` and so on.
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
        super().__init__(height=height, layers=dict(LAYERS), name="Triad Lab")
        self.seed, self.sheet = seed, exercises
        self._starts = starts()
        self._start = ""
        self._cycle_none = False  # does a click also take an edge away?
        self._votes = {}
        self._scene_number = 0
        self._said = ""
        if exercises is not None:
            self._take_exercise(exercise)
        else:
            self._lay(graph, cluster)

    def _changed(self, keep_dynamics: bool = False) -> None:
        """Judge again and draw."""
        if not keep_dynamics:
            self._dynamics = None
        signed = as_signed(self._graph)
        self.verdicts = {kind: _shortest(balance(signed, kind)) for kind in ("strong", "weak")}
        self._votes = {} if not keep_dynamics else self._votes
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

    def _text(self, node: Any) -> str:
        return str(self._graph.nodes[node].get("text", node))

    def _send_picture(self) -> None:
        camps = self.verdicts["weak" if self.verdicts["weak"] else "strong"]
        shown = (self.verdicts["weak"] or self.verdicts["strong"]) and not self._secret
        nodes = []
        for node, i in self._number.items():
            text = self._text(node)
            x, y = self._spots[node]
            label = "\n".join(wrap(shorten(oneline(text), 44), 24)[:2])
            entry = {"key": f"n{i}", "text": text, "label": label, "size": 1, "conflict": False, "x": x, "y": y}
            if shown:
                entry["camp"] = int(camps.camps[camps.graph.index(node)])
            nodes.append(entry)
        edges = [
            {
                "id": f"e{self._number[a]}-{self._number[b]}", "from": f"n{self._number[a]}",
                "to": f"n{self._number[b]}", "sign": sign, "layer": "positive" if sign > 0 else "negative",
                "count": 1, "text": f"{'+' if sign > 0 else '−'} Click to turn the sign.",
            }
            for a, b, sign in self._graph.edges(data="sign")
        ]  # fmt: skip
        self.picture = {
            "scene": self._scene_number, "view": "lab", "title": self._title(), "note": self._said,
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
            said = self._exercise_panel()
        elif self._hidden:
            said = self._vote_panel()
        else:
            said = self._verdict_panel()
        if self._dynamics is not None:
            shares = self._dynamics.balanced_shares
            said["chart"] = {"points": shares, "title": "Share of balanced triads, step by step"}
        self.why = said | {"n": self.why.get("n", 0) + 1}

    def _verdict_panel(self) -> dict[str, Any]:
        strong, weak = self.verdicts["strong"], self.verdicts["weak"]
        facts = [["strong balance", _verdict(strong)], ["weak balance", _verdict(weak)]]
        for name, verdict in (("strong", strong), ("weak", weak)):
            if not verdict and (name == "strong" or verdict.cycle != strong.cycle):
                facts.append([f"guilty ({name})", self._product(verdict)])
        said = {"title": "Verdict", "facts": facts, "text": self._reading(), "note": "Click a line to turn its sign."}
        guilty = weak if not weak else strong
        if not guilty:
            keys = [f"n{self._number[node]}" for node in guilty.cycle]
            said["highlight"] = {"nodes": keys, "edges": [list(one) for one in _around(keys)], "soft": True}
        return said

    def _product(self, verdict: Any) -> str:
        names = [shorten(oneline(self._text(node)), 18) for node in verdict.cycle]
        signs = " · ".join("+" if sign > 0 else "−" for sign in verdict.cycle_signs)
        product = "+" if np.prod(verdict.cycle_signs) > 0 else "−"
        return f"{' – '.join([*names, names[0]])}: {signs} = {product}"

    def _reading(self) -> str:
        strong, weak = self.verdicts["strong"], self.verdicts["weak"]
        if strong:
            camps = len(np.unique(strong.camps))
            return f"{'One camp' if camps == 1 else 'Two camps'}: every cycle has an even number of negatives."
        if weak:
            return "More than two camps: friends of friends are friends, but enemies of enemies need not be."
        return "A path of positives is contradicted by one negative: whichever camps one tries, some edge is wrong."

    def _send_controls(self) -> None:
        names = list(self._starts) if self._start in self._starts else [self._start, *self._starts]
        moving = self._dynamics
        controls = []
        if self._exercise is None:
            controls += [
                {"kind": "select", "name": "start", "text": "start", "value": self._start,
                 "options": [[name, name] for name in names]},
                {"kind": "button", "name": "node", "text": "+ node", "key": "n", "hint": "Add a node (n)"},
                {"kind": "button", "name": "remove", "text": "remove", "key": "Delete", "disabled": not self.selected,
                 "hint": "Remove the chosen nodes (Delete)"},
            ]  # fmt: skip
        if self._exercise is None or self._exercise.kind == "graph":
            controls += [
                {"kind": "toggle", "name": "none", "text": "click: + / − / none", "value": self._cycle_none,
                 "hint": "A third click takes the edge away; two chosen nodes without an edge get one"},
                {"kind": "button", "name": "undo", "text": "undo", "key": "u", "disabled": not self.history,
                 "hint": "Undo (u)"},
            ]  # fmt: skip
        if self._exercise is None:
            controls += [
                {"kind": "gap"},
                {"kind": "select", "name": "rule", "text": "dynamics", "value": self._rule,
                 "options": [["local", "local triad"], ["constrained", "constrained"]],
                 "hint": "Antal, Krapivsky and Redner (2005)"},
                {"kind": "button", "name": "back", "text": "◀", "key": "b", "hint": "A step back (b)",
                 "disabled": moving is None or not moving.history},
                {"kind": "button", "name": "step", "text": "▶", "key": "f", "hint": "A step forward (f)"},
                {"kind": "button", "name": "play", "text": "▶▶", "key": "p", "hint": "Play to the end (p)"},
                {"kind": "gap"},
                {"kind": "toggle", "name": "hide", "text": "predict first", "value": self._hidden,
                 "hint": "Hide the verdict until the class has voted"},
            ]  # fmt: skip
        if self.sheet is not None:
            options = [["0", "free play"]] + [[str(n), f"{n}. {title}"] for n, title in self.sheet.titles()]
            value = str(self._exercise.number) if self._exercise else "0"
            controls.insert(
                0, {"kind": "select", "name": "exercise", "text": "exercise", "value": value, "options": options}
            )
        self.controls = controls

    # -- intents -------------------------------------------------------------------------------------------

    def on_edge(self, id: str) -> None:
        """An edge clicked: its sign turns; in an exercise about edges, it is chosen."""
        i, j = (int(part) for part in id[1:].split("-"))
        nodes = list(self._number)
        a, b = nodes[i], nodes[j]
        if self._exercise is not None and self._exercise.kind in ("edges", "cycle"):
            pair = frozenset((a, b))
            self._picked = (
                [one for one in self._picked if one != pair] if pair in self._picked else [*self._picked, pair]
            )
            self._show()
            return
        if self._exercise is not None and self._exercise.kind != "graph":
            return
        sign = self._graph.edges[a, b]["sign"]
        self.set_sign(a, b, -1 if sign > 0 else 0 if self._cycle_none else 1)

    def on_select(self, keys: list[str]) -> None:
        """Nodes clicked. Two that have no edge get one, where edges may come and go."""
        known = {f"n{i}": node for node, i in self._number.items()}
        if not set(keys) <= set(known):
            raise PairsError(f"no such nodes: {keys}")
        if len(keys) == 1 and self._cycle_none and len(self.selected) == 1 and keys != self.selected:
            a, b = known[self.selected[0]], known[keys[0]]
            if not self._graph.has_edge(a, b) and (self._exercise is None or self._exercise.kind == "graph"):
                self.selected = []
                self.set_sign(a, b, 1)
                return
        self.selected = list(keys)
        self._send_controls()

    def on_expand(self, key: str) -> None:
        """A double click says nothing here."""

    def on_control(self, name: str, value: Any) -> None:
        """A button, choice or switch of the bar."""
        handler = getattr(self, f"_control_{name}", None)
        if handler is None:
            raise PairsError(f"no control is called {name!r}")
        handler(value)

    def _control_none(self, value: bool) -> None:
        self._cycle_none = bool(value)
        self._send_controls()

    # -- still pictures ------------------------------------------------------------------------------------

    def _still(self) -> View:
        nodes = list(self._number)
        number = {node: i for i, node in enumerate(nodes)}
        guilty = next((v for v in (self.verdicts["weak"], self.verdicts["strong"]) if not v), None)
        cycle = set()
        if guilty is not None and not self._secret:
            cycle = {frozenset(pair) for pair in _around(guilty.cycle)}
        edges = []
        for a, b, sign in self._graph.edges(data="sign"):
            kind = line(sign)
            if frozenset((a, b)) in cycle:
                kind = kind._replace(halo=True, name=f"{kind.name.split(',')[0]}, of a guilty cycle")
            edges.append(Drawn(number[a], number[b], kind, 0.0, "+" if sign > 0 else "−"))
        spots = [self.placed.get(f"n{self._number[node]}", self._spots[node]) for node in nodes]
        positions = np.array(spots, dtype=float).reshape(-1, 2) / [SPACING, -SPACING]
        title = self._title()
        if self._hidden:
            title += f" — {HIDDEN}"
        elif self._exercise is None:
            title += " — " + "; ".join(f"{kind}: {_verdict(verdict)}" for kind, verdict in self.verdicts.items())
        return View(title, np.arange(len(nodes)), [self._text(node) for node in nodes], edges, positions)


def _shortest(verdict: Balance) -> Balance:
    """The verdict with a shortest guilty cycle for its witness: on a table there is time to look for one."""
    cycle = None if verdict else shortest_guilty_cycle(verdict.graph, verdict.kind)
    return verdict if cycle is None else replace(verdict, cycle=cycle)


def _around(cycle: list) -> list[tuple]:
    """The edges of a cycle given by its nodes."""
    return list(zip(cycle, cycle[1:] + cycle[:1], strict=True))


def _verdict(verdict: Any) -> str:
    if not verdict:
        return "✗ not balanced"
    camps = len(np.unique(verdict.camps))
    return f"✓ balanced, {camps} camp{'s' * (camps != 1)}"
