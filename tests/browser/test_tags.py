"""Words tagged in a real JupyterLab, by mouse and by keys; what the log holds against what was marked."""

from .conftest import review_fixtures
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
    def review(self, code=PAIRS, reviewer="Ada"):
        self.shows(f"{code}\nreview = pg.TagReview(table, {str(self.folder / 'tags.db')!r}, {reviewer!r})")

    def word(self, side, i):
        return self.root.query_selector(f'[data-side="{side}"][data-word="{i}"]')

    def marked(self):
        return [self.texts(f'[data-side="{side}"][aria-checked="true"]') for side in (0, 1)]

    def tags(self):
        """The tags in the log: annotator, and the words tagged."""
        return self.ask(
            "[[row.annotator, *([w for w, t in zip(row[f'words_{s}'], row[f'tags_{s}']) if t] for s in 'ab')]"
            " for _, row in review.tags.iterrows()]"
        )


notebook, desk = review_fixtures(TagDesk, width=1400)


def test_clicks_mark_words_and_enter_writes_them(desk):
    desk.review()
    for side, i in ((0, 6), (1, 4), (1, 5)):
        desk.word(side, i).click()
    desk.settle()
    assert desk.marked() == [["2.5"], ["$", "1.8"]]
    desk.word(1, 4).click()
    desk.settle()
    assert desk.marked() == [["2.5"], ["1.8"]]
    desk.press("Enter")
    assert desk.item == 2 and desk.tags() == [["Ada", ["2.5"], ["1.8"]]]
    assert desk.text(".pg-message") == "#1: tagged"


def test_all_of_it_by_keys(desk):
    desk.review()
    cells = desk.cells()
    desk.press(*["ArrowRight"] * 6, "Space", "o", *["ArrowRight"] * 5, " ")
    assert desk.marked() == [["2.5"], ["1.8"]]
    desk.press("e")
    assert len(desk.marked()[1]) == 10
    desk.press("e", *["ArrowLeft"] * 30)
    assert desk.marked() == [["2.5"], []] and desk.word(0, 0).get_attribute("class") == "pg-word pg-at"
    desk.press("Enter", "Enter", "e", "o", "e", "Enter")
    assert desk.item == 0 and desk.text(".pg-title") == "All decided"
    whole = [["All", "is", "well", "."], ["Nothing", "works", "here", "today", "."]]
    assert desk.tags() == [["Ada", ["2.5"], []], ["Ada", [], []], ["Ada", *whole]]
    assert [record[2] for record in desk.records("tags.db")] == ["0", "1", "0"]
    desk.press("u", "u")
    assert desk.item == 2 and len(desk.tags()) == 1
    desk.press("u")
    assert desk.item == 1 and desk.marked() == [["2.5"], []]  # the marks come back with their pair
    desk.press("a", "s")
    assert desk.states() == ["ambiguous", "skip", "open"] and desk.tags() == []
    desk.press("?", "e", "Enter", "Escape")
    assert desk.item == 3 and desk.marked() == whole and desk.cells() == cells


def test_what_another_tagged_is_drawn_when_it_is_revealed(desk):
    desk.review()
    desk.press("o", "e", "Enter", "Enter", "Enter")
    desk.review(reviewer="Ben")
    assert desk.marked() == [[], []] and not desk.part(".pg-other")
    desk.press("r")
    others = desk.texts(".pg-other")
    assert " ".join(others) == "They sold it for $ 1.8 billion that year ."
    assert "Ada: – / “They" in desk.text(".pg-proposal")


def test_hostile_sentences_are_words_and_nothing_else(desk):
    with desk.in_theme("Dark"):
        desk.review(HOSTILE)
        desk.themed("Dark")
        for _ in range(3):
            desk.press("e", "o", "e", "r")
            assert desk.js("foreign") == 0 and desk.js("wide") == desk.js("faint") == []
            desk.press("Enter")
    assert desk.item == 0
    texts = desk.ask("[''.join(words) for words in review.tags['words_a']]")
    assert texts[0] == "<script>window.__pwned=1</script>Why?" and texts[2] == "ネコは魚を食べる"
