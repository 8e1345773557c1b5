"""The Triad Lab driven as a page does: signs turn, verdicts follow, dynamics go and come back, exercises grade."""

import itertools

import networkx as nx
import pytest

import paragraph as pg
from paragraph.balance import Sheet, balance, planted_camps, presets
from paragraph.widgets.lab import picture, starts

from .graphs import Page, graph_of


def control(lab, name):
    return next(one for one in lab.controls if one.get("name") == name)


def lab_of(*args, **options):
    lab = pg.TriadLab(*args, **options)
    return lab, Page(lab)


def signs(graph):
    return {frozenset((a, b)): sign for a, b, sign in graph.edges(data="sign")}


def click(lab, page, a, b):
    """Click the edge of two nodes."""
    ends = set(keys(lab, a, b))
    page("edge", id=next(edge["id"] for edge in lab.picture["edges"] if {edge["from"], edge["to"]} == ends))


def keys(lab, *nodes):
    return list(map(lab._board.key, nodes))


def use(page, *names, value=True):
    """Use controls of the bar."""
    for name in names:
        page("control", name=name, value=value)


def test_every_start_is_judged_as_the_library_judges_it():
    lab, page = lab_of()
    for name in starts():
        use(page, "start", value=name)
        found = {kind: bool(balance(lab.graph, kind)) for kind in ("strong", "weak")}
        for kind, balanced in found.items():
            assert bool(lab.verdicts[kind]) == balanced == dict(lab.why["facts"])[f"{kind} balance"].startswith("✓")
        assert ("highlight" in lab.why) == (not all(found.values()))
        assert len(lab.picture["nodes"]) == len(lab.graph)
        assert {edge["sign"] for edge in lab.picture["edges"]} <= {1, -1}


def test_a_click_turns_a_sign_and_the_verdict():
    lab, page = lab_of("triad ++-")
    assert "= −" in dict(lab.why["facts"])["unbalanced (strong)"]
    click(lab, page, "A", "C")
    assert signs(lab.graph)[frozenset("AC")] == 1
    assert lab.verdicts["weak"] and lab.verdicts["strong"]
    assert {node["camp"] for node in lab.picture["nodes"]} == {0}
    assert lab.history == [{"did": "sign", "edge": ("A", "C"), "from": -1, "to": 1}]
    use(page, "undo")
    assert signs(lab.graph)[frozenset("AC")] == -1 and lab.history == []
    use(page, "none")  # a third click takes the edge away
    for wanted in (1, -1, None):
        assert signs(lab.graph).get(frozenset("AB")) == wanted
        if wanted:
            click(lab, page, "A", "B")
    for key in keys(lab, "A", "B"):  # two chosen nodes without an edge get one
        page("select", keys=[key])
    assert signs(lab.graph)[frozenset("AB")] == 1


def test_nodes_come_and_go_and_come_back():
    lab, page = lab_of("triad +--")
    use(page, "node")
    assert set(lab.graph) == set("ABCD")
    page("select", keys=keys(lab, "A"))
    use(page, "remove")
    assert set(lab.graph) == set("BCD") and len(lab.picture["edges"]) == 1
    click(lab, page, "B", "C")  # it is the one clicked, also after a node has gone
    assert not lab.graph.edges
    use(page, "undo", "undo")
    assert signs(lab.graph) == signs(presets.triad("+--")) and set(lab.graph) == set("ABCD")
    use(page, "undo")
    assert set(lab.graph) == set("ABC")


@pytest.mark.parametrize("rule", ["local", "constrained"])
def test_dynamics_forward_and_back(rule):
    lab, page = lab_of("two camps")
    lab.set_sign("A", "B", -1)
    before = signs(lab.graph)
    use(page, "rule", value=rule)
    use(page, *["step"] * 6)
    assert lab.why["chart"]["points"] == lab._board.dynamics.balanced_shares
    use(page, *["back"] * len(lab._board.dynamics.history))
    assert signs(lab.graph) == before
    if rule == "constrained":
        use(page, "play")
        assert lab.verdicts["strong"] and lab.why["chart"]["points"][-1] == 1
        assert "Nothing moves" in lab.picture["note"]
    path = nx.path_graph(4)
    nx.set_edge_attributes(path, 1, "sign")
    lab.lay(path)
    for name in ("step", "play"):
        use(page, name)
        assert "chart" not in lab.why and "no triad" in lab.picture["note"]


