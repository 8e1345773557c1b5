"""Scores of tags on words, against scikit-learn, and the threshold of the best F1, against all thresholds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import paragraph as pg
from paragraph.measure import best_threshold, tag_scores

WORDS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0, 0.1, 0.3, 0.3001, 0.5, 0.9, 1])), min_size=1, max_size=30
)


@given(WORDS, st.sampled_from([0.2, 0.3, 0.5]))
def test_scores_are_those_of_scikit_learn(words, threshold):
    tags, p = map(list, zip(*words, strict=True))
    found, said = tag_scores(tags, p, threshold), [int(x >= threshold) for x in p]
    theirs = {
        "word F1": (metrics.f1_score, said), "precision": (metrics.precision_score, said),
        "recall": (metrics.recall_score, said), "AUC": (metrics.roc_auc_score, p),
        "accuracy": (metrics.accuracy_score, said),
    }  # fmt: skip
    for name, (score, values) in theirs.items():
        if name in found.attrs["undefined"]:
            assert np.isnan(found[name])
        else:
            assert found[name] == pytest.approx(score(tags, values))
    assert found["n"] == len(tags) and found["accuracy of all 0"] == pytest.approx(1 - np.mean(tags))


@given(WORDS)
def test_no_other_threshold_has_a_better_f1(words):
    tags, p = map(list, zip(*words, strict=True))
    if any(tags):
        found = tag_scores(tags, p, best_threshold(tags, p))["word F1"]
        assert found == pytest.approx(max(tag_scores(tags, p, at)["word F1"] for at in {*p}))
    else:
        assert best_threshold(tags, p) == 0.5


@pytest.mark.parametrize(
    ("tags", "p", "undefined"),
    [
        ([0, 0], [0.9, 0.1], {"word F1", "recall", "AUC"}),
        ([1, 1], [0.9, 0.1], {"AUC"}),
        ([1, 0], [0.1, 0.1], {"precision"}),
    ],
)
def test_what_is_not_defined_says_why(tags, p, undefined):
    found = tag_scores(tags, p)
    assert {*found.attrs["undefined"]} == undefined and found[[*undefined]].isna().all()


def test_all_zeros_are_no_good_tags():
    """Accuracy alone would praise them."""
    found = tag_scores([1] * 8 + [0] * 92, [0.0] * 100)
    assert (found["accuracy"], found["word F1"]) == (0.92, 0)


@pytest.mark.parametrize(("tags", "p"), [([2], [0.1]), ([1], [1.1]), ([1, 0], [0.1]), ([], [])])
def test_what_is_no_tag_or_probability_is_refused(tags, p):
    with pytest.raises(pg.PairsError):
        tag_scores(tags, p)
