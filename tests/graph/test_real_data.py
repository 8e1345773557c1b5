"""Public data sets in their official files: what the package counts, counted again by other means.

The files are read with `csv`, the clusters are networkx's, and the numbers of inferred labels are arithmetic on
cluster sizes. The environment variable PARAGRAPH_DATA names the folder with the files.
"""

import csv
import gzip
import os
from collections import Counter
from pathlib import Path
from unicodedata import normalize

import networkx as nx
import pytest

import paragraph as pg

DATA = Path(os.environ.get("PARAGRAPH_DATA", ""))
TABS = {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
FILES = [
    ("mrpc/msr_paraphrase_train.txt", TABS, ["#1 String", "#2 String", "Quality"]),
    ("paws/paws_wiki_dev.csv", {}, ["sentence1", "sentence2", "label"]),
    ("qqp/qqp_natural.tsv.gz", {"delimiter": "\t"}, ["question1", "question2", "is_duplicate"]),
]


def counted_otherwise(name, options, columns):
    """The counts of a file, without the package, and its stated positives as a graph."""
    unpack = gzip.open if name.endswith(".gz") else open
    with unpack(DATA / name, "rt", encoding="utf-8-sig", newline="") as file:
        rows = [[normalize("NFC", row[c]).strip() for c in columns] for row in csv.DictReader(file, **options)]
    votes = {}
    for a, b, label in rows:
        if a and b and a != b:
            votes.setdefault(frozenset((a, b)), []).append(int(label))
    ones = {pair: 2 * sum(labels) - len(labels) for pair, labels in votes.items()}
    stated = {tuple(pair): int(ones[pair] > 0) if ones[pair] else votes[pair][-1] for pair in votes}
    friends = nx.Graph([pair for pair, label in stated.items() if label])
    friends.add_nodes_from(text for a, b, _ in rows if a and b for text in (a, b))
    groups = list(nx.connected_components(friends))
    home = {text: number for number, group in enumerate(groups) for text in group}
    sizes = [len(group) for group in groups]
    inside = sum(home[a] == home[b] for a, b in stated)
    between = Counter(frozenset((home[a], home[b])) for a, b in stated if home[a] != home[b])
    follow = {ends: sizes[min(ends)] * sizes[max(ends)] - count for ends, count in between.items()}
    return {
        "sentences": len(home),
        "stated": len(stated),
        "cluster sizes": sorted(sizes, reverse=True),
        "within": sum(home[a] == home[b] and not label for (a, b), label in stated.items()),
        "direct": sum(len(set(labels)) == 2 for labels in votes.values()),
        "positive": sum(size * (size - 1) // 2 for size in sizes) - inside,
        "all": sum(follow.values()),
        "clusters": sum(count for ends, count in follow.items() if min(sizes[c] for c in ends) > 1),
    }, friends


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*rows skipped")
@pytest.mark.parametrize("name, options, columns", FILES)
def test_counts(name, options, columns):
    if not (DATA / name).is_file():
        pytest.skip(f"no {name} in PARAGRAPH_DATA")
    expected, friends = counted_otherwise(name, options, columns)
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(DATA / name, on_error="skip"))
    assert (graph.n, len(graph.edge_sign)) == (expected["sentences"], expected["stated"])
    assert graph.cluster_sizes.tolist() == expected["cluster sizes"]
    for rule in ("all", "clusters"):
        closure = pg.infer(graph, negatives=rule)
        counts = {"positive": expected["positive"], "negative": expected[rule]}
        assert closure.counts() == counts
        assert closure.by_distance()[list(counts)].sum().to_dict() == counts
    found = pg.conflicts(graph)
    for kind in ("within", "direct"):
        assert (found["kind"] == kind).sum() == expected[kind]
    for conflict in found[found["kind"] == "within"].itertuples():
        path = [normalize("NFC", text).strip() for text in conflict.path]
        assert nx.is_path(friends, path)
        assert conflict.length == len(path) - 1 == nx.shortest_path_length(friends, path[0], path[-1])
        cluster = friends.subgraph(nx.node_connected_component(friends, path[0])).copy()
        assert conflict.disjoint_paths == nx.edge_connectivity(cluster, path[0], path[-1])
