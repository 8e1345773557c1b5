"""Exercises against brute force: over many seeds, the right answers are those that there are, and no others."""

import itertools
import re
from functools import cache

import pandas as pd
import pytest

from paragraph.lesson import EXERCISES, Sheet
from paragraph.lesson.exercises.sentences import _corpus, _triads_but_one
from paragraph.pairs.datasets import DEMO_KEY

from ..balance.oracle import (
    Cycles,
    all_right_edges,
    around,
    is_right_graph,
    sense,
    truth_of_camps,
    truth_of_choice,
    truth_of_number,
)
from ..reference import graph_of

NUMBER = {row.title: number for number, row in enumerate(EXERCISES, 1)}


@cache
def get(number, seed):
    return Sheet(seed).exercise(number)


def over_seeds(*kinds):
    """Each exercise of these kinds (or of all) on a few seeds; where time is no matter, on many."""
    cases = [
        pytest.param(number, seeds, marks=marks, id=f"{row.title}, {len(seeds)} seeds")
        for number, row in enumerate(EXERCISES, 1) if row.kind in kinds or not kinds
        for seeds, marks in ((range(6), ()), (range(6, 100), pytest.mark.long))
    ]  # fmt: skip
    return pytest.mark.parametrize("number, seeds", cases)


@over_seeds("choice", "number")
def test_choices_and_numbers(number, seeds):
    seen = set()
    for seed in seeds:
        one = get(number, seed)
        right = truth_of_choice(one) if one.choices else truth_of_number(one)
        seen.add(right)
        assert list(one.solutions()) == [right]
        for answer, grade in one.replies().items():
            assert grade.correct == (answer == right) and grade.message[-1] in ".?:)", (str(one), answer, grade)
            if one.choices and not grade.correct and len(one.choices) > 2 and len(right) > 1:
                assert right not in grade.message.replace(answer, "")
            assert one.choices or grade.correct or not re.search(r"\d", grade.message)
    assert len(seen) > 1 and (len(seeds) < 50 or seen >= set(one.choices))  # each choice is right at times


@over_seeds("edges")
def test_edges(number, seeds):
    for seed in seeds:
        one = get(number, seed)
        right = set(all_right_edges(one))
        assert {frozenset(map(frozenset, answer)) for answer in one.solutions()} == right


@over_seeds("cycle")
def test_cycles(number, seeds):
    for seed in seeds:
        one = get(number, seed)
        found = Cycles(one.graph)
        unbalanced = found.unbalanced(sense(one))
        if "shortest" in one.title:
            assert len(set(found.rows[unbalanced].sum(axis=1))) > 1
            unbalanced &= found.rows.sum(axis=1) == found.rows[unbalanced].sum(axis=1).min()
        right = {frozenset(around(nodes)) for nodes, is_ in zip(found.nodes, unbalanced, strict=True) if is_}
        assert {frozenset(around(answer)) for answer in one.solutions()} == right != set()


@over_seeds("camps")
def test_camps(number, seeds):
    for seed in seeds:
        one = get(number, seed)
        for camps in one.solutions():
            assert truth_of_camps(one, {node: number for number, camp in enumerate(camps) for node in camp})


@over_seeds("draw", "turn")
def test_graphs(number, seeds):
    for seed in seeds:
        one = get(number, seed)
        examples = list(one.solutions())
        assert all(is_right_graph(one, example) for example in examples) and not is_right_graph(one, one.graph)


WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@over_seeds()
def test_questions_and_hints(number, seeds):
    asked = set()
    for seed in seeds:
        one = get(number, seed)
        signs = sorted((str(a), str(b), sign) for a, b, sign in one.graph.edges(data="sign"))
        asked.add((one.question, str(sorted(one.graph)), str(signs)))
        assert len(one.hints) == len(set(one.hints)) >= 2
        for hint in one.hints if one.kind in ("choice", "number") else ():
            (right,) = one.solutions()
            assert not re.search(rf"(?<!\w){re.escape(str(right))}(?!\w)", hint), (hint, right)
            if one.kind == "number":
                assert not re.search(r"\d", hint) and WORDS[right] not in hint.lower().split()
    assert bool(one.choices) == (one.kind == "choice")
    few = EXERCISES[number - 1].real and one.kind == "edges"  # the corpus contradicts itself in some thirty places
    assert len(asked) >= (min(len(seeds) * 0.9, 25) - 2 if few else len(seeds) * 0.8)


DOUBT, TRUST, THIRD = (NUMBER[t] for t in ("Which label would you doubt", "Trust the negative", "The third side"))


def test_what_reading_suggests():
    key = pd.read_csv(DEMO_KEY, sep="\t", dtype="str")
    wrong, said = set(map(frozenset, zip(key["question1"], key["question2"], strict=True))), set()
    for number, seed in itertools.product((DOUBT, TRUST), range(8)):
        one = get(number, seed)
        text, rule = one.graph.nodes(data="text"), one.asked.rule
        known = set(map(frozenset, rule.get("wrong", ())))
        assert all(frozenset(text[end] for end in pair) in wrong for pair in known)
        said.update((number, set(map(frozenset, answer)) == known) for answer in itertools.islice(one.solutions(), 5))
    assert said >= {(DOUBT, True), (TRUST, True), (DOUBT, False)}


@pytest.mark.parametrize("shown", ["++", "+-", "--"])
def test_each_side_of_a_triad_is_hidden_at_times(shown):
    found = _triads_but_one(_corpus(), shown)
    assert {hidden for _, hidden in found} == {0, 1, 2}
    for triad, hidden in found:
        left = [sign for side, sign in enumerate(triad.signs) if side != hidden]
        assert left.count(-1) == shown.count("-") and (shown != "++" or triad.kind == "+++")


def test_sentences_are_the_readers_own_where_they_have_some():
    own = graph_of(("<b>one</b>", "two\n- b", 1), ("two\n- b", "three", 1), ("<b>one</b>", "three", 0))
    for number, edges in ((DOUBT, {(0, 1), (1, 2), (0, 2)}), (TRUST, {(0, 1), (1, 2)})):
        one = Sheet(0, graph=own).exercise(number)
        assert "shipped corpus" not in one.question and len(one.hints) == 3  # a sentence adds no hint of its own
        assert [text for _, text in one.graph.nodes(data="text")] == ["<b>one</b>", "two\n- b", "three"]
        assert {edge for (edge,) in one.solutions()} == edges and "reading" not in one.asked.rule
    assert Sheet(0, graph=own).exercise(TRUST).asked.rule["trusted"] == [(0, 2)]
    enemies = graph_of(("a", "b", 0), ("b", "c", 0), ("a", "c", 0))  # only one kind of triad is there
    drawn = [Sheet(seed, graph=enemies).exercise(THIRD) for seed in range(20)]
    mine = [one for one in drawn if "shipped" not in one.question]
    assert 0 < len(mine) < 20 and {next(one.solutions()) for one in mine} == {"either"}
    for number in (DOUBT, TRUST, THIRD):
        one = Sheet(0, graph=graph_of(("one", "two", 1), ("two", "three", 0))).exercise(number)
        assert one.question.endswith("(From the shipped corpus: your pairs contain nothing of the kind.)")
        assert next(one.solutions())
