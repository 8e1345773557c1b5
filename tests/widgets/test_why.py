"""Each explanation of a page says what the library says."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import paragraph as pg

from .. import reference
from .graphs import ROWS, at, demo, drawn, frame, graph_of, numbered
from .page import Shown, explained

MOST = 200  # entries of one list


def said_rows(graph, a, b):
    """The labelled rows of a pair in the pair table: ``(row, word, [text_a, text_b])``."""
    texts = {graph.text(a), graph.text(b)}
    pairs = graph.pairs[graph.pairs["label"].notna()]
    mine = pairs[[{x, y} == texts for x, y in zip(pairs["text_a"], pairs["text_b"], strict=True)]]
    return [(r.row, graph.words[r.label], [r.text_a, r.text_b]) for r in mine.itertuples()]


def assert_explained(graph, pairs):
    """The page explains these pairs as `pg.explain` does; returns the verdicts."""
    found = [pg.explain(graph, a, b) for a, b in pairs]
    for (a, b), said, one in zip(pairs, explained(graph, pairs), found, strict=True):
        assert said["badge"] == one.verdict
        assert said["text"].casefold() == one.reason.casefold() + "."
        assert ["".join(text for text, _ in side) for side in said["pair"]] == [graph.text(a), graph.text(b)]
        assert said["keys"] == [f"n{a}", f"n{b}"]
        steps = one.steps if one.verdict in ("inferred", "conflict") else []
        assert [(s["texts"], s["sign"], s["rows"]) for s in said["steps"]] == [
            ([step.text_a, step.text_b], step.sign, step.rows) for step in steps
        ]
        assert said["steps_title"] or not steps
        assert [(r["row"], r["label"], r["texts"]) for r in said["rows"]] == said_rows(graph, a, b)
        shown, own = said["highlight"], frozenset(said["keys"])
        lit = {frozenset(pair) for pair in shown["edges"]}
        assert lit == {own, *(frozenset(step["keys"]) for step in said["steps"])}
        assert set(shown["nodes"]) == set().union(*lit)
        follows = (said["keys"], 1 if one.label else -1) if one.verdict == "inferred" else (None, None)
        assert (shown.get("pair"), shown.get("sign")) == follows
    return {one.verdict for one in found}


@pytest.mark.slow
def test_two_hundred_pairs_of_the_demo():
    graph, rng = demo(), np.random.default_rng(1)
    home, pairs = rng.integers(0, 20, 200), []
    for cluster, how in zip(home.tolist(), rng.integers(0, 4, 200).tolist(), strict=True):
        edges = graph.edges_at([cluster])
        if how == 0:  # stated, or in conflict
            a, b = graph.ends(rng.choice(edges)).tolist()
        elif how == 1:  # of one cluster
            a, b = rng.choice(graph.members(cluster), 2, replace=False).tolist()
        else:  # of two that a label joins, or of any two
            far = graph.members(graph.cluster_of[graph.edge_b[rng.choice(edges)]]) if how == 2 else np.arange(graph.n)
            a, b = int(graph.members(cluster)[0]), int(rng.choice(far))
        pairs.append((a, b if a != b else (a + 1) % graph.n))
    assert assert_explained(graph, pairs) == {"stated", "inferred", "conflict", "unknown"}


@pytest.mark.slow
@settings(max_examples=30)
@given(ROWS)
def test_pairs_sentences_and_clusters_are_explained_as_the_library_does(rows):
    graph = numbered(rows)
    assert_explained(graph, [*itertools.combinations(range(graph.n), 2)])

    number, stated, home = frame(graph)
    votes, torn = reference.votes(number), reference.within(graph.n, stated)
    for node, said in enumerate(explained(graph, [[node] for node in range(graph.n)])):
        mine = {p: label for p, label in stated.items() if node in p}
        odd = {p: p in torn or len(set(votes[p])) == 2 for p in mine}
        expected = {f"n{sum(p) - node}": (1 if label else -1, odd[p]) for p, label in mine.items()}
        assert {one["keys"][0]: (one["sign"], one["conflict"]) for one in said["pairs"]} == expected
        for one in said["pairs"]:
            other = int(one["keys"][0][1:])
            assert one["texts"] == [graph.text(other)]
            assert one["rows"] == [row for row, _, _ in said_rows(graph, node, other)]
        order = [(not one["conflict"], -one["sign"]) for one in said["pairs"]]
        assert order == sorted(order) and said["sentence"] == graph.text(node)  # conflicts first
        plus, (cluster, members) = sum(mine.values()), home[node]
        assert said["facts"] == [
            ["cluster", f"{cluster}, of {len(members)}"],
            ["stated pairs", f"{plus} positive, {len(mine) - plus} negative"],
        ]

    page = Shown(pg.Explorer(graph))
    for one in range(len(graph.cluster_sizes)):
        page.tell("open", cluster=one)
        for edge in page.tell("view", view="clusters")["picture"]["edges"]:
            homes, said = {int(edge["from"][1:]), int(edge["to"][1:])}, page.tell("edge", id=edge["id"])["why"]
            mine = {p for p, label in stated.items() if label == 0 and {home[i][0] for i in p} == homes}
            keys = [frozenset(entry["keys"]) for entry in said["pairs"]]
            assert {*keys} == {frozenset(f"n{i}" for i in p) for p in mine} and len(keys) == len(mine)
            assert said["text"].startswith(f"{len(mine)} stated pair")


def test_a_cluster_in_numbers():
    graph = demo()
    table, page = graph.clusters(min_size=1).set_index("cluster"), Shown(pg.Explorer(graph))
    page.tell("open", cluster=1)
    for cluster in (key for key in drawn(page.held()) if key[0] == "c"):
        said, row = page.tell("select", keys=[cluster])["why"], table.loc[int(cluster[1:])]
        facts, pairs = dict(said["facts"]), row["size"] * (row["size"] - 1) // 2
        many = f"{row['neighbours']} cluster{'' if row['neighbours'] == 1 else 's'}"
        assert (facts["sentences"], facts["neighbours"]) == (str(row["size"]), many)
        stated = f"{row['density']:.2f}: {row['stated_positive']} of {pairs} pairs stated positive"
        assert facts.get("density") == (stated if row["size"] > 1 else None)
        assert [one["texts"][0] for one in said["pairs"]] == graph.texts(graph.members(int(cluster[1:])))
        assert [(one["intent"], one["content"]) for one in said["actions"]] == [
            ("open", {"cluster": int(cluster[1:])})
        ]


def test_long_lists_are_cut_and_counted():
    graph = numbered([(0, i, 1) for i in range(1, 300)])
    negatives = numbered([(0, i, 0) for i in range(1, 300)] + [(i, i + 1, 1) for i in range(1, 299)])
    page = Shown(at(1, pg.Explorer(negatives)))
    [line] = page.held()["picture"]["edges"]
    told = [page.tell("edge", id=line["id"])["why"], page.tell("select", keys=["c0"])["why"]]
    of_one, of_leaf = explained(graph, [[0], [1]])
    for said, of in ((of_one, 299), (told[0], 299), (told[1], 299)):
        assert len(said["pairs"]) == MOST and said["note"] == f"The first 200 of {of} are listed."
    assert of_leaf["note"] == ""
    [pair] = explained(numbered([(0, 1, i % 2) for i in range(301)]), [[0, 1]])
    assert len(pair["rows"]) == MOST


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
