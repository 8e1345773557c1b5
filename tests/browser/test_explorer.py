"""The Explorer in a real JupyterLab, by mouse and keys; each answer held against the library's own."""

import numpy as np
import pytest

from paragraph.draw.shared import DARK
from paragraph.draw.style import NEGATIVE, POSITIVE

from .conftest import DEMO, has_color
from .desk import rows_of

pytestmark = pytest.mark.usefixtures("quiet")

#: What is said of a line of each layer, in the order of their keys.
LABELS = {"positive": ("stated", 1), "negative": ("stated", 0), "conflicts": ("conflict", 0)}
LABELS |= {"inferred_positive": ("inferred", 1), "inferred_negative": ("inferred", 0)}


def test_a_search_marks_what_it_finds_and_enter_opens_the_first(there):
    there.search("weight")
    rows = there.rows()
    hits = "{home for home, text in zip(graph.cluster_of.tolist(), graph.texts(range(graph.n))) if 'weight' in text}"
    found = there.ask(f"sorted(home for home in {hits} if graph.cluster_sizes[home] > 1)")
    assert rows and all({m.casefold() for m in row["marks"]} >= {"weight"} for row in rows)
    assert sorted(row["cluster"] for row in rows) == found
    assert there.text(".pg-found").startswith(f"{len(found)} cluster")
    there.press("Escape", "/")
    assert there.ask("explorer.query['words']") == "" and there.part(".pg-search").input_value() == ""
    there.page.keyboard.type("exam")
    there.press("Enter")  # it does not wait for the list
    assert there.ask("explorer.query['words']") == "exam"
    assert there.ask("explorer.cluster") == there.rows()[0]["cluster"]
    there.press("Escape")
    there.search("no such words")
    there.tell("explorer.query |= {'kind': 'within'}")
    there.follow()
    assert there.text(".pg-found").startswith("No cluster holds “no such words” and passes the filter. size ≥ 2")


def test_help_is_in_reach_at_any_width(there):
    for width in (390, 900, 1280):
        there.page.set_viewport_size({"width": width, "height": 800})
        there.page.locator(".pg-bench-live [data-control=help]").click(
            trial=True
        )  # it is there, and nothing covers it


def test_filter_and_sort(there):
    there.part("summary").click()
    for bound, value in (("size-least", "3"), ("density-most", "0.9")):
        field = there.part(f"[data-bound={bound}]")
        field.fill(value)
        field.press("Tab")
        there.settle()
    there.choose("select[aria-label='Kind of conflict']", "within")
    there.tell(
        "torn = pg.conflicts(graph).query(\"kind == 'within'\")['cluster']\n"
        "some = graph.clusters(min_size=3).query('density <= .9 and cluster in @torn')"
    )
    for arrow in "↑↓":
        there.push("[data-sort=density]")
        sort = f"some.sort_values('density', ascending={arrow == '↑'}, kind='stable')"
        assert [row["cluster"] for row in there.rows()] == there.ask(f"{sort}['cluster'].tolist()")[:50] != []
        assert there.text("[data-sort=density]").endswith(arrow)
    bounds = {"size": [3, None], "density": [None, 0.9]}
    asked = f"EVERYTHING | dict(bounds={bounds}, kind='within', sort='density', descending=True)"
    assert there.ask(f"explorer.query == {asked}")
    there.push(".pg-in-force")
    assert there.ask("explorer.query == explorer._list.start")
    there.tell("explorer.cluster = 40")
    there.follow()
    assert next(row for row in there.rows() if row["current"])["cluster"] == 40
    row, rows = (there.frame(part) for part in (".pg-current", ".pg-rows"))
    assert rows["y"] - 1 <= row["y"] and row["y"] + row["height"] <= rows["y"] + rows["height"] + 1


