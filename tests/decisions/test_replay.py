"""Facts about replaying answers, each on a few sentences; and replays against brute force.

A sentence is a letter and a row is ``a+b`` (paraphrases), ``a-b`` (not) or ``a?b`` (unlabelled). An answer is
``ac 1``, ``ac 0``, ``ac ?`` or ``ac later``, of Ada unless another name stands before. ``ab 0 for ac`` is given about
the conflict of a-c; ``ac=0 1`` saw the label 0; ``Cyd ac 1 overrules`` takes the place of what others said before.
"""

import json
import random
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.answers import Answers
from paragraph.decisions.log import records_of
from paragraph.decisions.marks import Marks
from paragraph.decisions.record import Answer, shortest_json, standing_answers
from paragraph.decisions.replay import APPLIED, replay
from paragraph.decisions.store import insert, writing
from paragraph.graph.variants import four_datasets, write_datasets

from .. import reference
from ..facts import facts
from ..reference import shown, table
from ..refused import refused


def views(one):
    """The conflicts that an answer is about, or its own pair."""
    return {frozenset(pair) for pair in one.about_pairs} or {one.pair}


def answered(text):
    """Records of ``"ac 1, Ben ac=0 0, ab 0 for ac"``."""
    found = []
    for moment, word in enumerate(filter(None, text.split(", "))):
        word, _, conflicts = word.removesuffix(" overrules").partition(" for ")
        *who, pair, same = word.split()
        (a, b), _, seen = pair.partition("=")
        about = [[*conflict] for conflict in (conflicts or (a + b if who == ["Cyd"] else "")).split()]
        one = Answer(f"2026-01-01T00:00:00.{moment:03}Z", *(who or ["Ada"]), a, b, same, seen, shortest_json(about))
        if text.split(", ")[moment].endswith("overrules"):
            ids = [old.id for old in found if views(old) & views(one) and old.reviewer != one.reviewer]
            one = replace(one, id="", shown=shortest_json({"overrules": ids}))
        found.append(one)
    return found


def outcomes(found):
    """``"ac becomes 1, ab disputed"``, in the order of the table."""
    told = found.decisions
    return ", ".join(f"{a}{b} {what}" for a, b, what in zip(told.text_a, told.text_b, told.outcome, strict=True))


