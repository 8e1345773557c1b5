"""The still twin: what is on screen as a figure, as a file and in a notebook where no script runs."""

import asyncio
import base64
import json
import re
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

import paragraph as pg
from paragraph.draw.page import to_svg
from paragraph.draw.style import LINES
from paragraph.widgets.base.sketch import SPACING
from paragraph.widgets.explorer import saved

from ..disk import small_disk
from ..growth import HUNG, exponent
from ..hostile import SENTENCES
from ..hostile import graph as hostile_graph
from ..refused import refused
from .graphs import Page, demo, graph_of
from .page import Shown
from .test_apart import doubted


@pytest.fixture
def explorer():
    return pg.Explorer(graph_of("a+b b+c a-c c+d  e+f d-e  g+h  b-a b+a"))


def squeezed(text):
    """A text without white space and all that cannot be seen."""
    return "".join(c for c in text if c.isprintable() and not c.isspace())


def picture(html):
    """The SVG of a twin, parsed, and its texts in one line without white space (long sentences are wrapped)."""
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert len(found) == 1
    svg = ElementTree.fromstring(base64.b64decode(found[0]))
    return svg, squeezed("".join(svg.itertext()))


def test_hostile_sentences_are_text():
    explorer, shown = pg.Explorer(hostile_graph()), set()
    for cluster in range(len(explorer.graph.cluster_sizes)):
        explorer.cluster = cluster
        for view in ("cluster", "clusters"):
            explorer.view = view
            bundle, still = explorer._twin_bundle(), explorer._still()
            assert bundle["text/plain"] == f"<Explorer: {still.title}>"
            svg, texts = picture(html := bundle["text/html"])
            assert squeezed(still.title) in texts
            tags = {re.sub("{.*}", "", one.tag) for one in svg.iter()}
            assert tags <= {"svg", "rect", "path", "circle", "text", "title"}
            assert not [name for one in svg.iter() for name in one.attrib if name.startswith("on") or "href" in name]
            quoted = '<div class="pg-twin [^"<>]*"><img alt="[^"<>]*" style="[^"<>]*" src="[^"<>]*"></div>'
            assert re.fullmatch(quoted, html)
            assert all(squeezed(text) in texts for text in still.texts)
            shown |= set(still.texts)
    assert set(SENTENCES) <= shown


def test_layers_that_are_off_are_not_in_it(explorer):
    explorer.selection = ["a", "e"]
    named = {
        "positive": {"paraphrase, stated"}, "negative": {"not a paraphrase, stated"},
        "conflicts": {"not a paraphrase, in conflict", "stated both ways: 1 by majority"},
        "inferred_positive": {"paraphrase, inferred"}, "inferred_negative": {"not a paraphrase, inferred"},
    }  # fmt: skip
    on, off = (explorer.layers | dict.fromkeys(named, shown) | {"distance": 3} for shown in (True, False))
    explorer.layers = on
    _, texts = picture(explorer._twin_bundle()["text/html"])
    legend = {kind.name for kind in LINES.values() if squeezed(kind.name) in texts}
    assert legend >= {"paraphrase, stated", "not a paraphrase, in conflict", "paraphrase, inferred"}
    for layer, names in named.items():
        explorer.layers = on | {layer: False}
        assert {kind.name for kind in explorer._still().lines} & names == set()
        explorer.layers = off | {layer: True}
        assert {kind.name for kind in explorer._still().lines} <= names
    explorer.layers = off | {"inferred_negative": True, "distance": 1}
    near = len(explorer._still().edges)
    explorer.layers = explorer.layers | {"distance": 3}
    assert 0 < near < len(explorer._still().edges) == len(Shown(explorer).held()["picture"]["inferred"])


