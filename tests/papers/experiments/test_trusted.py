"""Training sets of trusted labels against their definition; components apart."""

import pandas as pd
import pytest

import paragraph as pg
from benchmarks.trusted import trainings
from paragraph.papers.experiments.sets import apart

ROWS = [("a", "b", 1), ("b", "c", 1), ("c", "x", 0), ("d", "e", 1), ("d", "f", 0), ("g", "h", 0)]
#: What the judge says of pairs of letters.
SAME = {"ab": 0.9, "bc": 0.9, "ac": 0.95, "cx": 0.1, "bx": 0.05, "ax": 0.75}
SAME |= {"de": 0.001, "df": 0.2, "ef": 0.5, "gh": 0.3}


def judge(left, right):
    return [SAME["".join(sorted(pair))] for pair in zip(left, right, strict=True)]


def table(rows):
    return pd.DataFrame(rows, columns=["text_a", "text_b", "label"])


def pairs_of(frame):
    return {"".join(sorted((row.text_a, row.text_b))): row.label for row in frame.itertuples()}


def test_training_sets_by_definition():
    graph = pg.ParaphraseGraph.from_pairs(table(ROWS))
    sets = trainings(graph, judge, [0.8], 0.4)
    p = pg.trust(pg.infer(graph), judge).to_frame()
    sure = pairs_of(p[p["p_right"] >= 0.8])
    assert 0 < len(sure) < len(p)
    wrong = pg.suspects(graph, judge=judge)
    given = pairs_of(table(ROWS))
    assert pairs_of(sets["original"]) == given
    assert pairs_of(sets["augmented"]) == given | pairs_of(p)
    assert pairs_of(sets["sure 0.8"]) == given | sure
    doubted = pairs_of(wrong[wrong["p_wrong"] >= 0.4])
    assert "de" in doubted and pairs_of(sets["doubt 0.4"]) == {k: v for k, v in given.items() if k not in doubted}


@pytest.mark.parametrize(("judged", "left"), [("ax", "defgh"), ("de", "abcgh"), ("xd", "gh"), ("yz", "abcdefgh")])
def test_components_with_a_judged_sentence_are_left_out(judged, left):
    rest = apart(table(ROWS), table([(*judged, 1)]))
    assert {*rest["text_a"], *rest["text_b"]} - {"x"} == {*left}
