"""Exercises against brute force: over 100 seeds each, right answers and their corruptions are graded as they should.

Nothing here asks the library: cycles are listed, and subsets, signs and camps tried one by one.
"""

import itertools
import re
from functools import cache
from random import Random

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.balance.exercises import EXERCISES, exercise
from paragraph.pairs import PairsError

SEEDS = range(100)
NUMBER = {row.title: number for number, row in enumerate(EXERCISES, 1)}
HOSTILE = ("at odds", "cannot stand", "avoid", "quarrels")


@cache
def get(number, seed):
    return exercise(number, seed)


# -- brute force -----------------------------------------------------------------------------------------


class Cycles:
    """All cycles of a graph as rows of edges, so that all sets of edges can be tried at once."""

    def __init__(self, graph):
        self.edges = [frozenset(pair) for pair in graph.edges]
        column = {pair: i for i, pair in enumerate(self.edges)}
        self.nodes = [list(cycle) for cycle in nx.simple_cycles(graph)]
        self.rows = np.zeros((len(self.nodes), len(self.edges)), dtype=int)
        for row, nodes in zip(self.rows, self.nodes, strict=True):
            row[[column[pair] for pair in around(nodes)]] = 1
        self.negative = np.array([graph.edges[tuple(pair)]["sign"] < 0 for pair in self.edges], dtype=int)

    def guilty(self, kind, turned=()):
        """Which cycles are guilty once some edges are turned?"""
        negative = self.negative.copy()
        for pair in turned:
            negative[self.edges.index(frozenset(pair))] ^= 1
        count = self.rows @ negative
        return count == 1 if kind == "weak" else count % 2 == 1

    def fewest(self, kind):
        """All smallest sets of edges that leave no cycle guilty once they are turned."""
        for size in range(len(self.edges) + 1):
            sets = list(itertools.combinations(range(len(self.edges)), size))
            negative = np.tile(self.negative, (len(sets), 1))
            for row, chosen in zip(negative, sets, strict=True):
                row[list(chosen)] ^= 1
            count = negative @ self.rows.T
            fine = ~(count == 1 if kind == "weak" else count % 2 == 1).any(axis=1)
            if fine.any():
                return [frozenset(self.edges[i] for i in sets[at]) for at in np.flatnonzero(fine)]


def around(nodes):
    return [frozenset(pair) for pair in zip(nodes, nodes[1:] + nodes[:1], strict=True)]


def balanced(graph, kind):
    return not Cycles(graph).guilty(kind).any()


def triads(graph):
    """The number of negatives in each triad."""
    for three in itertools.combinations(graph, 3):
        pairs = list(itertools.combinations(three, 2))
        if all(graph.has_edge(*pair) for pair in pairs):
            yield sum(graph.edges[pair]["sign"] < 0 for pair in pairs)


def sense(one):
    return "strong" if "strongly balanced" in one.question or "two camps" in one.title.lower() else "weak"


def type_of(negatives):
    return "+" * (3 - negatives) + "-" * negatives


def truth_of_choice(one):
    graph, title = one.graph, one.title
    if title == "Name the triad":
        return type_of(*triads(graph))
    if title == "A triad in words":
        *told, asked = one.question.split(". ")
        three = re.findall("[A-Z][a-z]+", asked.split("triad of ")[1])
        among = [line for line in told if sum(name in line.split() for name in three) == 2]
        assert len(among) == 3
        return type_of(sum(any(word in line for word in HOSTILE) for line in among))
    if title == "A triad in a crowd":
        three = re.search(r"triad of (\w), (\w) and (\w)", one.question).groups()
        return type_of(*triads(graph.subgraph(three)))
    if title == "Once around":
        return "+" if np.prod([sign for *_, sign in graph.edges(data="sign")]) > 0 else "−"
    if title in ("Two camps or not", "Camps or not"):
        return "balanced" if balanced(graph, sense(one)) else "not balanced"
    if title == "Strong, weak or neither":
        strong, weak = balanced(graph, "strong"), balanced(graph, "weak")
        return "strongly balanced" if strong else "only weakly balanced" if weak else "not balanced"
    if title == "The third side":
        ((a, b),) = nx.non_edges(graph)
    else:
        a, b = re.search(r"Join (\w) and (\w)", one.question).groups()
        assert balanced(graph, sense(one)) and not graph.has_edge(a, b)
    fits = []
    for sign in (1, -1):
        more = nx.Graph(graph)
        more.add_edge(a, b, sign=sign)
        fits.append(balanced(more, sense(one) if title == "The missing sign" else "weak"))
    return {(True, True): "either", (True, False): "+", (False, True): "−"}[tuple(fits)]


