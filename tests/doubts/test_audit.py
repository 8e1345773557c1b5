"""Audits: what is drawn, what weighs how much, and that the figures hold, against all samples there are."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import paragraph as pg
from paragraph.doubts.answered import answered_pairs
from paragraph.doubts.audit import KINDS, MEANING, allocation, kind_counts, kinds_of, share

from .. import reference
from ..reference import graph_of
from ..refused import refused

CODE = {kind: i for i, kind in enumerate(KINDS)}
#: A cluster of four with a conflict and two unstated pairs, one of two, a negative between them, one on its own.
ROWS = "a+b b+c c+d a-d x+y x-a q-r"


def judged(cells):
    """``"ab1 bc0 xy"``: the same, different, not judged."""
    rows = [(cell[0], cell[1], {"1": 1, "0": 0, "": None}[cell[2:]]) for cell in cells.split()]
    return pd.DataFrame(rows, columns=["text_a", "text_b", "same"])


# pairs by kind, drawn, of each
@pytest.mark.parametrize("counts, n, numbers", [
    ([100, 0, 5], 20, [15, 0, 5]),  # a small kind is drawn whole
    ([90_000, 40, 40, 7], 30, [8, 7, 8, 7]), ([90, 400, 1], 2, [1, 1, 0]),  # the rest, of the largest
    ([4, 8], 1, [0, 1]), ([3, 3], 99, [3, 3]),  # there are no more
])  # fmt: skip
def test_how_many_of_each(counts, n, numbers):
    assert allocation(np.array(counts), n) == numbers


number = st.integers(0, 13)
some_rows = st.lists(st.tuples(number, number, st.sampled_from([1, 1, 0, None])), min_size=1, max_size=30)


@settings(max_examples=25)
@given(some_rows)
def test_a_sample_of_everything_holds_each_pair_of_each_kind_once(rows):
    graph = pg.ParaphraseGraph.from_pairs(reference.numbered(rows))
    rows = reference.number([(f"s{i}", f"s{j}", label) for i, j, label in rows])
    labels = reference.stated(rows)
    home = reference.members_of(graph.n, labels)
    wanted = {}
    for i, j in combinations(range(graph.n), 2):
        together, label = home[i] == home[j], labels.get((i, j))
        if label is not None or together:
            kind = "unstated" if label is None else "positive" if label else "conflict" if together else "negative"
            wanted[i, j] = CODE[kind]
    assert kind_counts(graph).tolist() == np.bincount([*wanted.values()], minlength=4).tolist()
    if wanted and labels:
        a, b = graph.pair_nodes(pg.audit(graph, 1000))
        found = kinds_of(graph, graph.edge_index.places(a, b)).tolist()
        pairs = [(min(pair), max(pair)) for pair in zip(a.tolist(), b.tolist(), strict=True)]
        assert dict(zip(pairs, found, strict=True)) == wanted and len(pairs) == len(wanted)


def test_a_sample_is_blind_shuffled_and_repeatable():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    sample = pg.audit(graph, 60, seed=3)
    assert list(sample) == ["text_a", "text_b", "same"] and sample["same"].isna().all()
    assert not sample.attrs and sample.index.tolist() == list(range(60))
    pd.testing.assert_frame_equal(sample, pg.audit(graph, 60, seed=3))
    assert not sample.equals(pg.audit(graph, 60, seed=4))
    found = answered_pairs(graph, sample.assign(same=1))
    assert len(found.same) == 60  # no pair twice
    kind = kinds_of(graph, found["edge"])
    assert np.bincount(kind).tolist() == [15, 15, 15, 15]
    assert np.count_nonzero(np.diff(kind)) > 15  # shuffled: kinds do not stand together
    nodes = np.array([[graph.node(text) for text in sample[name]] for name in ("text_a", "text_b")])
    assert 15 < np.count_nonzero(nodes[0] < nodes[1]) < 45


def test_nothing_to_draw():
    unlabelled = graph_of(("a", "b", None))
    refused("n 0 is not a whole number of 1", pg.audit, graph_of(ROWS), 0)
    refused("no row states", pg.audit, unlabelled, 9)


def test_kind_and_verdict_of_judged_pairs():
    graph = graph_of(ROWS)
    found = answered_pairs(graph, judged("ba0 bc1 da1 xa1 qr0 ca0 bd cd"))
    kinds = ["positive", "positive", "conflict", "negative", "negative", "unstated"]
    assert [KINDS[kind] for kind in kinds_of(graph, found["edge"])] == kinds
    assert found.wrong.tolist() == [True, False, True, True, False, True]
    assert found.attrs["left"] == 2 and (found["edge"] >= 0).tolist() == [True, True, True, True, True, False]


def test_a_pair_judged_both_ways_counts_as_not_judged():
    graph = graph_of(ROWS)
    found = answered_pairs(graph, judged("ab1 bc0 ba0 bd"))
    assert found["same"].tolist() == [False] and (found.attrs["disputed"], found.attrs["left"]) == (1, 1)
    assert (
        "1 pairs answered, 1 of the sample left empty, 1 answered both ways"
        in pg.error_rates(graph, judged("ab1 bc0 ba0 bd")).attrs["note"]
    )
    table = pg.suspects(graph, judge=None, answers=judged("ab1 bc0 ba0"), progress=False)
    assert table.attrs["answered"] == {"positive": (1, 1), "negative": (0, 0)}


@pytest.mark.parametrize("same", [(1, 0, None), (1.0, 0.0, np.nan), ("1", " 0 ", ""), (True, False, pd.NA)])
def test_how_a_judgement_may_be_written(same):
    table = judged("ab1 bc0 cd").assign(same=pd.Series(same, dtype=object))
    assert answered_pairs(graph_of(ROWS), table).same.tolist() == [True, False]


@pytest.mark.parametrize("table, error", [
    (judged("ab1 bc0").assign(same=[1, 0.5]), "row 2: same .*0.5.* is not 1, 0 or empty"),
    (judged("ab1 bz0"), "row 2: 'b' and 'z' are neither .*; leave the row out"),
    (judged("ab1 bx0"), "row 2: 'b' and 'x' are neither a stated pair of the data nor in one cluster"),
    (judged("ab1").drop(columns="same"), "needs the column same"),
    (judged("ab bc"), "nothing is answered yet"),
    ([1], "a table of answers, a log or a review is expected, not list"),
    (judged("ab1").assign(row=7).iloc[[0, 0]].assign(text_b=["b", "z"]), "row 7: 'a' and 'z' are neither"),
])  # fmt: skip
def test_a_table_that_does_not_fit_is_refused(table, error):
    refused(error, pg.error_rates, graph_of(ROWS), table)


def test_a_report_of_everything_is_the_truth():
    report = pg.error_rates(graph_of(ROWS), judged("ab1 bc1 cd0 ad1 xy1 xa0 qr1 ac0 bd1"))
    table = report.set_index("kind")
    assert table["share"].to_dict() == {
        "positive": 1 / 4, "negative": 1 / 2, "conflict": 1.0, "unstated": 1 / 2, "stated": 3 / 7,
    }  # fmt: skip
    for name in ("low", "high"):
        pd.testing.assert_series_equal(table[name], table["share"], check_names=False)
    assert table["number"].tolist() == [1, 1, 1, 1, 3]
    assert report.attrs["note"] == f"9 pairs answered. Intervals: 95 %. {MEANING}."


def test_what_was_not_judged_is_said():
    report = pg.error_rates(graph_of(ROWS), judged("ab0 bc1 xa qr"))
    assert report.attrs["note"] == f"2 pairs answered, 2 of the sample left empty. Intervals: 95 %. {MEANING}."
    assert report.set_index("kind")["share"].dropna().to_dict() == {"positive": 0.5}


@pytest.mark.parametrize("pairs, judged, first, second", [
    ((400, 50), (14, 6), (0, 1, 4, 12, 40, 100, 200), (0, 1, 5, 25, 50)),
    ((300, 300), (4, 10), (0, 3, 12, 60, 290), (0, 3, 30, 150)), ((6, 9), (3, 4), range(7), range(10)),
    ((500, 20), (20, 1), (0, 2, 10, 50, 480), (0, 1, 10, 20)),
])  # fmt: skip
def test_intervals_cover_by_enumeration(pairs, judged, first, second):
    outcomes = list(product(range(judged[0] + 1), range(judged[1] + 1)))
    found = np.array([share(pairs, judged, outcome) for outcome in outcomes])
    for wrong in product(first, second):
        drawn = zip(pairs, wrong, judged, strict=True)
        p = np.outer(*(stats.hypergeom(n, bad, k).pmf(range(k + 1)) for n, bad, k in drawn)).ravel()
        truth = sum(wrong) / sum(pairs)
        assert p @ found[:, 0] == pytest.approx(truth)
        covered = (found[:, 1] <= truth + 1e-9) & (truth <= found[:, 2] + 1e-9)
        assert p @ covered >= 0.93, wrong
