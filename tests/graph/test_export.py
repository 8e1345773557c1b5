"""Graphs written for other tools, and what those read back."""

import networkx as nx

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


def test_everything_is_in_the_file(tmp_path):
    path, graph = tmp_path / "graph.graphml", graph_of(*ROWS)
    assert export(graph, path) == len(EDGES)
    written = nx.read_graphml(path)
    assert not written.is_directed() and not written.is_multigraph()
    assert {data["text"]: data["cluster"] for _, data in written.nodes(data=True)} == CLUSTERS
    assert {int(node): text for node, text in written.nodes(data="text")} == dict(enumerate("abcdef"))
    assert edges_by_text(written) == EDGES
    for cluster, (texts, edges) in enumerate([("abc", 3), ("de", 1), ("f", 0)]):
        assert export(graph, path, cluster) == edges
        written = nx.read_graphml(path)
        assert [text for _, text in written.nodes(data="text")] == list(texts)
        assert written.number_of_edges() == edges


TEXTS = ["<b>bold</b> & \"quoted\" 'too' ]]>", "tab\tand\nline feed", "&amp; &lt; &#13; <!-- -->", "=1+1"]
TEXTS = {text: text for text in [*TEXTS, "emoji 👩‍🔬, お茶, e\u0301, \u2028, \x85, \ufeff"]}
TEXTS |= {"a\x00b\x01c\x1fd\x7f": "a\ufffdb\ufffdc\ufffdd\x7f", "no \ufffe\uffff": "no \ufffd\ufffd"}


def test_texts(tmp_path):
    path = tmp_path / "graph.graphml"
    export(graph_of(*[(given, "plain", 0) for given in TEXTS]), path)
    assert {text for _, text in nx.read_graphml(path).nodes(data="text")} == {"plain", *TEXTS.values()}


def test_errors_leave_nothing(tmp_path):
    for name, options, message in (
        ("graph.dot", {}, "graph.dot: a graph is written as GraphML; name a file that ends in .graphml"),
        ("graph", {}, "is written as GraphML"),
        ("graph.graphml", {"cluster": 3}, "cluster 3 is not one of 0 .. 2"),
        ("graph.graphml", {"cluster": -1}, "cluster -1 is not one of 0 .. 2"),
    ):
        refused(message, export, graph_of(*ROWS), tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_rows_of_several_files_keep_their_names(tmp_path):
    for name, label in (("x", 1), ("y", 0)):
        table([("a", "b", 1), ("b", "c", label)]).to_csv(tmp_path / f"{name}.tsv", sep="\t", index=False)
    graph = pg.open_pairs(tmp_path / "*.tsv", "memory").graph
    assert export(graph, tmp_path / "all.graphml") == 2
    rows = [data["rows"] for *_, data in nx.read_graphml(tmp_path / "all.graphml").edges(data=True)]
    assert rows == ["x.tsv:2 y.tsv:2", "x.tsv:3 y.tsv:3"]
