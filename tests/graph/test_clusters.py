"""Clusters against networkx and plain counting: their table, communities, and what holds them together."""

import random
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.graph.bridges import bridge_table, cluster_bridges, communities

from .. import reference
from ..reference import graph_of, table
from ..refused import refused
from ..widgets.graphs import numbered


def random_rows(seed, n=22, m=40, positive=0.6):
    """Rows between numbered sentences, most of them positive; some unlabelled, repeated or contradictory."""
    pick = random.Random(seed)
    rows = []
    for _ in range(m):
        i = pick.randrange(n)
        j = min(n - 1, max(0, i + pick.randint(-3, 3)))
        label = None if pick.random() < 0.05 else int(pick.random() < positive)
        rows.append((f"sentence {i}", f"sentence {j}", label))
    return rows


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rule", ["all", "clusters"])
def test_every_column(seed, rule):
    rows = random_rows(seed)
    labels, names = reference.stated(reference.number(rows)), list(reference.first_spellings(rows))
    both, starts = reference.direct(reference.number(rows)), {}
    for a, b, _ in reference.number(rows):
        starts.setdefault(reference.pair(a, b), a)  # a pair stated both ways counts where it was first stated
    positive = nx.empty_graph(len(names))
    positive.add_edges_from(p for p, label in labels.items() if label == 1)
    follows = reference.inferred(len(names), labels, rule)
    frame = graph_of(*rows).clusters(min_size=1, negatives=rule)
    components = sorted(nx.connected_components(positive), key=lambda c: (-len(c), min(c)))
    assert len(frame) == len(components)
    assert len(components[0]) > 3  # something to look at
    for row, members in zip(frame.itertuples(index=False), components, strict=True):
        inner = positive.subgraph(members)
        central = names[min(members, key=lambda node: (-inner.degree(node), node))]
        assert (row.size, row.example) == (len(members), central)
        assert row.stated_positive == inner.number_of_edges()
        assert row.density == pytest.approx(nx.density(inner))
        inside = [p for p in labels if set(p) <= members]
        leaving = [p for p in labels if len(set(p) & members) == 1]
        wrong = {p for p in inside if labels[p] == 0} | {p for p in both if starts[p] in members}
        assert row.conflicts == len(wrong)
        assert row.stated_negative == len(leaving)
        others = {i for p in leaving for i in set(p) - members}
        assert row.neighbours == sum(1 for c in components if c & others)
        touching = [label for p, (label, _) in follows.items() if members & set(p)]
        assert (row.inferred_positive, row.inferred_negative) == (touching.count(1), touching.count(0))


def test_small_clusters_are_left_out():
    sizes = [6, 4, 4, 3, 2]
    graph = graph_of(*[(f"{c}.{i}", f"{c}.{i + 1}", 1) for c, size in enumerate(sizes) for i in range(size - 1)])
    for smallest in (1, 3, 7):
        frame = graph.clusters(min_size=smallest)
        kept = [size for size in sizes if size >= smallest]
        assert frame["size"].tolist() == kept and frame["cluster"].tolist() == list(range(len(kept)))
    for cluster in (-1, 5):
        refused(rf"cluster {cluster} is not one of 0 \.\. 4", graph.members, cluster)


def cliques(*sizes):
    """Cliques of these sizes, in a row, each joined to the next by one edge."""
    edges, first = [], 0
    for size in sizes:
        edges += [*combinations(range(first, first + size), 2), *([(first - 1, first)] if first else [])]
        first += size
    return first, edges


@pytest.mark.parametrize(("graph", "expected"), [
    (cliques(4, 5), [1] * 4 + [0] * 5),  # the largest is 0
    (cliques(5, 4, 4), [0] * 5 + [1] * 4 + [2] * 4),
    (cliques(2, 3), [0] * 5),  # few enough to see
    ((7, []), [0] * 7),
    ((0, []), []),
])  # fmt: skip
def test_communities(graph, expected):
    assert communities(*graph)[0].tolist() == expected


def edges(n, least, most):
    """Up to so many edges between n nodes."""
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda e: e[0] != e[1])
    return st.lists(ends, min_size=least, max_size=most)


@settings(max_examples=60)
@example([(0, 1), (0, 1), (0, 2), (1, 2), (2, 3)])  # an edge named twice counts once
@given(edges(15, 0, 40))
def test_an_order_has_each_node_once_and_communities_in_one_piece(edges):
    group, order = communities(15, edges)
    assert group.tolist() == communities(15, edges[::-1])[0].tolist()
    sizes = np.bincount(group)
    assert sizes.tolist() == sorted(sizes, reverse=True)
    if len(sizes) > 1:
        graph = nx.Graph(edges)
        graph.add_nodes_from(range(15))
        parts = [set(np.flatnonzero(group == g).tolist()) for g in range(len(sizes))]
        assert nx.community.modularity(graph, parts) >= 0.3
    assert sorted(order) == list(range(15))
    assert group[order].tolist() == sorted(group)
    joined = nx.Graph(edges)
    joined.add_nodes_from(range(15))
    assert order == sorted(order, key=lambda node: (group[node], -joined.degree[node], node))


@given(edges(10, 1, 18))
def test_by_taking_each_away(edges):
    graph = numbered([(*edge, 1) for edge in edges])
    whole = graph.to_networkx(0)
    edges, smaller = cluster_bridges(graph, 0)
    expected = {frozenset(edge) for edge in nx.bridges(whole)}
    ends = list(zip(graph.edge_a[edges].tolist(), graph.edge_b[edges].tolist(), strict=True))
    assert {frozenset(edge) for edge in ends} == expected
    for edge, size in zip(ends, smaller, strict=True):
        without = nx.Graph(whole)
        without.remove_edge(*edge)
        assert min(map(len, nx.connected_components(without))) == size


def test_a_chain_of_many_is_no_deep_recursion():
    n = 20_000
    graph = pg.ParaphraseGraph(np.arange(n - 1), np.arange(1, n), np.ones(n - 1, np.int8), n)
    found = bridge_table(graph, 0, n=1)
    assert found["smaller"].tolist() == [n // 2] and found.attrs["bridges"] == n - 1


def test_what_lies_around_a_bridge_is_a_graph_of_its_own(tmp_path):
    pg.write_pairs(table("a+b b+c c+a c+d d+e e+f f+d a-f"), tmp_path / "p.parquet")
    store = pg.open_pairs(tmp_path / "p.parquet")
    (bridge,) = store.bridges().itertuples(index=False)
    assert {bridge.text_a, bridge.text_b} == {"c", "d"} and bridge.smaller == 3
    around = store.around("c", "d", n=4)
    assert around.n == 4 and {"c", "d"} < set(around.sentences.to_pylist())
    assert store.around("c", "d").n == 6 and len(pg.conflicts(store.around("c", "d"))) == 1
