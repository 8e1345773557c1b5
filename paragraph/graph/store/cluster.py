"""The engine that codes pairs on a cluster, in Spark: every machine reads its part of the files.

The machines need this package, and the files and the folder at the same place: a disk that all of them mount.
"""

from __future__ import annotations

import json
import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from ...pairs import PairsError
from ...pairs.outputs import beside
from .files import LISTED, PairFiles, ended
from .outofcore import BLOCK, FIRST, MERGED, ROWS, finish, keyed, write_rows
from .session import read, session, write
from .stars import POSITIVE, half_steps

__all__ = ["code"]

FEW = 10**8  #: positive rows whose components one machine finds sooner than a cluster
_HASHED = pa.schema(
    {"file": pa.int32(), "row": pa.int64(), "sign": pa.int8()}
    | dict.fromkeys(["a", "b", "odd_a", "odd_b"], pa.binary())
    | {"piece": pa.int32(), "report": pa.string()}
)


def code(files: PairFiles, folder: Path, memory: int, components: str | None = None) -> None:
    """Leave the coded pairs of some files in a folder (see `coded`). A step whose output is there is done."""
    work, hashed = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=folder)), folder / "hashed.spark"
    with session(memory, work) as spark:
        if not hashed.exists():
            _hash(spark, files, work / "hashed").rename(hashed)
        report = json.loads((hashed / "_report.json").read_text("utf-8"))
        if not (folder / "rows.parquet").exists():
            _code_rows(spark, folder, report, work)
        if components is None:
            signs = pq.read_table(folder / "rows.parquet", columns=["sign"])["sign"].to_numpy()
            components = "stars" if np.count_nonzero(signs > 0) >= FEW else "driver"
        if components == "stars" and not (folder / "roots.npy").exists():
            _find_roots(spark, folder, work)
    shutil.rmtree(work)
    finish(files, folder, report)


def _hash(spark: Any, files: PairFiles, place: Path) -> Path:
    """Write all rows with their texts as hashes, and the report of reading them."""
    from pyspark.sql.pandas.types import from_arrow_schema

    pieces = files.pieces()
    # A text is known by 128 bits, of which nobody knows the secret: two texts that collide cannot be prepared.
    task = partial(_hashed, pieces=pieces, secret=secrets.token_bytes(32))
    write(spark.range(0, len(pieces), 1, len(pieces)).mapInArrow(task, from_arrow_schema(_HASHED)), place)
    told = ds.dataset(place).to_table(["piece", "report"], filter=ds.field("piece").is_valid()).sort_by("piece")
    reports = [json.loads(report) for report in told["report"].to_pylist()]
    if len(reports) < len(pieces):
        raise PairsError(f"{place.parents[1]}: not all machines write here; name a folder on a disk they share")
    for (_, piece), report in zip(pieces, reports, strict=True):
        if "failed" in report:  # what is wrong is said by the usual reading of the file
            failed: list[Exception] = []
            list(keyed(replace(piece, groups=None), {}, failed))
            raise failed[0] if failed else PairsError(f"{piece.name}: not so on another machine: {report['failed']}")
    whole = _together(files, pieces, reports)
    (place / "_report.json").write_text(json.dumps(whole), "utf-8")  # readers of Parquet leave out names with _
    return place


def _hashed(batches: Iterator[pa.RecordBatch], pieces: list, secret: bytes) -> Iterator[pa.RecordBatch]:
    """The rows of the pieces with these numbers, and after those of each its report."""
    for number in (number for batch in batches for number in batch.column(0).to_pylist()):
        file, piece = pieces[number]
        report, failed = {}, []
        for part in keyed(piece, report, failed):
            row, sign, *texts = part.columns
            place, none = pa.repeat(pa.scalar(file, pa.int32()), len(row)), pa.nulls(len(row), pa.int32())
            hashes = [_hashes(text, secret) for text in texts]
            yield pa.record_batch([place, row, sign, *hashes, none, none.cast(pa.string())], _HASHED)
        told = json.dumps({"failed": str(failed[0])} if failed else report)
        yield pa.RecordBatch.from_pylist([{"piece": number, "report": told}], _HASHED)


def _hashes(texts: pa.Array, secret: bytes) -> pa.Array:
    coded = texts.cast(pa.large_binary()).dictionary_encode()
    hashes = [blake2b(text, digest_size=16, key=secret).digest() for text in coded.dictionary.to_pylist()]
    return pa.array(hashes, pa.binary()).take(coded.indices)


def _together(files: PairFiles, pieces: list[tuple[int, PairFiles]], reports: list[dict]) -> dict[str, Any]:
    """The report of all pieces, in their order: that of `PairFiles.parts`."""
    whole, left_out, notes, last = files.begun(), Counter(), {}, [0] * len(files.paths)
    for (file, _), report in zip(pieces, reports, strict=True):
        whole |= {name: whole[name] + report[name] for name in ("rows", "kept", "generated")}
        whole["skipped"] += report["skipped"][: LISTED - len(whole["skipped"])]
        whole |= {name: report[name] for name in ("format", "bipartite") if name in report}
        left_out.update(report["left_out"])
        notes |= dict.fromkeys(report["notes"][: -1 if report["left_out"] else None])
        last[file] = max(last[file], report["last"])
    *whole["starts"], end = accumulate(last, initial=0)
    return whole | ended(notes, left_out, end)


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
    write_rows(folder, firsts, merged, report["last"] + 1, ds.dataset(work / "rows").to_batches(batch_size=BLOCK))


def _find_roots(spark: Any, folder: Path, work: Path) -> None:
    """Write ``roots.npy``, by stars."""
    read(spark, folder / "rows.parquet").createOrReplaceTempView("rows")
    *_, (place, _) = half_steps(spark, spark.sql(POSITIVE), work)
    roots = np.arange(json.loads((folder / "firsts.json").read_text("utf-8"))["sentences"], dtype=np.int32)
    for batch in ds.dataset(place).to_batches():
        roots[batch["big"].to_numpy()] = batch["small"].to_numpy()
    with beside(folder / "roots.npy") as part:
        np.save(part, roots)
