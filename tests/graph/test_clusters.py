"""The table of clusters against networkx and plain counting."""

import random

import networkx as nx
import pandas as pd
import pytest

import paragraph as pg

from .. import reference
from ..reference import table

COLUMNS = [
    "cluster", "size", "stated_positive", "stated_negative", "inferred_positive", "inferred_negative",
    "conflicts", "density", "neighbours", "example",
]  # fmt: skip


def graph_of(rows):
    return pg.ParaphraseGraph.from_pairs(table(rows))


def random_rows(seed, n=22, m=40, positive=0.6):
    """Rows between numbered sentences, most of them positive; some unlabelled, repeated or contradictory."""
    pick = random.Random(seed)
    rows = []
    for _ in range(m):
        i = pick.randrange(n)
        j = min(n - 1, max(0, i + pick.randint(-3, 3)))
        label = None if pick.random() < 0.05 else int(pick.random() < positive)
        rows.append((f"sentence {i}", f"sentence {j}", label))
    return rows


def positive_graph(rows):
    """The sentences of the rows, joined where their stated label is positive, by networkx."""
    numbered = reference.number(rows)
    graph = nx.Graph()
    graph.add_nodes_from(sorted({i for row in numbered for i in row[:2]}))
    graph.add_edges_from(p for p, label in reference.stated(numbered).items() if label == 1)
    return graph


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("rule", ["all", "clusters"])
def test_every_column(seed, rule):
    rows = random_rows(seed)
    numbered = reference.number(rows)
    labels = reference.stated(numbered)
    positive = positive_graph(rows)
    names = list(reference.first_spellings(rows))
    follows = reference.inferred(len(names), labels, rule)
    frame = graph_of(rows).clusters(min_size=1, negatives=rule, diameter=True, bridges=True)
    components = sorted(nx.connected_components(positive), key=lambda c: (-len(c), min(c)))
    assert len(frame) == len(components)
    assert len(components[0]) > 3  # something to look at
    for row, members in zip(frame.itertuples(index=False), components, strict=True):
        inner = positive.subgraph(members)
        assert (row.size, row.example) == (len(members), names[min(members)])
        assert row.stated_positive == inner.number_of_edges()
        assert row.density == pytest.approx(nx.density(inner))
        assert row.diameter == nx.diameter(inner)
        assert row.bridges == len(list(nx.bridges(inner)))
        inside = [p for p in labels if set(p) <= members]
        leaving = [p for p in labels if len(set(p) & members) == 1]
        assert row.conflicts == len(inside) - row.stated_positive
        assert row.stated_negative == len(leaving)
        others = {i for p in leaving for i in set(p) - members}
        assert row.neighbours == sum(1 for c in components if c & others)
        touching = [label for p, (label, _) in follows.items() if members & set(p)]
        assert (row.inferred_positive, row.inferred_negative) == (touching.count(1), touching.count(0))


@pytest.mark.parametrize("rule", ["all", "clusters"])
def test_the_table_adds_up(rule):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    frame, counts = graph.clusters(min_size=1, negatives=rule), pg.infer(graph, negatives=rule).counts()
    assert frame["size"].sum() == graph.n
    assert frame["inferred_positive"].sum() == counts["positive"]
    assert frame["inferred_negative"].sum() == 2 * counts["negative"]  # each between two clusters
    assert frame["conflicts"].sum() == graph.summary()["negatives inside a cluster (within-conflicts)"]
    assert frame["stated_positive"].sum() == graph.summary()["positive"]
    assert frame["stated_negative"].sum() == 2 * graph.summary()["negatives between clusters"]


SHAPES = [
    # name, positive edges, a negative inside (no shortcut, and no way round), diameter, bridges
    ("chain", "ab bc cd de", "ae", 4, 4),
    ("ring", "ab bc cd da", "ac", 2, 0),
    ("star", "xa xb xc xd", "ab", 2, 4),
    ("clique", "ab ac ad bc bd cd", "", 1, 0),
    ("two rings and a bridge", "ab bc ca cd de ef fd", "af", 3, 1),
    ("pair", "ab", "", 1, 1),
]


@pytest.mark.parametrize("edges, negative, diameter, bridges", [s[1:] for s in SHAPES], ids=[s[0] for s in SHAPES])
def test_shapes(edges, negative, diameter, bridges):
    rows = [(a, b, 1) for a, b in edges.split()] + [(a, b, 0) for a, b in negative.split()]
    (row,) = graph_of(rows).clusters(diameter=True, bridges=True).itertuples()
    assert (row.diameter, row.bridges) == (diameter, bridges)


@pytest.mark.parametrize("bound", [2, 3, 4, 5, 6, 99])
def test_clusters_above_the_bound_are_not_measured(bound):
    sizes = [6, 4, 4, 3, 2]
    rows = [(f"{c}.{i}", f"{c}.{i + 1}", 1) for c, size in enumerate(sizes) for i in range(size - 1)]
    frame = graph_of(rows).clusters(diameter=True, bridges=True, max_size=bound)
    assert frame["size"].tolist() == sizes
    for column in ("diameter", "bridges"):  # all are chains
        assert frame[column].tolist() == [pd.NA if size > bound else size - 1 for size in sizes]


@pytest.mark.parametrize("smallest, sizes", [(1, [4, 2, 1, 1]), (2, [4, 2]), (3, [4]), (5, [])])
def test_smallest_cluster(smallest, sizes):
    rows = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("x", "y", 1), ("p", "q", 0)]
    frame = graph_of(rows).clusters(min_size=smallest, diameter=True, bridges=True)
    assert frame["size"].tolist() == sizes
    assert frame["cluster"].tolist() == list(range(len(sizes)))
    assert frame["diameter"].tolist() == [3, 1, 0, 0][: len(sizes)]
    assert frame["bridges"].tolist() == [3, 1, 0, 0][: len(sizes)]


def test_an_unknown_rule():
    with pytest.raises(pg.PairsError, match="negatives 'some' is not one of 'all', 'clusters'"):
        graph_of([("a", "b", 1)]).clusters(negatives="some")


@pytest.mark.parametrize("cluster", [-1, 2, 7])
def test_members_of_no_cluster(cluster):
    with pytest.raises(pg.PairsError, match=rf"cluster {cluster} is not one of 0 \.\. 1"):
        graph_of([("a", "b", 1), ("a", "c", 0)]).members(cluster)
