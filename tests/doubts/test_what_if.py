"""What decisions do to a cluster, against the definitions by brute force."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph.doubts.what_if import NONE, Changes, Decided

from .. import reference
from ..widgets.graphs import ROWS, frame, graph_of, numbered


def labels_after(graph, labels, changes):
    """The stated labels once some were flipped and others are gone."""
    ends = {i: tuple(sorted((int(graph.edge_a[i]), int(graph.edge_b[i])))) for i in range(len(graph.edge_a))}
    flipped, gone = ({ends[i] for i in part} for part in changes)
    return {p: 1 if p in flipped else label for p, label in labels.items() if p not in gone}


def by_definition(graph, labels, members, changed):
    """The outcome for the sentences of one cluster, given the labels everywhere after all changes."""
    inside = set(members)
    parts = [group for group in reference.clusters(graph.n, changed) if set(group) <= inside]
    home = {i: c for c, group in enumerate(parts) for i in group}
    inferred = reference.inferred(graph.n, changed)
    positive = sum(label == 1 and set(p) <= inside for p, (label, _) in inferred.items())
    negative = sum(label == 0 and bool(set(p) & inside) for p, (label, _) in inferred.items())
    apart = {graph.edge_between(*p) for p in labels if set(p) <= inside and home[p[0]] != home[p[1]]}
    return tuple(sorted(map(len, parts), reverse=True)), positive, negative, frozenset(apart)


def drawn_changes(draw, graph, cluster):
    """Some negatives of a cluster flipped, some of its labels gone."""
    inside = (graph.cluster_of[graph.edge_a] == cluster) & (graph.cluster_of[graph.edge_b] == cluster)
    edges = np.flatnonzero(inside).tolist()
    what = {edge: draw(st.sampled_from(["stays", "stays", "changes", "gone"])) for edge in edges}
    flipped = {e for e, w in what.items() if w == "changes" and graph.edge_sign[e] < 0}
    return Changes(frozenset(flipped), frozenset(e for e, w in what.items() if w == "gone"))


@pytest.mark.slow
@settings(max_examples=60)
@given(ROWS, st.data())
def test_outcomes_are_those_of_the_definitions(rows, data):
    graph = numbered(rows)
    if not len(graph.edge_a):
        return
    labels = frame(graph)[1]
    decided, changed = Decided(graph), labels
    for cluster in range(min(3, len(graph.cluster_sizes))):
        changes = drawn_changes(data.draw, graph, cluster)
        after = labels_after(graph, changed, changes)
        members = graph.members(cluster).tolist()
        expected = by_definition(graph, labels, members, after)
        assert decided.outcome(cluster, changes) == expected  # before it is made so,
        decided.set(cluster, changes)
        assert decided.outcome(cluster) == expected  # and after
        changed = after
        links = nx.Graph([p for p, label in changed.items() if label == 1])
        links.add_nodes_from(members)
        for a, b in pairwise(members):
            path = decided.path(a, b)
            if not nx.has_path(links, a, b):
                assert path == [] and decided.disjoint(a, b) == 0
                continue
            assert path == min(nx.all_shortest_paths(links, a, b))
            assert decided.disjoint(a, b) == len(list(nx.edge_disjoint_paths(links, a, b)))


def test_taking_back_restores():
    decided = Decided(graph_of("a+b b+c c+d a-c d-e"))
    before = decided.outcome(0), decided.path(0, 3)
    decided.set(0, Changes(gone=frozenset([1])))
    assert decided.outcome(0) != before[0]
    decided.set(0, NONE)
    assert (decided.outcome(0), decided.path(0, 3)) == before
