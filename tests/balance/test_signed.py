"""Signed graphs as arrays: what is taken in, and what is refused with what words."""

import re

import networkx as nx
import numpy as np
import pytest

from paragraph import balance as bal

from ..reference import graph_of
from ..refused import refused
from .tiny import signed


def test_a_networkx_graph():
    found = bal.as_signed(signed(("b", "a", 1), ("a", "c", -1)))
    assert (found.n, found.m, found.names) == (3, 2, ["b", "a", "c"])
    assert [found.a.tolist(), found.b.tolist(), found.sign.tolist()] == [[0, 1], [1, 2], [1, -1]]
    assert (found.sign.dtype, found.clusters, found.text(2), found.index("c")) == (np.int8, None, "c", 2)
    assert found.edge_index.places([2, 0], [1, 2]).tolist() == [1, -1] and bal.as_signed(found) is found
    for name in ("d", 0, -1, []):
        refused("no node is called", found.index, name)
    graph = signed((0, 1, np.int64(1)), (1, 2, -1.0), (2, 3, np.float32(1)), kind=nx.MultiGraph)
    assert bal.as_signed(graph).sign.tolist() == [1, -1, 1]


def test_a_paraphrase_graph():
    rows = [("Hi!", "Hello!", 1), ("Hello!", "Hey!", 1), ("Bye!", "Hi!", 0), ("Hi!", "Hi!", 1)]
    sentences = graph_of(*rows)
    ours, theirs = bal.as_signed(sentences), bal.as_signed(sentences.to_networkx())
    for found in (ours, theirs):
        assert (found.n, found.m) == (4, 3)  # a sentence beside itself is no edge
        assert [found.text(i) for i in range(4)] == ["Hi!", "Hello!", "Hey!", "Bye!"]
        edges = zip(found.a.tolist(), found.b.tolist(), found.sign.tolist(), strict=True)
        assert {(*sorted((i, j)), s) for i, j, s in edges} == {(0, 1, 1), (1, 2, 1), (0, 3, -1)}
        assert found.positive_parts.tolist() == [0, 0, 0, 1]
    assert ours.index("Hey!") == 2 == ours.index(2)
    refused(r"'Hey\?' is not in the graph", ours.index, "Hey?")


@pytest.mark.parametrize("graph", [nx.Graph(), nx.empty_graph(3)], ids=["no nodes", "no edges"])
def test_an_empty_graph_has_answers(graph):
    n = len(graph)
    for kind in ("strong", "weak"):
        found = bal.balance(graph, kind)
        assert found and found.cycle is None and len(found.camps) == n
        assert bal.shortest_unbalanced_cycle(graph, kind) is None
    assert bal.census(graph).tolist() == [0] * 4
    assert bal.census(graph, by="edge").shape == (0, 7)
    assert list(bal.triads(graph)) == []
    assert bal.census_z(graph).z.isna().all()
    assert bal.degree_of_balance(graph).value.isna().tolist() == [True, n == 0, True]
    assert [bal.frustration(graph, kind).value for kind in ("strong", "weak")] == [0, 0]


def test_refused():
    for graph, words in (
        (signed(("Ann", "Bob", 0)), "edge 'Ann' – 'Bob': sign 0 is not one of +1, -1"),
        (signed((1, 2, True)), "edge 1 – 2: sign True is not"),
        (signed((1, 2, float("nan"))), "edge 1 – 2: sign nan is not"),
        (nx.path_graph(2), "edge 0 – 1 has no sign; give it sign=+1 or sign=-1"),
        (signed((1, 2, 1), (3, 3, 1)), "edge 3 – 3 joins a node to itself"),
        (signed((1, 2, 1), (2, 1, -1), kind=nx.MultiGraph), "edge 1 – 2 occurs more than once"),
        (signed((1, 2, 1), kind=nx.DiGraph), "the graph is directed"),
        ([(1, 2, 1)], "a list is neither a ParaphraseGraph nor a networkx graph"),
    ):
        for use in (bal.as_signed, bal.balance, bal.census, bal.triads, bal.census_z, bal.frustration):
            refused(re.escape(words), use, graph)
