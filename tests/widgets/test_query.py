"""The list of clusters, against pandas on the rows; queries that cannot be meant."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph.graph.clusters import central_sentences
from paragraph.widgets.explorer.query import COLUMNS, EVERYTHING, KINDS, ClusterList

from .. import reference
from ..refused import refused
from .graphs import ROWS, WORDS, demo, frame, numbered, sentence


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


BOUND = st.one_of(st.none(), st.integers(0, 5), st.sampled_from([0.25, 0.5, 1.0]))
QUERIES = st.fixed_dictionaries({
    "words": st.lists(st.sampled_from([*WORDS, "OPEN", "1", "idg"]), max_size=2).map(" ".join),
    "bounds": st.dictionaries(st.sampled_from(list(COLUMNS)), st.tuples(BOUND, BOUND), max_size=3),
    "kind": st.sampled_from(KINDS), "sort": st.sampled_from(list(COLUMNS)), "descending": st.booleans(),
})  # fmt: skip


@pytest.mark.slow
@settings(max_examples=60)
@given(ROWS, QUERIES)
def test_find_is_what_pandas_finds(rows, query):
    graph = numbered(rows, sentence)
    listed = ClusterList(graph)
    table = by_hand(graph)
    for name in COLUMNS:
        assert np.allclose(listed.columns[name], table[name].astype(float)), name

    keep = pd.Series(True, index=table.index)
    for name, (least, most) in query["bounds"].items():
        low, high = -math.inf if least is None else least, math.inf if most is None else most
        keep &= table[name].between(low, high)
    if query["kind"] != "any":
        keep &= table["conflicts"].eq(0) if query["kind"] == "none" else table[query["kind"]].gt(0)
    words = query["words"].casefold().split()
    hits = [[text for text in texts if all(w in text.casefold() for w in words)] for texts in table["texts"]]
    keep &= pd.Series([bool(found) for found in hits], index=table.index)
    expected = table[keep].sort_values(query["sort"], ascending=not query["descending"], kind="stable")
    found = listed.find(EVERYTHING | query)
    assert found.tolist() == expected["cluster"].tolist()
    for cluster, (text, count) in zip(found.tolist(), listed.names(found.tolist(), query["words"]), strict=True):
        of_it = hits[cluster]
        own = of_it[0] if words else graph.text(central_sentences(graph, 1, cluster)[0])  # of a cluster: one name
        assert (text, count) == (own, len(of_it) if words else 0)


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
