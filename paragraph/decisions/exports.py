"""Records as JSON Lines: files to read, compare line by line, and send."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterable
from dataclasses import asdict
from os import PathLike
from pathlib import Path

from ..files.json_lines import json_objects
from ..files.outputs import atomic_write
from ..files.records import check_rows, record_of, write_record
from .record import FIELDS, Answer, DecisionError, by_time, shortest_json

__all__ = ["digest", "read_records", "write_records"]


def write_records(
    records: Iterable[Answer], path: str | PathLike, inputs: Iterable[str | PathLike] = ()
) -> None:
    """Write records, ordered by time, as JSON Lines: the same records give the same bytes.

    A record beside the file counts them, so `read_records` notices if its end is lost.
    `inputs` are the logs that the records are from, and are not written over.
    """
    if Path(path).suffix != ".jsonl":
        raise DecisionError(f"{Path(path).name} must end in .jsonl")
    records = list(records)
    with atomic_write(path, inputs=inputs) as part:
        part.write_bytes(_json_lines(records))
        write_record({"rows": len(records)}, record_of(part))


def _json_lines(records: Iterable[Answer]) -> bytes:
    lines = [shortest_json(asdict(record)) + "\n" for record in by_time(records)]
    return "".join(lines).encode()


def digest(records: Iterable[Answer]) -> str:
    """SHA-256 of the records as JSON Lines, ordered by time: the same for the same records."""
    return hashlib.sha256(_json_lines(records)).hexdigest()


def read_records(path: str | PathLike) -> list[Answer]:
    """The records of a file that `write_records` wrote; or of a page that `Explorer.save` wrote.

    A page gives its records no `id`, but ends the file with their number and a checksum.

    Raises
    ------
    DecisionError
        Naming file and row, if a record is damaged, was changed, or has a field that this version does not know. Or
        records without an `id` are not as the page wrote them.
    """
    name = Path(path).name
    rows = list(json_objects(path)) if os.path.getsize(path) else []
    seal = None
    if rows and "crc32" in rows[-1][1]:
        seal = rows.pop()[1]
    check_rows(path, len(rows))
    records = []
    for row, values in rows:
        try:
            odd = {*values, "id"} ^ {*FIELDS}
            if odd:
                fields = ", ".join(sorted(odd))
                known = ", ".join(FIELDS)
                raise DecisionError(
                    f"fields missing or unknown: {fields}; this version of paragraph reads and writes {known}"
                )
            if values.get("id") == "":
                raise DecisionError("it has no id; only what a log wrote can be read back")
            records.append(Answer(**values))
        except DecisionError as error:
            raise DecisionError(f"{name}, row {row}: {error}") from None
    if seal or any("id" not in values for _, values in rows):
        lines = "".join(f"{shortest_json(values)}\n" for _, values in rows)
        checksum = zlib.crc32(lines.encode("utf-16-le"))
        if seal != {"records": len(rows), "crc32": checksum}:
            raise DecisionError(
                f"{name}: it has been changed, or cut off: the last line does not count these "
                f"{len(rows):,} records; save the file on the page again"
            )
    return records
