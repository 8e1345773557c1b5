"""The shell: every verb, on the shipped corpus and on files small enough to count by hand."""

import csv
import gzip
import hashlib
import importlib.metadata
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from threading import Thread

import networkx as nx
import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import parser

from ..growth import HUNG

DATASETS = ["original", "original_flipped", "augmented", "augmented_flipped"]
HEADER = ["question1", "question2", "is_duplicate"]

# Four questions on tea in a chain, with a negative from end to end; two on coffee; one on water, alone; and a
# pair stated both ways.
GOOD, HEALTHY, DOES, WHOLE = "Is tea good?", "Is tea healthy?", "Does tea do good?", "Is tea wholesome?"
COFFEE, BEANS, WATER = "Is coffee good?", "Are coffee beans good?", "Is water wet?"
TEA = [
    (GOOD, HEALTHY, 1),
    (HEALTHY, DOES, 1),
    (GOOD, DOES, 0),
    (DOES, COFFEE, 0),
    (COFFEE, BEANS, 1),
    ("Is milk white?", "Is snow white?", 0),
    ("Is snow white?", "Is milk white?", 1),
    (WATER, GOOD, 0),
    (DOES, WHOLE, 1),
]

HOSTILE = [
    "a\ttab",
    'a "quoted" word',
    '"all quoted"',
    '"',
    "two\nlines",
    "carriage\rreturn",
    "both\r\nends",
    "emoji 👩‍🔬 é\u0301",
    "\ufeffbegins with a byte-order mark",
    "line\u2028separator and \x85 next line",
    "=1+1, or NULL; 'single' \\t",
    " outer space ",
]


