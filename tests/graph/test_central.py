"""The most central sentence of each cluster, against networkx."""

import networkx as nx
import numpy as np
from hypothesis import given

from paragraph.graph import clusters as central

from ..widgets.graphs import ROWS, giant, numbered


@given(ROWS)
def test_central_sentences_are_nearest_to_all_others(rows):
    graph = numbered(rows)
    found = central.central_sentences(graph)
    assert graph.cluster_of[found].tolist() == list(range(len(graph.cluster_sizes)))
    positive = graph.to_networkx()
    positive.remove_edges_from([edge for edge in positive.edges if positive.edges[edge]["sign"] < 0])

    def far(node):
        return sum(nx.single_source_shortest_path_length(positive, node).values()), -positive.degree(node), node

    for cluster, node in enumerate(found.tolist()):
        assert node == min(graph.members(cluster).tolist(), key=far)
    assert central.central_sentences(graph, 1).tolist() == found[:1].tolist()


def test_a_large_cluster_is_named_after_its_best_connected_sentence():
    rows = [(1000 + i, 1001 + i, 1) for i in range(central.MOST)] + [(1000, 5 + i, 1) for i in range(9)]
    graph = numbered(rows)
    assert graph.text(int(central.central_sentences(graph)[0])) == "s1000"
    assert np.array_equal(central.central_sentences(giant(50)), central.central_sentences(giant(50), 1))
