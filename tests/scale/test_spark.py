"""Pairs coded in Spark say what pairs in memory say; all in one session, on this machine alone."""

import os
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import paragraph as pg
from paragraph.pairs.read import ReadWarning
from paragraph.scale import spark as engine

from ..refused import refused
from .test_store import assert_same, drawn, drawn_files, save

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    here = tmp_path_factory.mktemp("spark")
    options = engine.OPTIONS | {"driver.memory": "1g", "local.dir": str(here), "sql.shuffle.partitions": "4"}
    options["sql.codegen.wholeStage"] = "false"  # to compile takes longer than to run
    options = {f"spark.{name}": value for name, value in options.items()}
    with SparkSession.builder.master("local[2]").config(map=options).getOrCreate() as spark:
        yield spark


#: Said, since random rows of a sentence with itself may seem to say that 0 means the same.
LABELS = {"0": 0, "1": 1}


def open_both(source, folder, **options):
    options = {"unlabelled": "keep", "memory": "1GB"} | options
    ours = pg.open_pairs(source, "memory", **options)
    other = pg.open_pairs(source, "spark", folder=folder, **options)
    report = dict(ours.graph.report)
    assert report.pop("inputs") == other.graph.inputs  # of coded pairs, the files' names stand beside the report
    assert report == other.graph.report
    (store,) = folder.glob("pairs-*")
    names = {"store.json", "graph", "sentences.text", "sentences.ends", "rows.parquet", "coded.json"}
    assert {path.name for path in store.iterdir()} == names
    return ours, other


@pytest.mark.parametrize("seed", range(3))
def test_random_pairs(spark, tmp_path, seed):
    files, identity = drawn_files(seed, tmp_path)
    assert_same(*open_both(files, tmp_path / "coded", identity=identity, labels=LABELS))


@pytest.mark.long
def test_row_groups_are_read_apart(spark, tmp_path):
    texts = [f"{i % 40} " for i in range(300)]
    labels = pa.array(["1", "0", "?", ""] * 75)
    table = pa.table([pa.array(texts), pa.array(texts[::-1]), labels], names=["text_a", "text_b", "label"])
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=70)
    pq.write_table(table.slice(0, 1), tmp_path / "b.parquet")
    options = {"labels": {"1": 1, "0": 0}, "unlabelled": "skip"}
    said = r"a.parquet, row 3: .* \(and 74 more such rows\)"
    wrong = [refused(said, pg.open_pairs, tmp_path / "*.parquet", e, **options) for e in ("memory", "spark")]
    assert wrong[0] == wrong[1]
    with pytest.warns(ReadWarning, match="150 rows skipped"):
        ours, other = open_both(str(tmp_path / "*.parquet"), tmp_path / "coded", on_error="skip", **options)
    assert_same(ours, other)


STEPS = ["write", "write_rows", "finish"]


@pytest.mark.parametrize("step", STEPS)  # what comes after each step
@pytest.mark.long
def test_what_is_stopped_is_taken_up_again(spark, tmp_path, monkeypatch, step):
    def stop(*_):
        raise KeyboardInterrupt

    file, folder = save(tmp_path / "pairs.parquet", drawn(3)), tmp_path / "a *[name]? é {"
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(engine, step, stop)
        open_both(file, folder)
    (work,) = folder.glob(".unfinished-pairs-*")
    left = {path.name for path in work.iterdir() if not path.name.startswith(".")}
    done = ["hashed.spark", "rows.parquet"][: STEPS.index(step)]
    assert left - {"firsts.npy", "firsts.json"} == {*done}
    with monkeypatch.context() as patch:
        for name in [name for name, out in [("_hash", 1), ("_code_rows", 2)] if out <= len(done)]:
            patch.setattr(engine, name, stop)  # not done again
        assert_same(*open_both(file, folder))


def test_errors_say_what_to_do(tmp_path, monkeypatch):
    from pyspark.sql import SparkSession

    file = save(tmp_path / "pairs.parquet", drawn(5))
    for source in ("s3://bucket/*.parquet", ["hdfs://node/a.parquet"]):
        refused("^(s3:/bucket|hdfs:/node).*no such file on this machine", pg.open_pairs, source, "spark")
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    refused("needs Java 17 or newer", pg.open_pairs, file, "spark", unlabelled="keep")
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    refused(r"\.\[spark\]", pg.open_pairs, file, "spark", unlabelled="keep")
