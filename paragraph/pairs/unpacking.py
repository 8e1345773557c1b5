"""Packed files, and how much may come out of them: a megabyte can hold a terabyte of zeros."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa

from .errors import PairsError, option

__all__ = ["UNPACKED", "Bounded", "copy"]

#: Bytes that may come out of one packed file, where nothing else is said.
UNPACKED = 8_000_000_000
_BLOCK = 1 << 24


def copy(source: BinaryIO, out: BinaryIO, name: str, limit: int = UNPACKED) -> None:
    """Copy what is unpacked; `PairsError` beyond `limit` bytes."""
    passed = 0
    while block := source.read(_BLOCK):
        passed += len(block)
        _check(passed, name, limit)
        out.write(block)


class Bounded:
    """A stream that is unpacked as it is read; `PairsError` beyond `limit` bytes."""

    closed = False

    def seekable(self) -> bool:
        return False

    def __init__(self, stream: pa.NativeFile, name: str, limit: int = UNPACKED):
        self.stream, self.name, self.limit, self.passed = stream, name, limit, 0

    def read_buffer(self, size: int) -> pa.Buffer:
        block = self.stream.read_buffer(size)
        self.passed += len(block)
        _check(self.passed, self.name, self.limit)
        return block

    def read(self) -> bytes:
        """All that is left."""
        blocks = []
        while len(block := self.read_buffer(_BLOCK)):
            blocks.append(block.to_pybytes())
        return b"".join(blocks)

    def __enter__(self) -> Bounded:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()


def _check(passed: int, name: str, limit: int) -> None:
    if passed > limit:
        more = option("max_unpacked")
        raise PairsError(f"{name}: unpacked it is larger than {limit:,} bytes; {more} raises that limit")
