"""Facts about replaying decisions, each on a few sentences; and replays against brute force.

A sentence is a letter and a row is ``a+b`` (paraphrases), ``a-b`` (not) or ``a?b`` (unlabelled). A decision is
``ac flip``, ``ac cut bc`` and so on, of Ada unless another name stands before it.
``ab cut ab for ac`` is a further cut for a-c.
"""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.decisions.records import Decision, standing
from paragraph.decisions.replay import replay
from paragraph.graph.variants import four_datasets, write_datasets

from .. import reference
from ..facts import facts
from ..hostile import SENTENCES
from ..reference import shown, table
from ..refused import refused


def record(moment, text, reviewer="Ada", label=None):
    text, _, conflict = text.partition(" for ")
    *who, pair, decision = text.split() if "cut" not in text else text.rsplit(maxsplit=1)[0].split()
    edge = text.split()[-1] if decision == "cut" else ("", "")
    shown = json.dumps({"conflict": list(conflict)}, separators=(",", ":")) if conflict else "{}"
    moment = f"2026-01-01T00:00:00.{moment:03}Z"
    return Decision(moment, *(who or [reviewer]), *pair, decision, label, *edge, shown=shown)


def decided(text):
    """Records of ``"ac flip, Ben ac keep"``; a label that was seen then is written ``ac=0 flip``."""
    found = []
    for moment, word in enumerate(filter(None, text.split(", "))):
        label = next((int(part[-1]) for part in word.split() if "=" in part), None)
        found.append(record(moment, word.replace("=0", "").replace("=1", ""), label=label))
    return found


FACTS = [
    # what is so, the rows, the decisions, the options, the rows then, why what does not apply
    # what no longer applies
    ("a sentence that is gone", "a+b", "ac flip", {}, "a+b", ["not in these data: 'c'"]),
    ("a pair that nobody states", "a+b b+c", "ac flip", {}, "a+b b+c", ["not stated in these data: 'a', 'c'"]),
    ("a pair without a label", "a?b", "ab flip", {}, "a?b", ["not stated in these data: 'a', 'b'"]),
    ("a flip of what is 1", "a+b", "ab flip", {}, "a+b", ["already so: the label is 1"]),
    ("another label than then", "a-b", "ab=1 keep", {}, "a-b", ["the label is 0, and was 1 when this was decided"]),
    ("a cut of what is 0", "a-b b-c", "ab cut bc", {}, "a-b b-c", ["already so: the label of 'b', 'c' is 0"]),
    ("a cut of what nobody states", "a-b a-c", "ab cut bc", {}, "a-b a-c", ["not stated in these data: 'b', 'c'"]),
    ("the second of two equal cuts", "a+b b+c a-c c+d a-d", "ac cut ab, ad cut ab", {}, "b+c a-c c+d a-d",
     ["already so: cut by decision"]),
    ("two wishes for one pair", "a+b b+c a-c", "ac cut ab, ab keep", {}, "a+b b+c a-c",
     ["contradicts keep", "contradicts cut"]),
    # two reviewers
    ("disagreed", "a+b b+c a-c", "ac flip, Ben ac keep", {}, "a+b b+c a-c",
     ["reviewers disagree (Ada: flip, Ben: keep)"] * 2),
    ("a skip is no opinion", "a+b b+c a-c", "ac flip, Ben ac skip", {}, "a+b b+c a+c", ["skipped"]),
    ("one of them is chosen", "a+b b+c a-c", "ac flip, Ben ac keep", {"reviewer": "Ada"}, "a+b b+c a+c", []),
    # several cuts for one conflict are one decision
    ("both of them", "a+b b+c a+d d+c a-c", "ac cut ab, ad cut ad for ac", {}, "b+c d+c a-c", []),
    ("neither, where another disagrees", "a+b b+c a+d d+c a-c", "ac cut ab, ad cut ad for ac, Ben ac flip", {},
     "a+b b+c a+d d+c a-c", ["reviewers disagree", "part of a refused decision: that on 'a'", "reviewers disagree"]),
    ("nor where one cut is contradicted", "a+b b+c a+d d+c a-c", "ac cut ab, ad cut ad for ac, Ben da keep", {},
     "a+b b+c a+d d+c a-c", ["part of a refused decision", "reviewers disagree", "reviewers disagree"]),
    ("a cut of a refused decision contradicts nobody", "a+b b+c a+d d+c a-c",
     "ac cut bc, ab cut ab for ac, Dan ab keep, Cy bc ambiguous", {}, "a+b a+d d+c a-c",
     ["part of a refused decision", "reviewers disagree", "reviewers disagree"]),
    ("what is so already stands in nobody's way", "a-b b+c a+d d+c a-c", "ac cut ab, ad cut ad for ac", {},
     "a-b b+c d+c a-c", ["already so: the label of 'a', 'b' is 0"]),
    ("what is refused takes no cut from others", "a+b b+c a-c b+d d+a a-d",
     "ac cut ab, ad=1 keep, ab cut ab for ad", {}, "b+c a-c b+d d+a a-d",
     ["the label is 0, and was 1 when this was decided", "part of a refused decision"]),
]  # fmt: skip


