"""Sentences to vectors, with a pretrained transformer."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from ...pairs import PairsError
from ...pairs.errors import intact
from .cache import VectorCache
from .find import describe, load_classifier, load_encoder, load_tokenizer

if TYPE_CHECKING:
    import torch

__all__ = ["check_texts", "encode", "encode_pairs", "pair_outputs", "pooled"]

#: Most rows in a batch, and most tokens with padding: what fills a device without straining its memory.
_BATCH = {"cpu": (128, 4096), "cuda": (1024, 65536)}
#: In place of a pooling: the outputs of the model's own head.
_HEAD = "head"


def encode(
    sentences: Sequence[str],
    model: str | os.PathLike = "minilm",
    *,
    pooling: str | None = None,
    max_length: int | None = None,
    device: str | torch.device | None = None,
    cache: bool | str | os.PathLike = True,
    progress: bool = True,
) -> np.ndarray:
    """The vectors of sentences: float32, (n, d), row i for sentence i; not normalized.

    Each different sentence goes through the model once, and its vector is kept on disk, also when a call is
    interrupted; the next call reads it.

    Parameters
    ----------
    sentences : sequence of str
    model : str or path
        As for `describe`: ``"minilm"``, a folder, or the id of a model on the Hugging Face hub.
    pooling : {"mean", "cls"}, optional
        The vector of a sentence: the mean over its tokens (padding left out), or that of its first token.
        Default: what the model was trained for, mean where it does not say.
    max_length : int, optional
        Tokens after which a sentence is cut. Default, and most: what the model takes.
    device : str, optional
        Default: the GPU where there is one, else the CPU. Matrix products are in bfloat16 where the device has
        that in hardware, which moves the cosines of MiniLM by some .0004, and .002 at most on the shipped corpus.
    cache : bool or path
        Whether to keep vectors; a folder to keep them in (default: `cache.default_cache`).
    progress : bool
        Show a progress bar.

    Raises
    ------
    MissingModel, PairsError
        No such model; something that is not text, with its position.

    Warns
    -----
    UserWarning
        How many sentences were cut; a cache that cannot be used.

    Notes
    -----
    The cache is one file for each model (a hash of weights, configuration and tokenizer), pooling, length and
    arithmetic. The same sentence in another batch gives a slightly different vector: in bfloat16, in the third digit.

    Examples
    --------
    >>> vectors = encode(["How do cats purr?", "Why do cats purr?", "How do cats purr?"], cache=False)
    >>> vectors.shape, bool((vectors[0] == vectors[2]).all())
    ((3, 384), True)
    """
    if isinstance(sentences, str):
        raise PairsError(f"one text where a list of them is expected: [{sentences!r}]")
    return _encode([list(sentences)], model, pooling, max_length, device, cache, progress)


def encode_pairs(
    first: Sequence[str], second: Sequence[str], model: str | os.PathLike = "minilm", *, pooling: str | None = "cls",
    **options: Any,
) -> np.ndarray:  # fmt: skip
    """The vectors of ordered pairs of sentences, each pair one input of the model ("a [SEP] b"): float32, (n, d).

    The other options are those of `encode`.
    """
    if len(first) != len(second):
        raise PairsError(f"{len(first):,} first and {len(second):,} second sentences are no pairs")
    return _encode([list(first), list(second)], model, pooling, **options)


def pair_outputs(first: Sequence[str], second: Sequence[str], model: str | os.PathLike, **options: Any) -> np.ndarray:
    """The outputs of a model's classification head for ordered pairs, before any softmax: float32, (n, outputs)."""
    return encode_pairs(first, second, model, pooling=_HEAD, **options)


