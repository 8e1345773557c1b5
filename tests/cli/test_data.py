"""The shell: every verb on data, on the shipped corpus and on files small enough to count by hand."""

import csv
import gzip
import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli.options import COMMANDS, DECLARED, parser
from paragraph.graph.export import export

from ..disk import tree
from ..growth import HUNG
from .written import load_json, record

DATASETS = ["original", "original_flipped", "augmented", "augmented_flipped"]
HEADER = ["question1", "question2", "is_duplicate"]

# Four questions on tea in a chain, with a negative from end to end; two on coffee; one on water, alone; and a
# pair stated both ways.
GOOD, HEALTHY, DOES, WHOLE = "Is tea good?", "Is tea healthy?", "Does tea do good?", "Is tea wholesome?"
COFFEE, BEANS, WATER = "Is coffee good?", "Are coffee beans good?", "Is water wet?"
TEA = [
    (GOOD, HEALTHY, 1), (HEALTHY, DOES, 1), (GOOD, DOES, 0), (DOES, COFFEE, 0), (COFFEE, BEANS, 1),
    ("Is milk white?", "Is snow white?", 0), ("Is snow white?", "Is milk white?", 1), (WATER, GOOD, 0),
    (DOES, WHOLE, 1),
]  # fmt: skip


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


def report():
    return load_json("out/report.json")


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@pytest.fixture(autouse=True)
def tea(desk):
    return save("tea.tsv", TEA)


@pytest.fixture
def graph():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs("tea.tsv"))


def test_summary(run):
    done = run("summary tea.tsv --clusters 2")
    counts, _, table = done.out.partition("\n\n")
    count = {
        name: int(number.replace(",", "")) for number, name in (line.split(None, 1) for line in counts.splitlines())
    }
    assert done.err == "" and count == json.loads(run("summary tea.tsv --json").out)
    assert (count["rows kept"], count["sentences"], count["stated pairs"]) == (9, 9, 8)
    assert (count["positive"], count["negative"]) == (5, 3)
    assert (count["clusters"], count["largest cluster"]) == (3, 4)
    assert (count["inferred positive"], count["inferred negative (rule 'all')"]) == (2, 10)
    assert count["inferred negative (rule 'clusters')"] == 7
    assert count["negatives inside a cluster (within-conflicts)"] == 1
    assert count["pairs stated both ways (direct contradictions)"] == 1
    assert count["rows that repeat a pair"] == 1
    first, second = table.splitlines()[1:]
    assert first.endswith(f" {HEALTHY}") and second.endswith(f" {COFFEE}")
    assert run("summary tea.tsv --clusters 0").out == f"{counts}\n"
    save("none.tsv", [])
    assert run("summary none.tsv").out.endswith("\n\nThere is no cluster.\n")


# Options of the shell, and what they are in Python.
@pytest.mark.parametrize("options, same", [
    ("", {}), ("--negatives clusters", {"negatives": "clusters"}), ("--max-distance 1", {"max_distance": 1}),
    ("--max-distance 2 --distance hops", {"max_distance": 2, "distance": "hops"}),
    ("--max-per-cluster 1 --seed 7", {"max_per_cluster": 1, "seed": 7}), ("--format parquet", {}),
])  # fmt: skip
def test_augment_writes_what_python_does(run, graph, options, same):
    done = run(f"augment tea.tsv -o out {options}")
    kind = "parquet" if "parquet" in options else "tsv"
    counts = pg.write_datasets(pg.infer(graph, **same), "own", kind)
    assert (done.err, report()["train"]) == ("", counts)
    for name, count in counts.items():
        assert Path(f"out/train/{name}.{kind}").read_bytes() == Path(f"own/{name}.{kind}").read_bytes()
        assert f"{name:<18}{count['positive']:>12,}{count['negative']:>12,}" in done.out


def test_augment_applies_answers_and_flips_no_label_that_somebody_found_right(run):
    save("tea.tsv", [("a", "b", 1), ("b", "c", 1), ("a", "c", 0), ("x", "y", 1), ("y", "z", 1), ("x", "z", 0)])
    log = pg.DecisionLog("log.db", "Ada")
    log.give([{"text_a": "a", "text_b": "c", "same": 0}, {"text_a": "a", "text_b": "b", "same": 1}])
    log.give([{"text_a": "b", "text_b": "c", "same": 1}])
    run("augment tea.tsv --log log.db -o out")
    flipped = pd.read_csv("out/train/original_flipped.tsv", sep="\t")
    assert flipped["is_duplicate"].tolist() == [1, 1, 0, 1, 1, 1]
    assert report()["record"]["log"]["records"] == 3


