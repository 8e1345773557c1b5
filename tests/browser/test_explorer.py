"""The Explorer in a real JupyterLab, by mouse and keys; each answer held against the library's own."""

import numpy as np
import pytest

from paragraph.draw.style import NEGATIVE, POSITIVE

from .conftest import DEMO, has_color
from .desk import rows_of

pytestmark = pytest.mark.usefixtures("quiet")

#: What is said of a line of each layer, in the order of their keys.
LABELS = {"positive": ("stated", 1), "negative": ("stated", 0), "conflicts": ("conflict", 0)}
LABELS |= {"inferred_positive": ("inferred", 1), "inferred_negative": ("inferred", 0)}


def test_search_marks_what_it_finds(there):
    words = there.ask("' '.join(sorted(graph.text(int(graph.members(0)[0])).strip('?').split(), key=len)[-2:])")
    there.search(words)
    rows, found = there.rows(), there.ask("explorer.found.tolist()")
    assert rows and all(set(words.casefold().split()) <= {m.casefold() for m in row["marks"]} for row in rows)
    assert [row["cluster"] for row in rows] == found[:50] and 0 in found
    assert there.text(".pg-found").startswith(f"{len(found):,} cluster")
    there.press("Enter")
    assert there.ask("explorer.cluster") == found[0]
    there.press("Escape")
    assert there.ask("explorer.query['words']") == "" and there.part(".pg-search").input_value() == ""


def test_enter_does_not_wait_for_the_list_and_no_hits_are_those_of_the_search(at):
    desk = at("demo")
    desk.press("/")
    desk.page.keyboard.type("exam")
    desk.press("Enter")
    assert desk.ask("explorer.query['words']") == "exam" and desk.ask("explorer.cluster") == desk.rows()[0]["cluster"]
    desk.press("Escape")
    desk.search("no such words")
    assert desk.text(".pg-found") == "No cluster holds “no such words”."
    desk.tell("explorer.query |= {'kind': 'within'}")
    desk.follow()
    assert desk.text(".pg-found").startswith("No cluster holds “no such words” and passes the filter. size ≥ 2")


def test_what_is_on_screen_is_saved_at_a_click(at):
    desk = at("demo")
    save = desk.page.locator(".pg-bench-live .pg-save")
    for ending, begins in (("svg", "<svg"), ("html", "<!doctype html>"), ("png", "\x89PNG")):
        with desk.page.expect_download() as kept:
            save.select_option(ending)
        assert kept.value.suggested_filename == f"explorer.{ending}" and save.input_value() == ""
        with open(kept.value.path(), encoding="latin-1") as file:
            assert file.read(20).lower().startswith(begins.lower())
    for width in (390, 900, 1280):
        desk.page.set_viewport_size({"width": width, "height": 800})
        desk.page.locator(".pg-bench-live [data-layer=help]").click(trial=True)  # it is there, and nothing covers it


def test_filter_and_sort(there):
    there.part("summary").click()
    for bound, value in (("size-least", "3"), ("negatives-least", "1"), ("density-most", "0.9")):
        field = there.part(f"[data-bound={bound}]")
        field.fill(value)
        field.press("Tab")
        there.settle()
    there.choose("select[aria-label='Kind of conflict']", "within")
    for arrow in "↑↓":
        there.push("[data-sort=density]")
        found = there.ask("explorer.found.tolist()")
        assert there.text(".pg-found").startswith(f"{len(found):,} cluster")
        assert [row["cluster"] for row in there.rows()] == found[:50] != []
        assert there.text("[data-sort=density]").endswith(arrow)
    bounds = {"size": [3, None], "negatives": [1, None], "density": [None, 0.9]}
    assert there.ask(
        f"explorer.query == EVERYTHING | dict(bounds={bounds}, kind='within', sort='density', descending=True)"
    )
    there.push(".pg-in-force")
    assert there.ask("explorer.query == explorer._list.start")


