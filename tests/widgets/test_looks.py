"""What the Explorer tells of a cluster, and in which order it lists what is found."""

import paragraph as pg

from .graphs import graph_of
from .page import Shown


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
    assert [row["cluster"] for row in rows] == [first, *others]
    assert [row["text"] for row in rows][:2] == ["cat food", "Cat food!"]
    explorer.cluster = first
    hits = page.follow()["listing"]["hits"]
    assert set(hits) == {f"n{graph.node(text)}" for text in ("cat food", "food for a cat")}
    assert page.told("query", words="")["listing"]["hits"] == []
