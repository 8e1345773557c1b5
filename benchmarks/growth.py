"""Integer-coded pairs in memory to clusters, counts and conflicts, at one size; prints seconds as JSON."""

import json
import sys
import time

import numpy as np

from paragraph.graph import ParaphraseGraph
from paragraph.graph.closure import infer


def codes(m: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """`m` labelled pairs as Quora's are: a long tail of clusters, 37 % positive, rows and codes shuffled.

    One pair in a thousand is a negative inside a cluster.
    """
    rng = np.random.default_rng(seed)
    n = int(m * 1.3)
    sizes = np.minimum(rng.zipf(2.2, n), 150)
    sizes = sizes[: np.searchsorted(np.cumsum(sizes), n)]
    n = int(sizes.sum())
    starts = np.cumsum(sizes) - sizes
    home = np.repeat(np.arange(len(sizes)), sizes)

    m_positive = int(0.37 * m)
    a = np.flatnonzero(sizes[home] > 1)
    a = a[rng.integers(0, len(a), m_positive)]
    step = rng.integers(1, sizes[home[a]])  # another sentence of the same cluster
    b = starts[home[a]] + (a - starts[home[a]] + step) % sizes[home[a]]
    x, y = rng.integers(0, n, (2, m - m_positive))
    torn = rng.integers(0, m_positive, m // 1000)
    x[: len(torn)], y[: len(torn)] = a[torn], starts[home[a[torn]]]
    sign = np.repeat([1, -1], [m_positive, m - m_positive]).astype(np.int8)

    rows, names = rng.permutation(m), rng.permutation(n).astype(np.int32)
    return names[np.concatenate([a, x])[rows]], names[np.concatenate([b, y])[rows]], sign[rows], n


def run(a: np.ndarray, b: np.ndarray, sign: np.ndarray, n: int) -> dict:
    began = time.perf_counter()
    graph = ParaphraseGraph(a, b, sign, n)
    counts = infer(graph).counts()
    conflicts = np.flatnonzero(graph.within)
    seconds = time.perf_counter() - began
    clusters = int(np.count_nonzero(graph.cluster_sizes > 1))
    return {"seconds": seconds, "clusters": clusters, "conflicts": len(conflicts), **counts}


if __name__ == "__main__":
    pairs = int(sys.argv[1])
    run(*codes(10_000))  # load scipy first
    inputs = codes(pairs)
    print(json.dumps(min((run(*inputs) for _ in range(3 if pairs < 10_000_000 else 1)), key=lambda r: r["seconds"])))
