"""Evidence about labels: columns of words, put together as calibrated log-odds."""

import numpy as np
import pandas as pd

from paragraph.doubts.shipped import compared, own_opinion
from paragraph.learn.logistic import Weights, fit_logistic, sigmoid
from paragraph.words.difference import COLUMNS as WORDS

from ..reference import graph_of

TOY = graph_of(("Is it far?", "Is it hot?", 0), ("Is it far?", "How far is it?", 1), ("Is it far?", "Is it far?!", 1))


def test_evidence_is_of_words_alone():
    table, _ = compared(TOY)
    assert list(table) == [*WORDS]
    assert (table["swapped"].tolist(), table["question"].tolist()) == ([1, 0, 0], [0, 1, 0])


def test_small_data_have_no_opinion(demo):
    assert np.isnan(own_opinion(TOY)).all()
    own = Weights([*WORDS], fit_logistic(compared(demo)[0].to_numpy(float), demo.edge_sign > 0))
    np.testing.assert_array_equal(own_opinion(demo), own.log_odds(compared(demo)[0]))


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
