"""Tests, intervals and power: against brute force and other implementations, and by simulation."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from paragraph.measure import (
    accuracy_difference,
    detectable_accuracy_difference,
    detectable_mean_difference,
    effect_size,
    mcnemar,
    unpaired_t,
)
from paragraph.papers.experiments.significance import mcnemar_p

from ...refused import refused


def outcomes(both, only_first, only_second, neither):
    """label, first, second with so many pairs of each kind."""
    first = np.repeat([1, 1, 0, 0], [both, only_first, only_second, neither])
    second = np.repeat([1, 0, 1, 0], [both, only_first, only_second, neither])
    return np.ones(len(first)), first, second


def test_mcnemar_counts_both_ways_alike():
    """The worked example of Fagerland, Lydersen and Laake (2013)."""
    found = mcnemar(*outcomes(3, 1, 7, 4))
    assert found.drop(["p", "method"]).tolist() == [15, 1, 7]
    assert found["p"] == mcnemar(*outcomes(3, 7, 1, 4))["p"] == pytest.approx(0.0390625)


@pytest.mark.parametrize("m", [1, 2, 5, 10])
def test_mcnemar_by_listing_coin_tosses(m):
    tosses = [sum(toss) for toss in product((0, 1), repeat=m)]
    for b in range(m + 1):
        beyond = sum(abs(2 * t - m) > abs(2 * b - m) for t in tosses) / 2**m
        equal = sum(abs(2 * t - m) == abs(2 * b - m) for t in tosses) / 2**m
        # The outcome seen counts half; half and half has no other side to share with.
        assert mcnemar_p(b, m - b) == pytest.approx(beyond + equal / 2 if 2 * b != m else 1)


def by_likelihood(b, c, n, delta):
    """Tango's score statistic, with the likeliest share of lost pairs found by trying."""
    q = np.linspace(0, 1, 200_001)[1:-1]
    p = q + delta  # share of gained pairs
    fine = (p >= 0) & (p + q <= 1)
    q, p = q[fine], p[fine]
    with np.errstate(divide="ignore", invalid="ignore"):
        likely = np.where(b, b * np.log(p), 0) + np.where(c, c * np.log(q), 0)
        likely += np.where(n - b - c, (n - b - c) * np.log(1 - p - q), 0)
    best = np.nanargmax(likely)
    return (b - c - n * delta) / math.sqrt(n * (p[best] + q[best] - delta**2))


@pytest.mark.parametrize("b, c, n", [(7, 1, 21), (12, 0, 50), (0, 4, 9), (40, 25, 1000)])
def test_score_interval_by_brute_force(b, c, n):
    found, z = accuracy_difference(*outcomes(n - b - c, c, b, 0)), stats.norm.isf(0.025)
    assert found["difference"] == pytest.approx((b - c) / n)
    ends = [by_likelihood(b, c, n, found[name]) for name in ("low", "high")]
    assert ends == pytest.approx([z, -z], abs=0.01)


@pytest.mark.parametrize("b, c, n", [(0, 0, 12), (5, 0, 5), (0, 5, 5), (0, 0, 1), (1, 0, 1)])
def test_score_interval_at_the_edges(b, c, n):
    found = accuracy_difference(*outcomes(n - b - c, c, b, 0))
    assert -1 <= found["low"] <= (b - c) / n <= found["high"] <= 1 and found["high"] > found["low"]
    if not b and not c:
        assert found["high"] == pytest.approx(-found["low"], abs=1e-6)


def test_bootstrap_against_all_draws_of_three_groups():
    label, first, second = np.ones(6), np.array([1, 0, 0, 1, 1, 0]), np.array([1, 1, 1, 0, 1, 0])
    groups = np.array(list("aabccc"))
    gain, size = {"a": 1, "b": 1, "c": -1}, {"a": 2, "b": 1, "c": 3}
    ratios = np.array([sum(gain[g] for g in d) / sum(size[g] for g in d) for d in product("abc", repeat=3)])
    found = accuracy_difference(label, first, second, groups, draws=40_000)
    expected = np.quantile(ratios, [0.025, 0.975], method="inverted_cdf")
    assert found[["low", "high"]].tolist() == pytest.approx(expected.tolist())
    assert (found["method"], found["groups"]) == ("bootstrap over 3 groups", 3)
    assert found["difference"] == accuracy_difference(label, first, second)["difference"]
    assert found.equals(accuracy_difference(label, first, second, groups, draws=40_000))


