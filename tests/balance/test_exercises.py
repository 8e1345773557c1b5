"""Exercises against brute force: over 100 seeds each, right answers and corrupted ones are graded as they should."""

import itertools
import re
from functools import cache
from random import Random

import networkx as nx
import numpy as np
import pytest

import paragraph as pg
from paragraph.balance.exercises import EXERCISES, exercise
from paragraph.pairs import PairsError

from .oracle import (
    Cycles,
    all_right_edges,
    around,
    is_right_graph,
    sense,
    truth_of_camps,
    truth_of_choice,
    truth_of_number,
)  # fmt: skip

SEEDS = range(100)
NUMBER = {row.title: number for number, row in enumerate(EXERCISES, 1)}


@cache
def get(number, seed):
    return exercise(number, seed)


# -- over 100 seeds --------------------------------------------------------------------------------------


def numbers(kind):
    return [pytest.param(n, id=row.title) for n, row in enumerate(EXERCISES, 1) if row.kind == kind]


def check(one, answer, right):
    grade = one.grade(answer)
    assert grade.correct == right == bool(grade), (str(one), answer, grade.message)
    assert grade.message and grade.message[-1] in ".?:)", grade.message
    return grade


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("number", numbers("cycle"))
def test_cycles(number):
    for seed in SEEDS:
        one, rng = get(number, seed), Random(seed)
        found = Cycles(one.graph)
        unbalanced = found.unbalanced(sense(one))
        if "shortest" in one.title:
            assert len({len(nodes) for nodes, is_ in zip(found.nodes, unbalanced, strict=True) if is_}) > 1
            unbalanced &= found.rows.sum(axis=1) == found.rows[unbalanced].sum(axis=1).min()
        right = {frozenset(around(nodes)) for nodes, is_ in zip(found.nodes, unbalanced, strict=True) if is_}
        assert {frozenset(around(answer)) for answer in one.solutions()} == right != set()
        for i in rng.sample(range(len(found.nodes)), min(8, len(found.nodes))):
            nodes = found.nodes[i]
            turn = rng.randrange(len(nodes))
            nodes = nodes[turn:] + nodes[:turn]
            answer = rng.choice([nodes, nodes[::-1], [*nodes, nodes[0]], "-".join(nodes), "".join(nodes)])
            check(one, answer, bool(unbalanced[i]))
            check(one, in_some_form(rng, one, around(nodes)), bool(unbalanced[i]))
        edges = set(found.edges)
        start = next(iter(right))
        for pair in rng.sample(sorted(edges, key=sorted), 5):
            check(one, in_some_form(rng, one, start ^ {pair}), (start ^ {pair}) in right)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


# -- where they come from --------------------------------------------------------------------------------


def test_table():
    assert len(EXERCISES) >= 20
    assert len(NUMBER) == len(EXERCISES)
    levels = [row.level for row in EXERCISES]
    assert levels == sorted(levels) and set(levels) == set(range(1, max(levels) + 1))


@pytest.mark.parametrize("number", [0, -1, len(EXERCISES) + 1, "one", None, 1.5, []])
def test_unknown_numbers(number):
    with pytest.raises(PairsError, match=f"there is no exercise .*; they are numbered from 1 to {len(EXERCISES)}"):
        exercise(number)


@pytest.mark.parametrize("graph", ["x", nx.Graph(), []], ids=str)
def test_sentences_of_something_else(graph):
    with pytest.raises(PairsError, match="drawn from a ParaphraseGraph, not from a"):
        exercise(NUMBER["The third side"], graph=graph)
