"""The work that a class handed in, as a table."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from os import PathLike
from pathlib import Path

import pandas as pd

from ..files import PairsError
from .exercises.sheet import NUMBERS, Sheet

__all__ = ["summaries", "summary_of"]

#: Summed over the exercises of a sheet.
COUNTED = ["solved", "first_right", "shown", "tries", "hints"]


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
        from .room.book import ClassBook

        return summary_of(ClassBook(source).sheets(True), f"{source}: ")
    files = sorted(Path(source).glob("*.json"))
    if not files:
        raise PairsError(
            f"{source}: no file here ends in .json; put the files that were handed in into one folder"
        )
    return summary_of(((path.name, path) for path in files), f"{source}: ")


def summary_of(sheets: Iterable[tuple[str, str | Path]], where: str = "") -> pd.DataFrame:
    """Return the table of `summaries` from saved sheets, with their names: texts, or files."""
    rows = []
    damaged = []
    for name, text in sheets:
        try:
            if isinstance(text, Path):
                text = text.read_text(encoding="utf-8-sig")
            sheet = Sheet.from_json(text)
            sums = sheet.report()[COUNTED].sum()
        except (PairsError, OSError, ValueError, TypeError) as error:
            damaged.append(f"{name} ({error})")
            continue
        row = {"file": name, "student": sheet.student, "seed": sheet.seed}
        row |= dict(sums)
        for number in NUMBERS:
            row[number] = sheet.progress(number).mark
        rows.append(row)
    if damaged:
        message = f"{where}not what a student handed in: {'; '.join(damaged)}; take them out, or ask again"
        if not rows:
            raise PairsError(message)
        warnings.warn(message, stacklevel=3)
    table = pd.DataFrame(rows, columns=["file", "student", "seed", *COUNTED, *NUMBERS])
    is_double = table.duplicated(["student", "seed"], keep=False)
    if is_double.any():
        files = ", ".join(table.loc[is_double, "file"])
        warnings.warn(
            f"{where}more than one file of a student: {files}; each has a row", stacklevel=3
        )
    return table.astype(dict.fromkeys(COUNTED, int))
