"""Decisions in files that can be read, compared line by line, and sent: JSON Lines and TSV."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..pairs.delimited import MARK, guarded, read_rows, unguarded
from ..pairs.opening import each_once, load
from ..pairs.outputs import beside
from ..pairs.write import DelimitedWriter, quote_fields
from .records import FIELDS, Decision, DecisionError, in_order, shortest_json, values_of

__all__ = ["digest", "read_records", "write_records"]


def write_records(records: Iterable[Decision], path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write records, ordered by time, as JSON Lines or TSV by the ending of `path`.

    The same records give the same bytes. Texts with tabs, quotes or line ends are quoted in TSV; with
    `spreadsheet_safe` none of them is run as a formula by a spreadsheet (see `pairs.delimited.guarded`).
    """
    if spreadsheet_safe and _kind(path) != ".tsv":
        raise DecisionError(f"{Path(path).name}: only .tsv is for a spreadsheet; spreadsheet_safe is for it")
    ordered = in_order(records)
    if _kind(path) == ".jsonl":
        with beside(path) as part:
            part.write_bytes(_json_lines(ordered))
        return
    columns = zip(*map(values_of, ordered), strict=True) if ordered else [()] * len(FIELDS)
    fields = [pa.array(map(_field, column), pa.large_string()) for column in columns]
    header = list(FIELDS)
    if spreadsheet_safe:
        header, fields = [*header, MARK], [*map(guarded, fields), pa.array(["1"] * len(ordered), pa.large_string())]
    with beside(path) as part, DelimitedWriter(part, header) as out:
        out.write([quote_fields(column) for column in fields])


def _json_lines(ordered: Iterable[Decision]) -> bytes:
    lines = (shortest_json(dict(zip(FIELDS, values_of(record), strict=True))) for record in ordered)
    return "".join(f"{line}\n" for line in lines).encode()


def digest(records: Iterable[Decision]) -> str:
    """SHA-256 of the records as JSON Lines, ordered by time: the same for the same records."""
    return hashlib.sha256(_json_lines(in_order(records))).hexdigest()


def _field(value: Any) -> str:
    return "" if value is None else str(value)


def read_records(path: str | PathLike) -> list[Decision]:
    """The records of a file that `write_records` wrote.

    Raises
    ------
    DecisionError
        Naming file and line, where a record is damaged, was changed, or has a field this version does not know.
    """
    rows = _jsonl(path) if _kind(path) == ".jsonl" else _tsv(path)
    found = []
    for line, values in rows:
        if odd := set(values) ^ set(FIELDS):
            raise DecisionError(
                f"{Path(path).name}, {line}: fields missing or unknown: {', '.join(sorted(map(str, odd)))}; "
                "this version of paragraph reads and writes " + ", ".join(FIELDS)
            )
        try:
            if not values["id"]:
                raise DecisionError("it has no id; only what a log wrote can be read back")
            found.append(Decision(**values))
        except DecisionError as error:
            raise DecisionError(f"{Path(path).name}, {line}: {error}") from None
    return found


def _kind(path: str | PathLike) -> str:
    kind = Path(path).suffix
    if kind not in (".jsonl", ".tsv"):
        raise DecisionError(f"{Path(path).name} must end in .jsonl or .tsv")
    return kind


def _jsonl(path: str | PathLike) -> Iterable[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(Path(path).read_bytes().split(b"\n"), 1):
        if line.strip():
            try:
                values = json.loads(line, object_pairs_hook=each_once)
            except (ValueError, RecursionError) as error:
                raise DecisionError(f"{Path(path).name}, line {number}: not JSON ({error})") from None
            if not isinstance(values, dict):
                raise DecisionError(f"{Path(path).name}, line {number}: not a JSON object")
            yield f"line {number}", values


def _tsv(path: str | PathLike) -> Iterable[tuple[str, dict[str, Any]]]:
    def numbers(name: str, text: str) -> Any:
        if name == "label":
            return {"": None, "0": 0, "1": 1}.get(text, text)
        try:
            return text if name != "seconds" else float(text) if text else None
        except ValueError:
            return text  # which Decision refuses, saying which it is

    with open(path, encoding="utf-8-sig", errors="replace") as file:
        header = file.readline().rstrip("\n").split("\t")
    safe = header[-1:] == [MARK]
    if header[: len(header) - safe] != list(FIELDS):
        raise DecisionError(f"{Path(path).name}: the header is not that of a log's TSV: {', '.join(FIELDS)}")
    places = list(range(len(FIELDS)))
    found = read_rows(load(path), "\t", True, len(header), places)
    if found.bad:
        row, value, why = found.bad[0]
        raise DecisionError(f"{Path(path).name}, row {row}: {value}: {why}")
    columns = [(unguarded(column) if safe else column).to_pylist()[1:] for column in found.columns]
    for row, values in zip(found.row[1:], zip(*columns, strict=True), strict=True):
        yield (
            f"row {row}",
            {name: numbers(name, value) for name, value in zip(FIELDS, values, strict=True)},
        )
