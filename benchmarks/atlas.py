"""The Atlas of a file: seconds for its first and its second map, and how many neighbours the map keeps.

python -m benchmarks.atlas qqp_all.tsv.gz    prints them as JSON
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np


def nearest(points: np.ndarray, rows: np.ndarray, k: int) -> np.ndarray:
    """The k nearest other points of some points: (rows, k)."""
    points = points - points.mean(axis=0)
    squares, found = (points**2).sum(axis=1), []
    for part in np.array_split(rows, len(rows) // 512 + 1):
        far = squares - 2 * points[part] @ points.T
        far[np.arange(len(part)), part] = np.inf
        found.append(np.argpartition(far, k, axis=1)[:, :k])
    return np.concatenate(found)


def kept(vectors: np.ndarray, places: np.ndarray, k: int = 10, most: int = 10_000) -> float:
    """The share of the k nearest vectors that are among the k nearest places, mean of `most` points at random."""
    rows = np.random.default_rng(0).permutation(len(vectors))[:most]
    pairs = zip(nearest(vectors, rows, k), nearest(places, rows, k), strict=True)
    return float(np.mean([len(np.intersect1d(near, drawn)) / k for near, drawn in pairs]))


def measure(source: str) -> dict[str, float]:
    import paragraph as pg
    from paragraph.learn.vectors import encode, unit

    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(source))
    count, found, began = int((graph.cluster_sizes > 1).sum()), {}, time.perf_counter()

    def took(name: str) -> None:
        nonlocal began
        found[name], began = time.perf_counter() - began, time.perf_counter()

    starts, nodes = graph.cluster_members
    vectors = unit(encode(graph.texts(nodes[: starts[count]])))
    took("encode its sentences, or read their vectors")
    seed = time.time_ns() % 2**31  # no map of it is kept
    atlas = pg.Atlas(graph, seed=seed)
    took("first Atlas, vectors at hand")
    pg.Atlas(graph, seed=seed)
    took("second Atlas")
    vectors = np.add.reduceat(vectors, starts[:count], axis=0) / graph.cluster_sizes[:count, None]
    places = atlas.table[["x", "y"]].to_numpy()
    return found | {"share of ten nearest kept": kept(vectors, places)}


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