def test_the_verdict_waits_for_the_vote():
    lab, page = lab_of("triad ++-")
    use(page, "hide")
    assert "facts" not in lab.why and "highlight" not in lab.why
    assert all("camp" not in node for node in lab.picture["nodes"])
    for _ in range(2):
        page("vote", kind="weak", answer="balanced")
    assert any(action["text"] == "weak: balanced (2)" for action in lab.why["actions"])
    assert "not balanced" not in lab._still().title
    use(page, "reveal")
    assert dict(lab.why["facts"])["weak balance"].startswith("✗")


def test_the_graph_is_read_set_and_drawn():
    graph = graph_of("a+b b+c a-c c+d")
    lab, _ = lab_of(graph, cluster=0)
    assert [node["text"] for node in lab.picture["nodes"]] == graph.texts(graph.members(0))
    assert not lab.verdicts["weak"]
    mine = nx.Graph([("x", "y", {"sign": 1})])
    lab.graph = mine
    assert signs(lab.graph) == signs(mine) and lab.history == []
    lab.graph.add_edge("x", "z", sign=1)  # a copy: the table stays
    assert set(lab.graph) == {"x", "y"}
    lab.lay("triad ++-")
    bundle = lab._twin_bundle()
    assert "pg-twin" in bundle["text/html"] and "Triad" in bundle["text/plain"] and lab.figure().axes
    assert {edge.line.halo for edge in lab._still().edges} == {True}  # the whole triad is unbalanced


def test_what_cannot_be_laid():
    lab, _ = lab_of("triad +++")
    for ask, message in (
        (lambda: lab.lay("nothing"), "no start is called"),
        (lambda: lab.set_sign("A", "A", 1), "no edge to itself"),
        (lambda: lab.set_sign("A", "nobody", 1), "not on the table"),
        (lambda: lab.set_sign("A", "B", 2), "not one of 1, -1, 0"),
        (lambda: lab.lay(nx.path_graph(3)), "sign"),
        (lambda: lab.lay(graph_of("a+b")), "which cluster"),
        (lambda: lab.lay(planted_camps(60, 1, 1.0)), "60 nodes are more than"),
        (lambda: pg.TriadLab(exercises="sheet"), "exercises is a Sheet to work through, not a str"),
        (lambda: pg.TriadLab(exercises=Sheet(), exercise="one"), "there is no exercise 'one'"),
    ):
        with pytest.raises(pg.PairsError, match=message):
            ask()
    assert signs(lab.graph) == signs(presets.triad("+++"))


def test_nonsense_changes_nothing_and_is_in_the_log():
    for lab, page, messages in (
        (*lab_of("triad +++"), [
            {"intent": "control", "name": "nothing", "value": 1}, {"intent": "control"}, {"intent": "hint"},
            {"intent": "vote", "kind": "x", "answer": "y"}, {"intent": "answer", "answer": "+++"},
        ]),
        (*lab_of(exercises=Sheet()), [
            {"intent": "control", "name": "exercise", "value": value} for value in ("-1", "31", "one", None, "")
        ]),
    ):  # fmt: skip
        before = lab.picture, lab.why["n"]
        for message in messages:
            assert page.send({**message, "n": 1}) and (lab.picture, lab.why["n"]) == before


GONE = [
    {"intent": "edge", "id": "e0-99"}, {"intent": "edge", "id": 7}, {"intent": "select", "keys": ["n99"]},
    {"intent": "select", "keys": None}, {"intent": "select", "keys": [["n0"]]}, {"intent": "show", "key": "n99"},
    {"intent": "control", "name": "remove", "value": True}, {"intent": "expand", "key": "n99"},
]  # fmt: skip


