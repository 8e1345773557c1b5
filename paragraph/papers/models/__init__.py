"""Models of pairs and their training, for the experiments of Chen, Ji and Evans (2020) and all others, by name.

A *model* is any object with

- ``name``, ``trained_on`` (what its pretrained weights have seen; "" for none), ``deterministic``;
- ``fit(train, dev=None)``, which returns the model; both are pair tables with a label in every row;
- ``predict_proba(pairs)``: P(paraphrase) of each row, a float64 array, whatever its label.

A function that takes a model accepts a name in `MODELS`, or any function from a seed to a model.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from ... import lazy_names
from ...files import PairsError

__all__ = ["MODELS", "load_model", "make_model"]

#: Name, the module and class of the model, and the file that `save` leaves.
MODELS = {
    "tfidf": ("baselines", "TfidfPairs", None),
    "embedding": ("baselines", "EmbeddingPairs", None),
    "cosine": (".collection.cosine", "Cosine", "cosine_model.json"),
    "cross-encoder": ("cross_encoder", "CrossEncoder", "pair_classifier.json"),
    "adapter": ("adapter", "LowRank", "adapter.json"),
}
_modules = {name: module for module, name, _ in MODELS.values()}
_class, _ = lazy_names(__name__, _modules)


def make_model(model: str | Callable[[int], Any], /, seed: int = 0, **options: Any) -> Any:
    """Make a new model, not yet fitted.

    `model` is a name in `MODELS`, or a function that gets the seed and makes the model. `options` are those of its
    class, its `model` (the encoder) among them.

    Examples
    --------
    >>> make_model("word2vec")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: model 'word2vec' is not one of tfidf, embedding, cosine, cross-encoder, adapter
    """
    if callable(model):
        return model(seed, **options)
    if model not in MODELS:
        raise PairsError(f"model {model!r} is not one of {', '.join(MODELS)}")
    _, name, _ = MODELS[model]
    return _class(name)(seed=seed, **options)


def load_model(folder: str | PathLike) -> Any:
    """Read the fitted model that `save` has written to a folder; the two regressions are not saved.

    Examples
    --------
    >>> load_model("no such folder")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: no such folder holds no model; name a folder that a model's save has written
    """
    for _, kind, file in MODELS.values():
        if file and Path(folder, file).is_file():
            return _class(kind).load(folder)
    raise PairsError(f"{folder} holds no model; name a folder that a model's save has written")
