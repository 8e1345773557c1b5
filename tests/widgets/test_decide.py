"""Deciding where a label is seen: in front of a log, and on a saved page whose file is handed in."""

import json

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.log import records_of
from paragraph.widgets.explorer.widget import NO_LOG

from ..hostile import SENTENCES
from ..hostile import graph as hostile_graph
from .graphs import graph_of
from .page import Shown

BOTH = "a+b b+c c+d a-c e+f a-e"


def page_of(graph, tmp_path):
    return Shown(pg.Explorer(graph, log=pg.DecisionLog(tmp_path / "ada.db", "Ada")))


def keys_of(shown, one, other):
    return [f"n{shown.explorer.graph.node(text)}" for text in (one, other)]


def says(shown, intent, **content):
    """The desk after an intent and what Python has set."""
    shown.tell(intent, **content)
    shown.follow()
    return shown.read("desk")["desk"]


def choose(shown, one, other):
    shown.tell("select", keys=keys_of(shown, one, other))


def log_of(shown):
    return [(one.text_a, one.text_b, one.same, one.stated, one.saw) for one in shown.explorer.decision_log.records()]


SEEN = {"occasion": "seen in the Explorer"}
#: What is chosen, the key, what is written (the answer and the stated label), how the page marks and tells it.
FACTS = [
    ("b", "c", "flip", ("0", "1"), "✂", "Wrong: cut."),
    ("a", "c", "flip", ("1", "0"), "⇄", "Wrong: flip."),
    ("a", "e", "flip", ("1", "0"), "⇄", "Wrong: flip."),
    ("b", "c", "keep", ("1", "1"), "✓", "Right."),
    ("a", "c", "ambiguous", ("?", "0"), "?", "Ambiguous."),
    ("a", "d", "flip", ("0", ""), "✂", "Wrong: cut. No row states it: if it is wrong, so is a label of its proof."),
]


@pytest.mark.parametrize(("a", "b", "key", "written", "mark", "told"), FACTS)
def test_a_key_is_an_answer_in_the_log_a_mark_and_what_follows(tmp_path, a, b, key, written, mark, told):
    shown = page_of(graph_of(BOTH), tmp_path)
    shown.tell("expand", key="c1")
    choose(shown, a, b)
    desk = says(shown, "decide", decision=key)
    assert (desk["message"], desk["error"], desk["about"]) == (told, "", "Ada · 1 decided")
    assert log_of(shown) == [(a, b, *written, SEEN)]
    held = shown.held()
    assert list(held["picture"]["tags"].values()) == [mark]
    rows = {row["cluster"]: row["decided"] for row in held["listing"]["rows"]}
    assert rows == {0: 1, 1: int(b == "e")} and held["listing"]["decides"]
    assert says(shown, "undo")["message"] == "Taken back." and "tags" not in shown.held()["picture"]
    assert says(shown, "undo")["message"] == "There is nothing left to take back." and shown.errors == []


def test_a_table_tells_what_would_follow_before_anything_is_said(tmp_path):
    shown = page_of(graph_of(BOTH), tmp_path)
    choose(shown, "b", "c")
    why = shown.held()["why"]
    assert why["table"]["rows"] == [["as it is", "4", "2", "7", ""], ["cut", "2 + 2", "−2", "−1", "1"]]
    shown.tell("expand", key="c1")
    choose(shown, "a", "e")
    assert shown.held()["why"]["table"]["rows"] == [["as it is", "4 + 2"], ["flip", "6"]]
    assert log_of(shown) == []


def test_a_key_is_for_the_line_for_which_it_was_shown(tmp_path):
    graph = graph_of(BOTH)
    shown = page_of(graph, tmp_path)
    choose(shown, "b", "c")
    before = shown.read("desk")["desk"]["item"]
    choose(shown, "a", "c")
    assert says(shown, "decide", decision="flip", item=before)["message"].startswith("Not taken: another line")
    assert log_of(shown) == []
    select = {"intent": "select", "keys": keys_of(shown, "a", "d")}
    shown.engine.eval(f"tell({json.dumps(select)}); 0")
    desk = shown.read("desk")["desk"]
    assert desk["item"] == " ".join(sorted(key[1:] for key in select["keys"])) != before
    says(shown, "decide", decision="flip", item=desk["item"])
    assert [one[:3] for one in log_of(shown)] == [("a", "d", "0")]


