"""Answers written back into the user's own file: what no answer touches stays as it was, byte for byte."""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files.content import BOM, load, opened
from ..files.delimited import edited_records
from ..files.errors import PairsError
from ..files.json_edit import REMOVED, edited, element_spans, without
from ..files.json_lines import is_lines, json_lines
from ..files.names import TABLES, ending, sibling
from ..files.outputs import atomic_write, file_hash, write_json
from .check import sift
from .labels import label_text
from .lenses import Edit, PairEffect
from .nested import path_of
from .read import Reading, read_source, rules_of
from .remembered import kept_options, layout_file
from .tables import DECIDED

__all__ = ["clean_name", "write_back"]


def clean_name(report: Mapping[str, Any]) -> str:
    """The name for the corrected copy of a file that was read: ``my.clean.csv``, or with the ending of its format."""
    path = Path(report["path"])
    return sibling(path, "clean", "" if ending(path) in TABLES else report["ending"]).name


def write_back(pairs: pd.DataFrame, effects: Mapping[int, str], path: str | PathLike) -> int:
    """Write a copy of the file that pairs were read from, with answers in it.

    The file's words, rows, columns, encoding, quotes and line ends stay, whatever its layout; `lenses` says where an
    answer stands in each. Rows that are left out go to a file beside it, as they were: ``clean.left_out.csv``. Where
    options were needed to read the file, ``clean.csv.layout.json`` has them, so the copy needs none. Returns the
    number of records that were left out.

    Parameters
    ----------
    pairs : DataFrame
        As `read_pairs` gave it, or some of its rows; the report names the file.
    effects : dict
        For positions in `pairs` "becomes 1", "becomes 0", "stays" or "dropped".
    path : str or Path
        Has the ending of the file; ``.gz`` after it compresses the content.

    Raises
    ------
    PairsError
        The pairs do not come from a file; the file has changed since; the name has the ending of another format.

    Examples
    --------
    >>> import tempfile, paragraph as pg
    >>> file = Path(tempfile.mkdtemp()) / "my.csv"
    >>> file.write_text('text_a;label;text_b\\nHow?;ja;"In what way?"\\nWhy?;nein;When?\\nWho?;ja;Where?\\n')
    74
    >>> pairs = pg.read_pairs(file, labels={"ja": 1, "nein": 0})
    >>> write_back(pairs, {1: "dropped", 2: "becomes 0"}, file.with_name("clean.csv"))
    1
    >>> print(file.with_name("clean.csv").read_text())
    text_a;label;text_b
    How?;ja;"In what way?"
    Who?;nein;Where?
    <BLANKLINE>
    """
    report, path = pairs.attrs.get("report") or {}, Path(path)
    if not report.get("path"):
        raise PairsError(
            "these pairs do not come from a single file that could be corrected; write_pairs writes the table"
        )
    file, options = Path(report["path"]), report["options"]
    _check_unchanged(file, report)
    reading = read_source(file, options, options["max_unpacked"])
    own = ending(file) if ending(file) in TABLES else report["ending"]
    if ending(path) != own:
        raise PairsError(f"{path.name}: the corrected file has the format of {file.name}; end its name in {own}")
    edits = _edits(reading, pairs, effects)
    data, encode = _content(file, options["encoding"], options["max_unpacked"])
    out = sibling(path, "left_out")
    contents = dict(zip((path, out), _applied(reading, data, edits), strict=True))
    kept_layout = kept_options(options | {"votes": reading.signs.votes})
    with atomic_write(path, inputs=[file]) as part:
        for place, content in contents.items():
            packed = place.suffix == ".gz"
            if content == data and packed == (file.suffix == ".gz"):
                raw = file.read_bytes()
            else:
                raw = gzip.compress(encode(content), 6, mtime=0) if packed else encode(content)
            part.with_name(place.name).write_bytes(raw)
        if reading.layout.names and isinstance(reading.layout.names[0], int) and _adds(reading, edits):
            kept_layout["columns"] = options["columns"] | {DECIDED: len(reading.layout.names)}
        if kept_layout:
            write_json(kept_layout, layout_file(part))
    return sum(edit.leaves for edit in edits.values())


def _check_unchanged(file: Path, report: Mapping[str, Any]) -> None:
    """Refuse a file that is not, byte for byte, the one that was read."""
    then = f"the file that the answers are about (SHA-256 {report['sha256']})"
    if not file.is_file():
        raise PairsError(f"{file}: is gone; put {then} back, or read it in its new place")
    if (now := file_hash(file)) != report["sha256"]:
        raise PairsError(
            f"{file}: has changed since it was read (SHA-256 now {now}), and is not {then}; put that file back, or "
            "read the new one and apply the answers to it"
        )


