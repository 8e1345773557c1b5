"""What the commands write: whole or not at all, never over what they read, under a first line that stays."""

import os
import shutil
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import paragraph as pg
from paragraph.cli.options import COMMANDS, parser
from paragraph.files.records import file_hash
from paragraph.pairs import read

from ..disk import tree
from .written import record

#: Each command that writes, all ways in which it does; what they write is listed by running them.
LINES = [
    "augment tea.tsv -o out", "augment tea.tsv --test test.tsv -o out", "conflicts tea.tsv -o x.tsv",
    "conflicts tea.tsv --to-decide -o x.tsv",
    "clusters tea.tsv -o x.tsv", "sample tea.tsv -o x.tsv", "split tea.tsv -o out --shares a=.5,b=.5",
    "export tea.tsv -o x.graphml", "export tea.tsv --for sentence-transformers -o out", "audit tea.tsv -o x.tsv",
    "audit tea.tsv --answers judged.tsv -o x.tsv", "repair tea.tsv -o x.tsv --judge none",
    "suspects tea.tsv -o x.tsv --judge none", "apply tea.tsv log.db -o x.tsv",
    "agreement log.db bo.db -o x.tsv", "open tea.tsv --no-lab",
]  # fmt: skip


def pairs(n):
    """A chain of `n` sentences with a conflict, and as many pairs apart, of both labels."""
    rows = [(f"is {i} a number", f"is {i + 1} a number", 1) for i in range(n)]
    rows += [(f"what is {i} for", f"who ate {i} cakes", i % 2) for i in range(n)]
    return pd.DataFrame([*rows, ("is 0 a number", "is 2 a number", 0)], columns=["text_a", "text_b", "label"])


@pytest.fixture(autouse=True)
def files(desk):
    pg.write_pairs(pairs(20), "tea.tsv")
    pg.write_pairs(pairs(3), "test.tsv")
    pairs(20).rename(columns={"label": "same"}).to_csv("judged.tsv", sep="\t", index=False)
    for name, same in (("log", 0), ("bo", 1)):
        log = pg.DecisionLog(f"{name}.db", name)
        log.add("is 0 a number", "is 2 a number", same, stated=0)


def outputs(desk, run, line):
    """The files that a command writes."""
    before = tree(desk)
    run(f"{line} -q")
    return [name for name in tree(desk) if name not in before]


def test_all_commands_that_write_are_here():
    (verbs,) = (action.choices for action in parser()._actions if isinstance(action.choices, dict))
    writing = {name for name, command in verbs.items() if "--output" in command.filled().format_help()}
    assert writing | {"open"} == {line.split()[0] for line in LINES} | {"fetch"}
    assert verbs.keys() == {name for names in COMMANDS.values() for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_a_name_that_the_user_did_not_choose_is_no_way_out_of_the_folder(desk, run, line):
    """A link there is replaced, and what it leads to stays: years of work."""
    named = line.split("-o ")[-1].split()[0]
    derived = [name for name in outputs(desk, run, line) if name != named]
    assert derived or line.startswith(("agreement", "open"))
    work = desk.parent / "work.db"
    work.write_text("years of work")
    for name in derived:
        Path(name).unlink()
        Path(name).symlink_to(work)
    if line.startswith("open"):
        run(line)  # leaves what is there
    else:
        if "--to-decide" in line or line == "audit tea.tsv -o x.tsv":  # which may hold answers
            Path(named).unlink()
        run(f"{line} -q")
        assert not any(map(os.path.islink, derived))
    assert work.read_text() == "years of work"


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line in LINES if not line.startswith(("open", "agreement"))])
def test_an_input_is_never_an_output(desk, run, refuses, line):
    made = outputs(desk, run, line)
    shutil.rmtree("out", ignore_errors=True)
    for number, name in enumerate(made):
        given = desk / name
        given.unlink(missing_ok=True)
        given.parent.mkdir(parents=True, exist_ok=True)
        (os.link if number % 2 else os.symlink)(desk / "tea.tsv", given)
        refuses("is the input and would be overwritten", line)
        given.unlink()


@pytest.mark.parametrize("line", ["apply tea.tsv log.db -o x.tsv", "augment tea.tsv -o out"])
@pytest.mark.parametrize("how", [os.replace, shutil.copyfile])
def test_an_input_that_changes_while_it_is_read(desk, run, refuses, monkeypatch, line, how):
    """The record never names another version than the one that was read."""
    own = read.read_pairs

    def then(path, **options):
        found = own(path, **options)
        how("test.tsv", "tea.tsv")
        monkeypatch.undo()
        return found

    monkeypatch.chdir(desk)
    monkeypatch.setattr("paragraph.cli.inputs.read_pairs", then)
    with pytest.raises(AssertionError):  # the folder changed, by our hand
        refuses("tea.tsv was changed while it was read, so nothing is written; run the command again", line)
    monkeypatch.chdir(desk)
    assert not Path("x.tsv").exists() and not Path("out").exists()
    pg.write_pairs(pairs(20), "tea.tsv")
    run("conflicts tea.tsv -o x.tsv")
    assert record("x.tsv")["inputs"]["pairs"]["sha256"] == file_hash("tea.tsv")


SETS = [f"{name}.tsv" for name in ("original", "original_flipped", "augmented", "augmented_flipped")]
PAIRS = "question1 question2 is_duplicate"
CONFLICTS = "kind question1 question2 cluster path length disjoint_paths n_positive n_negative rows path_rows"
REPAIRS = "question1 question2 proposal margin edge1 edge2 p_flip changes reason parts "
REPAIRS += "inferred_positive inferred_negative settles p_same"
SUSPECTS = "question1 question2 label p_wrong reason words own rows conflict blame top answer random"
SHEET = "conflicts question1 question2 label rows stated about written same"


@pytest.mark.parametrize("command, headers", [
    ("repair tea.tsv --judge none -o out.tsv", {"out.tsv": REPAIRS}),
    ("suspects tea.tsv --judge none -o out.tsv", {"out.tsv": SUSPECTS}),
    ("conflicts tea.tsv -o out.tsv", {"out.tsv": CONFLICTS}),
    ("conflicts tea.tsv --to-decide -o out.tsv", {"out.tsv": SHEET}),
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
