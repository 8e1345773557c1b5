"""Vectors kept on disk, so that no text goes through the same model twice."""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

__all__ = ["Found", "VectorCache", "answers", "default_cache", "drop_oldest", "pair_key"]

LIMIT = 4 * 10**9  # bytes that the files of a folder take together, at most
_AT_ONCE = 500  # keys in one question to the database
_PAIRS = 8192  # asked about together, and then kept


def default_cache() -> Path:
    """The folder ``embeddings`` in the folder that PARAGRAPH_CACHE names, or else in ``~/.cache/paragraph``."""
    return Path(os.environ.get("PARAGRAPH_CACHE") or Path.home() / ".cache" / "paragraph") / "embeddings"


def drop_oldest(folder: Path, ending: str, limit: int) -> None:
    """Delete the files with this ending that were changed longest ago, until the others are within the limit.

    The one changed last stays.
    """
    files = sorted(folder.glob(f"*{ending}"), key=lambda file: file.stat().st_mtime, reverse=True)
    size = 0
    for file in files:
        size += file.stat().st_size
        if size > limit and file != files[0]:
            file.unlink(missing_ok=True)


class Found(NamedTuple):
    """The part of a cache that some texts ask for."""

    there: np.ndarray  #: bool, one a text asked for
    vectors: np.ndarray  #: float32, (texts found, width)
    cut: np.ndarray  #: bool, one a text found: it was longer than the model takes


class VectorCache(AbstractContextManager):
    """The vectors of one model under one set of options, in one SQLite file.

    Each row holds the BLAKE2b digest of a text, its vector in float32, and a checksum of both. A row whose checksum
    does not agree counts as missing. A file that SQLite cannot read is begun anew, and where a file cannot be used at
    all, work goes on without it, both with a warning. The files of a folder take `LIMIT` bytes at most: the files
    written to longest ago are deleted, and the oldest eighth of the rows of a file that grows beyond it. Several
    processes may use a file at once.

    Parameters
    ----------
    name : str
        Of the file: it names all that the vectors depend on besides the text.
    folder : path, optional
        Default: `default_cache()`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, VectorCache("toy", 2, folder) as cache:
    ...     cache.write(["a"], np.array([[1, 2]], dtype=np.float32), [False])
    ...     found = cache.read(["b", "a"])
    >>> found.there.tolist(), found.vectors.tolist()
    ([False, True], [[1.0, 2.0]])
    """

    def __init__(self, name: str, width: int, folder: str | os.PathLike | None = None):
        self.path = Path(folder or default_cache()).expanduser() / f"{name}.sqlite"
        self.width = width
        self._file: sqlite3.Connection | None = None
        with self._attempt():
            self._open()

    def __exit__(self, *error: object) -> None:
        """Close the file. From then on nothing is found and nothing is kept."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def read(self, texts: Sequence[str]) -> Found:
        """The vectors that are there of some different texts, in their order."""
        place = {_digest(text): i for i, text in enumerate(texts)}
        digests = sorted(place)  # in the order of the index, in which neighbours lie on one page
        there, cut = np.zeros((2, len(texts)), dtype=bool)
        vectors = np.empty((len(texts), self.width), dtype=np.float32)
        for at in range(0, len(digests), _AT_ONCE):
            for digest, flag, value, checksum in self._rows(digests[at : at + _AT_ONCE]):
                if len(value) == 4 * self.width and _checksum(digest, flag, value) == checksum:
                    i = place[digest]
                    there[i], cut[i], vectors[i] = True, flag, np.frombuffer(value, np.float32)
        return Found(there, vectors[there], cut[there])

    def write(self, texts: Sequence[str], vectors: np.ndarray, cut: Sequence[bool]) -> None:
        """Keep the vectors of some texts, in place of those that are there."""
        if self._file is None:
            return
        values = (vector.tobytes() for vector in np.asarray(vectors, dtype=np.float32))
        rows = [(_digest(text), int(flag), value) for text, flag, value in zip(texts, cut, values, strict=True)]
        with self._attempt(), self._file:
            code = "INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)"
            self._file.executemany(code, [(*row, _checksum(*row)) for row in rows])
            while self._size() > LIMIT:
                oldest = "SELECT rowid FROM vector ORDER BY rowid LIMIT (SELECT count(*) / 8 + 1 FROM vector)"
                self._file.execute(f"DELETE FROM vector WHERE rowid IN ({oldest})")

    def _size(self) -> int:
        """Bytes in use in the file; room that deleted rows have left is used again."""
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = (self._file.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
        return (pages - free) * size

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()  # the newest file of all is not deleted
        with suppress(OSError):  # another process may be deleting them
            drop_oldest(self.path.parent, ".sqlite", LIMIT)
        self._file = sqlite3.connect(self.path, timeout=60)
        # Room for several vectors on a page, where the usual 4 KiB hold one or two.
        self._file.execute("PRAGMA page_size = 16384")
        # A power cut may damage the file, which is then begun anew; a process that dies cannot.
        self._file.execute("PRAGMA synchronous = OFF")
        columns = "text BLOB PRIMARY KEY, cut INTEGER, value BLOB, checksum INTEGER"
        self._file.execute(f"CREATE TABLE IF NOT EXISTS vector ({columns})")

    def _rows(self, digests: list[bytes]) -> list[tuple[bytes, int, bytes, int]]:
        if self._file is not None:
            with self._attempt():
                marks, types = ",".join("?" * len(digests)), "typeof(cut) = 'integer' AND typeof(value) = 'blob'"
                code = f"SELECT text, cut, value, checksum FROM vector WHERE text IN ({marks}) AND {types}"
                return self._file.execute(code, digests).fetchall()
        return []

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """Warn where the work inside fails; begin a damaged file anew, and do without any other."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.__exit__()
            # Of SQLite's errors, "malformed" and "not a database" are of the general class, all others of a subclass.
            damaged = type(error) is sqlite3.DatabaseError
            what = "damaged, and begun anew" if damaged else "cannot be used as a cache, so vectors are not kept"
            warnings.warn(f"{self.path}: {what} ({error})", stacklevel=4)
            if damaged:
                with self._attempt():
                    for ending in ("-journal", "-wal", "-shm", ""):  # the log first: a new file would take it for its
                        Path(f"{self.path}{ending}").unlink(missing_ok=True)
                    self._open()


