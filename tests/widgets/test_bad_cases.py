"""Graphs and sentences that leave little to explore, or too much."""

import numpy as np
import pytest

import paragraph as pg

from ..refused import refused
from .graphs import Page, drawn, giant, graph_of


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
    explorer = everything(pg.Explorer(graph_of(""), fresh=True))
    assert explorer.cluster is None and explorer.selection.empty and explorer.positions == {}
    assert explorer.picture["title"] == "The graph has no sentences."
    assert (explorer.listing["rows"], explorer.listing["any"], explorer.listing["pages"]) == ([], False, 0)
    refused("there is no cluster 0: the graph has no sentences", setattr, explorer, "cluster", 0)
    explorer.selection = []
    explorer = pg.Explorer(graph_of("a-b b-c d-a"), fresh=True)
    assert explorer.query.bounds == {} and explorer.listing["total"] == 4  # else the list would be empty
    assert explorer.picture["title"] == "Cluster 0: 1 sentence, 2 neighbouring clusters"
    everything(explorer).selection = ["a", "c"]
    assert explorer.why["badge"] == "unknown"
    assert everything(pg.Explorer(graph_of("a+a"), fresh=True)).picture["title"] == "Cluster 0: 1 sentence"


@pytest.mark.long
def test_one_giant_cluster():
    graph = giant(3_000)
    explorer = everything(pg.Explorer(graph, fresh=True))
    assert "300 of the 3,000 sentences of cluster 0 are shown" in explorer.picture["note"]
    assert "n2999" not in drawn(explorer)
    explorer.selection = [2_999]
    assert "n2999" in drawn(explorer) and len(drawn(explorer)) == 300
    assert {"n2000", "n1000", "n500"} <= drawn(Page(explorer)("show", key="n2000"))


def test_graphs_made_from_codes_and_of_bipartite_pairs():
    codes = np.array([0, 1, 0, 3]), np.array([1, 2, 2, 0])
    graph = pg.ParaphraseGraph(*codes, np.array([1, 1, -1, -1], dtype=np.int8), 4)
    explorer = everything(pg.Explorer(graph, fresh=True))
    explorer.selection = ["sentence 0", "sentence 2"]
    assert explorer.why["badge"] == "conflict" and explorer.why["rows"] == []
    graph = graph_of("q+a q-b p+b p-a")
    graph.pairs.attrs["bipartite"] = True
    explorer = everything(pg.Explorer(graph, fresh=True))
    assert explorer.picture["inferred"] == []
    assert "The two sides of these pairs are different things: no labels follow." in explorer.picture["note"]
    explorer.selection = ["q", "b"]
    assert explorer.why["badge"] == "stated"
