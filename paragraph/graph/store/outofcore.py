"""The engine that codes pairs out of core, in DuckDB: texts are hashed, grouped and joined on disk."""

from __future__ import annotations

import glob
import json
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...pairs import PairsError
from ...pairs.outputs import beside, together
from ...pairs.provenance import write_json
from ..identity import check_ids, column, sentence_keys
from .coded import BLOCK, write_sentences
from .files import PairFiles, joined

__all__ = ["code"]

#: Of the memory that is granted, what DuckDB may use; its limit leaves out numpy's arrays and parts of aggregation.
SHARE = 0.5

_KEYED = pa.schema(
    {"row": pa.int64(), "sign": pa.int8()} | dict.fromkeys(["key_a", "key_b", "odd_a", "odd_b"], pa.large_string())
)
_ROW = pa.schema({"row": pa.int64(), "a": pa.int32(), "b": pa.int32(), "sign": pa.int8()})
_EDGE = pa.schema(
    {"a": pa.int32(), "b": pa.int32(), "sign": pa.int8()}
    | {"n_positive": pa.int32(), "n_negative": pa.int32(), "row": pa.int64()}
)

# A text is known by 128 bits: MD5 of a secret and the text, so that nobody can prepare two texts that collide.
_HASH = """
    COPY (SELECT row, sign,
                 md5_number('{salt}' || key_a)::UUID AS a, md5_number('{salt}' || odd_a)::UUID AS odd_a,
                 md5_number('{salt}' || key_b)::UUID AS b, md5_number('{salt}' || odd_b)::UUID AS odd_b FROM parts)
    TO '{part}' (FORMAT parquet)"""
_FIRST = """
    CREATE TABLE first AS SELECT key, min(pos) AS pos, bool_or(plain) AS plain FROM (
        SELECT a AS key, 2 * row AS pos, odd_a IS NULL AS plain FROM hashed UNION ALL
        SELECT b, 2 * row + 1, odd_b IS NULL FROM hashed) GROUP BY key"""
_MERGED = """
    SELECT (SELECT count(*) FROM (
                SELECT a AS key, odd_a AS odd FROM hashed WHERE odd_a IS NOT NULL
                UNION SELECT b, odd_b FROM hashed WHERE odd_b IS NOT NULL))
         - (SELECT count(*) FROM first WHERE NOT plain)"""
_ROWS = """
    SELECT row, x.pos AS a, y.pos AS b, sign FROM hashed JOIN first x ON hashed.a = x.key
    JOIN first y ON hashed.b = y.key"""
_STATED = """
    CREATE TABLE stated AS
    SELECT least(a, b) AS low, greatest(a, b) AS high, min(2 * row + (a > b)::INT) AS first,
           max(2 * row + (sign > 0)::INT) AS last, count(*) FILTER (sign > 0) AS positive, count(*) AS n
    FROM rows WHERE a <> b AND sign <> 0 GROUP BY low, high"""
_EDGES = "SELECT low, high, first, last, positive, n FROM stated ORDER BY first"
_REPEATS = """
    SELECT s.first // 2 AS first, row FROM rows JOIN (SELECT * FROM stated WHERE n > 1) s
    ON least(a, b) = low AND greatest(a, b) = high WHERE sign <> 0 AND row > s.first // 2"""


def code(files: PairFiles, folder: Path, memory: int) -> None:
    """Leave the coded pairs of some files in a folder (see `coded`), in about so many bytes of memory.

    Steps whose output is there are not done again: it appears whole or not at all.
    """
    work = folder / ".unfinished-duckdb"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    try:
        with _connect(work, memory) as con:
            starts, reports = [0], []
            for i in range(len(files.paths)):
                reports.append(_hash(con, files, i, starts[-1], folder))
                starts.append(reports[-1]["last"])
            if not (folder / "rows.parquet").exists():
                _view(con, "hashed", folder, "hashed-*.parquet")
                _code_rows(con, folder, starts[-1] + 1)
            _view(con, "rows", folder, "rows.parquet")
            if not (folder / "repeats.parquet").exists():
                _state(con, folder)
            if not (folder / "sentences.ends").exists():
                write_sentences(folder, _first_spellings(files, np.load(folder / "firsts.npy"), starts))
            if not (folder / "coded.json").exists():
                counted = con.execute(
                    "SELECT count(*), count(*) FILTER (a = b), count(*) FILTER (sign = 0) FROM rows"
                )
                known = dict(zip(("rows", "self_pairs", "unlabelled"), counted.fetchall()[0], strict=True))
                known |= json.loads((folder / "firsts.json").read_text()) | {"report": joined(reports)}
                known |= {"starts": starts[:-1], "files": [path.name for path in files.paths]}
                write_json(known, folder / "coded.json")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for path in [*folder.glob("hashed-*"), *folder.glob("firsts.*"), folder / "salt"]:
        path.unlink(missing_ok=True)


