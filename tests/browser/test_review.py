"""The Conflict Review in a real JupyterLab, by keys and mouse; what the log holds against what was pressed."""

import importlib.util
import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from .conftest import review_fixtures, window
from .desk import Desk
from .lab import until

START = """
import json
import pandas as pd
import paragraph as pg
graphs = {}
def graph_of(rows):
    parts = [(row[0], row[2], int(row[1] == "+")) for row in rows.split()]
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(parts, columns=["text_a", "text_b", "label"]))
def long_table():
    w = "is there a way from the station to the museum when it rains "
    words = [[w * 4 + "A?", w * 4 + "B?", "<b>" + w * 4], ["x" * 300, "x" * 299 + "y", "z" * 40],
             ["犬が公園を走る", "公園で犬が走る", "猫が公園を走る"]]
    rows = [row for a, b, c in words for row in [(a, b, 1), (b, c, 1), (a, c, 0)]]
    return pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
"""
DEMO = "pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))"
BRIDGE = "graph_of('a+b b+c a+c d+e e+f d+f b+d a-e c-f  x+y y+z x-z')"


class ReviewDesk(Desk):
    def __init__(self, lab, seen, folder):
        self.seen, self.page, self.lab, self.folder = seen, seen.page, lab, folder
        self.notebook = lab.notebook(self.page, ["review"])
        self.ask = self.notebook.ask
        seen.complaints.clear()  # a busy machine makes Lab complain of its own plugins while it starts
        self.tell(START)

    def review(self, code, log="decisions.db", options=""):
        """Show a review of the graph that `code` makes, its log as it stands."""
        self.shows(
            f"graph = graphs.get({code!r}) or graphs.setdefault({code!r}, {code})\n"
            f"review = pg.ConflictReview(graph, {str(self.folder / log)!r}, reviewer='Ada'{options})"
        )

    def shows(self, code):
        """Run statements that make a review, and show it."""
        self.tell(code)
        self.run()
        self.page.mouse.move(5, 5)
        self.root.focus()

    def records(self, log="decisions.db"):
        """What was done, one key after the other: the pair, the decision, the pair that was cut, the note, what was
        shown. An answer that is about no conflict is given as it is."""
        fields = ["time", "text_a", "text_b", "same", "about", "note", "shown", "undoes"]
        rows = self.ask(
            f"[[getattr(r, f) for f in {fields!r}] for r in pg.DecisionLog({str(self.folder / log)!r}).records()]"
        )
        found = []
        for _, group in groupby((dict(zip(fields, row, strict=True)) for row in rows), itemgetter("time")):
            each = list(group)
            of_pair = [{*pair} for pair in json.loads(each[0]["about"])]
            own = next((one for one in each if {one["text_a"], one["text_b"]} in of_pair), each[0])
            wrong = [one for one in each if one["same"] == "0" and one is not own]
            word = {"1": "flip", "0": "cut" if wrong else "keep", "?": "ambiguous", "later": "skip", "": "note"}
            word = word[own["same"]] if of_pair or not own["same"] else own["same"]
            cut = [wrong[0]["text_a"], wrong[0]["text_b"]] if wrong else ["", ""]
            pair = [own["text_a"], own["text_b"]]
            found.append([*pair, "undo" if own["undoes"] else word, *cut, own["note"], own["shown"]])
        return found

    @property
    def item(self):
        return int(self.root.get_attribute("data-case") or 0)

    def states(self):
        return self.ask("review.queue['state'].tolist()")

    def sides(self):
        return self.texts(".pg-side")

    def listed(self):
        return [" ".join(one.inner_text().split()) for one in self.root.query_selector_all(".pg-case-head")]


notebook, desk = review_fixtures(ReviewDesk)


