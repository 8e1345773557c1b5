"""The server of a review: who gets an answer, and what requests do that make no sense."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
import websocket

import paragraph as pg

from ..growth import HUNG
from ..line import Line, load
from ..process import as_nobody, needs_root

pytestmark = pytest.mark.network

TEXTS = ["Is quokka tea hot?", "Is quokka tea warm?", "Is quokka tea cold?"]
DECIDE = {"seen": 0, "intent": "decide", "item": 1, "decision": "flip"}


class Served:
    """A review that the command serves, in a folder that all users may read."""

    def __init__(self, folder, *options, **environment):
        self.folder, self.log = folder, folder / "Ada.db"
        (folder / "tmp").mkdir(mode=0o777)
        (folder / "my.tsv").write_text(
            "text_a\ttext_b\tlabel\n"
            + "".join(f"{TEXTS[i]}\t{TEXTS[j]}\t{k}\n" for i, j, k in ((0, 1, 1), (1, 2, 1), (0, 2, 0)))
        )
        command = [sys.executable, "-m", "paragraph", "review", "my.tsv", "--reviewer", "Ada", *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        environment = os.environ | {"TMPDIR": str(folder / "tmp")} | environment
        self.process = subprocess.Popen(command, cwd=folder, env=environment, **pipes)
        self.address, self.secret = re.search(r"(http://\S+/)#(\S+)", self.process.stdout.readline()).groups()
        self.host, port = re.fullmatch(r"http://([\d.]+):(\d+)/", self.address).groups()
        self.port = int(port)

    def line(self, secret=None, **changed):
        """A line of the review's page, with some of what it says changed."""
        changed = {name: value.replace("PORT", str(self.port)) for name, value in changed.items()}
        return Line(self.address, {"secret": self.secret if secret is None else secret}, **changed)

    def ask(self, content=None):
        """The answer to one request of the review's page."""
        line = self.line()
        said = line.tell({"seen": 0} if content is None else content)
        line.close()
        return said

    def decided(self):
        return pg.DecisionLog(self.log).answers()["same"].tolist()

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        return self.process.communicate(timeout=HUNG)[1].strip(), self.process.returncode


@contextmanager
def serving(*options, **environment):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        served = Served(Path(folder), *options, **environment)
        try:
            yield served
        finally:
            served.process.kill()
            served.process.communicate()


@pytest.fixture(scope="module")
def served():
    """At the end, nothing that was asked has left a word on the terminal."""
    with serving("--no-browser") as served:
        yield served
        assert "quokka" in json.dumps(served.ask())
        assert served.end() == ("paragraph: interrupted", 130)
        assert not list((served.folder / "tmp").iterdir())


@pytest.fixture
def untouched(served):
    yield
    assert served.decided() == []


def test_the_page_holds_nothing_of_the_data_and_its_policy_is_strict(served):
    status, headers, page = load(served.address)
    assert status == 200 and "pg-bench" in page
    assert not [word for word in ("quokka", "Ada", served.secret) if word in page]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert f"connect-src ws://127.0.0.1:{served.port};" in page


@pytest.mark.parametrize("secret", ["", "x", "é", "x" * 9000, None, 5])
def test_who_does_not_know_the_secret_is_told_so_and_left(served, untouched, secret):
    line = served.line(json.dumps(secret)) if isinstance(secret, str) else Line(served.address, {"secret": secret})
    assert line.first.keys() == {"refused", "pass"}  # a pass for another try, as the page had one
    with pytest.raises(ConnectionError):
        line.tell(DECIDE)


@pytest.mark.parametrize("first", [{"who": "", "nonce": "a", "ask": "b"}, DECIDE, {"secret": "x"}, {"who": []}, {}])
def test_a_page_of_another_server_is_told_nothing(served, untouched, first):
    socket = websocket.create_connection(f"ws://{served.host}:{served.port}/line", origin=served.address[:-1])
    socket.send(json.dumps(first))
    assert json.loads(socket.recv()).keys() == {"refused", "n"}
    assert socket.recv() == ""


