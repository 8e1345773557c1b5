"""The Conflict Review driven as a page does: decisions go to the log, the queue drops what they settle."""

import json
from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paragraph as pg
from paragraph.decisions.conflict_queue import ConflictQueue
from paragraph.decisions.record import pair_of
from paragraph.decisions.replay import APPLIED
from paragraph.doubts.proposals import Proposals
from paragraph.doubts.shipped import by_words

from ..hostile import graph as hostile_graph
from ..reference import shown
from ..refused import refused
from .graphs import ROWS, Page, demo, graph_of, numbered
from .page import reviewed

#: Two triangles of paraphrases that b+d joins; a-e and c-f deny it. And a lone conflict elsewhere.
BRIDGE = "a+b b+c a+c d+e e+f d+f b+d a-e c-f  x+y y+z x-z"
#: A conflict whose sentences two paths join.
TWICE = "a+b b+c a+d d+c a-c"


def opened(path, rows=BRIDGE, reviewer="Ada", **options):
    graph = graph_of(rows) if isinstance(rows, str) else rows
    review = pg.ConflictReview(graph, path, reviewer=reviewer, **options)
    return review, Page(review)


def line(review, pair):
    return f"e{review.graph.edge_between(*map(review.graph.node, pair))}"


def number(review, pair):
    return 1 + list(states(review)).index(pair)


def cut(review, page, pair):
    page("decide", item=review.current, decision="cut", edge=int(line(review, pair)[1:]))


def steps(review):
    """The lines of the path against the pair on screen."""
    return [f"e{step}" for step in review.case["steps"]]


def sentences(review):
    """The sentences in the picture, of open clusters."""
    return {node["text"] for node in reviewed(review)["picture"]["nodes"] if "cluster" not in node}


def states(review):
    queue = review.queue
    return {q1 + q2: state for q1, q2, state in zip(queue["text_a"], queue["text_b"], queue["state"], strict=True)}


def pairs_of(table, rows=slice(None)):
    return table.loc[rows, ["text_a", "text_b"]].values.tolist()


def seen(review):
    """All that a page shows, but how often it was told."""
    return {
        "case": review.case | {"message": "", "n": 0}, "listing": review.listing,
    }  # fmt: skip


def last_seen(review):
    return review.decision_log.records()[-1].saw


def answers(review):
    """What stands, as ``{"ac": 1}``."""
    return {"".join(sorted((a, b))): None if pd.isna(same) else int(same) for a, b, same in
            review.answers[["text_a", "text_b", "same"]].itertuples(index=False)}  # fmt: skip


@pytest.mark.parametrize("decision, same", [("flip", "1"), ("keep", "0"), ("ambiguous", "?"), ("skip", "later")])
def test_a_decision_is_logged_once_and_the_next_is_shown(path, decision, same):
    review, page = opened(path)
    pair = review.case["pair"]
    for _ in range(2):  # the second press decides nothing
        page("decide", item=1, decision=decision)
    records = pg.DecisionLog(path).records()
    (record,) = (one for one in records if [one.text_a, one.text_b] == pair)
    assert record.saw["blind"] is True and record.saw["seconds"] >= 0 and len({one.time for one in records}) == 1
    assert (record.same, record.reviewer, record.stated) == (same, "Ada", "0")
    assert all(one.same == "1" and decision == "keep" for one in records if one != record)  # the path of a keep
    assert all(one.about_pairs == [pair] for one in records)
    page("note", item=2, text="  asked Bo <b>twice</b> ")
    again, page = opened(path)
    assert again.current == review.current == 2 and again.case["notes"] == ["asked Bo <b>twice</b>"]
    pd.testing.assert_frame_equal(again.queue, review.queue)
    page("undo")
    assert again.current == 1 and states(again) == dict.fromkeys(states(review), "open")


def test_a_keep_of_the_rest_lets_a_cut_stand(path):
    rows = f"{TWICE}  x+y y+z x-z"
    review, page = opened(path, rows)
    review.current = number(review, "ac")
    cut(review, page, "ab")
    half_cut = states(review), answers(review)
    review.decide("skip")  # the cut stands
    assert review.current == number(review, "xz") and answers(review) == half_cut[1] == {"ac": 0, "ab": 0}
    review.current = number(review, "ac")
    review.decide("keep")
    assert states(review)["ac"] == "keep" and review.current == number(review, "xz")
    found = pg.replay(path, review.graph)
    assert found.outcome("dropped")[["text_a", "text_b"]].values.tolist() == [["a", "b"]]
    assert len(found.outcome("stays")) == 3 and found.outcome("in conflict").empty
    assert states(opened(path, rows)[0]) == states(review)
    page("undo")  # one key, one undo
    assert (states(review), answers(review)) == half_cut and review.current == number(review, "ac")
    assert review.case["message"] == f"Taken back: the answer to #{review.current}"
    page("undo")
    assert review.case["description"] == "not decided" and review.answers.empty
    assert pg.replay(path, review.graph).decisions.empty


def test_a_cut_settles_what_the_bridge_caused(path):
    review, page = opened(path)
    first = review.current = number(review, "ae")
    cut(review, page, "bd")
    assert answers(review) == {"ae": 0, "bd": 0}
    assert states(review) == {"ae": "cut", "cf": "moot", "xz": "open"}
    assert review.current == number(review, "xz")
    assert review.listing["progress"] == {
        "total": 3, "decided": 1, "moot": 1, "skipped": 0, "open": 1,
    }  # fmt: skip
    page("undo")
    assert states(review) == dict.fromkeys(["ae", "cf", "xz"], "open") and review.current == first


@pytest.mark.parametrize("decision", ["flip", "ambiguous"])
def test_another_decision_takes_the_place_of_half_a_cut(path, decision):
    review, page = opened(path, TWICE)
    cut(review, page, "ab")
    review.decide(decision)
    assert answers(review) == {"ac": {"flip": 1, "ambiguous": None}[decision]} and states(review) == {"ac": decision}
    page("undo")
    assert answers(review) == {"ac": 0, "ab": 0}