FACTS = [
    # what is so, the rows, the answers, the options, the rows then, the outcomes
    ("the same", "a+b b+c a-c", "ac=0 1", {}, "a+b b+c a+c", "ac becomes 1"),
    ("a cut", "a+b b+c a-c", "ac 0, bc 0 for ac", {}, "a+b a-c", "bc dropped, ac stays"),
    ("a cut to a negative", "a+b b+c a-c", "cb 0 for ac", {"cut": "negative"}, "a+b b-c a-c", "bc becomes 0"),
    ("nobody can say", "a+b b+c a-c", "ac ?", {}, "a+b b+c", "ac dropped"),
    ("later", "a+b b+c a-c", "ac later", {}, "a+b b+c a-c", "ac later"),
    ("all lines are right", "a+b b+c a-c", "ac 0, ab 1 for ac, bc 1 for ac", {}, "a+b b+c a-c",
     "ac stays, ab stays, bc stays"),
    # a contradiction inside one pair
    ("1 is right", "a+b a-b a+b", "ab=1 1", {}, "a+b a+b a+b", "ab becomes 1"),
    ("0 is right", "a+b a-b a+b", "ab=1 0", {}, "a-b", "ab dropped"),
    ("0 is right, and nothing is dropped", "a+b b-a a?b", "ab 0", {"cut": "negative"}, "a-b b-a a-b", "ab becomes 0"),
    ("a sentence with itself", "a-a a+a a+b", "aa=0 1", {}, "a+a a+a a+b", "aa becomes 1"),
    ("or set aside", "a-a a+b", "aa ?", {}, "a+b", "aa dropped"),
    # what no longer applies
    ("a sentence that is gone", "a+b", "ac=0 1", {}, "a+b", "ac not in these data"),
    ("a pair that nobody states", "a+b b+c", "ac=0 1", {}, "a+b b+c", "ac not in these data"),
    ("a pair that nobody stated then", "a+b b+c", "ac 1", {}, "a+b b+c", "ac not in these data"),
    ("it is stated by now", "a+b b+c a+c", "ac 0", {}, "a+b b+c", "ac dropped"),
    ("a pair without a label", "a?b", "ab=0 1", {}, "a?b", "ab not in these data"),
    ("it is so already", "a+b", "ab=0 1", {}, "a+b", "ab stays"),
    ("another label than then", "a-b", "ab=1 1", {}, "a-b", "ab stale"),
    ("rows without a label follow the others", "a-b a?b", "ab 1", {}, "a+b a+b", "ab becomes 1"),
    ("but not where nothing changes", "a-b a?b", "ab 0", {}, "a-b a?b", "ab stays"),
    # several people
    ("two agree", "a+b b+c a-c", "ac 1, Ben ca 1", {}, "a+b b+c a+c", "ac becomes 1"),
    ("two differ on one line", "a+b b+c a-c", "ac 0, ab 0 for ac, bc 1 for ac, Ben ac 0, Ben bc 0 for ac", {},
     "a+b b+c a-c", "ab disputed, bc disputed, bc disputed, ac disputed"),
    ("later is no opinion", "a+b b+c a-c", "ac 1, Ben ac later", {}, "a+b b+c a+c", "ac becomes 1, ac later"),
    ("lines that were shared out add up", "a+b b+c a-c", "ac 0, Ben ab 0 for ac", {}, "b+c a-c",
     "ab dropped, ac stays"),
    ("cuts at two places are a dispute", "a+b b+c a-c", "ac 0, ab 0 for ac, Ben ac 0, Ben bc 0 for ac", {},
     "a+b b+c a-c", "ac disputed, ab disputed, bc disputed"),
    ("a third settles", "a+b b+c a-c", "ac=0 1, Ben ac 0, Cyd ac 1 overrules", {}, "a+b b+c a+c",
     "ac becomes 1, ac overruled, ac overruled"),
    ("what others said of another pair stands when a third settles", "a+b b+c b+d d+c a-c a-d",
     "ac 1, cd 0 for ad, Ben ac 0, Cyd ac 0 overrules", {}, "a+b b+c b+d a-c a-d",
     "ac stays, dc dropped, ac overruled, ac overruled"),
    ("nobody settles what they said themselves", "a+b b+c a-c", "Cyd ac 0, Ben ac 1, Cyd ac 0 overrules", {},
     "a+b b+c a-c", "ac stays, ac overruled"),
    ("what is left is listed", "a+b b+c a-c a+d d+c", "ac 0, ab 0 for ac", {}, "b+c a-c a+d d+c",
     "ab dropped, ac stays"),
    # each answer is right or wrong by itself: no pair falls with another of its conflict
    ("a positive is as wrong as it was where the label of its conflict has changed", "a+b b+c a+c",
     "ac=0 0, ab=1 0 for ac", {}, "b+c a+c", "ab dropped, ac stale"),
    ("or where another line of its conflict is gone", "a+b b+c a-c", "ac 0, ad=1 0 for ac, ab=1 0 for ac", {},
     "b+c a-c", "ab dropped, ac stays, ad not in these data"),
    # but what was said of a conflict was said of all of it: a dispute on any line stops it
    ("a line is disputed by who looked at that line alone", "a+b b+c a-c", "ac 0, ab 0 for ac, Ben ab 1", {},
     "a+b b+c a-c", "ac disputed, ab disputed, ab disputed"),
    ("two who share a first cut, and each cuts more, would drop different rows", "a+b b+c a+d d+c a-c",
     "ac 0, ab 0 for ac, ad 0 for ac, Ben ac 0, Ben ab 0 for ac, Ben dc 0 for ac", {}, "a+b b+c a+d d+c a-c",
     "ac disputed, ab disputed, ad disputed, dc disputed"),
    ("a line that one confirms and another denies is disputed", "a+b b+c a-c",
     "ac 0, ab 0 for ac, bc 0 for ac, Ben ac 1, Ben ab 0 for ac, Ben bc 0 for ac", {}, "a+b b+c a-c",
     "ac disputed, ab disputed, bc disputed, ac disputed"),
]  # fmt: skip


@facts("rows, said, options, then, told", FACTS)
def test_facts(rows, said, options, then, told):
    pairs = table(rows)
    before = pairs.copy()
    for data in (pairs, pg.ParaphraseGraph.from_pairs(pairs)):
        found = replay(answered(said), data, **options)
        assert shown(found.pairs) == then
        assert sorted(outcomes(found).split(", ")) == sorted(told.split(", "))
    pd.testing.assert_frame_equal(pairs, before)  # what was given stays


LETTERS = "abcdef"


