"""Opinions on pairs, from models that have seen nothing connected with the pair."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ..measure.splits import sides
from ..pairs import PairsError
from ..pairs.tables import row_name
from .models import make_model

__all__ = ["OutOfFold", "out_of_fold"]


def out_of_fold(
    pairs: pd.DataFrame,
    model: str | Callable[[int], Any] = "embedding",
    folds: int = 5,
    seed: int = 0,
    *,
    progress: bool = True,
) -> np.ndarray:
    """P(paraphrase) of each row, from a model that has seen neither the pair nor its component.

    Every sentence gets one of `folds` sides, as in `splits.split`: sentences that any row joins stay on one side. The
    rows of a side are predicted by a model trained on the labelled rows of all other sides.

    A component that holds more than a fold's share of the rows is cut between its clusters, with a warning. A row
    that joins two sides is then predicted by a model trained on the rows that touch neither of them: up to folds ·
    (folds − 1) / 2 more models. No training row ever holds a sentence of the pair or of either sentence's cluster, so
    the model has seen no pair from which its label could be inferred; and if nothing was cut, no sentence of its
    component.

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

    Raises
    ------
    PairsError
        No rows; fewer than two folds; a model that is left without rows of both labels.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Who won?", "Who sings?", "Why so late?"] * 2})
    >>> pairs["text_b"] = ["Is the tea hot?", "Who won it?", "Is it cold?", "What time?"] * 2
    >>> pairs["label"] = [1, 1, 0, 0] * 2
    >>> out_of_fold(pairs, "tfidf", folds=2, progress=False).round().tolist()
    [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    """
    return OutOfFold(pairs, model, folds, seed, progress=progress)(pairs)


class OutOfFold:
    """Models that learn the labels of some pairs, and judge pairs of the same sentences: see `out_of_fold`.

    Each is trained once, when it is first needed.
    """

    def __init__(
        self,
        pairs: pd.DataFrame,
        model: str | Callable[[int], Any],
        folds: int = 5,
        seed: int = 0,
        *,
        progress: bool = True,
    ):
        if folds < 2:
            raise PairsError(f"{folds} folds: two or more are needed")
        if not len(pairs):
            raise PairsError("there are no pairs")
        self.model, self.folds, self.seed, self.progress = model, folds, seed, progress
        self._known, self._models = pairs[pairs["label"].notna()], {}
        self._fold: dict[str, int] = _folds_of(pairs, folds, seed)
        self._ends = self._ends_of(self._known)

    def __call__(self, pairs: pd.DataFrame) -> np.ndarray:
        """P(paraphrase) of each row; an unknown sentence is in the first fold."""
        found, (first, second) = np.full(len(pairs), np.nan), self._ends_of(pairs)
        name = self.model if isinstance(self.model, str) else "the model"
        met = [(k, k) for k in range(self.folds)] + [*combinations(range(self.folds), 2)]
        rows_of = {ends: np.flatnonzero((first == ends[0]) & (second == ends[1])) for ends in met}
        asked = {ends: rows for ends, rows in rows_of.items() if len(rows)}
        for ends, rows in tqdm(asked.items(), "out of fold", unit=" model", disable=not self.progress):
            if ends not in self._models:
                self._models[ends] = self._fitted(ends)
            found[rows] = p = np.asarray(self._models[ends].predict_proba(pairs.iloc[rows]), dtype=np.float64)
            if (odd := ~((p >= 0) & (p <= 1))).any():
                row = row_name(pairs, int(rows[odd][0]))
                raise PairsError(f"{row}: {name} answers {p[odd][0]}, which is no probability from 0 to 1")
        return found

    def _ends_of(self, pairs: pd.DataFrame) -> np.ndarray:
        """The folds of both sentences of each row, the smaller one first: (2, n)."""
        ends = [[self._fold.get(text, 0) for text in pairs[side]] for side in ("text_a", "text_b")]
        return np.sort(np.array(ends, dtype=np.int64).reshape(2, -1), axis=0)

    def _fitted(self, ends: tuple[int, int]) -> Any:
        """A model that learns from the rows that touch neither fold."""
        apart = ~np.isin(self._ends, ends).any(axis=0)
        options = {} if callable(self.model) or self.model == "tfidf" else {"progress": self.progress}
        try:
            return make_model(self.model, self.seed, **options).fit(self._known[apart])
        except PairsError as error:
            k, other = ends[0] + 1, ends[1] + 1
            named = f"fold {k}" if k == other else f"rows between folds {k} and {other}"
            learns = f"the model for {named} of {self.folds} has {apart.sum():,} rows to learn from"
            raise PairsError(f"{learns}: {error}; with more folds it has more") from error


def _folds_of(pairs: pd.DataFrame, folds: int, seed: int) -> dict[str, int]:
    """The fold of each sentence."""
    # The sides of bipartite data are different things: it has no clusters to cut between.
    by = "components" if pairs.attrs.get("bipartite") else "clusters"
    found = sides(pairs, [1 / folds] * folds, by, seed)
    a, b = found.side[found.a], found.side[found.b]
    fair = len(pairs) / folds
    if found.thing == "cluster":
        more = f"{np.sum(a != b):,} of {len(pairs):,} rows join two folds and get models of their own"
        said = f"one component holds more than a fold's share and was cut between its clusters; {more}"
        warnings.warn(said, stacklevel=4)  # at the line that called out_of_fold
    if found.largest > fair:
        more = f"more than the {fair:,.0f} of a fair fold; it stays whole, so the folds are uneven"
        warnings.warn(f"one {found.thing} holds {found.largest:,} of {len(pairs):,} rows, {more}", stacklevel=4)
    return dict(zip([*pairs["text_a"], *pairs["text_b"]], [*a.tolist(), *b.tolist()], strict=True))
