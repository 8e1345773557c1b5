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
        "insert": None, "remove": None, "undo": None, "time": None, "play": "play the dynamics to the end",
        "reveal": "reveal the verdict", "move": "the exercise before, the next one", "zoom": None,
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
    return (
        {f"triad {kind}": partial(presets.triad, kind) for kind in KINDS}
        | {name: partial(presets.classic, name) for name in presets.CLASSICS}
        | {"two camps": presets.two_camps, "three camps": presets.three_camps, "jammed": presets.jammed}
        | {"highland tribes": presets.tribes}
        | {f"Europe {year}": partial(presets.europe, year) for year in presets.EUROPE}
        | {"empty, for your own": nx.Graph}
    )


def given(graph: Any, cluster: int | None = None) -> tuple[str, nx.Graph]:
    """Return the name and the graph of a named start, of a signed graph, or of a cluster of a dataset."""
    name = "your own"
    if isinstance(graph, str):
        if graph not in (there := starts()):
            raise PairsError(f"no start is called {graph!r}; there are: {', '.join(there)}")
        return graph, there[graph]()
    if isinstance(graph, ParaphraseGraph):
        if cluster is None:
            raise PairsError("say which cluster of the data: TriadLab(graph, cluster=3)")
        name, graph = f"cluster {cluster}", graph.to_networkx(cluster=cluster)
    if (n := as_signed(graph).n) > ON_TABLE:
        raise PairsError(f"{n} nodes are more than {ON_TABLE} on one table")
    return name, nx.Graph(graph.to_networkx() if isinstance(graph, SignedGraph) else graph)


# -- exercises -----------------------------------------------------------------------------------------------


def known(sheets: Iterable[Sheet], seed: int) -> Plain:
    """Return the Lab's knowledge: starts, the titles of the exercises, and the exercises of some sheets."""
    titles = [
        {"number": number, "level": row.level, "title": row.title, "kind": row.kind,
         "choices": list(row.choices)} for number, row in enumerate(EXERCISES, 1)
    ]  # fmt: skip
    drawn = [
        {"seed": sheet.seed, "exercises": [_exercise(sheet.exercise(row["number"])) for row in titles]}
        for sheet in sheets
    ]
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

    right, table = next(one.solutions()), exercise_on_the_table(one)
    plain = {"question": one.question, "hints": list(one.hints), "pairs": listed(one.asked.graph)}
    plain |= {"nodes": table["nodes"], "edges": table["edges"]}
    if one.asked.reply is not None:
        replies = {answer: [good, said, ends(marks)] for answer, (good, said, marks) in one.replies().items()}
        plain["replies"] = replies if one.choices else list(replies.values())
        return plain | {"solution": str(right)}
    rule = one.asked.rule
    plain["rule"] = {**rule, **{part: ends(rule[part]) for part in ("trusted", "wrong") if part in rule}}
    if one.kind == "camps":
        return plain | {"solution": [next(i for i, camp in enumerate(right) if node in camp) for node in place]}
    edges = steps(right) if one.kind == "cycle" else right
    if isinstance(right, nx.Graph):
        edges = right.edges(data="sign")
    return plain | {"solution": ends(edges)}


# -- the page without a kernel -------------------------------------------------------------------------------


def class_data(seeds: Iterable[int], graph: ParaphraseGraph | None = None) -> Plain:
    """Return what a pupil's page holds: the Lab's knowledge, with one sheet for each seed.

    A name selects one of them, the one of `Sheet(student=name)` if they are sheets 0 to 7.
    """
    sheets = [Sheet(seed, graph=graph) for seed in seeds]
    data = known(tqdm(sheets, "drawing sheets", unit=" sheets", delay=2, leave=False), sheets[0].seed)
    return data | {"page": True}


def lab_page(lab: Bench, kernel: tuple[Path, ...], own: Plain | None, sheet: Sheet, work: Plain) -> str:
    """Return the page of a Lab as HTML: its own table first, and eight sheets, including that of a seed."""
    first = sheet.seed - sheet.seed % SHEETS
    data = class_data(range(first, first + SHEETS), sheet.graph) | {"seed": sheet.seed}
    data["story"] = own is None
    if own is not None:
        data["starts"] = [own, *(start for start in data["starts"] if start["name"] != own["name"])]
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    return page_of("Triad Lab", NOTE, lab, kernel, page_traits(lab) | {"work": work}, data)


def page_traits(lab: Bench) -> Plain:
    """Return the first values of the traits of a page without Python."""
    traits = {name: getattr(lab, name) for name in ("layers", "name", "height", "shortcuts")}
    traits |= {"table": {}, "changes": [], "progress": {}, "ack": 0, "placed": {}, "selected": []}
    return traits | {"why": {}, "controls": [], "listing": {}, "dress": {}}
