"""The still twin: the page's snapshot, or what Python draws, as a file and in a notebook where no script runs."""

import base64
import json
import re
import xml.etree.ElementTree as ElementTree
from html import unescape

import numpy as np
import pytest

import paragraph as pg
from paragraph.draw.style import drawable
from paragraph.widgets.explorer import saved

from ..growth import HUNG, exponent
from ..hostile import SENTENCES
from ..hostile import graph as hostile_graph
from ..refused import refused
from .graphs import graph_of


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
        bundle, still = explorer._twin_bundle(), explorer._still()
        assert bundle["text/plain"] == f"<Explorer: {still.title}>"
        svg, texts = picture(html := bundle["text/html"])
        assert squeezed(still.title) in texts
        tags = {re.sub("{.*}", "", one.tag) for one in svg.iter()}
        assert not tags & {"script", "foreignObject", "image", "a"}
        assert not [name for one in svg.iter() for name in one.attrib if name.startswith("on")]
        quoted = '<div class="pg-twin [^"<>]*"><img alt="[^"<>]*" style="[^"<>]*" src="[^"<>]*"></div>'
        assert re.fullmatch(quoted, html)
        assert all(squeezed(drawable(text)) in texts for text in still.texts)
        shown |= set(still.texts)
    assert set(SENTENCES) <= shown


#: How the legend of a picture names each layer.
LAYERS = {
    "positive": "paraphrase, stated",
    "negative": "not a paraphrase, stated",
    "conflicts": "not a paraphrase, in conflict",
    "inferred_positive": "paraphrase, inferred",
    "inferred_negative": "not a paraphrase, inferred",
}


@pytest.mark.parametrize("layer", LAYERS)
def test_the_legend_names_the_layers_that_are_on_and_the_chosen_stand_out(layer):
    explorer = pg.Explorer(graph_of("a+b b+c a-c c+d e+f f+g d-e"))
    explorer.selection = ["d", "e"]  # which opens both clusters
    for on in ([layer], [name for name in LAYERS if name != layer]):
        explorer.layers = {name: name in on for name in LAYERS} | {"distance": 9}
        svg, _ = picture(explorer._twin_bundle()["text/html"])
        assert {text.strip() for text in svg.itertext()} & {*LAYERS.values()} == {LAYERS[name] for name in on}
        assert str(ElementTree.tostring(svg)).count("stroke-width: 3;") == 2


@pytest.mark.slow
@pytest.mark.parametrize("graph", [hostile_graph(), graph_of("")], ids=["hostile", "empty"])
def test_save(graph, tmp_path):
    explorer = pg.Explorer(graph)
    for ending, start in {"html": b"<!DOCTYPE html>", "svg": b"<svg"}.items():
        assert explorer.save(str(tmp_path / f"cluster.{ending}")).read_bytes().startswith(start)
    svg = ElementTree.parse(tmp_path / "cluster.svg").getroot()
    assert squeezed(explorer._still().title) in squeezed("".join(svg.itertext()))
    page = (tmp_path / "cluster.html").read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1])
    read = {number: "".join(text) for one in data["data"]["records"] for number, text, *_ in one["nodes"]}
    assert [read[node] for node in range(graph.n)] == graph.texts(range(graph.n))
    for name in ("cluster.gif", "cluster"):
        refused(f"{name}: the ending is not one of .html, .svg", explorer.save, tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_twin_is_what_the_page_drew_last(explorer):
    updates = []
    explorer._twin = type("Handle", (), {"update": lambda _, bundle, raw: updates.append(bundle)})()
    explorer.cluster = 2
    assert updates[-1]["text/plain"] == "<Explorer: Cluster 2: 2 sentences>"
    sentences = [["1", "<b>first</b>"], ["A", "A"]]  # a node of the Lab is its own name
    image = base64.b64encode(b"PNG").decode()
    shown = {"title": "as the page <has> it", "image": image, "sentences": sentences, "left": 2}
    explorer.set_state({"snapshot": shown})
    html = updates[-1]["text/html"]
    assert (
        f'<img alt="as the page &lt;has&gt; it" style="max-width: 100%" src="data:image/png;base64,{image}">' in html
    )
    assert re.findall(r"<li [^>]*>(.*?)</li>", html) == ["1 &lt;b&gt;first&lt;/b&gt;", "and 2 more"]
    assert explorer.figure().data.startswith("<svg") and len(updates) == 2
    explorer.cluster = 0  # the page will send another
    assert len(updates) == 2


def test_a_table_in_place_of_a_graph_is_told_in_one_line():
    for bench in (pg.Explorer, pg.Atlas, pg.overview):
        said = rf"^{bench.__name__} takes a graph, not a table: {bench.__name__}\(pg"
        refused(said, bench, pg.read_pairs(pg.DEMO))


@pytest.mark.notebook
def test_a_notebook_executed_without_a_browser(tmp_path):
    """The outputs hold the live view and its twin; what later cells do shows in the twin of the first."""
    import nbclient  # takes seconds, also where tests are only collected
    import nbformat

    cells = [
        "import pandas as pd, paragraph as pg\n"
        "rows = [('<b>bold</b>', 'two', 1), ('two', 'three', 1), ('x', 'y', 1), ('p', 'q', 1)]\n"
        "pairs = pd.DataFrame(rows, columns=['text_a', 'text_b', 'label'])\n"
        "graph = pg.ParaphraseGraph.from_pairs(pairs)\nexplorer = pg.Explorer(graph)\nexplorer",
        "explorer.cluster = 2", "explorer.selection = ['p']\nexplorer.selection", "pg.Explorer(graph)",
    ]  # fmt: skip
    v4 = nbformat.v4
    notebook = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
    where = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=HUNG, startup_timeout=HUNG, resources=where).execute()
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
    kept = [re.search(r"(\d+) of [\d,]+ clusters and", saved.page(one))[1] for one in explorers.values()]
    few, many = map(int, kept)
    assert 20 < many <= few <= many + 1  # their numbers are longer
    assert exponent(lambda count: saved.page(explorers[count]), *explorers) < 0.6
