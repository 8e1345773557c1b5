"""The labels that a review asks about next."""

from __future__ import annotations

import numpy as np

from .belief import Belief

__all__ = ["next_questions"]

#: Labels of each sign that are drawn at random, before all others.
FIRST = 3


def next_questions(belief: Belief, n: int = 10, seed: int = 0, first: int = FIRST) -> tuple[np.ndarray, np.ndarray]:
    """Choose the `n` labels to ask about next, and flag those that are drawn at random.

    Most are the most probably wrong one by the full belief, each according to its own draw of levels. So the review
    asks about promising labels, and tries the sign that may be promising (Thompson 1933). Slopes are the most
    probable ones, given the levels: trying others, too, costs more answers than it saves. The `first` ones of each
    sign are drawn at random, for answers about the top of a list tell little of the other labels; an audit in their
    place saves them. First they cost least: where they come later, no more wrong labels are found
    (`benchmarks.yields`). A seed and the answers so far give the same labels on any machine.
    """
    rows, (mean, covariance), positive = np.sort(belief.open), belief.full, belief.labels.positive
    answered = len(positive) - len(rows)
    drawn = np.random.default_rng((seed, answered)).multivariate_normal(mean, covariance, n, method="cholesky")
    levels = belief.level_columns
    step = np.linalg.solve(covariance[np.ix_(levels, levels)], covariance[levels])
    p = belief.p(rows, mean + (drawn - mean)[:, levels] @ step).round(6)
    free = np.isnan(belief.labels.fixed[rows])  # what settles a conflict tells nothing of other labels
    known = [int((belief.random & (positive == sign)).sum()) for sign in (False, True)]
    chosen: list[int] = []
    random: list[bool] = []
    for number, one in enumerate(p[: len(rows)], answered):
        one[chosen] = -2
        left = free & (one > -2)
        signs = [sign for sign in (0, 1) if known[sign] < first and (left & (positive[rows] == sign)).any()]
        random.append(bool(signs))
        if not signs:
            chosen.append(int(one.argmax()))
            continue
        sign = min(signs, key=known.__getitem__)
        known[sign] += 1
        places = np.flatnonzero(left & (positive[rows] == sign))
        chosen.append(int(np.random.default_rng((seed, number)).choice(places)))
    return rows[chosen], np.array(random, dtype=bool)
