"""Pairs of any table reviewed in a real JupyterLab, by keys only; what the log holds against what was pressed."""

import json

import pytest

from .conftest import review_fixtures
from .test_review import ReviewDesk

HOSTILE = """
import pandas as pd
bad = ["<script>window.__pwned = 1</script>Why?", "<img src=x onerror='window.__pwned = 2'>Why?", "W" * 200]
table = pd.DataFrame([(bad[0], bad[1], 1), (bad[0], bad[2], 0)], columns=["question1", "question2", "label"])
table = table.assign(reason=["<b onclick='window.__pwned = 3'>bold</b>", "x" * 300], **{"<i>odd</i>": 0.5})
"""
SAMPLE = "graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))\ntable = pg.infer(graph).sample(60, seed=1)"
SAMPLE += ".sample(frac=1, random_state=1)"
AUDIT = "graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))\ntable = pg.audit(graph, 6, seed=5)"


class PairDesk(ReviewDesk):
    def review(self, code, graph="None", options=""):
        path = str(self.folder / "decisions.db")
        self.shows(f"{code}\nreview = pg.PairReview(table, {graph}, {path!r}, reviewer='Ada'{options})")


notebook, desk = review_fixtures(PairDesk, 1400)


def test_inferred_labels_by_keys_only(desk):
    desk.review(SAMPLE, "graph")
    cells, pairs = desk.cells(), desk.ask("review.queue[['text_a', 'text_b', 'label']].values.tolist()")
    assert desk.text(".pg-status").split(" · ")[0].endswith("inferred") and desk.js("hasFocus")
    keys = "kkfkkkkakksk"
    for i, key in enumerate(keys):
        assert desk.item == i + 1 and desk.sides() == pairs[i][:2]
        desk.press(key)
    logged = [
        [a, b, {"k": str(label), "f": str(1 - label), "a": "?", "s": "later"}[key]]
        for (a, b, label), key in zip(pairs, keys, strict=False)
    ]
    assert [record[:3] for record in desk.records()] == logged
    assert desk.text(".pg-estimate").startswith("Label right: 9 of 10, 90 % (55–100 %)95 % interval")
    desk.press("u", "u")
    assert desk.item == 11 and desk.text(".pg-estimate").startswith("Label right: 8 of 9")
    desk.press("c", "1", "F")  # none of these is a key here
    assert desk.item == 11 and len(desk.records()) == len(keys) + 2
    desk.press("?")
    help = desk.text(".pg-help")
    assert "Label wrong" in help and "1 … 9" not in help
    desk.press("k", "Escape")
    assert desk.item == 11 and desk.cells() == cells
    with desk.in_theme("Dark"):
        desk.themed("Dark")
        for key in "kfr?":
            desk.press(key)
            assert desk.js("faint") == []
        desk.press("Escape")


@pytest.mark.parametrize("width", [800, pytest.param(1400, marks=pytest.mark.long)])
def test_an_audit_shows_two_sentences_alone_and_ends_in_a_report(desk, width):
    desk.page.set_viewport_size({"width": width, "height": 900})
    desk.review(AUDIT, "graph")
    keys, pairs = "ynasyn", desk.ask("table[['text_a', 'text_b']].values.tolist()")
    for key, pair in zip(keys, pairs, strict=True):
        assert desk.sides() == pair
        assert "label " not in desk.text(".pg-status") and desk.bench("scene.nodes") == []
        assert "are hidden" in desk.text(".pg-middle") and desk.js("faint") == [] and desk.js("wide") == []
        height = lambda part: desk.frame(f".pg-{part}")["height"]  # noqa: E731
        assert height("case") > 3 * height("stage")
        if width > 900:
            assert height("case") > 0.7 * height("middle") and height("side") > height("middle") / 2
        desk.press(key)
    glosses = desk.root.query_selector_all(".pg-decide[aria-label] small")
    assert [one.inner_text() for one in glosses if one.is_visible()] == [
        "They mean the same", "They do not mean the same", "Nobody can say: left out", "It comes back later",
    ]  # fmt: skip
    assert desk.item == 4  # what was left for later comes back
    desk.press("r")
    assert "label " in desk.text(".pg-status") and desk.bench("scene.nodes") != []
    desk.press("u")  # the last answer
    assert desk.item == 6 and desk.bench("scene.nodes") == []
    desk.press("n", "y")
    assert desk.ask("review.answered()['same'].astype(object).fillna('').tolist()") == [1, 0, "", 1, 1, 0]
    said, report = desk.text(".pg-why"), desk.ask("pg.error_rates(graph, review)['kind'].tolist()")
    assert desk.item == 0 and all(kind in said for kind in report)
    assert "1 of the sample left empty" in said and desk.js("faint") == [] and desk.js("wide") == []


def test_reveal_and_hostile_text(desk):
    desk.review(HOSTILE)
    for shown in ("odd</i>: 0.5", "x" * 300):
        assert desk.part(".pg-proposal") is None
        desk.press("r")
        assert shown in desk.text(".pg-proposal")
        assert desk.js("foreign") == 0 and desk.js("wide") == []
        desk.press("f")
    shown = [json.loads(record[-1]) for record in desk.records() if record[2] != "note"]
    assert [saw["blind"] for saw in shown] == [False, False]
    assert desk.item == 0 and desk.text(".pg-title") == "All decided. Label right: 0 of 2, 0 % (0–84 %)"
    assert not desk.text(".pg-status").strip() and desk.page.locator(".pg-case").bounding_box()["height"] < 200
    assert desk.js("foreign") == 0 and desk.js("hasFocus")
