"""What a learner asks, and what it makes of the answers."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.collection.bag import BagOfWords
from paragraph.papers.collection.learner import STRATEGIES, Learner

from ...refused import refused

TEXTS = pg.read_pairs(pg.DEMO)["text_a"].drop_duplicates().tolist()[:40]


def learner(texts=TEXTS, **options):
    return Learner(texts, **{"progress": False} | options)


def keys(batch):
    return {frozenset(pair) for pair in zip(batch["text_a"], batch["text_b"], strict=True)}


def answers(batch):
    """Some answer or other, by the texts alone."""
    return [int(len(a + b) % 3 == 0) for a, b in zip(batch["text_a"], batch["text_b"], strict=True)]


def answered(batch):
    return batch.assign(label=answers(batch))


def taught(**options):
    found = learner(**options)
    batch = found.query(60, "static")
    found.teach(answered(batch))
    return found


@pytest.fixture(scope="module")
def model():
    return taught()


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_batches_hold_each_pair_once_and_none_that_is_known(model, strategy):
    first = model.query(50, strategy)
    assert len(first) == len(keys(first)) == 50
    assert all(len(key) == 2 for key in keys(first))  # no sentence with itself
    assert not keys(first) & keys(model.known)
    pd.testing.assert_frame_equal(first, model.query(50, strategy))


def test_strategies_are_what_they_say(model):
    vectors = dict(zip(model.texts, model.model.vectors(model.texts), strict=True))
    first = dict(zip(model.texts, BagOfWords.of(sorted(model.texts))(model.texts), strict=True))

    def cosine(pair, of):
        a, b = (of[text] / np.linalg.norm(of[text]) for text in pair)
        return float(a @ b)

    rest = [tuple(sorted(key)) for key in keys(model.query(10**6))]
    now, then = ({pair: cosine(pair, of) for pair in rest} for of in (vectors, first))
    logit = {pair: float(model.model.logits(np.array([value]))[0]) for pair, value in now.items()}
    by = {"static": lambda p: -then[p], "adaptive": lambda p: -now[p], "uncertainty": lambda p: abs(logit[p])}
    for strategy, key in by.items():
        batch = model.query(20, strategy)
        worst = sorted(map(key, rest))[19]
        assert all(key(tuple(sorted(pair))) <= worst + 1e-6 for pair in keys(batch)), strategy
        chosen = [tuple(sorted(pair)) for pair in zip(batch["text_a"], batch["text_b"], strict=True)]
        likeness = [now[pair] for pair in chosen]
        assert (np.diff(likeness) <= 1e-6).all()  # in order of similarity
        assert np.allclose(batch["p"], [1 / (1 + np.exp(-logit[pair])) for pair in chosen], atol=1e-5)


@pytest.mark.slow
def test_random_pairs_are_uniform():
    found, counts, expected = learner(["ab", "cd", "ef", "gh", "ij"]), Counter(), 300 / 10
    for found.seed in range(150):
        counts.update(keys(found.query(2, "random")))
    assert len(counts) == 10 and sum((n - expected) ** 2 / expected for n in counts.values()) < 27.9  # p = .001


@pytest.mark.long
def test_no_label_of_the_graph_is_looked_at():
    pairs = pg.read_pairs(pg.DEMO)[:200]
    turned = pairs.assign(label=1 - pairs["label"])
    one, other = (learner(pg.ParaphraseGraph.from_pairs(table)) for table in (pairs, turned))
    for strategy in ("static", "uncertainty", "adaptive", "random"):
        batch = one.query(30, strategy)
        pd.testing.assert_frame_equal(batch, other.query(30, strategy))
        one.teach(answered(batch))
        other.teach(answered(batch))


def test_a_trained_model_is_taken(model):
    later = learner(encoder=model.model)
    assert np.array_equal(later.model.vectors(TEXTS), model.model.vectors(TEXTS))
    batch = later.query(60)
    assert batch["p"].notna().all()
    later.teach(answered(batch))


def test_errors_say_what_is_wrong():
    refused("sentence 1 is not text but NoneType", Learner, ["a", None])
    refused("make no pair", Learner, ["a b", "a b"])
    refused("neighbours 0 is not a whole number of 1 or more", learner, neighbours=0)
    model = learner()
    refused("strategy 'best' is not one of random, static", model.query, 5, "best")
    two = model.query(2)
    refused("label 'yes' is not one of 0, 1", model.teach, two.assign(label=["yes", 1]))
    refused("have no label", model.teach, two.assign(label=[1, None]))


def test_every_round_begins_anew_and_takes_the_answers_of_a_review():
    model = taught()
    batch = model.query(40)
    model.teach(answered(batch))
    assert model.round == 2 and len(model.known) == 100
    at_once = learner()
    at_once.teach(model.known)
    assert np.array_equal(at_once.model.vectors(TEXTS), model.model.vectors(TEXTS))
    pd.testing.assert_frame_equal(at_once.query(30), model.query(30))
    judged = batch[["text_a", "text_b"]].assign(same=pd.array([1 - label for label in answers(batch)], dtype="Int8"))
    judged.loc[10:, "same"] = pd.NA  # nobody can say
    model.teach(judged.tail(30))
    assert model.round == 2
    model.teach(judged)
    assert model.round == 3 and len(model.known) == 100
    known = {frozenset(pair): label for *pair, label in model.known.values.tolist()}
    assert [known[frozenset(pair)] for pair in batch[["text_a", "text_b"]].values.tolist()] == [
        *(1 - label for label in answers(batch)[:10]),
        *answers(batch)[10:],
    ]