def _encode(
    sides: list[list[str]],
    model: str | os.PathLike,
    pooling: str | None,
    max_length: int | None = None,
    device: str | torch.device | None = None,
    cache: bool | str | os.PathLike = True,
    progress: bool = True,
) -> np.ndarray:
    about = describe(model, progress=progress)
    pooling = pooling or about.pooling
    width = len(about.labels) if pooling == _HEAD else about.width
    if pooling not in ("mean", "cls", _HEAD):
        raise PairsError(f"pooling={pooling!r} is not one of mean, cls")
    if max_length is not None and max_length < 4:
        raise PairsError(
            f"max_length={max_length}: up to three tokens only mark where texts begin and end; 4 or more"
        )
    limit = min(max_length or about.max_length, about.max_length)
    for side in sides:
        check_texts(side)
    if not sides[0]:
        return np.empty((0, width), dtype=np.float32)
    # Only now: torch takes seconds to load.
    from .batches import arithmetic, pick_device, reading, tokenize

    where, unit = pick_device(device), "text" if len(sides) == 1 else "pair"
    inputs, sample, place = _distinct(sides)
    vectors = np.empty((len(inputs), width), dtype=np.float32)
    cut = np.zeros(len(inputs), dtype=bool)
    missing = np.arange(len(inputs))
    name = f"{about.fingerprint[:24]}-{unit}-{pooling}-{limit}-{arithmetic(where)}"
    with nullcontext() if cache is False else VectorCache(name, width, None if cache is True else cache) as kept:
        if kept is not None:
            found = kept.read(inputs)
            vectors[found.there], cut[found.there] = found.vectors, found.cut
            missing = np.flatnonzero(~found.there)
        if len(missing):
            texts = [[side[i] for i in sample[missing]] for side in sides]
            tokens = tokenize(load_tokenizer(model), *texts, max_length=limit, progress=progress)
            cut[missing] = tokens.cut
            encoder = load_classifier(model, width, fitted=True) if pooling == _HEAD else load_encoder(model)
            encoder = encoder.to(where)
            most = _BATCH.get(where.type, _BATCH["cpu"])
            with reading(tokens.lengths, where, most, "encoding", unit, progress) as batches:
                for rows in batches:
                    with intact(about.folder, "it is damaged, or these texts take more memory than there is"):
                        values = pooled(encoder, tokens.batch(rows, where), pooling).cpu().numpy()
                        if not np.isfinite(values).all():
                            raise ValueError("it answers with what is no number")
                    vectors[missing[rows]] = values
                    if kept is not None:
                        kept.write([inputs[i] for i in missing[rows]], values, cut[missing[rows]])
    if long := int(cut.sum()):
        warnings.warn(
            f"{long:,} of {len(inputs):,} different {'sentences' if len(sides) == 1 else 'pairs'} are longer than "
            f"{limit} tokens and were cut",
            stacklevel=3,  # at the line that called encode
        )
    return vectors if len(inputs) == len(place) else vectors[place]


def check_texts(texts: Iterable[str], what: str = "sentence") -> None:
    """Raise `PairsError` at the first of these that is no text, or that holds half a character."""
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise PairsError(f"{what} {i} is not text but {type(text).__name__}: {text!r}")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise PairsError(f"{what} {i} is not valid Unicode ({error.reason}): {text!r}") from error


def _distinct(sides: list[list[str]]) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The different inputs, each as one string; a row of each; and the number of the input of every row."""
    inputs = sides[0]
    if len(sides) == 2:
        # The length tells where the first text ends, so that no two pairs are written alike.
        inputs = [f"{len(a)} {a}{b}" for a, b in zip(*sides, strict=True)]
    number: dict[str, int] = {}
    place = np.array([number.setdefault(text, len(number)) for text in inputs])
    return list(number), np.unique(place, return_index=True)[1], place


def pooled(encoder: torch.nn.Module, batch: dict[str, torch.Tensor], pooling: str) -> torch.Tensor:
    """The vector of each row of a batch, float32, (rows, d)."""
    if pooling == _HEAD:
        return encoder(**batch).logits.float()
    hidden = encoder(**batch).last_hidden_state.float()  # (rows, longest, d)
    if pooling == "cls":
        return hidden[:, 0]
    there = batch["attention_mask"].unsqueeze(-1)  # (rows, longest, 1)
    return (hidden * there).sum(1) / there.sum(1).clamp(min=1)