def _content(file: Path, encoding: str, limit: int | None) -> tuple[bytes, Callable[[bytes], bytes]]:
    """The content of a file as UTF-8 without a byte-order mark, and a function that gives its own bytes back."""
    data = load(file, encoding, limit)
    with opened(file) as source:
        raw = source.read()
    if raw in (data, BOM + data):
        mark = raw[: len(raw) - len(data)]
        return data, lambda text: mark + text

    def encode(text: bytes) -> bytes:
        return text.decode("utf-8", "surrogatepass").encode(encoding)

    with suppress(UnicodeError):
        if encode(data) == raw:
            return data, encode
    raise PairsError(f"{file.name}: {encoding} does not give back every byte; save the file as UTF-8 first")


# ---------------------------------------------------------------- from pairs to records


def _edits(reading: Reading, pairs: pd.DataFrame, effects: Mapping[int, str]) -> dict[int, Edit]:
    """The edit of each record that an answer is about, by its row."""
    texts, signs = reading.texts, reading.signs
    kept = np.flatnonzero(sift(texts, reading.layout, signs, rules_of(pairs.attrs["report"]["options"])).kept)
    names = [name for name in ("text_a", "text_b", "annotator") if name in pairs and name in texts.columns]
    columns = {name: texts.columns[name].to_pylist() for name in names}
    known: dict[tuple, list[int]] = defaultdict(list)
    for i in kept.tolist():
        known[int(texts.row[i]), *(column[i] for column in columns.values())].append(i)
    effect_of: dict[int, str] = {}
    for position, key in enumerate(pairs[["row", *names]].itertuples(index=False, name=None)):
        places = known[key]
        if not places:
            raise PairsError(f"{texts.name}, row {key[0]}: another pair than when it was read; read the file again")
        at = places.pop(0)
        if position in effects:
            effect_of[at] = effects[position]
    rows = {int(texts.row[i]) for i in effect_of}
    by_row: dict[int, list[PairEffect]] = defaultdict(list)
    for i in np.flatnonzero(np.isin(texts.row, [*rows])).tolist():
        sign = int(signs.state[i]) if signs.state[i] < 2 else None
        place = texts.places[i] if texts.places else ()
        by_row[int(texts.row[i])].append(PairEffect(place, sign, effect_of.get(i, "")))
    return {row: reading.lens.put(each) for row, each in by_row.items()}


def _adds(reading: Reading, edits: Mapping[int, Edit]) -> bool:
    """True if a column `decided` has to be added."""
    some = any(edit.decided is not None for edit in edits.values())
    return some and DECIDED not in reading.layout.roles


def _words(reading: Reading) -> dict[int, str]:
    """How the file spells 1 and 0: as its labels mostly do, or as 1 and 0 where its labels are scores or none."""
    signs, found = reading.signs, {}
    if not isinstance(signs.labels, dict) or "label" not in reading.texts.columns:
        return {0: "0", 1: "1"}
    for value, _ in Counter(reading.texts.columns["label"].to_pylist()).most_common():
        with suppress(ValueError):
            found.setdefault(signs.sign(value), value)
    for sign in {0, 1} - {*found}:
        known = (label_text(label) for label, meaning in signs.labels.items() if meaning == sign)
        found[sign] = next(known, str(sign))
    return found


def _like(word: str, old: Any) -> Any:
    """A word of the file as a value of the kind that it replaces; as a number, if there was none."""
    if isinstance(old, list):
        return [_like(word, old[0] if old else None)]
    if isinstance(old, bool):
        return word in ("1", "true")
    if old is None and word in ("0", "1"):
        return int(word)
    return type(old)(word) if isinstance(old, int | float) else word


def _applied(reading: Reading, data: bytes, edits: Mapping[int, Edit]) -> tuple[bytes, bytes]:
    """The content with the edits, and that of the records that leave."""
    gone = {row for row, edit in edits.items() if edit.leaves}
    if reading.opened.kind == "delimited":
        return _delimited(reading, data, edits, gone)
    if data.startswith(b"PAR1"):
        return _parquet(reading, data, edits, gone)
    return _json(reading, data, edits, gone)


# ---------------------------------------------------------------- formats


