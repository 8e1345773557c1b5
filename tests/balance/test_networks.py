"""Signed networks as people have them, and what no sign can be taken from."""

import csv
import gzip
import io
import re
import warnings

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import paragraph as pg
from paragraph.balance import balance, read_signed
from paragraph.files import PairsError

from ..growth import LINEAR, exponent
from ..refused import refused

TRIAD = {("A", "B", 1), ("B", "C", -1), ("A", "C", -1)}
SQUARE = "x,A,B,C\nA,0,3,-2\nB,3,,-1\nC,-2,-1,0\n"
PAJEK = (
    '*Network who\n*Vertices 3\n1 "A" 0.1 0.2 ellipse\n2 "B"\n3 C\n*Edges\n1 2 1 l "ally"\n*Arcs\n2 3 -1\n1 3 -4\n'
)
GML = 'graph [ node [ id 7 label "A" ] node [ id 8 label "B" ] node [ id 9 label "C" ]\n'
GML += 'edge [ source 7 target 8 sign 1 ] edge [ source 8 target 9 sign -1 ] edge [ source 7 target 9 sign "−" ] ]'
GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d" for="edge" attr.name="weight" '
GRAPHML += (
    'attr.type="double"><default>-1</default></key><graph edgedefault="undirected"><node id="A"/><node id="B"/>'
)
GRAPHML += '<node id="C"/><edge source="A" target="B"><data key="d">.5</data></edge><edge source="B" target="C"/>'
GRAPHML += '<edge source="A" target="C"/></graph></graphml>'
RATED = {"columns": {"source": "who", "target": "whom", "sign": "rating"}, "signs": {5: 1, 1: -1, 2: -1}}
PLACED = {"columns": {"source": 0, "target": 1, "sign": 3}, "signs": {"ally": 1, "enemy": -1, "?": None}}
TOLD = {"signs": {1: 1, "2.0": -1}}


def edges_of(signed):
    ends = zip(signed.named(signed.a), signed.named(signed.b), signed.sign.tolist(), strict=True)
    return {(*sorted((a, b)), sign) for a, b, sign in ends}


