"""Balance at size: the census of a pair file, of a random graph beside networkx, verdicts on many edges; prints JSON.

python -m benchmarks.balance file PAIRS
python -m benchmarks.balance random EDGES
python -m benchmarks.balance verdict EDGES
"""

import importlib.util
import json
import sys
import time

import numpy as np

from paragraph import ParaphraseGraph, read_pairs
from paragraph import balance as bal


def timed(work, *arguments, **options):
    began = time.perf_counter()
    found = work(*arguments, **options)
    return found, time.perf_counter() - began


def random_graph(edges: int, nodes: int, camps: int) -> bal.SignedGraph:
    """A random graph whose signs agree with camps."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, nodes, edges * 11 // 10)
    b = (a + rng.integers(1, nodes, len(a))) % nodes
    keys = rng.permutation(np.unique(np.minimum(a, b) * nodes + np.maximum(a, b)))[:edges]
    a, b = (keys // nodes).astype(np.int32), (keys % nodes).astype(np.int32)
    camp = rng.integers(0, camps, nodes)
    return bal.SignedGraph.from_arrays(nodes, a, b, np.where(camp[a] == camp[b], 1, -1))


def file(path: str) -> dict:
    """The census of a file of pairs, whole and by cluster, and every triad as an object."""
    graph = ParaphraseGraph.from_pairs(read_pairs(path))
    counts, census = timed(bal.census, graph)
    _, by_cluster = timed(bal.census, graph, by="cluster")
    listed, listing = timed(lambda: sum(1 for _ in bal.triads(graph)))
    if listed != counts.sum():
        raise SystemExit(f"{counts.sum()} triads counted, {listed} listed")
    return {"edges": len(graph.edge_a), "triads": listed, "census": census, "cluster": by_cluster, "listing": listing}


def random(edges: int) -> dict:
    """The census of a random graph, against networkx (which counts triangles without their signs)."""
    import networkx as nx

    graph = random_graph(edges, edges // 10, 2)
    graph = graph.with_sign(np.random.default_rng(1).choice([1, -1], graph.m))
    ends = list(zip(graph.a.tolist(), graph.b.tolist(), strict=True))
    counts, census = timed(bal.census, graph)
    _, nodes = timed(bal.census, graph, by="node")
    plain = nx.Graph(ends)
    triangles, theirs = timed(nx.triangles, plain)
    found = {"triads": int(counts.sum()), "census": census, "nodes": nodes, "networkx": theirs}
    totals = {"networkx": sum(triangles.values()) // 3}
    if importlib.util.find_spec("igraph"):
        import igraph

        listed, found["igraph"] = timed(igraph.Graph(n=graph.n, edges=ends).list_triangles)
        totals["igraph"] = len(listed)
    else:
        print("balance: igraph is not installed, so its listing is left out", file=sys.stderr)
    for name, total in totals.items():
        if total != counts.sum():
            raise SystemExit(f"{counts.sum()} triads counted, {total} by {name}")
    return found


def verdict(edges: int) -> dict:
    """Strong and weak balance with their witness, of a graph in two camps and after one sign has turned."""
    graph = random_graph(edges, edges // 5, 2)
    one_negative = int(np.argmax(graph.sign < 0))
    found = {}
    for kind in ("strong", "weak"):
        for balanced in (True, False):
            sign = graph.sign.copy()
            if not balanced:
                sign[one_negative] = 1  # joins the two camps
            # A fresh graph, which remembers nothing.
            fresh = bal.SignedGraph(graph.n, graph.a, graph.b, sign, graph.names)
            answer, seconds = timed(bal.balance, fresh, kind)
            if answer.balanced != balanced:
                raise SystemExit(f"{kind} balance: expected {balanced}")
            found[f"{kind}, {'camps' if balanced else 'unbalanced cycle'}"] = seconds
    return found


def main() -> None:
    what, argument = sys.argv[1:]
    small = bal.planted_camps(10, 2, 1.0)
    bal.census(small), bal.balance(small)  # loads scipy, which is not what is measured
    jobs = {"file": file, "random": lambda edges: random(int(edges)), "verdict": lambda edges: verdict(int(edges))}
    print(json.dumps(jobs[what](argument)))


if __name__ == "__main__":
    main()