def test_surprise_and_the_open_cluster_in_the_list_from_the_start(at):
    desk = at("demo")
    desk.choose(".pg-surprise select", "conflict")
    desk.push(".pg-surprise button")
    current = next(row for row in desk.rows() if row["current"])
    assert current["cluster"] == desk.ask("explorer.cluster") != 0 and current["conflicts"] > 0
    assert desk.text(".pg-title").startswith(f"Cluster {current['cluster']}: {current['size']} ")
    desk.tell("explorer = pg.Explorer(graph); explorer.cluster = 40")
    desk.run()
    row, rows = (desk.frame(part) for part in (".pg-current", ".pg-rows"))
    assert rows["y"] - 1 <= row["y"] and row["y"] + row["height"] <= rows["y"] + rows["height"] + 1
    desk.shown = None


def test_keys(there):
    first = there.rows()
    at = next((i for i, row in enumerate(first) if row["current"]), -1)
    there.press("ArrowDown")
    assert there.ask("explorer.cluster") == first[at + 1]["cluster"]
    there.press("ArrowDown", "ArrowUp", "ArrowUp")
    assert there.ask("explorer.cluster") == first[max(at, 0)]["cluster"]
    there.press("PageDown")
    second = there.rows()
    assert second[0]["cluster"] == first[-1]["cluster"] + 1 and "page 2 of" in there.text(".pg-pager")
    there.press("ArrowDown", "ArrowUp")  # the first of this page, then over its edge
    assert there.ask("explorer.cluster") == first[-1]["cluster"] and there.rows() != second
    there.press("ArrowDown")
    assert there.ask("explorer.cluster") == second[0]["cluster"]
    there.press("PageUp", "Enter")
    assert there.ask("explorer.cluster") == first[0]["cluster"]
    there.press("v")
    assert there.ask("explorer.view") == "clusters"
    assert there.part("[data-layer=clusters]").get_attribute("aria-pressed") == "true"
    there.press("v")
    assert there.ask("explorer.view") == "cluster"
    for number, layer in enumerate(LABELS, 1):
        before = there.ask(f"explorer.layers[{layer!r}]")
        there.press(str(number))
        box = there.part(f"[data-layer={layer}]")
        assert there.ask(f"explorer.layers[{layer!r}]") is (not before) is box.is_checked()
    there.press("?")
    assert there.sees(".pg-help")
    there.press("Escape")
    assert not there.sees(".pg-help")
    whole = there.bench("camera.scale")
    there.press("+")
    assert there.bench("camera.scale") == pytest.approx(whole * 1.3)
    there.press("-", "-", "0")
    assert there.bench("camera.scale") == pytest.approx(whole)


def test_click_a_sentence(there):
    node = there.find("sentence")
    said, number = there.click(node), int(node["key"][1:])
    assert there.chosen() == [number] and said["whole"] == there.ask(f"graph.text({number})")
    shown = [(one["sign"] == "+", one["texts"], one["rows"]) for one in said["pairs"]]
    pairs = there.shows("why")["pairs"]
    assert shown == [(one["sign"] > 0, one["texts"], rows_of(one["rows"])) for one in pairs] != []
    there.push(".pg-pairs .pg-go")  # a sentence of the explanation leads on
    assert there.ask("explorer.selection['text'].tolist()") == shown[0][1] == [there.why()["whole"]]
    there.root.focus()
    there.press("Escape")
    assert there.chosen() == [] and there.why()["title"] == "Cluster 0"


def test_click_a_label(there):
    for layer, wanted in LABELS.items():
        if layer == "conflicts" and not there.ask("int(c['conflicts'][0])"):
            continue
        there.open(0)
        if "negative" in layer:  # between two open clusters
            there.expand()
        if "inferred" in layer:
            for other in ("positive", "negative", "conflicts"):
                there.page.locator(f"[data-layer={other}]").uncheck()
            there.page.locator(f"[data-layer={layer}]").check()
            there.settle()
        line = there.find(layer)
        said, (a, b) = there.click(line), (int(line[end][1:]) for end in ("from", "to"))
        own = there.assert_explained(said, a, b)
        if layer != "conflicts" or own["verdict"] == "conflict":  # else stated both ways
            assert (own["verdict"], own["label"]) == wanted
        if "inferred" in layer:
            assert own["rounds"] == line["far"] == 1
            assert there.bench("lit().edges.size") == len(own["steps"]) + 1  # the proof and the pair stand out


