"""One cluster of thousands of sentences, and one of 50,000: counted, streamed and drawn from, never listed.

Memory is what numpy and Python ask for (tracemalloc); nothing here measures seconds.
"""

import tracemalloc
from contextlib import contextmanager
from itertools import islice

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.sheets import sheet
from paragraph.doubts.what_if import relabelled
from paragraph.graph.paths import BOTH_ENDS, shortest_path

from ..growth import LINEAR, exponent
from ..refused import refused

MB = 1_000_000


def giant(n, negatives, seed=0):
    """A cluster of n sentences (a random tree, so some 30 steps across) that holds negatives inside; a cluster of
    three with negatives to it; a lone sentence with one negative to it. Its sentences are n, …, n + 3."""
    rng = np.random.default_rng(seed)
    child = np.arange(1, n)
    parent = (rng.random(n - 1) * child).astype(np.int64)
    inside = rng.integers(0, n, (2, negatives))
    # The tree comes last, so that a pair stated both ways stays an edge of it.
    a = np.concatenate([inside[0], [n, n, n + 2], [n + 3], [n, n + 1], child])
    b = np.concatenate([inside[1], [0, 5, 5], [7], [n + 1, n + 2], parent])
    sign = np.repeat([-1, 1], [negatives + 4, n + 1]).astype(np.int8)
    return pg.ParaphraseGraph(a, b, sign, n + 4)


def wheel(n):
    """A sentence with n others, of which each contradicts the next."""
    leaf = np.arange(1, n + 1)
    texts = [f"leaf {i} of the tree" for i in range(n + 1)]
    a, b = np.append(np.zeros(n, int), leaf), np.append(leaf, np.roll(leaf, -1))
    rows = {"text_a": np.array(texts)[a], "text_b": np.array(texts)[b], "label": np.repeat([1, 0], n)}
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows))


def cut_all(graph):
    leaves = np.arange(1, graph.n)
    ids = ["an answer" for _ in leaves]
    return relabelled(graph, np.array([np.zeros_like(leaves), leaves]), [0 for _ in leaves], ids)


@pytest.mark.long
@pytest.mark.parametrize("work", [
    pg.conflicts, sheet, cut_all, lambda graph: pg.repair(graph, method="flip_all", progress=False),
    lambda graph: pg.infer(graph, max_per_cluster=1000).to_frame(),
])  # fmt: skip
def test_conflicts_around_one_sentence_cost_linear_time(work):
    sizes = (1250, 20_000)
    wheels = {n: wheel(n) for n in sizes}
    assert exponent(lambda n: work(wheels[n]), *sizes) < LINEAR


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tree", "hubs", "chain", "dense"])
def test_a_path_is_the_first_of_the_shortest(kind):
    rng, n = np.random.default_rng(0), 300
    parent = {"tree": lambda i: rng.integers(i), "hubs": lambda i: rng.integers(min(i, 3)), "chain": lambda i: i - 1,
              "dense": lambda i: rng.integers(i)}[kind]  # fmt: skip
    tree = np.array([(parent(i), i) for i in range(1, n)])
    number = rng.permutation(n)
    a, b = number[np.concatenate([tree, rng.integers(0, n, (400 if kind == "dense" else 10, 2))])].T
    graph = pg.ParaphraseGraph(a, b, np.ones(len(a), np.int8), n)
    friends = graph.to_networkx()
    for source, target in rng.integers(0, n, (300, 2)).tolist():
        far = nx.single_source_shortest_path_length(friends, target)
        expected = [source]
        while expected[-1] != target:
            expected.append(min(one for one in friends[expected[-1]] if far[one] == far[expected[-1]] - 1))
        assert shortest_path(graph, source, target) == expected


def stated_inside(graph):
    """How many distinct pairs of the largest cluster are stated, counted from the edges."""
    first = graph.cluster_of[graph.edge_a] == 0
    return int(np.count_nonzero(first & (graph.cluster_of[graph.edge_b] == 0)))


