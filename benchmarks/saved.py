"""How many questions transitivity saves: of the k most similar pairs of some sentences, how many need no answer?

``python -m benchmarks.saved qqp_all.tsv.gz`` prints ``{"k": …, "asked": …, "saved": …, "bound": …}``, a line for each
k, seed and order.

The sentences are those of whole components of stated labels (20,000 of them), the pairs the k of highest cosine by
MiniLM, which has seen Quora; an oracle answers by the closure of the stated labels. `saved` = 1 − asked / k. No order
of the questions can save more than the `bound`: it takes a question for each positive of a spanning forest of the
pairs, and one for each two clusters that a pair without a paraphrase joins.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.collection.inference import Inference
from paragraph.graph.arrays import connected, pair_keys
from paragraph.learn import encode

K = (1_000, 10_000, 40_000)
BLOCK = 1_000  # sentences whose cosines are held at once


def sentences(graph: ParaphraseGraph, count: int, seed: int) -> np.ndarray:
    """Nodes of whole components, drawn at random until there are so many."""
    component = connected(graph.n, graph.edge_a, graph.edge_b)
    sizes = np.bincount(component)
    order = np.random.default_rng(seed).permutation(len(sizes))
    order = order[sizes[order] <= count]
    taken = order[: np.searchsorted(np.cumsum(sizes[order]), count) + 1]
    return np.flatnonzero(np.isin(component, taken))


def most_similar(vectors: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k pairs of rows with the highest cosine, highest first."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    best, ends = np.empty(0, np.float32), np.empty((2, 0), np.int64)
    for start in range(0, len(unit), BLOCK):
        cosine = unit[start : start + BLOCK] @ unit[start:].T
        cosine[np.tril_indices(len(cosine), m=cosine.shape[1])] = -2  # each pair once, and not with itself
        least = best[-1] if len(best) == k else -2.0
        i, j = np.nonzero(cosine > least)
        best = np.concatenate([best, cosine[i, j]])
        ends = np.concatenate([ends, np.stack([i, j]) + start], axis=1)
        order = np.argsort(-best, kind="stable")[:k]
        best, ends = best[order], ends[:, order]
    return ends[0], ends[1]


def asked(a: np.ndarray, b: np.ndarray, truth: np.ndarray) -> Iterator[int]:
    """How many questions were asked after each pair, where none is asked whose answer follows."""
    known, count = Inference(), 0
    for i, j in zip(a.tolist(), b.tolist(), strict=True):
        if known.follows(i, j) is None:
            known.set(i, j, int(truth[i] == truth[j]))
            count += 1
        yield count


def needed(a: np.ndarray, b: np.ndarray, truth: np.ndarray) -> int:
    """The fewest questions in which any order can do."""
    same, n = truth[a] == truth[b], len(truth)
    forest = n - len(np.unique(connected(n, a[same], b[same])))
    apart = np.unique(pair_keys(truth[a[~same]], truth[b[~same]], n))
    return forest + len(apart)


def write(found: list[dict], folder: Path) -> pd.DataFrame:
    """The runs as a table, kept as saved.tsv."""
    folder.mkdir(parents=True, exist_ok=True)
    table = pd.DataFrame(found)
    table.to_csv(folder / "saved.tsv", sep="\t", index=False, float_format="%.4f", lineterminator="\n")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    graph = ParaphraseGraph.from_pairs(read_pairs(args.source))
    for seed in range(args.seeds):
        nodes = sentences(graph, args.sentences, seed)
        truth = graph.cluster_of[nodes]
        truth = np.unique(truth, return_inverse=True)[1]
        a, b = most_similar(encode(graph.texts(nodes), progress=False), max(K))
        orders = {"similarity": np.arange(len(a)), "random": None}
        for k in K:
            least = needed(a[:k], b[:k], truth)
            for name, order in orders.items():
                order = np.random.default_rng(seed).permutation(k) if order is None else order[:k]
                count = list(asked(a[order], b[order], truth))[-1]
                found = {"seed": seed, "sentences": len(nodes), "order": name, "k": k, "asked": count, "least": least}
                found |= {"positives": int((truth[a[:k]] == truth[b[:k]]).sum())}
                found |= {"saved": 1 - count / k, "bound": 1 - least / k, "of_bound": (k - count) / (k - least)}
                print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
