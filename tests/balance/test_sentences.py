"""Exercises on real sentences: whose they are, and what reading suggests."""

import os
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg
from paragraph.balance.exercises import EXERCISES, exercise
from paragraph.pairs.demo import DEMO_KEY

from .oracle import all_right_edges, truth_of_choice

NUMBER = {row.title: number for number, row in enumerate(EXERCISES, 1)}


def test_what_reading_suggests():
    """In the shipped corpus the wrong labels are known: the message says whether they are those that were named."""
    said = set()
    for title in ("Which label would you doubt", "Trust the negative"):
        for seed in range(30):
            one = exercise(NUMBER[title], seed)
            for answer in one.solutions():
                message = one.grade(answer).message
                assert ("Reading agrees" in message) + ("Reading suggests otherwise" in message) <= 1
                said.add((title, "agrees" in message, "otherwise" in message))
    key = pd.read_csv(DEMO_KEY, sep="\t", dtype="str")
    assert {(title, True, False) for title, *_ in said} <= said
    assert ("Which label would you doubt", False, True) in said
    wrong = {frozenset(pair) for pair in zip(key["question1"], key["question2"], strict=True)}
    one = exercise(NUMBER["Which label would you doubt"], 1)
    text = one.graph.nodes(data="text")
    agreed = [a for a in one.solutions() if "agrees" in one.grade(a).message]
    assert all(frozenset((text[a], text[b])) in wrong for answer in agreed for a, b in answer)


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
        ((0, 2, -1),),
    )


def test_the_shipped_corpus_stands_in():
    fine = torn(("one", "two", 1), ("two", "three", 0))
    for title in ("Which label would you doubt", "Trust the negative", "The third side"):
        one = exercise(NUMBER[title], 0, fine)
        assert one.question.endswith("(From the shipped corpus: your pairs contain nothing of the kind.)")
        assert one.grade(next(one.solutions())).correct


def test_real_triads_of_the_readers_own():
    own = torn(("a", "b", 0), ("b", "c", 0), ("a", "c", 0))
    found = [exercise(NUMBER["The third side"], seed, own) for seed in range(20)]
    mine = [one for one in found if "shipped" not in one.question]
    assert mine and len(mine) < 20  # only one kind of triad is there
    assert {next(one.solutions()) for one in mine} == {"either"}


DATA = os.environ.get("PARAGRAPH_DATA")
QQP = Path(DATA or ".") / "qqp" / "qqp_all.tsv.gz"


@pytest.mark.slow
@pytest.mark.skipif(not DATA or not QQP.exists(), reason="PARAGRAPH_DATA does not name a folder with qqp_all.tsv.gz")
@pytest.mark.parametrize("title", ["The third side", "Which label would you doubt", "Trust the negative"])
def test_sentences_of_quora(title):
    graph = quora()
    for seed in range(20):
        one = exercise(NUMBER[title], seed, graph)
        assert "shipped corpus" not in one.question
        if one.kind == "choice":
            assert list(one.solutions()) == [truth_of_choice(one)]
        else:
            right = {frozenset(map(frozenset, answer)) for answer in one.solutions()}
            assert right == set(all_right_edges(one))
            assert "Reading" not in one.grade(next(one.solutions())).message  # nobody knows


@cache
def quora():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(QQP))
