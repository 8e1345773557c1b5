"""The engine that codes pairs out of core, in DuckDB: texts are hashed, grouped and joined on disk."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..files import PairsError
from ..files.outputs import atomic_write, write_json
from ..graph.arrays import parts
from ..graph.identity import check_ids, sentence_keys
from ..pairs.tables import column
from .coded import on_disk, write_sentences
from .files import PairFiles

__all__ = ["FIRST", "MERGED", "ROWS", "code", "finish", "key_rows", "write_firsts", "write_rows"]

#: The share of the granted memory that DuckDB may use; its limit does not count numpy's arrays and parts of
#: aggregation.
SHARE = 0.5
BLOCK = 1 << 20  # rows that are looked at together

_TEXTS = dict.fromkeys(["key_a", "key_b", "odd_a", "odd_b"], pa.large_string())
_KEYED = pa.schema({"row": pa.int64(), "sign": pa.int8()} | _TEXTS)
_ENDS = {"a": pa.int32(), "b": pa.int32()}
_ROW = pa.schema({"row": pa.int64(), **_ENDS, "sign": pa.int8()})

# A text is known by 128 bits: MD5 of a secret and the text, so that nobody can prepare two texts that collide.
_HASH = """
    COPY (SELECT row, sign,
                 md5_number('{salt}' || key_a)::UUID AS a, md5_number('{salt}' || odd_a)::UUID AS odd_a,
                 md5_number('{salt}' || key_b)::UUID AS b, md5_number('{salt}' || odd_b)::UUID AS odd_b FROM parts)
    TO {part} (FORMAT parquet)"""
# What follows is understood by Spark, too.
FIRST = """
    SELECT key, min(pos) AS pos, bool_or(plain) AS plain FROM (
        SELECT a AS key, 2 * row AS pos, odd_a IS NULL AS plain FROM hashed UNION ALL
        SELECT b, 2 * row + 1, odd_b IS NULL FROM hashed) GROUP BY key"""
MERGED = """
    SELECT (SELECT count(*) FROM (SELECT a, odd_a FROM hashed WHERE odd_a IS NOT NULL
                                  UNION SELECT b, odd_b FROM hashed WHERE odd_b IS NOT NULL))
         - (SELECT count(*) FROM first WHERE NOT plain)"""
ROWS = """
    SELECT row, x.pos AS a, y.pos AS b, sign FROM hashed JOIN first x ON hashed.a = x.key
    JOIN first y ON hashed.b = y.key"""


def code(files: PairFiles, folder: Path, memory: int) -> None:
    """Write the coded pairs of some files to a folder (see `coded`), in about that many bytes of memory.

    Steps whose output exists are not repeated: output appears whole or not at all.
    """
    work = folder / ".unfinished-duckdb"
    work.mkdir()
    with _connect(work, memory) as con:
        if not (folder / "hashed.report.json").exists():
            _hash(con, files, folder)
        report = json.loads((folder / "hashed.report.json").read_text("utf-8"))
        if not (folder / "rows.parquet").exists():
            _code_rows(con, folder, report)
    shutil.rmtree(work)
    finish(files, folder, report)


def finish(files: PairFiles, folder: Path, report: dict[str, Any]) -> None:
    """Write the sentences, and ``coded.json`` last."""
    firsts = json.loads((folder / "firsts.json").read_text("utf-8"))
    if not (folder / "sentences.text").exists():
        firsts_at = np.load(folder / "firsts.npy", mmap_mode="r")
        write_sentences(folder, _first_spellings(files, firsts_at))
    write_json(firsts | {"report": report}, folder / "coded.json")


def _connect(work: Path, memory: int) -> Any:
    try:
        import duckdb
    except ModuleNotFoundError:
        raise PairsError(
            "engine 'duckdb' needs duckdb, which is not installed: pip install '.[scale]' in your copy of paragraph"
        ) from None
    options = {
        "memory_limit": f"{int(memory * SHARE) >> 20}MiB",
        "temp_directory": str(work / "spill"),
    }
    options |= {"preserve_insertion_order": False, "autoinstall_known_extensions": False}
    con = duckdb.connect(str(work / "work.duckdb"), config=options)
    con.execute("SET enable_progress_bar = false")  # it would be drawn on standard output
    return con


def _hash(con: Any, files: PairFiles, folder: Path) -> None:
    """Write ``hashed.parquet``, all rows with their texts as hashes, and the report of reading them."""
    report = {}
    failed = []
    batches = key_rows(files, report, failed)
    parts = pa.RecordBatchReader.from_batches(_KEYED, batches)  # noqa: F841 (SQL reads it)
    with atomic_write(folder, folder=True) as stage:
        part = str(stage / "hashed.parquet").replace("'", "''")
        query = _HASH.format(part=f"'{part}'", salt=secrets.token_hex(16))
        con.execute(query)
        if failed:
            raise failed[0]
        write_json(report, stage / "hashed.report.json")


def key_rows(
    files: PairFiles, report: dict[str, Any], failed: list[Exception]
) -> Iterator[pa.RecordBatch]:
    """Rows with the keys that texts of one sentence share, and the text itself if it differs from its key."""
    try:
        for pairs, row in files.parts(report):
            label = pairs["label"].to_numpy(np.int8, na_value=2)
            sign = np.array([-1, 1, 0], np.int8)[label]
            texts = _columns(pairs, "text_a", "text_b")
            if files.identity == "id":
                check_ids(pairs)
                keys = _columns(pairs, "id_a", "id_b")
            else:
                keys = [sentence_keys(text, files.identity) for text in texts]
            odd = []
            for text, key in zip(texts, keys, strict=True):
                odd.append(pc.if_else(pc.equal(text, key), None, text))
            yield pa.record_batch([row, sign, *keys, *odd], schema=_KEYED)
    except Exception as error:  # DuckDB would make another of it
        failed.append(error)


def _columns(pairs: Any, *names: str) -> list[pa.Array]:
    return [column(pairs, name).combine_chunks() for name in names]


def _code_rows(con: Any, folder: Path, report: dict[str, Any]) -> None:
    """Write ``rows.parquet``, and the first position of every sentence."""
    hashed = con.from_parquet(escape(str(folder / "hashed.parquet")))  # noqa: F841 (SQL reads it)
    con.execute("CREATE TABLE first AS" + FIRST)
    ((merged,),) = con.execute(MERGED).fetchall()
    ((sentences,),) = con.execute("SELECT count(*) FROM first").fetchall()
    firsts = con.sql("SELECT pos FROM first ORDER BY pos").to_arrow_reader(BLOCK)
    write_firsts(folder, (batch.column(0).to_numpy() for batch in firsts), sentences, merged)
    rows = con.sql(ROWS).to_arrow_reader(BLOCK)
    write_rows(folder, report["last"] + 1, rows)


def write_firsts(folder: Path, firsts: Iterable[np.ndarray], sentences: int, merged: int) -> None:
    """Write the first position of every sentence, which come sorted, and their number."""
    if sentences >= 2**31:
        raise PairsError(f"{sentences:,} sentences are more than codes of 32 bits can number")
    with atomic_write(folder, folder=True) as stage:
        found = on_disk(stage)("firsts", sentences, np.int64)
        done = 0
        for part in firsts:
            found[done : done + len(part)] = part
            done += len(part)
        write_json({"sentences": sentences, "merged": merged}, stage / "firsts.json")


def write_rows(folder: Path, rows: int, found: Iterable[pa.RecordBatch]) -> None:
    """Write ``rows.parquet``. Rows come in any order, with first positions for sentences: codes are their rank."""
    firsts = np.load(folder / "firsts.npy", mmap_mode="r")
    allocate = on_disk(folder)
    code = allocate("", 2 * rows, np.int32)  # by position
    for part in parts(len(firsts)):
        code[firsts[part]] = np.arange(part.start, part.stop, dtype=np.int32)
    ends = allocate("", 2 * rows, np.int32).reshape(2, -1)
    kept = allocate("", rows, np.int8)
    sign = allocate("", rows, np.int8)
    for batch in found:
        row, a, b, signs = (column.to_numpy() for column in batch.columns)
        ends[0, row] = code[a]
        ends[1, row] = code[b]
        sign[row] = signs
        kept[row] = 1
    with atomic_write(folder / "rows.parquet") as part, pq.ParquetWriter(part, _ROW) as out:
        for start in range(0, rows, BLOCK):
            row = start + np.flatnonzero(kept[start : start + BLOCK])
            table = pa.table([row, *ends[:, row], sign[row]], schema=_ROW)
            out.write_table(table)


def _first_spellings(files: PairFiles, firsts: np.ndarray) -> Iterator[pa.Array]:
    """The texts at the first position of each sentence: a second reading, in the same order."""
    for pairs, row in files.parts({}):
        wanted = firsts[:0]
        if len(row):
            begin, end = np.searchsorted(firsts, [2 * row[0], 2 * row[-1] + 2])
            wanted = firsts[begin:end]
        at = np.searchsorted(row, wanted // 2) + len(row) * (wanted % 2)
        both = _columns(pairs, "text_a", "text_b")
        yield pa.concat_arrays(both).take(pa.array(at))
