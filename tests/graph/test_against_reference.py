"""On random small signed multigraphs, the package says what the brute-force reference says."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.graph import arrays, stated
from paragraph.graph import paths as lengths
from paragraph.graph.arrays import draw_ranks

from .. import reference
from ..reference import pair, table

NAMES = ["tea", 'the "tea"', "tea\tleaf", "<b>tea</b>", "お茶", "Tea", "te", "a, b", "'tea'"]
RULES = ["all", "clusters"]
CONVENTIONS = ["rounds", "hops"]

pytestmark = pytest.mark.slow

few = settings(max_examples=40)


@dataclass(frozen=True)
class World:
    """One random graph twice: as the package sees it, and numbered for the reference."""

    texts: list  # rows (text, text, label)

    @cached_property
    def graph(self):
        return pg.ParaphraseGraph.from_pairs(table(self.texts))

    @cached_property
    def rows(self):
        return reference.number(self.texts)

    @cached_property
    def name(self):
        """The sentences in file order."""
        return list(reference.first_spellings(self.texts))

    @property
    def n(self):
        return len(self.name)

    @cached_property
    def labels(self):
        return reference.stated(self.rows)

    @cached_property
    def home(self):
        return reference.members_of(self.n, self.labels)

    def counts(self, found):
        labels = [label for label, _ in found.values()]
        return {"positive": labels.count(1), "negative": labels.count(0)}

    def numbers(self, texts):
        return [self.name.index(text) for text in texts]

    def as_dict(self, frame, *columns):
        """A dictionary pair -> values of the columns, for a frame that holds no pair twice."""
        keys = list(map(pair, self.numbers(frame["text_a"]), self.numbers(frame["text_b"])))
        assert len(set(keys)) == len(keys) and all(i != j for i, j in keys)
        return dict(zip(keys, frame[list(columns)].itertuples(index=False, name=None), strict=True))


@st.composite
def worlds(draw):
    """Up to four positive chains, for distances worth the name, and rows at random; shuffled."""
    size = draw(st.integers(2, len(NAMES)))
    cuts = [0, *sorted(draw(st.lists(st.integers(1, size), max_size=3, unique=True))), size]
    chains = [(*ends, 1) for cut in pairwise(cuts) for ends in pairwise(NAMES[slice(*cut)])]
    sentence, label = st.sampled_from(NAMES[:size]), st.sampled_from([0, 0, 0, 0, 1, None])
    others = draw(st.lists(st.tuples(sentence, sentence, label), min_size=draw(st.integers(0, 4)), max_size=10))
    rows = draw(st.permutations(chains + others))
    return World(rows)


@few
@given(worlds(), st.sampled_from(RULES))
def test_the_closed_formula_counts_rounds(world, rule):
    by_formula = reference.inferred(world.n, world.labels, rule)
    assert by_formula == reference.derived_in_rounds(world.n, world.labels, rule)


@few
@given(worlds())
def test_graph(world):
    graph, votes = world.graph, reference.votes(world.rows)
    assert graph.texts(range(graph.n)) == world.name
    assert [graph.node(text) for text in world.name] == list(range(world.n))
    edges = [pair(i, j) for i, j in zip(graph.edge_a.tolist(), graph.edge_b.tolist(), strict=True)]
    assert edges == list(votes)
    assert graph.edge_sign.tolist() == [1 if world.labels[p] else -1 for p in edges]
    assert graph.edge_n_positive.tolist() == [votes[p].count(1) for p in edges]
    assert graph.edge_n_negative.tolist() == [votes[p].count(0) for p in edges]
    for e, (i, j) in enumerate(edges):
        stating = [k for k, (a, b, label) in enumerate(world.rows) if label is not None and pair(a, b) == (i, j)]
        assert list(graph.rows_of(e)) == stating
        assert (graph.edge_a[e], graph.edge_b[e]) == world.rows[stating[0]][:2]
        assert graph.edge_between(i, j) == graph.edge_between(j, i) == e
    for i, j in combinations(range(world.n), 2):
        assert (graph.edge_between(i, j) == -1) == ((i, j) not in world.labels)
    groups = reference.clusters(world.n, world.labels)
    assert [list(graph.members(c)) for c in range(len(groups))] == groups
    assert graph.cluster_sizes.tolist() == [len(group) for group in groups]
    assert graph.cluster_of.tolist() == [world.home[i][0] for i in range(world.n)]


@few
@given(worlds(), st.sampled_from([1, 2, 5, 16]))
def test_parts_of_a_few_rows_make_the_same_graph(world, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "PART", size)
        patch.setattr(stated, "PART", size)
        other = pg.ParaphraseGraph.from_pairs(table(world.texts))
        homes = other.edge_clusters
    for name, value in vars(world.graph).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, vars(other)[name], strict=True)
    np.testing.assert_array_equal(homes, [world.graph.cluster_of[end] for end in (other.edge_a, other.edge_b)])


LIMITS = st.sampled_from([None, 1, 2, 3])


@few
@given(worlds(), st.sampled_from(RULES), st.sampled_from(CONVENTIONS), LIMITS)
def test_closure(world, rule, distance, limit):
    options = {"negatives": rule, "distance": distance, "max_distance": limit}
    closure = pg.infer(world.graph, **options)
    expected = reference.inferred(world.n, world.labels, rule, distance, limit)
    assert world.as_dict(closure.to_frame(), "label", "distance") == expected
    # Path lengths from both ends of each pair, as in samples of large clusters
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lengths, "BOTH_ENDS", 0)
        assert world.as_dict(pg.infer(world.graph, **options).to_frame(), "label", "distance") == expected
    met = list(expected.values())
    counts = world.counts(expected)
    most = closure.at_most()
    assert closure.counts() == counts and all(most[name] >= counts[name] for name in counts)
    for row in closure.by_distance().itertuples():
        assert (row.positive, row.negative) == (met.count((1, row.distance)), met.count((0, row.distance)))
    assert closure.by_distance()[["positive", "negative"]].sum().sum() == len(met)


@few
@given(worlds(), st.sampled_from(RULES), st.integers(1, 40), LIMITS, st.integers(0, 2**32 - 1))
def test_batches_and_samples(world, rule, size, limit, seed):
    closure = pg.infer(world.graph, negatives=rule, max_distance=limit)
    found, plain = [], []
    for batch in closure.batches(size, distances=True):
        assert 1 <= len(batch.a) <= size
        found += zip(*(column.tolist() for column in (batch.a, batch.b, batch.label, batch.distance)), strict=True)
    expected = reference.inferred(world.n, world.labels, rule, max_distance=limit)
    assert len(found) == len(expected)
    assert {pair(i, j): (label, d) for i, j, label, d in found} == expected
    # the same labels in the same order, with or without distances, and whatever the size of a batch
    for batch in closure.batches(size):
        plain += zip(batch.a.tolist(), batch.b.tolist(), batch.label.tolist(), strict=True)
    assert plain == [row[:3] for row in found]
    frame, sample = closure.to_frame(), closure.sample(size, seed=seed)
    listed = world.numbers(frame["text_a"]), world.numbers(frame["text_b"]), frame["label"], frame["distance"]
    assert list(zip(*listed, strict=True)) == found
    drawn = world.as_dict(sample, "label", "distance")
    assert drawn.items() <= expected.items() and len(drawn) == min(size, len(expected))
    ranks = draw_ranks(np.random.default_rng(seed), len(frame), len(sample))
    pd.testing.assert_frame_equal(sample, frame.iloc[ranks].reset_index(drop=True))


@few
@given(worlds(), st.sampled_from(RULES), st.integers(1, 5), st.sampled_from([None, 1, 2]), st.integers(0, 2**32 - 1))
def test_max_per_cluster(world, rule, k, limit, seed):
    options = {"negatives": rule, "max_distance": limit}
    every = reference.inferred(world.n, world.labels, **options)
    some = pg.infer(world.graph, max_per_cluster=k, seed=seed, **options)
    given_pairs = world.as_dict(some.to_frame(), "label", "distance")
    assert given_pairs.items() <= every.items()
    available = reference.contributions([(p, label) for p, (label, _) in every.items()], world.home)
    found = reference.contributions([(p, label) for p, (label, _) in given_pairs.items()], world.home)
    assert found == {key: min(k, number) for key, number in available.items()}
    assert some.counts() == world.counts(given_pairs)
    again = pg.infer(world.graph, max_per_cluster=k, seed=seed, **options)
    pd.testing.assert_frame_equal(some.to_frame(), again.to_frame())


def rows_stating(world, i, j):
    """The numbers of the rows that state a pair: the first data row of a table is row 2."""
    stating = (reference.pair(*row[:2]) == pair(i, j) and row[2] is not None for row in world.rows)
    return [number for number, states in enumerate(stating, start=2) if states]


@few
@given(worlds(), st.sampled_from(RULES))
def test_explanations(world, rule):
    in_rounds = reference.inferred(world.n, world.labels, rule, distance="rounds")
    in_hops = reference.inferred(world.n, world.labels, rule, distance="hops")
    contradicted = reference.within(world.n, world.labels)
    for i, j in product(range(world.n), repeat=2):
        why = pg.explain(world.graph, world.name[i], world.name[j], negatives=rule)
        steps = [(*world.numbers([step.text_a, step.text_b]), int(step.sign == 1)) for step in why.steps]
        proof = reference.proof_of(steps, world.labels, world.home)
        if i == j:
            assert (why.verdict, why.steps) == ("same", [])
        elif pair(i, j) in contradicted:
            assert (why.verdict, why.label) == ("conflict", 0)
            assert proof == (i, j, 1, reference.lengths(world.n, world.labels)[i, j])
        elif pair(i, j) in world.labels:
            assert (why.verdict, why.label) == ("stated", world.labels[pair(i, j)])
            assert steps == [(i, j, why.label)]
        elif pair(i, j) in in_hops:
            label, hops = in_hops[pair(i, j)]
            assert (why.verdict, why.label, why.hops) == ("inferred", label, hops)
            assert (why.label, why.rounds) == in_rounds[pair(i, j)]
            assert proof == (i, j, label, hops + label)
        else:
            assert (why.verdict, why.label, why.steps) == ("unknown", None, [])
        assert [list(step.rows) for step in why.steps] == [rows_stating(world, a, b) for a, b, _ in steps]


@few
@given(worlds())
def test_conflicts(world):
    length = reference.lengths(world.n, world.labels)
    friends = nx.Graph([p for p, label in world.labels.items() if label == 1])
    found = {"within": [], "direct": [], "self": []}
    for conflict in pg.conflicts(world.graph).itertuples():
        i, j = world.numbers([conflict.text_a, conflict.text_b])
        found[conflict.kind].append(pair(i, j))
        stated = [label for a, b, label in world.rows if pair(a, b) == pair(i, j) and label is not None]
        assert (conflict.n_positive, conflict.n_negative) == (stated.count(1), stated.count(0))
        assert list(conflict.rows) == rows_stating(world, i, j)
        assert conflict.cluster == world.home[i][0]
        joined = i != j and (i, j) in length
        assert conflict.length == length.get((i, j), 0)
        assert conflict.disjoint_paths == (nx.edge_connectivity(friends, i, j) if joined else 0)
        if conflict.kind == "within":
            steps = [(*ends, 1) for ends in pairwise(world.numbers(conflict.path))]
            assert reference.proof_of(steps, world.labels, world.home) == (i, j, 1, length[i, j])
            assert [list(rows) for rows in conflict.path_rows] == [rows_stating(world, a, b) for a, b, _ in steps]
        else:
            assert list(conflict.path) == list(conflict.path_rows) == []
    assert sorted(found["within"]) == sorted(reference.within(world.n, world.labels))
    assert sorted(found["direct"]) == sorted(reference.direct(world.rows))
    assert sorted(found["self"]) == sorted({(i, j) for i, j, label in world.rows if i == j and label == 0})


@few
@given(worlds(), st.sampled_from(RULES), st.sampled_from([None, 1, 2]))
def test_four_datasets(world, rule, limit):
    closure = pg.infer(world.graph, negatives=rule, max_distance=limit)
    datasets = pg.four_datasets(closure)
    extra = reference.inferred(world.n, world.labels, rule, max_distance=limit)
    assert list(datasets) == ["original", "original_flipped", "augmented", "augmented_flipped"]
    for name, rows in (("original", world.rows), ("original_flipped", reference.flipped(world.rows))):
        frame = datasets[name]
        labels = [None if label is pd.NA else label for label in frame["label"]]
        ends = world.numbers(frame["text_a"]), world.numbers(frame["text_b"])
        assert list(zip(*ends, labels, strict=True)) == rows
    for name, flip in (("augmented", False), ("augmented_flipped", True)):
        found = world.as_dict(datasets[name], "label")
        expected = reference.augmented(world.n, world.labels, extra, flip)
        assert {(p, label) for p, (label,) in found.items()} == expected
