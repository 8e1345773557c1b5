"""Outputs appear whole or not at all; an input is never one of them."""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main
from paragraph.decisions.record import Answer
from paragraph.files.content import load
from paragraph.files.outputs import atomic_write, refuse_overwrite, write_json
from paragraph.files.records import record_of, write_record
from paragraph.files.tables import write_table
from paragraph.graph.export import export
from paragraph.papers.experiments.runs import run_cells

from ..disk import old_new_or_refused, small_disk, tiny_disk, tree
from ..growth import HUNG
from ..refused import refused


def test_files_appear_together_when_the_block_ends(tmp_path):
    (tmp_path / "other").write_text("stays")
    with atomic_write(tmp_path / "new" / "set", folder=True) as stage:
        (stage / "deep").mkdir()
        (stage / "deep" / "a").write_text("a")
        (stage / "report.json").write_text("{}")
        assert set(tmp_path.rglob("a")) == {stage / "deep" / "a"}
    with atomic_write(tmp_path, folder=True) as stage:
        (stage / "b").write_text("b")
    assert tree(tmp_path) == {"other": b"stays", "new/set/deep/a": b"a", "new/set/report.json": b"{}", "b": b"b"}


@pytest.mark.parametrize("end", [ValueError, KeyboardInterrupt, OSError])
def test_an_error_leaves_what_was_there(tmp_path, end):
    (tmp_path / "a").write_text("good")
    for place in (tmp_path, tmp_path / "not" / "yet"):
        with pytest.raises(end), atomic_write(place, folder=True) as stage:
            (stage / "a").write_text("half")
            raise end
    deleted = pytest.raises(FileNotFoundError, match="deleted from outside")
    with deleted, atomic_write(tmp_path / "set", folder=True) as stage:
        (stage / "a").write_text("a")
        shutil.rmtree(stage.parent)
    assert tree(tmp_path) == {"a": b"good"} and os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("kind, error", [("protected", PermissionError), ("folder", IsADirectoryError)])
def test_a_file_that_cannot_be_replaced_stops_all(tmp_path, monkeypatch, kind, error):
    (tmp_path / "b").mkdir() if kind == "folder" else (tmp_path / "b").write_text("good")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "b")
    with pytest.raises(error, match="b"), atomic_write(tmp_path, folder=True) as stage:
        for name in "abc":
            (stage / name).write_text("new")
    assert os.listdir(tmp_path) == ["b"] and tree(tmp_path) == ({} if kind == "folder" else {"b": b"good"})


def test_a_link_keeps_leading_to_its_file(tmp_path):
    (tmp_path / "deep").mkdir()
    real, link = tmp_path / "deep" / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with atomic_write(link) as part:
        part.write_text("new")
    assert link.is_symlink() and real.read_text() == "new" and real.stat().st_mode & 0o777 == 0o640


def write_beside(path):
    with atomic_write(path) as part:
        part.write_text("new")
        write_record({}, record_of(part))


def correct(path):
    pg.write_pairs(chain(3), path.with_name("given.tsv"))
    pairs = pg.read_pairs(path.with_name("given.tsv"))
    pg.replay([Answer("2026-01-31T12:00:00.000Z", "Ada", *CUT, "0", "1")], pairs).write(path)


CUT = ("question number 0?", "question number 1?")
#: What writes a file that the user names, and the files that are named after it.
NAMED_AFTER = {
    "x.tsv.record.json": write_beside,
    "x.left_out.tsv": correct,
    "x.decisions.tsv": correct,
    "x.cells/1.npz": lambda path: run_cells(["1"], lambda _: {"a": np.zeros(1)}, path=path.with_suffix(""), plan={}),
    "x.tsv/report.json": lambda path: pg.write_datasets(graph(3), path),
}


@pytest.mark.parametrize("name", NAMED_AFTER)
@pytest.mark.parametrize("there", [True, False])
@pytest.mark.filterwarnings("ignore:.*cannot be read")
def test_a_link_that_the_user_did_not_name_is_not_followed(tmp_path, name, there):
    log, link = tmp_path / "log.jsonl", tmp_path / name
    if there:
        log.write_text("years of work")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(log)
    NAMED_AFTER[name](tmp_path / "x.tsv")
    assert not link.is_symlink() and link.stat().st_size
    assert log.read_text() == "years of work" if there else not log.exists()


def test_a_folder_in_the_output_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "deep").symlink_to(tmp_path / "elsewhere")
    with (
        pytest.raises(pg.PairsError, match="deep is a link to another folder"),
        atomic_write(tmp_path / "out", folder=True) as stage,
    ):
        (stage / "deep").mkdir()
        (stage / "deep" / "a").write_text("a")
    (tmp_path / "four").symlink_to(tmp_path / "elsewhere")
    pg.write_datasets(graph(3), tmp_path / "four")
    assert "original.tsv" in {path.name for path in (tmp_path / "elsewhere").iterdir()}


