"""The message about a source whose layout is not documented: its columns with values, and the flags to complete."""

from __future__ import annotations

from typing import Any

from ..files.errors import capped
from ..files.spelling import option
from .source import FIRST

__all__ = ["question"]

#: Columns that are shown, values of each.
SHOWN, VALUES = 20, 3


def question(columns: dict[Any, list[str]], texts: bool = False, header: bool = False) -> str:
    """A table of columns with values, and the flags to give.

    With `texts`, those of the texts are known; with `header`, the first row was taken for names. That all pairs are
    paraphrases is proposed only if there is no column beside the two known ones.
    """
    most = max(map(len, columns.values()), default=0)
    lines = ["its columns:"]
    if most >= FIRST - 1:
        lines = [f"its columns, in the first {most} rows:"]
    for name, values in [*columns.items()][:SHOWN]:
        different = [*dict.fromkeys(values)]
        some = [repr(capped(value, 30)) for value in different[:VALUES]]
        if len(different) > VALUES:
            some.append("…")
        lines.append(f"  {capped(repr(name), 40)}: {len(different):,} different: {', '.join(some)}")
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
