"""The site of `docs/build.py`: links lead somewhere, widgets are alive, and nothing is asked of another host."""

import importlib.util
import json
import re
from html import unescape
from inspect import ismodule
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import paragraph as pg
from paragraph.lesson.lab import contents

from ..notebooks.running import NOTEBOOKS, build, read
from ..widgets.graphs import demo

DOCS = Path(__file__).parents[2] / "docs"
BENCH = "document.querySelector('.pg-bench-live').bench.model.get(name)"

spec = importlib.util.spec_from_file_location("build_docs", DOCS / "build.py")
docs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(docs)

#: A notebook in which each kind of widget stands at a state of its own.
CELLS = """\
import paragraph as pg
graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
explorer = pg.Explorer(graph)
explorer.cluster = 40
explorer.layers |= {"inferred_positive": True, "distance": 9}
explorer.selection = graph.texts(graph.members(40))[:2]
explorer
---
pg.TriadLab("two couples")
---
pg.Atlas(graph, by="words")
---
review = pg.ConflictReview(graph, "you.db", reviewer="you")
review
---
pg.PairReview(graph, "you.db", reviewer="you")
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The front page, the pages of Markdown, and a notebook that ran."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contents, "SHEETS", 1)
        docs.build_pages(folder)
        docs.build_front(folder)
    cells = [new_markdown_cell("# Alive"), *map(new_code_cell, CELLS.split("---\n"))]
    nbformat.write(new_notebook(cells=cells), folder / "alive.ipynb")
    assert build.main([str(folder / "alive.ipynb"), "-o", str(folder / "alive")]) == 0
    return folder


@pytest.fixture(scope="module")
def whole(site):
    """The site with its reference, and with its notebooks as they are before they run."""
    folder = site
    docs.build_reference(folder / "reference")
    pages = [build.describe(read(path.stem if path.parent == NOTEBOOKS else f"papers/{path.stem}"), path)
             for path in build.every()]  # fmt: skip
    (folder / "notebooks" / "papers").mkdir(parents=True)
    for page, path in zip(pages, build.every(), strict=True):
        html = build.to_html(nbformat.read(path, as_version=4), page)
        (folder / "notebooks" / page.file).write_text(html, encoding="utf-8")
    (folder / "notebooks" / "index.html").write_text(build.to_list(pages, "../index.html"), encoding="utf-8")
    docs.relink_notebooks(folder / "notebooks")
    return folder


def frames(seen):
    """The frames of a page, each once it was in view and is alive."""
    for element in seen.page.query_selector_all("iframe"):
        element.scroll_into_view_if_needed()
        element.content_frame().wait_for_selector(".pg-bench[data-scene]")
    return seen.page.frames[1:]


def state(frame, name):
    return frame.evaluate(f"name => {BENCH}", name)


def plain(text):
    """An address or an id as it is read."""
    return unquote(unescape(text))


@pytest.mark.long
def test_every_link_leads_somewhere(whole):
    texts = {path: path.read_text("utf-8") for path in whole.rglob("*.html")}
    ids = {path: set(map(plain, re.findall(r'\bid="([^"]+)"', text))) for path, text in texts.items()}
    links = []
    for path, text in texts.items():
        code = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        links += [(path, href) for href in re.findall(r'\b(?:href|src)="((?!\w+:)[^"]*)"', code)]
    front = whole / "index.html"
    index = json.loads(re.search(r'id="index">(.*?)</script>', texts[front])[1])
    links += [(front, href) for _, _, href, _ in index]
    broken = []
    for path, link in links:
        file, _, part = plain(link).partition("#")
        target = (path.parent / file).resolve() if file else path
        if not target.is_file() or (part and part not in ids[target]):
            broken.append((path.name, link))
    assert broken == [] and len(links) > 1000
    loaded = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="https?:')
    assert [path.name for path, text in texts.items() if loaded.search(text)] == []
    assert (whole / ".nojekyll").is_file()


@pytest.mark.long
def test_the_reference_has_every_public_name(whole):
    page = (whole / "reference" / "paragraph.html").read_text("utf-8")
    names = [name for name in pg.__all__ if not name.startswith("__") and not ismodule(getattr(pg, name))]
    assert [name for name in names if f'id="{name}"' not in page] == []


@pytest.mark.parametrize("width", [390, pytest.param(1400, marks=pytest.mark.long)])
def test_the_front_page_lives_at_the_conflict_of_the_readme(visit, site, width):
    seen = visit(site / "index.html", width=width)
    explorer, lab = frames(seen)
    graph = demo()
    assert "<td>with MiniLM</td>" in (site / "where_proposals_err.html").read_text("utf-8")
    assert state(explorer, "selected") == [f"n{graph.node(text)}" for text in docs.CONFLICT]
    assert "conflict" in explorer.text_content(".pg-why")
    assert lab.query_selector(".pg-bench")
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert seen.page.evaluate("document.activeElement === document.body")  # a part does not take the keys
    broken = "images => images.filter((image) => image.complete && !image.naturalWidth).length"
    assert seen.page.eval_on_selector_all("img", broken) == 0
    seen.page.fill("#search", "trust probability")
    first = seen.page.locator("#hits a").first
    seen.page.fill("#search", "where proposals err")
    assert "roposals err" in first.text_content()
    first.click()
    assert seen.page.url.startswith(site.as_uri())
    seen.assert_quiet()


def test_the_widgets_of_a_notebook_live_at_the_state_of_their_cell(visit, site):
    seen = visit(site / "alive" / "alive.html")
    explorer, lab, atlas, review, pairs = frames(seen)
    graph = demo()
    assert state(explorer, "screen")["cluster"] == 40
    assert state(explorer, "layers") == pg.Explorer(graph).layers | {"inferred_positive": True, "distance": 9}
    assert state(explorer, "selected") == [f"n{node}" for node in graph.members(40)[:2]]
    assert "two couples" in lab.text_content(".pg-bench")
    assert atlas.query_selector(".pg-map")
    assert len(state(review, "selected")) == 2 and "conflict" in review.text_content(".pg-why")
    assert len(state(pairs, "selected")) == 2
    assert not seen.page.locator(".pg-twin").first.is_visible()
    seen.page.emulate_media(media="print")
    assert seen.page.locator(".pg-twin").first.is_visible() and not seen.page.locator("iframe").first.is_visible()
    assert max(path.stat().st_size for path in site.rglob("*.html")) <= 3_000_000
    seen.assert_quiet()
