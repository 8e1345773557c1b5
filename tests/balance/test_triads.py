"""Triads, counted and listed, against all triples of nodes; and how surprising their number is."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from paragraph import balance as bal
from paragraph.balance.triangles import KINDS

from ..growth import LINEAR, exponent
from ..reference import graph_of
from ..refused import refused
from . import tiny


@settings(max_examples=40)
@given(tiny.graphs())
def test_against_all_triples(graph):
    def signs_of(three):
        return [graph.edges[edge]["sign"] for edge in combinations(three, 2) if graph.has_edge(*edge)]

    expected = {frozenset(t): signs_of(t).count(-1) for t in combinations(graph, 3) if len(signs_of(t)) == 3}

    def counted(some=frozenset()):
        return np.bincount([k for t, k in expected.items() if some <= t], minlength=4).tolist()

    assert bal.census(graph).tolist() == counted()
    edges = bal.census(graph, by="edge")
    assert len(edges) == len(graph.edges)
    for a, b, sign, *found in edges.itertuples(index=False):
        assert (sign, found) == (graph.edges[a, b]["sign"], counted({a, b}))

    found = list(bal.triads(graph))
    assert {frozenset(t.nodes): t.signs.count(-1) for t in found} == expected and len(found) == len(expected)
    assert [t.nodes for t in found] == sorted(t.nodes for t in found)  # here names are in the order of nodes
    for triad in found:
        x, y, z = triad.nodes
        assert triad.signs == tuple(graph.edges[edge]["sign"] for edge in ((x, y), (y, z), (z, x)))
        assert (triad.texts, triad.kind) == ((str(x), str(y), str(z)), KINDS[triad.signs.count(-1)])
    for kind in KINDS:
        assert list(bal.triads(graph, kind)) == [t for t in found if t.kind == kind]


@pytest.mark.parametrize("hub", ["first", "last"])
def test_a_hub_costs_nothing(hub):
    """A star of 100,000 rays has 5 * 10^9 pairs of neighbours, and a triad where two are joined."""

    def work(n):
        center = 0 if hub == "first" else n
        rays = np.arange(n) + (hub == "first")
        a, b = np.append(np.full(n, center), rays[7]), np.append(rays, rays[n // 2])
        graph = bal.SignedGraph(n + 1, a, b, np.append(np.where(rays % 2, 1, -1), -1), range(n + 1))
        (triad,) = bal.triads(graph)
        assert set(triad.nodes) == {center, rays[7], rays[n // 2]}
        assert bal.census(graph)[triad.kind] == bal.census(graph).sum() == 1

    assert exponent(work, 6_250, 100_000) < LINEAR


def test_sentences():
    graph = graph_of("a+b b+c a-c x+y x-a y-a x-u u-a")
    assert bal.census(graph).tolist() == [0, 1, 1, 1]
    assert [t.texts for t in bal.triads(graph, "---")] == [("a", "x", "u")]


def test_z_scores_against_a_direct_computation():
    graph = tiny.camps(20, 3, 0.5, 0.2, seed=4)
    table, signed, rng = bal.census_z(graph, samples=30, seed=9), bal.as_signed(graph), np.random.default_rng(9)
    negative = (signed.sign < 0).astype(np.int8)
    counts = [bal.census(signed.with_sign(1 - 2 * rng.permutation(negative))).to_numpy() for _ in range(30)]
    assert table.kind.tolist() == list(KINDS) and table.observed.tolist() == bal.census(graph).tolist()
    assert np.allclose(table["mean"], np.mean(counts, axis=0))
    assert np.allclose(table.sd, np.std(counts, axis=0, ddof=1))
    assert np.allclose(table.z, (table.observed - table["mean"]) / table.sd)
    table = bal.census_z(bal.presets.two_camps(4, 0), samples=5)  # no variation, no z
    assert table.z.isna().all() and table.observed.tolist() == table["mean"].tolist() == [4, 0, 0, 0]


def test_kinds_and_what_is_refused():
    graph = bal.presets.classic("one quarrel")
    assert len(list(bal.triads(graph, "++-"))) == 2
    for use, word in ((bal.triads, "++"), (bal.triads, "+−+"), (bal.triads, 5), (bal.census, "row")):
        refused("is not one of", use, graph, word)
    refused("needs at least 2", bal.census_z, nx.Graph(), samples=1)
