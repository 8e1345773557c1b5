"""Triads, counted and listed, against all triples of nodes."""

from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import paragraph as pg
from paragraph import balance as bal
from paragraph.balance.triangles import KINDS, triad_edges

from ..growth import LINEAR, exponent
from . import tiny


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


@settings(max_examples=50)
@given(tiny.graphs())
def test_against_all_triples(graph):
    def signs_of(three):
        return [graph.edges[edge]["sign"] for edge in combinations(three, 2) if graph.has_edge(*edge)]

    expected = {frozenset(t): signs_of(t).count(-1) for t in combinations(graph, 3) if len(signs_of(t)) == 3}

    def counted(held=lambda three: True):
        return np.bincount([k for three, k in expected.items() if held(three)], minlength=4).tolist()

    assert bal.census(graph).tolist() == counted()
    nodes = bal.census(graph, by="node")
    assert list(nodes.index) == list(graph)
    for node in graph:
        assert nodes.loc[node].tolist() == counted(lambda three, node=node: node in three)
    edges = bal.census(graph, by="edge")
    assert len(edges) == len(graph.edges)
    for a, b, sign, *found in edges.itertuples(index=False):
        assert sign == graph.edges[a, b]["sign"]
        assert found == counted(lambda three, a=a, b=b: {a, b} <= three)
    clusters = bal.census(graph, by="cluster")
    friends = nx.Graph(e for e in graph.edges if graph.edges[e]["sign"] > 0)
    friends.add_nodes_from(graph)
    within = [counted(lambda three, part=part: three <= part) for part in nx.connected_components(friends)]
    assert sorted(clusters.to_numpy().tolist()) == sorted(within)

    found = list(bal.triads(graph))
    assert {frozenset(t.nodes): t.signs.count(-1) for t in found} == expected and len(found) == len(expected)
    assert [t.nodes for t in found] == sorted(t.nodes for t in found)  # here names are in the order of nodes
    for triad in found:
        x, y, z = triad.nodes
        assert triad.signs == tuple(graph.edges[edge]["sign"] for edge in ((x, y), (y, z), (z, x)))
        assert (triad.texts, triad.kind) == ((str(x), str(y), str(z)), KINDS[triad.signs.count(-1)])
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
    """A star of 100,000 rays has 5 * 10^9 pairs of neighbours, and a triad where two are joined."""

    def work(n):
        center = 0 if hub == "first" else n
        rays = np.arange(n) + (hub == "first")
        a, b = np.append(np.full(n, center), rays[7]), np.append(rays, rays[n // 2])
        graph = bal.SignedGraph.from_arrays(n + 1, a, b, np.append(np.where(rays % 2, 1, -1), -1))
        (triad,) = bal.triads(graph)
        assert set(triad.nodes) == {center, rays[7], rays[n // 2]}
        assert bal.census(graph)[triad.kind] == bal.census(graph).sum() == 1

    assert exponent(work, 6_250, 100_000) < LINEAR


def test_blocks_change_nothing_and_networkx_counts_as_many():
    graph = bal.planted_camps(200, 4, 0.1, 0.1, seed=2)
    assert bal.census(graph, by="node").sum(axis=1).to_dict() == nx.triangles(graph)
    signed, whole = bal.as_signed(graph), bal.census(graph)
    assert whole.sum() == sum(nx.triangles(graph).values()) / 3
    listed = np.concatenate(list(triad_edges(signed)))
    for block in (50, 10_000):
        assert np.array_equal(np.concatenate(list(triad_edges(signed, block))), listed)


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
