"""Pairs coded out of core say what pairs in memory say."""

import random
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import paragraph as pg

pytestmark = pytest.mark.scale

#: Spellings of few sentences: composed or not, with all kinds of white space around them.
SENTENCES = ["café", "cafe\u0301", "\u3000café", "Café", "tea", "tea\u00a0", "\x1ctea", "\u2003tea\n", "te a"]
SENTENCES += [
    "お茶",
    "お茶\u3000",
    "Å",
    "\u212b",
    "A\u030a",
    "K",
    "\u212a",
    "x\u200b",
    "\ufeffx",
    "x",
    "'quoted'",
    'a "b"',
    "%s $1 {0}",
]


def save(path, rows):
    names = {"text_a": pa.string(), "text_b": pa.string(), "label": pa.int8()}
    columns = zip(list(zip(*rows, strict=True)) or [[], [], []], names.values(), strict=True)
    pq.write_table(pa.table([pa.array(*column) for column in columns], names=list(names)), path)
    return path


def drawn(seed):
    rng = random.Random(seed)
    known = rng.sample(SENTENCES, rng.randint(3, len(SENTENCES)))
    return [(rng.choice(known), rng.choice(known), rng.choice([1, 1, 0, 0, None])) for _ in range(rng.randint(1, 60))]


def open_both(source, folder, **options):
    options = {"unlabelled": "keep", "progress": False, "memory": "1GB"} | options
    return pg.open_pairs(source, "memory", **options), pg.open_pairs(source, "duckdb", folder=folder, **options)


def assert_same(ours, other, draws=200):
    """Everything that two stores say of their pairs."""
    graph, coded = ours.graph, other.graph
    assert ours.counts() == other.counts()
    assert graph.sentences.equals(coded.sentences)
    for name in [
        "edge_a",
        "edge_b",
        "edge_sign",
        "edge_n_positive",
        "edge_n_negative",
        "cluster_of",
        "cluster_sizes",
    ]:
        np.testing.assert_array_equal(getattr(graph, name), getattr(coded, name), name)
    pd.testing.assert_frame_equal(ours.conflicts(), other.conflicts())
    if graph.bipartite:
        return
    pd.testing.assert_frame_equal(ours.clusters(min_size=1), other.clusters(min_size=1))
    some = ours.sample(draws, seed=1)
    pd.testing.assert_frame_equal(some, other.sample(draws, seed=1))
    for a, b in some[["text_a", "text_b"]].head(5).itertuples(index=False):
        proof = other.explain(a, b)
        assert proof == ours.explain(a, b)
        assert_valid(proof, graph)
    if graph.n:
        assert_same_graph(ours.cluster(0), other.cluster(0))


def assert_valid(proof, graph):
    """A chain from the one sentence to the other, of stated pairs with at most one negative."""
    nodes = [proof.steps[0].nodes[0], *(step.nodes[1] for step in proof.steps)]
    assert graph.texts([nodes[0], nodes[-1]]) == [proof.text_a, proof.text_b]
    signs = [graph.edge_sign[graph.edge_between(i, j)] for i, j in pairwise(nodes)]
    assert sorted(signs)[1:] == [1] * (len(signs) - 1) and min(signs) == (1 if proof.label else -1)


def assert_same_graph(left, right):
    pd.testing.assert_series_equal(left.summary(), right.summary())
    assert left.texts(range(left.n)) == right.texts(range(right.n))
    pd.testing.assert_frame_equal(pg.conflicts(left), pg.conflicts(right))


@pytest.mark.parametrize("seed", range(200))
def test_random_pairs(tmp_path, seed):
    rows, rng = drawn(seed), random.Random(seed)
    cuts = sorted(rng.choices(range(len(rows) + 1), k=rng.randint(0, 3)))
    files = [
        save(tmp_path / f"{9 - i}.parquet", rows[start:stop])  # the order of the list is not that of the names
        for i, (start, stop) in enumerate(pairwise([0, *cuts, len(rows)]))
    ]
    identity = rng.choice(["text", "text", "normal"])
    assert_same(*open_both(files, tmp_path / "coded", identity=identity))
