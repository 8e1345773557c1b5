"""Average precision on all pairs, against their definition; judged false positives."""

import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

import paragraph as pg
from paragraph.papers.collection import ranking as counting
from paragraph.papers.collection.all_pairs import all_pairs
from paragraph.papers.collection.worlds import World
from paragraph.papers.experiments.resampling import interval
from paragraph.papers.experiments.scoring import steps

from ...refused import refused
from .worlds import all_pairs_of, cosine_of, graph_of

sentence = st.integers(0, 9)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, None])), min_size=1, max_size=20)


def pairs_of(world, ranks):
    return [frozenset(pair) for pair in zip(*map(world.graph.texts, world.ends(ranks)), strict=True)]


@pytest.fixture
def in_cells(monkeypatch):
    """A world of 80,000 pairs counts as large: its pairs are counted, not listed."""
    monkeypatch.setattr(counting, "HIGHEST", 400)
    monkeypatch.setattr(counting, "RANDOM", 400)
    monkeypatch.setattr("paragraph.papers.collection.worlds.TILE", (50, 130))


def blobs(n):
    """n sentences in clusters of one to four, with vectors that know them in part."""
    rng = np.random.default_rng(5)
    cluster = np.sort(rng.integers(0, 9 * n // 20, n))
    rows = [(i, i, 0) for i in range(n)]  # each is named
    rows += [(i, i + 1, int(cluster[i] == cluster[i + 1])) for i in range(n - 1)]
    vectors = rng.standard_normal((n, 24)) + rng.standard_normal((9 * n // 20, 24))[cluster]
    return graph_of(rows), vectors


@pytest.fixture(scope="module")
def clustered():
    return blobs(400)


@settings(max_examples=30)
@given(some_rows)
def test_a_world_holds_each_unordered_pair_once(rows):
    graph = graph_of(rows)
    world, expected = World(graph), all_pairs_of(graph)
    pairs = pairs_of(world, ranks := np.arange(world.size))
    assert len(pairs) == len(expected) and set(pairs) == set(expected)
    assert {pairs[rank] for rank in world.positives} == {pair for pair in expected if expected[pair]}
    a, b = world.ends(ranks)
    assert world.ranks(a, b).tolist() == world.ranks(b, a).tolist() == ranks.tolist()
    assert (world.ranks(np.arange(world.graph.n), np.arange(world.graph.n)) == -1).all()


@settings(max_examples=15)
@given(some_rows, st.integers(0, 9))
def test_vectors_against_every_pair(rows, seed):
    graph = graph_of([*rows, (0, 1, 1)])
    texts = graph.sentences.to_pylist()
    # Few different directions, so that vectors repeat, and some are zero.
    vectors = np.random.default_rng(seed).integers(-1, 2, (len(texts), 3)) * 1.7
    cosine, expected = cosine_of(texts, vectors), all_pairs_of(graph)
    found = all_pairs(graph, vectors=vectors)
    table = pd.DataFrame([(*sorted(pair), cosine(pair)) for pair in expected], columns=["text_a", "text_b", "score"])
    assert found.ap == pytest.approx(average_precision_score([*expected.values()], table["score"]), abs=1e-12)
    of = table.set_index(["text_a", "text_b"])["score"]
    asked = all_pairs(graph, scores=lambda pairs: of.loc[[*map(tuple, np.sort(pairs.to_numpy(str)))]])
    assert asked.ap == pytest.approx(found.ap, abs=1e-12)


@pytest.mark.slow
def test_cells_agree_with_the_list_of_all_pairs(clustered, in_cells):
    graph, vectors = clustered
    found = all_pairs(graph, vectors=vectors)
    cosine = cosine_of(graph.sentences.to_pylist(), vectors)
    scored = [(cosine(pair), positive, 1) for pair, positive in all_pairs_of(graph).items()]
    expected = steps(*(np.array(column) for column in list(zip(*scored, strict=True))[:2]))
    assert found.ap == pytest.approx(expected.average_precision(), abs=2e-4)
    assert found.sample["positive"].sum() == expected.hits.sum() and not found.sample["rank"].duplicated().any()
    assert found.sample["weight"].sum() == pytest.approx(len(scored)) and not found.sample["near"].all()
    hits, pairs = np.cumsum(expected.hits), np.cumsum(expected.pairs)
    fifth = np.argmax(hits >= 0.2 * hits[-1])
    assert found.threshold == pytest.approx(expected.score[fifth]) and found.p_r20 == hits[fifth] / pairs[fifth]


@pytest.mark.slow
def test_the_order_of_sentences_changes_nothing_and_equal_vectors_tie(in_cells):
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(100), 4)
    vectors = rng.standard_normal((60, 16))[rng.integers(0, 60, 400)]  # six or seven sentences share each
    vectors[::2] += (rng.standard_normal((100, 16))[cluster])[::2]
    found = []
    for order in (np.arange(400), rng.permutation(400), rng.permutation(400)):
        of, rows = cluster[order], [(i, i, 0) for i in range(400)]
        rows += [(i, j, 1) for c in range(100) for i, j in pairwise(np.flatnonzero(of == c))]
        found.append(all_pairs(graph_of(rows), vectors=vectors[order]).ap)
    assert found == pytest.approx([found[0]] * 3, abs=1e-6)


@settings(max_examples=20)
@given(some_rows, st.integers(0, 12), st.integers(1, 60), st.integers(0, 9))
def test_near_and_random_pairs_are_distinct_and_stand_for_all(rows, k, count, seed):
    graph = graph_of([*rows, (0, 1, 1)])
    world = World(graph)
    vectors = np.random.default_rng(seed).standard_normal((world.graph.n, 3))
    found = all_pairs(graph, vectors=vectors, near=k, random=count, seed=seed).sample
    assert not found["rank"].duplicated().any() and found["rank"].between(0, world.size - 1).all()
    assert found.loc[found["positive"], "rank"].tolist() == world.positives.tolist()
    assert (found.loc[found["positive"] | found["near"], "weight"] == 1).all()
    near = found["near"].sum()
    assert len(found) - near == min(count, world.size - near) and found["weight"].sum() == pytest.approx(world.size)
    texts, pairs, near = graph.sentences.to_pylist(), all_pairs_of(graph), set()
    cosine = cosine_of(texts, vectors)
    for text in texts:
        near.update(sorted((pair for pair in pairs if text in pair), key=cosine, reverse=True)[:k])
    near.update(pair for pair in pairs if pairs[pair])
    assert set(pairs_of(world, found.loc[found["near"], "rank"].to_numpy())) == near


def by_hand(score, positive, weight, ends, units, draws, seed):
    """The same draws of weights, each average precision by scikit-learn."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(draws):
        times = rng.poisson(1, units)
        often = [w * times[a] * (times[b] if a != b else 1) for w, a, b in zip(weight, *ends, strict=True)]
        if np.dot(often, positive):
            found.append(average_precision_score(positive, score, sample_weight=often))
    return np.percentile(found, [2.5, 97.5])


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(0, 3), st.integers(0, 3)), max_size=15))
def test_the_interval_is_that_of_weighted_pairs(rows):
    rows.append((3, True, 0, 0))
    score, positive, a, b = (np.array(column) for column in zip(*rows, strict=True))
    weight = np.where(positive, 1.0, 1 + score)
    found = interval(score.astype(float), positive, weight, (a, b), seed=1, draws=20)
    assert found == pytest.approx(by_hand(score, positive, weight, (a, b), max(a.max(), b.max()) + 1, 20, 1))


GRAPH = graph_of([(0, 1, 1), (1, 2, 0)])
SCORES = pd.DataFrame({"text_a": ["s0", "s0", "s2"], "text_b": ["s1", "s2", "s1"], "score": [0.9, 0.1, 0.2]})


@pytest.mark.parametrize("options, message", [
    ({}, "give vectors or scores"),
    ({"vectors": np.eye(3), "random": 0}, "random 0 is not a whole number of 1 or more"),
    ({"vectors": [[1, 0], [1]]}, "vectors are no array"),
    ({"vectors": np.zeros((2, 3))}, r"\(3 sentences, d\)"),
    ({"vectors": np.array([[1.0], [np.inf], [1]])}, "vector of sentence 1 is not finite"),
    ({"scores": lambda pairs: [0.5]}, r"one number per pair, \(3,\); these are \(1,\)"),
    ({"scores": lambda pairs: ["x"] * 3}, "a score is not a number"),
    ({"scores": lambda pairs: [np.nan] * len(pairs)}, "the score of 's0' with 's1' is not a number"),
    ({"scores": lambda pairs: [0.0] * len(pairs), "random": 5}, "what is near"),
    ({"scores": SCORES}, "scores are a function of a table of pairs"),
])  # fmt: skip
def test_what_does_not_fit_is_named(options, message):
    refused(message, all_pairs, GRAPH, **options)


def test_what_cannot_be_scored_is_refused(monkeypatch):
    refused("no pair of these sentences is positive", all_pairs, graph_of([(0, 1, 0)]), vectors=np.zeros((2, 2)))
    two_sided = graph_of([(0, 1, 1)], bipartite=True)
    refused("the two sides of these pairs are different things", all_pairs, two_sided, vectors=np.zeros((2, 2)))
    monkeypatch.setattr(sys.modules[all_pairs.__module__], "MOST", 2)
    refused("one by one would take too long", all_pairs, GRAPH, scores=lambda pairs: [1.0] * len(pairs))


@pytest.fixture(scope="module")
def estimate():
    """An estimate with false positives in both strata: a third of the positives lie far from each other."""
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(150), 2)
    vectors = rng.standard_normal((300, 6)) + 1.2 * rng.standard_normal((150, 6))[cluster]
    rows = [(i, i + 1, int(cluster[i] == cluster[i + 1])) for i in range(299)]
    return all_pairs(graph_of(rows), vectors=vectors, near=2, random=20_000)


def judged(estimate, same):
    """Judgements by a function of the stratum's name and the place in it."""
    table = estimate.false_positives(40, seed=1)
    place = table.groupby("stratum").cumcount()
    return table.assign(same=[same(name, i) for name, i in zip(table["stratum"], place, strict=True)])


def test_false_positives_of_each_stratum_are_drawn(estimate):
    table = estimate.false_positives(40)
    assert list(table) == ["text_a", "text_b", "label", "stratum", "score", "same"]
    assert table["stratum"].value_counts().to_dict() == {"near": 40, "random": 40}
    assert (table["score"] >= estimate.threshold).all() and table["same"].isna().all() and (table["label"] == 0).all()
    world = estimate.world
    ranks = world.ranks(world.nodes(table["text_a"]), world.nodes(table["text_b"]))
    assert not np.isin(ranks, world.positives).any() and len(set(ranks)) == 80
    pd.testing.assert_frame_equal(table, estimate.false_positives(40))
    assert not table.equals(estimate.false_positives(40, seed=1)) and len(estimate.false_positives(0)) == 0
    wrong = ~estimate.sample["positive"] & (estimate.sample["score"] >= estimate.threshold)
    assert len(estimate.false_positives(10**6)) == wrong.sum()


def test_precision_by_arithmetic(estimate):
    table = judged(estimate, lambda name, i: int(i < 10) if name == "near" else 0)
    strata, precision = estimate.corrected(table)
    sample = estimate.sample[estimate.sample["score"] >= estimate.threshold]
    true, false = sample["positive"].sum(), sample[~sample["positive"]]
    near, far = (false.loc[false["near"] == which, "weight"].sum() for which in (True, False))
    assert estimate.p_r20 == pytest.approx(true / (true + near + far))
    assert strata[["answered", "mislabelled", "share"]].to_numpy().tolist() == [[40, 10, 0.75], [40, 0, 1]]
    assert strata["false_positives"].tolist() == pytest.approx([near, far])
    value = precision["value"].to_dict()
    assert value["removed"] == pytest.approx(true / (true + 0.75 * near + far))
    assert value["counted"] == pytest.approx((true + 0.25 * near) / (true + near + far))
    assert (precision["low"] <= precision["value"]).all() and (precision["value"] <= precision["high"]).all()
    turned = table.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    pd.testing.assert_frame_equal(estimate.corrected(turned).precision, precision)


def test_what_is_not_judged_is_not_known(estimate):
    strata, precision = estimate.corrected(judged(estimate, lambda name, i: 1 if name == "near" and i < 3 else None))
    assert strata["answered"].tolist() == [3, 0] and precision.loc["removed"].isna().all()
    assert precision.loc["imputed", "value"] == estimate.p_r20


def test_judgements_that_do_not_fit_are_named(estimate):
    table = judged(estimate, lambda *_: 0)
    positive = estimate.world.table(estimate.world.positives[:1]).assign(same=1)
    refused("row 81: this pair is no false positive", estimate.corrected, pd.concat([table, positive]))
    refused("row 81: this pair is answered twice", estimate.corrected, pd.concat([table, table[:1]]))
    refused("row 1: this pair is no false positive", estimate.corrected, table.assign(text_a="none"))
    refused("row 1: same 'yes' is not 1, 0 or empty", estimate.corrected, table.assign(same="yes"))


def test_false_positives_can_be_reviewed_by_keys(estimate, tmp_path):
    table = estimate.false_positives(5)
    review = pg.PairReview(table, estimate.world.graph, tmp_path / "log.db", reviewer="Ada")
    for decision in ["flip", "keep"] * 5:
        review.decide(decision)
    review.decision_log.add("another", "pair", 0, stated=0, reviewer="Ada")  # the log serves more than this
    for judged in (review, review.decision_log):
        strata, _ = estimate.corrected(judged)
        assert strata["answered"].sum() == 10 and strata["mislabelled"].sum() == 5


def test_exact_scores_have_one_stratum_and_a_picture(estimate):
    exact = all_pairs(estimate.world.graph, vectors=np.random.default_rng(1).standard_normal((300, 6)))
    assert set(exact.false_positives(20)["stratum"]) == {"near"}
    (axes,) = exact.figure().axes
    assert axes.get_title(loc="left") == "1 in 299 of 44,850 pairs positive" and len(axes.lines) == 2
    balanced = exact.balanced()
    label, score = exact.stated()
    assert balanced["n"] == 299 and balanced["accuracy"] == np.mean((score >= 0.5) == label)
