"""Frustration against brute force, its edges and bounds, and what it rests on: blocks, unbalanced cycles, descent."""

import itertools
import os
from functools import cache
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph.balance.frustration_index as covering
from paragraph.balance.blocks import blocks
from paragraph.balance.cycles import UnbalancedCycles
from paragraph.balance.frustration_index import frustration, multicut
from paragraph.balance.local_search import LocalSearch
from paragraph.balance.signed import SignedGraph, SignError
from paragraph.balance.verdict import balance, misfits
from paragraph.graph import ParaphraseGraph
from paragraph.pairs import PairsError, read_pairs

KINDS = ("strong", "weak")


def graph_of(n, edges):
    """`edges`: (node, node, sign)."""
    a, b, sign = np.array(edges, dtype=np.int64).reshape(-1, 3).T
    return SignedGraph.from_arrays(n, a, b, sign)


def random_graph(n, density, seed, negative=0.5):
    rng = np.random.default_rng(seed)
    a, b = np.triu_indices(n, 1)
    kept = rng.random(len(a)) < density
    sign = np.where(rng.random(kept.sum()) < negative, -1, 1)
    return SignedGraph.from_arrays(n, a[kept], b[kept], sign)


# -- brute force, by definition --------------------------------------------------------------------------


@cache
def cycles_of_complete(n):
    """The edges of K_n, and its simple cycles as rows of a 0-1 matrix over them."""
    edges = list(itertools.combinations(range(n), 2))
    place = {edge: i for i, edge in enumerate(edges)}
    rows = []
    for cycle in nx.simple_cycles(nx.complete_graph(n)):
        row = np.zeros(len(edges), dtype=np.int64)
        for ends in zip(cycle, cycle[1:] + cycle[:1], strict=True):
            row[place[tuple(sorted(ends))]] = 1
        rows.append(row)
    return edges, np.array(rows, dtype=np.int64).reshape(-1, len(edges))


def fewest_changes(sign, n, kind, how):
    """Over all sets of edges of a graph on n nodes (`sign`: +1, -1 or 0 for each edge of K_n), by its cycles."""
    _, cycles = cycles_of_complete(n)
    present = np.flatnonzero(sign)
    sets = np.array(list(itertools.product((0, 1), repeat=len(present)))).reshape(2 ** len(present), len(present))
    negative = np.tile(sign < 0, (len(sets), 1))
    absent = np.tile(sign == 0, (len(sets), 1))
    if how == "flip":
        negative[:, present] ^= sets.astype(bool)
    else:
        absent[:, present] |= sets.astype(bool)
    broken = absent.astype(int) @ cycles.T > 0
    negatives = negative.astype(int) @ cycles.T
    unbalanced = ~broken & ((negatives == 1) if kind == "weak" else (negatives % 2 == 1))
    return int(sets.sum(axis=1)[~unbalanced.any(axis=1)].min())


def signed_of(sign, n):
    edges, _ = cycles_of_complete(n)
    return graph_of(n, [(*edge, s) for edge, s in zip(edges, sign, strict=True) if s])


@cache
def all_camps(n, kind):
    """Every division of n nodes in camps, one a row."""
    rows = [[0]]
    for _ in range(n - 1):
        rows = [[*row, camp] for row in rows for camp in range(2 if kind == "strong" else max(row) + 2)]
    return np.array(rows)


def least_misfit(signed, kind, weights=None):
    camps = all_camps(signed.n, kind)
    wrong = (camps[:, signed.a] == camps[:, signed.b]) != (signed.sign > 0)
    return (wrong * (np.ones(signed.m) if weights is None else weights)).sum(axis=1).min()


def check_witness(found, signed):
    """The edges number `value`, and both flipping and deleting them balances the graph."""
    assert len(found.edge_index) == found.value
    assert balance(found.changed, found.kind).balanced
    kept = np.delete(np.arange(signed.m), found.edge_index)
    rest = SignedGraph(signed.n, signed.a[kept], signed.b[kept], signed.sign[kept], signed.names)
    assert balance(rest, found.kind).balanced
    wrong = (found.camps[signed.a] == found.camps[signed.b]) != (signed.sign > 0)
    assert np.flatnonzero(wrong).tolist() == found.edge_index.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_graphs_up_to_four_nodes_and_flipping_is_worth_deleting(n, kind):
    for sign in itertools.product((0, 1, -1), repeat=n * (n - 1) // 2):
        sign = np.array(sign)
        fewest = fewest_changes(sign, n, kind, "flip")
        assert fewest == fewest_changes(sign, n, kind, "delete")
        signed = signed_of(sign, n)
        found = frustration(signed, kind)
        assert (found.value, found.bound, found.optimal) == (fewest, fewest, True)
        check_witness(found, signed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "samples"), [(5, 150), (6, 8)])
