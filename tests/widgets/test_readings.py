"""The Shuffle Reading without a page: what is hidden, what the log holds, and the rates."""

import json

import pandas as pd
import pytest

import paragraph as pg

TABLE = pd.DataFrame(
    [(f"猫が{i}時に机で寝ている", f"机で猫が{i}時に寝ている") for i in range(12)], columns=["text", "shuffled"]
).assign(order="2 0 1 3", orders=6)


@pytest.fixture
def reading(tmp_path):
    return lambda reviewer="Ada", table=TABLE, **options: pg.ShuffleReading(
        table, tmp_path / "readings.db", reviewer=reviewer, **options
    )


def shown(one):
    return one.case["pair"][0][0][0]


def test_all_is_read_and_the_rates_tell_shuffled_from_untouched(reading):
    one, texts = reading(original_share=0.25), []
    while one.current is not None:
        texts.append(shown(one))
        assert len(one.case["pair"]) == 1 and one.case["off"]["reveal"]
        assert texts[-1] in one._twin_bundle()["text/html"]
        one.decide("flip" if texts[-1].startswith("猫") else "ambiguous" if "9" in texts[-1] else "keep")
    untouched = [text for text in texts if text in set(TABLE["text"])]
    awkward = sum("9" in text and text not in untouched for text in texts)
    assert len(texts) == 12 and len(untouched) == 3 and "猫" not in one._twin_bundle()["text/html"]
    assert one.rates()[["good", "awkward", "wrong"]].values.tolist() == [[9 - awkward, awkward, 0], [0, 0, 3]]
    assert one.rates().loc["untouched", ["share", "low", "high"]].round(2).tolist() == [1, 0.44, 1]
    assert one.why["facts"][-2:] == [
        ["shuffled: wrong", "0, 0% (0%–30%)"],
        ["untouched: wrong", "3, 100% (44%–100%)"],
    ]


def test_while_it_is_read_nothing_tells_which_is_which(reading):
    one = reading(original_share=0.5)
    for _ in range(6):
        one.decide("keep")
    one.on_reveal(one.current)
    told = json.dumps([one.case, one.why, one.listing, one.picture, one.words], ensure_ascii=False)
    assert "untouched" not in told and told.count("寝ている") == 12 + 2 - 1  # the list, and what is on screen
    assert [len(row["texts"]) for row in one.listing["rows"]] == [1] * 12


def test_the_log_says_what_was_read_and_two_readers_can_be_compared(reading):
    read = []
    for name, answers in (("Ada", ["keep", "flip", "ambiguous", "skip"]), ("Ben", ["keep", "keep", "ambiguous"])):
        one = reading(name, TABLE.head(4), original_share=0.5)
        for answer in answers:
            read.append(shown(one))
            one.decide(answer)
    log = one.decision_log
    assert " ".join(record.decision for record in log.records()) == "keep cut ambiguous skip keep keep ambiguous"
    assert {record.label for record in log.records()} == {1} and pg.agreement(log).items == 3
    assert {record.question2 for record in log.records()} <= {*TABLE["shuffled"]}
    said = [json.loads(record.shown).get("untouched", False) for record in log.records()]
    assert said == [text in {*TABLE["text"]} for text in read]


def test_a_reading_goes_on_is_undone_and_is_drawn_by_its_seed(reading):
    one = reading()
    first = shown(one)
    one.decide("flip")
    again = reading()
    assert (again.current, shown(again) == first) == (2, False)
    again.on_undo()
    assert (again.current, shown(again), again.rates()["wrong"].sum()) == (1, first, 0)
    twice = pd.concat([TABLE.head(2), TABLE.head(2).assign(shuffled=lambda t: t["shuffled"].str.replace("机で", ""))])
    assert len(reading(table=twice, original_share=0.5).queue) == 3  # an original is read once
    assert shown(reading("Ben")) == first and len({shown(reading(f"{seed}", seed=seed)) for seed in range(6)}) > 1


def test_what_cannot_be_read(reading):
    for table, share in ((TABLE[["text"]], 0.1), (TABLE, 1.5), (TABLE, -1), (TABLE.rename(columns={"text": "a"}), 0)):
        with pytest.raises(pg.PairsError, match="columns text and shuffled, and original_share between 0 and 1"):
            reading(table=table, original_share=share)