def test_a_cut_that_leaves_another_path_stays(path):
    review, page = opened(path, TWICE)
    cut(review, page, "ab")
    assert review.current == 1 and states(review) == {"ac": "open"}
    assert reviewed(review)["why"]["steps"] and review.case["description"].startswith("cut, but another")
    cut(review, page, "dc")
    assert states(review) == {"ac": "cut"} and review.current is None
    again, _ = opened(path, TWICE)
    assert states(again) == {"ac": "cut"}
    replayed = pg.replay(path, again.graph)
    assert len(replayed.outcome("dropped")) == 2 and replayed.graph.edge_sign.tolist().count(1) == 2
    page("undo")
    assert states(review) == {"ac": "open"} and review.current == 1
    page("undo")
    assert review.case["description"] == "not decided"


def test_all_decided_or_nothing_to_decide(path):
    review, page = opened(path)
    for _ in range(3):
        review.decide("keep")
    assert review.current is None and review.case["nodes"] == []
    assert review.case["title"] == "All decided: 3 by you, 0 moot as a consequence."
    refused("nothing to decide", review.decide, "flip")
    assert {*reviewed(review)["desk"]["off"]} > {"flip", "note", "reveal"} and reviewed(review)["why"]["copy"]
    page("undo")
    assert review.current == 3
    none, page = opened(path, "a+b b-c")
    page("undo")
    assert (
        reviewed(none)["picture"]["nodes"] == []
        and none.queue.empty
        and none.case["why"]["title"] == "Nothing to decide"
    )
    assert "No conflicts" in none._twin_bundle()["text/html"]


def test_a_cut_of_what_is_no_positive_is_refused(path):
    review, page = opened(path)
    review.current = number(review, "ae")
    for pair in ("cf", "xy"):
        cut(review, page, pair)
        assert "Only a stated positive" in review.case["message"]
    review.decide("flip")
    review.current = number(review, "cf")
    cut(review, page, "ae")
    assert "Only a stated positive" in review.case["message"]
    assert answers(review) == {"ae": 1}


def test_a_note_is_written_on_its_pair_whatever_is_on_screen_and_was_decided_meanwhile(path):
    (review, page), (other, _) = opened(path), opened(path)
    other.decide("flip")
    page("open", item=3)
    page("note", item=2, text="why?")
    (noted,) = (one for one in review.decision_log.records() if one.note)
    assert {noted.text_a, noted.text_b} == {*pairs_of(review.queue)[1]}
    assert (review.current, review.case["message"], states(review)) == (3, "Noted: #2.", states(other))


def test_a_second_reviewer_gets_what_the_first_decided(path):
    ada, _ = opened(path)
    for decision in ("flip", "skip", "keep"):
        ada.decide(decision)
    pairs = sorted(pairs_of(ada.queue, [0, 2]))
    for log, second in ((path, path), (path.with_name("bo.db"), path), (path.with_name("bo.db"), ada.decision_log)):
        bo, _ = opened(log, reviewer="Bo", second=second)
        assert sorted(pairs_of(bo.queue)) == pairs
        shown = json.dumps([bo.case, bo.listing])
        assert (bo.queue["state"] == "open").all() and "flip" not in bo.case["description"] and "Ada" not in shown
    refused("there is no log", opened, path, reviewer="Bo", second=path.with_name("cy.db"))


