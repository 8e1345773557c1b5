"""Texts that no spreadsheet runs as a formula: with a ``'`` before them in the file, without it in Python.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-`` or ``@``, and sentences come from strangers. In a file
for spreadsheets such a text therefore has a ``'`` before it, and so has one with nothing but ``'`` in front of such a
sign: the way back is exact. The file's last column is called `spreadsheet_safe`, which survives a spreadsheet and
another file name; the readers of this package take the ``'`` off where a file has this column.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["MARK", "guarded", "unguarded"]

#: The column that says so.
MARK = "spreadsheet_safe"


def guarded(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """The texts as a spreadsheet may see them.

    >>> guarded(pa.array(["=1+1", "'=1+1", "'tis", "a-b"])).to_pylist()
    ["'=1+1", "''=1+1", "'tis", 'a-b']
    """
    return pc.replace_substring_regex(texts, r"\A('*[=+\-@\t\r])", r"'\1")


def unguarded(texts: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """The texts that `guarded` was given.

    >>> unguarded(pa.array(["'=1+1", "''=1+1", "'tis", "a-b"])).to_pylist()
    ['=1+1', "'=1+1", "'tis", 'a-b']
    """
    return pc.replace_substring_regex(texts, r"\A'('*[=+\-@\t\r])", r"\1")
