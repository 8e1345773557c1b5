"""Which labels are suspicious; how often labels are wrong, by judged pairs of this file and of others."""

import warnings

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.measure.logistic import sigmoid
from paragraph.repairs.rates import ADVICE, GRID, LOCAL, LOCALLY, _posterior, error_rates, nature, other_files
from paragraph.repairs.suspects import suspects
from paragraph.words.reasons import reasons

from ..learn.synonyms import Synonyms
from ..reference import graph_of
from ..refused import refused


def p_wrong(graph, *arguments, **options):
    found = suspects(graph, *arguments, **options)
    return {frozenset(row[:2]): row[3] for row in found.itertuples(index=False)}


def test_every_pair_once_the_most_suspicious_first(demo):
    found = suspects(demo)
    assert found.columns.tolist() == ["text_a", "text_b", "label", "p_wrong", "reason"]
    assert found.index.tolist() == list(range(len(demo.edge_a)))
    assert found["p_wrong"].is_monotonic_decreasing and found["p_wrong"].between(0, 1).all()
    assert found["p_wrong"].equals(found["p_wrong"].round(6))  # a list has one order on every machine
    stated = {frozenset(pair) for pair in zip(demo.texts(demo.edge_a), demo.texts(demo.edge_b), strict=True)}
    assert {frozenset(pair) for pair in found[["text_a", "text_b"]].itertuples(index=False)} == stated
    rated = pg.error_rates(demo)
    assert pd.DataFrame(found.attrs["rates"]).equals(rated) and rated["stated"].sum() == len(demo.edge_a)
    assert set(rated["source"]) == {"not judged: other files"} and not rated["judged"].any() and ordered(rated)
    assert rated.attrs["advice"] == found.attrs["advice"] == ADVICE and found.attrs["judge"] > 0.5


def test_the_planted_errors_of_the_shipped_corpus_rank_above_the_rule(demo):
    from sklearn.metrics import average_precision_score

    found = suspects(demo)
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


@pytest.mark.parametrize("column", ["model", "decision"])
def test_evidence_of_a_user_counts(column):
    graph = graph_of(("Is it far?", "Is it hot?", 1), ("Is it big?", "Is it hot?", 0))
    given = pd.DataFrame({"text_a": ["Is it hot?"] * 2, "text_b": ["Is it far?", "Is it big?"]})
    p = [suspects(graph, given.assign(**{column: value})).set_index("label")["p_wrong"] for value in (0.0, 1.0)]
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
    right, wrong = (p_wrong(graph, audit=negative.assign(same=same)) for same in (0, 1))
    assert right[frozenset(FAMILY[4][:2])] < 0.01 and wrong[frozenset(FAMILY[4][:2])] > 0.99
    assert right[across] > wrong[across] and right[across] > right[within]


def test_the_label_of_a_pair_is_no_evidence_for_it():
    rows = [("Who won?", "Who sang?", 0), ("Who sang it?", "Who won it?", 1)]

    def p(text, label):
        return p_wrong(graph_of(("Is it far?", text, label), *rows))[frozenset(("Is it far?", text))]

    other, same = "Is it far from Rome?", "is it far"
    assert p(other, 1) > p(same, 1) and p(other, 0) < p(same, 0)


def test_no_pairs_and_pairs_of_questions_and_answers():
    assert suspects(graph_of()).empty and error_rates(graph_of()).empty
    assert suspects(graph_of(("a", "b", 1)), tagger=Synonyms())["untagged"].tolist() == [False]
    pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]})
    pairs.attrs["bipartite"] = True
    refused("bipartite", suspects, pg.ParaphraseGraph.from_pairs(pairs))


def test_negatives_in_which_a_tagger_finds_nothing_are_marked_and_no_probability_changes():
    rows = [("Do I buy tea?", "Do I purchase tea?", 0), ("Do I buy rice?", "Do I sell rice?", 0)]
    graph = graph_of(*rows, ("Is it hot?", "Hot is it?", 1))
    plain = suspects(graph)
    marked = suspects(graph, tagger=Synonyms(("buy", "purchase")))
    assert marked.loc[marked["untagged"], "text_b"].tolist() == ["Do I purchase tea?"]
    told = marked["reason"].str.startswith("labelled not, yet no word is tagged; differs")
    assert told.tolist() == marked["untagged"].tolist()
    pd.testing.assert_frame_equal(marked.drop(columns=["untagged", "reason"]), plain.drop(columns="reason"))


