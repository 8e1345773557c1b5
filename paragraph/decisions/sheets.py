"""Answers in other files than a log: a filled-in sheet, or what a saved page wrote.

A sheet has one row per line of a conflict, its negative first, then the positives on the path between its sentences;
a pair that is stated both ways, or a sentence that is stated to differ from itself, is one row. A line of several
conflicts appears once. Answers say whether the two sentences of each line mean the same, as in an audit.
"""

from __future__ import annotations

import re
import warnings
import zlib
from collections import defaultdict
from datetime import UTC, datetime
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ..files.json_lines import json_objects
from ..graph import ParaphraseGraph
from ..graph.conflicts import contradictions
from ..pairs.evidence import read_table
from .record import FIELDS, NUMBERS, Answer, DecisionError, name_of, shortest_json, time_text

__all__ = ["SHEETS", "read_page", "read_sheet", "sheet"]

#: Endings of sheets, and of files that people may take for a sheet; a log has another.
SHEETS = (".csv", ".tsv", ".txt", ".json", ".xlsx", ".xls", ".ods")
#: The columns that a sheet must have.
_COLUMNS = ("question1", "question2", "label", "stated", "about", "written", "same")
#: The time of a sheet, and the number of its lines.
_WRITTEN = re.compile(r"([\d-]{10}T[\d:.]{12}Z)(?:, (\d+) lines)?")


def sheet(graph: ParaphraseGraph) -> pd.DataFrame:
    """List the lines of all conflicts, with the empty column `same` to fill in.

    Columns: `conflicts` (the numbers of the conflicts of the line), `question1`, `question2`,
    `label` (in the file's own word, if it is one), `rows` (the origin of the label; with the label
    of each row if they differ), `stated` (the label as 1 or 0), `about` (the pairs of these
    conflicts as JSON, so that a line is complete by itself), `written` (the time, and the number of
    lines), `same` (1: the two mean the same; 0: they do not; ?: nobody can say; empty: not
    answered).

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> sheet(ParaphraseGraph.from_pairs(pairs)).drop(columns=["rows", "stated", "about", "written", "same"])
      conflicts question1 question2  label
    0        #1         a         c      0
    1        #1         a         b      1
    2        #1         b         c      1
    """
    all_conflicts = contradictions(graph)
    numbers = {}  # by conflict
    lines = {}  # by unordered pair: its nodes and its edge
    conflicts_of = defaultdict(list)  # by unordered pair
    pairs = zip(*all_conflicts.ends.tolist(), strict=True)
    edges = all_conflicts.edges.tolist()
    cycles = zip(pairs, edges, all_conflicts.paths, all_conflicts.steps, strict=True)
    for pair, edge, path, steps in cycles:
        if pair in numbers:  # inside a cluster, and direct besides
            continue
        numbers[pair] = f"#{len(numbers) + 1}"
        ends = [pair, *pairwise(path)]
        for nodes, step in zip(ends, [edge, *steps], strict=True):
            line = frozenset(nodes)
            lines.setdefault(line, (nodes, step))
            conflicts_of[line].append(pair)
    written = f"{time_text(datetime.now(UTC))}, {len(lines)} lines"
    rows = []
    for line, (nodes, edge) in lines.items():
        conflicts = conflicts_of[line]
        row = _line(graph, *nodes, edge)
        row["conflicts"] = " ".join(numbers[pair] for pair in conflicts)
        row["about"] = shortest_json([graph.texts(pair) for pair in conflicts])
        rows.append(row | {"written": written, "same": ""})
    return pd.DataFrame(rows, columns=["conflicts", *_COLUMNS[:3], "rows", *_COLUMNS[3:]])


