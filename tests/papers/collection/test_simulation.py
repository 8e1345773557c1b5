"""Simulated collection: who is asked what, by which labels, and what it is worth on sentences nobody asked about."""

from itertools import product

import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.collection.simulation import KNOWN, PARTS, sizes
from paragraph.papers.collection.worlds import World

from ...refused import refused

OPTIONS = {"first": 20, "rounds": 3, "neighbours": 10, "seeds": 1, "epochs": 2, "progress": False}


@pytest.fixture(scope="module")
def parts():
    pairs = pg.split(pg.read_pairs(pg.DEMO)[:500], {"train": 0.5, "dev": 0.25, "test": 0.25}, by="clusters")
    return {name: pairs[(pairs["split"] == name).fillna(False)] for name in PARTS}


@pytest.fixture(scope="module")
def run(parts):
    return pg.simulate(parts, KNOWN, **OPTIONS)


def keys(table):
    return [frozenset(pair) for pair in zip(table["text_a"], table["text_b"], strict=True)]


def of(run, strategy):
    return tuple(table[table["strategy"] == strategy] for table in (run.table, run.asked))


@pytest.mark.slow
def test_the_table_counts_what_was_asked(run):
    names = ["strategy", "seed", "round", "asked", "positives", "ap_dev", "ap_test", "p20_test"]
    assert [*run.table] == names
    for strategy in KNOWN:
        table, asked = of(run, strategy)
        each = asked.groupby("round")["label"].agg(["size", "sum"]).cumsum()
        assert table["asked"].tolist() == each["size"].tolist()
        assert table["positives"].tolist() == each["sum"].tolist()
        if strategy in ("random", "static", "adaptive", "uncertainty", "stratified"):
            assert table["asked"].diff().fillna(table["asked"]).tolist() == sizes(20, 3)
        assert len(set(keys(asked))) == len(asked)  # nothing is asked twice


def test_answers_are_those_of_the_closure(run, parts):
    graph = pg.ParaphraseGraph.from_pairs(parts["train"])
    cluster = {text: int(graph.cluster_of[node]) for node, text in enumerate(graph.texts(range(graph.n)))}
    for row in run.asked.itertuples():
        assert row.label == (cluster[row.text_a] == cluster[row.text_b])


def test_strategies_that_know_the_labels(run, parts):
    world = World(pg.ParaphraseGraph.from_pairs(parts["train"]))
    positives, (stated, every) = len(world.positives), (of(run, name)[1] for name in ("stated", "stratified-all"))
    assert stated["label"].sum() == positives and len(stated) == positives + len(world.negatives)
    assert every["label"].sum() == positives and len(every) == 2 * positives
    assert of(run, "stratified")[0]["positives"].tolist() == of(run, "uncertainty")[0]["positives"].tolist()


def test_the_last_score_is_that_of_all_pairs(run, parts):
    graph = pg.ParaphraseGraph.from_pairs(parts["test"])
    for (strategy, seed), score in run.scores.items():
        last = of(run, strategy)[0].iloc[-1]
        assert (score.ap, score.p_r20) == (pytest.approx(last["ap_test"]), pytest.approx(last["p20_test"]))
        assert score.world.graph.n == graph.n and seed == 0


@pytest.mark.long
def test_labels_of_dev_and_test_change_nothing_that_is_asked(run, parts):
    turned = {name: part if name == "train" else part.assign(label=1 - part["label"]) for name, part in parts.items()}
    again = pg.simulate(turned, KNOWN, **OPTIONS)
    pd.testing.assert_frame_equal(again.asked, run.asked)
    assert not again.table["ap_test"].equals(run.table["ap_test"])


def test_on_two_sides_nothing_follows_and_the_right_side_is_one_pool():
    words, parts = ("tea", "milk", "bread", "rice"), {}
    answers = {name: [f"{name} answer {word}" for word in words] for name in PARTS}
    for name, said in answers.items():
        questions = [f"{name} question {word}" for word in words]
        rows = [(q, a, int(q[-3:] == a[-3:])) for q, a in product(questions, said)]
        rows += [(questions[0], said[1], 1), (questions[1], said[1], 1)]  # a chain, which joins nothing
        parts[name] = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
        parts[name].attrs["bipartite"] = True
    found = pg.simulate(parts, ["uncertainty", "stratified-all"], **OPTIONS)
    pool = {text for said in answers.values() for text in said}
    assert set(found.asked["text_b"]) <= pool and all("train question" in text for text in found.asked["text_a"])
    stated = {*keys(parts["train"][parts["train"]["label"] == 1])}
    assert all((key in stated) == label for key, label in zip(keys(found.asked), found.asked["label"], strict=True))
    assert {score.world.size for score in found.scores.values()} == {4 * 12}
    assert len(of(found, "stratified-all")[1]) == min(48, sum(sizes(20, 3)))


def test_errors_say_what_is_wrong_and_parts_have_to_be_apart_and_all_there(parts):
    for options, message in [
        ({"strategies": ["best"]}, "strategy 'best' is not one of random, static"),
        ({"strategies": ["stratified"]}, "name that too"),
        ({"rounds": 0}, "rounds 0 is not a whole number of 1 or more"),
    ]:
        refused(message, pg.simulate, parts, **OPTIONS | options)
    overlapping = parts | {"test": pd.concat([parts["test"], parts["train"][:1]])}
    for wrong, message in (
        ({"train": parts["train"], "test": parts["test"]}, "missing: dev"),
        (overlapping, "is in train and in test"),
        (parts | {"dev": parts["dev"].assign(label=0)}, "no pair of dev is positive"),
        (parts["train"].drop(columns="split"), "column split"),
    ):
        refused(message, pg.simulate, wrong, **OPTIONS)
