"""Every verb of the shell writes the same bytes, whatever holds the pairs."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ..disk import tree

pytestmark = pytest.mark.scale

ROWS = [("a\tx", "b", 1), ("b", 'c "q"', 1), ("a\tx ", 'c "q"', 0), ("b", "d", 0), ("d", "é", 1)]
ROWS += [("e\u0301", "b", None), ("b", "a\tx", 0), ("a\tx", "b", 1), ("f", "f", 1), ("f", "g", 0)]
ROWS += [("=h", "g", 1), ("é", "\u3000=h", 0)]


@pytest.fixture
def pairs(tmp_path):
    """A pattern that matches two files."""
    for name, rows in (("1.parquet", ROWS[:5]), ("2.parquet", ROWS[5:])):
        text_a, text_b, label = zip(*rows, strict=True)
        table = {"question1": text_a, "question2": text_b, "is_duplicate": pa.array(label, pa.int8())}
        pq.write_table(pa.table(table), tmp_path / name)
    return tmp_path / "?.parquet"


VERBS = {
    "summary": "--clusters 5",
    "summary, JSON": "--json",
    "conflicts": "-o found.tsv",
    "clusters": "-o found.tsv --min-size 3",
    "sample": "-o found.tsv -n 5 --seed 3",
    "augment": "-o out",
    "explain": ["a\tx", "=h"],
    "explain, JSON": ["a\tx", 'c "q"', "--json"],
}


@pytest.mark.parametrize("verb", VERBS)
def test_engines_write_the_same(run, pairs, tmp_path, monkeypatch, verb):
    options = VERBS[verb].split() if isinstance(VERBS[verb], str) else VERBS[verb]
    done = []
    stored = ["--folder", tmp_path / "c", "--memory", "100MB"]
    for how in ([], ["--engine", "memory"], ["--engine", "duckdb"], stored):
        work = tmp_path / f"{len(done)}"
        work.mkdir()
        monkeypatch.chdir(work)
        out = run(verb.split(",")[0], pairs, *options, "--unlabelled", "keep", *how).out
        done.append((out, tree(work)))
    assert done[0] == done[1] == done[2] == done[3]
    assert done[0][0] or done[0][1]
