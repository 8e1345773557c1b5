"""Tables of evidence: all columns of a delimited file with pairs, as text."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import pandas as pd

from ..files.content import load
from ..files.errors import PairsError
from ..files.tables import MARK
from .check import first_of, run_on
from .delimited import open_delimited
from .recognise import How, recognise

__all__ = ["read_table"]


def read_table(path: str | PathLike, encoding: str = "utf-8") -> pd.DataFrame:
    """Read all columns of a CSV or TSV file with a header, as text; the index is each row's place in the file.

    The file may be compressed by gzip. Blank lines are left out, and so are columns without a name and values, which
    spreadsheets write.

    Raises
    ------
    PairsError
        Names file and row if a row has more or fewer fields than the header, a quote swallows the next rows, or a
        text is not UTF-8. Also raised if two columns have the same name, or if there is no column for the texts of
        pairs.

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
    how = How()
    source = open_delimited(Path(path).name, load(path, encoding), how)
    recognise(source, how)
    names = [*source.names]
    repeated = [name for name in names if name and names.count(name) > 1]
    if repeated:
        raise PairsError(f"{source.name}: there is more than one column {repeated[0]!r}")
    table, faults = source.read(names)
    for position, name in enumerate(names):
        for i, fields in run_on(table[name], len(names) - position, source.delimiter):
            why = "seems to run on into the next, after a stray quote"
            faults.append((int(table.index[i]), source.delimiter.join(fields), why))
    if faults:
        row, value, why, more = first_of(faults)
        raise PairsError(f"{source.name}, row {row}: {why}: {value}{more}")
    if "" in table and not (table[""] != "").any():
        del table[""]
    return table.drop(columns=MARK, errors="ignore")[(table != "").any(axis=1)]