@pytest.mark.parametrize(
    "changed",
    [
        *({"host": value} for value in ("evil.test:PORT", "localhost:PORT", "127.0.0.1", "x.localhost:PORT")),
        *({"origin": value} for value in ("null", "http://127.0.0.2:PORT", "http://localhost:PORT", "http://evil")),
    ],
    ids=str,
)  # fmt: skip
def test_pages_of_other_origins_get_no_line(served, untouched, changed):
    with pytest.raises(websocket.WebSocketBadStatusException):
        served.line(**changed)
    if "host" in changed:
        status, _, said = load(served.address, changed["host"].replace("PORT", str(served.port)))
        assert (status, said) == (403, "another host")


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE", "get"])
@pytest.mark.parametrize("path", ["/", "/line"])
def test_other_methods(served, untouched, method, path):
    status, _, said = load(served.address, method=method, path=path)
    assert status == 405 and "quokka" not in said


@pytest.mark.parametrize(
    "path", ["/logout", "/../../etc/passwd", "//", "/%00", "/%ff%c0", "*", "/" + "x" * 9000, "/line/", "/line?x"]
)
def test_other_paths(served, untouched, path):
    status, _, said = load(served.address, path=path)
    assert (status, len(said.splitlines())) in [(404, 1), (400, 1)]


@pytest.mark.parametrize(
    "body",
    [
        "", "{", "[]", "1", "null", '"x"', "[" * 90_000, '{"seen": ' + "1" * 9000 + "}",
        *(json.dumps(one) for one in (
            {}, {"seen": "x"}, {"seen": [0]}, {"seen": 0, "intent": "no"},
            {"seen": 0, "intent": "__init__"}, {"seen": 0, "intent": ["decide"]}, {"seen": 0, "intent": "decide"},
            DECIDE | {"decision": "x"}, DECIDE | {"x": 1}, {"seen": 0, "intent": "open", "item": 10**400},
            {"seen": 0, "intent": "query", "words": {"a": 1}}, {"seen": 0, "intent": "query", "show": "\ud800"},
            {"seen": 0, "traits": 1}, {"seen": 0, "traits": {"_esm": "x"}},
            {"seen": 0, "traits": {"layers": {"x": 1}}},
            {"seen": 0, "traits": {"placed": {"n0": [float("nan"), 1]}}}, {"seen": 0, "traits": {"case": 5}},
        )),
    ],
    ids=lambda body: body[:60],
)  # fmt: skip
def test_nonsense_of_the_page_itself_is_one_line_to_it(served, untouched, body):
    said = served.ask(body.replace("{", '{"n": 7, ', 1))
    assert said.keys() == {"refused"} and len(said["refused"].splitlines()) == 1, said


@pytest.mark.parametrize("words", ["\ud800", "\0", "\u2028", "x" * 90_000, "(["])
def test_any_text_may_be_searched(served, untouched, words):
    for one in (words, ""):
        assert "traits" in served.ask({"seen": 0, "intent": "query", "words": one})


@pytest.mark.parametrize(
    "said",
    [
        b"\0\1\2\3", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + b"\xab" * 300, b"\r\n" * 100, b"GET /\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET http://[/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000 + b"\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \xff\r\n\xff: \xff\r\n\r\n",
        *(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % many for many in (-1, 9**9)),
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=lambda said: said[:60],
)  # fmt: skip
def test_any_bytes(served, untouched, said):
    with socket.create_connection((served.host, served.port), timeout=HUNG) as stranger:
        answer = b""
        with suppress(OSError):  # it hangs up before all is said
            stranger.sendall(said)
            stranger.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: stranger.recv(65536), b""))
    assert re.match(rb"HTTP/1.1 4\d\d |$", answer) and b"quokka" not in answer


def test_lines_that_say_nothing_hold_up_nobody(served):
    silent = [socket.create_connection((served.host, served.port)) for _ in range(100)]
    hello = f"GET /line HTTP/1.1\r\nHost: {served.host}:{served.port}\r\nUpgrade: websocket\r\n".encode()
    for one in silent:
        one.sendall(hello[: one.fileno() % 99])
    assert "traits" in served.ask()
    for one in silent:
        one.close()