def test_a_third_settles_what_two_disagree_on(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    ada, _ = opened(path)
    bo, _ = opened("bo d.db", reviewer="Bo")
    for one, two in [("flip", "keep"), ("keep", "keep"), ("keep", "ambiguous")]:
        ada.decide(one)
        bo.decide(two)
    ada.decision_log.add("a", "nowhere", 1, stated=0)
    bo.decision_log.add("a", "nowhere", 0, stated=0)
    assert "agreement decisions.db OTHER.db\n" in ada.case["why"]["copy"]["text"]
    apart = pg.agreement(path, "bo d.db")
    cy, page = opened("cy.db", reviewer="Cy", settle=apart)
    assert pairs_of(cy.queue) == pairs_of(ada.queue, [0, 2])
    assert cy.listing["note"].startswith("Left out: pairs of the other logs that are no conflict of these (1)")
    cy.decide("flip")
    cy.decide("skip")
    settled = [record.saw["overrules"] for record in cy.decision_log.records()]
    first = pair_of(*ada._queue.pair[ada._queue.items[0]])
    about = {row.record.id for row in apart.answers.rows if first in {row.pair, *row.about}}
    assert len(settled) == 2 and about <= {*settled[0]}  # and what was answered about its lines for others
    done = pg.replay([path, "bo d.db", "cy.db"], ada.graph)
    assert len(done.outcome("becomes 1")) == 1
    assert {*done.outcome("overruled")["why"]} == {"by Cy"} and len(done.outcome("disputed"))  # what was skipped
    page("decide", item=2, decision="flip")
    assert cy.case["why"]["copy"]["text"].splitlines() == [
        "paragraph agreement decisions.db 'bo d.db' cy.db",
        "paragraph apply FILE decisions.db 'bo d.db' cy.db -o my.clean.csv",
    ]
    stated = ada.queue[["text_a", "text_b"]].assign(label=0)
    judged = pg.PairReview(stated, ada.graph, "dee.db", reviewer="Dee", settle=apart)
    assert pairs_of(judged.queue) == pairs_of(stated, [0, 2])
    refused("settle takes an agreement", opened, "cy.db", reviewer="Cy", settle=["ada.db", "bo.db"])
    refused("'Bo' is one of those who disagree; a third", opened, "bo d.db", reviewer="Bo", settle=apart)


def test_what_cannot_be_written_is_told_and_not_counted(path):
    review, page = opened(path)
    before = seen(review)
    path.unlink()
    path.mkdir()
    page("decide", item=1, decision="flip")
    assert "Not decided." in review.case["error"] and "folder" in review.case["error"]
    assert review.current == 1 and (review.queue["state"] == "open").all()
    refused("Not decided", review.decide, "keep")
    path.rmdir()
    review.decision_log = pg.DecisionLog(path, "Ada")
    review.decide("flip")
    assert review.case["error"] == "" and review.current == 2
    page("undo")
    assert seen(review) == before


def test_what_is_refused(path):
    refused(r"takes a graph, not a table: ConflictReview\(pg\.ParaphraseGraph", opened, path, pd.DataFrame())
    refused("reviewer=", pg.ConflictReview, graph_of(BRIDGE), path)
    refused(r"x\.csv is the name of a table; a log is an SQLite file", opened, path.with_name("x.csv"))
    refused(r"by its path, decisions\.db for example, not by a DataFrame", opened, pd.DataFrame())


def test_blind_until_revealed(path):
    review, page = opened(path)
    hidden = json.dumps([review.case])
    assert "proposal" not in hidden and "weakest" not in hidden
    page("reveal", item=1)
    assert review.case["why"]["proposal"]["badge"] == "no proposal" and "(" in review.case["why"]["proposal"]["text"]
    assert [edge["tag"] for edge in reviewed(review)["picture"]["edges"] if "weakest" in edge.get("tag", "")] != []
    review.decide("keep")
    shown = last_seen(review)
    assert shown["blind"] is False and shown["proposal"] == "none"
    assert "proposal" not in review.case["why"]  # the next is blind again
    open_eyed, _ = opened(path.with_name("other.db"), blind=False)
    assert "proposal" in open_eyed.case["why"]


SEEN = [("f", True), ("r away back f", False), ("r f undo restart f", False), ("f undo restart f", True)]
INTENTS = {
    "r": ("reveal", {"item": 1}), "f": ("decide", {"item": 1, "decision": "flip"}), "undo": ("undo", {}),
    "away": ("open", {"item": 2}), "back": ("open", {"item": 1}),
}  # fmt: skip


@pytest.mark.parametrize("done, blind", SEEN)
def test_what_was_seen_once_is_not_blind_any_more(path, done, blind):
    """Of this pair and this reviewer; nobody else's, and no other pair's."""
    review, page = opened(path)
    for one in done.split():
        if one == "restart":
            review, page = opened(path)
        else:
            page(INTENTS[one][0], **INTENTS[one][1])
    assert last_seen(review)["blind"] is blind
    page("decide", item=2, decision="flip")
    assert last_seen(review)["blind"] is True
    other, _ = opened(path, reviewer="Bo")
    other.decide("flip")
    assert json.loads(other.answers["shown"].iloc[0])["blind"] is True and other.case["notes"] == []


def test_of_two_benches_on_one_log_the_older_follows(path):
    """An answer elsewhere is no error: nothing is decided on what it changed, and all else goes on."""
    older, page = opened(path)
    newer, there = opened(path)
    newer.decide("flip")
    page("decide", item=1, decision="keep")
    assert older.case["error"] == "" and older.case["message"].startswith("Not taken: this was answered elsewhere")
    assert older.current == 1 and older.answers["same"].tolist() == [1] and states(older) == states(newer)
    there("undo")
    refused("Not taken: this was answered elsewhere", older.decide, "keep")
    page("decide", item=1, decision="keep")  # now it knows
    assert older.case["message"] == "#1: keep" and older.queue["state"][0] == "keep" and older.current == 2
    there("look")
    assert newer.current == 2 and newer.case["message"] == "#1 was answered elsewhere: keep"
    there("decide", item=2, decision="flip")
    page("undo")  # the last answer is no longer the one that this page shows as the last
    assert older.case["message"].startswith("Not taken") and older.queue["state"][1] == "flip"
    suspects = pg.PairReview(pd.DataFrame({"text_a": ["d"], "text_b": ["f"]}), older.graph, path, reviewer="Ada")
    suspects.decide("keep")  # of a pair that is no conflict: nobody needs to know
    older.decide("flip")
    assert older.case["error"] == "" and older.queue["state"][1] == "flip"


def test_older_answers_that_are_merged_into_an_open_log_are_seen(path):
    """Another machine's: in a review, and in an Explorer."""
    elsewhere, _ = opened(path.with_name("elsewhere.db"))
    elsewhere.current = 2
    elsewhere.decide("flip")
    here, page = opened(path)
    explorer = pg.Explorer(here.graph, log=pg.DecisionLog(path, "Ada"))
    here.decide("keep")
    here.decision_log.merge(elsewhere.decision_log)
    page("decide", item=2, decision="keep")
    assert here.case["message"].startswith("Not taken: this was answered elsewhere")
    assert here.queue["state"].tolist()[:2] == ["keep", "flip"]
    explorer.selection = [0, 1]
    explorer.decide("?")
    assert len(explorer.decided["answers"]) == len(here.decision_log.answers()) > 2


def test_a_key_for_an_item_that_is_gone_is_shown_as_not_taken(path):
    """Two pages of one review share what is on screen; the slower one decides nothing unseen."""
    review, page = opened(path)
    page("decide", item=1, decision="flip")
    page("decide", item=1, decision="keep")
    assert review.case["message"].startswith("Not taken: Keep for #1") and review.current == 2
    assert review.answers["same"].tolist() == [1]


@pytest.mark.slow
def test_proposals_are_those_of_repair(path):
    """All at once, one after the other as a page asks for them, and what the page says."""
    graph = demo()
    expected, proposals = pg.repair(graph, judge=by_words, progress=False), Proposals(graph, by_words)
    review, page = opened(path, graph, judge=by_words)
    for item in range(1, len(review.queue) + 1, 7):
        page("open", item=item)
        page("reveal", item=item)
        pair = review.queue.loc[item - 1, ["text_a", "text_b"]]
        row = expected[(expected[["text_a", "text_b"]] == pair).all(axis=1)].iloc[0]
        said, edge = review.case["why"]["proposal"], review._item
        cuts = proposals.links(edge, proposals.of(edge)[1]).values()
        assert said["badge"] == row["proposal"]
        assert not 0.01 < row["p_flip"] < 0.99 or any(f"({p:.0%})" in said["text"] for p in cuts)
        review.decide("skip")
        assert last_seen(review)["proposal"] == row["proposal"]


def test_what_if_tells_what_happens(path):
    review, page = opened(path)
    review.current = number(review, "ae")
    rows = {row[0]: row[1:] for row in review.case["what_if"]}
    bridge = 1 + steps(review).index(line(review, "bd"))
    # 15 pairs, 9 of them stated; apart, all 9 pairs across are negative, 2 of them stated.
    assert rows["as it is"] == ["6", "6", "0", ""]
    assert rows["flip"] == ["6", "±0", "±0", "–"]
    assert rows[f"cut {bridge}"] == ["3 + 3", "−6", "+7", "1"]
    cut(review, page, "bd")
    review.current = number(review, "ae")
    assert reviewed(review)["desk"]["answer"] == "decided: cut"
    assert {row[0]: row[1:] for row in review.case["what_if"]} == rows  # as it was before it was decided
    changed = pg.replay(path, review.graph).graph
    assert sorted(changed.cluster_sizes.tolist()) == [3, 3, 3]


def test_what_was_decided_is_drawn_and_the_path_is_numbered_alike_everywhere(path):
    review, page = opened(path)
    review.current = number(review, "ae")
    page_of, edge = reviewed(review), review.graph.edge_between
    tags = {edge["tag"]: edge["id"] for edge in page_of["picture"]["edges"] if "tag" in edge}
    listed = {str(step["number"]): [int(key[1:]) for key in step["keys"]] for step in page_of["why"]["steps"]}
    assert tags == {number: f"e{edge(*ends)}" for number, ends in listed.items()}
    assert [tags[str(i)] for i in (1, 2, 3)] == steps(review)
    lit = {frozenset(pair) for pair in reviewed(review)["why"]["highlight"]["edges"]}
    drawn = {edge["id"]: frozenset((edge["from"], edge["to"])) for edge in reviewed(review)["picture"]["edges"]}
    assert lit == {drawn[id] for id in (*tags.values(), line(review, "ae"))}
    assert dict(page_of["why"]["facts"])["paths"] == "1: cutting one line separates the pair"
    cut(review, page, "bd")
    review.current = number(review, "ae")
    layer = {edge["id"]: edge["layer"] for edge in reviewed(review)["picture"]["edges"]}
    assert (layer[line(review, "ae")], layer[line(review, "cf")]) == ("conflicts", "negative")
    assert {node["text"] for node in reviewed(review)["picture"]["nodes"] if node["conflict"]} == {"a", "e"}
    review.current = number(review, "cf")
    review.decide("flip")
    review.current = number(review, "cf")
    layer = {edge["id"]: (edge["layer"], edge["sign"]) for edge in reviewed(review)["picture"]["edges"]}
    assert layer[line(review, "bd")] == ("cut", 1) and layer[line(review, "cf")] == ("positive", 1)


def test_still_twins_and_hostile_sentences(path):
    review, page = opened(path, hostile_graph())
    written = review.save(path.with_name("review.svg")).read_text("utf-8")
    assert "Conflict #" in written and "proposal" not in written
    explorer = pg.Explorer(review.graph)
    explorer.selection = review._pictured[:2]
    assert review.save(path.with_name("review.html")).read_text("utf-8") == explorer._page()
    assert review._twin_bundle()["text/plain"].startswith("<Conflict Review: Conflict #")
    while review.current:
        assert "<script" not in review._twin_bundle()["text/html"]
        page("reveal", item=review.current)
        review.decide("keep")


def test_the_order():
    rows = "x+y y+z x-z  a+b b+c a+c d+e e+f d+f b+d a-e  p+q q+r p+s s+r p+t t+r p-r"
    graph = graph_of(rows)
    # One cut of the bridge b+d removes 8 wrong labels, one of x+y or y+z its own and no more than one besides;
    # three paths from p to r say flip, which removes one.
    order = ConflictQueue(graph).items
    assert [graph.text(graph.edge_a[edge]) for edge in order] == ["a", "x", "p"]


ACT = st.sampled_from(["flip", "cut", "cut", "keep", "ambiguous", "skip", "undo", "open"])
ACTS = st.lists(st.tuples(ACT, st.integers(0, 8)), max_size=14)


@pytest.mark.slow
@given(ROWS, ACTS)
def test_the_queue_is_what_the_corrected_data_say(tmp_path_factory, rows, acts):
    graph = numbered(rows)
    path = tmp_path_factory.mktemp("log") / "decisions.db"
    review = pg.ConflictReview(graph, path, reviewer="Ada")
    for act, number in acts:
        if act == "undo":
            review.on_undo()
        elif act == "open" and len(review.queue):
            review.current = 1 + number % len(review.queue)
        elif review.current is not None and act != "open":
            path_shown = review.case["steps"]
            if act == "cut" and not path_shown:
                continue
            wrong = 1 + number % max(1, len(path_shown))
            if act != "cut" or path_shown[wrong - 1] not in review.case["flipped"]:
                review.decide(act, cut=wrong if act == "cut" else None)
    # Nothing depends on how it came about: another kernel reads the same from the log.
    again = pg.ConflictReview(graph, path, reviewer="Ada")
    pd.testing.assert_frame_equal(again.queue, review.queue)
    # What is open contradicts a path in the corrected data; what is settled or cut does not.
    replayed = pg.replay(path, graph)
    assert {*replayed.decisions["outcome"]} <= {*APPLIED, "later", "in conflict"}
    corrected = replayed.graph
    queue = list(review.queue[["text_a", "text_b", "state"]].itertuples(index=False))
    homes = [graph.cluster_of[[graph.node(one.text_a), graph.node(one.text_b)]] for one in queue]
    across = any(a != b and one.state == "flip" for one, (a, b) in zip(queue, homes, strict=True))  # it joins two
    for q1, q2, state in queue:
        direct = q1 != q2 and graph.labelled_twice[graph.edge_between(graph.node(q1), graph.node(q2))]
        if state != "ambiguous" and q1 != q2 and not (across or (direct and state in ("open", "skip"))):
            edge = corrected.edge_between(corrected.node(q1), corrected.node(q2))
            assert edge < 0 or not corrected.labelled_twice[edge] or state in ("open", "skip"), (q1, q2, state)
            together = corrected.cluster_of[corrected.node(q1)] == corrected.cluster_of[corrected.node(q2)]
            assert together == (state in ("open", "flip")) or state in ("keep", "skip"), (q1, q2, state)


def test_a_pair_stated_both_ways_and_a_sentence_with_itself(path):
    review, page = opened(path, "a+b a-b a+b  c-c  d+e d-e")
    assert {*states(review)} == {"ab", "cc", "de"}
    assert reviewed(review)["desk"]["about"] == "stated both ways"
    assert set(reviewed(review)["desk"]["off"]) == {"keep", "undo", "reveal"} and len(steps(review)) == 1
    why = reviewed(review)["why"]
    assert why["text"].startswith("Its rows state both labels") and [row["row"] for row in why["rows"]] == [2, 3, 4]
    review.decide("cut", cut=1)
    review.current = number(review, "cc")
    assert set(reviewed(review)["desk"]["off"]) == {"keep", "cut", "reveal"}
    alone = {"row": 5, "label": "not a paraphrase", "texts": ["c", "c"], "beside": []}
    assert reviewed(review)["why"]["rows"] == [alone]
    assert "a sentence stated to differ from itself" in review._twin_bundle()["text/html"]
    review.decide("flip")
    review.current = number(review, "de")
    review.decide("flip")
    assert states(review) == {"ab": "cut", "cc": "flip", "de": "flip"} and review.current is None
    found = pg.replay(path, review.graph)
    assert shown(found.pairs) == "a-b c+c d+e d+e" and pg.conflicts(found.graph).empty
    page("undo")
    assert states(review)["de"] == "open"
    judged = pg.PairReview(pg.suspects(review.graph, judge=None, progress=False), review.graph, path, reviewer="Ada")
    assert judged.queue["text_a"][0] == judged.queue["text_b"][0] == "c" and judged.queue["state"][0] == "flip"


@pytest.mark.parametrize("kind", ["conflict", "pair"])
def test_columns_that_the_person_names_stand_beside_each_row(path, kind):
    pairs = graph_of("a+b b+c a-c c-c").pairs.assign(id=[7, 8, 9, 10], remark=["x", "", None, "self"])
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    table = pairs[["text_a", "text_b", "label"]].iloc[2:]
    make = pg.ConflictReview if kind == "conflict" else lambda *args, **more: pg.PairReview(table, *args, **more)
    review = make(graph, path, reviewer="Ada", show=["id", "remark"])
    beside = {}
    for review.current in (1, 2):
        for row in reviewed(review)["why"]["rows"]:
            beside["".join(row["texts"])] = " · ".join(map(" ".join, row["beside"]))
    path_of_conflict = {"ab": "id 7 · remark x", "bc": "id 8"} if kind == "conflict" else {}
    assert beside == {"ac": "id 9", "cc": "id 10 · remark self"} | path_of_conflict
    with pytest.raises(pg.PairsError, match="show: there is no column 'nr'; there are text_a"):
        make(graph, path, reviewer="Ada", show=["nr"])


def test_lines_answered_elsewhere_decide_a_conflict(path):
    """In a review of pairs, and in a sheet: all lines of a ring found right are a keep."""
    review, _ = opened(path, "a+b b+c a-c")
    table = pd.DataFrame([("a", "c"), ("b", "a"), ("b", "c")], columns=["text_a", "text_b"])
    pairs = pg.PairReview(table, review.graph, path, reviewer="Ada")
    for done, state in (("keep", "open"), ("keep", "open"), ("keep", "keep")):
        pairs.decide(done)
        assert states(opened(path, "a+b b+c a-c")[0]) == {"ac": state}
    pairs.current = 2
    pairs.decide("flip")
    assert states(opened(path, "a+b b+c a-c")[0]) == {"ac": "moot"}


@pytest.mark.slow
def test_the_demo_decided_whole_leaves_no_conflict_of_any_kind(path, monkeypatch, capsys):
    """By its key: flip where the two mean the same, else cut the first line of the path that is wrong."""
    from paragraph.cli import main

    monkeypatch.chdir(path.parent)
    meaning = pd.read_csv(pg.DEMO.with_name("demo_meanings.tsv"), sep="\t", index_col="question")["meaning"]
    review, kinds = pg.ConflictReview(demo(), path, reviewer="Ada"), pg.conflicts(demo())["kind"].value_counts()
    assert len(review.queue) == len(pg.conflicts(demo())[["text_a", "text_b"]].drop_duplicates())
    while review.current is not None:
        a, b = review.queue.loc[review.current - 1, ["text_a", "text_b"]]
        steps = [*pairwise(review.graph.texts(review.case["nodes"][2:]))]
        wrong = [i for i, (x, y) in enumerate(steps, 1) if meaning[x] != meaning[y]]
        review.decide("flip") if meaning[a] == meaning[b] else review.decide("cut", cut=wrong[0])
    assert kinds["direct"] and main(["apply", str(pg.DEMO), path.name, "-o", "clean.tsv"]) == 0
    capsys.readouterr()
    assert main(["conflicts", "clean.tsv", "-o", "left.tsv"]) == 0
    assert capsys.readouterr().out.startswith("conflicts: inside a cluster: 0, stated both ways: 0")


#: An intent and what comes with it.
MALFORMED = [
    ("decide", {}, {"item": 1, "decision": "guess"}, {"item": 1}, *({"item": 1, "decision": "cut"} | edge
     for edge in ({}, {"edge": "e3"}, {"edge": 9999}, {"edge": -1}, {"edge": True}, {"item": None, "edge": 0}))),
    ("open", *({"item": item} for item in (0, "1", True, 10**9))), ("reveal", {"item": 9}), ("log", {}),
    ("note", {"item": 1, "text": 3}, {"item": 99, "text": "of nothing"}), ("decided", {}), ("page", {"page": "x"}),
    ("query", {"show": "odd"}, {"words": 3}),
]  # fmt: skip


OFF = [
    # what was done, the keys that do nothing then, and a word of why
    ("", {"undo": "left to undo"}),
    ("keep", {}),
    ("reveal", {"undo": "left to undo", "reveal": "shown already"}),
    ("cut", {"cut": "joins the two any more"}),
    ("keep keep keep", dict.fromkeys(["flip", "cut", "keep", "ambiguous", "skip", "note", "reveal"], "on screen")),
]


@pytest.mark.parametrize("acts, off", OFF)
def test_a_key_that_does_nothing_says_why(path, acts, off):
    review, page = opened(path)
    review.current = number(review, "ae")
    for act in acts.split():
        if act == "cut":  # it settles another, where nothing is left to cut
            cut(review, page, "bd")
            review.current = number(review, "cf")
        elif act == "reveal":
            page("reveal", item=review.current)
        else:
            review.decide(act)
    assert set(reviewed(review)["desk"]["off"]) == set(off)
    assert all(word in reviewed(review)["desk"]["off"][key] for key, word in off.items())


def test_what_makes_no_sense_changes_nothing(path):
    review, page = opened(path)
    before = seen(review)
    for intent, *contents in MALFORMED:
        for content in contents:
            page.send({"intent": intent} | content)
            assert seen(review) == before, (intent, content)
    assert review.decision_log.records() == []


# -- pairs of any table -------------------------------------------------------------------------------------

#: a b c and d e are clusters, which b-d holds apart; x stands alone.
ROWS_OF = "a+b b+c d+e b-d x-a"


def table_of(rows, **columns):
    """``a+c`` asks whether the two are paraphrases, ``a?c`` whether what the graph says of them is right."""
    parts = [(row[0], row[2], {"+": 1, "-": 0, "?": None}[row[1]]) for row in rows.split()]
    return pd.DataFrame(parts, columns=["text_a", "text_b", "label"]).assign(**columns)


def asked(pairs):
    """The pairs of a sample to audit: ``ab cd``."""
    return pd.DataFrame([tuple(pair) for pair in pairs.split()], columns=["text_a", "text_b"]).assign(same=None)


def pairs_review(path, rows, graph=ROWS_OF, reviewer="Ada", **options):
    table = table_of(rows) if isinstance(rows, str) else rows
    graph = graph_of(graph) if isinstance(graph, str) else graph
    review = pg.PairReview(table, graph, path, reviewer=reviewer, **options)
    return review, Page(review)


def judge(review, page, decisions):
    for key in decisions.split():
        page("decide", item=review.current, decision=key)


def test_the_label_to_judge(path):
    for rows, label, origin in (
        ("a?b", 1, "label 1, a paraphrase: stated"), ("a?c", 1, "label 1, a paraphrase: inferred"),
        ("c?e", 0, "label 0, not a paraphrase: inferred"), ("d?b", 0, "label 0, not a paraphrase: stated"),
        ("a-c", 0, "label 0, not a paraphrase: by the table; the graph has label 1, inferred"),
        ("b+d", 1, "label 1, a paraphrase: by the table; the graph has label 0, stated"),
        ("x+e", 1, "label 1, a paraphrase: by the table; nothing follows"),
    ):  # fmt: skip
        review, _ = pairs_review(path, rows)
        assert review.queue["label"].tolist() == [label] and review.case["stated"] == origin
        (judged,) = [line for line in reviewed(review)["picture"]["edges"] if line.get("tag") == "?"]
        assert {review.graph.text(int(judged[end][1:])) for end in ("from", "to")} == {rows[0], rows[2]}
        assert judged["sign"] == reviewed(review)["desk"]["sign"] == (1 if label else -1)


UNLABELLED = pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})


