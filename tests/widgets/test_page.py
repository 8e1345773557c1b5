"""What the page of the Explorer answers, in front of a kernel and saved: the same, as it was written down."""

import hashlib
import json
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg

from ..hostile import graph as hostile_graph
from .graphs import demo
from .page import TRAITS, Shown
from .test_friends import alike

GOLDEN = Path(__file__).parent / "golden"


def columns():
    pairs = pg.read_pairs(pg.DEMO).head(60)
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    table = pd.DataFrame({"node": range(graph.n), "letters": list(map(len, graph.texts(range(graph.n))))})
    table["kind"] = [None if node % 4 == 0 else f"<b>{node % 3}" for node in range(graph.n)]
    doubts = pairs.head(5).assign(p_wrong=[0.1, 0.9, 0.5, 0.2, 0.3])
    return pg.Explorer(graph, fresh=True, columns=table, suspects=doubts, distance="hops")


def friends():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO).head(300))
    explorer = pg.Explorer(graph, fresh=True, friends=pg.trust(pg.infer(graph), alike, progress=False))
    explorer.layers = explorer.layers | {"inferred_positive": True, "distance": 3}
    return explorer


EXPLORERS = {
    "walk": lambda: pg.Explorer(demo(), fresh=True), "reach": lambda: pg.Explorer(demo(), fresh=True),
    "columns": columns, "friends": friends, "hostile": lambda: pg.Explorer(hostile_graph(), fresh=True),
}  # fmt: skip


@cache
def explorer_of(name):
    return EXPLORERS[name]()


def plain(value):
    """A value without places and counters, in which a number that is whole is written so."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if key not in ("x", "y", "scene", "n")}
    if isinstance(value, list):
        return list(map(plain, value))
    return int(value) if isinstance(value, float) and value == int(value) else value


def digest(value):
    text = json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def steps_of(name):
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def assert_as_written(shown, name, reach):
    """After each intent the page holds what is written down (a hash of each trait); nodes stand where they stood."""
    for number, (message, digests, *spots) in enumerate(steps_of(name)):
        held = shown.tell(**message) if number else shown.held()
        if not reach:
            for key in ("neighbours", "steps"):
                held["dress"]["options"].pop(key, None)
        if held["why"]["title"] == "Sentence":
            held["why"].pop("actions", None)  # what a kernel alone can be asked
        for trait in TRAITS:
            assert digest(held[trait]) == digests[trait], f"{trait} after {number}: {message}"
        if spots:
            found = [(node["x"], node["y"]) for node in held["picture"]["nodes"]]
            assert found == [pytest.approx(spot, abs=1) for spot in spots[0]], f"places after {number}: {message}"


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_page_before_a_kernel_shows_what_is_written_down(name):
    assert_as_written(Shown(explorer_of(name)), name, reach=name == "reach")


@pytest.mark.parametrize("name", [pytest.param("walk", marks=pytest.mark.slow), "columns", "friends", "hostile"])
def test_a_saved_page_shows_the_same(name):
    explorer = explorer_of(name)
    assert_as_written(Shown(explorer, explorer._page()), name, reach=False)
