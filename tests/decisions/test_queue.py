"""The queue of conflicts: its order, its states, which are what an application brings about, and its work."""

import random
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import paragraph as pg
from paragraph.decisions.answers import Answers
from paragraph.decisions.conflict_queue import ConflictQueue, effects
from paragraph.decisions.replay import replay
from paragraph.doubts.what_if import Changes, Decided

from .. import reference
from ..facts import facts
from ..growth import LINEAR, exponent
from ..widgets.graphs import ROWS, numbered
from .test_replay import answered

#: What is so, the rows, the answers, and the state of each item.
STATES = [
    ("a flip between two clusters joins them", "a+b c+d c+b b-c d+a a-d", "bc=0 1, ad=0 0", "bc flip, ad open"),
    ("without it they are apart", "a+b c+d c+b b-c d+a a-d", "bc=0 ?, ad=0 0", "bc ambiguous, ad cut"),
    ("a flip that is taken back", "a+b c+d c+b b-c d+a a-d", "bc=0 1, ad=0 0, bc=0 0", "bc cut, ad cut"),
    ("two flips lead round a cut", "a+b a-b x+y a+x x-a b+y b-y y-b", "ab 0, ax=0 1, by=0 1, ab 0",
     "ab open, ax flip, by flip"),
    ("every line of the way is right", "a+b c+d c+b b-c d+a a-d", "bc=0 1, ad=0 0, ab 1, cd 1", "bc flip, ad keep"),
    ("a file of self-contradictions alone", "a-a b-b c?d", "aa=0 1, cd 1, az 0", "a flip, b open"),
    ("flips lead round a cut through another cluster", "a+b b+c a-c x+y a-x y-c",
     "ac 0, ab 0 for ac, ax=0 1, yc=0 1", "ac open"),
]  # fmt: skip


@facts("rows, said, told", STATES)
def test_states(rows, said, told):
    graph = pg.ParaphraseGraph.from_pairs(reference.table(rows))
    queue = ConflictQueue(graph, Answers(answered(said), graph))
    found = {"".join(sorted({*queue.pair[item]})): queue.state(item) for item in queue.items}
    assert sorted(f"{pair} {state}" for pair, state in found.items()) == sorted(told.split(", "))
    assert queue.progress()["open"] == [*found.values()].count("open")
    for item in queue.items:
        assert queue.description(item, long=True) and queue.path(item)[:1] in ([], [queue.ends[item][0]])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_random_states_are_what_an_application_brings_about(part):
    said = 0
    for seed in range(part * 60, part * 60 + 60):
        rng = random.Random(seed)
        pairs = reference.table([(*rng.choices("abcdefg", k=2), rng.choice([1, 1, 0])) for _ in range(12)])
        graph = pg.ParaphraseGraph.from_pairs(pairs)
        items = [*ConflictQueue(graph).pair.values()]
        words = []
        for edge in rng.choices(range(len(graph.edge_a)), k=6):
            about = " for " + "".join(rng.choice(items)) if items and rng.random() < 0.5 else ""
            words.append("".join(graph.texts(graph.ends(edge))) + f" {rng.choice('110?')}{about}")
        records = answered(", ".join(words))
        queue = ConflictQueue(graph, Answers(records, graph))
        after = replay(records, graph).graph
        for item, (a, b) in queue.pair.items():
            known = a in after and b in after and a != b
            edge = after.edge_between(after.node(a), after.node(b)) if known else -1
            conflict, state = edge >= 0 and bool(after.conflicting[edge]), queue.state(item)
            if state not in ("open", "skip") or item in queue.rows:
                assert conflict == (state in ("open", "keep")), (seed, a, b, state)
                said += 1
    assert said > 60


def by_definition(graph, edge):
    """The mean over the labels of its cycle: one label by a flip, all positives that go with a cut."""
    decided, a, b = Decided(graph), int(graph.edge_a[edge]), int(graph.edge_b[edge])
    cluster, path = int(graph.cluster_of[a]), decided.path(a, b)
    before, gone = decided.outcome(cluster).positive, [1]
    for step in pairwise(path):
        after = decided.outcome(cluster, Changes(gone=frozenset([graph.edge_between(*step)])))
        gone.append(1 + before - after.positive if len(after.parts) > 1 else 0)
    return np.mean(gone)


@pytest.mark.slow
@settings(max_examples=50)
@given(ROWS)
def test_effects_are_those_of_the_definition(rows):
    graph = numbered(rows)
    within = np.flatnonzero(graph.negatives_inside)
    assert effects(graph) == pytest.approx([by_definition(graph, edge) for edge in within])


@pytest.mark.long
def test_answers_in_one_star_are_read_in_linear_time(memory):
    sizes, work = (500, 8000), {}
    for n in sizes:
        rows = [("hub", f"leaf {i}", 1) for i in range(n + 1)] + [(f"leaf {i}", f"leaf {i + 1}", 0) for i in range(n)]
        graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
        log = pg.DecisionLog(memory / f"{n}.db", "Ada")
        about = [{"about": [(f"leaf {i}", f"leaf {i + 1}")], "same": 0} for i in range(0, n, 2)]
        cuts = [{"text_a": "hub", "text_b": one["about"][0][0], "stated": 1} | one for one in about]
        pairs = [dict(zip(("text_a", "text_b"), one["about"][0], strict=True)) | one for one in about]
        work[n] = ConflictQueue(graph), log.give(pairs + cuts)

    def read(n):
        queue, answers = work[n]
        queue.read(Answers(answers, queue.graph))
        states = queue.progress()
        assert states["decided"] == n // 2 and states["open"] <= 1
        queue.read(Answers((), queue.graph))
        assert queue.progress()["open"] == n

    assert exponent(read, *sizes) < LINEAR
