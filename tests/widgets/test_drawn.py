"""Filters on what is drawn: conflicts and the paths against them, sentences with so many stated positives."""

import numpy as np
import pytest

import paragraph as pg

from ..refused import refused
from .graphs import demo
from .page import Shown


@pytest.fixture(scope="module")
def explorer():
    return pg.Explorer(demo())


def pairs_drawn(held):
    return {frozenset((edge["from"], edge["to"])) for edge in held["picture"]["edges"]}


def test_only_conflicts_and_their_paths(explorer):
    conflicts = pg.conflicts(explorer.graph)
    explorer.cluster = int(conflicts["cluster"].value_counts().index[0])
    page = Shown(explorer)
    whole = page.held()
    held = page.told("layers", layers=explorer.layers | {"paths": True})
    node, wanted = explorer.graph.node, set()
    for one in conflicts[conflicts["cluster"] == explorer.cluster].itertuples():
        wanted |= {frozenset((node(one.text_a), node(one.text_b)))}
        wanted |= {frozenset((node(a), node(b))) for a, b in zip(one.path, one.path[1:], strict=False)}
    assert pairs_drawn(held) == {frozenset(f"n{one}" for one in pair) for pair in wanted} < pairs_drawn(whole)
    assert {key for pair in pairs_drawn(held) for key in pair} == {one["key"] for one in held["picture"]["nodes"]}
    assert [one["number"] for one in held["picture"]["nodes"]] == list(range(1, len(held["picture"]["nodes"]) + 1))
    assert "not shown" in held["picture"]["note"]
    assert page.told("layers", layers=explorer.layers | {"paths": False})["picture"] == whole["picture"]
    explorer.cluster = int(np.flatnonzero(explorer._list.columns["conflicts"] == 0)[0])
    explorer.layers = explorer.layers | {"paths": True}
    empty = page.follow()["picture"]
    assert empty["nodes"] == [] and empty["note"].startswith("There is no conflict among")
    explorer.layers = explorer.layers | {"paths": False}


@pytest.mark.parametrize("degree", [1, 3, 50])
def test_sentences_with_so_many_stated_pairs(explorer, degree):
    explorer.cluster = 0
    page = Shown(explorer)
    held = page.told("layers", layers=explorer.layers | {"degree": degree})
    drawn = {int(one["key"][1:]) for one in held["picture"]["nodes"] if "cluster" not in one}
    members = explorer.graph.members(0)
    assert drawn == set(members[explorer.graph.degree[members] >= degree].tolist())
    assert all(key in {one["key"] for one in held["picture"]["nodes"]} for pair in pairs_drawn(held) for key in pair)
    explorer.layers = explorer.layers | {"degree": 0}
    refused("0 or more", setattr, explorer, "layers", explorer.layers | {"degree": -1})