def test_sampled_graphs_of_five_and_six_nodes(n, samples, kind):
    rng = np.random.default_rng(n)
    for density in rng.uniform(0.4, 1.0, samples):
        size = n * (n - 1) // 2
        sign = rng.choice([-1, 1], size) * (rng.random(size) < density)
        fewest = fewest_changes(sign, n, kind, "flip")
        assert fewest == fewest_changes(sign, n, kind, "delete")
        assert frustration(signed_of(sign, n), kind).value == fewest


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_random_graphs_up_to_eight_nodes(kind):
    for seed in range(140):
        signed = random_graph(2 + seed % 7, (0.3, 0.6, 1.0)[seed % 3], seed, negative=(0.3, 0.5, 0.7, 1.0)[seed % 4])
        found = frustration(signed, kind)
        assert found.optimal
        assert found.value == found.bound == least_misfit(signed, kind)
        check_witness(found, signed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_when_the_solver_has_to_branch(kind, monkeypatch):
    """Graphs whose fractional bound stays below the index, so that whole numbers are needed."""
    branched = []
    minimise = covering._minimise

    def watched(weights, cycles, to_beat, deadline):
        branched.append(to_beat is not None)
        return minimise(weights, cycles, to_beat, deadline)

    monkeypatch.setattr(covering, "_minimise", watched)
    for seed in range(24):
        signed = random_graph(9, 1.0, 1000 + seed, negative=0.5 if kind == "weak" else 1.0 - 0.1 * (seed % 3))
        weights = np.random.default_rng(seed).integers(1, 6, signed.m)
        assert frustration(signed, kind, weights=weights).value == least_misfit(signed, kind, weights)
    assert sum(branched) >= 3


# -- facts -----------------------------------------------------------------------------------------------

TRIANGLE = [(0, 1), (1, 2), (0, 2)]
FACTS = [  # what, n, edges, strong, weak
    ("nothing", 0, [], 0, 0),
    ("one node", 1, [], 0, 0),
    ("one enmity", 2, [(0, 1, -1)], 0, 0),
    ("+++", 3, [(*e, s) for e, s in zip(TRIANGLE, (1, 1, 1), strict=True)], 0, 0),
    ("++-", 3, [(*e, s) for e, s in zip(TRIANGLE, (1, 1, -1), strict=True)], 1, 1),
    ("+--", 3, [(*e, s) for e, s in zip(TRIANGLE, (1, -1, -1), strict=True)], 0, 0),
    ("---", 3, [(*e, s) for e, s in zip(TRIANGLE, (-1, -1, -1), strict=True)], 1, 0),
    ("long cycle, one negative", 9, [(i, (i + 1) % 9, 1 if i else -1) for i in range(9)], 1, 1),
    ("long cycle, three negatives", 9, [(i, (i + 1) % 9, 1 if i % 3 else -1) for i in range(9)], 1, 0),
]


@pytest.mark.parametrize(("what", "n", "edges", "strong", "weak"), FACTS, ids=[fact[0] for fact in FACTS])
def test_known_graphs(what, n, edges, strong, weak):
    found = [frustration(graph_of(n, edges), kind) for kind in KINDS]
    assert [one.value for one in found] == [strong, weak]
    assert all(one.optimal and len(one.camps) == n for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 8, 9])
def test_complete_graph_of_enemies(n):
    """The most that two camps of a complete graph can quarrel with: all pairs inside two halves."""
    signed = graph_of(n, [(i, j, -1) for i, j in itertools.combinations(range(n), 2)])
    assert frustration(signed).value == (n - 1) ** 2 // 4
    assert frustration(signed, "weak").value == 0


