"""Predictions of every pair by a model that has seen neither the pair nor anything connected with it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ..graph.identity import row_name
from ..measure.splits import sides
from ..pairs import PairsError
from .forecast import Forecast
from .naming import make_model

__all__ = ["out_of_fold"]


def out_of_fold(
    pairs: pd.DataFrame,
    model: str | Callable[[int], Any] = "embedding",
    folds: int = 5,
    seed: int = 0,
    identity: str = "text",
    *,
    progress: bool = True,
) -> np.ndarray:
    """P(paraphrase) of each row, from a model that has seen neither the pair nor its component.

    Every sentence gets one of `folds` sides, as in `splits.split`: what any row joins (positive, negative,
    unlabelled) stays on one side, and the sides hold about equally many rows of each label. The rows of a
    side are predicted by a model trained on the labelled rows of all other sides.

    Where one component holds more than a fold's share of the rows, it is cut between its clusters, as
    ``split(by="clusters")`` does, with a warning. A row that joins two sides is then predicted by a model
    trained on the rows that touch neither of them; such rows train the models of sides they do not touch.
    This needs up to folds · (folds − 1) / 2 more models, trained on about (1 − 2 / folds)² of the rows or less.

    What is guaranteed
        *Always*: no training row holds a sentence of the pair, or of either sentence's cluster (of all rows), or
        any other sentence of their one or two sides. So neither the pair nor any pair from which its label could
        be inferred was seen. *Where nothing was cut*: no training row holds a sentence of the pair's component
        either. In a component that was cut, training rows may lie in it, beyond at least one negative.

    Parameters
    ----------
    pairs : DataFrame
        A pair table; rows without a label are predicted, and train nothing.
    model : name or callable
        As in `make_model`; the model gets `seed`.
    folds : int
        Two or more; with a component that has to be cut, three or more.
    seed : int
        Decides between components of equal size, and is the model's.

    Returns
    -------
    array of float64, (n,)

    Raises
    ------
    PairsError
        No rows; fewer folds than two; a model that is left without rows of both labels.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Who won?", "Who sings?", "Why so late?"] * 2})
    >>> pairs["text_b"] = ["Is the tea hot?", "Who won it?", "Is it cold?", "What time?"] * 2
    >>> pairs["label"] = [1, 1, 0, 0] * 2
    >>> out_of_fold(pairs, "tfidf", folds=2, progress=False).round().tolist()
    [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    """
    from tqdm.auto import tqdm

    if folds < 2:
        raise PairsError(f"{folds} folds: two or more are needed")
    if not len(pairs):
        raise PairsError("there are no pairs")
    first, second = _fold_of_ends(pairs, folds, seed, identity)
    has_label = pairs["label"].notna().to_numpy()
    met = [(k, k) for k in range(folds)] + list(combinations(range(folds), 2))
    rows_of = {ends: np.flatnonzero((first == ends[0]) & (second == ends[1])) for ends in met}
    rows_of = {ends: rows for ends, rows in rows_of.items() if len(rows)}

    found = np.full(len(pairs), np.nan)
    name = model if isinstance(model, str) else "the model"
    forecast = Forecast(f"{name} learns {len(rows_of)} times from some {len(pairs):,} pairs", len(rows_of), progress)
    options = {} if callable(model) or model == "tfidf" else {"progress": progress}
    for ends, rows in tqdm(rows_of.items(), "out of fold", unit=" model", disable=not progress):
        apart = has_label & ~np.isin(first, ends) & ~np.isin(second, ends)
        try:
            fitted = make_model(model, seed, **options).fit(pairs[apart])
        except PairsError as error:
            raise PairsError(
                f"the model for {_name(ends, folds)} has {apart.sum():,} rows to learn from: {error}; "
                f"with more folds it has more"
            ) from error
        found[rows] = p = np.asarray(fitted.predict_proba(pairs.iloc[rows]), dtype=np.float64)
        if not ((p >= 0) & (p <= 1)).all():
            at = int(np.argmin((p >= 0) & (p <= 1)))
            raise PairsError(
                f"{row_name(pairs, int(rows[at]))}: {name} answers {p[at]}, which is no probability from 0 to 1"
            )
        forecast.after(1)
    return found


def _fold_of_ends(pairs: pd.DataFrame, folds: int, seed: int, identity: str) -> tuple[np.ndarray, np.ndarray]:
    """The folds of both sentences of each row, the smaller one first."""
    # The sides of bipartite data are different things: it has no clusters to cut between.
    by = "components" if pairs.attrs.get("bipartite") else "clusters"
    found = sides(pairs, [1 / folds] * folds, by, seed, identity)
    a, b = found.side[found.a], found.side[found.b]
    fair = len(pairs) / folds
    if found.thing == "cluster":
        _warn(
            f"one component holds more than a fold's share of the rows and was cut between its clusters; "
            f"{np.sum(a != b):,} of {len(pairs):,} rows join two folds and get models of their own"
        )
    if found.largest > fair:
        _warn(
            f"one {found.thing} holds {found.largest:,} of {len(pairs):,} rows, more than the {fair:,.0f} of a "
            f"fair fold; it stays whole, so the folds are uneven"
        )
    return np.minimum(a, b), np.maximum(a, b)


def _name(ends: tuple[int, int], folds: int) -> str:
    first, second = (end + 1 for end in ends)
    return f"fold {first} of {folds}" if first == second else f"rows between folds {first} and {second} of {folds}"


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=4)  # at the line that called out_of_fold
