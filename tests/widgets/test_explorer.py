"""The Explorer as a page drives it and as Python does: intents, setters, what is remembered, what is refused."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.widgets.browse import ClusterList, Query
from paragraph.widgets.explorer import OPEN, PAGE

from ..hostile import SENTENCES
from ..hostile import graph as hostile_graph
from .graphs import Page, demo, giant, graph_of, numbered


@pytest.fixture(scope="module")
def graph():
    return demo()


@pytest.fixture
def explorer(graph):
    return pg.Explorer(graph, fresh=True)


@pytest.fixture
def page(explorer):
    return Page(explorer)


def drawn(explorer):
    return {node["key"] for node in explorer.picture["nodes"]}


def state(explorer):
    """All that a page can see or a person read back, and nothing of how often it was asked."""
    return {
        "picture": explorer.picture, "layers": explorer.layers, "placed": explorer.placed,
        "selected": explorer.selected, "listing": explorer.listing, "why": explorer.why,
        "cluster": explorer.cluster, "view": explorer.view, "query": explorer.query,
        "found": explorer.found.tolist(), "positions": explorer.positions,
    }  # fmt: skip


def neighbour(explorer):
    return next(int(node["key"][1:]) for node in explorer.picture["nodes"] if node["key"][0] == "c")


# -- to begin with -------------------------------------------------------------------------------------------


def test_it_opens_on_the_largest_cluster(explorer, graph):
    assert (explorer.cluster, explorer.view, explorer.query) == (0, "cluster", Query())
    assert explorer.picture["title"].startswith(f"Cluster 0: {graph.cluster_sizes[0]} sentences, ")
    assert {f"n{i}" for i in graph.members(0)} <= drawn(explorer)
    assert explorer.selection.empty and list(explorer.selection) == ["node", "text", "cluster"]
    assert explorer.why["title"] == "Why?"
    assert len(explorer.listing["rows"]) == PAGE
    assert explorer.listing["total"] == len(explorer.found) == (graph.cluster_sizes > 1).sum()


def test_the_page_of_the_list_holds_the_cluster_asked_for(graph):
    explorer = pg.Explorer(graph, cluster=120, fresh=True)
    assert explorer.listing["page"] == 120 // PAGE
    assert explorer.listing["current"] == 120
    assert 120 in [row["cluster"] for row in explorer.listing["rows"]]


# -- what a page asks ----------------------------------------------------------------------------------------


def test_open(page):
    explorer = page("open", cluster=7)
    assert explorer.cluster == explorer.listing["current"] == 7
    assert explorer.picture["title"].startswith("Cluster 7:")


def test_search_filter_and_sort(page, graph):
    expected = ClusterList(graph)
    explorer = page("query", words="how do")
    assert explorer.found.tolist() == expected.find(Query(words="how do")).tolist()
    assert explorer.listing["words"] == "how do" and explorer.cluster == 0
    page("query", bound={"name": "size", "side": "most", "value": 4})
    assert explorer.query.bounds == {"size": (2, 4)}
    page("query", bound={"name": "density", "side": "least", "value": 0.5})
    assert explorer.query.bounds == {"size": (2, 4), "density": (0.5, None)}
    assert explorer.listing["bounds"] == {"size": [2, 4], "density": [0.5, None]}
    page("query", bound={"name": "size", "side": "least", "value": None})
    assert explorer.query.bounds["size"] == (None, 4)
    assert (explorer.found == expected.find(explorer.query)).all()
    page("query", kind="within")
    assert expected.within[explorer.found].all()
    page("query", sort="negatives")
    assert (explorer.query.sort, explorer.query.descending) == ("negatives", True)
    page("query", sort="negatives")
    assert (explorer.query.sort, explorer.query.descending) == ("negatives", False)
    page("query", sort="density")
    assert (explorer.query.sort, explorer.query.descending) == ("density", False)
    page("query", reset=True)
    assert explorer.query == Query()


def test_pages_of_the_list(page):
    explorer = page("page", page=1)
    found = explorer.found.tolist()
    assert [row["cluster"] for row in explorer.listing["rows"]] == found[PAGE : 2 * PAGE]
    assert explorer.cluster == 0
    assert page("page", page=2, open="first").cluster == found[2 * PAGE]
    assert page("page", page=1, open="last").cluster == found[2 * PAGE - 1]
    assert page("page", page=999).listing["page"] == -(-len(found) // PAGE) - 1
    assert page("page", page=-1).listing["page"] == 0
    page("query", words="no sentence holds this")
    assert page("page", page=1, open="first").listing["rows"] == []
    assert explorer.cluster == found[2 * PAGE - 1]


def test_surprise(page, graph):
    explorer = page("surprise", by="conflict")
    assert ClusterList(graph).columns["conflicts"][explorer.cluster] > 0
    assert explorer.listing["current"] in [row["cluster"] for row in explorer.listing["rows"]]
    again = Page(pg.Explorer(graph, fresh=True))("surprise", by="conflict")
    assert again.cluster == explorer.cluster  # the same seed


def test_select_sentences(page, graph):
    a, b, c = (f"n{i}" for i in graph.members(0)[:3])
    assert page("select", keys=[a]).why["sentence"] == graph.text(a[1:])
    explorer = page("select", keys=[a, b])
    assert explorer.why["keys"] == [a, b]
    assert explorer.why["badge"] == pg.explain(graph, int(a[1:]), int(b[1:])).verdict
    assert explorer.selection["node"].tolist() == [int(a[1:]), int(b[1:])]
    assert page("select", keys=[a, b, c]).why["title"] == "Why?"
    assert len(explorer.selection) == 3
    assert page("select", keys=[a, a]).selected == [a]
    assert page("select", keys=[]).selection.empty


def test_select_a_closed_cluster(page, graph):
    other = neighbour(page.explorer)
    explorer = page("select", keys=[f"c{other}"])
    assert explorer.why["title"] == f"Cluster {other}"
    assert explorer.selection["node"].tolist() == graph.members(other).tolist()
    assert set(explorer.selection["cluster"]) == {other}


def test_what_was_drawn_a_moment_ago_is_not_selected(page, graph):
    a = f"n{graph.members(0)[0]}"
    page("select", keys=[a])
    explorer = page("select", keys=[f"n{graph.members(50)[0]}"])
    assert explorer.selected == [a]


def test_click_every_line(page, graph):
    explorer = page("open", cluster=0)
    for edge in explorer.picture["edges"]:
        page("edge", id=edge["id"])
        assert explorer.selected == [edge["from"], edge["to"]] or set(explorer.selected) == {edge["from"], edge["to"]}
        if "a" in edge:
            found = pg.explain(graph, edge["a"], edge["b"])
            assert (explorer.why["badge"], explorer.why["keys"]) == (
                found.verdict,
                [f"n{edge['a']}", f"n{edge['b']}"],
            )
        else:
            assert len(explorer.why["pairs"]) == edge["count"]
    page("view", view="clusters")
    for edge in explorer.picture["edges"]:
        assert len(page("edge", id=edge["id"]).why["pairs"]) == edge["count"]


def test_click_inferred_lines(page, graph):
    explorer = page.explorer
    explorer.layers = explorer.layers | {"inferred_positive": True, "distance": 3}
    assert explorer.picture["inferred"]
    for a, b, sign, far in explorer.picture["inferred"]:
        page("pair", keys=[a, b])
        assert explorer.why["badge"] == "inferred"
        found = pg.explain(graph, int(a[1:]), int(b[1:]))
        assert (1 if found.label else -1, found.rounds) == (sign, far)
        assert len(explorer.why["steps"]) == len(found.steps)


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


def test_negatives_between_open_clusters_can_be_inferred(page, graph):
    explorer = page.explorer
    explorer.layers = explorer.layers | {"inferred_negative": True}
    assert "double click a neighbour" in explorer.picture["note"] and explorer.picture["inferred"] == []
    other = neighbour(explorer)
    page("expand", key=f"c{other}")
    follows = pg.infer(graph).to_frame()
    mine, theirs = (set(graph.texts(graph.members(c))) for c in (0, other))
    across = follows["label"].eq(0) & (
        follows["text_a"].isin(mine) & follows["text_b"].isin(theirs)
        | follows["text_a"].isin(theirs) & follows["text_b"].isin(mine)
    )
    assert len(explorer.picture["inferred"]) == across.sum() > 0
    assert explorer.picture["farthest"] == follows.loc[across, "distance"].max()
    assert explorer.picture["note"] == ""


def test_six_clusters_can_be_open():
    graph = numbered([(0, 1, 1)] + [(0, i, 0) for i in range(2, 12)])
    page = Page(pg.Explorer(graph, fresh=True))
    explorer = page.explorer
    for _ in range(OPEN - 1):
        page("expand", key=f"c{neighbour(explorer)}")
    assert sum(key[0] == "n" for key in drawn(explorer)) == 2 + OPEN - 1
    before = explorer.picture
    page("expand", key=f"c{neighbour(explorer)}")
    assert explorer.picture == before
    assert explorer.why["text"].startswith("6 clusters are open.")


def test_cluster_of_clusters(page, graph):
    explorer = page("view", view="clusters")
    links = graph.links
    near = set(links.b[links.a == 0].tolist()) | set(links.a[links.b == 0].tolist())
    assert drawn(explorer) == {"c0"} | {f"c{c}" for c in near}
    page("expand", key="c0")
    assert {f"n{i}" for i in graph.members(0)} | {f"c{c}" for c in near} == drawn(explorer)
    page("expand", key=f"n{graph.members(0)[0]}")
    assert drawn(explorer) == {"c0"} | {f"c{c}" for c in near}
    other = min(near)
    page("expand", key=f"c{other}")
    assert {"c0"} | {f"n{i}" for i in graph.members(other)} <= drawn(explorer)
    assert {f"c{c}" for c in near - {other}} <= drawn(explorer)
    page("view", view="cluster")
    assert explorer.view == "cluster" and f"n{graph.members(0)[0]}" in drawn(explorer)


def test_ready_and_layers_change_nothing(page):
    before = state(page.explorer)
    page("ready")
    page("layers", layers=dict(page.explorer.layers))
    assert state(page.explorer) == before


def test_the_number_acknowledged_never_goes_back(explorer):
    page = Page(explorer)
    page.send({"intent": "ready", "n": 5})
    page.send({"intent": "ready", "n": 3})
    assert explorer.ack == 5


# -- what makes no sense -------------------------------------------------------------------------------------

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
    {"intent": "pair", "keys": ["n0"]}, {"intent": "pair", "keys": ["n0", "n999999"]}, {"intent": "pair", "keys": 3},
    {"intent": "pair", "keys": ["n0", "n0"]}, {"intent": "pair", "keys": ["c1", "n0"]},
    {"intent": "pair", "keys": ["n0", None]}, {"intent": "show", "key": "n999999"}, {"intent": "show", "key": "n-1"},
    {"intent": "show", "key": "x3"}, {"intent": "show", "key": ""}, {"intent": "show", "key": None},
    {"intent": "expand", "key": "c999999"}, {"intent": "expand", "key": "n999999"}, {"intent": "expand", "key": ""},
    {"intent": "expand", "key": None}, {"intent": "expand", "key": "c0"},
]  # fmt: skip


@pytest.mark.parametrize("message", MALFORMED, ids=str)
def test_what_makes_no_sense_changes_nothing(explorer, message):
    before = state(explorer)
    Page(explorer).send(message)
    assert state(explorer) == before
    number = {"n": 8} | message if isinstance(message, dict) else {"n": 8}
    Page(explorer).send(number)
    assert explorer.ack == 8  # answered all the same, so that the page does not wait


@pytest.mark.parametrize("number", ["x", None, 1.5, [1], {}])
def test_a_number_that_is_none(explorer, number):
    Page(explorer).send({"intent": "open", "cluster": 2, "n": number})
    assert (explorer.cluster, explorer.ack) == (2, 0)


def test_what_was_not_understood_is_in_the_log(explorer):
    said = Page(explorer).send({"intent": "fly", "n": 1, "high": "x" * 10_000})
    assert len(said) == 1 and "not answered: {'intent': 'fly'" in said[0] and len(said[0]) < 1_000


JUNK = st.one_of(st.none(), st.booleans(), st.integers(-3, 1_000), st.floats(), st.text(max_size=4),
                 st.sampled_from(["n0", "n1", "c1", "least", "size", "clusters", "within"]))  # fmt: skip
JUNK = st.recursive(JUNK, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner))
NAMES = ["cluster", "keys", "key", "id", "by", "view", "page", "open", "words", "bound", "bounds", "kind", "sort",
         "descending", "reset", "layers", "n"]  # fmt: skip
INTENTS = ["open", "query", "page", "surprise", "view", "layers", "select", "edge", "pair", "show", "expand", "ready"]


@settings(max_examples=150, deadline=None)
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


# -- set and read back ---------------------------------------------------------------------------------------


def test_cluster(explorer, graph):
    for cluster in (3, np.int64(200), len(graph.cluster_sizes) - 1):
        explorer.cluster = cluster
        assert explorer.cluster == cluster and type(explorer.cluster) is int
        assert {f"n{i}" for i in graph.members(cluster)} <= drawn(explorer)
        assert explorer.listing["current"] == cluster
    explorer.cluster = 120
    assert explorer.listing["page"] == 120 // PAGE


def test_selection_round_trip(explorer, graph):
    nodes = graph.members(3)[:2].tolist()
    for chosen in (nodes, tuple(nodes), np.array(nodes), graph.texts(nodes), iter(nodes), pd.Series(nodes)):
        explorer.cluster = 0
        explorer.selection = chosen
        assert explorer.selection["node"].tolist() == nodes
        assert explorer.selection["text"].tolist() == graph.texts(nodes)
        assert explorer.selection["cluster"].tolist() == [3, 3]
        assert explorer.cluster == 3 and explorer.why["keys"] == [f"n{node}" for node in nodes]
    table = explorer.selection
    explorer.selection = []
    assert explorer.selection.empty
    explorer.selection = table
    pd.testing.assert_frame_equal(explorer.selection, table)
    explorer.selection = table[["text"]]
    pd.testing.assert_frame_equal(explorer.selection, table)
    explorer.selection = graph.search(graph.text(nodes[0]))
    assert nodes[0] in explorer.selection["node"].tolist()


def test_selection_of_one(explorer, graph):
    node = int(graph.members(5)[0])
    for chosen in (node, np.int64(node), graph.text(node), [node, node]):
        explorer.selection = chosen
        assert explorer.selection["node"].tolist() == [node]
        assert explorer.why["sentence"] == graph.text(node)


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


def test_a_selection_in_the_cluster_of_clusters_is_drawn(explorer, graph):
    explorer.view = "clusters"
    explorer.selection = graph.members(6)[:1]
    assert f"n{graph.members(6)[0]}" in drawn(explorer) and explorer.view == "clusters"


def test_positions(explorer, graph):
    a, b = graph.members(0)[:2].tolist()
    before = explorer.positions
    assert set(before) == set(graph.members(0).tolist())
    explorer.positions = {a: (10, -20.5)}
    assert explorer.positions == before | {a: (10.0, -20.5)}
    explorer.positions = {b: (0, 0)}
    assert explorer.positions[a] == (10.0, -20.5)
    view = explorer._still()
    x, y = view.positions[view.nodes.tolist().index(a)] * 95
    assert (x, y) == pytest.approx((10, 20.5))  # paper has y upwards
    explorer.cluster = 1
    assert a not in explorer.positions
    explorer.cluster = 0
    assert explorer.positions[a] == (10.0, -20.5)


def test_positions_dragged_on_the_page(explorer, graph):
    a = int(graph.members(0)[0])
    explorer.set_state({"placed": {f"n{a}": [1.5, 2], f"c{neighbour(explorer)}": [7, 8]}})
    assert explorer.positions[a] == (1.5, 2)
    assert set(explorer.positions) == set(graph.members(0).tolist())


def test_view_and_query(explorer):
    explorer.view = "clusters"
    assert explorer.view == explorer.picture["view"] == "clusters"
    explorer.query = Query(kind="within", sort="size", descending=True)
    assert explorer.listing["total"] == len(explorer.found) < 100
    sizes = [row["size"] for row in explorer.listing["rows"]]
    assert sizes == sorted(sizes, reverse=True)
    explorer.found[:] = 0  # a copy
    assert explorer.found.any()


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


def test_hops(graph):
    explorer = pg.Explorer(graph, distance="hops", fresh=True)
    explorer.layers = explorer.layers | {"inferred_positive": True}
    for a, b, _, far in explorer.picture["inferred"]:
        assert far == pg.explain(graph, int(a[1:]), int(b[1:])).hops


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("cluster", 10**6, "cluster 1000000 is not one of 0 .. "),
        ("cluster", -1, "cluster -1 is not one of 0 .. "),
        ("cluster", "3", "cluster '3' is not a number"),
        ("cluster", None, "cluster None is not a number"),
        ("view", "tree", "view 'tree' is not one of 'cluster', 'clusters'"),
        ("layers", {"hidden": True}, "inferred_positive, inferred_negative, distance; not hidden"),
        ("layers", {"positive": True}, "layers lack conflicts, distance, inferred_negative, "),
        ("selection", [10**6], "node 1000000 is not one of 0 .. 873"),
        ("selection", [0, -1], "node -1 is not one of 0 .. 873"),
        ("selection", "Is this in the data?", "sentence 'Is this in the data?' is not in the graph; nearest:\n"),
        ("selection", pd.DataFrame({"a": [1]}), "a selection has a column node or text, not a"),
        ("positions", {10**6: (0, 0)}, "node 1000000 is not one of 0 .. 873"),
        ("positions", {0: (math.inf, 0)}, "the place [inf, 0.0] of 'n0' is not two numbers"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_told_and_changes_nothing(explorer, name, value, message):
    before = state(explorer)
    with pytest.raises(pg.PairsError) as error:
        setattr(explorer, name, value)
    assert message in str(error.value)
    assert state(explorer) == before


@pytest.mark.parametrize(
    ("name", "change"),
    [("layers", {"positive": "yes"}), ("layers", {"distance": 0}), ("layers", {"distance": 1.5}),
     ("layers", {"x": 1}),
     ("placed", {"n0": "ab"}), ("placed", {"n0": [1]}), ("placed", {"n0": [1, None]}), ("placed", {"n0": None})],
)  # fmt: skip
def test_a_page_cannot_set_them_either(explorer, name, change):
    before = state(explorer)
    with pytest.raises(pg.PairsError):
        explorer.set_state({name: getattr(explorer, name) | change})
    assert state(explorer) == before


def test_what_cannot_be_begun_with(graph):
    with pytest.raises(pg.PairsError, match="cluster 99999 is not one of"):
        pg.Explorer(graph, cluster=99999)


# -- what is remembered --------------------------------------------------------------------------------------


def arranged(graph):
    explorer = pg.Explorer(graph, fresh=True)
    explorer.query = Query(words="how", sort="size", descending=True)
    explorer.cluster = 4
    Page(explorer)("expand", key=f"c{neighbour(explorer)}")
    explorer.layers = explorer.layers | {"negative": False, "inferred_negative": True, "distance": 2}
    explorer.selection = graph.members(4)[:2]
    explorer.positions = {int(graph.members(4)[0]): (1, 2)}
    return explorer


def same_screen(one, other):
    left, right = state(one), state(other)
    for parts in (left, right):
        for numbered_part in ("picture", "why"):
            parts[numbered_part] = {k: v for k, v in parts[numbered_part].items() if k not in ("scene", "n")}
    return left == right


def test_the_cell_run_again_shows_the_same(graph):
    first = arranged(graph)
    assert same_screen(pg.Explorer(graph), first)
    rebuilt = demo()
    assert rebuilt is not graph
    assert same_screen(pg.Explorer(rebuilt), first)


def test_fresh_forgets(graph):
    begun = state(pg.Explorer(graph, fresh=True))
    arranged(graph)
    assert same_screen(pg.Explorer(graph, fresh=True), pg.Explorer(graph))
    assert pg.Explorer(graph).listing == begun["listing"]


def test_a_cluster_asked_for_wins_over_the_one_remembered(graph):
    first = arranged(graph)
    explorer = pg.Explorer(graph, cluster=2)
    assert explorer.cluster == 2 and explorer.selection.empty
    assert explorer.query == first.query and explorer.layers == first.layers
    explorer.view = "clusters"
    again = pg.Explorer(graph, cluster=6)
    assert again.view == "clusters" and "c6" in drawn(again) and f"n{graph.members(6)[0]}" not in drawn(again)


def test_other_data_and_other_seeds_do_not_share(graph):
    arranged(graph)
    other = pg.ParaphraseGraph.from_pairs(graph.pairs.iloc[:-1])
    assert pg.Explorer(other).cluster == 0 and pg.Explorer(other).query == Query()
    assert pg.Explorer(graph, seed=5, fresh=True).cluster == 0
    one, same = graph_of("a+b c+d"), graph_of("a+b c-d")
    pg.Explorer(one, cluster=1)
    assert pg.Explorer(same, fresh=True).cluster == 0 and pg.Explorer(one).cluster == 1


def test_the_same_seed_the_same_picture(graph):
    pictures = [pg.Explorer(graph, seed=seed, fresh=True).positions for seed in (3, 3, 4)]
    assert pictures[0] == pictures[1] != pictures[2]


# -- bad cases -----------------------------------------------------------------------------------------------


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
        page("pair", keys=[a, b])
    page("query", words="e", kind="none", sort="density")
    page("query", reset=True)
    page("page", page=1)
    explorer._still()
    return explorer


def test_an_empty_graph():
    explorer = everything(pg.Explorer(graph_of(""), fresh=True))
    assert explorer.cluster is None and explorer.selection.empty and explorer.positions == {}
    assert explorer.picture["title"] == "The graph has no sentences."
    assert (explorer.listing["rows"], explorer.listing["any"], explorer.listing["pages"]) == ([], False, 0)
    with pytest.raises(pg.PairsError, match="there is no cluster 0: the graph has no sentences"):
        explorer.cluster = 0
    explorer.selection = []


def test_only_negatives():
    explorer = pg.Explorer(graph_of("a-b b-c d-a"), fresh=True)
    assert explorer.query.bounds == {} and explorer.listing["total"] == 4  # else the list would be empty
    assert explorer.picture["title"] == "Cluster 0: 1 sentence, 2 neighbouring clusters"
    everything(explorer)
    explorer.selection = ["a", "c"]
    assert explorer.why["badge"] == "unknown"


def test_only_self_pairs():
    explorer = everything(pg.Explorer(graph_of("a+a"), fresh=True))
    assert explorer.picture["title"] == "Cluster 0: 1 sentence"


def test_one_giant_cluster():
    graph = giant(3_000)
    explorer = everything(pg.Explorer(graph, fresh=True))
    assert "300 of the 3,000 sentences of cluster 0 are shown" in explorer.picture["note"]
    far = 2_999
    assert f"n{far}" not in drawn(explorer)
    explorer.selection = [far]
    assert f"n{far}" in drawn(explorer) and len(drawn(explorer)) == 300
    assert pg.Explorer(graph).picture["nodes"] == explorer.picture["nodes"]
    Page(explorer)("show", key="n2000")
    assert {"n2000", "n1000", "n500"} <= drawn(explorer)


def test_hostile_sentences():
    explorer = everything(pg.Explorer(hostile_graph(), fresh=True))
    explorer.cluster = 0
    assert [n["text"] for n in explorer.picture["nodes"] if n["key"][0] == "n"] == SENTENCES[:10]
    for sentence in SENTENCES:
        explorer.selection = sentence
        assert explorer.selection["text"].tolist() == [sentence]
        assert explorer.why["sentence"] == sentence
        explorer.query = Query(words=sentence, bounds={})
        assert [row["text"] for row in explorer.listing["rows"]] == [sentence]


def test_a_graph_made_from_codes():
    codes = np.array([0, 1, 0, 3]), np.array([1, 2, 2, 0])
    graph = pg.ParaphraseGraph(*codes, np.array([1, 1, -1, -1], dtype=np.int8), 4)
    explorer = everything(pg.Explorer(graph, fresh=True))
    explorer.selection = ["sentence 0", "sentence 2"]
    assert explorer.why["badge"] == "conflict" and explorer.why["rows"] == []


def test_sentences_that_read_the_same():
    pairs = pd.DataFrame(
        {"text_a": ["same", "same", "x"], "text_b": ["same", "x", "y"], "label": [1, 0, 1],
         "id_a": list("123"), "id_b": list("234")}
    )  # fmt: skip
    explorer = everything(pg.Explorer(pg.ParaphraseGraph.from_pairs(pairs, identity="id"), fresh=True))
    explorer.selection = [0, 1]
    assert explorer.selection["text"].tolist() == ["same", "same"]
    assert explorer.why["badge"] == "stated"
    explorer.selection = explorer.selection
    assert explorer.selection["node"].tolist() == [0, 1]


def test_bipartite_pairs():
    graph = graph_of("q+a q-b p+b p-a")
    graph.pairs.attrs["bipartite"] = True
    explorer = everything(pg.Explorer(graph, fresh=True))
    assert explorer.picture["inferred"] == []
    assert "The two sides of these pairs are different things: no labels follow." in explorer.picture["note"]
    explorer.selection = ["q", "b"]
    assert explorer.why["badge"] == "stated"
