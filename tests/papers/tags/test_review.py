"""The Tag Review without a page: what marks and decisions write, what is hidden, what another session reads."""

import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.tags.logged import tag_table

from ...refused import refused

PAIRS = pd.DataFrame(
    [("He paid $2.", "He got $3.", "till"), ("It is late.", "It's late.", ""), ("All is well.", "No!", "")],
    columns=["text_a", "text_b", "source"],
)
TURNED = PAIRS.rename(columns={"text_a": "text_b", "text_b": "text_a"})


@pytest.fixture
def review(tmp_path):
    def make(reviewer="Ada", table=PAIRS, **options):
        return pg.TagReview(table, tmp_path / "tags.db", reviewer, **options)

    return make


def tag(review, *marks):
    for one in marks:
        review.mark(*one)
    review.decide("tags")


def seen(review):
    return ["".join(map(str, marks)) for marks in review.case["marks"]]


def test_what_is_marked_is_in_the_log_and_means_something_for_the_pair(review):
    one = review()
    tag(one, ("a", 3), ("b", 1, 4))
    tag(one)
    one.mark("a", 0)
    one.decide("ambiguous")  # what is marked is kept, and no tag
    one.current = 3
    assert seen(one) == ["1000", "00"]
    assert one.tags[["text_a", "tags_a", "tags_b", "annotator"]].values.tolist() == [
        ["He paid $2.", [0, 0, 0, 1, 0], [0, 1, 1, 1, 0], "Ada"],
        ["It is late.", [0] * 4, [0] * 4, "Ada"],
    ]
    assert one.queue["state"].tolist() == ["different", "same", "ambiguous"]
    assert one.decision_log.answered()["same"].tolist() == [0, 1, pd.NA]
    saw = one.decision_log.records()[0].saw
    assert saw | {"seconds": 0} == {
        "blind": True, "seconds": 0, "words": [["He", "paid", "$", "2", "."], ["He", "got", "$", "3", "."]],
        "tags": [[[3, 4]], [[1, 4]]],
    }  # fmt: skip


def test_marks_can_be_cleared_and_taken_back_then_decisions(review):
    one = review()
    one.mark("a", 0, 5)
    one.mark("a", 1, 3, on=False)
    one.mark("a", 1, 3, on=False)  # nothing changes
    assert seen(one) == ["10011", "00000"]
    one.on_undo()
    assert seen(one) == ["11111", "00000"]
    tag(one)
    one.mark("b", 0)
    for expected in (["0000", "0000"], ["11111", "00000"]):
        one.on_undo()
        assert seen(one) == expected
    assert (one.current, one.case["undo"]) == (1, False)
    assert one.tags.empty


def test_what_was_tagged_the_other_way_round_or_in_other_words_is_undone(review):
    tag(review(), ("b", 1, 3))
    one = review(table=TURNED)
    assert (one.current, one.queue["state"].tolist()) == (2, ["different", "open", "open"])
    one.on_undo()
    assert seen(one) == ["01100", "00000"]
    tag(one)
    other = review(table=TURNED.assign(words_a=TURNED["text_a"].str.split(), words_b=TURNED["text_b"].str.split()))
    other.on_undo()
    assert (other.current, seen(other)) == (1, ["000", "000"])


def test_a_second_annotator_sees_nothing_of_the_first_until_it_is_revealed(review):
    tag(review(), ("a", 3), ("b", 3))
    two = review("Ben", TURNED)
    assert (two.current, seen(two), two.case["others"]) == (1, ["00000", "00000"], [])
    assert "Ada" not in json.dumps([two.case, two.listing])
    two.on_reveal(1)
    assert two.case["others"] == [[0, 0, 0, 1, 0]] * 2
    assert two.case["why"]["proposal"]["reasons"] == ["Ada: “3” / “2”"]
    tag(two, ("a", 3))
    assert [json.loads(shown)["blind"] for shown in two.decision_log.answers()["shown"]] == [True, False]
    found = two.agreement()
    assert (found["pairs"], found["words"], found["f1"]) == (1, 10, pytest.approx(2 / 3))
    # Tags of a table are hidden too.
    table = pg.tags.untagged(PAIRS).assign(tags_a=[[0, 1, 0, 1, 0], [0] * 4, [1] * 4], annotator="a tagger")
    table["tags_b"] = [[0] * len(words) for words in table["words_b"]]
    one = review("Cy", table)
    assert seen(one) == ["00000", "00000"] and "a tagger" not in json.dumps([one.case])
    one.on_reveal(1)
    assert "a tagger: “paid”, “2” / –" in one.case["why"]["proposal"]["reasons"]


def test_what_another_writes_merges_or_takes_back_meanwhile_is_seen(review, tmp_path):
    one, two = review(blind=False), review("Ben")
    assert one.case["others"] == []
    tag(two, ("a", 3))
    one.mark("a", 0)
    assert one.case["others"] == [[0, 0, 0, 1, 0], [0] * 5]
    two.on_undo()
    one.mark("a", 0, on=False)
    assert one.case["others"] == []
    early = pg.DecisionLog(tmp_path / "early.db", "Cy")
    early.add("He paid $2.", "He got $3.", 0, shown=two._shown() | {"tags": [[], []]})
    one.decision_log.merge(early)
    one.mark("a", 0)
    assert one.case["others"] == [[0] * 5] * 2


def test_a_log_shared_with_other_reviews(review, tmp_path):
    log = pg.DecisionLog(tmp_path / "tags.db")
    log.add("It is late.", "It's late.", 0, stated=1, reviewer="Ada")
    one = review()
    assert one.queue["state"].tolist() == ["open"] * 3
    assert "answers of the log about no pair of these (1)" in one.listing["note"]
    tag(one, ("a", 3))
    log.add("He paid $2.", "He got $3.", 0, reviewer="Ada")
    assert len(tag_table(log.records())) == 1


def test_what_cannot_be_tagged(review, tmp_path):
    one = review(table=pd.concat([PAIRS, TURNED]))
    assert one.listing["note"] == "Left out: rows that name a pair again (3)."
    for marks in (("c", 0), ("a", 5), ("a", 2, 2), ("b", -1)):
        refused("none", one.mark, *marks)
    assert seen(one) == ["00000", "00000"]
    none, log = review(table=PAIRS.head(0)), pg.DecisionLog(tmp_path / "odd.db")
    assert none.case["title"] == "The table has no pairs."
    shown = {"words": [["a"], ["b"]], "tags": [[[0, 9]], []]}
    log.add("a", "b", 0, reviewer="Ada", shown=shown)
    itself = pd.DataFrame({"text_a": ["a", "b "], "text_b": ["b", "b"]})
    refused("row 2: a sentence is paired with itself", review, table=itself)
    refused("the table needs the columns text_a, text_b", review, table=[1])
    refused("not one of tags, ambiguous, skip", review().decide, "flip")
    refused("nothing to mark", none.mark, "a", 0)
    refused(r"tags of record \w+ cannot be read", tag_table, log.records())


def test_pages_without_scripts_show_the_marks_and_no_markup(review, tmp_path):
    one = review(table=pd.DataFrame({"text_a": ["<b>He</b> paid"], "text_b": ["He & I"]}))
    one.mark("a", 0, 3)
    page = one._twin_bundle()["text/html"]
    assert "<mark>&lt;</mark><mark>b</mark><mark>&gt;</mark>He&lt;" in page and "He &amp; I" in page
    assert "Pair #1 of 1" in one.save(tmp_path / "still.svg").read_text()
