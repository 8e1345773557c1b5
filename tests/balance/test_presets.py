"""Presets: signed graphs with a source, and what is known of each; graphs of planted camps."""

import networkx as nx
import numpy as np
import pytest

from paragraph.balance import KINDS, as_signed, census, degree_of_balance, frustration, presets

from ..refused import refused


def test_every_preset_is_a_signed_graph_with_a_source_made_anew():
    every = [(presets.triad, kind) for kind in KINDS] + [(presets.classic, name) for name in presets.CLASSICS]
    every += [(presets.europe, year) for year in presets.EUROPE]
    every += [(make,) for make in (presets.two_camps, presets.three_camps, presets.jammed, presets.tribes)]
    for make, *arguments in every:
        graph = make(*arguments)
        assert as_signed(graph).m == graph.number_of_edges() > 0 and graph.graph["source"]
        graph.remove_nodes_from(list(graph))
        assert len(make(*arguments)) > 0


FRUSTRATION = {  # strong and weak
    "square, one enmity": (1, 1), "square, three enmities": (1, 0), "two couples": (0, 0), "four enemies": (2, 0),
    "one quarrel": (1, 1), "bow tie": (1, 1), "pentagon of enemies": (1, 0), "five enemies": (4, 0), "house": (1, 1),
    "+++": (0, 0), "++-": (1, 1), "+--": (0, 0), "---": (1, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", [*presets.CLASSICS, *KINDS])
def test_classics_and_triads(name):
    graph = presets.triad(name) if name in KINDS else presets.classic(name)
    assert tuple(frustration(graph, kind).value for kind in ("strong", "weak")) == FRUSTRATION[name]
    assert name not in KINDS or census(graph)[name] == 1


def test_tribes_are_those_of_the_literature():
    """16 tribes, 29 alliances, 29 enmities; degrees, triads and two-camp partition as printed for signnet."""
    graph = presets.tribes()
    matrix = nx.to_numpy_array(graph, weight="sign")
    assert (len(graph), (matrix > 0).sum() // 2, (matrix < 0).sum() // 2) == (16, 29, 29)
    assert (matrix > 0).sum(axis=1).tolist() == [3, 3, 4, 2, 3, 5, 7, 6, 3, 2, 4, 4, 4, 2, 3, 3]
    assert (matrix < 0).sum(axis=1).tolist() == [5, 5, 2, 1, 4, 5, 0, 1, 4, 3, 5, 4, 4, 3, 6, 6]
    found = frustration(graph)
    assert (found.value, found.bound) == (7, 7)
    assert found.camps.tolist() == [0, 0] + [1] * 12 + [0, 0]
    weak = frustration(graph, "weak")  # three camps but for two alliances
    assert sorted(weak.edges) == [("Masil", "Uheto"), ("Nagam", "Masil")]
    assert np.bincount(weak.camps).tolist() == [4, 7, 5]
    degrees = degree_of_balance(graph).loc[["triangles", "walks", "frustration"], "value"]
    assert degrees.round(3).tolist() == [0.868, 0.358, 0.759]


def test_refused():
    for make, argument, message in (
        (presets.triad, "+-+", r"kind='\+-\+' is not one of \+\+\+"),
        (presets.classic, "square", "no classic is called 'square'; there are: square, one enmity"),
        (presets.classic, [], r"no classic is called \[\]"),
        (presets.europe, [1890], r"year=\[1890\] is not one of 1872, 1882, 1890, 1907"),
        (presets.two_camps, 40, "43 nodes are more than there are letters"),
    ):
        refused(message, make, argument)
