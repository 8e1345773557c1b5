"""Presets: simple signed graphs with a source, and what is known of each."""

import networkx as nx
import numpy as np
import pytest

from paragraph.balance import presets
from paragraph.balance.frustration_index import frustration
from paragraph.balance.signed import as_signed
from paragraph.balance.triangles import KINDS, census
from paragraph.balance.verdict import balance
from paragraph.pairs import PairsError

EVERY = (
    [presets.triad(kind) for kind in KINDS]
    + [presets.classic(name) for name in presets.CLASSICS]
    + [presets.europe(year) for year in presets.EUROPE]
    + [presets.two_camps(), presets.three_camps(), presets.jammed(), presets.tribes()]
)


def test_every_preset_is_a_signed_graph_with_a_source_made_anew():
    for graph in EVERY:
        assert as_signed(graph).m == graph.number_of_edges() > 0 and graph.graph["source"]
    presets.tribes().remove_node("Gama")
    assert len(presets.tribes()) == 16


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


def test_camps():
    two, three = presets.two_camps(4, 3), presets.three_camps(2, 3, 4)
    assert balance(two).camps.tolist() == [0] * 4 + [1] * 3
    assert not balance(three).balanced
    assert balance(three, "weak").camps.tolist() == [0] * 2 + [1] * 3 + [2] * 4
    assert len(two.edges) == 21
    assert balance(presets.two_camps(5, 0)).balanced


def test_jammed_in_a_state_that_is_not_balanced():
    graph = presets.jammed()
    unbalanced = ["++-", "---"]
    before = census(graph)[unbalanced].sum()
    assert before > 0
    for x, y in graph.edges:
        graph.edges[x, y]["sign"] *= -1
        assert census(graph)[unbalanced].sum() >= before
        graph.edges[x, y]["sign"] *= -1


def test_tribes_are_those_of_the_literature():
    """16 tribes, 29 alliances, 29 enmities; degrees, triads and two-camp partition as printed for signnet."""
    graph = presets.tribes()
    matrix = nx.to_numpy_array(graph, weight="sign")
    assert (len(graph), (matrix > 0).sum() // 2, (matrix < 0).sum() // 2) == (16, 29, 29)
    assert (matrix > 0).sum(axis=1).tolist() == [3, 3, 4, 2, 3, 5, 7, 6, 3, 2, 4, 4, 4, 2, 3, 3]
    assert (matrix < 0).sum(axis=1).tolist() == [5, 5, 2, 1, 4, 5, 0, 1, 4, 3, 5, 4, 4, 3, 6, 6]
    assert nx.number_connected_components(nx.Graph((x, y) for x, y, s in graph.edges(data="sign") if s < 0)) == 1
    found = frustration(graph)
    assert (found.value, found.bound) == (7, 7)
    assert found.camps.tolist() == [0, 0] + [1] * 12 + [0, 0]


def test_tribes_make_three_camps_but_for_two_alliances():
    found = frustration(presets.tribes(), "weak")
    assert sorted(found.edges) == [("Masil", "Uheto"), ("Nagam", "Masil")]
    assert np.bincount(found.camps).tolist() == [4, 7, 5]


def test_europe_falls_into_two_blocs():
    before, blocs = presets.europe(1890), presets.europe(1907)
    assert [frustration(presets.europe(year)).value for year in presets.EUROPE] == [1, 1, 1, 0]
    assert before.graph["event"] == "the alliance of Germany and Russia lapses"
    assert len(blocs.edges) == 15
    found = balance(blocs)
    assert found.camp_of("Italy") == found.camp_of("Germany") != found.camp_of("Russia") == found.camp_of("France")
    gained = set(map(frozenset, blocs.edges)) - set(map(frozenset, before.edges))
    assert frozenset(("France", "Russia")) in gained


@pytest.mark.parametrize(
    ("make", "argument", "message"),
    [
        (presets.triad, "+-+", r"kind='\+-\+' is not one of \+\+\+"),
        (presets.classic, "square", "no classic is called 'square'; there are: square, one enmity"),
        (presets.classic, [], r"no classic is called \[\]"),
        (presets.europe, [1890], r"year=\[1890\] is not one of"),
        (presets.europe, 1900, "year=1900 is not one of 1872, 1882, 1890, 1907"),
        (presets.two_camps, 40, "43 nodes are more than there are letters"),
    ],
)
def test_errors(make, argument, message):
    with pytest.raises(PairsError, match=message):
        make(argument)
