"""What happens to a log: kills, full disks, two writers, files that are none, folders that are closed."""

import os
import random
import re
import sqlite3
import subprocess
import sys
import time

import pytest

import paragraph as pg
from paragraph.decisions.log import DecisionError

from ..disk import small_disk
from ..growth import HUNG
from ..process import python
from ..refused import refused

#: Adds so many decisions, each tenth taken back, and says of each when it is kept.
WRITER = """
import os, sys
from paragraph.decisions import DecisionLog
os.write(1, b"begun\\n")
log = DecisionLog(sys.argv[1], sys.argv[2])
for i in range(int(sys.argv[3])):
    record = log.undo()[0] if i % 10 == 9 else log.add(f"question {i}", "another", 0, note="a note " * 50)
    os.write(1, record.id.encode() + b"\\n")
"""


def writer(*args):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", WRITER, *map(str, args)], **pipes)


@pytest.mark.long
def test_nothing_that_was_said_to_be_kept_is_lost_in_kills(memory):
    """12 of them; PARAGRAPH_KILLS=1000 for more. Some die while they make the file."""
    rng, kept = random.Random(0), 0
    for kill in range(int(os.environ.get("PARAGRAPH_KILLS", 12))):
        path = memory / f"{kill // 4}.db"
        before = {record.id for record in pg.DecisionLog(path).records()} if kill % 4 else set()
        child = writer(path, "Ada", 10**6)
        child.stdout.readline()
        time.sleep(rng.uniform(0, 0.1))
        child.kill()
        said = {line for line in child.stdout.read().split() if len(line) == 32}
        there = {record.id for record in pg.DecisionLog(path).records()}  # opened as it was left
        assert there >= said | before and len(there) <= len(said | before) + 1  # of one nobody was told
        kept += len(said)
    assert kept


@pytest.mark.long
def test_two_writers_of_a_thousand_decisions_each(memory):
    path = memory / "log.db"
    for one in [writer(path, name, 1000) for name in ("Ada", "Ben")]:
        assert one.communicate(timeout=HUNG)[1] == "" and one.returncode == 0
    log = pg.DecisionLog(path)
    for name in ("Ada", "Ben"):
        own = [record for record in log.records() if record.reviewer == name]
        assert len(own) == 1000 and len({record.time for record in own}) == 1000
        asked = [int(record.text_a.split()[1]) for record in own if record.same == "0"]
        assert asked == [i for i in range(1000) if i % 10 != 9]
        assert len(log.answers(name)) == 800


def test_a_file_that_may_not_grow(log):
    def add(i):
        return log.add(f"question {i}", "another", 0, note="long " * 100)

    made = [add(i) for i in range(20)]
    full = pytest.raises(DecisionError, match=r"^log\.db: .*earlier answers are safe; fix that")
    with small_disk(log.path.stat().st_size + 4096), full:
        for i in range(20, 2000):
            made.append(add(i))
    assert log.records() == made and 20 < len(made) < 2000
    made.append(add("and then there was room"))
    assert log.records() == made == pg.DecisionLog(log.path).records()


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0o777, 0o555])
def test_a_log_that_may_only_be_read(log, memory, mode):
    """As somebody who has no right to write, not even beside it: it is read, and nothing is added."""
    log.add("a", "b", 1)
    log.path.chmod(0o444)
    memory.chmod(mode)
    code = """
import os, sys
from paragraph.decisions import DecisionError, DecisionLog
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    log = DecisionLog(sys.argv[1], "Ben")
    print(log.answers()["same"].tolist())
    log.add("a", "b", 0)
except DecisionError as error:
    print(error)
"""
    *found, said = python("-c", code, log.path, check=True).stdout.splitlines()
    assert found == ["[1]"] and "readonly database; nothing was added" in said
    memory.chmod(0o755)
    assert len(log.records()) == 1


def tables(path, application):
    connection = sqlite3.connect(path)
    connection.executescript(f"CREATE TABLE answers (x); PRAGMA application_id = {application}")
    connection.close()


