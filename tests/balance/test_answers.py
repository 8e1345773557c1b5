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
TRIANGLE = Sketch(nx.cycle_graph(["A", "B", "C"]))


class Odd:
    """Nothing can be done with it."""

    def __repr__(self):
        raise RuntimeError("no")

    def __iter__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


BAD = [
    None, True, -1, 0, 10**30, 2.5, float("nan"), float("inf"), 1j, "", " ", "maybe", "9" * 5000, "A-", "|", b"AB",
    [], {}, set(), (), [None], [[]], [[[]]], [("A",)], [("A", "B", "C")], ["ZZ"], [("?", "!")], {"A": 1}, {None: 0},
    [{"A"}, {"A"}], [float("nan")], itertools.count(), itertools.repeat(("?", "A")), iter([]), object(), Odd(), Odd,
    list, lambda: 0, np.array(3), np.array([[0, 1], [1, 2]]), pd.NA, pd.DataFrame({"a": [1]}), pd.Series(["A"]),
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


@pytest.mark.parametrize(
    ("title", "answer", "message"),
    [
        ("Name the triad", "+", "'+' is none of the choices: +++, ++-, +--, ---."),
        ("Name the triad", 3, "The answer is one of: +++, ++-, +--, ---. This is a int."),
        ("How many flips", "two", "The answer is a whole number, not 'two'."),
        ("One flip", 7, "7 is neither a list nor a set."),
        ("One flip", [("{0}", "?")], "'?' is no node of this graph."),
        ("One flip", ["{0}"], "An edge is a pair of nodes; '{0}' is not."),
        ("A shortest unbalanced cycle", [], "A cycle has at least three edges."),
        ("Find the camps", [], "{0} is in no camp."),
        ("Find the camps", "{0} | {0}", "{0} is in two camps, or twice in one."),
        ("Weakly, not strongly", "A-B", "This is no signed graph: a str is neither a ParaphraseGraph nor a networkx"),
        ("Weakly, not strongly", nx.Graph(), "{0} is missing."),
    ],
)
def test_messages_help(title, answer, message):
    one = exercise(NUMBER[title], 0)
    first = next(iter(one.graph))

    def named(answer):
        if isinstance(answer, list | tuple):
            return type(answer)(map(named, answer))
        return answer.format(first) if isinstance(answer, str) else answer

    grade = one.grade(named(answer))
    assert not grade.correct and grade.message.startswith(message.format(first))


@pytest.mark.parametrize(
    ("graph", "answer", "message"),
    [
        (nx.path_graph(list("ABC")), [("A", "C")], "A and C are not joined."),
        (TRIANGLE, [("A", "B")], "These edges are no single cycle: A has only one edge of them."),
        (TRIANGLE, ["A", "B", "A", "B"], "A cycle passes through each of its nodes once; one of yours occurs twice."),
        (TRIANGLE, ["A", "B"], "A cycle has at least three edges."),
        (nx.path_graph(list("ABC")), "ABC", "C and A follow each other, but are not joined."),
        (nx.Graph([(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]), None, "These edges are more than one cycle."),
        (nx.Graph([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)]), None,
         "These edges are no single cycle: 0 has 4 edges of them."),
    ],
)  # fmt: skip
def test_no_cycles(graph, answer, message):
    with pytest.raises(Wrong) as error:
        read("cycle", Sketch(graph), (), list(graph.edges) if answer is None else answer)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("answer", "edges"),
    [("A-B, C-A", "AB AC"), ("AB CA", "AB AC"), ("A—B, C‑A", "AB AC"), ("A−B; CA", "AB AC"), ("A – B", "AB"),
     ([("B", "A"), ["A", "C"]], "AB AC"), (("A", "B"), "AB"), ([{"A", "B"}, "C-A"], "AB AC")],
)  # fmt: skip
def test_edges_are_read_kindly(answer, edges):
    found = read("edges", TRIANGLE, (), answer)
    assert set(map(frozenset, found)) == set(map(frozenset, edges.split())) and len(found) == len(edges.split())


@pytest.mark.parametrize(
    "answer", ["ABC", "A B C", "A-B-C-A", ["A", "B", "C", "A"], "AB BC CA", ["A-B", "BC", ("C", "A")]], ids=str
)
def test_cycles_are_read_kindly(answer):
    assert sorted(read("cycle", TRIANGLE, (), answer)) == ["A", "B", "C"]


@pytest.mark.parametrize("answer", ["+−-", "--+", " -+- ", "–+‑", "+——"])
def test_signs_of_a_triad_come_in_any_order_and_with_any_hyphen(answer):
    assert read("choice", TRIANGLE, ("+++", "++-", "+--", "---"), answer) == "+--"


def test_sentences_name_nodes():
    graph = Sketch(nx.path_graph(2))
    nx.set_node_attributes(graph, {0: "Is A - B?", 1: "no, B-A"}, "text")
    for answer in ([("Is A - B?", "no, B-A")], [("0", 1)], "0 1"):
        assert read("edges", graph, (), answer) == [(0, 1)]
    assert read("camps", graph, (), {"Is A - B?": "x", "no, B-A": "y"}) == {0: 0, 1: 1}
