"""The Explorer: what is set and read back from Python, and what a page before its kernel shows."""

import json

import numpy as np
import pandas as pd

import paragraph as pg
from paragraph.draw.shared import OPEN, PAGE

from .graphs import drawn, neighbour, numbered
from .page import Shown


def test_it_opens_on_the_largest_cluster_or_the_one_set(explorer, page, graph):
    assert (explorer.cluster, explorer.view, explorer.query) == (0, "cluster", explorer._list.start)
    now = page.held()
    assert now["picture"]["title"].startswith(f"Cluster 0: {graph.cluster_sizes[0]} sentences, ")
    assert {f"n{i}" for i in graph.members(0)} <= drawn(now)
    assert explorer.selection.empty and list(explorer.selection) == ["node", "text", "cluster"]
    assert now["why"]["title"] == "Cluster 0" and len(now["listing"]["rows"]) == PAGE
    assert now["listing"]["total"] == (graph.cluster_sizes > 1).sum()
    for cluster in (3, np.int64(200), len(graph.cluster_sizes) - 1):
        explorer.cluster = cluster
        now = page.follow()
        assert explorer.cluster == now["listing"]["current"] == cluster and type(explorer.cluster) is int
        assert {f"n{i}" for i in graph.members(cluster)} <= drawn(now)
    explorer.cluster = 120
    assert page.follow()["listing"]["page"] == 120 // PAGE
    assert page.asked == []  # Python gave what it set


def test_selection_round_trip(explorer, page, graph):
    nodes = graph.members(3)[:2].tolist()
    for chosen in (tuple(nodes), np.array(nodes), graph.texts(nodes), iter(nodes), pd.Series(nodes)):
        explorer.cluster = 0
        explorer.selection = chosen
        assert explorer.selection["node"].tolist() == nodes
        assert explorer.selection["text"].tolist() == graph.texts(nodes)
        assert explorer.cluster == 3 and page.follow()["why"]["keys"] == [f"n{node}" for node in nodes]
    explorer.selection = graph.text(nodes[0])  # one alone
    assert explorer.selection["node"].tolist() == nodes[:1]
    explorer.selection = nodes
    table = explorer.selection
    explorer.selection = []
    assert explorer.selection.empty
    explorer.selection = table
    pd.testing.assert_frame_equal(explorer.selection, table)
    explorer.selection = graph.search(graph.text(nodes[0]))
    assert nodes[0] in explorer.selection["node"].tolist()


def test_a_selection_across_clusters_opens_all_of_them(explorer, page, graph):
    nodes = [int(graph.members(c)[0]) for c in (4, 2, 9)]
    explorer.selection = nodes
    assert explorer.cluster == 4
    before = page.follow()["picture"]
    assert {f"n{i}" for c in (4, 2, 9) for i in graph.members(c)} <= drawn(page.held())
    explorer.selection = nodes[1:]  # drawn already: the picture stays
    assert page.follow()["picture"] == before and explorer.cluster == 4
    explorer.selection = [int(graph.members(c)[0]) for c in range(20, 30)]
    assert sum(key[0] == "n" for key in drawn(page.follow())) == graph.cluster_sizes[20 : 20 + OPEN].sum()
    assert len(explorer.selection) == 10


def test_layers(explorer, page, graph):
    scene = page.held()["picture"]["scene"]
    explorer.layers |= {"inferred_positive": True}
    picture = page.follow()["picture"]
    labels = {frozenset(label[:2]) for label in picture["inferred"]}
    follows = pg.infer(graph).to_frame()
    mine = set(graph.texts(graph.members(0)))
    inside = follows[follows["text_a"].isin(mine) & follows["text_b"].isin(mine)]
    assert len(labels) == len(inside) > 0
    assert picture["farthest"] == inside["distance"].max()
    explorer.layers |= {"inferred_positive": False}
    picture = page.follow()["picture"]
    assert (picture["inferred"], picture["scene"]) == ([], scene)  # nothing is laid out anew


def test_select_sentences_and_a_closed_cluster(page, graph):
    a, b, c = (f"n{i}" for i in graph.members(0)[:3])
    explorer = page.explorer
    assert page.told("select", keys=[a])["why"]["sentence"] == graph.text(int(a[1:]))
    why = page.told("select", keys=[a, b])["why"]
    assert why["keys"] == [a, b] and why["badge"] == pg.explain(graph, int(a[1:]), int(b[1:])).verdict
    assert explorer.selection["node"].tolist() == [int(a[1:]), int(b[1:])]
    assert page.told("select", keys=[a, b, c])["why"]["title"] == "Why?" and len(explorer.selection) == 3
    assert page.told("select", keys=[a, a])["selected"] == [a]
    page.told("select", keys=[f"n{graph.members(50)[0]}"])  # not drawn
    assert explorer.selected == [a]
    page.told("select", keys=[])
    assert explorer.selection.empty
    other = neighbour(page.held())
    assert page.told("select", keys=[f"c{other}"])["why"]["title"] == f"Cluster {other}"
    assert explorer.selection["node"].tolist() == graph.members(other).tolist()


