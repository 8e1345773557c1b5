"""Triad dynamics: each step looked at with the eyes of somebody who recounts everything."""

from collections import Counter
from itertools import islice

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph import balance as bal

from . import tiny

RULES = ["local", "constrained"]


def signs(graph):
    return dict(zip(zip(graph.a.tolist(), graph.b.tolist(), strict=True), graph.sign.tolist(), strict=True))


def unbalanced(graph):
    counts = bal.census(graph)
    return int(counts["++-"] + counts["---"])


def complete(n, seed):
    graph = nx.complete_graph(n)
    rng = np.random.default_rng(seed)
    nx.set_edge_attributes(graph, {edge: int(rng.choice([1, -1])) for edge in graph.edges}, "sign")
    return graph


@pytest.mark.slow
@settings(deadline=None)
@given(graph=tiny.graphs(8), rule=st.sampled_from(RULES), p=st.sampled_from([0, 0.3, 1]), seed=st.integers(0, 99))
def test_every_step(graph, rule, p, seed):
    run = bal.dynamics(graph, rule, p, steps=20, seed=seed)
    assert run.unbalanced == unbalanced(graph)
    before = run.graph
    for step in run:
        after = run.graph
        (changed,) = {edge for edge, sign in signs(after).items() if signs(before)[edge] != sign}
        assert changed == step.edge and signs(after)[changed] == step.sign
        assert step.triad in list(bal.triads(before)) and step.triad.signs.count(-1) in (1, 3)
        assert set(changed) <= set(step.triad.nodes)
        assert run.unbalanced == unbalanced(after)
        assert step.balanced_share == pytest.approx(1 - unbalanced(after) / bal.census(after).sum())
        if rule == "constrained":
            assert unbalanced(after) <= unbalanced(before)
        if rule == "local" and step.triad.kind == "++-" and p in (0, 1):
            assert step.sign == (1 if p else -1)
        if step.triad.kind == "---":
            assert step.sign == 1
        before = after
    assert len(run.history) <= 20
    assert run.balanced_shares[1:] == [step.balanced_share for step in run.history]
    if (
        len(run.history) < 20 and run.unbalanced
    ):  # then it is jammed: no change of an unbalanced triad's edge is allowed
        assert rule == "constrained"
        for edge in {edge for triad in bal.triads(before) if triad.kind in ("++-", "---") for edge in edges(triad)}:
            other = before.sign.copy()
            other[before.edge_between(*edge)] *= -1
            assert unbalanced(before.with_sign(other)) > unbalanced(before)


def edges(triad):
    x, y, z = triad.nodes
    return [(x, y), (y, z), (x, z)]


@pytest.mark.parametrize("rule", RULES)
def test_forward_and_back(rule):
    run = bal.dynamics(complete(9, 3), rule, steps=30, seed=7)
    states, steps = [run.graph.sign], []
    for step in run:
        steps.append(step)
        states.append(run.graph.sign)
    assert len(steps) > 5
    assert run.history == steps
    for i in range(len(steps) - 1, -1, -1):
        assert run.back() == steps[i]
        assert np.array_equal(run.graph.sign, states[i])
        assert run.history == steps[:i] and len(run.balanced_shares) == i + 1
        assert run.unbalanced == unbalanced(run.graph)
    assert run.back() is None
    assert [run.forward(), run.forward(), run.back()] == [steps[0], steps[1], steps[1]]
    assert list(run) == steps[1:]
    assert np.array_equal(run.graph.sign, states[-1])


def test_the_graph_that_was_given_is_left_alone():
    graph = complete(7, 1)
    before = dict(nx.get_edge_attributes(graph, "sign"))
    assert list(bal.dynamics(graph, steps=10))
    assert nx.get_edge_attributes(graph, "sign") == before


@pytest.mark.parametrize("rule", RULES)
def test_a_seed_is_a_run(rule):
    runs = [list(bal.dynamics(complete(8, 2), rule, steps=15, seed=seed)) for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("seed", range(5))
def test_complete_graphs_end_in_camps(seed):
    run = bal.dynamics(complete(10, seed), "local", p=0.7, seed=seed)
    list(run)
    assert run.unbalanced == 0 and run.balanced_share == 1
    assert bal.balance(run.graph)  # all triads of a complete graph balanced: so is the graph


def test_other_graphs_may_end_unbalanced():
    ring = nx.cycle_graph(5)
    nx.set_edge_attributes(ring, 1, "sign")
    ring.edges[0, 1]["sign"] = -1
    run = bal.dynamics(ring)
    assert run.forward() is None and run.history == [] and not bal.balance(run.graph)
    assert np.isnan(run.balanced_share)


def test_jammed():
    """Nine nodes in three groups, friends inside, foes between: no change of one edge helps (Antal et al.)."""
    graph = nx.complete_graph(9)
    for x, y in graph.edges:
        graph.edges[x, y]["sign"] = 1 if x // 3 == y // 3 else -1
    run = bal.dynamics(graph, "constrained")
    assert run.forward() is None and run.unbalanced == 27
    assert bal.dynamics(graph, "local").forward() is not None


def first_steps(graph, draws, **options):
    return Counter(bal.dynamics(graph, seed=seed, **options).forward().edge for seed in range(draws))


@pytest.mark.slow
def test_odds_of_the_local_rule():
    triad = tiny.graph_of([1, 1, -1], 3)  # edges 01, 02 positive, 12 negative
    chosen = first_steps(triad, 900, p=0.4)
    assert chosen[1, 2] / 900 == pytest.approx(0.4, abs=0.06)
    assert chosen[0, 1] / 900 == pytest.approx(0.3, abs=0.06)
    foes = first_steps(tiny.graph_of([-1, -1, -1], 3), 900, p=0)
    assert min(foes.values()) > 240 and len(foes) == 3


@pytest.mark.slow
def test_odds_of_the_constrained_rule():
    """As if a triad and an edge were drawn until one is accepted: surely where it helps, half the time where even."""
    graph = complete(6, 13)
    weight, changes = Counter(), set()
    now = bal.as_signed(graph)
    for triad in bal.triads(now):
        if triad.kind in ("++-", "---"):
            for edge in edges(triad):
                sign = now.sign.copy()
                sign[now.edge_between(*edge)] *= -1
                change = unbalanced(now.with_sign(sign)) - unbalanced(now)
                weight[edge] += 1 if change < 0 else 0.5 if change == 0 else 0
                changes.add(int(np.sign(change)))
    assert changes == {-1, 0, 1}  # this graph has all three cases
    chosen = first_steps(graph, 1500, rule="constrained")
    for edge, value in weight.items():
        assert chosen[edge] / 1500 == pytest.approx(value / weight.total(), abs=0.05)


def test_sentences():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    run = bal.dynamics(graph, "constrained", seed=1)
    steps = list(islice(run, 5))
    assert len(steps) == 5
    for step in steps:
        assert step.triad.texts == tuple(graph.texts(step.triad.nodes))


@pytest.mark.parametrize("options", [{"rule": "global"}, {"p": 1.5}, {"p": -0.1}])
def test_refused(options):
    with pytest.raises(pg.PairsError, match="is not"):
        bal.dynamics(complete(4, 0), **options)
