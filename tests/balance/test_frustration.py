"""Frustration against brute force, its edges and bounds, and what it rests on: unbalanced cycles, local search."""

import itertools

import networkx as nx
import numpy as np
import pytest
import scipy.optimize

import paragraph.balance.cycles as cycles
import paragraph.balance.frustration_index as module
from paragraph.balance import SignedGraph, as_signed, balance, frustration
from paragraph.balance.cycles import UnbalancedCycles
from paragraph.balance.verdict import misfits

from .. import reference
from ..refused import refused
from . import tiny
from .oracle import Cycles

both = pytest.mark.parametrize("kind", ["strong", "weak"])


def random_graph(n, density, seed, negative=0.5):
    rng = np.random.default_rng(seed)
    a, b = np.triu_indices(n, 1)
    kept = rng.random(len(a)) < density
    sign = np.where(rng.random(kept.sum()) < negative, -1, 1)
    return SignedGraph(n, a[kept], b[kept], sign, range(n))


def least_misfit(signed, kind):
    """Over all divisions of the nodes in camps."""
    camps = np.array([camps for camps in tiny.partitions(signed.n) if kind == "weak" or max(camps) < 2])
    wrong = (camps[:, signed.a] == camps[:, signed.b]) != (signed.sign > 0)
    return wrong.sum(axis=1).min()


def check_witness(found, signed):
    """The edges are `value`, and both flipping and deleting them balances the graph."""
    assert len(found.edge_index) == found.value
    assert balance(signed.flipped(found.edge_index), found.kind).balanced
    kept = np.delete(np.arange(signed.m), found.edge_index)
    assert balance(signed.part(kept), found.kind).balanced
    assert np.flatnonzero(misfits(signed, found.camps)).tolist() == found.edge_index.tolist()


@both
def test_random_graphs_up_to_eight_nodes(kind):
    for seed in range(70):
        signed = random_graph(2 + seed % 7, (0.3, 0.6, 1.0)[seed % 3], seed, negative=(0.3, 0.5, 0.7, 1.0)[seed % 4])
        found = frustration(signed, kind)
        assert found.optimal and found.value == found.bound == least_misfit(signed, kind)
        check_witness(found, signed)


@pytest.mark.slow
@both
def test_when_the_solver_has_to_branch(kind, monkeypatch):
    """Graphs whose fractional bound stays below the index, so that whole numbers are needed."""
    branched, minimise = [], module._minimise
    monkeypatch.setattr(module, "_minimise", lambda *given: branched.append(given[1]) or minimise(*given))
    for seed in (1, 4, 6):
        signed = random_graph(9, 1.0, 1000 + seed, negative=0.5 if kind == "weak" else 1.0 - 0.1 * (seed % 3))
        assert frustration(signed, kind).value == least_misfit(signed, kind)
    assert sum(branched) >= 1


def test_an_unknown_kind():
    refused("kind='medium'", frustration, tiny.graph_of([1, -1, 1], 3), kind="medium")


@both
def test_expired_time_gives_valid_bounds(kind):
    for seed in range(3):
        signed = random_graph(14, 0.5, seed)
        exact, again = (frustration(signed, kind, seed=3) for _ in range(2))
        assert exact.method.endswith("(HiGHS)") and exact.optimal
        assert exact.edge_index.tolist() == again.edge_index.tolist()
        found = frustration(signed, kind, time_limit=0)
        assert found.bound <= exact.value <= found.value
        assert found.optimal == (found.bound == found.value)
        check_witness(found, signed)


def test_a_time_limit_is_kept_and_more_time_never_loosens_the_bounds(monkeypatch):
    """By a clock that each call of the solver moves on by 100 seconds, so that no machine is too slow or too fast."""
    signed, clock, limits, milp = random_graph(40, 0.3, 2), [0.0], [], scipy.optimize.milp

    def watched(*args, options, **others):
        limits.append(options["time_limit"])
        clock[0] += 100
        return milp(*args, options=options, **others)

    for place in (module, cycles):
        monkeypatch.setattr(place, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(scipy.optimize, "milp", watched)
    found = [frustration(signed, "weak", time_limit=limit) for limit in (0, 150, 450)]
    assert limits == [0.01, 150, 50, 450, 350, 250, 150, 50]  # of the solver: what is left of the time
    for less, more in itertools.pairwise(found):
        assert less.bound <= more.bound < more.value <= less.value and not more.optimal
    assert f"between {more.bound} and {more.value}" in str(more)
    check_witness(more, signed)


def test_without_a_limit_it_ends_after_ten_seconds_and_says_so(monkeypatch):
    """By a clock that each search for paths moves on by 100 seconds."""
    clock, dijkstra = [0.0], cycles.dijkstra

    def watched(*args, **options):
        clock[0] += 100
        return dijkstra(*args, **options)

    for place in (module, cycles):
        monkeypatch.setattr(place, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(cycles, "dijkstra", watched)
    found = frustration(random_graph(40, 0.3, 2))
    assert clock[0] <= 200 and not found.optimal and str(found).endswith("stopped after time_limit=10 s)")
    check_witness(found, found.graph)
    assert frustration(random_graph(14, 0.5, 0), time_limit=None).optimal


def test_edges_and_camps_by_name():
    graph = nx.Graph()
    graph.add_edges_from([("Ann", "Bob"), ("Bob", "Cid"), ("Bob", "Dan")], sign=1)
    graph.add_edges_from([("Ann", "Cid"), ("Ann", "Dan")], sign=-1)
    found = frustration(graph, "weak")
    assert found.edges == [("Ann", "Bob")]
    assert found.camp_of("Bob") == found.camp_of("Cid") != found.camp_of("Ann")
    sentences = reference.graph_of("a+b b+c a-c a-x x-y a-y")
    weak, strong = (frustration(sentences, kind) for kind in ("weak", "strong"))
    assert (weak.value, strong.value) == (1, 2)  # a, x, y are enemies of each other: fine for weak balance
    assert set(sentences.texts(np.array(weak.edges[0]))) <= {"a", "b", "c"}


@both
def test_violated_cycles_are_found_whenever_there_are_some(kind):
    outcomes = set()
    for seed in range(100):
        rng = np.random.default_rng(seed)
        graph = tiny.graph_of(rng.choice([-1, 0, 1], 15, p=[0.4, 0.3, 0.3]), 6)
        every, f = Cycles(graph), rng.random(len(graph.edges)) ** rng.integers(1, 4)
        unbalanced = every.rows[every.unbalanced(kind)]
        search, violated = UnbalancedCycles(as_signed(graph), kind), bool((unbalanced @ f < 1 - 1e-6).any())
        assert bool(search.add_violated(f)) == violated
        outcomes.add(violated)
        assert set(search.known) <= {tuple(np.flatnonzero(row).tolist()) for row in unbalanced}
        assert all(f[list(cycle)].sum() < 1 for cycle in search.known)
    assert outcomes == {True, False}
