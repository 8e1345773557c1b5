"""An audit driven by keys in a real JupyterLab: drawn, judged, reported, learned from."""

import pytest

from .conftest import look, review_fixtures
from .test_review_pairs import PairDesk

DRAW = "graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))\ntable = pg.audit(graph, 24, seed=5)"
ANSWERS = {"y": 1, "n": 0}


notebook, desk = review_fixtures(PairDesk, 1400)


@pytest.mark.parametrize("width", [800, pytest.param(1400, marks=pytest.mark.long)])
def test_an_audit_by_keys_from_drawing_to_report(desk, width):
    desk.page.set_viewport_size({"width": width, "height": 900})
    desk.review(DRAW, "graph")
    pairs = desk.ask("table[['text_a', 'text_b']].values.tolist()")
    keys = "ynynaysnnnyyynyynnyynyayn"[: len(pairs)]
    for i, key in enumerate(keys):
        assert desk.item == i + 1 and desk.sides() == pairs[i]
        assert "label " not in desk.text(".pg-status") and desk.bench("shown()") == []
        assert "are hidden" in desk.text(".pg-middle") and desk.js("faint") == [] and desk.js("wide") == []
        middle, case, stage = (
            desk.root.query_selector(f".pg-{x}").bounding_box() for x in ("middle", "case", "stage")
        )
        assert case["height"] > 3 * stage["height"] and (width < 900 or case["height"] > 0.7 * middle["height"])
        sides = [side.bounding_box() for side in desk.root.query_selector_all(".pg-side")]
        assert width < 900 or all(side["height"] > middle["height"] / 2 for side in sides)
        if i == 3:
            glosses = desk.root.query_selector_all(".pg-decide[aria-label] small")
            assert [one.inner_text() for one in glosses if one.is_visible()] == [
                "They mean the same", "They do not mean the same", "Nobody can say: left out", "It comes back later",
            ]  # fmt: skip
            look(desk, f"audit-{width}")
        desk.press(key)
    later = keys.index("s") + 1
    assert desk.item == later  # what was left for later comes back
    desk.press("r")
    assert "label " in desk.text(".pg-status") and desk.bench("shown()") != []
    look(desk, f"audit-revealed-{width}")
    desk.press("u")  # the last answer
    assert desk.item == len(pairs) and desk.bench("shown()") == []
    desk.press(keys[-1], "y")
    answers = [ANSWERS.get(key) for key in keys]
    answers[later - 1] = 1
    told = desk.ask("[int(x) for x in review.judged()['same'].astype(object).fillna(-1)]")
    assert told == [-1 if answer is None else answer for answer in answers] and desk.item == 0
    look(desk, f"audit-report-{width}")
    report = desk.ask("pg.audited(graph, review).lines()")
    said = desk.text(".pg-why")
    assert all(name in said and share in said for name, *_, share, _ in report[1:])
    assert f"{keys.count('a')} of the sample left empty" in said
    assert desk.js("faint") == [] and desk.js("wide") == []
    assert desk.ask("pg.audited(graph, review.decision_log).table.equals(pg.audited(graph, review).table)")
    delta = desk.ask("pg.repair(graph, audit=review.decision_log).attrs['delta']")
    kinds = desk.ask("pg.audited(graph, review).table.set_index('kind')['judged'].to_dict()")
    assert delta["judged"] == kinds["conflict"]
