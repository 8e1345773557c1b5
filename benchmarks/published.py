"""The published procedure, written plainly with networkx: for the reader, beside ours and the floor.

Clusters, then for each pair of sentences of a cluster Dijkstra's shortest path (Chen, Ji and Evans 2020,
section 3.1), then every pair across two clusters that a negative joins; the same four files.
"""

import csv
import gzip
import itertools
import sys
from pathlib import Path

import networkx as nx


def main(source: str, folder: str) -> None:
    with gzip.open(source, "rt", encoding="utf-8", newline="") as file:
        rows = [
            (r["question1"], r["question2"], int(r["is_duplicate"])) for r in csv.DictReader(file, delimiter="\t")
        ]
    friends, labels = nx.Graph(), {}
    for first, second, label in rows:
        friends.add_nodes_from([first, second])
        if first != second:
            labels[frozenset((first, second))] = label
            if label:
                friends.add_edge(first, second)

    clusters = list(nx.connected_components(friends))
    home = {sentence: i for i, cluster in enumerate(clusters) for sentence in cluster}
    stated = dict(labels)
    for cluster in clusters:
        for first, second in itertools.combinations(cluster, 2):
            if nx.dijkstra_path(friends, first, second):
                labels.setdefault(frozenset((first, second)), 1)
    frenemies = set()
    for pair, label in stated.items():
        first, second = pair
        if label:
            continue
        if home[first] == home[second]:
            frenemies.add(pair)
            continue
        for other in itertools.product(clusters[home[first]], clusters[home[second]]):
            labels.setdefault(frozenset(other), 0)

    def write(name, lines):
        with open(Path(folder) / name, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, delimiter="\t", lineterminator="\n")
            out.writerow(["question1", "question2", "is_duplicate"])
            out.writerows(lines)

    def flipped(first, second, label):
        return 1 if frozenset((first, second)) in frenemies else label

    write("original.tsv", rows)
    write("original_flipped.tsv", ((a, b, flipped(a, b, label)) for a, b, label in rows))
    write("augmented.tsv", ((*pair, label) for pair, label in labels.items()))
    write("augmented_flipped.tsv", ((*pair, flipped(*pair, label)) for pair, label in labels.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
