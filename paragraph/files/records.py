"""Records of outputs: what they are made from, and a hash of each."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

from .. import __version__
from .errors import as_pairs_error
from .outputs import is_record, is_stream, write_json

__all__ = [
    "REPORT",
    "check_recorded",
    "check_rows",
    "file_hash",
    "make_record",
    "read_record",
    "record_of",
    "write_record",
]

#: The record of a folder.
REPORT = "report.json"


def file_hash(path: str | PathLike) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_record(inputs: dict[str, str | PathLike], **options: Any) -> dict[str, Any]:
    """Collect everything needed to make an output again: ``{"inputs": …, "options": …, "versions": …}``.

    Options include the seed, if there is one. Only file names, no paths: records travel.
    """
    files = {}
    for name, path in inputs.items():
        files[name] = {
            "file": Path(path).name,
            "bytes": os.path.getsize(path),
            "sha256": file_hash(path),
        }
    versions = {"python": platform.python_version(), "paragraph": __version__}
    for library in ("numpy", "pandas", "pyarrow", "scipy"):
        versions[library] = version(library)
    return {"inputs": files, "options": options, "versions": versions}


def record_of(output: str | PathLike) -> Path:
    """The place of the record of an output, a file: ``<output>.record.json`` beside it."""
    return Path(f"{output}.record.json")


def write_record(record: dict[str, Any], path: str | PathLike) -> None:
    """Write the record of the other files of a folder in the making, all of them there, with a hash of each: `made`.

    `path` is that of the record. A device or a pipe has none.
    """
    path = Path(path)
    if is_stream(str(path).removesuffix(".record.json")):
        return
    made = {}
    for file in sorted(path.parent.rglob("*")):
        if file.is_file() and file != path:
            made[file.relative_to(path.parent).as_posix()] = file_hash(file)
    write_json(record | {"made": made}, path)


def read_record(path: Path, only: str = "") -> dict[str, Any]:
    """Read a record. `ValueError` if a file that it names, or the one called `only`, is not as it was written."""
    record = json.loads(path.read_text(encoding="utf-8"))
    for name, known in record.pop("made", {}).items():
        if only in ("", name) and file_hash(path.parent / name) != known:
            raise ValueError(f"{name} is not the file that {path.name} describes")
    return record


def check_recorded(path: str | PathLike) -> None:
    """Refuse with a `PairsError` a file that does not match its hash in a record beside it.

    The record is ``report.json``, or one of several files, including this one. (A record of one file alone forbids
    nothing: a sheet is there to be filled in.) For a folder, check all files that its record names.
    """
    path = Path(path)
    folder = path.parent
    name = path.name
    if path.is_dir():
        folder = path
        name = ""
    for place in (folder / REPORT, record_of(path)):
        if not is_record(place):
            continue
        if place.name == REPORT or len(json.loads(place.read_bytes())["made"]) > 1:
            advice = f"make it again with all files beside it, or delete {place.name} if the change is yours"
            with as_pairs_error(path, advice):
                read_record(place, name)


def check_rows(path: str | PathLike, rows: int) -> None:
    """Refuse with a `PairsError` a file whose number of rows is not that of its record: it may be cut off."""
    record = record_of(path)
    if record.is_file():
        with as_pairs_error(
            path, f"write it again, or delete {record.name} if the change is yours"
        ):
            known = json.loads(record.read_bytes()).get("rows", rows)
            if known != rows:
                raise ValueError(f"{rows:,} rows, but {known:,} were written")
