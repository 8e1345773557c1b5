"""Evidence about conflicts: cuts and the positives that they blame; δ, by brute force and in proposals."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.doubts.cuts import CERTAIN, CHEAPEST, Cuts
from paragraph.doubts.prior import DELTA, learnt
from paragraph.doubts.shipped import by_words
from paragraph.learn.logistic import sigmoid

from ..reference import graph_of


def doubted(graph, wrong):
    """Log-odds of −3, and more for the labels named."""
    odds = np.full(len(graph.edge_a), -3.0)
    for text, more in wrong.items():
        odds[edge(graph, text)] += more
    return odds


def edge(graph, text):
    return graph.edge_between(graph.node(text[0]), graph.node(text[2]))


@pytest.mark.parametrize("graph, wrong, blame", [
    ("0+1 1-2", {}, {}),
    ("0+1 1+2 0-2", {"0+1": np.log(3)}, {"0+1": 3 / 4, "1+2": 1 / 4}),
    ("0+1 1+2 2+0 2+3 0-3", {"2+3": 6}, {"2+3": 0.998, "1+2": 0}),
    ("0+1 0+2 1+3 2+3 0-3", {"0+1": 6, "0+2": 6}, {"0+1": 0.953, "0+2": 1, "1+3": 0.047, "2+3": 0}),
    ("0+1 1+2 0-2 2+3 0-3", {}, {"0+1": 1 / 2, "1+2": 1 / 2, "2+3": 1 / 3}),
    ("0+1 1+2 0-2", {"0+1": CERTAIN, "1+2": CERTAIN}, {"0+1": 1 / 2, "1+2": 1 / 2}),
], ids=["no conflict", "a doubtful positive", "a bridge", "side by side, all of them", "two negatives",
        "all found right"])  # fmt: skip
def test_what_a_conflict_that_is_to_be_cut_blames(graph, wrong, blame):
    graph = graph_of(graph)
    cuts = Cuts(graph, doubted(graph, wrong))
    found = cuts.blame(np.ones(len(cuts.conflicts)))
    assert found[graph.edge_sign < 0].sum() == 0
    for text, p in blame.items():
        assert found[edge(graph, text)] == pytest.approx(p, abs=0.003), text
    np.testing.assert_allclose(cuts.blame(np.full(len(cuts.conflicts), 0.4)), 0.4 * found)


def test_look_alikes_on_a_cut_are_one_witness():
    few, more = "0+1 2+3 4+5 1+2 3+4 0-5", " 1+6 6+2 1+7 7+2 1+8 8+2 1+9 9+2"
    blame = []
    for graph in (graph_of(few), graph_of(few + more)):
        blame.append(Cuts(graph, np.full(len(graph.edge_a), -2.0)).blame(np.ones(1))[edge(graph, "0+1")])
    assert blame[1] == pytest.approx(blame[0], abs=0.05)


@settings(max_examples=60)
@given(st.integers(3, 7), st.integers(0, 2**32 - 1))
def test_each_cut_parts_the_two_and_none_through_its_positive_is_cheaper(n, seed):
    rng = np.random.default_rng(seed)
    a, b = np.triu_indices(n, 1)
    keep = rng.random(len(a)) < 0.7
    sign = np.where(rng.random(len(a)) < 0.8, 1, -1).astype(np.int8)
    if not keep.any():
        return
    graph = pg.ParaphraseGraph(a[keep], b[keep], sign[keep], n)
    odds = rng.normal(-1, 2, len(graph.edge_a))
    cost = np.maximum(np.logaddexp(0, -odds), CHEAPEST) * (graph.edge_sign > 0)
    cuts = Cuts(graph, odds)
    divisions = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    whole = nx.Graph(zip(*(end[graph.edge_sign > 0].tolist() for end in (graph.edge_a, graph.edge_b)), strict=True))
    for conflict in cuts.conflicts.tolist():
        of = cuts.of(conflict)
        u, v = int(graph.edge_a[conflict]), int(graph.edge_b[conflict])
        assert len(of) == nx.shortest_path_length(whole, u, v)
        parted = divisions[divisions[:, u] != divisions[:, v]]
        crossing = parted[:, graph.edge_a] != parted[:, graph.edge_b]
        least = (crossing * cost).sum(axis=1).min()
        assert min(cost[cut].sum() for cut in of) == pytest.approx(least, abs=0.01 * len(cost))
        assert cost[cuts.best(conflict)].sum() == pytest.approx(least, abs=0.01 * len(cost))
        assert cuts.probabilities(conflict).sum() == pytest.approx(1)
        for cut in of:
            rest = whole.copy()
            rest.remove_edges_from(zip(graph.edge_a[cut].tolist(), graph.edge_b[cut].tolist(), strict=True))
            assert not nx.has_path(rest, u, v)


BEST = [
    # the labels, how doubtful positives are besides, those that a person found right, the best cut
    ("0+1 1+2 0-2", {"0+1": 2}, ["0+1"], ["1+2"]),
    ("0+1 1+2 0-2", {"0+1": 2}, ["0+1", "1+2"], ["0+1", "1+2"]),
    ("0+1 1+2 0+2 2+3 0-3", {}, ["2+3"], ["0+2", "1+2", "0+1"]),
    ("0+1 1+2 0+2 2+3 0-3", {"0+1": 3, "0+2": 3}, [], ["0+1", "0+2"]),
]


@pytest.mark.parametrize("labels, wrong, right, best", BEST)
def test_the_best_cut_spares_what_a_person_found_right(labels, wrong, right, best):
    graph = graph_of(labels)
    odds = doubted(graph, wrong)
    odds[[edge(graph, text) for text in right]] = CERTAIN
    cuts = Cuts(graph, odds)
    [conflict] = cuts.conflicts
    found = cuts.best(conflict).tolist()
    assert set(found) <= {edge(graph, text) for text in best}
    if len(right) < 2:  # else whatever is cut, somebody found it right
        shares = dict(zip(*map(np.ndarray.tolist, cuts.shares(conflict)), strict=True))
        assert sum(shares[edge(graph, text)] for text in right if edge(graph, text) in shares) < 1e-9


DO, CAN, WHY = "How do I learn chess?", "How can I learn chess?", "Why did 3 people learn chess?"
TEA, GREEN, MADE = "What is tea?", "What is green tea?", "What is tea made of?"
PAIRS = [(DO, CAN, 1), (CAN, WHY, 1), (DO, WHY, 0), (TEA, GREEN, 1), (GREEN, MADE, 1), (TEA, MADE, 0)]
PAIRS += [("Is it far?", "Is it near?", 1)]


def judged(*cells):
    """``(2, 1)`` judges the third of `PAIRS` to be the same."""
    return pd.DataFrame([(*PAIRS[i][:2], same) for i, same in cells], columns=["text_a", "text_b", "same"])


def test_repair_tells_of_delta():
    found = pg.repair(graph_of(*PAIRS), judge=by_words)
    told = found.attrs["delta"]
    assert told["value"] == pytest.approx(DELTA) and told["low"] < DELTA < told["high"] and told["answered"] == 0
    for found in (pg.repair(graph_of(*PAIRS), method="flip_all"), pg.repair(graph_of(*PAIRS[:2]), judge=by_words)):
        assert "delta" not in found.attrs


def test_judged_conflicts_teach_delta_and_stand():
    graph = graph_of(*PAIRS)
    plain, found = (pg.repair(graph, judge=by_words, answers=audit) for audit in (None, judged((2, 0), (6, 1))))
    z = np.log(plain["p_same"]) - np.log1p(-plain["p_same"])
    wanted = learnt("conflicts", z.to_numpy()[:1], np.array([0])).mean[0]
    delta = found.attrs["delta"]
    assert delta["value"] == pytest.approx(wanted) and delta["answered"] == 1
    assert delta["low"] < wanted < delta["high"] and wanted < DELTA
    pd.testing.assert_series_equal(found["p_same"], plain["p_same"])
    assert found["p_flip"][0] < 1e-4 and found["p_flip"][1] == pytest.approx(sigmoid(z[1] + wanted))


@pytest.mark.parametrize("same, cut", [(0, 0), (1, 1)])
def test_a_judged_positive_is_cut_or_spared(same, cut):
    found = pg.repair(graph_of(*PAIRS), judge=None, answers=judged((2, 0), (0, same)))
    assert found.loc[0, ["proposal", "edge1", "edge2"]].tolist() == ["cut", *PAIRS[cut][:2]]
