"""Which labels are suspicious, before anybody judged and after."""

import warnings

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.doubts.shipped import by_words
from paragraph.doubts.suspects import suspects
from paragraph.words.phrases import reasons

from ..reference import graph_of, judge_by
from ..refused import refused


def p_wrong(graph, judge=None, **options):
    found = suspects(graph, judge=judge, **options)
    return {frozenset(row[:2]): row[3] for row in found.itertuples(index=False)}


def test_every_pair_once_the_most_suspicious_first(demo):
    found = suspects(demo, judge=None)
    first, last = ["text_a", "text_b", "label", "p_wrong", "reason"], ["top", "answer", "random"]
    assert found.columns.tolist() == [*first, *pg.REASONS, *last]
    assert found.index.tolist() == list(range(len(demo.edge_a)))
    assert found["p_wrong"].is_monotonic_decreasing and found["p_wrong"].between(0, 1).all()
    assert found["p_wrong"].equals(found["p_wrong"].round(6))  # a list has one order on every machine
    stated = {frozenset(pair) for pair in zip(demo.texts(demo.edge_a), demo.texts(demo.edge_b), strict=True)}
    assert {frozenset(pair) for pair in found[["text_a", "text_b"]].itertuples(index=False)} == stated
    assert [row["first"] for row in found.attrs["expected"]] == [50, 100, 1000]
    assert all(row["low"] < row["wrong"] < row["high"] <= row["first"] for row in found.attrs["expected"])
    assert found.attrs["answered"] == {"positive": (0, 0), "negative": (0, 0)}


def test_the_planted_errors_of_the_shipped_corpus_rank_above_the_rule(demo):
    from sklearn.metrics import average_precision_score

    found = suspects(demo, judge=None)
    key = pd.read_csv(pg.DEMO_KEY, sep="\t")
    wrong = {frozenset(pair) for pair in key[["question1", "question2"]].itertuples(index=False)}
    mark = [frozenset(pair) in wrong for pair in found[["text_a", "text_b"]].itertuples(index=False)]
    rule = found["reason"].str.startswith("joined")
    assert average_precision_score(mark, found["p_wrong"]) > average_precision_score(mark, rule)


def test_rows_that_agree_speak_for_a_label():
    one = graph_of(("Is it far?", "Is it near?", 1), ("Is it big?", "Is it hot?", 0))
    three = graph_of(*[("Is it far?", "Is it near?", 1)] * 3, ("Is it big?", "Is it hot?", 0))
    pair = frozenset(("Is it far?", "Is it near?"))
    assert p_wrong(three)[pair] < p_wrong(one)[pair] / 5


@pytest.mark.parametrize("by", ["judge", "answers"])
def test_the_word_of_a_judge_or_of_a_person_counts(by):
    graph = graph_of(("Is it far?", "Is it hot?", 1), ("Is it big?", "Is it hot?", 0))
    given = pd.DataFrame({"text_a": ["Is it hot?"] * 2, "text_b": ["Is it far?", "Is it big?"]})
    words = [given.assign(same=value, model=value) for value in (0, 1)]
    if by == "judge":
        words = map(judge_by, words)
    p = [suspects(graph, **{"judge": None, by: word}).set_index("label")["p_wrong"] for word in words]
    assert p[0][1] > p[1][1]
    assert p[0][0] < p[1][0]


#: Two pairs of look-alikes, wrongly joined side by side, and a negative between them.
FAMILY = [
    *(("Who rules Italy?", "Who governs Italy?", 1), ("Who rules Spain?", "Who governs Spain?", 1)),
    *(("Who rules Italy?", "Who rules Spain?", 1), ("Who governs Italy?", "Who governs Spain?", 1)),
    ("Who rules Italy?", "Who governs Spain?", 0),
]


def test_an_audit_says_which_of_a_conflict_is_wrong():
    graph = graph_of(*FAMILY)
    negative = pd.DataFrame([("Who rules Italy?", "Who governs Spain?")], columns=["text_a", "text_b"])
    across, within = frozenset(FAMILY[2][:2]), frozenset(FAMILY[0][:2])
    right, wrong = (p_wrong(graph, answers=negative.assign(same=same)) for same in (0, 1))
    assert right[frozenset(FAMILY[4][:2])] < 0.01 and wrong[frozenset(FAMILY[4][:2])] > 0.99
    assert right[across] > wrong[across] and right[across] > right[within]


def test_the_label_of_a_pair_is_no_evidence_for_it():
    rows = [("Who won?", "Who sang?", 0), ("Who sang it?", "Who won it?", 1)]

    def p(text, label):
        return p_wrong(graph_of(("Is it far?", text, label), *rows))[frozenset(("Is it far?", text))]

    other, same = "Is it far from Rome?", "is it far"
    assert p(other, 1) > p(same, 1) and p(other, 0) < p(same, 0)


