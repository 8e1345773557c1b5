"""The server of a review: who gets an answer, and what requests do that make no sense."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

import paragraph as pg

from ..growth import HUNG

pytestmark = pytest.mark.network

TEXTS = ["Is quokka tea hot?", "Is quokka tea warm?", "Is quokka tea cold?"]
DECIDE = {"seen": 0, "intent": "decide", "item": 1, "decision": "flip"}
NOBODY = 65534


class Served:
    """A review that the command serves, in a folder that all users may read."""

    def __init__(self, folder, *options, **environment):
        self.folder, self.log = folder, folder / "Ada.db"
        (folder / "tmp").mkdir(mode=0o777)
        (folder / "my.tsv").write_text(
            "text_a\ttext_b\tlabel\n"
            + "".join(f"{TEXTS[i]}\t{TEXTS[j]}\t{k}\n" for i, j, k in ((0, 1, 1), (1, 2, 1), (0, 2, 0)))
        )
        command = [sys.executable, "-m", "paragraph", "review", "-", "--reviewer", "Ada", *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        environment = os.environ | {"TMPDIR": str(folder / "tmp")} | environment
        with (folder / "my.tsv").open() as given:
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stdin=given, **pipes)
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.host, self.secret = re.fullmatch("http://(.*)/#(.*)", self.address).groups()
        self.port = int(self.host.split(":")[1])

    def ask(self, content=None, method="POST", path="/", **changed):
        """The status, the headers and the text of an answer to the page's own request, with some headers changed."""
        headers = {"Host": self.host, "Origin": f"http://{self.host}", "Authorization": self.secret}
        headers |= {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        headers |= {name.replace("_", "-"): value for name, value in changed.items()}
        body = content if isinstance(content, bytes) else json.dumps(content or {"seen": 0}).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HUNG)
        connection.putrequest(method, path, skip_host=True)
        for name, value in ({"Content-Length": len(body)} | headers).items():
            if value is not None:
                connection.putheader(name, str(value).replace("PORT", str(self.port)))
        connection.endheaders(body)
        answer = connection.getresponse()
        said = answer.read().decode()
        connection.close()
        assert answer.getheader("Set-Cookie") is None and "Traceback" not in said
        return answer.status, said

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
        assert "quokka" in served.ask()[1]
        assert served.end() == ("paragraph: interrupted", 130)
        assert not list((served.folder / "tmp").iterdir())


@pytest.fixture
def untouched(served):
    yield
    assert served.decided() == []


def test_the_page_holds_nothing_of_the_data_and_its_policy_is_strict(served):
    status, page = served.ask(method="GET", Authorization=None, Origin=None)
    assert status == 200 and "pg-bench" in page
    assert not [word for word in ("quokka", "Ada", served.secret) if word in page]


@pytest.mark.parametrize(
    "changed",
    [
        *({"Authorization": value} for value in (None, "", "x", "Bearer x", "é", "x" * 9000)),
        {"Authorization": None, "Cookie": "secret=x"},
        *({"Host": value} for value in ("evil.test:PORT", "localhost:PORT", "127.0.0.1", "x.localhost:PORT", "")),
        *({"Origin": value} for value in (None, "null", "http://127.0.0.1:PORT", "http://evil.test")),
        *({"Sec_Fetch_Site": value} for value in ("none", "same-site", "cross-site", "")),
        *({"Content_Type": value} for value in (None, "text/plain", "application/x-www-form-urlencoded")),
    ],
    ids=str,
)  # fmt: skip
def test_whoever_is_not_the_page_learns_and_changes_nothing(served, untouched, changed):
    status, said = served.ask(DECIDE, **changed)
    assert status in (400, 403) and "quokka" not in said


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE", "get"])
def test_other_methods(served, untouched, method):
    status, said = served.ask(DECIDE, method=method)
    assert status == 405 and "quokka" not in said