@facts("rows, done, options, then, why", FACTS)
def test_facts(rows, done, options, then, why):
    pairs = table(rows)
    before = pairs.copy()
    for data in (pairs, pg.ParaphraseGraph.from_pairs(pairs)):
        found = replay(decided(done), data, **options)
        assert shown(found.pairs) == then
        assert len(found.not_applied) == len(why)
        for said, start in zip(found.not_applied["why"], why, strict=True):
            assert said.startswith(start)
    pd.testing.assert_frame_equal(pairs, before)  # what was given stays


def test_changes_are_listed_with_rows_and_reasons():
    pairs = table("a+b b+c a-c c+b a-d x-y")
    records = [
        replace(record(0, "ac cut bc"), id="", reason="entity", note="two towns"),
        replace(record(1, "Ben ca cut cb"), id="", reason="entity"),
        record(2, "ad keep"),
        record(3, "yx flip"),
    ]
    found = replay(records, pairs)
    assert found.changes.drop(columns=["ids", "times"]).to_dict("records") == [
        {"text_a": "a", "text_b": "c", "decision": "cut", "edge1": "b", "edge2": "c", "label": 1,
         "effect": "dropped", "rows": [3, 5], "reviewers": ["Ada", "Ben"], "why": "entity; two towns"},
        {"text_a": "a", "text_b": "d", "decision": "keep", "edge1": "a", "edge2": "d", "label": 0,
         "effect": "stays", "rows": [6], "reviewers": ["Ada"], "why": ""},
        {"text_a": "y", "text_b": "x", "decision": "flip", "edge1": "x", "edge2": "y", "label": 0,
         "effect": "becomes 1", "rows": [7], "reviewers": ["Ada"], "why": ""},
    ]  # fmt: skip
    assert found.changes["ids"].tolist() == [[records[0].id, records[1].id], [records[2].id], [records[3].id]]
    assert found.pairs["decided"].tolist() == ["", "", records[2].id, records[3].id]
    assert found.pairs["row"].tolist() == [2, 4, 6, 7]  # as their source counts them


def test_what_is_kept_no_rule_flips(tmp_path):
    pairs = table("a+b b+c a-c x+y y+z x-z z-x a-x")
    found = replay(decided("ca keep"), pairs)
    datasets = four_datasets(found.graph, kept=found.kept)
    assert shown(datasets["original_flipped"]) == "a+b b+c a-c x+y y+z x+z z+x a-x"
    for name, label in (("augmented", 0), ("augmented_flipped", 1)):
        labels = {frozenset((a, b)): y for a, b, y in datasets[name].itertuples(index=False, name=None)}
        assert labels[frozenset("ac")] == 0 and labels[frozenset("xz")] == label
    plain = four_datasets(found.graph)
    assert shown(plain["original_flipped"]) == "a+b b+c a+c x+y y+z x+z z+x a-x"
    counts = write_datasets(found.graph, tmp_path, kept=found.kept)
    for name, frame in datasets.items():
        written = pg.read_pairs(tmp_path / f"{name}.tsv")
        assert shown(written) == shown(frame)
        assert counts[name] == {
            "positive": int((frame["label"] == 1).sum()),
            "negative": int((frame["label"] == 0).sum()),
        }