def test_decide_with_keys_only(desk):
    desk.review(DEMO)
    total = len(desk.states())
    for key, decision in [("f", "flip"), ("k", "keep"), ("a", "ambiguous"), ("s", "skip"), ("F", None)]:
        item, pair = desk.item, desk.sides()
        desk.press(key)
        if decision is None:
            assert desk.item == item  # a capital letter is no key
            continue
        *_, last = desk.records()
        assert last[:3] == [*pair, decision] and json.loads(last[-1])["blind"] is True
        assert desk.item != item and desk.states()[item - 1] == decision
        assert desk.js("hasFocus")
    assert desk.text(".pg-found").startswith(f"3 of {total} decided") and "1 skipped" in desk.text(".pg-found")
    for _ in range(5):
        desk.page.keyboard.down("f")  # the second and later ones are repeats
    desk.page.keyboard.up("f")
    desk.settle()
    assert len(desk.records()) == 5
    desk.press("ArrowUp", "k")
    assert desk.text(".pg-message") == "#5: keep, changed from flip" and desk.item == 6
    desk.press("r")
    badge, gloss = desk.text(".pg-proposal .pg-badge"), desk.text(".pg-proposal small").strip()
    buttons = {one: desk.text(f"[data-decide={one}] small") for one in ("flip", "cut", "keep", "ambiguous", "skip")}
    assert (badge, gloss) == ("no proposal", "No model read the sentences, and words do not tell")
    assert list(buttons.values())[:3] == ["The negative is wrong", "A positive is wrong", "Both labels stand"]
    drawn = desk.js("drawn")
    badges = [(*line["points"][20], 3 * len(line["tag"])) for line in drawn["lines"] if line.get("tag")]
    assert [line["tag"] for line in drawn["lines"] if "weakest" in (line.get("tag") or "")] and drawn["labels"]
    for x, y, half in badges:  # no text reaches under one
        for at in drawn["labels"]:
            beside = at["left"] > x + half or at["left"] + at["w"] < x - half
            assert beside or at["top"] > y + 5 or at["top"] + at["h"] < y - 5, at["key"]
    for name in ("keep", "undo"):  # buttons do what keys do
        desk.push(f"[data-decide={name}]")
        assert desk.records()[-1][2] == name and desk.js("hasFocus")
    assert json.loads(desk.records()[-2][-1])["blind"] is False
    assert desk.listed()[0].endswith("of 16") and "flip" in desk.listed()[0]


def test_cut_by_number_and_by_click(desk):
    desk.review(BRIDGE)
    number = desk.ask("int(review.queue.query(\"text_a == 'a'\")['number'].iloc[0])")
    desk.tell(f"review.current = {number}")
    desk.until("reviews", number)
    desk.press("c")
    choices = desk.part(".pg-cut-choices")
    assert choices.is_visible() and len(choices.query_selector_all("button")) == 3
    desk.press("Escape")
    assert not choices.is_visible() and desk.records() == []
    desk.press("1")  # without c, a number is no decision
    assert desk.records() == []
    bridge = desk.ask("'e%d' % graph.edge_between(graph.node('b'), graph.node('d'))")
    path = desk.ask("['e%d' % step for step in review.case['steps']]")
    place = path.index(bridge) + 1
    desk.press("c", str(place))
    assert desk.records()[-1][2:5] == ["cut", "b", "d"]
    assert sorted(desk.states()) == ["cut", "moot", "open"]
    assert any("moot" in one for one in desk.listed())
    desk.press("u")
    assert desk.item == number and set(desk.states()) == {"open"}
    desk.press("c")
    desk.click(bridge)
    assert [record[2] for record in desk.records()] == ["cut", "undo", "cut"]
    assert sorted(desk.states()) == ["cut", "moot", "open"]
    assert desk.js("hasFocus") and not choices.is_visible()
    desk.click(desk.find("positive"))
    assert desk.why()["badge"] == "stated" and len(desk.records()) == 3
    desk.press("f", "k", "a", "s")  # not of the line that is looked at, and so of none
    assert len(desk.records()) == 3 and desk.text(".pg-message").startswith("Another line is chosen")
    desk.part("[data-decide=keep]").click(force=True)
    assert len(desk.records()) == 3
    desk.press("Escape")
    assert desk.why()["title"] == f"Conflict #{desk.item}"


