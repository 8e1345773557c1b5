"""Exported notebooks open from disk without a network: nothing asked for, nothing blank, nothing run."""

import io
from contextlib import redirect_stderr

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import paragraph as pg
from paragraph.draw.style import HALO, NEGATIVE, POSITIVE

from ..hostile import SENTENCES, table
from ..notebooks.running import EACH, NOTEBOOKS, build, on_the_shipped_corpus
from .conftest import has_color

pytestmark = pytest.mark.notebook

TOUR = [
    new_markdown_cell("# A tour of `<b>`\n\nWhat *comes* of [pairs](01_next.ipynb#part).\n\n| a |\n|---|\n| 1 |"),
    *map(new_code_cell, (
        "import paragraph as pg\nfrom paragraph.draw import draw_cluster\n"
        "pairs = pg.read_pairs('pairs.tsv')\ngraph = pg.ParaphraseGraph.from_pairs(pairs)\npairs",
        "draw_cluster(graph, 0, closure=pg.infer(graph))",
        "conflicts = pg.conflicts(graph)\nconflicts",
        "within = conflicts.iloc[0]\npg.explain(graph, within.text_a, within.text_b)",
        "import ipywidgets\nfrom tqdm.auto import tqdm\nfor _ in tqdm([1]): pass\nipywidgets.IntSlider(41)",
        "from IPython.display import Javascript\nJavascript('window.__pwned = 8')",
        "import sys\nprint(pairs.text_a[0])\nprint(pairs.text_a[1], file=sys.stderr)",
    )),
]  # fmt: skip


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    pg.write_pairs(table(), folder / "pairs.tsv")
    paths = [folder / "00_tour.ipynb", folder / "01_next.ipynb"]
    nbformat.write(new_notebook(cells=TOUR), paths[0])
    broken = [new_markdown_cell("## No title\n\ntext"), new_code_cell("1 / 0"), new_code_cell("'never'")]
    nbformat.write(new_notebook(cells=broken), paths[1])
    with redirect_stderr(io.StringIO()) as said:
        assert build.main([*map(str, paths), "-o", str(folder / "html")]) == 1
    assert "01_next.ipynb: " in said.getvalue() and "ZeroDivisionError" in said.getvalue()
    return folder / "html"


def live_frames(seen):
    """The interactive pictures of a page, each once it was in view and drawn; all pictures are whole."""
    for element in seen.page.query_selector_all("iframe"):
        element.scroll_into_view_if_needed()
        element.content_frame().wait_for_selector("body.live")
    broken = "images => images.filter(image => !image.naturalWidth).length"
    assert seen.page.eval_on_selector_all("main img", broken) == 0
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return seen.page.frames[1:]


@pytest.mark.parametrize("bypass_csp", [True, pytest.param(False, marks=pytest.mark.long)])
def test_an_exported_notebook_is_whole_and_harmless(visit, pages, bypass_csp):
    seen = visit(pages / "00_tour.html", bypass_csp=bypass_csp)
    assert live_frames(seen) == []
    [figure] = seen.page.query_selector_all("main img")
    assert all(has_color(seen.pixels(figure), color) for color in (POSITIVE, NEGATIVE, HALO))
    text = seen.page.text_content("main")
    assert all(sentence in text for sentence in SENTENCES[:2]) and "IntSlider(value=41" in text
    assert "1 [00:" not in text  # a bar that is over
    seen.assert_quiet()


def test_pages_lead_to_each_other(visit, pages):
    seen = visit(pages / "index.html")
    assert seen.page.text_content("h1") == "The notebooks"
    links = seen.page.query_selector_all("li a")
    assert [link.text_content() for link in links] == ["A tour of <b>", "01_next"]
    assert seen.page.text_content("li p") == "What comes of pairs."
    links[0].click()
    assert seen.page.title() == "A tour of <b>"
    seen.page.click("main a:text-is('pairs')")
    assert seen.page.url.endswith("01_next.html#part")
    assert "ZeroDivisionError" in seen.page.text_content("main")  # a failed notebook shows its error
    seen.page.click("text=Previous: A tour of <b>")
    seen.page.click("text=All notebooks")
    seen.assert_quiet()


@pytest.mark.parametrize("name", EACH)
def test_our_notebooks_open_offline(visit, name):
    notebook = on_the_shipped_corpus(name)
    seen = visit(build.to_html(notebook, build.describe(notebook, NOTEBOOKS / f"{name}.ipynb")))
    live_frames(seen)
    seen.assert_quiet()
