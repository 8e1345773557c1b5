"""The picture of a sentence's phrases: what an order breaks is said and marked, and text stays text."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest

import paragraph as pg
from paragraph.papers.japanese.parse import Parse

from ...refused import refused

FIGURE = Parse(
    "太郎は花子が読んでいる本を次郎に渡した",
    ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した"), (5, 2, 3, 5, 5, -1),
)  # fmt: skip
BEHIND = "stands behind"
CUT = "“花子が” is cut off from “読んでいる”"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture):
    """The shapes of a picture by class."""
    found = {}
    for one in ElementTree.fromstring(picture.svg):
        for name in one.get("class", "").split():
            found.setdefault(name, []).append(one)
    return found


@pytest.mark.parametrize("order, said, marked", [
    (None, "太郎は花子が読んでいる本を次郎に渡した keeps all dependencies", 0),
    ([4, 1, 2, 3, 0, 5], "次郎に花子が読んでいる本を太郎は渡した keeps all dependencies", 0),
    ([0, 1, 4, 2, 3, 5], f"太郎は花子が次郎に読んでいる本を渡した breaks: {CUT}", 1),
    ([0, 1, 3, 2, 4, 5], f"太郎は花子が本を読んでいる次郎に渡した breaks: {CUT}; “読んでいる” {BEHIND} “本を”", 2),
    ([0, 1, 2, 3, 5, 4],
     f"太郎は花子が読んでいる本を渡した次郎に breaks: “次郎に” {BEHIND} “渡した”; “渡した” has lost its place", 3),
])  # fmt: skip
def test_what_an_order_breaks_is_said_and_marked(order, said, marked):
    picture = pg.draw_phrases(FIGURE, order)
    shapes = drawn(picture)
    assert picture.said == said and len(shapes.get("breaks", [])) == marked
    assert [one.text for one in shapes["phrase-text"]] == [FIGURE.phrases[i] for i in order or range(6)]
    assert len(shapes["arc"]) == 5 and len(shapes["pin"]) == 1
    ends = [(float(one.get("x")), float(one.get("width"))) for one in shapes["phrase"]]
    assert all(a + wide < b for (a, wide), (b, _) in pairwise(ends))


def test_a_picture_is_whole_and_text_stays_text():
    hostile = ("<script>x</script>", "\x07a&b\"'", "\u202e猫が", "</text>", "食べる")
    picture = pg.draw_phrases(Parse("".join(hostile), hostile, (4, 4, 4, 4, -1)), gloss=["<b>"] * 4 + ["eats"])
    root = ElementTree.fromstring(picture.svg)
    texts = ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]
    assert {"<script>x</script>", "</text>", "<b>", "eats", "a&b\"'"} <= {*texts}
    assert {one.tag.removeprefix(SVG) for one in root.iter()} == {"svg", "style", "rect", "text", "polyline"}
    assert "<script" not in picture._repr_html_()


def test_what_is_refused():
    for options, said in (
        ({"gloss": ["one"]}, "gloss .* is not one text for each of 太郎は|花子が"),
        ({"order": [0, 0, 1]}, "does not name each of the 6 phrases once"),
    ):
        refused(said, pg.draw_phrases, FIGURE, **options)
