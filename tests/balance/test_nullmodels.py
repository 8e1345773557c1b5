"""Null models: what is kept, what is random, and z-scores against a direct computation."""

from math import comb

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph import balance as bal


def test_z_scores_against_a_direct_computation():
    graph = bal.planted_camps(20, 3, 0.5, 0.2, seed=4)
    table = bal.census_z(graph, samples=30, seed=9)
    rng = np.random.default_rng(9)
    signed = bal.as_signed(graph)
    negative = (signed.sign < 0).astype(np.int8)
    counts = [bal.census(signed.with_sign(1 - 2 * rng.permutation(negative))).to_numpy() for _ in range(30)]
    assert table.kind.tolist() == list(bal.KINDS)
    assert table.observed.tolist() == bal.census(graph).tolist()
    assert np.allclose(table["mean"], np.mean(counts, axis=0))
    assert np.allclose(table.sd, np.std(counts, axis=0, ddof=1))
    assert np.allclose(table.z, (table.observed - table["mean"]) / table.sd)
    with pytest.raises(pg.PairsError, match=r"use graph.with_sign\(rng.permutation"):
        bal.shuffled_signs(graph)


def test_means_are_those_of_drawing_without_replacement():
    """k of the 3 edges of a triad are negative with hypergeometric probability."""
    graph = bal.planted_camps(30, 2, 0.6, 0.1, seed=5)
    table = bal.census_z(graph, samples=200, seed=1)
    m, negative = len(graph.edges), sum(s < 0 for _, _, s in graph.edges(data="sign"))
    for k, row in enumerate(table.itertuples()):
        expected = table.observed.sum() * comb(negative, k) * comb(m - negative, 3 - k) / comb(m, 3)
        assert abs(row.mean - expected) < 5 * row.sd / np.sqrt(200)


def test_paraphrase_graphs_are_more_balanced_than_chance():
    z = bal.census_z(pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO)), samples=50).set_index("kind").z
    assert z["+++"] > 2 and z["++-"] < -2


def test_no_variation_no_z():
    graph = nx.complete_graph(4)
    nx.set_edge_attributes(graph, 1, "sign")
    table = bal.census_z(graph, samples=5)
    assert table.z.isna().all() and table.observed.tolist() == table["mean"].tolist() == [4, 0, 0, 0]
    with pytest.raises(pg.PairsError, match="needs at least 2"):
        bal.census_z(graph, samples=1)


@settings(max_examples=40)
@given(st.integers(0, 25), st.integers(1, 5), st.sampled_from([0, 0.2, 0.7, 1]), st.integers(0, 999))
def test_planted_camps_without_noise(n, camps, density, seed):
    if camps > max(n, 1):
        with pytest.raises(pg.PairsError, match="each camp needs a node"):
            bal.planted_camps(n, camps, density, seed=seed)
        return
    graph = bal.planted_camps(n, camps, density, seed=seed)
    assert list(graph) == list(range(n))
    assert not list(nx.selfloop_edges(graph))
    assert density not in (0, 1) or len(graph.edges) == density * comb(n, 2)
    camp = nx.get_node_attributes(graph, "camp")
    assert all((camp[x] == camp[y]) == (sign > 0) for x, y, sign in graph.edges(data="sign"))
    sizes = np.bincount(list(camp.values()), minlength=camps) if n else np.zeros(camps)
    assert max(sizes) - min(sizes) <= 1
    assert bal.balance(graph, "weak")
    assert camps > 2 or bal.balance(graph, "strong")


def test_planted_density_and_noise():
    graph = bal.planted_camps(400, 4, 0.1, 0.2, seed=6)
    assert len(graph.edges) == pytest.approx(comb(400, 2) * 0.1, rel=0.04)
    camp = nx.get_node_attributes(graph, "camp")
    wrong = sum((camp[x] == camp[y]) != (sign > 0) for x, y, sign in graph.edges(data="sign"))
    assert wrong == pytest.approx(0.2 * len(graph.edges), rel=0.08)
    degrees = np.array([degree for _, degree in graph.degree])
    assert degrees.std() == pytest.approx(np.sqrt(399 * 0.1 * 0.9), rel=0.1)  # every pair alike
    again = bal.planted_camps(400, 4, 0.1, 0.2, seed=6)
    assert list(again.edges(data="sign")) == list(graph.edges(data="sign"))


def test_a_sparse_graph_of_many_nodes():
    graph = bal.planted_camps(100_000, 2, 1e-6, seed=7)  # 5 thousand million pairs
    assert len(graph.edges) == pytest.approx(5_000, rel=0.05)
    assert bal.balance(graph)
    assert max(map(max, graph.edges)) < 100_000


@pytest.mark.parametrize("options", [{"density": 1.2}, {"noise": -0.1}, {"camps": 0}, {"n": -1}])
def test_refused(options):
    with pytest.raises(pg.PairsError):
        bal.planted_camps(**{"n": 10, "camps": 2, "density": 0.5} | options)
