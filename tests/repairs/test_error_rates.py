"""Error rates: planted ones are found, and the likelihood is that of adding up all labellings."""

from itertools import combinations

import numpy as np
import pytest

from paragraph import ParaphraseGraph
from paragraph.repairs.error_rates import RATES, _likelihood, error_rates
from paragraph.repairs.posterior import label_log_odds, posterior

from .test_posterior import graph_of, multicuts


def groups(rng, rates, size=6):
    """Groups of sentences in two camps, all pairs labelled, each group with labels wrong at a rate of its own."""
    edges = [(size * k + i, size * k + j) for k in range(len(rates)) for i, j in combinations(range(size), 2)]
    true = np.array([1 if i % 2 == j % 2 else -1 for i, j in edges])
    wrong = rng.random(len(edges)) < np.repeat(rates, size * (size - 1) // 2)
    return graph_of(size * len(rates), edges, np.where(wrong, -true, true))


@pytest.mark.parametrize("rate", [0.01, 0.05, 0.1])
def test_a_planted_rate_is_found(rate):
    found = error_rates(groups(np.random.default_rng(0), np.full(300, rate)))
    assert found.overall == pytest.approx(rate, rel=0.25)


def test_each_block_has_a_rate_of_its_own():
    rates = np.repeat([0.01, 0.2], 100)
    found = error_rates(groups(np.random.default_rng(0), rates, 9))
    of_group = found.of_edge.reshape(200, -1)[:, 0]
    assert of_group[:100].mean() < 0.02 and of_group[100:].mean() == pytest.approx(0.2, rel=0.25)


def test_too_few_labels_to_estimate():
    graph = graph_of(4, [(0, 1), (1, 2), (0, 2), (2, 3)], [1, 1, -1, 1])
    assert error_rates(graph).of_edge.tolist() == [0.05] * 4 and len(error_rates(graph).shares) == 0


def test_a_bridge_has_the_common_rate():
    graph = groups(np.random.default_rng(0), np.full(50, 0.05))
    edges = [*zip(graph.edge_a.tolist(), graph.edge_b.tolist(), strict=True), (0, graph.n)]
    found = error_rates(graph_of(graph.n + 1, edges, [*graph.edge_sign, 1]))
    assert found.of_edge[-1] == found.overall


def test_the_likelihood_adds_up_all_labellings():
    rng = np.random.default_rng(0)
    edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 0), (3, 4), (4, 0)]
    a, b = np.array(edges)[rng.integers(0, len(edges), 20)].T
    a, b = np.concatenate([a, np.array(edges)[:, 0]]), np.concatenate([b, np.array(edges)[:, 1]])
    graph = ParaphraseGraph(a, b, rng.choice([-1, 1], len(a)).astype(np.int8), 5)
    stated = list(zip(graph.edge_a.tolist(), graph.edge_b.tolist(), strict=True))
    (found,) = _likelihood(graph, posterior(graph))
    for k, rate in enumerate(RATES):
        total = 0
        for joined in multicuts(5, stated):
            wrong = np.where(joined, graph.edge_n_negative, graph.edge_n_positive).sum()
            total += rate**wrong * (1 - rate) ** (len(a) - wrong)
        assert found[k] == pytest.approx(np.log(total))


def test_rates_of_edges_make_log_odds():
    graph = graph_of(3, [(0, 1), (1, 2)], [1, -1])
    assert label_log_odds(graph, np.array([0.1, 0.2])).tolist() == pytest.approx([np.log(9), -np.log(4)])
