"""The list of sentences and the picture: linked both ways, as a graph whose labels keep clear."""

import numpy as np
import pytest

from .conftest import DEMO

pytestmark = pytest.mark.usefixtures("quiet")


def items(desk, name=""):
    """Keys of the entries of the list, or of those of a class."""
    found = desk.root.query_selector_all(f".pg-sentences li[data-key]{name and '.' + name}")
    return [item.get_attribute("data-key") for item in found]


def test_the_list_and_the_picture_point_at_each_other(there):
    nodes = there.shows("picture")["nodes"]
    assert items(there) == [node["key"] for node in nodes]
    assert there.texts(".pg-sentences li[data-key] .pg-sentence") == [node["text"] for node in nodes]

    central = there.shows("why")["central"]  # of the story of the cluster, before anything is clicked
    there.push(".pg-why .pg-go")
    assert there.why()["whole"] == central["text"] and items(there, "chosen") == [central["key"]]

    _, second, third = there.root.query_selector_all(".pg-sentences li[data-key]")[:3]
    second.hover()
    assert there.bench("scene.pointed") == [nodes[1]["key"]]
    second.click()
    third.click(modifiers=["Control"])
    there.settle()
    there.assert_explained(there.why(), *(int(nodes[i]["key"][1:]) for i in (1, 2)))
    there.root.focus()
    there.press("Escape")
    node = there.find("sentence")
    there.page.mouse.move(node["x"], node["y"])
    there.page.wait_for_selector(".pg-tip.pg-shown")
    assert items(there, "pointed") == [node["key"]] and there.js("isInView", node["key"])
    there.click(node)
    assert items(there, "chosen") == [node["key"]] and there.js("isInView", node["key"])


def test_the_picture_fills_its_frame_and_labels_keep_clear(there):
    there.page.mouse.move(5, 5)
    there.js("painted")
    drawn = there.js("drawn")
    frame, spots = [drawn["width"], drawn["height"]], np.array(list(drawn["nodes"].values()))
    share = np.ptp(spots, axis=0) / frame
    assert share.max() > 0.7 and share.min() > 0.3 and (spots > 0).all() and (spots < frame).all()
    boxes = {one["key"]: (one["left"], one["top"], one["w"], one["h"]) for one in drawn["labels"]}
    neighbours = {node["key"] for node in there.shows("picture")["nodes"] if "cluster" in node}
    own = boxes.keys() - neighbours
    assert len(own) >= 5  # the cluster's sentences come first
    for key, (x, y, w, h) in boxes.items():
        assert x >= 0 and y >= 0 and x + w <= frame[0] and y + h <= frame[1]
        for other, (left, top, wide, high) in boxes.items():
            assert key == other or not (x < left + wide and left < x + w and y < top + high and top < y + h)
        assert not any(x < a < x + w and y < b < y + h for a, b in drawn["nodes"].values()), key
        for line in drawn["lines"]:
            if key not in (line["from"], line["to"]):
                points = np.array(line["points"])
                crossed = (points > [x, y]).all(axis=1) & (points < [x + w, y + h]).all(axis=1)
                assert key in own or not crossed.any(), (key, line["from"], line["to"])


def test_hits_and_the_cluster_of_clusters(desk):
    desk.show(DEMO)
    desk.open(0)
    assert desk.text(".pg-shades").startswith("in a conflict")
    desk.search("weight")
    hits = set(desk.shows("listing")["hits"])
    assert hits and set(items(desk, "hit")) == hits == set(desk.js("hits"))
    assert any(desk.js("isInView", key) for key in hits)
    desk.press("Escape", "v")
    assert not desk.sees("[data-control=inferred_positive]")
    nodes = {node["key"]: node["size"] for node in desk.shows("picture")["nodes"]}
    desk.js("painted")
    assert max(nodes, key=nodes.get) in [label["key"] for label in desk.js("drawn")["labels"]]
