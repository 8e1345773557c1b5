"""Small signed graphs; on n nodes, one is a row of signs (+1, -1, 0 for no edge), one for each pair of nodes."""

from itertools import combinations
from random import Random

import networkx as nx
from hypothesis import strategies as st


def pairs(n):
    return list(combinations(range(n), 2))


def partitions(n):
    """Every way to put n nodes in camps, each camp numbered by its first node."""
    found = [[0]]
    for _ in range(n - 1):
        found = [[*camps, c] for camps in found for c in range(max(camps) + 2)]
    return found


def graph_of(row, n):
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((*pair, {"sign": int(sign)}) for pair, sign in zip(pairs(n), row, strict=True) if sign)
    return graph


def is_unbalanced(graph, cycle, kind):
    """Is the list of nodes a simple cycle of the graph, and an unbalanced one?"""
    steps = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    if len(cycle) < 3 or len(set(cycle)) < len(cycle) or not all(graph.has_edge(*step) for step in steps):
        return False
    signs = [graph.edges[step]["sign"] for step in steps]
    return signs.count(-1) % 2 == 1 if kind == "strong" else signs.count(-1) == 1 and signs[-1] == -1


def signed(*edges, kind=nx.Graph):
    """A graph of edges (node, node, sign)."""
    graph = kind()
    graph.add_edges_from((x, y, {"sign": sign}) for x, y, sign in edges)
    return graph


@st.composite
def graphs(draw, most=9):
    """A signed graph of up to so many nodes, dense or sparse."""
    n = draw(st.integers(1, most))
    signs = st.sampled_from(draw(st.sampled_from([[0, 1, -1], [0, 0, 0, 1, -1], [0, 1, 1, 1, -1], [1, -1]])))
    return graph_of(draw(st.lists(signs, min_size=len(pairs(n)), max_size=len(pairs(n)))), n)


def camps(n, camps, density, noise=0.0, seed=0):
    """A random graph with positive edges inside camps and negative ones between them, but for noise."""
    graph, rng = nx.gnp_random_graph(n, density, seed=seed), Random(seed)
    for a, b in graph.edges:
        graph.edges[a, b]["sign"] = 1 if (a % camps == b % camps) != (rng.random() < noise) else -1
    return graph
