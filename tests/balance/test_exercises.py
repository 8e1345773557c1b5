"""Exercises against brute force: over many seeds, right answers and corrupted ones are graded as they should."""

import itertools
import os
import re
from functools import cache
from pathlib import Path
from random import Random

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.balance.exercises import EXERCISES, exercise
from paragraph.pairs.datasets import DEMO_KEY

from ..reference import graph_of
from .oracle import (
    Cycles,
    all_right_edges,
    around,
    is_right_graph,
    sense,
    truth_of_camps,
    truth_of_choice,
    truth_of_number,
)

NUMBER = {row.title: number for number, row in enumerate(EXERCISES, 1)}
get = cache(exercise)


def over_seeds(*kinds):
    """Each exercise of these kinds (or of all) on a few seeds; where time is no matter, on many."""
    cases = [
        pytest.param(number, seeds, marks=marks, id=f"{row.title}, {len(seeds)} seeds")
        for number, row in enumerate(EXERCISES, 1) if row.kind in kinds or not kinds
        for seeds, marks in ((range(6), ()), (range(6, 100), pytest.mark.long))
    ]  # fmt: skip
    return pytest.mark.parametrize("number, seeds", cases)


def check(one, answer, right):
    grade = one.grade(answer)
    assert grade.correct == right == bool(grade), (str(one), answer, grade.message)
    assert grade.message and grade.message[-1] in ".?:)", grade.message
    return grade


@over_seeds("choice", "number")
def test_choices_and_numbers(number, seeds):
    seen = set()
    for seed in seeds:
        one = get(number, seed)
        right = truth_of_choice(one) if one.choices else truth_of_number(one)
        seen.add(right)
        assert list(one.solutions()) == [right]
        for choice in one.choices:
            grade = check(one, choice, choice == right)
            if choice != right and len(one.choices) > 2 and len(right) > 1:
                assert right not in grade.message.replace(choice, "")
        if one.choices:
            check(one, f" {right.upper().replace('−', '-')}\n", True)
            continue
        for answer in (right, np.int64(right), float(right), f" {right} "):
            check(one, answer, True)
        for wrong in {-1, 0, right - 1, right + 1, right + 9} - {right}:
            assert not re.search(r"\d", check(one, wrong, False).message)
    assert len(seen) > 1 and (len(seeds) < 50 or seen >= set(one.choices))  # each choice is right at times


def in_some_form(rng, one, edges):
    """The same edges, in another order and orientation, as tuples, sets or words."""
    sentences = "text" in one.graph.nodes[next(iter(one.graph))]
    form = tuple if sentences else rng.choice([tuple, list, frozenset, "-".join])
    found = [form(rng.sample(sorted(pair), 2)) for pair in sorted(edges, key=sorted)]
    rng.shuffle(found)
    return rng.choice([list, tuple, iter])(found)


@over_seeds("edges")
def test_edges(number, seeds):
    for seed in seeds:
        one, rng = get(number, seed), Random(seed)
        right = set(all_right_edges(one))
        assert {frozenset(map(frozenset, answer)) for answer in one.solutions()} == right
        edges = list(map(frozenset, one.graph.edges))
        start = next(iter(right))
        corrupted = [start ^ {pair} for pair in edges]
        corrupted += [start - {old} | {new} for old in start for new in edges if new not in start]
        some = rng.sample(sorted(right, key=str), min(len(right), 5))
        for answer in [*some, *rng.sample(corrupted, min(7, len(corrupted)))]:
            check(one, in_some_form(rng, one, answer), answer in right)
        check(one, [], False)


@over_seeds("cycle")
def test_cycles(number, seeds):
    for seed in seeds:
        one, rng = get(number, seed), Random(seed)
        found = Cycles(one.graph)
        unbalanced = found.unbalanced(sense(one))
        if "shortest" in one.title:
            assert len(set(found.rows[unbalanced].sum(axis=1))) > 1
            unbalanced &= found.rows.sum(axis=1) == found.rows[unbalanced].sum(axis=1).min()
        right = {frozenset(around(nodes)) for nodes, is_ in zip(found.nodes, unbalanced, strict=True) if is_}
        assert {frozenset(around(answer)) for answer in one.solutions()} == right != set()
        for i in rng.sample(range(len(found.nodes)), min(8, len(found.nodes))):
            turn = rng.randrange(len(found.nodes[i]))
            nodes = found.nodes[i][turn:] + found.nodes[i][:turn]
            answer = rng.choice([nodes, nodes[::-1], [*nodes, nodes[0]], "-".join(nodes), "".join(nodes)])
            check(one, answer, bool(unbalanced[i]))
            check(one, in_some_form(rng, one, around(nodes)), bool(unbalanced[i]))
        start = next(iter(right))
        for pair in rng.sample(sorted(found.edges, key=sorted), 5):
            check(one, in_some_form(rng, one, start ^ {pair}), (start ^ {pair}) in right)