def _delimited(reading: Reading, data: bytes, edits: Mapping[int, Edit], gone: set[int]) -> tuple[bytes, bytes]:
    layout, content = reading.layout, reading.opened.content
    names = [*layout.names]
    words, adds = _words(reading), _adds(reading, edits)
    if adds and layout.further:
        raise PairsError(f"{reading.opened.name}: its rows differ in length, so no column {DECIDED!r} can be added")
    decided = len(names) if adds else layout.roles.get(DECIDED)
    place = {name: i for i, name in enumerate(names)}

    def changes(row: int) -> dict[int, str]:
        edit, found = edits.get(row, Edit()), {}
        if adds:
            found[decided] = DECIDED if row == 1 and layout.header else ""
        if edit.decided is not None:
            found[place.get(decided, decided)] = words[edit.decided]
        if edit.label is not None:
            found[place[layout.roles["label"]]] = words[edit.label]
        return found | {place[path[0]]: text for path, text in edit.values.items()}

    dialect = layout.delimiters, bool(layout.quoted)
    lines = [*edited_records(content, dialect, names, layout.further, changes)]
    head = lines[0][1] if layout.header and lines else b""
    start = data[: len(data) - len(content)]  # the first line `sep=;`
    kept = b"".join(line for row, line in lines if row not in gone)
    left = b"".join(line for row, line in lines if row in gone)
    return start + kept, start + head + left


def _changes(reading: Reading, record: Any, edit: Edit, words: Mapping[int, str]) -> dict[tuple, Any]:
    """The new values in a record of JSON or of a Parquet table, by their paths."""
    found = {}
    for path, value in edit.values.items():
        found[path_of(record, path[0]) or path if len(path) == 1 else path] = value
    if edit.label is not None:
        column = reading.layout.roles["label"]
        path = path_of(record, column) or (column,)
        found[path] = _like(words[edit.label], _at(record, path))
    if edit.decided is not None:
        key = len(record) if isinstance(record, list) else DECIDED
        found[(key,)] = _like(words[edit.decided], None)
    return found


def _at(record: Any, path: tuple) -> Any:
    """The value at a path in a record; None where there is none."""
    for key in path:
        try:
            record = record[key]
        except (KeyError, IndexError, TypeError):
            return None
    return record


def _json(reading: Reading, data: bytes, edits: Mapping[int, Edit], gone: set[int]) -> tuple[bytes, bytes]:
    words = _words(reading)
    if is_lines(data):
        lines = []
        for row, (line, record) in enumerate(json_lines(data), 1):
            if row in edits and row not in gone:
                line = edited(line.decode(), _changes(reading, record, edits[row], words)).encode()
            lines.append((row, line))
        kept, left = (b"".join(line for row, line in lines if (row in gone) == out) for out in (False, True))
        return kept, left
    text = data.decode()
    spans = element_spans(text)
    parts, at = [], 0
    for row, (start, end) in enumerate(spans, 1):
        element = text[start:end]
        if row in edits and row not in gone:
            element = edited(element, _changes(reading, json.loads(element), edits[row], words))
        parts += [text[at:start], element]
        at = end
    changed = "".join([*parts, text[at:]])
    kept = without(changed, element_spans(changed), [row - 1 for row in gone]) if gone else changed
    left = ",\n".join(text[slice(*spans[row - 1])] for row in sorted(gone))
    return kept.encode(), f"[\n{left}\n]\n".encode()


def _parquet(reading: Reading, data: bytes, edits: Mapping[int, Edit], gone: set[int]) -> tuple[bytes, bytes]:
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(data))
    table = file.read()
    if not any(edit != Edit() for edit in edits.values()):
        return data, _parquet_bytes(table[:0], file)
    words, records, schema = _words(reading), table.to_pylist(), table.schema
    if _adds(reading, edits):
        schema = schema.append(pa.field(DECIDED, pa.array([_like(words[1], None)]).type))
    for row, edit in edits.items():
        changes = _changes(reading, records[row - 1], edit, words)
        for path in sorted(changes, key=lambda path: [f"{key:>9}" for key in path], reverse=True):
            _set(records[row - 1], path, changes[path])  # the last of a list first: one may be taken out
    kept, left = ([one for i, one in enumerate(records, 1) if (i in gone) == out] for out in (False, True))
    return tuple(_parquet_bytes(pa.Table.from_pylist(some, schema), file) for some in (kept, left))


def _set(record: Any, path: tuple, value: Any) -> None:
    """Set a value in a record of a table, or take it out of its list."""
    for key in path[:-1]:
        record = record[key]
    if value is REMOVED:
        del record[path[-1]]
    else:
        record[path[-1]] = value


def _parquet_bytes(table: pa.Table, like: Any) -> bytes:
    """A table as Parquet, packed as another file is."""
    import pyarrow.parquet as pq

    out, about = io.BytesIO(), like.metadata
    codec = about.row_group(0).column(0).compression if about.num_row_groups and about.num_columns else "SNAPPY"
    pq.write_table(table, out, compression="NONE" if codec == "UNCOMPRESSED" else codec, write_page_checksum=True)
    return out.getvalue()
