"""The Lab as one page without a kernel: its graphs and exercises are drawn here, and graded there."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm.auto import tqdm

from ...balance import EXERCISES, Exercise, Sheet
from ...balance.exercises.sheet import HEAD, PATIENCE
from ...balance.exercises.sketch import Sketch, steps
from ...draw.text import oneline, shorten
from .. import pages
from ..pages import page_of
from . import panels, picture
from .board import MOST, Board
from .work import MOST as CAMPS
from .work import Work

if TYPE_CHECKING:
    import networkx as nx

    from ..base.widget import Bench

__all__ = ["SHEETS", "lab_page"]

SHEETS = 8  #: a pupil's name chooses one of so many
BEYOND = 10  # a number so far beyond the right one is graded as all beyond
NOTE = "Click a line to turn its sign: both verdicts change. Or give your name, and solve exercises."
PHONE = (
    "This file needs no network. Many phones open no such file: on a computer, run “python -m http.server” in the "
    "folder of this file; on each phone, open “http://”, the computer's address, “:8000/” and the name of this file."
)
FOLDER = Path(pages.__file__).parent
KERNEL = tuple(FOLDER / name for name in ("balance.js", "grade.js", "lab.js"))


def lab_page(lab: Bench, board: Board, sheet: Sheet | None, height: int) -> str:
    """Return the page of a Lab as HTML: what is on its table, every start, and `SHEETS` sheets from its seed on."""
    scratch = Board(board.seed)
    graphs = {board.name: board.graph} if sheet is None else {}
    graphs |= {name: start() for name, start in board.starts.items() if name not in graphs}
    starts = [_graph(scratch, graph) | {"name": name, "note": scratch.message} for name, graph in graphs.items()]
    work = Work(scratch, sheet or Sheet(board.seed))
    own, seeds = work.sheet.graph, range(work.sheet.seed, work.sheet.seed + SHEETS)
    sheets = []
    for seed in tqdm(seeds, "drawing sheets", unit=" sheets", delay=2, leave=False):
        drawn = Sheet(seed, graph=own)
        sheets.append({"seed": seed, "exercises": [_exercise(scratch, drawn.exercise(n)) for n, _ in drawn.titles()]})
    rows = [
        {"number": number, "level": row.level, "title": row.title, "kind": row.kind, "touch": row.touch,
         "choices": row.choices} for number, row in enumerate(EXERCISES, 1)
    ]  # fmt: skip
    bar = {control.get("name", control["kind"]): control for control in panels.bar(scratch, work, False)}
    data = {
        "starts": starts, "titles": rows, "sheets": sheets, "graph": json.loads(work.sheet.to_json())["graph"],
        "bar": bar, "help": panels.HELP, "always": panels.ALWAYS, "how": panels.HOW, "asked": panels.ASKED,
        "head": HEAD, "patience": PATIENCE, "phone": PHONE, "most": MOST, "camps": CAMPS,
    }  # fmt: skip
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    traits = {name: getattr(lab, name) for name in ("layers", "listing", "dress", "name")}
    blank = {"ack": 0, "height": height, "placed": {}, "selected": [], "why": {}, "controls": [], "shortcuts": {}}
    return page_of("Triad Lab", NOTE, lab, KERNEL, traits | blank, data)


def _graph(board: Board, graph: nx.Graph) -> dict[str, Any]:
    """Lay a graph; return its nodes as the picture draws them, with their names in texts, and its edges."""
    board.lay(graph)
    sketch, place = Sketch(graph), {node: i for i, node in enumerate(graph)}
    names = [
        {"named": sketch.named(node), "short": shorten(oneline(board.text(node)), 18), "sentence": text is not None}
        for node, text in graph.nodes(data="text")
    ]
    nodes = picture.drawn(board, Work(board, None))["nodes"]
    for node in nodes:
        node.pop("camp", None)
    return {
        "nodes": [node | name for node, name in zip(nodes, names, strict=True)],
        "edges": [[place[a], place[b], sign] for a, b, sign in graph.edges(data="sign")],
    }


def _exercise(board: Board, one: Exercise) -> dict[str, Any]:
    """Return an exercise with its rule, or the grade of each choice and number; its nodes are their places."""
    place = {node: i for i, node in enumerate(one.graph)}

    def ends(edges: Any) -> list[list[int]]:
        return [[place[a], place[b], *sign] for a, b, *sign in edges]

    right = next(one.solutions())
    found = {"question": one.question, "hints": one.hints, **_graph(board, one.graph)}
    found["pairs"] = picture.listed(board.graph, {node: board.key(node) for node in board.graph})
    if one.kind in ("choice", "number"):
        answers = one.choices or range(right + BEYOND)
        grades = [(grade.correct, grade.message, ends(grade.marks)) for grade in map(one.grade, answers)]
        found["grades"] = dict(zip(answers, grades, strict=True)) if one.choices else grades
        return found | {"solution": str(right)}
    rule = one.asked.rule
    found["rule"] = {**rule, **{part: ends(rule[part]) for part in ("trusted", "wrong") if part in rule}}
    if rule["judge"] == "turns next":
        tried = {edge: set(right) - {edge} if edge in right else [edge] for edge in sorted(one.graph.edges)}
        said = {edge: one.grade(edges) for edge, edges in tried.items()}
        each = [(*ends([edge]), edge in right, one.message, ends(one.marks)) for edge, one in said.items()]
        found["rule"]["each"] = each
    if one.kind == "camps":
        return found | {"solution": [[place[node] for node in camp] for camp in right]}
    edges = right.edges(data="sign") if one.kind == "graph" else steps(right) if one.kind == "cycle" else right
    return found | {"solution": ends(edges)}
