"""Nearest neighbours against brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragraph import PairsError
from paragraph.learn.retrieval import nearest


def by_hand(vectors, k, others=None):
    """The definition: whole numbers of three directions have exact products, so that ties are ties."""
    columns = vectors if others is None else others
    found = []
    for i, row in enumerate(vectors):
        order = sorted((-float(row @ column), j) for j, column in enumerate(columns) if others is not None or i != j)
        found.append([j for _, j in order[:k]])
    return found


AXES = np.concatenate([np.eye(3), -np.eye(3), np.zeros((1, 3))])
directions = st.lists(st.integers(0, 6), min_size=1, max_size=12).map(lambda chosen: AXES[chosen])


@given(directions, st.integers(0, 15))
def test_no_self_ties_by_lower_number_and_no_more_than_there_are(vectors, k):
    numbers, cosines = nearest(vectors * 3, k)
    assert numbers.tolist() == by_hand(vectors, k)
    assert np.array_equal(cosines, np.take_along_axis(vectors @ vectors.T, numbers, 1))


@given(directions, directions, st.integers(1, 15))
def test_others_are_all_neighbours_even_equal_ones(vectors, others, k):
    assert nearest(vectors, k, others)[0].tolist() == by_hand(vectors, k, others)


def test_blocks_agree_with_one_product(monkeypatch):
    vectors = np.random.default_rng(0).standard_normal((300, 20))
    whole = nearest(vectors, 7)
    monkeypatch.setattr("paragraph.learn.retrieval._AT_ONCE", 1000)
    blocks = nearest(vectors, 7)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    product = unit @ unit.T - 3 * np.eye(300)
    assert np.array_equal(blocks[0], np.argsort(-product, axis=1)[:, :7])
    assert np.array_equal(whole[0], blocks[0]) and np.allclose(whole[1], blocks[1], atol=1e-6)


@pytest.mark.slow
def test_memory_is_that_of_a_block_and_not_of_all_pairs():
    import resource

    vectors = np.random.default_rng(0).standard_normal((24_000, 4)).astype(np.float32)
    nearest(vectors[:100], 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    nearest(vectors, 10)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 24_000**2 * 4 / 4  # all products would take 2.3 GB


@pytest.mark.parametrize(
    ("vectors", "others", "k"),
    [
        (np.zeros(3), None, 1),
        (np.array([[np.nan, 1]]), None, 1),
        (np.zeros((2, 3)), np.zeros((2, 4)), 1),
        (np.zeros((2, 3)), None, -1),
    ],
)
def test_what_is_no_table_of_vectors_is_refused(vectors, others, k):
    with pytest.raises(PairsError):
        nearest(vectors, k, others)