def shell(*args, **options):
    """Runs a command in a process of its own."""
    command = [sys.executable, "-m", "paragraph", *map(str, args)]
    done = subprocess.run(command, capture_output=True, timeout=HUNG, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def save(path, rows, header=HEADER):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([header, *rows])
    return path


def load(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", strict=True))


@pytest.fixture
def tea(tmp_path):
    return save(tmp_path / "tea.tsv", TEA)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ------------------------------------------------------------------------------------------------ summary


def test_summary(run, tea):
    done = run("summary", tea)
    assert (done.status, done.err) == (0, "")
    count = {}
    for line in done.out.split("\n\n")[0].splitlines():
        number, name = line.strip().split("  ", 1)
        count[name] = int(number.replace(",", ""))
    assert count == json.loads(run("summary", tea, "--json").out)
    assert (count["rows"], count["sentences"], count["stated pairs"]) == (9, 9, 8)
    assert (count["positive"], count["negative"]) == (5, 3)
    assert (count["clusters of two or more"], count["largest cluster"]) == (3, 4)
    assert (count["inferred positive"], count["inferred negative (rule 'all')"]) == (2, 10)
    assert count["inferred negative (rule 'clusters')"] == 7
    assert count["negatives inside a cluster (within-conflicts)"] == 1
    assert count["pairs stated both ways (direct contradictions)"] == 1
    assert count["rows that repeat a pair"] == 1


@pytest.mark.parametrize("clusters, shown", [("2", [GOOD, COFFEE]), ("0", [])])
def test_summary_shows_the_largest_clusters(run, tea, clusters, shown):
    table = run("summary", tea, "--clusters", clusters).out.partition("\n\n")[2]
    rows = table.splitlines()[1:]
    assert len(rows) == len(shown)
    assert all(row.endswith(f" {text}") for row, text in zip(rows, shown, strict=True))


def test_summary_of_a_file_without_rows(run, tmp_path):
    done = run("summary", save(tmp_path / "none.tsv", []))
    assert done.status == 0 and done.out.endswith("\n\nThere is no cluster.\n")


# ------------------------------------------------------------------------------------------------ augment


@pytest.mark.parametrize(
    "options, positive, negative",
    [
        # 5 positive and 3 negative pairs are stated; what follows is 2 positives within tea, 7 negatives
        # between tea and coffee, 3 between tea and water
        ("", 5 + 2, 3 + 7 + 3),
        ("--negatives clusters", 5 + 2, 3 + 7),
        ("--max-distance 1", 5 + 1, 3 + 3 + 1),
        ("--max-distance 2 --distance hops", 5 + 2, 3 + 6 + 2),
        ("--max-distance 1 --distance hops --negatives clusters", 5 + 1, 3 + 3),
        ("--max-cluster-size 3", 5, 3),
        ("--max-per-cluster 1 --seed 7", 5 + 1, 3 + 1),
        ("--format parquet", 5 + 2, 3 + 7 + 3),
    ],
)
def test_augment(run, tea, tmp_path, options, positive, negative):
    done = run("augment", tea, "-o", tmp_path / "out", *options.split())
    assert (done.status, done.err) == (0, "")
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["train"] == {
        "original": {"positive": 5, "negative": 4},
        "original_flipped": {"positive": 6, "negative": 3},
        "augmented": {"positive": positive, "negative": negative},
        "augmented_flipped": {"positive": positive + 1, "negative": negative - 1},
    }
    kind = "parquet" if "parquet" in options else "tsv"
    for name, count in report["train"].items():
        path = tmp_path / "out" / "train" / f"{name}.{kind}"
        if kind == "tsv":
            header, *rows = load(path)
        else:
            frame = pd.read_parquet(path)
            header, rows = list(frame.columns), frame.astype(str).to_numpy().tolist()
        assert header == HEADER
        labels = [row[2] for row in rows]
        assert (labels.count("1"), labels.count("0")) == (count["positive"], count["negative"])
        assert len(labels) == sum(count.values())
        if name == "original":
            assert rows == [[a, b, str(label)] for a, b, label in TEA]
        if name.startswith("augmented"):
            conflict = [row[2] for row in rows if set(row[:2]) == {GOOD, DOES}]
            assert conflict == (["1"] if name.endswith("flipped") else ["0"])
            assert len({frozenset(row[:2]) for row in rows}) == len(rows)
        shown = f"{name:<18}{count['positive']:>12,}{count['negative']:>12,}"
        assert shown in done.out


def test_augment_report(run, tea, tmp_path):
    save(tmp_path / "probe.tsv", [("a", "b", 1), ("b", "c", 0)])
    run("augment", tea, "--test", tmp_path / "probe.tsv", "-o", tmp_path / "out", "--negatives", "clusters")
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert list(report) == ["train", "test", "record"]
    assert [list(report[part]) for part in ("train", "test")] == [DATASETS] * 2
    for part in ("train", "test"):
        assert all(list(count) == ["positive", "negative"] for count in report[part].values())
        files = {path.name for path in (tmp_path / "out" / part).iterdir()}
        assert files == {f"{name}.tsv" for name in DATASETS} | {"conflicts.tsv"}
    # the test file is closed on its own
    assert report["test"]["augmented"] == {"positive": 1, "negative": 1}
    assert report["record"]["inputs"] == {
        part: {"file": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}
        for part, path in (("train", tea), ("test", tmp_path / "probe.tsv"))
    }
    options = report["record"]["options"]
    assert options["negatives"] == "clusters"
    assert (options["max_distance"], options["distance"], options["seed"]) == (None, "rounds", 0)
    assert report["record"]["versions"]["paragraph"] == pg.__version__
    assert str(tmp_path) not in json.dumps(report)  # records travel


@pytest.mark.parametrize("verb", ["augment {} -o out", "apply {} log.jsonl -o out"])
def test_enormous_work_waits_for_a_word(run, tmp_path, monkeypatch, verb):
    monkeypatch.chdir(tmp_path)
    path = save("star.tsv", [("hub", f"spoke {i}", 1) for i in range(10_000)])
    (tmp_path / "log.jsonl").touch()
    command = verb.format(path).split()
    done = run(*command)
    assert (done.status, done.out) == (2, "")
    assert "this would write 100,030,000 rows, about 2.38GB as TSV; --yes does so all the same" in done.err
    assert not (tmp_path / "out").exists()
    monkeypatch.setattr("paragraph.cli.files.ENORMOUS", 10**5)
    save(path, [("hub", f"spoke {i}", 1) for i in range(400)])
    assert run(*command, "-q").status == 2
    assert run(*command, "-q", "--yes") == (0, "", "")


def test_hostile_questions_survive(run, tmp_path):
    rows = [(HOSTILE[i - 1], text, i % 3 and 1) for i, text in enumerate(HOSTILE)]
    path = tmp_path / "hostile.jsonl"
    lines = [json.dumps({"text_a": a, "text_b": b, "label": label}) for a, b, label in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert run("augment", path, "-o", tmp_path).status == 0
    expected = pg.four_datasets(pg.ParaphraseGraph.from_pairs(pg.read_pairs(path)))
    for name in DATASETS:
        header, *found = load(tmp_path / "train" / f"{name}.tsv")
        assert header == HEADER
        assert found == expected[name].astype(str).to_numpy().tolist()
    assert {text for row in load(tmp_path / "train" / "original.tsv")[1:] for text in row[:2]} == set(HOSTILE)
    # what was written is read again: the second generation is the first
    again = run("augment", tmp_path / "train" / "original.tsv", "-o", tmp_path / "again")
    assert (again.status, again.err) == (0, "")
    for name in DATASETS:
        first, second = (folder / "train" / f"{name}.tsv" for folder in (tmp_path, tmp_path / "again"))
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.slow
def test_two_runs_write_the_same_bytes(tmp_path):
    written = []
    for seed in ("1", "2"):  # of Python's own hashes: the order of its sets
        folder = tmp_path / seed
        options = ["--max-per-cluster", "20", "--seed", "5", "-q"]
        done = shell("augment", pg.DEMO, "-o", folder, *options, env=os.environ | {"PYTHONHASHSEED": seed})
        assert done == (0, "", "")
        written.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert written[0] == written[1]
    assert len(written[0]) == 6


def test_rows_without_a_label(run, tmp_path):
    path = save(tmp_path / "some.tsv", [("a", "b", "1"), ("b", "c", ""), ("a", "c", "0")])
    assert run("augment", path, "-o", tmp_path).status == 2
    done = run("augment", path, "-o", tmp_path, "--unlabelled", "keep")
    assert done.status == 0
    report = json.loads((tmp_path / "report.json").read_text())["train"]
    assert report["original"] == {"positive": 1, "negative": 1, "unlabelled": 1}
    assert report["augmented"] == {"positive": 1, "negative": 2}  # a+b a-c, so b-c
    assert load(tmp_path / "train" / "original.tsv")[2] == ["b", "c", ""]


# ---------------------------------------------------------------------------------------------- conflicts


def test_conflicts(run, tea, tmp_path):
    done = run("conflicts", tea, "-o", tmp_path / "found.tsv")
    assert done == (0, "2 conflicts: 1 within, 1 direct\n", "")
    header, *rows = load(tmp_path / "found.tsv")
    assert header[:5] == ["kind", "question1", "question2", "cluster", "path"]
    within, direct = (dict(zip(header, row, strict=True)) for row in rows)
    assert [within["question1"], within["question2"]] == [GOOD, DOES]
    assert json.loads(within["path"]) == [GOOD, HEALTHY, DOES]
    assert (within["kind"], within["cluster"], within["length"]) == ("within", "0", "2")
    assert (json.loads(within["rows"]), json.loads(within["path_rows"])) == ([4], [[2], [3]])
    assert (direct["kind"], json.loads(direct["path"])) == ("direct", [])
    assert (direct["question1"], json.loads(direct["rows"])) == ("Is milk white?", [7, 8])


@pytest.mark.slow
def test_conflicts_on_standard_output(tea, tmp_path):
    shell("conflicts", tea, "-o", tmp_path / "found.tsv")
    done = shell("conflicts", tea, "-o", "-")
    assert done == (0, (tmp_path / "found.tsv").read_text(), "")
    log = tmp_path / "log"
    log.write_text("kept\n")
    with log.open("a") as out:  # as >> does
        subprocess.run([sys.executable, "-m", "paragraph", "conflicts", tea, "-o", "-"], stdout=out, check=True)
    assert log.read_text() == "kept\n" + done[1]


# ------------------------------------------------------------------------------------------------ explain


@pytest.mark.parametrize(
    "ends, verdict, label, steps",
    [
        ((GOOD, f" {GOOD}\n"), "same", 1, []),
        ((HEALTHY, GOOD), "stated", 1, [(1, [2])]),
        ((COFFEE, DOES), "stated", 0, [(-1, [5])]),
        ((GOOD, WHOLE), "inferred", 1, [(1, [2]), (1, [3]), (1, [10])]),
        ((BEANS, HEALTHY), "inferred", 0, [(1, [6]), (-1, [5]), (1, [3])]),
        ((WATER, WHOLE), "inferred", 0, [(-1, [9]), (1, [2]), (1, [3]), (1, [10])]),
        ((GOOD, DOES), "conflict", 0, [(1, [2]), (1, [3])]),
        (("Is milk white?", "Is snow white?"), "stated", 1, [(1, [7, 8])]),
        ((WATER, COFFEE), "unknown", None, []),
    ],
)
def test_explain(run, tea, ends, verdict, label, steps):
    done = run("explain", tea, *ends, "--json")
    assert (done.status, done.err) == (0, "")
    found = json.loads(done.out)
    assert (found["verdict"], found["label"]) == (verdict, label)
    assert [(step["sign"], step["rows"]) for step in found["steps"]] == steps
    assert found["source"] == "tea.tsv"
    text = run("explain", tea, *ends)
    assert (text.status, text.err) == (0, "")
    assert f"{verdict}: {found['reason']}" in text.out
    for _, rows in steps:
        assert f"(row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))})" in text.out


def test_a_sentence_that_is_not_there(run, tea):
    done = run("explain", tea, "Is the coffee good?", WATER)
    assert (done.status, done.out) == (2, "")
    said, nearest = done.err.split("; nearest: ")
    assert said == "paragraph: sentence 'Is the coffee good?' is not in the graph"
    assert nearest.rstrip("\n").split("; ")[0] == COFFEE


# ------------------------------------------------------------------------------------- split, fetch, export


def test_split(run, tmp_path):
    rows = [(f"question {i}?", f"question {i} again?", i % 2) for i in range(100)]
    path = save(tmp_path / "many.tsv", rows)
    done = run("split", path, "-o", tmp_path / "out", "--shares", "train=.7,dev=.2,test=.1", "--seed", "3")
    assert (done.status, done.err) == (0, "")
    parts = {name: load(tmp_path / "out" / f"{name}.tsv")[1:] for name in ("train", "dev", "test")}
    assert {name: len(part) for name, part in parts.items()} == {"train": 70, "dev": 20, "test": 10}
    given = sorted([a, b, str(label)] for a, b, label in rows)
    assert sorted(row for part in parts.values() for row in part) == given
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert [part["rows"] for part in report["split"]["splits"].values()] == [70, 20, 10]
    assert report["record"]["inputs"]["pairs"]["sha256"] == sha256(path)
    assert report["record"]["options"]["seed"] == 3


def test_a_part_is_called_nothing_that_leads_elsewhere(run, tea, tmp_path):
    done = run("split", tea, "-o", tmp_path / "out", "--shares", "a\nb=.5,c=.5")
    assert (done.status, done.out) == (2, "") and "names no file" in done.err
    assert not (tmp_path / "out").exists()


def test_split_by_clusters(run, tmp_path):
    done = run("split", pg.DEMO, "-o", tmp_path, "--by", "clusters")
    assert done.status == 0
    report = json.loads((tmp_path / "report.json").read_text())["split"]
    parts = {name: load(tmp_path / f"{name}.tsv")[1:] for name in ("train", "dev", "test")}
    assert {name: len(part) for name, part in parts.items()} == {
        name: part["rows"] for name, part in report["splits"].items()
    }
    crossing = len(load(pg.DEMO)) - 1 - sum(map(len, parts.values()))
    assert crossing == report["without_split"]["rows"] > 0
    assert f"note: {crossing:,} of " in done.err  # what is in none of the files is said


def test_fetch_finds_what_is_there(run, tmp_path):
    (tmp_path / "mqp").mkdir()
    (tmp_path / "mqp" / "mqp.csv").write_text("1,a,b,1\n")
    assert run("fetch", "mqp", "-o", tmp_path) == (0, f"{tmp_path / 'mqp' / 'mqp.csv'}\n", "")


@pytest.mark.slow
def test_fetch_offline(tmp_path):
    proxies = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")
    nowhere = dict.fromkeys(proxies, "http://127.0.0.1:9")  # a port at which nothing listens
    environment = os.environ | nowhere | {"NO_PROXY": "", "no_proxy": ""}
    done = shell("fetch", "mqp", "--yes", "-o", tmp_path, env=environment)
    assert done[:2] == (2, "")
    assert "cannot be reached" in done[2] or "no network" in done[2]
    assert "Or by hand: put mqp.csv into" in done[2] and "Traceback" not in done[2]


def test_fetch_asks_for_the_terms(tmp_path):
    status, out, err = shell("fetch", "qqp", "-o", tmp_path, stdin=subprocess.DEVNULL)
    assert (status, out) == (2, "") and "terms" in err and "--yes" in err


@pytest.mark.slow
def test_export_of_the_shipped_corpus(run, tmp_path):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    path = tmp_path / "graph.graphml"
    assert run("export", pg.DEMO, "-o", path).out == f"{len(graph.edge_a):,} edges written to {path}\n"
    found = nx.read_graphml(path)
    assert {int(node): text for node, text in found.nodes(data="text")} == dict(
        enumerate(graph.texts(range(graph.n)))
    )
    signs = {(int(a), int(b)): sign for a, b, sign in found.edges(data="sign")}
    assert {tuple(sorted(ends)): sign for ends, sign in signs.items()} == {
        tuple(sorted(ends)): sign
        for *ends, sign in zip(graph.edge_a.tolist(), graph.edge_b.tolist(), graph.edge_sign.tolist(), strict=True)
    }
    record = json.loads((tmp_path / "graph.graphml.record.json").read_text())
    assert record["inputs"]["pairs"]["sha256"] == sha256(pg.DEMO)


# ------------------------------------------------------------------------------------- how a file is read


@pytest.mark.parametrize(
    "header, rows, options, counts",
    [
        ("p h same", "a b yes;b c no", "--columns text_a=p,text_b=h,label=same --labels yes=1,no=0",
         {"positive": 1, "negative": 1}),
        ("p h same", "a b yes;b c ?", "--columns text_a=p,text_b=h,label=same --labels yes=1,no=0,?= "
         "--unlabelled keep", {"positive": 1, "negative": 0, "rows without a label": 1}),
        ("question1 question2 label", "a b 4.5;b c 1;c d 3.9", "--labels 3.5,4.5 --unlabelled keep",
         {"positive": 1, "negative": 1, "rows without a label": 1}),
        ("question1 question2 label", "a b 4.5;b c 1;c d 3.9", "--labels 3.5,4.5",
         {"positive": 1, "negative": 1, "rows": 2}),
        ("a b 1", "b c 0;c d 0", "--columns text_a=0,text_b=1,label=2", {"positive": 1, "negative": 2}),
        ("question1 question2 is_duplicate", "a b 1;b c maybe", "--on-error skip", {"positive": 1, "rows": 1}),
        ("question1 question2 is_duplicate", "a b 1;b c -", "--labels 1=1,-=0", {"positive": 1, "negative": 1}),
        ("question1 question2 is_duplicate", "a b 1;A? b 0", "--identity normal",
         {"sentences": 2, "spellings merged into a sentence seen before": 1}),
        ("id qid1 qid2 question1 question2 is_duplicate", "1 x y a b 1;2 x z b b 0", "--identity id --input tsv",
         {"sentences": 3}),
    ],
)  # fmt: skip
def test_how_a_file_is_read(run, tmp_path, header, rows, options, counts):
    path = save(tmp_path / "own.tsv", [row.split() for row in rows.split(";")], header.split())
    done = run("summary", path, "--json", *options.split())
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert {name: found[name] for name in counts} == counts


def test_questions_and_answers_have_a_summary_but_no_closure(run, tmp_path):
    header = ["QuestionID", "Question", "DocumentID", "DocumentTitle", "SentenceID", "Sentence", "Label"]
    rows = [("Q1", "Why is tea hot?", "D1", "Tea", f"D1-{i}", f"Because of reason {i}.", i % 2) for i in range(3)]
    path = save(tmp_path / "wiki.tsv", rows, header)
    done = run("summary", path)
    assert (done.status, done.err) == (0, "")
    assert "3  rows" in done.out and "inferred" not in done.out
    done = run("augment", path, "-o", tmp_path / "out")
    assert (done.status, done.out) == (2, "")
    assert "question and answer" in done.err


# -------------------------------------------------------------------------- standard input, pipes, signals


@pytest.mark.slow
def test_standard_input(tea, tmp_path):
    with tea.open("rb") as file:
        assert shell("summary", "-", stdin=file) == shell("summary", tea)
    done = shell("augment", tea, "--test", "-", "-o", tmp_path / "out", "-q", input=tea.read_bytes())
    assert done == (0, "", "")
    inputs = json.loads((tmp_path / "out" / "report.json").read_text())["record"]["inputs"]
    assert inputs["test"] == {"file": "standard input"} | {k: inputs["train"][k] for k in ("bytes", "sha256")}
    original = (tmp_path / "out" / part / "original.tsv" for part in ("train", "test"))
    assert len({path.read_bytes() for path in original}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "args, data, message",
    [
        (["summary", "-"], b"", "standard input: the file is empty"),
        (["summary", "-"], b"question1\tquestion2\tis_duplicate\na\tb\tmaybe\n",
         "standard input, row 2: label 'maybe' is not one of 0, 1"),
        (["augment", "-", "--test", "-", "-o", "out"], b"", "standard input holds one file"),
    ],
)  # fmt: skip
def test_standard_input_that_cannot_be_read(tmp_path, args, data, message):
    status, out, err = shell(*args, input=data, cwd=tmp_path)
    assert (status, out) == (2, "") and message in err and list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once(tea, tmp_path):
    pipe = tmp_path / "pipe.tsv"
    os.mkfifo(pipe)
    # In a thread of its own, because to open a pipe for writing waits for its reader.
    Thread(target=pipe.write_bytes, args=[tea.read_bytes()], daemon=True).start()
    assert shell("augment", pipe, "-o", tmp_path / "out", "-q") == (0, "", "")
    given = json.loads((tmp_path / "out" / "report.json").read_text())["record"]["inputs"]["train"]
    assert given == {"file": "pipe.tsv", "bytes": tea.stat().st_size, "sha256": sha256(tea)}


@pytest.mark.slow
@pytest.mark.parametrize("args", [["summary", pg.DEMO], ["conflicts", pg.DEMO, "-o", "-"]])
def test_a_reader_that_goes_away(args):
    command = [sys.executable, "-m", "paragraph", *map(str, args)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(HUNG) == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_interrupted(tmp_path):
    pipe, scratch = tmp_path / "pipe.tsv", tmp_path / "scratch"
    os.mkfifo(pipe)
    scratch.mkdir()
    command = [sys.executable, "-m", "paragraph", "summary", pipe]
    environment = os.environ | {"TMPDIR": str(scratch)}
    # A shell that runs the tests in the background has them ignore the signal, and so would the command.
    heed = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, preexec_fn=heed
    )

    def interrupt():
        with pipe.open("wb", buffering=0) as writer:  # opens once the command reads
            writer.write(b"question1\tquestion2\tis_duplicate\n")
            while process.poll() is None:  # a signal between two reads is only seen after the second
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(10)

    Thread(target=interrupt, daemon=True).start()
    try:
        out, err = process.communicate(timeout=HUNG)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, b"", b"\nparagraph: interrupted\n")
    assert list(scratch.iterdir()) == []


@pytest.mark.slow
def test_output_is_utf8_whatever_the_terminal(tmp_path):
    path = save(tmp_path / "tea.tsv", [("お茶は好き?", "お茶は 🍵 好き?", 0)])
    texts = ("お茶は好き?", "お茶は 🍵 好き?")
    status, out, err = shell("explain", path, *texts, "--json", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert (found["text_a"], found["text_b"]) == texts


# ------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "args, message",
    [
        ("summary bad.tsv", "bad.tsv, row 812: label 'maybe' is not one of 0, 1"),
        ("augment tea.tsv --test bad.tsv -o out", "bad.tsv, row 812: label 'maybe' is not one of 0, 1"),
        ("summary none.tsv", "none.tsv: cannot be read: No such file or directory"),
        ("summary empty.tsv", "empty.tsv: the file is empty"),
        ("summary tea.tsv --input nonsense", "--input 'nonsense' is not one of auto, qqp"),
        ("summary tea.tsv --columns label=score", "there is no column 'score'"),
        ("summary tea.tsv --labels yes", "--labels 'yes' is neither yes=1,no=0 nor two thresholds"),
        ("summary tea.tsv --labels 1=1,0=0,0=1", "--labels '1=1,0=0,0=1' names one thing twice"),
        ("summary tea.tsv --labels 1=1,0=0,1.0=0", "--labels maps '1' to two signs"),
        ("summary twice.jsonl", "twice.jsonl, row 1: not JSON (key 'label' is there twice)"),
        ("summary bad.tsv", "; --on-error skip leaves such rows out"),
        ("summary odd.tsv", "no column for text_b among 'question1', 'other'; name it with --columns text_b=…"),
        ("summary unlabelled.tsv", "there is no label column; name one, or say --unlabelled keep"),
        ("summary tea.tsv.gz --max-unpacked 1e-8", "unpacked it is larger than 10 bytes; --max-unpacked raises that"),
        ("summary tea.tsv --identity id", "id_a"),
        ("augment tea.tsv -o tea.tsv", "tea.tsv"),
        ("augment tea.tsv -o tea.tsv/out", "Not a directory"),
        ("augment tea.tsv -o out --max-distance 0", "max_distance 0 is not 1 or more"),
        ("conflicts tea.tsv -o none/out.tsv", "there is no folder 'none'"),
        ("conflicts tea.tsv -o folder", "Is a directory: 'folder'"),
        ("conflicts tea.tsv -o tea.tsv", "tea.tsv is the input and would be written over"),
        ("conflicts tea.tsv -o folder/../tea.tsv", "tea.tsv is the input and would be written over"),
        ("export tea.tsv -o tea.tsv --format gexf", "tea.tsv is the input and would be written over"),
        ("export tea.tsv -o tea.dot", "format 'dot' is not one of graphml, gexf, parquet"),
        ("export tea.tsv -o tea.gexf --cluster 4", "cluster 4 is not one of 0 .. 3"),
        ("split tea.tsv -o . --shares tea=.5,other=.5", "tea.tsv is the input and would be written over"),
        ("split tea.tsv -o out --shares train=.5", "shares must be above 0 and add up to 1"),
        ("split tea.tsv -o out --shares ../../x=.5,y=.5", "--shares: '../../x' names no file"),
        ("split tea.tsv -o out --shares train=most", "--shares 'train=most' is not a list like a=1,b=2"),
        ("fetch qpq", "unknown dataset 'qpq'; there are: qqp, "),
    ],
)
def test_errors_go_to_standard_error(run, tea, tmp_path, monkeypatch, args, message):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "bad.tsv", [*((f"question {i}?", "other?", "1") for i in range(2, 812)), ("q", "o", "maybe")])
    (tmp_path / "empty.tsv").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "twice.jsonl").write_text('{"text_a": "a", "text_b": "b", "label": 1, "label": 0}\n')
    (tmp_path / "odd.tsv").write_text("question1\tother\na\tb\n")
    (tmp_path / "unlabelled.tsv").write_text("question1\tquestion2\na\tb\n")
    (tmp_path / "tea.tsv.gz").write_bytes(gzip.compress(tea.read_bytes()))
    before = tea.read_bytes()
    done = run(*args.split())
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("paragraph: ")
    assert message in done.err
    assert tea.read_bytes() == before


