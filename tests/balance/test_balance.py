"""Strong and weak balance with their witnesses, against every way to form camps and every cycle."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph import balance as bal

from . import tiny

KINDS = ["strong", "weak"]
both = pytest.mark.parametrize("kind", KINDS)


def agree(graph, camps, nodes=None):
    """Do the camps agree with every edge (among some nodes)?"""
    edges = graph.edges(nodes, data="sign")
    return all((camps[x] == camps[y]) == (sign > 0) for x, y, sign in edges)


def check_witness(graph, found):
    camps = dict(zip(graph, found.camps.tolist(), strict=True))
    assert found.balanced == bool(found) == (found.cycle is None)
    for part in nx.connected_components(graph):
        free = {camps[node] >= 0 for node in part}
        assert len(free) == 1  # a part has camps as a whole, or none
        assert bal.balance(graph.subgraph(part), found.kind).balanced == free.pop()
        if camps[next(iter(part))] >= 0:
            assert agree(graph, camps, part)
    assert found.balanced == (min(camps.values(), default=0) >= 0)
    if found.kind == "strong":
        assert max(camps.values(), default=0) <= 1
    if found.cycle is not None:
        assert tiny.is_unbalanced(graph, found.cycle, found.kind)
        assert found.cycle_signs == [graph.edges[edge]["sign"] for edge in pairwise([*found.cycle, found.cycle[0]])]


@both
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_graphs(n, kind):
    """All at once, side by side: a graph is balanced where all its nodes have camps."""
    signs = tiny.all_signs(n)
    expected = tiny.balanced(signs, n, kind)
    total, a, b, sign = tiny.union_of(signs, n)
    found = bal.balance(bal.SignedGraph.from_arrays(total, a, b, sign), kind)
    has_camps = (found.camps.reshape(-1, n) >= 0).all(axis=1)
    assert np.array_equal(has_camps, expected)
    camps = found.camps
    clear = (camps[a] >= 0) & (camps[b] >= 0)
    assert np.array_equal((camps[a] == camps[b])[clear], (sign > 0)[clear])
    assert np.array_equal(expected, tiny.least_unbalanced(signs, n, kind) == 0)  # the theorems, by brute force


@pytest.mark.slow
@both
def test_witnesses_of_all_graphs_of_four(kind):
    signs = tiny.all_signs(4)
    least = tiny.least_unbalanced(signs, 4, kind)
    for row, length in zip(signs, least, strict=True):
        graph = tiny.graph_of(row, 4)
        check_witness(graph, bal.balance(graph, kind))
        cycle = bal.shortest_unbalanced_cycle(graph, kind)
        assert len(cycle or []) == length
        assert cycle is None or tiny.is_unbalanced(graph, cycle, kind)


@pytest.mark.slow
@both
def test_witnesses_of_graphs_of_five(kind):
    signs = tiny.all_signs(5)
    long = np.flatnonzero(tiny.least_unbalanced(signs, 5, kind) > 3)  # few, and hard to hit upon
    rng = np.random.default_rng(5)
    chosen = np.concatenate([rng.choice(len(signs), 300), rng.choice(long, 300)])
    for row, length in zip(signs[chosen], tiny.least_unbalanced(signs[chosen], 5, kind), strict=True):
        graph = tiny.graph_of(row, 5)
        check_witness(graph, bal.balance(graph, kind))
        cycle = bal.shortest_unbalanced_cycle(graph, kind)
        assert len(cycle or []) == length
        assert cycle is None or tiny.is_unbalanced(graph, cycle, kind)


def shortest_by_definition(graph, kind):
    """Unbalanced cycles of networkx's enumeration."""

    def unbalanced(cycle):
        negatives = sum(graph.edges[edge]["sign"] < 0 for edge in pairwise([*cycle, cycle[0]]))
        return negatives == 1 if kind == "weak" else negatives % 2 == 1

    return min((len(cycle) for cycle in nx.simple_cycles(graph) if unbalanced(cycle)), default=0)


