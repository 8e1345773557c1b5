"""The Triad Lab in a real JupyterLab: click an edge, play dynamics, solve an exercise wrongly and rightly."""

import pytest

from .conftest import Visit
from .lab import PATIENCE

SETUP = "import paragraph as pg\nfrom paragraph.balance.exercises import Sheet"


@pytest.fixture
def table(lab, chromium):
    """``table(code)`` shows ``lab = <code>`` and gives the notebook and what its page does."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)

    def open_lab(code):
        seen = Visit(context.new_page())
        notebook = lab.notebook(seen.page, [SETUP, f"lab = {code}\nlab"], name="lab.ipynb")
        notebook.run_all()
        seen.page.wait_for_selector(".pg-bench[data-scene]")
        notebook.idle()
        seen.page.evaluate("document.querySelector('.pg-bench').scrollIntoView({ block: 'center' })")
        return notebook, seen

    yield open_lab
    context.close()


def click_edge(page, a, b):
    """Click the middle of the edge between two labels."""
    spot = page.evaluate(
        """([a, b]) => {
            const { shown, visible, spotOf } = document.querySelector(".pg-bench").bench;
            const [p, q] = [a, b].map((text) => shown().find((node) => node.text === text).key);
            const joins = (line) => [line.from, line.to].includes(p) && [line.from, line.to].includes(q);
            return spotOf(visible().find(joins).id);
        }""",
        [a, b],
    )
    settled(page, lambda: page.mouse.click(*spot))


def settled(page, act):
    """Do something, and wait until Python has answered and the panel shows it."""
    before = int(page.get_attribute(".pg-bench", "data-why"))
    act()
    page.wait_for_function("(n) => Number(document.querySelector('.pg-bench').dataset.why) > n", arg=before)


def facts(page):
    names, values = (page.locator(f".pg-facts {tag}").all_inner_texts() for tag in ("dt", "dd"))
    return dict(zip(names, values, strict=True))


def test_an_edge_clicked_turns_and_the_verdicts_follow(table):
    notebook, seen = table("pg.TriadLab('triad ++-')")
    page = seen.page
    assert facts(page)["weak balance"].startswith("✗")
    click_edge(page, "A", "C")
    assert facts(page)["strong balance"].startswith("✓")
    assert notebook.ask("[bool(lab.verdicts['weak']), lab.graph.edges['A', 'C']['sign']]") == [True, 1]
    settled(page, lambda: page.keyboard.press("u"))
    assert facts(page)["weak balance"].startswith("✗") and notebook.ask("lab.history") == []
    assert page.locator(".jp-CodeCell").count() == 2  # no shortcut of the notebook's fired
    assert seen.ran() == []


def test_dynamics_play_forward_and_back(table):
    notebook, seen = table("pg.TriadLab('highland tribes', seed=1)")
    page = seen.page
    before = notebook.ask("sorted((a, b, s) for a, b, s in lab.graph.edges(data='sign'))")
    for _ in range(3):
        settled(page, page.locator("[data-control=step]").click)
    assert page.locator(".pg-chart polyline").get_attribute("points").count(",") == 4
    for _ in range(3):
        settled(page, page.locator("[data-control=back]").click)
    assert notebook.ask("sorted((a, b, s) for a, b, s in lab.graph.edges(data='sign'))") == before


def test_an_exercise_wrongly_and_rightly(table):
    notebook, seen = table("pg.TriadLab(exercises=Sheet(seed=7))")
    page = seen.page
    right = notebook.ask("next(iter(lab.sheet.exercise(1).solutions()))")
    wrong = next(text for text in ("+++", "++-", "+--", "---") if text != right)
    settled(page, page.locator(".pg-action", has_text=wrong).click)
    assert page.locator(".pg-badge").inner_text() == "not yet"
    settled(page, page.locator(".pg-action", has_text=right).click)
    assert page.locator(".pg-badge").inner_text() == "right"
    settled(page, lambda: page.locator("[data-control=exercise]").select_option("14"))
    cycle = notebook.ask("list(next(iter(lab.sheet.exercise(14).solutions())))")
    for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        click_edge(page, a, b)
    settled(page, page.locator(".pg-action", has_text="Check").click)
    assert page.locator(".pg-badge").inner_text() == "right"
    report = notebook.ask("lab.sheet.report().query('tries > 0')[['number', 'tries', 'solved']].values.tolist()")
    assert report == [[1, 2, True], [14, 1, True]]


def test_the_class_votes_before_the_verdict_shows(table):
    _, seen = table("pg.TriadLab('triad ---')")
    page = seen.page
    settled(page, page.locator("[data-control=hide]").check)
    assert page.locator(".pg-facts").count() == 0
    settled(page, page.locator(".pg-action", has_text="strong: balanced").click)
    assert page.locator(".pg-action", has_text="strong: balanced").inner_text() == "strong: balanced (1)"
    settled(page, page.locator(".pg-action", has_text="Reveal").click)
    assert facts(page)["strong balance"].startswith("✗") and facts(page)["weak balance"].startswith("✓")
