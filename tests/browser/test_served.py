"""``paragraph review`` as a person runs it: keys in the page, reload, the process ended between two keys."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pandas as pd
import pytest

import paragraph as pg

from ..hostile import SENTENCES
from .conftest import Visit, look
from .lab import PATIENCE

#: What Voilà's page says of its own parts, which are older than JupyterLab's; and its last word when it is left.
VOILA = re.compile("Unsatisfied version|No satisfying version|/voila/api/shutdown/")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A file with three conflicts, all sentences of which would like to run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    texts = [f"{text.strip()} {i}" for i, text in enumerate(SENTENCES[:9])]
    rows = [(*texts[i : i + 2], 1) for i in range(9) if i % 3 < 2] + [(texts[i], texts[i + 2], 0) for i in (0, 3, 6)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), tmp_path / "my.tsv")
    return tmp_path


@contextmanager
def served(chromium, *options, ends=signal.SIGINT):
    """The page of a review that the command serves, how it was ended."""
    command = [sys.executable, "-m", "paragraph", "review", "my.tsv", "--no-browser", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    context = chromium.new_context(viewport={"width": 1400, "height": 900}, color_scheme="dark")
    try:
        address = re.search(
            r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline() or process.stderr.read()
        )[0]
        seen = Visit(context.new_page())
        seen.page.set_default_timeout(PATIENCE)
        seen.page.goto(address)
        seen.address = address
        yield seen
        own = address.split("?")[0]
        seen.requests[:] = [url for url in seen.requests if not url.startswith(own)]
        seen.complaints[:] = [said for said in seen.complaints if not VOILA.search(said)]
        seen.assert_quiet()
    finally:
        context.close()
        process.send_signal(ends)
        err = process.communicate(timeout=60)[1]
    assert process.returncode == (130 if ends == signal.SIGINT else -ends), err
    assert err.strip() == ("paragraph: interrupted" if ends == signal.SIGINT else "")


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
    return pg.DecisionLog(log).current()["decision"].tolist()


def test_keys_reload_and_what_is_next(chromium, folder):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left, mine, other = (
        folder / "tmp" / f"paragraph-review-{name}" for name in (f"{gone.pid}-a", f"{os.getpid()}-b", "c")
    )
    for each in (left, mine, other):
        each.mkdir()
    with served(chromium, "--reviewer", "Ada") as seen:
        at(seen, 1)
        assert not left.exists() and mine.exists() and other.exists()
        press(seen, "f")
        assert decided("Ada.db") == ["flip"]
        seen.page.reload()
        at(seen, 2)
        assert seen.page.query_selector(".pg-bench-live.pg-dark")  # as the system is
        look(seen, "served")
        press(seen, "k", "a")
        said = seen.page.input_value(".pg-copy").splitlines()
        assert said[0] == "paragraph agreement Ada.db OTHER.db"
        assert said[1] == "paragraph apply my.tsv Ada.db -o clean.tsv"
        look(seen, "served_end")
        with urllib.request.urlopen(seen.address.split("?")[0]) as answer:  # without the token
            assert "login" in answer.url and "pg-bench" not in answer.read().decode()
    assert decided("Ada.db") == ["flip", "keep", "ambiguous"]
    assert sorted((folder / "tmp").glob("paragraph-review-*")) == sorted([mine, other])


@pytest.mark.long
def test_every_decision_outlives_the_process(chromium, folder):
    for number, ends in enumerate([signal.SIGKILL, signal.SIGINT, signal.SIGKILL], 1):
        with served(chromium, "--reviewer", "Ada", ends=ends) as seen:
            at(seen, number)
            press(seen, "f")
        assert decided("Ada.db") == ["flip"] * number


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
