"""The same answers in whatever file they come: a sheet, a log, a saved page."""

import json
import random
import warnings
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import paragraph as pg
from paragraph.decisions.log import records_of
from paragraph.decisions.record import FIELDS, Answer, shortest_json
from paragraph.decisions.sheets import sheet

from .. import reference
from ..refused import refused

MOMENT = "2026-01-31T12:00:00.000Z"


def write(path, text):
    path.write_bytes(text.encode())
    return path


def filled(table, folder, name, ending=".csv", sep=",", rest=True):
    table = table if rest else table[table["same"] != ""]
    return write(folder / f"{name}{ending}", table.to_csv(index=False, sep=sep))


def log(table, folder, name):
    """Answers as a review gives them, with the conflicts in view."""
    own = pg.DecisionLog(folder / f"{name}.db", name)
    own.give(
        {"text_a": one.question1, "text_b": one.question2, "same": one.same, "stated": one.label,
         "about": json.loads(one.about)}
        for one in table.itertuples() if one.same
    )  # fmt: skip
    return own.path


def saved_page(table, folder, name):
    """As explorer/pagelog.js writes it."""
    lines = ""
    for one in table[table["same"] != ""].itertuples():
        made = Answer(MOMENT, name, one.question1, one.question2, one.same, str(one.label), one.about)
        lines += shortest_json({field: getattr(made, field) for field in FIELDS if field != "id"}) + "\n"
    seal = {"records": lines.count("\n"), "crc32": zlib.crc32(lines.encode("utf-16-le"))}
    return write(folder / f"decisions-{name}.jsonl", f"{lines}{json.dumps(seal)}\n")


WAYS = {
    "sheet": filled,
    "sheet without unanswered rows": lambda *to: filled(*to, rest=False),
    "TSV": lambda *to: filled(*to, ".tsv", "\t"),
    "log": log,
    "saved page": saved_page,
}


def applied(ways, pairs, sheets, folder):
    """The outcome of each answered pair, and the rows after a replay."""
    files = []
    for name, table in sheets.items():
        (folder / name).mkdir()
        files.append(WAYS[ways[name]](table, folder / name, name))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*lines are there")
        found = pg.replay(files, pairs)
    told = found.decisions.assign(reviewers=found.decisions["reviewers"].map(sorted)).drop(columns=["times", "ids"])
    # One disagreement is named, of several that stop an answer
    told = told.assign(why=told["why"].mask(told["outcome"] == "disputed", ""))
    return sorted(map(str, told.fillna(-1).to_numpy().tolist())), reference.shown(found.pairs)


@cache
def a_case(seed):
    """Random rows with conflicts, the filled-in sheets of up to three people, and what comes of the sheets."""
    rng = random.Random(seed)
    while True:
        rows = [(*rng.choices("abcdef", k=2), rng.choice([1, 1, 0])) for _ in range(rng.randrange(4, 14))]
        pairs = reference.table(rows)
        lines = sheet(pg.ParaphraseGraph.from_pairs(pairs))
        if len(lines) > 2:
            break
    people = ["Ada", "Bo", "Cyd"][: rng.randint(1, 3)]
    made = {name: lines.assign(same=rng.choices(["", "1", "0", "?"], [3, 3, 3, 1], k=len(lines))) for name in people}
    made = {name: table for name, table in made.items() if (table["same"] != "").any()}
    with TemporaryDirectory() as folder:
        return pairs, made, applied(dict.fromkeys(made, "sheet"), pairs, made, Path(folder))


@pytest.mark.parametrize("way", WAYS)
def test_random_answers_apply_alike(memory, way):
    disputed = 0
    for seed in range(8):
        pairs, sheets, expected = a_case(seed)
        mixed = [{}, dict.fromkeys(list(sheets)[1:], "sheet")][seed % 2]  # all of them, or one beside sheets
        (memory / f"{seed}").mkdir()
        assert applied(dict.fromkeys(sheets, way) | mixed, pairs, sheets, memory / f"{seed}") == expected, seed
        disputed += "disputed" in str(expected)
    assert disputed > 3


def test_whose_conflict_it_was_is_known_without_the_other_lines(memory):
    """Two differ on a-b; who said that b-c is wrong said it of the same conflict."""
    pairs = reference.table("a+b b+c a-c")
    lines = sheet(pg.ParaphraseGraph.from_pairs(pairs))
    assert lines["about"].tolist() == ['[["a","c"]]'] * 3
    sheets = {"Ada": ["", "1", "0"], "Bo": ["", "0", ""]}
    for way in WAYS:
        (memory / way).mkdir()
        told, rows = applied(
            dict.fromkeys(sheets, way), pairs, {name: lines.assign(same=same) for name, same in sheets.items()},
            memory / way,
        )  # fmt: skip
        assert rows == "a+b b+c a-c" and str(told).count("disputed") == 3, way


def test_a_hand_in_of_a_page_that_was_cut_off_or_changed_is_refused(memory):
    _, sheets, _ = a_case(3)
    path = saved_page(sheets["Ada"], memory, "Ada")
    whole = path.read_text()
    lines = whole.splitlines(keepends=True)
    assert len(records_of(path)) == len(lines) - 1 > 2
    write(path, "\ufeff" + whole.replace("\n", "\r\n"))  # as mail may send it
    assert len(records_of(path)) == len(lines) - 1
    changed = [whole.replace('"same":"1"', '"same":"0"', 1), "".join(lines[1:]), "".join(lines[:-1]), lines[-1]]
    for text in [*changed, "".join(lines[:-2] + lines[-1:]), "".join(lines + lines[:1])]:
        write(path, text)
        refused("decisions-Ada.jsonl: it has been changed, or cut off|row .*: fields missing", records_of, path)
