"""Signed networks as people have them, and what no sign can be taken from."""

import gzip

import networkx as nx
import numpy as np
import pytest

import paragraph as pg
from paragraph.balance import balance, read_signed

from ..growth import LINEAR, exponent
from ..refused import refused

TRIAD = {("A", "B", 1), ("B", "C", -1), ("A", "C", -1)}
SQUARE = "x,A,B,C\nA,0,3,-2\nB,3,,-1\nC,-2,-1,0\n"
PAJEK = '*Vertices 3\n1 "A"\n2 "B"\n3 "C"\n*Edges\n1 2 1\n2 3 -1\n1 3 -4\n'


def edges_of(signed):
    ends = zip(signed.named(signed.a), signed.named(signed.b), signed.sign.tolist(), strict=True)
    return {(*sorted((a, b)), sign) for a, b, sign in ends}


@pytest.mark.parametrize(("name", "text"), [
    ("edges.csv", "source,target,sign\nA,B,1\nB,C,-1\nA,C,-1\n"),
    ("with more.tsv", "Weight\tTarget\tYear\tSource\n+5\tB\t1\tA\n-.5\tC\t2\tB\n-1e3\tC\t3\tA\n"),
    ("signs.txt", "# who quarrels\nA B +\nB C -\n% 1914\nA C −\n"),
    ("snap.csv", "A,B,10,1289241911.7\nB,C,-10,1289241941\nC,A,-1,1289243140\nA,C,-2,1289243141\n"),
    ("semicolons.csv", 'source;target;sign\n"A";"B";+1\nB;C;-1\n\nA;C;-1\n'),
    ("alliances.csv", SQUARE), ("alliances.tsv", SQUARE.replace(",", "\t")), ("pajek.net", PAJEK),
])  # fmt: skip
def test_each_layout_is_the_same_triad(tmp_path, name, text):
    (path := tmp_path / name).write_text(text, encoding="utf-8")
    assert edges_of(read_signed(path)) == TRIAD
    (packed := tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    assert name.endswith(".net") or edges_of(read_signed(packed)) == TRIAD


def test_a_graph_of_networkx_keeps_its_nodes_and_a_lab_shows_it():
    graph = nx.Graph()
    graph.add_nodes_from(["alone", 7])
    graph.add_edge(7, (1, 2), weight=-0.5)
    graph.add_edge("x", 7, sign=1, weight=-3)  # a sign is a sign
    signed = read_signed(graph)
    assert signed.names == ["alone", 7, (1, 2), "x"] and signed.sign.tolist() == [-1, 1]
    assert read_signed(nx.DiGraph([(1, 2, {"sign": 1}), (2, 1, {"sign": 1})])).m == 1
    assert nx.utils.graphs_equal(read_signed(signed.to_networkx()).to_networkx(), signed.to_networkx())
    assert pg.TriadLab(signed).graph.number_of_edges() == 2


def test_a_threshold_parts_ratings_but_signs_stay_what_they_are(tmp_path):
    (path := tmp_path / "r.csv").write_text("source,target,weight\na,b,4\nb,c,2\nc,d,+\nd,e,-\n")
    assert read_signed(path, threshold=3).sign.tolist() == [1, -1, 1, -1]
    refused("r.csv, row 2: 4 is neither above nor below the threshold 4", read_signed, path, threshold=4)


REFUSED = [
    ("a,b,1\nb,a,-1\n", "n.csv, row 1: 'a' and 'b' are joined by both signs"),
    ("a,b,1\n\nb,b,-1\n", "n.csv, row 3: 'b' is joined to itself"),
    ("source,target,sign\na,b,1\nb,c,\n", "n.csv, row 3: '' is no sign"),
    ("source,target,sign\na,b,1\nb,c,maybe\n", "n.csv, row 3: 'maybe' is no sign"),
    ("source,target,sign\na,b,0\n", "n.csv, row 2: 0 is neither above nor below the threshold 0"),
    ("# note\na,b,1\nb,c\n", "n.csv, row 3: not 3 fields"),
    ("from,to,value\na,b,1\n", "begins with from, to, value: a signed network is"),
    ("a,b\nb,c\n", "begins with a, b: a signed network is"),
    ("1,2,1\n2,3,1\n1,4,1\n", "begins with 1, 2, 1: a signed network is"),  # or a matrix of 2 and 1
    ("x,a,b\na,1,1\nb,1,0\n", "n.csv, row 2: 'a' is joined to itself"),
    ("x,a,b\na,0,1\nb,-1,0\n", "'a' and 'b' are joined by both signs|'b' and 'a' are joined by both signs"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_has_no_sign_of_its_own_is_refused_by_row(tmp_path, text, said):
    (tmp_path / "n.csv").write_text(text)
    refused(said, read_signed, tmp_path / "n.csv")


def test_odd_rows_are_left_out_only_when_told_and_counted(tmp_path):
    (path := tmp_path / "n.csv").write_text("a,b,1\nb,a,-1\nb,c,-1\nc,c,1\nc,d,x\nd,e,1\n")
    with pytest.warns(UserWarning, match="4 of 6 rows have no sign of their own"):
        assert edges_of(read_signed(path, on_error="skip")) == {("b", "c", -1), ("d", "e", 1)}
    refused("edge|is no sign", read_signed, nx.path_graph(2))
    refused("takes a path or a networkx graph, not", read_signed, 7)


@pytest.mark.slow
def test_eighty_thousand_edges_are_read_and_judged_in_linear_time(tmp_path):
    rng = np.random.default_rng(0)
    for m in (5_000, 80_000):
        ends = np.unique(np.sort(rng.integers(0, m // 6, (m, 2)), axis=1), axis=0)
        camps = rng.integers(0, 2, m)
        rows = [f"{a},{b},{10 if camps[a] == camps[b] else -10},0" for a, b in ends.tolist() if a != b]
        (tmp_path / f"{m}.csv").write_text("\n".join(rows))
    assert exponent(lambda m: balance(read_signed(tmp_path / f"{m}.csv")), 5_000, 80_000) < LINEAR
    assert balance(read_signed(tmp_path / "80000.csv")).balanced
