"""The list of clusters, against pandas on the rows; queries that cannot be meant."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from paragraph.widgets.explorer.query import COLUMNS, EVERYTHING, ClusterList

from .. import reference
from ..refused import refused
from .graphs import ROWS, demo, frame, numbered, sentence


def by_hand(graph):
    """The table of clusters from the rows: the columns of the list, `within`, `direct` and the members."""
    rows, stated, home = frame(graph)
    votes, torn, table = reference.votes(rows), reference.within(graph.n, stated), []
    begins = {}  # the first sentence of each pair as it was first stated
    for i, j, label in rows:
        if label is not None:
            begins.setdefault(reference.pair(i, j), i)
    for cluster, members in enumerate(reference.clusters(graph.n, stated)):
        size = len(members)
        inside = {p: label for p, label in stated.items() if home[p[0]][0] == home[p[1]][0] == cluster}
        positive = sum(inside.values())
        within = len(inside) - positive
        direct = sum(len(set(votes[p])) == 2 and p not in torn for p in stated if home[begins[p]][0] == cluster)
        negatives = sum((home[a][0] == cluster) != (home[b][0] == cluster) for a, b in stated)
        density = positive / math.comb(size, 2) if size > 1 else 1.0
        table.append((cluster, size, within + direct, negatives, density, 0, within, direct, graph.texts(members)))
    return pd.DataFrame(table, columns=[*COLUMNS, "within", "direct", "texts"])


@pytest.mark.slow
@settings(max_examples=40)
@given(ROWS)
def test_the_columns_are_what_pandas_counts(rows):
    graph = numbered(rows, sentence)
    listed, table = ClusterList(graph), by_hand(graph)
    for name in COLUMNS:
        assert np.allclose(listed.columns[name], table[name].astype(float)), name
    for kind in ("within", "direct"):
        assert listed.find(EVERYTHING | {"kind": kind}).tolist() == np.flatnonzero(table[kind] > 0).tolist()
    found, words = listed.find(EVERYTHING | {"words": "open"}), table["texts"]
    hits = [[text for text in texts if "open" in text.casefold()] for texts in words]
    assert sorted(found) == [cluster for cluster, some in enumerate(hits) if some]
    for cluster, (text, count) in zip(found.tolist(), listed.names(found.tolist(), "open"), strict=True):
        assert (text, count) == (hits[cluster][0], len(hits[cluster]))
    names = [graph.text(graph.central_sentences[cluster]) for cluster in table["cluster"]]
    assert listed.names(table["cluster"].tolist(), "") == [[name, 0] for name in names]


def test_queries_that_cannot_be_meant():
    for options, message in (
        ({"sort": "name"}, "sort 'name' is not one of cluster, size, conflicts, negatives, "),
        ({"kind": "across"}, "kind 'across' is not one of any, within, direct, none"),
        ({"bounds": {"color": (1, 2)}}, "clusters have no column 'color', but cluster, size"),
        ({"bounds": {"size": 3}}, "the bounds 3 of size are not (least, most)"),
        ({"bounds": {"size": (1, "many")}}, "the bounds (1, 'many') of size"),
        ({"bounds": {"size": (math.nan, None)}}, "the bounds (nan, None) of size"),
        ({"words": None}, "words to find are a string, not None"),
        ({"color": 1}, "a query has words, bounds, kind, sort, descending, only; not color"),
    ):
        refused(re.escape(message), ClusterList(demo()).checked, options)


def test_a_row_is_found_by_its_number():
    graph = demo()
    listed, (row, *_) = ClusterList(graph), graph.source_rows(7)
    ends = sorted({int(graph.edge_a[7]), int(graph.edge_b[7])})
    for words in (f"row {row}", f" ROW  {row}", f"#{row}"):
        assert listed.hits(words).tolist() == ends
    assert not len(listed.hits("#0x7")) and not len(listed.hits("row 999999"))
