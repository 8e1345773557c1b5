"""What the picture holds: every stated label between the sentences shown, once, and nothing else."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.widgets.base.records import record

from .. import reference
from ..growth import LINEAR, exponent
from .graphs import ROWS, frame, giant, graph_of, numbered
from .page import Shown

OPENED = st.lists(st.integers(0, 30), max_size=4)
SCENES = st.tuples(OPENED, st.integers(0, 30), st.sampled_from(["cluster", "clusters"]))


@pytest.mark.slow
@settings(max_examples=40)
@given(ROWS, SCENES)
def test_every_label_of_what_is_shown_once_and_nothing_else(rows, chosen):
    graph = numbered(rows)
    k, (opened, cluster, view) = len(graph.cluster_sizes), chosen
    opened, cluster = list(dict.fromkeys(c % k for c in opened)), cluster % k
    explorer = pg.Explorer(graph)
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

    def end(i):
        """Where a label that ends at a sentence is drawn to, if anywhere."""
        return f"n{i}" if i in shown else f"c{home[i][0]}" if home[i][0] in closed else None

    asked = {*opened, cluster} if view == "clusters" else {*opened}
    between, near = Counter(), Counter()
    twice = set()
    for (a, b), label in stated.items():
        ends, homes = frozenset((end(a), end(b))), {home[a][0], home[b][0]}
        if label == 0 and None not in ends and len(ends) == 2 and not {a, b} <= shown:
            between[ends] += 1
            if len(set(votes[a, b])) == 2 and {a, b} & shown:  # one of them stated both ways
                twice.add(ends)
                torn_shown |= {f"n{i}" for i in {a, b} & shown}
        if label == 0 and len(homes) == 2 and asked & homes:
            near.update(homes - asked)
    bundles = [e for e in edges if "a" not in e]
    assert {frozenset((e["from"], e["to"])): e["count"] for e in bundles} == between
    assert len(bundles) == len(between)
    assert all(e["sign"] < 0 for e in bundles)
    assert {frozenset((e["from"], e["to"])) for e in bundles if e["layer"] == "conflicts"} == twice
    assert torn_shown == {node["key"] for node in nodes if node["conflict"]}

    # Neighbours are what a negative joins to what was asked for.
    centre = [c for c in closed if c in asked]
    assert closed == centre + sorted(near, key=lambda c: (-near[c], c))
    assert set(opened) | set(closed) == asked | set(near)

    # Inferred labels are those that follow.
    expected = {1: {}, -1: {}}
    for a, b, label, far in pg.infer(graph).to_frame().itertuples(index=False):
        if (pair := frozenset((graph.node(a), graph.node(b)))) <= shown:
            expected[1 if label else -1][pair] = far
    inferred = picture["inferred"]
    for sign in (1, -1):
        found = {frozenset((int(a[1:]), int(b[1:]))): far for a, b, s, far in inferred if s == sign}
        assert found == expected[sign] and len(found) == sum(s == sign for _, _, s, *_ in inferred)

    # No two things stand on one spot.
    spots = np.array([(node["x"], node["y"]) for node in nodes]).reshape(-1, 2)
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert np.isfinite(spots).all() and apart.min(initial=np.inf) > 20


@pytest.mark.parametrize(("rows", "far"), [
    ("a+b", [("a", "b", 1)]), ("a+b b+c", [("a", "b", 1), ("a", "c", 2)]),
    ("a+b b+c c+d d+e", [("a", "c", 2), ("a", "e", 4)]), ("a+b a+c a+d a+e a+f", [("a", "b", 1), ("b", "c", 2)]),
], ids=str)  # fmt: skip
def test_sentences_stand_as_far_apart_as_the_steps_between_them(rows, far):
    nodes = {node["text"]: node for node in Shown(pg.Explorer(graph_of(rows))).held()["picture"]["nodes"]}
    for a, b, steps in far:
        apart = np.hypot(*(nodes[a][axis] - nodes[b][axis] for axis in "xy")) / 95 / 1.25
        assert apart == pytest.approx(steps, rel=0.3), (a, b)


@pytest.mark.parametrize(("texts", "captions"), [
    (["It was imported in the year", "It was imported in Chile"],
     ["It was imported in the\nyear", "It was imported in\nChile"]),
    (["They grow tea that is imported in the south of Chile", "They grow tea that is imported in the south of China"],
     ["They grow… Chile", "They grow… China"]),
    (["one", "two"], ["one", "two"]), (["a" * 50, "b"], ["a" * 22 + "\n" + "a" * 22 + "…", "b"]),
])  # fmt: skip
def test_captions_keep_the_words_in_which_sentences_differ(texts, captions):
    nodes = Shown(pg.Explorer(graph_of((*texts, 1)))).held()["picture"]["nodes"]
    assert {node["text"]: node["label"] for node in nodes} == dict(zip(texts, captions, strict=True))


@pytest.mark.slow
def test_a_giant_cluster_is_drawn_in_part_and_says_so():
    graph = giant(3_000, [(2_990, 2_995, 0), (0, 3_001, 0)])
    told = record(graph, 0, limit=300)
    drawn = {told["nodes"][place][0] for place in told["drawn"]}
    assert 300 <= len(drawn) <= 302 and {2_990, 2_995} <= drawn  # what is in conflict is not left out
    assert told["note"].startswith(f"{len(drawn)} of the 3,000 sentences of cluster 0 are shown: those in ")
    page = Shown(pg.Explorer(graph))
    held = page.tell("layers", layers=page.explorer.layers | {"inferred_positive": True})
    assert len(held["picture"]["inferred"]) == 6_000 and "Only the 6,000 nearest" in held["picture"]["note"]


@pytest.mark.long
def test_drawing_a_part_takes_at_most_linear_time():
    graphs = {size: giant(size) for size in (1_000, 16_000)}
    assert exponent(lambda size: record(graphs[size], 0, limit=300), *graphs) < LINEAR


def test_the_sentences_wanted_are_drawn_with_what_is_near_them():
    graph = giant(3_000)
    told = record(graph, 0, limit=50, wanted=(2_999, 17))
    drawn = {told["nodes"][place][0] for place in told["drawn"]}
    assert {2_999, 17, 1_499, 749, 374} <= drawn  # the path on which 2,999 hangs
    assert "the nearest to the chosen one" in told["note"]
    assert len(drawn) == len(record(graph, 0, limit=50, wanted=tuple(range(1_000, 2_000)))["drawn"]) == 50


def test_too_many_neighbours():
    # The later ones are held apart by two negatives, so they stay.
    graph = numbered([(0, 1, 1), *((0, i, 0) for i in range(2, 62)), *((1, i, 0) for i in range(32, 62))])
    page = Shown(pg.Explorer(graph))
    for view in ("cluster", "clusters"):
        picture = page.tell("view", view=view)["picture"]
        around = {node["cluster"] for node in picture["nodes"] if node.get("cluster", 0) != 0}
        assert len(around) == 40 and {int(graph.cluster_of[i]) for i in range(32, 62)} <= around
        assert picture["note"] == "40 of 60 neighbouring clusters are shown: those with most negatives."
