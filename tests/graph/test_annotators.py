"""Annotators have names: who says what stands on each row, and a tie is a question."""

import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main
from paragraph.decisions.sheets import sheet

from ..widgets.page import explained, reviewed

ROWS = [  # texts, and the labels of three people
    ("a", "b", "yes", "no", ""),
    ("c", "d", "no", "yes", "yes"),
    ("e", "f", "yes", "yes", "yes"),
    ("g", "h", "no", "no", ""),
]
COLUMNS = {"text_a": "text_a", "text_b": "text_b", "label": "Ada", "label_2": "Bo", "label_3": "Cy"}
TIE = "Ada: yes, Bo: no; a tie, to be decided; until then the later row counts"
MAJORITY = "Ada: no, Bo: yes, Cy: yes; the majority counts"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "votes.csv"
    pd.DataFrame(ROWS, columns=["text_a", "text_b", "Ada", "Bo", "Cy"]).to_csv(path, index=False)
    return path


@pytest.fixture
def graph(file):
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(file, columns=COLUMNS, labels={"yes": 1, "no": 0}))


@pytest.mark.parametrize(("a", "b", "badge", "reason", "rows"), [
    ("a", "b", "annotators differ", f"no ({TIE})", ["2 (Ada)", "2 (Bo)"]),
    ("c", "d", "stated", f"yes ({MAJORITY})", ["3 (Ada)", "3 (Bo)", "3 (Cy)"]),
    ("e", "f", "stated", "yes", ["4 (Ada)", "4 (Bo)", "4 (Cy)"]),
])  # fmt: skip
def test_library_and_page_say_who_says_what(graph, a, b, badge, reason, rows):
    assert pg.explain(graph, a, b).reason == reason
    [page] = explained(graph, [[graph.node(a), graph.node(b)]])
    assert (page["badge"], page["text"]) == (badge, f"{reason[0].upper()}{reason[1:]}.")
    assert [row["row"] for row in page["rows"]] == rows


def test_differences_are_counted_and_are_conflicts(graph, file, capsys):
    summary = graph.summary()
    assert summary["pairs on which annotators differ"] == 2 and summary["of these ties"] == 1
    first = pg.overview(graph).sections[0]
    assert [(fact.value, fact.text) for fact in first.facts] == [
        ("2", "pairs on which your annotators differ"),
        ("1", "of these without a majority: to be decided"),
    ]
    found = pg.conflicts(graph)
    assert found["votes"].tolist() == ["Ada: yes, Bo: no", "Ada: no, Bo: yes, Cy: yes"]
    assert sheet(graph)["rows"].tolist() == ["2 Ada (yes), 2 Bo (no)", "3 Ada (no), 3 Bo (yes), 3 Cy (yes)"]
    columns = ",".join(f"{role}={name}" for role, name in COLUMNS.items())
    main(["summary", str(file), "--columns", columns, "--labels", "yes=1,no=0", "--json"])
    assert json.loads(capsys.readouterr().out)["pairs on which annotators differ"] == 2


def test_a_review_asks_with_the_names(graph, tmp_path):
    review = pg.ConflictReview(graph, tmp_path / "log.db", reviewer="Di")
    why = reviewed(review)["why"]
    assert why["text"] == "Ada: yes, Bo: no. Flip: yes is right. Cut: no is right."
    assert [(row["row"], row["label"]) for row in why["rows"]] == [("2 (Ada)", "yes"), ("2 (Bo)", "no")]


def test_one_person_is_no_difference():
    pairs = pd.DataFrame({"text_a": ["a", "a"], "text_b": ["b", "b"], "label": [1, 0], "annotator": "Ada"})
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    assert graph.annotators is None and not graph.annotators_differ.any() and graph.votes(0) == ""
    assert "stated both ways: 1 for, 1 against" in pg.explain(graph, "a", "b").reason
    assert "votes" not in pg.conflicts(graph) and pg.overview(graph).sections[0].title == "The data"
