"""Which labels are suspicious."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.repairs.suspects import suspects

from ..learn.synonyms import Synonyms


def graph_of(*rows):
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))


def p_wrong(graph, *arguments, **options):
    found = suspects(graph, *arguments, **options, progress=False)
    return {frozenset(row[:2]): row[3] for row in found.itertuples(index=False)}


@pytest.fixture(scope="module")
def demo():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


def test_every_pair_once_the_most_suspicious_first(demo):
    found = suspects(demo)
    assert found.columns.tolist() == ["text_a", "text_b", "label", "p_wrong", "reason"]
    assert len(found) == len(demo.edge_a)
    assert found.index.tolist() == list(range(len(found)))
    assert found["p_wrong"].is_monotonic_decreasing
    assert found["p_wrong"].between(0, 1).all()
    stated = {frozenset(pair) for pair in zip(demo.texts(demo.edge_a), demo.texts(demo.edge_b), strict=True)}
    assert {frozenset(pair) for pair in found[["text_a", "text_b"]].itertuples(index=False)} == stated
    assert pd.DataFrame(found.attrs["rates"]).equals(pg.error_rates(demo, progress=False))


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


def test_an_audit_recalibrates(demo):
    audit = pg.audit(demo, n=80)
    low, high = (suspects(demo, audit=audit.assign(same=same)) for same in (1, 0))  # every positive right, or wrong
    means = [each.loc[each["label"] == 1, "p_wrong"].mean() for each in (low, high)]
    assert means[0] < 0.25 < 0.6 < means[1]


@pytest.mark.parametrize("text", ["Is it far from Rome?", "is it far"])
def test_the_label_of_a_pair_is_no_evidence_for_it(text):
    """Stated either way, the two probabilities agree on whether the two mean the same."""
    pair = ("Is it far?", text)
    rows = [("Who won?", "Who sang?", 0), ("Who sang it?", "Who won it?", 1)]
    positive, negative = (p_wrong(graph_of((*pair, label), *rows))[frozenset(pair)] for label in (1, 0))
    assert (positive - 0.1) * (negative - 0.1) < 0


def test_bipartite_pairs_are_refused():
    pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]})
    pairs.attrs["bipartite"] = True
    with pytest.raises(pg.PairsError, match="bipartite"):
        suspects(pg.ParaphraseGraph.from_pairs(pairs))


def test_no_pairs():
    assert suspects(pg.ParaphraseGraph.from_pairs(pd.DataFrame({"text_a": [], "text_b": [], "label": []}))).empty


def test_negatives_in_which_a_tagger_finds_nothing_are_marked_and_no_probability_changes():
    rows = [
        ("Do I buy tea?", "Do I purchase tea?", 0),
        ("Do I buy rice?", "Do I sell rice?", 0),
        ("Is it hot?", "Hot is it?", 1),
    ]
    graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    plain = suspects(graph, progress=False)
    marked = suspects(graph, tagger=Synonyms(("buy", "purchase")), progress=False)
    assert marked.loc[marked["untagged"], "text_b"].tolist() == ["Do I purchase tea?"]
    assert marked["reason"].str.startswith("labelled not, yet no word is tagged; differs").tolist() == list(
        marked["untagged"]
    )
    pd.testing.assert_frame_equal(marked.drop(columns=["untagged", "reason"]), plain.drop(columns="reason"))


def test_no_negatives_none_marked():
    graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]}))
    assert suspects(graph, tagger=Synonyms(), progress=False)["untagged"].tolist() == [False]