def test_decisions_are_found_by_text_under_the_identity_of_the_data():
    pairs = reference.table([(" Caf\u00e9?", "Tea?", 0), ("tea", "Coffee?", 1)])
    records = [Decision("2026-01-01T00:00:00.000Z", "Ada", "Tea?", "Cafe\u0301?", "flip")]
    assert replay(records, pairs).pairs["label"].tolist() == [1, 1]
    other = [Decision("2026-01-01T00:00:00.000Z", "Ada", "TEA", "café", "flip")]
    assert replay(other, pairs).not_applied["why"].tolist() == ["not in these data: 'TEA', 'café'"]
    assert replay(other, pairs, identity="normal").pairs["label"].tolist() == [1, 1]
    graph = pg.ParaphraseGraph.from_pairs(pairs, "normal")
    assert replay(other, graph).pairs["label"].tolist() == [1, 1]
    assert len(replay(other, graph, identity="text").not_applied) == 1
    same = [Decision("2026-01-01T00:00:00.000Z", "Ada", "Tea?", "tea", "flip")]
    assert replay(same, graph).not_applied["why"].tolist() == ["one sentence in these data: 'Tea?', 'tea'"]
    pairs = reference.table([("a", "b", 1), ("b", "c", 1), ("a", "c", 0)], id_a=["1", "2", "1"], id_b=["2", "3", "3"])
    for data, options in ((pairs, {"identity": "id"}), (pg.ParaphraseGraph.from_pairs(pairs, "id"), {})):
        found = replay(decided("ac keep, bc skip"), data, **options)
        assert found.identity == "id" and found.kept.tolist() == [False, False, True]
    # two words on one pair, in spellings that only this identity takes for one
    both = [*other, Decision("2026-01-01T00:00:00.001Z", "Ada", "tea", "Café?", "ambiguous")]
    assert replay(both, graph).pairs["text_a"].tolist() == ["tea"]


def test_a_second_log_after_the_first():
    pairs = table("a+b b+c a-c a-d")
    first, second = decided("ac flip"), [record(9, "ad keep")]
    once = replay(first, pairs)
    twice = replay(second, once.pairs)
    assert twice.pairs["decided"].tolist() == ["", "", first[0].id, second[0].id]
    again = replay(first, once.pairs)
    assert shown(again.pairs) == shown(once.pairs)
    assert again.not_applied["why"].tolist() == ["already so: the label is 1"]


def test_what_replay_refuses(log, memory):
    log.add("a", "b", "flip")
    codes = pg.ParaphraseGraph(np.array([0]), np.array([1]), np.array([-1], dtype=np.int8), 2)
    for words, options, said in (
        ((log, table("a-b")), {"reviewer": "Eve"}, r"the log holds nothing of 'Eve'; its reviewers: Ada"),
        ((log, table("a-b")), {"cut": "burn"}, "cut 'burn' is not one of 'drop', 'negative'"),
        ((table("a-b"), log), {}, r"the log comes first, then the data: replay\(log, pairs\)"),
        ((pg.ParaphraseGraph.from_pairs(table("a-b")), log.path), {}, "the log comes first"),
        ((log, "x.tsv"), {}, r"data 'x.tsv' is no pair table and no graph: replay\(log, read_pairs"),
        (({}, table("a-b")), {}, "a log is a DecisionLog or the path of one, not a dict"),
        ((memory / "other.db", table("a-b")), {}, "there is no log"),
        ((log, codes), {}, "made from codes"),
        ((log, table("a-b")[["text_a", "text_b"]]), {}, "a pair table needs the columns"),
    ):
        refused(said, replay, *words, **options)
    assert shown(replay(log, table("")).pairs) == ""