def test_a_neighbour_opens_and_what_follows_is_explained_as_in_an_explorer(desk):
    desk.review(DEMO)
    drawn = lambda: desk.bench("model.get(argument)", "picture")  # noqa: E731
    key = next(node["key"] for node in drawn()["nodes"] if "cluster" in node)
    desk.page.mouse.dblclick(*desk.spot(key))
    until(lambda: int(key[1:]) in {node.get("home") for node in drawn()["nodes"]})
    desk.push("[data-control=inferred_positive]")
    assert drawn()["inferred"] and desk.click(desk.find("inferred_positive"))["badge"] == "inferred"
    desk.press("Escape")
    assert desk.why()["title"] == f"Conflict #{desk.item}" and desk.records() == []
    pair = desk.sides()
    desk.press("k")
    assert desk.records()[-1][:3] == [*pair, "keep"] and desk.item == 2


def test_a_greyed_key_says_why_and_an_empty_queue_has_nothing_to_decide(desk):
    desk.review(BRIDGE)
    desk.press("u")
    assert desk.text(".pg-message") == "Nothing is left to undo." and desk.records() == []
    desk.press("r")
    reveal = desk.part("[data-decide=reveal]")
    assert reveal.get_attribute("aria-disabled") == "true" and reveal.get_attribute("title") == "It is shown already."
    reveal.click(force=True)
    assert desk.text(".pg-message") == "It is shown already." and desk.js("hasFocus")
    desk.press("k", "k", "k")
    for key in ("f", "c", "w", "r"):
        desk.press(key)
        assert "No conflict is on screen" in desk.text(".pg-message")
    desk.press("u")
    assert desk.item == 3 and desk.text(".pg-message") == "Taken back: the answer to #3"
    desk.review("graph_of('a+b b-c')", "empty.db")
    assert desk.text(".pg-empty").startswith("No conflicts") and desk.text(".pg-found") == "The queue is empty."
    desk.press(*"fckasunr?", "Escape")
    assert desk.records("empty.db") == [] and desk.js("hasFocus") and desk.js("faint") == []


def test_help_and_a_note(desk):
    desk.review(DEMO)
    desk.press("?")
    help = desk.part(".pg-help")
    assert help.is_visible() and all(word in help.text_content() for word in ("Flip", "take back", "reveal"))
    desk.press("f", "k")  # what cannot be seen is not decided
    desk.press("Escape")
    assert desk.records() == [] and not help.is_visible()
    for end in ("Escape", "Enter"):
        desk.press("w")
        desk.page.keyboard.type("fkasu <b>& c 1</b> ?")
        desk.press(end)
        assert len(desk.records()) == (end == "Enter") and desk.js("hasFocus")
    assert [record[2::3] for record in desk.records()] == [["note", "fkasu <b>& c 1</b> ?"]]
    assert desk.text(".pg-notes") == "Note: fkasu <b>& c 1</b> ?" and desk.js("foreign") == 0
    desk.press("f")
    assert desk.records()[-1][2] == "flip" and desk.text(".pg-notes") == ""


def test_move_search_and_jump(desk):
    desk.review(DEMO)
    desk.press("ArrowDown", "ArrowDown", "ArrowUp")
    assert desk.item == 2
    desk.press("PageDown", "ArrowDown")
    assert desk.item == 51
    desk.search("#7")
    desk.press("Enter")
    assert desk.item == 7 and desk.js("hasFocus")
    desk.press("f")  # decided from the search: what is next in the queue is shown
    assert desk.records()[-1][2] == "flip" and desk.item == 8
    assert desk.ask("review.listing['words']") == ""  # and the list is whole again
    desk.choose("select", "decided")
    assert len(desk.listed()) == 1 and desk.listed()[0].startswith("#7")
    desk.search("no such words")
    assert "There are none of these" in desk.text(".pg-list")


