"""The Explorer in its notebook: shortcuts, running the cell again, a restarted kernel, the still twin."""

import nbformat
import pytest

from paragraph.draw.style import HALO, NEGATIVE, POSITIVE

from .conftest import has_color, window
from .desk import START

pytestmark = pytest.mark.usefixtures("quiet")

FOCUS = {
    "canvas": lambda desk: desk.click(desk.find("sentence")),
    "row of the list": lambda desk: desk.root.query_selector_all(".pg-item")[2].click(),
    "search": lambda desk: desk.push(".pg-search"),
    "help closed": lambda desk: (desk.press("?"), desk.push(".pg-help button")),
}


def test_no_shortcut_of_the_notebook_fires(at):
    for where, focus in FOCUS.items():
        at("demo").assert_no_shortcut_fires(focus, where)


def test_twin_is_hidden_until_it_is_needed(at):
    desk = at("demo")
    twin = desk.page.query_selector(".pg-twin")
    assert desk.root.is_visible() and not twin.is_visible()
    desk.page.emulate_media(media="print")
    assert twin.is_visible() and not desk.root.is_visible()
    desk.page.emulate_media(media="screen")
    before = desk.page.eval_on_selector(".pg-twin img", "image => image.src")
    desk.click(next(node["key"] for node in desk.shows("picture")["nodes"] if "home" in node))
    desk.press("1")
    desk.page.wait_for_function("before => document.querySelector('.pg-twin img').src !== before", arg=before)
    assert desk.root.is_visible() and not desk.page.query_selector(".pg-twin").is_visible()


def test_twin_in_an_untrusted_notebook(at, lab, chromium):
    desk = at("demo")
    desk.run()
    desk.notebook.command("docmanager:save")
    path = desk.notebook.path
    title = desk.ask("explorer._still().title")
    desk.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    notebook = nbformat.read(path, as_version=4)
    assert title in str(notebook.cells[0].outputs)
    notebook.cells.append(nbformat.v4.new_markdown_cell("Changed elsewhere: its signature no longer fits."))
    nbformat.write(notebook, path.with_name("stranger.ipynb"))
    with window(chromium, 1280, 800) as seen:
        seen.page.goto(f"{lab.url}/doc/workspaces/other/tree/stranger.ipynb?token={lab.token}&reset")
        twin = seen.page.wait_for_selector(".pg-twin img", state="visible")
        assert seen.page.query_selector(".pg-bench") is None
        seen.page.wait_for_function("document.querySelector('.pg-twin img').naturalWidth > 0")
        assert all(has_color(seen.pixels(twin), color) for color in (POSITIVE, NEGATIVE, HALO))


def test_a_restarted_kernel_is_told_and_recovered_from(at):
    desk = at("demo")
    desk.notebook.restart()
    banner = desk.page.wait_for_selector(".pg-banner", state="visible")
    assert "restarted" in banner.text_content() and "Run this cell again" in banner.text_content()
    node = desk.find("sentence")
    desk.page.mouse.click(node["x"], node["y"])
    desk.page.keyboard.press("ArrowDown")
    assert banner.is_visible() and desk.sees(".pg-title")
    # JupyterLab itself says on the console that it lost the kernel for a moment.
    desk.seen.complaints[:] = [said for said in desk.seen.complaints if not said.startswith("Connection lost")]
    desk.shown = None
    desk.tell(START)
    desk = at("demo")
    assert not desk.sees(".pg-banner")
    assert desk.click(desk.find("sentence"))["whole"]
