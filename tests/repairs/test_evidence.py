"""Evidence about labels: columns from words and from users, put together as calibrated log-odds."""

import warnings

import numpy as np
import pandas as pd
import pytest

from paragraph.learn.logistic import Weights, fit_logistic, sigmoid
from paragraph.repairs.evidence import DECIDED, SHIPPED, evidence, evidence_log_odds, weights_for
from paragraph.words.difference import COLUMNS as WORDS

from ..reference import graph_of
from ..refused import refused

TOY = graph_of(("Is it far?", "Is it hot?", 0), ("Is it far?", "How far is it?", 1), ("Is it far?", "Is it far?!", 1))


@pytest.mark.parametrize("ends", [("question1", "question2"), ("text_b", "text_a")])
def test_columns_are_put_to_edges_by_text_in_either_order(ends):
    given = pd.DataFrame({ends[0]: ["Is it far?!", "Is it far?"], ends[1]: ["Is it far?", "Is it hot?"]})
    table = evidence(TOY, given.assign(cosine=[0.9, 0.4]))
    np.testing.assert_array_equal(table["cosine"], [0.4, np.nan, 0.9])
    assert list(table) == [*WORDS, "cosine"]
    assert (table["swapped"].tolist(), table["question"].tolist()) == ([1, 0, 0], [0, 1, 0])


def test_a_model_is_never_certain_and_a_decision_is():
    given = pd.DataFrame({"question1": ["Is it far?"] * 2, "question2": ["Is it hot?", "How far is it?"]})
    np.testing.assert_allclose(evidence(TOY, given.assign(model=[0.0, 0.75]))["model"], [-6, np.log(3), np.nan])
    found = evidence_log_odds(TOY, given.assign(decision=[1.0, np.nan]))
    np.testing.assert_allclose(found, [DECIDED, *evidence_log_odds(TOY)[1:]])


def test_evidence_that_does_not_fit():
    given = pd.DataFrame({"question1": ["Is it far?"], "question2": ["Is it hot?"], "cosine": [0.1]})
    for table, message in (
        (given.drop(columns="question1"), "needs the columns text_a, text_b"),
        (given.assign(note="x"), "'note' holds no numbers"),
        (given.assign(swapped=1.0), "'swapped' is one that is worked out already"),
        (given.assign(model=1.5), "1.5 is not a probability"),
        (given.assign(decision=2), "2.0 is not a probability"),
        (given.assign(question1="?"), "are they of another file"),
    ):
        refused(message, evidence, TOY, table)
    for other in ("a", None, 7):
        with pytest.warns(UserWarning, match="1 pairs of evidence are not stated"):
            evidence(TOY, pd.concat([given, given.assign(question1=other)]))


def test_small_data_get_shipped_weights_and_say_which_column_they_do_not_know():
    given = pd.DataFrame({"question1": ["Is it far?"], "question2": ["Is it hot?"], "cosine": [0.1], "odd": [1.0]})
    with pytest.warns(UserWarning, match="odd"):
        weights = weights_for(TOY, evidence(TOY, given))
    assert weights.columns == [*WORDS, "cosine"]


def test_larger_data_get_their_own_and_a_column_that_tells_gets_weight(demo):
    rng = np.random.default_rng(0)
    table = evidence(demo).assign(good=demo.edge_sign + rng.normal(0, 2, len(demo.edge_sign)), noise=0.0)
    table["noise"] = rng.normal(size=len(table))
    weights = weights_for(demo, table)
    by = dict(zip(weights.columns, weights.logistic.weight, strict=True))
    assert by["good"] > 0.5 and abs(by["noise"]) < 0.2


def test_fit_agrees_with_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(3)
    x = pd.DataFrame(rng.normal(2, 3, (500, 3)), columns=list("abc"))
    y = rng.random(500) < sigmoid(x["a"].to_numpy() - x["b"].to_numpy())
    z = (x - x.mean()) / x.std(ddof=0)
    theirs = LogisticRegression(C=1, tol=1e-8).fit(z, y)
    ours = fit_logistic(x.to_numpy(), y)
    np.testing.assert_allclose(ours.weight, theirs.coef_[0], atol=1e-3)
    np.testing.assert_allclose(ours.bias, theirs.intercept_[0], atol=1e-3)


def test_shipped_weights_have_the_signs_that_they_should():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = Weights.read(SHIPPED, "evidence+model+cosine")
    by = dict(zip(weights.columns, weights.logistic.weight, strict=True))
    assert by["model"] > 0 and by["cosine"] > 0 and by["name"] < 0 and by["negation"] < 0