LETTERS = "abcdef"
ROWS = st.lists(st.tuples(*[st.sampled_from(LETTERS)] * 2, st.sampled_from([1, 1, 0, 0, None])), max_size=14)
EDGE = st.lists(st.sampled_from(LETTERS + "z"), min_size=2, max_size=2, unique=True).map(tuple)
WORDS = st.lists(
    st.tuples(
        st.sampled_from(["Ada", "Ben"]),
        EDGE,
        st.sampled_from(["flip", "cut", "keep", "ambiguous", "skip", "undo"]),
        EDGE,
        st.sampled_from([None, None, 0, 1]),
    ),
    max_size=12,
)


def expected(rows, words, cut):
    """The rows after a replay, with stacks of decisions, dictionaries and loops."""
    numbers = reference.number(rows)
    order = list(reference.first_spellings(rows))
    label = {frozenset(order[i] for i in p): y for p, y in reference.stated(numbers).items()}
    stacks = {"Ada": [], "Ben": []}
    for who, pair, what, edge, seen in words:
        if what != "undo":
            stacks[who].append((frozenset(pair), what, frozenset(edge) if what == "cut" else None, seen))
        elif stacks[who]:
            stacks[who].pop()
    opinions = {}
    for who, stack in stacks.items():
        for pair, *opinion in stack:
            opinions.setdefault(pair, {})[who] = opinion
    wishes = {}  # for each pair whose rows are meant, what is to become of them
    for pair, of in opinions.items():
        held = [opinion for opinion in of.values() if opinion[0] != "skip"]
        if len({(what, edge) for what, edge, _ in held}) != 1 or pair not in label:
            continue
        what, edge, _ = held[0]
        if any(seen not in (None, label[pair]) for *_, seen in held) or (what == "flip" and label[pair] == 1):
            continue
        if what == "cut" and label.get(edge) != 1:
            continue
        wishes.setdefault(edge or pair, set()).add(what)
    then = []
    for a, b, y in rows:
        wish = wishes.get(frozenset((a, b)), set())
        what = wish.copy().pop() if len(wish) == 1 and a != b else "keep"
        if what == "flip":
            y = 1
        elif what == "cut" and cut == "negative":
            y = 0
        elif what in ("cut", "ambiguous"):
            continue
        then.append((a, b, y))
    return then


@pytest.mark.slow
@settings(max_examples=120)
@given(rows=ROWS, words=WORDS, cut=st.sampled_from(["drop", "negative"]), data=st.data())
def test_replay_against_brute_force(rows, words, cut, data):
    records, stands = [], {"Ada": [], "Ben": []}
    for moment, (who, pair, what, edge, seen) in enumerate(words):
        time = f"2026-01-01T00:00:00.{moment:03}Z"
        if what == "undo":
            if stands[who]:
                target = stands[who].pop()
                records.append(Decision(time, who, target.question1, target.question2, "undo", undoes=target.id))
            continue
        made = Decision(time, who, *pair, what, seen, *(edge if what == "cut" else ("", "")))
        records.append(made)
        stands[who].append(made)
    shuffled = data.draw(st.permutations(records))
    pairs = reference.table(rows)
    found = replay(shuffled, pairs, cut=cut)
    then = [(a, b, None if pd.isna(y) else int(y)) for a, b, y in
            found.pairs[["text_a", "text_b", "label"]].itertuples(index=False, name=None)]  # fmt: skip
    assert then == expected(rows, words, cut)
    # Each word that stands is told of once: it changed something, or it says why it did not.
    told = [one for ids in [*found.changes["ids"], *found.not_applied["ids"]] for one in ids]
    last = {(r.reviewer, frozenset((r.question1, r.question2))): r.id for r in standing(records)}
    assert sorted(told) == sorted(last.values())
    json.dumps(found.changes.to_dict("list"))  # plain values