@pytest.mark.parametrize("kind", KINDS)
def test_parts_and_blocks_add_up(kind):
    left, right = random_graph(7, 0.8, 1), random_graph(7, 0.8, 2)
    edges = [np.column_stack([g.a, g.b, g.sign]) for g in (left, right)]
    one, two = (frustration(g, kind).value for g in (left, right))
    for shift, n in ((7, 14), (6, 13)):  # apart, and with one node in common
        both = graph_of(n, np.vstack([edges[0], edges[1] + [shift, shift, 0]]))
        assert frustration(both, kind).value == one + two


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.floats(0.2, 1.0), st.floats(0.1, 1.0), st.integers(0, 10**6))
def test_relations(n, density, negative, seed):
    signed = random_graph(n, density, seed, negative)
    strong, weak = (frustration(signed, kind) for kind in KINDS)
    negatives = int((signed.sign < 0).sum())
    assert weak.value <= strong.value <= min(negatives, signed.m // 2)  # two camps are camps; all in one camp
    assert (strong.value == 0) == balance(signed, "strong").balanced
    assert (weak.value == 0) == balance(signed, "weak").balanced

    rng = np.random.default_rng(seed)
    name = rng.permutation(n)
    order = rng.permutation(signed.m)
    turned = rng.random(signed.m) < 0.5
    a, b = name[signed.a][order], name[signed.b][order]
    a, b = np.where(turned, b, a), np.where(turned, a, b)
    relabelled = SignedGraph.from_arrays(n, a, b, signed.sign[order])
    assert [frustration(relabelled, kind).value for kind in KINDS] == [strong.value, weak.value]

    side = rng.choice([-1, 1], n)
    switched = signed.with_sign(signed.sign * side[signed.a] * side[signed.b])
    assert frustration(switched, "strong").value == strong.value


def test_switching_may_change_weak_frustration():
    quarrel = graph_of(3, [(0, 1, 1), (1, 2, 1), (0, 2, -1)])
    switched = graph_of(3, [(0, 1, -1), (1, 2, -1), (0, 2, -1)])
    assert (frustration(quarrel, "weak").value, frustration(switched, "weak").value) == (1, 0)


# -- weights ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_weights_against_brute_force(kind):
    rng = np.random.default_rng(7)
    for seed in range(120):
        signed = random_graph(3 + seed % 5, 0.8, seed)
        weights = rng.integers(0, 4, signed.m) if seed % 2 else rng.exponential(1.0, signed.m)
        found = frustration(signed, kind, weights=weights)
        assert found.optimal
        assert found.value == pytest.approx(least_misfit(signed, kind, weights))
        assert weights[found.edge_index].sum() == pytest.approx(found.value)
        assert balance(found.changed, kind).balanced


@pytest.mark.parametrize("kind", KINDS)
def test_edges_that_cost_nothing(kind, monkeypatch):
    """A graph that can be balanced for nothing, though the local search does not find out."""
    signed = random_graph(8, 1.0, 1)
    monkeypatch.setattr(LocalSearch, "improve", lambda search, *rest: vars(search).update(idle))
    side = np.arange(8) % 2
    free = (side[signed.a] == side[signed.b]) != (signed.sign > 0)
    idle = {"best": np.zeros(8, dtype=int), "value": float((1.0 - free)[signed.sign < 0].sum())}
    assert idle["value"] > 0
    assert frustration(signed, kind, weights=1.0 - free).bound == 0


def test_multicut_is_weak_frustration_of_arrays():
    signed = random_graph(8, 0.7, 3)
    weights = np.random.default_rng(3).random(signed.m)
    found = multicut(8, signed.a, signed.b, signed.sign, weights)
    assert found.kind == "weak"
    assert found.value == pytest.approx(least_misfit(signed, "weak", weights))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, 2.0], r"shape \(2,\), but the graph has 3 edges"),
        ([1.0, -2.0, 1.0], r"weights\[1\] is -2.0"),
        ([1.0, 2.0, np.nan], r"weights\[2\] is nan"),
        ([np.inf, 2.0, 1.0], r"weights\[0\] is inf"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(PairsError, match=message):
        frustration(graph_of(3, FACTS[4][2]), weights=weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "medium"}, "kind='medium'"),
        ({"method": []}, r"method=\[\] is not one of"),
        ({"method": "magic"}, "method='magic' is not one of 'exact', 'heuristic'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(PairsError, match=message):
        frustration(graph_of(3, FACTS[4][2]), **options)


def test_bad_graphs():
    with pytest.raises(SignError, match="directed"):
        frustration(nx.DiGraph([(0, 1)]))
    with pytest.raises(SignError, match="more than once"):
        multicut(2, [0, 1], [1, 0], [1, -1])


# -- bounds ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_heuristic_and_expired_time_give_valid_bounds(kind):
    for seed in range(6):
        signed = random_graph(14, 0.5, seed)
        index = frustration(signed, kind).value
        for found in (frustration(signed, kind, method="heuristic"), frustration(signed, kind, time_limit=0)):
            assert found.bound <= index <= found.value
            assert found.optimal == (found.bound == found.value)
            check_witness(found, signed)


def test_a_time_limit_is_kept_and_what_is_returned_is_sound(monkeypatch):
    signed, limits, milp = random_graph(40, 0.3, 2), [], scipy.optimize.milp

    def watched(*args, options, **others):
        limits.append(options["time_limit"])
        return milp(*args, options=options, **others)

    monkeypatch.setattr(scipy.optimize, "milp", watched)
    found = frustration(signed, "weak", time_limit=0.5)
    assert limits and all(0 < limit <= 0.5 for limit in limits)  # of the solver: what is left of the time
    assert not found.optimal
    assert 0.5 * found.value < found.bound < found.value
    assert f"between {found.bound} and {found.value}" in str(found)
    check_witness(found, signed)


@pytest.mark.slow
def test_more_time_never_loosens_the_bounds():
    signed = random_graph(40, 0.3, 2)
    quick, slow = (frustration(signed, "weak", time_limit=limit) for limit in (0.0, 1.5))
    assert quick.bound <= slow.bound <= slow.value <= quick.value


@pytest.mark.parametrize("kind", KINDS)
def test_forty_nodes_at_density_a_tenth_are_solved(kind):
    for seed in range(4):
        signed = random_graph(40, 0.1, seed)
        found = frustration(signed, kind, time_limit=60)
        assert found.optimal
        check_witness(found, signed)


def test_methods_have_names():
    signed = graph_of(3, FACTS[4][2])
    assert frustration(signed).method.startswith("exact: ")
    assert frustration(signed, method="heuristic").method.startswith("heuristic: local search")


def test_the_same_seed_gives_the_same_edges():
    signed = random_graph(30, 0.2, 5)
    once, again = (frustration(signed, "weak", seed=3).edge_index.tolist() for _ in range(2))
    assert once == again


# -- graphs of people and of sentences -------------------------------------------------------------------


def test_edges_and_camps_by_name():
    graph = nx.Graph()
    graph.add_edge("Ann", "Bob", sign=1)
    graph.add_edge("Bob", "Cid", sign=1)
    graph.add_edge("Bob", "Dan", sign=1)
    graph.add_edge("Ann", "Cid", sign=-1)
    graph.add_edge("Ann", "Dan", sign=-1)
    found = frustration(graph, "weak")
    assert found.edges == [("Ann", "Bob")]
    assert found.camp_of("Bob") == found.camp_of("Cid") != found.camp_of("Ann")
    graph.edges[found.edges[0]]["sign"] *= -1
    assert balance(graph, "weak").balanced


def test_a_paraphrase_graph():
    rows = [("a", "b", 1), ("b", "c", 1), ("a", "c", 0), ("a", "x", 0), ("x", "y", 0), ("a", "y", 0)]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"]).assign(row=range(2, 8))
    graph = ParaphraseGraph.from_pairs(pairs)
    weak, strong = (frustration(graph, kind) for kind in ("weak", "strong"))
    assert (weak.value, strong.value) == (1, 2)  # a, x, y are enemies of each other: fine for weak balance
    assert set(graph.texts(np.array(weak.edges[0]))) <= {"a", "b", "c"}


@pytest.mark.slow
@pytest.mark.skipif("PARAGRAPH_DATA" not in os.environ, reason="PARAGRAPH_DATA is not set")
def test_a_whole_dataset():
    file = Path(os.environ["PARAGRAPH_DATA"]) / "qqp" / "qqp_all.tsv.gz"
    if not file.is_file():
        pytest.skip(f"no {file.name}")
    graph = ParaphraseGraph.from_pairs(read_pairs(file))
    weak, strong = (frustration(graph, kind, time_limit=60) for kind in ("weak", "strong"))
    assert weak.optimal
    assert strong.optimal
    assert 0 < weak.value <= graph.within.sum()
    assert weak.value <= strong.value
    for found in (weak, strong):
        assert balance(found.changed, found.kind).balanced


# -- what it rests on ------------------------------------------------------------------------------------


def test_blocks_are_those_of_networkx():
    for seed in range(300):
        rng = np.random.default_rng(seed)
        graph = nx.gnp_random_graph(int(rng.integers(1, 14)), rng.random() / 2, seed=seed)
        edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
        label = blocks(len(graph), edges[:, 0], edges[:, 1])
        found = {frozenset(map(tuple, edges[label == i].tolist())) for i in set(label.tolist()) - {-1}}
        known = {
            frozenset(tuple(sorted(edge)) for edge in block)
            for block in nx.biconnected_component_edges(graph)
            if len(block) > 1
        }
        assert found == known
        assert (label < 0).sum() == sum(1 for _ in nx.bridges(graph))


def test_blocks_of_a_long_path_and_a_long_cycle():
    nodes = np.arange(200_000)
    assert (blocks(200_001, nodes, nodes + 1) == -1).all()
    assert (blocks(200_000, nodes, (nodes + 1) % 200_000) == 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_violated_cycles_are_found_whenever_there_are_some(kind):
    """Separation is exact: against all simple cycles of random graphs with random fractions on their edges."""
    edges, cycles = cycles_of_complete(6)
    outcomes = set()
    for seed in range(200):
        rng = np.random.default_rng(seed)
        sign = rng.choice([-1, 0, 1], len(edges), p=[0.4, 0.3, 0.3])
        present = np.flatnonzero(sign)
        inside = cycles[~cycles[:, sign == 0].any(axis=1)][:, present]
        negatives = inside @ (sign[present] < 0)
        unbalanced = inside[(negatives == 1) if kind == "weak" else (negatives % 2 == 1)]
        f = rng.random(len(present)) ** rng.integers(1, 4)
        signed = signed_of(sign, 6)
        search = UnbalancedCycles(signed, kind)
        violated = bool((unbalanced @ f < 1 - 1e-6).any())
        assert bool(search.add_violated(f)) == violated
        outcomes.add(violated)
        known = {tuple(np.flatnonzero(row).tolist()) for row in unbalanced}
        assert set(search.known) <= known
        assert all(f[list(cycle)].sum() < 1 for cycle in search.known)
    assert outcomes == {True, False}


@pytest.mark.parametrize("kind", KINDS)
def test_local_search_keeps_its_accounts(kind):
    """The cost is that of the camps after every shake, and taking moves back restores the camps."""
    signed = random_graph(30, 0.3, 4)
    weights = np.random.default_rng(4).random(signed.m)
    search = LocalSearch(signed, weights, kind)

    def cost():
        return weights[misfits(signed, np.array(search.camps))].sum()

    for shake in range(300):
        before, search.moves = list(search.camps), []
        search.shake()
        assert search.cost == pytest.approx(cost())
        if shake % 2:
            search.undo()
            assert search.camps == before
            search.cost = cost()
    assert set(search.camps) <= {0, 1} or kind == "weak"


def test_packed_cycles_share_no_edge():
    """Two triads ++- with one edge in common count once; apart, twice."""

    def packed(n, edges, weights):
        return UnbalancedCycles(graph_of(n, edges), "weak").pack(np.array(weights))

    fan = [(0, 1, -1), (0, 2, 1), (1, 2, 1), (0, 3, 1), (1, 3, 1)]
    assert packed(4, fan, [1, 1, 1, 1, 1]) == 1
    assert packed(4, fan, [3.0, 1, 1, 1, 1]) == 2
    assert packed(5, [(0, 1, -1), (0, 2, 1), (1, 2, 1), (2, 3, -1), (2, 4, 1), (3, 4, 1)], np.ones(6)) == 2
