"""The cache of vectors: what comes out is what went in, whoever writes, dies or damages the file."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paragraph.learn.cache import VectorCache

WIDTH = 4
strict = pytest.mark.filterwarnings("error")


def vectors_for(texts):
    """A vector that can be told from the text alone."""
    vectors = [np.random.default_rng([*text.encode()]).normal(size=WIDTH) for text in texts]
    return np.array(vectors, dtype=np.float32).reshape(-1, WIDTH)


def filled(folder, texts="abc", name="x", size=10_000):
    with VectorCache(name, WIDTH, folder) as cache:
        for at in range(0, len(texts), size):
            some = list(texts[at : at + size])
            cache.put(some, vectors_for(some))
    return cache.path


def held(folder, texts, name="x"):
    """Which texts are there, and the vectors of those."""
    with VectorCache(name, WIDTH, folder) as cache:
        there, vectors = cache.get(list(texts))
    return there, vectors[there]


def numbered(n):
    return [f"text {i}" for i in range(n)]


@settings(max_examples=30)
@given(st.lists(st.text(), unique=True, max_size=20), st.data())
def test_what_is_read_is_what_was_written_bit_for_bit(tmp_path_factory, written, data):
    values = data.draw(arrays(np.float32, (len(written), WIDTH), elements=st.floats(width=32)))
    asked = data.draw(st.permutations(written + [text + "?" for text in written if text + "?" not in written]))
    folder = tmp_path_factory.mktemp("cache")
    with VectorCache("x", WIDTH, folder) as cache:
        cache.put(written, values)
    there, vectors = held(folder, asked)
    place = {text: i for i, text in enumerate(written)}
    assert there.tolist() == [text in place for text in asked]
    rows = [place[text] for text in asked if text in place]
    assert vectors.tobytes() == values[rows].tobytes()


WRITER = """
import sys, warnings, numpy as np
from paragraph.learn.cache import VectorCache
warnings.simplefilter("error")
folder, first, last, size = sys.argv[1], *map(int, sys.argv[2:])
print("ready", flush=True)
sys.stdin.readline()
with VectorCache("x", 4, folder) as cache:
    for at in range(first, last, size):
        numbers = range(at, min(at + size, last))
        cache.put([f"text {i}" for i in numbers], np.array([[i] * 4 for i in numbers]))
        print(numbers[-1] + 1, flush=True)
"""


def writers(folder, size, *spans):
    """Processes that write `size` texts at a time, all begun at one moment."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    commands = [[sys.executable, "-c", WRITER, str(folder), *map(str, span), str(size)] for span in spans]
    children = [subprocess.Popen(command, **pipes) for command in commands]
    assert [child.stdout.readline() for child in children] == ["ready\n"] * len(spans)
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    return children


def sound(folder, count):
    """Whether the file is whole and holds so many texts."""
    there, vectors = held(folder, numbered(count))
    with sqlite3.connect(folder / "x.sqlite") as file:
        whole = file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return whole and there.all() and (vectors == np.arange(count)[:, None]).all()


@strict
@pytest.mark.slow
def test_two_processes_write_at_once(tmp_path):
    """Half of what each writes, the other writes too."""
    children = writers(tmp_path, 20, (0, 1000), (500, 1500))
    assert [child.communicate()[1] for child in children] == ["", ""]
    assert sound(tmp_path, 1500)


@strict
@pytest.mark.long
@pytest.mark.parametrize("after", [0.0, 0.1])
def test_a_writer_that_is_killed_leaves_all_it_has_written(tmp_path, after):
    (child,) = writers(tmp_path, 30, (0, 10_000_000))
    said = [child.stdout.readline()]
    time.sleep(after)
    child.send_signal(signal.SIGKILL)
    said += child.communicate()[0].splitlines(keepends=True)
    assert sound(tmp_path, max(int(line) for line in said if line.endswith("\n")))


def change(path, code, *values):
    with sqlite3.connect(path) as file:
        file.execute(code, values)
    file.close()


def flip(path):
    """Change one bit of one number."""
    (value,) = sqlite3.connect(path).execute("SELECT value FROM kept LIMIT 1").fetchone()
    change(path, "UPDATE kept SET value = ? WHERE value = ?", bytes([value[0] ^ 1, *value[1:]]), value)


def scribble(path):
    """Write over the middle of the file."""
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        file.write(b"\xff" * 20_000)


#: What is done to the file, by a function or by SQL; how many rows of 500 are still sound, None: it is begun anew.
DAMAGES = [
    (lambda path: path.write_text("no database " * 1000), None),
    (lambda path: os.truncate(path, os.path.getsize(path) // 2), None),
    (scribble, None), (flip, 499),
    ("UPDATE kept SET checksum = NULL", 0),
]  # fmt: skip


@pytest.mark.parametrize("damage, left", DAMAGES)
def test_a_damaged_row_is_missing_and_a_damaged_file_is_begun_anew(tmp_path, damage, left):
    many, path = numbered(500), filled(tmp_path, numbered(500))
    change(path, damage) if isinstance(damage, str) else damage(path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        there, vectors = held(tmp_path, many)
    said = [str(warning.message) for warning in caught]
    assert len(said) == (left is None) and all("damaged, and started afresh" in message for message in said)
    there = np.flatnonzero(there)  # what was read before the damage was met is right
    assert len(there) == left or (left is None and len(there) < 500)
    assert (vectors == vectors_for([many[i] for i in there])).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        filled(tmp_path, many)
        assert (held(tmp_path, many)[1] == vectors_for(many)).all()


def test_a_folder_that_cannot_be_used_and_a_full_disk_cost_one_warning(tmp_path):
    (tmp_path / "file").write_text("")
    said = pytest.warns(UserWarning, match="cannot be used as a cache")
    with said as caught, VectorCache("x", WIDTH, tmp_path / "file") as cache:
        for _ in range(3):
            cache.put(list("ab"), vectors_for("ab"))
            assert not cache.get(list("ab"))[0].any()
    assert len(caught) == 1
    filled(tmp_path)
    many = numbered(2000)
    with VectorCache("x", WIDTH, tmp_path) as cache:
        cache._file.execute("PRAGMA max_page_count = 4")
        with pytest.warns(UserWarning, match="disk is full") as caught:
            cache.put(many, vectors_for(many))
            cache.put(["d"], vectors_for("d"))
    assert len(caught) == 1
    assert held(tmp_path, [*"abc", *many])[0].tolist() == [True] * 3 + [False] * 2000
