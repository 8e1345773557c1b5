"""Signed graphs as arrays: what is taken in, and what is refused with what words."""

from itertools import product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import paragraph as pg
from paragraph import balance as bal

from . import tiny

ROWS = [("Hi!", "Hello!", 1), ("Hello!", "Hey!", 1), ("Bye!", "Hi!", 0), ("Hi!", "Hi!", 1)]


@pytest.fixture
def sentences():
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(ROWS, columns=["text_a", "text_b", "label"]))


def signed(*edges, kind=nx.Graph):
    graph = kind()
    graph.add_edges_from((x, y, {"sign": sign}) for x, y, sign in edges)
    return graph


def test_a_networkx_graph():
    found = bal.as_signed(signed(("b", "a", 1), ("a", "c", -1)))
    assert (found.n, found.m, found.names) == (3, 2, ["b", "a", "c"])
    assert [found.a.tolist(), found.b.tolist(), found.sign.tolist()] == [[0, 1], [1, 2], [1, -1]]
    assert found.sign.dtype == np.int8
    assert found.clusters is None
    assert found.text(2) == "c"
    assert found.index("c") == 2
    assert [found.edge_between(2, 1), found.edge_between(0, 2)] == [1, -1]
    assert bal.as_signed(found) is found


def test_a_paraphrase_graph(sentences):
    found = bal.as_signed(sentences)
    assert (found.n, found.m) == (4, 3)  # a sentence beside itself is no edge
    assert found.sign.tolist() == [1, 1, -1]
    assert [found.text(i) for i in range(4)] == ["Hi!", "Hello!", "Hey!", "Bye!"]
    assert found.clusters.tolist() == [0, 0, 0, 1]
    assert found.index("Hey!") == 2 == found.index(2)
    with pytest.raises(pg.PairsError, match="'Hey\\?' is not in the graph"):
        found.index("Hey?")


def test_a_paraphrase_graph_and_its_networkx_graph_are_one(sentences):
    ours, theirs = bal.as_signed(sentences), bal.as_signed(sentences.to_networkx())
    assert [ours.text(i) for i in range(4)] == [theirs.text(i) for i in range(4)]
    assert np.array_equal(ours.positive_parts, theirs.positive_parts)

    def edges(graph):
        return {(frozenset((i, j)), s) for i, j, s in zip(graph.a, graph.b, graph.sign, strict=True)}

    assert edges(ours) == edges(theirs)


@pytest.mark.parametrize(
    "names",
    [["x", "y", "z"], [2, 0, 1], [(0, 1), (0, 2), (1, 2)], [frozenset("a"), "b", 3.5]],
    ids=["strings", "integers", "tuples", "mixed"],
)
def test_there_and_back(names):
    x, y, z = names
    graph = signed((x, y, 1), (y, z, -1))
    graph.nodes[z]["text"] = "a sentence"
    again = bal.as_signed(graph).to_networkx()
    assert list(again) == names
    assert nx.utils.edges_equal(again.edges(data="sign"), graph.edges(data="sign"))
    assert again.nodes[z]["text"] == "a sentence"
    assert bal.as_signed(graph).text(0) == str(x)


@settings(deadline=None)
@given(tiny.graphs())
def test_edge_between(graph):
    found = bal.as_signed(graph)
    for i, j in product(range(found.n), repeat=2):
        edge = found.edge_between(i, j)
        assert (edge >= 0) == graph.has_edge(i, j)
        assert edge < 0 or {int(found.a[edge]), int(found.b[edge])} == {i, j}


def test_signs_may_be_any_kind_of_one():
    graph = signed((0, 1, np.int64(1)), (1, 2, -1.0), (2, 3, np.float32(1)))
    assert bal.as_signed(graph).sign.tolist() == [1, -1, 1]


def test_a_multigraph_without_parallel_edges_is_welcome():
    assert bal.as_signed(signed((0, 1, 1), (1, 2, -1), kind=nx.MultiGraph)).m == 2