def _connect(work: Path, memory: int) -> Any:
    try:
        import duckdb
    except ModuleNotFoundError:
        raise PairsError(
            "engine 'duckdb' needs duckdb, which is not installed: pip install 'paragraph-workbench[scale]'"
        ) from None
    options = {"memory_limit": f"{int(memory * SHARE) >> 20}MiB", "temp_directory": str(work / "spill")}
    options |= {"preserve_insertion_order": False, "autoinstall_known_extensions": False}
    return duckdb.connect(str(work / "work.duckdb"), config=options)


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _view(con: Any, name: str, folder: Path, files: str) -> None:
    where = _quoted(Path(glob.escape(str(folder)), files))
    con.execute(f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet('{where}')")


def _hash(con: Any, files: PairFiles, i: int, start: int, folder: Path) -> dict[str, Any]:
    """The report of file i; its rows lie in ``hashed-….parquet``, texts as hashes."""
    path, about, salt = (folder / name for name in (f"hashed-{i:06}.parquet", f"hashed-{i:06}.json", "salt"))
    if not about.exists():
        if not salt.exists():
            with beside(salt) as part:
                part.write_text(secrets.token_hex(16))
        report: dict[str, Any] = {"last": start}
        failed: list[Exception] = []
        parts = pa.RecordBatchReader.from_batches(_KEYED, _keyed(files, i, report, failed))  # noqa: F841 (SQL reads it)
        with beside(path) as part:
            con.execute(_HASH.format(part=_quoted(part), salt=salt.read_text()))
            if failed:
                raise failed[0]
        write_json(report, about)
    return json.loads(about.read_text("utf-8"))


def _keyed(files: PairFiles, i: int, report: dict[str, Any], failed: list[Exception]) -> Iterator[pa.RecordBatch]:
    """Rows with what their texts must share to be one sentence, and the text itself where it is something else."""
    start = report["last"]
    try:
        for pairs in files.parts(i, report):
            label, row = pairs["label"].to_numpy(np.int8, na_value=2), start + pairs["row"].to_numpy()
            texts = [column(pairs, name).combine_chunks() for name in ("text_a", "text_b")]
            if files.identity == "id":
                check_ids(pairs)
                keys = [column(pairs, name).combine_chunks() for name in ("id_a", "id_b")]
            else:
                keys = [sentence_keys(text, files.identity) for text in texts]
            odd = [pc.if_else(pc.equal(text, key), None, text) for text, key in zip(texts, keys, strict=True)]
            report["last"] = int(row[-1]) if len(row) else report["last"]
            yield pa.record_batch([row, np.array([-1, 1, 0], np.int8)[label], *keys, *odd], schema=_KEYED)
    except Exception as error:  # DuckDB would make another of it
        failed.append(error)


def _code_rows(con: Any, folder: Path, rows: int) -> None:
    """Write ``rows.parquet``, and the first position of every sentence."""
    con.execute(_FIRST)
    firsts = np.sort(con.execute("SELECT pos FROM first").fetchnumpy()["pos"])
    if len(firsts) >= 2**31:
        raise PairsError(f"{len(firsts):,} sentences are more than codes of 32 bits can number")
    ((merged,),) = con.execute(_MERGED).fetchall()
    with together(folder) as stage:
        np.save(stage / "firsts.npy", firsts)
        write_json({"sentences": len(firsts), "merged": merged}, stage / "firsts.json")
    code = np.zeros(2 * rows, np.int32)  # by position; DuckDB's join gives back positions, in any order
    code[firsts] = np.arange(len(firsts), dtype=np.int32)
    sign = np.full(rows, 2, np.int8)
    ends = np.empty((2, rows), np.int32)
    for batch in con.sql(_ROWS).to_arrow_reader(BLOCK):
        row, a, b, signs = (column.to_numpy() for column in batch.columns)
        ends[0, row], ends[1, row], sign[row] = code[a], code[b], signs
    con.execute("DROP TABLE first")
    with beside(folder / "rows.parquet") as part, pq.ParquetWriter(part, _ROW) as out:
        for start in range(0, rows, BLOCK):
            row = start + np.flatnonzero(sign[start : start + BLOCK] < 2)
            out.write_table(pa.table([row, *ends[:, row], sign[row]], schema=_ROW))


def _state(con: Any, folder: Path) -> None:
    """Write ``edges.parquet`` and ``repeats.parquet``."""
    con.execute(_STATED)
    with together(folder) as stage:
        with pq.ParquetWriter(stage / "edges.parquet", _EDGE) as out:
            for batch in con.sql(_EDGES).to_arrow_reader(BLOCK):
                low, high, first, last, positive, n = (column.to_numpy() for column in batch.columns)
                turned = first % 2 == 1
                sign = np.where(2 * positive == n, 2 * (last % 2) - 1, np.sign(2 * positive - n))
                ends = np.where(turned, high, low), np.where(turned, low, high)
                edges = [*ends, sign.astype(np.int8), positive, n - positive, first // 2]
                out.write_table(pa.table([pa.array(each) for each in edges], names=_EDGE.names).cast(_EDGE))
        rows = pq.read_table(stage / "edges.parquet", columns=["row"])["row"].to_numpy()
        found = con.execute(_REPEATS).fetchnumpy()
        edge = np.searchsorted(rows, found["first"])
        order = np.lexsort((found["row"], edge))
        pq.write_table(pa.table({"edge": edge[order], "row": found["row"][order]}), stage / "repeats.parquet")
    con.execute("DROP TABLE stated")


def _first_spellings(files: PairFiles, firsts: np.ndarray, starts: list[int]) -> Iterator[pa.Array]:
    """The texts at the positions where a sentence comes first: a second reading, in the same order."""
    for i, start in enumerate(starts[:-1]):
        for pairs in files.parts(i, {}):
            row = start + pairs["row"].to_numpy()
            wanted = (
                firsts[slice(*np.searchsorted(firsts, [2 * row[0], 2 * row[-1] + 2]))] if len(row) else firsts[:0]
            )
            at = np.searchsorted(row, wanted // 2) + len(row) * (wanted % 2)
            both = [column(pairs, name).combine_chunks() for name in ("text_a", "text_b")]
            yield pa.concat_arrays(both).take(pa.array(at))
