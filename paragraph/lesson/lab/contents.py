"""The contents of a Lab in plain values: starts, keys, exercises with their rules; and its page for a class."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import networkx as nx
from tqdm.auto import tqdm

from ...balance import KINDS, SignedGraph, as_signed, presets
from ...draw.shared import ON_TABLE
from ...files import PairsError
from ...graph import ParaphraseGraph
from ...widgets.base.keys import help_of
from ...widgets.base.records import Plain
from ...widgets.base.widget import Bench
from ...widgets.pages import page_of
from ..exercises import EXERCISES, SHEETS, Exercise, Sheet
from ..exercises.ask import steps
from .table import laid, listed

__all__ = ["HELP", "exercise_on_the_table", "given", "known", "lab_page", "starts"]

HELP = help_of(
    {
        "insert": None, "remove": None, "undo": "take back the last change", "time": None, "play": None,
        "reveal": "reveal the verdict", "move": ["the previous exercise", "the next exercise"], "zoom": None,
        "back": "back: help, chosen nodes", "help": None,
    },
    {
        "Click": "a line: its sign turns; in an exercise, as it says",
        "Click, then click": "two nodes: join them, where a click may add and remove edges",
        "Ctrl or Shift click": "one more node",
        "Drag": "a node, to arrange; the ground, to move the picture",
        "Ctrl and the wheel": "zoom",
    },
)  # fmt: skip
NOTE = "Play with signed graphs, or type your name and solve exercises."


def starts() -> dict[str, Callable[[], nx.Graph]]:
    """Return the starts of the Lab, by name: functions that make a signed networkx graph."""
    make = {}
    for kind in KINDS:
        make[f"triad {kind}"] = partial(presets.triad, kind)
    for name in presets.CLASSICS:
        make[name] = partial(presets.classic, name)
    make["two camps"] = presets.two_camps
    make["three camps"] = presets.three_camps
    make["jammed"] = presets.jammed
    make["highland tribes"] = presets.tribes
    for year in presets.EUROPE:
        make[f"Europe {year}"] = partial(presets.europe, year)
    make["empty, for your own"] = nx.Graph
    return make


def given(graph: Any, cluster: int | None = None) -> tuple[str, nx.Graph]:
    """Return the name and the graph of a named start, of a signed graph, or of a cluster of a dataset."""
    if isinstance(graph, str):
        make = starts()
        if graph not in make:
            raise PairsError(f"no start is called {graph!r}; there are: {', '.join(make)}")
        return graph, make[graph]()
    name = "your own"
    if isinstance(graph, ParaphraseGraph):
        if cluster is None:
            raise PairsError("say which cluster of the data: TriadLab(graph, cluster=3)")
        name = f"cluster {cluster}"
        graph = graph.to_networkx(cluster=cluster)
    n = as_signed(graph).n
    if n > ON_TABLE:
        raise PairsError(f"{n} nodes are more than {ON_TABLE} on one table")
    if isinstance(graph, SignedGraph):
        graph = graph.to_networkx()
    return name, nx.Graph(graph)


# -- exercises -----------------------------------------------------------------------------------------------


def known(sheets: Iterable[Sheet], seed: int) -> Plain:
    """Return the Lab's knowledge: starts, the titles of the exercises, and the exercises of some sheets."""
    titles = []
    for number, row in enumerate(EXERCISES, 1):
        title = {"number": number, "level": row.level, "title": row.title, "kind": row.kind}
        title["choices"] = list(row.choices)
        titles.append(title)
    drawn = []
    for sheet in sheets:
        exercises = [_exercise(sheet.exercise(row["number"])) for row in titles]
        drawn.append({"seed": sheet.seed, "exercises": exercises})
    return {"starts": _starts(), "titles": titles, "sheets": drawn, "seed": seed}


@cache
def _starts() -> list[Plain]:
    return [laid(start(), name, name) for name, start in starts().items()]


def exercise_on_the_table(one: Exercise) -> Plain:
    """Return the graph of an exercise as it is first put on the table."""
    return laid(one.asked.graph, one.title, one.number) | {"note": ""}


def _exercise(one: Exercise) -> Plain:
    """Return an exercise with its rule, or the reply to each choice and number; nodes are given as places."""
    place = {node: i for i, node in enumerate(one.asked.graph)}

    def ends(edges: Any) -> list[list[int]]:
        return [[place[a], place[b], *sign] for a, b, *sign in edges]

    right = next(one.solutions())
    table = exercise_on_the_table(one)
    plain = {"question": one.question, "hints": list(one.hints)}
    plain["pairs"] = listed(one.asked.graph)
    plain["nodes"] = table["nodes"]
    plain["edges"] = table["edges"]
    if one.asked.reply is not None:
        replies = {}
        for answer, grade in one.replies().items():
            replies[answer] = [grade.correct, grade.message, ends(grade.marks)]
        if not one.choices:
            replies = list(replies.values())
        plain["replies"] = replies
        plain["solution"] = str(right)
        return plain
    rule = dict(one.asked.rule)
    for part in rule.keys() & {"trusted", "wrong"}:
        rule[part] = ends(rule[part])
    plain["rule"] = rule
    if one.kind == "camps":
        home = {node: i for i, camp in enumerate(right) for node in camp}
        plain["solution"] = [home[node] for node in place]
        return plain
    edges = right
    if one.kind == "cycle":
        edges = steps(right)
    elif isinstance(right, nx.Graph):
        edges = right.edges(data="sign")
    plain["solution"] = ends(edges)
    return plain


# -- the page without a kernel -------------------------------------------------------------------------------


def class_data(seeds: Iterable[int], graph: ParaphraseGraph | None = None) -> Plain:
    """Return what a pupil's page holds: the Lab's knowledge, with one sheet for each seed.

    A name selects one of them, the one of `Sheet(student=name)` if they are sheets 0 to 7.
    """
    sheets = [Sheet(seed, graph=graph) for seed in seeds]
    shown = tqdm(sheets, "drawing sheets", unit=" sheets", delay=2, leave=False)
    data = known(shown, sheets[0].seed)
    data["page"] = True
    return data


def lab_page(
    lab: Bench, kernel: tuple[Path, ...], own: Plain | None, sheet: Sheet, work: Plain
) -> str:
    """Return the page of a Lab as HTML: its own table first, and eight sheets, including that of a seed."""
    first = sheet.seed - sheet.seed % SHEETS
    data = class_data(range(first, first + SHEETS), sheet.graph)
    data["seed"] = sheet.seed
    data["story"] = own is None
    if own is not None:
        others = [start for start in data["starts"] if start["name"] != own["name"]]
        data["starts"] = [own, *others]
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    return page_of("Triad Lab", NOTE, lab, kernel, page_traits(lab) | {"work": work}, data)


def page_traits(lab: Bench) -> Plain:
    """Return the first values of the traits of a page without Python."""
    traits = {name: getattr(lab, name) for name in ("layers", "name", "height", "shortcuts")}
    traits |= {"table": {}, "changes": [], "progress": {}, "ack": 0, "placed": {}, "selected": []}
    return traits | {"why": {}, "controls": [], "listing": {}, "dress": {}}