def truth_of_number(one):
    graph, title = one.graph, one.title
    if title == "Count the triads":
        kind = re.search(r"type ([+-]{3})", one.question)[1]
        return [type_of(negatives) for negatives in triads(graph)].count(kind)
    if title == "How many camps":
        assert balanced(graph, "weak")
        return nx.number_connected_components(positive(graph))
    if title == "How many flips":
        return len(Cycles(graph).fewest(sense(one))[0])
    gone = [(line[0], line[2]) for line in re.search(r"edges (.*) away", one.question)[1].split(", ")]
    left = nx.Graph(graph)
    left.remove_edges_from(gone)
    assert nx.is_connected(left) and balanced(left, "strong")
    nodes = list(graph)
    (camp,) = [  # the first node's camp is 0, so there is one way only
        camp
        for deal in itertools.product([0, 1], repeat=len(nodes) - 1)
        for camp in [dict(zip(nodes, (0, *deal), strict=True))]
        if all((camp[a] == camp[b]) == (sign > 0) for a, b, sign in left.edges(data="sign"))
    ]
    return sum((camp[a] == camp[b]) != (graph.edges[a, b]["sign"] > 0) for a, b in gone)


def positive(graph):
    friends = nx.Graph()
    friends.add_nodes_from(graph)
    friends.add_edges_from((a, b) for a, b, sign in graph.edges(data="sign") if sign > 0)
    return friends


def all_right_edges(one):
    """Every right set of edges."""
    graph = one.graph
    if one.title == "What turns next":
        unbalanced = [negatives % 2 for negatives in triads(graph)].count(1)
        right = []
        for pair in graph.edges:
            after = nx.Graph()
            after.add_edges_from((a, b, {"sign": sign}) for a, b, sign in graph.edges(data="sign"))
            after.edges[pair]["sign"] *= -1
            in_one = any(n % 2 for node in graph for n in triads(graph.subgraph({*pair, node})))
            if in_one and [negatives % 2 for negatives in triads(after)].count(1) <= unbalanced:
                right.append(frozenset(pair))
        return [frozenset(right)]
    found = Cycles(graph)
    if one.title != "Trust the negative":
        return found.fewest(sense(one))
    (negative,) = np.flatnonzero(found.negative)
    through = found.rows[found.rows[:, negative] == 1]  # each must lose an edge, but not the negative
    others = [i for i in range(len(found.edges)) if i != negative]
    for size in range(1, len(others) + 1):
        sets = [s for s in itertools.combinations(others, size) if (through[:, s].sum(axis=1) > 0).all()]
        if sets:
            return [frozenset(found.edges[i] for i in chosen) for chosen in sets]


def truth_of_camps(one, camp):
    agrees = all((camp[a] == camp[b]) == (sign > 0) for a, b, sign in one.graph.edges(data="sign"))
    return agrees and (one.title != "Find the two camps" or len(set(camp.values())) <= 2)


def is_right_graph(one, drawn):
    """Is a graph on the right nodes what the question asks for?"""
    signs = {frozenset(pair): drawn.edges[pair]["sign"] for pair in drawn.edges}
    shown = {frozenset(pair): one.graph.edges[pair]["sign"] for pair in one.graph.edges}
    numbers = [int(number) for number in re.findall(r"\d+", one.question)]
    counts = [list(triads(drawn)).count(negatives) for negatives in range(4)]
    if one.title == "Take away instead":
        gone = len(shown) - len(signs)
        kept = all(shown.get(pair) == sign for pair, sign in signs.items())
        return kept and balanced(drawn, sense(one)) and gone == least(one)
    if one.title == "Signs for a census":
        asked = [int(re.search(rf"(\d+) × {re.escape(type_of(k))}", one.question)[1]) for k in range(4)]
        return set(signs) == set(shown) and counts == asked
    if one.title == "As far as asked":
        return set(signs) == set(shown) and len(Cycles(drawn).fewest("strong")[0]) == numbers[0]
    if len(signs) != numbers[0] or not nx.is_connected(drawn):
        return False
    if one.title == "Weakly, not strongly":
        friends = list(signs.values()).count(1)
        return friends == numbers[1] and balanced(drawn, "weak") and not balanced(drawn, "strong")
    guilty = counts[1] + (counts[3] if sense(one) == "strong" else 0)
    return sum(counts) > 0 and not guilty and not balanced(drawn, sense(one))


