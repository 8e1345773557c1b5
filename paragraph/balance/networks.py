"""Signed networks as people have them: edge lists, matrices, Pajek, networkx; no sign is ever guessed."""

from __future__ import annotations

import csv
import warnings
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from ..files.content import load
from ..files.errors import intact, taken
from ..graph.arrays import pair_keys
from ..pairs.tables import refuse
from .signed import SignedGraph, SignError

__all__ = ["read_signed"]

COLUMNS = ["source", "target", "sign"]
SIGNS = {"+": np.inf, "-": -np.inf, "−": -np.inf}
#: The networks that are read, for a message about another.
KNOWN = (
    "a signed network is an edge list with the header source,target,sign (or weight), or with these three columns in "
    "front and no header; a matrix whose first row and column name the nodes; or Pajek (.net)"
)


def read_signed(source: Any, threshold: float = 0, on_error: str = "error") -> SignedGraph:
    """Read a signed network, for `balance` and all functions of this room, or for the Triad Lab.

    Parameters
    ----------
    source : path or networkx graph
        A text file, packed with gzip or not: an edge list with the columns `source`, `target` and `sign` or
        `weight`, or without a header, as ``3,7,-10,1407470400`` (SNAP); or a matrix. Columns are separated by tabs,
        commas, semicolons or blanks; lines that begin with ``#`` or ``%`` are comments. ``.net``: Pajek. In a graph,
        edges carry `sign` or `weight`.
    threshold : float
        A number above it is +, below it −; ``+`` and ``-`` are themselves. In a matrix, 0 and nothing are no edge.
    on_error : {"error", "skip"}
        ``"skip"`` leaves out rows without a sign, loops, and all rows of an edge with both signs, and says how many.

    Raises
    ------
    PairsError
        Naming the row: no sign, one that is equal to the threshold, a loop, or an edge with both signs, be it that
        its two directions differ. A repeated edge with the same sign is one edge.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "quarrels.csv")
    >>> _ = path.write_text("source,target,sign\\nAnn,Bob,+\\nBob,Cid,-\\n")
    >>> signed = read_signed(path)
    >>> signed, signed.names
    (<SignedGraph: 3 nodes, 1 positive and 1 negative edges>, ['Ann', 'Bob', 'Cid'])
    """
    rows, nodes = _read(source)
    number = np.array([_number(str(cell).strip()) for cell in rows["sign"]], float)
    sign = np.sign(number - threshold)
    codes, names = pd.factorize(np.array([*nodes, *rows["source"], *rows["target"]], object))
    a, b = codes[len(nodes) :].reshape(2, -1)
    pair = pd.Series(pair_keys(a, b, len(names)))
    faults = {
        "{sign!r} is no sign": np.isnan(number),
        f"{{sign}} is neither above nor below the threshold {threshold:g}": sign == 0,
        "{source!r} is joined to itself": a == b,
        "{source!r} and {target!r} are joined by both signs": pd.Series(sign).groupby(pair).transform("nunique") > 1,
    }
    odd = np.logical_or.reduce([*faults.values()])
    if on_error == "skip" and odd.any():
        warnings.warn(f"{odd.sum():,} of {len(odd):,} rows have no sign of their own and are left out", stacklevel=2)
    for why, flags in faults.items() if on_error != "skip" else ():
        refuse(rows, flags, lambda row, why=why: f'{why.format(**row)}; on_error="skip" leaves such rows out')
    kept = np.flatnonzero(~(odd | pair.duplicated()))
    return SignedGraph(len(names), a[kept], b[kept], sign[kept].astype(np.int8), names.tolist())


def _number(cell: str) -> float:
    try:
        return SIGNS.get(cell) or float(cell)
    except ValueError:
        return np.nan


def _read(source: Any) -> tuple[pd.DataFrame, list]:
    """The rows of a network, `row`, `source`, `target`, `sign`; and nodes that may have no edge."""
    if isinstance(source, nx.Graph):
        edges = source.edges(data=True)
        edges = [(i, a, b, more.get("sign", more.get("weight"))) for i, (a, b, more) in enumerate(edges, 1)]
        return pd.DataFrame(edges, columns=["row", *COLUMNS]), list(source)
    path = Path(taken(source, str | PathLike, "read_signed", "a path or a networkx graph"))
    with intact(path.name, KNOWN):
        lines = load(path).decode().splitlines()
        if path.suffix == ".net":
            return _read(nx.parse_pajek(lines))
    kept = [(row, line) for row, line in enumerate(lines, 1) if line.strip() and line.lstrip()[0] not in "#%"]
    mark = next((mark for mark in "\t;," if kept and mark in kept[0][1]), "")
    cells = [next(csv.reader([line], delimiter=mark)) if mark else line.split() for _, line in kept]
    table = pd.DataFrame({"row": [row for row, _ in kept], "cells": cells})
    table.attrs["report"] = {"source": path.name}
    head = [cell.strip() for cell in cells[0]] if cells else []
    refuse(table, table["cells"].map(len) != len(head), lambda row: f"not {len(head)} fields as in the first row")
    names, value = [*map(str.lower, head)], "sign" if "sign" in map(str.lower, head) else "weight"
    matrix = len(head) > 2 and [row[0].strip() for row in cells[1:]] == head[1:]
    plain = len(head) in (3, 4) and not np.isnan(_number(head[2]))
    if matrix == plain and not ({"source", "target", value} <= {*names}):
        raise SignError(f"{path.name} begins with {', '.join(head)}: {KNOWN}")
    if matrix:
        given = (
            (row, head[i], head[j], cell)
            for i, (row, _) in enumerate(kept[1:], 1)
            for j, cell in enumerate(cells[i])
            if j and cell.strip() and _number(cell.strip()) != 0
        )
    else:
        where = [0, 1, 2] if plain else [names.index(name) for name in ("source", "target", value)]
        rows = zip(kept, cells, strict=True)
        given = ((row, *(each[place].strip() for place in where)) for (row, _), each in islice(rows, not plain, None))
    found = pd.DataFrame(given, columns=["row", *COLUMNS])
    found.attrs = table.attrs
    return found, head[1:] if matrix else []
