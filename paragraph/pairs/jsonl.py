"""JSON Lines read as objects, and other files that are read as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from .errors import PairsError
from .records import excerpt
from .sources import begin, parse_object

__all__ = ["HELD", "content", "json_objects"]

#: Bytes that may come out of one packed file that is held in memory as a whole.
HELD = 1_000_000_000


def content(path: str | PathLike, max_unpacked: int = HELD) -> bytes:
    """All bytes of a file, unpacked where gzip packed it, without a byte-order mark."""
    try:
        with begin(Path(path), max_unpacked=max_unpacked)[0]() as stream:
            return bytes(stream.read()).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise PairsError(f"{path}: cannot be read: {error.strerror or error}") from None


def json_objects(path: str | PathLike, max_unpacked: int = HELD) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON object of each line, and the number of its line from 1; blank lines hold none.

    A `PairsError` names file, row and line where a line holds anything else.
    """
    for row, line in enumerate(content(path, max_unpacked).split(b"\n"), 1):
        if not line.strip():
            continue
        record, why = parse_object(line)
        if why:
            raise PairsError(f"{Path(path).name}, row {row}: {why}: {excerpt(line)}")
        yield row, record