def test_augment_report(run, tmp_path):
    save("probe.tsv", [("a", "b", 1), ("b", "c", 0)])
    run("augment tea.tsv --test probe.tsv -o out --negatives clusters")
    assert list(report()) == ["train", "test", "record", "made"]
    for part in ("train", "test"):
        assert list(report()[part]) == DATASETS
        assert all(list(count) == ["positive", "negative"] for count in report()[part].values())
        assert {path.stem for path in Path("out", part).glob("*.tsv")} == {*DATASETS, "conflicts"}
    assert report()["test"]["augmented"] == {"positive": 1, "negative": 1}  # the test file is closed on its own
    told = report()["record"]
    assert told["inputs"] == {
        part: {"file": name, "bytes": os.path.getsize(name), "sha256": sha256(name)}
        for part, name in (("train", "tea.tsv"), ("test", "probe.tsv"))
    }
    given = {"negatives": "clusters", "distance": "rounds", "seed": 0}
    assert given.items() <= told["options"].items()
    assert told["versions"]["paragraph"] == pg.__version__
    assert str(tmp_path) not in json.dumps(report())  # records travel


def test_enormous_work_waits_for_a_word(run, refuses, monkeypatch):
    save("star.tsv", [("hub", f"spoke {i}", 1) for i in range(10_000)])
    command = "augment star.tsv -o out"
    said = "this would write 100,030,000 rows; --yes does so anyway"
    assert refuses(said, command).out == ""
    monkeypatch.setattr("paragraph.cli.outputs.ENORMOUS", 10**5)
    save("star.tsv", [("hub", f"spoke {i}", 1) for i in range(400)])
    refuses("this would write", f"{command} -q")
    assert run(f"{command} -q --yes") == ("", "")


@pytest.mark.slow
def test_two_runs_write_the_same_bytes(tmp_path):
    for seed in ("1", "2"):  # of Python's own hashes: the order of its sets
        options = ["-o", seed, "--max-per-cluster", "20", "--seed", "5", "-q"]
        assert shell("augment", pg.DEMO, *options, env=os.environ | {"PYTHONHASHSEED": seed}) == (0, "", "")
    assert tree(tmp_path / "1") == tree(tmp_path / "2") and len(tree(tmp_path / "1")) == 7


def test_rows_without_a_label(run, refuses):
    save("some.tsv", [("a", "b", "1"), ("b", "c", ""), ("a", "c", "0")])
    refuses("row 3: no label", "augment some.tsv -o out")
    run("augment some.tsv -o out --unlabelled keep")
    assert report()["train"]["original"] == {"positive": 1, "negative": 1, "unlabelled": 1}
    assert report()["train"]["augmented"] == {"positive": 1, "negative": 2}  # a+b a-c, so b-c
    assert load("out/train/original.tsv")[2] == ["b", "c", ""]


def test_conflicts(run, graph):
    said = "conflicts: inside a cluster: 1, stated both ways: 1, sentences stated to differ from themselves: 0\n"
    assert run("conflicts tea.tsv -o found.tsv") == (said, "")
    read = dict.fromkeys(["path", "rows", "path_rows"], json.loads)
    found, own = pd.read_csv("found.tsv", sep="\t", converters=read), pg.conflicts(graph)
    assert found["path_rows"].tolist() == [[[2], [3]], []]
    assert found.values.tolist() == own.values.tolist()


@pytest.mark.slow
def test_conflicts_on_standard_output(run):
    run("conflicts tea.tsv -o found.tsv")
    Path("log").write_text("kept\n")
    with open("log", "a") as out:  # as >> does
        subprocess.run([sys.executable, "-m", "paragraph", "conflicts", "tea.tsv", "-o", "-"], stdout=out, check=True)
    assert Path("log").read_text() == "kept\n" + Path("found.tsv").read_text()