def test_those_who_write_into_one_folder_at_once_do_not_mix(tmp_path, monkeypatch):
    """A second one begins as soon as the first has moved its first file."""

    def write(text):
        with atomic_write(tmp_path, folder=True) as stage:
            for name in "abc":
                (stage / name).write_text(text)

    replace, second = Path.replace, threading.Thread(target=write, args=["two"])

    def first(self, target):
        replace(self, target)
        if not second.ident:
            second.start()
            second.join(0.3)

    monkeypatch.setattr(Path, "replace", first)
    write("one")
    second.join()
    assert tree(tmp_path) == dict.fromkeys("abc", b"two")


@pytest.mark.parametrize("path, error", [
    ("none/x", FileNotFoundError), ("file/x", NotADirectoryError), ("folder", IsADirectoryError),
])  # fmt: skip
def test_a_place_that_is_none(tmp_path, path, error):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(error, match=Path(path).parts[0]), atomic_write(tmp_path / path):
        pytest.fail("the block ran")


def test_a_device_and_a_pipe_are_written_to_as_they_are(tmp_path):
    with atomic_write("/dev/null") as part:
        assert str(part) == "/dev/null"
    os.mkfifo(tmp_path / "pipe")
    with atomic_write(tmp_path / "pipe") as part:
        assert part == tmp_path / "pipe"


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no /dev/shm here")
def test_a_file_below_dev_is_a_file_and_an_open_file_is_none():
    """The shell may have led /dev/stdout into a file, as it does with ``>>``: it is written to as it stands."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder, "pairs.tsv")
        path.write_text("old")
        with atomic_write(path) as part:
            part.write_text("new")
            assert path.read_text() == "old"
        write_record({}, record_of(path))
        assert path.read_text() == "new" and set(os.listdir(folder)) == {"pairs.tsv", "pairs.tsv.record.json"}
        code = "from paragraph.files.outputs import atomic_write as w\nwith w('/dev/stdout') as part: print(part)"
        with path.open("ab") as file:
            subprocess.run([sys.executable, "-c", code], stdout=file, check=True, timeout=HUNG)
        assert path.read_text() == "new/dev/stdout\n" and len(os.listdir(folder)) == 2


def chain(n):
    texts = [f"question number {i}?" for i in range(n + 1)]
    return pd.DataFrame({"text_a": texts[:-1], "text_b": texts[1:], "label": 1})


def graph(n):
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(chain(n)))


WRITERS = {
    **dict.fromkeys(["pairs.tsv", "pairs.csv.gz", "pairs.jsonl", "pairs.parquet"],
                    lambda n, path: pg.write_pairs(chain(n), path)),
    "graph.graphml": lambda n, path: export(graph(n), path),
    "conflicts.tsv": lambda n, path: write_table(chain(n), path),
    "scores.json": lambda n, path: write_json(list(range(n)), path),
    "four": lambda n, path: pg.write_datasets(graph(n), path),
    "clusters.html": lambda n, path: pg.Explorer(graph(n)).save(path),
}  # fmt: skip


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_good_file(tmp_path, name):
    write, path = WRITERS[name], tmp_path / name
    write(3, path)
    before = tree(tmp_path)
    room = max(map(len, before.values())) + 100
    with small_disk(room), pytest.raises(OSError, match="File too large") as error:
        write(800, path)
    assert isinstance(error.value, pg.PairsError) and str(error.value).startswith(f"{path}")
    assert "make room on the disk" in str(error.value) and "\n" not in str(error.value)
    assert tree(tmp_path) == before and os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", ["pairs.tsv", "graph.graphml", "four"])
@pytest.mark.parametrize("free", [0, 24])
def test_a_disk_without_room_is_named_by_its_file(tmp_path, name, free):
    with tiny_disk(tmp_path / "disk", 64) as disk:
        (disk / "rest").write_bytes(bytes((64 - free) * 1024))
        said = refused("make room on the disk", WRITERS[name], 5000, disk / name)
        assert said.startswith(f"{disk / name}") and ".unfinished" not in said and "\n" not in said
        assert os.listdir(disk) == ["rest"]


@pytest.mark.slow
def test_tags_that_are_cut_off_at_a_line_end_are_refused(tmp_path):
    path = tmp_path / "tags.jsonl"
    pg.tags.write(pg.tags.untagged(chain(4)), path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines).replace(b"\n", b"\r\n"))  # as it comes from another system
    assert len(pg.tags.read(path)) == 4
    path.write_bytes(b"".join(lines[:-1]))
    refused(r"tags.jsonl: cannot be used \(ValueError: 3 rows, but 4 were written\)", pg.tags.read, path)
    (tmp_path / "tags.jsonl.record.json").unlink()
    assert len(pg.tags.read(path)) == 3


def split(seed, folder):
    path = folder.parent / "apart.tsv"
    pg.write_pairs(chain(60)[::2], path)
    assert main(["split", f"{path}", "-o", f"{folder}", "--seed", f"{seed}", "--quiet"]) == 0


def datasets(n, folder):
    pg.write_datasets(graph(n + 3), folder)


def corrected(n, folder):
    folder.mkdir(exist_ok=True)
    pg.write_pairs(chain(4), folder.parent / "given.tsv")
    ends = (f"question number {n}?", f"question number {n + 1}?")
    log = [Answer("2026-01-31T12:00:00.000Z", "Ada", *ends, "0", "1")]
    pg.replay(log, pg.read_pairs(folder.parent / "given.tsv")).write(folder / "clean.tsv")


def texts(folder):
    return [path.read_text() for path in sorted(folder.glob("*.tsv")) if load(path)]


#: What writes several files that belong together, in two makings, and what reads them.
SETS = {
    "split": (split, texts),
    "four datasets": (datasets, texts),
    "corrected": (corrected, lambda folder: load(folder / "clean.tsv")),
}


@pytest.mark.parametrize("name", SETS)
def test_files_of_two_makings_are_refused(tmp_path, name):
    (write, read), folder = SETS[name], tmp_path / "set"
    write(0, folder)
    old_new_or_refused(folder, lambda: write(1, folder), read, tmp_path)


def graph_of(given):
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(given))


def coded(given):
    return pg.open_pairs(given, engine="duckdb", progress=False).graph


def of_two_files(given):
    return pg.open_pairs([given, given], engine="memory", progress=False).graph


#: Writers of what was read from a file: the name of that file, how it is read, and the call that would replace it.
OVERWRITERS = {
    "write_pairs": ("x.tsv", pg.read_pairs, pg.write_pairs),
    "Replayed.write, a file": ("x.tsv", pg.read_pairs, lambda pairs, out: pg.replay([], pairs).write(out)),
    "Replayed.write, rows left out": (
        "x.left_out.tsv", pg.read_pairs, lambda pairs, out: pg.replay([], pairs).write(out.with_name("x.tsv"))),
    "write_datasets": ("original.tsv", graph_of, lambda graph, out: pg.write_datasets(graph, out.parent)),
    "write_datasets, coded": ("original.tsv", coded, lambda graph, out: pg.write_datasets(graph, out.parent)),
    "write_datasets, two files": (
        "original.tsv", of_two_files, lambda graph, out: pg.write_datasets(graph, out.parent)),
    "export": ("x.graphml", graph_of, pg.export),
    "training sets": ("pair.parquet", graph_of, lambda graph, out: pg.training_sets(graph).write(out.parent)),
    "training sets, an empty one": (
        "triplet.parquet", graph_of, lambda graph, out: pg.training_sets(graph).write(out.parent)),
    "a review": (
        "x.html", graph_of, lambda graph, out: pg.ConflictReview(graph, f"{out}.db", reviewer="Ada").save(out)),
    "Explorer": ("x.html", graph_of, lambda graph, out: pg.Explorer(graph).save(out)),
    "overview": ("x.html", graph_of, lambda graph, out: pg.overview(graph).save(out)),
    "Atlas": ("x.html", graph_of, lambda graph, out: pg.Atlas(graph, by="words").save(out)),
}  # fmt: skip


#: Those that need an extra.
NEEDS = {"write_datasets, coded": pytest.mark.scale}


#: Each writer by the file's own name, and one by its other names.
CASES = [pytest.param(name, "its name", marks=NEEDS.get(name, ())) for name in OVERWRITERS]
CASES += [("write_pairs", way) for way in ("a relative name", "a link", "a hard link", "from another folder")]


@pytest.mark.parametrize("writer, way", CASES)
def test_no_writer_overwrites_what_it_was_made_from(tmp_path, monkeypatch, writer, way):
    name, read, write = OVERWRITERS[writer]
    for folder in ("data", "other"):
        (tmp_path / folder).mkdir()
    given = out = path = tmp_path / "data" / name
    made = path.with_name("made.parquet" if path.suffix == ".parquet" else "made.tsv")
    pg.write_pairs(pd.DataFrame({"text_a": ["a b", "c d"], "text_b": ["a c", "c e"], "label": [1, 0]}), made)
    made.rename(path)
    before = path.read_bytes()
    monkeypatch.chdir(path.parent)
    if way == "a relative name":
        given = out = Path(name)
    elif way == "a link":
        out = tmp_path / "other" / name
        out.symlink_to(path)
    elif way == "a hard link":
        out = tmp_path / "other" / name
        os.link(path, out)
    elif way == "from another folder":
        given = Path(name)
    source = read(given)
    if way == "from another folder":
        monkeypatch.chdir(tmp_path / "other")
    refused("is the input and would be overwritten", write, source, out)
    assert path.read_bytes() == before


def test_an_input_is_spared_under_any_name(tmp_path):
    given = tmp_path / "given.tsv"
    given.touch()
    (tmp_path / "hard").hardlink_to(given)
    (tmp_path / "soft").symlink_to(given)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "up").symlink_to(tmp_path)
    for name in ("hard", "soft", "folder/../given.tsv", "folder/up/given.tsv"):
        refused(
            "is the input and would be overwritten", refuse_overwrite, [given], tmp_path / "other", tmp_path / name
        )
        refused("is the input", refuse_overwrite, [tmp_path / name], given)
    refuse_overwrite([given, tmp_path / "none"], tmp_path / "other", tmp_path / "none", tmp_path / "folder")