def test_keys(there):
    first = there.rows()
    there.press("ArrowDown", "ArrowDown", "ArrowUp")
    assert there.ask("explorer.cluster") == first[1]["cluster"]
    there.press("PageDown")
    assert there.rows()[0]["cluster"] == first[-1]["cluster"] + 1 and "page 2 of" in there.text(".pg-pager")
    there.press("ArrowDown", "ArrowUp")  # the first of this page, then over its edge
    assert there.ask("explorer.cluster") == first[-1]["cluster"] and there.rows()[0] == first[0] | {"current": False}
    for view in ("clusters", "cluster"):
        there.press("v")
        assert there.ask("explorer.view") == view
    for number, layer in enumerate(LABELS, 1):
        before = there.ask(f"explorer.layers[{layer!r}]")
        there.press(str(number))
        assert there.ask(f"explorer.layers[{layer!r}]") is (not before)
        assert there.part(f"[data-control={layer}]").is_checked() is (not before)
    for key, shown in (("?", True), ("Escape", False)):
        there.press(key)
        assert there.sees(".pg-help") is shown
    whole = there.bench("camera.scale")
    there.press("+")
    assert there.bench("camera.scale") == pytest.approx(whole * 1.3)
    there.press("-", "-", "0")
    assert there.bench("camera.scale") == pytest.approx(whole)


def test_a_click_on_a_sentence_and_on_one_of_the_explanation(there):
    node = there.find("sentence")
    said, number = there.click(node), int(node["key"][1:])
    assert there.chosen() == [number] and said["whole"] == there.ask(f"graph.text({number})")
    shown = [(one["sign"] == "+", one["texts"], one["rows"]) for one in said["pairs"]]
    pairs = there.shows("why")["pairs"]
    assert shown == [(one["sign"] > 0, one["texts"], rows_of(one["rows"])) for one in pairs] != []
    there.push(".pg-pairs .pg-go")
    assert there.ask("explorer.selection['text'].tolist()") == shown[0][1] == [there.why()["whole"]]
    there.root.focus()
    there.press("Escape")
    assert there.chosen() == [] and there.why()["title"] == "Cluster 0"


@pytest.mark.parametrize("layer", LABELS)
def test_a_click_on_a_label_says_why(there, layer):
    if "negative" in layer:  # between two open clusters
        there.expand()
    if "inferred" in layer:
        for other in ("positive", "negative", "conflicts"):
            there.page.locator(f"[data-control={other}]").uncheck()
        there.page.locator(f"[data-control={layer}]").check()
        there.settle()
    line = there.find(layer)
    own = there.assert_explained(there.click(line), int(line["from"][1:]), int(line["to"][1:]))
    assert (own["verdict"], own["label"]) == LABELS[layer]
    if "inferred" in layer:
        assert own["rounds"] == line["far"] == 1
        assert there.bench("scene.lit.edges.size") == len(own["steps"]) + 1  # the proof and the pair stand out


def test_a_line_to_a_cluster_is_explained_and_a_neighbour_opens_and_closes(there):
    said = there.click(there.find("closed"))
    assert said["facts"]["sentences"] == f"{len(said['pairs']):,}"
    line = there.find("link")
    said, pairs = there.click(line), there.shows("why")["pairs"]
    assert [one["rows"] for one in said["pairs"]] == [rows_of(one["rows"]) for one in pairs]
    assert len(pairs) == line["count"] and {one["sign"] for one in said["pairs"]} == {"−"}
    there.open(0)
    before = there.shows("picture")["nodes"]
    cluster = there.expand()
    members = there.ask(f"graph.members({cluster}).tolist()")
    keys = {node["key"] for node in there.shows("picture")["nodes"]}
    assert {f"n{node}" for node in members} <= keys and f"c{cluster}" not in keys
    there.page.mouse.dblclick(*there.spot(f"n{members[0]}"))
    there.until("isDrawn", f"c{cluster}")
    there.settle()
    assert there.shows("picture")["nodes"] == before


def test_a_hidden_layer_cannot_be_clicked_and_thin_lines_are_easy_to_hit(there):
    line, box = there.find("positive"), there.page.locator(".pg-bench-live [data-control=positive]")
    there.page.mouse.move(line["x"], line["y"])
    assert line["text"] in there.text(".pg-tip")
    box.uncheck()
    there.settle()
    assert there.bench("visible().every((line) => line.layer !== 'positive')")
    there.click(line)
    assert sorted(there.chosen()) != sorted([line["a"], line["b"]])
    there.ground()
    line = there.find("link")
    start, end = (np.array(there.spot(line[side])) for side in ("from", "to"))
    across = np.array([start[1] - end[1], end[0] - start[0]]) / np.linalg.norm(end - start)
    for off, is_hit in ((4, True), (-4, True), (9, False)):
        x, y = np.array([line["x"], line["y"]]) + off * across
        said = there.click({"x": float(x), "y": float(y)})
        assert (said["title"] != "Cluster 0") == is_hit, off


