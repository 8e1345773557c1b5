"""Open a source: the bytes of a file, unpacked and as UTF-8, up to a limit; records of JSON; tables."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from .errors import PairsError, excerpt, option
from .outputs import as_described
from .records import flat

__all__ = ["HELD", "LOOKS_LIKE", "UNPACKED", "Opened", "bounded", "each_once", "json_objects", "load", "not_utf8"]
__all__ += ["open_parquet", "open_source", "opened", "parquet_errors", "parse_object", "without_sep"]

#: Bytes that may come out of one packed file, where nothing else is said and memory suffices.
UNPACKED = 8_000_000_000
#: The most memory that reading takes, as measured on hostile files: bytes for each byte, and for each of these marks.
#: A row that is listed as skipped takes most.
TIMES, BLANK = 6, {b"\n\n": 900, b"\r\r": 900, b"\n\r": 450, b"\t\n": 450, b",\n": 450}
DELIMITED, JSON = BLANK | {b"\n": 220, b"\r": 220, b'"': 12}, {b"\n": 350, b",": 80, b":": 80}
#: The same for files whose lines become Python objects, which take several times as much.
HELD = 1_000_000_000
#: The control groups of this process, and the folder that tells what they may use, where there are any.
OWN_GROUPS, GROUPS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")
BOM = b"\xef\xbb\xbf"
LOOKS_LIKE = ", but looks like "
#: Packed files that are not read, by their first bytes.
PACKED = {b"PK\x03\x04": "zip (or Excel)", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zst", b"BZh": "bz2"}


@dataclass
class Opened:
    """A source whose columns are not known yet, or not chosen.

    `kind` is delimited, records, parquet, dataframe or dataset, and `content` accordingly bytes, a list of rows with
    flat records, a `ParquetFile`, a DataFrame or an Arrow table. `names` are those of the columns, but in a delimited
    file; `bad` lists (row, value, why) for lines that hold no record. `classes` maps columns to names of labels.
    `first` has the first records of a delimited file. `lines` is False for records that are no line each.
    """

    name: str
    kind: str
    content: Any
    names: list | None = None
    bad: list = ()
    classes: dict = field(default_factory=dict)
    first: list = ()
    lines: bool = True


def open_source(source, kind, encoding, max_unpacked):
    """Open any source that `read_pairs` takes, with its arguments."""
    if hasattr(source, "columns") and hasattr(source, "iloc"):
        if any(isinstance(value, dict | list | np.ndarray) for value in source[:1].values.ravel()):
            return _nested("the DataFrame", pa.Table.from_pandas(source, preserve_index=False))
        return Opened("the DataFrame", "dataframe", source, list(source.columns))
    if hasattr(source, "with_format") and hasattr(source, "features"):
        if not hasattr(source, "__len__"):
            raise PairsError("a streaming Dataset has no rows yet; load it with streaming=False")
        table = source.with_format("arrow")[:]
        classes = {name: kind.names for name, kind in source.features.items() if hasattr(kind, "names")}
        return _nested("the Dataset", table, classes)
    if isinstance(source, dict):
        raise PairsError(f"a dict of tables, not a table: choose one of {', '.join(map(repr, source))}")
    if not isinstance(source, str | Path):
        raise PairsError(f"pairs are read from a path, a DataFrame or a Dataset, not from {type(source).__name__}")
    data, name = load(source, encoding, max_unpacked), Path(source).name
    if kind == "parquet" or (kind not in ("tsv", "csv", "jsonl") and data.startswith(b"PAR1")):
        return open_parquet(data, name)
    ends, begins = Path(name.removesuffix(".gz")).suffix, data[: 1 << 20].lstrip()[:2]
    json_there = (
        ends in (".jsonl", ".ndjson", ".json") or begins[:1] == b"{" or begins in (b"[{", b'["', b"[[", b"[\n")
    )
    is_json = kind == "jsonl" or (kind == "auto" and json_there)
    takes = TIMES * len(data) + sum(
        size * data.count(mark) for mark, size in (JSON if is_json else DELIMITED).items()
    )
    if not max_unpacked and takes > (free := free_memory()):
        more = f"{option('max_unpacked')} reads it all the same, pg.open_pairs reads Parquet piece by piece"
        raise PairsError(
            f"{name}: reading it takes up to {takes / 1e9:.1f} GB, and {free / 1e9:.1f} are free; {more}"
        )
    if not is_json:
        return Opened(name, "delimited", without_sep(data))
    records, bad = [], []
    if begins[:1] == b"[" and not re.match(rb"\s*\[[^\n]*\]\s*\n\s*\[", data[: 1 << 20]):
        return _one_list(data, name)
    for row, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        try:
            records += ((row, one) for one in flat(parse_object(line, lists=True)))
        except ValueError as error:
            bad.append((row, excerpt(line), str(error)))
    return _records(name, records, bad, lines=len({row for row, _ in records}) == len(records))


def without_sep(data: bytes) -> bytes:
    """The data without the first line ``sep=;``, which tells Excel the delimiter and which Excel hides."""
    return re.sub(rb"\Asep=[,;|\t]\r?\n", b"", data)


def _one_list(data, name):
    try:
        found = json.loads(data.decode(), object_pairs_hook=each_once)
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{name}: not JSON ({error})") from None
    records, bad = [], []
    for row, record in enumerate(found, 1):
        if isinstance(record, dict | list) and record:
            records += ((row, one) for one in flat(record))
        else:
            bad.append((row, repr(record)[:80], "not a JSON object"))
    return _records(name, records, bad, lines=False)


def _records(name, records, bad=(), **more):
    """Open flat records; the names are those of all of them."""
    names = {}
    for _, record in records:
        names |= dict.fromkeys(record)
    if not names and bad:
        raise PairsError(f"{name}, row {bad[0][0]}: {bad[0][2]}")
    return Opened(name, "records", records, list(names), bad, **more)


def _nested(name, table, classes=None):
    """Open an Arrow table: as records where a column holds lists or objects."""
    if any(pa.types.is_nested(kind) for kind in table.schema.types):
        records = [(row, one) for row, record in enumerate(table.to_pylist(), 1) for one in flat(record)]
        return _records(name, records, classes=classes or {}, lines=False)
    return Opened(name, "dataset", table, table.column_names, classes=classes or {})


def class_names(schema):
    """The names of labels that `datasets` writes into the metadata of a Parquet file, by column."""
    features = json.loads((schema.metadata or {}).get(b"huggingface", b"{}")).get("info", {}).get("features", {})
    return {name: one["names"] for name, one in features.items() if isinstance(one, dict) and "names" in one}


def open_parquet(source, name):
    """Open a Parquet file, by its path or its bytes."""
    import pyarrow.parquet as pq

    with parquet_errors(name):
        source = pa.BufferReader(source) if isinstance(source, bytes) else source
        file = pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False, buffer_size=1 << 20)
        schema = file.schema_arrow
        if any(map(pa.types.is_nested, schema.types)):
            return _nested(name, file.read(), class_names(schema))
        return Opened(name, "parquet", file, schema.names, classes=class_names(schema))


@contextmanager
def parquet_errors(name):
    """Turn what Arrow raises on a damaged Parquet file into a `PairsError`."""
    try:
        yield
    except PairsError:
        raise
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise PairsError(f"{name}: not a readable Parquet file: {error}") from None


@contextmanager
def opened(path: str | PathLike) -> Iterator[BinaryIO]:
    """Open a file for reading, unpacked where gzip packed it; whatever goes wrong is a `PairsError`."""
    try:
        with Path(path).open("rb") as file:
            yield gzip.GzipFile(fileobj=file) if file.peek(2)[:2] == b"\x1f\x8b" else file
    except (OSError, EOFError, zlib.error) as error:
        raise PairsError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except MemoryError:
        raise PairsError(f"{path}: cannot be read: it takes more memory than there is") from None


def free_memory() -> int:
    """The bytes of memory that are free: in the machine, or below the limits of this process's control groups."""
    from psutil import virtual_memory

    free = [virtual_memory().available]
    for line in OWN_GROUPS.read_text().splitlines() if OWN_GROUPS.exists() else ():
        _, kind, path = line.split(":", 2)
        folder = GROUPS / kind / path.strip("/")
        with suppress(OSError, ValueError, KeyError):  # no such group, or no limit
            stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
            most = stat.get("hierarchical_memory_limit") or (folder / "memory.max").read_text()
            free.append(int(most) - int(stat.get("total_rss") or stat["anon"]))
    return min(free)


