"""What follows from answers, against the definitions by brute force: in any order, with answers taken back."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph.collection.closure import Inference

from .. import reference
from ..growth import LINEAR, exponent

N = 9
PAIRS = list(combinations(range(N), 2))
#: Labels set one after the other; None takes one back.
ANSWERS = st.lists(st.tuples(st.sampled_from(PAIRS), st.sampled_from([1, 1, 0, None]), st.booleans()), max_size=40)
#: Clusters that are true: of each sentence one.
TRUTH = st.lists(st.integers(0, 4), min_size=N, max_size=N)


def told(answers, known=None):
    """The structure after these answers, and the labels that stand."""
    known, labels = known or Inference(), {}
    for (a, b), label, turned in answers:
        known.set(*((b, a) if turned else (a, b)), label)
        labels.pop((a, b), None)
        if label is not None:
            labels[a, b] = label
    return known, labels


def state(known):
    """All that it says, and what it holds."""
    clusters = {frozenset(known.members(known.home(a))) for a in range(N)}
    return known.labels, [known.follows(*pair) for pair in PAIRS], sorted(known.conflicts()), clusters


@settings(max_examples=50, deadline=None)
@given(ANSWERS)
def test_it_knows_what_a_graph_of_the_labels_knows(answers):
    known, labels = told(answers)
    inferred = {pair: label for pair, (label, _) in reference.inferred(N, labels).items()}
    assert known.labels == labels
    assert sorted(known.inferred()) == sorted((*pair, label) for pair, label in inferred.items())
    assert known.among(range(5)) == sorted((*pair, y) for pair, y in labels.items() if max(pair) < 5)
    assert {pair: known.follows(*pair) for pair in PAIRS} == dict.fromkeys(PAIRS) | inferred | labels
    assert sorted(known.conflicts()) == sorted(reference.within(N, labels))
    assert state(known)[3] == {frozenset(group) for group in reference.clusters(N, labels)}


@settings(max_examples=40, deadline=None)
@given(ANSWERS, ANSWERS)
def test_undo_restores_the_state_exactly(before, after):
    known, _ = told(before)
    expected = state(told(before)[0])
    done = []
    for (a, b), label, _ in after:
        done.append((a, b, known.labels.get((a, b))))
        known.set(a, b, label)
    for a, b, label in reversed(done):
        known.set(a, b, label)
    assert state(known) == expected


@settings(max_examples=25, deadline=None)
@given(TRUTH, st.permutations(PAIRS))
def test_zeros_are_kept_when_clusters_merge(truth, pairs):
    """Only what does not follow is asked; then all is known, and true."""
    known, asked = Inference(), 0
    for a, b in pairs:
        if known.follows(a, b) is None:
            known.set(a, b, int(truth[a] == truth[b]))
            asked += 1
    assert [known.follows(a, b) for a, b in PAIRS] == [int(truth[a] == truth[b]) for a, b in PAIRS]
    assert known.conflicts() == []
    k = len(set(truth))
    assert N - k + k * (k - 1) // 2 <= asked  # a spanning forest, and one 0 for each two clusters


@pytest.mark.slow
def test_many_labels_take_linear_time():
    def join(n):
        known = Inference()
        for i in range(1, n):
            known.set(i, i - 1 if i % 8 else i // 8 - 1, 1)  # now the larger comes first, now the smaller
            known.set(i, n + i // 3, 0)

    assert exponent(join, 2_000, 32_000) < LINEAR
