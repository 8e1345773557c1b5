"""Whatever is answered: no answer is an error, and the message helps."""

import itertools

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from paragraph.balance.exercises import EXERCISES, exercise
from paragraph.balance.exercises.answers import Wrong, read

NUMBER = {row.title: number for number, row in enumerate(EXERCISES, 1)}
EVERY = [pytest.param(n, id=row.title) for n, row in enumerate(EXERCISES, 1)]


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


@pytest.mark.parametrize("number", EVERY)
@pytest.mark.parametrize("seed", [0, 1])
def test_no_answer_is_an_error(number, seed):
    one = exercise(number, seed)
    (right, *_) = one.solutions()
    for answer in BAD:
        grade = one.grade(answer)
        assert isinstance(grade.message, str) and grade.message
        assert not grade.correct or (one.kind == "number" and answer == right)
    graph = nx.Graph(one.graph)
    graph.add_edge(*list(graph)[:2])  # no sign
    assert not one.grade(graph).correct
    graph.add_edge(*list(graph)[:2], sign=0)
    assert not one.grade(graph).correct


@pytest.mark.parametrize(
    ("title", "answer", "message"),
    [
        ("Name the triad", "+", "'+' is none of the choices: +++, ++-, +--, ---."),
        ("Name the triad", 3, "The answer is one of: +++, ++-, +--, ---. This is a int."),
        ("How many flips", "two", "The answer is a whole number, not 'two'."),
        ("One flip", 7, "7 is neither a list nor a set."),
        ("One flip", [("A", "?")], "'?' is no node of this graph."),
        ("A shortest unbalanced cycle", [], "A cycle has at least three edges."),
        ("Find the camps", [], "{0} is in no camp."),
        ("Find the camps", "{0} | {0}", "{0} is in two camps, or twice in one."),
        (
            "Weakly, not strongly",
            "A-B",
            "This is no signed graph: a str is neither a ParaphraseGraph nor a networkx graph",
        ),
        ("Weakly, not strongly", nx.Graph(), "{0} is missing."),
    ],
)
def test_messages_help(title, answer, message):
    one = exercise(NUMBER[title], 0)
    if title == "One flip":
        one = next(exercise(NUMBER[title], seed) for seed in range(100) if "A" in exercise(NUMBER[title], seed).graph)
    first = next(iter(one.graph))
    answer = answer.format(first) if isinstance(answer, str) else answer
    assert one.grade(answer)[:2] == (False, message.format(first))


def test_a_cycle_is_one():
    one = next(
        one
        for seed in itertools.count()
        for one in [exercise(NUMBER["An unbalanced cycle, for two camps"], seed)]
        if len(list(nx.simple_cycles(one.graph))) > 2
    )
    graph = one.graph
    a, b = next(pair for pair in itertools.combinations(graph, 2) if not graph.has_edge(*pair))
    c = next(iter(graph[a]))
    assert one.grade([(a, b)]).message == f"{a} and {b} are not joined."
    assert one.grade([(a, c)]).message == f"These edges are no single cycle: {a} has only one edge of them."
    assert (
        one.grade([a, c, a, c]).message == "A cycle passes through each of its nodes once; one of yours occurs twice."
    )
    assert one.grade([a, c]).message == "A cycle has at least three edges."


def test_scribbling_on_what_is_shown_changes_no_grade():
    for number in range(1, len(EXERCISES) + 1):
        one = exercise(number, 2)
        answer = next(one.solutions())
        one.graph.remove_nodes_from(list(one.graph))
        assert one.grade(answer).correct


def test_two_cycles_are_not_one():
    two = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(4))
    with pytest.raises(Wrong, match="These edges are more than one cycle"):
        read("cycle", two, (), list(two.edges))
    eight = nx.Graph([(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)])
    with pytest.raises(Wrong, match="These edges are no single cycle: 0 has 4 edges of them"):
        read("cycle", eight, (), list(eight.edges))


@pytest.mark.parametrize(
    "answer",
    ["A-B, C-A", "AB CA", "A—B, C‑A", "A−B; CA", "A – B", [("B", "A"), ["A", "C"]], ("A", "B"), [{"A", "B"}, "C-A"]],
)
def test_edges_are_read_kindly(answer):
    graph = nx.cycle_graph(["A", "B", "C"])
    found = {frozenset(pair) for pair in read("edges", graph, (), answer)}
    assert found in ({frozenset("AB")}, {frozenset("AB"), frozenset("AC")})
    assert len(found) == (1 if answer in ("A – B", ("A", "B")) else 2)


@pytest.mark.parametrize(
    "answer", ["ABC", "A B C", "A-B-C-A", ["A", "B", "C", "A"], "AB BC CA", ["A-B", "BC", ("C", "A")]]
)
def test_cycles_are_read_kindly(answer):
    assert sorted(read("cycle", nx.cycle_graph(["A", "B", "C"]), (), answer)) == ["A", "B", "C"]


def test_sentences_name_nodes():
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, {0: "Is A - B?", 1: "no, B-A"}, "text")
    assert read("edges", graph, (), [("Is A - B?", "no, B-A")]) == [(0, 1)]
    assert read("edges", graph, (), [("0", 1)]) == read("edges", graph, (), "0 1") == [(0, 1)]
    assert read("camps", graph, (), {"Is A - B?": "x", "no, B-A": "y"}) == {0: 0, 1: 1}
