"""Pairs coded out of core say what pairs in memory say."""

import json
import os
import random
import re
import shutil
import signal
import sys
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import paragraph as pg
from benchmarks.scale import make
from paragraph.files.outputs import atomic_write
from paragraph.pairs.read import ReadWarning

from ..disk import tiny_disk, tree
from ..process import python
from ..refused import refused

pytestmark = pytest.mark.scale

#: Spellings of few sentences: composed or not, with all kinds of white space around them.
SENTENCES = ["café", "cafe\u0301", "\u3000café", "Café", "tea", "tea\u00a0", "\x1ctea", "\u2003tea\n", "te a"]
SENTENCES += ["お茶", "お茶\u3000", "Å", "\u212b", "A\u030a", "K", "\u212a", "x\u200b", "\ufeffx", "x", "'quoted'"]
SENTENCES += ['a "b"', "%s $1 {0}"]
ARRAYS = ["edge_a", "edge_b", "edge_sign", "edge_n_positive", "edge_n_negative", "cluster_of", "cluster_sizes"]


def save(path, rows):
    names = {"text_a": pa.string(), "text_b": pa.string(), "label": pa.int8()}
    columns = zip(list(zip(*rows, strict=True)) or [[], [], []], names.values(), strict=True)
    pq.write_table(pa.table([pa.array(*column) for column in columns], names=list(names)), path)
    return path


def drawn(seed):
    rng = random.Random(seed)
    known = rng.sample(SENTENCES, rng.randint(3, len(SENTENCES)))
    return [(rng.choice(known), rng.choice(known), rng.choice([1, 1, 0, 0, None])) for _ in range(rng.randint(1, 60))]


def open_both(source, folder, **options):
    options = {"unlabelled": "keep", "memory": "1GB"} | options
    return pg.open_pairs(source, "memory", **options), pg.open_pairs(source, "duckdb", folder=folder, **options)


def assert_same(ours, other, draws=200):
    """Everything that two stores say of their pairs."""
    graph, coded = ours.graph, other.graph
    assert ours.counts() == other.counts()
    assert graph.sentences.equals(coded.sentences)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(graph, name), getattr(coded, name), name)
    pd.testing.assert_frame_equal(pg.conflicts(ours.graph), pg.conflicts(other.graph))
    if graph.bipartite:
        return
    pd.testing.assert_frame_equal(ours.graph.clusters(min_size=1), other.graph.clusters(min_size=1))
    some = pg.infer(ours.graph).sample(draws, seed=1)
    pd.testing.assert_frame_equal(some, pg.infer(other.graph).sample(draws, seed=1))
    for a, b in some[["text_a", "text_b"]].head(5).itertuples(index=False):
        proof = pg.explain(other.graph, a, b)
        assert proof == pg.explain(ours.graph, a, b)
    if graph.n:
        left, right = ours.cluster(0), other.cluster(0)
        pd.testing.assert_series_equal(left.summary(), right.summary())
        assert left.sentences.equals(right.sentences)
        pd.testing.assert_frame_equal(pg.conflicts(left), pg.conflicts(right))


def drawn_files(seed, folder):
    """Random pairs cut into files, and an identity for them."""
    rows, rng = drawn(seed), random.Random(seed)
    cuts = sorted(rng.choices(range(len(rows) + 1), k=rng.randint(0, 3)))
    files = [
        save(folder / f"{9 - i}.parquet", rows[start:stop])  # the order of the list is not that of the names
        for i, (start, stop) in enumerate(pairwise([0, *cuts, len(rows)]))
    ]
    return files, rng.choice(["text", "text", "normal"])


SEEDS = [*range(10), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(10, 200))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_pairs(tmp_path, seed):
    files, identity = drawn_files(seed, tmp_path)
    assert_same(*open_both(files, tmp_path / "coded", identity=identity, labels={"0": 0, "1": 1}))


def test_a_file_without_rows_is_an_empty_graph(tmp_path):
    (tmp_path / "pairs.tsv").write_text("text_a\ttext_b\tlabel\n")
    assert_same(*open_both(tmp_path / "pairs.tsv", tmp_path / "coded"), draws=0)