@pytest.mark.slow
@both
@settings(deadline=None)
@given(graph=tiny.graphs(8))
def test_graphs_of_any_shape(kind, graph):
    check_witness(graph, bal.balance(graph, kind))
    cycle = bal.shortest_unbalanced_cycle(graph, kind)
    assert len(cycle or []) == shortest_by_definition(graph, kind)
    assert cycle is None or tiny.is_unbalanced(graph, cycle, kind)


@pytest.mark.slow
@both
@settings(deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sparse_graphs_with_long_cycles(kind, seed):
    """Few chords on a ring, each edge drawn out: shortest unbalanced cycles are long here."""
    rng = np.random.default_rng(seed)
    ring = nx.cycle_graph(6)
    ring.add_edges_from(zip(rng.integers(0, 6, 3), rng.integers(0, 6, 3), strict=True))
    ring.remove_edges_from(list(nx.selfloop_edges(ring)))
    graph = nx.Graph()
    for number, (x, y) in enumerate(ring.edges):
        nx.add_path(graph, [("corner", int(x)), *((number, i) for i in range(rng.integers(4))), ("corner", int(y))])
    for edge in graph.edges:
        graph.edges[edge]["sign"] = -1 if rng.random() < (0.1 if kind == "weak" else 0.4) else 1
    check_witness(graph, bal.balance(graph, kind))
    cycle = bal.shortest_unbalanced_cycle(graph, kind)
    assert len(cycle or []) == shortest_by_definition(graph, kind)
    assert cycle is None or tiny.is_unbalanced(graph, cycle, kind)


@pytest.mark.slow
@settings(deadline=None)
@given(tiny.graphs(), st.data())
def test_switching_a_node_keeps_strong_balance(graph, data):
    before = bal.balance(graph)
    node = data.draw(st.sampled_from(sorted(graph)))
    for edge in graph.edges(node):
        graph.edges[edge]["sign"] *= -1
    after = bal.balance(graph)
    assert after.balanced == before.balanced
    assert np.array_equal(after.camps < 0, before.camps < 0)
    cycle = bal.shortest_unbalanced_cycle(graph)
    if before.cycle is not None:
        assert tiny.is_unbalanced(graph, before.cycle, "strong")  # still unbalanced
        assert cycle is not None


@pytest.mark.slow
@both
@settings(deadline=None)
@given(graph=tiny.graphs(), data=st.data())
def test_relabelling_changes_nothing(kind, graph, data):
    order = data.draw(st.permutations(sorted(graph)))
    names = dict(zip(graph, order, strict=True))
    other = nx.Graph()
    other.add_nodes_from(range(len(graph)))
    other.add_edges_from((names[x], names[y], {"sign": s}) for x, y, s in graph.edges(data="sign"))
    before, after = bal.balance(graph, kind), bal.balance(other, kind)
    assert before.balanced == after.balanced
    assert (before.camps < 0).tolist() == (after.camps[[names[node] for node in graph]] < 0).tolist()
    shortest = [bal.shortest_unbalanced_cycle(g, kind) or [] for g in (graph, other)]
    assert len(shortest[0]) == len(shortest[1])


@pytest.mark.slow
@settings(deadline=None)
@given(tiny.graphs())
def test_strong_balance_is_weak_balance(graph):
    if bal.balance(graph, "strong"):
        assert bal.balance(graph, "weak")


def edges_of(*edges):
    graph = nx.Graph()
    graph.add_edges_from((x, y, {"sign": sign}) for x, y, sign in edges)
    return graph


def test_in_words():
    graph = edges_of(("Ann", "Bob", 1), ("Bob", "Cid", 1), ("Ann", "Cid", -1), ("Dan", "Eve", -1))
    found = bal.balance(graph, "weak")
    assert str(found) == "not weakly balanced: Ann (+) Bob (+) Cid (−) Ann"
    assert found.cycle_signs == [1, 1, -1]
    assert [found.camp_of("Dan"), found.camp_of("Eve")] == [1, 2]  # of the part that is balanced
    with pytest.raises(bal.SignError, match="'Ann' lies in a part that is not balanced"):
        found.camp_of("Ann")
    with pytest.raises(bal.SignError, match="no node is called 'Fay'"):
        found.camp_of("Fay")
    assert bal.balance(edges_of(("a", "b", -1))).cycle_signs is None
    assert str(bal.balance(edges_of(("a", "b", -1)))) == "strongly balanced: 2 camps"
    assert str(bal.balance(edges_of(("a", "b", 1)))) == "strongly balanced: 1 camp"
    for use in (bal.balance, bal.shortest_unbalanced_cycle):
        with pytest.raises(pg.PairsError, match="kind='both' is not one of"):
            use(graph, "both")


def test_sentences():
    rows = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("a", "d", 0), ("x", "y", 0), ("y", "z", 0), ("x", "z", 0)]
    graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    weak, strong = bal.balance(graph, "weak"), bal.balance(graph, "strong")
    assert graph.texts(weak.cycle) == ["a", "b", "c", "d"]
    assert str(weak) == "not weakly balanced: a (+) b (+) c (+) d (−) a"
    # Weak camps are clusters, by their ids.
    assert weak.camp_of("y") == weak.camp_of(graph.node("y")) == graph.cluster_of[graph.node("y")]
    with pytest.raises(bal.SignError):
        weak.camp_of("a")
    with pytest.raises(pg.PairsError, match="not in the graph"):
        weak.camp_of("q")
    assert not strong and sorted(graph.texts(bal.shortest_unbalanced_cycle(graph))) == ["x", "y", "z"]