def test_distance(there):
    there.press("4")
    reach = there.page.locator("[data-control=distance]")
    far = [distance for _, _, sign, distance in there.shows("picture")["inferred"] if sign > 0]
    assert int(reach.get_attribute("max")) == max(far) > 1
    reach.focus()
    for distance in range(1, max(far) + 1):
        assert there.ask("explorer.layers['distance']") == distance
        assert there.text(".pg-reach-text") == f"≤ {distance}"
        assert there.bench("visible().filter((line) => line.far).length") == sum(d <= distance for d in far)
        there.press("ArrowRight")


def test_hover_shows_the_whole_sentence_and_a_drag_moves_it(there):
    texts = {node["key"]: node["text"] for node in there.shows("picture")["nodes"]}
    node = there.find("sentence")
    key, (x, y) = node["key"], (node["x"], node["y"])
    there.page.mouse.move(x, y)
    tip = there.page.wait_for_selector(".pg-tip.pg-shown")
    assert tip.text_content() == texts[key]
    inside, frame = tip.bounding_box(), there.frame(".pg-stage")
    assert frame["x"] <= inside["x"] and inside["x"] + inside["width"] <= frame["x"] + frame["width"]
    before, scale = there.bench("spots()[argument]", key), there.bench("camera.scale")
    there.drag((x, y), (x + 40, y + 25))
    there.until("isPlaced", key)
    after = there.ask(f"explorer.placed[{key!r}]")
    assert after == pytest.approx([before["x"] + 40 / scale, before["y"] + 25 / scale], abs=2 / scale)
    assert there.chosen() == []  # to move is not to choose


def test_choose_several(there):
    keys = [node["key"] for node in there.shows("picture")["nodes"] if node["key"][0] == "n"]
    first = there.find("sentence")
    there.click(first)
    spots = {key: there.spot(key) for key in keys}
    far = max(keys, key=lambda key: np.hypot(spots[key][0] - first["x"], spots[key][1] - first["y"]))
    there.assert_explained(there.click(far, keys=["Control"]), int(first["key"][1:]), int(far[1:]))
    there.click(first, keys=["Shift"])
    assert there.ask("explorer.selected") == [far]


def test_python_moves_the_picture(there):
    there.tell(
        "explorer.query = dict(sort='size', descending=True, bounds={'size': (4, 6)})\n"
        "explorer.layers = explorer._layers | {'positive': False, 'inferred_positive': True, 'distance': 2}\n"
        "explorer.cluster = graph.clusters(min_size=4).query('size < 7')['cluster'].iloc[3]"
    )
    there.follow()
    assert {row["size"] for row in there.rows()} <= {4, 5, 6} and there.rows()[3]["current"]
    assert there.part("[data-bound=size-most]").input_value() == "6"
    assert not there.part("[data-control=positive]").is_checked()
    assert there.part("[data-control=distance]").input_value() == "2"
    assert there.text(".pg-title").startswith(f"Cluster {there.ask('explorer.cluster')}:")
    there.tell("one, two = graph.members(explorer.cluster)[:2].tolist(); explorer.selection = [one, graph.text(two)]")
    there.follow()
    one, two = there.ask("[one, two]")
    there.assert_explained(there.why(), one, two)
    there.tell("explorer.placed |= {f'n{one}': [0, 0], f'n{two}': [300, 0]}")
    there.until("stands", [f"n{one}", 0, 0])
    there.until("stands", [f"n{two}", 300, 0])


