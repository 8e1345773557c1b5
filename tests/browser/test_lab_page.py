"""The Lab as one page: its verdicts and grades are Python's, and a class can work with it."""

import itertools
import json
from random import Random

import networkx as nx
import pytest

import paragraph as pg
from paragraph.balance import EXERCISES, Sheet, balance, census, exercise, shortest_unbalanced_cycle
from paragraph.balance.exercises.sketch import steps
from paragraph.widgets.lab import page as lab_page
from paragraph.widgets.lab.board import Board

from .. import hostile

NUMBERS = range(1, len(EXERCISES) + 1)


@pytest.fixture
def judge(visit):
    """A page that holds the kernel's pure functions."""
    parts = (path.read_text(encoding="utf-8") for path in lab_page.KERNEL[:2])
    seen = visit(f"<script>{''.join(parts)}</script>")
    yield seen.page.evaluate
    seen.assert_quiet()


def signed_graph(rng, kind):
    """2 to 16 nodes, some of them not connected; of a kind "strong" or "weak" with camps that every edge fits."""
    n, density = rng.randint(2, 16), rng.choice([0.1, 0.2, 0.4, 0.8])
    camp = [rng.randrange(2 if kind == "strong" else 5) for _ in range(n)]
    graph = nx.empty_graph(n)
    for a, b in rng.sample(pairs := list(itertools.combinations(range(n), 2)), round(density * len(pairs))):
        sign = 1 if camp[a] == camp[b] else -1
        graph.add_edge(*rng.sample((a, b), 2), sign=sign if kind != "any" else rng.choice([1, -1]))
    return graph


@pytest.mark.parametrize("many", [1_000, pytest.param(10_000, marks=pytest.mark.long)])
def test_verdicts_camps_cycles_and_triads_are_pythons(judge, many):
    rng = Random(many)
    graphs = [signed_graph(rng, ("strong", "weak", "any", "any")[number % 4]) for number in range(many)]
    given = [[len(graph), list(graph.edges(data="sign"))] for graph in graphs]
    found = judge(
        """(given) => given.map(([n, edges]) => {
            const graph = graphOf(n, edges);
            const both = (kind) => [judgeBalance(graph, kind), shortestUnbalanced(graph, kind)];
            return { triads: countTriads(graph), strong: both("strong"), weak: both("weak") };
        })""",
        given,
    )
    verdicts = set()
    for graph, said in zip(graphs, found, strict=True):
        assert said["triads"] == census(graph).tolist()
        for kind in ("strong", "weak"):
            own, (verdict, shortest) = balance(graph, kind), said[kind]
            assert [verdict[name] for name in ("balanced", "cycle")] == [own.balanced, own.cycle]
            assert verdict["camps"] == own.camps.tolist()
            best = shortest_unbalanced_cycle(graph, kind)
            assert (shortest is None) == (best is None) == own.balanced
            if best:
                assert len(shortest) == len(set(shortest)) == len(best)
                signs = [graph.edges[step]["sign"] for step in steps(shortest)]  # each step is an edge
                assert signs.count(-1) % 2 == 1 if kind == "strong" else (signs.count(-1), signs[-1]) == (1, -1)
        verdicts.add((bool(balance(graph)), bool(balance(graph, "weak"))))
    assert verdicts == {(True, True), (False, True), (False, False)}


