"""The work that a class handed in."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import pandas as pd

from ..files import PairsError
from .exercises.sheet import summary_of
from .room.book import Book

__all__ = ["summaries"]


def summaries(source: str | PathLike) -> pd.DataFrame:
    """Read what a class handed in: one row per file, in the order of their names, or per pupil of a class book.

    Parameters
    ----------
    source : path
        A folder: its files that end in ``.json`` are those that the page of `TriadLab.save` hands in, or results of
        `Sheet.to_json` written to a file. Or the file that ``paragraph class --keep`` wrote.

    Returns
    -------
    DataFrame with the columns file, student, seed (of the sheet); solved, first_right (on the first try) and shown
    (solutions), as counts of exercises; tries and hints, as sums; then a column for each exercise, by its
    number: "✓", "shown", "·" (tried) or "". Two files of one student are two rows, with a warning. Files that are not
    saved sheets have no row; a warning names them. The table repeats the students' own files, and proves nothing.

    Raises
    ------
    PairsError
        There is no such file, or none of them is a saved sheet.

    Examples
    --------
    >>> import tempfile
    >>> from paragraph.lesson import Sheet
    >>> folder = Path(tempfile.mkdtemp())
    >>> for seed, name in enumerate(["Ada", "Bo"]):
    ...     sheet = Sheet(seed, student=name)
    ...     sheet.keep(1, tries=1, solved=name == "Ada")
    ...     _ = (folder / f"{name}.json").write_text(sheet.to_json(), encoding="utf-8")
    >>> summaries(folder)[["file", "student", "seed", "solved", "tries", 1]]
           file student  seed  solved  tries  1
    0  Ada.json     Ada     0       1      1  ✓
    1   Bo.json      Bo     1       0      1  ·
    """
    if Path(source).is_file():
        return summary_of(Book(source).sheets(True), f"{source}: ")
    files = sorted(Path(source).glob("*.json"))
    if not files:
        raise PairsError(f"{source}: no file here ends in .json; put the files that were handed in into one folder")
    return summary_of(((path.name, path) for path in files), f"{source}: ")
