"""All signed graphs on a few nodes, and what is true of them, straight from the definitions.

A graph on n nodes is one row of signs (+1, -1, 0 for no edge), a column for each of its pairs of nodes.
"""

from itertools import combinations, permutations, product

import networkx as nx
import numpy as np
from hypothesis import strategies as st


def pairs(n):
    return list(combinations(range(n), 2))


def all_signs(n):
    """Every signed graph on n nodes: (3 ** pairs, pairs)."""
    return np.array(list(product([0, 1, -1], repeat=len(pairs(n)))), dtype=np.int8)


def partitions(n):
    """Every way to put n nodes in camps, each camp numbered by its first node."""
    found = [[0]]
    for _ in range(n - 1):
        found = [[*camps, c] for camps in found for c in range(max(camps) + 2)]
    return found


def balanced(signs, n, kind):
    """For each graph: do some camps agree with every edge?"""
    fits = np.zeros(len(signs), dtype=bool)
    for camps in partitions(n):
        if kind == "weak" or max(camps) < 2:
            wanted = np.array([1 if camps[i] == camps[j] else -1 for i, j in pairs(n)])
            fits |= ((signs == 0) | (signs == wanted)).all(axis=1)
    return fits


def cycles(n):
    """Every simple cycle on n nodes, once."""
    for length in range(3, n + 1):
        for nodes in combinations(range(n), length):
            for rest in permutations(nodes[1:]):
                if rest[0] < rest[-1]:
                    yield (nodes[0], *rest)


def least_unbalanced(signs, n, kind):
    """For each graph: the edges of its shortest unbalanced cycle, 0 where there is none."""
    column = {pair: i for i, pair in enumerate(pairs(n))}
    least = np.zeros(len(signs), dtype=int)
    for cycle in cycles(n):  # short ones first
        along = signs[:, [column[tuple(sorted(two))] for two in zip(cycle, cycle[1:] + cycle[:1], strict=True)]]
        negatives = (along < 0).sum(axis=1)
        unbalanced = negatives == 1 if kind == "weak" else negatives % 2 == 1
        least[(along != 0).all(axis=1) & unbalanced & (least == 0)] = len(cycle)
    return least


def graph_of(row, n):
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((*pair, {"sign": int(sign)}) for pair, sign in zip(pairs(n), row, strict=True) if sign)
    return graph


def union_of(signs, n):
    """All graphs side by side, as arrays n, a, b, sign: node i of graph g is g * n + i."""
    g, pair = np.nonzero(signs)
    ends = np.array(pairs(n))[pair] + g[:, None] * n
    return len(signs) * n, ends[:, 0], ends[:, 1], signs[g, pair]


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
