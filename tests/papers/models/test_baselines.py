"""The two regressions: facts about similarities, and what they learn from the shipped corpus."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

import paragraph as pg
from paragraph.papers.models.baselines import NAMES, TfidfPairs, similarities
from paragraph.papers.models.labels import training_labels

from ...refused import refused


def table(*rows):
    return pd.DataFrame(rows, columns=["text_a", "text_b", "label"]).astype({"label": "Int8"})


def test_similarities_and_that_a_word_never_seen_counts_as_rare():
    for a, b, one, zero in [  # one sentence, another, the columns that are 1, those that are 0
        ("Is tea hot?", "is TEA hot", "words, pairs of words, shared words", ""),
        ("Is tea hot?", "hot tea is", "words, shared words", "pairs of words"),
        ("Is tea hot?", "Who won", "", "words, pairs of words, characters, shared words"),
        ("C", "C", "words, characters, shared words, length", "pairs of words"),
        ("?", "!", "length", "words, pairs of words, characters, shared words"),
        ("お茶は熱い", "お茶は熱い", "words, characters, shared words, length", "pairs of words"),
    ]:
        columns = similarities(*TfidfPairs().read([a, b], learn=True), np.array([0]), np.array([1]))[0]
        found = dict(zip(NAMES, columns, strict=True))
        assert all(found[name] == pytest.approx(1) for name in one.split(", ") if name), (a, b)
        assert all(found[name] == 0 for name in zero.split(", ") if name), (a, b)
        assert all(0 <= value <= 1 + 1e-12 for value in found.values())
    model = TfidfPairs()
    model.read(["Is tea hot?", "Is tea good?"], learn=True)
    texts = ["Is tea hot?", "Is tea quaxy?", "Is tea good?"]
    known, unknown = similarities(*model.read(texts), np.array([0, 0]), np.array([2, 1]))[:, 0]
    assert unknown < known


def test_not_to_learn_from():
    for train, says in [
        (table(), "empty"),
        (table(("a", "b", 1), ("c", "d", 1)), "all 2 training rows have the label 1"),
        (table(("a", "b", 1), ("c", "d", None), ("e", "f", 0)), r"1 of 3 training rows have no label \(row 2\)"),
        (table(("a", "b", 1), ("c", "d", 7)), "row 2: label '7' is not one of 0, 1"),
        (table(("a", "b", 1))[["text_a", "text_b"]], "missing: \\['label'\\]"),
    ]:
        for fit in (training_labels, TfidfPairs().fit):
            refused(says, fit, train)


@pytest.mark.filterwarnings("ignore")
def test_a_word_model_learns_and_not_from_shuffled_labels():
    pairs = pg.split(pg.read_pairs(pg.DEMO), {"train": 0.7, "test": 0.3}, by="clusters")
    train, test = (pairs[pairs["split"] == name] for name in ("train", "test"))
    label = test["label"].to_numpy(int)
    assert roc_auc_score(label, TfidfPairs().fit(train).predict_proba(test)) > 0.62
    shuffled = [train.assign(label=train["label"].sample(frac=1, random_state=k).to_numpy()) for k in range(5)]
    areas = [roc_auc_score(label, TfidfPairs().fit(each).predict_proba(test)) for each in shuffled]
    assert abs(np.mean(areas) - 0.5) < 0.08
