"""What the commands write: whole or not at all, never over what they read, under a first line that stays."""

import os
import shutil

import pandas as pd
import pyarrow.parquet as pq
import pytest

import paragraph as pg

from ..disk import small_disk, tree

#: A command that reads tea.tsv, and all that it writes.
SETS = [f"{name}.tsv" for name in ("original", "original_flipped", "augmented", "augmented_flipped")]
COMMANDS = {
    "augment tea.tsv -o out": ["report.json", *(f"train/{name}" for name in (*SETS, "conflicts.tsv"))],
    "conflicts tea.tsv -o out/x.tsv": ["x.tsv", "x.tsv.record.json"],
    "split tea.tsv -o out --shares a=.5,b=.5": ["a.tsv", "b.tsv", "report.json"],
    "export tea.tsv -o out/x.graphml": ["x.graphml", "x.graphml.record.json"],
    "repair tea.tsv -o out/x.tsv --model none": ["x.tsv", "x.tsv.record.json"],
    "suspects tea.tsv -o out/x.tsv --model none": ["x.tsv", "x.tsv.record.json"],
    "apply tea.tsv log.jsonl -o out": ["report.json", *SETS, "corrected.tsv", "decisions.tsv"],
}  # fmt: skip


def pairs(n):
    """A chain of `n` sentences with a conflict, and as many pairs apart, of both labels."""
    rows = [(f"is {i} a number", f"is {i + 1} a number", 1) for i in range(n)]
    rows += [(f"what is {i} for", f"who ate {i} cakes", i % 2) for i in range(n)]
    return pd.DataFrame([*rows, ("is 0 a number", "is 2 a number", 0)], columns=["text_a", "text_b", "label"])


@pytest.fixture(autouse=True)
def files(desk):
    pg.write_pairs(pairs(20), "tea.tsv")
    (desk / "out").mkdir()
    log = pg.DecisionLog("log.db", "Ada")
    log.add("is 0 a number", "is 2 a number", 0, stated=0)
    log.export("log.jsonl")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["augment tea.tsv -o out", "conflicts tea.tsv -o out/x.tsv"])
def test_a_full_disk_leaves_what_was_there(desk, run, refuses, command):
    run(f"{command} -q")
    before = tree(desk / "out")
    assert set(COMMANDS[command]) <= before.keys()
    largest = max(before.values(), key=len)
    for there in (before, {}):  # nor does a first run leave half a set
        with small_disk(len(largest) // 2):
            refuses("File too large", f"{command} -q")
        assert tree(desk / "out") == there
        shutil.rmtree(desk / "out")
        (desk / "out").mkdir()


@pytest.mark.parametrize("command", COMMANDS)
def test_an_input_is_never_an_output(desk, monkeypatch, refuses, command):
    monkeypatch.setattr("paragraph.cli.files.read_pairs", lambda *_, **__: pytest.fail("the file was read"))
    for number, output in enumerate(COMMANDS[command]):
        given = desk / "out" / output
        given.parent.mkdir(parents=True, exist_ok=True)
        (os.link if number % 2 else os.symlink)(desk / "tea.tsv", given)
        refuses("is the input and would be overwritten", command)
        given.unlink()


PAIRS = "question1 question2 is_duplicate"
CONFLICTS = "kind question1 question2 cluster path length disjoint_paths n_positive n_negative rows path_rows"
REPAIRS = "question1 question2 proposal margin edge1 edge2 p_flip changes alternatives reason parts "
REPAIRS += "inferred_positive inferred_negative settles p_same"
SUSPECTS = "question1 question2 label p_wrong reason judge own rows conflict blame judged by"


@pytest.mark.parametrize("command, headers", [
    ("repair tea.tsv --model none -o out.tsv", {"out.tsv": REPAIRS}),
    ("suspects tea.tsv --model none -o out.tsv", {"out.tsv": SUSPECTS}),
    ("conflicts tea.tsv -o out.tsv", {"out.tsv": CONFLICTS}),
    ("augment tea.tsv -o .", {f"train/{name}": PAIRS for name in SETS} | {"train/conflicts.tsv": CONFLICTS}),
])  # fmt: skip
def test_the_first_line_of_each_file_is_a_contract(desk, run, command, headers):
    assert run(f"{command} -q") == ("", "")
    for name, header in headers.items():
        assert (desk / name).read_bytes().split(b"\n")[0].decode() == header.replace(" ", "\t")


def test_columns_of_parquet_are_a_contract(run):
    assert run("augment tea.tsv -o . -q --format parquet") == ("", "")
    for name in SETS:
        schema = pq.read_schema(f"train/{name}".replace("tsv", "parquet"))
        types = ["large_string", "large_string", "int8"]
        assert [(field.name, str(field.type)) for field in schema] == list(zip(PAIRS.split(), types, strict=True))