def pair_key(a: str, b: str) -> str:
    """Two texts as one, such that no two pairs are written alike: the length tells where the first one ends."""
    return f"{len(a)} {a}{b}"


def answers(
    name: str,
    left: Sequence[str],
    right: Sequence[str],
    ask: Callable[[list[str], list[str]], np.ndarray],
    *,
    progress: bool = True,
) -> np.ndarray:
    """One number for each pair of texts, float32: what was kept of it in either order, or else the answer of `ask`.

    Parameters
    ----------
    name : str
        All that an answer depends on besides the pair.
    ask : callable
        From the two sides of some different pairs to their numbers, the same in either order.
    """
    from tqdm.auto import tqdm

    pairs = [(a, b) if a <= b else (b, a) for a, b in zip(left, right, strict=True)]
    keys = {pair: pair_key(*pair) for pair in pairs}
    found = np.empty(len(keys), dtype=np.float32)
    with VectorCache(name, 1) as cache:
        kept = cache.read(list(keys.values()))
        found[kept.there] = kept.vectors[:, 0]
        missing, different = np.flatnonzero(~kept.there), list(keys)
        bar = tqdm(
            total=len(missing), desc="reading pairs", unit=" pairs", delay=2, leave=False, disable=not progress
        )
        with bar:
            for at in range(0, len(missing), _PAIRS):
                rows = missing[at : at + _PAIRS]
                asked = [different[i] for i in rows]
                found[rows] = ask(*map(list, zip(*asked, strict=True)))
                cache.write([keys[pair] for pair in asked], found[rows, None], [False] * len(rows))
                bar.update(len(rows))
    place = {pair: i for i, pair in enumerate(keys)}
    return found[[place[pair] for pair in pairs]]


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def _checksum(digest: bytes, cut: int, value: bytes) -> int:
    return crc32(value, crc32(digest, cut))
