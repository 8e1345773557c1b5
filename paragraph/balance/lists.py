"""Edges of delimited files: edge lists and matrices."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..files.spelling import option
from .edges import KNOWN, Edge, Edges, check_names, number, word
from .signed import SignError

__all__ = ["ROLES", "edges_of_list"]

ROLES = ("source", "target", "sign")
MARKS = "\t;,"  # between fields, or else blanks


class Record(NamedTuple):
    """A line of a file."""

    row: int
    fields: list[str]


def edges_of_list(name: str, lines: list[str], columns: Mapping[str, str | int], known: Collection[str]) -> Edges:
    """Read the edges of an edge list or a matrix, where `known` words are signs, as numbers are."""
    records = _records(name, lines)
    if not records:
        raise SignError(f"{name}: comments alone are no network")
    head = records[0].fields
    begin = f"{name} begins with {', '.join(head[:8])}"
    for row, fields in records:
        if len(fields) != len(head):
            if head[0].startswith(("*", "<")):
                raise SignError(f"{begin}: {KNOWN}, each with its ending")
            count = f"{len(fields)} fields, not {len(head)} as in the first row"
            raise SignError(f"{name}, row {row}: {count}")
    if columns and all(isinstance(column, int) for column in columns.values()):
        return _edge_list(name, records, _counted(name, head, columns), "")
    if columns or {"source", "target"} <= {*map(str.lower, head)}:
        places = _named(name, head, columns)
        return _edge_list(name, records[1:], places, head[places[2]].lower())
    matrix = len(head) > 2 and [fields[0] for _, fields in records[1:]] == head[1:]
    nameless = not any(field and not _may_be_sign(field, known) for field in head)
    plain = len(head) == 3 and _may_be_sign(head[2], known)
    if matrix and not nameless and not plain:
        return _matrix(name, records, known)
    if plain and not matrix:
        return _edge_list(name, records, [0, 1, 2], "")
    if matrix:
        counted = option("columns", {"source": 0, "target": 1, "sign": 2})
        raise SignError(
            f"{begin}: are these names of nodes, numbers, or an edge? A word as the first field says "
            f"that names follow; {counted} reads edges; numbers alone name no node"
        )
    ways = option("columns", dict.fromkeys(ROLES, "…"))
    raise SignError(f"{begin}: {KNOWN}. {ways} names columns, or counts them from 0 without a header")


def _may_be_sign(field: str, known: Collection[str]) -> bool:
    text = word(field)
    return text in ("+", "-") or text in known or number(text) is not None


# -- lines and fields --------------------------------------------------------------------------


def _records(name: str, lines: list[str]) -> list[Record]:
    """Return the records of a file; comments and blank lines are left out."""
    mark = ""
    records = []
    comments = []
    for row, line in enumerate(lines, 1):
        text = line.strip(" ")
        if not text.strip():
            continue
        if text[0] in "#%":
            comments.append(Record(row, [text]))
            continue
        if not records:
            outside = re.sub('"[^"]*"', "", text)
            mark = next((mark for mark in MARKS if mark in outside), " ")
        records.append(Record(row, _fields(name, row, text, mark)))
    for row, (text,) in comments:
        if records and _may_be_record(text, mark, len(records[0].fields)):
            raise SignError(
                f"{name}, row {row}: is {text[:40]!r} a comment, or does the name of a node begin "
                f"with {text[0]}? Write such a name in quotes, and a comment with a blank: '{text[0]} '"
            )
    return records


def _fields(name: str, row: int, text: str, mark: str) -> list[str]:
    line = re.sub(r'"[^"]*"|\s+', _one_blank, text) if mark == " " else text
    try:
        fields = next(csv.reader([line], delimiter=mark, strict=True))
    except csv.Error as error:
        raise SignError(f"{name}, row {row}: quotes go around a whole field ({error})") from None
    return [field.strip() for field in fields]


def _one_blank(found: re.Match) -> str:
    """Return a text in quotes as it is, and white space as one blank."""
    return found[0] if found[0].startswith('"') else " "


def _may_be_record(comment: str, mark: str, width: int) -> bool:
    """Return True for a comment with the fields of an edge, whose first word joins the mark."""
    fields = comment.split() if mark == " " else comment.split(mark)
    signs = [field for field in fields[2:] if _may_be_sign(field, ())]
    return len(fields) == width and bool(signs) and len(fields[0].split()[0]) > 1


# -- edge lists --------------------------------------------------------------------------------


def _counted(name: str, head: list[str], columns: Mapping[str, int]) -> list[int]:
    """Return the places of source, target and sign that the caller counts."""
    places = [columns.get(role, -1) for role in ROLES]
    if not all(0 <= place < len(head) for place in places):
        ways = f"source, target and sign, each from 0 to {len(head) - 1}"
        raise SignError(f"{name}: {option('columns')} counts {ways}, or names columns of a header")
    return places


def _named(name: str, head: list[str], columns: Mapping[str, str | int]) -> list[int]:
    """Return the places of source, target and sign in a header; usual names in any case of letters."""
    lower = [field.lower() for field in head]
    usual = {"source": "source", "target": "target", "sign": "weight"}
    if "sign" in lower:
        usual["sign"] = "sign"
    places = []
    for role in ROLES:
        wanted, among = usual[role], lower
        if role in columns:
            wanted, among = columns[role], head
        if among.count(wanted) != 1:
            which = "no column" if wanted not in among else "more than one column"
            ways = option("columns", {role: "…"})
            header = ", ".join(head)
            raise SignError(f"{name}: {which} of {header} is called {wanted!r}; {ways} names another")
        places.append(among.index(wanted))
    return places


def _edge_list(name: str, records: list[Record], places: list[int], column: str) -> Edges:
    if not records:
        raise SignError(f"{name}: a header alone is no network")
    edges = []
    for row, fields in records:
        source, target, sign = (fields[place] for place in places)
        if not source or not target:
            raise SignError(f"{name}, row {row}: a node has no name")
        edges.append(Edge(f"row {row}", source, target, word(sign)))
    return Edges(name, edges, [], column)


# -- matrices ----------------------------------------------------------------------------------


def _matrix(name: str, records: list[Record], known: Collection[str]) -> Edges:
    """Read a matrix; nothing is no edge, and neither is 0, unless it is a `known` sign."""
    names = records[0].fields[1:]
    check_names(f"{name}, row {records[0].row}", names)
    edges = []
    for row, (source, *entries) in records[1:]:
        for target, entry in zip(names, entries, strict=True):
            text = word(entry)
            zero = number(text) == 0 and (source == target or text not in known)
            if text and not zero:
                edges.append(Edge(f"row {row}", source, target, text))
    return Edges(name, edges, names, "")
