"""The record beside every written output: input hashes, options, versions."""

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
from .outputs import beside, is_stream

__all__ = ["file_hash", "make_record", "write_json", "write_record"]


def file_hash(path: str | PathLike) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_record(inputs: dict[str, str | PathLike], **options: Any) -> dict[str, Any]:
    """Collect all that makes an output again: ``{"inputs": …, "options": …, "versions": …}``.

    Options hold the seed where there is one. No path beyond a file's own name: records travel.
    """
    return {
        "inputs": {
            name: {"file": Path(path).name, "bytes": os.path.getsize(path), "sha256": file_hash(path)}
            for name, path in inputs.items()
        },
        "options": options,
        "versions": {"python": platform.python_version()}
        | {"paragraph": __version__}
        | {name: version(name) for name in ("numpy", "pandas", "pyarrow", "scipy")},
    }


def write_json(value: Any, path: str | PathLike) -> None:
    """Indented UTF-8 JSON; half a surrogate, as in a file name that is not UTF-8, is written out."""
    with beside(path) as part:
        text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
        part.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_record(output: str | PathLike, record: dict[str, Any]) -> None:
    """Write the record of `output` beside it, as ``<output>.record.json``; beside a pipe or a device is nothing."""
    if not is_stream(output):
        write_json(record, f"{output}.record.json")
