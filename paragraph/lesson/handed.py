"""The work that a class handed in, and its votes."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import pandas as pd

from ..files import PairsError
from .exercises.sheet import summary_of
from .room.book import ClassBook

__all__ = ["summaries", "tallies"]


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
        return summary_of(ClassBook(source).sheets(True), f"{source}: ")
    files = sorted(Path(source).glob("*.json"))
    if not files:
        raise PairsError(
            f"{source}: no file here ends in .json; put the files that were handed in into one folder"
        )
    return summary_of(((path.name, path) for path in files), f"{source}: ")


def tallies(source: str | PathLike) -> pd.DataFrame:
    """Read the votes of a class: one row per answer to each question, in the order in which they were asked.

    Parameters
    ----------
    source : path
        The file that ``paragraph class --keep`` wrote.

    Returns
    -------
    DataFrame with the columns question (its number), time (when it was asked, in UTC), words, answer, votes, right
    (True or False; of exercises that are answered by signs, where right answers cannot be listed, None). A question
    that was asked twice has two numbers.

    Raises
    ------
    PairsError
        There is no such file, or it is no class book.

    Examples
    --------
    >>> import tempfile
    >>> from paragraph.lesson.room.book import ClassBook
    >>> path = Path(tempfile.mkdtemp()) / "class.db"
    >>> book = ClassBook(path)
    >>> book.ask({"words": "Ready?"}, {"kind": "choice", "of": ["yes", "no"], "right": ["yes"]})
    >>> book.vote(book.join()[0], 1, "yes")
    >>> tallies(path)[["question", "words", "answer", "votes", "right"]]
       question   words answer  votes  right
    0         1  Ready?    yes      1   True
    1         1  Ready?     no      0  False
    """
    if not Path(source).is_file():
        raise PairsError(f"{source}: there is no such file; name the one that --keep wrote")
    book = ClassBook(source)
    rows = []
    for number, seconds, words in book.questions():
        answers = book.answers(number)
        when = pd.Timestamp(round(seconds), unit="s", tz="UTC")
        for answer, votes in book.tally(number).items():
            right = None
            if answers["kind"] != "signs":
                right = answer in answers["right"]
            rows.append([number, when, words, answer, votes, right])
    return pd.DataFrame(rows, columns=["question", "time", "words", "answer", "votes", "right"])
