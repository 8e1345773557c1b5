"""When two spellings are one sentence, what that does to the graph, and errors that name the row."""

import random

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.graph.identity import identify
from paragraph.graph.search import nodes_of

from ..reference import first_spellings, identity, number, table
from ..refused import refused

SPELLINGS = ["Tea?", "tea?", " Tea?", "tea", "Te\u0301a", "T\u00e9a", "te\u0301a!", "TEA  time", "tea time", "???"]


def plain(text):
    """The normal form, for the spellings above: case, runs of white space, outer ASCII punctuation."""
    words = " ".join(identity(text).casefold().split())
    return words.strip("?!. ") or words


def random_rows(seed, n=40):
    choice = random.Random(seed).choice
    return [(choice(SPELLINGS), choice(SPELLINGS), choice([0, 1, None])) for _ in range(n)]


@pytest.mark.parametrize("policy, key", [("text", identity), ("normal", plain)])
@pytest.mark.parametrize("seed", range(3))
def test_sentences_are_numbered_in_order_of_appearance(policy, key, seed):
    rows = random_rows(seed)
    found = identify(table(rows), policy)
    expected = number(rows, key)
    assert found.a.tolist() == [i for i, _, _ in expected]
    assert found.b.tolist() == [j for _, j, _ in expected]
    assert found.texts.to_pylist() == list(first_spellings(rows, key).values())
    spellings = {text for a, b, _ in rows for text in (a, b)}
    assert found.merged == len(spellings) - len(found.texts)


@pytest.mark.parametrize("seed", range(3))
def test_ids_are_numbered_in_order_of_appearance(seed):
    rows, pick = random_rows(seed), random.Random(seed + 100).randrange
    ids = [(str(pick(12)), str(pick(12))) for _ in rows]
    id_a, id_b = zip(*ids, strict=True)
    found, first = identify(table(rows, id_a=id_a, id_b=id_b), "id"), {}
    for (a, b, _), ends in zip(rows, ids, strict=True):
        first.setdefault(ends[0], a)
        first.setdefault(ends[1], b)
    assert (found.a.tolist(), found.b.tolist()) == tuple([[*first].index(i) for i in end] for end in (id_a, id_b))
    assert found.texts.to_pylist() == list(first.values())


def test_what_is_missing_is_named():
    rows = [("a", "b", 1), ("c", "d", 0), ("e", "f", 1)]
    for ids, message in (
        ({"id_a": ["1", "", "3"], "id_b": ["4", "5", "6"]}, r"mine\.tsv, row 3: id_a is empty \(1 such rows\)"),
        ({"id_a": ["1", "2", "3"], "id_b": ["4", "5", ""]}, r"row 4: id_b is empty \(1 such rows\)"),
        ({"id_a": ["1", None, None], "id_b": ["4", "5", "6"]}, r"row 3: id_a is empty \(2 such rows\)"),
        ({"id_a": ["1", "2", "3"]}, "needs a column 'id_b'"),
    ):
        pairs = table(rows, **ids)
        pairs.attrs["report"] = {"source": "mine.tsv"}
        refused(message, pg.ParaphraseGraph.from_pairs, pairs, "id")
    refused("a pair table needs the columns text_a, text_b", pg.ParaphraseGraph.from_pairs, table(rows)[["text_a"]])
    for policy in ("TEXT", None):
        refused("is not one of 'text', 'normal', 'id'", identify, table(rows), policy)


def test_nodes_and_edges_by_number():
    n = 100_000
    a, b = np.arange(n - 1, dtype=np.int32), np.arange(1, n, dtype=np.int32)
    graph = pg.ParaphraseGraph(a, b, np.ones(n - 1, dtype=np.int8), n)
    assert graph.edge_between(graph.edge_a[60_000], graph.edge_b[60_000]) == 60_000
    graph = pg.ParaphraseGraph.from_pairs(table([("how", "why?", 1)]))
    for ends in ((-1, 1), (99, 0), (0, 2), (1.5, 0), (0, None)):
        refused(r"is not a node: nodes are the whole numbers 0 \.\. 1", pg.explain, graph, *ends)
    assert pg.explain(graph, 0, np.int64(1)).verdict == "stated"


def pairs_of(labels, text_a=None, **columns):
    text_a = pd.Series(text_a or ["x"] * len(labels), dtype=object)
    return pd.DataFrame({"text_a": text_a, "text_b": "y", "label": pd.Series(labels, dtype=object)} | columns)


def test_what_cannot_be_used_is_named_with_its_row():
    for pairs, policy, message in (
        (pairs_of([[1]]), "text", r"row 1: label '\[1\]' is not one of 0, 1"),
        (pairs_of([0, 2.5], row=[7, 9]), "text", "row 9: label '2.5' is not one of 0, 1"),
        (pairs_of([1, 0], ["x", "a\ud800"]), "text", r"row 2: text_a 'a\\ud800' .* half a surrogate pair"),
        (pairs_of([1, 0], ["x", None]), "text", "row 2: text_a None .* is not text"),
        (pairs_of([1, 0], [5, "x"]), "text", "row 1: text_a 5 .* is not text"),
        (pairs_of([1], id_a=pd.Series(["\ud8ff"], dtype=object), id_b="2"), "id", "row 1: id_a .* half a surrogate"),
    ):
        refused(message, pg.ParaphraseGraph.from_pairs, pairs, policy)


def test_a_label_may_be_written_in_several_ways():
    for label in (True, "1", 1.0):
        graph = pg.ParaphraseGraph.from_pairs(pairs_of([label, None, 0], ["a", "b", "c"]))
        assert graph.edge_sign.tolist() == [1, -1] and graph.summary()["rows without a label"] == 1


@pytest.mark.parametrize("identity, others", [("normal", ["WHY", " why!  ", "why?"]), ("text", [" why?\n"])])
def test_a_sentence_is_found_in_every_spelling_that_is_the_same(identity, others):
    graph = pg.ParaphraseGraph.from_pairs(table([("how", "why?", 1)]), identity)
    for other in others:
        assert other in graph and graph.node(other) == 1 and nodes_of(graph, [other]).tolist() == [1]
    assert "Whyever" not in graph and ("WHY" in graph) == (identity == "normal")
    refused("half a surrogate pair", nodes_of, graph, ["how", "\ud800"])


def test_pairs_of_a_table_are_found_and_a_row_that_is_no_text_is_named():
    graph = pg.ParaphraseGraph.from_pairs(table([("how", "why?", 1), ("who", "how", 0)]))
    asked = pd.DataFrame({"text_a": ["why?", " who", "where"], "text_b": ["how", "who", "how"]})
    assert graph.pair_nodes(asked).tolist() == [[1, 2, -1], [0, 2, 0]]
    assert graph.pair_nodes(asked[:0]).shape == (2, 0)
    back = graph.pair_nodes(graph.pair_texts(graph.edge_a, graph.edge_b))
    assert back.tolist() == [graph.edge_a.tolist(), graph.edge_b.tolist()]
    for odd, why in ((7, "it is not text"), ("\ud800", "half a surrogate pair")):
        other = pd.Series(["how", odd, "how"], dtype=object)
        refused(f"row 2: text_b .* cannot be used: {why}", graph.pair_nodes, asked.assign(text_b=other))
