"""Looks of the Explorer: colour by doubt, what is listed, and the story of a cluster."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg

from ..refused import refused
from .graphs import at, demo, graph_of
from .page import Shown


def explorer_of(rows, cluster=0, **options):
    return at(cluster, pg.Explorer(graph_of(rows), **options))


def doubted(graph, seed=0):
    """A table of suspects of a graph in which each stated pair has a probability by chance."""
    a, b = graph.ends(np.arange(len(graph.edge_sign)))
    table = graph.pair_texts(a, b).assign(label=(graph.edge_sign > 0).astype(int))
    return table.assign(p_wrong=np.random.default_rng(seed).integers(0, 1001, len(table)) / 1000)


def dress_of(explorer):
    return Shown(explorer).held()["dress"]


def test_p_wrong_of_a_sentence_is_the_greatest_of_its_labels():
    doubts = pd.DataFrame({"text_a": ["a", "b"], "text_b": ["b", "c"], "p_wrong": [0.25, 0.75]})
    explorer = explorer_of("a+b b+c d+e a-d", suspects=doubts)
    explorer.look = {"color": "p_wrong"}
    color = dress_of(explorer)["color"]
    assert color["of"] == {"n0": 0.25, "n1": 0.75, "n2": 0.75} and color["missing"] == 1
    explorer.view = "clusters"
    assert dress_of(explorer)["color"]["of"] == {"c0": 0.75}


def test_the_list_is_sorted_by_doubt_and_clusters_without_any_come_last():
    graph = demo()
    explorer = pg.Explorer(graph, suspects=doubted(graph).iloc[:40])
    values, page = explorer._list.columns["p_wrong"], Shown(explorer)
    for descending in (False, True):
        explorer.query = {"sort": "p_wrong", "descending": descending}
        found = values[explorer.found]
        known = found[~np.isnan(found)].tolist()
        assert np.isnan(found[len(known) :]).all() and 0 < len(known) < len(found)
        assert known == sorted(known, reverse=descending)
        rows = page.follow()["listing"]["rows"]
        assert [row["cluster"] for row in rows] == explorer.found[: len(rows)].tolist()
    refused("sort 'p_wrong' is not one of", pg.Explorer(graph)._list.checked, {"sort": "p_wrong"})


def test_python_and_the_page_filter_by_doubt():
    graph = demo()
    explorer = pg.Explorer(graph, suspects=doubted(graph).head(1500))
    listing = Shown(explorer).told("query", bound={"name": "p_wrong", "side": "least", "value": 0.95})["listing"]
    worst, size = (explorer._list.columns[name] for name in ("p_wrong", "size"))
    assert explorer.found.tolist() == np.flatnonzero((worst >= 0.95) & (size > 1)).tolist()
    assert listing["total"] == len(explorer.found) > 0
    refused("no column .p_wrong.", setattr, pg.Explorer(graph), "query", {"bounds": {"p_wrong": (0.5, None)}})


@pytest.mark.parametrize("look", [{"color": "p_wrong"}, {"color": "conflicts", "hue": 1}, {}])
def test_a_look_that_cannot_be(look):
    explorer = explorer_of("a+b")
    said = refused("a look is {'color': one of conflicts}, not", setattr, explorer, "look", look)
    assert said.endswith(repr(look)) and explorer.look == {"color": "conflicts"}


def test_a_story_tells_what_holds_and_what_splits():
    rows = "gain_a+gain_b gain_b+gain_c gain_a+gain_c lose_a+lose_b lose_b+lose_c lose_a+lose_c gain_a+lose_a"
    pairs = [[part.replace("_", " weight ") for part in row.split("+")] for row in rows.split()]
    graph = graph_of(*((a, b, 1) for a, b in pairs))
    page = Shown(pg.Explorer(graph))
    said = page.held()["why"]
    facts = dict(said["facts"])
    assert facts["parts"] == "2: 3 + 3 sentences" and facts["bridges"].startswith("1:")
    assert facts["density"].startswith("0.47: 7 of 15") and facts["conflicts"] == "none" == facts["neighbours"]
    assert said["lists"] == {"bridges": [f"e{graph.edge_between(*map(graph.node, pairs[-1]))}"], "conflicts": []}
    assert said["central"]["text"] in ("gain weight a", "lose weight a")
    shared, splitting = ([word for word, _ in part["words"]] for part in said["words"])
    assert shared == ["weight"] and set(splitting[:2]) == {"gain", "lose"}
    assert page.tell("show", key=said["central"]["key"])["why"]["sentence"] == said["central"]["text"]
    assert page.tell("select", keys=[])["why"]["title"] == "Cluster 0"


def test_hits_rank_by_match_then_by_size():
    pairs = [
        ("the catalogue of cats", "a list of cats", 1), ("a list of cats", "all cats listed", 1),  # in a word
        ("cat food", "food for a cat", 1), ("food for a cat", "what cats eat", 1),  # together
        ("food: cat?", "x", 1), ("Cat food!", "y", 1), ("catfood is good", "z", 1),  # both words; no others; a part
    ]  # fmt: skip
    graph = graph_of(*pairs)
    explorer = pg.Explorer(graph)
    first, *others = (int(graph.cluster_of[graph.node(text)]) for text in ("cat food", "y", "x", "z"))
    page = Shown(explorer)
    rows = page.told("query", words="cat food")["listing"]["rows"]
    assert explorer.found.tolist() == [row["cluster"] for row in rows] == [first, *others]
    assert [row["text"] for row in rows][:2] == ["cat food", "Cat food!"]
    explorer.cluster = first
    hits = page.follow()["listing"]["hits"]
    assert set(hits) == {f"n{graph.node(text)}" for text in ("cat food", "food for a cat")}
    assert page.told("query", words="")["listing"]["hits"] == []