def test_a_line_to_a_cluster_is_explained_and_a_neighbour_opens_and_closes(there):
    said = there.click(there.find("closed"))
    assert said["facts"]["sentences"] == f"{len(said['pairs']):,}"
    line = there.find("link")
    said, pairs = there.click(line), there.shows("why")["pairs"]
    assert [one["rows"] for one in said["pairs"]] == [rows_of(one["rows"]) for one in pairs]
    assert len(pairs) == line["count"] and {one["sign"] for one in said["pairs"]} == {"−"}
    assert there.ask(f"graph.text({line['from'][1:]})") in said["pairs"][0]["texts"]
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


def test_layers_hide_and_cannot_be_clicked(there):
    line, box = there.find("positive"), there.page.locator(".pg-bench-live [data-layer=positive]")
    there.page.mouse.move(line["x"], line["y"])
    assert line["text"] in there.text(".pg-tip")
    box.uncheck()
    there.settle()
    assert there.bench("visible().every((line) => line.layer !== 'positive')")
    there.click(line)
    assert sorted(there.chosen()) != sorted([line["a"], line["b"]])
    there.ground()
    box.check()
    there.settle()
    there.assert_explained(there.click(line), line["a"], line["b"])


def test_thin_lines_are_easy_to_hit(at):
    desk = at("demo")
    desk.page.locator("[data-layer=positive]").uncheck()
    desk.settle()
    line = desk.find("link")
    start, end = (np.array(desk.spot(line[side])) for side in ("from", "to"))
    across = np.array([start[1] - end[1], end[0] - start[0]]) / np.linalg.norm(end - start)
    for off, hit in ((4, True), (-4, True), (9, False)):
        x, y = np.array([line["x"], line["y"]]) + off * across
        desk.page.mouse.click(float(x), float(y))
        desk.settle()
        assert (desk.why()["title"] != "Cluster 0") == hit, off


def test_distance(there):
    there.press("4")
    reach = there.page.locator("[data-layer=distance]")
    far = [distance for *_, sign, distance in there.shows("picture")["inferred"] if sign > 0]
    counts = [far.count(distance) for distance in range(1, 12)]
    farthest = max(d for d, n in enumerate(counts, 1) if n)
    assert int(reach.get_attribute("max")) == farthest
    reach.focus()
    for distance in range(1, farthest + 1):
        assert there.ask("explorer.layers['distance']") == distance
        assert there.text(".pg-reach-text") == f"≤ {distance}"
        assert there.bench("visible().filter((line) => line.far).length") == sum(counts[:distance])
        there.press("ArrowRight")


def test_hover_shows_the_whole_sentence_and_a_drag_moves_it(there):
    texts = {node["key"]: node["text"] for node in there.shows("picture")["nodes"]}
    for key in [*texts][:3]:
        there.page.mouse.move(5, 5)
        there.page.mouse.move(*there.spot(key))
        tip = there.page.wait_for_selector(".pg-tip.pg-shown")
        assert tip.text_content() in texts.values()
        inside, frame = tip.bounding_box(), there.frame(".pg-stage")
        assert frame["x"] <= inside["x"] and inside["x"] + inside["width"] <= frame["x"] + frame["width"]
    node = there.find("sentence")
    key, number, (x, y) = node["key"], int(node["key"][1:]), (node["x"], node["y"])
    before, scale = there.bench("spots()[argument]", key), there.bench("camera.scale")
    there.drag((x, y), (x + 40, y + 25))
    there.until("isPlaced", key)
    after = there.ask(f"explorer.positions[{number}]")
    assert after == pytest.approx([before["x"] + 40 / scale, before["y"] + 25 / scale], abs=2 / scale)
    assert there.chosen() == []  # to move is not to choose
    there.click(there.find("sentence"))
    assert there.part(".pg-tip.pg-shown") is None


