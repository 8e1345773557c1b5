"""The Phrase Shuffler without a page: what moves say, what is counted, what is drawn, and what is refused."""

from itertools import pairwise
from xml.etree import ElementTree

import paragraph as pg
from paragraph.papers.japanese.parse import Parse

from ...refused import refused

FIGURE = Parse(
    "太郎は花子が読んでいる本を次郎に渡した",
    ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した"), (5, 2, 3, 5, 5, -1),
)  # fmt: skip
STOPPED = Parse(
    "戸を開けて犬が水を飲む", ("戸を", "開けて", "犬が", "水を", "飲む"),
    (1, 4, 4, 4, -1), (), ("", "wall", "", "", ""),
)  # fmt: skip
CUT = "“花子が” is cut off from “読んでいる”"
SVG = "{http://www.w3.org/2000/svg}"


def of_class(shuffler, name):
    return [(tag, given, text) for tag, given, text in shuffler.picture["shapes"] if name in given["class"].split()]


SAID = [
    (FIGURE, [0, 1, 2, 3, 4, 5], "Allowed.", "order 1"), (FIGURE, [4, 1, 2, 3, 0, 5], "Allowed.", "order 6"),
    (FIGURE, [0, 1, 4, 2, 3, 5], f"This breaks: {CUT}.", "none of them"),
    (FIGURE, [0, 1, 3, 2, 4, 5], f"This breaks: {CUT}; “読んでいる” stands behind “本を”.", "none of them"),
    (FIGURE, [0, 1, 2, 3, 5, 4],
     "This breaks: “次郎に” stands behind “渡した”; “渡した” has lost its place.", "none of them"),
    (STOPPED, [2, 0, 1, 3, 4], "Awkward, though all dependencies hold: “開けて” has lost its place.", "none of them"),
]  # fmt: skip


def test_without_a_sentence_there_is_an_example():
    shuffler = pg.PhraseShuffler()
    assert shuffler.picture["counted"] == "2 orders; order 1" and all(shuffler.gloss)


def test_what_is_said_of_an_order():
    for parse, order, said, counted in SAID:
        shuffler = pg.PhraseShuffler(parse)
        shuffler.order = order
        orders = 6 if parse is FIGURE else 2
        assert (shuffler.picture["said"], shuffler.picture["counted"]) == (said, f"{orders} orders; {counted}")
        assert shuffler.text == "".join(parse.phrases[i] for i in order)


def test_next_goes_round_all_orders_of_the_rule():
    for rule, count in (("strict", 2), ("paper", 6)):
        shuffler, seen = pg.PhraseShuffler(STOPPED, rule), []
        for number in range(1, count + 1):
            seen.append(shuffler.text)
            assert shuffler.picture["counted"] == f"{count} orders; order {number}"
            assert shuffler.verdict[0] == "allowed" or rule == "paper"
            shuffler.next()
        assert len({*seen}) == count and shuffler.text == seen[0] == STOPPED.text


def test_the_picture_marks_what_breaks():
    shuffler = pg.PhraseShuffler(FIGURE)
    assert len(of_class(shuffler, "pg-group")) == 1 and not of_class(shuffler, "pg-is-breaks")
    shuffler.order = [0, 1, 4, 2, 3, 5]
    assert not of_class(shuffler, "pg-group") and len(of_class(shuffler, "pg-is-breaks")) == 1
    assert [text for *_, text in of_class(shuffler, "pg-text")] == [FIGURE.phrases[i] for i in shuffler.order]
    assert len(of_class(shuffler, "pg-arc")) == 5 and len(of_class(shuffler, "pg-slot")) == 7
    boxes = [given for _, given, _ in of_class(shuffler, "pg-phrase")]
    assert all(a["x"] + a["width"] < b["x"] for a, b in pairwise(boxes))
    assert [given.get("data-key") for given in boxes] == ["0", "1", "4", "2", "3", None]  # the predicate is pinned
    walled = pg.PhraseShuffler(STOPPED)
    assert (len(of_class(walled, "pg-wall")), len(of_class(walled, "pg-pin"))) == (2, 2)


def test_the_still_twin_is_whole_and_text_stays_text():
    hostile = ("<script>x</script>", "\x07a&b\"'", "\u202e猫が", "</text>", "食べる")
    shuffler = pg.PhraseShuffler(Parse("".join(hostile), hostile, (4, 4, 4, 4, -1)), gloss=["<b>"] * 4 + ["eats"])
    shuffler.next()
    root = ElementTree.fromstring(shuffler.still())
    texts = ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]
    assert {"<script>x</script>", "</text>", "<b>", "eats", "a&b\"'"} <= {*texts}
    assert {one.tag.removeprefix(SVG) for one in root.iter()} == {"svg", "style", "rect", "text", "polyline"}
    assert "<script" not in shuffler._twin_bundle()["text/html"]


def test_odd_parses_are_drawn():
    for parse, counted in (
        (Parse("走る", ("走る",), (-1,)), "1 order; order 1"),
        (Parse("abc", ("a", "b", "c"), (-1, 0, -1)), "1 order; order 1"),  # several roots, an arc to the left
        (Parse("abcdefghijklm", tuple("abcdefghijklm"), (12,) * 12 + (-1,)), "479,001,600 orders; order 1"),
    ):
        shuffler = pg.PhraseShuffler(parse)
        assert shuffler.picture["counted"] == counted
        shuffler.next()
        ElementTree.fromstring(shuffler.still())


def test_what_is_refused():
    for options, said in (
        ({"rule": "words"}, "rule='words' is not one of 'strict', 'paper'"),
        ({"gloss": ["one"]}, "gloss .* is not one text for each of 太郎は|花子が"),
        ({"gloss": [1] * 6}, "is not one text for each"),
    ):
        refused(said, pg.PhraseShuffler, FIGURE, **options)
    shuffler = pg.PhraseShuffler(FIGURE)
    shuffler.next()
    before = shuffler.order, shuffler.picture, shuffler.verdict
    for order in ([], [0, 1], [0, 1, 2, 3, 4, 4], [1, 2, 3, 4, 5, 6]):
        refused("does not name each of the 6 phrases once", setattr, shuffler, "order", order)
    assert (shuffler.order, shuffler.picture, shuffler.verdict) == before