def a_case(seed):
    """Random rows, and a random log of up to three people, with conflicts, settlements, undos and stale labels."""
    rng = random.Random(seed)
    row = [LETTERS, LETTERS, [1, 1, 0, 0, None]]
    rows = [tuple(map(rng.choice, row)) for _ in range(rng.randrange(15))]
    records, names = [], ["Ada", "Ben", "Cyd"][: rng.randint(1, 3)]
    for moment in range(rng.randrange(14)):
        who, pair = rng.choice(names), [rng.choice(LETTERS + "z") for _ in range(2)]
        pair = list(rng.choice(rows)[:2]) if rows and rng.random() < 0.7 else pair
        time = f"2026-01-01T00:00:00.{moment:03}Z"
        mine = [one for one in standing_answers(records) if one.reviewer == who]
        if mine and rng.random() < 0.15:
            last = mine[-1]
            records.append(Answer(time, who, last.text_a, last.text_b, undoes=last.id))
            continue
        about = [list(rng.choice(rows)[:2])] if rows and rng.random() < 0.5 else []
        others = [one.id for one in records if one.same and one.reviewer != who]
        shown = {}
        if others and rng.random() < 0.2:
            shown = {"overrules": rng.sample(others, rng.randint(1, len(others)))}
        same, seen = rng.choice(["1", "0", "0", "?", "later"]), rng.choice(["", "", "0", "1"])
        records.append(Answer(time, who, *pair, same, seen, shortest_json(about), shown=shortest_json(shown)))
    return rows, records, rng.choice(["drop", "negative"])


def words_of(rows, records):
    """Each person's last word on each pair, those that nobody settles, and what is disputed; with loops."""
    undone = set()
    for one in reversed(records):
        if one.undoes and one.id not in undone:
            undone.add(one.undoes)
    words = {}
    for one in records:
        if one.same and one.id not in undone:
            words[one.reviewer, frozenset((one.text_a, one.text_b))] = one
    opinions = {key: one for key, one in words.items() if one.same != "later"}

    def about(one):
        return {frozenset(pair) for pair in json.loads(one.about)} or {frozenset((one.text_a, one.text_b))}

    live = {}
    for key, one in opinions.items():
        closed = set()
        named = False
        for other in opinions.values():
            if one.id in json.loads(other.shown).get("overrules", []) and other.reviewer != one.reviewer:
                named = True
                closed |= about(other)
        if not named or not about(one) - {key[1]} <= closed:
            live[key] = one

    disputed = set()
    for pair in {pair for _, pair in live}:
        each = [one for (_, p), one in live.items() if p == pair]
        if len({one.same for one in each}) > 1:
            disputed |= {pair}.union(*map(about, each))
    cuts = defaultdict(set)
    for (who, pair), one in live.items():
        for conflict in about(one) - {pair}:
            if one.same == "0" and (who, conflict) in live:
                cuts[conflict, who].add(pair)
    for (conflict, one), mine in cuts.items():
        for (same, other), theirs in cuts.items():
            if same == conflict and one != other and mine - theirs and theirs - mine:
                disputed.add(conflict)
    return words, live, disputed, about


def labels_of(rows):
    """The label that the rows state of each pair."""
    numbers = reference.number(rows)
    order = list(reference.first_spellings(rows))
    label = {frozenset(order[i] for i in p): y for p, y in reference.stated(numbers).items()}
    for a, b, y in rows:
        if a == b and y is not None:
            label[frozenset(a)] = min(y, label.get(frozenset(a), 1))
    return label


def expected(rows, records, cut):
    """The rows after a replay, by the rules one after the other, with dictionaries and loops."""
    _, live, disputed, about = words_of(rows, records)
    label = labels_of(rows)
    wishes = {}
    for pair in {pair for _, pair in live}:
        each = [one for (_, p), one in live.items() if p == pair]
        if pair in disputed or any(about(one) & disputed for one in each) or pair not in label:
            continue
        same, stated = each[0].same, str(label[pair])
        if same != stated and any(one.stated not in ("", stated) for one in each):
            continue
        wishes[pair] = same
    then = []
    for a, b, y in rows:
        pair = frozenset((a, b))
        same = wishes.get(pair)
        others = {z for c, d, z in rows if frozenset((c, d)) == pair and z is not None}
        if same == "?":
            continue
        if same == "1" and (others - {1}):
            y = 1
        elif same == "0" and y != 0 and (others - {0}):
            if cut == "drop":
                continue
            y = 0
        then.append((a, b, y))
    return then


