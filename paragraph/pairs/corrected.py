"""The user's own file with some labels corrected: rows that no decision touches stay as they were, byte for byte."""

from __future__ import annotations

import gzip
import json
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files.content import BOM, load, opened
from ..files.delimited import raw_fields, records
from ..files.errors import PairsError
from ..files.json_lines import is_lines, json_lines
from ..files.names import TABLES, beside, ending
from ..files.outputs import file_hash, written
from ..files.tables import MARK, guarded, quote_fields
from .labels import label_text
from .meanings import Signs, signs_of
from .read import read_source
from .source import Source
from .write import write_pairs

__all__ = ["DECIDED", "write_corrected"]

#: The column that holds decided labels where the labels of the file are scores, which stay.
DECIDED = "decided"
#: The row of a record, and its bytes.
Line = tuple[int, bytes]


def write_corrected(
    pairs: pd.DataFrame, effects: Mapping[int, str], path: str | PathLike, corrected: pd.DataFrame
) -> None:
    """Write a copy of the file that pairs were read from, with some labels changed and some rows left out.

    In CSV, TSV and JSON Lines, format, delimiter, quotes, header, columns, order, byte-order mark and line ends stay;
    each row without an effect stays byte for byte. A changed label is spelled as the file usually spells it. Where
    labels are scores, they stay, and the column ``decided`` takes the decided labels. Rows that are left out go to a
    file beside it, as they were: ``clean.left_out.csv``. For any other file, a new table of pairs is written.

    Parameters
    ----------
    pairs : DataFrame
        As `read_pairs` gave it; the report names the file.
    effects : dict
        For row numbers "becomes 1", "becomes 0", "stays" or "dropped".
    path : str or Path
        Has the ending of the file; ``.gz`` after it compresses the content. A new table is as in `write_pairs`.
    corrected : DataFrame
        The pairs with their corrected labels, for a new table.

    Raises
    ------
    PairsError
        The pairs do not come from a file; the file has changed since; the name has the ending of another format.

    Examples
    --------
    >>> import tempfile, paragraph as pg
    >>> file = Path(tempfile.mkdtemp()) / "my.csv"
    >>> file.write_text('question1;label;question2\\nHow?;yes;"In what way?"\\nWhy?;no;When?\\nWho?;yes;Where?\\n')
    80
    >>> pairs = pg.read_pairs(file, labels={"yes": 1, "no": 0})
    >>> write_corrected(pairs, {3: "dropped", 4: "becomes 0"}, file.with_name("clean.csv"), pairs)
    >>> print(file.with_name("clean.csv").read_text())
    question1;label;question2
    How?;yes;"In what way?"
    Who?;no;Where?
    <BLANKLINE>
    """
    report, path = pairs.attrs.get("report", {}), Path(path)
    if not report.get("path") or "options" not in report:
        raise PairsError(
            "these pairs do not come from a single file that could be corrected; write_pairs writes the table"
        )
    file, options, out = Path(report["path"]), report["options"], beside(path, "left_out")
    _check_unread(file, report)
    how = (options[name] for name in ("format", "columns", "header", "quoting", "encoding", "max_unpacked"))
    source = read_source(file, *how)
    signs = signs_of(source, options["labels"])
    if not _has_own_lines(source, file, options):
        warnings.warn(
            f"{path.name} is a new table of pairs, without the other fields of {file.name}: line by line, only CSV, "
            "TSV and flat JSON Lines are corrected",
            stacklevel=2,
        )
        before, after = (pd.MultiIndex.from_frame(each[["row", "text_a", "text_b"]]) for each in (pairs, corrected))
        write_pairs(corrected, path)
        write_pairs(pairs[~before.isin(after)], out)
        return
    kind = source.layout.delimiters if source.kind == "delimited" else "jsonl"
    own = ending(file) if ending(file) in TABLES else {"\t": ".tsv", "jsonl": ".jsonl"}.get(kind, ".csv")
    if ending(path) != own:
        raise PairsError(f"{path.name}: the corrected file has the format of {file.name}; end its name in {own}")
    data, encode = _content(file, options["encoding"], options["max_unpacked"])
    lines = [*(_delimited(source, signs, effects) if kind != "jsonl" else _json(data, source, signs, effects))]
    kept, left = (
        b"".join(new for row, new in lines if (effects.get(row) == "dropped") == gone) for gone in (False, True)
    )
    if kind != "jsonl":
        start = data[: len(data) - len(source.content)]  # the first line `sep=;`
        head = lines[0][1] if source.header else b""
        kept, left = start + kept, start + head + left
    if not isinstance(signs.labels, dict):
        warnings.warn(
            f"the scores of {file.name} stay; the decided labels are in a column of their own, {DECIDED!r}",
            stacklevel=2,
        )
    with written(path, inputs=[file]) as part:
        for place, content in ((path, kept), (out, left)):
            content = encode(content)
            packed = gzip.compress(content, 6, mtime=0) if place.suffix == ".gz" else content
            part.with_name(place.name).write_bytes(packed)


