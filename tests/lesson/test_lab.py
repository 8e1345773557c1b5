"""The Triad Lab in Python: it lays graphs, reads what the page did, keeps progress, and has a still twin."""

import math

import networkx as nx
import pytest
import traitlets

import paragraph as pg
from paragraph.balance import balance, presets
from paragraph.lesson import Sheet
from paragraph.lesson.lab import starts

from ..balance.tiny import camps
from ..refused import refused
from ..widgets.graphs import graph_of


def signs(graph):
    return {frozenset((a, b)): sign for a, b, sign in graph.edges(data="sign")}


def test_every_start_is_judged_as_the_library_judges_it():
    lab = pg.TriadLab()
    for name, start in starts().items():
        lab.lay(name)
        assert signs(lab.graph) == signs(start()) and list(lab.graph) == list(start())
        for kind in ("strong", "weak"):
            assert bool(lab.verdicts[kind]) == bool(balance(start(), kind))
        assert lab.table["name"] == name and lab._still().title.count("✓") == sum(map(bool, lab.verdicts.values()))


def test_what_is_said_of_the_house():
    """The square is balanced; the roof is not, nor is the way around: of all cycles, by brute force."""
    graph = starts()["house"]()
    signs = {}
    for cycle in nx.simple_cycles(graph):
        around = zip(cycle, cycle[1:] + cycle[:1], strict=True)
        signs["".join(sorted(cycle))] = math.prod(graph.edges[edge]["sign"] for edge in around)
    assert signs == {"ABCD": 1, "CDE": -1, "ABCDE": -1}


def test_the_graph_is_read_and_set():
    graph = graph_of("a+b b+c a-c c+d")
    lab = pg.TriadLab(graph, cluster=0)
    assert nx.utils.graphs_equal(lab.graph, graph.to_networkx(cluster=0))  # with all that nodes and edges carry
    assert not lab.verdicts["weak"]
    mine = nx.Graph([(("x", 1), "y", {"sign": 1})])  # a node may be anything
    lab.graph = mine
    assert signs(lab.graph) == signs(mine) and lab.history == []
    lab.graph.add_edge("x", "z", sign=1)  # a copy: the table stays
    assert set(lab.graph) == {("x", 1), "y"}


def test_what_a_page_does_is_read():
    """A node comes and is joined, another goes: as the page writes it (tests/browser)."""
    lab = pg.TriadLab("triad ++-")
    new = lab.table["nodes"][0] | {"key": "n3", "text": "D"}
    a, b, c = lab.table["nodes"]
    lab.set_state({
        "table": lab.table | {"nodes": [a, c, new], "edges": [["n0", "n2", -1], ["n3", "n0", 1]]},
        "changes": [{"did": "add", "node": new}, {"did": "sign", "edge": ["n3", "n0"], "from": 0, "to": 1},
                    {"did": "remove", "node": b, "before": {"nodes": [a, b, c, new], "edges": []}}],
    })  # fmt: skip
    assert signs(lab.graph) == {frozenset("AC"): -1, frozenset("AD"): 1} and list(lab.graph) == ["A", "C", "D"]
    joined = {"did": "sign", "edge": ("D", "A"), "from": 0, "to": 1}
    assert lab.history == [{"did": "add", "node": "D"}, joined, {"did": "remove", "node": "B"}]


def test_what_cannot_be_laid():
    lab = pg.TriadLab("triad +++")
    refused("no start is called", lab.lay, "nothing")
    refused("sign", lab.lay, nx.path_graph(3))
    refused("which cluster", lab.lay, graph_of("a+b"))
    refused("61 nodes are more than", lab.lay, camps(61, 1, 1.0))
    refused("exercises is a Sheet to work through, not a str", pg.TriadLab, exercises="sheet")
    refused("there is no exercise 'one'", pg.TriadLab, exercises=Sheet(), exercise="one")
    assert signs(lab.graph) == signs(presets.triad("+++"))


TABLES = [
    {}, {"nodes": None}, {"edges": [["n0", "n9", 1]]}, {"edges": [["n0", "n1", 2]]}, {"of": "no start"}, {"of": 99},
    {"nodes": [{"text": "A"}]}, {"edges": [["n0"]]},
]  # fmt: skip
PROGRESS = [{"1": {"tries": -1}}, {"99": {}}, {"one": {}}, {"1": None}, {"1": {"trials": 3}}]


