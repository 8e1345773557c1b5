"""Models by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..pairs import PairsError

__all__ = ["MODELS", "make_model"]

#: Name, and the module and class behind it.
MODELS = {
    "tfidf": ("baselines", "TfidfPairs"),
    "embedding": ("baselines", "EmbeddingPairs"),
    "dense": ("dense_head", "DenseHead"),
    "cross-encoder": ("pair_classifier", "PairClassifier"),
}


def make_model(model: str | Callable[[int], Any], seed: int = 0, **options: Any) -> Any:
    """A new model, not yet fitted.

    Parameters
    ----------
    model : {"tfidf", "embedding", "dense", "cross-encoder"} or callable
        A callable gets the seed, and makes the model itself.
    seed : int
        Of whatever is random in it.
    **options
        For the constructor of a named model.

    Raises
    ------
    PairsError
        Unknown name; options for a callable.

    Examples
    --------
    >>> make_model("word2vec")
    Traceback (most recent call last):
    ...
    paragraph.delimited.PairsError: model 'word2vec' is not one of tfidf, embedding, dense, cross-encoder
    """
    if callable(model):
        if options:
            raise PairsError(
                f"options ({', '.join(options)}) are for a model given by name; set them in the function"
            )
        return model(seed)
    if model not in MODELS:
        raise PairsError(f"model {model!r} is not one of {', '.join(MODELS)}")
    home, name = MODELS[model]
    return getattr(import_module(f".{home}", __package__), name)(seed=seed, **options)
