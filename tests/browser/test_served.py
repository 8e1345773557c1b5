"""``paragraph review`` as a person runs it: keys in the page, reload, the process ended between two keys."""

import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pandas as pd
import psutil
import pytest

import paragraph as pg

from ..hostile import SENTENCES
from .conftest import window
from .lab import until

#: What Voilà's page says of its own parts, which are older than JupyterLab's; and its last word when it is left.
VOILA = "Unsatisfied version|No satisfying version|/voila/api/shutdown/"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A file with three conflicts, all sentences of which would like to run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "browser").write_text('#!/bin/sh\nprintf "%s" "$*" > said && mv said opened\n')
    (tmp_path / "browser").chmod(0o700)
    monkeypatch.setenv("BROWSER", str(tmp_path / "browser"))
    texts = [f"{text.strip()} {i}" for i, text in enumerate(SENTENCES[:9])]
    rows = [(*texts[i : i + 2], 1) for i in range(9) if i % 3 < 2] + [(texts[i], texts[i + 2], 0) for i in (0, 3, 6)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), tmp_path / "my.tsv")
    return tmp_path


@contextmanager
def served(chromium, *options):
    """The page of a review that the command serves and opens in a browser; ended by Ctrl-C."""
    command = [sys.executable, "-m", "paragraph", "review", "my.tsv", *options]
    Path("opened").unlink(missing_ok=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = process.stdout.readline() or process.stderr.read()
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", said)[0]
        with window(chromium, 1400, 900, color_scheme="dark") as seen:
            seen.page.goto(address if "--no-browser" in options else opened())
            seen.address, seen.process = address, psutil.Process(process.pid)
            yield seen
            seen.assert_quiet(address.split("?")[0], VOILA)
    finally:
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=60)[1]
    assert (process.returncode, err.strip()) == (130, "paragraph: interrupted")


def opened():
    """The one word that the browser was started with."""
    until(Path("opened").exists)
    return Path("opened").read_text()


def kernels(seen):
    running = [one for one in seen.process.children() if one.status() != psutil.STATUS_ZOMBIE]
    return sum("ipykernel_launcher" in one.cmdline() for one in running)


@contextmanager
def stranger(text):
    """The address of a page on another port of this machine."""
    folder = Path("elsewhere")
    folder.mkdir()
    (folder / "index.html").write_text(text)
    page = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), page) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()


def at(seen, number):
    """Wait until a conflict is on screen, or none, and the review has the keys."""
    seen.page.wait_for_selector(f".pg-bench-live[data-case='{number}']:focus-within")


def press(seen, *keys):
    for key in keys:
        before = seen.page.get_attribute(".pg-bench-live", "data-case")
        seen.page.keyboard.press(key)
        seen.page.wait_for_function(
            "(was) => document.querySelector('.pg-bench-live').dataset.case !== was", arg=before
        )


def decided(log):
    return pg.DecisionLog(log).answers()["same"].fillna(9).tolist()


def test_keys_reload_and_what_is_next(chromium, folder):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = f"{gone.pid}-a", f"{os.getpid()}-b", "c"
    left, mine, other = (folder / "tmp" / f"paragraph-review-{name}" for name in names)
    for each in (left, mine, other):
        each.mkdir()
    with served(chromium, "--reviewer", "Ada") as seen:
        at(seen, 1)
        assert not left.exists() and mine.exists() and other.exists()
        press(seen, "f")
        assert decided("Ada.db") == [1]
        seen.page.reload()
        at(seen, 2)
        assert seen.page.query_selector(".pg-bench-live.pg-dark")  # as the system is
        press(seen, "k", "a")
        said = seen.page.input_value(".pg-copy").splitlines()
        assert said[0] == "paragraph agreement Ada.db OTHER.db"
        assert said[1] == "paragraph apply my.tsv Ada.db -o clean.tsv"
        with urllib.request.urlopen(seen.address.split("?")[0]) as answer:  # without the token
            assert "login" in answer.url and "pg-bench" not in answer.read().decode()
        token = seen.address.split("=")[1]
        assert token not in opened() and not any(token in word for word in seen.process.cmdline())
        file = Path(opened().removeprefix("file://"))
        assert token in file.read_text() and file.stat().st_mode & 0o077 == file.parent.stat().st_mode & 0o077 == 0
    assert decided("Ada.db") == [1, 0, 1, 9]
    assert sorted((folder / "tmp").glob("paragraph-review-*")) == sorted([mine, other])


def test_no_other_page_starts_a_kernel(chromium, folder):
    with served(chromium, "--reviewer", "Ada", "--no-browser") as seen:
        assert not Path("opened").exists()
        at(seen, 1)
        own = seen.address.split("?")[0]
        tags = f"<iframe src={own}></iframe><script src={own}></script><link rel=stylesheet href={own}>"
        images = "".join(f"<img src={own}?{i}>" for i in range(4))
        fetched = f"<script>fetch('{own}', {{ mode: 'no-cors', credentials: 'include' }})</script>"
        with stranger(f"{tags}{images}{fetched}<a href={own}>here</a>") as address:
            page = seen.page.context.new_page()
            page.goto(address, wait_until="networkidle")
            page.click("a")
            page.wait_for_load_state("networkidle")
            assert "/login" in page.url, kernels(seen)
            page.close()
        assert kernels(seen) == 1
        assert {cookie["sameSite"] for cookie in seen.page.context.cookies()} == {"Strict"}
        press(seen, "f")
        page = seen.page.context.new_page()
        for _ in range(3):  # again before it is there
            page.goto(own, wait_until="commit")
        assert kernels(seen) <= 2
        page.wait_for_selector(".pg-bench-live[data-case='2']")
        assert kernels(seen) == 2
        third = seen.page.context.new_page()
        third.goto(own)
        assert "close one" in third.inner_text("body") and kernels(seen) == 2
    assert decided("Ada.db") == [1]


@pytest.mark.long
def test_the_kernel_of_a_page_that_was_left_ends(chromium, folder):
    with served(chromium, "--reviewer", "Ada") as seen:
        at(seen, 1)
        page = seen.page.context.new_page()
        page.goto(seen.address)
        page.wait_for_selector(".pg-bench-live[data-case='1']")
        page.close()  # without a word to the server, as a browser that is ended
        press(seen, "f")
        seen.page.reload(wait_until="commit")
        seen.page.reload(wait_until="commit")
        at(seen, 2)
        seen.complaints.remove(f"failed: {seen.address}")  # of the first time, which the second ended
        until(lambda: kernels(seen) == 1)
        press(seen, "k")
    assert decided("Ada.db") == ["flip", "keep"]


@pytest.mark.long
def test_a_third_settles(chromium, folder):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs("my.tsv"))
    for name, word in (("Ada", "keep"), ("Ben", "flip")):
        review = pg.ConflictReview(graph, f"{name}.db", reviewer=name)
        review.decide("flip")
        review.decide(word)
    read = ("--labels", "1=1,0=0")
    with served(chromium, *read, "--reviewer", "Cyd", "--settle", "Ada.db", "Ben.db") as seen:
        at(seen, 1)
        press(seen, "f")
        said = seen.page.input_value(".pg-copy")
        assert "paragraph apply my.tsv Ada.db Ben.db Cyd.db --labels 1=1,0=0 -o clean.tsv" in said
    assert not len(pg.agreement("Ada.db", "Ben.db", "Cyd.db").disagreements)
    assert pg.replay(["Ada.db", "Ben.db", "Cyd.db"], graph).pairs["label"].sum() == 8