@contextmanager
def peak_below(limit):
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < limit
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def huge():
    return giant(50_000, 2_000)


@pytest.fixture(scope="module")
def large():
    return giant(5_000, 500)


@pytest.mark.parametrize("rule", ["all", "clusters"])
def test_counts_are_the_formula(huge, rule):
    n = 50_000
    assert huge.cluster_sizes.tolist() == [n, 3, 1]
    assert stated_inside(huge) > n  # the tree, and most of the negatives
    with peak_below(40 * MB):  # the pairs of 50,000 sentences would be 10 GB
        counts = pg.infer(huge, negatives=rule).counts()
    positive = n * (n - 1) // 2 - stated_inside(huge) + 3 - 2
    assert counts == {"positive": positive, "negative": 3 * n - 3 + (n - 1 if rule == "all" else 0)}


def test_tables_batches_and_limits_take_no_memory_for_the_rest(huge):
    with peak_below(40 * MB):
        frame = huge.clusters(min_size=1)
    assert frame["inferred_positive"].tolist() == [50_000 * 49_999 // 2 - stated_inside(huge), 1, 0]
    size, closure = 50_000, pg.infer(huge)
    list(islice(closure.batches(size), 1))  # what is kept for all later ones
    with peak_below(6 * MB):
        drawn = sum(len(batch.a) for batch in islice(closure.batches(size), 60))
    assert drawn > 60 * (size - 2_500)  # less only what is stated
    closure = pg.infer(huge, max_per_cluster=1_000)
    with peak_below(40 * MB):
        assert closure.counts() == {"positive": 1_001, "negative": 1_000}
        assert sum(len(batch.a) for batch in closure.batches()) == 2_001


def nodes(texts):
    return np.array([int(text.removeprefix("sentence ")) for text in texts])


def test_a_sample_takes_no_memory_for_the_rest(huge):
    huge.sentences  # noqa: B018 (built once)
    with peak_below(20 * MB):
        assert len(pg.infer(huge).sample(10_000, seed=1, distances=False)) == 10_000
    with peak_below(60 * MB):  # a table of path lengths for each first sentence
        frame = pg.infer(huge).sample(50, seed=1)
    assert len(frame) == 50
    assert frame["distance"].between(1, 6).all()


def star(n):
    """A sentence with n - 1 paraphrases, and a negative to one more."""
    a, b = np.zeros(n, np.int64), np.arange(1, n + 1)
    return pg.ParaphraseGraph(a, b, np.append(np.ones(n - 1), -1).astype(np.int8), n + 1)


def test_a_sample_of_a_chain_comes_at_once():
    def sample(n):
        graph = pg.ParaphraseGraph(np.arange(n - 1), np.arange(1, n), np.ones(n - 1, np.int8), n)
        found = pg.infer(graph, distance="hops").sample(20)
        a, b = nodes(found["text_a"]), nodes(found["text_b"])
        assert found["distance"].tolist() == (np.abs(a - b) - 1).tolist()

    assert exponent(sample, 2_000, 32_000) < LINEAR


def test_distances_in_a_sample_are_those_from_each_end(large):
    frames = []
    for cost in (BOTH_ENDS, 0):  # whole clusters; both ends of each pair
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("paragraph.graph.paths.BOTH_ENDS", cost)
            frames.append(pg.infer(large).sample(300, seed=4))
    pd.testing.assert_frame_equal(*frames)
    assert frames[0]["distance"].max() > 2


def test_no_table_is_made_of_too_many_labels(huge, monkeypatch):
    monkeypatch.setattr("paragraph.graph.closure.MOST_ROWS", 100_000)
    for closure in (pg.infer(huge), pg.infer(star(500), max_distance=1)):  # by arithmetic; as they are found
        with peak_below(40 * MB):
            refused(r"labels can be inferred.*sample\(n\).*batches", closure.to_frame, distances=False)
