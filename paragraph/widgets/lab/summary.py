"""The end of a sheet in the Triad Lab: what is solved, what is left, and a line for the teacher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...balance.exercises import Sheet

__all__ = ["panel"]


def panel(sheet: Sheet) -> dict[str, Any]:
    """The right-hand side: a table of the exercises, the line of the report, and the way to the first open one."""
    report = sheet.report()
    solved, first = report["solved"], report["first_right"]
    rows = [
        [str(row.number), row.title, "✓" if row.solved else "shown" if row.shown else "", str(row.tries or ""),
         str(row.hints or "")]
        for row in report.itertuples()
    ]  # fmt: skip
    left = report.loc[~solved, "number"]
    go = {"text": "", "intent": "control", "content": {"name": "exercise", "value": str(left.min())}}
    return {
        "title": "Summary",
        "text": "All exercises are solved." if left.empty else f"{len(left)} are left, the first is {left.min()}.",
        "facts": [["solved", f"{solved.sum()} of {len(report)}"], ["at the first try", str(first.sum())]],
        "actions": [] if left.empty else [go | {"text": f"To exercise {left.min()}"}],
        "copy": {"title": "For your teacher: copy this line", "text": report.line},
        "table": {"title": "Exercise by exercise", "head": ["", "exercise", "", "tries", "hints"], "rows": rows},
        "note": "sheet.report() gives the same as a table. It is what your own notebook says, and no proof.",
    }
