"""Which labels are suspicious; how often labels are wrong, by judged pairs and by expectation–maximisation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import paragraph as pg
from paragraph.measure.logistic import sigmoid
from paragraph.repairs.cut import Cuts
from paragraph.repairs.evidence import DECIDED
from paragraph.repairs.suspects import HELD, NATURE, TURNED, WORTH, channel, error_rates, flips, rates, suspects

from ..learn.synonyms import Synonyms
from ..reference import graph_of
from ..refused import refused


def p_wrong(graph, *arguments, **options):
    found = suspects(graph, *arguments, **options, progress=False)
    return {frozenset(row[:2]): row[3] for row in found.itertuples(index=False)}


def test_every_pair_once_the_most_suspicious_first(demo):
    found = suspects(demo)
    assert found.columns.tolist() == ["text_a", "text_b", "label", "p_wrong", "reason"]
    assert len(found) == len(demo.edge_a)
    assert found.index.tolist() == list(range(len(found)))
    assert found["p_wrong"].is_monotonic_decreasing and found["p_wrong"].between(0, 1).all()
    assert found["p_wrong"].equals(found["p_wrong"].round(6))  # a list has one order on every machine
    stated = {frozenset(pair) for pair in zip(demo.texts(demo.edge_a), demo.texts(demo.edge_b), strict=True)}
    assert {frozenset(pair) for pair in found[["text_a", "text_b"]].itertuples(index=False)} == stated
    rated = pg.error_rates(demo, progress=False)
    assert pd.DataFrame(found.attrs["rates"]).equals(rated) and rated["stated"].sum() == len(demo.edge_a)
    assert set(rated["source"]) == {"evidence"} and not rated["judged"].any() and ordered(rated)


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


@pytest.mark.parametrize("text", ["Is it far from Rome?", "is it far"])
def test_the_label_of_a_pair_is_no_evidence_for_it(text):
    """Stated either way, the two probabilities agree on whether the two mean the same."""
    pair = ("Is it far?", text)
    rows = [("Who won?", "Who sang?", 0), ("Who sang it?", "Who won it?", 1)]
    positive, negative = (p_wrong(graph_of((*pair, label), *rows))[frozenset(pair)] for label in (1, 0))
    assert (positive - 0.1) * (negative - 0.1) < 0


def test_no_pairs_and_pairs_of_questions_and_answers():
    assert suspects(graph_of()).empty and error_rates(graph_of(), progress=False).empty
    assert suspects(graph_of(("a", "b", 1)), tagger=Synonyms(), progress=False)["untagged"].tolist() == [False]
    pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]})
    pairs.attrs["bipartite"] = True
    refused("bipartite", suspects, pg.ParaphraseGraph.from_pairs(pairs))


def test_negatives_in_which_a_tagger_finds_nothing_are_marked_and_no_probability_changes():
    rows = [("Do I buy tea?", "Do I purchase tea?", 0), ("Do I buy rice?", "Do I sell rice?", 0)]
    graph = graph_of(*rows, ("Is it hot?", "Hot is it?", 1))
    plain = suspects(graph, progress=False)
    marked = suspects(graph, tagger=Synonyms(("buy", "purchase")), progress=False)
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


def test_judged_pairs_on_top_of_nature():
    graph = graph_of(*ROWS)
    audit = judged(*((f"p{i}", f"q{i}", int(i > 2)) for i in range(10)), ("p0", "p1", None), ("w", "z", 1))
    found = rates(graph, np.zeros(len(graph.edge_a)), audit).table.set_index(["kind", "size"])
    own = (3 + WORTH * NATURE["positive"]) / (10 + WORTH)
    expected = {
        ("positive", "≤ 2"): (1, 40, 10, 3, (3 + WORTH * own) / (10 + WORTH), "judged"),
        ("positive", "3–4"): (1, 3, 0, 0, own, "judged, other sizes"),
        ("negative", "≤ 2"): (0, 20, 0, 0, None, "evidence"),
        ("conflict", "all"): (0, 1, 1, 1, (1 + WORTH / 2) / (1 + WORTH), "judged"),
    }
    assert found.index.tolist() == list(expected)
    for row, (label, stated, n, wrong, rate, source) in expected.items():
        known = found.loc[row, ["label", "stated", "judged", "wrong", "source"]]
        assert known.tolist() == [label, stated, n, wrong, source]
        assert rate is None or found.loc[row, "rate"] == pytest.approx(rate)
    assert ordered(found)


def test_probabilities_of_a_stratum_have_its_rate_as_their_mean():
    graph = graph_of(*ROWS)
    z = graph.edge_sign + np.random.default_rng(0).normal(0, 2, len(graph.edge_a))
    audit = judged(*((f"p{i}", f"q{i}", int(i > 2)) for i in range(10)))
    found = rates(graph, z, audit)
    known = [graph.edge_between(graph.node(f"p{i}"), graph.node(f"q{i}")) for i in range(10)]
    open_ = [graph.edge_between(graph.node(f"p{i}"), graph.node(f"q{i}")) for i in range(10, 40)]
    rate = found.table.set_index(["kind", "size"]).loc[("positive", "≤ 2"), "rate"]
    assert sigmoid(found.log_odds[open_]).mean() == pytest.approx(rate)
    assert np.argsort(found.log_odds[open_]).tolist() == np.argsort(-z[open_]).tolist()
    np.testing.assert_allclose(found.log_odds[known], [DECIDED] * 3 + [-DECIDED] * 7)


def test_a_base_rate_in_the_evidence_does_not_count_twice():
    graph = graph_of(*ROWS)
    z = graph.edge_sign + np.random.default_rng(2).normal(0, 2, len(graph.edge_a))
    audit = judged(*((f"p{i}", f"q{i}", 1) for i in range(9)), *((f"p{i}", f"p{i + 1}", 0) for i in range(9)))
    one, other = (rates(graph, each, audit).table.set_index(["kind", "size"])["rate"] for each in (z, z + 1))
    kinds = [("positive", "≤ 2"), ("negative", "≤ 2")]
    np.testing.assert_allclose(one[kinds], other[kinds])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.02, 0.3))
def test_expectation_maximisation_finds_what_is_most_probable(seed, turned):
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 4, 300)
    sign = np.where(rng.random(300) < sigmoid(1.5 * z), 1, -1) * np.where(rng.random(300) < turned, -1, 1)

    def least(x):
        t, b = sigmoid(x[0]), x[1]
        p = sigmoid(sign * b * z)
        prior = HELD * 300 * (TURNED * np.log(t) + (1 - TURNED) * np.log1p(-t)) - (b - 1) ** 2 / 2
        return -np.log((1 - t) * p + t * (1 - p)).sum() - prior

    found, slope = channel(z, sign)
    best = min((minimize(least, [start, 1.0], method="Nelder-Mead") for start in (-4, -2)), key=lambda each: each.fun)
    assert least([np.log(found / (1 - found)), slope]) < best.fun + 0.05


def test_the_share_of_flips():
    """Conflicts alike but for what the evidence says of their negatives."""
    rows = [row for i in range(60) for row in ((f"a{i}", f"b{i}", 1), (f"b{i}", f"c{i}", 1), (f"a{i}", f"c{i}", 0))]
    graph = graph_of(*rows, *((f"a{i}", f"a{i + 1}", 0) for i in range(59)))
    conflicts = np.flatnonzero(graph.within)
    share = np.log(120 / 119)  # base rate of the labels, conflicts included
    for same in (6, 54):
        z = np.where(graph.edge_sign > 0, 6.0, -6.0) + share
        z[conflicts[:same]] = 6.0 + share
        p = sigmoid(flips(graph, z, Cuts(graph, np.full(len(z), -3.0)), conflicts))
        assert p.mean() == pytest.approx(same / 60, abs=0.05)
        assert p[:same].min() > 0.8 > 0.2 > p[same:].max()
