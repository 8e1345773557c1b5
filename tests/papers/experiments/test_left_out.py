"""Training sets of trusted labels against their definition; components apart; the table."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.experiments import TrustedLabels, read_results, trusted
from paragraph.papers.experiments.left_out import _trainings, apart

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
    sets, kept = _trainings(graph, judge, [0.8], 0.4, progress=False)
    p = pg.trust(pg.infer(graph), judge).to_frame()
    sure = pairs_of(p[p["p_right"] >= 0.8])
    assert 0 < len(sure) < len(p) and kept["sure 0.8"]["positive follow"] == 1
    wrong = pg.suspects(graph, model=judge)
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


def test_scores_on_judged_pairs_come_back_from_disk(tmp_path):
    pairs = pg.read_pairs(pg.DEMO)
    train, judged = pairs[:600], pairs[1500:1700]
    meaning = pd.read_csv(pg.DEMO.with_name("demo_meanings.tsv"), sep="\t", index_col="question")["meaning"]
    truth = (judged["text_a"].map(meaning) == judged["text_b"].map(meaning)).astype(int)

    def by_meaning(left, right):
        return [0.97 if meaning[a] == meaning[b] else 0.02 for a, b in zip(left, right, strict=True)]

    options = {"seeds": 2, "reader": by_meaning, "results": tmp_path / "t", "doubt": 0.4}
    found = trusted(train, judged.assign(label=truth), **options)
    again = read_results(tmp_path / "t")
    assert isinstance(again, TrustedLabels)
    pd.testing.assert_frame_equal(found.table, again.table)
    rows = found.tables["sets"].set_index("set")["rows"]
    assert rows["original"] < rows["sure 0.9"] < rows["augmented"] and rows["doubt 0.4"] < rows["original"]
    assert len(found.table) == 2 * len(rows) and {*found.table["test_set"]} == {"judged"}
    assert len(found.score_differences()) == len(rows) - 1 and "points of accuracy" in found._repr_html_()