@pytest.mark.parametrize("layers", [
    {"paths": True}, {"degree": 3}, {"trust": 0.6}, {"trust": 0.9, "paths": True}, {"degree": 99},
], ids=str)  # fmt: skip
def test_filters_and_the_level_of_trust_show_in_it_as_in_the_page(layers):
    graph = demo()
    explorer = pg.Explorer(graph, suspects=doubted(graph), fresh=True)
    explorer.layers = explorer.layers | layers | {"inferred_positive": True, "distance": 9}
    picture, view = Shown(explorer).held()["picture"], explorer._still()
    nodes = [node for node in picture["nodes"] if "home" in node]
    assert view.texts == [node["text"] for node in nodes] and (len(nodes) < 16 or layers == {"trust": 0.6})
    places = view.positions * [SPACING, -SPACING]
    assert places == pytest.approx(np.array([(node["x"], node["y"]) for node in nodes]).reshape(-1, 2), abs=0.2)
    keys = {node["key"] for node in nodes}
    ends = [(one["from"], one["to"]) for one in picture["edges"]] + [tuple(one[:2]) for one in picture["inferred"]]
    assert len(view.edges) == sum({*both} <= keys for both in ends)
    out = sum(edge.line.name.startswith("left out") for edge in view.edges)
    assert out == sum(one.get("out", False) for one in picture["edges"]) and bool(out) == ("trust" in layers)
    assert [node.get("camp", -1) for node in nodes] == list(view.camps or [-1] * len(nodes))


def test_parts_of_a_cluster_stand_on_grounds_of_their_own():
    explorer = pg.Explorer(demo())
    nodes = Shown(explorer).held()["picture"]["nodes"]  # numbered alike in the still twin
    assert explorer._still().texts == [node["text"] for node in nodes if "home" in node]
    parts = [[i for i, node in enumerate(nodes) if node.get("group") == k] for k in range(4)]
    view = explorer._still()
    assert sorted(part for _, part in view.parts) == sorted(parts) and len({color for color, _ in view.grounds}) == 4
    for (_, corners), (_, part) in zip(view.grounds, view.parts, strict=True):
        assert {*corners.tolist()} <= {*part}
    assert to_svg(view).count('stroke-linejoin="round"') == 4
    on_a_line = view._replace(positions=np.arange(2.0 * len(view.nodes)).reshape(-1, 2))
    assert len(on_a_line.grounds) == 4 and not view._replace(parts=((0, [1, 2]),)).grounds


