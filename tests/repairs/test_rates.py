"""How often labels are wrong: judged pairs, and expectation–maximisation without them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import paragraph as pg
from paragraph.measure.logistic import sigmoid
from paragraph.repairs.cut import Cuts
from paragraph.repairs.evidence import DECIDED
from paragraph.repairs.suspects import HELD, NATURE, TURNED, WORTH, channel, error_rates, flips, rates


def graph_of(*rows):
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))


#: 40 clusters of two, a chain of four whose ends are a conflict, 20 negatives.
ROWS = [(f"p{i}", f"q{i}", 1) for i in range(40)] + [("w", "x", 1), ("x", "y", 1), ("y", "z", 1), ("w", "z", 0)]
ROWS += [(f"p{i}", f"p{i + 1}", 0) for i in range(20)]


@pytest.fixture(scope="module")
def demo():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


def judged(*rows):
    return pd.DataFrame(rows, columns=["text_a", "text_b", "same"])


def ordered(found):
    """0 < low < rate < high < 1 in every row."""
    bounds = np.column_stack([np.zeros(len(found)), found[["low", "rate", "high"]], np.ones(len(found))])
    return (np.diff(bounds) > 0).all()


def test_judged_pairs_on_top_of_nature():
    graph = graph_of(*ROWS)
    audit = judged(*((f"p{i}", f"q{i}", int(i > 2)) for i in range(10)), ("p0", "p1", None), ("w", "z", 1))
    found = rates(graph, np.zeros(len(graph.edge_a)), audit).table.set_index(["kind", "size"])
    own = (3 + WORTH * NATURE["positive"]) / (10 + WORTH)
    expected = {
        ("positive", "≤ 2"): (1, 40, 10, 3, (3 + WORTH * own) / (10 + WORTH), "judged"),
        ("positive", "3–4"): (1, 3, 0, 0, own, "judged, other sizes"),
        ("negative", "≤ 2"): (0, 20, 0, 0, None, "evidence"),
        ("conflict", "all"): (0, 1, 1, 1, (1 + WORTH / 2) / (1 + WORTH), "judged"),
    }
    assert found.index.tolist() == list(expected)
    for row, (label, stated, n, wrong, rate, source) in expected.items():
        known = found.loc[row, ["label", "stated", "judged", "wrong", "source"]]
        assert known.tolist() == [label, stated, n, wrong, source]
        assert rate is None or found.loc[row, "rate"] == pytest.approx(rate)
    assert ((found["low"] > 0) & (found["low"] < found["rate"])).all()
    assert ((found["rate"] < found["high"]) & (found["high"] < 1)).all()


def test_probabilities_of_a_stratum_have_its_rate_as_their_mean():
    graph = graph_of(*ROWS)
    z = graph.edge_sign + np.random.default_rng(0).normal(0, 2, len(graph.edge_a))
    audit = judged(*((f"p{i}", f"q{i}", int(i > 2)) for i in range(10)))
    found = rates(graph, z, audit)
    known = [graph.edge_between(graph.node(f"p{i}"), graph.node(f"q{i}")) for i in range(10)]
    open_ = [graph.edge_between(graph.node(f"p{i}"), graph.node(f"q{i}")) for i in range(10, 40)]
    rate = found.table.set_index(["kind", "size"]).loc[("positive", "≤ 2"), "rate"]
    assert sigmoid(found.log_odds[open_]).mean() == pytest.approx(rate)
    assert np.argsort(found.log_odds[open_]).tolist() == np.argsort(-z[open_]).tolist()
    np.testing.assert_allclose(found.log_odds[known], [DECIDED] * 3 + [-DECIDED] * 7)


def test_without_judged_pairs_the_order_is_that_of_the_evidence():
    """What evidence alone says of labels outside conflicts, neither sign is favoured beyond."""
    graph = graph_of(*ROWS)
    z = graph.edge_sign + np.random.default_rng(1).normal(0, 2, len(graph.edge_a))
    calm = ~graph.within
    found = rates(graph, z).log_odds[calm]
    assert np.argsort(found).tolist() == np.argsort(-(graph.edge_sign * z)[calm]).tolist()


def test_a_base_rate_in_the_evidence_does_not_count_twice():
    graph = graph_of(*ROWS)
    z = graph.edge_sign + np.random.default_rng(2).normal(0, 2, len(graph.edge_a))
    audit = judged(*((f"p{i}", f"q{i}", 1) for i in range(9)), *((f"p{i}", f"p{i + 1}", 0) for i in range(9)))
    one, other = (rates(graph, each, audit).table.set_index(["kind", "size"])["rate"] for each in (z, z + 1))
    kinds = [("positive", "≤ 2"), ("negative", "≤ 2")]
    np.testing.assert_allclose(one[kinds], other[kinds])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.02, 0.3))
def test_expectation_maximisation_finds_what_is_most_probable(seed, turned):
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 4, 300)
    sign = np.where(rng.random(300) < sigmoid(1.5 * z), 1, -1) * np.where(rng.random(300) < turned, -1, 1)

    def least(x):
        t, b = sigmoid(x[0]), x[1]
        p = sigmoid(sign * b * z)
        prior = HELD * 300 * (TURNED * np.log(t) + (1 - TURNED) * np.log1p(-t)) - (b - 1) ** 2 / 2
        return -np.log((1 - t) * p + t * (1 - p)).sum() - prior

    found, slope = channel(z, sign)
    best = min((minimize(least, [start, 1.0], method="Nelder-Mead") for start in (-4, -2)), key=lambda each: each.fun)
    assert least([np.log(found / (1 - found)), slope]) == pytest.approx(best.fun, abs=0.05)


def test_the_share_of_flips():
    """Conflicts alike but for what the evidence says of their negatives."""
    rows = [row for i in range(60) for row in ((f"a{i}", f"b{i}", 1), (f"b{i}", f"c{i}", 1), (f"a{i}", f"c{i}", 0))]
    graph = graph_of(*rows, *((f"a{i}", f"a{i + 1}", 0) for i in range(59)))
    conflicts = np.flatnonzero(graph.within)
    share = np.log(120 / 119)  # base rate of the labels, conflicts included
    for same in (6, 54):
        z = np.where(graph.edge_sign > 0, 6.0, -6.0) + share
        z[conflicts[:same]] = 6.0 + share
        p = sigmoid(flips(graph, z, Cuts(graph, np.full(len(z), -3.0)), conflicts))
        assert p.mean() == pytest.approx(same / 60, abs=0.05)
        assert p[:same].min() > 0.8 > 0.2 > p[same:].max()


def test_rates_of_a_file_without_judgements(demo):
    found = error_rates(demo, progress=False)
    assert found["stated"].sum() == len(demo.edge_a)
    assert set(found["source"]) == {"evidence"} and not found["judged"].any()
    assert ((found["low"] > 0) & (found["low"] < found["rate"])).all()
    assert ((found["rate"] < found["high"]) & (found["high"] < 1)).all()


def test_nothing_stated():
    assert error_rates(graph_of(), progress=False).empty