@pytest.mark.parametrize(
    "path",
    [
        "/logout",
        "/voila/templates/lab/static/../../x",
        "/../../etc/passwd",
        "//",
        "/%00",
        "/%ff%c0",
        "*",
        "/" + "x" * 9000,
    ],
)
def test_other_paths(served, untouched, path):
    for method in ("GET", "POST"):
        status, said = served.ask(DECIDE, method, path)
        assert (status, len(said.splitlines())) == (404, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"1", b"null", b'"x"', b"\xff\xfe", b"[" * 90_000, b'{"seen": ' + b"1" * 9000 + b"}",
        *(json.dumps(one).encode() for one in (
            {}, {"seen": "x"}, {"seen": [0]}, {"seen": 0, "more": 1}, {"seen": 0, "intent": "no"},
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
    status, said = served.ask(body)
    assert (status, len(said.splitlines())) == (400, 1), said


@pytest.mark.parametrize("words", ["\ud800", "\0", "\u2028", "x" * 90_000, "(["])
def test_any_text_may_be_searched(served, untouched, words):
    assert served.ask({"seen": 0, "intent": "query", "words": words})[0] == 200
    assert served.ask({"seen": 0, "intent": "query", "words": ""})[0] == 200


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
    with socket.create_connection(("127.0.0.1", served.port), timeout=HUNG) as stranger:
        answer = b""
        with suppress(OSError):  # it hangs up before all is said
            stranger.sendall(said)
            stranger.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: stranger.recv(65536), b""))
    assert re.match(rb"HTTP/1.1 4\d\d |$", answer) and b"quokka" not in answer


def test_connections_that_say_nothing_hold_up_nobody(served):
    silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(100)]
    for one in silent:
        one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"[: one.fileno() % 50])
    assert served.ask()[0] == 200
    for one in silent:
        one.close()


def test_each_answer_brings_what_changed_since(served):
    first = json.loads(served.ask()[1])
    assert {"case", "words", "records", "listing", "shortcuts", "layers"} <= first[
        "traits"
    ].keys()
    assert not [name for name in first["traits"] if name.startswith("_")]
    assert json.loads(served.ask({"seen": first["now"]})[1])["traits"] == {}
    found = json.loads(served.ask({"seen": first["now"], "intent": "query", "words": "cold"})[1])
    assert found["traits"].keys() == {"listing"} and found["now"] > first["now"]
    placed = {"seen": found["now"], "traits": {"placed": {"n0": [1, 2]}}}
    assert json.loads(served.ask(placed)[1])["traits"] == {}  # the page that set it knows
    assert json.loads(served.ask({"seen": found["now"]})[1])["traits"] == {"placed": {"n0": [1, 2]}}


def as_nobody(act):
    """What a function gives, through JSON, in a process of another user."""
    out, into = os.pipe()
    if not (child := os.fork()):
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os.write(into, json.dumps(act()).encode())
        finally:
            os._exit(0)
    os.close(into)
    with open(out, "rb") as said:
        found = said.read()
    os.waitpid(child, 0)
    return json.loads(found)


def seen_by_anybody(folder, secret):
    """Where in the processes, and the files of a folder, a user who may not read them all finds a secret."""
    found = []
    places = [*Path("/proc").glob("[0-9]*/cmdline"), *Path("/proc").glob("[0-9]*/environ"), *folder.rglob("*")]
    for place in places:
        with suppress(OSError):
            found += [str(place)] * (secret.encode() in place.read_bytes())
    return found


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, to be another user")
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
            told = [served.ask(DECIDE, Authorization=given) for given in (None, "x", served.secret[:-1])]
            told += [served.ask(method="GET"), served.ask(method="GET", Host="127.0.0.1:PORT")]
            return refused, told, seen_by_anybody(served.folder, served.secret)

        refused, told, found = as_nobody(attack)
        assert refused and [status for status, _ in told] == [403, 403, 403, 200, 200]
        assert not [said for _, said in told if "quokka" in said or served.secret in said]
        assert found == [] and seen_by_anybody(served.folder, served.secret) == [str(file)]
        process = psutil.Process(served.process.pid)
        listening = [one.laddr for one in process.net_connections("all") if one.status == psutil.CONN_LISTEN]
        assert listening == [("127.0.0.1", served.port)]
        assert len(process.children()) == 1  # the browser
        assert served.decided() == [] and file.exists()
        assert served.ask()[0] == served.ask()[0] == 200 and not file.exists()  # once the page was there
        served.end(signal.SIGKILL)
        assert not list((served.folder / "tmp").iterdir())
        assert {path.name for path in served.folder.iterdir()} - {"tmp", "my.tsv"} <= {
            "Ada.db",
            "Ada.db-wal",
            "Ada.db-shm",
        }
