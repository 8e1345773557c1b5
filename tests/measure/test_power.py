"""Power, checked by simulating the very tests it is about."""

import math

import numpy as np
import pytest
from scipy import stats

from paragraph.measure import (
    detectable_accuracy_difference,
    detectable_mean_difference,
    largest_possible_difference,
    mcnemar,
)
from paragraph.measure.significance import mcnemar_p, mcnemar_power, t_power
from paragraph.pairs import PairsError


@pytest.mark.parametrize("n, discordance", [(60, 0.4), (400, 0.1), (5000, 0.03)])
def test_detectable_accuracy_difference_by_simulation(n, discordance):
    difference = detectable_accuracy_difference(n, discordance)
    rng = np.random.default_rng(0)
    better, worse = (discordance + difference) / 2, (discordance - difference) / 2
    counts = rng.multinomial(n, [better, max(worse, 0), 1 - discordance], size=20_000)
    found = mcnemar_p(counts[:, 0], counts[:, 1]) <= 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.012)


def test_power_at_no_difference_is_the_level():
    assert mcnemar_power(2000, 0.2)(0.0) == pytest.approx(0.05, abs=0.003)
    assert t_power(0.0, 5) == pytest.approx(0.05)


def test_few_discordant_pairs_can_tell_nothing():
    assert math.isnan(detectable_accuracy_difference(40_430, 2 / 40_430))
    assert math.isnan(detectable_accuracy_difference(100, 0.0))
    assert mcnemar(np.ones(4), np.ones(4), np.zeros(4))["p"] > 0.05


@pytest.mark.parametrize("n", [2, 5])
def test_detectable_mean_difference_by_simulation(n):
    difference = detectable_mean_difference(0.3, n)
    rng = np.random.default_rng(0)
    first = rng.normal(90, 0.3, (20_000, n))
    second = rng.normal(90 + difference, 0.3, (20_000, n))
    assert np.mean(stats.ttest_ind(second, first, axis=1).pvalue <= 0.05) == pytest.approx(0.8, abs=0.012)


def test_the_papers_table_is_beyond_what_is_possible():
    """Chen, Ji and Evans (2020), Table 2: the row Original, and test sets that differ in two labels."""
    assert 50 * largest_possible_difference(2, 40_430) < (90.35 - 90.09) / 100
    rng = np.random.default_rng(0)
    label, predicted = rng.integers(0, 2, (2, 1000))
    for changed in (0, 3, 1000):
        other = label.copy()
        other[rng.choice(1000, changed, replace=False)] ^= 1
        moved = abs(np.mean(label == predicted) - np.mean(other == predicted))
        assert moved <= largest_possible_difference(changed, 1000) + 1e-12


BAD = [
    (lambda: detectable_accuracy_difference(0, 0.1), "n 0 is not a whole number of 1 or more"),
    (lambda: detectable_accuracy_difference(10.5, 0.1), "n 10.5 is not a whole number"),
    (lambda: detectable_accuracy_difference(10, 1.2), "discordance 1.2"),
    (lambda: detectable_mean_difference(1, 1), "n 1 is not a whole number of 2 or more"),
    (lambda: detectable_mean_difference(-1, 5), "sd -1 is below 0"),
    (lambda: detectable_mean_difference(float("nan"), 5), "sd nan is below 0, or no number"),
    (lambda: largest_possible_difference(3, 2), "3 changed labels are more than all 2"),
    (lambda: largest_possible_difference("a", 2), "changed 'a' is not a whole number"),
]


@pytest.mark.parametrize("call, says", BAD, ids=[says for _, says in BAD])
def test_refused(call, says):
    with pytest.raises(PairsError, match=says):
        call()