#: 40 clusters of two, a chain of four whose ends are a conflict, 20 negatives.
ROWS = [(f"p{i}", f"q{i}", 1) for i in range(40)] + [("w", "x", 1), ("x", "y", 1), ("y", "z", 1), ("w", "z", 0)]
ROWS += [(f"p{i}", f"p{i + 1}", 0) for i in range(20)]


def judged(*rows):
    return pd.DataFrame(rows, columns=["text_a", "text_b", "same"])


def ordered(found):
    """0 < low < rate < high < 1 in every row."""
    bounds = np.column_stack([np.zeros(len(found)), found[["low", "rate", "high"]], np.ones(len(found))])
    return (np.diff(bounds) > 0).all()


def test_judged_pairs_on_top_of_other_files():
    audit = judged(*((f"p{i}", f"q{i}", int(i > 2)) for i in range(10)), ("p0", "p1", None), ("w", "z", 1))
    found = error_rates(graph_of(*ROWS), audit).set_index(["kind", "size"])
    expected = {
        ("positive", "≤ 2"): (1, 40, 10, 3, "judged"),
        ("positive", "3–4"): (1, 3, 0, 0, "judged, other sizes"),
        ("negative", "≤ 2"): (0, 20, 0, 0, "not judged: other files"),
        ("conflict", "all"): (0, 1, 1, 1, "judged"),
    }
    columns = ["label", "stated", "judged", "wrong", "source"]
    assert {row: tuple(found.loc[row, columns]) for row in found.index} == expected
    alone = error_rates(graph_of(*ROWS)).set_index(["kind", "size"])
    assert ordered(found) and "advice" in found.attrs
    assert alone["rate"]["positive", "≤ 2"] < found["rate"]["positive", "≤ 2"] < 3 / 10
    assert alone["rate"]["positive", "3–4"] < found["rate"]["positive", "3–4"]  # what one size has, others have too
    assert (found["high"] - found["low"] < alone["high"] - alone["low"]).tolist() == [True, True, False, True]


def test_a_posterior_is_that_of_brute_force():
    rng, sizes = np.random.default_rng(0), np.array(nature()["sizes"]["positive"])
    n, bad = np.array([6, 3, 0, 4]), np.array([1, 1, 0, 3])
    of_file = rng.choice(GRID, 400_000, p=other_files("positive"))
    rate = sigmoid(of_file[:, None] + sizes + rng.choice(LOCAL, (400_000, 4), p=LOCALLY))
    kept = rate[(rng.binomial(n, rate) == bad).all(axis=1)]
    expected = np.column_stack([kept.mean(axis=0), *np.quantile(kept, [0.025, 0.975], axis=0)])
    np.testing.assert_allclose(_posterior(other_files("positive"), n, bad, sizes), expected, atol=0.02)


def test_sizes_that_nothing_else_explains_have_rates_of_their_own():
    n, bad = np.array([500, 0, 0, 500]), np.array([0, 0, 0, 495])
    found = _posterior(other_files("positive"), n, bad, np.array(nature()["sizes"]["positive"]))
    assert found[0, 1] < 0.005 and found[0, 2] < 0.02 and found[3, 1] < 0.99 < found[3, 2]


@pytest.mark.parametrize("kind, rates", [("positive", (0.05, 0.2, 0.45, 0.7)), ("negative", (0.02, 0.05, 0.2, 0.4))])
def test_intervals_hold_in_files_like_others_and_in_others(kind, rates):
    """200 files, an audit of 25 of a kind: drawn from what is known of other files, or at one rate in all."""
    rng, sizes, n = np.random.default_rng(1), np.array(nature()["sizes"][kind]), np.array([10, 6, 5, 4])
    held = {}
    for rate in (None, *rates):
        of_file = np.full(200, np.log(rate / (1 - rate)) if rate else 0)
        if rate is None:
            of_file = rng.choice(GRID, 200, p=other_files(kind))
        truth = sigmoid(of_file[:, None] + sizes + rng.choice(LOCAL, (200, 4), p=LOCALLY))
        found = [_posterior(other_files(kind), n, bad, sizes) for bad in rng.binomial(n, truth)]
        inside = [(one[:, 1] <= true) & (true <= one[:, 2]) for one, true in zip(found, truth, strict=True)]
        held[rate] = np.mean(inside)
    assert 0.93 <= held[None] <= 0.97 and min(held.values()) > 0.88, held