def test_what_is_gone_is_refused_without_a_word():
    for message, selected in itertools.product(GONE, ([], ["n99"], ["n0", "n99"])):
        lab, page = lab_of("triad +++")
        lab.selected = selected  # as a page may that is behind
        before = signs(lab.graph)
        assert page.send({**message, "n": 1}) == []
        if message.get("name") == "remove" and "n0" in selected:
            assert set(lab.graph) == set("BC") and len(lab.history) == 1
        else:
            assert signs(lab.graph) == before and lab.history == []


def test_free_play_is_not_done_to_an_exercise():
    lab, page = lab_of(exercises=Sheet(seed=5), exercise=8)
    lab.selected = ["n0"]
    before = signs(lab.graph), lab.controls, lab.picture
    for name in ("start", "node", "remove", "rule", "back", "step", "play", "hide", "reveal"):
        assert page.send({"intent": "control", "name": name, "value": "two camps"}) == []
        assert (signs(lab.graph), lab.controls, lab.picture) == before and lab._board.dynamics is None


def answer_as_a_page_would(lab, page, one, answer):
    """Click, type or build what a solution says."""
    if one.kind in ("choice", "number"):
        return page("answer", answer=answer if one.kind == "choice" else f" {answer} ")
    if one.kind == "camps":
        for camp, nodes in enumerate(answer):
            for node in sorted(nodes):
                while lab._work.now.camps.get(node) != camp:
                    page("select", keys=keys(lab, node))
        shown = {node["text"]: node["camp"] for node in lab.picture["nodes"]}
        assert shown == {node: camp for camp, nodes in enumerate(answer) for node in nodes}
        return page("answer", answer=lab.why["ask"]["value"])
    if one.kind in ("edges", "cycle"):
        for a, b in answer if one.kind == "edges" else zip(answer, [*answer[1:], answer[0]], strict=True):
            click(lab, page, a, b)
    else:
        wanted, there = signs(answer), signs(lab.graph)
        for pair in {pair for pair, _ in wanted.items() ^ there.items()}:
            lab.set_sign(*sorted(pair), wanted.get(pair, 0))
    return page("answer")


@pytest.mark.parametrize("number", [number for number, _ in Sheet().titles()])
def test_every_exercise_is_solved_on_the_table(number):
    sheet = Sheet(seed=5)
    lab, page = lab_of(exercises=sheet)
    use(page, "exercise", value=str(number))
    one = sheet.exercise(number)
    assert one.question in lab.why["text"]
    assert "strong balance" not in dict(lab.why["facts"])  # no verdict is given away
    page("hint")
    assert lab.why["hints"] == [one.hints[0]]
    answer_as_a_page_would(lab, page, one, next(iter(one.solutions())))
    assert (lab.why["grade"]["badge"], lab.why["done"]) == ("right", "✓ solved at try 1"), lab.why
    report = sheet.report().set_index("number").loc[number]
    assert (report["tries"], report["hints"], bool(report["solved"])) == (1, 1, True)


def test_from_one_exercise_to_the_next_and_to_the_summary():
    sheet = Sheet(seed=3, student="Ada")
    lab, page = lab_of(exercises=sheet)
    assert control(lab, "place")["text"] == "1 / 29 · 0 solved" and control(lab, "before")["disabled"]
    use(page, "next", "next")
    assert control(lab, "exercise")["value"] == "3"
    use(page, "before")
    page("answer", answer=next(sheet.exercise(2).solutions()))
    assert control(lab, "place")["text"] == "2 / 29 · 1 solved"
    assert ["2", "✓ 2. A triad in words"] in control(lab, "exercise")["options"]
    use(page, "exercise", value="29")
    use(page, "next")
    assert control(lab, "next")["disabled"] and control(lab, "exercise")["value"] == "30"
    assert lab.picture["title"] == "Summary: 1 of 29 exercises solved" and lab.picture["nodes"] == []
    assert lab.why["copy"]["text"] == sheet.report().line
    assert [row[2] for row in lab.why["table"]["rows"]] == ["", "✓"] + 27 * [""]
    use(page, "exercise", value=lab.why["actions"][0]["content"]["value"])
    assert lab.picture["title"].startswith("Exercise 1:")
    use(page, "exercise", value="0")
    assert lab.why["title"] == "Verdict"
    for name, number in (("before", "1"), ("next", "2")):
        use(page, name)
        assert control(lab, "exercise")["value"] == number