def answers_to(one, rng):
    """Right, wrong and malformed answers that the page can give: texts, or edges by the places of their nodes."""
    nodes, edges, right = list(one.graph), list(one.graph.edges), next(one.solutions())
    spot = {node: place for place, node in enumerate(nodes)}
    if one.kind in ("choice", "number"):
        odd = ["maybe", "", "x" * 40, "two words", "1e3", "9" * 12, "−", f" {right}\n", "+2", "é🫠"]
        return [*one.choices, *odd, *(map(str, range(-3, right + 15)) if one.kind == "number" else [])]
    if one.kind == "camps":
        lists = [sorted(camp) for camp in right]
        moved = [[*camp] for camp in lists]
        moved[0].append(moved[1].pop())
        friends = nx.Graph((a, b) for a, b, sign in one.graph.edges(data="sign") if sign > 0)
        finest = [*map(sorted, nx.connected_components(friends)), *([node] for node in nodes if node not in friends)]
        camps = [finest, lists, lists[::-1], moved, [nodes], [[node] for node in nodes]]
        camps += [lists[:-1], [*lists, nodes[:1]], [["?"]]]
        return ["", "|", "A A | B", *(" | ".join(map(" ".join, some)) for some in camps)]
    if one.kind == "graph":
        shown, drawn = (list(graph.edges(data="sign")) for graph in (one.graph, right))
        every = [drawn, shown]
        for start, _ in itertools.product((drawn, shown), range(12)):
            graph = nx.Graph()
            graph.add_nodes_from(nodes)
            graph.add_weighted_edges_from(start, weight="sign")
            for _ in range(rng.randint(1, 3)):
                a, b = rng.choice(edges) if one.touch == "turn" else rng.sample(nodes, 2)
                if one.touch != "turn" and graph.has_edge(a, b) and rng.random() < 0.6:
                    graph.remove_edge(a, b)
                elif rng.random() < 0.7 or start is drawn:
                    kept = one.graph.has_edge(a, b) and one.touch == "away"  # back as it was
                    graph.add_edge(a, b, sign=one.graph.edges[a, b]["sign"] if kept else rng.choice([1, -1]))
            every.append(list(graph.edges(data="sign")))
        return [[[spot[a], spot[b], sign] for a, b, sign in some] for some in every]
    right = steps(right) if one.kind == "cycle" else list(right)
    some = [rng.sample(edges, rng.randint(1, len(edges))) for _ in range(12)]
    some += [list(cycle) for cycle in map(steps, itertools.islice(nx.simple_cycles(one.graph), 8))]
    some += [right, right[1:], []]
    return [[sorted((spot[a], spot[b])) for a, b in one_of] for one_of in some]


def grade_in_python(one, answer):
    """The grade of an answer as `answers_to` writes it."""
    nodes = list(one.graph)
    named = lambda place: nodes[place] if isinstance(place, int) else place  # noqa: E731
    if one.kind == "camps":
        answer = [list(dict.fromkeys(part.split())) for part in answer.split("|")]
    elif one.kind == "graph":
        graph = nx.empty_graph(nodes)
        graph.add_weighted_edges_from([(named(a), named(b), sign) for a, b, sign in answer], weight="sign")
        answer = graph
    elif one.kind not in ("choice", "number"):
        answer = [(named(a), named(b)) for a, b in answer]
    grade = one.grade(answer)
    spot = {node: place for place, node in enumerate(nodes)}
    marks = [[spot[a], spot[b], sign] for a, b, sign in grade.marks]
    return {"correct": grade.correct, "message": grade.message, "marks": marks}


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.long)], ids=len)
def test_answers_are_graded_as_in_python(judge, seeds):
    """Every exercise: right, wrong and malformed answers get the same verdict, message and marks."""
    board, wrong = Board(), []
    for number, seed in itertools.product(NUMBERS, seeds):
        one, row = exercise(number, seed), EXERCISES[number - 1]
        given, answers = lab_page._exercise(board, one), answers_to(one, Random(seed))
        given |= {"n": len(one.graph), "kind": row.kind, "choices": row.choices}
        grades = judge("([one, answers]) => answers.map((answer) => gradeAnswer(one, answer))", [given, answers])
        own = [grade_in_python(one, answer) for answer in answers]
        assert {grade["correct"] for grade in own} == {True, False}, row.title
        wrong += [
            (row.title, seed, answer, got, had)
            for answer, got, had in zip(answers, grades, own, strict=True)
            if got != had
        ]
    assert wrong == []


# -- the page ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The page with two sheets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_page, "SHEETS", 2)
        return pg.TriadLab().save(tmp_path_factory.mktemp("page") / "lab.html")


