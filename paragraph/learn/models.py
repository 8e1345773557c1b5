"""Models of pairs, by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from ..pairs import PairsError

__all__ = ["MODELS", "holds_model", "load_model", "make_model"]

#: Name, the module and class behind it, and the file that its `save` writes.
MODELS = {
    "tfidf": ("baselines", "TfidfPairs", "tfidf_pairs.npz"),
    "embedding": ("baselines", "EmbeddingPairs", "embedding_pairs.npz"),
    "dense": (".papers.distance.dense", "DenseHead", "dense_head.json"),
    "cosine": (".papers.collection.cosine", "CosineModel", "cosine_model.json"),
    "cross-encoder": ("cross_encoder", "PairClassifier", "pair_classifier.json"),
    "adapter": ("adapter", "Adapter", "adapter.json"),
}


def make_model(model: str | Callable[[int], Any], /, seed: int = 0, **options: Any) -> Any:
    """Make a new model, not yet fitted.

    `model` is a name in `MODELS`, or a function from the seed to the model. `options` are passed to the constructor,
    including its `model` (the encoder).

    Examples
    --------
    >>> make_model("word2vec")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: model 'word2vec' is not one of tfidf, embedding, dense, cosine, cross-encoder, adapter
    """
    if callable(model):
        return model(seed, **options)
    if model not in MODELS:
        raise PairsError(f"model {model!r} is not one of {', '.join(MODELS)}")
    return _class_of(model)(seed=seed, **options)


def load_model(folder: str | PathLike) -> Any:
    """Read the fitted model, any of `MODELS`, that `save` has written to a folder.

    Examples
    --------
    >>> load_model("no such folder")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: no such folder holds no model; name a folder that a model's save has written
    """
    if model := holds_model(folder):
        return _class_of(model).load(folder)
    raise PairsError(f"{folder} holds no model; name a folder that a model's save has written")


def holds_model(folder: str | PathLike) -> str | None:
    """The name in `MODELS` of the model saved in a folder, or None."""
    try:
        return next((model for model, (_, _, file) in MODELS.items() if Path(folder, file).is_file()), None)
    except (ValueError, OSError):  # no name of a folder at all
        return None


def _class_of(model: str) -> Any:
    module, name, _ = MODELS[model]
    return getattr(import_module(f".{module}", __package__), name)
