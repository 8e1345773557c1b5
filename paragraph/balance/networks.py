"""Signed networks as people have them: edge lists, matrices, GraphML, GML, Pajek, networkx; no sign is guessed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Mapping
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
from .edges import KNOWN, Edge, Edges, edges_of_gml, edges_of_graph, edges_of_graphml, number, word
from .lists import ROLES, edges_of_list
from .pajek import edges_of_pajek
from .signed import SignedGraph, SignError

__all__ = ["read_signed"]

SHOWN = 8  #: words in a message


def read_signed(
    source: Any,
    columns: Mapping[str, str | int] | None = None,
    signs: Mapping[Any, int | None] | None = None,
    threshold: float | None = None,
    on_error: str = "error",
) -> SignedGraph:
    """Read a signed network, for `balance` and all functions of this room, or for the Triad Lab.

    Parameters
    ----------
    source : path or networkx graph
        A text file, packed with gzip or not. An edge list has a header with `source`, `target` and `sign` (or
        `weight`), in any order, or no header and these three columns. A matrix names the nodes in its first row and
        its first column. Fields are separated by tabs, semicolons, commas or blanks; lines that begin with ``#`` or
        ``%`` are comments. Files that end in ``.graphml``, ``.gml`` and ``.net`` (Pajek) are read as such. Edges of a
        graph carry `sign`, or all of them `weight`.
    columns : dict, optional
        Other names for `source`, `target` and `sign`, or, in a file without a header, places counted from 0:
        ``{"source": 0, "target": 1, "sign": 3}``. A graph has only `sign`.
    signs : dict, optional
        The sign of each word or number: ``{"ally": 1, "enemy": -1, "neutral": None}``; None is no edge.
    threshold : float, optional
        A number above it is +, below it −. Default: 0, where a number is below 0, or written with a plus.
    on_error : {"error", "skip"}
        ``"skip"`` leaves out rows without a sign, loops, and all rows of an edge with both signs, and says how many.

    Raises
    ------
    SignError
        Naming the file and the row: no sign, one that is equal to the threshold, a loop, or an edge with both signs,
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
    meaning = _meaning(signs)
    edges = _edges(source, columns, meaning)
    if signs is None:
        signs_of, whys = _by_number(edges, threshold)
    elif threshold is None:
        signs_of, whys = _by_word(edges, meaning)
    else:
        raise SignError(f"{option('signs')} or {option('threshold')}, not both: each says the sign of a number")
    return _graph(edges, signs_of, whys, on_error)


def _edges(source: Any, columns: Any, known: Collection[str]) -> Edges:
    """Read the edges of a graph, or of a file by its ending."""
    how = 'columns={"sign": "rating"}'
    columns = check_type(columns or {}, Mapping, "read_signed", "columns as a dict", how)
    for role, column in columns.items():
        if role not in ROLES or not isinstance(column, str | int):
            raise SignError(f"{option('columns', {role: column})}: roles are source, target, sign")
    if isinstance(source, nx.Graph):
        return edges_of_graph(source, columns)
    path = Path(check_type(source, str | PathLike, "read_signed", "a path or a networkx graph"))
    with as_pairs_error(path.name, KNOWN):
        data = load(path)
        if ending(path) == ".graphml":
            return edges_of_graphml(path.name, data, columns)
        lines = _lines(path.name, data)
        if ending(path) == ".gml":
            return edges_of_gml(path.name, lines, columns)
        if ending(path) != ".net":
            return edges_of_list(path.name, lines, columns, known)
        if columns:
            raise SignError(f"{path.name}: Pajek has no names of columns")
        return edges_of_pajek(path.name, lines)


def _lines(name: str, data: bytes) -> list[str]:
    try:
        return re.split("\r\n|\r|\n", data.decode())
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise SignError(f"{name}, row {row}: is not UTF-8; save the file in that encoding") from None


def _meaning(signs: Any) -> dict[str, int | None]:
    """Return the sign of each word, as the caller says."""
    meaning: dict[str, int | None] = {}
    for key, sign in check_type(signs or {}, Mapping, "read_signed", "signs as a dict", 'signs={"ally": 1}').items():
        if sign not in (1, -1, None):
            raise SignError(f"{option('signs')} maps {key!r} to {sign!r}; a sign is 1, -1, or None for no edge")
        if meaning.setdefault(word(key), sign) != sign:
            raise SignError(f"{option('signs')} maps {key!r} to two signs")
    return meaning


