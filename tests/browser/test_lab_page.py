"""The Lab as one page, without Python: exercises, free play, the vote, dynamics, and what pupils hand in."""

import itertools
import math
import re

import pytest

import paragraph as pg
from paragraph.balance import balance
from paragraph.lesson import EXERCISES, Sheet
from paragraph.lesson.lab import contents as lab_file

from .. import hostile
from ..reference import graph_of
from .pupil import Pupil, wrong_and_right

NUMBERS = range(1, len(EXERCISES) + 1)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_file, "SHEETS", 2)
        return pg.TriadLab().save(tmp_path_factory.mktemp("page") / "lab.html")


@pytest.fixture
def pupil(visit, saved):
    seen = visit(saved)
    yield Pupil(seen)
    seen.assert_quiet()


@pytest.mark.parametrize("width", [390, pytest.param(1400, marks=pytest.mark.long)])
@pytest.mark.parametrize("numbers", [NUMBERS[::4], pytest.param(NUMBERS, marks=pytest.mark.long)], ids=len)
def test_exercises_are_answered_wrongly_and_rightly(visit, saved, numbers, width, tmp_path):
    """By clicks and keys; three wrong tries bring a solution, which is right, and what is handed in says so."""
    pupil = Pupil(visit(saved, width=width))
    page = pupil.page
    pupil.begin("Ada")
    sheet = Sheet(pupil.hand_in(tmp_path)[1]["seed"], "Ada")
    for number in numbers:
        one = sheet.exercise(number)
        wrong, right = wrong_and_right(one)
        pupil.go(number)
        assert one.question in page.inner_text(".pg-why")
        page.click("text=Hint 1 of")
        assert page.inner_text(".pg-hints") == one.hints[0]
        for tries in range(3):
            assert page.get_by_text("Show a solution").count() == 0, tries
            pupil.answer(one, wrong)
            assert page.inner_text(".pg-grade .pg-badge") == "not yet"
        if number % 2:
            page.click("text=Show a solution")
            assert page.inner_text(".pg-badge-right >> nth=0") == "solution shown"
        else:
            pupil.restart()
            pupil.answer(one, right)
            assert page.inner_text(".pg-badge-right >> nth=0") == "✓ solved on try 4"
        assert page.inner_text(".pg-grade .pg-badge") == "right"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sheet.keep(number, tries=3 if number % 2 else 4, hints=1, solved=number % 2 == 0, shown=number % 2 == 1)
    path, _ = pupil.hand_in(tmp_path)
    handed_in = Sheet.from_json(path.read_text(encoding="utf-8"))
    assert handed_in.report().equals(sheet.report())
    assert page.inner_text(".pg-count") == f"{number} / {len(EXERCISES)} · {len(sheet.solved)} solved"
    pupil.seen.assert_quiet()


def test_a_pupil_errs_goes_on_tomorrow_and_hands_in(pupil, tmp_path):
    page = pupil.page
    pupil.begin("  Ada L. ")
    one = Sheet(pupil.hand_in(tmp_path)[1]["seed"]).exercise(1)
    wrong, right = wrong_and_right(one)
    for answer in (wrong, right, wrong):  # the last is practice
        pupil.answer(one, answer)
    pupil.press("ArrowRight")
    assert page.inner_text(".pg-title") == "Exercise 2: A triad in words"
    page.reload()
    assert page.input_value("[name=pupil]") == "Ada L."
    pupil.begin("Bo")  # the work of no one else is shown
    assert f"1 / {len(EXERCISES)} · 0 solved" in page.inner_text(".pg-count")
    pupil.begin("Ada L.")
    assert f"2 / {len(EXERCISES)} · 1 solved" in page.inner_text(".pg-count")
    path, record = pupil.hand_in(tmp_path)
    assert (path.name, record["student"]) == ("lab-Ada-L-.json", "Ada L.")
    columns = ["student", "solved", "first_right", "tries", 1, 2]
    assert pg.lesson.summaries(tmp_path)[columns].values.tolist() == [["Ada L.", 1, 0, 2, "✓", ""]]