@pytest.mark.parametrize(
    "table, graph, error",
    [
        (pd.DataFrame({"a": ["a"]}), None, "text_a, text_b .or question1, question2"),
        (pd.concat([table_of("a+b"), table_of("a+b")], axis=1), None, "two columns that are called 'text_a'"),
        (UNLABELLED, None, "Add a column label"),
        (UNLABELLED, "best", "question 'best' is not one of right, same, say"),
        (asked("ab").assign(same=1), ROWS_OF, "the column same is filled in already"),
        (asked("ab"), None, "an audit needs the graph of its data"),
        (asked("az"), ROWS_OF, "row 1: 'z' is not in the graph"),
        (asked("ae xe"), ROWS_OF, "row 2: no label to judge"),
        (table_of("a+b x?e"), ROWS_OF, "row 2: no label to judge, and none follows"),
        (table_of("a+b a+q"), ROWS_OF, "row 2: 'q' is not in the graph"),
        (table_of("a+b c+b b-a"), None, "row 3: an earlier row gives this pair another label"),
        (table_of("a+b").assign(label="maybe"), ROWS_OF, "row 1: label 'maybe' is not one of 0, 1"),
        (table_of("a+b a+c").assign(text_b=["b", None]), ROWS_OF, "row 2: text_b nan cannot be used: it is not text"),
        (table_of("a+b").assign(text_b=pd.Series(["half \ud800"], dtype=object)), None, "half a surrogate pair"),
    ],
)  # fmt: skip
def test_a_table_that_does_not_fit_is_refused(path, table, graph, error):
    question = {"question": graph, "graph": None} if graph == "best" else {"graph": graph}
    refused(error, pairs_review, path, table, **question)
    assert not path.exists()


