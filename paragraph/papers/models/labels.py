"""Training sets: a label in every row, and both labels among them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...files import PairsError
from ...graph.identity import signs
from ...pairs.tables import row_name

__all__ = ["training_labels"]


def training_labels(
    train: pd.DataFrame, what: str = "training", one_will_do: bool = False
) -> np.ndarray:
    """The labels of a training set, int64, after a check that a model can learn from them.

    `what` names the set in messages. Raises `PairsError` without rows, for rows without a label (it names the first
    ones), and if there is only one label, unless `one_will_do`.

    Examples
    --------
    >>> training_labels(pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]}))
    Traceback (most recent call last):
    ...
    paragraph.PairsError: all 1 training rows have the label 1: a model needs rows of both
    """
    missing = [name for name in ("text_a", "text_b", "label") if name not in train]
    if missing:
        raise PairsError(
            f"a {what} set needs the columns text_a, text_b, label; missing: {missing}"
        )
    if not len(train):
        raise PairsError(f"the {what} set is empty: give it rows of both labels")
    gone = train["label"].isna().to_numpy()
    if gone.any():
        first = np.flatnonzero(gone)[:3].tolist()
        named = ", ".join(row_name(train, at) for at in first)
        message = f"{gone.sum():,} of {len(train):,} {what} rows have no label ({named})"
        raise PairsError(f"{message}; leave them out: pairs[pairs['label'].notna()]")
    label = (signs(train) > 0).astype(np.int64)
    if label.min() == label.max() and not one_will_do:
        raise PairsError(
            f"all {len(label):,} {what} rows have the label {label[0]}: a model needs rows of both"
        )
    return label
