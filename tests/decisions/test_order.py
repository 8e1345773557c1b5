"""The order by effect: how many wrong labels a right decision on each conflict is expected to remove."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from paragraph.decisions.conflict_queue import effects
from paragraph.doubts.what_if import Changes, Decided

from ..widgets.graphs import ROWS, numbered


def by_definition(graph, edge):
    """The mean over the labels of its cycle: one label by a flip, all positives that go with a cut."""
    decided, a, b = Decided(graph), int(graph.edge_a[edge]), int(graph.edge_b[edge])
    cluster, path = int(graph.cluster_of[a]), decided.path(a, b)
    before, gone = decided.outcome(cluster).positive, [1]
    for step in pairwise(path):
        after = decided.outcome(cluster, Changes(gone=frozenset([graph.edge_between(*step)])))
        gone.append(1 + before - after.positive if len(after.parts) > 1 else 0)
    return np.mean(gone)


@pytest.mark.slow
@settings(max_examples=50)
@given(ROWS)
def test_effects_are_those_of_the_definition(rows):
    graph = numbered(rows)
    within = np.flatnonzero(graph.negatives_inside)
    assert effects(graph) == pytest.approx([by_definition(graph, edge) for edge in within])
