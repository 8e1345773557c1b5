"""The Pair Labeler driven as a page does: what is asked, logged, inferred, taken back, and told to the learner."""

import json
import threading
from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.collection.rounds import when_to_stop
from paragraph.decisions.records import pair_of

from .. import reference
from ..collection.words import WordLearner
from ..decisions.test_survival import HERE, KILLS, python
from .graphs import Page

#: Sixteen sentences on four topics: those on one topic mean the same.
TEXTS = [f"t{topic} has {word}" for topic in "wxyz" for word in "abcd"]
FEW = TEXTS[:3] + TEXTS[4:6]  # topic w three times, x twice


@pytest.fixture
def path(tmp_path):
    return tmp_path / "labels.db"


def truth(pair):
    a, b = pair
    return int(a[:2] == b[:2])


def named(pair):
    """``wa wb`` stands for the two sentences; ``wa`` alone for one."""
    return tuple(f"t{one[0]} has {one[1]}" for one in pair.split())


def table_of(labels):
    rows = [(*named(pair), label) for pair, label in labels.items()]
    return pd.DataFrame(rows, columns=["text_a", "text_b", "label"])


def opened(path, texts=TEXTS, reviewer="Ada", labels=None, budget=500, two_sided=False, **options):
    learner = WordLearner(texts, None if labels is None else table_of(labels), two_sided)
    options = {"strategy": "adaptive", "batch": 5} | options
    bench = pg.PairLabeler(learner, budget, path, reviewer, **options)
    return bench, Page(bench)


def on_screen(bench):
    return bench._queue.pair[bench._item]


def answer(bench, page, choice=None):
    """The pair that was answered; by the truth, or as told."""
    bench.wait()
    pair = on_screen(bench)
    page("decide", item=bench.current, decision=choice or ("same" if truth(pair) else "different"))
    bench._advance()  # which a page does a moment after each answer
    return pair


def go(bench, page, pair):
    """Open a pair that is in the queue."""
    page("open", item=bench._queue.number[bench._queue.item_between(*map(bench._queue.node, named(pair)))])


def state(bench, pair):
    queue = bench._queue
    return queue.state(queue.item_between(*map(queue.node, named(pair))))


def test_what_the_log_holds_and_says(tmp_path):
    for choice, logged, says in (
        ("same", "flip", [1]), ("different", "keep", [0]), ("ambiguous", "ambiguous", [pd.NA]), ("skip", "skip", []),
    ):  # fmt: skip
        bench, page = opened(tmp_path / f"{choice}.db")
        pair = answer(bench, page, choice)
        (record,) = bench.decision_log.records()
        assert (record.decision, record.pair, record.label, record.edge1) == (logged, pair_of(*pair), 0, "")
        assert json.loads(record.shown) == {"blind": True, "chosen": "adaptive", "stated": False}
        assert bench.decision_log.judged()["same"].tolist() == says
        assert bench.listing["estimate"][0] == f"{500 - len(says)} of 500 answers left"
        graph = pg.ParaphraseGraph.from_pairs(
            pd.DataFrame({"text_a": TEXTS[:-1], "text_b": TEXTS[1:], "label": None})
        )
        found = pg.replay(bench.decision_log, graph)
        assert found.pairs["label"].isna().all() and found.unstated["same"].tolist() == says


def test_what_follows_is_never_asked_and_all_becomes_known(path):
    bench, page = opened(path)
    number, told = {text: i for i, text in enumerate(TEXTS)}, {}
    for _ in range(len(TEXTS) ** 2):
        bench.wait()
        if bench.current is None:
            break
        pair = reference.pair(*(number[text] for text in on_screen(bench)))
        assert pair not in told | reference.inferred(len(TEXTS), told)
        told[pair] = truth(answer(bench, page))
    all_labels = bench.labels(10_000)
    known = {pair_of(a, b): y for a, b, y in all_labels[["text_a", "text_b", "label"]].values.tolist()}
    assert known == {pair_of(*pair): truth(pair) for pair in combinations(TEXTS, 2)}
    assert all_labels["source"].value_counts().to_dict() == {"asked": len(told), "inferred": 120 - len(told)}
    assert len(told) < 60 and len(bench._queue.asked) == len(told)
    states = bench.queue["state"].value_counts()
    assert states["settled"] + len(told) == len(bench._queue.items)
    assert f"{states['settled']} of {len(bench._queue.items)} questions saved" in bench.listing["estimate"][1]
    assert bench.picture["title"] == "Nothing is left to ask." and bench.case["off"]["same"]
    assert bench._rounds.learner.taught[-1] == known  # inferred ones train