def test_what_was_begun_is_kept_and_solved_stays_solved(pupil, tmp_path):
    pupil.begin("Ada")
    one = Sheet(pupil.hand_in(tmp_path)[1]["seed"]).exercise(14)
    wrong, right = wrong_and_right(one)
    pupil.go(14)
    pupil.answer(one, right)
    said = pupil.trait("why")["facts"]
    pupil.go(26)  # signs are turned
    before = pupil.edges
    pupil.click(before[0]["id"])
    pupil.go(14)
    assert pupil.trait("why")["facts"] == said and pupil.trait("why")["grade"]["badge"] == "right"
    pupil.restart()
    pupil.answer(one, wrong)
    assert pupil.trait("why")["done"] == "✓ solved on try 1" and pupil.trait("why")["grade"]["badge"] == "not yet"
    pupil.go(26)
    assert [edge["sign"] for edge in pupil.edges] == [-before[0]["sign"], *(edge["sign"] for edge in before[1:])]
    pupil.begin("Bo")  # the next one begins with an exercise as it is
    pupil.go(26)
    sheet = Sheet(pupil.hand_in(tmp_path)[1]["seed"])
    assert [edge["sign"] for edge in pupil.edges] == [s for *_, s in sheet.exercise(26).graph.edges(data="sign")]


def test_free_play_with_a_graph_of_ones_own(pupil):
    pupil.start("triad ++-")
    assert [said[0] for _, said in pupil.trait("why")["facts"][:2]] == ["✗", "✗"]
    pupil.click(next(edge["id"] for edge in pupil.edges if edge["sign"] < 0))
    assert "+++: 1" in pupil.facts()["triads"]
    pupil.press("u")
    assert pupil.facts()["weak balance"] == "✗ not balanced"
    pupil.press("i")  # a node, which is joined by two clicks; a line goes round + − none
    pupil.click("n3")
    pupil.click("n0")
    for signs in ([-1], []):
        pupil.click("en3-n0")
        assert pupil.signs("n3") == signs
    pupil.click("n1")
    pupil.press("Delete")
    assert pupil.texts() == ["A", "C", "D"] and len(pupil.edges) == 1
    pupil.press(*"uuuuu")
    assert pupil.texts() == ["A", "B", "C"] and len(pupil.edges) == 3
    assert pupil.page.locator("[data-control=undo]").is_disabled()


def test_the_verdict_waits_for_the_prediction(pupil):
    page = pupil.page
    pupil.start("pentagon of enemies")
    assert "not strongly balanced" in page.inner_text(".pg-note")
    page.check("[data-control=hide]")
    assert page.locator(".pg-facts").count() == 0 and not any("camp" in one for one in pupil.nodes)
    assert page.inner_text(".pg-note") == "" and page.inner_text(".pg-title").startswith("What do you predict?")
    for vote in ("neither", "weakly balanced"):  # one answer, which may change
        page.get_by_text(vote, exact=True).click()
        assert page.locator("[aria-pressed=true]").all_inner_texts() == [vote]
    pupil.press(".")  # dynamics says nothing either
    assert page.inner_text(".pg-note") == ""
    page.locator("[data-control=reveal]").click()
    facts = pupil.facts()
    assert facts["strong balance"] == "✗ not balanced" and facts["weak balance"].startswith("✓ balanced")
    assert facts["you said"] == "weakly balanced ✓"
    pupil.start("triad ---")  # every graph is voted on anew
    assert page.locator(".pg-facts").count() == 0 and page.is_checked("[data-control=hide]")
    pupil.press("r")
    pupil.click(pupil.edges[0]["id"])  # once it is revealed the class may go on
    assert pupil.facts()["strong balance"] == "✓ balanced, 2 camps"


