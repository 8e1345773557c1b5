"""The bar above the picture of the Triad Lab."""

from __future__ import annotations

from typing import Any

from ..base.keys import button, help_of
from .board import Board
from .work import Work

__all__ = ["bar", "helped"]

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


def bar(board: Board, work: Work, chosen: bool) -> list[dict[str, Any]]:
    """Return the trait `controls`: the way through the exercises, and what may be done to the graph."""
    controls = [] if work.sheet is None else _way(work)
    if work.free:
        controls += [GAP] if controls else []
        names = [board.name] * (board.name not in board.starts) + list(board.starts)
        controls += [
            _select("start", "start", board.name, [[name, name] for name in names]),
            button("node", "+ node", "insert", "Add a node"),
            button("remove", "remove", "remove", "Remove the chosen nodes", disabled=not chosen),
            _toggle("none", "click: + / − / none", board.removes,
                    "A third click removes the edge; two chosen nodes without an edge get one"),
        ]  # fmt: skip
    if work.free or work.draws:
        controls.append(button("undo", "undo", "undo", "Undo", disabled=not board.history))
    if work.free:
        rules = [["local", "local triad"], ["constrained", "constrained"]]
        moving = board.dynamics
        controls += [
            GAP,
            _select("rule", "dynamics", board.rule, rules) | {"hint": "Antal, Krapivsky and Redner (2005)"},
            button("back", "◀", "time", "A step back", disabled=moving is None or not moving.history),
            button("step", "▶", "time", "A step forward", 1),
            button("play", "▶▶", "play", "Play to the end"),
            GAP,
            _toggle("hide", "predict first", board.hidden, "Hide the verdict until the class has voted"),
        ]
    return controls if work.summary else [*controls, GAP, LEGEND]


def helped(controls: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the trait `shortcuts`: the keys of the controls that are there now, and those of every picture."""
    there = {control.get("key") for control in controls}
    return HELP | {"keys": [row for row in HELP["keys"] if row[0] in ALWAYS or there & {*row[1]}]}


def _way(work: Work) -> list[dict[str, Any]]:
    """Return the controls that lead through the sheet: back, the menu with ✓ at what is solved, next, the count."""
    titles, solved, place = work.sheet.titles(), set(work.sheet.solved), work.place
    options = [[str(n), f"{'✓ ' if n in solved else ''}{n}. {title}"] for n, title in titles]
    options = [["0", "free play"], *options, [str(len(titles) + 1), "summary"]]
    count = f"{place} / {len(titles)} · " if work.now is not None else ""
    return [
        button("before", "‹ Back", "move", "The exercise before", disabled=place <= 1),
        _select("exercise", "exercise", str(place), options),
        button("next", "Next ›", "move", "The next exercise", 1, disabled=place > len(titles)),
        {"kind": "text", "name": "place", "text": f"{count}{len(solved)} solved"},
    ]


def _toggle(name: str, text: str, value: bool, hint: str) -> dict[str, Any]:
    return {"kind": "toggle", "name": name, "text": text, "value": value, "hint": hint}


def _select(name: str, text: str, value: str, options: list[list[str]]) -> dict[str, Any]:
    return {"kind": "select", "name": name, "text": text, "value": value, "options": options}