def test_what_follows_has_its_proof_and_goes_when_an_answer_is_ambiguous(path):
    bench, page = opened(path, FEW)
    assert [answer(bench, page) for _ in range(2)] == [named("wa wb"), named("wa wc")]
    assert state(bench, "wb wc") == "settled"
    go(bench, page, "wb wc")
    assert bench.case["description"] == "follows: yes, which costs nothing" and bench.case["sign"] == 1
    assert [(step["sign"], step["texts"], step["said"]) for step in bench.why["steps"]] == [
        (1, list(named("wb wa")), "#1 · you: yes"),
        (1, list(named("wa wc")), "#2 · you: yes"),
    ]
    assert [one["text"] for one in bench.why["actions"]] == ["Answer #1", "Answer #2"]
    assert [line["tag"] for line in bench.picture["edges"] if line["id"] == "judged"] == ["follows"]
    page("open", **bench.why["actions"][0]["content"])
    page("decide", item=1, decision="ambiguous")
    assert (state(bench, "wa wb"), state(bench, "wb wc")) == ("ambiguous", "open")
    assert bench.labels(10)["source"].tolist() == ["asked"]
    go(bench, page, "wa wb")
    page("decide", item=1, decision="same")
    assert state(bench, "wb wc") == "settled" and len(bench._queue.asked) == 2  # the same question


def test_the_budget(path):
    bench, page = opened(path, budget=3)
    for _ in range(3):
        answer(bench, page)
    assert bench.current is None and bench.picture["title"] == "The budget is used up."
    assert bench.listing["estimate"][0] == "0 of 3 answers left" and "larger one" in bench.listing["estimate"][-1]
    more, _ = opened(path, budget=4)
    assert more.current is not None and more.listing["estimate"][0] == "1 of 4 answers left"


def test_the_picture_asks_and_so_does_its_still_twin(path):
    bench, page = opened(path, FEW)
    for tag, drawn in (("?", "asked: do the two mean the same?"), ("follows", "to judge: a paraphrase")):
        (line,) = (line for line in bench.picture["edges"] if line["id"] == "judged")
        assert (line["tag"], {line["from"], line["to"]}) == (tag, {"n0", "n1"})
        assert drawn in [edge.line.name for edge in bench._still().edges] and bench.figure()
        page("select", keys=["n0", "n1"])
        assert bench.why["badge"] == ("unknown" if tag == "?" else "inferred")
        page("select", keys=["n0"])
        assert bench.why["sentence"] == on_screen(bench)[0]
        page("edge", id="judged")
        answer(bench, page)
        answer(bench, page)
        go(bench, page, "wb wc")


ACTIONS = st.one_of(
    st.sampled_from(["same", "different", "ambiguous", "skip", "undo", "undo", "round"]), st.integers(1, 10)
)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(ACTIONS, min_size=4, max_size=30))
def test_whatever_is_done_what_is_known_is_what_the_log_says(tmp_path_factory, actions):
    bench, page = opened(tmp_path_factory.mktemp("any") / "labels.db", FEW, labels={"wa wb": 1, "wc xa": 0})
    for action in actions:
        if action == "undo":
            page("undo")
        elif action == "round":
            bench._advance()
            bench.wait()
        elif isinstance(action, int):
            page("open", item=min(action, len(bench.queue)))
        elif bench.current:
            page("decide", item=bench.current, decision=action)
    bench.wait()
    said = bench.decision_log.judged().set_index(["text_a", "text_b"])["same"]
    number = {text: i for i, text in enumerate(FEW)}
    rows = [(0, 1, 1), (2, 3, 0)]  # as given; who answers has the last word
    rows += [(number[a], number[b], None if pd.isna(same) else int(same)) for (a, b), same in said.items()]
    told = {reference.pair(a, b): label for a, b, label in rows}
    told = {pair: label for pair, label in told.items() if label is not None}
    aside = {reference.pair(a, b) for a, b, label in rows if label is None}
    follows = {pair: y for pair, (y, _) in reference.inferred(len(FEW), told).items() if pair not in aside}
    found = bench.labels(1000)
    known = {reference.pair(number[a], number[b]): y for a, b, y, _ in found.values.tolist()}
    assert known == told | follows and len(found) == len(known)
    stated = {pair_of(*named("wa wb")), pair_of(*named("wc xa"))}
    assert len(bench._queue.asked) == len(said) - len(stated & {pair_of(*pair) for pair in said.index})
    within = bench.conflicts.loc[bench.conflicts["kind"] == "within", ["text_a", "text_b"]].values.tolist()
    assert {reference.pair(number[a], number[b]) for a, b in within} == reference.within(len(FEW), told)


