"""Imputed negatives judged by hand, and the precision that follows."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.measure.pool.all_pairs import AllPairs, all_pairs

from .worlds import graph_of


@pytest.fixture(scope="module")
def found():
    """An estimate with false positives in both strata: a third of the positives lie far from each other."""
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(150), 2)
    vectors = rng.standard_normal((300, 6)) + 1.2 * rng.standard_normal((150, 6))[cluster]
    rows = [(i, i + 1, int(cluster[i] == cluster[i + 1])) for i in range(299)]
    return all_pairs(graph_of(rows), vectors=vectors, near=2, random=20_000)


def judged(found, same):
    """Judgements by a function of the stratum's name and the place in it."""
    table = found.false_positives(40, seed=1)
    place = table.groupby("stratum").cumcount()
    return table.assign(same=[same(name, i) for name, i in zip(table["stratum"], place, strict=True)])


def test_the_queue_holds_false_positives_of_each_stratum(found):
    table = found.false_positives(40)
    assert list(table) == ["text_a", "text_b", "label", "stratum", "score", "same"]
    assert table["stratum"].value_counts().to_dict() == {"near": 40, "random": 40}
    assert (table["score"] >= found.threshold).all() and table["same"].isna().all() and (table["label"] == 0).all()
    world = found.world
    ranks = world.ranks(world.nodes(table["text_a"]), world.nodes(table["text_b"]))
    assert not np.isin(ranks, world.positives).any() and len(set(ranks)) == 80
    assert not table.equals(found.false_positives(40, seed=1))
    pd.testing.assert_frame_equal(table, found.false_positives(40))
    assert len(found.false_positives(0)) == 0
    every, sample = found.false_positives(10**6), found.sample
    wrong = sample[~sample["positive"] & (sample["score"] >= found.threshold)]
    assert len(every) == len(wrong)


def test_precision_by_arithmetic(found):
    strata, precision = found.corrected(judged(found, lambda name, i: int(i < 10) if name == "near" else 0))
    sample = found.sample
    wrong = sample[~sample["positive"] & (sample["score"] >= found.threshold)]
    near, far = (wrong.loc[wrong["near"] == which, "weight"].sum() for which in (True, False))
    true = (sample["positive"] & (sample["score"] >= found.threshold)).sum()
    assert found.p_r20 == pytest.approx(true / (true + near + far))
    assert strata[["judged", "mislabelled", "share"]].to_numpy().tolist() == [[40, 10, 0.75], [40, 0, 1]]
    assert strata["false_positives"].tolist() == pytest.approx([near, far])
    value = precision["value"].to_dict()
    assert value["removed"] == pytest.approx(true / (true + 0.75 * near + far))
    assert value["counted"] == pytest.approx((true + 0.25 * near) / (true + near + far))
    assert (precision["low"] <= precision["value"]).all() and (precision["value"] <= precision["high"]).all()
    swapped = judged(found, lambda name, i: int(i < 10) if name == "near" else 0)
    swapped = swapped.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    log = SimpleNamespace(judged=lambda: swapped)  # what a review hands over
    pd.testing.assert_frame_equal(found.corrected(log).precision, precision)


@pytest.mark.parametrize(
    ("before", "right", "after"),
    [(0.551, {"near": 0.32}, 0.793), (0.082, {"near": 0.72, "random": 0.92}, 0.095)],
)
def test_the_printed_corrections(before, right, after):
    """Mussmann and others (2020), sections 3.3 and 5: 50 judged a stratum; how large strata are is not said."""
    false, world = 1 / before - 1, graph_of([(0, 1, 1), (2, 3, 1), *[(10 + i, 200 + i, 0) for i in range(101)]])
    found = all_pairs(world, vectors=np.eye(world.n))
    ranks = found.world.negatives[: 50 * len(right)]
    weight = {"near": false * 0.34 / 50 if len(right) > 1 else false / 50, "random": false * 0.66 / 50}
    strata = np.repeat([*right], 50)
    sample = pd.DataFrame({"rank": ranks, "score": 1.0, "positive": False, "near": strata == "near"})
    sample["weight"] = [weight[name] for name in strata]
    asked = SimpleNamespace(sample=sample, world=found.world, threshold=0.5, p_r20=before)
    place = np.tile(np.arange(50), len(right))
    answers = found.world.table(ranks).assign(same=(place >= 50 * np.array([right[s] for s in strata])).astype(int))
    assert AllPairs.corrected(asked, answers).precision.loc["removed", "value"] == pytest.approx(after, abs=6e-4)


def test_what_is_not_judged_is_not_known(found):
    strata, precision = found.corrected(judged(found, lambda name, i: 1 if name == "near" and i < 3 else None))
    assert strata["judged"].tolist() == [3, 0] and precision.loc["removed"].isna().all()
    assert precision.loc["imputed", "value"] == found.p_r20


def test_what_does_not_fit_is_named(found):
    table = judged(found, lambda *_: 0)
    positive = found.world.table(found.world.positives[:1]).assign(same=1)
    for odd, message in (
        (pd.concat([table, positive]), "row 81: this pair is no false positive"),
        (pd.concat([table, table[:1]]), "row 81: this pair is judged twice"),
        (table.assign(text_a="none"), "row 1: this pair is no false positive"),
        (table.assign(same="yes"), "row 1: same 'yes' is not 1, 0 or empty"),
    ):
        with pytest.raises(pg.PairsError, match=message):
            found.corrected(odd)


def test_the_queue_can_be_reviewed_by_keys(found, tmp_path):
    table = found.false_positives(5)
    review = pg.PairReview(table, found.world.graph, tmp_path / "log.db", reviewer="Ada")
    for decision in ["flip", "keep"] * 5:
        review.decide(decision)
    review.decision_log.add("another", "pair", "keep", label=0, reviewer="Ada")  # the log serves more than this
    for judged in (review, review.decision_log):
        strata, _ = found.corrected(judged)
        assert strata["judged"].sum() == 10 and strata["mislabelled"].sum() == 5


def test_exact_scores_have_one_stratum_and_a_picture(found):
    exact = all_pairs(found.world.graph, vectors=np.random.default_rng(1).standard_normal((300, 6)))
    assert set(exact.false_positives(20)["stratum"]) == {"near"}
    titles = [axes.get_title(loc="left") for axes in exact.figure().axes]
    assert titles == ["150 positives among 44,850 pairs", "1 of 299 pairs is positive"]
    balanced = exact.balanced(threshold=0.2)
    label, score = exact.stated()
    assert balanced["n"] == 299 and balanced["accuracy"] == np.mean((score >= 0.2) == label)
