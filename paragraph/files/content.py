"""The content of files: bytes, unpacked and as UTF-8, up to a limit."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from .errors import PairsError
from .memory import TIMES, free_memory
from .records import check_recorded
from .spelling import option

__all__ = ["BOM", "HELD", "UNPACKED", "load", "not_utf8", "open_unpacked", "read_bounded"]

#: Bytes that may come out of one packed file, if memory suffices.
UNPACKED = 8_000_000_000
#: The same for files whose lines become Python objects, which take several times as much.
HELD = 1_000_000_000
BOM = b"\xef\xbb\xbf"
#: Packed files that are not read, by their first bytes.
PACKED = {
    b"PK\x03\x04": "zip (or Excel)",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zst",
    b"BZh": "bz2",
}


@contextmanager
def open_unpacked(path: str | PathLike) -> Iterator[BinaryIO]:
    """Open a file for reading, unpacked if it is a gzip file; any failure is a `PairsError`."""
    if "\0" in str(path):
        raise PairsError(f"{str(path)!r} names no file: it holds a NUL character")
    try:
        with Path(path).open("rb") as file:
            if file.peek(2)[:2] == b"\x1f\x8b":
                yield gzip.GzipFile(fileobj=file)
            else:
                yield file
    except (OSError, EOFError, zlib.error) as error:
        raise PairsError(
            f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    except MemoryError:
        raise PairsError(f"{path}: cannot be read: it needs more memory than there is") from None


def read_bounded(source: BinaryIO, name: str, limit: int) -> Iterator[bytes]:
    """Yield all bytes of a stream, block by block; `PairsError` beyond the limit."""
    passed = 0
    while block := source.read(1 << 24):
        passed += len(block)
        if passed > limit:
            raise PairsError(
                f"{name}: unpacked it is larger than {limit:,} bytes, the most that is read; split it"
            )
        yield block


def load(path: str | PathLike, encoding: str = "utf-8", most: int = UNPACKED) -> bytes:
    """Read all bytes of a file, unpacked and as UTF-8 without a byte-order mark, which says more than `encoding`.

    `PairsError` if it cannot be read, is empty or clearly not text, or unpacks to more than `most` bytes, or
    to more than fit into the free memory.
    """
    name = Path(path).name
    limit = min(most, free_memory() // TIMES)
    with open_unpacked(path) as file:
        if isinstance(file, gzip.GzipFile):
            data = b"".join(read_bounded(file, name, limit))
        else:
            data = file.read()
    check_recorded(path)
    if data.startswith(BOM):
        data = data.removeprefix(BOM)
    elif encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig"):
        data = _as_utf8(data, encoding, name)
    if not data[: 1 << 20].strip():
        raise PairsError(f"{name}: the file is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise PairsError(
            f"{name}: looks like UTF-16; save it as UTF-8, or say {option('encoding', 'utf-16')}"
        )
    for magic, kind in PACKED.items():
        if data.startswith(magic):
            raise PairsError(
                f"{name}: is a {kind} file; unpack it (only gzip is read), or save it as CSV"
            )
    return data


def _as_utf8(data: bytes, encoding: str, name: str) -> bytes:
    """Bytes in UTF-8. Half a surrogate, which it has not, stays: it is found and named with its row later on."""
    try:
        return data.decode(encoding).encode("utf-8", "surrogatepass").removeprefix(BOM)
    except (LookupError, UnicodeError, ValueError) as error:
        raise PairsError(f"{name}: cannot be decoded as {encoding}: {error}") from None


def not_utf8(error: UnicodeDecodeError) -> str:
    """Say what is wrong with bytes that are not UTF-8."""
    byte = error.object[error.start]
    way = option("encoding", "cp1252")
    return f"byte 0x{byte:02x} is not UTF-8; {way}, or that of another encoding, reads it"
