"""Triads, counted and listed, against all triples of nodes."""

from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import paragraph as pg
from paragraph import balance as bal
from paragraph.balance import triangles
from paragraph.balance.triangles import KINDS, triad_edges

from ..growth import LINEAR, exponent
from . import tiny


def brute(graph):
    """Every triad by its nodes: how many of its edges are negative."""
    found = {}
    for three in combinations(graph, 3):
        edges = list(combinations(three, 2))
        if all(graph.has_edge(*edge) for edge in edges):
            found[frozenset(three)] = sum(graph.edges[edge]["sign"] < 0 for edge in edges)
    return found


def counted(kinds):
    return np.bincount(list(kinds), minlength=4).tolist()


@pytest.mark.parametrize("n", [3, 4, 5])
def test_census_of_all_graphs(n):
    signs = tiny.all_signs(n)
    union = bal.SignedGraph.from_arrays(*tiny.union_of(signs, n))
    expected = tiny.triads(signs, n)
    by_node = bal.census(union, by="node").to_numpy().reshape(len(signs), n, 4)
    assert np.array_equal(by_node.sum(axis=1), 3 * expected)
    edges = bal.census(union, by="edge")
    of_graph = edges.a.to_numpy() // n
    for i, kind in enumerate(KINDS):
        assert np.array_equal(np.bincount(of_graph, edges[kind], len(signs)), 3 * expected[:, i])
    assert bal.census(union).tolist() == expected.sum(axis=0).tolist()


@settings(deadline=None)
@given(tiny.graphs())
def test_census_against_all_triples(graph):
    expected = brute(graph)
    assert bal.census(graph).tolist() == counted(expected.values())
    nodes = bal.census(graph, by="node")
    assert list(nodes.index) == list(graph)
    for node in graph:
        assert nodes.loc[node].tolist() == counted(k for three, k in expected.items() if node in three)
    edges = bal.census(graph, by="edge")
    assert len(edges) == len(graph.edges)
    for edge in edges.itertuples(index=False):
        assert edge.sign == graph.edges[edge.a, edge.b]["sign"]
        assert list(edge[3:]) == counted(k for three, k in expected.items() if {edge.a, edge.b} <= three)
    clusters = bal.census(graph, by="cluster")
    parts = list(nx.connected_components(nx.Graph(e for e in graph.edges if graph.edges[e]["sign"] > 0)))
    parts += [{node} for node in graph if not any(node in part for part in parts)]
    within = [counted(k for three, k in expected.items() if three <= part) for part in parts]
    assert sorted(clusters.to_numpy().tolist()) == sorted(within)


@settings(deadline=None)
@given(tiny.graphs())
def test_listed_triads(graph):
    expected = brute(graph)
    found = list(bal.triads(graph))
    assert {frozenset(t.nodes): t.signs.count(-1) for t in found} == expected
    assert len(found) == len(expected)
    assert [t.nodes for t in found] == sorted(t.nodes for t in found)  # here names are in the order of nodes
    for triad in found:
        x, y, z = triad.nodes
        assert triad.signs == tuple(graph.edges[edge]["sign"] for edge in ((x, y), (y, z), (z, x)))
        assert triad.texts == (str(x), str(y), str(z))
        assert triad.kind == KINDS[triad.signs.count(-1)]
    for kind in KINDS:
        assert list(bal.triads(graph, kind)) == [t for t in found if t.kind == kind]


def test_names_of_kinds():
    graph = nx.complete_graph(4)
    nx.set_edge_attributes(graph, 1, "sign")
    graph.edges[0, 1]["sign"] = -1
    assert len(list(bal.triads(graph, "++-"))) == len(list(bal.triads(graph, "+−+"))) == 2
    for use in (lambda: bal.triads(graph, "++"), lambda: bal.triads(graph, 5), lambda: bal.census(graph, by="row")):
        with pytest.raises(pg.PairsError, match="is not one of"):
            use()


@pytest.mark.parametrize("hub", ["first", "last"])
def test_a_hub_costs_nothing(hub):
    """A star of 200,000 rays has 2 * 10^10 pairs of neighbours, and a triad where two are joined."""

    def work(n):
        center = 0 if hub == "first" else n
        rays = np.arange(n) + (hub == "first")
        a, b = np.append(np.full(n, center), rays[7]), np.append(rays, rays[n // 2])
        graph = bal.SignedGraph.from_arrays(n + 1, a, b, np.append(np.where(rays % 2, 1, -1), -1))
        (triad,) = bal.triads(graph)
        assert set(triad.nodes) == {center, rays[7], rays[n // 2]}
        assert bal.census(graph)[triad.kind] == bal.census(graph).sum() == 1

    assert exponent(work, 12_500, 200_000) < LINEAR


def test_listing_in_blocks_changes_nothing():
    graph = bal.as_signed(bal.planted_camps(60, 3, 0.5, 0.2, seed=1))
    whole = np.concatenate(list(triad_edges(graph)))
    for block in (1, 50, 10_000):
        assert np.array_equal(np.concatenate(list(triad_edges(graph, block))), whole)


def test_a_large_graph_against_networkx(monkeypatch):
    graph = bal.planted_camps(400, 4, 0.1, 0.1, seed=2)
    assert bal.census(graph).sum() == sum(nx.triangles(graph).values()) / 3
    of_node = bal.census(graph, by="node").sum(axis=1)
    assert of_node.to_dict() == nx.triangles(graph)
    whole = bal.census(graph)
    monkeypatch.setattr(triangles, "BLOCK", 500)  # the product, in many blocks
    assert bal.census(graph).equals(whole)


def test_relabelling_changes_nothing():
    graph = bal.planted_camps(40, 2, 0.4, 0.3, seed=3)
    order = np.random.default_rng(0).permutation(40).tolist()
    shuffled = nx.Graph()
    shuffled.add_nodes_from(order)
    shuffled.add_edges_from(sorted(graph.edges(data=True), key=lambda edge: (edge[1] * 7) % 41))
    assert bal.census(shuffled).equals(bal.census(graph))
    assert bal.census(shuffled, by="node").sort_index().equals(bal.census(graph, by="node"))


def test_clusters_and_sentences():
    rows = [
        ("a", "b", 1), ("b", "c", 1), ("a", "c", 0),  # a conflict, in the larger cluster
        ("x", "y", 1), ("x", "a", 0), ("y", "a", 0), ("x", "u", 0), ("u", "a", 0),
    ]  # fmt: skip
    graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    assert bal.census(graph).tolist() == [0, 1, 1, 1]
    table = bal.census(graph, by="cluster")
    assert len(table) == len(graph.cluster_sizes)
    assert table.loc[0].tolist() == [0, 1, 0, 0]
    assert table.to_numpy().sum() == 1  # the triads across clusters are in none
    assert [t.texts for t in bal.triads(graph, "++-")] == [("a", "b", "c")]
    assert [t.texts for t in bal.triads(graph, "---")] == [("a", "x", "u")]
    assert bal.census(graph, by="node").loc[graph.node("a")].tolist() == [0, 1, 1, 1]


def test_the_demo_corpus_against_networkx():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    whole = graph.to_networkx()
    assert bal.census(graph).sum() == sum(nx.triangles(whole).values()) / 3
    clusters = bal.census(graph, by="cluster")
    for cluster in range(10):
        assert clusters.loc[cluster].equals(bal.census(graph.to_networkx(cluster=cluster)).rename(cluster))
    inside = bal.census(graph, by="node").sum(axis=1)
    assert inside.to_dict() == nx.triangles(whole)