@pytest.mark.parametrize(("name", "text", "options"), [
    ("edges.csv", "source,target,sign\nA,B,1\nB,C,-1\nA,C,-1\n", {}),
    ("more.tsv", "Weight\tTarget\tYear\tSource\n+5\tB\t1\tA\n-.5\tC\t2\tB\n-1e3\tC\t3\tA\n", {}),
    ("signs.txt", '# who quarrels\n"A"  B +\nB C -\n% 1914\n  A C −\n', {}),
    ("three.csv", "A,B,10\nB,C,-10\nC,A,-1\nA,C,-2\n", {}),
    ("semicolons.csv", 'source;target;sign\n"A";"B";+1\nB;C;-1\n\nA;C;-1\n', {}),
    ("alliances.CSV", SQUARE, {}), ("alliances.tsv", SQUARE.replace(",", "\t"), {}),
    ("ones.csv", "x,A,B,C\nA,1,1,2\nB,1,1,2\nC,2,2,1\n".replace("A,1", "A,0").replace("1,2\nC", "0,2\nC")
     .replace("2,1\n", "2,0\n"), TOLD),
    ("pajek.NET", PAJEK, {}), ("net.Gml", GML, {}), ("net.GraphML", GRAPHML, {}),
    ("rated.csv", "who,rating,whom\nA,5,B\nB,1,C\nA,2,C\n", RATED),
    ("words.csv", "A,B,1914,ally\nB,C,1915,enemy\nA,C,1915,enemy\nA,D,1916,?\n", PLACED),
])  # fmt: skip
def test_each_layout_is_the_same_triad(tmp_path, name, text, options):
    (path := tmp_path / name).write_text(text, encoding="utf-8")
    assert edges_of(read_signed(path, **options)) == TRIAD
    (packed := tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    assert edges_of(read_signed(packed, **options)) == TRIAD


def test_a_graph_of_networkx_keeps_its_nodes_and_a_lab_shows_it():
    graph = nx.Graph()
    graph.add_nodes_from(["alone", 7])
    graph.add_edge(7, (1, 2), sign=-0.5)
    graph.add_edge("x", 7, sign=1, weight=-3)  # a sign is a sign
    signed = read_signed(graph)
    assert signed.names == ["alone", 7, (1, 2), "x"] and signed.sign.tolist() == [-1, 1]
    assert read_signed(nx.DiGraph([(1, 2, {"sign": 1}), (2, 1, {"sign": 1})])).m == 1
    liked = nx.Graph([(1, 2, {"likes": True}), (2, 3, {"likes": False})])
    assert read_signed(liked, {"sign": "likes"}, {True: 1, "false": -1}).sign.tolist() == [1, -1]
    assert nx.utils.graphs_equal(read_signed(signed.to_networkx()).to_networkx(), signed.to_networkx())
    assert pg.TriadLab(signed).graph.number_of_edges() == 2


ONE_RELATION = "may be no sign, as no number is below 0; signs={"
REFUSED = [
    ("n.csv", "a,b,1\nb,a,-1\n", "n.csv, row 1: 'a' and 'b' are joined by both signs; on_error"),
    ("n.csv", "a,b,1\n\nb,b,-1\n", "n.csv, row 3: 'b' is joined to itself; on_error"),
    ("n.csv", "source,target,sign\na,b,1\nb,c,\nb,d,-1", "n.csv, row 3: '' is no sign"),
    ("n.csv", "source,target,sign\na,b,-1\nb,c,maybe\n", 'row 3: .maybe. is no sign; signs={"-1": "…", "m'),
    ("n.csv", "source,target,sign\na,b,0\nb,c,-1", "n.csv, row 2: 0 is neither above nor below 0"),
    ("n.csv", "# note\na,b,1\nb,c\n", "n.csv, row 3: 2 fields, not 3"),
    ("n.csv", "source,target,sign\n", "n.csv: a header alone is no network"),
    ("n.csv", "# source,target,sign\n", "n.csv: comments alone are no network"),
    ("n.csv", "source,target,value\na,b,1\n", "no column of source, target, value is called 'weight'; columns="),
    ("n.csv", "source,target,sign,Sign\na,b,1,-1\n", "more than one column of .* is called 'sign'"),
    ("n.csv", "from,to,value\na,b,1\n", "begins with from, to, value: a signed network is"),
    ("n.csv", "a,b\nb,c\n", "begins with a, b: a signed network is"),
    ("n.csv", "a,b,1914,-1\nb,c,1915,1\n", "begins with a, b, 1914, -1: .*counts them from 0"),
    ("n.csv", "1,2,1\n2,3,1\n1,4,1\n", "begins with 1, 2, 1: are these names of nodes, numbers, or an edge"),
    ("n.csv", "1,2,1\n2,3,1\n3,4,1\n", f"row 1: 1 {ONE_RELATION}"),
    ("n.csv", "source,target,sign\na,b,1\nb,c,2\n", f"row 2: 1 {ONE_RELATION}"),
    ("n.csv", "source,target,weight\na,b,1\nb,c,\n", f"row 2: 1 {ONE_RELATION}"),
    ("n.csv", "x,a,b,c\na,0,1,2\nb,1,0,0\nc,2,0,0\n", f'row 2: 1 {ONE_RELATION}"1": "…", "2": "…"}}'),
    ("n.csv", "x,a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n", f"row 2: 1 {ONE_RELATION}"),
    ("n.csv", "0,1,-1\n1,0,1\n-1,1,0\n", "begins with 0, 1, -1: are these names"),
    ("n.csv", ",1,-1,2\n1,,1,0\n-1,1,,1\n2,0,1,\n", "begins with , 1, -1, 2: are these names"),
    ("n.csv", "x,a,b,a\na,0,1,-1\nb,1,0,-1\na,-1,-1,0\n", "n.csv, row 1: 2 nodes are called 'a'"),
    ("n.csv", "x,a,b\na,1,1\nb,-1,0\n", "n.csv, row 2: 'a' is joined to itself"),
    ("n.csv", "x,a,b\na,0,1\nb,-1,0\n", "'a' and 'b' are joined by both signs"),
    ("n.csv", ",b,1\na,b,-1\n", "n.csv, row 1: a node has no name"),
    ("n.csv", "a,b,-1\n#b,c,1\n", "n.csv, row 2: is '#b,c,1' a comment"),
    ("n.csv", 'a,b,-1\n"b,c,1\n', "n.csv, row 2: quotes go around a whole field"),
    ("n.csv", b"a,b,-1\nb,\xe9,1\n", "n.csv, row 2: is not UTF-8"),
    ("n.txt", PAJEK, r"n.txt, row 3: 5 fields, not 2 as in the first row; a signed network is .*Pajek \(.net\)"),
    ("n.net", PAJEK.replace("*Edges", "*Arcslist"), r"n.net, row 6: '\*Arcslist' is no part of .* below \*Edges"),
    ("n.net", PAJEK.replace("*Edges", '*Edges :1 "likes"'), "n.net, row 6: .*likes.* is no part of a signed network"),
    ("n.net", PAJEK.replace("C\n", "A\n"), "n.net: 6 nodes and edges are written, but 2 nodes and 3 edges are read"),
    ("n.net", PAJEK.replace("2 3 -1", "2 3"), "n.net, edge 3: '' is no sign"),
    ("n.net", PAJEK.replace("2 3 -1", "2 4 -1"), "n.net: 6 nodes and edges are written, but 4 nodes and 3"),
    ("n.net", PAJEK.replace("2 3 -1", "2 3 -1 1 3"), "n.net, row 9: '2 3 -1 1 3' is no part of a signed network"),
    ("n.net", PAJEK.replace("-", ""), f"n.net, edge 1: 1 {ONE_RELATION}"),
    ("n.gml", GML.replace('"B"', '"A"'), "n.gml: 2 nodes are called 'A'"),
    ("n.gml", GML.replace("sign", "liking"), "n.gml: its edges have no 'weight', but liking; columns="),
    ("n.gml", GML[:-1], "n.gml: cannot be used"),
    ("n.graphml", GRAPHML.replace('<node id="B"/>', ""), "n.graphml: 5 nodes and edges are written, but 3 nodes"),
    ("n.graphml", GRAPHML.replace("-1", "1"), f"n.graphml, edge 1: 0.5 {ONE_RELATION}"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "message"), REFUSED)
def test_a_network_without_signs_of_its_own_is_refused_by_row(tmp_path, name, text, message):
    (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    refused(message, read_signed, tmp_path / name)


def test_odd_rows_are_left_out_only_when_told_and_counted(tmp_path):
    (path := tmp_path / "n.csv").write_text("a,b,1\nb,a,-1\nb,c,-1\nc,c,1\nc,d,x\nd,e,1\n")
    with pytest.warns(UserWarning, match="4 of 6 rows have no sign of their own"):
        assert edges_of(read_signed(path, on_error="skip")) == {("b", "c", -1), ("d", "e", 1)}
    refused("edges have no 'weight', but nothing", read_signed, nx.path_graph(2))
    refused("takes a path or a networkx graph, not", read_signed, 7)
    refused("a sign is 1, -1, or None", read_signed, path, signs={"x": 0})
    refused("roles are source, target, sign", read_signed, path, columns={"von": "a"})


# -- every format says the same network, and no damage makes another ------------------------------------------


def delimited(graph, mark, header):
    """An edge list, each name in quotes."""
    file = io.StringIO()
    rows = [("source", "target", "sign")] if header else []
    rows += [(a, b, f"{sign:+}") for a, b, sign in graph.edges(data="sign")]
    csv.writer(file, delimiter=mark, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return file.getvalue()


def matrix(graph):
    file = io.StringIO()
    rows = [["node", *graph]]
    for a in graph:
        entries = [graph.edges[a, b]["sign"] if graph.has_edge(a, b) else 0 for b in graph]
        rows.append([a, *(f"{entry:+}" if entry else "0" for entry in entries)])
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return file.getvalue()


def pajek(graph):
    place = {name: at for at, name in enumerate(graph, 1)}
    lines = [f"*Vertices {len(place)}", *(f'{at} "{name}"' for name, at in place.items()), "*Edges"]
    lines += [f"{place[a]} {place[b]} {sign:+}" for a, b, sign in graph.edges(data="sign")]
    return "\n".join(lines)


#: A file's name, its text, and whether nodes without an edge have a place in it.
FORMATS = [
    ("n.csv", lambda graph: delimited(graph, ",", True), False),
    ("n.csv", lambda graph: delimited(graph, ";", False), False),
    ("n.tsv", lambda graph: delimited(graph, "\t", False), False),
    ("n.txt", lambda graph: delimited(graph, " ", True), False),
    ("n.csv", matrix, True),
    ("n.net", pajek, True),
    ("n.gml", lambda graph: "\n".join(nx.generate_gml(graph)), True),
    ("n.graphml", lambda graph: "\n".join(nx.generate_graphml(graph)), True),
]  # fmt: skip
NAMES = st.text("aB1é日, ;#%'+-.&<|[]", min_size=1, max_size=5).map(str.strip).filter(bool)


@st.composite
def networks(draw, names=NAMES, connected=False):
    """Signed graphs with both signs, whose nodes have words as names."""
    names = draw(st.lists(names, min_size=3, max_size=6, unique=True))
    graph = nx.Graph()
    graph.add_nodes_from(names)
    pairs = [(a, b) for at, a in enumerate(names) for b in names[:at] if connected or draw(st.booleans())]
    for a, b in pairs:
        graph.add_edge(a, b, sign=draw(st.sampled_from([1, -1])))
    signs = {sign for _, _, sign in graph.edges(data="sign")}
    assume(signs == {1, -1})
    return graph


@pytest.mark.parametrize(("name", "write", "isolated"), FORMATS)
@given(graph=networks())
def test_a_network_comes_back_from_each_format(tmp_path_factory, name, write, isolated, graph):
    (path := tmp_path_factory.mktemp("n") / name).write_text(write(graph), encoding="utf-8")
    signed = read_signed(path)
    assert edges_of(signed) == {(*sorted((a, b)), sign) for a, b, sign in graph.edges(data="sign")}
    assert {*signed.names} == {name for name in graph if isolated or graph.degree(name)}


@pytest.mark.parametrize(("name", "write", "isolated"), FORMATS)
@given(graph=networks(st.sampled_from("PQRSTUV"), connected=True), data=st.data())
def test_damage_is_refused_or_changes_nothing(tmp_path_factory, name, write, isolated, graph, data):
    tokens = re.findall(r'"[^"]*"|<[^>]*>|[^\s",;<>]+|[\s\S]', write(graph))
    at = data.draw(st.integers(0, len(tokens) - 1))
    times = data.draw(st.sampled_from([0, 2]))
    assume(times == 0 or not tokens[at].startswith('"'))  # "A""A" is a name with a quote
    damaged = "".join([*tokens[:at], *[tokens[at]] * times, *tokens[at + 1 :]])
    (path := tmp_path_factory.mktemp("n") / name).write_text(damaged, encoding="utf-8")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # networkx, of a key without a type
            signed = read_signed(path)
    except PairsError as error:
        assert str(error).startswith(name)
        return
    assert edges_of(signed) == {(*sorted((a, b)), sign) for a, b, sign in graph.edges(data="sign")}
    assert {*signed.names} == {*graph}


@pytest.mark.slow
def test_eighty_thousand_edges_are_read_and_judged_in_linear_time(tmp_path):
    rng = np.random.default_rng(0)
    for m in (5_000, 80_000):
        ends = np.unique(np.sort(rng.integers(0, m // 6, (m, 2)), axis=1), axis=0)
        camps = rng.integers(0, 2, m)
        rows = [f"{a},{b},{10 if camps[a] == camps[b] else -10}" for a, b in ends.tolist() if a != b]
        (tmp_path / f"{m}.csv").write_text("\n".join(rows))
    assert exponent(lambda m: balance(read_signed(tmp_path / f"{m}.csv")), 5_000, 80_000) < LINEAR
    assert balance(read_signed(tmp_path / "80000.csv")).balanced
