"""The Triad Lab in a real JupyterLab: click an edge, play dynamics, solve exercises, wait for a busy kernel."""

import pytest

from .conftest import Visit
from .lab import PATIENCE, SESSION

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


def click(page, *names):
    """Click a node, or the middle of the edge between two."""
    spot = page.evaluate(
        """(names) => {
            const { shown, visible, spotOf } = document.querySelector(".pg-bench").bench;
            const keys = names.map((name) => shown().find((node) => node.text === name).key);
            const joins = (line) => keys.includes(line.from) && keys.includes(line.to);
            return spotOf(keys.length > 1 ? visible().find(joins).id : keys[0]);
        }""",
        names,
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


def test_free_play(table):
    """Click an edge, play dynamics forward and back, vote before the verdict shows."""
    notebook, seen = table("pg.TriadLab('triad ++-')")
    page, tie = seen.page, "sorted((a, b, s) for a, b, s in lab.graph.edges(data='sign'))"
    push = lambda name: settled(page, page.locator(f"[data-control={name}]").click)  # noqa: E731
    assert facts(page)["weak balance"].startswith("✗")
    click(page, "A", "C")
    assert facts(page)["strong balance"].startswith("✓")
    assert notebook.ask("[bool(lab.verdicts['weak']), lab.graph.edges['A', 'C']['sign']]") == [True, 1]
    settled(page, lambda: page.keyboard.press("u"))
    assert facts(page)["weak balance"].startswith("✗") and notebook.ask("lab.history") == []
    assert page.locator(".jp-CodeCell").count() == 2  # no shortcut of the notebook's fired

    settled(page, lambda: notebook.ask("lab.lay('highland tribes')"))
    before = notebook.ask(tie)
    for name in ["step"] * 3:
        push(name)
    assert page.locator(".pg-chart polyline").get_attribute("points").count(",") == 4
    for name in ["back"] * 3:
        push(name)
    assert notebook.ask(tie) == before
    path = "nx.from_edgelist([(1, 2, {'sign': 1}), (2, 3, {'sign': -1})])"
    settled(page, lambda: notebook.ask(f"(nx := __import__('networkx'), lab.lay({path}))[1]"))
    push("play")
    assert page.locator(".pg-chart").count() == 0 and "no triad" in page.locator(".pg-note").inner_text()
    assert "NaN" not in page.locator(".pg-bench").inner_html()

    settled(page, lambda: page.locator("[data-control=start]").select_option("triad ---"))
    settled(page, page.locator("[data-control=hide]").check)
    assert page.locator(".pg-facts").count() == 0
    vote = page.locator(".pg-action", has_text="strong: balanced")
    settled(page, vote.click)
    assert vote.inner_text() == "strong: balanced (1)"
    settled(page, page.locator(".pg-action", has_text="Reveal").click)
    assert facts(page)["strong balance"].startswith("✗") and facts(page)["weak balance"].startswith("✓")
    assert seen.ran() == []


def goto(page, number):
    settled(page, lambda: page.locator("[data-control=exercise]").select_option(str(number)))


def answered(page, act):
    """Do something, and say how it was graded."""
    settled(page, act)
    return page.locator(".pg-grade .pg-badge").inner_text()


def test_exercises_wrongly_and_rightly_from_the_first_to_the_summary(table, has_color):
    notebook, seen = table("pg.TriadLab(exercises=Sheet(seed=7, student='Ada'))")
    page = seen.page
    place, why, canvas = page.locator(".pg-count"), page.locator(".pg-why"), page.locator(".pg-canvas")
    check = why.get_by_text("Check", exact=True).click
    solution = "next(iter(lab.sheet.exercise({}).solutions()))".format
    assert place.inner_text() == "1 / 29 · 0 solved" and page.locator("[data-control=before]").is_disabled()
    assert page.locator(".pg-legend").inner_text().split() == ["+", "positive", "−", "negative"]
    answer = notebook.ask(solution(1))
    wrong = next(text for text in ("+++", "++-", "+--", "---") if text != answer)
    assert answered(page, page.locator(".pg-action", has_text=wrong).click) == "not yet"
    assert answered(page, page.locator(".pg-action", has_text=answer).click) == "right"
    assert "solved at try 2" in why.inner_text() and place.inner_text() == "1 / 29 · 1 solved"
    settled(page, page.locator(".pg-action", has_text="Next").click)
    assert page.locator("[data-control=exercise] option").nth(1).inner_text() == "✓ 1. Name the triad"
    settled(page, page.locator("[data-control=next]").click)
    settled(page, lambda: page.keyboard.press("ArrowLeft"))
    assert place.inner_text() == "2 / 29 · 1 solved"

    goto(page, 8)  # a number: what was typed stays to be corrected, and a triad lies on yellow
    field = why.locator("input")
    field.fill("99")
    assert not has_color(seen.pixels(canvas), "#f0e442")
    assert answered(page, lambda: field.press("Enter")) == "not yet"
    assert field.input_value() == "99" and has_color(seen.pixels(canvas), "#f0e442", 300)

    page.locator(".pg-bench").focus()
    page.keyboard.press("?")  # the help is that of the Lab, not of the Explorer
    told = page.locator(".pg-help dt").all_inner_texts()
    assert told[0] == "← →" and "?" in told and not {"v", "m", "1 … 5", "/"} & set(told)
    assert "cluster" not in page.locator(".pg-help").text_content()
    asked = page.get_attribute(".pg-bench", "data-asked")
    for key in ("Escape", "v", "m", "1"):
        page.keyboard.press(key)
    assert page.get_attribute(".pg-bench", "data-asked") == asked

    goto(page, 9)  # camps, by clicks on nodes
    for camp, nodes in enumerate(notebook.ask(f"[sorted(camp) for camp in {solution(9)}]")):
        for node in nodes:
            for _ in range(camp + 1):
                click(page, node)
    assert answered(page, check) == "right"

    goto(page, 14)  # a cycle, by clicks on lines
    cycle = notebook.ask(f"list({solution(14)})")
    assert "Click the lines of the cycle" in why.inner_text()
    for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        click(page, a, b)
    assert answered(page, check) == "right"

    goto(page, 24)  # sentences: in full beside the picture, numbered in it
    texts = notebook.ask("[text for _, text in lab.graph.nodes(data='text')]")
    page.set_viewport_size({"width": 800, "height": 800})
    assert why.locator(".pg-pairs .pg-sentence").all_inner_texts() == texts
    assert page.locator(".pg-bench").evaluate("root => root.scrollWidth <= root.clientWidth")
    page.set_viewport_size({"width": 1280, "height": 800})
    why.locator(".pg-go").nth(1).click()
    page.wait_for_function("document.querySelector('.pg-bench').bench.model.get('selected').length == 1")
    assert notebook.ask("lab.selected") == ["n1"]

    goto(page, 14)  # solved stays solved
    assert "solved at try 1" in why.inner_text() and "right" in page.locator(".pg-grade").inner_text()
    goto(page, 30)
    line = page.locator(".pg-copy")
    assert line.input_value() == notebook.ask("lab.sheet.report().line")
    assert line.input_value().startswith("Ada, sheet 7: 3 of 29 exercises solved: 1 (2 tries), 9, 14;")
    line.click()
    assert line.evaluate("field => field.selectionEnd - field.selectionStart == field.value.length")
    assert seen.ran() == []


@pytest.mark.long
def test_a_busy_kernel_is_waited_for_and_a_silent_one_is_not(table):
    notebook, seen = table("pg.TriadLab(exercises=Sheet())")
    page, banner = seen.page, seen.page.locator(".pg-banner")
    # No thread of the kernel runs beside this one: sleep of the C library, called with Python's lock held.
    code = "import ctypes, time; print('begun'); time.sleep(1); ctypes.PyDLL(None).sleep(9)"
    page.evaluate(
        f"""(code) => new Promise((begun) => {{
            const future = {SESSION}.session.kernel.requestExecute({{ code, store_history: false }});
            future.onIOPub = ({{ header }}) => header.msg_type === "stream" && begun();
        }})""",
        code,
    )
    page.wait_for_timeout(1500)
    page.locator(".pg-action", has_text="Hint").click()
    page.wait_for_selector(".pg-banner.pg-quiet")
    assert "busy" in banner.inner_text() and banner.get_attribute("role") == "status"
    page.wait_for_selector(".pg-hints")
    banner.wait_for(state="hidden")
    notebook.ask("lab.on_msg(lab._answer, remove=True)")  # from now on it is idle, and never answers
    page.locator(".pg-action", has_text="Hint").click()
    page.wait_for_selector(".pg-banner:not(.pg-quiet)")
    assert "does not answer" in banner.inner_text() and banner.get_attribute("role") == "alert"
