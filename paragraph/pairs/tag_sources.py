"""Any file or folder with pairs as a tag table: which kind it is, found from what it holds."""

from __future__ import annotations

import json
import re
from os import PathLike
from pathlib import Path

import pandas as pd

from .errors import PairsError, option
from .etpc import read_etpc
from .multimwa import read_multimwa
from .reading import read_pairs
from .tagged import content, read, untagged

__all__ = ["INPUTS", "kind_of", "read_any"]

INPUTS = ("pairs", "tags", "multimwa", "etpc")


def read_any(path: str | PathLike, input: str | None = None, mrpc: str | PathLike | None = None) -> pd.DataFrame:
    """The tag table of a file of pairs, of tags, of MultiMWA or ETPC; rows in the order of the source.

    Parameters
    ----------
    path : str or Path
        ETPC is a folder or one of its files.
    input : {"pairs", "tags", "multimwa", "etpc"}, optional
        Without it: a folder or XML is ETPC, JSON Lines with words are tags, lines of tabs whose eighth field holds
        links are MultiMWA, and all else pairs, as `read_pairs` finds them. Pairs may be unlabelled.
    mrpc : str or Path, optional
        The folder of MRPC, for ETPC.

    Raises
    ------
    PairsError
        As the readers; or ETPC without `mrpc`.
    """
    kind = input or kind_of(Path(path))
    if kind not in INPUTS:
        raise PairsError(f"input {kind!r} is not one of {', '.join(INPUTS)}")
    if kind == "etpc":
        if mrpc is None:
            raise PairsError(f"{path}: ETPC holds no sentences; name the folder of MRPC with {option('mrpc')}")
        return read_etpc(path if Path(path).is_dir() else [path], mrpc)
    if kind == "pairs":
        return untagged(read_pairs(path, unlabelled="keep"))
    return {"tags": read, "multimwa": read_multimwa}[kind](path)


def kind_of(path):
    """One of `INPUTS`, by what a file holds."""
    if path.is_dir() or ".xml" in path.suffixes:
        return "etpc"
    first = content(path).lstrip().split(b"\n", 1)[0].decode("utf-8", "replace")
    if first.startswith("{"):
        try:
            return "tags" if "words_a" in json.loads(first) else "pairs"
        except ValueError:
            return "pairs"  # whose reader says what is wrong
    fields = first.split("\t")
    links = fields[7].split() if len(fields) > 8 else []
    return "multimwa" if links and all(re.fullmatch(r"\d+-\d+", link) for link in links) else "pairs"