def test_a_node_chosen_in_one_exercise_is_not_chosen_in_the_next():
    lab, page = lab_of(exercises=Sheet(seed=5), exercise=25)
    page("select", keys=["n0"])
    use(page, "next")
    page("select", keys=["n1"])  # two clicks draw an edge, one does not
    assert not lab.graph.edges and lab.selected == ["n1"]
    far = [(node["x"] ** 2 + node["y"] ** 2) ** 0.5 for node in lab.picture["nodes"]]
    assert 0 < max(far) < min(far) + 1  # nodes without edges stand on a circle


def test_solved_stays_solved_and_what_was_begun_is_kept():
    sheet = Sheet(seed=5)
    lab, page = lab_of(exercises=sheet, exercise=14)
    answer_as_a_page_would(lab, page, sheet.exercise(14), next(sheet.exercise(14).solutions()))
    said = lab.why["grade"], lab.why["facts"], lab.why["highlight"]
    use(page, "exercise", value="26")
    for key in keys(lab, *list(lab.graph)[:2]):
        page("select", keys=[key])
    assert len(lab.graph.edges) == 1
    use(page, "exercise", value="14")
    assert lab.why["done"] == "✓ solved at try 1" and lab.why["actions"][-1]["text"] == "Next ›"
    assert (lab.why["grade"], lab.why["facts"], lab.why["highlight"]) == said
    page("answer")  # practice
    use(page, "clear")
    page("answer")
    assert (lab.why["grade"]["badge"], lab.why["done"]) == ("not yet", "✓ solved at try 1")
    use(page, "exercise", value="26")
    assert len(lab.graph.edges) == 1
    use(page, "clear")
    assert not lab.graph.edges
    other, _ = lab_of(exercises=Sheet.from_json(sheet.to_json()), exercise=14)  # on another day
    assert other.why["done"] == "✓ solved at try 1" and "grade" not in other.why


@pytest.mark.parametrize("number", [1, 8, 10, 14, 17, 21, 25, 27])
def test_a_solution_is_shown_after_three_wrong_tries(number):
    sheet = Sheet(seed=5)
    lab, page = lab_of(exercises=sheet, exercise=number)
    one = sheet.exercise(number)
    wrong = next((choice for choice in one.choices if not one.grade(choice)), "77")
    solve = {"intent": "control", "name": "solve", "value": True}
    for _ in range(3):
        assert "Show a solution" not in [action["text"] for action in lab.why["actions"]]
        assert page.send(solve) != []  # not yet: it is in the log
        page("answer", answer=wrong)
    assert "Show a solution" in [action["text"] for action in lab.why["actions"]]
    assert page.send(solve) == []
    assert (lab.why["grade"]["badge"], lab.why["done"]) == ("right", "solution shown")
    page("answer", answer=lab._work.now.typed or None)  # what is on the table is a right answer
    assert lab.why["grade"]["badge"] == "right"
    assert not sheet.progress(number).solved and sheet.progress(number).tries == 3


def test_edges_are_taken_away_by_a_click_and_come_back_with_their_sign():
    lab, page = lab_of(exercises=Sheet(seed=5), exercise=21)
    page("answer")
    assert "grade" in lab.why
    before = signs(lab.graph)
    for pair, sign in before.items():
        click(lab, page, *pair)
        assert signs(lab.graph) == {other: s for other, s in before.items() if other != pair}
        assert "grade" not in lab.why  # it goes when the answer changes
        for key in keys(lab, *pair):
            page("select", keys=[key])
        assert signs(lab.graph)[pair] == sign
    use(page, "exercise", value="9")
    page("answer", answer="A")
    assert "grade" in lab.why
    page("select", keys=["n0"])
    assert "grade" not in lab.why
    use(page, "exercise", value="29")
    for sign in (-1, 1, -1):  # signs turn, and no edge goes
        page("edge", id=lab.picture["edges"][0]["id"])
        assert lab.picture["edges"][0]["sign"] == sign


