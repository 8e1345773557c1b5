"""How strong the penalty of a logistic regression should be."""

from __future__ import annotations

import numpy as np

from ..measure.logistic import fit_logistic

__all__ = ["PENALTIES", "best_penalty"]

#: Ridge penalties to choose from, the strongest first.
PENALTIES = (1e4, 1e3, 1e2, 1e1, 1.0)
_ENOUGH = 20_000  # rows beyond which a slight penalty is as good as any


def best_penalty(
    features: np.ndarray, label: np.ndarray, end_a: np.ndarray, end_b: np.ndarray, folds: int = 3
) -> float:
    """The penalty of `PENALTIES` with the least log loss on clusters that were held out; 1 from 20,000 rows on.

    `end_a`, `end_b`: the clusters of a row's two sentences. A fold holds a share of the clusters; it is tested on the
    rows that touch one of them, trained on those that touch none. With few rows and many columns an unpenalised fit
    memorizes the sentences, and rows that share sentences would hide it.
    """
    from sklearn.metrics import log_loss

    if len(label) >= _ENOUGH:
        return PENALTIES[-1]
    fold = np.random.default_rng(0).integers(folds, size=1 + max(int(end_a.max()), int(end_b.max())))
    losses = np.zeros(len(PENALTIES))
    for k in range(folds):
        test = (fold[end_a] == k) | (fold[end_b] == k)
        if len(np.unique(label[~test])) < 2 or not test.any():
            return PENALTIES[2]  # too few rows to choose by: in the middle
        for i, penalty in enumerate(PENALTIES):
            model = fit_logistic(features[~test], label[~test], penalty)
            losses[i] += log_loss(label[test], model.probability(features[test]), labels=[0, 1]) * test.sum()
    return PENALTIES[int(np.argmin(losses))]
