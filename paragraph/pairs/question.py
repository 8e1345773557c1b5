"""The message about a source whose layout is not documented: its columns with values, and the flags to complete."""

from __future__ import annotations

from typing import Any

from ..files.errors import capped
from ..files.spelling import option
from .opened import Opened, parquet_errors

__all__ = ["FIRST", "question", "sample_of"]

#: Rows that are looked at, columns that are shown, values of each.
FIRST, SHOWN, VALUES = 100, 20, 3


def sample_of(opened: Opened) -> dict[Any, list[str]]:
    """The first values of each column of records or of a table, by its name, as texts without empty ones."""
    content, names = opened.content, opened.names
    if opened.kind == "records":
        columns = {name: [one.values.get(name) for one in content[:FIRST]] for name in names}
    elif opened.kind == "dataframe":
        columns = {name: content.iloc[:FIRST, i].tolist() for i, name in enumerate(names)}
    elif opened.kind == "dataset":
        columns = content.slice(0, FIRST).to_pydict()
    else:
        with parquet_errors(opened.name):
            columns = next((batch.to_pydict() for batch in content.iter_batches(FIRST)), dict.fromkeys(names, ()))
    gone = ("", "None", "nan", "<NA>")
    return {name: [text for text in map(str, some) if text not in gone] for name, some in columns.items()}


def question(columns: dict[Any, list[str]], texts: bool = False, header: bool = False) -> str:
    """A table of columns with values, and the flags to give.

    With `texts`, those of the texts are known; with `header`, the first row was taken for names. That all pairs are
    paraphrases is proposed only if there is no column beside the two known ones.
    """
    most = max(map(len, columns.values()), default=0)
    lines = [f"its columns, in the first {most} rows:" if most >= FIRST - 1 else "its columns:"]
    for name, values in [*columns.items()][:SHOWN]:
        different = [*dict.fromkeys(values)]
        some = ", ".join(repr(capped(value, 30)) for value in different[:VALUES])
        more = ", …" if len(different) > VALUES else ""
        lines.append(f"  {capped(repr(name), 40)}: {len(different):,} different: {some}{more}")
    if len(columns) > SHOWN:
        lines.append(f"  and {len(columns) - SHOWN:,} more")
    meaning = f"{option('labels', {'SAME': 1, 'OTHER': 0})} says what its labels mean"
    if not texts:
        lines.append(f"{option('columns', {'text_a': '…', 'text_b': '…', 'label': '…'})} names them; {meaning}")
        if header:
            lines.append(f"{option('header', False)} if the first row is a pair: columns then count from 0")
    else:
        ways = [f"{option('columns', {'label': '…'})} names that of the labels", meaning]
        if len(columns) == 2:
            what = "where there are no labels and all pairs are paraphrases"
            ways.append(f"{option('labels', {'all': 1})} {what}")
        ways.append(f"{option('unlabelled', 'keep')} reads pairs without labels")
        lines.append("; ".join(ways))
    return "\n".join([*lines, "docs/layouts.md shows how files of many kinds are read"])
