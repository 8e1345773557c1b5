"""Sources of pairs, opened: files, DataFrames, Datasets."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ..files.content import load
from ..files.errors import PairsError, check_type
from ..files.memory import not_too_large
from ..files.names import ending
from ..files.outputs import is_stream
from ..files.records import file_hash
from .columns import of_frame, of_json, of_parquet, of_table
from .delimited import open_delimited
from .recognise import How, how_of
from .source import Source

__all__ = ["open_source", "reopen"]


def open_source(source: Any, how: How = How()) -> Source:  # noqa: B008 (a tuple)
    """Open any source that `read_pairs` takes."""
    if isinstance(source, pd.DataFrame):
        return of_frame(source)
    # A stream of `datasets` has no length
    if all(hasattr(source, name) for name in ("with_format", "features", "__len__")):
        return of_table("the Dataset", "dataset", source.with_format("arrow")[:])
    check_type(source, str | Path, "read_pairs", "a path, a DataFrame or one Dataset")
    file = _open_file(Path(source), how)
    if is_stream(source):
        return file
    return replace(file, path=os.path.abspath(source), sha256=file_hash(source))


def reopen(report: Mapping[str, Any]) -> Source:
    """Open the file of a report once more; refuse it if a byte has changed since it was read."""
    path = Path(report["path"])
    sha256 = report["sha256"]
    original = f"the file that was read (SHA-256 {sha256})"
    if not path.is_file():
        raise PairsError(f"{path}: is gone; put {original} back, or read it in its new place")
    source = open_source(path, how_of(report["options"]))
    if source.sha256 != sha256:
        raise PairsError(
            f"{path}: has changed since it was read (SHA-256 now {source.sha256}), and is not {original}; put that "
            "file back, or read the new one, and apply the answers to it"
        )
    return source


def _open_file(path: Path, how: How) -> Source:
    data = load(path, how.encoding)
    name = path.name
    if data.startswith(b"PAR1"):
        return of_parquet(data, name)
    is_json = ending(name) in (".jsonl", ".ndjson", ".json")
    # No ending tells: records, or lists, of JSON begin in a way that no header does
    if how.format == "auto" and ending(name) not in (".csv", ".tsv"):
        is_json = is_json or bool(re.match(rb'\s*(\{|\[[{"\[\n])', data[: 1 << 20]))
    not_too_large(data, name)
    if is_json:
        return of_json(name, data)
    return open_delimited(name, data, how)