def _has_own_lines(source: Source, file: Path, options: dict) -> bool:
    """Tell if each pair of a file has a line of its own, with its label as one value."""
    if source.kind == "delimited" or not source.single:
        return source.single
    if source.kind != "records" or not is_lines(load(file, options["encoding"], options["max_unpacked"])):
        return False
    column = source.layout.roles.get("label")
    named = isinstance(column or "", str) and "." not in (column or "")
    return named and not any(isinstance(record.get(column), list | dict) for record in source.content)


def _content(source: Path, encoding: str, limit: int | None) -> tuple[bytes, Callable[[bytes], bytes]]:
    """The content of a file as UTF-8 without a byte-order mark, and a function that gives its own bytes back."""
    data = load(source, encoding, limit)
    with opened(source) as file:
        raw = file.read()
    if raw in (data, BOM + data):
        mark = raw[: len(raw) - len(data)]
        return data, lambda text: mark + text

    def encode(text: bytes) -> bytes:
        return text.decode("utf-8", "surrogatepass").encode(encoding)

    with suppress(UnicodeError):
        if encode(data) == raw:
            return data, encode
    raise PairsError(f"{source.name}: {encoding} does not give back every byte; save the file as UTF-8 first")


def _check_unread(file: Path, report: dict[str, Any]) -> None:
    """Refuse a file that is not, byte for byte, the one that was read."""
    then = f"the file that the answers are about (SHA-256 {report['sha256']})"
    if not file.is_file():
        raise PairsError(f"{file}: is gone; put {then} back, or read it in its new place")
    if (now := file_hash(file)) != report["sha256"]:
        raise PairsError(
            f"{file}: has changed since it was read (SHA-256 now {now}), and is not {then}; put that file back, or "
            "read the new one and apply the answers to it"
        )


# ---------------------------------------------------------------- labels


def _spellings(counts: Counter, signs: Signs) -> dict[int, Any]:
    """The commonest spellings of 1 and of 0 among the labels of a file; a missing one is modelled on the other."""
    found = {}
    for value, _ in counts.most_common():
        with suppress(ValueError):
            found.setdefault(signs.of(label_text(value)), value)
    for same in {0, 1} - {*found}:
        other = found.get(1 - same, "")
        known = next((key for key, value in signs.labels.items() if value == same), same)
        found[same] = str(known) if isinstance(other, str) else type(other)(same)
    return found


def _plan(source: Source, signs: Signs, effects: Mapping[int, str], values: list) -> tuple[dict[int, Any], str]:
    """The new values of rows, and the column that takes them; `values` are the labels as they stand."""
    new, scores = {}, not isinstance(signs.labels, dict) or "label" not in source.layout.roles
    wishes = {"becomes 1": 1, "becomes 0": 0}
    for i in np.flatnonzero(np.isin(source.row, list(effects))).tolist():
        has, row = None, int(source.row[i])
        with suppress(ValueError):
            has = signs.of(source.label(i))
        want = has if effects[row] == "stays" else wishes.get(effects[row])
        if want is not None and (scores or want != has):
            new[row] = want
    if scores:
        return new, DECIDED
    spelled = _spellings(Counter(value for value in values if value is not None), signs)
    return {row: spelled[same] for row, same in new.items()}, source.layout.roles["label"]


# ---------------------------------------------------------------- formats


def _delimited(source: Source, signs: Signs, effects: Mapping[int, str]) -> Iterator[Line]:
    """The records of a delimited file, the header among them."""
    names, delimiter, quoted = source.names, source.layout.delimiters, bool(source.layout.quoted)
    values = source.columns["label"].to_pylist() if "label" in source.columns else []
    new, column = _plan(source, signs, effects, values)
    place = names.index(column) if column in names else len(names)
    if place == len(names) and source.header:
        new[1] = column
    for row, _, why, (start, end) in records(source.content, delimiter, quoted, len(names)):
        line = source.content[start:end]
        body = line.rstrip(b"\r\n")
        value = new.get(row, "" if place == len(names) else None)
        if value is not None and not why and body.strip():
            fields = raw_fields(body, delimiter, quoted)
            text = pa.array([str(value)], pa.large_string())
            text = guarded(text) if MARK in names else text
            field = (quote_fields(text, delimiter) if quoted else text)[0].as_py().encode()
            if fields[place:] and fields[place].startswith(b'"') and quoted and not field.startswith(b'"'):
                field = b'"%b"' % field
            fields[place : place + 1] = [field]
            line = delimiter.encode().join(fields) + line[len(body) :]
        yield row, line


def _json(data: bytes, source: Source, signs: Signs, effects: Mapping[int, str]) -> Iterator[Line]:
    """The lines of JSON Lines."""
    column = source.layout.roles.get("label")
    new, column = _plan(source, signs, effects, [record.get(column) for record in source.content])
    for row, (line, record) in enumerate(json_lines(data), 1):
        if row in new:
            text = json.dumps(record | {column: new[row]}, ensure_ascii=line.isascii())
            line = text.encode() + line[len(line.rstrip()) :]
        yield row, line