UNSTATED = [
    # what is so, the rows, the decisions, of judged pairs: the same or not; why what does not apply
    ("the same", "a+b b+c", "ac=1 keep", {"ac": 1}, []),
    ("different", "a+b b+c", "ac=1 cut ac", {"ac": 0}, []),
    ("a negative that is none", "a+b b-c", "ac=0 flip", {"ac": 1}, []),
    ("nobody can say", "a+b b+c", "ac=1 ambiguous", {"ac": None}, []),
    ("reviewers disagree", "a+b b+c", "ac=1 keep, Ben ac=1 cut ac", {}, ["reviewers disagree"] * 2),
    ("a sentence is gone", "a+b", "ac=1 keep", {}, ["not in these data: 'c'"]),
    ("it is stated by now", "a+b b+c a+c", "ac=1 cut ac", {}, []),
]


def said(table):
    """``{"ab": 1, "bc": None}`` of a table of judged pairs."""
    same = [None if pd.isna(value) else int(value) for value in table["same"]]
    return dict(zip(table["text_a"] + table["text_b"], same, strict=True))


@facts("rows, done, judged, why", UNSTATED)
def test_judgements_of_unstated_pairs_are_kept(rows, done, judged, why, memory):
    records = [replace(record, shown='{"blind":true,"stated":false}', id="") for record in decided(done)]
    found = replay(records, table(rows))
    assert said(found.unstated) == judged
    assert len(found.not_applied) == len(why)
    assert all(one.startswith(start) for one, start in zip(found.not_applied["why"], why, strict=True))
    found.write(memory)
    written = pd.read_csv(memory / "unstated.tsv", sep="\t", keep_default_na=False)
    assert written["same"].astype(str).tolist() == ["" if same is None else str(same) for same in judged.values()]


SAYS = [
    # decisions, and what they say of pairs: the same or not, or nothing that is sure
    ("ac flip", {"ac": 1}),
    ("ac cut ab", {"ac": 0, "ab": 0}),
    ("ac=1 keep", {"ac": 1}),
    ("ac keep", {}),
    ("ac skip", {}),
    ("ac ambiguous", {"ac": None}),
    ("ac flip, Ben ac=0 keep", {"ac": None}),
    ("ac cut ab, ab=1 keep", {"ac": 0, "ab": None}),
]


@pytest.mark.parametrize("done, says", SAYS)
def test_a_log_as_a_table_of_judged_pairs(done, says, log):
    for one in decided(done):
        edge = (one.edge1, one.edge2) if one.edge1 else None
        log.add(one.question1, one.question2, one.decision, label=one.label, edge=edge, reviewer=one.reviewer)
    assert said(log.judged()) == says


def test_what_is_printed_counts_pairs_and_decisions():
    rows = "a+b b+c a-c d+e e+f d-f g+h h+i g-i"
    log = "ac flip, Ben ca flip, df cut de, Ben df flip, gi ambiguous, Ben xy flip, Ben hi keep, gh skip"
    found = replay(decided(log), table(rows))
    assert str(found).splitlines() == [
        "            pairs  decisions",
        "applied         1          2  flip",
        "applied         1          1  keep",
        "dropped         1          1  ambiguous",
        "refused         1          2  reviewers disagree",
        "refused         1          1  not in these data",
        "refused         1          1  skipped",
        "rows: 9 → 8, labelled pairs: 9 → 8, clusters of two or more: 3 → 3, conflicts inside clusters: 3 → 1",
    ]
    assert found.decisions[["outcome", "text_a", "text_b", "what"]].values.tolist()[:3] == [
        ["applied", "a", "c", "label becomes 1 (row 4)"], ["applied", "h", "i", "label stays (row 9)"],
        ["dropped", "g", "i", "dropped (row 10)"],
    ]  # fmt: skip
    assert len(found.decisions) == 7 and found.changed.tolist() == [2, 8]
    assert found._repr_html_().count("data:image/png") == 1


