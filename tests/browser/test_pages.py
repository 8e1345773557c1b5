"""Pages of vis-network: they show every sentence as it stands, run none of them, and ask for nothing."""

import json
import re

import pytest

import paragraph as pg
from paragraph.draw import cluster_page
from paragraph.draw.style import HALO, NEGATIVE, POSITIVE

from ..hostile import SENTENCES, graph
from .conftest import has_color


@pytest.fixture(scope="module")
def page():
    hostile = graph()
    return cluster_page(hostile, nodes=range(len(SENTENCES)), closure=pg.infer(hostile))


def html_of(page, form):
    if form == "saved":
        return page.html
    return f"<!DOCTYPE html><meta charset=utf-8><body style='margin: 0'>{page._repr_html_()}</body>"


def drawn(seen):
    """The frame of the picture, once it is drawn."""
    frame = seen.page.main_frame
    if seen.page.query_selector("iframe"):
        frame = seen.page.query_selector("iframe").content_frame()
    frame.wait_for_selector("body.live")
    return frame


def tooltip(seen, frame, expression):
    """What appears where a place of the picture is pointed at."""
    canvas = frame.query_selector("#net").bounding_box()
    at = frame.evaluate(f"network.canvasToDOM({expression})")
    seen.page.mouse.move(2, 2)
    frame.wait_for_selector(".vis-tooltip", state="hidden")
    seen.page.mouse.move(canvas["x"] + at["x"], canvas["y"] + at["y"])
    return frame.wait_for_selector(".vis-tooltip", state="visible")


# Our own policy would stop a script that got through; switched off, it shows that none gets through.
@pytest.mark.parametrize(("form", "bypass_csp"), [
    ("saved", True), pytest.param("notebook", True, marks=pytest.mark.long), ("notebook", False),
])  # fmt: skip
def test_hostile_sentences_are_shown_and_not_run(visit, page, form, bypass_csp):
    seen = visit(html_of(page, form), bypass_csp=bypass_csp, width=480 if form == "notebook" else 1000)
    frame = drawn(seen)
    pixels = seen.pixels(frame.query_selector("#net"))
    assert all(has_color(pixels, color) for color in (POSITIVE, NEGATIVE, HALO))
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")  # nothing hangs over the edge
    assert [item.text_content() for item in frame.query_selector_all("ol li")] == SENTENCES
    for number in range(3):
        popup = tooltip(seen, frame, f"network.getPosition({number})")
        assert popup.evaluate("popup => popup.innerText").split() == SENTENCES[number].split()
        assert popup.query_selector_all("*:not(br)") == []
    edge = next(edge for edge in page.view.edges if {edge.a, edge.b} == {11, 12})
    p, q = (frame.evaluate(f"network.getPosition({node})") for node in (edge.a, edge.b))
    middle = f"{{ x: {(p['x'] + q['x']) / 2}, y: {(p['y'] + q['y']) / 2} }}"
    assert "(row 18)" in tooltip(seen, frame, middle).text_content()
    if form == "notebook":  # the frame may run scripts and nothing else
        assert frame.evaluate("origin") == "null"
        assert frame.frame_element().get_attribute("sandbox") == "allow-scripts"
    seen.assert_quiet()


def test_the_policy_stops_what_gets_through(visit, page):
    leak = "<script>window.__pwned = 1</script><img src=x onerror='window.__pwned = 2'></body>"
    html = page.html.replace("</body>", leak)
    assert visit(html).ran() == []
    assert visit(html, bypass_csp=True).ran() != []  # and this is how the tests would notice


def test_the_still_twin_shows_where_the_live_one_does_not(visit, page):
    without = re.sub(r"<iframe.*?</iframe>", "", html_of(page, "notebook"), flags=re.DOTALL)
    for seen in (visit(without), visit(page.html, scripts=False)):  # as JupyterLab does without trust
        pixels = seen.pixels()
        assert all(has_color(pixels, color) for color in (POSITIVE, NEGATIVE, HALO))


def test_the_page_names_no_other_place_and_keeps_data_as_data(page, tmp_path):
    html = page.html
    head = html.replace(r"\u003c", "<").split("</head>")[0]
    assert not re.search(r"""(?:src|href)\s*=\s*["']?\s*(?:https?:|//)""", head)
    assert html.count("<script") == 3 and html.count("</script>") == 3
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL)[1])
    assert [node["title"] for node in data["nodes"]] == SENTENCES
    assert [node["id"] for node in data["nodes"]] == list(range(len(SENTENCES)))
    assert page._repr_html_().count("<script") == 0  # all of it lies inside an attribute, escaped
    assert page.save(tmp_path / "p.html").read_text(encoding="utf-8") == html
    with pytest.raises(pg.PairsError, match="end its name in"):
        page.save(tmp_path / "p.svg")
