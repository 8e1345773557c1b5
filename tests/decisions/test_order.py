"""The order by effect: how many wrong labels a right decision on each conflict is expected to remove."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings

from paragraph.decisions.order import ERROR_RATE, effects
from paragraph.repairs.what_if import Changes, Decided

from ..widgets.graphs import ROWS, numbered


def by_definition(graph, edge):
    """One label by a flip; by a cut all positives that go with it, where a single path joins the two."""
    decided, a, b = Decided(graph), int(graph.edge_a[edge]), int(graph.edge_b[edge])
    cluster, path, paths = int(graph.cluster_of[a]), decided.path(a, b), decided.disjoint(a, b)
    odds = (len(path) - 1) ** paths * (ERROR_RATE / (1 - ERROR_RATE)) ** (paths - 1)
    before, gone = decided.outcome(cluster).positive, [0]
    if paths == 1:
        cuts = (Changes(gone=frozenset([graph.edge_between(*step)])) for step in pairwise(path))
        gone = [1 + before - decided.outcome(cluster, cut).positive for cut in cuts]
    return 1 / (1 + odds) + odds / (1 + odds) * np.mean(gone)


@pytest.mark.slow
@settings(max_examples=150)
@given(ROWS)
def test_effects_are_those_of_the_definition(rows):
    graph = numbered(rows)
    within = np.flatnonzero(graph.within)
    for edges in (within, within[::2], within[::-1]):  # of some conflicts too, in any order
        assert effects(graph, edges) == pytest.approx([by_definition(graph, edge) for edge in edges])