@over_seeds("camps")
def test_camps(number, seeds):
    for seed in seeds:
        one, rng = get(number, seed), Random(seed)
        accepted = list(one.solutions())
        for camps in accepted:
            check(one, rng.sample(camps, len(camps)), True)
            check(one, " | ".join(" ".join(camp) for camp in camps), True)
        camp = {node: number for number, camp in enumerate(accepted[0]) for node in sorted(camp)}
        others = range(len(accepted[0]) + 1)
        answers = [camp | {node: other} for node in one.graph for other in others]
        answers += [{node: c - (c == other) for node, c in camp.items()} for other in others[1:-1]]  # two made one
        for answer in answers:
            check(one, answer, truth_of_camps(one, answer))


def corruptions(graph):
    """The graph with one edge turned, taken away or added."""
    for pair in itertools.combinations(graph, 2):
        before = graph.edges[pair]["sign"] if graph.has_edge(*pair) else 0
        for sign in {1, 0, -1} - {before}:
            other = nx.Graph(graph)
            if sign:
                other.add_edge(*pair, sign=sign)
            else:
                other.remove_edge(*pair)
            yield other


@over_seeds("graph")
def test_graphs(number, seeds):
    accepted = 0
    for seed in seeds:
        one, rng, examples = get(number, seed), Random(seed), list(get(number, seed).solutions())
        if one.title == "Take away instead":
            assert len(examples) == len(Cycles(one.graph).fewest(sense(one)))
        for example in examples:
            assert is_right_graph(one, example)
            check(one, example, True)
        drawn = rng.sample(list(corruptions(examples[0])), 5)
        for _ in range(3):  # and on from there: two edges are changed, three, ...
            drawn.append(rng.choice(list(corruptions(drawn[-1]))))
        signs = [sign for *_, sign in examples[0].edges(data="sign")]
        other = nx.Graph(examples[0])  # as many of each sign, elsewhere
        for (a, b), sign in zip(other.edges, rng.sample(signs, len(signs)), strict=True):
            other.add_edge(a, b, sign=sign)
        for graph in (*drawn, other):
            right = is_right_graph(one, graph)
            accepted += right
            check(one, graph, right)
        check(one, one.graph, False)
    if one.title != "Take away instead" and len(seeds) > 50:
        assert accepted > 0  # answers that are right, but not the example


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
    """In the shipped corpus the wrong labels are known: the message says whether they are those that were named."""
    key = pd.read_csv(DEMO_KEY, sep="\t", dtype="str")
    wrong, said = set(map(frozenset, zip(key["question1"], key["question2"], strict=True))), set()
    for number, seed in itertools.product((DOUBT, TRUST), range(8)):
        one = get(number, seed)
        text = one.graph.nodes(data="text")
        for answer in itertools.islice(one.solutions(), 5):
            message = one.grade(answer).message
            agrees, otherwise = "Reading agrees" in message, "Reading suggests otherwise" in message
            assert not agrees or (not otherwise and all(frozenset((text[a], text[b])) in wrong for a, b in answer))
            said.add((number, agrees, otherwise))
    assert said >= {(DOUBT, True, False), (TRUST, True, False), (DOUBT, False, True)}


def test_sentences_are_the_readers_own_where_they_have_some():
    own = graph_of(("<b>one</b>", "two\n- b", 1), ("two\n- b", "three", 1), ("<b>one</b>", "three", 0))
    for number, end in ((DOUBT, "no fewer edges would do."), (TRUST, "would do.")):
        one = exercise(number, 0, own)
        assert "shipped corpus" not in one.question and len(one.hints) == 3  # a sentence adds no hint of its own
        assert [text for _, text in one.graph.nodes(data="text")] == ["<b>one</b>", "two\n- b", "three"]
        grade = one.grade([("two\n- b", "three")])
        assert grade.correct and grade.message.endswith(end)
        assert "<b>one" not in one._repr_html_()
    assert exercise(DOUBT, 0, own).grade([(0, 2)]).correct
    trusted = "The negative label is to be trusted: name positive ones."
    assert exercise(TRUST, 0, own).grade([(0, 2)]) == (False, trusted, ((0, 2, -1),))
    enemies = graph_of(("a", "b", 0), ("b", "c", 0), ("a", "c", 0))  # only one kind of triad is there
    mine = [one for one in (exercise(THIRD, seed, enemies) for seed in range(20)) if "shipped" not in one.question]
    assert 0 < len(mine) < 20 and {next(one.solutions()) for one in mine} == {"either"}
    for number in (DOUBT, TRUST, THIRD):
        one = exercise(number, 0, graph_of(("one", "two", 1), ("two", "three", 0)))
        assert one.question.endswith("(From the shipped corpus: your pairs contain nothing of the kind.)")
        assert one.grade(next(one.solutions())).correct


@pytest.mark.long
def test_sentences_of_quora():
    file = Path(os.environ.get("PARAGRAPH_DATA", ".")) / "qqp" / "qqp_all.tsv.gz"
    if not file.is_file():
        pytest.skip(f"no {file.name}")
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(file))
    for number, seed in itertools.product((DOUBT, TRUST, THIRD), range(20)):
        one = exercise(number, seed, graph)
        assert "shipped corpus" not in one.question
        if one.kind == "choice":
            assert list(one.solutions()) == [truth_of_choice(one)]
            continue
        assert {frozenset(map(frozenset, answer)) for answer in one.solutions()} == set(all_right_edges(one))
        assert "Reading" not in one.grade(next(one.solutions())).message  # nobody knows
