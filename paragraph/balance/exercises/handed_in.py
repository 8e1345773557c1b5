"""A class as a table: the files that students handed in, read from a folder."""

from __future__ import annotations

import warnings
from os import PathLike
from pathlib import Path

import pandas as pd

from ...pairs import PairsError
from .sheet import EXERCISES, read_sheet

__all__ = ["summaries"]


def summaries(folder: str | PathLike) -> pd.DataFrame:
    """Read the files that a class handed in: one row per file, in the order of their names.

    Parameters
    ----------
    folder : path
        Its files that end in ``.json`` are those that the page of `TriadLab.save` hands in, or results of
        `Sheet.to_json` written to a file.

    Returns
    -------
    DataFrame with the columns file, student, seed (of the sheet); solved, first_right (on the first try) and shown
    (solutions), as counts of exercises; tries, hints and seconds, as sums; then a column for each exercise, by its
    number: "✓", "shown", "·" (tried) or "". Two files of one student are two rows, with a warning. Files that are not
    saved sheets have no row; a warning names them. The table repeats the students' own files, and proves nothing.

    Raises
    ------
    PairsError
        The folder has no such file, or none of them is a saved sheet.

    Examples
    --------
    >>> import tempfile
    >>> from paragraph.balance import Sheet
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
    files = sorted(path for path in Path(folder).glob("*.json") if path.is_file())
    if not files:
        raise PairsError(f"{folder}: no file here ends in .json; put the files that were handed in into one folder")
    rows, damaged = [], []
    for path in files:
        try:
            sheet, _ = read_sheet(path.read_text(encoding="utf-8-sig"))
        except (PairsError, OSError, UnicodeDecodeError) as error:
            damaged.append(f"{path.name} ({error})")
            continue
        report = sheet.report()
        sums = report[["solved", "first_right", "shown", "tries", "hints", "seconds"]].sum()
        marks = {number: sheet.progress(number).mark for number, _ in enumerate(EXERCISES, 1)}
        rows.append({"file": path.name, "student": sheet.student, "seed": sheet.seed} | dict(sums) | marks)
    if damaged:
        said = f"{folder}: not what a student handed in: {'; '.join(damaged)}; take them out, or ask again"
        if not rows:
            raise PairsError(said)
        warnings.warn(said, stacklevel=2)
    table = pd.DataFrame(rows)
    again = table.loc[table.duplicated(["student", "seed"], keep=False), "file"]
    if len(again):
        warnings.warn(f"{folder}: more than one file of a student: {', '.join(again)}; each has a row", stacklevel=2)
    return table.astype({"tries": int, "hints": int, "solved": int, "first_right": int, "shown": int})
