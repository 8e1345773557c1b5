"""The posterior says what brute force over all partitions says; what is estimated errs on the stated side."""

from functools import cache
from itertools import combinations, pairwise, product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph import PairsError, ParaphraseGraph
from paragraph.repairs.contraction import contracted
from paragraph.repairs.partitions import connected_partitions
from paragraph.repairs.posterior import label_log_odds, posterior

T = np.log(19)  # a label that is wrong at a rate of 5 %


# -- an oracle that knows nothing of blocks, connected parts or dynamic programming ------------------------


@cache
def partitions(n):
    """All partitions of n nodes, as tuples of part numbers."""
    if n == 0:
        return [()]
    return [(*p, part) for p in partitions(n - 1) for part in range(max(p, default=-1) + 2)]


def multicuts(n, edges):
    """Every labelling of the edges that some partition gives, once: 1 inside a part, 0 between two."""
    return np.array(sorted({tuple(int(p[i] == p[j]) for i, j in edges) for p in partitions(n)}), dtype=float)


def brute_force(n, edges, theta):
    """Log of the sum, marginals and max-marginals, by adding up."""
    labels = multicuts(n, edges)
    weight = labels @ theta
    odds, gap = np.empty(len(edges)), np.empty(len(edges))
    for e in range(len(edges)):
        joined = labels[:, e] == 1
        odds[e] = np.logaddexp.reduce(weight[joined]) - np.logaddexp.reduce(weight[~joined])
        gap[e] = abs(weight[joined].max() - weight[~joined].max())
    return np.logaddexp.reduce(weight), odds, gap, weight.max()


def graph_of(n, edges, sign):
    a, b = np.array(edges).T
    return ParaphraseGraph(a, b, np.asarray(sign, dtype=np.int8), n)


def agrees(n, edges, theta, found, at):
    """Compare the edges `at` of a posterior with brute force on the graph they form."""
    log_sum, odds, gap, most = brute_force(n, edges, theta)
    np.testing.assert_allclose(found.log_odds[at], odds, atol=1e-8)
    np.testing.assert_allclose(found.gap[at], gap, atol=1e-8)
    np.testing.assert_allclose(theta[found.best[at] > 0].sum(), most, atol=1e-8)
    assert tuple(found.best[at] > 0) in {tuple(labels == 1) for labels in multicuts(n, edges)}
    number = found.block[at]
    blocks = found.blocks.loc[np.unique(number[number >= 0])]
    bridges = np.logaddexp(0, theta[number < 0]).sum()
    np.testing.assert_allclose(blocks["log_sum"].sum() + bridges, log_sum, atol=1e-8)
    for i, margin in blocks["margin"].items():
        np.testing.assert_allclose(margin, gap[number == i].min(), atol=1e-8)


ATLAS = [g for g in nx.graph_atlas_g() if 2 <= g.number_of_nodes() <= 5 and nx.is_connected(g)]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(ATLAS)))
def test_every_signed_graph_up_to_five_nodes(number):
    """All signs on all connected graphs but for renaming of nodes, side by side in one graph."""
    n, edges = ATLAS[number].number_of_nodes(), sorted(ATLAS[number].edges)
    signs = list(product([1, -1], repeat=len(edges)))
    everything = [(i + n * k, j + n * k) for k in range(len(signs)) for i, j in edges]
    graph = graph_of(n * len(signs), everything, np.concatenate(signs))
    found = posterior(graph)
    for k, sign in enumerate(signs):
        at = np.arange(k * len(edges), (k + 1) * len(edges))
        agrees(n, edges, T * np.array(sign, dtype=float), found, at)


@st.composite
def weighted_graphs(draw, largest=8):
    n = draw(st.integers(3, largest))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=min(len(pairs), 16), unique=True))
    theta = draw(st.lists(st.floats(-6, 6), min_size=len(edges), max_size=len(edges)))
    return n, edges, np.array(theta)


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(weighted_graphs())
def test_random_graphs_up_to_eight_nodes(drawn):
    n, edges, theta = drawn
    agrees(n, edges, theta, posterior(graph_of(n, edges, np.where(theta < 0, -1, 1)), theta), np.arange(len(edges)))


