"""Reasons: those that ship, those of a user, and a judge that reads best first."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.doubts.reasons import FEW, Evidence
from paragraph.doubts.suspects import belief_of
from paragraph.words.difference import differences

from ..reference import graph_of
from ..refused import refused
from ..widgets.graphs import demo


class Counted:
    """A judge by the share of common words, with a twist that words do not tell; it counts what it is asked."""

    def __init__(self):
        self.asked = set()

    def __call__(self, left, right):
        self.asked |= set(map(frozenset, zip(left, right, strict=True)))
        overlap = differences(left, right)[0]["overlap"].to_numpy(float)
        twist = np.array([len(a + b) % 7 / 20 for a, b in zip(left, right, strict=True)])
        return (0.7 * overlap + twist).clip(0.02, 0.98)


@pytest.mark.slow
def test_the_first_of_either_sign_are_read_and_no_more_than_it_takes():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    of_all, of_some = Counted(), Counted()
    every = pg.suspects(graph, judge=of_all, first=None, progress=False)
    some = pg.suspects(graph, judge=of_some, first=30, progress=False)
    read = some["judge"].notna()
    stated = set(map(frozenset, zip(every["text_a"], every["text_b"], strict=True)))
    assert stated - {one for one in stated if len(one) == 1} <= of_all.asked and every["judge"].notna().all()
    assert 2 * FEW + 60 <= read.sum() < len(some) * 0.25
    assert len(of_some.asked & stated) == read.sum() and (read == some["words"].isna()).all()
    for label in (0, 1):
        two = (table[(table["label"] == label) & (table["text_a"] != table["text_b"])] for table in (some, every))
        ours, theirs = (table.head(30) for table in two)
        assert ours["judge"].notna().mean() > 0.6
        assert len({*ours["text_a"] + ours["text_b"]} & {*theirs["text_a"] + theirs["text_b"]}) >= 12
    of_others = some[~read].merge(every, on=["text_a", "text_b"])
    assert np.corrcoef(of_others["words_x"], of_others["judge_y"])[0, 1] > 0.5  # words tell what it would say
    again = pg.suspects(graph, judge=Counted(), first=30, progress=False)
    pd.testing.assert_frame_equal(some, again)
    none = pg.suspects(graph, judge=(quick := Counted()), first=0, progress=False)
    assert 2 * FEW <= none["judge"].notna().sum() == len(quick.asked & stated) < len(of_some.asked)
    assert none.loc[none["conflict"].notna(), "judge"].notna().all()  # these have the p_flip of `repair`
    refused("first -1 is not a whole number of 0 or more", pg.suspects, graph, first=-1)


def test_each_reason_that_ships_is_a_function_of_the_graph():
    graph, evidence = demo(), Evidence(demo())
    listed = pg.suspects(graph, judge=None, progress=False).set_index(["text_a", "text_b"])
    pairs = pd.MultiIndex.from_arrays([graph.texts(end) for end in (graph.edge_a, graph.edge_b)])
    for name, reason in pg.REASONS.items():
        np.testing.assert_allclose(evidence.values(reason), listed[name].loc[pairs], atol=1e-6)
    settled = pg.REASONS["conflict"](graph, evidence)
    assert np.isnan(settled).sum() == len(pairs) - graph.negatives_inside.sum()
    some = pg.suspects(graph, {"own": pg.REASONS["own"]}, None, progress=False)
    assert [*some][5:] == ["own", "top", "answer", "random"]


def test_a_reason_gets_the_evidence_if_it_has_a_parameter_for_it():
    def mine(graph, evidence):
        return evidence.against(evidence.same)

    def theirs(graph, share=0.5):
        return np.full(len(graph.edge_a), share)

    listed = pg.suspects(demo(), {"mine": mine, "theirs": theirs}, Counted(), progress=False)
    assert listed["theirs"].eq(0.5).all()
    read = listed["judge"].notna()
    assert (listed["mine"].notna() == read).all()
    assert np.corrcoef(listed.loc[read, "mine"], listed.loc[read, "judge"])[0, 1] > 0.999


def annotator(graph):
    """Log-odds 1 against each label of the second annotator."""
    first = [graph.rows_of(edge)[0] for edge in range(len(graph.edge_a))]
    return np.where(graph.pairs["who"].to_numpy()[first] == "B", 1.0, np.nan)


def test_a_reason_of_a_user_is_a_column_whose_slope_answers_teach():
    rows = [(f"p{i}", f"q{i}", i % 2) for i in range(120)]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"]).assign(who=["A", "A", "B"] * 40)
    graph, reasons = pg.ParaphraseGraph.from_pairs(pairs), pg.REASONS | {"annotator": annotator}
    plain, before = (pg.suspects(graph, some, None) for some in (pg.REASONS, reasons))
    assert before["annotator"].isin([1.0]).sum() == 40 and before.attrs["slopes"] == {"annotator": (0.0, 1.0)}
    said = pairs[:60].assign(same=lambda table: np.where(table["who"] == "B", 1 - table["label"], table["label"]))
    after = pg.suspects(graph, reasons, None, said)
    slope, error = after.attrs["slopes"]["annotator"]
    assert slope > 2 * error
    rest = after[after["answer"].isna()]
    wrong = rest["p_wrong"].groupby(rest["annotator"].notna()).mean()
    assert wrong[True] > wrong[False] + 0.3 and plain["p_wrong"].std() < after["p_wrong"].std()
    read_back = pd.read_csv(pd.io.common.StringIO(after.to_csv(index=False)), dtype=str, keep_default_na=False)
    again = belief_of(read_back, after["label"].to_numpy()).slopes["annotator"]
    assert again == pytest.approx((slope, error), abs=0.01)


def test_a_review_learns_the_slope_of_a_users_reason_and_says_it(tmp_path):
    rows = [(f"p{i}", f"q{i}", i % 2) for i in range(60)]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"]).assign(who=["A", "A", "B"] * 20)
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    listed = pg.suspects(graph, pg.REASONS | {"annotator": annotator}, None)
    review = pg.PairReview(listed, graph, tmp_path / "a.db", reviewer="Ada")
    for _ in range(16):
        review.decide("flip" if listed["annotator"][review.current - 1] == 1 else "keep")
    slope, error = review._queue.belief.slopes["annotator"]
    assert slope > 2 * error and f"annotator: {slope:.1f} ± {error:.1f}" in review.listing["estimate"][0].lower()
    assert review.queue["p_wrong"].groupby(listed["annotator"].notna()).mean().diff().iloc[1] > 0.2


@pytest.mark.parametrize("values", [
    np.linspace(0, 300, 120), np.repeat([2019.0, 2020, 2024], 40), np.where(np.arange(120) % 9, np.nan, 5e6),
    np.linspace(-6, 6, 120),
])  # fmt: skip
def test_a_reason_on_another_scale_flattens_no_list(values):
    """Before any answer, p_wrong is hardly changed by a reason without a slope, be it a length, a year or a price."""
    rows = [(f"p{i} of {i % 7}", f"q{i}", i % 2) for i in range(120)]
    graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    both = (pg.REASONS, pg.REASONS | {"mine": lambda graph: values})
    plain, mine = (pg.suspects(graph, some, None) for some in both)
    assert mine["p_wrong"].median() == pytest.approx(plain["p_wrong"].median(), abs=0.04)
    assert mine["mine"].abs().max() < 4 and (mine["mine"].isna().sum() == np.isnan(values).sum())


@pytest.mark.parametrize("reason, says", [
    (lambda graph: [1.0], r"the reason 'mine' gives \(1,\) numbers"),
    (lambda graph: ["far"] * len(graph.edge_a), "the reason 'mine' gives no numbers"),
    (lambda graph: np.full(len(graph.edge_a), np.inf), "the reason 'mine' gives .* finite"),
])  # fmt: skip
def test_a_reason_that_does_not_fit_is_named(reason, says):
    refused(says, pg.suspects, graph_of("a+b b-c"), {"mine": reason}, None)
    refused("a reason cannot be called label", pg.suspects, graph_of("a+b b-c"), {"label": reason})


def test_a_sentence_of_thousands_of_words_keeps_no_list_from_being_made():
    long = " ".join(f"word{i}" for i in range(2000))
    graph = graph_of((long, "short one", 1), ("short one", "other thing", 1), (long, "other thing", 0))
    listed = pg.suspects(graph, judge=None, progress=False)
    assert len(listed) == 3 and np.isfinite(listed["blame"].max()) and listed["label"].tolist() == [1, 1, 0]


def test_a_table_that_is_no_list_has_no_belief():
    listed = pg.suspects(graph_of("a+b b-c"), judge=None)
    for name in ("reason", "answer", "random"):
        assert belief_of(listed.drop(columns=name), listed["label"].to_numpy()) is None