@pytest.mark.slow
@pytest.mark.parametrize("graph", [hostile_graph(), graph_of("")], ids=["hostile", "empty"])
def test_save(graph, tmp_path):
    explorer = pg.Explorer(graph)
    for ending, start in {"html": b"<!DOCTYPE html>", "svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}.items():
        assert explorer.save(str(tmp_path / f"cluster.{ending}")).read_bytes().startswith(start)
    svg = ElementTree.parse(tmp_path / "cluster.svg").getroot()
    assert squeezed(explorer._still().title) in squeezed("".join(svg.itertext()))
    page = (tmp_path / "cluster.html").read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1])
    read = {number: "".join(text) for one in data["data"]["records"] for number, text, *_ in one["nodes"]}
    assert [read[node] for node in range(graph.n)] == graph.texts(range(graph.n))
    for name in ("cluster.gif", "cluster"):
        refused(f"{name}: the ending is not one of .html, .svg, .png, .pdf", explorer.save, tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.slow
def test_a_disk_that_is_full_leaves_the_file_that_was_there(explorer, tmp_path):
    overview, before = pg.overview(explorer.graph, explorer=explorer), b"good"
    for bench, ending in ((explorer, "html"), (overview, "html"), (explorer, "svg"), (explorer, "png")):
        path = tmp_path / f"kept.{ending}"
        path.write_bytes(before)
        with small_disk(100), pytest.raises(OSError, match="File too large"):
            bench.save(path)
        assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
        path.unlink()


def test_a_table_in_place_of_a_graph_is_told_in_one_line():
    for bench in (pg.Explorer, pg.Atlas, pg.overview):
        said = rf"^{bench.__name__} takes a graph, not a table: {bench.__name__}\(pg"
        refused(said, bench, pg.read_pairs(pg.DEMO))


class Handle(list):
    """A display that keeps what it was updated with."""

    def update(self, bundle, raw):
        self.append(bundle["text/plain"])


@pytest.mark.slow
def test_the_twin_follows_at_once_and_with_a_page_a_moment_later(explorer):
    handle = explorer._twin = Handle()
    explorer.cluster = 2
    assert handle[-1] == "<Explorer: Cluster 2: 2 sentences>"
    Page(explorer)("ready")
    handle.clear()

    async def clicks():
        for cluster in (1, 0, 2):
            explorer.cluster = cluster
            await asyncio.sleep(0)
        assert handle == []
        await asyncio.sleep(0.8)

    with ThreadPoolExecutor(1) as elsewhere:  # a browser test may have left a loop running in this thread
        elsewhere.submit(asyncio.run, clicks()).result()
    assert handle == ["<Explorer: Cluster 2: 2 sentences>"]


@pytest.mark.notebook
def test_a_notebook_executed_without_a_browser(tmp_path):
    """The outputs hold the live view and its twin; what later cells do shows in the twin of the first."""
    cells = [
        "import pandas as pd, paragraph as pg\n"
        "rows = [('<b>bold</b>', 'two', 1), ('two', 'three', 1), ('x', 'y', 1), ('p', 'q', 1)]\n"
        "pairs = pd.DataFrame(rows, columns=['text_a', 'text_b', 'label'])\n"
        "graph = pg.ParaphraseGraph.from_pairs(pairs)\nexplorer = pg.Explorer(graph)\nexplorer",
        "explorer.cluster = 2", "explorer.selection = ['p']\nexplorer.selection", "pg.Explorer(graph, cluster=0)",
    ]  # fmt: skip
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=HUNG, startup_timeout=HUNG, resources=where).execute()
    nbformat.validate(notebook)
    (live, twin), second, third, last = (cell.outputs for cell in notebook.cells)
    widget = "application/vnd.jupyter.widget-view+json"
    assert second == [] and widget in live.data and "text/plain" not in live.data and widget not in twin.data
    _, texts = picture(twin.data["text/html"])
    assert "Cluster2:2sentences" in texts and "p" in texts and "two" not in texts
    assert twin.data["text/plain"] == "<Explorer: Cluster 2: 2 sentences>"
    assert "<td>p</td>" in third[0].data["text/html"]
    _, texts = picture(last[1].data["text/html"])
    assert "<b>bold</b>" in texts and "<b>" not in unescape(re.sub("<[^>]*>", "", last[1].data["text/html"]))
    assert notebook.metadata["widgets"]  # the live view opens in a page that can run it


def chains(count):
    """Clusters of two in a row, each kept apart from the next four by a negative."""
    node, cluster = np.arange(2 * count).reshape(count, 2), np.arange(count)
    positive = node[:, :-1].ravel(), node[:, 1:].ravel()
    negative = [(node[:-away, 0], node[cluster[away:], 0]) for away in range(1, 5)]
    a, b = (np.concatenate([one, *other]) for one, other in zip(positive, zip(*negative, strict=True), strict=True))
    sign = np.ones(len(a), dtype=np.int8)
    sign[count:] = -1
    return pg.ParaphraseGraph(a, b, sign, 2 * count)


@pytest.mark.slow
def test_a_page_of_sixteen_times_the_clusters_takes_hardly_longer(monkeypatch):
    empty = len(saved.page(pg.Explorer(chains(5))))
    monkeypatch.setattr(saved, "LIMIT", empty + saved.MARGIN + 40_000)
    explorers = {count: pg.Explorer(chains(count)) for count in (10_000, 160_000)}
    kept = [re.search(r"(\d+) of [\d,]+ clusters: those", saved.page(one))[1] for one in explorers.values()]
    assert kept[0] == kept[1] and int(kept[0]) > 20
    assert exponent(lambda count: saved.page(explorers[count]), *explorers) < 0.3
