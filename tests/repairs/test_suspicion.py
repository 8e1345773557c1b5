"""Which labels are suspicious; flip or cut of a conflict."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.repairs.posterior import posterior
from paragraph.repairs.sides import LABEL, flip_or_cut, sides
from paragraph.repairs.suspicion import COLUMNS, DEGREES, fit_suspicion, kinds, p_wrong, suspects, suspicion


def graph_of(*rows):
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))


#: Two triangles, joined by one positive, and a negative between them.
BRIDGED = graph_of(
    *(("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("d", "e", 1), ("e", "f", 1), ("f", "d", 1)),
    *(("c", "d", 1), ("a", "f", 0)),
)


@pytest.fixture(scope="module")
def demo():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


# -- sides -----------------------------------------------------------------------------------------------


def test_the_easiest_cut_is_the_bridge():
    (row,) = sides(BRIDGED, np.zeros(8)).itertuples()
    assert (row.edge, row.positives, row.edges) == (7, [6], 0.0)


def test_columns_are_averages_of_the_evidence_on_either_kind_of_positive():
    (row,) = sides(BRIDGED, np.array([1.0, 2, 3, 4, 5, 6, -7, 8])).itertuples()
    assert (row.negative, row.cut, row.inside, row.inside_least) == (8, -7, 3.5, 1)


def test_a_triangle_is_cut_where_the_evidence_is_weakest():
    graph = graph_of(("a", "b", 1), ("b", "c", 1), ("a", "c", 0))
    assert sides(graph, np.array([1.0, -1, 0]))["positives"].tolist() == [[1]]
    assert sides(graph, np.array([-1.0, 1, 0]))["positives"].tolist() == [[0]]


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 7), st.integers(0, 2**32 - 1))
def test_no_division_of_the_cluster_is_cheaper(n, seed):
    rng = np.random.default_rng(seed)
    a, b = np.triu_indices(n, 1)
    keep = rng.random(len(a)) < 0.7
    sign = np.where(rng.random(len(a)) < 0.8, 1, -1).astype(np.int8)
    if not keep.any():
        return
    graph = pg.ParaphraseGraph(a[keep], b[keep], sign[keep], n)
    evidence = rng.normal(0, 2, len(graph.edge_a))
    cost = np.logaddexp(0, evidence + LABEL) * (graph.edge_sign > 0)
    for row in sides(graph, evidence).itertuples():
        u, v = graph.edge_a[row.edge], graph.edge_b[row.edge]
        divisions = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
        divisions = divisions[divisions[:, u] != divisions[:, v]]
        least = ((divisions[:, graph.edge_a] != divisions[:, graph.edge_b]) * cost).sum(axis=1).min()
        assert cost[row.positives].sum() == pytest.approx(least, abs=0.01 * len(cost))


@pytest.mark.parametrize("model", [False, True])
def test_evidence_for_the_negative_speaks_for_flip_and_for_the_cut_as_well(model):
    for raised in (7, 6):  # the negative; the only positive between the sides
        low, high = np.zeros(8), np.zeros(8)
        high[raised] = 4
        before, after = (flip_or_cut(BRIDGED, z, model=model)["log_odds"][0] for z in (low, high))
        assert after > before


def test_more_negatives_between_the_sides_speak_for_cut():
    more = graph_of(*BRIDGED.pairs.itertuples(index=False), ("b", "e", 0))
    one, two = (flip_or_cut(graph, np.zeros(len(graph.edge_a)))["log_odds"][0] for graph in (BRIDGED, more))
    assert two < one


def test_more_positives_between_the_sides_speak_for_flip():
    more = graph_of(*BRIDGED.pairs.itertuples(index=False), ("b", "e", 1), ("c", "f", 1))
    few, many = (flip_or_cut(graph, np.zeros(len(graph.edge_a)))["log_odds"][0] for graph in (BRIDGED, more))
    assert many > few


def test_no_conflicts():
    assert flip_or_cut(graph_of(("a", "b", 1)), np.zeros(1)).empty


# -- suspicion -------------------------------------------------------------------------------------------


def test_columns_of_every_edge():
    table = suspicion(BRIDGED, np.zeros(8))
    assert set(table) == {"conflict", *COLUMNS, *DEGREES}
    assert table["conflict"].tolist() == [False] * 6 + [True, True]
    assert table["flip"][6] == -table["flip"][7]  # a cut of one positive takes all the blame
    found = posterior(BRIDGED)  # without evidence, only labels speak
    np.testing.assert_allclose(table["structure"], BRIDGED.edge_sign * (found.given - found.log_odds))
    assert table["structure"][6:].min() > 1 > table["structure"][:6].max()
    np.testing.assert_allclose(table["support"], np.log1p([1, 1, 1, 1, 1, 1, 0, 0]))
    np.testing.assert_allclose(table["positives_fewer"], np.log1p([1, 1, 1, 1, 1, 1, 2, 2]))
    np.testing.assert_allclose(table["positives_more"], np.log1p([1, 2, 2, 2, 1, 2, 2, 2]))
    np.testing.assert_allclose(table["negatives_more"], np.log1p([1, 0, 1, 0, 1, 1, 0, 0]))


@pytest.mark.slow
def test_every_pair_once_the_most_suspicious_first(demo):
    found = suspects(demo)
    assert found.columns.tolist() == ["text_a", "text_b", "label", "p_wrong", "reason"]
    assert len(found) == len(demo.edge_a)
    assert found.index.tolist() == list(range(len(found)))
    assert found["p_wrong"].is_monotonic_decreasing
    assert found["p_wrong"].between(0, 1).all()
    stated = {frozenset(pair) for pair in zip(demo.texts(demo.edge_a), demo.texts(demo.edge_b), strict=True)}
    assert {frozenset(pair) for pair in found[["text_a", "text_b"]].itertuples(index=False)} == stated


@pytest.mark.slow
def test_the_planted_errors_of_the_shipped_corpus_rank_high(demo):
    from sklearn.metrics import average_precision_score

    found = suspects(demo)
    key = pd.read_csv(pg.DEMO_KEY, sep="\t")
    wrong = {frozenset(pair) for pair in key[["question1", "question2"]].itertuples(index=False)}
    mark = [frozenset(pair) in wrong for pair in found[["text_a", "text_b"]].itertuples(index=False)]
    rule = average_precision_score([w for _, w in sorted(enumerate(mark))], found["reason"].str.startswith("joined"))
    ours = average_precision_score(mark, found["p_wrong"])
    assert ours > 1.3 * rule
    assert np.mean(mark[:20]) > 10 * np.mean(mark)


def test_rows_that_agree_speak_for_a_label():
    one = graph_of(("Is it far?", "Is it near?", 1), ("Is it big?", "Is it hot?", 0))
    three = graph_of(*[("Is it far?", "Is it near?", 1)] * 3, ("Is it big?", "Is it hot?", 0))
    p = [suspects(graph).set_index("label")["p_wrong"][1] for graph in (one, three)]
    assert p[1] < p[0] / 5


def test_a_kind_in_which_nothing_is_wrong_is_not_suspicious():
    wrong = np.array([True, False, True, False, False, False, False, False])
    table = suspicion(BRIDGED, np.arange(8.0))
    weights = fit_suspicion(BRIDGED, table, wrong, "a toy")
    p = p_wrong(BRIDGED, table, weights)
    assert set(weights) == set(kinds(BRIDGED, table))
    assert p[7] == pytest.approx(1 / 3)  # one label of its kind, and it is right
    assert p[wrong].mean() > p[~wrong].mean()


@pytest.mark.parametrize("column", ["model", "decision"])
def test_evidence_of_a_user_counts(column):
    graph = graph_of(("Is it far?", "Is it hot?", 1), ("Is it big?", "Is it hot?", 0))
    given = pd.DataFrame({"text_a": ["Is it hot?"] * 2, "text_b": ["Is it far?", "Is it big?"]})
    p = [suspects(graph, given.assign(**{column: value})).set_index("label")["p_wrong"] for value in (0.0, 1.0)]
    assert p[0][1] > p[1][1]
    assert p[0][0] < p[1][0]


def test_bipartite_pairs_are_refused():
    pairs = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]})
    pairs.attrs["bipartite"] = True
    with pytest.raises(pg.PairsError, match="bipartite"):
        suspects(pg.ParaphraseGraph.from_pairs(pairs))


def test_no_pairs():
    assert suspects(pg.ParaphraseGraph.from_pairs(pd.DataFrame({"text_a": [], "text_b": [], "label": []}))).empty
