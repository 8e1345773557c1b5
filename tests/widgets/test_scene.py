"""What the picture holds: every stated label between the sentences shown, once, and nothing else."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.widgets.base.records import HELD, records_of
from paragraph.widgets.base.sketch import beside, sketch
from paragraph.widgets.explorer.still import INFERRED, inferred_labels

from .. import reference
from ..growth import LINEAR, exponent
from .graphs import ROWS, demo, frame, giant, graph_of, numbered
from .page import Shown

OPENED = st.lists(st.integers(0, 30), max_size=4)
SCENES = st.tuples(OPENED, st.integers(0, 30), st.sampled_from(["cluster", "clusters"]))


@pytest.mark.slow
@settings(max_examples=40)
@given(ROWS, SCENES, st.sampled_from(["rounds", "hops"]))
def test_every_label_of_what_is_shown_once_and_nothing_else(rows, chosen, distance):
    graph = numbered(rows)
    k, (opened, cluster, view) = len(graph.cluster_sizes), chosen
    opened, cluster = list(dict.fromkeys(c % k for c in opened)), cluster % k
    explorer = pg.Explorer(graph, fresh=True, distance=distance)
    explorer.layers = explorer.layers | {"inferred_positive": True, "inferred_negative": True}
    explorer.screen = {"cluster": cluster, "view": view, "opened": opened, "wanted": []}
    picture = Shown(explorer).held()["picture"]
    nodes, edges = picture["nodes"], picture["edges"]
    number, stated, home = frame(graph)
    votes, torn = reference.votes(number), reference.within(graph.n, stated)
    keys = [node["key"] for node in nodes]
    closed = [int(key[1:]) for key in keys if key[0] == "c"]
    shown = {int(key[1:]) for key in keys if key[0] == "n"}
    assert shown == {i for i in range(graph.n) if home[i][0] in opened}
    assert len(keys) == len(set(keys)) and not set(opened) & set(closed)
    assert len({e["id"] for e in edges}) == len(edges)

    drawn = {reference.pair(e["a"], e["b"]): e for e in edges if "a" in e}
    assert len(drawn) == sum("a" in e for e in edges)
    mine = {p: label == 1 for p, label in stated.items() if set(p) <= shown}
    assert {p: e["sign"] > 0 for p, e in drawn.items()} == mine
    for pair, edge in drawn.items():
        odd = pair in torn or len(set(votes[pair])) == 2
        assert edge["layer"] == ("conflicts" if odd else "positive" if edge["sign"] > 0 else "negative")
        assert {edge["from"], edge["to"]} == {f"n{i}" for i in pair}
    torn_shown = {f"n{i}" for p, e in drawn.items() if e["layer"] == "conflicts" for i in p}
    assert torn_shown == {node["key"] for node in nodes if node["conflict"]}

    def end(i):
        """Where a label that ends at a sentence is drawn to, if anywhere."""
        return f"n{i}" if i in shown else f"c{home[i][0]}" if home[i][0] in closed else None

    asked, between, near = {*opened, *([cluster] * (view == "clusters"))}, Counter(), Counter()
    for (a, b), label in stated.items():
        ends, homes = frozenset((end(a), end(b))), {home[a][0], home[b][0]}
        if label == 0 and None not in ends and len(ends) == 2 and not {a, b} <= shown:
            between[ends] += 1
        if label == 0 and len(homes) == 2 and asked & homes:
            near.update(homes - asked)
    bundles = [e for e in edges if "a" not in e]
    assert {frozenset((e["from"], e["to"])): e["count"] for e in bundles} == between
    assert len(bundles) == len(between)
    assert all(e["sign"] < 0 and e["layer"] == "negative" for e in bundles)

    # Neighbours are what a negative joins to what was asked for.
    centre = [c for c in closed if c in asked]
    assert closed == centre + sorted(near, key=lambda c: (-near[c], c))
    assert set(opened) | set(closed) == asked | set(near)

    # Inferred labels are those that follow.
    expected = {1: {}, -1: {}}
    for a, b, label, far in pg.infer(graph, distance=distance).to_frame().itertuples(index=False):
        if (pair := frozenset((graph.node(a), graph.node(b)))) <= shown:
            expected[1 if label else -1][pair] = far
    inferred = picture["inferred"]
    for sign in (1, -1):
        found = {frozenset((int(a[1:]), int(b[1:]))): far for a, b, s, far in inferred if s == sign}
        assert found == expected[sign] and len(found) == sum(s == sign for *_, s, _ in inferred)
        if opened:  # on paper, where no cluster is open the chosen one is drawn
            assert {
                frozenset((a, b)): far for a, b, _, far in inferred_labels(explorer, explorer._sketches, sign)
            } == found

    # No two things stand on one spot.
    spots = np.array([(node["x"], node["y"]) for node in nodes]).reshape(-1, 2)
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert np.isfinite(spots).all() and apart.min(initial=np.inf) > 20


def test_the_same_seed_gives_the_same_places():
    graph = demo()
    for opened in ((0, 3), (5,)):
        one, same, other = (beside(tuple(sketch(graph, c, seed=seed) for c in opened)) for seed in (1, 1, 2))
        assert one == same and one.keys() == other.keys() and one != other


@pytest.mark.parametrize("opened", [(0,), (3, 0, 5), (7, 1)])
def test_the_page_places_clusters_as_python_does(opened):
    explorer = pg.Explorer(demo(), fresh=True)
    explorer.screen = {"cluster": opened[0], "view": "cluster", "opened": [*opened], "wanted": []}
    nodes = {node["key"]: (node["x"], node["y"]) for node in Shown(explorer).held()["picture"]["nodes"]}
    for key, spot in beside(explorer._sketches).items():
        assert nodes[key] == pytest.approx(spot, abs=0.2)


@pytest.mark.slow
def test_a_giant_cluster_is_drawn_in_part_and_says_so():
    graph = giant(3_000, [(2_990, 2_995, 0), (0, 3_001, 0)])
    drawn = sketch(graph, 0, limit=300)
    assert 300 <= len(drawn.nodes) <= 302
    assert {2_990, 2_995} <= set(drawn.nodes.tolist())  # what is in conflict is not left out
    assert drawn.note.startswith(f"{len(drawn.nodes)} of the 3,000 sentences of cluster 0 are shown: those in ")
    explorer = pg.Explorer(graph, fresh=True)
    assert len(inferred_labels(explorer, explorer._sketches, 1)) == INFERRED


@pytest.mark.slow
def test_of_a_giant_cluster_a_review_gives_a_part_in_which_all_that_is_drawn_is_joined():
    graph = giant(20_000, [(19_990, 19_995, 0), (0, 20_001, 0)])
    held = records_of(graph, [sketch(graph, 0, limit=120)])
    [record], near = held["records"], {}
    for _, a, b, sign, *_ in held["edges"]:
        if sign > 0:
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)
    reached, left = {0}, [0]
    while left:
        left = [other for node in left for other in near[node] if other not in reached]
        reached.update(left)
    assert reached == {node for node, *_ in record["nodes"]} and HELD <= len(reached) < HELD + 100
    assert {19_990, 19_995} <= {record["nodes"][place][0] for place in record["drawn"]}
    assert held["others"] == [[20_000, "s20001", 1]] and len(json.dumps(held)) < 500_000


@pytest.mark.long
def test_drawing_a_part_takes_at_most_linear_time():
    graphs = {size: giant(size) for size in (1_000, 16_000)}
    assert exponent(lambda size: records_of(graphs[size], [sketch(graphs[size], 0, limit=300)]), *graphs) < LINEAR


def test_the_sentences_wanted_are_drawn_with_what_is_near_them():
    graph = giant(3_000)
    drawn = sketch(graph, 0, limit=50, wanted=(2_999, 17))
    assert {2_999, 17, 1_499, 749, 374} <= set(drawn.nodes.tolist())  # the path on which 2,999 hangs
    assert "the nearest to the chosen one" in drawn.note
    many = sketch(graph, 0, limit=50, wanted=tuple(range(1_000, 2_000)))
    assert len(drawn.nodes) == len(many.nodes) == 50
    nodes = records_of(graph, [drawn])["records"][0]["nodes"]
    assert all(len(label.split("\n")) <= 2 and len(label) <= 60 for _, _, *labels in nodes for label in labels)


def test_too_many_neighbours():
    # The later ones are held apart by two negatives, so they stay.
    graph = numbered([(0, 1, 1), *((0, i, 0) for i in range(2, 62)), *((1, i, 0) for i in range(32, 62))])
    page = Shown(pg.Explorer(graph))
    for view in ("cluster", "clusters"):
        picture = page.tell("view", view=view)["picture"]
        around = {node["cluster"] for node in picture["nodes"] if node.get("cluster", 0) != 0}
        assert len(around) == 40 and {int(graph.cluster_of[i]) for i in range(32, 62)} <= around
        assert picture["note"] == "40 of 60 neighbouring clusters are shown: those with most negatives."


def test_what_a_line_says():
    graph = graph_of("a+b b+c a-c  a+b a-b")
    said = {(e["a"], e["b"]): e["text"] for e in Shown(pg.Explorer(graph)).held()["picture"]["edges"]}
    assert [edge.why + ". Click to see why." for edge in pg.Explorer(graph)._still().edges] == list(said.values())
    assert said[0, 1] == "a paraphrase, stated both ways (2 for, 1 against). Click to see why."
    assert said[1, 2] == "a paraphrase. Click to see why."
    assert said[0, 2] == "not a paraphrase, yet a positive path joins the two. Click to see why."
