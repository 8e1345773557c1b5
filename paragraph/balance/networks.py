"""Signed networks as people have them: edge lists, matrices, GraphML, GML, Pajek, networkx; no sign is guessed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from ..files.content import load
from ..files.errors import as_pairs_error, check_type, did_you_mean
from ..files.names import ending
from ..files.spelling import option
from ..graph.arrays import pair_keys
from .edges import (
    KNOWN,
    ROLES,
    Edge,
    Edges,
    edges_of_gml,
    edges_of_graph,
    edges_of_graphml,
    edges_of_pajek,
    number,
    word,
)
from .lists import edges_of_list
from .signed import SignedGraph, SignError

__all__ = ["read_signed"]

SHOWN = 8  #: words in a message


def read_signed(
    source: Any,
    columns: Mapping[str, str | int] | None = None,
    signs: Mapping[Any, int | None] | None = None,
    on_error: str = "error",
) -> SignedGraph:
    """Read a signed network, for `balance` and all functions of this room, or for the Triad Lab.

    Parameters
    ----------
    source : path or networkx graph
        A text file, packed with gzip or not. An edge list has a header with `source`, `target` and `sign` (or
        `weight`), in any order, or no header and these three columns. A matrix names the nodes in its first row and
        its first column. Fields are separated by tabs, semicolons, commas or blanks; a comment begins with ``#`` or
        ``%`` and a blank. Files that end in ``.graphml``, ``.gml`` and ``.net`` (Pajek) are read as such. Edges of a
        graph carry `sign`, or all of them `weight`.
    columns : dict, optional
        Other names for `source`, `target` and `sign`, or, in a file without a header, places counted from 0:
        ``{"source": 0, "target": 1, "sign": 3}``. A graph has only `sign`.
    signs : dict, optional
        The sign of each word or number: ``{"ally": 1, "enemy": -1, "neutral": None}``; None is no edge. Without it,
        numbers above 0 are + and others −, where one is below 0, or written with a plus.
    on_error : {"error", "skip"}
        ``"skip"`` leaves out rows without a sign, loops, and all rows of an edge with both signs, and says how many.

    Raises
    ------
    SignError
        Naming the file and the row: no sign, a zero, a loop, or an edge with both signs,
        be it that its two directions differ. A repeated edge with the same sign is one edge. Also raised where
        numbers may be no signs: a matrix of 0, 1 and 2, or weights none of which is below 0.

    Notes
    -----
    ``+``, ``-`` and ``−`` are signs, and so is 1 in a column called `sign`. In a matrix, 0 and nothing are no edge.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "quarrels.csv")
    >>> _ = path.write_text("who,whom,how\\nAnn,Bob,likes\\nBob,Cid,fights\\n")
    >>> signed = read_signed(path, {"source": "who", "target": "whom", "sign": "how"}, {"likes": 1, "fights": -1})
    >>> signed, signed.names
    (<SignedGraph: 3 nodes, 1 positive and 1 negative edges>, ['Ann', 'Bob', 'Cid'])
    """
    if on_error not in ("error", "skip"):
        raise SignError(f"{option('on_error')} {on_error!r} is not one of error, skip")
    how = 'columns={"sign": "rating"}'
    columns = check_type(columns or {}, Mapping, "read_signed", "columns as a dict", how)
    for role, column in columns.items():
        if role not in ROLES or not isinstance(column, str | int):
            raise SignError(f"{option('columns', {role: column})}: roles are source, target, sign")
    meaning = _meaning(signs)
    return _graph(_edges(source, columns, meaning), meaning, on_error)


def _edges(
    source: Any, columns: Mapping[str, str | int], meaning: Mapping[str, int | None]
) -> Edges:
    """Read the edges of a graph, or of a file by its ending."""
    if isinstance(source, nx.Graph):
        return edges_of_graph("the graph", source, columns)
    path = Path(check_type(source, str | PathLike, "read_signed", "a path or a networkx graph"))
    with as_pairs_error(path.name, KNOWN):
        data = load(path)
        if ending(path) == ".graphml":
            return edges_of_graphml(path.name, data, columns)
        lines = _lines(path.name, data)
        if ending(path) == ".gml":
            return edges_of_gml(path.name, lines, columns)
        if ending(path) == ".net":
            return edges_of_pajek(path.name, lines, columns)
        return edges_of_list(path.name, lines, columns, meaning)


def _lines(name: str, data: bytes) -> list[str]:
    try:
        return re.split("\r\n|\r|\n", data.decode())
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise SignError(
            f"{name}, row {row}: is not UTF-8; save the file in that encoding"
        ) from None


# -- signs ---------------------------------------------------------------------------------------------------


def _meaning(signs: Any) -> dict[str, int | None]:
    """Return the sign of each word, as the caller says."""
    meaning: dict[str, int | None] = {}
    signs = check_type(signs or {}, Mapping, "read_signed", "signs as a dict", 'signs={"ally": 1}')
    for key, sign in signs.items():
        if sign not in (1, -1, None):
            raise SignError(
                f"{option('signs')} maps {key!r} to {sign!r}; a sign is 1, -1, or None for no edge"
            )
        meaning[word(key)] = sign
    return meaning


def _sign(text: str, meaning: Mapping[str, int | None], numeric: bool) -> int | None:
    """Return the sign of a word, None for no edge, or 0 for a word that is no sign."""
    if meaning:
        return meaning.get(text, 0)
    if text in ("+", "-"):
        return int(f"{text}1")
    value = number(text)
    if value is None or not numeric:
        return 0
    return int(np.sign(value))


def _are_signs(words: list[str], column: str) -> bool:
    """Return True if numbers are signs: one is below 0 or has a plus, or all are 1 in a column of signs."""
    if column == "sign" and words == ["1"]:
        return True
    numbers = [text for text in words if number(text) is not None]
    return any(text.startswith("+") or number(text) < 0 for text in numbers)


# -- the graph -----------------------------------------------------------------------------------------------


def _graph(edges: Edges, meaning: Mapping[str, int | None], on_error: str) -> SignedGraph:
    """Make the graph of edges with signs; a row of a word that means no edge is no fault."""
    nodes = list(edges.nodes)
    for edge in edges.edges:
        nodes += (edge.source, edge.target)
    codes, names = pd.factorize(pd.Series(nodes, dtype=object))
    ends = codes[len(edges.nodes) :]
    a, b = ends.reshape(-1, 2).T
    words = list(dict.fromkeys(edge.word for edge in edges.edges))
    numeric = _are_signs(words, edges.column)
    sign_of = {text: _sign(text, meaning, numeric) for text in words}
    # missing where there is no edge
    signs = pd.Series([sign_of[edge.word] for edge in edges.edges], dtype="Int8")
    present = signs.notna().to_numpy()
    sign = signs.fillna(0).to_numpy(np.int8)
    pair = pd.Series(pair_keys(a, b, len(names)))
    signs_of_pair = pd.Series(sign).where(sign != 0).groupby(pair)
    kinds = signs_of_pair.transform("nunique").to_numpy()
    odd = present & ((sign == 0) | (a == b) | (kinds > 1))
    if odd.any():
        first = edges.edges[odd.argmax()]
        if on_error == "error" or odd.all():
            why = _why_no_sign(first.word, words, meaning, numeric)
            if sign_of[first.word] != 0:
                why = _why_not_one(first)
            raise SignError(f"{first.place}: {why}")
        count = f"{odd.sum():,} of {len(odd):,} rows have no sign of their own and are left out"
        warnings.warn(f"{count}, the first: {first.place}", stacklevel=3)
    kept = np.flatnonzero(present & ~odd)
    kept = kept[~pair[kept].duplicated()]
    return SignedGraph(len(names), a[kept], b[kept], sign[kept], names.tolist())


def _why_no_sign(
    text: str, words: list[str], meaning: Mapping[str, int | None], numeric: bool
) -> str:
    say = option("signs", dict.fromkeys(words[:SHOWN], "…"))
    if meaning:
        known = ", ".join(meaning)
        near = did_you_mean(text, meaning)
        return f"{text!r} is not one of {known}{near}; {say} says what each means, None: no edge"
    if number(text) is None:
        return f"{text!r} is no sign; {say} says what each means"
    if numeric:
        return f"{text} is neither above nor below 0; {_skip()}"
    return f"{text} may be no sign, as no number is below 0; {say} says what each means"


def _why_not_one(edge: Edge) -> str:
    if edge.source == edge.target:
        return f"{edge.source!r} is joined to itself; {_skip()}"
    return f"{edge.source!r} and {edge.target!r} are joined by both signs; {_skip()}"


def _skip() -> str:
    return f"{option('on_error', 'skip')} leaves such rows out"