class Pupil:
    """Someone at the page."""

    def __init__(self, seen):
        self.seen, self.page = seen, seen.page
        self.page.wait_for_selector(".pg-bench[data-why]")

    def begin(self, name):
        self.page.fill("[name=pupil]", name)
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("[data-control=exercise]")

    def send(self, intent, **content):
        """Send an intent; return what the page then shows as the traits `why` and `picture`."""
        return self.page.evaluate(
            """async (message) => {
                const { model } = document.querySelector(".pg-bench").bench;
                model.send({ ...message, n: 0 });
                await new Promise((done) => setTimeout(done));
                return [model.get("why"), model.get("picture")];
            }""",
            {"intent": intent, **content},
        )

    def go(self, number):
        self.page.select_option("[data-control=exercise]", str(number))

    def push(self, text):
        self.page.get_by_role("button", name=text, exact=True).first.click()

    def hand_in(self, folder):
        """Save the file to hand in; return its path, and what it holds."""
        with self.page.expect_download() as download:
            self.push("Save the file to hand in")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path, json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def pupil(visit, saved):
    seen = visit(saved)
    yield Pupil(seen)
    seen.assert_quiet()


def intents(one, answer):
    """What a person does to give an answer, as `answers_to` writes it."""
    if isinstance(answer, str):
        return [("answer", {"answer": answer})]
    nodes, done = list(one.graph), []
    shown = {frozenset((nodes.index(a), nodes.index(b))): sign for a, b, sign in one.graph.edges(data="sign")}
    click = lambda a, b: ("edge", {"id": f"en{min(a, b)}-n{max(a, b)}"})  # noqa: E731
    for a, b, *sign in answer:
        if frozenset((a, b)) not in shown:
            done += [("select", {"keys": [f"n{node}"]}) for node in (a, b)] + [click(a, b)] * (sign == [-1])
        elif not sign or shown[frozenset((a, b))] != sign[0]:
            done.append(click(a, b))
    if one.kind == "graph":
        done += [click(*pair) for pair in shown if pair not in [frozenset(edge[:2]) for edge in answer]]
    return [*done, ("answer", {})]


def plain(why, picture):
    """Both traits without counters, and without the order of what is marked."""
    why, picture = json.loads(json.dumps([why, picture]))
    if marks := why.get("highlight"):
        marks["nodes"].sort()
        marks["edges"] = sorted(map(sorted, marks["edges"]))
        marks["halo"] = sorted([*sorted(pair), sign] for *pair, sign in marks.get("halo") or [])
    for node in picture["nodes"]:  # what only the page keeps there
        for name in ("named", "short", "sentence"):
            node.pop(name, None)
    return {**why, "n": 0}, {**picture, "scene": 0}


@pytest.mark.parametrize("numbers", [NUMBERS[::4], pytest.param(NUMBERS, marks=pytest.mark.long)], ids=len)
def test_the_page_answers_as_the_python_lab_does(pupil, numbers, tmp_path):
    """A wrong answer, a hint, a solution, the right answer, the summary: panel and picture are equal after each."""
    pupil.begin("Ada")
    seed = pupil.hand_in(tmp_path)[1]["seed"]
    lab = pg.TriadLab(exercises=Sheet(seed, "Ada"))

    def both(intent, **content):
        lab._answer(None, {"intent": intent, "n": 1, **content}, None)
        (said, drawn), (own, ours) = plain(*pupil.send(intent, **content)), plain(lab.why, lab.picture)
        if lab._work.summary:
            assert said["actions"].pop()["text"] == "Save the file to hand in"
            del own["note"]
        for node in drawn["nodes"] + ours["nodes"] if content.get("name") == "solve" else ():
            del node["x"], node["y"]  # in the page, a solution is drawn where the graph stood
        assert (said, drawn) == (own, ours)

    for number in numbers:
        one = exercise(number, seed)
        answers = [answer for answer in answers_to(one, Random(1)) if answer and "?" not in str(answer)]
        right = {True: [], False: []}
        for answer in answers:
            right[grade_in_python(one, answer)["correct"]].append(answer)
        both("control", name="exercise", value=str(number))
        for node in "00011120" if one.kind == "camps" else "":  # by clicks, from camp to camp
            both("select", keys=[f"n{node}"])
        for answer in [*right[False][-3:], None, None, None]:
            for intent, content in intents(one, answer) if answer else [("answer", {"answer": "?"})]:
                both(intent, **content)
            both("hint")
            both("control", name="clear", value=True)
        both("answer", answer="?")
        both("control", name="solve", value=True)
        both("control", name="clear", value=True)
        for intent, content in intents(one, right[True][0]):
            both(intent, **content)
    both("control", name="exercise", value="30")


