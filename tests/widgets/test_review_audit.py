"""An audit on the review bench: nothing tells the label, the keys say what the sentences mean, the log keeps it."""

import json

import pandas as pd
import pytest

import paragraph as pg

from .graphs import Page, demo, graph_of
from .test_review_pairs import asked, judge, opened

#: A cluster of four with a conflict and two unstated pairs; two and one more sentences; a negative between.
ROWS = "a+b b+c c+d a-d x+y x-a q-r"


LOGGED = [
    # the pair, the answer, what the log holds: decision, edge, label; whether the label was wrong
    ("ab", "same", ("keep", "", "", 1), False), ("ba", "different", ("cut", "b", "a", 1), True),
    ("ad", "same", ("flip", "", "", 0), True), ("ad", "different", ("keep", "", "", 0), False),
    ("xa", "same", ("flip", "", "", 0), True), ("ac", "skip", ("skip", "", "", 1), None),
    ("ac", "same", ("keep", "", "", 1), False),  # nobody states it: the label is inferred
    ("ac", "different", ("cut", "a", "c", 1), True), ("ac", "ambiguous", ("ambiguous", "", "", 1), None),
]  # fmt: skip


@pytest.mark.parametrize(("pair", "answer", "logged", "wrong"), LOGGED)
def test_what_the_log_holds(path, pair, answer, logged, wrong):
    review, page = opened(path, asked(pair), ROWS)
    judge(review, page, answer)
    (record,) = review.decision_log.records()
    assert (record.decision, record.edge1, record.edge2, record.label) == logged
    assert record.saw == {"blind": True} | ({"stated": False} if pair == "ac" else {})
    assert review.queue["state"].tolist() == [answer]
    same = {"same": 1, "different": 0}.get(answer)
    assert review.judged()["same"].tolist() == [pd.NA if same is None else same]
    if wrong is not None:
        table = pg.audited(review.graph, review).table
        assert table["wrong"].max() == wrong
        pd.testing.assert_frame_equal(pg.audited(review.graph, review.decision_log).table, table)


def test_nothing_tells_the_label(path):
    shown = []
    for pair in ("ab", "ad", "ac", "xa", "qr"):
        review, _ = opened(path, asked(pair), ROWS)
        said = json.dumps([review.case, review.why, review.listing, review.picture])
        shown.append(said.replace(f'"{pair[0]}"', '"p"').replace(f'"{pair[1]}"', '"q"'))
        assert "label" not in review.queue
        assert review.picture["nodes"] == [] and review.picture["edges"] == []
    keys = [json.loads(said)[0].pop("keys") for said in shown]
    same = [said.replace(json.dumps(key), "keys") for said, key in zip(shown, keys, strict=True)]
    assert len(set(same)) == 1


def test_reveal_shows_it_and_the_log_says_so(path):
    review, page = opened(path, asked("ac ad"), ROWS)
    page("reveal", item=1)
    assert review.case["stated"] == "label 1, a paraphrase: inferred" and review.why["badge"] == "inferred"
    assert {node["text"] for node in review.picture["nodes"]} == set("abcd")
    judge(review, page, "same")
    plain = pg.PairReview(asked("ac").drop(columns="same"), graph_of(ROWS), path, reviewer="Ada")
    assert plain.queue["state"].tolist() == ["keep"]  # the other question, of the same log
    assert review.listing["estimate"] == [] and review.listing["progress"]["decided"] == 1
    assert json.loads(review.decisions["shown"].iloc[0]) == {"blind": False, "stated": False}
    assert review.case["stated"] == "" and review.picture["nodes"] == []


