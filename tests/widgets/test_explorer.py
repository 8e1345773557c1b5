"""The Explorer: what is set and read back from Python, and what each intent of a page leaves on screen."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.widgets.base.widget import PAGE
from paragraph.widgets.explorer.browse import OPEN, ClusterList, Query

from .graphs import Page, drawn, neighbour, numbered


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


def test_search_filter_and_sort(page, graph):
    expected = ClusterList(graph)
    explorer = page("query", words="how do")
    assert explorer.found.tolist() == expected.find(Query(words="how do")).tolist()
    assert explorer.listing["words"] == "how do" and explorer.cluster == 0
    page("query", bound={"name": "size", "side": "most", "value": 4})
    page("query", bound={"name": "density", "side": "least", "value": 0.5})
    assert explorer.query.bounds == explorer.listing["bounds"] == {"size": (2, 4), "density": (0.5, None)}
    page("query", bound={"name": "size", "side": "least", "value": None})
    assert explorer.query.bounds["size"] == (None, 4)
    page("query", kind="within")
    assert (explorer.found == expected.find(explorer.query)).all() and expected.within[explorer.found].all()
    for sort, descending in (("negatives", True), ("negatives", False), ("density", False)):
        page("query", sort=sort)
        assert (explorer.query.sort, explorer.query.descending) == (sort, descending)
    explorer.found[:] = 0  # a copy
    assert explorer.found.any()
    page("query", reset=True)
    assert explorer.query == Query()


def test_pages_of_the_list(page):
    explorer = page("page", page=1)
    found = explorer.found.tolist()
    assert [row["cluster"] for row in explorer.listing["rows"]] == found[PAGE : 2 * PAGE] and explorer.cluster == 0
    assert page("page", page=2, open="first").cluster == found[2 * PAGE]
    assert page("page", page=1, open="last").cluster == found[2 * PAGE - 1]
    for asked, given in ((999, -(-len(found) // PAGE) - 1), (-1, 0)):
        assert page("page", page=asked).listing["page"] == given
    page("query", words="no sentence holds this")
    assert page("page", page=1, open="first").listing["rows"] == [] and explorer.cluster == found[2 * PAGE - 1]


def test_surprise(page, graph):
    explorer = page("surprise", by="conflict")
    assert ClusterList(graph).columns["conflicts"][explorer.cluster] > 0
    assert explorer.listing["current"] in [row["cluster"] for row in explorer.listing["rows"]]
    same = Page(pg.Explorer(graph, fresh=True))("surprise", by="conflict")  # by its seed
    assert same.cluster == explorer.cluster


def test_select_sentences_and_a_closed_cluster(page, graph):
    a, b, c = (f"n{i}" for i in graph.members(0)[:3])
    assert page("select", keys=[a]).why["sentence"] == graph.text(int(a[1:]))
    explorer = page("select", keys=[a, b])
    assert explorer.why["keys"] == [a, b]
    assert explorer.why["badge"] == pg.explain(graph, int(a[1:]), int(b[1:])).verdict
    assert explorer.selection["node"].tolist() == [int(a[1:]), int(b[1:])]
    assert page("select", keys=[a, b, c]).why["title"] == "Why?" and len(explorer.selection) == 3
    assert page("select", keys=[a, a]).selected == [a]
    page("select", keys=[f"n{graph.members(50)[0]}"])  # drawn a moment ago
    assert explorer.selected == [a]
    assert page("select", keys=[]).selection.empty
    other = neighbour(explorer)
    assert page("select", keys=[f"c{other}"]).why["title"] == f"Cluster {other}"
    assert explorer.selection["node"].tolist() == graph.members(other).tolist()


def test_click_every_line(page, graph):
    explorer = page("open", cluster=0)
    for view in ("cluster", "clusters"):
        for edge in page("view", view=view).picture["edges"]:
            page("edge", id=edge["id"])
            assert set(explorer.selected) == {edge["from"], edge["to"]}
            if "a" in edge:
                assert explorer.why["badge"] == pg.explain(graph, edge["a"], edge["b"]).verdict
                assert explorer.why["keys"] == [f"n{edge['a']}", f"n{edge['b']}"]
            else:
                assert len(explorer.why["pairs"]) == edge["count"]


def test_show_a_sentence_of_the_explanation(page, graph):
    here, there = int(graph.members(0)[3]), int(graph.members(9)[1])
    explorer = page("show", key=f"n{here}")
    assert (explorer.cluster, explorer.selected) == (0, [f"n{here}"])
    page("show", key=f"n{there}")
    assert (explorer.cluster, explorer.selected, explorer.listing["current"]) == (9, [f"n{there}"], 9)
    assert f"n{there}" in drawn(explorer)
    page("view", view="clusters")
    page("show", key=f"n{here}")
    assert f"n{here}" in drawn(explorer) and explorer.cluster == 0


def test_expand_and_collapse(page, graph):
    explorer = page.explorer
    before, other = drawn(explorer), neighbour(explorer)
    theirs = [f"n{i}" for i in graph.members(other)]
    page("expand", key=f"c{other}")
    assert set(theirs) <= drawn(explorer) and f"c{other}" not in drawn(explorer)
    assert {key for key in before if key[0] == "n"} < drawn(explorer)
    assert explorer.cluster == 0
    page("expand", key=f"c{other}")  # a second double click, before the picture came
    assert sorted(drawn(explorer)) == sorted(node["key"] for node in explorer.picture["nodes"])
    page("select", keys=[theirs[0]])
    page("expand", key=theirs[0])
    assert drawn(explorer) == before and explorer.selection.empty
    page("expand", key=f"n{graph.members(0)[0]}")  # the cluster itself stays open
    assert drawn(explorer) == before


def test_six_clusters_can_be_open():
    page = Page(pg.Explorer(numbered([(0, 1, 1)] + [(0, i, 0) for i in range(2, 12)])))
    explorer = page.explorer
    for _ in range(OPEN - 1):
        page("expand", key=f"c{neighbour(explorer)}")
    assert sum(key[0] == "n" for key in drawn(explorer)) == 2 + OPEN - 1
    before = explorer.picture
    page("expand", key=f"c{neighbour(explorer)}")
    assert explorer.picture == before and explorer.why["text"].startswith("6 clusters are open.")


def test_cluster_of_clusters(page, graph):
    explorer, links = page("view", view="clusters"), graph.links
    near = {f"c{c}" for c in {*links.b[links.a == 0].tolist(), *links.a[links.b == 0].tolist()}}
    assert drawn(explorer) == {"c0"} | near
    page("expand", key="c0")
    assert drawn(explorer) == {f"n{i}" for i in graph.members(0)} | near
    page("expand", key=f"n{graph.members(0)[0]}")
    assert drawn(explorer) == {"c0"} | near
    other = min(near)
    page("expand", key=other)
    assert drawn(explorer) >= {"c0", *(f"n{i}" for i in graph.members(int(other[1:])))} | near - {other}
    page("view", view="cluster")
    assert explorer.view == "cluster" and f"n{graph.members(0)[0]}" in drawn(explorer)