@cache
def least(one):
    return len(Cycles(one.graph).fewest(sense(one))[0])


# -- over 100 seeds --------------------------------------------------------------------------------------


def numbers(kind):
    return [pytest.param(n, id=row.title) for n, row in enumerate(EXERCISES, 1) if row.kind == kind]


def check(one, answer, right):
    grade = one.grade(answer)
    assert grade.correct == right == bool(grade), (str(one), answer, grade.message)
    assert grade.message and grade.message[-1] in ".?:)", grade.message
    return grade


@pytest.mark.parametrize("number", numbers("choice"))
def test_choices(number):
    seen = set()
    for seed in SEEDS:
        one = get(number, seed)
        right = truth_of_choice(one)
        seen.add(right)
        assert list(one.solutions()) == [right]
        for choice in one.choices:
            grade = check(one, choice, choice == right)
            if choice != right and len(one.choices) > 2 and len(right) > 1:
                assert right not in grade.message.replace(choice, "")
        check(one, f" {right.upper().replace('−', '-')}\n", True)
    assert seen == set(get(number, 0).choices)  # each choice is right at times


@pytest.mark.parametrize("number", numbers("number"))
def test_numbers(number):
    seen = set()
    for seed in SEEDS:
        one = get(number, seed)
        right = truth_of_number(one)
        seen.add(right)
        assert list(one.solutions()) == [right]
        for answer in (right, np.int64(right), float(right), f" {right} "):
            check(one, answer, True)
        for off in (-right - 1, -right, -2, -1, 1, 2, 9):
            if off:
                grade = check(one, right + off, False)
                assert not re.search(r"\d", grade.message)
    assert len(seen) > 1


def in_some_form(rng, one, edges):
    """The same edges, in another order and orientation, as tuples, sets or words."""
    sentences = "text" in one.graph.nodes[next(iter(one.graph))]
    form = tuple if sentences else rng.choice([tuple, list, frozenset, "-".join])
    found = [form(rng.sample(sorted(pair), 2)) for pair in sorted(edges, key=sorted)]
    rng.shuffle(found)
    return rng.choice([list, tuple, iter])(found)


@pytest.mark.parametrize("number", numbers("edges"))
def test_edges(number):
    for seed in SEEDS:
        one, rng = get(number, seed), Random(seed)
        right = set(all_right_edges(one))
        assert {frozenset(map(frozenset, answer)) for answer in one.solutions()} == right
        for answer in rng.sample(sorted(right, key=str), min(len(right), 5)):
            check(one, in_some_form(rng, one, answer), True)
        edges = list(map(frozenset, one.graph.edges))
        start = next(iter(right))
        corrupted = [start ^ {pair} for pair in edges]
        corrupted += [start - {old} | {new} for old in start for new in edges if new not in start]
        for answer in rng.sample(corrupted, min(7, len(corrupted))):
            check(one, in_some_form(rng, one, answer), answer in right)
        check(one, [], False)


@pytest.mark.parametrize("number", numbers("cycle"))
def test_cycles(number):
    for seed in SEEDS:
        one, rng = get(number, seed), Random(seed)
        found = Cycles(one.graph)
        guilty = found.guilty(sense(one))
        if "shortest" in one.title:
            assert len({len(nodes) for nodes, is_ in zip(found.nodes, guilty, strict=True) if is_}) > 1
            guilty &= found.rows.sum(axis=1) == found.rows[guilty].sum(axis=1).min()
        right = {frozenset(around(nodes)) for nodes, is_ in zip(found.nodes, guilty, strict=True) if is_}
        assert {frozenset(around(answer)) for answer in one.solutions()} == right != set()
        for i in rng.sample(range(len(found.nodes)), min(8, len(found.nodes))):
            nodes = found.nodes[i]
            turn = rng.randrange(len(nodes))
            nodes = nodes[turn:] + nodes[:turn]
            answer = rng.choice([nodes, nodes[::-1], [*nodes, nodes[0]], "-".join(nodes), "".join(nodes)])
            check(one, answer, bool(guilty[i]))
            check(one, in_some_form(rng, one, around(nodes)), bool(guilty[i]))
        edges = set(found.edges)
        start = next(iter(right))
        for pair in rng.sample(sorted(edges, key=sorted), 5):
            check(one, in_some_form(rng, one, start ^ {pair}), (start ^ {pair}) in right)