@pytest.mark.slow
@both
def test_conflicts_are_unbalanced(kind):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    found = bal.balance(graph, kind)
    whole = graph.to_networkx()
    check_witness(whole, found)
    shortest = bal.shortest_unbalanced_cycle(graph, "weak")
    conflicts = pg.conflicts(graph)
    within = conflicts[conflicts.kind == "within"]
    assert len(shortest) == within.path.map(len).min()
    cleaned = whole.edge_subgraph(e for e in whole.edges if not graph.within[graph.edge_between(*e)])
    assert bal.balance(cleaned, "weak")


@pytest.mark.slow
@both
@pytest.mark.parametrize("n", [10, 100_000])
def test_a_ring(kind, n):
    """A ring with one negative edge is its own unbalanced cycle, however long."""
    ring = np.arange(n)
    sign = np.ones(n, np.int8)
    sign[n // 3] = -1
    graph = bal.SignedGraph.from_arrays(n, ring, (ring + 1) % n, sign)
    found = bal.balance(graph, kind)
    assert sorted(found.cycle) == ring.tolist()
    assert found.cycle_signs.count(-1) == 1
    assert (found.camps == -1).all()
    balanced = bal.balance(graph.with_sign(np.where(ring % (n // 2), 1, -1)), kind)
    assert balanced and len(np.unique(balanced.camps)) == 2


@pytest.mark.slow
def test_witnesses_of_a_large_graph():
    graph = bal.planted_camps(3000, 2, 0.004, seed=8)
    assert bal.balance(graph, "strong") and bal.balance(graph, "weak")
    edge = list(graph.edges)[1234]
    graph.edges[edge]["sign"] *= -1
    for kind in KINDS:
        found = bal.balance(graph, kind)
        assert tiny.is_unbalanced(graph, found.cycle, kind)
        cycle = bal.shortest_unbalanced_cycle(graph, kind)
        assert tiny.is_unbalanced(graph, cycle, kind) and len(cycle) <= len(found.cycle)
    cycle = bal.shortest_unbalanced_cycle(graph, "strong")  # every unbalanced cycle holds the edge that was turned
    graph.remove_edge(*edge)
    assert len(cycle) == nx.shortest_path_length(graph, *edge) + 1