def test_dynamics_goes_forward_and_is_taken_back(pupil):
    page = pupil.page
    pupil.start("highland tribes")
    before = pupil.edges
    rows = [row[1:] for row in lab_file.HELP["keys"]]
    for button in pupil.trait("controls"):  # each hint is of the table of keys
        if "key" in button:
            keys, shown, means = next(row for row in rows if button["key"] in row[0])
            at = keys.index(button["key"])
            assert button["hint"].casefold() == f"{means[at]} ({shown[at]})".casefold()
    pupil.press(*"...")
    after = pupil.edges
    pupil.press(*"uuu")
    assert pupil.edges == before != after
    pupil.press(*"...")  # the same again
    assert pupil.edges == after
    pupil.start("two camps")
    pupil.click(pupil.edges[0]["id"])
    page.select_option("[data-control=rule]", "constrained")
    pupil.press("p")
    assert "no triad is unbalanced" in page.inner_text(".pg-note")
    pupil.start("jammed")
    page.click("[data-control=play]")
    assert "Jammed:" in page.inner_text(".pg-note")


#: The lines to turn at each step of the story.
MENDS = [["AC"], ["AB"], ["CD"], ["AB", "CD"], ["AB"], ["BC"]]


def test_the_story_goes_on_when_nothing_itches_and_ends_in_the_lab(pupil):
    """Who sits on an unbalanced cycle frowns; the next step is open once all are at ease."""
    page = pupil.page
    for number, mends in enumerate(MENDS, 1):
        assert page.inner_text(".pg-why h3") == f"A story, {number} of {len(MENDS)}"
        for pair in mends:
            assert "☹" in {node["number"] for node in pupil.nodes} and page.locator(".pg-action").count() == 0
            pupil.click(pupil.line(*(f"p{'ABCDEF'.index(letter)}" for letter in pair)))
        assert {node["number"] for node in pupil.nodes} == {"☺"}
        page.click(".pg-action")
    assert page.inner_text(".pg-why h3") == "Verdict" and page.is_visible("[data-control=play]")
    pupil.start("a story")  # every Lab has it
    assert page.inner_text(".pg-why h3") == f"A story, 1 of {len(MENDS)}"


def test_nodes_that_are_added_have_room_and_no_line_means_both_verdicts(pupil):
    pupil.start("empty, for your own")
    for count in range(1, 9):
        pupil.press("i")
        spots = [(node["x"], node["y"]) for node in pupil.nodes]
        assert len(spots) == count
        assert all(math.dist(a, b) > 100 for a, b in itertools.combinations(spots, 2))
        if count == 3:
            assert len({x for x, _ in spots}) > 1 and len({y for _, y in spots}) > 1  # in no row
            facts = pupil.facts()
            assert facts["strong balance"] == "✓ balanced, 1 camp is enough"
            assert facts["weak balance"] == "✓ balanced, up to 3 camps"
    pupil.start("three camps")
    assert pupil.facts()["weak balance"] == "✓ balanced, 3 camps"


def test_a_cluster_of_a_dataset(visit, tmp_path, monkeypatch):
    monkeypatch.setattr(lab_file, "SHEETS", 1)
    graph = graph_of("a+b b+c a-c c+d")
    seen = visit(pg.TriadLab(graph, cluster=0).save(tmp_path / "lab.html"), width=390)
    pupil = Pupil(seen)
    assert pupil.texts() == graph.texts(graph.members(0))
    assert pupil.page.input_value("[data-control=start]") == "cluster 0"
    assert bool(balance(graph, "weak")) == pupil.facts()["weak balance"].startswith("✓")
    pupil.begin("Ada")
    tops = [pupil.page.locator(f"[data-control={name}]").bounding_box()["y"] for name in ("before", "next")]
    assert abs(tops[0] - tops[1]) < 4  # on one line, with the menu between them
    seen.assert_quiet()