@pytest.mark.parametrize(
    "args, message",
    [
        ("", "COMMAND"),
        ("nonsense tea.tsv", "invalid choice: 'nonsense'"),
        ("summary", "required: FILE"),
        ("augment tea.tsv", "required: -o"),
        ("augment tea.tsv -o out --negatives some", "invalid choice: 'some'"),
        ("augment tea.tsv -o out --distance miles", "invalid choice: 'miles'"),
        ("augment tea.tsv -o out --seed -1", "'-1' is not a whole number"),
        ("explain tea.tsv one", "required: sentence2"),
        ("summary tea.tsv --lables yes=1", "unrecognized arguments: --lables yes=1; did you mean '--labels'?"),
        ("summary tea.tsv --sheet=2", "unrecognized arguments: --sheet=2"),
        ("collect tea.txt --labels a.tsv -o out.tsv", "--labels is now called --judged"),
        ("fetch qqp --folder=data", "--folder is now called --output"),
        ("tag tea.tsv --model m -o out", "--model is now called --tagger"),
        ("score tea.jsonl --model m -o out", "--model is now called --tagger"),
        ("meta-evaluate folder --model m -o out", "--model is now called --tagger"),
        ("generate tea.tsv --by=substitution -o out", "--by substitution is gone: use --by cluster"),
        ("train tea.tsv --hard 3 -o out", "--hard is gone: models trained on hard negatives alone were worse"),
    ],
)
def test_wrong_use(run, args, message):
    done = run(*args.split())
    assert (done.status, done.out) == (2, "")
    assert "usage: paragraph" in done.err
    assert message in done.err


