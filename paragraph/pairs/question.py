"""The message about a source whose layout is not documented: its columns with values, and the flags to complete."""

from __future__ import annotations

from typing import Any

from ..files.errors import capped
from ..files.spelling import option
from .source import FIRST

__all__ = ["question"]

#: The number of columns that are shown, and of values of each.
SHOWN = 20
VALUES = 3


def question(columns: dict[Any, list[str]], texts: bool = False, header: bool = False) -> str:
    """Word a table of columns with values, and the flags to give.

    With `texts`, the columns of the two texts are known, and if there are no others, the flag for paraphrases alone
    is proposed; with `header`, the first row was taken for names.
    """
    most = max(map(len, columns.values()), default=0)
    lines = ["its columns:"]
    if most >= FIRST - 1:
        lines = [f"its columns, in the first {most} rows:"]
    for name, values in [*columns.items()][:SHOWN]:
        different = [*dict.fromkeys(values)]
        shown = [repr(capped(value, 30)) for value in different[:VALUES]]
        if len(different) > VALUES:
            shown.append("…")
        lines.append(
            f"  {capped(repr(name), 40)}: {len(different):,} different: {', '.join(shown)}"
        )
    meaning = f"{option('labels', {'SAME': 1, 'OTHER': 0})} says what its labels mean"
    if texts:
        ways = [f"{option('columns', {'label': '…'})} names that of the labels", meaning]
        if len(columns) == 2:
            ways.append(
                f"{option('labels', {'all': 1})} where there are no labels and all pairs are paraphrases"
            )
        ways.append(f"{option('unlabelled', 'keep')} reads pairs without labels")
        lines.append("; ".join(ways))
    else:
        lines.append(
            f"{option('columns', {'text_a': '…', 'text_b': '…', 'label': '…'})} names them; {meaning}"
        )
    if header:
        lines.append(
            f"{option('header', False)} if the first row is a pair: columns then count from 0"
        )
    return "\n".join([*lines, "docs/layouts.md shows how files of many kinds are read"])