@pytest.mark.parametrize("width", [390, pytest.param(1400, marks=pytest.mark.long)])
def test_hostile_names_and_sentences_stay_text_and_nothing_is_too_wide(visit, tmp_path, monkeypatch, width):
    monkeypatch.setattr(lab_file, "SHEETS", 1)
    lab = pg.TriadLab(exercises=Sheet(7, graph=hostile.graph()))
    seen = visit(lab.save(tmp_path / "lab.html"), width=width)
    pupil = Pupil(seen)
    pupil.begin("Ada")
    for number in (7, 22, 23):
        pupil.go(number)
        pupil.page.click("text=Hint 1 of 3")
        assert pupil.page.locator(".pg-pairs .pg-sentence").count() >= 3
        assert pupil.page.evaluate("document.documentElement.scrollWidth") <= width
    for name in hostile.SENTENCES:
        pupil.begin(name)
        assert pupil.page.evaluate("document.documentElement.scrollWidth") <= width
    seen.assert_quiet()


def test_without_storage_it_works(pupil):
    refused = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })"
    pupil.page.add_init_script(refused)
    pupil.page.reload()
    pupil.begin("Ada")
    pupil.go(3)
    assert f"3 / {len(EXERCISES)}" in pupil.page.inner_text(".pg-count")


REACH = """async () => {
    const root = document.querySelector(".pg-bench-live"), canvas = root.querySelector(".pg-canvas"), missed = [];
    const { model } = root.bench;
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    canvas.scrollIntoView({ block: "center" });
    const reached = (what, share) => {
        const spot = root.bench.spotOf(what, share), { left, top } = canvas.getBoundingClientRect();
        if (document.elementFromPoint(...spot) !== canvas) return false;
        const thing = root.bench.thingAt({ x: spot[0] - left, y: spot[1] - top });
        return [thing?.key, thing?.id].includes(what);
    };
    let exercises = 0;
    for (const sheet of SHEETS) {
        model.send({ intent: "begin", n: 0, student: "Ada", sheet, progress: {} });
        for (let number = 1; number <= NUMBERS; number += 1) {
            model.send({ intent: "control", n: 0, name: "exercise", value: String(number) });
            await drawn();
            const { nodes, edges } = model.get("picture");
            const shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
            for (const { key } of nodes) if (!reached(key)) missed.push([sheet, number, key]);
            for (const { id } of edges) if (!shares.some((one) => reached(id, one))) missed.push([sheet, number, id]);
            exercises += 1;
        }
    }
    return [exercises, missed];
}"""


@pytest.mark.parametrize("width", [360, *(pytest.param(width, marks=pytest.mark.long) for width in (390, 768))])
def test_each_node_and_each_line_of_each_exercise_can_be_tapped(visit, saved, width):
    """On phones, none lies under the buttons of the picture."""
    pupil = Pupil(visit(saved, width=width))
    pupil.begin("Ada")
    count = len(EXERCISES)
    code = REACH.replace("SHEETS", "[0, 1]").replace("NUMBERS", str(count))
    assert pupil.page.evaluate(code) == [2 * count, []]


def test_a_sheet_on_paper_takes_two_pages_of_each_pupil(visit, tmp_path):
    """With the key on one more; letters of nodes have 9 points or more, in a picture as wide as the text."""
    for sheets, most in (([Sheet(0)], 3), ([Sheet(0), Sheet(1)], 5)):
        page = visit(pg.lesson.write_sheets(sheets, tmp_path / "sheets.html")).page
        assert len(re.findall(rb"/Type /Page\b", page.pdf(prefer_css_page_size=True))) <= most
        wide = page.evaluate("[...document.querySelectorAll('svg')].map((one) => one.clientWidth)")
        assert min(wide) == max(wide) == page.evaluate("document.querySelector('section').clientWidth")
        assert {one.group(1) for one in re.finditer(r"font-size: (\d+)px", page.content())} == {"9"}
        natural = page.evaluate("document.querySelector('svg').viewBox.baseVal.width")  # points
        assert natural <= 182 / 25.4 * 72