@pytest.mark.slow
def test_a_full_disk(tea):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "paragraph", "summary", tea]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=HUNG)
    assert done.returncode == 2
    assert b"No space left" in done.stderr and b"Traceback" not in done.stderr


# ---------------------------------------------------------------------------------------- quiet, and help


@pytest.mark.parametrize(
    "args, files",
    [
        ("augment {} -o out", 6),
        ("conflicts {} -o found.tsv", 2),
        ("split {} -o out --shares train=.5,test=.5", 3),
        ("export {} -o out.gexf", 2),
        ("export {} -o out.parquet", 3),
    ],
)
def test_quiet(run, tea, tmp_path, monkeypatch, args, files):
    faulty = save(tmp_path / "faulty.tsv", [*TEA, ("a", "b", "maybe")])
    monkeypatch.chdir(tmp_path)
    command = f"{args.format('faulty.tsv')} --on-error skip".split()
    there = set(tmp_path.rglob("*"))
    assert run(*command, "--quiet") == (0, "", "")
    assert sum(path.is_file() for path in set(tmp_path.rglob("*")) - there) == files
    loud = run(*command)
    assert loud.out.strip()
    assert "note: faulty.tsv: 1 row skipped" in loud.err
    assert faulty.exists()


def test_every_option_says_what_it_is_for():
    commands = [parser()]
    for command in commands:
        assert command.prog in command.format_help()  # a lone % in one of its texts is an error only here
        inner = [action.choices for action in command._actions if isinstance(action.choices, dict)]
        commands += [sub for choices in inner if command.prog.count(" ") < 2 for sub in choices.values()]
        assert inner or [action.dest for action in command._actions if not action.help] == [], command.prog
    assert len(commands) == 29


def test_the_console_script_is_the_same_program():
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="paragraph")
    assert script.value == "paragraph.__main__:shell" and callable(script.load())