def test_space_leaves_the_page_where_it_is_and_two_shortcuts_reach_the_notebook(desk):
    desk.review(DEMO)
    place = "document.querySelector('.pg-bench-live').getBoundingClientRect().top"
    for spot in (".pg-canvas", ".pg-why h3", ".pg-sentences li", ".pg-message"):
        if found := desk.part(spot):
            found.evaluate("one => (one.closest('[tabindex]') ?? one).focus({ preventScroll: true })")
        before = desk.page.evaluate(place)
        desk.page.keyboard.press("Space")
        desk.js("painted")
        assert desk.page.evaluate(place) == before, spot
    desk.root.focus()
    bar = "window.jupyterapp.shell.leftCollapsed"
    collapsed = desk.page.evaluate(bar)
    desk.page.keyboard.press("Control+b")
    desk.page.wait_for_function(f"{bar} !== {str(collapsed).lower()}")
    desk.page.keyboard.press("Control+b")
    desk.page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty = true")
    desk.page.keyboard.press("Control+s")
    desk.page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    assert desk.records() == []


FOCUS = {
    "canvas": lambda desk: desk.ground(), "list": lambda desk: desk.push(".pg-case-item"),
    "cut": lambda desk: desk.press("c"), "note": lambda desk: desk.press("w"),
    "decide": lambda desk: desk.push("[data-decide=skip]"),
}  # fmt: skip


def test_no_shortcut_of_the_notebook_fires(desk):
    for where, focus in FOCUS.items():
        desk.review(DEMO)
        desk.assert_no_shortcut_fires(focus, where)


@pytest.mark.parametrize("theme", ["Dark", pytest.param("Light", marks=pytest.mark.long)])
def test_contrast(desk, theme):
    with desk.in_theme(theme):
        desk.review(DEMO)
        desk.themed(theme)
        desk.settle()
        for keys in ("", "frc", ("Escape", "?")):
            desk.press(*keys)
            assert desk.js("faint") == []
        desk.press("Escape")


WIDE = "graph_of(' '.join(f'{a}+{b}' for part in ('abcdefghijklm', 'nopqrstuvwxyz') for a, b in zip(part, part[1:]))"
WIDE += " + ' m+n ' + ' '.join(f'{a}-{b}' for a, b in zip('abcdefghijkl', 'opqrstuvwxyz')))"


@pytest.mark.parametrize("width", [560, pytest.param(1400, marks=pytest.mark.long)])
def test_long_sentences_stay_in_their_frames_and_the_path_is_above_the_picture_where_it_is_narrow(desk, width):
    desk.page.set_viewport_size({"width": width, "height": 900})
    narrow = ".pg-bench-live.pg-narrow" if width == 560 else ".pg-bench-live:not(.pg-narrow)"
    try:
        desk.review("pg.ParaphraseGraph.from_pairs(long_table())")
        desk.page.wait_for_selector(narrow)
        for _ in range(3):
            assert desk.js("wide") == []
            desk.press("r", "c")
            assert desk.js("wide") == [] and desk.js("foreign") == 0
            desk.press("Escape", "k")
        assert desk.item == 0 and "All decided" in desk.text(".pg-title") and desk.js("wide") == []
        desk.review(WIDE, "wide.db")
        desk.page.wait_for_selector(narrow)
        assert desk.js("wide") == []
        desk.press("r", "c")
        assert desk.js("wide") == []
        parts = (".pg-sides", ".pg-steps", ".pg-what-if", ".pg-stage", ".pg-rows")
        tops = [desk.frame(one)["y"] for one in parts]
        assert (tops == sorted(tops)) == (width == 560)
        desk.press("Escape")
    finally:
        desk.page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.long
def test_the_moving_picture_of_the_readme_shows_a_conflict_read_and_cut(lab, chromium, tmp_path):
    script = Path(__file__).parents[2] / "docs" / "animation.py"
    spec = importlib.util.spec_from_file_location("animation", script)
    spec.loader.exec_module(animation := importlib.util.module_from_spec(spec))
    with window(chromium, 1180, 760) as seen:
        desk = ReviewDesk(lab, seen, tmp_path)
        film = animation.film(desk)
        film.save(tmp_path / "film.gif")
        assert [record[2] for record in desk.records()] == ["cut"]
        assert desk.states().count("moot") == 2  # one cut settles all three
        assert len(film.frames) >= 12 and (tmp_path / "film.gif").stat().st_size < 1_000_000
