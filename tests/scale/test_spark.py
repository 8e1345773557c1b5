"""Pairs coded in Spark say what pairs in memory say; all in one session, on this machine alone."""

import os
import signal
import sys

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import paragraph as pg
from paragraph.pairs.read import ReadWarning
from paragraph.scale import spark as engine

from ..process import python
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


def open_both(source, folder, components=None, **options):
    options = {"unlabelled": "keep", "memory": "1GB"} | options
    ours = pg.open_pairs(source, "memory", **options)
    other = pg.open_pairs(source, "spark", folder=folder, components=components, **options)
    assert ours.graph.report == other.graph.report
    (store,) = folder.glob("pairs-*")
    names = {"store.json", "graph", "sentences.text", "sentences.ends", "rows.parquet", "coded.json"}
    assert {path.name for path in store.iterdir()} - {"roots.npy"} == names
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


def graphs():
    """Components of many kinds on shuffled codes: small random ones, a chain, stars, two giants."""
    rng = np.random.default_rng(0)
    parts = [(rng.integers(0, 3000, 2400), rng.integers(0, 3000, 2400)), (np.arange(1999), np.arange(1, 2000))]
    parts += [(np.zeros(99_999, int), np.arange(1, 100_000))]
    parts += [(rng.integers(0, 20_000, 40_000), rng.integers(0, 20_000, 40_000)) for _ in range(2)]
    ends, n = [], 0
    for a, b in parts:
        ends.append(np.stack([a, b]) + n)
        n += max(a.max(), b.max()) + 1
    a, b = rng.permutation(n)[np.concatenate(ends, axis=1)]
    return n, np.unique(np.stack([np.maximum(a, b), np.minimum(a, b)])[:, a != b], axis=1)


@pytest.mark.long
def test_stars_are_the_components(spark, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "HEAVY", 1000)
    n, (big, small) = graphs()
    table = pa.table({"big": big.astype(np.int32), "small": small.astype(np.int32)})
    pq.write_table(table, tmp_path / "edges.parquet")
    work = tmp_path / "work"
    work.mkdir()
    place = engine.stars(spark, engine.read(spark, tmp_path / "edges.parquet"), work)
    assert [*work.iterdir()] == [place]
    roots = np.arange(n)
    found = ds.dataset(place).to_table()
    roots[found["big"].to_numpy()] = found["small"].to_numpy()
    _, label = connected_components(coo_array((np.ones(len(big)), (big, small)), shape=(n, n)), directed=False)
    _, first = np.unique(label, return_index=True)
    np.testing.assert_array_equal(roots, first[label])


STEPS = ["write", "write_rows", "stars", "finish"]


@pytest.mark.parametrize("step", STEPS)  # what comes after each step
@pytest.mark.long
def test_what_is_stopped_is_taken_up_again(spark, tmp_path, monkeypatch, step):
    def stop(*_):
        raise KeyboardInterrupt

    file, folder = save(tmp_path / "pairs.parquet", drawn(3)), tmp_path / "a *[name]? é {"
    components = "stars" if step in STEPS[2:] else None
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(engine, step, stop)
        open_both(file, folder, components)
    (work,) = folder.glob(".unfinished-pairs-*")
    left = {path.name for path in work.iterdir() if not path.name.startswith(".")}
    done = ["hashed.spark", "rows.parquet", "roots.npy"][: STEPS.index(step)]
    assert left - {"firsts.npy", "firsts.json"} == {*done}
    with monkeypatch.context() as patch:
        for name in [name for name, out in [("_hash", 1), ("_code_rows", 2), ("_find_roots", 3)] if out <= len(done)]:
            patch.setattr(engine, name, stop)  # not done again
        assert_same(*open_both(file, folder, components))


KILLED = """
import os, signal, sys
import paragraph as pg
from paragraph.scale import spark as engine
engine.write_rows = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
pg.open_pairs(sys.argv[1], "spark", "1GB", sys.argv[2], unlabelled="keep", labels={"0": 0, "1": 1})
"""


@pytest.mark.long
def test_a_kill_leaves_nothing_partial(spark, tmp_path):
    """In a process with a Spark of its own, and without a variable that names an interpreter."""
    file, folder = save(tmp_path / "pairs.parquet", drawn(4)), tmp_path / "coded"
    environment = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}
    done = python("-c", KILLED, file, folder, env=environment, cwd=tmp_path)
    assert done.returncode == -signal.SIGKILL, done.stderr
    (work,) = folder.glob(".unfinished-pairs-*")
    left = {path.name for path in work.iterdir() if path.name[:2] != ".u"}
    assert left == {"hashed.spark", "firsts.json", "firsts.npy"}  # all of them whole
    assert_same(*open_both(file, folder, labels=LABELS))
    assert {path.name for path in tmp_path.iterdir()} == {"pairs.parquet", "coded"}


def test_errors_say_what_to_do(tmp_path, monkeypatch):
    from pyspark.sql import SparkSession

    file = save(tmp_path / "pairs.parquet", drawn(5))
    for source in ("s3://bucket/*.parquet", ["hdfs://node/a.parquet"]):
        refused("^(s3:/bucket|hdfs:/node).*mount the disk", pg.open_pairs, source, "spark")
    refused("neither 'driver' nor 'stars'", pg.open_pairs, file, "spark", components="graphframes")
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    refused("needs Java 17 or newer", pg.open_pairs, file, "spark", unlabelled="keep")
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    refused(r"\.\[spark\]", pg.open_pairs, file, "spark", unlabelled="keep")