def test_nonsense_from_a_page_is_refused():
    sheet = Sheet(seed=5)
    lab = pg.TriadLab(exercises=sheet)
    before = lab.table, lab.progress, sheet.to_json()
    for name, values in (("table", [lab.table | one for one in TABLES[1:]] + [{}]), ("progress", PROGRESS)):
        for value in values:
            with pytest.raises(traitlets.TraitError, match="this is no"):
                setattr(lab, name, value)
            assert (lab.table, lab.progress, sheet.to_json()) == before


def test_progress_is_kept_in_the_sheet_and_its_file(tmp_path):
    file = tmp_path / "ada.json"
    sheet = Sheet(student="Ada", file=file)
    lab = pg.TriadLab(exercises=sheet, exercise=8)
    assert not file.exists() and lab.work["student"] == "Ada" and lab.work["place"] == 8
    assert signs(lab.graph) == signs(sheet.exercise(8).graph)
    done = {"tries": 2, "hints": 1, "solved": True, "shown": False}
    lab.progress = lab.progress | {"8": done}
    assert Sheet(student="Ada", file=file).solved == [8] == lab.sheet.solved
    again = pg.TriadLab(exercises=Sheet(student="Ada", file=file), exercise=9)  # on another day
    assert again.progress["8"] == done


def test_a_graph_may_be_laid_as_an_answer():
    sheet = Sheet(seed=5)
    lab = pg.TriadLab(exercises=sheet, exercise=24)
    lab.lay(next(sheet.exercise(24).solutions()))
    assert lab.work["place"] == 24 and signs(lab.graph) == signs(next(sheet.exercise(24).solutions()))
    lab.lay("two camps")  # on other nodes: free play
    assert lab.work["place"] == 0 and set(lab.graph) == set(presets.two_camps())


def test_every_exercise_comes_with_what_its_answers_are_judged_by():
    sheet = Sheet(seed=5)
    for one in pg.TriadLab(exercises=sheet).data["sheets"][0]["exercises"]:
        assert ("replies" in one) != ("rule" in one) and one["hints"] and one["solution"]
        texts = ["".join(part for part, _ in entry["texts"][0]) for entry in one["pairs"]]
        assert texts == [node["text"] for node in one["nodes"] if node["sentence"]]
        assert [entry["number"] for entry in one["pairs"]] == [one["nodes"][i]["number"] for i in range(len(texts))]
    lab = pg.TriadLab(exercises=sheet, exercise=24)
    far = [math.hypot(x, y) for x, y in lab._still().positions]
    assert 0 < max(far) < min(far) + 0.01  # nodes without edges stand on a circle


def test_the_still_twin_shows_what_is_on_the_table():
    lab = pg.TriadLab("triad ++-")
    bundle = lab._twin_bundle()
    assert "pg-twin" in bundle["text/html"] and "Triad" in bundle["text/plain"] and "<svg" in lab.figure().data
    assert {edge.line.halo for edge in lab._still().edges} == {True}  # the whole triad is unbalanced
    lab.work = lab.work | {"vote": ""}
    assert lab._still().title == "triad ++-" and not any(edge.line.halo for edge in lab._still().edges)
    lab.work = lab.work | {"vote": None}
    lab.placed = {"n0": [300.0, -150.0]}
    assert lab._still().positions[0].tolist() == [2, 1]
    lab = pg.TriadLab(exercises=Sheet(seed=5), exercise=9)
    assert lab._still().title == "Find the two camps" and set(lab._still().camps) == {-1}


LONG = "Which of the many kinds of cheese that they sell on the market is the one made of {} milk?".format


CAPTIONS = [
    ([LONG("goat"), LONG("cow"), LONG("sheep")], ["goat", "cow", "sheep"]),
    (["Is it open?", "is IT open!"], ["Is it open?", "is IT open!"]), (["", "one"], ["", "one"]),
    (["a b c d e", "a B c x e"], ["d", "x"]), (["b red a two", "b green a four"], ["red … two", "green … four"]),
    (["Is it not open?", "Is it open?", "is it now open"], ["not", "Is it open?", "now"]),
]  # fmt: skip


def test_words_that_set_a_sentence_apart_name_its_node():
    def graph(texts):
        nodes = nx.Graph()
        nodes.add_nodes_from((i, {"text": text}) for i, text in enumerate(texts))
        return nodes

    for texts, captions in CAPTIONS:
        nodes = pg.TriadLab(graph(texts)).table["nodes"]
        assert [node["label"].replace("\n", " ") for node in nodes] == captions
        assert [node["number"] for node in nodes] == list(range(1, len(texts) + 1))
