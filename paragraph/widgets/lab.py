"""The Triad Lab: a signed graph that answers when it is poked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..balance import KINDS, Balance, as_signed, balance, dynamics, presets, shortest_guilty_cycle
from ..draw.layout import layout
from ..draw.lettering import oneline, shorten, wrap
from ..draw.style import line
from ..draw.view import Drawn, View
from ..graph import ParaphraseGraph
from ..pairs import PairsError
from .bench import Bench

if TYPE_CHECKING:
    import networkx as nx

    from ..balance.exercises import Exercise, Sheet

__all__ = ["TriadLab"]

SPACING = 150  # pixels between neighbouring nodes
MOST = 40  # nodes one can still poke at
PLAYED = 200  # steps of dynamics at most
LAYERS = {"positive": True, "negative": True, "conflicts": True, "inferred_positive": False,
          "inferred_negative": False, "distance": 1}  # fmt: skip
HIDDEN = "hidden until the vote is closed"


def starts() -> dict[str, Any]:
    """What the lab can begin with, by name: each a function that makes a signed networkx graph."""
    found: dict[str, Any] = {"the four triads": four_triads}
    found |= {f"triad {kind}": (lambda kind=kind: presets.triad(kind)) for kind in KINDS}
    found |= {name: (lambda name=name: presets.classic(name)) for name in presets.CLASSICS}
    found |= {
        "two camps": presets.two_camps,
        "three camps": presets.three_camps,
        "jammed": presets.jammed,
        "highland tribes": presets.tribes,
    }
    found |= {f"Europe {year}": (lambda year=year: presets.europe(year)) for year in presets.EUROPE}
    return found


def four_triads() -> nx.Graph:
    """The four signed triads side by side (Chen, Ji and Evans 2020, Figure 1).

    >>> four_triads().number_of_nodes()
    12
    """
    import networkx as nx

    graph = nx.Graph(source="Chen, Ji and Evans 2020, Figure 1")
    for number, kind in enumerate(("+++", "+--", "---", "++-")):
        graph.add_edges_from(
            (f"{a}{number + 1}", f"{b}{number + 1}", {"sign": sign})
            for a, b, sign in presets.triad(kind).edges(data="sign")
        )
    return graph


class TriadLab(Bench):
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
        self._exercise: Exercise | None = None
        self._starts = starts()
        self._start = ""
        self._cycle_none = False  # does a click also take an edge away?
        self._hidden, self._votes = False, {}
        self._rule = "local"
        self._scene_number = 0
        self._said = ""
        if exercises is not None:
            self._take_exercise(exercise)
        else:
            self._lay(graph, cluster)

    # -- what is on the table ------------------------------------------------------------------------------

    @property
    def graph(self) -> nx.Graph:
        """A copy of the graph on the table."""
        return self._graph.copy()

    @graph.setter
    def graph(self, graph: Any) -> None:
        with self.hold_sync():
            self._lay(graph, None)

    def lay(self, graph: Any, cluster: int | None = None) -> None:
        """Put a start (by name), a signed graph, or a cluster of a dataset on the table."""
        with self.hold_sync():
            self._lay(graph, cluster)

    def set_sign(self, a: Any, b: Any, sign: int) -> None:
        """Give an edge a sign, +1 or -1; 0 takes it away, and an edge that was not there comes."""
        if sign not in (1, -1, 0):
            raise PairsError(f"sign {sign!r} is not one of 1, -1, 0")
        for node in (a, b):
            if node not in self._graph:
                raise PairsError(f"{node!r} is not on the table")
        if a == b:
            raise PairsError("a node has no edge to itself")
        before = self._graph.edges[a, b]["sign"] if self._graph.has_edge(a, b) else 0
        with self.hold_sync():
            self._put(a, b, sign)
            self._note("sign", edge=(a, b), **{"from": before, "to": sign})
            self._said = ""  # what was said of the start no longer holds
            self._changed()

    def _put(self, a: Any, b: Any, sign: int) -> None:
        if sign:
            self._graph.add_edge(a, b, sign=sign)
        elif self._graph.has_edge(a, b):
            self._graph.remove_edge(a, b)

    def _lay(self, graph: Any, cluster: int | None) -> None:
        import networkx as nx

        if isinstance(graph, str):
            if graph not in self._starts:
                raise PairsError(f"no start is called {graph!r}; there are: {', '.join(self._starts)}")
            self._start, graph = graph, self._starts[graph]()
        elif isinstance(graph, ParaphraseGraph):
            if cluster is None:
                raise PairsError("say which cluster of the data: TriadLab(graph, cluster=3)")
            members = graph.members(cluster)
            if len(members) > MOST:
                raise PairsError(f"cluster {cluster} has {len(members)} sentences, more than {MOST} on one table")
            self._start = f"cluster {cluster}"
            graph = graph.to_networkx(cluster=cluster)
        else:
            self._start = "your own"
        as_signed(graph)  # complains of what is no signed graph
        if graph.number_of_nodes() > MOST:
            raise PairsError(f"{graph.number_of_nodes()} nodes are more than {MOST} on one table")
        self._graph = nx.Graph(graph)
        self.history: list[dict[str, Any]] = []
        self.placed = {}
        self._said = str(self._graph.graph.get("source", ""))
        self._arrange()
        self._changed()

    def _arrange(self) -> None:
        nodes = list(self._graph)
        number = {node: i for i, node in enumerate(nodes)}
        self._number = number
        parts = [(number[a], number[b]) for a, b in self._graph.edges]
        spots = layout(len(nodes), parts, self.seed) * SPACING
        self._spots = {
            node: (round(float(x), 1), round(float(-y), 1)) for node, (x, y) in zip(nodes, spots, strict=True)
        }
        self._scene_number += 1

    def _note(self, did: str, **what: Any) -> None:
        self.history.append({"did": did, **what})

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

    def _vote_panel(self) -> dict[str, Any]:
        actions = [
            {"text": f"{kind}: {answer} ({self._votes.get((kind, answer), 0)})", "intent": "vote",
             "content": {"kind": kind, "answer": answer}}
            for kind in ("strong", "weak") for answer in ("balanced", "not balanced")
        ]  # fmt: skip
        actions.append(
            {"text": "Reveal the verdict (r)", "intent": "control", "content": {"name": "reveal", "value": True}}
        )
        return {"title": "Vote", "text": "Is this graph balanced? The verdict is " + HIDDEN + ".", "actions": actions}

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

    def on_vote(self, kind: str, answer: str) -> None:
        """One vote of the class."""
        if kind not in ("strong", "weak") or answer not in ("balanced", "not balanced"):
            raise PairsError(f"no vote for {kind!r}, {answer!r}")
        self._votes[kind, answer] = self._votes.get((kind, answer), 0) + 1
        self._send_why()

    def on_control(self, name: str, value: Any) -> None:
        """A button, choice or switch of the bar."""
        handler = getattr(self, f"_control_{name}", None)
        if handler is None:
            raise PairsError(f"no control is called {name!r}")
        handler(value)

    def _control_start(self, value: str) -> None:
        if value in self._starts:
            self._lay(value, None)

    def _control_none(self, value: bool) -> None:
        self._cycle_none = bool(value)
        self._send_controls()

    def _control_node(self, _: Any) -> None:
        if len(self._graph) >= MOST:
            raise PairsError(f"{MOST} nodes are all the table holds")
        taken = {str(node) for node in self._graph}
        letters = [chr(65 + i % 26) + (str(i // 26) if i >= 26 else "") for i in range(26 * 3)]
        node = next(name for name in letters if name not in taken)
        spots = np.array(list(self._spots.values()) or [(0.0, 0.0)])
        self._graph.add_node(node)
        self._number[node] = max(self._number.values(), default=-1) + 1
        self._spots[node] = (float(spots[:, 0].max()) + SPACING * 0.8, float(spots[:, 1].mean()))
        self._scene_number += 1
        self._cycle_none = True
        self._note("add", node=node)
        self._changed()

    def _control_remove(self, _: Any) -> None:
        known = {f"n{i}": node for node, i in self._number.items()}
        for key in self.selected:
            node = known[key]
            edges = [(a, b, sign) for a, b, sign in self._graph.edges(node, data="sign")]
            self._note("remove", node=node, edges=edges, spot=self._spots[node], data=dict(self._graph.nodes[node]))
            self._graph.remove_node(node)
            del self._number[node], self._spots[node]
        self.selected = []
        self._scene_number += 1
        self._changed()

    def _control_undo(self, _: Any) -> None:
        if not self.history:
            return
        last = self.history.pop()
        if last["did"] == "sign":
            self._put(*last["edge"], last["from"])
        elif last["did"] == "add":
            self._graph.remove_node(last["node"])
            del self._number[last["node"]], self._spots[last["node"]]
            self._scene_number += 1
        elif last["did"] == "remove":
            self._graph.add_node(last["node"], **last["data"])
            self._graph.add_edges_from((a, b, {"sign": sign}) for a, b, sign in last["edges"])
            self._number[last["node"]] = max(self._number.values(), default=-1) + 1
            self._spots[last["node"]] = last["spot"]
            self._scene_number += 1
        self._changed()

    def _control_rule(self, value: str) -> None:
        self._rule = value
        self._dynamics = None
        self._show()

    def _control_step(self, _: Any) -> None:
        self._play(1)

    def _control_play(self, _: Any) -> None:
        self._play(PLAYED)

    def _play(self, steps: int) -> None:
        if self._dynamics is None:
            self._dynamics = dynamics(self._graph, self._rule, seed=self.seed)
        for _ in range(steps):
            step = self._dynamics.forward()
            if step is None:
                self._said = "Nothing moves any more: every triad is balanced, or each change would make it worse."
                break
            self._take(step, step.sign)
        self._changed(keep_dynamics=True)

    def _control_back(self, _: Any) -> None:
        step = self._dynamics.back() if self._dynamics else None
        if step is not None:
            self._take(step, -step.sign)
            self._changed(keep_dynamics=True)

    def _take(self, step: Any, sign: int) -> None:
        a, b = step.edge
        self._put(a, b, sign)
        self._said = f"{self._text(a)} – {self._text(b)} became {'+' if sign > 0 else '−'}"
        self._note("sign", edge=(a, b), **{"from": -sign, "to": sign})

    def _control_hide(self, value: bool) -> None:
        self._hidden, self._votes = bool(value), {}
        self._show()

    def _control_reveal(self, _: Any) -> None:
        self._hidden = False
        self._show()

    # -- exercises -----------------------------------------------------------------------------------------

    def _control_exercise(self, value: str) -> None:
        if int(value):
            self._take_exercise(int(value))
        else:
            self._exercise = None
            self._lay("the four triads", None)

    def _take_exercise(self, number: int) -> None:
        self._exercise = self.sheet.exercise(number)
        self._picked: list[frozenset] = []
        self._grade = None
        self._hint = ""
        self._cycle_none = self._exercise.kind == "graph"  # to build one, edges must come and go
        self._lay(self._exercise.graph, None)
        self._said = ""
        self._show()

    def _exercise_panel(self) -> dict[str, Any]:
        one = self._exercise
        actions = []
        if one.kind == "choice":
            actions = [{"text": choice, "intent": "answer", "content": {"answer": choice}} for choice in one.choices]
        elif one.kind in ("edges", "cycle", "graph"):
            actions = [{"text": "Check", "intent": "answer", "content": {}}]
        actions.append({"text": "Hint", "intent": "hint", "content": {}})
        said = {"title": f"Exercise {one.number}", "text": one.question, "actions": actions, "facts": []}
        if one.kind in ("number", "camps"):
            said["ask"] = "a number" if one.kind == "number" else "camps, such as A B | C D"
        if self._picked:
            said["facts"].append(
                ["chosen", ", ".join("–".join(sorted(map(self._text, pair))) for pair in self._picked)]
            )
            keys = [[f"n{self._number[node]}" for node in pair] for pair in self._picked]
            said["highlight"] = {"nodes": [key for pair in keys for key in pair], "edges": keys, "soft": True}
        if self._hint:
            said["facts"].append(["hint", self._hint])
        if self._grade is not None:
            said["badge"] = "right" if self._grade.correct else "not yet"
            said["facts"].append(["", self._grade.message])
        return said

    def on_answer(self, answer: Any = None) -> None:
        """An answer to the exercise: a choice, what was typed, or what was clicked."""
        one = self._exercise
        if one is None:
            raise PairsError("no exercise is on the table")
        if one.kind in ("edges", "cycle"):
            answer = [tuple(pair) for pair in self._picked]
        elif one.kind == "graph":
            answer = self.graph
        elif one.kind == "number":
            answer = int(answer) if str(answer).strip().lstrip("-").isdigit() else answer
        elif one.kind == "camps":
            names = {self._text(node): node for node in self._graph}
            answer = [{names.get(word, word) for word in part.split()} for part in str(answer).split("|")]
        self._grade = self.sheet.check(one.number, answer)
        self._send_why()

    def on_hint(self) -> None:
        """The next hint."""
        self._hint = self.sheet.hint(self._exercise.number)
        self._send_why()

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