@pytest.mark.parametrize("number", numbers("camps"))
def test_camps(number):
    for seed in SEEDS:
        one, rng = get(number, seed), Random(seed)
        accepted = list(one.solutions())
        for camps in accepted:
            check(one, rng.sample(camps, len(camps)), True)
            check(one, " | ".join(" ".join(camp) for camp in camps), True)
        camp = {node: number for number, camp in enumerate(accepted[0]) for node in sorted(camp)}
        for node in one.graph:
            for other in range(len(accepted[0]) + 1):
                answer = camp | {node: other}
                check(one, answer, truth_of_camps(one, answer))
        for other in range(len(accepted[0]) - 1):  # two camps thrown together
            answer = {node: other if c == other + 1 else c for node, c in camp.items()}
            check(one, answer, truth_of_camps(one, answer))


def corruptions(graph):
    """A graph with one edge turned, taken away or added."""
    for pair in itertools.combinations(graph, 2):
        if graph.has_edge(*pair):
            turned, without = nx.Graph(graph), nx.Graph(graph)
            turned.add_edge(*pair, sign=-graph.edges[pair]["sign"])
            without.remove_edge(*pair)
            yield from (turned, without)
        else:
            for sign in (1, -1):
                more = nx.Graph(graph)
                more.add_edge(*pair, sign=sign)
                yield more


@pytest.mark.parametrize("number", numbers("graph"))
def test_graphs(number):
    accepted = 0
    for seed in SEEDS:
        one, rng = get(number, seed), Random(seed)
        examples = list(one.solutions())
        for example in examples:
            assert is_right_graph(one, example)
            check(one, example, True)
        if one.title == "Take away instead":
            assert len(examples) == len(Cycles(one.graph).fewest(sense(one)))
        for drawn in rng.sample(list(corruptions(examples[0])), 5):
            check(one, drawn, is_right_graph(one, drawn))
        drawn = examples[0]
        for _ in range(3):  # and on from there: two edges are changed, three, ...
            drawn = rng.choice(list(corruptions(drawn)))
            right = is_right_graph(one, drawn)
            accepted += right
            check(one, drawn, right)
        signs = [sign for *_, sign in examples[0].edges(data="sign")]
        other = nx.Graph(examples[0])  # as many of each sign, elsewhere
        for (a, b), sign in zip(other.edges, rng.sample(signs, len(signs)), strict=True):
            other.add_edge(a, b, sign=sign)
        right = is_right_graph(one, other)
        accepted += right
        check(one, other, right)
        check(one, one.graph, False)
    if one.title != "Take away instead":
        assert accepted > 0  # answers that are right, but not the example


EVERY = [pytest.param(n, id=row.title) for n, row in enumerate(EXERCISES, 1)]
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@pytest.mark.parametrize("number", EVERY)
def test_questions_and_hints(number):
    asked = set()
    for seed in SEEDS:
        one = get(number, seed)
        signs = sorted((str(a), str(b), sign) for a, b, sign in one.graph.edges(data="sign"))
        asked.add((one.question, str(sorted(one.graph)), str(signs)))
        assert len(one.hints) == len(set(one.hints)) >= 2
        if one.kind in ("choice", "number"):
            (right,) = one.solutions()
            for hint in one.hints:
                assert not re.search(rf"(?<!\w){re.escape(str(right))}(?!\w)", hint), (hint, right)
                if one.kind == "number":
                    assert not re.search(r"\d", hint) and WORDS[right] not in hint.lower().split()
        assert not one.choices or one.kind == "choice"
    real = "text" in one.graph.nodes[next(iter(one.graph))] and one.kind == "edges"
    assert len(asked) >= (25 if real else 95)  # the shipped corpus contradicts itself in some thirty places


def test_what_may_turn_next_does():
    """The first step of a run, over many seeds, is each of the edges that may turn, and no other."""
    for seed in range(5):
        one = get(NUMBER["What turns next"], seed)
        (right,) = one.solutions()
        runs = [pg.balance.dynamics(one.graph, "constrained", seed=s) for s in range(150)]
        assert {frozenset(run.forward().edge) for run in runs} == set(map(frozenset, right))