def test_of_a_pair_stated_both_ways_it_is_asked_which_is_right(tmp_path):
    rows = pd.DataFrame([("a", "b", 0), ("a", "b", 1), ("b", "c", 1)], columns=["text_a", "text_b", "label"])
    shown = page_of(pg.ParaphraseGraph.from_pairs(rows), tmp_path)
    choose(shown, "a", "b")
    assert "the button Wrong asks which" in says(shown, "decide", decision="keep")["message"] and log_of(shown) == []
    assert says(shown, "decide", decision="flip")["asks"] and log_of(shown) == []
    says(shown, "decide", decision="flip", same=1)
    assert log_of(shown) == [("a", "b", "1", "1", SEEN)]
    found = pg.replay(tmp_path / "ada.db", rows)
    assert found.pairs["label"].tolist() == [1, 1, 1]


def test_the_review_does_not_ask_again_and_an_explorer_opened_again_knows(tmp_path):
    graph, log = graph_of(BOTH), tmp_path / "ada.db"
    shown = page_of(graph, tmp_path)
    choose(shown, "b", "c")
    says(shown, "decide", decision="flip")
    says(shown, "note", text="two <b>towns</b>")
    review = pg.ConflictReview(graph, log, reviewer="Ada")
    assert review.queue["state"].tolist() == ["moot"]
    assert pg.PairReview(pd.DataFrame({"text_a": ["b"], "text_b": ["c"]}), graph, log, reviewer="Ada").current is None
    again = page_of(graph, tmp_path)
    choose(again, "c", "b")
    desk = again.read("desk")["desk"]
    assert (desk["answer"], desk["verdict"], desk["notes"]) == ("Wrong: cut", "flip", ["two <b>towns</b>"])
    applied = pg.replay(log, graph.pairs)
    assert applied.outcome("dropped")[["text_a", "text_b"]].values.tolist() == [["b", "c"]]
    review.decision_log.add("a", "b", 1, reviewer="Ada", stated=1)  # said elsewhere meanwhile
    choose(again, "c", "d")
    assert says(again, "decide", decision="keep")["about"] == "Ada · 3 decided"
    assert page_of(graph, tmp_path).explorer.decided["reviewer"] == "Ada"


def test_without_a_log_a_key_says_how_to_give_one():
    shown = Shown(pg.Explorer(graph_of(BOTH)))
    choose(shown, "b", "c")
    for intent, content in (("decide", {"decision": "flip"}), ("note", {"text": "x"}), ("undo", {})):
        assert says(shown, intent, **content)["message"] == NO_LOG
    assert not shown.read("desk")["desk"]["isOn"] and not shown.held()["listing"]["decides"]
    shown.explorer.selection = ["b", "c"]
    with pytest.raises(pg.PairsError, match="give the Explorer a log"):
        shown.explorer.decide(1)
    with pytest.raises(pg.PairsError, match="whose decisions"):
        pg.Explorer(graph_of(BOTH), log="mine.db")