# -- facts -------------------------------------------------------------------------------------------------


def paths(k):
    """A negative 0 – 1 with k positive paths of two edges between its ends."""
    edges = [(0, 1), *((end, 2 + i) for i in range(k) for end in (0, 1))]
    return graph_of(2 + k, edges, [-1] + [1] * (2 * k))


def test_a_triangle_by_hand():
    weights = {"all": T, "first alone": -T, "each positive cut": T, "all apart": 0}
    total = np.exp(list(weights.values())) @ [1, 1, 2, 1]
    negative_joined = (np.exp(T) + np.exp(-T)) / total
    assert posterior(paths(1)).p_positive[0] == pytest.approx(negative_joined)
    assert posterior(paths(1)).p_wrong[0] == pytest.approx(negative_joined)


def test_each_further_path_makes_the_negative_less_likely():
    p = [posterior(paths(k)).p_positive[0] for k in range(1, 8)]
    assert p[0] < 0.5 < p[1]
    assert all(x < y for x, y in pairwise(p))


def test_a_bridge_keeps_its_own_odds():
    graph = graph_of(4, [(0, 1), (1, 2), (2, 3)], [1, -1, 1])
    assert (posterior(graph).log_odds == label_log_odds(graph)).all()
    assert (posterior(graph).block == -1).all() and posterior(graph).blocks.empty


def test_no_edges():
    found = posterior(graph_of(0, np.empty((0, 2), dtype=np.int64), []))
    assert len(found.log_odds) == 0 and found.blocks.empty


def test_rows_that_disagree_cancel():
    pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "a", "c"], "label": [1, 0, 0]})
    assert label_log_odds(ParaphraseGraph.from_pairs(pairs)).round(6).tolist() == [0, round(-T, 6)]


@settings(max_examples=60, deadline=None)
@given(weighted_graphs(7), st.floats(-5, 5), st.randoms())
def test_more_evidence_on_an_edge_moves_its_odds_by_as_much(drawn, more, random):
    n, edges, theta = drawn
    graph, at = graph_of(n, edges, np.where(theta < 0, -1, 1)), random.randrange(len(edges))
    before = posterior(graph, theta).log_odds[at]
    theta = theta.copy()
    theta[at] += more
    assert posterior(graph, theta).log_odds[at] == pytest.approx(before + more, abs=1e-8)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(weighted_graphs(7), st.randoms())
def test_names_and_order_do_not_matter(drawn, random):
    n, edges, theta = drawn
    name, order = random.sample(range(n), n), random.sample(range(len(edges)), len(edges))
    sign = np.where(theta < 0, -1, 1)
    renamed = [(name[j], name[i]) for i, j in (edges[k] for k in order)]
    found = posterior(graph_of(n, renamed, sign[order]), theta[order])
    np.testing.assert_allclose(found.log_odds, posterior(graph_of(n, edges, sign), theta).log_odds[order], atol=1e-8)


def test_odds_far_beyond_what_a_probability_can_tell():
    """K5 with log-odds of 300 a label: no overflow, and the odds still rank."""
    edges = list(combinations(range(5), 2))
    found = posterior(graph_of(5, edges, [1] * 10), np.full(10, 300.0))
    np.testing.assert_allclose(found.log_odds, 1200 - np.log(2), atol=1e-6)
    assert (found.p_positive == 1).all() and (found.p_wrong < 1e-300).all()


