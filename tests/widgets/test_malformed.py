"""What makes no sense, from a page or from Python, is told and changes nothing."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg

from .graphs import Page, graph_of, state

MALFORMED = [
    [], None, "open", 3, {}, {"intent": None}, {"intent": ["open"]}, {"intent": "msg", "callback": "x"},
    {"intent": "trait_change", "handler": "x"}, {"intent": "close"}, {"intent": "_open", "cluster": 1},
    {"intent": "open"}, {"intent": "open", "cluster": "1"}, {"intent": "open", "cluster": 10**9},
    {"intent": "open", "cluster": -1}, {"intent": "open", "cluster": 1.5}, {"intent": "open", "cluster": True},
    {"intent": "open", "cluster": None}, {"intent": "open", "cluster": 1, "more": 2},
    {"intent": "query", "words": 5}, {"intent": "query", "words": None}, {"intent": "query", "kind": "odd"},
    {"intent": "query", "sort": "name"}, {"intent": "query", "color": "red"}, {"intent": "query", "bounds": [1]},
    {"intent": "query", "bounds": {"size": 3}}, {"intent": "query", "bound": {"name": "size"}},
    {"intent": "query", "bound": {"name": "size", "side": "least", "value": "x"}},
    {"intent": "query", "bound": {"name": "size", "side": "middle", "value": 3}},
    {"intent": "query", "bound": {"name": "color", "side": "least", "value": 3}},
    {"intent": "query", "bound": {"name": "size", "side": "least", "value": math.nan}},
    {"intent": "page"}, {"intent": "page", "page": "x"}, {"intent": "page", "page": None},
    {"intent": "page", "page": 1, "open": "middle"}, {"intent": "surprise", "by": "luck"}, {"intent": "surprise"},
    {"intent": "view", "view": "tree"}, {"intent": "view", "view": None}, {"intent": "select", "keys": None},
    {"intent": "select", "keys": "n1"}, {"intent": "select", "keys": ["n-1"]}, {"intent": "select", "keys": [[1]]},
    {"intent": "select", "keys": ["zz", 4]}, {"intent": "edge", "id": "e999999"}, {"intent": "edge", "id": None},
    {"intent": "show", "key": "n999999"}, {"intent": "show", "key": "n-1"},
    {"intent": "show", "key": "x3"}, {"intent": "show", "key": ""}, {"intent": "show", "key": None},
    {"intent": "expand", "key": "c999999"}, {"intent": "expand", "key": "n999999"}, {"intent": "expand", "key": ""},
    {"intent": "expand", "key": None}, {"intent": "expand", "key": "c0"},
]  # fmt: skip


def test_what_makes_no_sense_changes_nothing(explorer):
    explorer.selection = explorer.graph.members(0)[:2]
    before = state(explorer)
    for number, message in enumerate(MALFORMED, 1):
        Page(explorer).send(message)
        assert state(explorer) == before, message
        Page(explorer).send({"n": number} | (message if isinstance(message, dict) else {}))
        assert explorer.ack == number  # answered all the same, so that the page does not wait


def test_what_was_not_understood_is_in_the_log(explorer):
    said = Page(explorer).send({"intent": "fly", "n": 1, "high": "x" * 10_000})
    assert len(said) == 1 and "not answered: {'intent': 'fly'" in said[0] and len(said[0]) < 1_000


JUNK = st.one_of(st.none(), st.booleans(), st.integers(-3, 1_000), st.floats(), st.text(max_size=4),
                 st.sampled_from(["n0", "n1", "c1", "least", "size", "clusters", "within"]))  # fmt: skip
JUNK = st.recursive(JUNK, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner))
NAMES = ["cluster", "keys", "key", "id", "by", "view", "page", "open", "words", "bound", "bounds", "kind", "sort",
         "descending", "reset", "layers", "n", "form", "color", "steps"]  # fmt: skip
INTENTS = ["open", "look", "query", "page", "surprise", "view", "layers", "select", "edge", "show", "expand",
           "ready"]  # fmt: skip


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(INTENTS), st.dictionaries(st.sampled_from(NAMES), JUNK, max_size=3))))
def test_whatever_a_page_sends_the_explorer_stays_whole(messages):
    explorer = pg.Explorer(graph_of("a+b b+c a-c d+e e-a f-d g+h"), fresh=True)
    page = Page(explorer)
    for intent, content in messages:
        page.send({"intent": intent} | content)
        keys = [node["key"] for node in explorer.picture["nodes"]]
        assert len(keys) == len(set(keys)) and set(explorer.selected) <= set(keys)
        assert explorer.listing["current"] == explorer.cluster
        assert explorer.selection["text"].tolist() == explorer.graph.texts(explorer.selection["node"])
    explorer._still()


# -- from Python, and through the traits ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("cluster", 10**6, "cluster 1000000 is not one of 0 .. "),
        ("cluster", -1, "cluster -1 is not one of 0 .. "),
        ("cluster", "3", "cluster '3' is not a number"),
        ("cluster", None, "cluster None is not a number"),
        ("view", "tree", "view 'tree' is not one of 'cluster', 'clusters'"),
        ("layers", {"hidden": True}, "unknown or missing: conflicts, distance, hidden, inferred_negative, "),
        ("layers", {"positive": True}, "unknown or missing: conflicts, distance, inferred_negative, "),
        ("selection", [10**6], "1000000 is no node: nodes are the whole numbers 0 .. 873"),
        ("selection", [0, -1], "-1 is no node: nodes are the whole numbers 0 .. 873"),
        ("selection", "Is this in the data?", "sentence 'Is this in the data?' is not in the graph; nearest:\n"),
        ("selection", pd.DataFrame({"a": [1]}), "a selection has a column node or text, not a"),
        ("positions", {10**6: (0, 0)}, "1000000 is no node: nodes are the whole numbers 0 .. 873"),
        ("positions", {0: (math.inf, 0)}, "the place [inf, 0.0] of 'n0' is not two numbers"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_told_and_changes_nothing(explorer, name, value, message):
    before = state(explorer)
    with pytest.raises(pg.PairsError) as error:
        setattr(explorer, name, value)
    assert message in str(error.value)
    assert state(explorer) == before


def test_a_page_cannot_set_them_either(explorer):
    before = state(explorer)
    layers = ({"positive": "yes"}, {"distance": 0}, {"distance": 1.5}, {"x": 1})
    places = ({"n0": "ab"}, {"n0": [1]}, {"n0": [1, None]}, {"n0": None})
    for name, change in [*(("layers", one) for one in layers), *(("placed", one) for one in places)]:
        with pytest.raises(pg.PairsError):
            explorer.set_state({name: getattr(explorer, name) | change})
        assert state(explorer) == before