@pytest.mark.parametrize("ends, verdict, label, steps", [
    ((GOOD, f" {GOOD}\n"), "same", 1, []), ((HEALTHY, GOOD), "stated", 1, [(1, [2])]),
    ((BEANS, HEALTHY), "inferred", 0, [(1, [6]), (-1, [5]), (1, [3])]),
    ((GOOD, DOES), "conflict", 0, [(1, [2]), (1, [3])]), ((WATER, COFFEE), "unknown", None, []),
    (("Is milk white?", "Is snow white?"), "stated", 1, [(1, [7, 8])]),
])  # fmt: skip
def test_explain(run, ends, verdict, label, steps):
    done = run("explain", "tea.tsv", *ends, "--json")
    found = json.loads(done.out)
    assert (done.err, found["verdict"], found["label"]) == ("", verdict, label)
    assert [(step["sign"], step["rows"]) for step in found["steps"]] == steps
    text = run("explain", "tea.tsv", *ends)
    assert text.err == "" and f"{verdict}: {found['reason']}" in text.out
    for _, rows in steps:
        assert f"(row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))})" in text.out


def test_split(run):
    rows = [(f"question {i}?", f"question {i} again?", i % 2) for i in range(100)]
    save("many.tsv", rows)
    assert run("split many.tsv -o out --shares train=.7,dev=.2,test=.1 --seed 3").err == ""
    parts = {name: load(f"out/{name}.tsv")[1:] for name in ("train", "dev", "test")}
    assert {name: len(part) for name, part in parts.items()} == {"train": 70, "dev": 20, "test": 10}
    given = sorted([a, b, str(label)] for a, b, label in rows)
    assert sorted(row for part in parts.values() for row in part) == given
    assert [part["rows"] for part in report()["split"]["splits"].values()] == [70, 20, 10]
    assert report()["record"]["inputs"]["pairs"]["sha256"] == sha256("many.tsv")
    assert report()["record"]["options"]["seed"] == 3


def test_export(run, graph):
    assert run("export tea.tsv -o tea.graphml") == ("8 edges written to tea.graphml\n", "")
    export(graph, "own.graphml")
    assert Path("tea.graphml").read_bytes() == Path("own.graphml").read_bytes()
    assert record("tea.graphml")["inputs"]["pairs"]["sha256"] == sha256("tea.tsv")


def test_fetch_finds_what_is_there(run, tmp_path):
    (tmp_path / "mqp").mkdir()
    (tmp_path / "mqp" / "mqp.csv").write_text("1,a,b,1\n")
    assert run(f"fetch mqp --yes -o {tmp_path}") == (f"{tmp_path / 'mqp' / 'mqp.csv'}\n", "")


@pytest.mark.parametrize("header, rows, options, counts", [
    ("question1 question2 is_duplicate", "a b 1;A? b 0", "--identity normal",
     {"sentences": 2, "spellings merged into a sentence seen before": 1}),
    ("id qid1 qid2 question1 question2 is_duplicate", "1 x y a b 1;2 x z b b 0", "--identity id",
     {"sentences": 3}),
])  # fmt: skip
def test_when_two_spellings_are_one(run, header, rows, options, counts):
    save("own.tsv", [row.split() for row in rows.split(";")], header.split())
    found = json.loads(run(f"summary own.tsv --json {options}").out)
    assert {name: found[name] for name in counts} == counts


def test_a_placeholder_is_named_with_the_option_that_leaves_it_out(run):
    save("ns.tsv", [("NS", f"Where is town {i}?", i % 2) for i in range(6)] + [("Why?", "Why so?", 1)])
    told = run("summary ns.tsv").out
    assert "'NS' stands in 6 pairs, and shares no word with the other sentence of any." in told
    assert "--leave-out NS" in told and "NS" not in run("summary tea.tsv").out
    assert "stands in" not in run("summary ns.tsv --leave-out NS").out


def test_questions_and_answers_have_a_summary_but_no_closure(run, refuses):
    header = ["QuestionID", "Question", "DocumentID", "DocumentTitle", "SentenceID", "Sentence", "Label"]
    save("wiki.tsv", [("Q1", "Why?", "D1", "Tea", f"D1-{i}", f"Because of {i}.", i % 2) for i in range(3)], header)
    done = run("summary wiki.tsv")
    assert done.err == "" and "3  rows" in done.out and "inferred" not in done.out
    assert refuses("question and answer", "augment wiki.tsv -o out").out == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_standard_input_and_pipes_are_no_files(refuses):
    os.mkfifo("pipe.tsv")
    for command in ("augment - -o out", "augment tea.tsv --test pipe.tsv -o out", "summary pipe.tsv"):
        refuses(": a command reads files; save what comes from there as one", command)