@pytest.mark.parametrize("theme", ["Dark", pytest.param("Light", marks=pytest.mark.long)])
def test_themes(there, theme):
    with there.in_theme(theme):
        there.themed(theme)
        there.settle()
        shot = there.pixels()
        colors = (DARK["positive"], DARK["negative"]) if theme == "Dark" else (POSITIVE, NEGATIVE)
        assert all(has_color(shot, color) for color in colors)
        there.search("how")
        there.root.focus()
        there.tell("explorer.query = {'kind': 'within'}")
        there.follow()
        for kind in ("conflicts", "sentence", "closed", "link"):
            there.click(there.find(kind))
            assert there.js("faint") == []
            there.root.focus()
            there.press("Escape")
        there.press("4", "?")
        assert there.js("faint") == []
        there.press("Escape")


HANDS = """(steps) => {
    const canvas = document.querySelector(".pg-canvas"), box = canvas.getBoundingClientRect();
    for (const [type, pointerId, x, y] of steps) canvas.dispatchEvent(new PointerEvent(`pointer${type}`, {
        pointerId, pointerType: "touch",
        clientX: box.left + x, clientY: box.top + y, buttons: 1, bubbles: true, cancelable: true }));
}"""


def test_two_fingers_zoom_and_one_moves_the_picture(there):
    """What is between the fingers stays there; nothing is chosen or put elsewhere."""
    before, point = there.bench("camera.scale"), there.bench("camera.toPlane({ x: 200, y: 150 })")
    fingers = [("down", 8, 150, 150), ("down", 9, 250, 150), ("move", 8, 100, 150)]
    there.page.evaluate(HANDS, [*fingers, ("move", 9, 300, 150), ("up", 8, 100, 150), ("up", 9, 300, 150)])
    assert there.bench("camera.scale") == pytest.approx(2 * before)
    assert there.bench("camera.toPlane({ x: 200, y: 150 })") == pytest.approx(point)
    there.page.evaluate(HANDS, [("down", 7, 4, 4), ("move", 7, 34, 24), ("up", 7, 34, 24)])
    assert there.bench("camera.toPlane({ x: 230, y: 170 })") == pytest.approx(point)
    assert there.ask("[len(explorer.selection), explorer.placed]") == [0, {}]
    there.bench("fit()")
    key, (x, y) = next(iter(there.js("drawn")["nodes"].items()))
    tap = [("down", 7, x, y), ("move", 7, x + 5, y + 4), ("up", 7, x + 5, y + 4)]  # a finger is not steady
    there.page.evaluate(HANDS, tap)
    there.settle()
    assert there.ask("[explorer.selected, explorer.placed]") == [[key], {}]


def test_a_person_decides_two_lines_by_keys_closes_opens_again_and_applies(desk, tmp_path):
    log = str(tmp_path / "ada.db")
    desk.show(DEMO, f", log=pg.DecisionLog({log!r}, 'Ada')")
    desk.open(0)
    answered = []
    for kind, key, said in (("positive", "f", "Wrong: cut"), ("conflicts", "k", "Right.")):
        line = desk.find(kind)
        desk.click(line)
        desk.press(key)
        answered.append(sorted([line["a"], line["b"]]))
        desk.until("says", said)
    desk.press("w")
    desk.page.keyboard.type("<b>two towns</b>")
    desk.press("Enter")
    desk.until("says", "Noted.")
    assert desk.text(".pg-desk .pg-notes") == "Note: <b>two towns</b>"
    desk.run()  # as new: a page that knows nothing yet
    desk.show(DEMO, f", log=pg.DecisionLog({log!r}, reviewer='Ada')")
    desk.open(0)
    assert sorted(desk.shows("picture")["tags"].values()) == ["✂", "✓"]
    assert desk.text(".pg-decided") == "2" and "2 decided" in desk.text(".pg-desk .pg-status")
    applied = f"pg.replay({log!r}, graph).outcome('dropped', 'stays')[['outcome', 'text_a', 'text_b']]"
    found = desk.ask(f"[[o, sorted([graph.node(a), graph.node(b)])] for o, a, b in {applied}.values.tolist()]")
    assert sorted(found) == [["dropped", answered[0]], ["stays", answered[1]]]
    desk.press("u", "u")
    desk.until("says", "Taken back.")
    assert "tags" not in desk.shows("picture") and desk.ask("len(explorer.decision_log.answers())") == 0
