"""Edges of Pajek files.

The reader of networkx takes a list of arcs (``*Arcslist``) and the second of several relations for
arcs with values, joins vertices of one label, and knows no rows: here each is told apart.
"""

from __future__ import annotations

import re

from .edges import Edge, Edges, check_names, word
from .signed import SignError

__all__ = ["edges_of_pajek"]

MOST_VERTICES = 10_000_000  # vertices need no lines of their own
FIELD = re.compile(r'"([^"]*)"|([^\s"]+)')


def edges_of_pajek(name: str, lines: list[str]) -> Edges:
    """Read the vertices, edges and arcs of a Pajek network, where each edge has a value."""
    section, count = "", 0
    labels: dict[int, str] = {}
    edges: list[tuple[str, int, int, str]] = []
    for row, line in enumerate(lines, 1):
        where = f"{name}, row {row}"
        if line.count('"') % 2:
            raise SignError(f"{where}: a quote is open")
        fields = [quoted or plain for quoted, plain in FIELD.findall(line)]
        if not fields or line.lstrip().startswith("%"):
            continue
        if fields[0].startswith("*"):
            section = _section(where, fields)
            if section == "*vertices":
                count = _count(where, fields, count)
        elif section == "*vertices":
            vertex = _vertex(where, fields[0], count)
            if vertex in labels or len(fields) < 2:
                raise SignError(f"{where}: vertex {vertex} needs one row, with its label")
            labels[vertex] = fields[1]
        elif section in ("*edges", "*arcs") and _is_edge(fields):
            ends = [_vertex(where, field, count) for field in fields[:2]]
            sign = word(fields[2]) if len(fields) > 2 else ""
            edges.append((f"row {row}", *ends, sign))
        else:
            raise SignError(f"{where}: {line.strip()[:40]!r} is neither vertex nor edge nor arc")
    if not count:
        raise SignError(f"{name}: a network of Pajek begins with '*Vertices n'")
    if labels and len(labels) < count:
        raise SignError(f"{name}: {len(labels)} of {count} vertices have a row; each needs one, or none")
    names = [labels.get(vertex, str(vertex)) for vertex in range(1, count + 1)]
    check_names(name, names)
    named = [Edge(place, names[a - 1], names[b - 1], sign) for place, a, b, sign in edges]
    return Edges(name, named, names, "")


def _section(where: str, fields: list[str]) -> str:
    """Return the part of the file that a row begins; refuse one whose rows are no edges with values."""
    section = fields[0].lower()
    if section not in ("*network", "*vertices", "*edges", "*arcs"):
        raise SignError(f"{where}: {fields[0]} says no signs; write each edge below *Edges, as 'vertex vertex value'")
    if section in ("*edges", "*arcs") and len(fields) > 1:
        raise SignError(
            f"{where}: {' '.join(fields)} is one of several relations; write one list of *Edges, "
            "whose values are the signs"
        )
    return section


def _count(where: str, fields: list[str], before: int) -> int:
    """Return the number of vertices of the one network in a file."""
    number = int(fields[1]) if len(fields) == 2 and fields[1].isdecimal() else 0
    if before or not 0 < number <= MOST_VERTICES:
        raise SignError(f"{where}: one network of one kind of vertices is read, '*Vertices n'")
    return number


def _is_edge(fields: list[str]) -> bool:
    """Return True for two vertices, perhaps with a value, and then with names and values of properties."""
    return len(fields) > 1 and not any(name[0].isdigit() for name in fields[3::2])


def _vertex(where: str, text: str, count: int) -> int:
    vertex = int(text) if text.isdecimal() and len(text) < 9 else 0
    if not 0 < vertex <= count:
        raise SignError(f"{where}: {text[:40]!r} is no vertex from 1 to {count}")
    return vertex
