"""The Phrase Shuffler in a real JupyterLab: clicks, drags and keys, and what the kernel says then."""

import pytest

from .conftest import has_color, review_fixtures
from .test_review import ReviewDesk

FIGURE = """
from paragraph.papers.japanese.parse import Parse
phrases = ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した")
parse = Parse("".join(phrases), phrases, (5, 2, 3, 5, 5, -1))
gloss = ["Taro", "Hanako", "is reading", "book", "to Jiro", "gave"]
"""
LONG = """
from paragraph.papers.japanese.parse import Parse
phrases = ("朝から", "戸を", "開けて", "<img src=x onerror='window.__pwned=1'>が", "駅で", "友達と", "広い", "庭の",
           "中を", "走っている", "犬を", "静かに", "見ていた")
heads, marks = (12, 2, 12, 12, 12, 12, 8, 8, 9, 10, 12, 12, -1), ("", "", "wall", *[""] * 10)
parse = Parse("".join(phrases), phrases, heads, (), marks)
gloss = ["<b>since morning</b>", *["a long gloss"] * 12]
"""


class RowDesk(ReviewDesk):
    def show(self, code=FIGURE):
        self.tell(f"{code}\nreview = shuffler = pg.PhraseShuffler(parse, gloss=gloss)")
        self.page.evaluate("document.querySelectorAll('.pg-phrases').forEach((old) => { old.dataset.old = 1 })")
        self.notebook.run_all()
        self.page.wait_for_selector("div.pg-phrases:not([data-old])")
        self.notebook.idle()
        self.page.mouse.move(5, 5)

    @property
    def root(self):
        return self.page.query_selector("div.pg-phrases")

    def box(self, key):
        return self.root.query_selector(f'[data-key="{key}"]')

    def read(self, order):
        """Wait until the page shows an order; its verdict, and what is counted."""
        self.page.wait_for_function(
            "(text) => [...document.querySelectorAll('div.pg-phrases .pg-text')].map((one) => one.textContent)"
            ".join('') === text",
            arg=self.ask(f"''.join(parse.phrases[i] for i in {order})"),
        )
        assert self.ask("shuffler.order") == order
        return self.text("[role=status]"), self.text("span")

    def breaks(self):
        return len(self.root.query_selector_all(".pg-arc.pg-is-breaks"))

    def middle(self, selector):
        place = self.frame(selector)
        return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


notebook, desk = review_fixtures(RowDesk, width=1400)


def test_a_click_takes_a_phrase_or_its_group_and_another_puts_it(desk):
    desk.show()
    assert desk.read([0, 1, 2, 3, 4, 5]) == ("Allowed.", "6 orders; order 1")
    desk.box("1 2 3").click(position={"x": 3, "y": 3})
    assert desk.box("1 2 3").get_attribute("aria-selected") == "true"
    desk.page.mouse.click(*desk.middle('[data-slot="0"]'))
    assert desk.read([1, 2, 3, 0, 4, 5]) == ("Allowed.", "6 orders; order 3")
    desk.box("4").click()
    desk.page.mouse.click(*desk.middle('[data-slot="1"]'))
    said = "This breaks: “花子が” is cut off from “読んでいる”."
    assert desk.read([1, 4, 2, 3, 0, 5]) == (said, "6 orders; none of them") and desk.breaks() == 1
    desk.box("2").click()
    desk.page.keyboard.press("Escape")
    assert desk.part("[aria-selected=true]") is None
    desk.page.keyboard.press("Home")
    desk.read([0, 1, 2, 3, 4, 5])
    place = desk.box("0").bounding_box()  # one is dragged behind the predicate
    desk.page.mouse.move(place["x"] + 9, place["y"] + 9)
    desk.page.mouse.down()
    desk.page.mouse.move(*desk.middle('[data-slot="6"]'), steps=4)
    desk.page.mouse.up()
    said, _ = desk.read([1, 2, 3, 4, 5, 0])
    assert said == "This breaks: “太郎は” stands behind “渡した”; “渡した” has lost its place."


def test_keys_move_count_and_reset_and_nothing_reaches_the_notebook(desk):
    desk.show()
    cells = desk.cells()
    desk.box("4").focus()
    desk.page.keyboard.press("ArrowLeft")
    assert desk.read([0, 4, 1, 2, 3, 5])[1] == "6 orders; order 2"
    desk.page.keyboard.press("ArrowLeft")  # it is the same box that has the focus
    assert desk.read([4, 0, 1, 2, 3, 5])[0] == "Allowed."
    desk.page.keyboard.press("ArrowLeft")  # at the end there is nothing to pass
    desk.page.keyboard.press("ArrowDown")
    assert desk.read([4, 1, 2, 3, 0, 5])[1] == "6 orders; order 6"
    desk.page.keyboard.press("ArrowUp")
    desk.page.keyboard.press("ArrowDown")
    desk.page.keyboard.press("ArrowDown")
    assert desk.read([0, 1, 2, 3, 4, 5])[1] == "6 orders; order 1"
    desk.box("2").focus()
    desk.page.keyboard.press("ArrowRight")
    desk.read([0, 1, 3, 2, 4, 5])
    assert desk.breaks() == 2
    for key in "adxzvbm1nr":
        desk.page.keyboard.press(key)
    desk.page.keyboard.press("Home")
    assert desk.read([0, 1, 2, 3, 4, 5]) == ("Allowed.", "6 orders; order 1")
    desk.part("button").click()
    desk.read([0, 4, 1, 2, 3, 5])
    assert desk.cells() == cells


@pytest.mark.parametrize(
    ("theme", "breaks"), [("Dark", "#ff8a4c"), pytest.param("Light", "#a54100", marks=pytest.mark.long)]
)
def test_looks(desk, theme, breaks):
    desk.notebook.command("apputils:change-theme", {"theme": f"JupyterLab {theme}"})
    try:
        desk.page.wait_for_selector("#jupyterlab-splash", state="detached")
        desk.page.wait_for_selector(f'body[data-jp-theme-light="{str(theme == "Light").lower()}"]', state="attached")
        desk.page.set_viewport_size({"width": 800, "height": 900})
        for code, order in ((FIGURE, [0, 1, 4, 2, 3, 5]), (LONG, [3, 0, 1, 2, *range(4, 13)])):
            desk.show(code)
            desk.tell(f"shuffler.order = {order}")
            desk.read(order)
            assert desk.root.evaluate("root => root.scrollWidth <= root.clientWidth + 1")
            assert has_color(desk.seen.pixels(desk.root), breaks) == (code is FIGURE)
    finally:
        desk.page.set_viewport_size({"width": 1400, "height": 900})
        desk.notebook.command("apputils:change-theme", {"theme": "JupyterLab Light"})