#: The question, the pair, the decision, and what the log holds: the answer, and the label that rows state.
LOGGED = [
    ("right", "a+c", "keep", "1", ""), ("right", "c-e", "keep", "0", ""), ("right", "c-e", "flip", "1", ""),
    ("right", "a+b", "flip", "0", "1"), ("right", "b+d", "keep", "1", "0"),  # by the table; the graph states 0
    ("right", "a+c", "ambiguous", "?", ""), ("right", "a+c", "skip", "later", ""),
    ("same", "a?b", "different", "0", "1"), ("same", "b?a", "same", "1", "1"), ("same", "d?b", "same", "1", "0"),
    ("same", "a?c", "different", "0", ""), ("same", "a?c", "ambiguous", "?", ""),
    ("same", "a?c", "skip", "later", ""),
    ("say", "a+c", "keep", "1", ""), ("say", "a+c", "ambiguous", "?", ""), ("say", "a+c", "flip", "0", ""),
]  # fmt: skip


@pytest.mark.parametrize("question, rows, decision, same, stated", LOGGED)
def test_what_the_log_holds(path, question, rows, decision, same, stated):
    review, page = pairs_review(path, rows, question=question)
    page("decide", item=1, decision=decision)
    (record,) = pg.DecisionLog(path).records()
    assert (record.same, record.stated, record.about, record.reviewer) == (same, stated, "[]", "Ada")
    assert (record.text_a, record.text_b) == (rows[0], rows[2])
    assert record.saw["blind"] is True and record.saw["seconds"] >= 0
    assert review.queue["state"].tolist() == [decision]
    assert review.current == (1 if decision == "skip" else None)
    assert review.answered()["same"].tolist() == [int(same) if same in "01" else pd.NA]


