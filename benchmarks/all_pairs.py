"""Average precision on all pairs: how long, in how much memory, and how well an estimate does.

``python -m benchmarks.all_pairs FILE exact N | nearest N | estimate N RANDOM SEEDS`` prints one JSON object. FILE is
``qqp/qqp_natural.tsv.gz``; N sentences of it in whole components, their vectors MiniLM's, which has seen Quora.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from paragraph import ParaphraseGraph, read_pairs, split
from paragraph.learn import encode
from paragraph.measure import all_pairs
from paragraph.measure.counting import unit
from paragraph.measure.sampling import near_pairs
from paragraph.measure.worlds import World


def sentences(file: Path, n: int, seed: int = 0) -> tuple[ParaphraseGraph, np.ndarray]:
    """About n sentences in whole components, and their vectors."""
    pairs = read_pairs(file)
    whole = ParaphraseGraph.from_pairs(pairs).n
    if n < whole:
        pairs = split(pairs, {"some": n / whole, "rest": 1 - n / whole}, seed=seed, count="sentences")
        pairs = pairs[pairs["split"] == "some"]
    graph = ParaphraseGraph.from_pairs(pairs)
    return graph, encode(graph.texts(np.arange(graph.n)), progress=False)


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """What some work gives; wall and processor time in seconds, and how many megabytes more it took at its peak."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, processor = time.perf_counter(), time.process_time()
    found = work()
    took = {"seconds": time.perf_counter() - wall, "processor": time.process_time() - processor}
    return found, took | {"megabytes": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024}


def exact(file: Path, n: int) -> dict:
    graph, vectors = sentences(file, n)
    found, took = timed(lambda: all_pairs(graph, vectors=vectors, progress=False))
    # Equal vectors tie; without the ties of score 1, what is left of the bracket comes from counting in cells.
    moved = vectors + 1e-3 * np.random.default_rng(0).standard_normal(vectors.shape).astype(np.float32)
    apart = all_pairs(graph, vectors=moved, progress=False)
    return found.summary() | took | {"bracket": found.ap_max - found.ap_min, "untied": apart.ap_max - apart.ap_min}


def top(file: Path, n: int, k: int = 100) -> dict:
    _, vectors = sentences(file, n)
    search = NearestNeighbors(n_neighbors=k + 1, metric="cosine", algorithm="brute").fit(vectors)
    found, took = timed(lambda: search.kneighbors(return_distance=False))
    return {"sentences": len(vectors), "found": int(found.size)} | took


def estimate(file: Path, n: int, random: int, seeds: int) -> dict:
    graph, vectors = sentences(file, n)
    truth = all_pairs(graph, vectors=vectors, progress=False)
    world = World(graph)
    near = world.ends(near_pairs(world, unit(vectors, world.n), 100))
    options = {"vectors": vectors, "near": near, "random": random, "progress": False}
    found = (all_pairs(graph, seed=seed, **options) for seed in range(seeds))
    values, fifths = np.array([(one.ap, one.p_r20) for one in found]).T
    return {
        "sentences": graph.n, "random": random, "seeds": seeds, "near": len(near[0]), "exact": truth.ap,
        "mean": values.mean(), "sd": values.std(ddof=1), "exact P_R20": truth.p_r20, "mean P_R20": fifths.mean(),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.all_pairs", description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("what", choices=("exact", "nearest", "estimate"))
    parser.add_argument("numbers", type=int, nargs="+")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    print(json.dumps({"exact": exact, "nearest": top, "estimate": estimate}[args.what](args.file, *args.numbers)))


if __name__ == "__main__":
    main()