def _by_word(edges: Edges, meaning: Mapping[str, int | None]) -> tuple[dict[str, int | None], dict[str, str]]:
    """Return the sign of each word, None for no edge; and the fault of each word without a meaning."""
    known = ", ".join(meaning)
    whys = {}
    for each in {edge.word for edge in edges.edges} - {*meaning}:
        say = f"{option('signs', {each: '…'})} says what it means, None that it is no edge"
        whys[each] = f"{each!r} is not one of {known}{did_you_mean(each, meaning)}; {say}"
    return {**meaning}, whys


def _by_number(edges: Edges, threshold: float | None) -> tuple[dict[str, int | None], dict[str, str]]:
    """Return the sign of each number, as `_by_word` does."""
    words = [*dict.fromkeys(edge.word for edge in edges.edges)]
    say = option("signs", dict.fromkeys(words[:SHOWN], "…"))
    if threshold is None:
        _refuse_one_relation(edges, words, say)
    bound = threshold or 0
    signs: dict[str, int | None] = {"+": 1, "-": -1}
    whys = {}
    for each in words:
        value = number(each)
        if each in signs:
            continue
        if value is None:
            whys[each] = f"{each!r} is no sign; {say} says what each means"
        elif value == bound:
            skip = f"{option('on_error', 'skip')} leaves such rows out"
            whys[each] = f"{each} is neither above nor below the threshold {bound:g}; {skip}"
        else:
            signs[each] = 1 if value > bound else -1
    return signs, whys


def _refuse_one_relation(edges: Edges, words: list[str], say: str) -> None:
    """Raise `SignError` for numbers none of which is below 0: they may say how strong a relation is."""
    numbers = [each for each in words if number(each) is not None]
    if not numbers or (edges.column == "sign" and words == ["1"]):
        return
    if any(each.startswith("+") or number(each) < 0 for each in numbers):
        return
    ways = f"{option('threshold')}, the number between − and +"
    if len(words) <= SHOWN:
        ways = f"{say}, or {ways}"
    first = next(edge for edge in edges.edges if edge.word == numbers[0])
    why = f"{first.word} may be no sign, as no number is below 0; say what it means: {ways}"
    raise SignError(f"{_place(edges, first)}: {why}")


def _place(edges: Edges, edge: Edge) -> str:
    return f"{edges.name}, {edge.place}" if edges.name else edge.place


def _graph(edges: Edges, signs: Mapping[str, int | None], whys: Mapping[str, str], on_error: str) -> SignedGraph:
    """Make the graph of edges with signs; those of a word that means no edge are no fault."""
    ends = [end for edge in edges.edges for end in (edge.source, edge.target)]
    codes, names = pd.factorize(_objects([*edges.nodes, *ends]))
    a, b = codes[len(edges.nodes) :].reshape(-1, 2).T
    sign = np.array([signs.get(edge.word) or 0 for edge in edges.edges], np.int8)
    no_sign = np.array([edge.word in whys for edge in edges.edges], bool)
    absent = (sign == 0) & ~no_sign
    pair = pd.Series(pair_keys(a, b, len(names)))
    kinds = pd.Series(sign).where(sign != 0).groupby(pair).transform("nunique").to_numpy()
    loop = (a == b) & ~absent
    odd = no_sign | loop | ((kinds > 1) & ~absent)
    if odd.any():
        at = int(odd.argmax())
        _, source, target, text = edges.edges[at]
        why = f"{source!r} is joined to itself" if loop[at] else f"{source!r} and {target!r} are joined by both signs"
        why = whys.get(text, f"{why}; {option('on_error', 'skip')} leaves such rows out")
        where = _place(edges, edges.edges[at])
        if on_error == "error" or odd.all():
            raise SignError(f"{where}: {why}")
        count = f"{odd.sum():,} of {len(odd):,} rows have no sign of their own and are left out"
        warnings.warn(f"{count}, the first: {where}", stacklevel=3)
    kept = np.flatnonzero(~(odd | absent))
    first = kept[~pair[kept].duplicated()]
    return SignedGraph(len(names), a[first], b[first], sign[first], names.tolist())


def _objects(values: list) -> np.ndarray:
    """Return values as an array of objects, tuples included."""
    array = np.empty(len(values), object)
    array[:] = values
    return array
