"""A model's opinion on each stated pair: evidence that does not come from the pair's own label."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pandas as pd

from ..pairs import PairsError
from .folds import out_of_fold
from .naming import MODELS, holds_model, load_model

__all__ = ["pair_opinions", "ready"]


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
          entailment, or with one output (see `classifiers.head_of`). Code that it brings is never run.

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

    Raises
    ------
    PairsError
        As `out_of_fold` and `describe`; a classifier whose labels do not say which one means a paraphrase.

    Notes
    -----
    A wrong label biases only the models of the other folds. Labels that are wrong in the same way everywhere bias
    all models, which then agree with them.
    """
    from .baselines import EmbeddingPairs
    from .models import describe

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
    from .classifiers import SequencePairs
    from .models import MissingModel

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