def test_no_pairs_and_pairs_of_questions_and_answers():
    assert suspects(graph_of(), judge=None).empty
    pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]})
    pairs.attrs["bipartite"] = True
    refused("bipartite", suspects, pg.ParaphraseGraph.from_pairs(pairs))


#: 40 clusters of two, a chain of four whose ends are a conflict, 20 negatives.
ROWS = [(f"p{i}", f"q{i}", 1) for i in range(40)] + [("w", "x", 1), ("x", "y", 1), ("y", "z", 1), ("w", "z", 0)]
ROWS += [(f"p{i}", f"p{i + 1}", 0) for i in range(20)]


def judged(*rows):
    return pd.DataFrame(rows, columns=["text_a", "text_b", "same"])


def test_what_was_judged_holds_and_tells_of_its_sign_alone():
    graph = graph_of(*ROWS)
    answers = [(f"p{i}", f"q{i}", int(i > 7)) for i in range(10)]
    before, after = p_wrong(graph), p_wrong(graph, answers=judged(*answers, ("p0", "p1", None)))
    assert [after[frozenset(row[:2])] for row in answers] == [1.0] * 8 + [0.0] * 2
    for rows, sign in ((ROWS[10:40], 1), (ROWS[44:], 0)):
        change = [after[frozenset(row[:2])] - before[frozenset(row[:2])] for row in rows]
        assert min(change) > 0.2 if sign else np.abs(change).max() < 1e-6
    found = suspects(graph, judge=None, answers=judged(*answers))
    assert found.attrs["answered"] == {"positive": (10, 8), "negative": (0, 0)}


@pytest.mark.parametrize("audit", [None, judged(("w", "z", 0))])
def test_the_p_wrong_of_a_conflict_is_the_p_flip_of_repair(audit):
    graph = graph_of(*ROWS)
    [row] = pg.repair(graph, judge=by_words, answers=audit).itertuples()
    assert p_wrong(graph, judge=by_words, answers=audit)[frozenset(("w", "z"))] == pytest.approx(row.p_flip, abs=1e-5)


def test_answers_tell_how_far_the_judge_can_be_trusted():
    """A judge who is sure, and whose word answers find to be worth nothing, or right."""
    rows = [(f"p{i}", f"q{i}", 1) for i in range(60)]
    graph, rng = graph_of(*rows), np.random.default_rng(0)
    said = rng.random(60)
    opinion = pd.DataFrame(rows, columns=["text_a", "text_b", "model"]).assign(model=said)
    spread = []
    for same in (said > 0.5, rng.random(60) > 0.5):
        answers = pd.DataFrame(rows[:40], columns=["text_a", "text_b", "same"]).assign(same=same[:40].astype(int))
        p = p_wrong(graph, judge=judge_by(opinion), answers=answers)
        spread.append(np.std([p[frozenset(row[:2])] for row in rows[40:]]))
    assert spread[0] > 2 * spread[1]


def test_a_note_once_on_other_languages_and_none_on_english(demo):
    japanese = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep"))
    with pytest.warns(UserWarning, match="do not seem to be English"):
        pg.suspects(japanese, judge=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pg.suspects(japanese, judge=None)
        pg.suspects(demo, judge=None)


def test_what_english_word_lists_know_is_left_out_of_other_languages():
    pair = ("Ist es no gut?", "Ist es gut in 3 Tagen?")
    assert any(reason.startswith("negation") for reason in reasons(*pair))
    assert not any(reason.startswith("negation") for reason in reasons(*pair, english=False))
    assert any(reason.startswith("number") for reason in reasons(*pair, english=False))


def test_answers_that_a_list_chose_tell_only_the_order_of_the_others(demo):
    """A column random of the answers says which were drawn at random; an audit has none, and all of it was."""
    rows = suspects(demo, judge=None).iloc[:30]
    answers = rows[["text_a", "text_b"]].assign(same=rows["label"])
    chosen = suspects(demo, judge=None, answers=answers.assign(random=False))
    assert chosen.attrs["expected"] == [] and chosen["random"].value_counts().to_dict() == {0.0: 30}
    some = suspects(demo, judge=None, answers=answers.assign(random=np.arange(30) < 25))
    every = some.attrs["left"]
    assert [row["first"] for row in some.attrs["expected"]] == [50, 100, 1000, every] and some.attrs["random"] == 25
    audit = suspects(demo, judge=None, answers=answers)
    assert audit["random"].sum() == 30 and every == len(demo.edge_a) - 30
