"""Any table of pairs reviewed, driven as a page does: what is judged, what is logged, what it says of all labels."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import paragraph as pg
from paragraph.decisions.replay import APPLIED
from paragraph.doubts.judges import by_words
from paragraph.doubts.scoring import wilson
from paragraph.graph.closure import known_labels

from ..refused import refused
from .graphs import ROWS, Page, demo, graph_of, numbered
from .page import reviewed

#: a b c and d e are clusters, which b-d holds apart; x stands alone.
ROWS_OF = "a+b b+c d+e b-d x-a"


def table_of(rows, **columns):
    """``a+c`` asks whether the two are paraphrases, ``a?c`` whether what the graph says of them is right."""
    parts = [(row[0], row[2], {"+": 1, "-": 0, "?": None}[row[1]]) for row in rows.split()]
    return pd.DataFrame(parts, columns=["text_a", "text_b", "label"]).assign(**columns)


def asked(pairs):
    """The pairs of a sample to audit: ``ab cd``."""
    return pd.DataFrame([tuple(pair) for pair in pairs.split()], columns=["text_a", "text_b"]).assign(same=None)


def opened(path, rows, graph=ROWS_OF, reviewer="Ada", **options):
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
        review, _ = opened(path, rows)
        assert review.queue["label"].tolist() == [label] and review.case["stated"] == origin
        (judged,) = [line for line in reviewed(review)["picture"]["edges"] if line.get("tag") == "?"]
        assert {review.graph.text(int(judged[end][1:])) for end in ("from", "to")} == {rows[0], rows[2]}
        assert judged["sign"] == reviewed(review)["desk"]["sign"] == (1 if label else -1)


UNLABELLED = pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})


@pytest.mark.parametrize(
    "table, graph, error",
    [
        (pd.DataFrame({"a": ["a"]}), None, "text_a, text_b .or question1, question2"),
        (pd.concat([table_of("a+b"), table_of("a+b")], axis=1), None, "columns more than once: .'text_a'"),
        (UNLABELLED, None, "Add a column label"),
        (asked("ab").assign(same=1), ROWS_OF, "the column same is filled in already"),
        (asked("ab"), None, "an audit needs the graph of its data"),
        (asked("az"), ROWS_OF, "row 1: 'z' is not in the graph"),
        (asked("ae xe"), ROWS_OF, "row 2: there is no label to judge"),
        (table_of("a+b x?e"), ROWS_OF, "row 2: there is no label to judge, and none follows"),
        (table_of("a+b a+q"), ROWS_OF, "row 2: 'q' is not in the graph"),
        (table_of("a+b c+b b-a"), None, "row 3: row 1 gives this pair another label"),
        (table_of("a+b").assign(label="maybe"), ROWS_OF, "row 1: label 'maybe' is not one of 0, 1"),
        (table_of("a+b a+c").assign(text_b=["b", None]), ROWS_OF, "row 2: text_b nan is not a sentence"),
        (table_of("a+b").assign(text_b=pd.Series(["half \ud800"], dtype=object)), None, "is not a sentence"),
    ],
)  # fmt: skip
def test_a_table_that_does_not_fit_is_refused(path, table, graph, error):
    refused(error, opened, path, table, graph)
    assert not path.exists()


@pytest.mark.parametrize(
    "options, error",
    [
        ({"question": "best"}, "question 'best' is not one of right, same, say"),
        ({"question": "right"}, "Add a column label"),
    ],
)
def test_a_question_that_cannot_be_asked(path, options, error):
    refused(error, opened, path, UNLABELLED, None, **options)


def test_tables_of_many_kinds(path):
    """Named again; without a graph; in another spelling; bipartite; without rows; other types of label."""
    review, _ = opened(path, "a+b b+c b+a a?c", graph=None)
    assert review.graph.n == 3 and review.queue["label"].tolist() == [1, 1, 1]
    assert review.listing["note"] == "Left out: 1 row naming a pair again."
    review, _ = opened(path, table_of("A+B"), pg.ParaphraseGraph.from_pairs(table_of("a+b"), identity="normal"))
    assert review.case["stated"] == "label 1, a paraphrase: stated"
    assert review.case["pair"] == ["A", "B"]
    table = table_of("a+b a-c")
    table.attrs["bipartite"] = True
    review, page = opened(path, table, pg.ParaphraseGraph.from_pairs(table))
    judge(review, page, "keep flip")
    assert review.precision()["right"] == 1
    refused("set `current` to the number of a pair", review.decide, "keep")
    review, _ = opened(path, table_of(""))
    assert review.current is None and review.case["title"] == "The table has no pairs."
    table = table_of("a+b c-e").set_axis(["question1", "question2", "label"], axis=1)
    for label in ([1, 0], [1.0, 0.0], [True, False], ["1", "0"], pd.array([1, 0], dtype="Int8")):
        review, _ = opened(path, table.assign(label=label))
        assert review.queue[["text_a", "text_b", "label"]].values.tolist() == [["a", "b", 1], ["c", "e", 0]]


@pytest.mark.slow
@given(ROWS)
def test_known_labels_are_those_of_the_closure(rows):
    graph = numbered(rows)
    inferred = pg.infer(graph).to_frame()[["text_a", "text_b", "label"]]
    known = {frozenset(pair): label for *pair, label in inferred.itertuples(index=False)}
    edges = zip(graph.edge_a, graph.edge_b, graph.edge_sign, strict=True)
    stated = {frozenset(graph.texts([a, b])): int(sign > 0) for a, b, sign in edges}
    a, b = np.triu_indices(graph.n, 1)
    for i, j, label, fact in zip(a, b, *known_labels(graph, a, b), strict=True):
        pair = frozenset(graph.texts([i, j]))
        assert fact == (pair in stated) and label == stated.get(pair, known.get(pair, -1))


LOGGED = [
    # the pair and its label, what is decided, what the log holds: same, and the stated label
    ("a+c", "keep", "1", ""), ("c-e", "keep", "0", ""), ("c-e", "flip", "1", ""), ("a+c", "flip", "0", ""),
    ("a+b", "flip", "0", "1"), ("b+d", "keep", "1", "0"),  # by the table; the graph states 0
    ("a+c", "ambiguous", "?", ""), ("a+c", "skip", "later", ""),
]  # fmt: skip


@pytest.mark.parametrize("rows, decision, same, stated", LOGGED)
def test_what_the_log_holds(path, rows, decision, same, stated):
    review, page = opened(path, rows)
    page("decide", item=1, decision=decision)
    (record,) = pg.DecisionLog(path).records()
    assert (record.same, record.stated, record.about) == (same, stated, "[]")
    assert (record.text_a, record.text_b, record.reviewer) == (rows[0], rows[2], "Ada")
    assert record.saw["blind"] is True and record.saw["seconds"] >= 0
    assert review.queue["state"].tolist() == [decision]
    assert review.current == (1 if decision == "skip" else None)


def test_sentences_that_were_made_are_read(path):
    review, page = opened(path, "a+b c+d e+f g+h", graph=None, question="say")
    assert review.case["title"] == "Pair #1 of 4: would you say the second?"
    judge(review, page, "keep ambiguous flip skip")
    assert [record.same for record in review.decision_log.records()] == ["1", "?", "0", "later"]
    assert review.listing["estimate"][0] == "Good: 1 of 2, 50 % (9–91 %)"
    assert [row["description"] for row in review.listing["rows"]] == ["good", "awkward", "wrong", "skipped"]
    assert review.judged()["same"].tolist() == [1, pd.NA, 0, pd.NA]


def test_a_table_keeps_its_order(path):
    assert opened(path, "a+c c-e a+b d+e b-e")[0].queue["text_a"].tolist() == ["a", "c", "a", "d", "b"]


def test_undo_and_resume(path):
    review, page = opened(path, "a+c c-e a+b")
    judge(review, page, "flip keep")
    again, page = opened(path, "a+c c-e a+b")
    assert again.current == 3 and again.queue["state"].tolist() == ["flip", "keep", "open"]
    page("undo")
    assert again.current == 2 and again.case["message"] == "Taken back: label right of #2"
    page("undo")
    page("undo")
    assert again.case["message"] == "Nothing is left to undo." and set(again.queue["state"]) == {"open"}
    page("note", item=1, text="why?")
    assert again.case["notes"] == ["why?"]


def test_a_log_shared_with_conflicts_and_with_another_label(path):
    graph = graph_of("a+b b+c a-c c+d")
    conflicts = pg.ConflictReview(graph, path, reviewer="Ada")
    conflicts.decide("flip")
    review, page = opened(path, "d+c a+d a-c", graph)
    assert review.queue["state"].tolist() == ["open", "open", "flip"]  # that one is decided
    judge(review, page, "flip")
    other, page = opened(path, "a+b", graph)
    page("undo")  # of this queue, nothing is decided
    assert other.case["message"] == "Nothing is left to undo." and len(other.decision_log.answers()) == 2
    again = pg.ConflictReview(graph, path, reviewer="Ada")
    assert again.queue["state"].tolist() == ["flip"] and again.listing["note"] == ""  # d+c is cut there as well
    path = path.with_name("other.db")
    judge(*opened(path, "x+e"), "keep")
    assert opened(path, "x-e")[0].queue["state"].tolist() == ["flip"]  # it is one answer, to one question
    judge(*opened(path, "b+c"), "keep")
    other, _ = opened(path, "b-c", graph="b-c")  # it saw another stated label
    assert other.queue["state"].tolist() == ["open"]
    assert other.listing["note"] == "2 answers of the log are about no pair of these."


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
    assert reviewed(conflict)["desk"]["about"] == "stated verschieden in row 3"


def test_replayed(path):
    graph = graph_of(ROWS_OF)
    review, page = opened(path, "a+b b-d a+c c-e d+e", graph)
    judge(review, page, "flip flip flip flip keep")
    done = pg.replay(path, graph)
    assert done.decisions[["text_a", "text_b", "outcome", "same"]].values.tolist() == [
        ["b", "d", "becomes 1", "the same"], ["a", "b", "dropped", "different"], ["d", "e", "stays", "the same"],
        ["a", "c", "not in these data", "different"], ["c", "e", "not in these data", "the same"],
    ]  # fmt: skip


def test_the_estimate(path):
    rows = [(f"s{i}", f"t{i}", 1) for i in range(43)]
    review, page = opened(path, pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), None)
    assert review.listing["estimate"] == [] and np.isnan(review.precision()["precision"])
    judge(review, page, " ".join(["keep"] * 37 + ["flip"] * 3 + ["ambiguous", "skip"]))
    assert review.listing["estimate"] == [
        "Label right: 37 of 40, 92 % (80–97 %)", "95 % interval (Wilson); 2 ambiguous or skipped left out",
        "It holds for all pairs if those judged are a random part of them.",
    ]  # fmt: skip
    assert review.precision().round(3).to_dict() == {
        "right": 37, "wrong": 3, "left out": 2, "precision": 0.925, "low": 0.801, "high": 0.974,
    }  # fmt: skip
    page("undo")
    assert review.listing["estimate"][1].endswith("; 1 ambiguous or skipped left out")
    judge(review, page, "keep keep")
    assert review.case["title"] == f"All decided. {review.listing['estimate'][0]}"


@given(st.integers(0, 300), st.integers(0, 300))
def test_wilson(right, wrong):
    n = right + wrong
    low, high = wilson(right, n)
    if n:
        assert (low, high) == pytest.approx(tuple(binomtest(right, n).proportion_ci(method="wilson")))
    else:
        assert np.isnan([low, high]).all()


def test_what_the_table_says_is_hidden_until_revealed(path):
    table = table_of("a+c c-e", probability=[0.51234, 0.9], reason=["<b>bold</b>", None])
    review, page = opened(path, table)
    assert "0.512" not in json.dumps([review.case, review.listing])
    page("reveal", item=1)
    assert review.case["why"]["proposal"]["reasons"] == ["probability: 0.512", "reason: <b>bold</b>"]
    judge(review, page, "keep")
    assert review.decision_log.records()[0].saw["blind"] is False
    assert review.current == 2 and "proposal" not in review.case["why"]
    open_eyed, _ = opened(path.with_name("other.db"), table, blind=False)
    assert open_eyed.case["why"]["proposal"]["reasons"][0] == "probability: 0.512"
    plain, _ = opened(path.with_name("third.db"), "a+c")
    assert not plain.case["can_reveal"]  # there is nothing to reveal


def test_the_suspects_say_how_surely_and_why_once_revealed(path):
    graph = demo()
    listed = pg.suspects(graph, progress=False)
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
    review, _ = opened(path, "a+c c-e")
    assert reviewed(review)["why"]["badge"] == "inferred" and len(reviewed(review)["why"]["steps"]) == 2
    assert {node["text"] for node in reviewed(review)["picture"]["nodes"]} == {"a", "b", "c"}
    aside, back = (reviewed(review, ("edge", {"id": "judged"}), *more) for more in ((), [("select", {"keys": []})]))
    assert aside["why"]["badge"] == "inferred" and aside["why"]["actions"] and len(aside["selected"]) == 2
    assert back["why"]["title"] == "Pair #1" and back["selected"] == []
    review.current = 2
    assert review._twin_bundle()["text/plain"] == "<Pair Review: Pair #2 of 2: is its label right?>"
    assert [step["sign"] for step in reviewed(review)["why"]["steps"]] == [1, -1, 1]
    assert {node["text"] for node in reviewed(review)["picture"]["nodes"]} == set("abcde")
    lit = {frozenset(pair) for pair in reviewed(review)["why"]["highlight"]["edges"]}
    key = {node["text"]: node["key"] for node in reviewed(review)["picture"]["nodes"]}
    assert lit == {frozenset(key[one] for one in pair) for pair in ("ce", "cb", "bd", "de")}


def test_values_of_any_type_are_told(path):
    facts = {"row": [1234567], "share": [0.123456], "seen": [True], "when": [pd.Timestamp("2026-01-31")],
             "rows": [[3, 4]], "none": [None], "nan": [np.nan], 7: ["seven"], "p_wrong": ["much"]}  # fmt: skip
    review, page = opened(path, pd.concat([table_of("a+c"), pd.DataFrame(facts)], axis=1))
    page("reveal", item=1)
    assert review.case["why"]["proposal"]["reasons"] == [
        "row: 1234567", "share: 0.123", "seen: True", "when: 2026-01-31 00:00:00", "rows: 3, 4", "none: –", "nan: –",
        "7: seven", "p_wrong: much",
    ]  # fmt: skip
    assert review.case["why"]["proposal"]["badge"] == "table"


#: A cluster of four with a conflict and two unstated pairs; two and one more sentences; a negative between.
AUDITED = "a+b b+c c+d a-d x+y x-a q-r"


ANSWERED = [
    # the pair, the answer, what the log holds: same, and the stated label; whether the label was wrong
    ("ab", "same", ("1", "1"), False), ("ba", "different", ("0", "1"), True), ("ad", "same", ("1", "0"), True),
    ("ad", "different", ("0", "0"), False), ("xa", "same", ("1", "0"), True), ("ac", "skip", ("later", ""), None),
    ("ac", "same", ("1", ""), False),  # nobody states it: the label is inferred
    ("ac", "different", ("0", ""), True), ("ac", "ambiguous", ("?", ""), None),
]  # fmt: skip


@pytest.mark.parametrize(("pair", "answer", "logged", "wrong"), ANSWERED)
def test_what_the_log_holds_of_an_answer(path, pair, answer, logged, wrong):
    review, page = opened(path, asked(pair), AUDITED)
    judge(review, page, answer)
    (record,) = review.decision_log.records()
    assert (record.same, record.stated) == logged and record.saw["blind"] is True
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
        review, _ = opened(path, asked(pair), AUDITED)
        said = json.dumps([review.case, review.listing, review.records])
        shown.append(said.replace(f'"{pair[0]}"', '"p"').replace(f'"{pair[1]}"', '"q"'))
        assert "label" not in review.queue
        assert review.records == {} and reviewed(review)["picture"]["edges"] == []
    ends = [json.loads(said)[0].pop("ends") for said in shown]
    same = [said.replace(json.dumps(two), "ends") for said, two in zip(shown, ends, strict=True)]
    assert len(set(same)) == 1


def test_reveal_shows_it_and_the_log_says_so(path):
    review, page = opened(path, asked("ac ad"), AUDITED)
    page("reveal", item=1)
    assert (
        review.case["stated"] == "label 1, a paraphrase: inferred" and reviewed(review)["why"]["badge"] == "inferred"
    )
    assert {node["text"] for node in reviewed(review)["picture"]["nodes"]} == set("abcd")
    judge(review, page, "same")
    plain = pg.PairReview(asked("ac").drop(columns="same"), graph_of(AUDITED), path, reviewer="Ada")
    assert plain.queue["state"].tolist() == ["keep"]  # the other question, of the same log
    assert review.listing["estimate"] == [] and review.listing["progress"]["decided"] == 1
    assert json.loads(review.answers["shown"].iloc[0])["blind"] is False and review.answers["stated"].isna().all()
    assert "stated" not in review.case and review.records == {}


def test_the_report_comes_when_all_is_judged(path):
    review, page = opened(path, asked("ab bc ad xa ac"), AUDITED)
    judge(review, page, "same different same different ambiguous")
    assert review.case["title"] == "All decided" and review.case["why"]["title"] == "Audit"
    assert "paragraph audit FILE --judged decisions.db\n" in review.case["why"]["copy"]["text"].replace(
        f"{path.parent}/", ""
    )
    report = pg.audited(review.graph, review)
    assert review.case["why"]["facts"] == [[name, share] for name, *_, share, _ in report.lines()[1:]]
    assert page.send({"intent": "decide", "item": 1, "decision": "flip"})  # an answer to the other question
    assert review.case["why"]["note"] == report.note and "1 of the sample left empty" in report.note


def test_an_audit_drawn_judged_and_replayed(path):
    graph = demo()
    review = pg.PairReview(pg.audit(graph, 30, seed=1), graph, path, reviewer="Ada")
    for i in range(30):
        review.decide(("same", "different", "ambiguous")[i % 3])
    found = pg.replay(path, graph)
    bare = found.outcome("not in these data")
    assert len(found.outcome(*APPLIED)) == 30 - len(bare) == review.answers["stated"].notna().sum()
    judged = review.judged()
    unstated = [graph.edge_between(graph.node(a), graph.node(b)) < 0 for a, b in judged.iloc[:, :2].to_numpy()]
    told = bare["same"].map({"the same": 1, "different": 0}).astype("Int8")
    assert told.tolist() == judged.loc[unstated, "same"].tolist()
    table = pg.audited(graph, review).table
    delta = pg.repair(graph, judge=by_words, answers=review).attrs["delta"]
    assert delta["judged"] == table.query("kind == 'conflict'")["judged"].sum()


def test_the_conflict_review_proposes_what_repair_learns(path):
    graph = demo()
    some = pg.conflicts(graph)[["text_a", "text_b"]].head(20).assign(same=0)
    review = pg.ConflictReview(graph, path, reviewer="Ada", judge=by_words, answers=some)
    found = pg.repair(graph, judge=by_words, answers=some)
    pd.testing.assert_frame_equal(review.proposals, found)
    Page(review)("reveal", item=1)
    assert found.attrs["delta"]["value"] < -0.7
    assert review.case["why"]["proposal"]["text"].startswith("The negative is wrong with probability ")


def test_pairs_without_labels_are_asked_answered_and_learnt(path):
    """The three lines of a round; the log serves the next review, a replay and an audit."""
    texts = ["a b", "a b c", "x y", "x y z", "q"]
    learner = pg.Learner(texts, progress=False)
    batch = learner.query(4)
    review = pg.PairReview(batch, log=path, reviewer="Ada", question="same")
    page = Page(review)
    assert review.records == {} and "label" not in review.queue and reviewed(review)["desk"]["sign"] == 0
    page("reveal", item=1)
    assert review.case["stated"] == "no label, and none follows" and reviewed(review)["why"]["badge"] == "unknown"
    assert [line["sign"] for line in reviewed(review)["picture"]["edges"]] == [0]
    judge(review, page, "same different ambiguous skip")
    records = review.decision_log.records()
    assert [record.same for record in records] == ["", "1", "0", "?", "later"]
    assert all(record.stated == "" for record in records)
    learner.teach(review.judged())
    known = learner.known
    assert known[["text_a", "text_b"]].values.tolist() == batch[["text_a", "text_b"]].head(2).values.tolist()
    assert known["label"].tolist() == [1, 0] and learner.query(9)["p"].notna().all()
    again = pg.PairReview(batch, log=path, reviewer="Ada", question="same")
    assert again.queue["state"].tolist() == ["same", "different", "ambiguous", "skip"] and again.current == 4
    again.decide("same")
    assert again.current is None and again.listing["estimate"] == []
    other = pg.Learner(texts, progress=False)
    other.teach(pg.DecisionLog(path).judged())
    assert len(other.known) == 3
    replayed = pg.replay(path, pg.ParaphraseGraph.from_pairs(batch.assign(label=None)))
    assert replayed.pairs["label"].isna().all()
    assert replayed.outcome("not in these data")["same"].tolist() == [
        "the same",
        "different",
        "nobody can say",
        "the same",
    ]
