"""Turn sentences into vectors, with a pretrained transformer."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from functools import cache as cache_of
from typing import TYPE_CHECKING

import numpy as np

from ..files import PairsError
from ..files.errors import as_pairs_error, check_int
from ..graph.arrays import Array
from .cache import Cache, cached_rows
from .encoder import Model, describe, load, load_tokenizer

if TYPE_CHECKING:
    import torch

    from .tokens import Device

__all__ = ["check_texts", "encode", "pool", "unit"]

#: Texts encoded, and then kept, at once.
_BLOCK = 2048


def encode(
    sentences: Sequence[str],
    model: Model = "minilm",
    *,
    pooling: str | None = None,
    max_length: int | None = None,
    device: Device = None,
    cache: Cache = True,
    progress: bool = True,
) -> Array:
    """Return the vectors of sentences: float32, (n, d), row i for sentence i; not normalized.

    Each distinct sentence goes through the model once, and its vector is kept on disk, even if a call is interrupted;
    the next call reads it.

    Parameters
    ----------
    sentences : sequence of str
    model : str or path
        As for `describe`: ``"minilm"``, a folder, or the id of a model on the Hugging Face hub.
    pooling : {"mean", "cls"}, optional
        The vector of a sentence: the mean over its tokens (padding left out), or that of its first token. Default:
        the one the model was trained for, or mean if it does not say.
    max_length : int, optional
        The number of tokens after which a sentence is cut. Default and maximum: the limit of the model.
    device : str, optional
        Default: the GPU, if there is one, else the CPU. Matrix products are in bfloat16 if the device has that in
        hardware, which moves the cosines of MiniLM by some .0004, and by .002 at most on the shipped corpus.
    cache : bool or path
        Whether to keep vectors, or a folder to keep them in (default: `cache.default_cache`).

    Raises
    ------
    MissingModel, PairsError
        No such model; something that is not text, with its position.

    Warns
    -----
    UserWarning
        Sentences were cut; a cache cannot be used.

    Notes
    -----
    The cache is one file for each model (by the hash of its files), pooling, length and arithmetic. The same sentence
    in another batch gives a slightly different vector: in bfloat16, in the third digit.

    Examples
    --------
    >>> vectors = encode(["How do cats purr?", "Why do cats purr?", "How do cats purr?"], cache=False)
    >>> vectors.shape, bool((vectors[0] == vectors[2]).all())
    ((3, 384), True)
    """
    about = describe(model)
    pooling = pooling or about.pooling
    if pooling not in ("mean", "cls"):
        raise PairsError(f"pooling={pooling!r} is not one of mean, cls")
    if max_length is not None:
        check_int("max_length", max_length, 4)  # three tokens only mark where texts begin and end
    check_texts(sentences)
    # Imported only now: torch takes seconds to load.
    from .tokens import Tokens, arithmetic, pick_device, read_all

    limit = min(max_length or about.max_length, about.max_length)
    where = pick_device(device)
    encoder = cache_of(lambda: (load_tokenizer(model), load(model).to(where)))

    def read(texts: Sequence) -> Array:
        """The vectors of texts, and behind each 1 if its text was cut."""
        tokenizer, network = encoder()
        tokens = Tokens(tokenizer, texts, max_length=limit, progress=False)

        def forward(rows: Array) -> torch.Tensor:
            return pool(network, tokens.batch(rows, where), pooling)

        with as_pairs_error(
            about.folder, "it is damaged, or these texts need more memory than there is"
        ):
            values = read_all(tokens.lengths, forward, where).numpy()
            if not np.isfinite(values).all():
                raise ValueError("it returns values that are not numbers")
        return np.column_stack([values, tokens.cut])

    # all that a vector depends on, but the text
    name = f"{about.fingerprint[:24]}-text-{pooling}-{limit}-{arithmetic(where)}"
    options = {"block": _BLOCK, "cache": cache, "progress": progress}
    vectors = cached_rows(name, about.width + 1, sentences, read, "encoding", **options)
    cut = {sentences[i] for i in np.flatnonzero(vectors[:, -1])}
    if cut:
        counts = f"{len(cut):,} of {len({*sentences}):,} different texts"
        message = f"{counts} are longer than {limit} tokens and were cut"
        warnings.warn(message, stacklevel=2)  # at the line that called encode
    return vectors[:, :-1]


def check_texts(texts: Iterable[str], what: str = "sentence") -> None:
    """Raise `PairsError` for anything but a list (one text, a table), and for the first invalid text."""
    is_one = isinstance(texts, str) or hasattr(texts, "columns")
    if is_one or not hasattr(texts, "__len__"):
        raise PairsError(f"{what}s: a list of texts is expected, not one {type(texts).__name__}")
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise PairsError(f"{what} {i} is not text but {type(text).__name__}: {text!r}")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise PairsError(
                f"{what} {i} is not valid Unicode ({error.reason}): {text!r}"
            ) from error


def pool(encoder: torch.nn.Module, batch: dict[str, torch.Tensor], pooling: str) -> torch.Tensor:
    """The vector of each row of a batch, float32, (rows, d)."""
    hidden = encoder(**batch).last_hidden_state.float()  # (rows, longest, d)
    if pooling == "cls":
        return hidden[:, 0]
    there = batch["attention_mask"].unsqueeze(-1)  # (rows, longest, 1)
    count = there.sum(1).clamp(min=1)
    return (hidden * there).sum(1) / count


def unit(vectors: Array) -> Array:
    """Vectors divided by their length; zeros stay."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-12)
