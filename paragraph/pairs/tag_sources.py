"""Any file or folder with pairs as a tag table: which kind it is, found from what it holds."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

import pandas as pd

from .errors import PairsError, option
from .etpc import read_etpc
from .multimwa import read_multimwa
from .reading import read_pairs
from .sources import begin, parse_object
from .tagged import read, untagged

__all__ = ["INPUTS", "kind_of", "read_any"]

INPUTS = ("pairs", "tags", "multimwa", "etpc")


def read_any(
    path: str | PathLike,
    input: str | None = None,
    mrpc: str | PathLike | None = None,
    *,
    max_unpacked: int | None = None,
) -> pd.DataFrame:
    """Read any file of pairs (labelled or not), of tags, of MultiMWA or ETPC as a tag table; rows stay in order.

    Parameters
    ----------
    path : str or Path
        ETPC is a folder or one of its files.
    input : {"pairs", "tags", "multimwa", "etpc"}, optional
        By default as `kind_of` finds it.
    mrpc : str or Path, optional
        The folder of MRPC, which ETPC needs.
    max_unpacked : int, optional
        A packed file may hold so many bytes: by default 1 GB, and 8 GB of pairs.
    """
    limit = {} if max_unpacked is None else {"max_unpacked": max_unpacked}
    kind = input or kind_of(Path(path))
    if kind == "etpc" and mrpc is None:
        raise PairsError(f"{path}: ETPC holds no sentences; name the folder of MRPC with {option('mrpc')}")
    if kind == "etpc":
        return read_etpc(path if Path(path).is_dir() else [path], mrpc, **limit)
    if kind == "pairs":
        return untagged(read_pairs(path, unlabelled="keep", **limit))
    if kind not in INPUTS:
        raise PairsError(f"input {kind!r} is not one of {', '.join(INPUTS)}")
    return {"tags": read, "multimwa": read_multimwa}[kind](path, **limit)


def kind_of(path: Path) -> str:
    """A folder or XML is ETPC, JSON Lines with words are tags, tabs with links between words MultiMWA; else pairs."""
    if path.is_dir() or ".xml" in path.suffixes:
        return "etpc"
    first = _first_line(path)
    if "words_a" in (parse_object(first)[0] or ()):
        return "tags"
    fields = first.decode("utf-8", "replace").split("\t")
    return "multimwa" if len(fields) > 8 and re.fullmatch(r"(\d+-\d+ ?)+", fields[7]) else "pairs"


def _first_line(path: Path) -> bytes:
    """The first line that is not blank, as far as the first block of the file goes."""
    try:
        return begin(path)[2].lstrip().split(b"\n", 1)[0]
    except OSError as error:
        raise PairsError(f"{path}: cannot be read: {error.strerror or error}") from None
