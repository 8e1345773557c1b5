"""A class from another process: who gets in, what is kept, and what each is told."""

import asyncio
import concurrent.futures
import json
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import websocket

import paragraph as pg
from paragraph.lesson import Sheet, summaries
from paragraph.lesson.room.book import Book

from ..growth import HUNG
from ..line import Line, load
from ..process import as_nobody, needs_root

pytestmark = pytest.mark.network
GRAPH = {"table": {"of": None, "name": "a graph", "note": "", "nodes": [], "edges": []}}


class Room:
    """A class that the command gives, with its board."""

    def __init__(self, folder, *options):
        self.folder, self.book = folder, folder / "class.db"
        command = [sys.executable, "-m", "paragraph", "class", "--sheets", "1", "--no-browser", *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": folder}
        self.process = subprocess.Popen(command, env=os.environ | {"TMPDIR": str(folder)}, **pipes)
        self.said = "".join(iter(self.process.stdout.readline, "Ctrl-C ends the class.\n"))
        self.address, self.code = re.search(r"Phones: (\S+), code (\w+)", self.said).groups()
        self.file = Path(re.search(r"file://(\S+)", self.said)[1])
        form = self.file.read_text()
        self.place = re.search("action=([^>]+)>", form)[1]
        self.secret = re.search("value=([^>]+)>", form)[1]

    def board(self, secret=None):
        return Line(self.place, {"secret": secret or self.secret})

    def pupil(self, code=None, **changed):
        return Line(self.address, {"code": code or self.code}, **changed)

    def room(self):
        """What the board shows: news within 0.2 seconds."""
        time.sleep(0.3)
        line = self.board()
        line.close()
        return line.first["traits"]["room"]

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        return self.process.communicate(timeout=HUNG)[1].strip()


@contextmanager
def room(folder, *options):
    given = Room(folder, *options)
    try:
        yield given
    finally:
        given.process.kill()
        given.process.communicate()


@pytest.fixture(scope="module")
def open_folder():
    """A folder that another user may read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def shared(open_folder):
    with room(open_folder, "--keep", "class.db") as given:
        yield given
        assert "Traceback" not in given.end()


def ask(room, asked=None):
    board = room.board()
    board.tell({"seen": 0, "intent": "ask", "asked": asked or GRAPH})
    board.close()
    return room.room()["wall"]["question"]


def test_a_vote_counts_once_and_may_change_until_it_is_revealed(shared):
    number = ask(shared)
    one, other = shared.pupil(), shared.pupil()
    for line, said in ((one, "balanced"), (other, "neither"), (one, "weakly balanced")):
        assert line.tell({"question": number, "vote": said})["vote"] == said
    seen = shared.room()
    assert (seen["voted"], seen["tally"]) == (2, {})  # not before the teacher says so
    board = shared.board()
    board.tell({"seen": 0, "intent": "reveal"})
    assert shared.room()["tally"] == {"weakly balanced": 1, "neither": 1}
    late = {"question": number, "vote": "balanced", "work": Sheet(0).to_json(), "handed": True}
    assert "closed" in other.tell(late)["refused"] and shared.room()["handed"] == 1  # the work is kept
    assert shared.room()["tally"] == Book(shared.book).tally() == {"weakly balanced": 1, "neither": 1}
    one.tell({"name": "Ada"})
    assert one.said[-1]["wall"]["revealed"] and one.said[-1]["vote"] == "weakly balanced"
    assert "neither" not in str(one.said)  # nobody is told what another said


def test_names_and_work(shared):
    line, sheet = shared.pupil(), Sheet(0, "<b>Ada</b> =1+1")
    sheet.keep(3, tries=2, solved=True)
    before = shared.room()["handed"]
    line.tell({"name": "=1+1 <b>"})
    line.tell({"work": sheet.to_json(), "handed": False})
    assert shared.room()["handed"] == before and [3, 1] in shared.room()["solved"]
    line.tell({"work": sheet.to_json(), "handed": True})
    for nonsense in ("", "{}", "x" * 50_000, sheet.to_json().replace("true", '"x"'), 5, None):
        assert "refused" in line.tell({"work": nonsense, "handed": True})
    assert shared.room()["handed"] == before + 1
    board = shared.board()
    board.tell({"seen": 0, "intent": "hand"})
    found = shared.room()
    assert ",<b>Ada</b> =1+1,0,1," in found["csv"]
    assert "'=1+1 <b>" in found["csv"] and "\n=1+1" not in found["csv"]
    assert summaries(shared.book)["solved"].tolist()[-1] == 1


def test_who_comes_back_is_who_they_were(shared):
    number = ask(shared)
    first = shared.pupil()
    mine = {name: first.first[name] for name in ("who", "secret")}
    first.tell({"question": number, "vote": "neither"})
    first.close()
    again = Line(shared.address, mine)  # the page was loaded again
    kept = first.first["passes"]
    later = Line(shared.address, mine, given=kept[0], who=mine["who"])  # or its line was lost
    assert again.first["vote"] == later.first["vote"] == "neither"
    for who, secret in ((mine["who"], "x"), ("999", ""), ("1", None), ("", "")):
        assert Line(shared.address, {"who": who, "secret": secret}).first.keys() == {"refused"}
    assert "refused" in Line(shared.address, mine, given=kept[1], who="999").first
    assert "refused" in Line(shared.address, mine, given=["x", "y", "z"], who=mine["who"]).first


def test_strangers(shared, tmp_path):
    """Without the code, with that of another class, from another origin: nothing is read, nothing written."""
    before = Book(shared.book)
    count = before.pupils()
    other = "AAAA" if shared.code != "AAAA" else "BBBB"
    for code in ("", "x", other, "é", shared.code[:3], shared.code + "A"):
        assert shared.pupil(code or "0").first.keys() == {"refused"}
    for origin in ("null", "http://evil.test", shared.place[:-1], "http://127.0.0.1:1"):
        with pytest.raises(websocket.WebSocketBadStatusException):
            shared.pupil(origin=origin)
    for body in (None, "", "secret=", "secret=x", f"secret={shared.secret[:-1]}"):
        assert load(shared.place, method="POST", body=body)[0] == 403
    assert load(shared.address, method="POST", body=f"secret={shared.secret}")[0] == 405
    assert shared.board("x").first.keys() == {"refused"}
    page = load(shared.address)[2] + load(shared.place)[2] + shared.said
    assert shared.secret not in page and shared.secret not in json.dumps(shared.room())
    assert f"#{shared.code}" not in page and before.pupils() == count
    status, headers, said = load(shared.place, method="POST", body=f"secret={shared.secret}")
    assert status == 200 and "sha256-" in headers["Content-Security-Policy"] and shared.secret in said


@needs_root
def test_another_user_of_the_machine(shared):
    def attack():
        found, running = [], Path("/proc")
        for path in (shared.file, *running.glob("[0-9]*/cmdline"), *running.glob("[0-9]*/environ")):
            with suppress(OSError):
                found += [str(path)] * (shared.secret.encode() in path.read_bytes())
        with suppress(sqlite3.Error):
            found.append(
                str(sqlite3.connect(f"file:{shared.book}?mode=ro", uri=True).execute("SELECT * FROM pupils"))
            )
        return found, shared.pupil("0000").first, shared.board("x").first

    found, one, other = as_nobody(attack)
    assert found == [] and one.keys() == other.keys() == {"refused"}
    assert stat.S_IMODE(shared.book.stat().st_mode) == 0o600


def test_bounds(shared):
    line = shared.pupil()
    said = [line.tell({"name": "x" * 5000}) for _ in range(40)]
    assert "refused" not in said[0] and "wait" in said[-1]["refused"]
    with pytest.raises((ConnectionError, OSError, websocket.WebSocketException)):
        line.tell({"name": "x" * 64_000})
    names = [row[0] for row in sqlite3.connect(shared.book).execute("SELECT name FROM pupils")]
    assert max(map(len, names)) == 100


NONSENSE = ["", "{", "[]", "1", '{"n": 7, "vote": "x"}', '{"n": 7, "question": "x", "vote": {}}']
NONSENSE += ['{"n": 7, "name": 5}', '{"n": 7, "work": 1}', '{"n": 7, "question": 999, "vote": "x"}']
NONSENSE += ['{"n": 7, "name": "\\ud800"}']


@pytest.mark.parametrize("said", NONSENSE)
def test_nonsense_changes_nothing(shared, said):
    line, before = shared.pupil(), shared.book.read_bytes()
    assert line.tell(said).keys() == {"refused"} and shared.book.read_bytes() == before


def votes_of(given, numbers):
    """Pupils in one process of their own each vote three times; what was acknowledged."""
    lines = [given.pupil() for _ in numbers]
    kept = []
    for round in range(3):
        number = given.asked
        for line in lines:
            answer = line.tell({"question": number, "vote": f"{round % 3}"})
            kept += [(line.first["who"], answer["vote"])] if "vote" in answer else []
    return kept


@pytest.mark.slow
def test_sixty_vote_three_times_nothing_is_lost_and_then_codes_cannot_be_tried_for_long(tmp_path):
    with room(tmp_path, "--keep", "class.db") as given:
        given.asked = ask(given)
        with concurrent.futures.ThreadPoolExecutor(6) as crowd:
            kept = [vote for some in crowd.map(lambda _: votes_of(given, range(10)), range(6)) for vote in some]
        board = given.board()
        board.tell({"seen": 0, "intent": "reveal"})
        log = sqlite3.connect(given.book).execute("SELECT pupil, answer FROM votes ORDER BY vote").fetchall()
        assert len(kept) == len(log) == 180 and sorted(kept) == sorted((str(who), said) for who, said in log)
        assert given.room()["tally"] == {"2": 60} == Book(given.book).tally() and given.room()["joined"] == 60
        said = [given.pupil("0000").first["refused"] for _ in range(15)]
        assert said[0] == "This is not the code of the class." and "wait" in said[-1]
        assert "wait" in given.pupil().first["refused"] and "refused" not in given.board().first


@pytest.mark.slow
@pytest.mark.parametrize("times", [2, pytest.param(5, marks=pytest.mark.long)])
def test_a_class_that_is_killed_goes_on(tmp_path, times):
    mine, passes, kept = None, [], []
    for again in range(times):
        with room(tmp_path, "--keep", "class.db") as given:
            if mine is None:
                line = given.pupil()
                mine, place = {name: line.first[name] for name in ("who", "secret")}, (given.address, given.code)
                secrets = {given.secret}
                number = ask(given)
            else:
                assert (given.address, given.code) == place and given.secret not in secrets
                secrets.add(given.secret)
                line = Line(given.address, mine, given=passes.pop(), who=mine["who"])
                assert line.first["vote"] == kept[-1] and line.first["wall"]["question"] == number
            passes = line.first["passes"]
            kept.append(line.tell({"question": number, "vote": str(again)})["vote"])
            given.end(signal.SIGKILL)
    log = sqlite3.connect(tmp_path / "class.db").execute("SELECT answer FROM votes ORDER BY vote").fetchall()
    assert kept == [answer for (answer,) in log] == list("01234"[:times])


def test_a_class_has_two_hundred_pupils():
    book = Book()
    for _ in range(200):
        book.join()
    with pytest.raises(pg.PairsError, match="full"):
        book.join()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "localhost", "teacher.example", "192.0.2.1"])
def test_addresses_that_are_none_of_this_machine(host):
    async def opened():
        pg.lesson.Class(host=host, sheets=1)

    # a thread of its own: a browser test may have left a loop running in this one
    with concurrent.futures.ThreadPoolExecutor(1) as thread, pytest.raises(pg.PairsError, match=host):
        thread.submit(asyncio.run, opened()).result()


def test_files_that_are_no_class_book(tmp_path):
    (tmp_path / "a.db").write_text("text_a,text_b,label\n" * 99)
    pg.DecisionLog(tmp_path / "b.db", "Ada")
    for name in ("a.db", "b.db"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(pg.PairsError, match=name):
            Book(tmp_path / name)
        assert (tmp_path / name).read_bytes() == before
