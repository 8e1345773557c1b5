"""Taggers, by name, and the one that ships: which words of two sentences the other sentence cannot paraphrase."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...pairs import PairsError

if TYPE_CHECKING:
    from .taggers import Tagger

__all__ = ["TAGGERS", "default_tagger", "load_tagger", "make_tagger"]

#: Name, the module and class behind it, and the file that its `save` leaves.
TAGGERS = {
    "alignment": ("alignment", "AlignmentTagger", "alignment_tagger.npz"),
    "cross-encoder": ("encoder", "TagEncoder", "tag_encoder.json"),
}
#: The folder of the tagger that ships; `python -m benchmarks.tagging DATA --ship` writes it.
SHIPPED = Path(__file__).parent


def make_tagger(name: str, /, seed: int = 0, **options: Any) -> Tagger:
    """A new tagger, not yet fitted.

    Parameters
    ----------
    name : {"alignment", "cross-encoder"}
    seed : int
        Of whatever is random in it.
    **options
        For its constructor, its `model` (the transformer) among them.

    Examples
    --------
    >>> make_tagger("crf")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: tagger 'crf' is not one of alignment, cross-encoder
    """
    if name not in TAGGERS:
        raise PairsError(f"tagger {name!r} is not one of {', '.join(TAGGERS)}")
    return _class_of(name)(seed=seed, **options)


def load_tagger(folder: str | PathLike, device: str | None = None, *, progress: bool = False) -> Tagger:
    """The fitted tagger that `save` has written to a folder, whichever of `TAGGERS` it is.

    Examples
    --------
    >>> load_tagger("no such folder")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: no such folder holds no tagger; name a folder that a tagger's save has written
    """
    for name, (_, _, file) in TAGGERS.items():
        if Path(folder, file).is_file():
            return _class_of(name).load(folder, device, progress=progress)
    raise PairsError(f"{folder} holds no tagger; name a folder that a tagger's save has written")


def default_tagger(device: str | None = None, *, progress: bool = False) -> Tagger:
    """The tagger that ships: trees on MiniLM's vectors, fitted to the first 4,076 pairs of ETPC.

    ETPC's tags are the nearest to what a tag is here. MultiMWA's unaligned words are others: it aligns "2.5" with
    "1.8".

    Examples
    --------
    >>> import pandas as pd
    >>> pair = pd.DataFrame({"text_a": ["She sold 2.5 million cars."], "text_b": ["She sold 1.8 million cars."]})
    >>> tags = default_tagger().tag(pair)
    >>> [word for word, tag in zip(tags.words_a[0], tags.tags_a[0]) if tag]
    ['2.5']
    """
    return load_tagger(SHIPPED, device, progress=progress)


def _class_of(name: str) -> Any:
    module, kind, _ = TAGGERS[name]
    return getattr(import_module(f".{module}", __name__), kind)
