"""A prior is fitted to judged files, and finds how they differ."""

from functools import partial

import numpy as np
import pytest

from paragraph.doubts.prior import Prior, posterior
from paragraph.learn.logistic import sigmoid

from .test_belief import labels


@pytest.mark.slow
def test_a_prior_is_fitted_to_files_and_finds_how_they_differ():
    """Files of 300 judged labels each, whose levels and slopes are known."""
    from benchmarks.yields import fitted_prior

    first = Prior({"level": [[0, 2], [0, 2]], "judge": [[0.5, 0.4]] * 2, "own": [[0.5, 0.4]] * 2})
    rng, shipped = np.random.default_rng(0), Prior.shipped("judge")
    truth = Prior({name: shipped[name] for name in first}).normal()
    files = []
    for seed in range(12):
        x = first.columns(labels(300, seed))
        wrong = rng.random(300) < sigmoid(x @ rng.multivariate_normal(*truth))
        files.append(partial(posterior, x=x, found=wrong))
    found = fitted_prior(files, first)
    assert list(found) == ["level", "judge", "own"]
    away = np.abs(found.normal().mean - truth.mean) / np.sqrt(np.diag(truth.covariance))
    assert away.max() < 1 and found["level"][1][1] > found["judge"][1][1]
