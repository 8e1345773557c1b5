"""Training sets: a label in every row, both labels among them, and a record of their pairs."""

from __future__ import annotations

from hashlib import blake2b
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from ..graph.identity import column, row_name, sentence_keys, signs
from ..pairs import PairsError
from ..pairs.errors import intact
from ..pairs.outputs import as_described
from .pretrained.cache import pair_key

__all__ = ["SEEN", "count_seen", "pair_hashes", "training_labels"]

#: The file beside a model that holds the `pair_hashes` of what it was trained on.
SEEN = "trained_on.npy"


def training_labels(train: pd.DataFrame, what: str = "training", one_will_do: bool = False) -> np.ndarray:
    """The labels of a training set, int64, after a check that a model can learn from them.

    `what` names the set in messages. Raises `PairsError` without rows, for rows without a label (the first ones are
    named), and for one label only, unless `one_will_do`.

    Examples
    --------
    >>> training_labels(pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "label": [1]}))
    Traceback (most recent call last):
    ...
    paragraph.PairsError: all 1 training rows have the label 1: a model needs rows of both
    """
    missing = [name for name in ("text_a", "text_b", "label") if name not in train]
    if missing:
        raise PairsError(f"a {what} set needs the columns text_a, text_b, label; missing: {missing}")
    if not len(train):
        raise PairsError(f"the {what} set is empty: give it rows of both labels")
    gone = train["label"].isna().to_numpy()
    if gone.any():
        named = ", ".join(row_name(train, int(at)) for at in np.flatnonzero(gone)[:3])
        said = f"{gone.sum():,} of {len(train):,} {what} rows have no label ({named})"
        raise PairsError(f"{said}; leave them out: pairs[pairs['label'].notna()]")
    label = (signs(train) > 0).astype(np.int64)
    if label.min() == label.max() and not one_will_do:
        raise PairsError(f"all {len(label):,} {what} rows have the label {label[0]}: a model needs rows of both")
    return label


def pair_hashes(pairs: pd.DataFrame) -> np.ndarray:
    """A hash of each row's two sentences, in whichever order they stand: uint64, (n,).

    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Who won? "], "text_b": ["Who won?", "Is tea hot?"]})
    >>> len(set(pair_hashes(pairs).tolist()))
    1
    """
    sides = (sentence_keys(column(pairs, name)).to_pylist() for name in ("text_a", "text_b"))
    pairs_of_texts = (sorted(pair) for pair in zip(*sides, strict=True))
    digests = [blake2b(pair_key(*pair).encode(), digest_size=8).digest() for pair in pairs_of_texts]
    return np.frombuffer(b"".join(digests), dtype="<u8")


def count_seen(folder: str | PathLike, pairs: pd.DataFrame) -> int | None:
    """Count the rows that are pairs which the model in a folder was trained on; None where it has no record."""
    path = Path(folder, SEEN)
    if not path.is_file():
        return None
    with intact(path, "it is damaged: train the model again"):
        as_described(path.parent, "record.json")
        return int(np.isin(pair_hashes(pairs), np.load(path, allow_pickle=False)).sum())
