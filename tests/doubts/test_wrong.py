"""Levels and slopes of a file against brute force; what is asked next; intervals that hold."""

import numpy as np
import pytest

from paragraph.doubts.wrong import Belief, Labels, Normal, posterior, prior, probability, scale_of
from paragraph.learn.logistic import sigmoid

RNG = np.random.default_rng(0)
N = 3000


def labels(n=N, seed=0):
    """Labels of which two things are known, with log-odds as those of a file are."""
    rng = np.random.default_rng(seed)
    known = np.column_stack([np.ones(n), rng.normal(-1, 2, (n, 2)).clip(-6, 6)])
    return Labels(rng.random(n) < 0.5, known, np.zeros(n), np.full(n, np.nan), np.zeros(n))


def simulated(of, seed, name="minilm"):
    """Which labels are wrong in a file whose levels and slopes are drawn from the prior."""
    rng = np.random.default_rng(seed)
    levels = rng.multivariate_normal(*prior(name))
    return (rng.random(len(of.positive)) < sigmoid(of.x @ levels + of.offset)).astype(float)


def reviewed(of, wrong, answers, seed=0):
    """The belief after so many answers, ten a turn."""
    belief, told = Belief(of, prior("minilm"), np.full(len(wrong), np.nan)), np.full(len(wrong), np.nan)
    for _ in range(answers // 10):
        asked = belief.next(10, seed)
        told[asked] = wrong[asked]
        belief = belief.told(told.copy())
    return belief


def test_a_posterior_is_that_of_brute_force():
    before = Normal(np.array([-1.0, 0.5]), np.array([[1.5, 0.2], [0.2, 0.3]]))
    x = np.column_stack([np.ones(40), np.linspace(-2, 3, 40)])
    wrong = (np.arange(40) % 7 == 0) | (np.arange(40) > 33)
    grid = np.array(np.meshgrid(np.linspace(-6, 4, 301), np.linspace(-2, 3, 301))).reshape(2, -1).T
    away = grid - before.mean
    z = grid @ x.T
    log = -np.einsum("ij,ij->i", away @ np.linalg.inv(before.covariance), away) / 2
    log += (wrong * z - np.logaddexp(0, z)).sum(axis=1)
    share = np.exp(log - log.max()) / np.exp(log - log.max()).sum()
    after = posterior(before, x, wrong)
    np.testing.assert_allclose(after.mean, share @ grid, atol=0.12)
    np.testing.assert_allclose(probability(after, x), share @ sigmoid(z), atol=0.02)
    of = Labels(np.ones(40, dtype=bool), x, np.zeros(40), np.full(40, np.nan), np.zeros(40))
    wide = Normal(np.append(before.mean, [0, 0]), np.diag([1.5, 0.3, 1, 1]))
    told = np.where(np.arange(40) % 2, wrong, np.nan)
    belief = Belief(of, wide, told)
    drawn = belief.levels(4000)[:, :2]
    log = -((grid - before.mean) ** 2 / [1.5, 0.3]).sum(axis=1) / 2
    log += (wrong * z - np.logaddexp(0, z))[:, 1::2].sum(axis=1)
    share = np.exp(log - log.max()) / np.exp(log - log.max()).sum()
    np.testing.assert_allclose(drawn.mean(axis=0), share @ grid, atol=0.08)
    np.testing.assert_allclose(drawn.var(axis=0), share @ grid**2 - (share @ grid) ** 2, rtol=0.15)


def test_intervals_hold_in_files_like_those_judged():
    """100 files: the number of wrong labels among the next hundred, before anybody judged and after 20 answers."""
    of, held = labels(), {0: [], 20: []}
    for seed in range(100):
        wrong = simulated(of, seed)
        for answers, inside in held.items():
            belief = reviewed(of, wrong, answers, seed)
            [row] = belief.expected([100], seed).itertuples()
            inside.append(row.low <= wrong[belief.open[:100]].sum() <= row.high)
    assert all(0.9 <= np.mean(inside) <= 0.99 for inside in held.values()), {n: np.mean(x) for n, x in held.items()}


@pytest.mark.parametrize("sign", [True, False])
def test_a_review_finds_the_sign_that_errs(sign):
    of = labels()
    wrong = np.where(of.positive == sign, RNG.random(N) < 0.7, RNG.random(N) < 0.01).astype(float)
    belief = reviewed(of, wrong, 100)
    asked = ~np.isnan(belief.wrong)
    assert wrong[asked].sum() > 50 and (of.positive[asked] == sign).mean() > 0.8


def test_the_next_labels_follow_from_the_answers_and_the_seed():
    of, wrong = labels(), simulated(labels(), 1)
    one, other = (reviewed(of, wrong, 30, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.next(10, 3), other.next(10, 3))
    assert len({*one.next(10, 3)}) == 10 and np.isnan(one.wrong[one.next(10, 3)]).all()
    nobody = Belief(of, prior("minilm"), np.full(N, np.nan))
    assert sorted(of.positive[nobody.next(6)]) == [False] * 3 + [True] * 3  # some of either sign come first
    none_left = Belief(of, prior("minilm"), np.where(of.positive, np.nan, 1.0))
    assert of.positive[none_left.next(6)].all()
    few = Belief(Labels(*(each[:4] for each in of)), prior("words"), np.array([1, np.nan, 0, np.nan]))
    assert sorted(few.next(10)) == [1, 3] and few.expected([50])["first"].tolist() == [2]


def test_a_conflict_is_as_it_was_settled_and_blames_others():
    of = labels(4)._replace(fixed=np.array([2.0, np.nan, np.nan, np.nan]), blame=np.array([0, 0.5, 0, 0]))
    plain = Belief(of._replace(blame=np.zeros(4)), prior("words"), np.full(4, np.nan)).p_wrong
    found = Belief(of, prior("words"), np.full(4, np.nan)).p_wrong
    assert found[0] == pytest.approx(sigmoid(np.array(2.0)), abs=1e-5)
    assert found[1] == pytest.approx(1 - (1 - plain[1]) / 2, abs=1e-5) and (found[2:] == plain[2:]).all()


def test_the_scale_of_a_judge_is_that_of_the_labels():
    positive = np.repeat([True, False], [300, 2700])
    z = np.random.default_rng(0).normal(np.where(positive, 1.0, -1.0))
    level, slope = scale_of(z, positive)
    assert slope == pytest.approx(2, abs=0.2) and level == pytest.approx(0, abs=0.2)  # the share of a sign aside
    shy = scale_of(z / 4 - 3, positive)
    np.testing.assert_allclose(shy[0] + shy[1] * (z / 4 - 3), level + slope * z, atol=0.25)
    assert scale_of(-z, positive) == (0, 0) and scale_of(z[:3], positive[:3]) == (0.0, 1.0)