@pytest.mark.slow
@pytest.mark.parametrize("args", [["summary", pg.DEMO], ["conflicts", pg.DEMO, "-o", "-"]])
def test_a_reader_that_goes_away(args):
    command = [sys.executable, "-m", "paragraph", *map(str, args)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(HUNG) == 0


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk():
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "paragraph", "summary", "tea.tsv"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=HUNG)
    assert done.returncode == 2
    assert b"No space left" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.slow
def test_output_is_utf8_whatever_the_terminal():
    texts = ("お茶は好き?", "お茶は 🍵 好き?")
    save("tea.tsv", [(*texts, 0)])
    status, out, err = shell("explain", "tea.tsv", *texts, "--json", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    found = json.loads(out)
    assert (status, err, found["text_a"], found["text_b"]) == (0, "", *texts)


@pytest.mark.parametrize("args, message", [
    ("augment tea.tsv --test bad.tsv -o out", "bad.tsv, row 812: label 'maybe' is not one of 0, 1"),
    ("summary none.tsv", "none.tsv: cannot be read: No such file or directory"),
    ("summary tea.tsv --labels yes", "--labels 'yes' is neither yes=1,no=0 nor two thresholds"),
    ("summary tea.tsv --labels 1=1,0=0,0=1", "--labels '1=1,0=0,0=1' names one thing twice"),
    ("summary odd.tsv", "--columns text_a=…,text_b=…,label=… names them"),
    ("summary tea.tsv --identity id", "id_a"), ("augment tea.tsv -o tea.tsv/out", "Not a directory"),
    ("split tea.tsv -o . --shares tea=.5,other=.5", "tea.tsv is the input and would be overwritten"),
    ("split tea.tsv -o out --shares train=.5", "shares must be above 0 and add up to 1"),
    ("split tea.tsv -o out --shares ../../x=.5,y=.5", "--shares: '../../x' cannot name a file"),
    ("split tea.tsv -o out --shares train=most", "--shares 'train=most' is not a list like a=1,b=2"),
])  # fmt: skip
def test_what_is_wrong_writes_nothing(refuses, desk, args, message):
    save("bad.tsv", [*((f"question {i}?", "other?", "1") for i in range(2, 812)), ("q", "o", "maybe")])
    save("odd.tsv", ["ab"], ["question1", "other"])
    (desk / "tea.tsv.gz").write_bytes(gzip.compress(Path("tea.tsv").read_bytes()))
    done = refuses(message, args)
    assert done.out == "" and any(line.startswith("paragraph: ") for line in done.err.splitlines())


@pytest.mark.parametrize("args, message", [
    ("", "COMMAND"), ("nonsense tea.tsv", "invalid choice: 'nonsense'"), ("summary", "required: FILE"),
    ("augment tea.tsv", "required: -o"), ("augment tea.tsv -o out --negatives some", "invalid choice: 'some'"),
    ("augment tea.tsv -o out --seed -1", "'-1' is not a whole number"),
    ("explain tea.tsv one", "required: sentence2"),
    ("summary tea.tsv --lables yes=1", "unrecognized arguments: --lables yes=1; did you mean '--labels'?"),
    ("summary tea.tsv --sheet=2", "unrecognized arguments: --sheet=2"),
])  # fmt: skip
def test_wrong_use(refuses, args, message):
    done = refuses(message, args)
    assert done.out == "" and "usage: paragraph" in done.err


def test_every_option_says_what_it_is_for():
    commands = [parser()]
    for command in commands:
        assert command.prog in command.filled().format_help()  # a lone % in one of its texts is an error only here
        inner = [action.choices for action in command._actions if isinstance(action.choices, dict)]
        commands += [sub for choices in inner for sub in choices.values()]
        assert inner or [action.dest for action in command._actions if not action.help] == [], command.prog
    assert len(commands) == sum(map(len, COMMANDS.values())) + 1  # and the line itself
    assert DECLARED.keys() == {name for named in COMMANDS.values() for name in named}


def test_the_console_script_is_the_same_program():
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="paragraph")
    assert script.value == "paragraph.__main__:shell" and callable(script.load())