def test_what_reading_suggests():
    """In the shipped corpus the wrong labels are known: the message says whether they are those that were named."""
    said = set()
    for title in ("Which label would you doubt", "Trust the negative"):
        for seed in range(30):
            one = get(NUMBER[title], seed)
            for answer in one.solutions():
                message = one.grade(answer).message
                assert ("Reading agrees" in message) + ("Reading suggests otherwise" in message) <= 1
                said.add((title, "agrees" in message, "otherwise" in message))
    key = pd.read_csv(pg.demo.DEMO_KEY, sep="\t", dtype="str")
    assert {(title, True, False) for title, *_ in said} <= said
    assert ("Which label would you doubt", False, True) in said
    wrong = {frozenset(pair) for pair in zip(key["question1"], key["question2"], strict=True)}
    one = get(NUMBER["Which label would you doubt"], 1)
    text = one.graph.nodes(data="text")
    agreed = [a for a in one.solutions() if "agrees" in one.grade(a).message]
    assert all(frozenset((text[a], text[b])) in wrong for answer in agreed for a, b in answer)


# -- whatever is answered --------------------------------------------------------------------------------


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
    [{"A"}, {"A"}], [float("nan")], itertools.count(), itertools.repeat(("A", "B")), iter([]), object(), Odd(), Odd,
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
        ("A shortest guilty cycle", [], "A cycle has at least three edges."),
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
    one = get(NUMBER[title], 0)
    if title == "One flip":
        one = next(get(NUMBER[title], seed) for seed in SEEDS if "A" in get(NUMBER[title], seed).graph)
    first = next(iter(one.graph))
    answer = answer.format(first) if isinstance(answer, str) else answer
    assert one.grade(answer) == (False, message.format(first))


def test_a_cycle_is_one():
    one = next(
        one
        for seed in itertools.count()
        for one in [exercise(NUMBER["A guilty cycle, for two camps"], seed)]
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


# -- where they come from --------------------------------------------------------------------------------


def test_table():
    assert len(EXERCISES) >= 20
    assert len(NUMBER) == len(EXERCISES)
    levels = [row.level for row in EXERCISES]
    assert levels == sorted(levels) and set(levels) == set(range(1, max(levels) + 1))


@pytest.mark.parametrize("number", [0, -1, len(EXERCISES) + 1, "one", None, 1.5])
def test_unknown_numbers(number):
    with pytest.raises(PairsError, match=f"there is no exercise .*; they are numbered from 1 to {len(EXERCISES)}"):
        exercise(number)


def torn(*pairs):
    table = pd.DataFrame(pairs, columns=["text_a", "text_b", "label"]).assign(row=range(2, 2 + len(pairs)))
    return pg.ParaphraseGraph.from_pairs(table)


def test_sentences_are_the_readers_own_where_they_have_some():
    own = torn(("<b>one</b>", "two", 1), ("two", "three", 1), ("<b>one</b>", "three", 0))
    for title in ("Which label would you doubt", "Trust the negative"):
        one = exercise(NUMBER[title], 0, own)
        assert "shipped corpus" not in one.question
        assert [text for _, text in one.graph.nodes(data="text")] == ["<b>one</b>", "two", "three"]
        assert one.grade([("two", "three")]).message.endswith(
            "no fewer edges would do." if "doubt" in title else "would do."
        )
        assert one.grade([("two", "three")]).correct
        assert "<b>" not in one._repr_html_().replace("<b>" + f"{one.number}. {title}", "")
    assert exercise(NUMBER["Which label would you doubt"], 0, own).grade([(0, 2)]).correct
    assert exercise(NUMBER["Trust the negative"], 0, own).grade([(0, 2)]) == (
        False,
        "The negative label is to be trusted: name positive ones.",
    )


def test_the_shipped_corpus_stands_in():
    fine = torn(("one", "two", 1), ("two", "three", 0))
    for title in ("Which label would you doubt", "Trust the negative", "The third side"):
        one = exercise(NUMBER[title], 0, fine)
        assert one.question.endswith("(From the shipped corpus: your pairs hold nothing of the kind.)")
        assert one.grade(next(one.solutions())).correct


def test_real_triads_of_the_readers_own():
    own = torn(("a", "b", 0), ("b", "c", 0), ("a", "c", 0))
    found = [exercise(NUMBER["The third side"], seed, own) for seed in range(20)]
    mine = [one for one in found if "shipped" not in one.question]
    assert mine and len(mine) < 20  # only one kind of triad is there
    assert {next(one.solutions()) for one in mine} == {"either"}
