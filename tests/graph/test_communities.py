"""Communities and the order that keeps them together, on graphs where both are plain to see."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paragraph.graph.clusters import communities, outwards


def cliques(*sizes, bridges=True):
    """Cliques of these sizes, in a row, each joined to the next by one edge."""
    edges, first = [], 0
    for size in sizes:
        nodes = range(first, first + size)
        edges += [(a, b) for a in nodes for b in nodes if a < b]
        if bridges and first:
            edges.append((first - 1, first))
        first += size
    return first, edges


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (cliques(4, 5), [1] * 4 + [0] * 5),  # the largest is 0
        (cliques(5, 4, 4), [0] * 5 + [1] * 4 + [2] * 4),
        (cliques(8), [0] * 8),
        (cliques(2, 3), [0] * 5),  # few enough to see
        ((7, []), [0] * 7),
        ((0, []), []),
    ],
)
def test_communities(graph, expected):
    assert communities(*graph).tolist() == expected


EDGES = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)).filter(lambda e: e[0] != e[1]), max_size=40)


@settings(max_examples=60, deadline=None)
@example([(0, 1), (0, 1), (0, 2), (1, 2), (2, 3)], 0)  # an edge named twice counts once
@given(EDGES, st.integers(0, 3))
def test_an_order_has_each_node_once_and_communities_in_one_piece(edges, seed):
    group = communities(15, edges, seed)
    assert group.tolist() == communities(15, edges[::-1], seed).tolist()
    sizes = np.bincount(group)
    assert sizes.tolist() == sorted(sizes, reverse=True)
    if len(sizes) > 1:
        graph = nx.Graph(edges)
        graph.add_nodes_from(range(15))
        parts = [set(np.flatnonzero(group == g).tolist()) for g in range(len(sizes))]
        assert nx.community.modularity(graph, parts) >= 0.3
    order = outwards(group, edges)
    assert sorted(order) == list(range(15))
    assert group[order].tolist() == sorted(group)
    # Each comes after one that it is joined to inside its community, unless no such one is left.
    inside = {(a, b) for x, y in edges for a, b in ((x, y), (y, x)) if group[x] == group[y]}
    place = {int(node): i for i, node in enumerate(order)}
    joined = nx.Graph(list(inside))
    for part in nx.connected_components(joined):
        first = min(part, key=place.get)
        assert len(joined[first]) == max(len(joined[node]) for node in part)
        assert all(any(place[other] < place[node] for other in joined[node]) for node in part - {first})
