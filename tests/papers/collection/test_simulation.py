"""Simulated collection: who is asked what, by which labels, and what it is worth on sentences nobody asked about."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.collection.learner import STRATEGIES
from paragraph.papers.collection.simulation import PARTS, sizes

from ...refused import refused

OPTIONS = {"first": 20, "rounds": 3, "neighbours": 10, "seeds": 1, "epochs": 2, "progress": False}


@pytest.fixture(scope="module")
def parts():
    pairs = pg.split(pg.read_pairs(pg.DEMO)[:500], {"train": 0.5, "dev": 0.25, "test": 0.25}, by="clusters")
    return {name: pairs[(pairs["split"] == name).fillna(False)] for name in PARTS}


@pytest.fixture(scope="module")
def run(parts):
    return pg.simulate(parts, list(STRATEGIES), **OPTIONS)


def keys(table):
    return [frozenset(pair) for pair in zip(table["text_a"], table["text_b"], strict=True)]


def of(run, strategy):
    return tuple(table[table["strategy"] == strategy] for table in (run.table, run.asked))


@pytest.mark.slow
def test_the_table_counts_what_was_asked(run):
    names = ["strategy", "seed", "round", "asked", "positives", "ap_dev", "ap_test", "p20_test"]
    assert [*run.table] == names
    for strategy in STRATEGIES:
        table, asked = of(run, strategy)
        each = asked.groupby("round")["label"].agg(["size", "sum"]).cumsum()
        assert table["asked"].tolist() == each["size"].tolist()
        assert table["positives"].tolist() == each["sum"].tolist()
        assert table["asked"].diff().fillna(table["asked"]).tolist() == sizes(20, 3)
        assert len(set(keys(asked))) == len(asked)  # nothing is asked twice


def test_answers_are_those_of_the_closure(run, parts):
    graph = pg.ParaphraseGraph.from_pairs(parts["train"])
    cluster = {text: int(graph.cluster_of[node]) for node, text in enumerate(graph.texts(range(graph.n)))}
    for row in run.asked.itertuples():
        assert row.label == (cluster[row.text_a] == cluster[row.text_b])


def test_the_last_score_is_that_of_all_pairs(run, parts):
    graph = pg.ParaphraseGraph.from_pairs(parts["test"])
    for (strategy, seed), score in run.scores.items():
        last = of(run, strategy)[0].iloc[-1]
        assert (score.ap, score.p_r20) == (pytest.approx(last["ap_test"]), pytest.approx(last["p20_test"]))
        assert score.world.graph.n == graph.n and seed == 0


@pytest.mark.long
def test_labels_of_dev_and_test_change_nothing_that_is_asked(run, parts):
    turned = {name: part if name == "train" else part.assign(label=1 - part["label"]) for name, part in parts.items()}
    again = pg.simulate(turned, list(STRATEGIES), **OPTIONS)
    pd.testing.assert_frame_equal(again.asked, run.asked)
    assert not again.table["ap_test"].equals(run.table["ap_test"])


def test_errors_say_what_is_wrong_and_parts_have_to_be_apart_and_all_there(parts):
    for options, message in [
        ({"strategies": ["best"]}, "strategy 'best' is not one of random, static"),
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