numbers = st.lists(st.integers(-50, 50), min_size=2, max_size=8)


@settings(max_examples=30)
@given(numbers, numbers)
def test_unpaired_t_by_formula(first, second):
    a, b = np.array(first, float), np.array(second, float)
    found = unpaired_t(a, b)
    assert found["difference"] == pytest.approx(b.mean() - a.mean())
    if np.ptp(a) == 0 == np.ptp(b):
        assert math.isnan(found["p"]) and "nothing to test" in found["method"] and effect_size(a, b).isna().all()
        return
    pooled = (np.sum((a - a.mean()) ** 2) + np.sum((b - b.mean()) ** 2)) / (len(a) + len(b) - 2)
    t = (b.mean() - a.mean()) / math.sqrt(pooled * (1 / len(a) + 1 / len(b)))
    assert found["t"] == pytest.approx(t)
    assert found["p"] == pytest.approx(2 * stats.t.sf(abs(t), len(a) + len(b) - 2))
    # Significant exactly where the interval leaves out 0.
    if abs(found["p"] - 0.05) > 1e-6:
        assert (found["p"] < 0.05) == (not found["low"] <= 0 <= found["high"])
    assert effect_size(a, b)["d"] == pytest.approx((b.mean() - a.mean()) / math.sqrt(pooled))


def test_hedges_correction_as_tabled():
    """J(m) of Hedges (1981), Table 1: .7979 for 4 degrees of freedom, .9228 for 10."""
    for size, factor in ((3, 0.7979), (6, 0.9228)):
        found = effect_size(np.arange(size), np.arange(size) + 1.0)
        assert found["g"] / found["d"] == pytest.approx(factor, abs=1e-3)


@pytest.mark.parametrize("n, discordance", [(60, 0.4), (400, 0.1), (5000, 0.03)])
def test_detectable_accuracy_difference_by_simulation(n, discordance):
    difference = detectable_accuracy_difference(n, discordance)
    rng = np.random.default_rng(0)
    better, worse = (discordance + difference) / 2, (discordance - difference) / 2
    counts = rng.multinomial(n, [better, max(worse, 0), 1 - discordance], size=20_000)
    found = mcnemar_p(counts[:, 0], counts[:, 1]) <= 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.012)


@pytest.mark.parametrize("n", [2, 5])
def test_detectable_mean_difference_by_simulation(n):
    difference = detectable_mean_difference(0.3, n)
    rng = np.random.default_rng(0)
    first, second = rng.normal([[[90]], [[90 + difference]]], 0.3, (2, 20_000, n))
    assert np.mean(stats.ttest_ind(second, first, axis=1).pvalue <= 0.05) == pytest.approx(0.8, abs=0.012)


@pytest.mark.parametrize("call, says", [
    (lambda: mcnemar([1], [1, 0], [1]), "have 1, 2, 1 entries"),
    (lambda: mcnemar([1], [0.7], [1]), "entry 0: first 0.7 is not 0 or 1; predictions, not prob"),
    (lambda: accuracy_difference([1], [1], [1], groups=[1, 2]), "group of each of 1 pairs"),
    (lambda: unpaired_t([1], [1, 2]), "first has 1 scores: 2 or more"),
    (lambda: unpaired_t(["a", "b"], [1, 2]), "a first score is not a number"),
    (lambda: accuracy_difference([1], [1], [1], [1], draws=0), "draws 0 is not a whole number of 1"),
    (lambda: detectable_accuracy_difference(0, 0.1), "n 0 is not a whole number of 1 or more"),
    (lambda: detectable_accuracy_difference(10, 1.2), "discordance 1.2"),
    (lambda: detectable_mean_difference(1, 1), "n 1 is not a whole number of 2 or more"),
    (lambda: detectable_mean_difference(-1, 5), "sd -1 is below 0"),
])  # fmt: skip
def test_refused(call, says):
    refused(says, call)