STRANGERS = {
    "letters": lambda path: path.write_bytes(b"hello"),
    "a letter": lambda path: path.write_bytes(b"h"),
    "a text": lambda path: path.write_text("question1\tquestion2\n" * 500),
    "noise": lambda path: path.write_bytes(bytes(range(256)) * 40),
    "a database": lambda path: tables(path, 0),
    "another program's": lambda path: tables(path, 7),
}


@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_no_log_is_refused_and_left_as_it_is(memory, stranger, create):
    path = memory / "other.db"
    STRANGERS[stranger](path)
    before = path.read_bytes()
    with pytest.raises(DecisionError, match=r"other\.db.* not a decision log, and is left as it is; name another"):
        pg.DecisionLog(path, create=create)
    assert path.read_bytes() == before and [p.name for p in memory.iterdir()] == ["other.db"]


def test_a_log_of_another_version(log):
    log.add("a", "b", 1)
    connection = sqlite3.connect(log.path)
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    refused(
        r"another version of paragraph \(log version 1; this one knows 2\): use that one", pg.DecisionLog, log.path
    )
    refused("another version of paragraph", log.add, "c", "d", 1)


#: What is written over bytes of a log: of a page that holds records, of one of an index, of the schema.
DAMAGED = {
    "pages": (slice(4096, None), bytes(600)),
    "a few bytes": (slice(4096, None), b"\xffdamage\n"),
    "the schema": (slice(100, 4096), b"\xff\n"),
    "much of the schema": (slice(100, 4096), bytes(600)),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_log_gives_all_its_records_or_one_line(log, memory, what):
    for i in range(60):
        log.add(f"question {i}", f"another {i % 7}", 0, reviewer="Ada" if i % 3 else "Ben", note="n" * (i * 7 % 300))
        if i % 20 == 19:
            log.undo()
    made, own, whole = log.records(), log.records("Ada"), log.path.read_bytes()
    (start, stop, _), damage = DAMAGED[what][0].indices(len(whole)), DAMAGED[what][1]
    refusals, path, rng = 0, memory / "damaged.db", random.Random(0)
    for _ in range(60):
        at = rng.randrange(start, stop - len(damage))
        path.write_bytes(whole[:at] + damage + whole[at + len(damage) :])
        try:
            other = pg.DecisionLog(path, create=False)
            assert other.records() == made and other.records("Ada") == own, at
        except DecisionError as error:
            refusals += 1
            said = r"damaged\.db.*(seems damaged: keep it as it is, and merge|not a decision log|another version).*"
            assert re.fullmatch(said, str(error)), at
    assert refusals > 5


def test_places_where_no_log_can_be(memory, monkeypatch):
    refused("is a folder; name a file in it", pg.DecisionLog, memory)
    refused(r"there is no folder .*nowhere; make it first", pg.DecisionLog, memory / "nowhere" / "log.db")
    refused(r"there is no log .*was it moved or deleted", pg.DecisionLog, memory / "log.db", create=False)
    (memory / "log.db").touch()
    refused("not a decision log", pg.DecisionLog, memory / "log.db", create=False)
    monkeypatch.chdir(memory)
    log = pg.DecisionLog("log.db", "Ada")  # an empty file becomes a log
    monkeypatch.chdir("/")  # which stays where it is
    log.add("a", "b", 1)
    log.path.rename(memory / "moved.db")
    for call, given in ((log.records, []), (log.undo, []), (log.add, ["a", "c", 1])):  # no log is begun anew
        refused(r"there is no log .*log\.db; was it moved or deleted", call, *given)
    assert [path.name for path in memory.iterdir()] == ["moved.db"]


@pytest.mark.parametrize("name", ["ünï cödé ?#%25&mode=ro.db", "'; --.db", "a\nb.db"])
def test_odd_names(memory, name):
    log = pg.DecisionLog(memory / name, "Ada")
    log.add("a", "b", 1)
    assert [path.name for path in memory.iterdir()] == [name]
    assert len(pg.DecisionLog(memory / name, create=False).records()) == 1