@pytest.mark.parametrize(
    ("log_odds", "message"),
    [
        ([1.0], "log_odds has shape (1,), but the graph has 3 stated pairs"),
        ([1.0, np.nan, 1.0], "log_odds of 'b' – 'c' is nan; it must be finite"),
        ([1.0, 1.0, -np.inf], "log_odds of 'a' – 'c' is -inf; it must be finite"),
    ],
)
def test_log_odds_that_cannot_be(log_odds, message):
    pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    with pytest.raises(PairsError) as error:
        posterior(ParaphraseGraph.from_pairs(pairs), np.array(log_odds))
    assert str(error.value) == message


@pytest.mark.parametrize("rate", [0, 0.5, 1, -0.1, np.nan])
def test_error_rates_that_cannot_be(rate):
    with pytest.raises(PairsError, match=r"is not between 0 and 0\.5"):
        label_log_odds(paths(1), rate)


# -- large blocks ------------------------------------------------------------------------------------------


def community(rng, n, density, wrong, noise):
    """Two groups of sentences, connected, with labels wrong at a rate; log-odds with noise."""
    side = np.arange(n) % 2
    a, b = np.array(list(combinations(range(n), 2))).T
    keep = (rng.random(len(a)) < np.where(side[a] == side[b], density, density / 4)) | (b == a + 2) | (b == a + 1)
    a, b = a[keep], b[keep]
    sign = np.where(side[a] == side[b], 1, -1) * np.where(rng.random(len(a)) < wrong, -1, 1)
    return a, b, sign * T + noise * rng.normal(size=len(a))


def exactly(n, a, b, theta):
    weights, near = np.zeros((1, n, n)), np.zeros((1, n, n), dtype=bool)
    weights[0, a, b] = weights[0, b, a] = theta
    near[0, a, b] = near[0, b, a] = True
    found = connected_partitions(weights, near)
    gap = np.abs(found.best_joined - found.best_apart)[0, a, b]
    return (found.log_joined - found.log_apart)[0, a, b], gap, found.log_sum[0], found.best[0]


@pytest.mark.slow
@pytest.mark.parametrize("few", [2, 16], ids=["other camps as one node", "other camps too"])
@pytest.mark.parametrize(("noise", "mean_error", "worst_error"), [(0.0, 0.005, 0.1), (2.0, 0.01, 0.3)])
def test_contraction_errs_little(noise, mean_error, worst_error, few, monkeypatch):
    """On 12 nodes, where both ways are open, of which contraction leaves 9."""
    monkeypatch.setattr("paragraph.repairs.contraction.FEW", few)
    rng = np.random.default_rng(1)
    errors = []
    for _ in range(25):
        a, b, theta = community(rng, 12, 0.5, 0.06, noise)
        odds, gap, log_sum, most = exactly(12, a, b, theta)
        found = contracted(12, a, b, theta)
        assert found.proved and theta[found.best > 0].sum() == pytest.approx(most)
        assert most - 1e-9 <= found.log_sum <= log_sum + 1e-9
        assert (found.gap >= gap - 1e-9).all()
        errors.append(np.abs(1 / (1 + np.exp(-odds)) - 1 / (1 + np.exp(-found.log_odds))))
    errors = np.concatenate(errors)
    assert 0 < errors.mean() < mean_error and errors.max() < worst_error


@pytest.mark.slow
def test_a_block_of_thousands_of_nodes():
    """Two hundred cliques of ten on a ring, and a negative between two friends of friends."""
    cliques = [(10 * k + i, 10 * k + j) for k in range(200) for i, j in combinations(range(10), 2)]
    ring = [(10 * k + 9, (10 * k + 10) % 2000) for k in range(200)]
    edges = [*cliques, *ring, (3, 15)]
    found = posterior(graph_of(2000, edges, [1] * (len(edges) - 1) + [-1]))
    assert found.blocks[["nodes", "method"]].values.tolist() == [[2000, "contraction"]]
    negative, rings = found.log_odds[-1], found.log_odds[len(cliques) : -1]
    assert abs(negative) < 4 and found.log_odds[: len(cliques)].min() > 7
    assert rings.argmin() == 0  # the link that the negative speaks against