def bounded(source: BinaryIO, name: str, limit: int) -> Iterator[bytes]:
    """Yield all bytes of a stream, block by block; `PairsError` beyond the limit."""
    passed = 0
    while block := source.read(1 << 24):
        passed += len(block)
        if passed > limit:
            more = option("max_unpacked")
            raise PairsError(f"{name}: unpacked it is larger than {limit:,} bytes; {more} raises that limit")
        yield block


def load(path: str | PathLike, encoding: str = "utf-8", max_unpacked: int | None = None) -> bytes:
    """Read all bytes of a file, unpacked and as UTF-8 without a byte-order mark.

    `PairsError` where it cannot be read, is empty or plainly no text, or unpacks to more than `max_unpacked` bytes:
    by default `UNPACKED`, or what the free memory suffices for.
    """
    name = Path(path).name
    with opened(path) as file:
        if isinstance(file, gzip.GzipFile):
            data = b"".join(bounded(file, name, max_unpacked or min(UNPACKED, free_memory() // TIMES)))
        else:
            data = file.read()
    if encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "utf-8-sig"):
        try:
            # A half surrogate cannot be encoded otherwise; it is found and named with its row later on
            data = data.decode(encoding).encode("utf-8", "surrogatepass")
        except (LookupError, UnicodeError, ValueError) as error:
            raise PairsError(f"{name}: cannot be decoded as {encoding}: {error}") from None
    as_described(path)
    data = data.removeprefix(BOM)
    if not data[: 1 << 20].strip():
        raise PairsError(f"{name}: the file is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise PairsError(f"{name}: looks like UTF-16; save it as UTF-8, or say {option('encoding', 'utf-16')}")
    for magic, packed in PACKED.items():
        if data.startswith(magic) and name.endswith((".xlsx", ".xls", ".ods")):
            how = f"`pg.read_pairs(pd.read_excel({json.dumps(name)}))` in Python"
            raise PairsError(f"{name}: is an Excel file; save it as CSV (UTF-8), or read it so: {how}")
        if data.startswith(magic):
            raise PairsError(f"{name}: is a {packed} file; unpack it (only gzip is read as it is)")
    return data


def not_utf8(error: UnicodeDecodeError) -> str:
    """Say what is wrong with bytes that are no UTF-8, and which encoding they seem to have."""
    byte, likely = error.object[error.start], likely_encoding(bytes(error.object))
    return f"byte 0x{byte:02x} is not UTF-8{LOOKS_LIKE}{likely}"


def likely_encoding(data: bytes) -> str:
    """Guess the encoding of bytes that are not UTF-8: a Japanese one if that gives kana, else Western European.

    >>> likely_encoding("café".encode("latin-1")), likely_encoding("ねこです".encode("euc-jp"))
    ('cp1252', 'euc-jp')
    """
    for name in ("shift-jis", "euc-jp"):
        text = data.decode(name, "ignore")
        if re.search("[ぁ-んァ-ヶ]", text) and text.encode(name, "ignore") == data:
            return name
    return "latin-1" if re.search(rb"[\x81\x8d\x8f\x90\x9d]", data) else "cp1252"


def json_objects(path: str | PathLike, max_unpacked: int = HELD) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number of each line from 1 and its JSON object; `PairsError` names a line that holds none."""
    for row, line in enumerate(load(path, max_unpacked=max_unpacked).split(b"\n"), 1):
        try:
            record = parse_object(line)
            if rb"\ud" in line.lower() and not _is_unicode(json.dumps(record, ensure_ascii=False)):
                raise ValueError("holds surrogates that are no pair")
        except ValueError as error:
            raise PairsError(f"{Path(path).name}, row {row}: {error}: {excerpt(line)}") from None
        if record:
            yield row, record


def parse_object(line: bytes, lists: bool = False) -> Any:
    """Return the JSON object that a line holds, an empty dict for a blank line; ValueError says what is wrong.

    With `lists` it may be a list.
    """
    if not line.strip():
        return {}
    try:
        record = json.loads(
            line.removeprefix(BOM).decode(), object_pairs_hook=each_once
        )  # of bytes, `loads` takes halves of pairs
    except UnicodeDecodeError as error:
        raise ValueError(not_utf8(error)) from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON ({error})") from None
    if not isinstance(record, (dict, list) if lists else dict) or not record:
        raise ValueError("an object without keys" if record == {} else "not a JSON object")
    return record


def each_once(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict of the items of a JSON object; ValueError where one key is there twice.

    >>> each_once([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    ValueError: key 'a' is there twice
    """
    found = {}
    for key, value in items:
        if key in found or not _is_unicode(key):
            raise ValueError(f"key {key!r} {'is there twice' if key in found else 'holds half a surrogate pair'}")
        found[key] = value
    return found


def _is_unicode(text: str) -> bool:
    """Return True if a file can hold the text: JSON may name halves of surrogate pairs."""
    return text.isascii() or not re.search("[\ud800-\udfff]", text)