def test_a_log_that_cannot_be_written_is_told_and_nothing_changes(tmp_path, monkeypatch):
    monkeypatch.setattr("paragraph.decisions.store._PATIENCE", 0.2)
    graph = graph_of(BOTH)
    shown, log = page_of(graph, tmp_path), tmp_path / "ada.db"
    choose(shown, "b", "c")
    import sqlite3

    other = sqlite3.connect(log, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    desk = says(shown, "decide", decision="flip")
    assert (
        "locked" in desk["error"]
        and desk["error"].startswith("Nothing was written.")
        and desk["about"] == "Ada · 0 decided"
    )
    assert "locked" in says(shown, "note", text="mine")["error"]
    other.execute("ROLLBACK")
    other.close()
    assert says(shown, "decide", decision="flip")["error"] == "" and len(log_of(shown)) == 1
    log.rename(tmp_path / "gone.db")
    assert "moved or deleted" in says(shown, "decide", decision="keep")["error"]
    assert shown.read("desk")["desk"]["answer"] == "Wrong: cut"


#: What a page may ask that makes no sense.
SAY = {"a": 0, "b": 1, "same": 1}
JUNK = [("decide", {}), ("decide", SAY | {"same": 7}), ("decide", SAY | {"a": -1}), ("decide", SAY | {"b": 10**6}),
        ("decide", {"a": 0, "b": 1, "note": " "}),
        ("decide", {"a": 0, "b": 1, "note": 3}), ("follows", {"a": "0", "b": 1}), ("undo", {"a": 1})]  # fmt: skip


@pytest.mark.parametrize(("question", "content"), JUNK)
def test_what_makes_no_sense_is_refused_and_not_written(tmp_path, question, content):
    explorer, sent = page_of(graph_of(BOTH), tmp_path).explorer, []
    explorer.send = sent.append
    explorer.on_ask("1", question, content)
    assert "error" in json.loads(sent[0]["part"]) and explorer.decision_log.records() == []


# -- a saved page ------------------------------------------------------------------------------------------


def handed_in(shown, tmp_path):
    """The file that a page gives, as it is written."""
    shown.engine.eval("var handed; download = (name, parts) => { handed = [name, parts.join('')]; }; 0")
    shown.tell("handIn")
    name, text = json.loads(shown.engine.eval("JSON.stringify(handed)"))
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def saved_page(graph):
    explorer = pg.Explorer(graph)
    return Shown(explorer, explorer._page())


def test_on_a_saved_page_the_same_keys_write_a_file_that_apply_and_agreement_read(tmp_path):
    graph = graph_of(BOTH)
    shown = saved_page(graph)
    choose(shown, "b", "c")
    tell = lambda intent, **content: shown.tell(intent, **content) and shown.read("desk")["desk"]  # noqa: E731
    assert tell("decide", decision="flip")["message"] == "Type your name first: the decisions are yours."
    assert tell("sign", name="  Zoe\u0308\ud83d ")["reviewer"] == "Zo\u00eb\ufffd"
    assert (
        tell("decide", decision="flip")["message"]
        == "Wrong: cut. This browser keeps nothing: save the file before you leave."
    )
    tell("note", text='two towns\u2028 \x0b "quoted"')
    choose(shown, "a", "c")
    assert (
        tell("decide", decision="keep")["about"] == "2 decided" and shown.held()["listing"]["rows"][0]["decided"] == 2
    )
    tell("decide", decision="ambiguous")
    assert tell("undo")["answer"] == "Right" and sorted(shown.held()["picture"]["tags"].values()) == ["✂", "✓"]
    tell("sign", name="")
    assert not shown.read("desk")["desk"]["isOn"]
    tell("sign", name="Bo")
    choose(shown, "b", "c")
    assert tell("decide", decision="keep")["about"] == "1 decided"
    bo = handed_in(shown, tmp_path)
    tell("sign", name="Zo\u00eb\ufffd")
    zoe = handed_in(shown, tmp_path)
    assert (zoe.name, bo.name, shown.errors) == ("decisions-Zo\u00eb-.jsonl", "decisions-Bo.jsonl", [])
    records = records_of(zoe)
    assert [one.same for one in records] == ["0", "", "0"] and records[1].note.startswith("two towns")
    applied = pg.replay(zoe, graph.pairs)
    assert applied.decisions[["outcome", "text_a", "text_b"]].values.tolist() == [
        ["dropped", "b", "c"],
        ["stays", "a", "c"],
    ]
    assert pg.agreement(zoe, bo).items == 1 and len(pg.agreement(zoe, bo).disagreements) == 1


def test_hostile_sentences_go_through_the_file_of_a_page(tmp_path):
    graph = hostile_graph()
    shown = saved_page(graph)
    shown.tell("sign", name='<img src=x onerror="window.__pwned = 1">')
    edges = np.flatnonzero(np.equal(*graph.edge_clusters) & (graph.cluster_of[graph.edge_a] == 0))
    for edge in edges.tolist():
        shown.tell("select", keys=[f"n{node}" for node in graph.ends(edge).tolist()])
        shown.tell("decide", decision="ambiguous")
    records = records_of(handed_in(shown, tmp_path))
    texts = {text for one in records for text in (one.text_a, one.text_b)}
    assert len(records) == len(edges) and texts <= set(SENTENCES) and len(texts) > 5