def test_choose_several(there):
    keys = [node["key"] for node in there.shows("picture")["nodes"] if node["key"][0] == "n"]
    first = there.find("sentence")
    there.click(first)
    spots = {key: there.spot(key) for key in keys}
    far = max(keys, key=lambda key: np.hypot(spots[key][0] - first["x"], spots[key][1] - first["y"]))
    there.click(far, keys=["Control"])
    chosen = there.ask("explorer.selected")
    assert len(chosen) == 2 and first["key"] in chosen
    there.assert_explained(there.why(), *(int(key[1:]) for key in chosen))
    there.click(first, keys=["Shift"])
    assert there.ask("explorer.selected") == [key for key in chosen if key != first["key"]]
    there.root.focus()
    there.press("Escape")
    box = there.frame(".pg-canvas")
    left, top, right, bottom = box["x"] + 3, box["y"] + 3, box["x"] + box["width"] - 3, box["y"] + box["height"] - 3
    there.drag((left, bottom), (right, top), keys=["Shift"])
    assert {f"n{node}" for node in there.chosen()} >= set(keys)


def test_python_moves_the_picture(there):
    there.tell("explorer.query = dict(sort='size', descending=True, bounds={'size': (4, 6)})")
    there.follow()
    assert {row["size"] for row in there.rows()} <= {4, 5, 6}
    assert there.part("[data-bound=size-most]").input_value() == "6"
    there.tell("explorer.layers = explorer._layers | {'positive': False, 'inferred_positive': True, 'distance': 2}")
    there.page.wait_for_function("!document.querySelector('[data-layer=positive]').checked")
    assert there.part("[data-layer=distance]").input_value() == "2"
    there.tell("explorer.cluster = int(explorer.found[3])")
    there.follow()
    title = f"Cluster {there.ask('explorer.cluster')}:"
    assert there.text(".pg-title").startswith(title) and there.rows()[3]["current"]
    there.tell("one, two = graph.members(explorer.cluster)[:2].tolist(); explorer.selection = [one, graph.text(two)]")
    there.follow()
    one, two = there.ask("[one, two]")
    there.assert_explained(there.why(), one, two)
    there.tell("explorer.positions = {one: (0, 0), two: (300, 0)}")
    there.until("stands", [f"n{one}", 0, 0])
    there.until("stands", [f"n{two}", 300, 0])


def code_of(rows):
    """Statements that make the graph of rows ``(text, text, label)``."""
    columns = ["text_a", "text_b", "label"]
    return (
        f"import pandas as pd; table = pd.DataFrame({rows!r}, columns={columns})\n"
        "table = table.astype({'text_a': 'str', 'text_b': 'str', 'label': 'Int8'})\n"
        "graph = pg.ParaphraseGraph.from_pairs(table)"
    )


def test_a_graph_without_sentences_and_one_without_positives(desk):
    desk.show(code_of([]))
    assert desk.sees(".pg-empty")
    assert desk.text(".pg-empty") == "The graph has no sentences."
    assert desk.text(".pg-found") == "The graph has no clusters." and desk.rows() == []
    desk.root.focus()
    desk.press("ArrowDown", "PageDown", "v", "v", "4", "0", "+", "Enter", "Escape")
    desk.ground()
    assert desk.chosen() == [] and not desk.sees(".pg-banner")

    desk.show(code_of([("one", "two", 0), ("two", "three", 0)]))
    desk.open(0)
    assert desk.click(desk.find("link"))["pairs"][0]["texts"] == ["one", "two"]
    assert [row["size"] for row in desk.rows()] == [1, 1, 1]
    desk.tell("explorer.query = {'bounds': {'size': (2, None)}}")
    desk.follow()
    assert "No cluster passes the filter" in desk.text(".pg-found")


@pytest.mark.parametrize("theme", ["Dark", pytest.param("Light", marks=pytest.mark.long)])
def test_themes(at, theme):
    desk = at("demo")
    desk.notebook.command("apputils:change-theme", {"theme": f"JupyterLab {theme}"})
    dark = theme == "Dark"
    try:
        desk.until("isDark", dark)
        desk.page.wait_for_selector("#jupyterlab-splash", state="detached")  # it fades over a change of theme
        desk.settle()
        colors = ("#56B4E9", "#E69F00") if dark else (POSITIVE, NEGATIVE)
        shot = desk.pixels()
        assert all(has_color(shot, color) for color in colors)
        desk.search("how")
        desk.root.focus()
        desk.tell("explorer.query = {'kind': 'within'}")
        desk.follow()
        for kind in ("conflicts", "sentence", "closed", "link"):
            desk.click(desk.find(kind))
            assert desk.js("faint") == []
            desk.root.focus()
            desk.press("Escape")
        desk.press("4", "?")
        assert desk.js("faint") == []
        desk.press("Escape")
    finally:
        desk.notebook.command("apputils:change-theme", {"theme": "JupyterLab Light"})
        desk.until("isDark", False)


