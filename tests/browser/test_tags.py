"""Words tagged in a real JupyterLab, by mouse and by keys; what the log holds against what was marked."""

import json

import pytest

from .conftest import look, review_fixtures
from .test_review import ReviewDesk

PAIRS = """
import pandas as pd
rows = [("The chain was sold for $2.5 billion in 1998.", "They sold it for $1.8 billion that year."),
        ("He left at dawn.", "At dawn he left."), ("All is well.", "Nothing works here today.")]
table = pd.DataFrame(rows, columns=["text_a", "text_b"]).assign(source="three pairs")
"""
HOSTILE = """
import pandas as pd
rows = [("<script>window.__pwned = 1</script>Why?", "<img src=x onerror='window.__pwned = 2'>Why?"),
        ("W" * 400, "word " * 300), ("ネコは魚を食べる", "مرحبا كيف حالك؟ \u202ereversed\u202c")]
table = pd.DataFrame(rows, columns=["text_a", "text_b"])
"""


class TagDesk(ReviewDesk):
    """A notebook with a review of words in it."""

    def review(self, code=PAIRS, reviewer="Ada", options=""):
        path = str(self.folder / "tags.db")
        self.tell(f"{code}\nreview = pg.TagReview(table, {path!r}, {reviewer!r}{options})")
        self.run()
        self.page.mouse.move(5, 5)
        self.root.focus()

    def word(self, side, i):
        return self.root.query_selector(f'[data-side="{side}"][data-word="{i}"]')

    def drag_over(self, side, first, last):
        boxes = [self.word(side, i).bounding_box() for i in (first, last)]
        self.drag(*[(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes])

    def marked(self):
        """The words that are marked on the page, by sentence."""
        return [
            [one.text_content() for one in self.root.query_selector_all(f'[data-side="{side}"][aria-checked="true"]')]
            for side in (0, 1)
        ]

    def tags(self):
        """The tags in the log: annotator, and the words tagged."""
        return self.ask(
            "[[row.annotator, *([w for w, t in zip(row[f'words_{s}'], row[f'tags_{s}']) if t] for s in 'ab')]"
            " for _, row in review.tags.iterrows()]"
        )


notebook, desk = review_fixtures(TagDesk, width=1400)


def test_clicks_and_drags_mark_words_and_enter_writes_them(desk):
    desk.review()
    look(desk, "tags-first")
    desk.word(0, 6).click()
    desk.drag_over(1, 4, 5)
    desk.settle()
    assert desk.marked() == [["2.5"], ["$", "1.8"]]
    look(desk, "tags-marked")
    desk.word(1, 4).click()
    desk.settle()
    assert desk.marked() == [["2.5"], ["1.8"]]
    desk.drag_over(0, 3, 1)  # backwards, and what was marked stays
    desk.settle()
    assert desk.marked()[0] == ["chain", "was", "sold", "2.5"]
    desk.press("u")
    assert desk.marked() == [["2.5"], ["1.8"]]
    desk.press("Enter")
    assert desk.item == 2 and desk.tags() == [["Ada", ["2.5"], ["1.8"]]]
    assert desk.text(".pg-message") == "#1: tagged"


def test_all_of_it_by_keys(desk):
    desk.review()
    cells = desk.cells()
    desk.press(*["ArrowRight"] * 6, "Space", "o", "ArrowLeft", " ", "Shift+ArrowRight", "Shift+ArrowRight")
    assert desk.marked() == [["2.5"], ["1.8", "billion"]]
    desk.press("Shift+ArrowLeft")
    assert desk.marked() == [["2.5"], ["1.8"]]
    desk.press("e")
    assert len(desk.marked()[1]) == 10
    desk.press("e", *["ArrowLeft"] * 30)
    assert desk.marked() == [["2.5"], []] and desk.word(0, 0).get_attribute("class") == "pg-word pg-at"
    desk.press("Enter", "Enter", "e", "o", "e", "Enter")
    assert desk.item == 0 and desk.text(".pg-title") == "All is decided"
    whole = [["All", "is", "well", "."], ["Nothing", "works", "here", "today", "."]]
    assert desk.tags() == [["Ada", ["2.5"], []], ["Ada", [], []], ["Ada", *whole]]
    assert [record[2] for record in desk.records("tags.db")] == ["keep", "flip", "keep"]
    desk.press("u", "u")
    assert desk.item == 2 and len(desk.tags()) == 1
    desk.press("u")
    assert desk.item == 1 and desk.marked() == [["2.5"], []]  # the marks come back with their pair
    desk.press("a", "s")
    assert desk.states() == ["ambiguous", "skip", "open"] and desk.tags() == []
    desk.press("?")
    help = desk.text(".pg-help")
    assert all(word in help for word in ("every word", "the other sentence", "Drag", "Done"))
    look(desk, "tags-help")
    desk.press("e", "Enter", "Escape")
    assert desk.item == 3 and desk.marked() == whole and desk.cells() == cells


def test_a_second_annotator_is_blind_until_revealed_and_meets_the_agreement(desk):
    desk.review()
    desk.press(*["ArrowRight"] * 6, " ", "Enter", "Enter", "e", "Enter")
    desk.review(reviewer="Ben")
    assert desk.item == 1 and desk.marked() == [[], []]
    assert "2.5" not in desk.text(".pg-why") and not desk.root.query_selector(".pg-other")
    desk.press(*["ArrowRight"] * 5, "Shift+ArrowRight", "Shift+ArrowRight", "Enter", "r")
    assert "Ada: – / –" in desk.text(".pg-proposal")
    desk.press("Enter", "r")
    look(desk, "tags-revealed")
    assert [one.text_content() for one in desk.root.query_selector_all(".pg-other")] == ["All", "is", "well", "."]
    desk.press("Enter")
    assert "Ada" in desk.text(".pg-what-if") and "1" in desk.text(".pg-what-if td:last-child")
    look(desk, "tags-done")
    shown = [json.loads(record[-1])["blind"] for record in desk.records("tags.db") if record[2] != "note"]
    assert shown == [True, True, True, True, False, False]
    queue = desk.ask("review.disagreements()[['text_a', 'f1']].values.tolist()")
    assert queue == [["All is well.", 0]]


def test_hostile_sentences_are_words_and_nothing_else(desk):
    desk.review(HOSTILE)
    for _ in range(3):
        desk.press("e", "o", "e", "r")
        assert desk.js("foreign") == 0 and desk.js("wide") == []
        look(desk, f"tags-hostile-{desk.item}")
        desk.press("Enter")
    assert desk.item == 0
    texts = desk.ask("[''.join(words) for words in review.tags['words_a']]")
    assert texts[0] == "<script>window.__pwned=1</script>Why?" and texts[2] == "ネコは魚を食べる"


@pytest.mark.long
def test_contrast(desk):
    with desk.in_theme("Dark"):
        desk.review()
        desk.themed("Dark")
        desk.drag_over(0, 1, 3)
        desk.drag_over(1, 1, 1)
        desk.settle()
        assert desk.js("faint") == []
        look(desk, "tags-dark")
