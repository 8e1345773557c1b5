"""Opinions on pairs: of a model that has seen nothing connected with a pair, or of one that is trained already."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ...graph.identity import row_name
from ...measure.splits import sides
from ...pairs import PairsError
from . import MODELS, holds_model, load_model, make_model

__all__ = ["out_of_fold", "pair_opinions", "ready"]


def out_of_fold(
    pairs: pd.DataFrame,
    model: str | Callable[[int], Any] = "embedding",
    folds: int = 5,
    seed: int = 0,
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

    *Always*: no training row holds a sentence of the pair, or of either sentence's cluster (of all rows), or any
    other sentence of their one or two sides. So neither the pair nor any pair from which its label could be inferred
    was seen. *Where nothing was cut*: no training row holds a sentence of the pair's component either.

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
    if folds < 2:
        raise PairsError(f"{folds} folds: two or more are needed")
    if not len(pairs):
        raise PairsError("there are no pairs")
    first, second = _fold_of_ends(pairs, folds, seed)
    has_label = pairs["label"].notna().to_numpy()
    met = [(k, k) for k in range(folds)] + list(combinations(range(folds), 2))
    rows_of = {ends: np.flatnonzero((first == ends[0]) & (second == ends[1])) for ends in met}
    rows_of = {ends: rows for ends, rows in rows_of.items() if len(rows)}

    found = np.full(len(pairs), np.nan)
    name = model if isinstance(model, str) else "the model"
    options = {} if callable(model) or model == "tfidf" else {"progress": progress}
    for ends, rows in tqdm(rows_of.items(), "out of fold", unit=" model", disable=not progress):
        k, other = ends[0] + 1, ends[1] + 1
        named = f"fold {k}" if k == other else f"rows between folds {k} and {other}"
        apart = has_label & ~np.isin(first, ends) & ~np.isin(second, ends)
        try:
            fitted = make_model(model, seed, **options).fit(pairs[apart])
        except PairsError as error:
            raise PairsError(
                f"the model for {named} of {folds} has {apart.sum():,} rows to learn from: {error}; "
                f"with more folds it has more"
            ) from error
        found[rows] = p = np.asarray(fitted.predict_proba(pairs.iloc[rows]), dtype=np.float64)
        if not ((p >= 0) & (p <= 1)).all():
            at = int(np.argmin((p >= 0) & (p <= 1)))
            raise PairsError(
                f"{row_name(pairs, int(rows[at]))}: {name} answers {p[at]}, which is no probability from 0 to 1"
            )
    return found


def _fold_of_ends(pairs: pd.DataFrame, folds: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The folds of both sentences of each row, the smaller one first."""
    # The sides of bipartite data are different things: it has no clusters to cut between.
    by = "components" if pairs.attrs.get("bipartite") else "clusters"
    found = sides(pairs, [1 / folds] * folds, by, seed)
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


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=4)  # at the line that called out_of_fold


def pair_opinions(
    pairs: pd.DataFrame,
    model: str | os.PathLike | Callable[[int], Any] = "embedding",
    folds: int = 5,
    seed: int = 0,
    encoder: str | os.PathLike = "minilm",
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Two opinions on each pair, as columns of evidence for a repair of labels.

    Parameters
    ----------
    pairs : DataFrame
        A pair table; a pair without a label gets opinions too.
    model : name, callable, folder or hub id
        The first of these that it is:

        - a name as in `make_model`, or a function from a seed to a model: trained on these pairs, *out of fold*;
        - the folder of a model that `save` has written: the mean of both orders of a pair;
        - the folder of a sequence classifier of `transformers`, or its id on the Hugging Face hub: of paraphrases, of
          entailment, or with one output (see `classify.head_of`). Code that it brings is never run.

        The last two are asked as they are, *not out of fold*: if they were trained on these pairs, they repeat their
        labels.
    folds, seed
        As in `out_of_fold`.
    encoder : str or path
        Of the cosine.

    Returns
    -------
    DataFrame
        A row for each row of `pairs`, in their order: text_a, text_b, model (P(paraphrase)), cosine (of the two
        embeddings, in [-1, 1]). ``.attrs`` say where they come from: ``"model"``, its name; ``"out_of_fold"``,
        whether it has seen neither the pair nor its component; ``"reads"``, what P is made of; ``"trained_on"``, what
        its weights, or those of the encoder, have seen: on such data both opinions are better than on unseen data.

    Notes
    -----
    A wrong label biases only the models of the other folds. Labels that are wrong in the same way everywhere bias
    all models, which then agree with them.
    """
    from ..pretrained.find import describe
    from .embedding import EmbeddingPairs

    table = pairs[["text_a", "text_b"]].reset_index(drop=True)
    if callable(model) or model in MODELS:
        table["model"] = out_of_fold(pairs, model, folds, seed, progress=progress)
        name = model if isinstance(model, str) else getattr(model, "__name__", "a function")
        about = {"model": name, "out_of_fold": True, "reads": "P(paraphrase), out of fold"}
        about["trained_on"] = describe(encoder, progress=progress).trained_on
    else:
        asked, reads = ready(model, progress=progress)
        table["model"] = asked(table)
        about = {"out_of_fold": False} | reads
    table["cosine"] = EmbeddingPairs(encoder, progress=progress).cosine(pairs)
    table.attrs = about
    return table


def ready(model: str | os.PathLike, *, progress: bool = True) -> tuple[Callable[[pd.DataFrame], Any], dict[str, str]]:
    """A function from pairs to P(paraphrase), of a model that is trained already; and what it is.

    The folder of a model that `save` has written, or a classifier of `transformers`; see `pair_opinions`. Raises
    `PairsError` for a name of `naming.MODELS`, which is trained nowhere yet.
    """
    from ..pretrained.classify import SequencePairs
    from ..pretrained.find import MissingModel

    model = os.fspath(model)
    if model in MODELS:
        raise PairsError(
            f"model {model!r} learns from these pairs and is then asked about all of them: pass its pair_opinions as "
            "evidence"
        )
    if holds_model(model):
        own = load_model(model)
        own.progress = progress
        turned = {"text_a": "text_b", "text_b": "text_a"}

        def asked(table: pd.DataFrame) -> Any:
            return (own.predict_proba(table) + own.predict_proba(table.rename(columns=turned))) / 2

        return asked, {
            "model": own.name,
            "reads": "P(paraphrase), the mean of both orders",
            "trained_on": own.trained_on,
        }
    try:
        found = SequencePairs(model, progress=progress)
    except MissingModel as error:
        raise MissingModel(f"{error}. A name is one of {', '.join(MODELS)}") from error
    return found.predict_proba, {"model": found.name, "reads": found.head.reads, "trained_on": found.trained_on}
