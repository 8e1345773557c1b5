"""The Pair Labeler in a real JupyterLab, by keys only: what is asked, what the log holds, what the page says."""

import json
from pathlib import Path

import pytest

from .conftest import look, review_fixtures
from .test_review import ReviewDesk

#: Sentences on six topics, four each; a learner that knows words alone, and can be told to take its time.
START = """
import sys, threading
sys.path.insert(0, {tests!r})
from collection.words import WordLearner
topics = ["remove a coffee stain from a white shirt", "learn to swim as an adult", "find a cheap flight to Lisbon",
          "keep a cat off the kitchen table", "get over a cold before Friday", "ask for a higher salary"]
frames = ["How do I {{}}?", "What is the best way to {{}}?", "how to {{}}", "Is there a quick way to {{}}?"]
texts = [frame.format(topic) for topic in topics for frame in frames]
class Slow(WordLearner):
    end = threading.Event()
    end.set()
    def teach(self, *args, **options):
        assert self.end.wait(120)
        super().teach(*args, **options)
def same(a, b):
    return texts.index(a) // 4 == texts.index(b) // 4
"""
HOSTILE = ["<script>window.__pwned = 1</script>Why?", "<img src=x onerror='window.__pwned = 2'>Why?", "W" * 300]


class LabelDesk(ReviewDesk):
    """A notebook with a labeler in it."""

    def label(self, options="", learner="Slow(texts)"):
        self.tell(START.format(tests=str(Path(__file__).parents[1])))
        path = str(self.folder / "labels.db")
        self.tell(
            f"learner = {learner}\nreview = pg.PairLabeler(learner, 60, {path!r}, 'Ada', strategy='adaptive', "
            f"batch=5{options})"
        )
        self.run()
        self.page.mouse.move(5, 5)
        self.root.focus()

    def answer(self):
        """The true answer, by its key; returns it."""
        self.ready()
        key = "y" if self.ask(f"same(*{self.sides()!r})") else "n"
        self.press(key)
        return key

    def ready(self):
        """Wait until a pair is on screen, and nothing trains."""
        self.ask("review.wait()")
        self.until("reviews", self.ask("review.current"))

    def estimate(self):
        return [one.text_content() for one in self.root.query_selector_all(".pg-estimate > *")]


notebook, desk = review_fixtures(LabelDesk, 1400)


@pytest.mark.parametrize("width", [800, pytest.param(1400, marks=pytest.mark.long)])
def test_new_pairs_by_keys_from_the_first_to_what_follows(desk, width):
    desk.page.set_viewport_size({"width": width, "height": 900})
    desk.label()
    cells = desk.cells()
    assert desk.text(".pg-title").endswith("do the two mean the same? 60 answers left") and desk.js("hasFocus")
    pressed = []
    for i in range(12):
        pair = desk.sides()
        pressed.append((pair, desk.answer()))
        assert desk.js("wide") == []
        if i in (0, 11):
            look(desk, f"label-{i}-{width}")
    logged = desk.records("labels.db")
    assert [record[:3] for record in logged] == [[*pair, "flip" if key == "y" else "keep"] for pair, key in pressed]
    assert [json.loads(record[-1])["stated"] for record in logged] == [False] * 12
    assert desk.estimate()[0] == "48 of 60 answers left" and "questions saved" in desk.estimate()[1]
    # what follows is in the list, with its proof
    desk.root.query_selector("select[aria-label='Which pairs']").select_option("settled")
    desk.settle()
    assert desk.listed() and all("follows: yes" in line for line in desk.listed())
    desk.push(".pg-case-item")
    assert "follows: yes" in desk.text(".pg-status") and desk.why()["steps"]
    assert all("you: yes" in step["rows"] for step in desk.why()["steps"])
    look(desk, f"label-follows-{width}")
    # an answer against it is a conflict
    desk.press("n")
    assert desk.ask("review.conflicts['kind'].tolist()") == ["within"]
    desk.push("button.pg-action:has-text('Conflict #')")
    assert "not all that is said can be true" in desk.text(".pg-status")
    look(desk, f"label-conflict-{width}")
    desk.press("y")
    assert desk.ask("len(review.conflicts)") == 0
    assert desk.cells() == cells and desk.js("faint") == [] and desk.js("wide") == []


def test_every_key_and_hostile_sentences(desk):
    desk.page.set_viewport_size({"width": 1400, "height": 900})
    desk.label()
    first = desk.sides()
    desk.press("y", "n", "a", "s")
    assert [record[2] for record in desk.records("labels.db")] == ["flip", "keep", "ambiguous", "skip"]
    assert desk.estimate()[0] == "57 of 60 answers left" and "1 of the last 3 are yes" in desk.estimate()[1]
    desk.press("u", "u", "u", "u")
    assert desk.item == 1 and desk.sides() == first and desk.estimate()[0] == "60 of 60 answers left"
    desk.press("u")
    assert "Nothing is left to undo" in desk.text(".pg-message")
    desk.press("w")
    desk.page.keyboard.type("yna <b>&")
    desk.press("Enter")
    assert desk.text(".pg-notes") == "Note: yna <b>&" and desk.item == 1
    desk.press("?")
    help = desk.text(".pg-help")
    assert "wwrite a note: Enter saves" in help and "nNo: they do not mean the same" in help
    desk.press("y", "Escape")
    assert desk.item == 1
    for _ in range(6):
        desk.answer()
    desk.ready()
    assert desk.root.query_selector(".pg-proposal") is None
    desk.press("r")
    assert "The model says yes with probability" in desk.text(".pg-proposal")
    look(desk, "label-revealed")
    desk.press("y")
    assert json.loads(desk.records("labels.db")[-1][-1]).keys() == {"blind", "chosen", "p", "stated"}
    desk.folder = desk.folder / "hostile"
    desk.folder.mkdir()
    desk.label(learner=f"WordLearner({HOSTILE!r})")
    assert desk.js("foreign") == 0 and desk.js("wide") == []
    desk.press("y", "y")
    assert desk.js("foreign") == 0 and desk.item == 0


@pytest.mark.long
def test_a_learner_that_trains(desk):
    """A bag of words, with a development set: rounds come in by themselves."""
    desk.label(
        ", dev=pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO).head(300))",
        "pg.Learner(texts, lr=5e-3, progress=False)",
    )
    for _ in range(12):
        desk.answer()
    desk.ready()
    assert desk.ask("learner.round") >= 2 and desk.ask("review.rounds['dev_ap'].notna().all()")
    assert "dev AP" in desk.estimate()[1] and desk.root.query_selector(".pg-chart")
    desk.press("r")
    assert "The model says yes with probability" in desk.text(".pg-proposal")
    assert desk.js("faint") == [] and desk.js("wide") == []
    look(desk, "label-learner")
