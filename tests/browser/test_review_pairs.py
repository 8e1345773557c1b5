"""Pairs of any table reviewed in a real JupyterLab, by keys only; what the log holds against what was pressed."""

import json

from .conftest import review_fixtures
from .test_review import ReviewDesk

HOSTILE = """
import pandas as pd
bad = ["<script>window.__pwned = 1</script>Why?", "<img src=x onerror='window.__pwned = 2'>Why?", "W" * 200]
table = pd.DataFrame([(bad[0], bad[1], 1), (bad[0], bad[2], 0)], columns=["question1", "question2", "label"])
table = table.assign(reason=["<b onclick='window.__pwned = 3'>bold</b>", "x" * 300], **{"<i>odd</i>": 0.5})
"""
SAMPLE = "graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))\ntable = pg.infer(graph).sample(60, seed=1)"
OPTIONS = ", order='random'"


class PairDesk(ReviewDesk):
    """A notebook with a review of pairs in it."""

    def review(self, code, graph="None", options=""):
        """Show a review of the table that `code` makes, its log as it stands."""
        path = str(self.folder / "decisions.db")
        self.tell(f"{code}\nreview = pg.PairReview(table, {graph}, {path!r}, reviewer='Ada'{options})")
        self.run()
        self.page.mouse.move(5, 5)
        self.root.focus()


notebook, desk = review_fixtures(PairDesk)


def test_inferred_labels_by_keys_only(desk):
    desk.review(SAMPLE, "graph", OPTIONS)
    cells, pairs = desk.cells(), desk.ask("review.queue[['text_a', 'text_b', 'label']].values.tolist()")
    assert desk.text(".pg-status").split(" · ")[0].endswith("inferred") and desk.js("hasFocus")
    keys = "kkfkkkkakksk"
    for i, key in enumerate(keys):
        assert desk.item == i + 1 and desk.sides() == pairs[i][:2]
        desk.press(key)
    logged = desk.records()
    label = [pair[2] for pair in pairs]
    wrong = "cut" if label[2] else "flip"
    names = {"k": "keep", "f": wrong, "a": "ambiguous", "s": "skip"}
    assert [record[2] for record in logged] == [names[key] for key in keys]
    assert [record[:2] for record in logged] == [pair[:2] for pair in pairs[: len(keys)]]
    assert desk.text(".pg-estimate").startswith("Label right: 9 of 10, 90 % (60–98 %)95 % interval")
    desk.press("u", "u")
    assert desk.item == 11 and desk.text(".pg-estimate").startswith("Label right: 8 of 9")
    desk.press("c", "1", "F")  # none of these is a key here
    assert desk.item == 11 and len(desk.records()) == len(keys) + 2
    desk.press("w")
    desk.page.keyboard.type("fkas <b>&")
    desk.press("Enter")
    assert desk.text(".pg-notes") == "Note: fkas <b>&"
    desk.search("#3")
    desk.press("Enter")
    assert desk.item == 3 and "label wrong" in desk.text(".pg-status")
    desk.press("Escape", "?")
    help = desk.text(".pg-help")
    assert "Label wrong" in help and "1 … 9" not in help
    desk.press("k", "Escape")
    assert desk.item == 3 and desk.cells() == cells
    with desk.in_theme("Dark"):
        desk.review(SAMPLE, "graph", OPTIONS)  # another kernel would read the same
        assert desk.item == 11 and desk.text(".pg-estimate").startswith("Label right: 8 of 9")
        desk.themed("Dark")
        for key in "kfr?":
            desk.press(key)
            assert desk.js("faint") == []
        desk.press("Escape")


def test_reveal_and_hostile_text(desk):
    desk.review(HOSTILE)
    for shown in ("odd</i>: 0.5", "x" * 300):
        assert desk.root.query_selector(".pg-proposal") is None
        desk.press("r")
        assert shown in desk.text(".pg-proposal")
        assert desk.js("foreign") == 0 and desk.js("wide") == []
        desk.press("f")
    assert [json.loads(record[-1]) for record in desk.records() if record[2] != "note"] == [{"blind": False}] * 2
    assert desk.item == 0 and desk.text(".pg-title") == "All is decided. Label right: 0 of 2, 0 % (0–66 %)"
    assert desk.js("foreign") == 0 and desk.js("hasFocus")