@pytest.mark.slow
def test_120_random_logs_against_brute_force():
    for seed in range(120):
        rows, records, cut = a_case(seed)
        shuffled = random.Random(seed).sample(records, len(records))
        found = replay(shuffled, reference.table(rows), cut=cut)
        then = [(a, b, None if pd.isna(y) else int(y)) for a, b, y in
                found.pairs[["text_a", "text_b", "label"]].itertuples(index=False, name=None)]  # fmt: skip
        assert then == expected(rows, records, cut), seed
        # Each last word is told of once: it changed something, or it says why it did not.
        told = [one for ids in found.decisions["ids"] for one in ids]
        last = {(r.reviewer, frozenset((r.text_a, r.text_b))): r.id for r in standing_answers(records)}
        assert sorted(told) == sorted(last.values()), seed
        json.dumps(found.decisions.drop(columns="label").to_dict("list"))  # plain values


def texts_of(graph, pair):
    return frozenset(graph.text(one) if isinstance(one, int) else one for one in pair)


def test_120_random_logs_are_one_table_of_answers(memory):
    """By log and by export: whose last words stand, what counts, what is marked, what is to be talked about."""
    seen = Counter()
    for seed in range(120):
        rows, records, _ = a_case(seed)
        words, live, disputed, _ = words_of(rows, records)
        graph, label = pg.ParaphraseGraph.from_pairs(table(rows)), labels_of(rows)
        log = pg.DecisionLog(memory / f"{seed}.db", "Ada")
        with writing(log.path) as connection:
            insert(connection, random.Random(seed).sample(records, len(records)))
        found = Answers(records_of(log.path), graph)
        assert {(row.reviewer, texts_of(graph, row.pair)): row.record for row in found.rows} == words
        assert {row.record.id for row in found.live} - found.overruler.keys() == {one.id for one in live.values()}
        assert {texts_of(graph, one) for dispute in found.disputes for one in dispute.conflicts} == disputed
        for row in found.rows:
            assert row.label == label.get(texts_of(graph, row.pair))
            assert (row.edge >= 0) == (row.label is not None and len(row.pair) == 2)
        says = defaultdict(set)
        for (_, pair), one in live.items():
            says[pair].add(one.same)
        verdicts = {pair: same.pop() if len(same) == 1 else "?" for pair, same in says.items()}
        for row in log.answered_in(graph).itertuples():
            same = "?" if pd.isna(row.same) else str(row.same)
            assert verdicts.pop(frozenset((row.text_a, row.text_b))) == same
            known = row.text_a in graph and row.text_b in graph
            nodes = sorted(map(graph.node, (row.text_a, row.text_b))) if known else [-1, -1]
            assert [row.a, row.b] == nodes
        assert not verdicts
        marks = {}
        for (who, pair), one in words.items():
            fits = {one.stated, one.same} & {"", str(label.get(pair, ""))} or one.stated == ""
            if who == "Ada" and one.same != "later" and fits and all(text in graph for text in pair):
                marks[pair] = one.same
        told = Marks(graph, log, None).plain["answers"]
        assert {frozenset(graph.texts([a, b])): same for a, b, *_, same in told} == marks
        seen.update(disputed=bool(disputed), overruled=len(found.overruler) > 0, marked=bool(marks))
    assert min(seen.values()) > 5


def test_what_is_listed():
    pairs = table("a+b b+c a-c c+b a-d x-y")
    records = answered("ac=0 0, cb=1 0 for ac, ad 0, yx 1")
    note = Answer("2026-01-01T00:00:00.900Z", "Ada", "b", "c", note="two towns,\nnot one")
    ben = replace(records[1], id="", reviewer="Ben", note="so it is")
    found = replay([*records, note, ben], pairs)
    assert found.decisions.drop(columns=["ids", "times"]).to_dict("records")[:2] == [
        {"outcome": "becomes 1", "text_a": "x", "text_b": "y", "same": "the same", "label": 0, "rows": [7],
         "reviewers": ["Ada"], "why": "", "notes": ""},
        {"outcome": "dropped", "text_a": "b", "text_b": "c", "same": "different", "label": 1, "rows": [3, 5],
         "reviewers": ["Ada", "Ben"], "why": "", "notes": "Ada: two towns, not one | Ben: so it is"},
    ]  # fmt: skip
    assert found.pairs["decided"].tolist() == ["", records[0].id, records[2].id, records[3].id]
    assert found.pairs["row"].tolist() == [2, 4, 6, 7]  # as their source counts them


