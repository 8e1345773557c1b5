"""The list of sentences and the picture: linked both ways, as a graph whose labels keep clear."""

import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("quiet")


def items(desk, name=""):
    """Keys of the entries of the list, or of those of a class."""
    found = desk.root.query_selector_all(f".pg-sentences li[data-key]{name and '.' + name}")
    return [item.get_attribute("data-key") for item in found]


def test_the_list_and_the_picture_point_at_each_other(there):
    desk = there
    nodes = desk.shows("picture")["nodes"]
    desk.page.wait_for_function(  # a long list is completed once the picture stands
        "(n) => document.querySelectorAll('.pg-sentences li[data-key]').length >= n", arg=len(nodes)
    )
    assert items(desk) == [node["key"] for node in nodes]
    assert desk.texts(".pg-sentences li[data-key] .pg-sentence") == [node["text"] for node in nodes]
    marked = [text for node in nodes for text, rare in node.get("spans", []) if rare]
    assert desk.texts(".pg-sentences mark") == marked != []

    # Before anything is clicked: the story of the cluster.
    assert {"sentences", "density", "bridges", "conflicts", "neighbours"} <= set(desk.why()["facts"])
    central = desk.shows("why")["central"]
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
    neighbours = {node["key"] for node in desk.shows("picture")["nodes"] if "cluster" in node}
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


def test_colour_search_and_the_cluster_of_clusters(at):
    desk = at("demo")
    desk.tell(
        "import pandas as pd; t = pd.DataFrame({'text': graph.texts(range(graph.n))})\n"
        "t['length'] = t['text'].str.len(); explorer = pg.Explorer(graph, columns=t)"
    )
    desk.run()
    desk.open(0)
    desk.choose("[data-look=color]", "length")
    assert desk.ask("explorer.look['color']") == "length"
    assert desk.text(".pg-shades").startswith("length ")
    values = desk.shows("dress")["color"]["of"]
    longest, shortest = max(values, key=values.get), min(values, key=values.get)
    pixels, nodes = desk.pixels().astype(int), desk.js("drawn")["nodes"]
    light = [pixels[round(y) - 6, round(x)].sum() for x, y in (nodes[longest], nodes[shortest])]
    assert light[0] < light[1] - 100  # low is grey, high is red

    desk.search("weight")
    hits = set(desk.shows("listing")["hits"])
    assert hits and set(items(desk, "hit")) == hits == set(desk.js("hits"))
    assert any(desk.js("isInView", key) for key in hits)
    desk.press("Escape", "v")
    assert not desk.sees("[data-layer=inferred_positive]")
    nodes = {node["key"]: node["size"] for node in desk.shows("picture")["nodes"]}
    desk.js("painted")
    named = [label["key"] for label in desk.js("drawn")["labels"]]
    assert max(nodes, key=nodes.get) in named  # the largest has its name
    desk.shown = None


CELLS = [
    "import paragraph as pg\ngraph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))\n"
    "first = pg.Explorer(graph); first.query |= {'sort': 'density'}; first",
    "second = pg.Explorer(graph); second",
]


def test_cells_do_not_inherit_from_each_other(lab, screen):
    notebook = lab.notebook(screen.page, CELLS)
    for _ in range(2):  # run again, it begins anew
        notebook.run_all()
        screen.page.wait_for_selector(".pg-bench[data-scene]")
        notebook.idle()
        sorts = notebook.ask("[one.query['sort'] for one in (first, second)]")
        assert sorts == ["density", "cluster"]
        assert notebook.ask("[first.cluster, second.cluster]") == [0, 0]
        notebook.ask("setattr(second, 'cluster', 5)")
