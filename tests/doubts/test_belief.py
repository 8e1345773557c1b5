"""Levels and slopes of a file against brute force; what is asked next; intervals that hold."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq

from paragraph.doubts.belief import CURVED, Belief, believe, next_questions, ranked
from paragraph.doubts.prior import Normal, drawn, posterior, probability, scale_of
from paragraph.doubts.suspects import ENOUGH, may_stop, outlook, summary
from paragraph.learn.logistic import sigmoid

RNG = np.random.default_rng(0)
N = 3000


def labels(n=N, seed=0, by="judge"):
    """The evidence about labels of which two things are known, with log-odds as those of a file are."""
    rng = np.random.default_rng(seed)
    judge, own = rng.normal(-1, 2, (n, 2)).clip(-6, 6).T
    return pd.DataFrame({"label": (rng.random(n) < 0.5).astype(int), by: judge, "own": own})


def asked(belief, n=10, seed=0):
    return next_questions(belief, n, seed)[0]


def simulated(of, seed):
    """Which labels are wrong in a file whose levels and slopes are drawn from the prior."""
    rng, nobody = np.random.default_rng(seed), believe(of)
    levels = rng.multivariate_normal(*nobody.before)
    return (rng.random(len(of)) < sigmoid(nobody.x @ levels)).astype(float)


def reviewed(of, wrong, answers, seed=0):
    """The belief after so many answers, ten a turn."""
    belief, told, random = believe(of), np.full(len(wrong), np.nan), np.zeros(len(wrong), dtype=bool)
    for _ in range(answers // 10):
        chosen, at_random = next_questions(belief, 10, seed)
        told[chosen] = wrong[chosen]
        random[chosen] = at_random
        belief = belief.with_answers(told.copy(), random.copy())
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
    nothing = np.zeros(40)
    positive, silent = np.ones(40, dtype=bool), np.full(40, np.nan)
    wide = Normal(np.append(before.mean, [0, 0]), np.diag([1.5, 0.3, 1, 1]))
    told = np.where(np.arange(40) % 2, wrong, np.nan)
    of = pd.DataFrame(), positive, np.pad(x, [(0, 0), (0, 2)]), nothing, silent, nothing, wide, told, ~positive
    mean, covariance = Belief(*of).full
    log = -((grid - before.mean) ** 2 / [1.5, 0.3]).sum(axis=1) / 2
    log += (wrong * z - np.logaddexp(0, z))[:, 1::2].sum(axis=1)
    share = np.exp(log - log.max()) / np.exp(log - log.max()).sum()
    np.testing.assert_allclose(mean[:2], share @ grid, atol=0.08)
    np.testing.assert_allclose(np.diag(covariance)[:2], share @ grid**2 - (share @ grid) ** 2, rtol=0.15)


@pytest.mark.slow
def test_intervals_hold_in_files_like_those_judged():
    """100 files: the number of wrong labels among the next hundred, before anybody judged and after 20 answers."""
    of, inside = labels(), {0: [], 20: []}
    for seed in range(100):
        wrong = simulated(of, seed)
        for answers, counts in inside.items():
            belief = reviewed(of, wrong, answers, seed)
            [row] = belief.expected([100], seed).itertuples()
            counts.append(row.low <= wrong[belief.open[:100]].sum() <= row.high)
    assert all(0.9 <= np.mean(counts) <= 0.99 for counts in inside.values()), inside


def test_the_next_labels_follow_from_the_answers_and_the_seed():
    of, wrong = labels(), simulated(labels(), 1)
    one, other = (reviewed(of, wrong, 30, seed=3) for _ in range(2))
    np.testing.assert_array_equal(asked(one, 10, 3), asked(other, 10, 3))
    assert len({*asked(one, 10, 3)}) == 10 and np.isnan(one.wrong[asked(one, 10, 3)]).all()
    positive = of["label"].to_numpy() == 1
    none_left = believe(of, answers=np.where(positive, np.nan, 1.0))
    assert positive[asked(none_left, 6)].all()
    few = believe(of[:4], answers=[1, np.nan, 0, np.nan])
    assert sorted(asked(few)) == [1, 3] and few.expected([50])["first"].tolist() == [2]


def test_the_first_three_questions_of_each_sign_are_drawn_at_random():
    """From anywhere in the list, but not from conflicts; what a list chose does not replace them, an audit does."""
    of = labels().assign(conflict=np.where(np.arange(N) % 3 == 0, 2.0, np.nan))
    belief, positive = believe(of), of["label"].to_numpy() == 1
    rows, at_random = next_questions(belief, 40)
    assert np.flatnonzero(at_random).tolist() == [0, 1, 2, 3, 4, 5]
    assert positive[rows[:6]].sum() == 3 and (rows[at_random] % 3 > 0).all()
    place = np.argsort(np.argsort(-belief.p_wrong))
    first = [next_questions(belief, 6, seed)[0] for seed in range(50)]
    assert 0.4 < place[np.concatenate(first)].mean() / N < 0.7
    told = np.full(N, np.nan)
    told[np.flatnonzero(positive & (np.arange(N) % 3 == 1))[:4]] = 0
    rows, at_random = next_questions(believe(of, answers=told), 4)
    assert at_random.tolist() == [True, True, True, False] and not positive[rows[:3]].any()
    assert next_questions(believe(of, answers=told, random=False), 8)[1].sum() == 6


@pytest.mark.slow
@pytest.mark.parametrize(("curved", "share", "bias", "off"), [
    (3.0, (0.3, 0.05), 0.07, 0.07),  # errors are at the top alone
    (0.0, (0.02, 0.02), 0.05, 0.05),  # hardly any
])  # fmt: skip
def test_a_review_tells_of_labels_it_did_not_ask_about(curved, share, bias, off):
    """After 60 answers, the mean p_wrong of either sign is near the share of wrong ones, in files of each kind."""
    away = []
    for seed in range(8):
        of, rng = labels(1500, seed), np.random.default_rng(seed)
        top = ranked(of)["top"] ** (4 / CURVED)  # errors rise in another way than the model has it
        z = (of["judge"] * rng.uniform(0.3, 1) + of["own"] * rng.uniform(0, 0.5) + curved * top).to_numpy()
        wrong, signs = np.zeros(len(of)), (of["label"] == 1, of["label"] == 0)
        for rows, wanted in zip(signs, share, strict=True):
            level = brentq(lambda c, z=z[rows], wanted=wanted: sigmoid(z + c).mean() - wanted, -30, 30)
            wrong[rows] = rng.random(rows.sum()) < sigmoid(z[rows] + level)
        p_wrong = reviewed(of, wrong, 60, seed).p_wrong
        away.append([p_wrong[rows].mean() - wrong[rows].mean() for rows in signs])
    assert np.abs(np.mean(away, axis=0)).max() < bias and np.abs(away).mean() < off, away


def answered(of, wrong, chosen, drawn):
    """The belief after answers about labels that a list chose, and about labels drawn at random."""
    told = np.full(len(of), np.nan)
    told[chosen], told[drawn] = wrong[chosen], wrong[drawn]
    return believe(of, answers=told, random=np.isin(np.arange(len(of)), drawn))


def test_what_a_list_chose_teaches_slopes_but_no_level_of_the_cut_belief():
    of = labels()
    top, drawn = asked(believe(of), 40)[6:], np.arange(1000, 1030)
    nothing = np.zeros(N)
    levels = believe(of).level_columns
    alone = answered(of, nothing, [], drawn)
    for wrong in (nothing, nothing + 1):
        wrong[drawn] = 0
        both = answered(of, wrong, top, drawn)
        np.testing.assert_allclose(both.cut.mean[levels], alone.full.mean[levels], atol=1e-5)
        slopes = np.delete(both.cut.mean - alone.full.mean, levels)
        assert (slopes * (wrong[top[0]] - 0.5)).sum() > 0.2
        np.testing.assert_allclose(np.sqrt(np.diag(both.cut.covariance))[levels], np.sqrt(
            np.diag(alone.full.covariance))[levels], atol=1e-4)  # fmt: skip
    assert not np.allclose(both.full.mean[levels], alone.full.mean[levels], atol=0.1)


def test_the_belief_that_foresaw_the_random_answers_speaks():
    """By sign: where random labels are as bad as those chosen, the full one; where they are right, the cut one."""
    of = labels()
    positive = of["label"].to_numpy() == 1
    order = np.argsort(-believe(of).p_wrong)
    top = np.concatenate([order[positive[order] == sign][:30] for sign in (True, False)])
    drawn = np.concatenate([order[positive[order] == sign][300:310] for sign in (True, False)])
    wrong = np.ones(N)
    wrong[drawn[10:]] = 0
    belief = answered(of, wrong, top, drawn)
    assert belief.weights[0] > 0.9 > 0.1 > belief.weights[1]
    p_full, p_cut = (belief.mean(each)[~positive] for each in (belief.full, belief.cut))
    open_labels = np.isnan(belief.wrong[~positive])
    said = (belief.weights[1] * p_full + (1 - belief.weights[1]) * p_cut)[open_labels]
    np.testing.assert_allclose(belief.p_wrong[~positive][open_labels], said, atol=1e-5)
    np.testing.assert_array_equal(answered(of, wrong, top, []).weights, [1, 1])
    np.testing.assert_allclose(answered(of, wrong, [], drawn).weights, 2 / 3, atol=1e-4)


def test_messages_about_the_rest_agree_with_one_another():
    """Over many states of a review: one interval, and nothing else is said than what it holds."""
    rng, counts = np.random.default_rng(0), {"silent": 0, "stop": 0, "all": 0}
    for seed in range(120):
        size = int(rng.choice([5, 60, 400]))
        of, share = labels(size, seed), rng.choice([0.0, 0.02, 0.5, 1.0])
        chosen, drawn = (rng.permutation(size)[: rng.choice([0, 1, 6, 25, 200])] for _ in range(2))
        belief = answered(of, (rng.random(size) < share).astype(float), chosen, drawn)
        known = outlook(belief, [100])
        text, rows = summary(known), known["expected"]
        left, at_random = np.isnan(belief.wrong).sum(), len(drawn)
        answers = size - left
        assert (f"{int(np.nansum(belief.wrong)):,} of {answers:,} read" in text) == (answers > 0)
        silent = bool(answers and not at_random)
        assert bool(rows) == bool(left and not silent) == (" of the next " in text or " of all " in text)
        assert ("only the order is known" in text) == bool(silent and left)
        assert (" of all " in text) <= (at_random >= ENOUGH)
        numbers = [(row["first"], row["low"], row["wrong"], row["high"]) for row in rows]
        assert all(0 <= low <= high <= first for first, low, _, high in numbers)
        for (few, *less), (many, *more) in pairwise(numbers):
            assert few < many == left and np.all(np.array(less) <= more)
        for first, low, _, high in numbers:
            assert f"probably {low:,.0f} to {high:,.0f} of " in text and f"{first:,}" in text
        assert may_stop(known) == bool(rows and rows[0]["high"] <= rows[0]["first"] / 10)
        counts["silent"] += silent
        counts["stop"] += may_stop(known)
        counts["all"] += " of all " in text
    assert min(counts.values()) > 1, counts


def test_a_conflict_is_as_it_was_settled_and_blames_others():
    of = labels(4, by="words").assign(conflict=[2.0, *[np.nan] * 3])
    plain, found = believe(of).p_wrong, believe(of.assign(blame=[np.nan, 0.0, np.nan, np.nan])).p_wrong
    assert found[0] == pytest.approx(sigmoid(np.array(2.0)), abs=1e-5)
    assert found[1] == pytest.approx(1 - (1 - plain[1]) / 2, abs=1e-5) and (found[2:] == plain[2:]).all()


def test_the_scale_of_a_judge_is_that_of_the_labels():
    positive = np.repeat([True, False], [300, 2700])
    z = np.random.default_rng(0).normal(np.where(positive, 1.0, -1.0))
    some = drawn(positive, 300)  # as many of each sign: the share of a sign is another matter
    z, positive = z[some], positive[some]
    assert positive.sum() == 300 == len(some) / 2
    level, slope = scale_of(z, positive)
    assert slope == pytest.approx(2, abs=0.3) and level == pytest.approx(0, abs=0.2)
    shy = scale_of(z / 2 - 1, positive)
    np.testing.assert_allclose(shy[0] + shy[1] * (z / 2 - 1), level + slope * z, atol=0.4)
    assert scale_of(-z, positive) == (0, 0) and scale_of(z[:3], positive[:3]) == (0.0, 1.0)


def test_where_a_judge_is_silent_words_speak_and_reasons_may_be_few():
    of = labels(6)
    half = of.assign(words=of["judge"], judge=of["judge"].where(of.index > 2))
    np.testing.assert_array_equal(believe(half).p_wrong, believe(of).p_wrong)
    assert believe(of[["label"]]).p_wrong.shape == believe(of[["label", "own"]]).p_wrong.shape == (6,)
