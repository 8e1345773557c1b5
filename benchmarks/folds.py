"""Answers about pairs, from models that have seen nothing connected with the pair."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from paragraph import PairsError
from paragraph.graph.splits import sides
from paragraph.papers import make_model

__all__ = ["out_of_fold"]


def out_of_fold(
    pairs: pd.DataFrame,
    model: str | Callable[[int], Any] = "embedding",
    folds: int = 5,
    seed: int = 0,
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Judgements of all pairs, by models that have seen neither the pair nor its component.

    Every sentence gets one of `folds` sides, as in `splits.split`: sentences that any row joins stay on one side. The
    rows of a side are predicted by a model trained on the labelled rows of all other sides.

    A component that holds more than a fold's share of the rows is cut between its clusters, with a warning. A row
    that joins two sides is then predicted by a model trained on the rows that touch neither of them: up to folds ·
    (folds − 1) / 2 more models. No training row ever holds a sentence of the pair or of either sentence's cluster, so
    the model has seen no pair from which its label could be inferred; and if nothing was cut, no sentence of its
    component. Labels that are wrong in the same way everywhere bias all models, which then agree with them.

    Parameters
    ----------
    pairs : DataFrame
        A pair table; rows without a label are predicted, but not used for training.
    model : name or callable
        As in `make_model`; the model gets `seed`.
    folds : int
        Two or more; three or more if a component has to be cut.
    seed : int
        Decides between components of equal size, and is passed to the model.

    Returns
    -------
    DataFrame
        One row per row of `pairs`, in the same order: text_a, text_b, model (P(paraphrase)).

    Raises
    ------
    PairsError
        No rows; fewer than two folds; a model that is left without rows of both labels.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Who won?", "Who sings?", "Why so late?"] * 2})
    >>> pairs["text_b"] = ["Is the tea hot?", "Who won it?", "Is it cold?", "What time?"] * 2
    >>> pairs["label"] = [1, 1, 0, 0] * 2
    >>> out_of_fold(pairs, "tfidf", folds=2, progress=False)["model"].round().tolist()
    [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    """
    if folds < 2:
        raise PairsError(f"{folds} folds: two or more are needed")
    if not len(pairs):
        raise PairsError("there are no pairs")
    ends = _ends(pairs, folds, seed)
    labelled = pairs["label"].notna().to_numpy()
    found = np.full(len(pairs), np.nan)
    options = {}
    if not callable(model):
        options["progress"] = progress
    asked = np.unique(ends, axis=1).T.tolist()
    bar = tqdm(asked, "out of fold", unit=" model", disable=not progress)
    for k, other in bar:
        rows = ([[k], [other]] == ends).all(axis=0)
        learns_from_test = np.isin(ends, (k, other)).any(axis=0)
        apart = labelled & ~learns_from_test
        try:
            fitted = make_model(model, seed, **options).fit(pairs[apart])
        except PairsError as error:
            name = f"fold {k + 1}" if k == other else f"rows between folds {k + 1} and {other + 1}"
            learns = f"the model for {name} of {folds} has {apart.sum():,} rows to learn from"
            raise PairsError(f"{learns}: {error}; with more folds it has more") from error
        found[rows] = fitted.predict_proba(pairs.iloc[rows])
    return pairs[["text_a", "text_b"]].assign(model=found)


def _ends(pairs: pd.DataFrame, folds: int, seed: int) -> np.ndarray:
    """The folds of both sentences of each row, the smaller one first: (2, n)."""
    # The sides of bipartite data are different things: it has no clusters to cut between.
    by = "components" if pairs.attrs.get("bipartite") else "clusters"
    share = [1 / folds for _ in range(folds)]
    found = sides(pairs, share, by, seed)
    a = found.side[found.a]
    b = found.side[found.b]
    crossing = int(np.sum(a != b))
    if crossing:
        message = f"{crossing:,} of {len(pairs):,} rows join two folds and get models of their own"
        warnings.warn(message, stacklevel=3)  # at the line that called out_of_fold
    return np.sort([a, b], axis=0)
