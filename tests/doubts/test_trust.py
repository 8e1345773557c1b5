"""Probabilities of labels that follow, against their definition; closures of those that are sure enough."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.doubts.prior import Prior, probability
from paragraph.doubts.trust import Trusted, trust

from ..reference import graph_of
from ..refused import refused

#: P(same) of pairs of sentences, by their letters.
SAME = {"ab": 0.9, "bc": 0.6, "cd": 0.8, "ac": 0.7, "ad": 0.3, "bd": 0.5, "dx": 0.2, "ax": 0.1, "bx": 0.4, "cx": 0.35}
ROWS = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("d", "x", 0)]


def judge(left, right):
    return np.array([SAME["".join(sorted(pair))] for pair in zip(left, right, strict=True)])


def by_definition(a, b, label):
    p = SAME["".join(sorted((a, b)))]
    return p if label else 1 - probability(Prior.shipped("follows").normal(), np.array([[1, np.log(p / (1 - p))]]))[0]


@pytest.fixture
def friends():
    return trust(pg.infer(graph_of(*ROWS)), judge)


def test_p_right_is_p_same_and_of_negatives_falls_with_it(friends):
    table = friends.to_frame()
    assert sorted(table["text_a"] + table["text_b"]) == ["ac", "ad", "ax", "bd", "bx", "cx"]
    for row in table.itertuples():
        expected = by_definition(row.text_a, row.text_b, row.label)
        assert row.p_right == pytest.approx(expected, abs=1e-6)
    told = table.set_index(table["text_a"] + table["text_b"])["p_right"]
    assert told["ac"] > told["ad"] and told["ax"] > told["bx"]  # the more alike, the surer; of negatives the less


@pytest.mark.parametrize("level", [0, 0.2, 0.5, 0.9, 1])
def test_a_level_keeps_what_is_as_sure_in_every_way_of_asking(friends, level):
    table, sure = friends.to_frame(), trust(pg.infer(friends.graph), judge, sure=level)
    kept = table[table["p_right"] >= level].reset_index(drop=True)
    pd.testing.assert_frame_equal(sure.to_frame(), kept)
    assert sure.counts() == {
        name: int((kept["label"] == label).sum()) for name, label in [("positive", 1), ("negative", 0)]
    }
    drawn = sure.sample(3)
    assert len(drawn) == min(3, len(kept)) and {*drawn["p_right"]} <= {*kept["p_right"]}
    augmented = pg.four_datasets(sure)["augmented"]
    assert len(augmented) == len(ROWS) + len(kept)
    [row] = friends.levels([level]).itertuples()
    assert (row.positive, row.negative) == tuple(sure.counts().values())
    sums = kept.groupby("label")["p_right"].sum()
    assert row.positive_right == pytest.approx(sums.get(1, 0)) and row.negative_right == pytest.approx(sums.get(0, 0))


def test_a_closure_says_what_it_keeps_and_a_reader_of_english_that_it_reads_no_other(friends):
    sure = replace(trust(pg.infer(friends.graph), judge, sure=0.6))
    assert "at most 3 positive and 3 negative, right with probability 0.6 or more" in repr(sure)
    assert "object at 0x" not in repr(sure) + repr(friends)
    german = graph_of(
        *((f"Wie alt ist der Hund von {a}?", f"Wie alt ist der Hund von {a + 1}?", 1) for a in range(20))
    )
    with pytest.warns(UserWarning, match="not seem to be English"):
        trust(pg.infer(german), "minilm")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trust(pg.infer(german), judge)


def test_levels_of_a_closure_are_those_of_all_that_follow(friends):
    sure = trust(pg.infer(friends.graph), judge, sure=0.6)
    pd.testing.assert_frame_equal(sure.levels(), friends.levels())
    told, p = sure.levels([0, 0.6]), friends.to_frame().query("label == 1")["p_right"]
    assert told["positive"].tolist() == [3, sure.counts()["positive"]] and told["positive"][1] > 0
    assert told["positive_right"].tolist() == pytest.approx([p.sum(), p[p >= 0.6].sum()], abs=1e-4)


def test_a_level_counts_among_labels_that_a_function_keeps(friends):
    positives = replace(pg.infer(friends.graph), keep=lambda batch: batch.label == 1)
    for n in (None, 3):
        assert trust(positives, judge).levels([0], n)[["positive", "negative"]].values.tolist() == [[3, 0]]
        sure = trust(positives, judge, sure=0.6)
        assert len(sure.to_frame()) == sure.levels([0.6], n)["positive"][0] == 1


def test_levels_of_a_sample_ask_about_it_alone(friends):
    asked = []

    def counted(left, right):
        asked.extend(zip(left, right, strict=True))
        return judge(left, right)

    levels = trust(pg.infer(friends.graph), counted).levels([0.0], n=2)
    assert levels[["positive", "negative"]].sum(axis=1).tolist() == [6]
    assert len({frozenset(pair) for pair in asked}) == 2


def test_an_audit_calibrates_and_its_own_pairs_hold(friends):
    rows = [(f"{i}{a}", f"{i}{b}", 1) for i in range(30) for a, b in ("ab", "bc")]
    graph = graph_of(*rows)
    half = trust(pg.infer(graph), lambda left, right: [0.6] * len(left))
    said = pd.DataFrame({"text_a": [f"{i}a" for i in range(20)], "text_b": [f"{i}c" for i in range(20)], "same": 0})
    told = trust(pg.infer(graph), lambda left, right: [0.6] * len(left), answers=said)
    before, after = (each.to_frame().set_index("text_a")["p_right"] for each in (half, told))
    assert (after[said["text_a"]] < 0.03).all()
    assert (after["25a"] < before["25a"]) and after["25a"] < 0.35
    right = trust(pg.infer(graph), lambda left, right: [0.6] * len(left), answers=said.assign(same=1))
    assert (right.to_frame()["p_right"] > after["25a"]).all()


def test_negatives_that_follow_are_as_right_as_stated_ones_and_their_judge_speaks_on_its_own_scale():
    rows = [row for i in range(40) for row in ((f"{i}a", f"{i}b", 1), (f"{i}b", f"{i}x", 0))]
    stated = pd.DataFrame([row[:2] for row in rows if not row[2]], columns=["text_a", "text_b"])

    def shy(left, right):
        return [0.05 if {a[-1], b[-1]} == {"a", "b"} else 0.001 for a, b in zip(left, right, strict=True)]

    def p_right(judge, audit=None):
        table = trust(pg.infer(graph_of(*rows)), judge, answers=audit).to_frame()
        return table.loc[table["label"] == 0, "p_right"].mean()

    before, good, bad = (p_right(shy, given) for given in (None, stated.assign(same=0), stated.assign(same=1)))
    assert good > before > bad and good > 0.95 and bad < 0.5
    alike = p_right(lambda left, right: [0.05] * len(left))  # as alike as those stated 1, to this judge
    assert alike == pytest.approx(p_right(lambda left, right: [0.5] * len(left)), abs=1e-6)


@pytest.mark.parametrize("options, message", [
    ({"sure": 1.5}, "sure 1.5 is not between 0 and 1"),
    ({"judge": None}, "words alone cannot tell"), ({"judge": "no/such/model"}, "no/such/model"),
])  # fmt: skip
def test_what_cannot_be_asked_is_told(options, message):
    refused(message, lambda: trust(pg.infer(graph_of(*ROWS)), **options).to_frame())


def test_nothing_follows_nothing_is_asked():
    empty = trust(pg.infer(graph_of("a+b")), judge, sure=0.5)
    assert isinstance(empty, Trusted) and empty.counts() == {"positive": 0, "negative": 0}
    assert list(empty.to_frame()) == ["text_a", "text_b", "label", "distance", "p_right"]
    assert empty.levels([0])["positive"].tolist() == [0]
