"""A Shuffle Reading in a real JupyterLab: keys that judge, nothing that tells, the rates when all is read."""

from .conftest import look, review_fixtures
from .test_review import ReviewDesk

TABLE = """
import pandas as pd
rows = [(f"太郎は{i}時に駅で花子を待った", f"駅で太郎は花子を{i}時に待った") for i in range(5)]
rows += [("<img src=x onerror='window.__pwned=1'>猫が寝た", "<script>window.__pwned=2</script>寝た"),
         ("雨が" * 60 + "降る", "人が" + "雨が" * 80 + "降る")]
table = pd.DataFrame(rows, columns=["text", "shuffled"])
"""


class ReadingDesk(ReviewDesk):
    """A notebook with a reading in it."""

    def review(self, code=TABLE, reviewer="Ada", options=""):
        path = str(self.folder / "readings.db")
        self.tell(f"{code}\nreview = pg.ShuffleReading(table, {path!r}, reviewer={reviewer!r}{options})")
        self.run()
        self.page.mouse.move(5, 5)
        self.root.focus()


notebook, desk = review_fixtures(ReadingDesk, width=1400)


def test_sentences_are_judged_by_keys_and_the_rates_are_shown(desk):
    desk.review(options=", original_share=.3")
    look(desk, "reading-first")
    assert len(desk.root.query_selector_all(".pg-side")) == 1 and "would you say this?" in desk.text(".pg-title")
    assert desk.root.query_selector('.pg-side [lang="ja"], .pg-side[lang="ja"]')
    desk.press("y", "r", "s", "n", "u", "n", "q")
    look(desk, "reading-on")
    assert desk.states() == ["keep", "skip", "flip", "ambiguous", "open", "open", "open"]
    assert "untouched" not in desk.text(".pg-list") + desk.text(".pg-why") + desk.text(".pg-middle")
    desk.press("y", "y", "y", "y")
    assert desk.item == 0 and desk.ask("review.rates()['wrong'].sum()") == 1
    assert "shuffled: wrong" in desk.text(".pg-why") and "untouched: wrong" in desk.text(".pg-why")
    look(desk, "reading-done")


def test_contrast_and_width(desk):
    with desk.in_theme("Dark"):
        desk.review(reviewer="Dark")
        desk.themed("Dark")
        desk.page.set_viewport_size({"width": 800, "height": 900})
        for _ in range(7):
            desk.press("ArrowDown")
            desk.js("painted")
            assert desk.js("wide") == [] and desk.js("foreign") == 0
        look(desk, "reading-800")
        assert desk.js("faint") == []
