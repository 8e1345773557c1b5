"""The list of sentences and the picture: linked both ways, as a graph whose labels keep clear, and as a matrix."""

import numpy as np
import pytest

from .conftest import window

pytestmark = pytest.mark.usefixtures("quiet")


def items(desk, name=""):
    """Keys of the entries of the list, or of those of a class."""
    found = desk.root.query_selector_all(f".pg-sentences li[data-key]{name and '.' + name}")
    return [item.get_attribute("data-key") for item in found]


def test_the_list_and_the_picture_point_at_each_other(there):
    desk = there
    nodes = desk.ask("explorer.picture['nodes']")
    desk.page.wait_for_function(  # a long list is completed once the picture stands
        "(n) => document.querySelectorAll('.pg-sentences li[data-key]').length >= n", arg=len(nodes)
    )
    assert items(desk) == [node["key"] for node in nodes]
    assert desk.texts(".pg-sentences li[data-key] .pg-sentence") == [node["text"] for node in nodes]
    marked = [text for node in nodes for text, rare in node.get("spans", []) if rare]
    assert desk.texts(".pg-sentences mark") == marked != []

    # Before anything is clicked: the story of the cluster.
    assert {"sentences", "density", "bridges", "conflicts", "neighbours"} <= set(desk.why()["facts"])
    central = desk.ask("explorer.why['central']")
    desk.push(".pg-why .pg-go")
    assert desk.why()["whole"] == central["text"] and items(desk, "chosen") == [central["key"]]

    # From the list to the picture …
    _, second, third = desk.root.query_selector_all(".pg-sentences li[data-key]")[:3]
    second.hover()
    assert desk.bench("scene.pointed") == [nodes[1]["key"]]
    second.click()
    desk.settle()
    assert [desk.why()["whole"]] == [nodes[1]["text"]]
    third.click(modifiers=["Control"])
    desk.settle()
    desk.assert_explained(desk.why(), *(int(nodes[i]["key"][1:]) for i in (1, 2)))
    # … and from the picture to the list.
    desk.root.focus()
    desk.press("Escape")
    node = desk.find("sentence")
    desk.page.mouse.move(node["x"], node["y"])
    desk.page.wait_for_selector(".pg-tip.pg-shown")
    assert items(desk, "pointed") == [node["key"]] and desk.js("isInView", node["key"])
    desk.click(node)
    assert items(desk, "chosen") == [node["key"]] and desk.js("isInView", node["key"])


def test_the_picture_fills_its_frame_and_labels_keep_clear(there):
    desk = there
    desk.page.mouse.move(5, 5)
    desk.js("painted")
    drawn = desk.js("drawn")
    frame, spots = [drawn["width"], drawn["height"]], np.array(list(drawn["nodes"].values()))
    share = np.ptp(spots, axis=0) / frame
    assert share.max() > 0.7 and share.min() > 0.3 and (spots > 0).all() and (spots < frame).all()
    boxes = {one["key"]: (one["left"], one["top"], one["w"], one["h"]) for one in drawn["labels"]}
    neighbours = {node["key"] for node in desk.ask("explorer.picture['nodes']") if "cluster" in node}
    own, least = boxes.keys() - neighbours, 5 if len(drawn["nodes"]) < 40 else 1
    assert len(boxes) >= 3 and len(own) >= least  # the cluster's sentences come first
    for key, (x, y, w, h) in boxes.items():
        assert x >= 0 and y >= 0 and x + w <= frame[0] and y + h <= frame[1]
        for other, (left, top, wide, high) in boxes.items():
            assert key == other or not (x < left + wide and left < x + w and y < top + high and top < y + h)
        for node, (a, b) in drawn["nodes"].items():
            assert not (x < a < x + w and y < b < y + h), (key, node)
        for line in drawn["lines"]:
            if key not in (line["from"], line["to"]):
                points = np.array(line["points"])
                crossed = (points > [x, y]).all(axis=1) & (points < [x + w, y + h]).all(axis=1)
                assert key in own or not crossed.any(), (key, line["from"], line["to"])
    slider = desk.page.locator("[data-look=labels]")
    slider.fill("0")
    desk.settle()
    assert desk.bench("labels().size") == 0  # numbers only
    slider.fill("20")
    desk.settle()
    assert 0 < desk.bench("labels().size") < len(boxes)


