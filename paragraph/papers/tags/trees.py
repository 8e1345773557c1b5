"""Gradient-boosted trees as plain arrays: scikit-learn fits them, numpy walks them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Trees", "grow"]

#: Rows that walk through all trees at once: few enough for the processor's cache.
_ROWS = 256


class Trees(NamedTuple):
    """Log-odds of 1 as a sum over trees: ``start`` + Σ ``value`` of the leaf in which a row ends.

    A row goes to ``left`` of a node where its column ``column`` is at most ``threshold``, else to ``right``; a leaf
    leads to itself. Arrays, unlike a pickled model, run no code when they are read.
    """

    start: np.ndarray  #: float64, ()
    root: np.ndarray  #: int32, one per tree
    column: np.ndarray  #: int32, one per node, like all that follow
    threshold: np.ndarray  #: float64
    left: np.ndarray  #: int32
    right: np.ndarray  #: int32
    value: np.ndarray  #: float64

    def log_odds(self, x: np.ndarray) -> np.ndarray:
        """The log-odds of 1 of each row of x, (n, columns): float64, (n,). O(n · trees · depth)."""
        found = np.empty(len(x))
        width = x.shape[1]
        for at in range(0, len(x), _ROWS):
            some = np.ascontiguousarray(x[at : at + _ROWS])
            flat = some.ravel()
            begin = np.arange(len(some))[:, None] * width
            below = np.tile(self.root, (len(some), 1))  # (rows, trees)
            node = None
            while node is None or not np.array_equal(below, node):
                node = below
                values = flat.take(begin + self.column.take(node))
                low = values <= self.threshold.take(node)
                left = self.left.take(node)
                right = self.right.take(node)
                below = np.where(low, left, right)
            sums = self.value.take(node).sum(axis=1)
            found[at : at + _ROWS] = self.start + sums
        return found

    def checked(self, columns: int) -> Trees:
        """These trees; ValueError if a walk through this many columns would not end, or end outside."""
        n = len(self.value)
        here = np.arange(n)
        leaf = (self.left == here) & (self.right == here)
        onward = (self.left > here) & (self.right > here)
        nodes = np.concatenate([self.root, self.left, self.right])
        inside = (nodes >= 0) & (nodes < n)
        known = (self.column >= 0) & (self.column < columns)
        sound = [leaf | onward, inside, known]
        sound += [np.isfinite(each) for each in self]
        if not all(each.all() for each in sound):
            raise ValueError("a node that leads nowhere")
        return self


def grow(x: np.ndarray, label: np.ndarray, seed: int = 0, **options: float) -> Trees:
    """Fit trees to rows of columns and their labels, 0 or 1.

    `options` are those of scikit-learn's HistGradientBoostingClassifier (LightGBM's histograms, Ke and others 2017).

    Examples
    --------
    >>> x = np.repeat([[0.0], [1.0]], 50, axis=0)
    >>> (grow(x, x[:, 0], max_iter=5).log_odds(x[[0, -1]]) > 0).tolist()
    [False, True]
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(early_stopping=False, random_state=seed, **options)
    model.fit(x, label)
    # scikit-learn has no public way to the nodes; the test compares our sums with its own
    nodes = [tree.nodes for (tree,) in model._predictors]
    sizes = [len(each) for each in nodes]
    root = np.cumsum([0, *sizes[:-1]], dtype=np.int32)
    every = np.concatenate(nodes)
    leaf = every["is_leaf"].astype(bool)
    first = np.repeat(root, sizes)
    here = np.arange(len(every))
    start = model._baseline_prediction.reshape(())
    return Trees(
        start,
        root,
        np.where(leaf, 0, every["feature_idx"]).astype(np.int32),
        np.where(leaf, 0.0, every["num_threshold"]),
        np.where(leaf, here, first + every["left"]).astype(np.int32),
        np.where(leaf, here, first + every["right"]).astype(np.int32),
        np.where(leaf, every["value"], 0.0),
    )