DATA = Path(os.environ.get("PARAGRAPH_DATA", ""))
DATASETS = ["qqp/qqp_all.tsv.gz", "qqp/qqp_natural.tsv.gz", "mrpc/*.txt", "paws/paws_wiki_dev.csv", "sick/*.txt"]
DATASETS += ["mqp/mqp.csv", "wikiqa/*", "jsick/jsick.tsv.gz"]


@pytest.mark.long
@pytest.mark.parametrize("name", DATASETS)
def test_public_datasets(tmp_path, name):
    files = sorted(path for path in DATA.glob(name) if DATA.name and path.is_file())
    if not files:
        pytest.skip(f"no {name} in $PARAGRAPH_DATA")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadWarning)
        assert_same(*open_both(files, tmp_path / "coded", unlabelled="skip", on_error="skip"))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_scores_of_ids_become_signs_by_two_thresholds(tmp_path, engine):
    table = pa.table({"left": [1, 2, 3, 1], "right": [2, 3, 4, 4], "score": [0.9, 0.8, 0.3, 0.5]})
    pq.write_table(table, tmp_path / "scores.parquet")
    columns = {"text_a": "left", "text_b": "right", "label": "score"}
    with pytest.warns(ReadWarning, match="1 row skipped"):
        store = pg.open_pairs(tmp_path / "scores.parquet", engine, columns=columns, labels=(0.4, 0.8), ids="one")
    assert pg.explain(store.graph, "1", "3").label == 1
    assert pg.explain(store.graph, "1", "4").label == 0
    assert store.graph.report["skipped"] == [
        {"file": "scores.parquet", "row": 4, "value": "0.5", "why": "label '0.5' gives no sign"}
    ]


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_ids_of_two_sources_are_two_records_unless_they_are_said_to_be_one(tmp_path, engine):
    pq.write_table(pa.table({"left": [1, 2], "right": [2, 1], "same": [1, 0]}), tmp_path / "links.parquet")
    how = {"columns": {"text_a": "left", "text_b": "right", "label": "same"}, "labels": {"1": 1, "0": 0}}
    apart = pg.open_pairs(tmp_path / "links.parquet", engine, progress=False, **how).graph
    assert apart.n == 4 and apart.text(0) == "left 1" and pg.conflicts(apart).empty
    one = pg.open_pairs(tmp_path / "links.parquet", engine, progress=False, ids="one", **how).graph
    assert one.n == 2 and len(pg.conflicts(one)) == 1


def test_identity_by_id(tmp_path):
    table = {"text_a": ["a", "A "], "text_b": ["b", "c"], "id_a": ["1", "1"], "id_b": ["2", "3"], "label": [1, 0]}
    pq.write_table(pa.table(table), tmp_path / "pairs.parquet")
    ours, other = open_both(tmp_path / "pairs.parquet", tmp_path / "coded", identity="id")
    assert_same(ours, other)
    assert other.graph.node("a") == ours.graph.node("a") == 0
    assert other.counts()["spellings merged into a sentence seen before"] == 1


def test_several_files_name_the_rows(tmp_path):
    first = save(tmp_path / "b.parquet", [("x", "y", 1)])
    second = save(tmp_path / "a.parquet", [("y", "z", 1), ("x", "z", 0)])
    for store in open_both([first, second], tmp_path / "coded"):
        proof = pg.explain(store.graph, "x", "z")
        assert (proof.verdict, proof.stated.rows) == ("conflict", ["a.parquet:2"])
        assert [step.rows for step in proof.steps] == [["b.parquet:1"], ["a.parquet:1"]]
        assert str(proof).endswith("(row a.parquet:1)")


@pytest.mark.parametrize("name", ["it's.parquet", "50%.parquet", "[x].parquet", "*.parquet"])
def test_names_of_files_and_folders_are_taken_as_they_are(tmp_path, name):
    path = save(tmp_path / name, [("x", "y", 1)])
    (tmp_path / "xparquet").write_text("no pairs")
    store = pg.open_pairs(path, "duckdb", folder=tmp_path / f"coded {name}")
    assert store.graph.texts([0, 1]) == ["x", "y"]


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_errors_are_the_same(tmp_path, engine, monkeypatch):
    options = {"source": save(tmp_path / "pairs.parquet", [("x", "y", 1), ("y", "z", 0)])}
    options |= {"engine": engine, "folder": tmp_path / "coded"}
    for change, message in (
        ({"engine": "spork"}, "engine 'spork' is not one of"),
        ({"memory": "plenty"}, "memory 'plenty' is not an amount of memory"),
        ({"source": []}, "not an empty list"),
        ({"source": "nothing-*.parquet"}, "nothing-.*: no such file"),
        ({"labels": {"1": 1}}, "pairs.parquet, row 2: label '0' is not one of 1"),
        ({"columns": {"label": "score"}}, "there is no column 'score'"),
        ({"identity": "id"}, "identity 'id' needs a column 'id_a'"),
        ({"identity": "face"}, "identity 'face' is not one of"),
    ):
        refused(message, pg.open_pairs, **options | change)
    assert not [path.name for path in (tmp_path / "coded").glob("*.parquet")]
    monkeypatch.setitem(sys.modules, "duckdb", None)
    refused(r"pip install '.\[scale\]'", pg.open_pairs, **options | {"engine": "duckdb"})