@pytest.mark.parametrize("number, wrong", [(8, range(-1, 9)), (13, ("+", "−", "either"))])
def test_a_wrong_answer_marks_a_triad_or_cycle_in_the_picture(number, wrong):
    marked = 0
    for seed in range(4):
        lab, page = lab_of(exercises=Sheet(seed=seed), exercise=number)
        for answer in wrong:
            page("answer", answer=str(answer))
            text, right = lab.why["grade"]["text"], lab.why["grade"]["badge"] == "right"
            if "does no other" in text or (right and (number == 8 or "neither" in text)):
                continue  # nothing is unbalanced
            ring = nx.Graph([mark[:2] for mark in lab.why["highlight"]["halo"]])
            assert all(degree == 2 for _, degree in ring.degree) and nx.is_connected(ring), lab.why
            marked += 1
    assert marked >= 6


def test_the_sentences_of_an_exercise_can_be_read():
    lab, page = lab_of(exercises=Sheet(seed=5), exercise=24)
    texts = [text for _, text in lab.graph.nodes(data="text")]
    assert ["".join(part for part, _ in one["texts"][0]) for one in lab.why["pairs"]] == texts
    assert [one["number"] for one in lab.why["pairs"]] == [node["number"] for node in lab.picture["nodes"]]
    page("show", key=lab.why["pairs"][1]["keys"][0])
    assert lab.selected == lab.why["pairs"][1]["keys"]
    edge = lab.picture["edges"][0]
    page("edge", id=edge["id"])
    number = {node["key"]: node["number"] for node in lab.picture["nodes"]}
    assert dict(lab.why["facts"])["chosen"] == "–".join(sorted(str(number[edge[end]]) for end in ("from", "to")))


LONG = "Which of the many kinds of cheese that they sell on the market is the one made of {} milk?".format


CAPTIONS = [
    ([LONG("goat"), LONG("cow"), LONG("sheep")], ["goat", "cow", "sheep"]),
    ([LONG("goat"), LONG("cow"), LONG("cow"), LONG("cow")], ["goat", "cow", "cow", "cow"]),
    (["Is it open?", "is IT open!"], ["Is it open?", "is IT open!"]), (["", "one"], ["", "one"]),
    (["a b c d e", "a B c x e"], ["d", "x"]), (["b red a two", "b green a four"], ["red … two", "green … four"]),
    (["Is it not open?", "Is it open?", "is it now open"], ["not", "Is it open?", "now"]),
]  # fmt: skip
#: What is marked: words that differ where others are shared.
MARKS = [
    (["Is it open today?", "Is it closed today?"], [["open"], ["closed"]]),
    (["Is it open?", "When do they close?"], [[], []]), (["", "open"], [[], []]),
]  # fmt: skip


def test_words_that_set_a_sentence_apart_name_its_node_and_are_marked_in_the_list():
    def graph(texts):
        nodes = nx.Graph()
        nodes.add_nodes_from((i, {"text": text}) for i, text in enumerate(texts))
        return nodes

    for texts, captions in CAPTIONS:
        nodes = lab_of(graph(texts))[0].picture["nodes"]
        assert [node["label"].replace("\n", " ") for node in nodes] == captions
        assert [node["number"] for node in nodes] == list(range(1, len(texts) + 1))
    for texts, marks in MARKS:
        entries = picture.listed(graph(texts), {0: "n0", 1: "n1"})
        assert [[part for part, marked in one["texts"][0] if marked] for one in entries] == marks
        assert ["".join(part for part, _ in one["texts"][0]) for one in entries] == texts
