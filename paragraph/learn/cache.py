"""Vectors kept on disk, so that no text goes through the same model twice."""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self
from zlib import crc32

import numpy as np

__all__ = ["Found", "VectorCache", "default_cache"]

_LAYOUT = 1  # of the table; a file of another layout is no cache of ours
_AT_ONCE = 500  # keys in one question to the database
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR")


def default_cache() -> Path:
    """The folder that PARAGRAPH_CACHE names, else ``~/.cache/paragraph``, and in it ``embeddings``."""
    return Path(os.environ.get("PARAGRAPH_CACHE") or Path.home() / ".cache" / "paragraph") / "embeddings"


class Found(NamedTuple):
    """What a cache holds of some texts."""

    there: np.ndarray  #: bool, one a text asked for
    vectors: np.ndarray  #: float32, (texts found, width)
    cut: np.ndarray  #: bool, one a text found: it was longer than the model takes


class VectorCache:
    """The vectors of one model under one set of options, in one SQLite file.

    Each row holds the BLAKE2b digest of a text, its vector, and a checksum of both. Vectors are float32, although
    half of that would do for most uses: what comes out of the cache is then, bit for bit, what went in, and a
    result does not depend on whether its vectors were computed or read.

    A cache that cannot be read or written costs time, not the result: there is a warning, and work goes on without
    it. A damaged one (malformed file, wrong checksum, wrong length) is renamed to ``….damaged`` and begun anew.

    Several processes may use a file at once (write-ahead log). What `write` has returned from outlives the process.

    Parameters
    ----------
    name : str
        Of the file: says all that the vectors depend on besides the text.
    width : int
        Length of a vector.
    folder : path, optional
        Default: `default_cache()`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, VectorCache("toy", 2, folder) as cache:
    ...     cache.write(["a"], np.array([[1, 2]], dtype=np.float32))
    ...     found = cache.read(["b", "a"])
    >>> found.there.tolist(), found.vectors.tolist()
    ([False, True], [[1.0, 2.0]])
    """

    def __init__(self, name: str, width: int, folder: str | os.PathLike | None = None):
        self.path = Path(folder or default_cache()).expanduser() / f"{name}.sqlite"
        self.width = width
        self._file: sqlite3.Connection | None = None
        self._inode = -1
        self._attempt(self._open)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; nothing is found from then on, and nothing kept."""
        if self._file is not None:
            with suppress(sqlite3.Error):
                self._file.close()
            self._file = None

    def read(self, texts: Sequence[str]) -> Found:
        """What is there of some texts, which must differ; vectors in their order. About 10 µs a text."""
        digests = [_digest(text) for text in texts]
        found = self._attempt(self._read, digests)
        if found is None:
            return Found(np.zeros(len(texts), bool), np.empty((0, self.width), np.float32), np.empty(0, bool))
        return found

    def write(self, texts: Sequence[str], vectors: np.ndarray, cut: Sequence[bool] | None = None) -> None:
        """Keep the vectors of some texts; where one is there already, that one stays."""
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        if vectors.shape != (len(texts), self.width):
            raise ValueError(f"vectors of shape {vectors.shape} for {len(texts)} texts of width {self.width}")
        rows = []
        for text, vector, was_cut in zip(
            texts, vectors, cut if cut is not None else [False] * len(texts), strict=True
        ):
            digest, value, flag = _digest(text), vector.tobytes(), int(was_cut)
            rows.append((digest, flag, value, _checksum(digest, flag, value)))
        self._attempt(self._write, rows)

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(self.path, timeout=60)
        # Room for several vectors on a page, where the usual 4 KiB hold one or two.
        self._file.execute("PRAGMA page_size = 16384")
        self._file.execute("PRAGMA mmap_size = 4294967296")  # reads in about half the time
        self._file.execute("PRAGMA journal_mode = WAL")
        # A power cut may lose the last rows; it cannot harm the file, and rows can be computed again.
        self._file.execute("PRAGMA synchronous = NORMAL")
        with self._file:
            self._file.execute("BEGIN IMMEDIATE")
            (layout,) = self._file.execute("PRAGMA user_version").fetchone()
            if layout == 0:
                self._file.execute(
                    "CREATE TABLE vector (text BLOB PRIMARY KEY, cut INTEGER, value BLOB, checksum INTEGER)"
                )
                self._file.execute(f"PRAGMA user_version = {_LAYOUT}")
            elif layout != _LAYOUT:
                raise _Damage(f"layout {layout}, where {_LAYOUT} is expected")
        self._inode = self.path.stat().st_ino

    def _read(self, digests: list[bytes]) -> Found:
        place = {digest: i for i, digest in enumerate(digests)}
        there = np.zeros(len(digests), dtype=bool)
        vectors = np.empty((len(digests), self.width), dtype=np.float32)
        cut = np.zeros(len(digests), dtype=bool)
        # In the order of the index, in which neighbours lie on one page.
        asked = sorted(place)
        for at in range(0, len(asked), _AT_ONCE):
            part = asked[at : at + _AT_ONCE]
            marks = ",".join("?" * len(part))
            rows = self._file.execute(
                f"SELECT text, cut, value, checksum FROM vector WHERE text IN ({marks})", part
            ).fetchall()
            if not rows:
                continue
            for digest, flag, value, checksum in rows:
                if not isinstance(value, bytes) or len(value) != 4 * self.width:
                    raise _Damage(f"a vector is not {self.width} numbers long")
                if flag not in (0, 1) or _checksum(digest, flag, value) != checksum:
                    raise _Damage("a checksum does not agree")
            places = [place[row[0]] for row in rows]
            there[places] = True
            cut[places] = [row[1] for row in rows]
            vectors[places] = np.frombuffer(b"".join([row[2] for row in rows]), np.float32).reshape(-1, self.width)
        return Found(there, vectors if there.all() else vectors[there], cut[there])

    def _write(self, rows: list[tuple]) -> None:
        with self._file:
            self._file.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?, ?, ?)", rows)

    def _attempt(self, work: Callable, *arguments: Any) -> Any:
        """What `work` returns; None, and a warning, where the file does not let it."""
        if self._file is None and work != self._open:
            return None
        try:
            return work(*arguments)
        except (sqlite3.Error, OSError, _Damage) as error:
            name = getattr(error, "sqlite_errorname", "")
            self.close()
            if isinstance(error, _Damage) or name.startswith(_DAMAGED):
                self._set_aside(error)
            else:
                _warn(f"{self.path}: cannot be used as a cache ({error}), so vectors are not kept")
            return None

    def _set_aside(self, damage: Exception) -> None:
        """Rename the damaged file, and begin another."""
        aside = self.path.with_suffix(".damaged")
        try:
            # Another process may have been faster, and then the file is a new one.
            if self._inode in (-1, self.path.stat().st_ino):
                # The log first: beside a new file it would be taken for the log of that one.
                for ending in ("-wal", "-shm", ""):
                    with suppress(FileNotFoundError):
                        os.replace(f"{self.path}{ending}", f"{aside}{ending}")
                _warn(f"{self.path}: damaged ({damage}); set aside as {aside.name} and begun anew")
            self._open()
        except (sqlite3.Error, OSError, _Damage) as error:
            self.close()
            _warn(f"{self.path}: damaged, and cannot be begun anew ({error}), so vectors are not kept")


class _Damage(Exception):
    """The file is not what this module has written."""


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def _checksum(digest: bytes, cut: int, value: bytes) -> int:
    return crc32(value, crc32(digest, cut))


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=2)
