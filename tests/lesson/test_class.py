"""A class from another process: who gets in, what is kept, and what each is told."""

import asyncio
import concurrent.futures
import gzip
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
import urllib.request
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
import websocket

import paragraph as pg
from paragraph.lesson import EXERCISES, Sheet, summaries
from paragraph.lesson.exercises.written import written_answer
from paragraph.lesson.room.asked import own_questions
from paragraph.lesson.room.book import ClassBook
from paragraph.lesson.room.guests import Pupils

from ..growth import HUNG
from ..line import Line, load
from ..process import as_nobody, needs_root
from ..refused import refused

pytestmark = pytest.mark.network
CHOICES = ("balanced", "weakly balanced", "neither")
OUTSIDE = {"refused", "pass"}  # all that is told to whoever is not let in
GRAPH = {"table": {"of": None, "name": "a graph", "note": "", "nodes": [], "edges": []}}


class Room:
    """A class that the command gives, with its board."""

    def __init__(self, folder, *options):
        self.folder, self.book = folder, folder / "class.db"
        command = [sys.executable, "-m", "paragraph", "class", "--sheets", "1", "--no-browser", *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": folder}
        self.process = subprocess.Popen(command, env=os.environ | {"TMPDIR": str(folder)}, **pipes)
        lines = iter(self.process.stdout.readline, "Ctrl-C ends the class.\n")
        self.said = "".join(takewhile(bool, lines))
        assert self.process.poll() is None, self.process.stderr.read()
        self.address, self.code = re.search(r"Phones: (\S+), code (\w+)", self.said).groups()
        self.file = Path(re.search(r"file://(\S+)", self.said)[1])
        form = self.file.read_text()
        self.place = re.search("action=([^>]+)>", form)[1]
        self.secret = re.search("value=([^>]+)>", form)[1]

    def board(self, secret=None):
        return Line(self.place, {"entry": secret or self.secret})

    def do(self, intent, **content):
        """What the teacher does on the board; the board then."""
        board = self.board()
        board.tell({"intent": intent, **content})
        board.close()
        return self.room()

    def pupil(self, code=None, **changed):
        return Line(self.address, {"code": code or self.code}, **changed)

    def room(self):
        """What the board shows: news within 0.2 seconds."""
        time.sleep(0.3)
        line = self.board()
        line.close()
        return line.first["room"]

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


def ask(room, asked=None, **more):
    return room.do("ask", asked=asked or GRAPH, **more)["wall"]["question"]


def counts(seen):
    """The tally on the board, without answers that nobody gave."""
    return {row["answer"]: row["votes"] for row in seen["tally"] if row["votes"]}


def test_a_vote_counts_once_and_may_change_until_it_is_revealed(shared):
    number = ask(shared)
    one, other = shared.pupil(), shared.pupil()
    for line, said in ((one, "balanced"), (other, "neither"), (one, "weakly balanced")):
        assert line.tell({"question": number, "vote": said})["vote"] == said
    seen = shared.room()
    assert (seen["voted"], seen["tally"]) == (2, [])  # not before the teacher says so
    assert "right" not in str(one.said)
    rows = [(row["answer"], row["votes"], row["right"]) for row in shared.do("reveal")["tally"]]
    assert rows == [("balanced", 0, True), ("weakly balanced", 1, False), ("neither", 1, False)]  # of no nodes
    late = {"question": number, "vote": "balanced", "work": Sheet(0).to_json(), "handed": True}
    assert "closed" in other.tell(late)["refused"] and shared.room()["handed"] == 1  # the work is kept
    assert ClassBook(shared.book).tally() == {"balanced": 0, "weakly balanced": 1, "neither": 1}
    one.tell({"name": "Ada"})
    assert one.said[-1]["wall"]["revealed"] and one.said[-1]["vote"] == "weakly balanced"
    assert {said["vote"] for said in one.said} <= {"", "balanced", "weakly balanced"}  # nobody is told another's


def handed_in(room):
    """The file of what was handed in; news that comes at the same moment takes it off the board again."""
    for _ in range(5):
        seen = room.do("hand")
        if "csv" in seen:
            return seen["csv"]
    raise AssertionError(seen)


def test_names_and_work(shared):
    line, sheet = shared.pupil(), Sheet(0, "<b>Ada</b> =1+1")
    sheet.keep(3, tries=2, solved=True)
    before = shared.room()["handed"]
    line.tell({"name": "=1+1 <b>"})
    line.tell({"work": sheet.to_json(), "handed": False})
    assert shared.room()["handed"] == before
    assert Sheet.from_json(ClassBook(shared.book).sheets(False)[-1][1]).solved == [3]
    line.tell({"work": sheet.to_json(), "handed": True})
    for nonsense in ("", "{}", "x" * 50_000, sheet.to_json().replace("true", '"x"'), 5, None):
        assert "refused" in line.tell({"work": nonsense, "handed": True})
    assert shared.room()["handed"] == before + 1
    assert ",<b>Ada</b> =1+1,0,1," in handed_in(shared)
    assert summaries(shared.book)["solved"].tolist()[-1] == 1
    sheet = Sheet(0, "=1+1")
    line.tell({"work": sheet.to_json(), "handed": True})
    shared.room()
    found = handed_in(shared)
    assert ",'=1+1,0,0," in found and "\n=1+1" not in found


def test_pupils_who_share_a_phone_keep_their_work_apart(shared):
    """Bo's first answer does not replace what Ada handed in; who hands in is told when and how much."""
    line, before = shared.pupil(), shared.room()["handed"]
    for student, solved, handed in (("Ada", 3, True), ("Bo", 5, False), ("Bo", 5, True), ("Ada", 7, False)):
        sheet = Sheet(0, student)
        sheet.keep(solved, tries=1, solved=True)
        seen = line.tell({"work": sheet.to_json(), "handed": handed})
    assert {name: done["solved"] for name, done in seen["handed"].items()} == {"Ada": 1, "Bo": 1}
    assert shared.room()["handed"] == before + 2
    kept = {
        Sheet.from_json(text).student: Sheet.from_json(text).solved for _, text in ClassBook(shared.book).sheets(True)
    }
    assert (kept["Ada"], kept["Bo"]) == ([3], [5])
    said = [line.tell({"work": Sheet(0, f"N{i}").to_json(), "handed": True}) for i in range(6)]
    assert "share one phone" in said[-1]["refused"]  # a joker with many names


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
        assert Line(shared.address, {"who": who, "secret": secret}).first.keys() == OUTSIDE
    assert "refused" in Line(shared.address, mine, given=kept[1], who="999").first
    assert "refused" in Line(shared.address, mine, given=["x", "y", "z"], who=mine["who"]).first


def test_strangers(shared, tmp_path):
    """Without the code, with that of another class, from another origin: nothing is read, nothing written."""
    before = ClassBook(shared.book)
    count = before.pupils()
    other = "AAAA" if shared.code != "AAAA" else "BBBB"
    for code in ("", "x", other, "é", shared.code[:3], shared.code + "A"):
        assert shared.pupil(code or "0").first.keys() == OUTSIDE
    for origin in ("null", "http://evil.test", shared.place[:-1], "http://127.0.0.1:1"):
        with pytest.raises(websocket.WebSocketBadStatusException):
            shared.pupil(origin=origin)
    for body in (None, "", "secret=", "secret=x", f"secret={shared.secret[:-1]}"):
        assert load(shared.place, method="POST", body=body)[0] == 403
    assert load(shared.address, method="POST", body=f"secret={shared.secret}")[0] == 405
    assert shared.board("x").first.keys() == OUTSIDE
    page = load(shared.address)[2] + load(shared.place)[2] + shared.said
    assert shared.secret not in page and shared.secret not in json.dumps(shared.room())
    assert f"#{shared.code}" not in page and before.pupils() == count
    status, headers, said = load(shared.place, method="POST", body=f"secret={shared.secret}")
    assert status == 200 and "sha256-" in headers["Content-Security-Policy"] and shared.secret in said


def test_a_page_is_served_compressed(shared):
    """The same page, each time with another pass."""
    passed = re.compile('id="pass">.*?<')
    plain, passes = load(shared.address)[2], set()
    for _ in range(2):
        request = urllib.request.Request(shared.address, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            packed = answer.read()
        page = gzip.decompress(packed).decode()
        passes.add(passed.search(page)[0])
        assert passed.sub("", page) == passed.sub("", plain) and len(packed) < len(plain) / 3
    assert len(passes) == 2


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
    assert found == [] and one.keys() == other.keys() == OUTSIDE
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
            answer = line.tell({"question": number, "vote": CHOICES[round]})
            kept += [(line.first["who"], answer["vote"])] if "vote" in answer else []
    return kept


OWN = "Are three enemies balanced?\nno\n* in the weak sense\nyes"
#: A question, and votes that are answers to it: a vote, and how it is counted; None: it is refused.
VOTES = [
    (GRAPH, {"neither": "neither", "Neither": None, "": None, "x" * 300: None, "Miss Smith is boring": None}),
    ({"text": OWN}, {"in the weak sense": "in the weak sense", "* in the weak sense": None, "maybe": None}),
    ({"exercise": 1}, {"++-": "++-", "+-+": None}),
    ({"exercise": 8}, {"4": "4", "+04": "4", "-1": "-1", "4.0": None, "four": None, "Miss Smith is boring: 1": None,
                       "9" * 300: None, "٤": None}),
    ({"exercise": 11}, {"2": "2", "<b>2</b>": None}),
]  # fmt: skip


@pytest.mark.parametrize("asked, votes", VOTES, ids=str)
def test_a_vote_is_an_answer_to_the_question(shared, asked, votes):
    """Nothing else that a pupil types reaches the board."""
    number = ask(shared, asked)
    line = shared.pupil()
    for text, counted in votes.items():
        assert line.tell({"question": number, "vote": text}).get("vote") == counted, text
    for nonsense in (None, 5, ["neither"], {}):
        assert "refused" in line.tell({"question": number, "vote": nonsense})
    last = [counted for counted in votes.values() if counted][-1]
    assert counts(shared.do("reveal")) == {last: 1}


def test_votes_on_exercises_without_choices_name_what_is_there(shared):
    """Edges, cycles, camps and signs of each kind of exercise: a solution is counted in one form, and is right."""
    sheet = Sheet(0)
    of_each_kind = {}
    for one in map(sheet.exercise, range(1, len(EXERCISES) + 1)):
        of_each_kind.setdefault(one.kind, one)
    for one in of_each_kind.values():
        number, line = ask(shared, {"exercise": one.number}), shared.pupil()
        solution = written_answer(one, next(one.solutions()))
        parts = solution.split(" | ") if one.kind == "camps" else solution.split(", ")
        between = " | " if one.kind == "camps" else ", "
        assert line.tell({"question": number, "vote": between.join(parts[::-1])})["vote"] == solution
        wrong = [solution + ", X–Y", solution + " | ", solution.replace("–", "-"), solution + ", " + parts[0], "X"]
        for text in wrong if one.kind not in ("choice", "number") else ["X"]:
            assert text == solution or "refused" in line.tell({"question": number, "vote": text}), (one.kind, text)
        seen = shared.do("reveal")
        assert counts(seen) == {solution: 1}
        assert one.kind in ("draw", "turn") or [row["right"] for row in seen["tally"] if row["votes"]] == [True]


def test_a_question_asked_again_and_the_votes_in_the_file(tmp_path):
    (tmp_path / "own.txt").write_text(f"{OWN}\n\nReady?\nyes\nno\n", encoding="utf-8")
    with room(tmp_path, "--keep", "class.db", "--questions", "own.txt") as given:
        own = given.room()["own"]
        assert own == [OWN, "Ready?\nyes\nno"]
        lines = [given.pupil() for _ in range(2)]
        for answers in (["no", "yes"], ["in the weak sense", "yes"]):  # before and after the discussion
            number = ask(given, {"text": own[0]})
            for line, answer in zip(lines, answers, strict=True):
                line.tell({"question": number, "vote": answer})
        rows = [(row["answer"], row["before"], row["votes"], row["right"]) for row in given.do("reveal")["tally"]]
        assert rows == [("no", 1, 0, False), ("in the weak sense", 0, 1, True), ("yes", 1, 1, False)]
        assert "closed" in lines[0].tell({"question": number, "vote": "no"})["refused"]
        number = ask(given, {"text": own[1]})
        assert lines[0].tell({"question": number, "vote": "yes"})["vote"] == "yes"
        for text in ("Ready?", "Ready?\nyes", "Ready?\na\nb\nc\nd\ne\nf", "Ready?\nyes\nyes", "", "x" * 400):
            seen = given.do("ask", asked={"text": text})
            assert "2 to 5 answers" in seen["message"] and seen["wall"]["question"] == number
    # As docs/shell.md has it.
    votes = pd.read_sql("SELECT * FROM votes ORDER BY vote", sqlite3.connect(tmp_path / "class.db"))
    last = votes.drop_duplicates(["question", "pupil"], keep="last").value_counts(["question", "answer"])
    assert last.to_dict() == {(1, "no"): 1, (1, "yes"): 1, (2, "in the weak sense"): 1, (2, "yes"): 1, (3, "yes"): 1}


def test_own_questions_in_a_file_are_checked(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("Ready?\nyes\nno\n\n\nBut?\nyes\n", encoding="utf-8")
    refused("own.txt, line 6: 'But.' has 1 answers", own_questions, path)
    path.write_bytes(b"\xff")
    refused("own.txt", own_questions, path)


def test_the_door_and_who_is_sent_out(shared):
    number = ask(shared)
    joker, other = shared.pupil(), shared.pupil()
    for line, name in ((joker, " Joker "), (other, "Ada")):
        line.tell({"name": name})
        line.tell({"question": number, "vote": "neither"})
    before = shared.room()
    assert shared.do("out", name=" ")["message"] == "0 sent out"
    seen = shared.do("out", name="joker")
    assert seen["message"] == "1 sent out"
    assert (seen["joined"], seen["voted"]) == (before["joined"] - 1, before["voted"] - 1)
    mine = {name: joker.first[name] for name in ("who", "secret")}
    assert "does not know you" in Line(shared.address, mine).first["refused"]
    assert shared.do("door", closed=True)["closed"]
    assert "door" in shared.pupil().first["refused"] and "vote" in other.tell({"name": "Ada"})
    assert not shared.do("door", closed=False)["closed"] and "who" in shared.pupil().first


def test_seats_that_were_never_used_are_given_away():
    """A script takes all seats from one address: an honest phone from another still gets in, whoever voted stays."""
    room = SimpleNamespace(book=ClassBook(), changed=lambda: None)
    pupils = Pupils(room)
    pupils.gate = SimpleNamespace(lines=set())
    pupils.paces.check = lambda *args, **options: None
    room.book.ask({"words": "?"}, {"kind": "choice", "of": ["a"], "right": []})
    code = room.book.code
    first = pupils._join("10.0.0.1", code)
    room.book.vote(first, 1, "a")
    script = [pupils._join("10.0.0.9", code) for _ in range(199)]
    gone = pupils._join("10.0.0.2", code)  # nobody holds a line: the oldest unused seat goes
    assert room.book.secret(script[0]) is None and room.book.secret(first) and room.book.secret(gone)
    silent = {"send_out": lambda why: None}
    pupils.gate.lines = [SimpleNamespace(who=who, **silent) for who in [*script, gone]]
    honest = pupils._join("10.0.0.3", code)  # each holds one: the address that has most of them pays
    assert room.book.secret(honest) and room.book.secret(script[1]) is None and room.book.secret(gone)
    pupils.gate.lines.append(SimpleNamespace(who=honest, **silent))
    refused("full", pupils._join, "10.0.0.9", code)
    assert room.book.pupils() == 200


@pytest.mark.slow
def test_sixty_vote_three_times_nothing_is_lost_and_then_codes_cannot_be_tried_for_long(tmp_path):
    with room(tmp_path, "--keep", "class.db") as given:
        given.asked = ask(given)
        with concurrent.futures.ThreadPoolExecutor(6) as crowd:
            kept = [vote for some in crowd.map(lambda _: votes_of(given, range(10)), range(6)) for vote in some]
        seen = given.do("reveal")
        log = sqlite3.connect(given.book).execute("SELECT pupil, answer FROM votes ORDER BY vote").fetchall()
        assert len(kept) == len(log) == 180 and sorted(kept) == sorted((str(who), said) for who, said in log)
        assert counts(seen) == {CHOICES[2]: 60} and seen["joined"] == 60
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
                line, board = given.pupil(), given.board().first
                mine, place = {name: line.first[name] for name in ("who", "secret")}, (given.address, given.code)
                wall = {name: board[name] for name in ("who", "secret")}
                secrets = {given.secret}
                number = ask(given)
            else:
                assert (given.address, given.code) == place and given.secret not in secrets
                secrets.add(given.secret)
                line = Line(given.address, mine, given=passes.pop(), who=mine["who"])
                assert line.first["vote"] == kept[-1] and line.first["wall"]["question"] == number
                board = Line(given.place, wall, given=board["passes"].pop(), who="board").first  # by itself
                assert board["room"]["wall"]["question"] == number
            passes = line.first["passes"]
            kept.append(line.tell({"question": number, "vote": CHOICES[again % 3]})["vote"])
            given.end(signal.SIGKILL)
    log = sqlite3.connect(tmp_path / "class.db").execute("SELECT answer FROM votes ORDER BY vote").fetchall()
    assert kept == [answer for (answer,) in log] == [CHOICES[again % 3] for again in range(times)]


def test_a_class_has_two_hundred_pupils():
    book = ClassBook()
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
            ClassBook(tmp_path / name)
        assert (tmp_path / name).read_bytes() == before
