"""``paragraph apply``: from a log to the corrected dataset and its variants."""

import pytest

import paragraph as pg
from paragraph.decisions.record import digest
from paragraph.files.records import file_hash

from .. import reference
from .written import record, table


@pytest.fixture(autouse=True)
def log(desk):
    pg.write_pairs(reference.table("a+b b+c a-c c+d a-d b-d d-e"), "tea.tsv")
    log = pg.DecisionLog("log.db", "Ada")
    log.add("a", "c", 1, stated=0)
    log.add("d", "c", 0, stated=1, about=[("a", "d")], note="two towns")
    log.add("b", "d", 0, stated=0)
    log.add("x", "y", 1, stated=0)
    log.add("d", "e", "later", stated=0)
    return log


def rows(path):
    return reference.shown(pg.read_pairs(path))


def test_answers_about_another_file_are_told(log, run):
    pg.write_pairs(reference.table("p+q"), "other.tsv")
    told = "not in these data       4        4  no row states the pair\n"
    assert told in run("apply other.tsv log.db -o other.clean.tsv").out


def test_scores_stay_and_apply_says_where_the_answers_are(log, run, desk):
    (desk / "scores.tsv").write_text("text_a\ttext_b\tscore\na\tc\t1\nd\tc\t5\n")
    said = run("apply scores.tsv log.db -o scores.clean.tsv --columns label=score --labels 2,4").out
    assert "nobody's label changes; the answer goes into a last column 'decided'" in said
    clean = table("scores.clean.tsv")
    assert clean["decided"].tolist() == [1, 0] == pg.read_pairs("scores.clean.tsv")["label"].tolist()


def test_apply(log, run):
    before = log.path.read_bytes()
    assert "later                   1        1  left for later\n" in run("apply tea.tsv log.db -o clean.tsv").out
    assert rows("clean.tsv") == "a+b b+c a+c a-d b-d d-e"
    found = table("clean.decisions.tsv")
    assert (
        " ".join(found) == "outcome question1 question2 same label rows reviewers why notes times ids"
    )  # a contract
    assert found[["outcome", "question1", "question2", "rows", "notes"]].values.tolist() == [
        ["becomes 1", "a", "c", "[4]", ""], ["dropped", "c", "d", "[5]", "Ada: two towns"],
        ["stays", "b", "d", "[7]", ""], ["not in these data", "x", "y", "[]", ""], ["later", "d", "e", "[]", ""],
    ]  # fmt: skip
    told = record("clean.tsv")
    assert told["outcomes"] == dict.fromkeys(found["outcome"], 1)
    assert told["inputs"]["pairs"]["sha256"] == file_hash("tea.tsv")
    assert log.path.read_bytes() == before
    of_log = {"file": "log.db", "records": 5, "sha256 of their ids": digest(log.records())}
    assert told["log"] == of_log and told["options"]["cut"] == "drop"


def test_the_users_own_file(desk, run):
    before = (desk / "tea.tsv").read_text()
    out = run("apply tea.tsv log.db -o clean.tsv").out
    choice = "Rows of a wrong 1 are left out; with --cut negative they are turned to 0."
    assert out.endswith(f"{choice}\n1 row left out: clean.left_out.tsv\n")
    assert (desk / "clean.tsv").read_text() == before.replace("a\tc\t0", "a\tc\t1").replace("c\td\t1\n", "")
    assert (desk / "clean.left_out.tsv").read_text() == before[: before.index("a\t")] + "c\td\t1\n"
    found = table("clean.decisions.tsv")
    assert found["outcome"].tolist()[:2] == ["becomes 1", "dropped"] and found["notes"][1] == "Ada: two towns"
    told = record("clean.tsv")
    assert (told["outcomes"]["stays"], told["inputs"]["pairs"]["file"]) == (1, "tea.tsv")


def test_a_corrected_file_has_a_name(desk, refuses):
    for name in ("-", "clean", "clean.csv"):
        refuses(
            "the corrected file has the format of tea.tsv; end its name in .tsv", f"apply tea.tsv log.db -o {name}"
        )


def test_cut_to_negative(run):
    run("apply tea.tsv log.db -o two.tsv -q --cut negative")
    assert "c-d" in rows("two.tsv")


def test_two_reviewers_and_one_log_twice(log, run):
    log.add("a", "c", 0, stated=0, reviewer="Ben")
    pg.DecisionLog("copy.db").merge(log)
    run("apply tea.tsv log.db copy.db -o both.tsv -q")
    report = record("both.tsv")
    told = {"file": "log.db, copy.db", "records": 6, "sha256 of their ids": digest(log.records())}
    assert report["log"] == told and report["outcomes"]["disputed"] == 1
    assert "a-c" in rows("both.tsv")
