"""Large arrays in memory, or as files that the system moves in and out of it; and their parts."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np

__all__ = ["PART", "Allocate", "in_memory", "marked", "on_disk", "parts"]

#: Makes arrays of zeros, given a name (none if nobody needs the array later), a shape and a dtype.
Allocate = Callable[[str, int | tuple[int, ...], type], np.ndarray]
PART = 1 << 22  #: numbers that are looked at together: some .3 GB


def in_memory(name: str, shape: int | tuple[int, ...], dtype: type) -> np.ndarray:
    """An array of zeros in memory; `on_disk` keeps an array with a name as a file."""
    return np.zeros(shape, dtype)


def on_disk(folder: Path) -> Allocate:
    """Make arrays as files in a folder, ready for `numpy.load`: the system moves them in and out of memory."""

    def allocate(name: str, shape: int | tuple[int, ...], dtype: type) -> np.ndarray:
        if name:
            path = folder / f"{name}.npy"
            found = np.lib.format.open_memmap(path, "w+", dtype, shape if isinstance(shape, tuple) else (shape,))
            with path.open("r+b") as file:
                _reserve(file)
            return found
        with tempfile.TemporaryFile(dir=folder) as file:
            found = np.memmap(file, dtype, "w+", shape=max(shape, 1))[:shape]
            _reserve(file)
            return found

    return allocate


def _reserve(file: IO) -> None:
    """Reserve space on the disk for a mapped file: a write to its map without space would end the process."""
    if hasattr(os, "posix_fallocate"):  # not on every system
        os.posix_fallocate(file.fileno(), 0, os.fstat(file.fileno()).st_size)


def parts(n: int) -> Iterator[slice]:
    """The numbers below n, in slices of `PART`."""
    return (slice(start, min(start + PART, n)) for start in range(0, n, PART))


def marked(flags: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The places of flagged labels, without a copy of all labels."""
    # No label is out of bounds; "clip" spares the check of each, which is half of the time.
    found = [part.start + np.flatnonzero(flags.take(labels[part], mode="clip")) for part in parts(len(labels))]
    return np.concatenate([np.empty(0, np.int64), *found])
