"""The Atlas and the overview in JupyterLab: hover, click, lasso, search; figures that open the Explorer."""

import pytest

import paragraph as pg

from .. import hostile
from .conftest import DEMO
from .desk import calling

CELL = f"import paragraph as pg\n{DEMO}\natlas = pg.Atlas(graph, by='words')\natlas"
PAGE = f"import paragraph as pg\n{DEMO}\npage = pg.overview(graph)\npage"


@pytest.fixture
def shown(lab, screen):
    """``shown(cell, theme)``: the page with the cell run, and its notebook."""

    def show(cell, theme="Light", width=1400):
        screen.page.set_viewport_size({"width": width, "height": 1000})
        notebook = lab.notebook(screen.page, [cell], theme)
        screen.complaints.clear()  # of what was open before
        notebook.run_all()
        notebook.idle()
        return screen.page, notebook

    yield show
    screen.page.emulate_media(media="screen")
    screen.assert_quiet(lab.url)


def spots(page):
    """Where the dots are on the page, and which dot is found under each."""
    page.wait_for_selector(".pg-map[data-painted]")
    page.query_selector(".pg-map").scroll_into_view_if_needed()
    return page.evaluate(
        """() => { const root = document.querySelector(".pg-map"), { left, top } = root.getBoundingClientRect();
            return Array.from({ length: 258 }, (_, i) => { const at = root.map.screen(i);
              return [at.x + left + 1, at.y + top + 1, root.map.under(at)] }) }"""
    )


@pytest.mark.parametrize(("theme", "width"), [("Dark", 800), pytest.param("Light", 1400, marks=pytest.mark.long)])
def test_hover_reads_click_opens_lasso_and_search_choose_and_the_wheel_zooms(shown, theme, width):
    page, notebook = shown(CELL, theme, width)
    places = spots(page)
    own = [i for i, (*_, under) in enumerate(places) if under == i]
    assert len(own) > 200  # the others lie below larger ones
    dot = own[40]
    page.mouse.move(*places[dot][:2])
    tip = page.wait_for_selector(".pg-map-tip.pg-shown").text_content()
    assert notebook.ask(f"atlas.table['sentence'][{dot}]") in tip
    page.mouse.click(*places[dot][:2])
    notebook.until("[atlas.explorer.cluster, atlas.selection['cluster'].tolist()]", [dot, [dot]])

    box = page.query_selector(".pg-map").bounding_box()
    left, top = box["x"] + 5, box["y"] + 60
    right, bottom = box["x"] + box["width"] / 2, box["y"] + box["height"] - 30

    def lasso(*corners):
        page.keyboard.down("Shift")
        page.mouse.move(left, top)
        page.mouse.down()
        for corner in corners:
            page.mouse.move(*corner, steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")

    around = (right, top), (right, bottom), (left, bottom)  # the lasso closes itself
    lasso(*around)
    inside = [i for i, (x, y, _) in enumerate(places) if left < x < right and top < y < bottom]
    assert inside
    notebook.until("atlas.selection['cluster'].tolist()", inside)
    lasso(*around, (left, top), *around)  # what is passed around twice is left out
    notebook.until("len(atlas.selection)", 0)

    words = page.query_selector(".pg-atlas input[type=text]")
    words.fill("exam")
    words.press("Enter")
    hits = notebook.ask("sorted(set(graph.search('exam', 999)['cluster']))")
    notebook.until("[atlas.selection['cluster'].tolist(), atlas.explorer.query['only']]", [hits, hits])
    page.wait_for_selector(f".pg-in-force:has-text('{len(hits)} of the map')")
    page.query_selector(".pg-map").focus()
    page.keyboard.press("Escape")
    notebook.until("len(atlas.selection)", 0)

    x, y, _ = places[30]  # zoomed, it stays under the pointer
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    after = spots(page)
    assert after[30][:2] == pytest.approx([x, y], abs=3) and after[60][:2] != pytest.approx(places[60][:2], abs=5)
    for media, is_live in (("screen", True), ("print", False)):
        page.emulate_media(media=media)
        assert page.query_selector(".pg-map").is_visible() is is_live
        assert page.query_selector(".pg-twin").is_visible() is not is_live


@pytest.mark.parametrize("width", [390, pytest.param(1400, marks=pytest.mark.long)])
def test_a_map_on_a_page_of_its_own_names_each_dot_and_opens_it(visit, tmp_path, width):
    atlas = pg.Atlas(hostile.graph(), by="words")
    seen = visit(atlas.save(tmp_path / "map.html"), width=width)
    page = seen.page
    page.wait_for_selector(".pg-map[data-painted]")
    dots = page.evaluate(
        """(n) => { const { map } = document.querySelector(".pg-map");
            const all = [...Array(n).keys()].map((i) => ({ i, ...map.screen(i) }));
            return all.filter((at) => map.under(at) === at.i) }""",
        len(atlas.table),
    )
    assert dots
    box = page.locator(".pg-map").bounding_box()
    for dot in dots:
        page.mouse.click(box["x"] + dot["x"] + 1, box["y"] + dot["y"] + 1)
        sentence = " ".join(atlas.table["sentence"][dot["i"]].split())[:20]
        page.wait_for_function(
            "(said) => document.querySelector('.pg-map-tip').innerText.includes(said)", arg=sentence
        )
        page.wait_for_selector(f".pg-title:text-matches('^Cluster {dot['i']}:')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(calling("foreign")) == 0
    seen.assert_quiet()


def test_a_figure_of_the_overview_opens_what_it_counts(shown):
    page, notebook = shown(PAGE)
    page.wait_for_selector(".pg-overview .pg-onepage")
    page.click(".pg-overview .pg-fact:has-text('but inside a cluster')")
    page.wait_for_selector(".pg-why h4:text('52')")
    worth = page.query_selector_all(".pg-onepage section:last-of-type button.pg-fact")
    worth = [fact for fact in worth if fact.is_visible()]  # those of the twin are not: all is shown once
    assert len(worth) == 10
    box = worth[4].bounding_box()  # the whole line opens it
    page.mouse.click(box["x"] + box["width"] - 5, box["y"] + box["height"] / 2)
    notebook.until("page.explorer.cluster", notebook.ask("page.sections[-1].facts[4].opens['cluster']"))
    assert not page.query_selector(".pg-twin").is_visible()
