"""δ: by brute force, and in proposals."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import paragraph as pg
from paragraph.doubts.cuts import DELTA, SPREAD, learn_delta
from paragraph.doubts.proposals import Proposals
from paragraph.doubts.readers import by_words
from paragraph.graph.paths import disjoint_paths
from paragraph.learn.logistic import sigmoid

from ..reference import graph_of

log_odds = st.floats(-5, 5)
DO, CAN, WHY = "How do I learn chess?", "How can I learn chess?", "Why did 3 people learn chess?"
TEA, GREEN, MADE = "What is tea?", "What is green tea?", "What is tea made of?"
PAIRS = [(DO, CAN, 1), (CAN, WHY, 1), (DO, WHY, 0), (TEA, GREEN, 1), (GREEN, MADE, 1), (TEA, MADE, 0)]
PAIRS += [("Is it far?", "Is it near?", 1)]


def judged(*cells):
    """``(2, 1)`` judges the third of `PAIRS` to be the same."""
    return pd.DataFrame([(*PAIRS[i][:2], same) for i, same in cells], columns=["text_a", "text_b", "same"])


@pytest.mark.slow
@given(st.lists(st.tuples(log_odds, st.booleans(), st.integers(1, 30)), max_size=30))
def test_the_most_probable_value_is_that_of_brute_force(cells):
    z, same, log_paths = np.array(cells, dtype=float).reshape(-1, 3).T
    log_paths = np.log(log_paths)

    def loss(of):
        p = sigmoid(z + of[0] + of[1] * log_paths)
        return -np.log(np.where(same, p, 1 - p)).sum() + (((of - [DELTA, 0]) / SPREAD) ** 2).sum() / 2

    found = learn_delta(z, same, log_paths)
    best = minimize(loss, [DELTA, 0], tol=1e-9)
    assert found.value == pytest.approx(best.x[0], abs=1e-3) and found.slope == pytest.approx(best.x[1], abs=1e-3)
    assert found.low < found.value < found.high and found.judged == len(cells)


def test_repair_tells_of_delta():
    found = pg.repair(graph_of(*PAIRS), judge=by_words)
    told = found.attrs["delta"]
    assert told["value"] == pytest.approx(DELTA) and told["low"] < DELTA < told["high"] and told["judged"] == 0
    for found in (pg.repair(graph_of(*PAIRS), method="flip_all"), pg.repair(graph_of(*PAIRS[:2]), judge=by_words)):
        assert "delta" not in found.attrs


def test_judged_conflicts_teach_delta_and_stand():
    graph = graph_of(*PAIRS)
    plain, found = (pg.repair(graph, judge=by_words, answers=audit) for audit in (None, judged((2, 0), (6, 1))))
    z = np.log(plain["p_same"]) - np.log1p(-plain["p_same"])
    wanted = learn_delta(z.to_numpy()[:1], np.array([0]), np.zeros(1))
    assert found.attrs["delta"]["value"] == pytest.approx(wanted.value) and found.attrs["delta"]["judged"] == 1
    assert wanted.value < DELTA
    pd.testing.assert_series_equal(found["p_same"], plain["p_same"])
    assert found["p_flip"][0] < 1e-4 and found["p_flip"][1] == pytest.approx(sigmoid(z[1] + wanted.value))


def test_judged_conflicts_teach_what_many_paths_say():
    """The negative of a triangle was right, one of two in a crowd was wrong: so is the other more probably."""
    crowd = [f"Is it {word} in Rome?" for word in ("hot", "warm", "wet", "cold", "dry")]
    no = {(0, 1): 0, (2, 3): 0}
    rows = [(crowd[i], crowd[j], no.get((i, j), 1)) for i, j in combinations(range(5), 2)]
    audit = pd.DataFrame([(DO, WHY, 0), (*crowd[:2], 1)], columns=["text_a", "text_b", "same"])
    graph = graph_of(*PAIRS[:3], *rows)
    proposals = Proposals(graph, judge=by_words, answers=audit)
    [place] = np.flatnonzero(np.isnan(proposals.decisions[proposals.conflicts]))
    of, edge = proposals.delta, proposals.conflicts[[place]]
    assert of.slope > 0 and disjoint_paths(graph, *graph.ends(edge)) == [3]
    wanted = proposals.same(edge)[0] + of.value + of.slope * np.log(3)
    assert pg.repair(graph, judge=by_words, answers=audit)["p_flip"][place] == pytest.approx(sigmoid(wanted))


@pytest.mark.parametrize("same, cut", [(0, 0), (1, 1)])
def test_a_judged_positive_is_cut_or_spared(same, cut):
    found = pg.repair(graph_of(*PAIRS), answers=judged((2, 0), (0, same)))
    assert found.loc[0, ["proposal", "edge1", "edge2"]].tolist() == ["cut", *PAIRS[cut][:2]]