HANDS = """([kind, ...steps]) => {
    const canvas = document.querySelector(".pg-canvas"), box = canvas.getBoundingClientRect();
    for (const [type, pointerId, x, y] of steps) canvas.dispatchEvent(new PointerEvent(type, {
        pointerId, pointerType: kind,
        clientX: box.left + x, clientY: box.top + y, buttons: 1, bubbles: true, cancelable: true }));
}"""


def test_two_fingers_zoom_and_one_moves_the_picture(at):
    """What is between the fingers stays there; nothing is chosen or put elsewhere."""
    desk = at("demo")
    before, point = desk.bench("camera.scale"), desk.bench("camera.toPlane({ x: 200, y: 150 })")
    fingers = [("pointerdown", 8, 150, 150), ("pointerdown", 9, 250, 150), ("pointermove", 8, 100, 150)]
    fingers += [("pointermove", 9, 300, 150), ("pointerup", 8, 100, 150), ("pointerup", 9, 300, 150)]
    desk.page.evaluate(HANDS, ["touch", *fingers])
    assert desk.bench("camera.scale") == pytest.approx(2 * before)
    assert desk.bench("camera.toPlane({ x: 200, y: 150 })") == pytest.approx(point)
    desk.page.evaluate(
        HANDS, ["touch", ("pointerdown", 7, 4, 4), ("pointermove", 7, 34, 24), ("pointerup", 7, 34, 24)]
    )
    assert desk.bench("camera.toPlane({ x: 230, y: 170 })") == pytest.approx(point)
    assert desk.ask("[len(explorer.selection), explorer.placed]") == [0, {}]
    desk.bench("fit()")
    key, (x, y) = next(iter(desk.js("drawn")["nodes"].items()))
    desk.page.evaluate(  # a finger is not steady: this is a tap
        HANDS, ["touch", ("pointerdown", 7, x, y), ("pointermove", 7, x + 5, y + 4), ("pointerup", 7, x + 5, y + 4)]
    )
    desk.settle()
    assert desk.ask("[explorer.selected, explorer.placed]") == [[key], {}]


def test_a_person_decides_two_lines_by_keys_closes_opens_again_and_applies(desk, tmp_path):
    log = tmp_path / "ada.db"
    desk.show(DEMO, f", log=pg.DecisionLog({str(log)!r}, 'Ada')")
    desk.open(0)
    said = []
    for kind, key in (("positive", "x"), ("conflicts", "k")):
        line = desk.find(kind)
        desk.click(line)
        desk.press(key)
        said.append([line["a"], line["b"]])
        desk.until("says", "Wrong: cut" if key == "x" else "Right.")
    assert desk.text(".pg-why .pg-small").startswith("If it is wrong: ")
    desk.press("w")
    desk.page.keyboard.type("<b>two towns</b>")
    desk.press("Enter")
    desk.until("says", "Noted.")
    assert desk.text(".pg-desk .pg-notes") == "Note: <b>two towns</b>"
    desk.run()  # as new: a page that knows nothing yet
    desk.show(DEMO, f", log=pg.DecisionLog({str(log)!r}, reviewer='Ada')")
    desk.open(0)
    assert sorted(desk.shows("picture")["tags"].values()) == ["✂", "✓"]
    assert desk.text(".pg-decided") == "2" and "2 decided" in desk.text(".pg-desk .pg-status")
    applied = f"pg.replay({str(log)!r}, graph).outcome('dropped', 'stays')[['outcome', 'text_a', 'text_b']]"
    found = desk.ask(f"[[o, sorted([graph.node(a), graph.node(b)])] for o, a, b in {applied}.values.tolist()]")
    assert sorted(found) == [["dropped", sorted(said[0])], ["stays", sorted(said[1])]]
    desk.press("u", "u")
    desk.until("says", "Taken back.")
    assert "tags" not in desk.shows("picture") and desk.ask("len(explorer.decision_log.answers())") == 0
