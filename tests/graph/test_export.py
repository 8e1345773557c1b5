"""Graphs written for other tools, and what those read back."""

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import paragraph as pg
from paragraph.graph.export import export

from ..reference import graph_of, table
from ..refused import refused

# Rows 2 to 8: a cluster of three with a negative inside, stated twice; a cluster of two; one sentence alone.
ROWS = [("a", "b", 1), ("c", "b", 1), ("a", "c", 0), ("d", "c", 0), ("e", "d", 1), ("c", "a", 0), ("f", "a", 0)]
EDGES = {
    ("a", "b"): (1, 1, 0, [2]), ("b", "c"): (1, 1, 0, [3]), ("a", "c"): (-1, 0, 2, [4, 7]),
    ("c", "d"): (-1, 0, 1, [5]), ("d", "e"): (1, 1, 0, [6]), ("a", "f"): (-1, 0, 1, [8]),
}  # fmt: skip
CLUSTERS = {"a": 0, "b": 0, "c": 0, "d": 1, "e": 1, "f": 2}


def edges_by_text(written):
    """The edges that networkx read, by the texts of their ends, `rows` as numbers again."""
    text = dict(written.nodes(data="text"))
    found = {}
    for a, b, data in written.edges(data=True):
        rows = [int(row) for row in data["rows"].split()]
        found[tuple(sorted((text[a], text[b])))] = (data["sign"], data["n_positive"], data["n_negative"], rows)
    return found


def read_tables(path):
    """The two tables of a Parquet export as the graph that networkx would have read."""
    nodes, edges = (pd.read_parquet(path / f"{name}.parquet") for name in ("nodes", "edges"))
    assert list(nodes) == ["node", "text", "cluster"]
    assert list(edges) == ["a", "b", "sign", "n_positive", "n_negative", "rows"]
    written = nx.Graph()
    written.add_nodes_from((node, {"text": text, "cluster": c}) for node, text, c in nodes.itertuples(index=False))
    for row in edges.assign(rows=[" ".join(map(str, rows)) for rows in edges["rows"]]).to_dict("records"):
        assert written.has_node(row["a"]) and written.has_node(row["b"])
        written.add_edge(row.pop("a"), row.pop("b"), **row)
    return written


FORMATS = {"graphml": nx.read_graphml, "gexf": nx.read_gexf, "parquet": read_tables}


@pytest.mark.parametrize("format", FORMATS)
def test_everything_is_in_the_file(tmp_path, format):
    path, graph = tmp_path / f"graph.{format}", graph_of(*ROWS)
    assert export(graph, path) == len(EDGES)
    written = FORMATS[format](path)
    assert not written.is_directed() and not written.is_multigraph()
    assert {data["text"]: data["cluster"] for _, data in written.nodes(data=True)} == CLUSTERS
    assert {int(node): text for node, text in written.nodes(data="text")} == dict(enumerate("abcdef"))
    assert edges_by_text(written) == EDGES
    for cluster, (texts, edges) in enumerate([("abc", 3), ("de", 1), ("f", 0)]):
        assert export(graph, path, cluster) == edges
        written = FORMATS[format](path)
        assert [text for _, text in written.nodes(data="text")] == list(texts)
        assert written.number_of_edges() == edges


TEXTS = ["<b>bold</b> & \"quoted\" 'too' ]]>", "tab\tand\nline feed", "&amp; &lt; &#13; <!-- -->", "=1+1"]
TEXTS = {text: text for text in [*TEXTS, "emoji 👩‍🔬, お茶, e\u0301, \u2028, \x85, \ufeff"]}
TEXTS |= {"a\x00b\x01c\x1fd\x7f": "a\ufffdb\ufffdc\ufffdd\x7f", "no \ufffe\uffff": "no \ufffd\ufffd"}


@pytest.mark.parametrize("format", FORMATS)
def test_texts(tmp_path, format):
    path = tmp_path / f"graph.{format}"
    export(graph_of(*[(given, "plain", 0) for given in TEXTS]), path)
    texts = {text for _, text in FORMATS[format](path).nodes(data="text")}
    assert texts == {"plain", *(TEXTS if format == "parquet" else TEXTS.values())}


@pytest.mark.parametrize("rows", [[], [("a", "a", 1)], [("a", "b", None)]])
def test_no_edges(tmp_path, rows):
    graph = graph_of(*rows)
    for format, read in FORMATS.items():
        assert export(graph, tmp_path / f"graph.{format}") == 0
        assert read(tmp_path / f"graph.{format}").number_of_nodes() == graph.n
    # tables of no edges can be put beside tables of some
    some = graph_of(*ROWS)
    export(some, tmp_path / "some.parquet")
    for name in ("nodes", "edges"):
        none, other = (pq.read_schema(tmp_path / f / f"{name}.parquet") for f in ("graph.parquet", "some.parquet"))
        assert none.equals(other)
    # the rows of a graph made from codes are those of its arrays
    codes = pg.ParaphraseGraph(np.array([0, 1]), np.array([1, 2]), np.array([1, -1], np.int8), 3)
    assert export(codes, tmp_path / "codes.graphml") == export(codes, tmp_path / "codes.parquet") == 2
    edges = pd.read_parquet(tmp_path / "codes.parquet" / "edges.parquet")
    assert [list(rows) for rows in edges["rows"]] == [[0], [1]]


def test_errors_leave_nothing(tmp_path):
    for name, options, message in (
        ("graph.dot", {}, "format 'dot' is not one of graphml, gexf, parquet"),
        ("graph", {}, "is not one of graphml, gexf, parquet"),
        ("graph.gexf", {"format": "GEXF"}, "format 'GEXF' is not one of"),
        ("graph.gexf", {"cluster": 3}, "cluster 3 is not one of 0 .. 2"),
        ("graph.parquet", {"cluster": -1}, "cluster -1 is not one of 0 .. 2"),
    ):
        refused(message, export, graph_of(*ROWS), tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_rows_of_several_files_keep_their_names(tmp_path):
    for name, label in (("x", 1), ("y", 0)):
        table([("a", "b", 1), ("b", "c", label)]).to_csv(tmp_path / f"{name}.tsv", sep="\t", index=False)
    graph = pg.open_pairs(tmp_path / "*.tsv", "memory").graph
    for format, read in FORMATS.items():
        assert export(graph, tmp_path / f"all.{format}") == 2
        written = read(tmp_path / f"all.{format}")
        assert [data["rows"] for *_, data in written.edges(data=True)] == ["x.tsv:2 y.tsv:2", "x.tsv:3 y.tsv:3"]
