"""Triad dynamics: each step looked at with the eyes of somebody who recounts everything."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph import balance as bal

from ..refused import refused
from . import tiny

RULES = ["local", "constrained"]


def complete(n, seed):
    rng = np.random.default_rng(seed)
    return tiny.graph_of(rng.choice([1, -1], n * (n - 1) // 2), n)


def unbalanced(graph):
    return int(bal.census(graph)[["++-", "---"]].sum())


def changes(graph):
    """For each unbalanced triad and edge of it: the edge, and by how much the unbalanced triads change with it."""
    for triad in bal.triads(graph):
        if triad.kind in ("++-", "---"):
            x, y, z = triad.nodes
            for edge in ((x, y), (y, z), (x, z)):
                yield edge, unbalanced(graph.flipped([graph.edge_index.places(*edge)])) - unbalanced(graph)


@settings(max_examples=25)
@given(graph=tiny.graphs(7), rule=st.sampled_from(RULES), p=st.sampled_from([0, 0.3, 1]), seed=st.integers(0, 99))
def test_every_step(graph, rule, p, seed):
    run = bal.dynamics(graph, rule, p, steps=12, seed=seed)
    before = run.graph
    for step in run:
        after = run.graph
        (changed,) = np.flatnonzero(before.sign != after.sign)
        assert step.edge == (after.a[changed], after.b[changed]) and step.sign == after.sign[changed]
        assert step.triad in list(bal.triads(before)) and step.triad.signs.count(-1) in (1, 3)
        assert set(step.edge) <= set(step.triad.nodes)
        assert run.unbalanced == unbalanced(after)
        assert step.balanced_share == pytest.approx(1 - unbalanced(after) / bal.census(after).sum())
        assert rule == "local" or unbalanced(after) <= unbalanced(before)
        if rule == "local" and step.triad.kind == "++-" and p in (0, 1):
            assert step.sign == (1 if p else -1)
        assert step.triad.kind != "---" or step.sign == 1
        before = after
    assert len(run.history) <= 12
    assert run.balanced_shares[1:] == [step.balanced_share for step in run.history]
    if len(run.history) < 12 and run.unbalanced:  # then it is jammed
        assert rule == "constrained" and all(change > 0 for _, change in changes(before))


@pytest.mark.parametrize("rule", RULES)
def test_the_same_seed_is_the_same_run(rule):
    given = complete(9, 3)
    run = bal.dynamics(given, rule, steps=30, seed=7)
    steps = list(run)
    assert len(steps) > 5 and next(iter(run), None) is None
    assert run.history == steps == list(bal.dynamics(given, rule, steps=30, seed=7))
    assert steps != list(bal.dynamics(given, rule, steps=30, seed=8))
    assert nx.utils.edges_equal(given.edges(data=True), complete(9, 3).edges(data=True))  # it is left alone


def test_where_runs_end():
    for seed in range(3):
        run = bal.dynamics(complete(10, seed), "local", p=0.7, seed=seed)
        list(run)
        assert run.unbalanced == 0 and run.balanced_share == 1
        assert bal.balance(run.graph)  # all triads of a complete graph balanced: so is the graph
    ring = bal.dynamics(tiny.signed((0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 0, -1)))  # a graph without triads
    assert list(ring) == [] and ring.history == [] and not bal.balance(ring.graph)
    assert np.isnan(ring.balanced_share)
    jammed = bal.dynamics(bal.presets.jammed(), "constrained")  # no change of one edge helps (Antal et al.)
    assert list(jammed) == [] and jammed.unbalanced == 27
    assert next(iter(bal.dynamics(bal.presets.jammed(), "local")))


def first_steps(graph, draws, **options):
    return Counter(next(iter(bal.dynamics(graph, seed=seed, **options))).edge for seed in range(draws))


def test_odds_of_first_steps():
    chosen = first_steps(tiny.graph_of([1, 1, -1], 3), 500, p=0.4)  # edges 01, 02 positive, 12 negative
    assert chosen[1, 2] / 500 == pytest.approx(0.4, abs=0.08)
    assert chosen[0, 1] / 500 == pytest.approx(0.3, abs=0.08)
    # Constrained: as if a triad and an edge were drawn until one is accepted, half the time where it is even.
    graph, weight = complete(6, 13), Counter()
    found = list(changes(bal.as_signed(graph)))
    assert {int(np.sign(change)) for _, change in found} == {-1, 0, 1}  # this graph has all three cases
    for edge, change in found:
        weight[edge] += 1 if change < 0 else 0.5 if change == 0 else 0
    chosen = first_steps(graph, 600, rule="constrained")
    for edge, value in weight.items():
        assert chosen[edge] / 600 == pytest.approx(value / weight.total(), abs=0.07)


def test_sentences_and_what_is_refused():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    step = next(iter(bal.dynamics(graph, "constrained", seed=1)))
    assert step.triad.texts == tuple(graph.texts(step.triad.nodes))
    for options in ({"rule": "global"}, {"p": 1.5}, {"p": -0.1}):
        refused("is not", bal.dynamics, graph, **options)
