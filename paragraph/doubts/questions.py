"""The labels that a review asks about next."""

from __future__ import annotations

import numpy as np

from .belief import Belief

__all__ = ["next_questions"]

#: Labels of each sign that are drawn at random first, and how often one is later: after so many answers each.
FIRST, EACH = 3, 15


def next_questions(belief: Belief, n: int = 10, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Choose the `n` labels to ask about next, and flag those that were drawn at random.

    Most are the most probably wrong one, each according to its own draw of levels. So the review asks about promising
    labels, and tries the sign that may be promising (Thompson 1933). Slopes are the most probable ones, given the
    levels: trying others, too, costs more answers than it saves. The first ones, and one of fifteen later, are drawn
    at random from all labels of the sign with fewer answers: those at the top of the list tell little of the others.
    A seed and the answers so far give the same labels on any machine.
    """
    rows, (mean, covariance), positive = belief.open, belief.after, belief.labels.positive
    answered = len(positive) - len(rows)
    drawn = np.random.default_rng((seed, answered)).multivariate_normal(mean, covariance, n, method="cholesky")
    levels = belief.level_columns
    step = np.linalg.solve(covariance[np.ix_(levels, levels)], covariance[levels])
    p = belief.p(rows, mean + (drawn - mean)[:, levels] @ step).round(6)
    free = np.isnan(belief.labels.fixed[rows])  # what settles a conflict tells nothing of other labels
    judged = [belief.found()[name][0] for name in ("negative", "positive")]
    chosen: list[int] = []
    random: list[bool] = []
    for one in p[: len(rows)]:
        one[chosen] = -2
        others, number = np.flatnonzero(free & (one > -2)), sum(judged)
        sign = min({*positive[rows[others]].tolist()}, key=judged.__getitem__, default=None)
        random.append(sign is not None and (judged[sign] < FIRST or (number + 1) % EACH == 0))
        others = others[positive[rows[others]] == sign]
        chosen.append(int(np.random.default_rng((seed, number)).choice(others) if random[-1] else one.argmax()))
        judged[int(positive[rows[chosen[-1]]])] += 1
    return rows[chosen], np.array(random, dtype=bool)
