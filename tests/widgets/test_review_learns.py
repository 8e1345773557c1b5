"""A list of suspects that learns from its reader: what is asked next, what is said, what the log tells of it."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.pair_queue import TURN
from paragraph.doubts.belief import next_questions
from paragraph.doubts.suspects import belief_of, outlook, reasons_in, summary
from paragraph.widgets.review.evidence import FEW, STOP
from paragraph.widgets.review.pairs import RANDOM

from ..refused import refused
from .graphs import Page, demo


@pytest.fixture(scope="module")
def listed():
    return pg.suspects(demo(), judge=None, progress=False)


def believed(table, label):
    """The belief about a list as a file has it: in columns."""
    return belief_of(table, label)


def opened(listed, path, reviewer="Ada", **options):
    return pg.PairReview(listed, demo(), path, reviewer=reviewer, **options)


def read(review, wrong, answers):
    """Answer so many pairs, each wrong where a function of its row says so; return their places in the list."""
    asked = []
    for _ in range(answers):
        asked.append(review.current - 1)
        review.decide("flip" if wrong(review.queue.iloc[asked[-1]]) else "keep")
    return asked


def test_what_is_asked_next_follows_from_list_seed_and_log_alone(listed, path):
    review = opened(listed, path, seed=3)
    asked, judged, label = [], np.full(len(listed), np.nan), listed["label"].to_numpy()
    random = np.zeros(len(listed), dtype=bool)
    for k in range(12):
        belief = believed(listed, label).with_answers(judged, random)
        drawn, at_random = next_questions(belief, TURN, 3)
        assert review.current - 1 == drawn[0] and at_random[0] == (k < 6)
        assert (RANDOM in review.case["stated"]) == at_random[0]
        asked += read(review, lambda row: row.label == 0, 1)
        judged[asked[-1]] = 1 - label[asked[-1]]
        random[asked[-1]] = k < 6
        shown = review.decision_log.records()[-1].saw
        assert (shown["drawn"], shown["random"], shown["after"], shown["seed"]) == (True, k < 6, k, 3)
        assert shown["p_wrong"] == round(float(belief.p_wrong[asked[-1]]), 3)
    assert review.queue["p_wrong"].tolist() == believed(listed, label).with_answers(judged, random).p_wrong.tolist()
    current, other = review.current, path.with_name("other.db")
    pg.DecisionLog(other).merge(path)
    opened(listed, path, "Bo").decide("keep")  # of another person nothing is learnt
    for log in (path, other):  # opened again, here and elsewhere
        assert opened(listed, log, seed=3).current == current
    page = Page(review)
    page("undo")
    assert review.current - 1 == asked[-1]
    review.decide("flip" if label[asked[-1]] == 0 else "keep")
    assert review.current == current
    page("open", item=2000)
    review.decide("keep")
    assert review.decision_log.records("Ada")[-1].saw["drawn"] is False


@pytest.mark.slow
def test_the_sign_that_errs_is_found_while_one_reads(listed, path):
    """Positives are wrong and no negative is, and the other way about."""
    for name, sign in (("positive", 1), ("negative", 0)):
        review = opened(listed, path.with_name(f"{name}.db"))
        asked = read(review, lambda row, sign=sign: row.label == sign, 40)
        assert (listed["label"].iloc[asked[20:]] == sign).mean() > 0.7  # conflicts come as `repair` has them
        told = review.listing["estimate"][0]
        belief = review._queue.belief
        found = belief.counts()
        assert found[name][0] == found[name][1] == 40 - sum(n for key, (n, _) in found.items() if key != name)
        assert belief.random.sum() == 6 and told == summary(outlook(belief, [100])).capitalize()


def test_a_graph_makes_its_own_list_which_stays_where_the_reader_is(listed, path):
    """What was read comes first, then the pair on screen and what follows; of the page, the list is as before."""
    review = pg.PairReview(demo(), path, reviewer="Ada")
    shown = ["text_a", "text_b", "label", "p_wrong"]
    pd.testing.assert_frame_equal(review.queue[shown], pd.DataFrame(listed[shown]), check_dtype=False)
    asked = read(review, lambda row: row.label == 1, 5)
    rows = [row["item"] - 1 for row in review.listing["rows"]]
    assert rows[:6] == [*asked, review.current - 1] and review.listing["page"] == 0
    assert set(rows[6 : 5 + TURN]) == {*review._queue.drawn[1:]} and review.listing["total"] == len(listed)
    assert pg.PairReview(demo(), log=path, reviewer="Ada").current == review.current


@pytest.mark.slow
def test_reading_may_stop_where_little_is_expected(listed, path):
    listed = listed[listed["conflict"].isna() & listed["blame"].isna()]  # of these repair says how probably
    review = opened(listed, path)
    assert review.listing["estimate"][0].startswith("Wrong: probably ")
    assert not review.listing["estimate"][1].startswith("You may stop")
    read(review, lambda row: False, 60)
    told, about, hint = review.listing["estimate"]
    assert told.startswith("Wrong: 0 of 60 read (positives 0 of ") and " of all " not in told and hint == FEW
    assert not about.startswith("You may stop")  # six random labels tell little of those not read
    sample = listed.sample(60, random_state=0)[["text_a", "text_b"]]
    audit = pg.PairReview(sample.assign(same=None), demo(), path, reviewer="Ada")
    for pair in audit.queue.itertuples():
        label = listed.set_index(["text_a", "text_b"])["label"][(pair.text_a, pair.text_b)]
        audit.current = pair.number
        audit.decide("same" if label else "different")
    told, about, *hint = opened(listed, path).listing["estimate"]
    [hundred, every] = opened(listed, path)._queue.belief.expected([100, len(listed)]).to_dict("records")
    assert about.startswith(STOP.format(**hundred)) and told.endswith(f" of all {every['first']:,} others")
    assert hundred["high"] <= 10 and hundred["low"] <= every["low"] and hundred["high"] <= every["high"]
    assert not hint


def test_what_nobody_can_say_is_not_asked_again(listed, path):
    few = listed.head(6)
    review = opened(few, path)
    page, asked = Page(review), []
    for decision in ("ambiguous", "skip", "keep", "flip", "keep", "flip"):
        asked.append(review.current)
        review.decide(decision)
    assert sorted(asked) == [1, 2, 3, 4, 5, 6] and review.current == asked[1]  # the skipped one comes back
    review.decide("keep")
    assert review.case["title"].startswith("All decided. Wrong: 2 of 5 read") and review.current is None
    page("undo")
    assert review.current == asked[1]


def test_enter_goes_on_without_an_answer(listed, path):
    review = opened(listed, path)
    page, seen = Page(review), []
    for _ in range(TURN):
        seen.append(review.current)
        page("next")
    assert len({*seen}) == TURN and review.current == seen[0]


def test_what_keeps_its_order(listed, path):
    review = opened(listed.drop(columns=[*reasons_in(listed), "answer"]), path)
    read(review, lambda row: row.label == 0, 3)
    assert review.current == 4 and review.listing["estimate"][0].startswith("Label right: ")
    assert {*review.decision_log.records()[-1].saw} == {"blind", "seconds"}


def test_what_was_judged_before_is_known_until_the_log_says_otherwise(listed, path):
    row = listed.iloc[0]
    judged = pd.DataFrame([{"text_a": row.text_a, "text_b": row.text_b, "same": 1 - row.label}])
    known = pg.suspects(demo(), judge=None, answers=judged, progress=False)
    at = int(np.flatnonzero(known["answer"] == 1)[0])
    review = opened(known, path)
    assert review.listing["estimate"][0].startswith("Wrong: 1 of 1 read")
    review.current = at + 1
    review.decide("keep")
    assert review.listing["estimate"][0].startswith("Wrong: 0 of 1 read")
    Page(review)("undo")
    assert review.listing["estimate"][0].startswith("Wrong: probably ")
    assert opened(known, path).listing["estimate"][0].startswith("Wrong: probably ")


def test_a_list_is_read_back_from_text(listed):
    """As `paragraph suspects` writes it: all values texts, nothing for what is not known."""
    label = listed["label"].to_numpy()
    belief = believed(listed, label)
    texts = listed.astype(dict.fromkeys([*reasons_in(listed), "answer"], "str")).replace("nan", "")
    np.testing.assert_array_equal(believed(texts, label).p_wrong, belief.p_wrong)
    np.testing.assert_array_equal(belief.p_wrong, listed["p_wrong"])
    np.testing.assert_array_equal(believed(listed.head(90), label[:90]).p_wrong, belief.p_wrong[:90])
    part = listed.sample(90, random_state=0).reset_index(drop=True)
    np.testing.assert_array_equal(believed(part, part["label"].to_numpy()).p_wrong, part["p_wrong"])
    for name, value in (("words", "so"), ("rows", "much"), ("blame", "inf")):
        wrong = texts.assign(**{name: texts[name].where(texts.index != 7, value)})
        refused(f"row 8: {name} '{value}' is no number", believed, wrong, label)


@pytest.mark.slow
def test_two_people_learn_each_from_their_own_answers_and_a_third_settles(listed, path):
    ada = opened(listed, path)
    asked = read(ada, lambda row: row.label == 0, 8)
    bo = opened(listed, path, "Bo", second=path)
    assert {row.text_a for row in bo.queue.itertuples()} == {*listed["text_a"].iloc[asked]}
    belief = bo._queue.belief
    assert {*belief.open} == {*asked} and np.isnan(belief.wrong).all()  # nothing that Ada said
    assert bo.listing["estimate"][0].startswith("Wrong: probably ")
    for _ in range(5):  # of positives they differ
        bo.decide("flip")
    Page(bo)("undo")
    again = opened(listed, path, "Bo", second=path)
    assert again.queue.equals(bo.queue) and np.isnan(bo._queue.belief.wrong).sum() == len(listed) - 4
    while bo.current:
        bo.decide("flip")
    cy = opened(listed, path.with_name("cy.db"), "Cy", settle=pg.agreement(path))
    apart = [item for item in asked if listed["label"][item] == 1]
    assert {*cy._queue.belief.open} == {*cy._queue.items} == {*apart} and apart
    log = ada.decision_log
    judged = {"positive": (0, 0), "negative": (8 - len(apart),) * 2}
    assert pg.suspects(demo(), judge=None, answers=log, progress=False).attrs["answered"] == judged
    while cy.current:
        cy.decide("flip")
    log.merge(path.with_name("cy.db"))
    told = pg.suspects(demo(), judge=None, answers=log, progress=False).attrs["answered"]
    assert told == judged | {"positive": (len(apart),) * 2}


def test_a_wrong_label_that_a_conflict_accounts_for_tells_little_of_the_others(listed):
    label, wrong = listed["label"].to_numpy(), np.full(len(listed), np.nan)
    wrong[np.flatnonzero(label == 1)[:10]] = 1
    levels = [
        believed(listed.assign(blame=np.where(np.isnan(wrong), listed["blame"], blame)), label)
        .with_answers(wrong)
        .full.mean[0]
        for blame in (np.nan, 0.0, 4.6)
    ]
    assert np.diff(levels).max() < -0.3