def test_what_is_found_right_no_rule_flips(tmp_path):
    pairs = table("a+b b+c a-c x+y y+z x-z z-x a-x")
    found = replay(answered("ca 0"), pairs)
    datasets = four_datasets(found.graph, kept=found.kept)
    assert shown(datasets["original_flipped"]) == "a+b b+c a-c x+y y+z x+z z+x a-x"
    for name, label in (("augmented", 0), ("augmented_flipped", 1)):
        labels = {frozenset((a, b)): y for a, b, y in datasets[name].itertuples(index=False, name=None)}
        assert labels[frozenset("ac")] == 0 and labels[frozenset("xz")] == label
    plain = four_datasets(found.graph)
    assert shown(plain["original_flipped"]) == "a+b b+c a+c x+y y+z x+z z+x a-x"
    counts = write_datasets(found.graph, tmp_path, kept=found.kept)
    for name, frame in datasets.items():
        assert shown(pg.read_pairs(tmp_path / f"{name}.tsv")) == shown(frame)
        assert sum(counts[name].values()) == len(frame)


def test_answers_are_found_by_text_under_the_identity_of_the_data():
    pairs = reference.table([(" Caf\u00e9?", "Tea?", 0), ("tea", "Coffee?", 1)])

    def records(*texts, same="1"):
        return [Answer("2026-01-01T00:00:00.000Z", "Ada", *texts, same)]

    assert replay(records("Tea?", "Cafe\u0301?"), pairs).pairs["label"].tolist() == [1, 1]
    other = records("TEA", "café")
    assert replay(other, pairs).decisions["why"].tolist() == ["'TEA', 'café'"]
    graph = pg.ParaphraseGraph.from_pairs(pairs, "normal")
    assert replay(other, graph).pairs["label"].tolist() == [1, 1]
    assert replay(records("Tea?", "tea"), graph).decisions["outcome"].tolist() == ["not in these data"]
    pairs = reference.table([("a", "b", 1), ("b", "c", 1), ("a", "c", 0)], id_a=["1", "2", "1"], id_b=["2", "3", "3"])
    found = replay(answered("ac 0, bc later"), pg.ParaphraseGraph.from_pairs(pairs, "id"))
    assert found.graph.identity == "id" and found.kept.tolist() == [False, False, True]
    # of two sentences with one text, the one whose label was meant is marked
    pairs = reference.table([("a", "b", 1), ("a", "y", 0)], id_a=["1", "9"], id_b=["2", "8"])
    graph_of_ids = pg.ParaphraseGraph.from_pairs(pairs, "id")
    [row] = Answers(answered("ay=0 1"), graph_of_ids).rows
    assert row.edge == 1 and row.ends == (2, 3) and row.fits
    # two words on one pair, in spellings that only this identity takes for one
    both = [*other, Answer("2026-01-01T00:00:00.001Z", "Ada", "tea", "Café?", "?")]
    assert replay(both, graph).pairs["text_a"].tolist() == ["tea"]


def test_what_replay_refuses(log, memory):
    log.add("a", "b", 1)
    codes = pg.ParaphraseGraph(np.array([0]), np.array([1]), np.array([-1], dtype=np.int8), 2)
    for words, options, said in (
        ((log, table("a-b")), {"cut": "burn"}, "cut 'burn' is not one of 'drop', 'negative'"),
        ((table("a-b"), log), {}, r"replay takes a log, then a table or a graph, not .*: replay\(log, pairs\)"),
        ((pg.ParaphraseGraph.from_pairs(table("a-b")), log.path), {}, "replay takes a log, then a table"),
        ((log, "x.tsv"), {}, r"replay takes a log, then a table or a graph, not .x.tsv."),
        (({}, table("a-b")), {}, "a log is a DecisionLog or the path of one, not a dict"),
        ((memory / "other.db", table("a-b")), {}, "there is no log"),
        ((log, codes), {}, "made from codes"),
        ((log, table("a-b")[["text_a", "text_b"]]), {}, "a pair table needs the columns"),
    ):
        refused(said, replay, *words, **options)
    assert shown(replay(log, table("")).pairs) == ""


def test_what_is_printed_counts_pairs_and_answers():
    rows = "a+b b+c a-c d+e e+f d-f g+h h+i g-i"
    log = "ac 1, Ben ca 1, df 0, de 0 for df, Ben df 1, gi ?, Ben xy=0 1, Ben hi 1, gh later"
    found = replay(answered(log), table(rows))
    lines = str(found).splitlines()
    assert [*(line[:34] for line in lines[:-1]), lines[-1]] == [
        "                    pairs  answers",
        "becomes 1               1        2",
        "dropped                 1        1",
        "stays                   1        1",
        "disputed                2        3",
        "not in these data       1        1",
        "later                   1        1",
        "rows kept: 9 → 8, labelled pairs: 9 → 8, clusters: 3 → 3, conflicts: 3 → 1",
    ]
    assert len(found.outcome(*APPLIED)) == 3