@pytest.mark.slow
def test_pairs_without_labels_are_asked_and_learnt(path):
    learner = pg.Learner(["a b", "a b c", "x y", "x y z", "q"], progress=False)
    review = pg.PairReview(learner.query(4), log=path, reviewer="Ada", question="same")
    page = Page(review)
    assert review.case["nodes"] == [] and "label" not in review.queue and reviewed(review)["desk"]["sign"] == 0
    page("reveal", item=1)
    assert review.case["stated"] == "no label, and none follows" and reviewed(review)["why"]["badge"] == "unknown"
    assert [line["sign"] for line in reviewed(review)["picture"]["edges"]] == [0]
    judge(review, page, "same different ambiguous skip")
    learner.teach(pg.DecisionLog(path).answered())
    assert learner.known["label"].tolist() == [1, 0]


def test_tables_of_many_kinds(path):
    """Named again; without a graph; in another spelling; bipartite; without rows; other types of label."""
    review, _ = pairs_review(path, "a+b b+c b+a a?c", graph=None)
    assert review.graph.n == 3 and review.queue["label"].tolist() == [1, 1, 1]
    assert review.listing["note"] == "Left out: rows that name a pair again (1)."
    review, _ = pairs_review(path, table_of("A+B"), pg.ParaphraseGraph.from_pairs(table_of("a+b"), identity="normal"))
    assert review.case["stated"] == "label 1, a paraphrase: stated"
    assert review.case["pair"] == ["A", "B"]
    table = table_of("a+b a-c")
    table.attrs["bipartite"] = True
    review, page = pairs_review(path, table, pg.ParaphraseGraph.from_pairs(table))
    judge(review, page, "keep flip")
    assert review.listing["estimate"][0].startswith("Label right: 1 of 2")
    refused("set `current` to the number of a pair", review.decide, "keep")
    review, _ = pairs_review(path, table_of(""))
    assert review.current is None and review.case["title"] == "The table has no pairs."
    table = table_of("a+b c-e").set_axis(["question1", "question2", "label"], axis=1)
    for label in ([1, 0], [1.0, 0.0], [True, False], ["1", "0"], pd.array([1, 0], dtype="Int8")):
        review, _ = pairs_review(path, table.assign(label=label))
        assert review.queue[["text_a", "text_b", "label"]].values.tolist() == [["a", "b", 1], ["c", "e", 0]]


