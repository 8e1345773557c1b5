"""Vectors kept on disk, so that no text goes through the same model twice."""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

import numpy as np

__all__ = ["VectorCache", "answers", "default_cache", "drop_oldest", "pair_key"]

LIMIT = 4 * 10**9  # bytes that the files of a folder take together
_AT_ONCE = 500  # texts in one question to the database


def default_cache() -> Path:
    """The folder ``embeddings`` in the folder that PARAGRAPH_CACHE names, or else in ``~/.cache/paragraph``."""
    return Path(os.environ.get("PARAGRAPH_CACHE") or Path.home() / ".cache" / "paragraph") / "embeddings"


def drop_oldest(folder: Path, ending: str, limit: int) -> None:
    """Delete the files with this ending that were changed longest ago, until the others are within the limit.

    The file changed last stays, whatever its size.
    """
    files = sorted(folder.glob(f"*{ending}"), key=lambda file: file.stat().st_mtime, reverse=True)
    size = 0
    for file in files:
        size += file.stat().st_size
        if size > limit and file != files[0]:
            file.unlink(missing_ok=True)


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
        Of the file: it names all that the vectors depend on, except the text.
    cache : bool or path
        The folder of the file; True for `default_cache`; False for none: nothing is kept.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, VectorCache("toy", 2, folder) as kept:
    ...     _ = kept.put(["a"], [[1, 2]])
    ...     there, vectors = kept.get(["b", "a"])
    >>> there.tolist(), vectors.tolist()
    ([False, True], [[0.0, 0.0], [1.0, 2.0]])
    """

    def __init__(self, name: str, width: int, cache: bool | str | os.PathLike = True):
        self.path = Path(default_cache() if cache in (True, False, None) else cache).expanduser() / f"{name}.sqlite"
        self.width = width
        self._file: sqlite3.Connection | None = None
        if cache is not False:
            with self._attempt():
                self._open()

    def __exit__(self, *error: object) -> None:
        """Close the file. From then on nothing is found and nothing is kept."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def get(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Tell which texts are there, bool, and give their vectors, float32, zeros where none is there."""
        there = np.zeros(len(texts), dtype=bool)
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        place = {_digest(text): i for i, text in enumerate(texts)}
        digests = sorted(place)  # in the order of the index, in which neighbours lie on one page
        with self._attempt():
            for at in range(0, len(digests) if self._file else 0, _AT_ONCE):
                some = digests[at : at + _AT_ONCE]
                code = f"SELECT * FROM kept WHERE text IN ({','.join('?' * len(some))}) AND typeof(value) = 'blob'"
                for digest, value, checksum in self._file.execute(code, some):
                    if len(value) == 4 * self.width and crc32(value, crc32(digest)) == checksum:
                        there[place[digest]], vectors[place[digest]] = True, np.frombuffer(value, np.float32)
        return there, vectors

    def put(self, texts: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """Keep the vectors of some texts, in place of those that are there; return them as they will be read."""
        if self._file is None:
            return vectors
        vectors = np.asarray(vectors, dtype=np.float32)
        rows = ((_digest(text), vector.tobytes()) for text, vector in zip(texts, vectors, strict=True))
        with self._attempt(), self._file:
            code = "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)"
            self._file.executemany(code, ((digest, value, crc32(value, crc32(digest))) for digest, value in rows))
            while self._size() > LIMIT:
                oldest = "SELECT rowid FROM kept ORDER BY rowid LIMIT (SELECT count(*) / 8 + 1 FROM kept)"
                self._file.execute(f"DELETE FROM kept WHERE rowid IN ({oldest})")
        return vectors

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
        self._file.execute("CREATE TABLE IF NOT EXISTS kept (text BLOB PRIMARY KEY, value BLOB, checksum INTEGER)")

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
                    for ending in ("-journal", ""):  # the log first: a new file would take it for its own
                        Path(f"{self.path}{ending}").unlink(missing_ok=True)
                    self._open()


def pair_key(a: str, b: str) -> str:
    """Two texts as one, such that no two pairs are written alike: the length tells where the first one ends."""
    return f"{len(a)} {a}{b}"


def answers(
    name: str,
    width: int,
    pairs: Sequence[tuple[str, str]],
    ask: Callable[[list[tuple[str, str]]], np.ndarray],
    what: str,
    *,
    block: int,
    cache: bool | str | os.PathLike = True,
    progress: bool = True,
) -> np.ndarray:
    """The answers of `ask` about different pairs of texts, or what was kept of them: float64, (pairs, width).

    Parameters
    ----------
    name, cache
        As for `VectorCache`.
    ask : callable
        From at most `block` pairs to as many rows of `width` numbers, which are kept at once.
    what : str
        The words beside the progress bar.
    """
    from tqdm.auto import tqdm

    keys = [pair_key(*pair) for pair in pairs]
    bar = {"total": len(pairs), "desc": what, "unit": "pair", "delay": 2, "leave": False, "disable": not progress}
    with VectorCache(name, width, cache) as kept, tqdm(**bar) as bar:
        there, vectors = kept.get(keys)
        answered = vectors.astype(np.float64)
        missing = np.flatnonzero(~there)
        bar.update(len(pairs) - len(missing))
        for at in range(0, len(missing), block):
            rows = missing[at : at + block]
            answered[rows] = kept.put([keys[i] for i in rows], ask([pairs[i] for i in rows]))
            bar.update(len(rows))
    return answered


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()