def test_what_the_data_have_already_is_no_refusal():
    found = replay(decided("ac flip, bd cut bd, xz flip"), table("a+c b-d"))
    assert str(found).splitlines()[1:4] == [
        "already so      1          1  flip",
        "already so      1          1  cut",
        "refused         1          1  not in these data",
    ]
    so = found.decisions.query("outcome == 'already so'")["what"].tolist()
    assert so == ["the label is 1", "the label of 'b', 'd' is 0"]


#: Decisions of Ada and Ben in the cluster of a-c, of which they disagree, and those that wait for another look once
#: Cyd has settled a-c.
LOOK_AGAIN = [
    # their decisions, Cyd's word, the pairs whose rows change that wait
    ("a cut after a flip that is overruled", "ad cut cd", "ac keep", ["cd"]),
    ("two", "ad cut cd, bd cut bd for ad", "ac keep", ["cd", "bd"]),
    ("a flip beside a cut that settles", "ad flip", "ac cut bc", ["ad"]),
    ("a flip settles it", "ad cut cd", "ac flip", []),
    ("both have said it", "ad cut cd, Ben ad cut cd", "ac keep", []),
    ("a keep changes nothing", "ad keep", "ac keep", []),
    ("another cluster", "xz cut xy", "ac keep", []),
    ("the flip of another cluster", "xz flip", "ac cut bc", []),
]


@facts("they, cyd, waits", LOOK_AGAIN)
def test_what_a_third_persons_word_leaves_open_is_looked_at_again(they, cyd, waits):
    settling = replace(record(99, f"Cyd {cyd}"), id="", shown='{"settles":["Ada","Ben"]}')
    records = [*decided(f"ac flip, {they}, Ben ac keep"), settling]
    found = replay(records, table("a+b b+c b+d d+c a-c a-d x+y y+z x-z"))
    again = found.not_applied[found.not_applied["why"].str.startswith("look again: ")]
    edges = again["edge1"] + again["edge2"]
    assert edges.where(edges != "", again["text_a"] + again["text_b"]).tolist() == waits
    assert set(found.not_applied["why"]) - set(again["why"]) == {"settled by Cyd"}
    assert found.changes["ids"].str.len().sum() + len(again) == len(they.split(", ")) + 1  # Cyd's


def test_what_is_shown_of_hostile_sentences_is_text():
    pairs = pd.DataFrame({"text_a": SENTENCES[0], "text_b": SENTENCES[1:], "label": 1})
    log = [Decision(f"2026-01-01T00:00:00.{i:03}Z", "Ada <b>", SENTENCES[0], text, "cut", 1, SENTENCES[0], text)
           for i, text in enumerate(SENTENCES[1:])]  # fmt: skip
    found = replay(log, pairs)
    shown = found._repr_html_()
    nothing = replay([], table("a+b"))
    assert nothing.figure() is None and "No label changed" in nothing._repr_html_()
    assert str(nothing).startswith("no decisions\nrows: 1 → 1")
    assert len(found.changes) and "<script" not in shown and "<img src" not in shown and "<b>" not in shown


def test_the_picture_of_before_and_after():
    from paragraph.draw.figures import _after, _where, draw_change
    from paragraph.draw.view import view_of

    found = replay(decided("ac cut bc, df flip"), table("a+b b+c a-c  d-f a+d"))
    nodes, changed = _where(found.before, found.changed, 40)
    old = view_of(found.before, nodes=nodes)
    names = {
        "".join(sorted(old.texts[end] for end in (e.a, e.b))): e.line.name for e in _after(old, found.graph).edges
    }
    assert {pair: names[pair] for pair in ("ab", "bc", "ac")} == {
        "ab": "paraphrase, stated", "bc": "no label any more", "ac": "not a paraphrase, stated",
    }  # fmt: skip
    assert names["df"] == "a paraphrase now" and changed.tolist() == found.changed.tolist()
    assert len(draw_change(found.before, found.graph, found.changed, limit=2).axes) > 4