def test_a_pupil_errs_goes_on_tomorrow_and_hands_in(pupil, tmp_path):
    page = pupil.page
    pupil.begin("  Ada L. ")
    _, record = pupil.hand_in(tmp_path)
    one = exercise(1, record["seed"])
    right = next(one.solutions())
    pupil.push(next(choice for choice in one.choices if choice != right))
    assert page.inner_text(".pg-grade .pg-badge") == "not yet"
    pupil.push("Hint 1 of 3")
    assert page.inner_text(".pg-hints") == one.hints[0]
    pupil.push(right)
    assert page.inner_text(".pg-grade .pg-badge") == "right"
    page.locator(".pg-bench").focus()
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".pg-title") == "Exercise 2: A triad in words"
    page.reload()
    assert page.input_value("[name=pupil]") == "Ada L."
    pupil.begin("Bo")  # the work of no one else is shown
    assert "1 / 29 · 0 solved" in page.inner_text(".pg-count")
    pupil.begin("Ada L.")
    assert "2 / 29 · 1 solved" in page.inner_text(".pg-count")
    path, record = pupil.hand_in(tmp_path)
    assert (path.name, record["student"]) == ("lab-Ada-L-.json", "Ada L.")
    columns = ["student", "solved", "first_right", "tries", "hints", 1, 2]
    assert pg.balance.summaries(tmp_path)[columns].values.tolist() == [["Ada L.", 1, 0, 2, 1, "✓", ""]]
    sheet = Sheet.from_json(path.read_text(encoding="utf-8"))
    pupil.go(30)
    assert page.input_value(".pg-copy") == sheet.report().line


def test_free_play_gives_verdicts(pupil):
    page = pupil.page
    page.select_option("[data-control=start]", "triad ++-")
    why, picture = pupil.send("ready")
    assert [said[0] for _, said in why["facts"][:2]] == ["✗", "✗"]
    assert dict(why["facts"])["triads"] == "+++: 0, ++−: 1, +−−: 0, −−−: 0"
    negative = next(edge["id"] for edge in picture["edges"] if edge["sign"] < 0)
    page.mouse.click(*page.evaluate("(id) => document.querySelector('.pg-bench').bench.spotOf(id)", negative))
    page.wait_for_function("document.querySelector('.pg-facts').textContent.includes('+++: 1')")
    page.locator(".pg-bench").focus()
    page.keyboard.press("u")
    assert dict(pupil.send("ready")[0]["facts"])["weak balance"] == "✗ not balanced"


@pytest.mark.parametrize("width", [1400, 390])
def test_hostile_names_and_sentences_stay_text_and_nothing_is_too_wide(visit, tmp_path, monkeypatch, width):
    monkeypatch.setattr(lab_page, "SHEETS", 1)
    lab = pg.TriadLab(exercises=Sheet(7, graph=hostile.graph()))
    seen = visit(lab.save(tmp_path / "lab.html"), width=width)
    pupil = Pupil(seen)
    for name in hostile.SENTENCES:
        pupil.begin(name)
        for number in (7, 24, 25):
            pupil.go(number)
            pupil.push("Hint 1 of 3")
            assert pupil.page.locator(".pg-pairs .pg-sentence").count() >= 3
        pupil.go(30)
        assert pupil.page.input_value(".pg-copy")[:6] == " ".join(name.split())[:6]
        assert pupil.page.evaluate("document.documentElement.scrollWidth") <= width
    seen.assert_quiet()


def test_without_storage_it_works(pupil):
    refused = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })"
    pupil.page.add_init_script(refused)
    pupil.page.reload()
    pupil.begin("Ada")
    pupil.go(3)
    assert "3 / 29" in pupil.page.inner_text(".pg-count")
