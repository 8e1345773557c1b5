"""Any delimited file as a table of text: what `write_table` writes, read with the strictness of `read_pairs`."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from .errors import PairsError
from .formats import NoColumn, recognise
from .opening import UNPACKED, load
from .sources import fields_of
from .spreadsheet import MARK

__all__ = ["read_table"]


def read_table(
    path: str | PathLike, max_unpacked: int = UNPACKED, columns: dict[str, str] | None = None
) -> pd.DataFrame:
    """Read all columns of a CSV or TSV file with a header, as text; the index says where in the file a row stands.

    Compressed by gzip or not, and unpacked up to `max_unpacked` bytes. Blank lines are left out. `columns` names
    those of the texts where their names are unknown, as in `read_pairs`.

    Raises
    ------
    PairsError
        Naming file and row: a row has more or fewer fields than the header, a quote swallows the next rows, a text
        is not UTF-8; or two columns have one name, or there is none for the texts of pairs.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "evidence.tsv"
    >>> path.write_text("question1\\tquestion2\\tmodel\\nHow?\\tIn what way?\\t.9\\n")
    47
    >>> read_table(path)
      question1     question2 model
    2      How?  In what way?    .9
    """
    path = Path(path)
    data = load(path, max_unpacked=max_unpacked)
    try:
        layout = recognise(data, "auto", columns, None, path.name)
    except NoColumn:
        if columns is not None:
            raise
        raise PairsError(f"{path.name} needs the columns text_a, text_b (or question1, question2)") from None
    names = layout.names
    if twice := [name for name in names if names.count(name) > 1]:
        raise PairsError(f"{path.name}: there is more than one column {twice[0]!r}")
    found = fields_of(data, layout, list(range(len(names))))
    columns = [column.slice(int(found.row[:1].tolist() == [1])) for column in found.columns]
    rows = found.row[found.row > 1]
    faults = found.bad + _swallowed(columns, rows, layout)
    if faults:
        row, value, why = min(faults)
        more = f" (and {len(faults) - 1:,} more such rows)" if len(faults) > 1 else ""
        raise PairsError(f"{path.name}, row {row}: {why}: {value}{more}")
    table = pd.DataFrame(
        {name: column.to_pandas().astype("str") for name, column in zip(names, columns, strict=True)},
    ).set_axis(rows)
    table = table.drop(columns=MARK, errors="ignore")
    return table[(table != "").any(axis=1)]


def _swallowed(columns, rows, layout):
    """Rows that seem to have swallowed others: a text's first line has as many fields as are left of a row."""
    found = []
    for place, column in enumerate(columns):
        left = len(layout.names) - place
        for i in np.flatnonzero(pc.match_substring(column, "\n").to_numpy()).tolist() if left > 1 else ():
            line = column[i].as_py().split("\n")[0].removesuffix("\r")
            if len(line.split(layout.delimiter)) == left:
                found.append((int(rows[i]), line, "seems to run on into the next, after a stray quote"))
    return found
