"""What makes no sense, from a page or from Python, is told and changes nothing."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import paragraph as pg

from ..refused import refused
from .graphs import Page, drawn, giant, graph_of, state
from .page import Shown

#: What a page may send instead of what it sends.
MALFORMED = [[], None, "open", 3, {}, {"intent": None}, {"intent": ["open"]}, {"intent": "open", "cluster": 1},
             {"intent": "msg", "callback": "x"}, {"intent": "trait_change", "handler": "x"}, {"intent": "close"},
             {"intent": "ask"}, {"intent": "ask", "key": "1", "question": "__init__", "content": {}},
             {"intent": "ask", "key": "1", "question": "graph", "content": {}},
             {"intent": "ask", "key": "1", "question": ["names"], "content": {}},
             {"intent": "save", "ending": "../x"}, {"intent": "save", "ending": None}]  # fmt: skip
#: Questions that make no sense: an answer says so, so that the page does not wait.
QUESTIONS = [("clusters", {"open": [10**6]}), ("clusters", {"open": ["1"]}), ("clusters", None),
             ("names", {"ids": [-7]}), ("search", {"words": 5}),
             ("clusters", {"nodes": [10**6]}), ("names", {"more": 1})]  # fmt: skip


@pytest.mark.slow
def test_what_makes_no_sense_changes_nothing(explorer):
    explorer.selection = explorer.graph.members(0)[:2]
    before = state(explorer)
    for message in MALFORMED:
        said = Page(explorer).send(message)
        assert len(said) == 1 and state(explorer) == before, message
    for question, content in QUESTIONS:
        sent, page = [], Page(explorer)
        explorer.send = sent.append
        more = {"open": [], "near": [], "nodes": [], "wanted": []} if question == "clusters" else {}
        content = more | content if content is not None else content
        page.send({"intent": "ask", "key": "7", "question": question, "content": content})
        assert sent[0]["answer"] == "7" and "error" in json.loads(sent[0]["part"]), question
        assert state(explorer) == before


def test_what_cannot_be_set_is_told_and_changes_nothing(explorer):
    before = state(explorer)
    for name, value, message in (
        ("cluster", 10**6, "cluster 1000000 is not one of 0 .. "), ("cluster", "3", "cluster '3' is not a number"),
        ("view", "tree", "view 'tree' is not one of 'cluster', 'clusters'"),
        ("layers", {"hidden": True}, "unknown or missing: conflicts, distance, hidden, "),
        ("layers", {"positive": True}, "unknown or missing: conflicts, distance, inferred_negative, "),
        ("selection", [0, -1], "-1 is not a node: nodes are the whole numbers 0 .. 873"),
        ("selection", "Is this in the data?", "sentence 'Is this in the data?' is not in the graph; nearest:\n"),
        ("selection", pd.DataFrame({"a": [1]}), "a selection has a column node, not a"),
        ("placed", {"n0": [math.inf, 0]}, "the place [inf, 0] of 'n0' is not two numbers"),
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
    page = Shown(explorer)
    for view in ("clusters", "cluster"):
        for node in page.told("view", view=view)["picture"]["nodes"][:5]:
            page.told("select", keys=[node["key"]])
            page.told("expand", key=node["key"])
        for edge in page.held()["picture"]["edges"][:5]:
            page.told("edge", id=edge["id"])
    layers = explorer.layers | {"inferred_positive": True, "inferred_negative": True, "distance": 3}
    for a, b, *_ in page.told("layers", layers=layers)["picture"]["inferred"][:5]:
        page.told("select", keys=[a, b])
    page.told("query", words="e", kind="none", sort="density")
    page.told("query", reset=True)
    page.told("page", page=1)
    explorer._still()
    assert page.errors == []
    return page


def test_graphs_that_are_empty_of_negatives_only_and_of_a_self_pair():
    page = everything(pg.Explorer(graph_of("")))
    explorer, now = page.explorer, page.held()
    assert explorer.cluster is None and explorer.selection.empty and explorer.placed == {}
    assert now["picture"]["title"] == "The graph has no sentences."
    assert (now["listing"]["rows"], now["listing"]["any"], now["listing"]["pages"]) == ([], False, 0)
    refused("there is no cluster 0: the graph has no sentences", setattr, explorer, "cluster", 0)
    explorer.selection = []
    explorer = pg.Explorer(graph_of("a-b b-c d-a"))
    now = Shown(explorer).held()
    assert explorer.query["bounds"] == {} and now["listing"]["total"] == 4  # else the list would be empty
    assert now["picture"]["title"] == "Cluster 0: 1 sentence, 2 neighbouring clusters"
    page = everything(explorer)
    explorer.selection = ["a", "c"]
    assert page.follow()["why"]["badge"] == "unknown"
    assert everything(pg.Explorer(graph_of("a+a"))).held()["picture"]["title"] == "Cluster 0: 1 sentence"


@pytest.mark.long
def test_one_giant_cluster():
    page = everything(pg.Explorer(giant(3_000)))
    explorer, now = page.explorer, page.held()
    assert "300 of the 3,000 sentences of cluster 0 are shown" in now["picture"]["note"]
    assert "n2999" not in drawn(now)
    explorer.selection = [2_999]
    now = page.follow()
    assert "n2999" in drawn(now) and len(drawn(now)) == 300
    assert {"n2000", "n1000", "n500"} <= drawn(page.told("show", key="n2000"))


def test_graphs_made_from_codes_and_of_bipartite_pairs():
    codes = np.array([0, 1, 0, 3]), np.array([1, 2, 2, 0])
    page = everything(pg.Explorer(pg.ParaphraseGraph(*codes, np.array([1, 1, -1, -1], dtype=np.int8), 4)))
    page.explorer.selection = ["sentence 0", "sentence 2"]
    why = page.follow()["why"]
    assert why["badge"] == "conflict" and why["rows"] == []
    graph = graph_of("q+a q-b p+b p-a")
    graph.pairs.attrs["bipartite"] = True
    page = everything(pg.Explorer(graph))
    now = page.held()
    assert now["picture"]["inferred"] == []
    assert "The two sides of these pairs are different things: nothing can be inferred." in now["picture"]["note"]
    for (one, other), badge, text, rows in (
        (("q", "b"), "stated", "Label 0.", [3]), (("q", "a"), "stated", "Label 1.", [2]),
        (("p", "a"), "stated", "Label 0.", [5]),
    ):  # fmt: skip
        page.explorer.selection = [one, other]
        why = page.follow()["why"]
        assert why["badge"] == badge and why["text"].startswith(text)
        assert [row["row"] for row in why["rows"]] == rows and why["steps"] == []
