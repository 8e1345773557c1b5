"""Scores of pairs and of words against scikit-learn, and what is not defined."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from paragraph.papers import best_threshold, scores, tag_scores
from paragraph.papers.experiments.scoring import steps

from ...refused import refused

SOME = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 0.99, 1.0]) | st.floats(0, 1)
some = st.lists(st.tuples(st.integers(0, 1), SOME), min_size=1, max_size=30).map(
    lambda pairs: tuple(np.array(column) for column in zip(*pairs, strict=True))
)


@settings(max_examples=25)
@given(some, st.sampled_from([0.25, 0.5, 0.9]))
def test_scores_are_scikit_learns(pairs, threshold):
    label, probability = pairs
    predicted = probability >= threshold
    found = scores(label, probability, threshold)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "accuracy": metrics.accuracy_score(label, predicted), "F1": metrics.f1_score(label, predicted),
            "weighted F1": metrics.f1_score(label, predicted, average="weighted"),
            "recall": metrics.recall_score(label, predicted), "precision": metrics.precision_score(label, predicted),
            "average precision": metrics.average_precision_score(label, probability),
        }  # fmt: skip
    expected |= {} if label.any() else dict.fromkeys(("F1", "recall", "average precision"), math.nan)
    expected |= {} if predicted.any() else {"precision": math.nan}
    assert found[[*expected]].to_dict() == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert (found["n"], found["positives"]) == (len(label), label.sum())
    if label.any():
        precision, recall, thresholds = metrics.precision_recall_curve(label, probability)
        wanted = {"threshold": thresholds[::-1], "recall": recall[:-1][::-1], "precision": precision[:-1][::-1]}
        np.testing.assert_allclose(steps(np.array(probability), np.array(label)).curve(), pd.DataFrame(wanted))


def test_the_threshold_itself_counts_as_1():
    found = scores([0, 1], [0.5, 0.5])
    pd.testing.assert_series_equal(found, scores(pd.Series([0, 1], dtype="Int8", index=[7, 8]), [0.5, 0.5]))
    assert found["recall"] == 1


@pytest.mark.parametrize("label, probability, says", [
    ([], [], "no pairs"), ([0, 1], [0.5], "2 labels for 1 prob"),
    ([0, None], [0.5, 0.5], "entry 1: label nan is not 0 or 1"),
    ([0, 2], [0.5, 0.5], "entry 1: label 2 is not 0 or 1"),
    ([0, 1], [0.5, 1.5], "entry 1: probability 1.5 is not between 0 and 1"),
    ([0, 1], [0.5, float("nan")], "entry 1: probability nan"), (["yes", "no"], [0.5, 0.5], "label is not a number"),
])  # fmt: skip
def test_refused(label, probability, says):
    for function in (scores, tag_scores, best_threshold):
        refused(says, function, label, probability)


WORDS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0, 0.1, 0.3, 0.3001, 0.5, 0.9, 1])), min_size=1, max_size=30
)


@settings(max_examples=20)
@given(WORDS, st.sampled_from([0.2, 0.3, 0.5]))
def test_tag_scores_are_scikit_learns(words, threshold):
    marks, p = map(list, zip(*words, strict=True))
    found, said = tag_scores(marks, p, threshold), [int(x >= threshold) for x in p]
    theirs = {
        "word F1": (metrics.f1_score, said), "precision": (metrics.precision_score, said),
        "recall": (metrics.recall_score, said), "AUC": (metrics.roc_auc_score, p),
        "accuracy": (metrics.accuracy_score, said),
    }  # fmt: skip
    for name, (score, values) in theirs.items():
        needed = {"precision": said, "accuracy": [1], "AUC": [any(marks) and not all(marks)]}.get(name, marks)
        assert found[name] == pytest.approx(score(marks, values)) if any(needed) else np.isnan(found[name])
    assert found["n"] == len(marks) and found["accuracy of all 0"] == pytest.approx(1 - np.mean(marks))


@settings(max_examples=20)
@given(WORDS)
def test_no_other_threshold_has_a_better_f1(words):
    marks, p = map(list, zip(*words, strict=True))
    if any(marks):
        found = tag_scores(marks, p, best_threshold(marks, p))["word F1"]
        assert found == pytest.approx(max(tag_scores(marks, p, at)["word F1"] for at in {*p}))
    else:
        assert best_threshold(marks, p) == 0.5