CONFLICTS = {
    # given, what Ben says, what Ada says: what is in conflict (pair, kind), and the labels that stand
    "nobody contradicts": ({"wa wb": 1}, {"wb wc": 1}, {}, [], {"wa wb": 1, "wb wc": 1, "wa wc": 1}),
    "a given 0": ({"wa wc": 0}, {}, {"wa wb": 1, "wb wc": 1}, [("wa wc", "within")], {"wa wc": 0}),
    "another person's 0": ({"wa wb": 1}, {"wa wc": 0}, {"wb wc": 1}, [("wa wc", "within")], {"wa wc": 0}),
    "a given 1": ({"wa wb": 1}, {"wa wb": 0}, {}, [("wa wb", "direct")], {"wa wb": 0}),
    "one's own word is the last": ({"wa wb": 1}, {}, {"wa wb": 0}, [("wa wb", "direct")], {"wa wb": 0}),
    "outvoted": ({"wa wb": 1}, {"wa wb": 1}, {"wa wb": 0}, [("wa wb", "direct")], {"wa wb": 1}),
    "nobody can say": ({"wa wb": 1}, {"wa wb": None}, {}, [], {}),
    "neither can Ada": ({"wa wb": 1}, {"wa wb": 1}, {"wa wb": None}, [], {}),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_contradictions_are_conflicts_and_nothing_is_overwritten_silently(path, case):
    given, ben, ada, conflicts, labels = CONFLICTS[case]
    log = pg.DecisionLog(path)
    for who, words in {"Ben": ben, "Ada": ada}.items():
        for pair, label in words.items():
            decision = {1: "flip", 0: "keep", None: "ambiguous"}[label]
            log.add(*named(pair), decision, label=0, shown={"stated": False}, reviewer=who)
    bench, _page = opened(path, labels=given or None)
    found = bench.conflicts
    assert [(*sorted(pair), kind) for *pair, kind in found[["text_a", "text_b", "kind"]].values.tolist()] == [
        (*sorted(named(pair)), kind) for pair, kind in conflicts
    ]
    standing = {pair_of(a, b): y for a, b, y in bench.labels(100)[["text_a", "text_b", "label"]].values.tolist()}
    assert standing.items() >= {pair_of(*named(pair)): label for pair, label in labels.items()}.items()
    assert labels or not standing
    assert all(len(said.split(", ")) > 1 for said in found.loc[found["kind"] == "direct", "said"])


class Slow(WordLearner):
    """It trains until it is told to end; or fails."""

    def __init__(self, texts, error=None):
        super().__init__(texts)
        self.begun, self.end, self.error = threading.Event(), threading.Event(), error

    def teach(self, *args, **options):
        self.begun.set()
        assert self.end.wait(60)
        if self.error:
            raise self.error
        super().teach(*args, **options)


def test_training_that_fails_and_what_the_learner_is_told(path):
    with pytest.raises(pg.PairsError, match="is not a whole number of 1 or more"):
        pg.PairLabeler(Slow(TEXTS), 2.5, path, "Ada")
    learner = Slow(FEW, ValueError("no memory"))
    learner.end.set()
    bench = pg.PairLabeler(learner, 500, path, "Ada", strategy="adaptive", batch=1)
    page = Page(bench)
    assert page.send({"intent": "decide", "n": 1, "item": 1, "decision": "flip"})  # no answer to this question
    page.n = 1
    answer(bench, page, "same")
    bench.wait()
    assert bench.case["error"] == "The round of training failed; no answer is lost. ValueError: no memory"
    assert bench.current is not None and len(bench.decision_log.records()) == 1
    learner.error = None
    answer(bench, page, "different")
    bench.wait()
    assert bench.case["error"] == "" and learner.taught[-1].items() >= {pair_of(*named("wa wb")): 1}.items()
    page("undo")
    page("undo")
    answer(bench, page, "ambiguous")
    bench.wait()
    bench._advance()
    bench.wait()
    assert learner.taught[-1] == {}


def test_questions_go_on_while_it_trains(path):
    learner = Slow(TEXTS)
    bench = pg.PairLabeler(learner, 500, path, "Ada", strategy="adaptive", batch=3)
    page = Page(bench)
    for _ in range(3):
        page("decide", item=bench.current, decision="different")
    bench._advance()
    assert learner.begun.wait(60) and bench._rounds.busy
    for _ in range(3):
        page("decide", item=bench.current, decision="different")
        bench._advance()
    assert len(bench.decision_log.records()) == 6 and learner.round == 0
    pg.DecisionLog(path, "Ben").add(*reversed(bench._queue.pair[1]), "flip", label=0, shown={"stated": False})
    assert bench.current is None and bench.picture["title"] == "The next pairs are being chosen …"
    learner.end.set()
    bench.wait()
    assert bench.conflicts["said"].tolist() == ["Ben: yes, you: no"]  # another is heard with the next round
    assert bench.current is not None and bench.rounds[["asked", "labels"]].values.tolist() == [[3, 3]]
    assert {pair_of(*pair) for pair in bench.queue[["text_a", "text_b"]].values.tolist()[6:]}.isdisjoint(
        record.pair for record in bench.decision_log.records()
    )


@pytest.mark.long
@pytest.mark.slow
def test_no_answer_is_lost_in_kills(tmp_path):
    """40 of them; PARAGRAPH_KILLS=300 for more."""
    said = python(HERE / "kills.py", tmp_path, KILLS, 0, 1.5, "labeler")
    kills, told, found, untold = map(int, said.split())
    assert kills == KILLS and told == found > 0 and untold <= kills


def test_a_bench_goes_on_where_the_last_one_ended_and_exports_what_read_pairs_reads(path, tmp_path):
    bench, page = opened(path)
    for _ in range(12):
        answer(bench, page)
    page("note", item=bench.current, text="odd")
    again, _ = opened(path)
    again.wait()
    before, after = (one.labels(1000).sort_values(["text_a", "text_b"]).to_numpy().tolist() for one in (bench, again))
    assert after == before and len(again._queue.asked) == 12 and again.rounds["asked"].tolist() == [12]
    known = {record.pair for record in bench.decision_log.records() if record.decision != "note"}
    assert pair_of(*on_screen(again)) not in known
    for inferred in (0, 1000):
        bench.export(tmp_path / "labels.tsv", inferred)
        read = pg.read_pairs(tmp_path / "labels.tsv")[["text_a", "text_b", "label"]].astype(object).values.tolist()
        assert read == bench.labels(inferred)[["text_a", "text_b", "label"]].astype(object).values.tolist()
    assert len(read) > 12 and all(label == truth(pair) for *pair, label in read)


def test_a_learner_of_two_sides_is_asked_across(path):
    left, right = ["Why swim?", "Why tea?"], ["To swim.", "For tea.", "Who?"]
    learner = pg.Learner(left, others=right, progress=False)
    bench = pg.PairLabeler(learner, 500, path, "Ada", batch=2)
    page, asked = Page(bench), []
    while bench.current is not None:
        asked.append(on_screen(bench))
        page("decide", item=bench.current, decision="same")
        bench._advance()
        bench.wait()
    assert sorted(asked) == sorted((a, b) for a in left for b in right)
    assert bench.labels(99)["source"].tolist() == ["asked"] * 6 == ["asked"] * len(learner.known)


def test_one_log_for_an_audit_a_review_and_the_labeler(path):
    graph = pg.ParaphraseGraph.from_pairs(table_of({"wa wb": 1, "wb wc": 1, "xa xb": 1, "wa xa": 0}))
    bench, page = opened(path, FEW, batch=10)
    while bench.current is not None:
        answer(bench, page)
        bench.wait()
    false = pg.PairReview(table_of({"wb xb": 0}), graph, path, reviewer="Ada")
    assert false.queue["state"].tolist() == ["keep"]  # the labeler's answer to the same question
    report = pg.audited(graph, pg.DecisionLog(path))
    assert report.table["wrong"].sum() == 0
    assert ", 1 of the log neither" in report.note  # wb xb has no label here, and none follows
    asked = table_of({"wa wc": None}).rename(columns={"label": "same"})
    pg.PairReview(asked, graph, path, reviewer="Ben").decide("same")  # of a 1 here, which had no label there
    found = pg.agreement(path)
    assert (found.items, found.percent.value, len(found.disagreements)) == (1, 1, 0)
    replayed = pg.replay(path, graph)
    assert {"Ada", "Ben"} in replayed.unstated["reviewers"].map(set).tolist()
    assert set(replayed.not_applied["why"]) == {"already so: the label is 1"}


def test_when_to_stop():
    for answers, dev, left, says in (
        ([], [], 10, ""), ([1, 0] * 100, [], 0, "budget is used up"),
        ([1] * 50 + [0] * 49 + [1], [], 9, "1 of the last 50 answers is yes (95 %: at most 10%)"),
        ([1, 0] * 100, [0.1, 0.3, 0.301, 0.302, 0.303], 9, "not risen by a point in the last 3 rounds"),
        ([1, 0] * 100, [0.1, 0.3, 0.301, 0.302, 0.32], 9, ""),
    ):  # fmt: skip
        found = when_to_stop(answers, dev, left)
        assert says in found and bool(says) == bool(found)