def test_the_report_comes_when_all_is_judged(path):
    review, page = opened(path, asked("ab bc ad xa ac"), ROWS)
    judge(review, page, "same different same different ambiguous")
    assert review.picture["title"] == "All is decided" and review.why["title"] == "Audit"
    assert "paragraph audit FILE --judged decisions.db\n" in review.why["copy"]["text"].replace(f"{path.parent}/", "")
    report = pg.audited(review.graph, review)
    assert review.why["facts"] == [[name, share] for name, *_, share, _ in report.lines()[1:]]
    assert page.send({"intent": "decide", "item": 1, "decision": "flip"})  # an answer to the other question
    assert review.why["note"] == report.note and "1 of the sample left empty" in report.note


def test_an_audit_drawn_judged_and_replayed(path):
    graph = demo()
    review = pg.PairReview(pg.audit(graph, 30, seed=1), graph, path, reviewer="Ada")
    for i in range(30):
        review.decide(("same", "different", "ambiguous")[i % 3])
    found = pg.replay(path, graph)
    assert found.not_applied.empty
    stated = [record for record in review.decision_log.records() if record.saw.get("stated", True)]
    assert len(found.unstated) == 30 - len(stated) and len(found.changes) == len(stated)
    judged = review.judged()
    unstated = [graph.edge_between(graph.node(a), graph.node(b)) < 0 for a, b in judged.iloc[:, :2].to_numpy()]
    assert found.unstated["same"].tolist() == judged.loc[unstated, "same"].tolist()
    table = pg.audited(graph, review).table
    delta = pg.repair(graph, audit=review).attrs["delta"]
    assert delta["judged"] == table.query("kind == 'conflict'")["judged"].sum()


def test_the_conflict_review_proposes_what_repair_learns(path):
    graph = demo()
    some = pg.conflicts(graph)[["text_a", "text_b"]].head(20).assign(same=0)
    review = pg.ConflictReview(graph, path, reviewer="Ada", audit=some)
    found = pg.repair(graph, audit=some)
    pd.testing.assert_frame_equal(review.proposals, found)
    Page(review)("reveal", item=1)
    assert found.attrs["delta"]["value"] < -0.7
    assert review.why["proposal"]["text"].startswith("The negative is wrong with probability ")


def test_pairs_without_labels_are_asked_answered_and_learnt(path):
    """The three lines of a round; the log serves the next review, a replay and an audit."""
    texts = ["a b", "a b c", "x y", "x y z", "q"]
    learner = pg.Learner(texts, progress=False)
    batch = learner.query(4)
    review = pg.PairReview(batch, log=path, reviewer="Ada", question="same")
    page = Page(review)
    assert review.picture["nodes"] == [] and "label" not in review.queue and review.case["sign"] == 0
    page("reveal", item=1)
    assert review.case["stated"] == "no label, and none follows" and review.why["badge"] == "unknown"
    assert [line["sign"] for line in review.picture["edges"]] == [0]
    assert "asked: do the two mean the same?" in [edge.line.name for edge in review._still().edges]
    judge(review, page, "same different ambiguous skip")
    records = review.decision_log.records()
    assert [record.decision for record in records] == ["note", "flip", "keep", "ambiguous", "skip"]
    assert all(record.label == 0 and not record.saw["stated"] for record in records[1:])
    learner.teach(review.judged())
    known = learner.known
    assert known[["text_a", "text_b"]].values.tolist() == batch[["text_a", "text_b"]].head(2).values.tolist()
    assert known["label"].tolist() == [1, 0] and learner.query(9)["p"].notna().all()
    again = pg.PairReview(batch, log=path, reviewer="Ada", question="same")
    assert again.queue["state"].tolist() == ["same", "different", "ambiguous", "skip"] and again.current == 4
    again.decide("same")
    assert again.current is None and again.listing["estimate"] == []
    other = pg.Learner(texts, labels=None, progress=False)
    other.teach(pg.DecisionLog(path).judged())
    assert len(other.known) == 3
    replayed = pg.replay(path, pg.ParaphraseGraph.from_pairs(batch.assign(label=None)))
    assert replayed.pairs["label"].isna().all() and replayed.unstated["same"].tolist() == [1, 0, pd.NA, 1]
