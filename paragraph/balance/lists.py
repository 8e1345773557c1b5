"""Edges of delimited files: edge lists and matrices."""

from __future__ import annotations

import csv
import re
from collections.abc import Container, Mapping
from typing import NamedTuple

from ..files.spelling import option
from .edges import KNOWN, ROLES, Edge, Edges, check_names, number, word
from .signed import SignError

__all__ = ["edges_of_list"]

MARKS = "\t;,"  # between fields, or else blanks
COMMENT = re.compile("[#%]( |$)")


class Record(NamedTuple):
    """A line of a file."""

    place: str  #: "quarrels.csv, row 3"
    fields: list[str]


def edges_of_list(
    name: str, lines: list[str], columns: Mapping[str, str | int], known: Container[str]
) -> Edges:
    """Read the edges of an edge list or a matrix, where `known` words are signs, as numbers are."""
    records = _records(name, lines)
    head = records[0].fields
    if any(isinstance(column, int) for column in columns.values()):
        return _edge_list(records, _counted(name, head, columns))
    if columns or {"source", "target"} <= {*map(str.lower, head)}:
        places = _named(name, head, columns)
        if len(records) == 1:
            raise SignError(f"{name}: a header alone is no network")
        return _edge_list(records[1:], places, head[places[2]].lower())

    def is_sign(field: str) -> bool:
        text = word(field)
        return text in ("+", "-") or text in known or number(text) is not None

    # A matrix has the same names in its first row and its first column, an edge list a sign in its third field.
    is_matrix = len(head) > 2 and [fields[0] for _, fields in records[1:]] == head[1:]
    is_list = len(head) == 3 and is_sign(head[2])
    if is_list and not is_matrix:
        return _edge_list(records, [0, 1, 2])
    begin = f"{name} begins with {', '.join(head[:8])}"
    if not is_matrix:
        ways = option("columns", dict.fromkeys(ROLES, "…"))
        raise SignError(
            f"{begin}: {KNOWN}. {ways} names columns, or counts them from 0 without a header"
        )
    if is_list or all(is_sign(field) for field in head if field):
        counted = option("columns", {"source": 0, "target": 1, "sign": 2})
        raise SignError(
            f"{begin}: are these names of nodes, numbers, or an edge? A word as the first field says "
            f"that names follow; {counted} reads edges; numbers alone name no node"
        )
    return _matrix(records, known)


def _records(name: str, lines: list[str]) -> list[Record]:
    """Return the records of a file, all of one width; comments and blank lines are left out."""
    records = []
    mark = " "
    for row, line in enumerate(lines, 1):
        place = f"{name}, row {row}"
        text = line.strip(" ")
        if not text.strip() or COMMENT.match(text):
            continue
        if text.startswith(("#", "%")):
            raise SignError(
                f"{place}: is {text[:40]!r} a comment, or does the name of a node begin with {text[0]}? "
                f"Write such a name in quotes, and a comment with a blank: '{text[0]} '"
            )
        if not records:
            outside = re.sub('"[^"]*"', "", text)
            mark = next((mark for mark in MARKS if mark in outside), " ")
        try:
            fields = next(csv.reader([text], delimiter=mark, skipinitialspace=True, strict=True))
        except csv.Error as error:
            raise SignError(f"{place}: quotes go around a whole field ({error})") from None
        records.append(Record(place, [field.strip() for field in fields]))
        width = len(records[0].fields)
        if len(fields) != width:
            raise SignError(
                f"{place}: {len(fields)} fields, not {width} as in the first row; {KNOWN}"
            )
    if not records:
        raise SignError(f"{name}: comments alone are no network")
    return records


def _counted(name: str, head: list[str], columns: Mapping[str, str | int]) -> list[int]:
    """Return the places of source, target and sign that the caller counts."""
    places = [columns.get(role) for role in ROLES]
    if not all(place in range(len(head)) for place in places):
        ways = f"source, target and sign, each from 0 to {len(head) - 1}"
        raise SignError(f"{name}: {option('columns')} counts {ways}, or names columns of a header")
    return places


def _named(name: str, head: list[str], columns: Mapping[str, str | int]) -> list[int]:
    """Return the places of source, target and sign in a header; usual names in any case of letters."""
    lower = [field.lower() for field in head]
    places = []
    for role in ROLES:
        wanted = columns.get(role, role)
        among = head if role in columns else lower
        if wanted == "sign" and wanted not in among:
            wanted = "weight"
        if among.count(wanted) != 1:
            which = "more than one column" if wanted in among else "no column"
            ways = option("columns", {role: "…"})
            raise SignError(
                f"{name}: {which} of {', '.join(head)} is called {wanted!r}; {ways} names another"
            )
        places.append(among.index(wanted))
    return places


def _edge_list(records: list[Record], places: list[int], column: str = "") -> Edges:
    edges = []
    for place, fields in records:
        source, target, sign = (fields[at] for at in places)
        if not source or not target:
            raise SignError(f"{place}: a node has no name")
        edges.append(Edge(place, source, target, word(sign)))
    return Edges(edges, column=column)


def _matrix(records: list[Record], known: Container[str]) -> Edges:
    """Read a matrix; nothing is no edge, and neither is 0, unless it is a `known` sign."""
    names = records[0].fields[1:]
    check_names(records[0].place, names)
    edges = []
    for place, (source, *entries) in records[1:]:
        for target, entry in zip(names, entries, strict=True):
            text = word(entry)
            zero = number(text) == 0 and (source == target or text not in known)
            if text and not zero:
                edges.append(Edge(place, source, target, text))
    return Edges(edges, names)
