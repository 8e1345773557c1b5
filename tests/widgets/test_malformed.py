"""What makes no sense, from a page or from Python, is told and changes nothing."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg

from ..refused import refused
from .graphs import Page, drawn, giant, graph_of, state

#: An intent and what comes with it; then what is no intent at all.
MALFORMED = [{"intent": intent} | content for intent, *contents in (
    (None, {}), (["open"], {}), ("msg", {"callback": "x"}), ("trait_change", {"handler": "x"}), ("close", {}),
    ("_open", {"cluster": 1}),
    ("open", {}, *({"cluster": c} for c in ("1", 10**9, -1, 1.5, True, None)), {"cluster": 1, "more": 2}),
    ("query", {"words": 5}, {"words": None}, {"kind": "odd"}, {"sort": "name"}, {"color": "red"}, {"bounds": [1]},
     {"bounds": {"size": 3}}, {"bound": {"name": "size"}},
     *({"bound": {"name": name, "side": side, "value": value}} for name, side, value in (
         ("size", "least", "x"), ("size", "middle", 3), ("color", "least", 3), ("size", "least", math.nan)))),
    ("page", {}, {"page": "x"}, {"page": None}, {"page": 1, "open": "middle"}), ("surprise", {}, {"by": "luck"}),
    ("view", {"view": "tree"}, {"view": None}), ("edge", {"id": "e999999"}, {"id": None}),
    ("select", *({"keys": keys} for keys in (None, "n1", ["n-1"], [[1]], ["zz", 4]))),
    ("show", *({"key": key} for key in ("n999999", "n-1", "x3", "", None))),
    ("expand", *({"key": key} for key in ("c999999", "n999999", "", None, "c0"))),
) for content in contents] + [[], None, "open", 3, {}]  # fmt: skip


def test_what_makes_no_sense_changes_nothing(explorer):
    explorer.selection = explorer.graph.members(0)[:2]
    before = state(explorer)
    for number, message in enumerate(MALFORMED, 1):
        Page(explorer).send(message)
        assert state(explorer) == before, message
        Page(explorer).send({"n": number} | (message if isinstance(message, dict) else {}))
        assert explorer.ack == number  # answered all the same, so that the page does not wait
    said = Page(explorer).send({"intent": "fly", "n": 1, "high": "x" * 10_000})
    assert len(said) == 1 and "not answered: {'intent': 'fly'" in said[0] and len(said[0]) < 1_000


JUNK = st.one_of(st.none(), st.booleans(), st.integers(-3, 1_000), st.floats(), st.text(max_size=4),
                 st.sampled_from(["n0", "n1", "c1", "least", "size", "clusters", "within"]))  # fmt: skip
JUNK = st.recursive(JUNK, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner))
NAMES = ["cluster", "keys", "key", "id", "by", "view", "page", "open", "words", "bound", "bounds", "kind", "sort",
         "descending", "reset", "layers", "n", "color", "steps"]  # fmt: skip
INTENTS = ["open", "look", "query", "page", "surprise", "view", "layers", "select", "edge", "show", "expand",
           "ready"]  # fmt: skip


@pytest.mark.slow
@settings(max_examples=20)
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


def test_what_cannot_be_set_is_told_and_changes_nothing(explorer):
    before = state(explorer)
    for name, value, message in (
        ("cluster", 10**6, "cluster 1000000 is not one of 0 .. "), ("cluster", "3", "cluster '3' is not a number"),
        ("view", "tree", "view 'tree' is not one of 'cluster', 'clusters'"),
        ("layers", {"hidden": True}, "unknown or missing: conflicts, distance, hidden, inferred_negative, "),
        ("layers", {"positive": True}, "unknown or missing: conflicts, distance, inferred_negative, "),
        ("selection", [0, -1], "-1 is no node: nodes are the whole numbers 0 .. 873"),
        ("selection", "Is this in the data?", "sentence 'Is this in the data?' is not in the graph; nearest:\n"),
        ("selection", pd.DataFrame({"a": [1]}), "a selection has a column node or text, not a"),
        ("positions", {10**6: (0, 0)}, "1000000 is no node: nodes are the whole numbers 0 .. 873"),
        ("positions", {0: (math.inf, 0)}, "the place [inf, 0.0] of 'n0' is not two numbers"),
    ):  # fmt: skip
        assert message in refused(".", setattr, explorer, name, value) and state(explorer) == before
    # Nor can a page set them.
    layers = ({"positive": "yes"}, {"distance": 0}, {"distance": 1.5}, {"x": 1})
    places = ({"n0": "ab"}, {"n0": [1]}, {"n0": [1, None]}, {"n0": None})
    for name, change in [*(("layers", one) for one in layers), *(("placed", one) for one in places)]:
        refused(".", explorer.set_state, {name: getattr(explorer, name) | change})
        assert state(explorer) == before


def everything(explorer):
    """One of each that a person may do; whatever is left on screen can be drawn on paper."""
    page = Page(explorer)
    for by in ("size", "density", "conflict"):
        page("surprise", by=by)
    for view in ("clusters", "cluster"):
        page("view", view=view)
        for node in explorer.picture["nodes"][:5]:
            page("select", keys=[node["key"]])
            page("expand", key=node["key"])
        for edge in explorer.picture["edges"][:5]:
            page("edge", id=edge["id"])
    explorer.layers = explorer.layers | {"inferred_positive": True, "inferred_negative": True, "distance": 3}
    for a, b, *_ in explorer.picture["inferred"][:5]:
        page("select", keys=[a, b])
    page("query", words="e", kind="none", sort="density")
    page("query", reset=True)
    page("page", page=1)
    explorer._still()
    return explorer


def test_graphs_that_are_empty_of_negatives_only_and_of_a_self_pair():
    explorer = everything(pg.Explorer(graph_of("")))
    assert explorer.cluster is None and explorer.selection.empty and explorer.positions == {}
    assert explorer.picture["title"] == "The graph has no sentences."
    assert (explorer.listing["rows"], explorer.listing["any"], explorer.listing["pages"]) == ([], False, 0)
    refused("there is no cluster 0: the graph has no sentences", setattr, explorer, "cluster", 0)
    explorer.selection = []
    explorer = pg.Explorer(graph_of("a-b b-c d-a"))
    assert explorer.query.bounds == {} and explorer.listing["total"] == 4  # else the list would be empty
    assert explorer.picture["title"] == "Cluster 0: 1 sentence, 2 neighbouring clusters"
    everything(explorer).selection = ["a", "c"]
    assert explorer.why["badge"] == "unknown"
    assert everything(pg.Explorer(graph_of("a+a"))).picture["title"] == "Cluster 0: 1 sentence"


@pytest.mark.long
def test_one_giant_cluster():
    graph = giant(3_000)
    explorer = everything(pg.Explorer(graph))
    assert "300 of the 3,000 sentences of cluster 0 are shown" in explorer.picture["note"]
    assert "n2999" not in drawn(explorer)
    explorer.selection = [2_999]
    assert "n2999" in drawn(explorer) and len(drawn(explorer)) == 300
    assert {"n2000", "n1000", "n500"} <= drawn(Page(explorer)("show", key="n2000"))


def test_graphs_made_from_codes_and_of_bipartite_pairs():
    codes = np.array([0, 1, 0, 3]), np.array([1, 2, 2, 0])
    graph = pg.ParaphraseGraph(*codes, np.array([1, 1, -1, -1], dtype=np.int8), 4)
    explorer = everything(pg.Explorer(graph))
    explorer.selection = ["sentence 0", "sentence 2"]
    assert explorer.why["badge"] == "conflict" and explorer.why["rows"] == []
    graph = graph_of("q+a q-b p+b p-a")
    graph.pairs.attrs["bipartite"] = True
    explorer = everything(pg.Explorer(graph))
    assert explorer.picture["inferred"] == []
    assert "The two sides of these pairs are different things: nothing can be inferred." in explorer.picture["note"]
    explorer.selection = ["q", "b"]
    assert explorer.why["badge"] == "stated"
