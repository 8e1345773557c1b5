"""The Explorer in its notebook: shortcuts, running the cell again, a restarted kernel, the still twin."""

import nbformat
import pytest

from paragraph.draw.style import HALO, NEGATIVE, POSITIVE

from .conftest import DEMO, has_color
from .desk import START

pytestmark = pytest.mark.usefixtures("quiet")

FOCUS = {
    "canvas": lambda desk: desk.click(desk.find("sentence")),
    "row of the list": lambda desk: desk.root.query_selector_all(".pg-item")[2].click(),
    "search": lambda desk: desk.push(".pg-search"),
    "help closed": lambda desk: (desk.press("?"), desk.push(".pg-help button")),
}


@pytest.mark.parametrize("where", FOCUS)
def test_no_shortcut_of_the_notebook_fires(there, where):
    there.assert_no_shortcut_fires(FOCUS[where], where)


def test_twin_is_hidden_until_it_is_needed(there):
    page, twin = there.page, there.page.query_selector(".pg-twin")
    for media, is_live in (("screen", True), ("print", False), ("screen", True)):
        page.emulate_media(media=media)
        assert there.root.is_visible() is is_live and twin.is_visible() is not is_live
    before = page.eval_on_selector(".pg-twin img", "image => image.src")
    there.click(next(node["key"] for node in there.shows("picture")["nodes"] if "home" in node))
    there.press("1")
    page.wait_for_function("before => document.querySelector('.pg-twin img').src !== before", arg=before)
    assert there.root.is_visible() and not page.query_selector(".pg-twin").is_visible()


def test_a_restarted_kernel_is_told_and_recovered_from(there):
    there.notebook.restart()
    banner = there.page.wait_for_selector(".pg-banner", state="visible")
    assert "restarted" in banner.text_content() and "Run this cell again" in banner.text_content()
    node = there.find("sentence")
    there.page.mouse.click(node["x"], node["y"])
    there.page.keyboard.press("ArrowDown")
    assert banner.is_visible() and there.sees(".pg-title")
    # JupyterLab itself says on the console that it lost the kernel for a moment.
    there.seen.complaints[:] = [said for said in there.seen.complaints if not said.startswith("Connection lost")]
    there.shown = None
    there.tell(START)
    there.show(DEMO)
    assert not there.sees(".pg-banner")
    assert there.click(there.find("sentence"))["whole"]


def test_twin_in_an_untrusted_notebook(there, lab):
    there.run()
    title = there.ask("explorer._still().title")
    there.notebook.save()
    path = there.notebook.path
    notebook = nbformat.read(path, as_version=4)
    assert title in str(notebook.cells[0].outputs)
    notebook.cells.append(nbformat.v4.new_markdown_cell("Changed elsewhere: its signature no longer fits."))
    nbformat.write(notebook, path.with_name("stranger.ipynb"))
    lab.open(there.page, path.with_name("stranger.ipynb"))
    twin = there.page.wait_for_selector(".pg-twin img", state="visible")
    assert there.page.query_selector(".pg-bench") is None
    twin.evaluate("image => image.decode()")
    assert all(has_color(there.seen.pixels(twin), color) for color in (POSITIVE, NEGATIVE, HALO))
