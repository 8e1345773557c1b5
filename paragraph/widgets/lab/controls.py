"""The bar above the picture of the Triad Lab: what stands in it, and what each part does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...pairs import PairsError
from ..bench.keys import button, help_of
from . import exercises, question, table

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["HELP", "bar", "helped", "use"]

HELP = help_of(
    {
        "insert": None, "remove": None, "undo": None, "time": None, "play": "play the dynamics to the end",
        "move": "the exercise before, the next one", "zoom": None, "back": "back: help, chosen nodes", "help": None,
    },
    {
        "Click": "a line: its sign turns; in an exercise, as it says",
        "Click, then click": "two nodes: join them, where a click may add and remove edges",
        "Ctrl or Shift click": "one more node",
        "Drag": "a node, to arrange; the ground, to move the picture",
        "Ctrl and the wheel": "zoom",
    },
)  # fmt: skip

ALWAYS = ("zoom", "back", "help")
LEGEND = {"kind": "legend", "entries": [["positive", "+ positive"], ["negative", "− negative"]]}
GAP = {"kind": "gap"}


def bar(lab: TriadLab) -> list[dict[str, Any]]:
    """The trait `controls`: the way through the exercises, and what may be done to the graph."""
    controls = [] if lab.sheet is None else question.way(lab)
    if lab._free:
        controls += [GAP] if controls else []
        names = lab._starts if lab._start in lab._starts else [lab._start, *lab._starts]
        controls += [
            _select("start", "start", lab._start, [[name, name] for name in names]),
            button("node", "+ node", "insert", "Add a node"),
            button("remove", "remove", "remove", "Remove the chosen nodes", disabled=not lab._chosen),
        ]
    if lab._free or exercises.draws(lab):
        if lab._free:
            hint = "A third click removes the edge; two chosen nodes without an edge get one"
            controls.append(_toggle("none", "click: + / − / none", lab._cycle_none, hint))
        controls.append(button("undo", "undo", "undo", "Undo", disabled=not lab.history))
    if lab._free:
        rules = [["local", "local triad"], ["constrained", "constrained"]]
        moving = lab._dynamics
        controls += [
            GAP,
            _select("rule", "dynamics", lab._rule, rules) | {"hint": "Antal, Krapivsky and Redner (2005)"},
            button("back", "◀", "time", "A step back", disabled=moving is None or not moving.history),
            button("step", "▶", "time", "A step forward", 1),
            button("play", "▶▶", "play", "Play to the end"),
            GAP,
            _toggle("hide", "predict first", lab._hidden, "Hide the verdict until the class has voted"),
        ]
    return controls if lab._summary else [*controls, GAP, LEGEND]


def helped(controls: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the trait `shortcuts`: the keys of the controls that are there now, and those of every picture."""
    there = {control.get("key") for control in controls}
    return HELP | {"keys": [row for row in HELP["keys"] if row[0] in ALWAYS or there & {*row[1]}]}


def use(lab: TriadLab, name: str, value: Any) -> None:
    """Use a part of the bar; `PairsError` where there is no such part."""
    if name not in CONTROLS:
        raise PairsError(f"no control is called {name!r}")
    if lab._free or name not in FREE:  # an exercise keeps its nodes, and a click may come late
        CONTROLS[name](lab, value)


def _undo(lab: TriadLab, _: Any) -> None:
    if lab._free or exercises.draws(lab):
        table.undo(lab)


def _rule(lab: TriadLab, value: str) -> None:
    lab._rule, lab._dynamics = value, None
    lab._show()


def _hide(lab: TriadLab, hidden: bool) -> None:
    lab._hidden, lab._votes = bool(hidden), {} if hidden else lab._votes
    lab._show()


def _none(lab: TriadLab, value: bool) -> None:
    lab._cycle_none = bool(value)
    lab._show()


#: What each button, choice and switch does: (lab, value) → None.
CONTROLS = {
    "exercise": lambda lab, value: exercises.go(lab, int(value)),
    "before": lambda lab, _: exercises.step(lab, -1),
    "next": lambda lab, _: exercises.step(lab, 1),
    "clear": lambda lab, _: exercises.clear(lab),
    "solve": lambda lab, _: exercises.solve(lab),
    "start": lambda lab, name: table.lay(lab, name),
    "node": lambda lab, _: table.add(lab),
    "remove": lambda lab, _: table.remove(lab),
    "none": _none,
    "undo": _undo,
    "rule": _rule,
    "back": lambda lab, _: table.back(lab),
    "step": lambda lab, _: table.play(lab, 1),
    "play": lambda lab, _: table.play(lab),
    "hide": _hide,
    "reveal": lambda lab, _: _hide(lab, False),
}

#: Of these, what there is in free play only.
FREE = {"start", "node", "remove", "rule", "back", "step", "play", "hide", "reveal"}


def _toggle(name: str, text: str, value: bool, hint: str) -> dict[str, Any]:
    return {"kind": "toggle", "name": name, "text": text, "value": value, "hint": hint}


def _select(name: str, text: str, value: str, options: list[list[str]]) -> dict[str, Any]:
    return {"kind": "select", "name": name, "text": text, "value": value, "options": options}
