"""How sure labels that follow are: in the picture, in the layers, in proofs and on paper."""

import numpy as np
import pytest

import paragraph as pg

from ..refused import refused
from .graphs import graph_of
from .page import Shown

ASKED = []


def alike(left, right):
    """P(same) by the numbers of letters, so that nothing is loaded; notes how many pairs were asked about."""
    ASKED.append(len(left))
    return np.array([0.95 - 0.7 * ((len(a) + len(b)) % 19) / 18 for a, b in zip(left, right, strict=True)])


@pytest.fixture(scope="module")
def friends():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO).head(300))
    return pg.trust(pg.infer(graph), alike, progress=False)


@pytest.fixture
def explorer(friends):
    return pg.Explorer(friends.graph, trusted=friends)


def told(friends):
    """`p_right` of each label that follows, by the keys of its two sentences."""
    table, node = friends.to_frame(distances=False), friends.graph.node
    return {frozenset((f"n{node(r.text_a)}", f"n{node(r.text_b)}")): r.p_right for r in table.itertuples()}


def test_the_picture_holds_the_probability_of_each_inferred_label(explorer, friends):
    page, expected = Shown(explorer), told(friends)
    other = next(n["cluster"] for n in page.held()["picture"]["nodes"] if "cluster" in n)
    page.told("expand", key=f"c{other}")
    explorer.layers = explorer.layers | {"inferred_positive": True, "inferred_negative": True}
    drawn = page.follow()["picture"]["inferred"]
    assert {s for _, _, s, *_ in drawn} == {1, -1}
    for a, b, _, _, right in drawn:
        assert right == min(999, int(1000 * float(expected[frozenset((a, b))])))


def test_nobody_is_asked_before_a_layer_of_inferred_labels_is_on(friends):
    ASKED.clear()
    friends = pg.trust(pg.infer(friends.graph), alike, progress=False)  # which has no answers yet
    explorer = pg.Explorer(friends.graph, trusted=friends)
    page = Shown(explorer)
    explorer.cluster = 3
    page.follow()
    assert ASKED == []
    explorer.layers = explorer.layers | {"inferred_positive": True}
    assert page.follow()["picture"]["inferred"][0][-1] is not None and sum(ASKED)
    without = pg.Explorer(friends.graph)
    without.layers = without.layers | {"inferred_positive": True}
    assert "sure" not in without.layers and Shown(without).held()["picture"]["inferred"][0][-1] is None


def test_levels_of_sure_that_are_none(explorer):
    for bad in (True, -0.1, 1.5, "0.5", None):
        refused("a number from 0 to 1", setattr, explorer, "layers", explorer.layers | {"sure": bad})


def test_the_slider_begins_at_the_level_of_the_closure(friends):
    sure = pg.trust(pg.infer(friends.graph), alike, sure=0.8, progress=False)
    first = pg.Explorer(friends.graph, trusted=sure)
    assert first.layers["sure"] == 0.8
    assert pg.Explorer(friends.graph).layers.keys() == first.layers.keys() - {"sure"}


def test_a_proof_says_how_sure_it_is_and_names_its_weakest_step(explorer, friends):
    table, page = friends.to_frame(), Shown(explorer)
    for row in (table.loc[table["distance"].idxmax()], table.iloc[-1]):
        explorer.selection = [row.text_a, row.text_b]
        proof, said = friends.explain(row.text_a, row.text_b), page.follow()["why"]
        assert said["text"].endswith(f"; right with {row.p_right:.2f}.")
        assert [step["right"] for step in said["steps"]] == [int(1000 * step.p_right) for step in proof.steps]
        assert [step["weakest"] for step in said["steps"]] == [step is proof.weakest for step in proof.steps]
    explorer.selection = friends.graph.texts([friends.graph.edge_a[0], friends.graph.edge_b[0]])
    assert "right with" not in page.follow()["why"]["text"]


def test_friends_of_another_graph_are_refused(friends):
    for wrong in (pg.infer(friends.graph), "minilm"):
        refused(r"trusted=pg\.trust\(pg\.infer\(graph\)\)", pg.Explorer, friends.graph, trusted=wrong)
    refused("another graph", pg.Explorer, graph_of("a+b b+c"), trusted=friends)
