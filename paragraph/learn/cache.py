"""A cache of vectors on disk, so that no text goes through the same model twice."""

from __future__ import annotations

import os
import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

import numpy as np

from ..graph.arrays import Array

__all__ = ["Cache", "VectorCache", "cached_rows", "default_cache"]

#: The folder of a cache; True for `default_cache`, False for none.
Cache = bool | str | os.PathLike
_AT_ONCE = 500  # texts in one question to the database


def default_cache() -> Path:
    """The folder ``embeddings`` in the folder that PARAGRAPH_CACHE names, or else in ``~/.cache/paragraph``.

    Nothing in it is ever deleted; whoever deletes it loses time, and nothing else.
    """
    named = os.environ.get("PARAGRAPH_CACHE")
    home = Path(named) if named else Path.home() / ".cache" / "paragraph"
    return home / "embeddings"


class VectorCache(AbstractContextManager):
    """The vectors of one model under one set of options, in one SQLite file.

    Each row holds the BLAKE2b digest of a text, its vector in float32, and a checksum of both. A row whose checksum
    does not agree counts as missing. A file that SQLite cannot read is started afresh, and if a file cannot be used
    at all, work continues without it, both with a warning. Several processes may use a file at once.

    Parameters
    ----------
    name : str
        The name of the file: it names everything that the vectors depend on, except the text.
    cache : bool or path
        The folder of the file; True for `default_cache`; False for none: nothing is kept.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, VectorCache("toy", 2, folder) as cache:
    ...     _ = cache.put(["a"], [[1, 2]])
    ...     there, vectors = cache.get(["b", "a"])
    >>> there.tolist(), vectors.tolist()
    ([False, True], [[0.0, 0.0], [1.0, 2.0]])
    """

    def __init__(self, name: str, width: int, cache: Cache = True):
        self.width = width
        self._file: sqlite3.Connection | None = None
        if cache is not False:
            folder = default_cache() if cache is True else cache
            self.path = Path(folder).expanduser() / f"{name}.sqlite"
            with self._attempt():
                self._open()

    def __exit__(self, *error: object) -> None:
        """Close the file. After that, nothing is found and nothing is kept."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def get(self, texts: Sequence[str]) -> tuple[Array, Array]:
        """Return which texts are there, bool, and their vectors, float32, zeros for missing ones."""
        there = np.zeros(len(texts), dtype=bool)
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        place = {_digest(text): i for i, text in enumerate(texts)}
        digests = sorted(place)  # in the order of the index, in which neighbours lie on one page
        if self._file is None:
            return there, vectors
        with self._attempt():
            for at in range(0, len(digests), _AT_ONCE):
                some = digests[at : at + _AT_ONCE]
                marks = ",".join("?" for _ in some)
                code = f"SELECT * FROM kept WHERE text IN ({marks})"
                for digest, value, checksum in self._file.execute(code, some):
                    if crc32(value, crc32(digest)) == checksum:
                        row = place[digest]
                        vectors[row] = np.frombuffer(value, np.float32)
                        there[row] = True
        return there, vectors

    def put(self, texts: Sequence[str], vectors: Array) -> Array:
        """Keep the vectors of some texts, replacing those that are there; return them as they will be read."""
        if self._file is None:
            return vectors
        vectors = np.asarray(vectors, dtype=np.float32)
        rows = []
        for text, vector in zip(texts, vectors, strict=True):
            digest = _digest(text)
            value = vector.tobytes()
            rows.append((digest, value, crc32(value, crc32(digest))))
        with self._attempt(), self._file:
            self._file.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
        return vectors

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(self.path, timeout=60)
        # Space for several vectors on a page; the usual 4 KiB hold one or two.
        self._file.execute("PRAGMA page_size = 16384")
        # A power cut may damage the file, which is then started afresh; a process that dies cannot.
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS kept (text BLOB PRIMARY KEY, value BLOB, checksum INTEGER)"
        )

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """Warn if the work inside fails; start a damaged file afresh, and do without any other."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.__exit__()
            # Of SQLite's errors, "malformed" and "not a database" are of the general class, all others of a subclass.
            damaged = type(error) is sqlite3.DatabaseError
            what = "cannot be used as a cache, so vectors are not kept"
            if damaged:
                what = "damaged, and started afresh"
            warnings.warn(f"{self.path}: {what} ({error})", stacklevel=4)
            if damaged:
                with self._attempt():
                    for ending in (
                        "-journal",
                        "",
                    ):  # the log first: a new file would take it for its own
                        Path(f"{self.path}{ending}").unlink(missing_ok=True)
                    self._open()


def cached_rows(
    name: str,
    width: int,
    texts: Sequence[str] | Sequence[tuple[str, str]],
    compute: Callable[[Sequence], Array],
    what: str,
    *,
    block: int,
    cache: Cache = True,
    progress: bool = True,
) -> Array:
    """A row of numbers for each text, or pair of texts, computed once or kept, (texts, width).

    Parameters
    ----------
    name, cache
        As for `VectorCache`.
    compute : callable
        From at most `block` different texts to one row of `width` numbers each, which are kept at once.
    what : str
        The words beside the progress bar.
    """
    from tqdm.auto import tqdm

    place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    distinct = [*place]
    keys = [text if isinstance(text, str) else _pair_key(*text) for text in distinct]
    with VectorCache(name, width, cache) as store:
        there, found = store.get(keys)
        missing = np.flatnonzero(~there)
        bar = {"unit": "text", "delay": 2, "leave": False, "disable": not progress}
        with tqdm(desc=what, total=len(missing), **bar) as done:
            for at in range(0, len(missing), block):
                rows = missing[at : at + block]
                values = compute([distinct[i] for i in rows])
                found[rows] = store.put([keys[i] for i in rows], values)
                done.update(len(rows))
    return found[[place[text] for text in texts]]


def _pair_key(a: str, b: str) -> str:
    """Two texts as one, different for any two pairs: the length shows where the first text ends."""
    return f"{len(a)} {a}{b}"


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()
