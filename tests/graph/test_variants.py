"""The four datasets in memory and on disk."""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.graph.variants import NAMES, four_datasets, write_datasets

from ..reference import graph_of
from ..refused import refused

HEADER = ["question1", "question2", "is_duplicate"]
TYPES = {"text_a": "str", "text_b": "str", "label": "Int8"}
TEXTS = ["tea", "a\ttab", 'a "quote"', '"', "two\nlines", "re\rturn", "お茶 🍵", "\ufeffmark \u2028"]


def rows_of(labels, most):
    return st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from(labels)), max_size=most)


def load(path):
    """The rows of a written file, as tuples of text, text and label; None for a missing label."""
    if path.suffix == ".parquet":
        frame = pd.read_parquet(path)
        assert list(frame) == HEADER
        return listed(frame)
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    header, *fields = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
    assert header == HEADER
    return [(a, b, int(label) if label else None) for a, b, label in fields]


def listed(frame):
    return [(a, b, None if pd.isna(y) else int(y)) for a, b, y in frame.itertuples(index=False, name=None)]


@pytest.mark.slow
@settings(max_examples=25)
@given(rows_of([1, 1, 0, 0, None], 20), st.sampled_from(["tsv", "parquet"]), st.sampled_from(["all", "clusters"]))
def test_files_hold_what_the_tables_hold(tmp_path_factory, rows, format, negatives):
    graph, folder = graph_of(*rows), tmp_path_factory.mktemp("out") / "deep"
    closure = pg.infer(graph, negatives=negatives)
    counts = write_datasets(closure, folder, format)
    tables = four_datasets(closure)
    for frame in tables.values():
        assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == TYPES
        assert frame.index.equals(pd.RangeIndex(len(frame)))
    assert list(tables) == list(counts) == list(NAMES)
    assert {path.name for path in folder.iterdir()} == {"report.json", *(f"{name}.{format}" for name in NAMES)}
    for name in NAMES:
        assert load(folder / f"{name}.{format}") == listed(tables[name])
        labels = [label for *_, label in listed(tables[name])]
        counted = {"positive": labels.count(1), "negative": labels.count(0), "unlabelled": labels.count(None)}
        assert counts[name] == counted if None in labels else counted == counts[name] | {"unlabelled": 0}
    assert listed(tables["original"]) == rows


def test_stated_pairs_come_first_then_positives_then_negatives():
    rows = [("d", "e", 1), ("a", "b", 1), ("c", "b", 1), ("e", "a", 0)]
    augmented = listed(four_datasets(graph_of(*rows))["augmented"])
    assert augmented[:4] == rows
    assert augmented[4] == ("a", "c", 1)
    assert [label for *_, label in augmented[5:]] == [0] * 5


def test_errors(tmp_path):
    graph = graph_of("a+b")
    refused("format 'xlsx' is not one of 'tsv', 'parquet'", write_datasets, graph, tmp_path / "out", format="xlsx")
    codes = pg.ParaphraseGraph(np.array([0]), np.array([1]), np.array([1], np.int8), 2)
    refused("no rows to write", four_datasets, codes)
    refused("kept is not a mask of the 1 pairs", four_datasets, graph, np.ones(2, bool))
    (tmp_path / "file").touch()
    with pytest.raises(OSError):
        write_datasets(graph, tmp_path / "file" / "out")
