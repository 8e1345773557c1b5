"""The Triad Lab driven as a page does: signs turn, verdicts follow, dynamics go and come back, exercises grade."""

import networkx as nx
import pytest

import paragraph as pg
from paragraph.balance import balance, presets
from paragraph.balance.exercises import Sheet
from paragraph.widgets.lab import starts

from .graphs import Page, graph_of


def lab_of(*args, **options):
    lab = pg.TriadLab(*args, **options)
    return lab, Page(lab)


def signs(graph):
    return {frozenset((a, b)): sign for a, b, sign in graph.edges(data="sign")}


def edge_id(lab, a, b):
    ends = {f"n{lab._number[a]}", f"n{lab._number[b]}"}
    return next(edge["id"] for edge in lab.picture["edges"] if {edge["from"], edge["to"]} == ends)


@pytest.mark.parametrize("name", starts())
def test_every_start_is_judged_as_the_library_judges_it(name):
    lab, _ = lab_of(name)
    for kind in ("strong", "weak"):
        assert bool(lab.verdicts[kind]) == bool(balance(lab.graph, kind))
    assert len(lab.picture["nodes"]) == len(lab.graph)
    assert {edge["sign"] for edge in lab.picture["edges"]} <= {1, -1}


@pytest.mark.parametrize(
    "kind, strong, weak",
    [("+++", True, True), ("+--", True, True), ("---", False, True), ("++-", False, False)],
)
def test_the_four_triads(kind, strong, weak):
    lab, _ = lab_of(f"triad {kind}")
    facts = dict(lab.why["facts"])
    assert facts["strong balance"].startswith("✓" if strong else "✗")
    assert facts["weak balance"].startswith("✓" if weak else "✗")
    assert ("highlight" in lab.why) == (not (strong and weak))


def test_a_click_turns_a_sign_and_the_verdict():
    lab, page = lab_of("triad ++-")
    assert "= −" in dict(lab.why["facts"])["unbalanced cycle (strong)"]
    page("edge", id=edge_id(lab, "A", "C"))
    assert signs(lab.graph)[frozenset("AC")] == 1
    assert lab.verdicts["weak"] and lab.verdicts["strong"]
    assert {node["camp"] for node in lab.picture["nodes"]} == {0}
    assert lab.history == [{"did": "sign", "edge": ("A", "C"), "from": -1, "to": 1}]
    page("control", name="undo", value=True)
    assert signs(lab.graph)[frozenset("AC")] == -1 and lab.history == []


def test_a_third_click_takes_the_edge_away_where_that_is_asked_for():
    lab, page = lab_of("triad +++")
    page("control", name="none", value=True)
    for wanted in (-1, None):
        page("edge", id=edge_id(lab, "A", "B"))
        assert signs(lab.graph).get(frozenset("AB")) == wanted
    a, b = (f"n{lab._number[node]}" for node in "AB")
    page("select", keys=[a])
    page("select", keys=[b])  # two chosen nodes without an edge get one
    assert signs(lab.graph)[frozenset("AB")] == 1


def test_nodes_come_and_go_and_come_back():
    lab, page = lab_of("triad +--")
    page("control", name="node", value=True)
    assert set(lab.graph) == set("ABCD")
    page("select", keys=[f"n{lab._number['A']}"])
    page("control", name="remove", value=True)
    assert set(lab.graph) == set("BCD") and len(lab.picture["edges"]) == 1
    page("control", name="undo", value=True)
    assert signs(lab.graph) == signs(presets.triad("+--"))
    page("control", name="undo", value=True)
    assert nx.utils.graphs_equal(nx.Graph(lab.graph.edges), nx.Graph(presets.triad("+--").edges))


def test_an_edge_is_the_one_clicked_after_a_node_is_removed():
    lab, page = lab_of("two camps")
    page("select", keys=[f"n{lab._number['A']}"])
    page("control", name="remove", value=True)
    before = signs(lab.graph)
    page("edge", id=edge_id(lab, "C", "D"))
    assert {pair for pair, sign in signs(lab.graph).items() if before[pair] != sign} == {frozenset("CD")}


@pytest.mark.parametrize("rule", ["local", "constrained"])
def test_dynamics_forward_and_back(rule):
    lab, page = lab_of("two camps")
    lab.set_sign("A", "B", -1)
    before = signs(lab.graph)
    page("control", name="rule", value=rule)
    steps = 0
    for _ in range(6):
        page("control", name="step", value=True)
        steps = len(lab._dynamics.history)
    assert lab.why["chart"]["points"] == lab._dynamics.balanced_shares
    for _ in range(steps):
        page("control", name="back", value=True)
    assert signs(lab.graph) == before


def test_constrained_dynamics_play_to_an_end():
    lab, page = lab_of("two camps")
    lab.set_sign("A", "B", -1)
    page("control", name="rule", value="constrained")
    page("control", name="play", value=True)
    assert lab.verdicts["strong"] and lab.why["chart"]["points"][-1] == 1
    assert "Nothing moves" in lab.picture["note"]


