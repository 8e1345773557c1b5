"""Exports, imports and merges: nothing is lost on the way, and the order of it all does not matter."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.decisions.answers import Answers
from paragraph.decisions.exports import digest, read_records, write_records
from paragraph.decisions.record import FIELDS, SAME, Answer, name_of, pair_of, shortest_json, standing_answers

from ..hostile import SENTENCES
from ..refused import refused

ODD = ["", " ", '"', "a\tb", "two\nlines", "re\rturn", "\r\n", "\ufeffmark", "\\t \\n", "\x85 \u2028", "=1+1"]
ANY = st.characters(blacklist_characters="\0", blacklist_categories=["Cs"])
TEXT = st.text(ANY, max_size=12) | st.sampled_from([*SENTENCES, *ODD])
PAIR = st.tuples(TEXT, TEXT).filter(lambda pair: all(pair_of(*pair)))


@st.composite
def records(draw):
    """Any record that can be."""
    moment = draw(st.datetimes()).isoformat(timespec="milliseconds") + "Z"
    kind = draw(st.sampled_from([*SAME, "note", "undo"]))
    shown = draw(st.dictionaries(TEXT, st.booleans() | TEXT, max_size=2))
    about = draw(st.lists(PAIR.map(list), max_size=2))
    more = {"undoes": draw(TEXT.filter(bool))} if kind == "undo" else {}
    more |= {"note": draw(TEXT.filter(bool) if kind == "note" else TEXT)}
    return Answer(
        moment, name_of(draw(TEXT.filter(str.strip))) or "x", *draw(PAIR), kind if kind in SAME else "",
        draw(st.sampled_from(["", "0", "1"])), shortest_json(about), shown=shortest_json(shown), **more,
    )  # fmt: skip


@pytest.mark.slow
@settings(max_examples=60)
@given(made=st.lists(records(), max_size=5))
def test_any_record_comes_back_as_it_was(made, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    write_records(made, path)
    ordered = sorted(made, key=lambda record: (record.time, record.id))
    assert read_records(path) == ordered
    written = path.read_bytes()
    write_records(reversed(made), path)
    assert path.read_bytes() == written


@pytest.fixture
def log(log):
    """A log of two people, every kind of record among its own."""
    log.add("q1", "q2", 1, stated=0, shown={"blind": False})
    log.add("q3", "q4", 0, stated=1, about=[("q1", "q3")], note='says "two"\ttowns\nin all')
    log.add("q1", "q3", note="ask Ben")
    log.undo()
    log.add("q1", "q2", 0, reviewer="Ben")
    return log


@pytest.mark.parametrize("kind", ["jsonl", "db"])
def test_a_log_merged_into_an_empty_one_is_the_same_log(log, memory, kind):
    if kind != "db":
        log.export(memory / f"log.{kind}")
    other = pg.DecisionLog(memory / "other.db")
    assert other.merge(memory / f"log.{kind}") == 5
    assert other.merge(memory / f"log.{kind}") == other.merge(log) == 0  # once and for all
    assert other.records() == log.records()
    if kind == "jsonl":
        lines = (memory / "log.jsonl").read_text().splitlines()
        assert [list(json.loads(line)) for line in lines] == [list(FIELDS)] * 5
    assert digest(other.records()) == digest(log.records())
    assert log.merge(log) == 0


def test_exports_survive_windows_line_ends_and_marks(log, memory):
    plain, path = log.records()[:1], memory / "log.jsonl"
    write_records(plain, path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_records(path) == plain


@pytest.mark.parametrize("old, new, said", [
    ("towns", "cities", "differs from the original: it has been changed or damaged"),
    ("q4", "q4\0", r"row \d: not JSON|NUL"), ("q4", "", "must be two sentences|changed"),
])  # fmt: skip
def test_a_changed_file_is_refused_as_a_whole(log, memory, old, new, said):
    path = memory / "log.jsonl"
    log.export(path)
    lines = path.read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if "towns" in line)
    lines[at] = lines[at].replace(old, new)
    path.write_text("\n".join(lines))
    other = pg.DecisionLog(memory / "other.db")
    # Where the record stands depends on Ben's: of the same moment, it may be the first.
    assert refused(said, other.merge, path).startswith(f"log.jsonl, row {at + 1}: ")
    assert other.records() == []


def test_files_that_are_something_else(log, memory):
    cases = {
        "text.jsonl": ("hello\n", r"text\.jsonl, row 1: not JSON"),
        "list.jsonl": ("[1]\n", r"list\.jsonl, row 1: not a JSON object"),
        "fields.jsonl": ('{"colour": "red"}\n', r"row 1: fields missing or unknown: about, colour"),
        "bytes.jsonl": ("\udcff" * 3, r"bytes\.jsonl, row 1: .*not UTF-8"),
        "pairs.tsv": ("question1\tquestion2\tis_duplicate\n", r"pairs\.tsv: no column label"),
    }  # fmt: skip
    for name, (content, said) in cases.items():
        (memory / name).write_bytes(content.encode(errors="surrogateescape"))
        refused(said, log.merge, memory / name)
    for name in ("no.jsonl", "no.db"):
        refused(f"there is no .*{re.escape(name)}", log.merge, memory / name)
    refused(r"log\.tsv must end in \.jsonl", log.export, memory / "log.tsv")
    assert len(log.records()) == 5


WORKERS = ("Ada", "Ben", "Cyd")
STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["undo", *SAME]), st.integers(0, 3))
    | st.tuples(st.integers(0, 2), st.just("merge"), st.integers(0, 2)),
    max_size=14,
)


@pytest.mark.slow
@settings(max_examples=40)
@given(steps=STEPS, order=st.permutations([(i, j) for i in range(3) for j in range(3)]))
def test_any_interleaving_of_answers_undos_and_merges_ends_in_one_log(steps, order, tmp_path_factory):
    """Three people, a log each, who undo as on a stack, and merge when they like."""
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        logs = [pg.DecisionLog(f"{folder}/{name}.db", name) for name in WORKERS]
        stacks = {name: [] for name in WORKERS}
        for who, what, which in steps:
            stack, log = stacks[WORKERS[who]], logs[who]
            if what == "merge":
                log.merge(logs[which])
            elif what == "undo":
                undone = log.undo()
                assert [one.undoes for one in undone] == ([stack.pop()] if stack else [])
            else:
                stack.append(log.add("q", f"q{which}", what).id)
        for i, j in order:
            logs[i].merge(logs[j])
        for i, j in order:  # whatever came late the first time
            logs[i].merge(logs[j])
        assert len({digest(log.records()) for log in logs}) == 1
        records = logs[0].records()
        for name, stack in stacks.items():
            assert [record.id for record in standing_answers(records) if record.reviewer == name] == stack
        told = {(record.reviewer, record.text_b): record for record in standing_answers(records)}
        assert {(row.reviewer, row.record.text_b): row.record for row in Answers(records).rows} == told