def test_a_log_shared_with_conflicts_and_with_another_label(path):
    graph = graph_of("a+b b+c a-c c+d")
    conflicts = pg.ConflictReview(graph, path, reviewer="Ada")
    conflicts.decide("flip")
    review, page = pairs_review(path, "d+c a+d a-c", graph)
    assert review.queue["state"].tolist() == ["open", "open", "flip"]  # that one is decided
    judge(review, page, "flip")
    other, page = pairs_review(path, "a+b", graph)
    page("undo")  # of this queue, nothing is decided
    assert other.case["message"] == "Nothing is left to undo." and len(other.decision_log.answers()) == 2
    again = pg.ConflictReview(graph, path, reviewer="Ada")
    assert again.queue["state"].tolist() == ["flip"] and again.listing["note"] == ""  # d+c is cut there as well
    again.decision_log.add("a", "nowhere", 0, stated=1, about=[("p", "q")])
    again.on_look()
    assert pg.ConflictReview(graph, path, reviewer="Ada").listing["note"].endswith("about no conflict of these (1).")
    path = path.with_name("other.db")
    judge(*pairs_review(path, "x+e"), "keep")
    assert pairs_review(path, "x-e")[0].queue["state"].tolist() == ["flip"]  # it is one answer, to one question
    judge(*pairs_review(path, "b+c"), "keep")
    other, _ = pairs_review(path, "b-c", graph="b-c")  # it saw another stated label
    assert other.queue["state"].tolist() == ["open"]
    assert other.listing["note"] == "Left out: answers of the log about no pair of these (2)."


def test_labels_are_called_as_in_the_file(path):
    rows = [("a", "b", "gleich"), ("b", "c", "gleich"), ("a", "c", "verschieden"), ("d", "e", "gleich")]
    pairs = pg.read_pairs(
        pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), labels={"gleich": 1, "verschieden": 0}
    )
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    review = pg.PairReview(graph, path, reviewer="Ada")
    review.current = 1 + review.queue["text_a"].tolist().index("d")
    said = json.dumps([reviewed(review), review.listing])
    assert review.case["stated"].startswith("label gleich: stated")
    assert "label verschieden" in said and "label 1" not in said
    conflict = pg.ConflictReview(graph, path, reviewer="Ada")
    assert reviewed(conflict)["desk"]["about"] == "verschieden"
    conflict.decide("flip")
    choice = 'Rows of a wrong "gleich" are left out; with --cut negative they are turned to "verschieden".'
    assert conflict.case["why"]["note"] == choice
    conflict.decision_log.add("d", "e", 0, stated=1)
    assert 'the label is "gleich" now' in str(pg.replay(path, graph))


def test_the_estimate(path):
    rows = [(f"s{i}", f"t{i}", 1) for i in range(43)]
    review, page = pairs_review(path, pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), None)
    assert review.listing["estimate"] == []
    judge(review, page, " ".join(["keep"] * 37 + ["flip"] * 3 + ["ambiguous", "skip"]))
    assert review.listing["estimate"] == [
        "Label right: 37 of 40, 92 % (80–98 %)", "95 % interval; 2 ambiguous or skipped left out",
        "It holds for all pairs if those judged are a random part of them.",
    ]  # fmt: skip
    page("undo")
    assert review.listing["estimate"][1].endswith("; 1 ambiguous or skipped left out")
    judge(review, page, "keep keep")
    assert review.case["title"] == f"All decided. {review.listing['estimate'][0]}"


def test_what_the_table_says_is_hidden_until_revealed(path):
    table = table_of("a+c c-e", probability=[0.51234, 0.9], reason=["<b>bold</b>", None])
    review, page = pairs_review(path, table)
    assert "0.512" not in json.dumps([review.case, review.listing])
    page("reveal", item=1)
    assert review.case["why"]["proposal"]["reasons"] == ["probability: 0.512", "reason: <b>bold</b>"]
    judge(review, page, "keep")
    assert review.decision_log.records()[0].saw["blind"] is False
    assert review.current == 2 and "proposal" not in review.case["why"]
    open_eyed, _ = pairs_review(path.with_name("other.db"), table, blind=False)
    assert open_eyed.case["why"]["proposal"]["reasons"][0] == "probability: 0.512"
    plain, _ = pairs_review(path.with_name("third.db"), "a+c")
    assert not plain.case["can_reveal"]  # there is nothing to reveal