def _line(graph: ParaphraseGraph, a: int, b: int, edge: int) -> dict[str, Any]:
    """A line of a sheet: two nodes, or one node twice, and their edge, or -1."""
    rows = graph.rows_between(a, b) if edge < 0 else graph.rows_of(edge)
    words = graph.own_words or (0, 1)
    labels = (graph.row_sign[rows] > 0).astype(int).tolist()
    origins = []
    names = graph.row_names(rows)
    for row, name, label in zip(rows.tolist(), names, labels, strict=True):
        origin = str(name)
        if graph.annotators is not None:
            origin = f"{origin} {graph.annotators[row]}".strip()
        if len(set(labels)) > 1:
            origin += f" ({words[label]})"
        origins.append(origin)
    stated = int(edge >= 0 and graph.edge_sign[edge] > 0)
    return {
        "question1": graph.text(a),
        "question2": graph.text(b),
        "label": words[stated],
        "rows": ", ".join(origins),
        "stated": stated,
    }


def read_sheet(path: str | PathLike) -> list[Answer]:
    """Read the answers in a filled-in sheet, which is named after its reviewer (``ada.csv`` is "ada").

    The time of each answer is the time in the column `written`, so reading a copy again gives the
    same records. Lines without an answer may be missing.

    Raises
    ------
    PairsError
        Naming the row: an unknown answer, two answers for one pair, or a missing text. Also if nothing is answered.

    Warns
    -----
    UserWarning
        Lines are missing: they were deleted, or the file was cut off.
    """
    path = Path(path)
    table = read_table(path)
    for name in _COLUMNS:
        if name not in table:
            raise DecisionError(
                f"{path.name}: no column {name}, only {', '.join(table)}; fill in what "
                "`conflicts --to-decide` wrote"
            )
    answers = {}
    line_count = 0  # when the sheet was written
    for row, values in zip(table.index, table.to_dict("records"), strict=True):
        try:
            written = _WRITTEN.fullmatch(values["written"])
            if not written:
                like = "is not like 2026-01-31T12:00:00.000Z, 12 lines"
                raise DecisionError(f"written {values['written']!r} {like}")
            line_count = max(line_count, int(written[2] or 0))
            stated = values["stated"].strip()
            if stated not in NUMBERS:
                raise DecisionError(f"stated {stated!r} is not 1 or 0")
            same = values["same"].strip()
            if same:
                answer = Answer(
                    time=written[1],
                    reviewer=name_of(path.stem),
                    text_a=values["question1"],
                    text_b=values["question2"],
                    same=same,
                    stated=stated,
                    about=values["about"].strip(),
                )
                answers[answer.id] = answer
        except DecisionError as error:
            raise DecisionError(f"{path.name}, row {row}: {error}") from None
    if not answers:
        raise DecisionError(
            f"{path.name}: nothing is answered yet; put 1 (the same), 0 (different) or ? (nobody can say) into the "
            "column same"
        )
    if len(table) < line_count:
        warnings.warn(
            f"{path.name}: {len(table):,} of {line_count:,} lines are there; "
            "the rest is deleted, or cut off",
            stacklevel=3,
        )
    return list(answers.values())


def read_page(path: str | PathLike) -> list[Answer]:
    """Read the records that a page of `Explorer.save` wrote; its last line has their number and a checksum.

    Raises
    ------
    DecisionError
        A record lacks a field, or has an unknown one: the message names file and row. Or the file
        is not as the page wrote it.
    """
    name = Path(path).name
    rows = list(json_objects(path))
    known = {*FIELDS} - {"id"}
    lines = ""
    records = []
    seal = rows.pop()[1] if rows else {}
    for row, values in rows:
        differing = sorted({*values} ^ known)
        if differing:
            names = ", ".join(differing)
            raise DecisionError(f"{name}, row {row}: fields missing or unknown: {names}")
        lines += f"{shortest_json(values)}\n"
        try:
            records.append(Answer(**values))
        except DecisionError as error:
            raise DecisionError(f"{name}, row {row}: {error}") from None
    checksum = zlib.crc32(lines.encode("utf-16-le"))  # of the code units of JavaScript's strings
    if seal != {"records": len(rows), "crc32": checksum}:
        raise DecisionError(
            f"{name}: it has been changed, or cut off: the last line does not count these {len(rows):,} records; "
            "save the file on the page again"
        )
    return records
