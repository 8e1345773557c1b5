"""Names of files: their endings, those beside them; one file, a list of files, or a pattern as input."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from .errors import PairsError, check_type

__all__ = ["TABLES", "TEXTS", "ending", "is_pattern", "is_table_name", "paths_of", "sibling"]

#: Endings of tables of pairs.
TABLES = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".parquet")
#: Endings of tables that are written as delimited text; a pipe has none.
TEXTS = (".csv", ".tsv", ".txt", "")


def ending(path: str | PathLike) -> str:
    """The ending of a file's name without that of its compression, in lower case.

    >>> ending("a/my.TSV.gz"), ending("folder")
    ('.tsv', '')
    """
    return Path(Path(path).name.removesuffix(".gz")).suffix.lower()


def is_table_name(path: str | PathLike) -> bool:
    """Return True if a path names a table of pairs, by its ending, and not a folder.

    >>> is_table_name("clean.csv"), is_table_name("corrected")
    (True, False)
    """
    return ending(path) in TABLES and not Path(path).is_dir()


def sibling(path: str | PathLike, what: str, end: str = "") -> Path:
    """The path of a file beside another and named after it, with its ending or the one given.

    >>> sibling("my/clean.csv.gz", "left_out").as_posix(), sibling("clean.csv", "decisions", ".tsv").as_posix()
    ('my/clean.left_out.csv.gz', 'clean.decisions.tsv')
    """
    path = Path(path)
    stem = Path(path.name.removesuffix(".gz")).stem
    return path.with_name(f"{stem}.{what}{end or path.name[len(stem) :]}")


def is_pattern(name: str) -> bool:
    """True if a name is a pattern of files: it holds ``*``, ``?`` or ``[``, and no file has this name."""
    return glob.has_magic(name) and not Path(name).exists()


def paths_of(source: str | PathLike | Iterable[str | PathLike]) -> list[Path]:
    """The files of a list in its order, or those that match a pattern, by name."""
    how = "paths of files, or a pattern"
    names = source
    if isinstance(source, str | PathLike):
        names = [source]
        if is_pattern(str(source)):
            names = sorted(glob.glob(str(source), recursive=True)) or names
    check_type(names, list | tuple, "open_pairs", how)
    if not names:
        raise PairsError(f"open_pairs takes {how}, not an empty list")
    paths = [Path(check_type(name, str | PathLike, "open_pairs", how)) for name in names]
    for path in paths:
        if not path.is_file():
            raise PairsError(f"{path}: no such file on this machine")
    return paths
