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
from .duckdb import BLOCK, FIRST, MERGED, ROWS, finish, key_rows, write_firsts, write_rows
from .files import PairFiles

__all__ = ["code", "read"]

OPTIONS = {
    "driver.bindAddress": "127.0.0.1",
    "driver.host": "127.0.0.1",
    "sql.shuffle.partitions": "16",
    "ui.enabled": "false",
    "ui.showConsoleProgress": "false",
    "log.level": "ERROR",
    "executorEnv.PYTHONSAFEPATH": "1",  # workers import nothing that lies beside the data
}
_ENDS = dict.fromkeys(["a", "b", "odd_a", "odd_b"], pa.binary())
_REPORT = {"piece": pa.int32(), "report": pa.string()}
_PLACE = {"file": pa.int32(), "row": pa.int64(), "sign": pa.int8()}
_HASHED = pa.schema(_PLACE | _ENDS | _REPORT)


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
        yield (
            active or SparkSession.builder.getOrCreate()
        ).newSession()  # with views and options of its own
        return
    has_java = os.environ.get("JAVA_HOME") or shutil.which("java")
    if not has_java:
        raise PairsError(
            "engine 'spark' needs Java 17 or newer, and finds none; install it, or set JAVA_HOME"
        )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    own = OPTIONS | {"driver.memory": f"{max(memory >> 21, 512)}m", "local.dir": f"{work}/spill"}
    options = {f"spark.{name}": value for name, value in own.items()}
    builder = SparkSession.builder.master("local[2]").appName("paragraph")
    with builder.config(map=options).getOrCreate() as spark:
        yield spark


def _hash(spark: Any, files: PairFiles, place: Path) -> Path:
    """Write all rows with their texts as hashes, and the report of reading them."""
    from pyspark.sql.pandas.types import from_arrow_schema

    pieces = []
    for file, path in enumerate(files.paths):
        pieces += [(file, piece) for piece in _pieces(files, path)]
    # 128 bits identify a text, and nobody knows their secret: nobody can prepare two texts that collide.
    task = partial(_hash_pieces, pieces=pieces, secret=secrets.token_bytes(32))
    numbers = spark.range(0, len(pieces), 1, len(pieces))
    write(numbers.mapInArrow(task, from_arrow_schema(_HASHED)), place)
    has_report = ds.field("piece").is_valid()
    found = ds.dataset(place).to_table(["piece", "report"], filter=has_report)
    reports = [json.loads(report) for report in found.sort_by("piece")["report"].to_pylist()]
    if len(reports) < len(pieces):
        raise PairsError(
            f"{place.parents[2]}: not all machines write here; name a folder on a disk they share"
        )
    for (_, piece), report in zip(pieces, reports, strict=True):
        if "failed" in report:  # what is wrong is said by the usual reading of the file
            failed: list[Exception] = []
            list(key_rows(replace(piece, groups=None), {}, failed))
            if failed:
                raise failed[0]
            raise PairsError(f"{piece.name}: not so on another machine: {report['failed']}")
    parts = []
    for (file, _), report in zip(pieces, reports, strict=True):
        parts.append((file, report, None))
    whole = {}
    list(files.one_report(whole, parts))
    # readers of Parquet leave out names with _
    (place / "_report.json").write_text(json.dumps(whole), "utf-8")
    return place


def _pieces(files: PairFiles, path: Path) -> list[PairFiles]:
    """A file in parts that can be read apart: the row groups of Parquet; another file stays whole."""
    one = replace(files, paths=[path.absolute()])  # a task works elsewhere
    groups = 0
    if files.parquet(path):
        groups = pq.read_metadata(path).num_row_groups
    if groups < 2:
        return [one]
    return [replace(one, groups=range(group, group + 1)) for group in range(groups)]


def _hash_pieces(
    batches: Iterator[pa.RecordBatch], pieces: list, secret: bytes
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the pieces with these numbers, and after each piece its report."""
    for batch in batches:
        for number in batch.column(0).to_pylist():
            file, piece = pieces[number]
            report = {}
            failed = []
            for part in key_rows(piece, report, failed):
                row, sign, *texts = part.columns
                none = pa.nulls(len(row), pa.int32())
                hashes = [_hashes(text, secret) for text in texts]
                place = [none.fill_null(file), row, sign]
                no_report = [none, none.cast(pa.string())]
                yield pa.record_batch([*place, *hashes, *no_report], _HASHED)
            if failed:
                report = {"failed": str(failed[0])}
            whole = {"piece": number, "report": json.dumps(report)}
            yield pa.RecordBatch.from_pylist([whole], _HASHED)


def _hashes(texts: pa.Array, secret: bytes) -> pa.Array:
    coded = texts.cast(pa.large_binary()).dictionary_encode()
    hashes = []
    for text in coded.dictionary.to_pylist():
        hashes.append(blake2b(text, digest_size=16, key=secret).digest())
    return pa.array(hashes, pa.binary()).take(coded.indices)


def _code_rows(spark: Any, folder: Path, report: dict[str, Any], work: Path) -> None:
    """Write ``rows.parquet``, and the first position of every sentence."""
    from pyspark.sql import functions as F

    starts = np.array(report["starts"], np.int64)
    start = F.lit(starts)[F.col("file")]
    rows = read(spark, folder / "hashed.spark").where("piece IS NULL")
    rows = rows.withColumn("row", F.col("row") + start)
    rows.createOrReplaceTempView("hashed")
    write(spark.sql(FIRST), work / "first")
    read(spark, work / "first").createOrReplaceTempView("first")
    write(spark.sql(ROWS), work / "rows")
    ((merged,),) = spark.sql(MERGED).collect()
    firsts = ds.dataset(work / "first").to_table(["pos"])
    firsts = np.sort(firsts["pos"].to_numpy())
    write_firsts(folder, [firsts], len(firsts), merged)
    batches = ds.dataset(work / "rows").to_batches(batch_size=BLOCK)
    write_rows(folder, report["last"] + 1, batches)


def write(table: Any, place: Path) -> None:
    """Write a table as a folder of Parquet files, on a disk that all machines share."""
    table.write.parquet(f"file://{place.resolve()}")


def read(spark: Any, place: Path) -> Any:
    """The table in a Parquet file, or in a folder of them."""
    literal = re.sub(r"([\\*?\[\]{}])", r"\\\1", str(place.resolve()))
    return spark.read.parquet(f"file://{literal}")
