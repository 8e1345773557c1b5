"""Public data sets in their official files: what the package counts, counted again by other means.

The files are read with `csv` and `str.split`, the clusters are networkx's, and the numbers of inferred labels
are arithmetic on cluster sizes. The environment variable PARAGRAPH_DATA names the folder with the files.
"""

import csv
import gzip
import os
from collections import Counter
from functools import cache
from pathlib import Path
from unicodedata import normalize

import networkx as nx
import pytest

import paragraph as pg

pytestmark = pytest.mark.filterwarnings("ignore:.*rows skipped")  # `test_rows` counts them

DATA = Path(os.environ["PARAGRAPH_DATA"]) if os.environ.get("PARAGRAPH_DATA") else None


def lines(path, encoding="utf-8"):
    """The lines of a plain or gzipped text file; only a line feed ends one."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return raw.decode(encoding).removesuffix("\n").split("\n")


def split_on_tabs(path, encoding="utf-8"):
    """A dictionary for each line below the header, of columns split on tabs and on nothing else."""
    header, *rows = (line.removesuffix("\r").split("\t") for line in lines(path, encoding))
    return [dict(zip(header, row, strict=True)) for row in rows]


def by_relatedness(score):
    return 1 if float(score) >= 4.5 else 0 if float(score) < 3.5 else None


def sick(path):
    return [
        (row["sentence_A"], row["sentence_B"], by_relatedness(row["relatedness_score"]))
        for row in split_on_tabs(path)
    ]


def jsick(path):
    """The training part as released holds no relatedness: there, entailed is 1 and contradicted is 0."""
    entailed = {"entailment": 1, "contradiction": 0, "neutral": None}
    return [
        (
            row["sentence_A_Ja"],
            row["sentence_B_Ja"],
            by_relatedness(row["relatedness_score_Ja"])
            if row["relatedness_score_Ja"]
            else entailed[row["entailment_label_Ja"]],
        )
        for row in split_on_tabs(path)
    ]


def mrpc(path):
    rows = split_on_tabs(path, "utf-8-sig")
    return [(row["#1 String"], row["#2 String"], int(row["Quality"])) for row in rows]


def paws(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["sentence1"], row["sentence2"], int(row["label"])) for row in csv.DictReader(file)]


def mqp(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [(row[1], row[2], int(row[3])) for row in csv.reader(file)]


def qqp(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [(row["question1"], row["question2"], int(row["is_duplicate"])) for row in rows]


FILES = {
    "sick/SICK_train.txt": sick,
    "sick/SICK_test_annotated.txt": sick,
    "jsick/train.tsv.gz": jsick,
    "jsick/test.tsv.gz": jsick,
    "mrpc/msr_paraphrase_train.txt": mrpc,
    "paws/paws_wiki_dev.csv": paws,
    "mqp/mqp.csv": mqp,
    "qqp/qqp_natural.tsv.gz": qqp,
}


@cache
def counted_otherwise(name):
    """The counts of a file, without the package."""
    rows = [
        (normalize("NFC", a).strip(), normalize("NFC", b).strip(), label) for a, b, label in FILES[name](DATA / name)
    ]
    labelled = [row for row in rows if row[0] and row[1] and row[2] is not None]
    votes = {}
    for a, b, label in labelled:
        votes.setdefault(frozenset((a, b)), []).append(label)
    votes = {tuple(pair): labels for pair, labels in votes.items() if len(pair) == 2}
    score = {pair: 2 * sum(labels) - len(labels) for pair, labels in votes.items()}
    stated = {pair: int(score[pair] > 0) if score[pair] else labels[-1] for pair, labels in votes.items()}

    friends = nx.Graph([pair for pair, label in stated.items() if label])
    friends.add_nodes_from(text for a, b, _ in labelled for text in (a, b))
    home, sizes = {}, []
    for group in nx.connected_components(friends):
        home.update(dict.fromkeys(group, len(sizes)))
        sizes.append(len(group))

    inside = [(a, b) for a, b in stated if home[a] == home[b]]
    between = Counter(frozenset((home[a], home[b])) for a, b in stated if home[a] != home[b])
    products = {held_apart: sizes[min(held_apart)] * sizes[max(held_apart)] for held_apart in between}
    lone = {held_apart for held_apart in between if min(sizes[c] for c in held_apart) == 1}
    follow = {held_apart: products[held_apart] - between[held_apart] for held_apart in between}
    return {
        "lines": len(rows),
        "rows": len(labelled),
        "positive rows": sum(label for *_, label in labelled),
        "self-pairs": sum(a == b for a, b, _ in labelled),
        "sentences": len(home),
        "stated": len(stated),
        "cluster sizes": sorted(sizes, reverse=True),
        "within": sum(stated[pair] == 0 for pair in inside),
        "direct": sum(len(set(labels)) == 2 for labels in votes.values()),
        "positive": sum(size * (size - 1) // 2 for size in sizes) - len(inside),
        "negative": {
            "all": sum(follow.values()),
            "clusters": sum(count for held_apart, count in follow.items() if held_apart not in lone),
        },
        "friends": friends,
        "stated positive": sum(stated.values()),
    }


@pytest.fixture(scope="module", params=FILES)
def both(request):
    """A graph, and the counts of the same file by other means."""
    if DATA is None:
        pytest.skip("PARAGRAPH_DATA is not set")
    if not (DATA / request.param).exists():
        pytest.skip(f"no {request.param} in PARAGRAPH_DATA")
    kind = request.param.split("/")[0]
    pairs = pg.read_pairs(DATA / request.param, format=kind, unlabelled="skip")
    return pg.ParaphraseGraph.from_pairs(pairs), counted_otherwise(request.param)


@pytest.mark.slow
def test_rows(both):
    graph, expected = both
    report = graph.pairs.attrs["report"]
    assert (report["rows"], report["kept"]) == (expected["lines"], expected["rows"])
    assert len(report["skipped"]) == expected["lines"] - expected["rows"]
    assert len(graph.pairs) == expected["rows"]
    assert graph.pairs["label"].sum() == expected["positive rows"]


@pytest.mark.slow
def test_sentences_and_clusters(both):
    graph, expected = both
    assert graph.n == expected["sentences"]
    assert len(graph.edge_sign) == expected["stated"]
    assert graph.cluster_sizes.tolist() == expected["cluster sizes"]


@pytest.mark.slow
@pytest.mark.parametrize("negatives", ["all", "clusters"])
def test_inferred(both, negatives):
    graph, expected = both
    closure = pg.infer(graph, negatives=negatives)
    counts = {"positive": expected["positive"], "negative": expected["negative"][negatives]}
    assert closure.counts() == counts
    by_distance = closure.by_distance()
    assert {sign: by_distance[sign].sum() for sign in counts} == counts
    frame = closure.to_frame()
    assert frame["label"].value_counts().reindex([1, 0], fill_value=0).tolist() == list(counts.values())
    ends = frame[["text_a", "text_b"]].to_numpy()
    assert len({frozenset(row) for row in ends.tolist()}) == len(frame)


def of_kind(graph, kind):
    frame = pg.conflicts(graph)
    return list(frame[frame["kind"] == kind].itertuples())


@pytest.mark.slow
def test_distances_of_positives(both):
    graph, expected = both
    reached = nx.all_pairs_shortest_path_length(expected["friends"])
    lengths = Counter(length for _, others in reached for length in others.values())  # each pair from both ends
    lengths.subtract(2 * [len(conflict.path) - 1 for conflict in of_kind(graph, "within")])
    by_distance = pg.infer(graph, distance="hops").by_distance()
    found = {row.distance + 1: 2 * row.positive for row in by_distance.itertuples() if row.positive}
    assert found == {length: count for length, count in lengths.items() if length > 1 and count}


def test_conflicts(both):
    graph, expected = both
    friends = expected["friends"]
    assert len(of_kind(graph, "direct")) == expected["direct"]
    assert len(of_kind(graph, "within")) == expected["within"]
    for conflict in of_kind(graph, "within"):
        path = [normalize("NFC", text).strip() for text in conflict.path]
        assert nx.is_path(friends, path)
        assert conflict.length == len(path) - 1 == nx.shortest_path_length(friends, path[0], path[-1])
        cluster = friends.subgraph(nx.node_connected_component(friends, path[0])).copy()
        assert conflict.disjoint_paths == nx.edge_connectivity(cluster, path[0], path[-1])


def test_four_datasets(both):
    graph, expected = both
    sizes = {name: (len(frame), int(frame["label"].sum())) for name, frame in pg.four_datasets(graph).items()}
    positive = expected["stated positive"] + expected["positive"]
    every = expected["stated"] + expected["positive"] + expected["negative"]["all"]
    assert sizes["original"] == (expected["rows"], expected["positive rows"])
    assert sizes["original_flipped"][0] == expected["rows"]
    assert sizes["augmented"] == (every, positive)
    assert sizes["augmented_flipped"] == (every, positive + expected["within"])
