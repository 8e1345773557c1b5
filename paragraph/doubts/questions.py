"""The labels that a review asks about next."""

from __future__ import annotations

import numpy as np

from .belief import Belief

__all__ = ["next_questions"]

#: Labels of each sign that are asked about first.
TRIED = 3


def next_questions(belief: Belief, n: int = 10, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Choose the `n` labels to ask about next, and flag those that were drawn at random.

    Each is the most probably wrong one according to its own draw of levels. So the review asks about promising
    labels, and tries the sign that may be promising (Thompson 1933). Slopes are the most probable ones, given the
    levels: trying others, too, costs more answers than it saves. The first choices ensure that some labels of each
    sign are judged. A seed and the answers so far give the same labels on any machine.
    """
    rows, (mean, covariance), positive = belief.open, belief.after, belief.labels.positive
    drawn = belief.levels(n, (seed, len(positive) - len(rows)))
    levels = belief.is_level
    step = np.linalg.solve(covariance[np.ix_(levels, levels)], covariance[levels])
    p = belief.p(slice(None), mean + (drawn - mean)[:, levels] @ step)[:, rows].round(6)
    owed = {sign: TRIED - judged for sign, (judged, _) in zip((True, False), belief.found().values(), strict=True)}
    signs = [sign for i in range(TRIED) for sign in owed if i < owed[sign]]
    chosen: list[int] = []
    for i, one in enumerate(p[: len(rows)]):
        if i < len(signs):
            one[positive[rows] != signs[i]] -= 1
        one[chosen] = -2
        chosen.append(int(one.argmax()))
    return rows[chosen], np.zeros(len(chosen), dtype=bool)
