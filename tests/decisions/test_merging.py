"""Merges: nothing is lost on the way, and the order of it all does not matter."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.decisions.answers import Answers
from paragraph.decisions.record import SAME, Answer, digest, name_of, pair_of, shortest_json, standing_answers

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
@given(made=st.lists(records(), max_size=5, unique_by=lambda one: (one.reviewer, one.pair, one.time)))
def test_any_record_comes_back_as_it_was(made):
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        log = pg.DecisionLog(f"{folder}/any.db")
        assert log.merge(made) == len(made)
        assert log.records() == sorted(made, key=lambda record: (record.time, record.id))


@pytest.fixture
def log(log):
    """A log of two people, every kind of record among its own."""
    log.add("q1", "q2", 1, stated=0, shown={"blind": False})
    log.add("q3", "q4", 0, stated=1, about=[("q1", "q3")], note='says "two"\ttowns\nin all')
    log.add("q1", "q3", note="ask Ben")
    log.undo()
    log.add("q1", "q2", 0, reviewer="Ben")
    return log


def test_a_log_merged_into_an_empty_one_is_the_same_log(log, memory):
    other = pg.DecisionLog(memory / "other.db")
    assert other.merge(log.path) == 5
    assert other.merge(log.path) == other.merge(log) == log.merge(log) == 0  # once and for all
    assert other.records() == log.records() and digest(other.records()) == digest(log.records())


def test_files_that_are_something_else(log, memory):
    cases = {
        "text.jsonl": ("hello\n", r"text\.jsonl, row 1: not JSON"),
        "list.jsonl": ("[1]\n", r"list\.jsonl, row 1: not a JSON object"),
        "fields.jsonl": ('{"colour": "red"}\n{"crc32": 1}\n', r"row 1: fields missing or unknown: about, colour"),
        "empty.jsonl": ("", "empty.jsonl: the file is empty"),
        "bytes.jsonl": ("\udcff" * 3, r"bytes\.jsonl, row 1: .*not UTF-8"),
        "pairs.tsv": ("question1\tquestion2\tis_duplicate\n", r"pairs\.tsv: no column label"),
    }  # fmt: skip
    for name, (content, said) in cases.items():
        (memory / name).write_bytes(content.encode(errors="surrogateescape"))
        refused(said, log.merge, memory / name)
    for name in ("no.jsonl", "no.db"):
        refused(f"there is no .*{re.escape(name)}", log.merge, memory / name)
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