def test_the_verdict_waits_for_the_vote():
    lab, page = lab_of("triad ++-")
    page("control", name="hide", value=True)
    assert "facts" not in lab.why and "highlight" not in lab.why
    assert all("camp" not in node for node in lab.picture["nodes"])
    page("vote", kind="weak", answer="balanced")
    page("vote", kind="weak", answer="balanced")
    assert any(action["text"] == "weak: balanced (2)" for action in lab.why["actions"])
    assert "not balanced" not in lab._still().title
    page("control", name="reveal", value=True)
    assert dict(lab.why["facts"])["weak balance"].startswith("✗")


def test_real_sentences_in_every_node():
    graph = graph_of("a+b b+c a-c c+d")
    lab, _ = lab_of(graph, cluster=0)
    assert [node["text"] for node in lab.picture["nodes"]] == graph.texts(graph.members(0))
    assert not lab.verdicts["weak"]


def test_the_graph_is_read_and_set():
    lab, _ = lab_of()
    mine = nx.Graph()
    mine.add_edge("x", "y", sign=1)
    lab.graph = mine
    assert signs(lab.graph) == signs(mine) and lab.history == []
    lab.graph.add_edge("x", "z", sign=1)  # a copy: the table stays
    assert set(lab.graph) == {"x", "y"}


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda lab: lab.lay("nothing"), "no start is called"),
        (lambda lab: lab.set_sign("A", "A", 1), "no edge to itself"),
        (lambda lab: lab.set_sign("A", "nobody", 1), "not on the table"),
        (lambda lab: lab.set_sign("A", "B", 2), "not one of 1, -1, 0"),
        (lambda lab: lab.lay(nx.path_graph(3)), "sign"),
        (lambda lab: lab.lay(graph_of("a+b")), "which cluster"),
        (lambda lab: lab.lay(presets.two_camps(13, 13)), None),
    ],
)
def test_what_cannot_be_laid(ask, message):
    lab, _ = lab_of("triad +++")
    if message is None:
        ask(lab)
        return
    with pytest.raises(pg.PairsError, match=message):
        ask(lab)
    assert signs(lab.graph) == signs(presets.triad("+++"))


def test_too_many_nodes_are_refused():
    big = nx.cycle_graph(60)
    nx.set_edge_attributes(big, 1, "sign")
    with pytest.raises(pg.PairsError, match="60 nodes are more than"):
        pg.TriadLab(big)


@pytest.mark.parametrize(
    "message",
    [
        {"intent": "edge", "id": "e0-99"}, {"intent": "edge", "id": 7}, {"intent": "select", "keys": ["n99"]},
        {"intent": "control", "name": "nothing", "value": 1}, {"intent": "control"},
        {"intent": "vote", "kind": "x", "answer": "y"}, {"intent": "answer", "answer": "+++"}, {"intent": "hint"},
    ],
    ids=str,
)  # fmt: skip
def test_nonsense_changes_nothing(message):
    lab, page = lab_of("triad +++")
    before = signs(lab.graph), lab.why["n"]
    assert page.send({**message, "n": 1})  # it is in the log
    assert (signs(lab.graph), lab.why["n"]) == before


def answer_as_a_page_would(lab, page, one, answer):
    """Click, type or build what a solution says."""
    if one.kind == "choice":
        page("answer", answer=answer)
    elif one.kind == "number":
        page("answer", answer=f" {answer} ")
    elif one.kind == "camps":
        page("answer", answer=" | ".join(" ".join(sorted(map(str, camp))) for camp in answer))
    elif one.kind in ("edges", "cycle"):
        if one.kind == "cycle" and not isinstance(answer[0], tuple):
            answer = list(zip(answer, [*answer[1:], answer[0]], strict=True))
        for a, b in answer:
            page("edge", id=edge_id(lab, a, b))
        page("answer")
    else:
        wanted, there = signs(answer), signs(lab.graph)
        for pair in wanted.keys() | there.keys():
            if wanted.get(pair) != there.get(pair):
                lab.set_sign(*sorted(pair), wanted.get(pair, 0))
        page("answer")


@pytest.mark.parametrize("number", [number for number, _ in Sheet().titles()])
def test_every_exercise_is_solved_on_the_table(number):
    sheet = Sheet(seed=5)
    lab, page = lab_of(exercises=sheet)
    page("control", name="exercise", value=str(number))
    one = sheet.exercise(number)
    assert one.question in lab.why["text"]
    assert "strong balance" not in dict(lab.why["facts"])  # no verdict is given away
    page("hint")
    assert any(name == "hint" for name, _ in lab.why["facts"])
    answer_as_a_page_would(lab, page, one, next(iter(one.solutions())))
    assert lab.why["badge"] == "right", lab.why
    report = sheet.report().set_index("number").loc[number]
    assert (report["tries"], report["hints"], bool(report["solved"])) == (1, 1, True)


def test_a_wrong_answer_says_why():
    sheet = Sheet(seed=1)
    lab, page = lab_of(exercises=sheet)
    one = sheet.exercise(1)
    right = next(iter(one.solutions()))
    page("answer", answer=next(choice for choice in one.choices if choice != right))
    assert lab.why["badge"] == "not yet" and lab.why["facts"][-1][1]


def test_the_still_twin_shows_the_table():
    lab, _ = lab_of("triad ++-")
    bundle = lab._twin_bundle()
    assert "pg-twin" in bundle["text/html"] and "Triad" in bundle["text/plain"]
    assert {edge.line.halo for edge in lab._still().edges} == {True}  # the whole triad is unbalanced
    figure = lab.figure()
    assert figure.axes