def test_probabilities_of_a_stratum_have_its_rate_as_their_mean_and_judged_pairs_hold():
    graph = graph_of(*ROWS)
    audit = judged(*((f"p{i}", f"q{i}", int(i > 2)) for i in range(10)))
    p = p_wrong(graph, audit=audit)
    rate = error_rates(graph, audit).set_index(["kind", "size"]).loc[("positive", "≤ 2"), "rate"]
    assert np.mean([p[frozenset((f"p{i}", f"q{i}"))] for i in range(10, 40)]) == pytest.approx(rate, abs=0.02)
    assert [round(p[frozenset((f"p{i}", f"q{i}"))], 3) for i in range(10)] == [1.0] * 3 + [0.0] * 7


@pytest.mark.parametrize("audit", [None, judged(("w", "z", 0))])
def test_the_p_wrong_of_a_conflict_is_the_p_flip_of_repair(audit):
    graph = graph_of(*ROWS)
    [row] = pg.repair(graph, audit=audit).itertuples()
    assert p_wrong(graph, audit=audit)[frozenset(("w", "z"))] == pytest.approx(row.p_flip, abs=1e-5)


def test_an_audit_tells_how_far_the_judge_can_be_trusted():
    """A judge who is sure, and whose word an audit finds to be worth nothing, or right."""
    rows = [(f"p{i}", f"q{i}", 1) for i in range(60)]
    graph, rng = graph_of(*rows), np.random.default_rng(0)
    said = rng.random(60)
    opinion = pd.DataFrame(rows, columns=["text_a", "text_b", "model"]).assign(model=said)
    spread = []
    for same in (said > 0.5, rng.random(60) > 0.5):
        audit = pd.DataFrame(rows[:40], columns=["text_a", "text_b", "same"]).assign(same=same[:40].astype(int))
        p = p_wrong(graph, opinion, audit=audit)
        spread.append(np.std([p[frozenset(row[:2])] for row in rows[40:]]))
    assert spread[0] > 2 * spread[1]


def test_a_judge_that_is_no_better_than_a_coin_is_said_to_be_one():
    rows = [(f"p{i}", f"q{i}", i % 2) for i in range(200)]
    opinion = pd.DataFrame(rows, columns=["text_a", "text_b", "model"])
    opinion["model"] = np.random.default_rng(0).random(200)
    with pytest.warns(UserWarning, match="a coin in 50 %"):
        found = suspects(graph_of(*rows), opinion)
    assert 0.4 < found.attrs["judge"] < 0.6


def test_a_note_once_on_other_languages_and_none_on_english(demo):
    japanese = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep"))
    with pytest.warns(UserWarning, match="seem not to be English"):
        pg.suspects(japanese)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "of a pair stated 1 and one stated 0")
        pg.suspects(japanese)
        pg.suspects(demo)


def test_what_english_word_lists_know_is_left_out_of_other_languages():
    pair = ("Ist es no gut?", "Ist es gut in 3 Tagen?")
    assert any(reason.startswith("negation") for reason in reasons(*pair))
    assert not any(reason.startswith("negation") for reason in reasons(*pair, english=False))
    assert any(reason.startswith("number") for reason in reasons(*pair, english=False))


def test_how_sure_the_annotators_were_is_shown():
    rows = [("Is it far?", "Is it a long way?", "(4, 6)"), ("Is it far?", "Is it near?", "(0, 6)")]
    pairs = pg.read_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), labels=(0.4, 0.6))
    found = pg.suspects(pg.ParaphraseGraph.from_pairs(pairs)).set_index("text_b")
    assert found["score"].round(2).to_dict() == {"Is it a long way?": 0.67, "Is it near?": 0.0}
    assert found["reason"].str.contains("; scored 0").all()