@pytest.mark.parametrize("graph", [nx.Graph(), nx.empty_graph(3)], ids=["no nodes", "no edges"])
def test_an_empty_graph_has_answers(graph):
    n = len(graph)
    for kind in ("strong", "weak"):
        found = bal.balance(graph, kind)
        assert found and found.cycle is None and len(found.camps) == n
        assert bal.shortest_unbalanced_cycle(graph, kind) is None
    assert bal.census(graph).tolist() == [0] * 4
    assert bal.census(graph, by="node").shape == (n, 4)
    assert bal.census(graph, by="edge").shape == (0, 7)
    assert bal.census(graph, by="cluster").shape == (n, 4)  # single nodes are clusters of one
    assert list(bal.triads(graph)) == list(bal.dynamics(graph)) == []
    assert bal.shuffled_signs(graph).m == 0
    assert bal.census_z(graph).z.isna().all()


@pytest.mark.parametrize(
    "graph, words",
    [
        (signed(("Ann", "Bob", 0)), "edge 'Ann' – 'Bob': sign 0 is not one of +1, -1"),
        (signed((1, 2, 2)), "edge 1 – 2: sign 2 is not"),
        (signed((1, 2, "+")), "edge 1 – 2: sign '+' is not"),
        (signed((1, 2, True)), "edge 1 – 2: sign True is not"),
        (signed((1, 2, float("nan"))), "edge 1 – 2: sign nan is not"),
        (nx.path_graph(2), "edge 0 – 1 has no sign; give it sign=+1 or sign=-1"),
        (signed((1, 2, None)), "edge 1 – 2 has no sign"),
        (signed((1, 2, 1), (3, 3, 1)), "edge 3 – 3 joins a node to itself"),
        (signed((1, 2, 1), (2, 1, 1), kind=nx.MultiGraph), "edge 1 – 2 occurs more than once"),
        (signed((1, 2, 1), (2, 1, -1), kind=nx.MultiGraph), "edge 1 – 2 occurs more than once"),
        (signed((1, 2, 1), kind=nx.DiGraph), "the graph is directed"),
        (signed((1, 2, 1), kind=nx.MultiDiGraph), "the graph is directed"),
        ([(1, 2, 1)], "a list is neither a ParaphraseGraph nor a networkx graph"),
        (None, "a NoneType is neither"),
    ],
)
def test_refused(graph, words):
    for use in (bal.as_signed, bal.balance, bal.census, bal.triads, bal.dynamics, bal.shuffled_signs, bal.census_z):
        with pytest.raises(bal.SignError) as error:
            use(graph)
        assert words in str(error.value)
        assert isinstance(error.value, pg.PairsError)


@pytest.mark.parametrize(
    "n, a, b, sign, words",
    [
        (3, [0, 1], [1, 0], [1, 1], "edge 1 – 0 occurs more than once"),
        (3, [0], [0], [1], "joins a node to itself"),
        (3, [0], [1], [0], "sign 0 is not one of"),
        (3, [0], [3], [1], "integers from 0 to 2"),
        (3, [-1], [1], [1], "integers from 0 to 2"),
        (3, [0.5], [1], [1], "integers from 0 to 2"),
        (3, [0, 1], [1], [1], "differ in length: 2, 1, 1"),
    ],
)
def test_arrays_refused(n, a, b, sign, words):
    with pytest.raises(bal.SignError) as error:
        bal.SignedGraph.from_arrays(n, np.array(a), np.array(b), np.array(sign))
    assert words in str(error.value)


def test_a_name_that_is_not_there():
    found = bal.as_signed(signed(("a", "b", 1)))
    for name in ("c", 0, -1, []):
        with pytest.raises(bal.SignError, match="no node is called"):
            found.index(name)
    with pytest.raises(bal.SignError, match="2 names for 3 nodes"):
        bal.SignedGraph.from_arrays(3, [0], [1], [1], ["x", "y"])
