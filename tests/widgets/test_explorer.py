"""The Explorer from Python: what it begins with, what is set and read back."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.widgets.base.widget import PAGE
from paragraph.widgets.explorer.browse import OPEN, Query

from .graphs import drawn


def test_it_opens_on_the_largest_cluster_or_the_one_set(explorer, graph):
    assert (explorer.cluster, explorer.view, explorer.query) == (0, "cluster", Query())
    assert explorer.picture["title"].startswith(f"Cluster 0: {graph.cluster_sizes[0]} sentences, ")
    assert {f"n{i}" for i in graph.members(0)} <= drawn(explorer)
    assert explorer.selection.empty and list(explorer.selection) == ["node", "text", "cluster"]
    assert explorer.why["title"] == "Cluster 0" and len(explorer.listing["rows"]) == PAGE
    assert explorer.listing["total"] == len(explorer.found) == (graph.cluster_sizes > 1).sum()
    for cluster in (3, np.int64(200), len(graph.cluster_sizes) - 1):
        explorer.cluster = cluster
        assert explorer.cluster == explorer.listing["current"] == cluster and type(explorer.cluster) is int
        assert {f"n{i}" for i in graph.members(cluster)} <= drawn(explorer)
    explorer.cluster = 120
    assert explorer.listing["page"] == 120 // PAGE


def test_selection_round_trip(explorer, graph):
    nodes = graph.members(3)[:2].tolist()
    for chosen in (tuple(nodes), np.array(nodes), graph.texts(nodes), iter(nodes), pd.Series(nodes)):
        explorer.cluster = 0
        explorer.selection = chosen
        assert explorer.selection["node"].tolist() == nodes
        assert explorer.selection["text"].tolist() == graph.texts(nodes)
        assert explorer.cluster == 3 and explorer.why["keys"] == [f"n{node}" for node in nodes]
    explorer.selection = graph.text(nodes[0])  # one alone
    assert explorer.selection["node"].tolist() == nodes[:1]
    explorer.selection = nodes
    table = explorer.selection
    for some in (table, table[["text"]]):
        explorer.selection = []
        assert explorer.selection.empty
        explorer.selection = some
        pd.testing.assert_frame_equal(explorer.selection, table)
    explorer.selection = graph.search(graph.text(nodes[0]))
    assert nodes[0] in explorer.selection["node"].tolist()


def test_a_selection_across_clusters_opens_all_of_them(explorer, graph):
    nodes = [int(graph.members(c)[0]) for c in (4, 2, 9)]
    explorer.selection = nodes
    assert explorer.cluster == 4
    assert {f"n{i}" for c in (4, 2, 9) for i in graph.members(c)} <= drawn(explorer)
    before = explorer.picture
    explorer.selection = nodes[1:]  # drawn already: the picture stays
    assert explorer.picture == before and explorer.cluster == 4
    explorer.selection = [int(graph.members(c)[0]) for c in range(20, 30)]
    assert sum(key[0] == "n" for key in drawn(explorer)) == graph.cluster_sizes[20 : 20 + OPEN].sum()
    assert len(explorer.selection) == 10


def test_positions(explorer, graph):
    a, b = graph.members(0)[:2].tolist()
    before = explorer.positions
    assert set(before) == set(graph.members(0).tolist())
    explorer.positions = {a: (10, -20.5)}
    assert explorer.positions == before | {a: (10.0, -20.5)}
    explorer.positions = {b: (0, 0)}
    view = explorer._still()
    x, y = view.positions[view.nodes.tolist().index(a)] * 95
    assert (x, y) == pytest.approx((10, 20.5))  # paper has y upwards
    explorer.cluster = 1
    assert a not in explorer.positions
    explorer.cluster = 0
    assert explorer.positions[a] == (10.0, -20.5)


def test_layers(explorer, graph):
    scene = explorer.picture["scene"]
    explorer.layers = explorer.layers | {"inferred_positive": True}
    labels = {frozenset(label[:2]) for label in explorer.picture["inferred"]}
    follows = pg.infer(graph).to_frame()
    mine = set(graph.texts(graph.members(0)))
    inside = follows[follows["text_a"].isin(mine) & follows["text_b"].isin(mine)]
    assert len(labels) == len(inside) > 0
    assert explorer.picture["farthest"] == inside["distance"].max()
    explorer.layers = explorer.layers | {"inferred_positive": False}
    assert explorer.picture["inferred"] == []
    assert explorer.picture["scene"] == scene  # the same picture: nothing is laid out anew
