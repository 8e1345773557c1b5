"""What a student did on a sheet: a table to hand in, and one line that sums it up."""

from __future__ import annotations

import pandas as pd

__all__ = ["Report"]


class Report(pd.DataFrame):
    """The table of a sheet, one row an exercise; `line` sums it up, and what is printed begins with it.

    Columns: student, seed, number, level, title, tries, hints, solved, first_right (at the first try), shown (the
    solution was asked for), seconds (from the first look to the last try).
    """

    @property
    def line(self) -> str:
        """One line to paste into a message to the teacher. It is a statement of the student's, and no proof.

        >>> from paragraph.balance.exercises import Sheet
        >>> sheet = Sheet(seed=1, student="Ada")
        >>> [sheet.check(1, answer).correct for answer in ("+++", "+--")]
        [False, True]
        >>> print(sheet.report().line)
        Ada, sheet 1: 1 of 29 exercises solved: 1 (2 tries); 2 tries and 0 hints in all. (Own report, no proof.)
        """
        name = " ".join(str(self["student"].iloc[0]).split()) or "(no name)"
        solved, open_ = self[self["solved"]], self[~self["solved"] & (self["tries"] > 0)]
        which = ", ".join(map(_entry, solved["number"], solved["tries"])) or "none"
        tried = f"; tried: {', '.join(map(str, open_['number']))}" if len(open_) else ""
        shown = f", {_count(self['shown'].sum(), 'solution')} shown" if self["shown"].any() else ""
        sums = f"{_count(self['tries'].sum(), 'try')} and {_count(self['hints'].sum(), 'hint')} in all{shown}"
        head = f"{name}, sheet {self['seed'].iloc[0]}: {len(solved)} of {len(self)} exercises solved"
        return f"{head}: {which}{tried}; {sums}. (Own report, no proof.)"

    def __str__(self) -> str:
        return f"{self.line}\n\n{super().__str__()}"


def _entry(number: int, tries: int) -> str:
    return f"{number} ({tries} tries)" if tries > 1 else str(number)


def _count(many: int, what: str) -> str:
    return f"{many} {what if many == 1 else 'tries' if what == 'try' else what + 's'}"
