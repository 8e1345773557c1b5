"""Tests, intervals and power: against brute force and other implementations, and by simulation."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from paragraph.papers import detectable_accuracy_difference
from paragraph.papers.experiments.significance import over_pairs, over_seeds


def test_bootstrap_against_all_draws_of_three_groups():
    label, left, right = np.ones(6), np.array([[1, 0, 0, 1, 1, 0]]), np.array([[1, 1, 1, 0, 1, 0]])
    gain, size = {"a": 1, "b": 1, "c": -1}, {"a": 2, "b": 1, "c": 3}
    ratios = np.array([sum(gain[g] for g in d) / sum(size[g] for g in d) for d in product("abc", repeat=3)])
    found = over_pairs(label, left, right, np.array(list("aabccc")))
    expected = np.quantile(ratios, [0.025, 0.975], method="inverted_cdf")
    assert [found["pairs low"], found["pairs high"]] == pytest.approx(expected.tolist())


numbers = st.lists(st.integers(-50, 50), min_size=6, max_size=6)


@settings(max_examples=30)
@given(numbers, numbers)
def test_students_t_by_formula(first, second):
    a, b = np.array(first, float), np.array(second, float)
    found = over_seeds(a, b)
    if np.ptp(a) == 0 == np.ptp(b):
        assert all(map(math.isnan, found.values()))
        return
    pooled = (np.sum((a - a.mean()) ** 2) + np.sum((b - b.mean()) ** 2)) / (len(a) + len(b) - 2)
    t = (b.mean() - a.mean()) / math.sqrt(pooled * (1 / len(a) + 1 / len(b)))
    assert found["p"] == pytest.approx(2 * stats.t.sf(abs(t), len(a) + len(b) - 2))
    # Significant exactly where the interval leaves out 0.
    if abs(found["p"] - 0.05) > 1e-6:
        assert (found["p"] < 0.05) == (not found["low"] <= 0 <= found["high"])


def mcnemar_p(wins, losses):
    """The mid-p value of McNemar's test (Fagerland, Lydersen and Laake 2013)."""
    few, n = np.minimum(wins, losses), wins + losses
    return 2 * stats.binom.cdf(few, n, 0.5) - stats.binom.pmf(few, n, 0.5)


@pytest.mark.parametrize("n, discordance", [(60, 0.4), (400, 0.1), (5000, 0.03)])
def test_detectable_accuracy_difference_by_simulation(n, discordance):
    difference = detectable_accuracy_difference(n, discordance)
    rng = np.random.default_rng(0)
    better, worse = (discordance + difference) / 2, (discordance - difference) / 2
    counts = rng.multinomial(n, [better, max(worse, 0), 1 - discordance], size=20_000)
    assert np.mean(mcnemar_p(*counts[:, :2].T) <= 0.05) == pytest.approx(0.8, abs=0.025)


@pytest.mark.parametrize("n", [3, 5])
def test_the_detectable_mean_difference_by_simulation(n):
    scores = 0.3 * stats.zscore(np.arange(n), ddof=1)
    difference = over_seeds(scores, scores)["detectable"]
    rng = np.random.default_rng(0)
    first, second = rng.normal([[[90]], [[90 + difference]]], 0.3, (2, 20_000, n))
    assert np.mean(stats.ttest_ind(second, first, axis=1).pvalue <= 0.05) == pytest.approx(0.8, abs=0.015)
