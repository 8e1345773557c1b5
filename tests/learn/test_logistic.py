"""The logistic regression: the same numbers whatever threads there are."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_info, threadpool_limits

from paragraph.learn.logistic import fit_logistic


def test_a_fit_of_any_size_takes_one_thread_of_blas_and_is_the_same_whatever_there_are(monkeypatch):
    def threads():
        return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}

    x = np.random.default_rng(0).normal(size=(20_000, 100)).astype(np.float32)
    label = (x[:, :5].sum(axis=1) + x[::-1, 7] > 0).astype(int)
    seen, fitted, fit = [], [], LogisticRegression.fit
    monkeypatch.setattr(LogisticRegression, "fit", lambda *given: seen.append(threads()) or fit(*given))
    for most in (1, 2):
        with threadpool_limits(most, "blas"):
            fitted.append(fit_logistic(x, label))
            assert threads() == {most}
    assert seen == [{1}, {1}] and np.array_equal(fitted[0].weight, fitted[1].weight)
