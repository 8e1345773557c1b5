"""The engine that codes pairs on a cluster, in Spark; its machines share a disk with the files and the folder."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from ..files import PairsError
from .duckdb import BLOCK, FIRST, MERGED, ROWS, finish, keyed, write_firsts, write_rows
from .files import PairFiles

__all__ = ["code", "read"]

OPTIONS = dict.fromkeys(["driver.bindAddress", "driver.host"], "127.0.0.1") | {"sql.shuffle.partitions": "16"}
OPTIONS |= {"ui.enabled": "false", "ui.showConsoleProgress": "false", "log.level": "ERROR"}
OPTIONS |= {"executorEnv.PYTHONSAFEPATH": "1"}  #: workers import nothing that lies beside the data
_ENDS = dict.fromkeys(["a", "b", "odd_a", "odd_b"], pa.binary())
_REPORT = {"piece": pa.int32(), "report": pa.string()}
_HASHED = pa.schema({"file": pa.int32(), "row": pa.int64(), "sign": pa.int8()} | _ENDS | _REPORT)


def code(files: PairFiles, folder: Path, memory: int) -> None:
    """Write the coded pairs of some files to a folder (see `coded`). A step whose output exists is not repeated."""
    work = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder))
    hashed = folder / "hashed.spark"
    with _session(memory, work) as spark:
        if not hashed.exists():
            _hash(spark, files, work / "hashed").rename(hashed)
        report = json.loads((hashed / "_report.json").read_text("utf-8"))
        if not (folder / "rows.parquet").exists():
            _code_rows(spark, folder, report, work)
    shutil.rmtree(work)
    finish(files, folder, report)


@contextmanager
def _session(memory: int, work: Path) -> Iterator[Any]:
    """A session: the active one, that of ``spark-submit``, or else one on two cores of this machine, while needed."""
    try:
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise PairsError(
            "engine 'spark' needs pyspark, which is not installed: pip install '.[spark]' in your copy of paragraph"
        ) from None
    active = SparkSession.getActiveSession()
    if active or "PYSPARK_GATEWAY_PORT" in os.environ:  # which spark-submit sets
        yield (active or SparkSession.builder.getOrCreate()).newSession()  # with views and options of its own
        return
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise PairsError("engine 'spark' needs Java 17 or newer, and finds none; install it, or set JAVA_HOME")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    own = OPTIONS | {"driver.memory": f"{max(memory >> 21, 512)}m", "local.dir": f"{work}/spill"}
    options = {f"spark.{name}": value for name, value in own.items()}
    with SparkSession.builder.master("local[2]").appName("paragraph").config(map=options).getOrCreate() as spark:
        yield spark


def _hash(spark: Any, files: PairFiles, place: Path) -> Path:
    """Write all rows with their texts as hashes, and the report of reading them."""
    from pyspark.sql.pandas.types import from_arrow_schema

    pieces = [(file, piece) for file, path in enumerate(files.paths) for piece in _pieces(files, path)]
    # 128 bits identify a text, and nobody knows their secret: nobody can prepare two texts that collide.
    task = partial(_hashed, pieces=pieces, secret=secrets.token_bytes(32))
    write(spark.range(0, len(pieces), 1, len(pieces)).mapInArrow(task, from_arrow_schema(_HASHED)), place)
    found = ds.dataset(place).to_table(["piece", "report"], filter=ds.field("piece").is_valid()).sort_by("piece")
    reports = [json.loads(report) for report in found["report"].to_pylist()]
    if len(reports) < len(pieces):
        raise PairsError(f"{place.parents[2]}: not all machines write here; name a folder on a disk they share")
    for (_, piece), report in zip(pieces, reports, strict=True):
        if "failed" in report:  # what is wrong is said by the usual reading of the file
            failed: list[Exception] = []
            list(keyed(replace(piece, groups=None), {}, failed))
            raise failed[0] if failed else PairsError(f"{piece.name}: not so on another machine: {report['failed']}")
    told = ((file, report, None) for (file, _), report in zip(pieces, reports, strict=True))
    list(files.one_report(whole := {}, told))
    (place / "_report.json").write_text(json.dumps(whole), "utf-8")  # readers of Parquet leave out names with _
    return place


def _pieces(files: PairFiles, path: Path) -> list[PairFiles]:
    """A file in parts that can be read apart: the row groups of Parquet; another file stays whole."""
    groups = range(pq.read_metadata(path).num_row_groups if files.parquet(path) else 0)
    one = replace(files, paths=[path.absolute()])  # a task works elsewhere
    return [replace(one, groups=range(group, group + 1)) for group in groups] if len(groups) > 1 else [one]


def _hashed(batches: Iterator[pa.RecordBatch], pieces: list, secret: bytes) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the pieces with these numbers, and after each piece its report."""
    for number in (number for batch in batches for number in batch.column(0).to_pylist()):
        file, piece = pieces[number]
        report, failed = {}, []
        for part in keyed(piece, report, failed):
            row, sign, *texts = part.columns
            none, hashes = pa.nulls(len(row), pa.int32()), [_hashes(text, secret) for text in texts]
            yield pa.record_batch([none.fill_null(file), row, sign, *hashes, none, none.cast(pa.string())], _HASHED)
        told = {"failed": str(failed[0])} if failed else report
        yield pa.RecordBatch.from_pylist([{"piece": number, "report": json.dumps(told)}], _HASHED)


def _hashes(texts: pa.Array, secret: bytes) -> pa.Array:
    coded = texts.cast(pa.large_binary()).dictionary_encode()
    hashes = [blake2b(text, digest_size=16, key=secret).digest() for text in coded.dictionary.to_pylist()]
    return pa.array(hashes, pa.binary()).take(coded.indices)


def _code_rows(spark: Any, folder: Path, report: dict[str, Any], work: Path) -> None:
    """Write ``rows.parquet``, and the first position of every sentence."""
    from pyspark.sql import functions as F

    start = F.lit(np.array(report["starts"], np.int64))[F.col("file")]
    rows = read(spark, folder / "hashed.spark").where("piece IS NULL").withColumn("row", F.col("row") + start)
    rows.createOrReplaceTempView("hashed")
    write(spark.sql(FIRST), work / "first")
    read(spark, work / "first").createOrReplaceTempView("first")
    write(spark.sql(ROWS), work / "rows")
    ((merged,),) = spark.sql(MERGED).collect()
    firsts = np.sort(ds.dataset(work / "first").to_table(["pos"])["pos"].to_numpy())
    write_firsts(folder, [firsts], len(firsts), merged)
    write_rows(folder, report["last"] + 1, ds.dataset(work / "rows").to_batches(batch_size=BLOCK))


def write(table: Any, place: Path) -> None:
    """Write a table as a folder of Parquet files, on a disk that all machines share."""
    table.write.parquet(f"file://{place.resolve()}")


def read(spark: Any, place: Path) -> Any:
    """The table in a Parquet file, or in a folder of them."""
    return spark.read.parquet("file://" + re.sub(r"([\\*?\[\]{}])", r"\\\1", str(place.resolve())))