def test_the_suspects_say_how_surely_and_why_once_revealed(path):
    graph = demo()
    listed = pg.suspects(graph, judge=None, progress=False)
    review = pg.PairReview(listed.head(20), graph, path, reviewer="Ada")
    first = listed.iloc[review.current - 1]  # drawn at random
    assert "p_wrong" not in json.dumps([review.case, review.listing])
    Page(review)("reveal", item=review.current)
    said = review.case["why"]["proposal"]
    assert said["badge"] == "suspect" and said["text"].endswith(f"with probability {first['p_wrong']:.0%}.")
    assert "; ".join(said["reasons"]) == first["reason"]
    # The rank of a label, which is a reason, is that in the list shown.
    assert review.queue["p_wrong"].tolist() == pytest.approx(listed["p_wrong"].head(20).tolist(), abs=0.02)
    review.decide("flip")
    assert review.answers["same"].tolist() == [1 - first["label"]]


def test_the_proof_is_drawn(path):
    review, _ = pairs_review(path, "a+c c-e")
    assert reviewed(review)["why"]["badge"] == "inferred" and len(reviewed(review)["why"]["steps"]) == 2
    assert sentences(review) == {"a", "b", "c"}
    aside, back = (reviewed(review, ("edge", {"id": "judged"}), *more) for more in ((), [("select", {"keys": []})]))
    assert (aside["why"]["title"], aside["why"]["badge"], len(aside["selected"])) == ("Pair", "inferred", 2)
    assert back["why"]["title"] == "Pair #1" and back["selected"] == []
    review.current = 2
    assert review._twin_bundle()["text/plain"] == "<Pair Review: Pair #2 of 2: is its label right?>"
    assert [step["sign"] for step in reviewed(review)["why"]["steps"]] == [1, -1, 1]
    assert sentences(review) == set("abcde")
    lit = {frozenset(pair) for pair in reviewed(review)["why"]["highlight"]["edges"]}
    key = {node["text"]: node["key"] for node in reviewed(review)["picture"]["nodes"]}
    assert lit == {frozenset(key[one] for one in pair) for pair in ("ce", "cb", "bd", "de")}


#: A cluster of four with a conflict and two unstated pairs; two and one more sentences; a negative between.
AUDITED = "a+b b+c c+d a-d x+y x-a q-r"


def test_nothing_tells_the_label(path):
    shown = []
    for pair in ("ab", "ad", "ac", "xa", "qr"):
        review, _ = pairs_review(path, asked(pair), AUDITED)
        said = json.dumps([review.case, review.listing])
        shown.append(said.replace(f'"{pair[0]}"', '"p"').replace(f'"{pair[1]}"', '"q"'))
        assert "label" not in review.queue
        assert reviewed(review)["picture"]["edges"] == []
    assert len(set(shown)) == 1


def test_reveal_shows_it_and_the_log_says_so(path):
    review, page = pairs_review(path, asked("ac ad"), AUDITED)
    page("reveal", item=1)
    assert (
        review.case["stated"] == "label 1, a paraphrase: inferred" and reviewed(review)["why"]["badge"] == "inferred"
    )
    assert sentences(review) == set("abcd")
    judge(review, page, "same")
    plain = pg.PairReview(asked("ac").drop(columns="same"), graph_of(AUDITED), path, reviewer="Ada")
    assert plain.queue["state"].tolist() == ["keep"]  # the other question, of the same log
    assert review.listing["estimate"] == [] and review.listing["progress"]["decided"] == 1
    assert json.loads(review.answers["shown"].iloc[0])["blind"] is False and review.answers["stated"].isna().all()
    assert "stated" not in review.case and review.case["nodes"] == []


def test_the_report_comes_when_all_is_judged(path):
    review, page = pairs_review(path, asked("ab bc ad xa ac"), AUDITED)
    judge(review, page, "same different same different ambiguous")
    assert review.case["title"] == "All decided" and review.case["why"]["title"] == "Audit"
    assert review.case["why"]["copy"]["text"].startswith("paragraph audit FILE --answers ")
    report = pg.error_rates(review.graph, review)
    pd.testing.assert_frame_equal(pg.error_rates(review.graph, review.decision_log), report)
    assert [name for name, _ in review.case["why"]["facts"]] == report["kind"].tolist()
    assert review.case["why"]["facts"][0][1].startswith(f"{report['share'][0]:.0%} (")
    assert page.send({"intent": "decide", "item": 1, "decision": "flip"})  # an answer to the other question
    assert review.case["why"]["note"] == report.attrs["note"]
    assert "1 of the sample left empty" in report.attrs["note"]


def test_an_audit_drawn_judged_and_replayed(path):
    graph = demo()
    review = pg.PairReview(pg.audit(graph, 30, seed=1), graph, path, reviewer="Ada")
    for i in range(30):
        review.decide(("same", "different", "ambiguous")[i % 3])
    found = pg.replay(path, graph)
    bare = found.outcome("not in these data")
    assert len(found.outcome(*APPLIED)) == 30 - len(bare) == review.answers["stated"].notna().sum()
    judged = review.answered()
    unstated = [graph.edge_between(graph.node(a), graph.node(b)) < 0 for a, b in judged.iloc[:, :2].to_numpy()]
    told = bare["same"].map({"the same": 1, "different": 0}).astype("Int8")
    assert told.tolist() == judged.loc[unstated, "same"].tolist()
    table = pg.error_rates(graph, review)
    delta = pg.repair(graph, judge=by_words, answers=review).attrs["delta"]
    assert delta["answered"] == table.query("kind == 'conflict'")["answered"].sum()


def test_negatives_that_are_not_of_the_item_do_not_hide_it(tmp_path):
    tree = [(i // 2, i, 1) for i in range(1, 40)]
    inside = [(i, j, 0) for i in range(40) for j in range(i + 1, 40) if j // 2 != i and (i + j) % 2]
    beside = [(0, i, 0) for i in range(100, 160)]
    graph = numbered([*tree, *inside, *beside])
    picture = reviewed(pg.ConflictReview(graph, tmp_path / "log.db", reviewer="Ada"))["picture"]
    drawn = [line for line in picture["edges"] if line["sign"] < 0]
    assert 1 <= len(drawn) < 10 and {line["layer"] for line in drawn} == {"conflicts"}
    assert f"{len(inside) - len(drawn)} negatives besides those of the item are not drawn." in picture["note"]
    assert "60 neighbouring clusters are not drawn." in picture["note"]
    assert len(picture["nodes"]) == 40
