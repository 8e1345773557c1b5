"""What a file, its name or a closed terminal may hold against the commands: one clear line, or the plain result."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli.options import COMMANDS
from paragraph.decisions.log import records_of
from paragraph.pairs.evidence import read_table
from paragraph.pairs.tables import canonical

from ..growth import HUNG
from .written import load_json

ESCAPES = ["\x1b[31mred", "bell\x07", "title\x1b]0;x\x07", "csi \x9b2J", "back\rwards", "\u202eright to left"]
ESCAPES += ["two\nlines"]
#: Characters that no line on a terminal may hold.
STEERING = {*map(chr, [*range(32), *range(127, 160)]), "\u202e", "\u2066"} - {"\n"}


@pytest.fixture(autouse=True)
def tea(desk, put):
    put("tea.tsv", *((text, f"{text} again", 1) for text in ESCAPES))


@pytest.mark.parametrize("text", ESCAPES)
def test_no_sentence_steers_the_terminal(run, refuses, text):
    done = [run("summary tea.tsv --clusters 99"), refuses("no such", "explain", "tea.tsv", text, "no such")]
    done += [run("explain", "tea.tsv", text, f"{text} again", *more) for more in ([], ["--json"])]
    assert not any(STEERING & {*one.out, *one.err} for one in done) and done[1].err.count("\n") == 1
    assert json.loads(done[3].out)["text_a"] == text


#: A line a command, with `X` for a name that would steer the terminal: what it reads, or writes.
NAMED = """\
summary X.tsv; conflicts X.tsv -o X.out.tsv; conflicts X.tsv --to-decide -o X.sheet.tsv;
clusters X.tsv -o X.out.tsv; sample X.tsv -o X.out.tsv; explain X.tsv X Y; augment X.tsv -o X.out;
split X.tsv -o X.out --shares X=1; split X.tsv -o X.out; export X.tsv -o X.graphml; fetch X;
audit X.tsv -o X.out.tsv; audit X.tsv --answers X.judged.tsv;
repair X.tsv --judge none -o X.out.tsv; suspects X.tsv --judge none -o X.out.tsv; apply X.tsv X.db -o X.clean.tsv;
agreement X.db X.other.db -o X.out.tsv;
review X.tsv --reviewer X --pairs X.txt; open X.tsv --no-lab; open X.tsv --no-lab; summary X.tsv --engine duckdb;
class --host X"""


def one_message(err):
    """Tell if an error is one line of moderate length, with at most a short table of columns below it."""
    first, *rest = err.splitlines()
    return first.startswith("paragraph: ") and (not rest or rest[0].startswith("its columns")) and len(err) < 4100


@pytest.mark.slow
def test_no_name_steers_the_terminal(desk, ended, put):
    name, covered, said = "x\x1b[31m\x07\u202e\x9b2J\u2066", set(), []
    texts = [f"{name} {i}" for i in range(60)]
    put(
        f"{name}.tsv",
        *((a, b, 1) for a, b in pairwise(texts)),
        (texts[0], texts[2], 0),
        *((a, a[1:], 0) for a in texts),
    )
    put(f"{name}.judged.tsv", (texts[0], texts[1], 1))
    table = pd.read_csv(f"{name}.judged.tsv", sep="\t").rename(columns={"is_duplicate": "same"})
    table.to_csv(f"{name}.judged.tsv", sep="\t", index=False)
    (desk / f"{name}.txt").write_text("\n".join([*texts, texts[0]]), "utf-8")
    for reviewer, same in ((f"{name}.db", 0), (f"{name}.other.db", 1)):
        pg.DecisionLog(reviewer, reviewer).add(texts[0], texts[2], same, stated=0, note=name)
    for command in re.split(r";\s", NAMED):
        words = command.split()
        covered.add(words[0])
        with ThreadPoolExecutor(1) as thread:  # the main one has an event loop once a browser ran in it
            status, (out, err) = thread.submit(ended, *(word.replace("X", name) for word in words)).result()
        assert status in (0, 2) and not STEERING & {*(out + err).replace("\r", "")}, command
        said.append(out + err)
    assert covered == {name for commands in COMMANDS.values() for name in commands}
    assert sum("\\u001b[31m\\u0007\\u202e" in text for text in said) > len(said) / 3


def test_an_error_is_one_line_of_moderate_length(desk, refuses):
    (desk / "long.tsv").write_text("question1\tquestion2\tis_duplicate\na\tb\t" + "x" * 1_000_000 + "\n")
    (desk / "lines.csv").write_text('question1,question2,is_duplicate\na,b,"x\n\x1b[2Jy"\n')
    (desk / "wide.tsv").write_text("\t".join(f"column {'w' * 1000} {i}" for i in range(1000)) + "\nx\n")
    for command in ("summary long.tsv", "summary lines.csv", "summary wide.tsv", f"summary {'n' * 5000}",
                    f"summary tea.tsv --labels {'x' * 9000}", f"explain tea.tsv {'x' * 9000} y"):  # fmt: skip
        err = refuses("", command).err
        assert one_message(err)
        assert not STEERING & {*err}
    with pytest.raises(pg.PairsError) as error:
        pg.read_pairs("long.tsv")
    assert len(str(error.value)) <= 1000 and str(error.value).startswith("long.tsv, row 2: label 'xxx")


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text here")
@pytest.mark.parametrize("command", [
    "summary {}.tsv", "summary {}.jsonl", "summary {}.tsv.gz", "conflicts {}.tsv -o {}.csv", "split {}.tsv -o {}",
    "export {}.tsv -o {}.graphml",
])  # fmt: skip
def test_a_file_name_that_is_not_utf8(desk, run, command):
    name = os.fsdecode(b"caf\xe9")
    for ending in ("tsv", "jsonl", "tsv.gz"):
        pg.write_pairs(pg.read_pairs("tea.tsv"), desk / f"plain.{ending}")
        (desk / f"plain.{ending}").rename(desk / f"{name}.{ending}")
    run(command.format(*[name] * 2))
    records = [*desk.rglob("*record.json"), *desk.glob("*/report.json")]
    assert bool(records) == ("-o" in command)
    for record in map(load_json, records):
        assert any(each["file"].startswith(name) for each in record.get("record", record)["inputs"].values())


@pytest.mark.slow
@pytest.mark.parametrize("args, closed, status, said", [
    ("conflicts tea.tsv -o out.tsv", ">&-", 0, b""),
    ("summary none.tsv", "2>&-", 2, b""), ("summary tea.tsv", "2>&-", 0, b""),
])  # fmt: skip
def test_a_terminal_that_is_closed(desk, args, closed, status, said):
    command = ["sh", "-c", f'"$0" -m paragraph {args} {closed}', sys.executable]
    done = subprocess.run(command, capture_output=True, timeout=HUNG)
    assert done.returncode == status, done.stderr
    assert said in done.stderr and b"Traceback" not in done.stderr + done.stdout
    assert bool(done.stdout) == (closed == "2>&-" and status == 0)


FORMULAS = ["=1+1", "'=1+1", "''@x", "+1", "-1", "@x", "\ttab", "'tis", "plain = 1"]


def read_back(path):
    """The sentences in a file, as the package reads it."""
    if path.name.endswith("log.tsv"):
        return {text for record in records_of(path) for text in record.pair}
    table = canonical(read_table(path))
    return {*table["text_a"], *table["text_b"]}


@pytest.mark.parametrize("command, files", [
    *((f"{command} -o out.tsv", "out.tsv") for command in (
        "conflicts tea.tsv", "sample tea.tsv", "repair tea.tsv --judge none", "suspects tea.tsv --judge none",
        "audit tea.tsv",
    )),
    ("split tea.tsv --shares a=.5,b=.5 -o out", "out/a.tsv"),
    ("augment tea.tsv -o out", "out/train/augmented.tsv out/train/original.tsv out/train/conflicts.tsv"),
])  # fmt: skip
def test_no_cell_is_run_as_a_formula_and_each_is_read_back(desk, run, put, command, files):
    put("tea.tsv", *((a, b, 1) for a, b in pairwise(FORMULAS)), (FORMULAS[0], FORMULAS[-1], 0))
    before = {*desk.glob("*.record.json")}
    texts = []
    for option in ("", "--spreadsheet-safe"):
        (desk / "out.tsv").unlink(missing_ok=True)
        assert run(f"{command} -q {option}") == ("", "")
        texts.append([read_back(desk / name) for name in files.split()])
        for name in files.split():
            found = pd.read_csv(desk / name, sep="\t", dtype=str, keep_default_na=False)
            risky = [cell for cell in found.to_numpy().ravel() if re.match(r"[=+@\t]|-1$", cell)]  # -6 is a count
            assert bool(risky) != bool(option), name
    assert texts[0] == texts[1]
    records = [*({*desk.glob("*.record.json")} - before), *desk.glob("out/report.json")]
    for record in map(load_json, records):
        assert record.get("record", record)["options"]["spreadsheet_safe"] is True


ROW = b"question1\tquestion2\tis_duplicate\n"
#: Files that are damaged, or none of what a command reads.
DAMAGED = {
    "empty.tsv": b"",
    "noise.tsv": bytes(range(256)) * 40,
    "list.jsonl": b"[1, 2]\n",
    "deep.jsonl": b"[" * 100_000,
    "kinds.jsonl": b'{"text_a": 3, "text_b": null, "label": {}}\n',
    "half.jsonl": b'{"text_a": "\\ud800", "text_b": "b", "label": 1}\n',
    "nul.tsv": ROW + b"a\0\tb\t1\n",
    "latin.tsv": ROW + b"sch\xf6n\tb\t1\n",
    "label.tsv": ROW + b"a\tb\tmaybe\n",
    "fields.tsv": ROW + b"a\tb\n",
    "zip.tsv": b"PK\x03\x04" + b"x" * 50,
    "log.db": b"SQLite format 3\0" + b"\xff" * 500,
}
#: Commands that read a file X.
READERS = """\
summary X; clusters X -o out.tsv; conflicts X -o out.tsv; sample X -o out.tsv; augment X -o out;
augment tea.tsv --test X -o out; explain X a b; split X -o out; export X -o out.graphml;
audit X -o out.tsv; audit tea.tsv --answers X; agreement X; repair X --judge none -o out.tsv;
repair tea.tsv --answers X --judge none -o out.tsv;
suspects X --judge none -o out.tsv; apply X log.db -o clean.tsv; review X --reviewer Ada;
review tea.tsv --reviewer Ada --pairs X; review tea.tsv --reviewer Ada --settle X; apply tea.tsv X -o out.tsv"""


@pytest.mark.slow
@pytest.mark.parametrize("command", re.split(r";\s", READERS))
def test_damage_is_one_line(desk, refuses, put, command):
    for name in ("tea.tsv", "whole.tsv.gz", "whole.parquet"):
        put(name, ("a", "b", 1), ("b", "c", 1), ("a", "c", 0))
    half = {f"half.{name}": path.read_bytes()[: path.stat().st_size // 2]
            for name in ("tsv.gz", "parquet") if (path := desk / f"whole.{name}")}  # fmt: skip
    for name, content in (DAMAGED | half).items():
        (desk / name).write_bytes(content)
    (desk / "folder").mkdir()
    for name in (*DAMAGED, *half, "folder", "none.tsv"):
        err = refuses("", f"{command.replace('X', name)} -q").err
        assert one_message(err), name


@pytest.mark.parametrize("command", ["conflicts tea.tsv", "repair tea.tsv --judge none", "audit tea.tsv"])
def test_a_missing_folder_is_said_before_anything_is_read(desk, refuses, command):
    (desk / "tea.tsv").write_bytes(b"")  # were it read, this would be the error
    said = "paragraph: no/such/out.tsv: there is no folder 'no/such'; make it first, or name another output\n"
    assert refuses(said, f"{command} -q -o no/such/out.tsv") == ("", said)