def test_a_click_whose_record_is_there_asks_nothing(page, graph):
    page.tell("open", cluster=5)
    assert page.asked == ["clusters"]  # one question a cluster
    now = page.tell("open", cluster=0)
    for node in graph.members(0).tolist():
        assert page.tell("select", keys=[f"n{node}"])["why"]["sentence"] == graph.text(node)
    for edge in now["picture"]["edges"]:
        if edge["from"][0] == "n":
            page.tell("edge", id=edge["id"])
    page.tell("layers", layers=page.explorer.layers | {"inferred_positive": True})
    page.tell("query", sort="size")
    page.tell("open", cluster=5)
    assert [question for question in page.asked if question != "names"] == ["clusters"]


def test_show_a_sentence_of_the_explanation(page, graph):
    here, there = int(graph.members(0)[3]), int(graph.members(9)[1])
    explorer = page.explorer
    page.told("show", key=f"n{here}")
    assert (explorer.cluster, explorer.selected) == (0, [f"n{here}"])
    now = page.told("show", key=f"n{there}")
    assert (explorer.cluster, explorer.selected, now["listing"]["current"]) == (9, [f"n{there}"], 9)
    assert f"n{there}" in drawn(now)
    page.told("view", view="clusters")
    assert f"n{here}" in drawn(page.told("show", key=f"n{here}")) and explorer.cluster == 0


def test_expand_and_collapse(page, graph):
    before, other = drawn(page.held()), neighbour(page.held())
    theirs = [f"n{i}" for i in graph.members(other)]
    now = drawn(page.told("expand", key=f"c{other}"))
    assert set(theirs) <= now and f"c{other}" not in now
    assert {key for key in before if key[0] == "n"} < now
    assert page.explorer.cluster == 0
    page.told("expand", key=f"c{other}")  # a second double click, before the picture came
    assert drawn(page.held()) == now
    page.told("select", keys=[theirs[0]])
    assert drawn(page.told("expand", key=theirs[0])) == before and page.explorer.selection.empty
    assert drawn(page.told("expand", key=f"n{graph.members(0)[0]}")) == before  # the cluster itself stays open


def test_six_clusters_can_be_open():
    page = Shown(pg.Explorer(numbered([(0, 1, 1)] + [(0, i, 0) for i in range(2, 12)])))
    for _ in range(OPEN - 1):
        page.told("expand", key=f"c{neighbour(page.held())}")
    before = page.held()["picture"]
    assert sum(node["key"][0] == "n" for node in before["nodes"]) == 2 + OPEN - 1
    now = page.told("expand", key=f"c{neighbour(page.held())}")
    assert now["picture"] == before and now["why"]["text"].startswith("6 clusters are open.")


def test_cluster_of_clusters(page, graph):
    links, now = graph.links, page.told("view", view="clusters")
    near = {f"c{c}" for c in {*links.b[links.a == 0].tolist(), *links.a[links.b == 0].tolist()}}
    assert drawn(now) == {"c0"} | near
    assert drawn(page.told("expand", key="c0")) == {f"n{i}" for i in graph.members(0)} | near
    assert drawn(page.told("expand", key=f"n{graph.members(0)[0]}")) == {"c0"} | near
    other = min(near)
    now = drawn(page.told("expand", key=other))
    assert now >= {"c0", *(f"n{i}" for i in graph.members(int(other[1:])))} | near - {other}
    now = page.told("view", view="cluster")
    assert page.explorer.view == "cluster" and f"n{graph.members(0)[0]}" in drawn(now)


def test_a_screen_that_comes_late_is_not_shown(explorer):
    """Of two clusters asked for, the one asked for last is shown, whichever answer comes first."""
    page = Shown(explorer)
    page.engine.eval("tell({ intent: 'open', cluster: 7 }); tell({ intent: 'open', cluster: 8 }); 0")
    asks = json.loads(page.engine.eval("JSON.stringify(asks.splice(0))"))
    assert [ask["content"]["open"] for ask in asks] == [[7], [8]]
    for ask in reversed(asks):
        parts = []
        explorer.send = parts.append
        explorer.on_ask(ask["key"], ask["question"], ask["content"])
        page.engine.eval(f"for (const call of heard) call({json.dumps(parts[0])}); 0")
    page._run("0")
    assert page.held()["picture"]["title"].startswith("Cluster 8:") and page.read("screen")["screen"]["cluster"] == 8


def test_an_answer_that_is_long_comes_in_parts_and_nonsense_is_answered(explorer, monkeypatch):
    monkeypatch.setattr("paragraph.widgets.base.widget.PART", 500)
    page, sent = Shown(explorer), []
    assert page.tell("open", cluster=9)["picture"]["title"].startswith("Cluster 9:")
    explorer.send = sent.append
    explorer.on_ask("k", "clusters", {"open": [0], "near": [], "nodes": [], "wanted": []})
    assert len(sent) > 5 and max(len(one["part"]) for one in sent) == 500 and sent[-1]["left"] == 0
    sent.clear()
    explorer.on_ask("k", "clusters", {"open": [10**6]})
    assert "error" in json.loads("".join(one["part"] for one in sent))
    page.tell("open", cluster=10**6)
    assert "1000000" in page.errors[0]
