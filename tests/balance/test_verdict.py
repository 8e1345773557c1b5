"""Strong and weak balance with their witnesses, against every cycle."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph import balance as bal

from ..refused import refused
from . import tiny
from .oracle import Cycles

both = pytest.mark.parametrize("kind", ["strong", "weak"])


def check(graph, kind, length):
    """The verdict has a witness; the shortest unbalanced cycle is one, and of this length (0: there is none)."""
    found = bal.balance(graph, kind)
    camps = dict(zip(graph, found.camps.tolist(), strict=True))
    assert found.balanced == bool(found) == (found.cycle is None) == (length == 0) == (min(camps.values()) >= 0)
    for part in nx.connected_components(graph):
        (free,) = {camps[node] >= 0 for node in part}  # a part has camps as a whole, or none
        assert bal.balance(graph.subgraph(part), found.kind).balanced == free
        assert not free or all((camps[x] == camps[y]) == (s > 0) for x, y, s in graph.edges(part, data="sign"))
    assert kind == "weak" or max(camps.values()) <= 1
    if found.cycle is not None:
        assert tiny.is_unbalanced(graph, found.cycle, found.kind)
        assert found.cycle_signs == [graph.edges[edge]["sign"] for edge in pairwise([*found.cycle, found.cycle[0]])]
    cycle = bal.shortest_unbalanced_cycle(graph, kind)
    assert len(cycle or []) == length
    assert cycle is None or tiny.is_unbalanced(graph, cycle, kind)


@st.composite
def rings(draw):
    """A ring with a few chords, each edge drawn out, so that shortest unbalanced cycles are long."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    ring = nx.cycle_graph(6)
    ring.add_edges_from(zip(rng.integers(0, 6, 3), rng.integers(0, 6, 3), strict=True))
    ring.remove_edges_from(list(nx.selfloop_edges(ring)))
    graph = nx.Graph()
    for number, (x, y) in enumerate(ring.edges):
        nx.add_path(graph, [("corner", int(x)), *((number, i) for i in range(rng.integers(4))), ("corner", int(y))])
    share = draw(st.sampled_from([0.1, 0.4]))
    for edge in graph.edges:
        graph.edges[edge]["sign"] = -1 if rng.random() < share else 1
    return graph


@pytest.mark.slow
@both
@settings(max_examples=50)
@given(graph=tiny.graphs(7) | rings())
def test_graphs_of_any_shape(kind, graph):
    every = Cycles(graph)
    check(graph, kind, min(every.rows[every.unbalanced(kind)].sum(axis=1), default=0))


def test_in_words():
    graph = tiny.signed(("Ann", "Bob", 1), ("Bob", "Cid", 1), ("Ann", "Cid", -1), ("Dan", "Eve", -1))
    found = bal.balance(graph, "weak")
    assert str(found) == "not weakly balanced: Ann (+) Bob (+) Cid (−) Ann"
    assert found.cycle_signs == [1, 1, -1]
    assert [found.camp_of("Dan"), found.camp_of("Eve")] == [1, 2]  # of the part that is balanced
    refused("'Ann' lies in a part that is not balanced", found.camp_of, "Ann")
    refused("no node is called 'Fay'", found.camp_of, "Fay")
    for sign, words in ((-1, "strongly balanced: 2 camps"), (1, "strongly balanced: 1 camp")):
        verdict = bal.balance(tiny.signed(("a", "b", sign)))
        assert (str(verdict), verdict.cycle_signs) == (words, None)
    for use in (bal.balance, bal.shortest_unbalanced_cycle):
        refused("kind='both' is not one of", use, graph, "both")


@both
def test_a_long_ring_with_one_negative_is_its_own_unbalanced_cycle(kind):
    n = 100_000
    ring = np.arange(n)
    graph = bal.SignedGraph(n, ring, (ring + 1) % n, np.where(ring == n // 3, -1, 1), ring)
    found = bal.balance(graph, kind)
    assert sorted(found.cycle) == ring.tolist() and found.cycle_signs.count(-1) == 1
    assert (found.camps == -1).all()
    balanced = bal.balance(graph.with_sign(np.where(ring % (n // 2), 1, -1)), kind)
    assert balanced and len(np.unique(balanced.camps)) == 2
