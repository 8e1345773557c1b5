"""Whatever is answered: no answer is an error, clear spellings are read, and the message helps."""

import itertools

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from paragraph.balance.exercises import EXERCISES, exercise
from paragraph.balance.exercises.ask import Wrong, read
from paragraph.balance.exercises.sketch import Sketch

NUMBER = {row.title: number for number, row in enumerate(EXERCISES, 1)}
TRIANGLE = Sketch(nx.cycle_graph("ABC"))


class Odd:
    """Nothing can be done with it."""

    __hash__ = None

    def fail(self, *_):
        raise RuntimeError("no")

    __repr__ = __iter__ = __eq__ = fail


BAD = [
    None, True, -1, 0, 10**30, 2.5, float("nan"), float("inf"), 1j, "", " ", "maybe", "9" * 5000, "A-", "|", b"AB",
    [], {}, set(), [None], [[[]]], [("A",)], [("A", "B", "C")], ["ZZ"], [("?", "!")], {"A": 1}, {None: 0},
    [{"A"}, {"A"}], [float("nan")], itertools.count(), itertools.repeat(("?", "A")), object(), Odd(), Odd,
    lambda: 0, np.array(3), np.array([[0, 1], [1, 2]]), pd.NA, pd.DataFrame({"a": [1]}), pd.Series(["A"]),
    nx.path_graph(3), nx.Graph(), nx.DiGraph([(0, 1)]), nx.MultiGraph([("A", "B"), ("A", "B")]), nx.Graph(["AA"]),
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBER.values(), ids=NUMBER)
def test_no_answer_is_an_error(number):
    one = exercise(number, 0)
    right = next(one.solutions())
    for answer in BAD:
        grade = one.grade(answer)
        assert isinstance(grade.message, str) and grade.message
        assert not grade.correct or (one.kind == "number" and answer == right)
    for sign in (None, 0):
        graph = nx.Graph(one.graph)
        graph.add_edge(*list(graph)[:2], sign=sign)
        assert not one.grade(graph).correct
    one.graph.remove_nodes_from(list(one.graph))  # scribbling on what is shown changes no grade
    assert one.grade(right).correct


TWO_TRIANGLES = nx.disjoint_union(TRIANGLE, TRIANGLE)
BOW_TIE = nx.Graph([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)])
NEITHER = "neither a ParaphraseGraph nor a networkx graph"
SIGNS = ("+++", "++-", "+--", "---")


@pytest.mark.parametrize(("kind", "graph", "answer", "message"), [
        ("choice", TRIANGLE, "+", "'+' is none of the choices: +++, ++-, +--, ---."),
        ("choice", TRIANGLE, 3, "The answer is one of: +++, ++-, +--, ---. This is a int."),
        ("number", TRIANGLE, "two", "The answer is a whole number, not 'two'."),
        ("edges", TRIANGLE, [("A", "?")], "'?' is no node of this graph."),
        ("edges", TRIANGLE, ["A"], "An edge is a pair of nodes; 'A' is not."),
        ("edges", nx.path_graph("ABC"), [("A", "C")], "A and C are not joined."),
        ("cycle", TRIANGLE, ["A", "B"], "A cycle has at least three edges."),
        ("cycle", TRIANGLE, "ABAB", "A cycle passes through each of its nodes once; one of yours occurs twice."),
        ("cycle", nx.path_graph("ABC"), "ABC", "C and A follow each other, but are not joined."),
        ("cycle", TWO_TRIANGLES, list(TWO_TRIANGLES.edges), "These edges are more than one cycle."),
        ("cycle", BOW_TIE, list(BOW_TIE.edges), "These edges are no single cycle: 0 has 4 edges of them."),
        ("camps", TRIANGLE, "A | A", "A is in two camps, or twice in one."),
        ("graph", TRIANGLE, "A-B", f"This is no signed graph: a str is {NEITHER}"),
        ("graph", TRIANGLE, nx.Graph(), "A is missing."),
        ("graph", TRIANGLE, nx.empty_graph("ABCD"), "'D' is too much: the nodes are those you were given."),
])  # fmt: skip
def test_messages_help(kind, graph, answer, message):
    with pytest.raises(Wrong) as error:
        read(kind, Sketch(graph), SIGNS, answer)
    assert str(error.value) == message


def test_answers_are_read_kindly():
    for answer in ("A-B, C-A", "AB CA", "A—B, C‑A", "A−B; CA", [("B", "A"), ["A", "C"]], [{"A", "B"}, "C-A"]):
        assert sorted(map(sorted, read("edges", TRIANGLE, (), answer))) == [["A", "B"], ["A", "C"]]
    for answer in ("A – B", ("A", "B")):
        assert list(map(set, read("edges", TRIANGLE, (), answer))) == [{"A", "B"}]
    for answer in ("ABC", "A B C", "A-B-C-A", ["A", "B", "C", "A"], "AB BC CA", ["A-B", "BC", ("C", "A")]):
        assert sorted(read("cycle", TRIANGLE, (), answer)) == ["A", "B", "C"]
    for answer in ("+−-", "--+", " -+- ", "–+‑", "+——"):  # in any order, with any hyphen
        assert read("choice", TRIANGLE, SIGNS, answer) == "+--"
    graph = Sketch(nx.path_graph(2))
    nx.set_node_attributes(graph, {0: "Is A - B?", 1: "no, B-A"}, "text")
    for answer in ([("Is A - B?", "no, B-A")], [("0", 1)], "0 1"):
        assert read("edges", graph, (), answer) == [(0, 1)]
    assert read("camps", graph, (), {"Is A - B?": "x", "no, B-A": "y"}) == {0: 0, 1: 1}
