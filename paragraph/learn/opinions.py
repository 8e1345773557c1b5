"""A model's opinion on each stated pair: evidence that does not come from the pair's own label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from .folds import out_of_fold

__all__ = ["pair_opinions"]


def pair_opinions(
    pairs: pd.DataFrame,
    model: str | Callable[[int], Any] = "embedding",
    folds: int = 5,
    seed: int = 0,
    encoder: str = "minilm",
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Two opinions on each pair, as columns of evidence for a repair of labels.

    Parameters
    ----------
    pairs : DataFrame
        A pair table; a pair without a label gets opinions too.
    model, folds, seed
        As in `out_of_fold`.
    encoder : str or path
        Of the cosine.

    Returns
    -------
    DataFrame
        A row for each row of `pairs`, in their order: text_a, text_b, model (P(paraphrase), from a model that has
        seen neither the pair nor its component, see `out_of_fold`), cosine (of the two embeddings, in [-1, 1]).
        ``.attrs["trained_on"]`` says what the weights of the encoder have seen: on such data both opinions are
        better than on unseen data.

    Notes
    -----
    A wrong label biases only the models of the other folds. Labels that are wrong in the same way everywhere bias
    all models, which then agree with them.
    """
    from .baselines import EmbeddingPairs
    from .models import describe

    table = pairs[["text_a", "text_b"]].reset_index(drop=True)
    table["model"] = out_of_fold(pairs, model, folds, seed, progress=progress)
    table["cosine"] = EmbeddingPairs(encoder, progress=progress).cosine(pairs)
    table.attrs = {"trained_on": describe(encoder).trained_on}
    return table
