"""Exact frustration of the tribes, of conflict blocks of real data, and of random graphs; prints JSON."""

import json
import os
import statistics
import sys
from pathlib import Path

import numpy as np

from paragraph.balance.blocks import unbalanced_blocks
from paragraph.balance.frustration_index import Frustration, frustration
from paragraph.balance.presets import tribes
from paragraph.balance.signed import SignedGraph, as_signed
from paragraph.graph import ParaphraseGraph
from paragraph.pairs import read_pairs

KINDS = ("strong", "weak")


def random_graph(n: int, density: float, seed: int) -> SignedGraph:
    """Every edge with probability `density`, every sign by a coin."""
    rng = np.random.default_rng(seed)
    a, b = np.triu_indices(n, 1)
    kept = rng.random(len(a)) < density
    return SignedGraph.from_arrays(n, a[kept], b[kept], rng.choice([-1, 1], kept.sum()))


def planted(file: Path, share: float, most: int, seed: int) -> tuple[list[SignedGraph], int]:
    """The conflict blocks of at most `most` edges once a share of all labels is turned; how many were larger."""
    graph = as_signed(ParaphraseGraph.from_pairs(read_pairs(file)))
    turned = np.random.default_rng(seed).random(graph.m) < share
    graph = graph.with_sign(np.where(turned, -graph.sign, graph.sign))
    every = unbalanced_blocks(graph, "weak")
    found = [graph.part(edges) for edges in every if len(edges) <= most]
    return found, len(every) - len(found)


def summary(found: list[Frustration]) -> dict:
    seconds = [one.seconds for one in found]
    return {
        "median": statistics.median(seconds),
        "worst": max(seconds),
        "solved": sum(one.optimal for one in found),
        "gap": statistics.median((one.value - one.bound) / max(one.value, 1) for one in found),
    }


def main(limit: float, dense: int) -> None:
    frustration(tribes())  # load scipy first
    graphs = {
        "tribes": [as_signed(tribes())] * 5,
        "density .1": [random_graph(40, 0.1, seed) for seed in range(20)],
        "density .3": [random_graph(40, 0.3, seed) for seed in range(dense)],
    }
    larger = 0
    file = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if file.is_file():
        graphs["blocks"], larger = planted(file, 0.02, 60, seed=0)
    results = {
        name: {"count": len(some), "most": max(graph.m for graph in some)}
        | {kind: summary([frustration(graph, kind, time_limit=limit) for graph in some]) for kind in KINDS}
        for name, some in graphs.items()
    }
    print(json.dumps(results | {"larger": larger}))


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
