"""The Triad Lab in a real JupyterLab: it answers in the browser, and Python reads what was done and keeps it."""

import pytest

from paragraph.lesson import EXERCISES, Sheet

from .conftest import has_color
from .lab import SESSION
from .pupil import Pupil, wrong_and_right

SETUP = "import paragraph as pg\nfrom paragraph.lesson import Sheet"


class Notebook(Pupil):
    def __init__(self, notebook, seen):
        super().__init__(seen)
        self.notebook = notebook

    def ask(self, expression):
        self.notebook.idle()
        return self.notebook.ask(expression)

    def follow(self, statement, name, value):
        """Do something in Python, and wait until the page has it."""
        self.ask(f"exec({statement!r}, globals())")
        script = "([name, value]) => document.querySelector('.pg-bench').bench.model.get('table')[name] === value"
        self.page.wait_for_function(script, arg=[name, value])
        self.settle()


@pytest.fixture
def table(lab, screen):
    """``table(code)`` shows ``lab = <code>`` in a notebook."""

    def open_lab(code):
        screen.page.set_viewport_size({"width": 1280, "height": 900})
        notebook = lab.notebook(screen.page, [SETUP, f"lab = {code}\nlab"])
        notebook.run_all()
        screen.page.wait_for_selector(".pg-bench[data-scene]")
        notebook.idle()
        return Notebook(notebook, screen)

    yield open_lab
    assert screen.ran() == []


def test_python_reads_free_play_and_lays_tables(table):
    pupil = table("pg.TriadLab('triad ++-')")
    page, signs = pupil.page, "sorted(lab.graph.edges(data='sign'))"
    assert pupil.facts()["weak balance"].startswith("✗")
    pupil.click(pupil.line("n0", "n2"))
    assert pupil.facts()["strong balance"].startswith("✓")
    pupil.notebook.until("bool(lab.verdicts['weak'])")
    told = [{"did": "sign", "edge": ["A", "C"], "from": -1, "to": 1}]
    assert pupil.ask("lab.history") == told and pupil.ask(signs)[1] == ["A", "C", 1]
    pupil.press(*"abcxvddzmyro", "Shift+M", "Shift+L", *"00", "u", "i", "i")
    assert page.locator(".jp-CodeCell").count() == 2 and page.query_selector(".jp-Dialog") is None
    pupil.notebook.until("list(lab.graph)", [*"ABCDE"])  # no shortcut of the notebook's fired, but the Lab's
    more = "more = lab.graph; more.add_edge('D', 'E', sign=-1); lab.graph = more"
    pupil.follow(more, "name", "your own")
    pupil.click(pupil.line("n3", "n4"))  # it was laid by Python, and a click takes it away
    pupil.notebook.until("[one['to'] for one in lab.history]", [0])
    pupil.follow("lab.lay('highland tribes')", "name", "highland tribes")
    before = pupil.ask(signs)
    pupil.press(".")
    pupil.notebook.until("len(lab.history)", 1)
    assert pupil.ask(signs) != before


def test_answers_are_kept_in_pythons_file(table, tmp_path):
    file = tmp_path / "ada.json"
    pupil = table(f"pg.TriadLab(exercises=Sheet(seed=7, student='Ada', file={str(file)!r}))")
    page, place, canvas = pupil.page, pupil.page.locator(".pg-count"), pupil.page.locator(".pg-canvas")
    assert place.inner_text() == f"1 / {len(EXERCISES)} · 0 solved"
    assert page.locator("[data-control=before]").is_disabled()
    sheet = Sheet(7, "Ada")
    for number in (1, 8, 14):
        one = sheet.exercise(number)
        wrong, right = wrong_and_right(one)
        pupil.go(number)
        pupil.answer(one, wrong)
        if number == 8:  # a triad lies on yellow
            assert has_color(pupil.seen.pixels(canvas), "#f0e442", 300)
        pupil.answer(one, right)
        assert page.inner_text(".pg-badge-right >> nth=0") == "✓ solved on try 2"
        sheet.keep(number, tries=2, solved=True)
    pupil.notebook.until("lab.sheet.solved", [1, 8, 14])
    tries = sheet.report()["tries"].tolist()
    assert pupil.ask("lab.sheet.report()['tries'].tolist()") == tries
    assert Sheet(7, "Ada", file=file).report()["tries"].tolist() == tries
    pupil.go(22)  # sentences: in full beside the picture, numbered in it
    texts = dict(sheet.exercise(22).graph.nodes(data="text"))
    assert page.locator(".pg-pairs .pg-sentence").all_inner_texts() == [*texts.values()]
    page.locator(".pg-go").nth(1).click()
    pupil.notebook.until("lab.selected", ["n1"])
    pupil.press("?")  # the help is that of the Lab, not of the Explorer
    keys = page.locator(".pg-help dt").all_inner_texts()
    assert {"← →", "?"} < set(keys) and not {"v", "m", "1 … 5", "/"} & set(keys)
    pupil.press("Escape")
    pupil.go(len(EXERCISES))
    assert page.locator("[data-control=next]").is_disabled()
    pupil.notebook.until("lab.work['place']", len(EXERCISES))
    pupil.notebook.reopen()  # the kernel has all of it
    page.wait_for_selector(".pg-title:has-text('Signs for a census')")
    pupil.go(14)
    assert "right" in page.inner_text(".pg-grade") and len(pupil.trait("why")["highlight"]["edges"]) > 2


@pytest.mark.long
def test_a_busy_kernel_is_not_waited_for_and_one_that_is_gone_is_told(table):
    pupil = table("pg.TriadLab(exercises=Sheet(seed=7))")
    page = pupil.page
    page.evaluate(
        f"""() => new Promise((begun) => {{
            const code = "print('begun'); import time; time.sleep(8)";
            const future = {SESSION}.session.kernel.requestExecute({{ code, store_history: false }});
            future.onIOPub = ({{ header }}) => header.msg_type === "stream" && begun();
        }})"""
    )
    page.click("text=Hint 1 of 3")
    assert page.locator(".pg-hints li").count() == 1
    page.wait_for_timeout(7000)
    assert not page.locator(".pg-banner").first.is_visible()
    pupil.notebook.until("lab.sheet.progress(1).hints", 1)
    pupil.notebook.restart()
    page.wait_for_selector(".pg-banner:has-text('no longer saves anything')")
    page.click("text=Hint 2 of 3")
    assert page.locator(".pg-hints li").count() == 2
