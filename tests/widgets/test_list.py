"""The list of clusters: what the page sorts, filters and counts, against pandas; queries that cannot be meant."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import paragraph as pg
from paragraph.draw.shared import PAGE
from paragraph.widgets.explorer.query import COLUMNS, EVERYTHING, ClusterList

from .. import reference
from ..refused import refused
from .graphs import ROWS, demo, frame, graph_of, numbered, sentence
from .page import Shown


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


def passing(table, query):
    """The clusters of such a table that pass a query, in its order."""
    keep = np.ones(len(table), dtype=bool)
    for name, (least, most) in query["bounds"].items():
        keep &= table[name].between(-np.inf if least is None else least, np.inf if most is None else most)
    if query["kind"] != "any":
        count = table["within"] + table["direct"] if query["kind"] == "none" else table[query["kind"]]
        keep &= (count > 0) != (query["kind"] == "none")
    if query["only"] is not None:
        keep &= table["cluster"].isin(query["only"])
    for word in query["words"].casefold().split():
        keep &= table["texts"].map(lambda texts, word=word: any(word in text.casefold() for text in texts))
    table = table[keep]
    return table.sort_values(query["sort"], ascending=not query["descending"], kind="stable")["cluster"].tolist()


@pytest.mark.slow
@settings(max_examples=40)
@given(ROWS)
def test_the_list_is_what_pandas_counts(rows):
    graph = numbered(rows, sentence)
    page, table = Shown(pg.Explorer(graph)), by_hand(graph)
    listing = page.told("query", bounds={})["listing"]
    assert [row["cluster"] for row in listing["rows"]] == table["cluster"].tolist()
    for name in COLUMNS:
        assert np.allclose([row[name] for row in listing["rows"]], table[name].astype(float)), name
    for kind in ("within", "direct", "none"):
        found = [row["cluster"] for row in page.told("query", kind=kind)["listing"]["rows"]]
        assert found == passing(table, EVERYTHING | {"kind": kind})
    hits = [[text for text in texts if "open" in text.casefold()] for texts in table["texts"]]
    found = page.told("query", kind="any", words="open")["listing"]["rows"]
    assert sorted(row["cluster"] for row in found) == [cluster for cluster, some in enumerate(hits) if some]
    for row in found:
        assert (row["text"], row["hits"]) == (hits[row["cluster"]][0], len(hits[row["cluster"]]))


@pytest.fixture(scope="module")
def table():
    return by_hand(demo())


def test_search_filter_and_sort(page, table):
    explorer = page.explorer
    for asked in (
        {"bound": {"name": "size", "side": "most", "value": 4}},
        {"bound": {"name": "density", "side": "least", "value": 0.5}}, {"kind": "within"}, {"kind": "direct"},
        {"kind": "none"}, {"sort": "negatives"}, {"sort": "negatives"}, {"sort": "density"}, {"words": "exam"},
    ):  # fmt: skip
        listing = page.told("query", **asked)["listing"]
        found = passing(table, explorer.query)
        assert listing["total"] == len(found) and [row["cluster"] for row in listing["rows"]] == found[:PAGE], asked
    assert explorer.query == EVERYTHING | {
        "words": "exam",
        "bounds": {"size": [2, 4], "density": [0.5, None]},
        "kind": "none",
        "sort": "density",
    }
    explorer.query = {"only": [5, 3, 7]}
    assert [row["cluster"] for row in page.follow()["listing"]["rows"]] == [3, 5, 7]
    page.told("query", reset=True)
    assert explorer.query == explorer._list.start


def test_pages_of_the_list(page, table):
    explorer = page.explorer
    found = passing(table, explorer.query)
    shown = page.told("page", page=1)["listing"]["rows"]
    assert [row["cluster"] for row in shown] == found[PAGE : 2 * PAGE] and explorer.cluster == 0
    for asked, open, opened in ((2, "first", found[2 * PAGE]), (1, "last", found[2 * PAGE - 1])):
        page.told("page", page=asked, open=open)
        assert explorer.cluster == opened
    for asked, at in ((999, -(-len(found) // PAGE) - 1), (-1, 0)):
        assert page.told("page", page=asked)["listing"]["page"] == at
    page.told("query", words="no sentence holds this")
    page.told("page", page=1, open="first")
    assert page.held()["listing"]["rows"] == [] and explorer.cluster == found[2 * PAGE - 1]


def test_a_page_that_is_opened_again_has_the_list_it_showed_last(explorer):
    page = Shown(explorer)
    seen = page.told("query", sort="negatives")["listing"]
    explorer.cluster = explorer.cluster  # as a notebook is kept
    again = Shown(explorer)
    assert again.held()["listing"]["rows"] == seen["rows"] and again.asked == []


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


def test_hits_rank_by_match_then_by_size():
    pairs = [
        ("the catalogue of cats", "a list of cats", 1), ("a list of cats", "all cats listed", 1),  # in a word
        ("cat food", "food for a cat", 1), ("food for a cat", "what cats eat", 1),  # together
        ("food: cat?", "x", 1), ("Cat food!", "y", 1), ("catfood is good", "z", 1),  # both words; no others; a part
    ]  # fmt: skip
    graph = graph_of(*pairs)
    explorer = pg.Explorer(graph)
    first, *others = (int(graph.cluster_of[graph.node(text)]) for text in ("cat food", "y", "x", "z"))
    page = Shown(explorer)
    rows = page.told("query", words="cat food")["listing"]["rows"]
    assert [row["cluster"] for row in rows] == [first, *others]
    assert [row["text"] for row in rows][:2] == ["cat food", "Cat food!"]
    explorer.cluster = first
    hits = page.follow()["listing"]["hits"]
    assert set(hits) == {f"n{graph.node(text)}" for text in ("cat food", "food for a cat")}
    assert page.told("query", words="")["listing"]["hits"] == []
