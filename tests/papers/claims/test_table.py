"""Published numbers: the arithmetic comes out as said, and the code that needs data is right where data are."""

import csv
import os
from pathlib import Path

import pytest

from paragraph.papers import claims

NO_DATA = Path("/nonexistent")


@pytest.fixture(scope="module")
def checked():
    return claims.table(NO_DATA)


def claimed(*beginnings, source=""):
    return [one for one in claims.CLAIMS if one.statement.startswith(beginnings) and one.source.startswith(source)]


@pytest.mark.parametrize(
    "expected, found, slip, verdict",
    [
        (5, 5, (), "✓"),
        (5, 5, (4, "misprint"), "✓"),
        (5, 4, (4, "misprint"), "explained"),
        (5, 3, (4, "misprint"), "✗"),
        (5, 4, (), "✗"),
    ],
)
def test_verdict(expected, found, slip, verdict):
    assert claims.Claim("", "", expected, str(found), *slip).check(NO_DATA)[0] == verdict


def test_every_claim_that_needs_no_data_holds_or_is_explained(checked):
    assert len(checked) == len(claims.CLAIMS) == 317
    table = checked[~checked["source"].str.endswith("by training")]  # other data, other models
    assert set(table["verdict"]) == {"✓", "explained", "needs data"}
    assert (table.loc[table["verdict"] == "explained", "why"] != "").all()
    missing = table[table["verdict"] == "needs data"]
    needs = missing["statement"].str.contains("GLUE|WikiQA|Quora, ") | missing["source"].str.match("Wang|Takahagi")
    assert needs.all() and missing["why"].str.startswith("no ").all()
    averages = checked[checked["statement"].str.endswith("average of its row")]
    assert len(averages) == 28 and set(averages["verdict"]) == {"✓"}
    assert checked["verdict"].value_counts().to_dict() == {"✓": 156, "needs data": 123, "explained": 30, "✗": 8}
    assert set(checked.loc[checked["verdict"] == "✗", "source"].str.split(", ").str[-1]) == {"by training"}


def test_glue_claims_count_what_is_there(tmp_path):
    """Two clusters {a, b, c}, {x, y} with a frenemy a−c and a negative a−x; a single sentence z held from a."""
    folder = tmp_path / "qqp-glue"
    folder.mkdir()
    rows = [("a", "b", 1), ("b", "c", 1), ("a", "c", 0), ("x", "y", 1), ("a", "x", 0), ("a", "z", 0)]
    for name in ("train.tsv", "dev.tsv"):
        with open(folder / name, "w", newline="") as file:
            out = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE)
            out.writerow(["id", "qid1", "qid2", "question1", "question2", "is_duplicate"])
            for i, (first, second, label) in enumerate(rows):
                out.writerow([i, ord(first), ord(second), f"is it {first}?", f"is it {second}?", label])
    table = claims.table(tmp_path, [one for one in claims.CLAIMS if "GLUE" in one.statement])
    found = table.set_index("statement")["found"]
    assert set(table["verdict"]) == {"✗"}  # a toy is not Quora's data, and no claim pretends it is
    assert found["mislabeled pairs in GLUE QQP, training"] == 1
    assert found["original from GLUE QQP, training: positives, negatives"] == (3, 3)
    assert found["original_flipped from GLUE QQP, training: positives, negatives"] == (4, 2)
    # {a, b, c} × {x, y} gives five more negatives; a−z, with a single end, stays one pair.
    assert found["augmented from GLUE QQP, training: positives, negatives"] == (3, 8)
    assert found["augmented_flipped from GLUE QQP, testing: positives, negatives"] == (4, 7)


@pytest.mark.slow
@pytest.mark.skipif("PARAGRAPH_DATA" not in os.environ, reason="needs the real datasets")
def test_wikiqa_claims_come_out_on_the_release():
    table = claims.table(None, [one for one in claimed("WikiQA") if "million pairs" in one.statement])
    assert table["verdict"].tolist() == ["explained", "✓", "✓"]


def test_other_peoples_runs_are_read_as_the_page_says(tmp_path):
    folder = tmp_path / "mussmann2020"
    folder.mkdir()
    rows = ["\tP@R20\tAP\tpositives\tAP of dev, 232100", "static\t49.2\t25.0\t16422\t21.9", "bert\t3.0\t2.4"]
    (folder / "qqp.tsv").write_text("\n".join(rows) + "\n")
    mine = claimed("Quora, static", "Quora, cross-encoder bert:", "Quora, cross-encoder xlnet:")
    table = claims.table(tmp_path, mine).set_index("statement")
    assert table.loc["Quora, static: P@R20, AP, %", ["found", "verdict"]].tolist() == [(49.2, 25.0), "✗"]
    assert table.loc["Quora, static: positives found", ["found", "verdict"]].tolist() == [16422, "✓"]
    assert table.loc["Quora, static, 232,100 labels: AP of dev, %", "verdict"] == "✓"
    assert table.loc["Quora, cross-encoder bert: P@R20, AP, %", "verdict"] == "✓"
    assert table.loc["Quora, cross-encoder xlnet: P@R20, AP, %", "verdict"] == "needs data"


def test_rouge_of_wang_comes_out_on_the_judgements(checked):
    """By `benchmarks.agreement`; that ROUGE counts as there is tested beside it."""
    rouge = checked["statement"].str.match("ROUGE-.*, (BAGEL|SFRES|Q-CNN)") & checked["source"].str.startswith("Wang")
    assert checked.loc[rouge, "verdict"].tolist() == ["✓"] * 9


@pytest.mark.skipif("PARAGRAPH_DATA" not in os.environ, reason="needs the real datasets")
def test_counts_of_jsick_come_out_on_the_release():
    mine = [one for one in claims.CLAIMS if one.statement.endswith(("JSICK: training pairs", "JSICK: test pairs"))]
    assert claims.table(None, mine)["verdict"].tolist() == ["✓", "✓"]