def test_the_matrix(there):
    desk = there
    desk.press("m")
    assert desk.ask("explorer.picture['form']") == "matrix" and desk.sees(".pg-matrix")
    assert not desk.sees(".pg-canvas")
    spot = lambda what: desk.bench("spotOf(argument)", what)  # noqa: E731
    edges = [edge for edge in desk.ask("explorer.picture['edges']") if "a" in edge]
    for edge in (next(e for e in edges if e["sign"] > 0), edges[-1]):
        for pair in ([edge["from"], edge["to"]], [edge["to"], edge["from"]]):  # both halves
            desk.page.mouse.move(*spot(pair))
            tip = desk.page.wait_for_selector(".pg-tip.pg-shown").text_content()
            assert tip.startswith(edge["text"]) and set(items(desk, "pointed")) == set(pair)
            desk.page.mouse.click(*spot(pair))
            desk.settle()
            desk.assert_explained(desk.why(), edge["a"], edge["b"])
    # A pair that no row states is explained as well; the diagonal is the sentence.
    stated = {frozenset((edge["from"], edge["to"])) for edge in edges}
    keys = [node["key"] for node in desk.ask("explorer.picture['nodes']") if node["key"][0] == "n"]
    a, b = next((a, b) for a in keys for b in keys if a < b and frozenset((a, b)) not in stated)
    desk.page.mouse.click(*spot([a, b]))
    desk.settle()
    desk.assert_explained(desk.why(), int(a[1:]), int(b[1:]))
    desk.page.mouse.click(*spot(a))
    desk.settle()
    assert desk.ask("explorer.selected") == [a]
    before, one = spot([a, b]), spot([keys[0], keys[1]])[0] - spot([keys[0], keys[0]])[0]
    desk.press("+", "+", "+")
    beside = desk.pixels(".pg-matrix")[110:-3, -34:-3]  # below the buttons: no cell reaches under them
    assert (beside == beside[0, 0]).all()
    desk.press("0")
    assert spot([a, b]) == before
    # Sign by colour: as many blue cells as there are stated positives, seen twice.
    desk.press("Escape")
    pixels = desk.pixels(".pg-matrix").astype(int)
    blue = int((np.abs(pixels - [0x00, 0x72, 0xB2]).max(axis=2) < 12).sum())
    area = 2 * sum(edge["sign"] > 0 for edge in edges) * one**2
    assert 0.5 * area < blue < 1.3 * area
    desk.press("m")
    assert desk.sees(".pg-canvas") and desk.find("sentence")


def test_colour_size_search_and_the_cluster_of_clusters(at):
    desk = at("demo")
    desk.tell(
        "import pandas as pd; t = pd.DataFrame({'text': graph.texts(range(graph.n))})\n"
        "t['length'] = t['text'].str.len(); explorer = pg.Explorer(graph, 0, columns=t, fresh=True)"
    )
    desk.run()
    desk.open(0)
    desk.choose("[data-look=color]", "length")
    desk.choose("[data-look=size]", "degree")
    assert (desk.ask("explorer.look.color"), desk.ask("explorer.look.size")) == ("length", "degree")
    assert desk.text(".pg-shades").startswith("length ") and "size: degree" in desk.text(".pg-shades")
    longest = desk.ask("max(explorer.dress['color']['of'].items(), key=lambda one: one[1])[0]")
    shortest = desk.ask("min(explorer.dress['color']['of'].items(), key=lambda one: one[1])[0]")
    pixels, nodes = desk.pixels().astype(int), desk.js("drawn")["nodes"]
    light = [pixels[round(y) - 6, round(x)].sum() for x, y in (nodes[longest], nodes[shortest])]
    assert light[0] < light[1] - 100  # low is grey, high is red

    desk.search("weight")
    hits = set(desk.ask("explorer.listing['hits']"))
    assert hits and set(items(desk, "hit")) == hits == set(desk.js("hits"))
    assert any(desk.js("isInView", key) for key in hits)
    desk.press("Escape", "v")
    assert desk.sees("[data-look=steps]")
    assert not desk.sees("[data-layer=inferred_positive]")
    few = len(items(desk))
    desk.choose("[data-look=steps]", "2")
    assert len(items(desk)) > few
    nodes = {node["key"]: node["size"] for node in desk.ask("explorer.picture['nodes']")}
    desk.js("painted")
    named = [label["key"] for label in desk.js("drawn")["labels"]]
    assert max(nodes, key=nodes.get) in named  # the largest has its name
    desk.choose("[data-look=neighbours]", "5")
    assert len(items(desk)) <= 1 + 5 + 5
    desk.shown = None


CELLS = [
    "import paragraph as pg\ngraph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))\n"
    "first = pg.Explorer(graph); first.query = first.query.with_(sort='density'); first",
    "second = pg.Explorer(graph); second",
    "third = pg.Explorer(graph, like=first); third",
]


def test_cells_do_not_inherit_from_each_other_unless_asked(lab, chromium):
    with window(chromium, 1280, 800) as seen:
        notebook = lab.notebook(seen.page, CELLS, "cells.ipynb")
        for where in ([0, 0], [0, 5]):  # run again, it stands where it was
            notebook.run_all()
            seen.page.wait_for_selector(".pg-bench[data-scene]")
            notebook.idle()
            sorts = notebook.ask("[one.query.sort for one in (first, second, third)]")
            assert sorts == ["density", "cluster", "density"]
            assert notebook.ask("[first.cluster, second.cluster]") == where
            notebook.ask("setattr(second, 'cluster', 5)")