def test_a_large_file_that_is_no_parquet_is_refused(tmp_path):
    with (tmp_path / "pairs.tsv").open("w") as file:
        file.write("text_a\ttext_b\tlabel\na\tb\t1\n" + "c\td\t0\n" * 10)
        file.truncate(10**8)
    options = {"engine": "duckdb", "memory": "200MB"}
    refused(r"pairs.tsv is not a Parquet file.*write_pairs", pg.open_pairs, tmp_path / "pairs.tsv", **options)


def test_other_things_in_a_folder_are_left_alone(tmp_path):
    path = save(tmp_path / "rows.parquet", [("x", "y", 1)])
    (tmp_path / "store.json").write_text('{"redux": 1}')
    for name in ("graph", ".unfinished-theirs", ".unfinished-pairs-theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "firsts.csv").write_text("theirs")
    before = tree(tmp_path)
    pg.open_pairs(path, "duckdb", folder=tmp_path)
    assert before.items() <= tree(tmp_path).items()
    for name in (".", "out"):  # and so are outputs in the making
        with atomic_write(tmp_path / name, folder=True) as stage:
            (stage / "mine.txt").write_text("whole")
            pg.open_pairs(path, "duckdb", folder=tmp_path)
        assert (tmp_path / name / "mine.txt").read_text() == "whole"


def test_one_folder_holds_several_contents_and_each_is_coded_once(tmp_path):
    first = save(tmp_path / "x.parquet", [("a", "b", 1), ("b", "c", 0)])
    second = save(tmp_path / "y.parquet", [("q", "r", 1), ("r", "s", 1)])
    options = {"engine": "duckdb", "folder": tmp_path / "coded"}
    ours = pg.open_pairs(first, **options)
    clusters, (store,) = ours.graph.clusters(), options["folder"].glob("pairs-*")
    before = (store / "rows.parquet").stat().st_mtime_ns
    other = pg.open_pairs(second, **options)
    pd.testing.assert_frame_equal(ours.graph.clusters(), clusters)
    assert ours.graph.texts(range(3)) == ["a", "b", "c"] and other.graph.texts(range(3)) == ["q", "r", "s"]
    assert pg.open_pairs(first, **options).graph.texts(range(3)) == ["a", "b", "c"]
    assert (store / "rows.parquet").stat().st_mtime_ns == before
    save(first, [("a", "b", 1), ("b", "c", 0), ("c", "d", 0)])
    assert pg.open_pairs(first, **options).graph.n == 4
    assert len(list(options["folder"].glob("pairs-*"))) == 3
    names = {"sentences.text", "sentences.ends", "rows.parquet", "coded.json", "graph", "store.json"}
    assert {item.name for item in store.iterdir()} == names


def test_labels_that_change_under_the_same_size_and_time_are_read_again(tmp_path):
    path, options = tmp_path / "pairs.tsv", {"engine": "duckdb", "folder": tmp_path / "coded"}
    path.write_text("text_a\ttext_b\tlabel\na\tb\t1\nb\tc\t0\n")
    stat, opened = path.stat(), pg.open_pairs(path, **options)
    path.write_text(path.read_text().replace("c\t0", "c\t1"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert pg.open_pairs(path, **options).graph.clusters()["size"].tolist() == [3]
    assert opened.graph.clusters()["size"].tolist() == [2]
    path.write_text("text_a\ttext_b\tlabel\n")
    refused(r"pairs\.tsv has changed since it was opened", pg.write_datasets, opened.graph, tmp_path / "out")


DAMAGE = {"empty": lambda data: b"", "cut": lambda data: data[: len(data) // 2]}
DAMAGE["turned"] = lambda data: data[:-3] + bytes(255 - byte for byte in data[-3:])


@pytest.mark.slow
@pytest.mark.parametrize("how", ["gone", *DAMAGE])
def test_a_damaged_store_is_one_clear_line(tmp_path, how):
    source = save(tmp_path / "pairs.parquet", drawn(7))
    options = {"engine": "duckdb", "unlabelled": "keep"}
    folder = tmp_path / "new"
    pg.open_pairs(source, folder=folder, **options)
    files = [path for path in folder.rglob("*.*") if path.is_file() and path.name[0] != "."]
    names = [path.relative_to(folder) for path in files]
    for i, name in enumerate(names):
        broken = shutil.copytree(folder, tmp_path / str(i))
        data = (broken / name).read_bytes()
        (broken / name).unlink()
        if how != "gone":
            (broken / name).write_bytes(DAMAGE[how](data))
        said = r": cannot be used \(.*\); delete this folder, .* again"
        refused(said, pg.open_pairs, source, folder=broken, **options)
    assert len(names) > 20


#: A store on a disk of its own, in a process of its own: a write to a map without room behind it would end it.
STORED = """
import sys, paragraph as pg
try:
    pg.open_pairs(sys.argv[1], "duckdb", folder=sys.argv[2])
except pg.PairsError as error:
    print(error)
"""


KILOBYTES = [600, 2500, *(pytest.param(size, marks=pytest.mark.long) for size in (1500, 2000, 3500))]


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", KILOBYTES)
def test_a_full_disk_names_the_store(tmp_path, kilobytes):
    path = save(
        tmp_path / "pairs.parquet",
        [(f"question number {i} is so long", f"why {i // 3}", i % 2) for i in range(30_000)],
    )
    with tiny_disk(tmp_path / "disk", kilobytes) as disk:
        done = python("-c", STORED, path, disk / "store")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(rf"{disk}/store\S*: .*make room on the disk, .*\n", done.stdout), done.stdout


def test_auto_says_what_it_chose_and_why(tmp_path, capsys):
    texts = [f"{i} {'long ' * 20}" for i in range(10**4)]
    path = save(tmp_path / "pairs.parquet", [(*ends, 1) for ends in pairwise(texts)])
    assert pg.open_pairs(path).engine == "memory"
    assert "engine 'memory', since memory would take 0.3 GB of 8.0" in capsys.readouterr().err
    pg.open_pairs(path, progress=False)
    assert capsys.readouterr().err == ""
    store = pg.open_pairs(path, memory="100MB", folder=tmp_path / "coded")
    assert (store.engine, store.plan) == ("duckdb", capsys.readouterr().err.strip())


#: Where a process ends: at the n-th time that something takes its place in the folder.
KILLED = """
import os, signal, sys, paragraph as pg
from pathlib import Path
left = int(sys.argv[3])
def then(move):
    def moved(*args):
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return move(*args)
    return moved
Path.replace, Path.rename = then(Path.replace), then(Path.rename)
pg.open_pairs(sys.argv[1], "duckdb", folder=sys.argv[2], unlabelled="keep")
print("whole")
"""


@pytest.mark.long
def test_a_kill_at_any_step_leaves_nothing_that_is_partial(tmp_path):
    path = save(tmp_path / "pairs.parquet", drawn(7))
    ours = pg.open_pairs(path, "memory", unlabelled="keep")
    for step in range(1, 30):
        folder = tmp_path / f"killed {step}"
        done = python("-c", KILLED, path, folder, step)
        if done.stdout.strip() == "whole":
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        other = pg.open_pairs(path, "duckdb", folder=folder, unlabelled="keep")
        assert_same(ours, other)
        assert not list(folder.glob(".unfinished-*"))
    assert step > 8


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the kernel does not say")
@pytest.mark.parametrize("millions, memory", [(1, 1.0), (5, 1.5)])
def test_memory_bounds_the_process(tmp_path, millions, memory):
    make(tmp_path, millions * 10**6)
    found = python("-m", "benchmarks.scale", "duckdb", tmp_path, f"{memory}GB", check=True).stdout
    assert json.loads(found)["memory"]["own"] < memory + 0.3