def test_each_answer_brings_what_changed_since(served):
    line = served.line()
    first = line.first
    assert {"case", "words", "data", "listing", "shortcuts", "layers"} <= first["traits"].keys()
    assert not [name for name in first["traits"] if name.startswith("_")]
    assert line.tell({"seen": first["now"]})["traits"] == {}
    found = line.tell({"seen": first["now"], "intent": "query", "words": "cold"})
    assert found["traits"].keys() == {"listing"} and found["now"] > first["now"]
    placed = {"seen": found["now"], "traits": {"placed": {"n0": [1, 2]}}}
    assert line.tell(placed)["traits"] == {}  # the page that set it knows
    assert line.tell({"seen": found["now"]})["traits"] == {"placed": {"n0": [1, 2]}}
    line.close()


def test_a_log_that_is_locked_elsewhere_is_said(tmp_path):
    """At once: a minute later, nobody would wait for the answer any more."""
    with serving("--no-browser") as served:
        line = served.line()
        line.socket.settimeout(30)
        other = sqlite3.connect(served.log)
        other.execute("BEGIN IMMEDIATE")
        assert "locked" in line.tell(DECIDE)["traits"]["case"]["error"] and served.decided() == []
        other.rollback()
        line.tell(DECIDE)
        assert served.decided() == [1]


def seen_by_anybody(folder, secret):
    """Where in the processes, and the files of a folder, a user who may not read them all finds a secret."""
    found = []
    places = [*Path("/proc").glob("[0-9]*/cmdline"), *Path("/proc").glob("[0-9]*/environ"), *folder.rglob("*")]
    for place in places:
        with suppress(OSError):
            found += [str(place)] * (secret.encode() in place.read_bytes())
    return found


@needs_root
def test_another_user_of_the_machine(tmp_path):
    browser = tmp_path / "browser"
    said = f'printf %s "$*" > {tmp_path}/said && mv {tmp_path}/said {tmp_path}/opened'
    browser.write_text(f"#!/bin/sh\n{said}\nexec sleep 9 >/dev/null 2>&1\n")
    browser.chmod(0o755)
    with serving(BROWSER=str(browser)) as served:
        ends = time.monotonic() + HUNG
        while not (tmp_path / "opened").exists():
            assert time.monotonic() < ends
            time.sleep(0.05)
        file = Path((tmp_path / "opened").read_text().removeprefix("file://"))
        assert served.secret in file.read_text() and file.parent == served.folder / "tmp"

        def attack():
            try:
                served.log.open("r+b")
            except PermissionError:
                refused = True
            told = [served.line(given).first for given in ("", "x", served.secret[:-1])]
            told += [load(served.address)[2], load(served.address, f"127.0.0.1:{served.port}")[2]]
            for family, place in (
                (socket.AF_INET, served.host),
                (socket.AF_INET, "0.0.0.0"),
                (socket.AF_INET6, "::"),
            ):
                with socket.socket(family) as taken, pytest.raises(OSError, match="in use"):
                    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    taken.bind((place, served.port))
                    taken.listen()
            return refused, told, seen_by_anybody(served.folder, served.secret)

        refused, told, found = as_nobody(attack)
        assert refused and ["refused" in one for one in told[:3]] == [True] * 3
        assert "quokka" not in str(told) and served.secret not in str(told)
        assert found == [] and seen_by_anybody(served.folder, served.secret) == [str(file)]
        process = psutil.Process(served.process.pid)
        listening = [one.laddr for one in process.net_connections("all") if one.status == psutil.CONN_LISTEN]
        assert listening == [(served.host, served.port)]
        assert len(process.children()) == 1  # the browser
        assert served.decided() == [] and file.exists()
        assert served.ask() and served.ask() and not file.exists()  # once the page was there
        served.end(signal.SIGKILL)
        assert not list((served.folder / "tmp").iterdir())
        assert {path.name for path in served.folder.iterdir()} - {"tmp", "my.tsv"} <= {
            "Ada.db",
            "Ada.db-wal",
            "Ada.db-shm",
        }
