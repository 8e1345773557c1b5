"""Bridges and articulation points: tiny clusters by hand, random ones by networkx and by taking each away."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paragraph as pg
from paragraph.graph.clusters import bridge_table, cut_table, fragile


def graph_of(*edges):
    rows = [(*(f"s{node}" for node in edge), 1) for edge in edges]
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))


TRIANGLES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]


@pytest.mark.parametrize("what, edges, bridges, cuts", [
    ("a pair", [(0, 1)], {("s0", "s1"): 1}, {}),
    ("a chain", [(0, 1), (1, 2)], {("s0", "s1"): 1, ("s1", "s2"): 1}, {"s1": (2, 1)}),
    ("a ring", [(0, 1), (1, 2), (2, 0)], {}, {}),
    ("two triangles", TRIANGLES, {("s2", "s3"): 3}, {"s2": (2, 3), "s3": (2, 3)}),
    ("a star", [(0, 1), (0, 2), (0, 3)], {("s0", "s1"): 1, ("s0", "s2"): 1, ("s0", "s3"): 1}, {"s0": (3, 1)}),
])  # fmt: skip
def test_by_hand(what, edges, bridges, cuts):
    graph = graph_of(*edges)
    table, cut = bridge_table(graph, 0), cut_table(graph, 0)
    assert {tuple(sorted(pair)): n for *pair, n in table[["text_a", "text_b", "smaller"]].to_numpy()} == bridges, what
    assert {text: (parts, largest) for text, parts, largest in cut.to_numpy()} == cuts, what
    assert table["smaller"].is_monotonic_decreasing and table.attrs["bridges"] == len(bridges)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda e: e[0] != e[1]), min_size=1, max_size=18)
)
def test_by_taking_each_away(edges):
    graph = graph_of(*edges)
    whole = graph.to_networkx(0)
    found, members = fragile(graph, 0), set(graph.members(0).tolist())
    expected = {frozenset(edge) for edge in nx.bridges(whole)}
    ends = list(zip(graph.edge_a[found.edges].tolist(), graph.edge_b[found.edges].tolist(), strict=True))
    assert {frozenset(edge) for edge in ends} == expected
    for edge, smaller in zip(ends, found.smaller, strict=True):
        without = nx.Graph(whole)
        without.remove_edge(*edge)
        assert min(map(len, nx.connected_components(without))) == smaller
    assert set(found.nodes.tolist()) == set(nx.articulation_points(whole)) <= members
    for node, parts, largest in zip(found.nodes.tolist(), found.parts, found.largest, strict=True):
        sizes = [len(part) for part in nx.connected_components(nx.subgraph(whole, members - {node}))]
        assert (len(sizes), max(sizes)) == (parts, largest)


def test_a_chain_of_many_is_no_deep_recursion():
    n = 20_000
    graph = pg.ParaphraseGraph(np.arange(n - 1), np.arange(1, n), np.ones(n - 1, np.int8), n)
    table = bridge_table(graph, 0, n=1)
    assert table["smaller"].tolist() == [n // 2] and table.attrs["bridges"] == n - 1


def test_what_lies_around_a_bridge_is_a_graph_of_its_own(tmp_path):
    rows = [(f"s{a}", f"s{b}", 1) for a, b in TRIANGLES] + [("s0", "s5", 0)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), tmp_path / "p.parquet")
    store = pg.open_pairs(tmp_path / "p.parquet", progress=False)
    (bridge,) = store.bridges().itertuples(index=False)
    assert {bridge.text_a, bridge.text_b} == {"s2", "s3"} and bridge.smaller == 3
    around = store.around(bridge.text_a, bridge.text_b, n=4)
    assert around.n == 4 and {"s2", "s3"} < set(around.sentences.to_pylist())
    assert store.around("s2", "s3").n == 6 and len(pg.conflicts(store.around("s2", "s3"))) == 1
