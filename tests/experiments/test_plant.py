"""Planted errors: how many, which way, and nothing else changed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.experiments import plant_errors

from .. import reference

sentence = st.integers(0, 9)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, 0, None])), min_size=1, max_size=30)
share = st.floats(0, 1)


def table(rows):
    return reference.table([(f"s{i}", f"s{j}", label) for i, j, label in rows])


@settings(max_examples=100, deadline=None)
@given(some_rows, st.tuples(share, share), st.integers(0, 3))
def test_the_key_is_all_that_changed(rows, shares, seed):
    pairs, labels = table(rows), reference.stated(rows)
    wanted = {s: round(part * list(labels.values()).count(s)) for s, part in zip((1, 0), shares, strict=True)}
    if not any(wanted.values()) and any(shares):
        with pytest.raises(pg.PairsError, match="is none; plant more"):
            plant_errors(pairs, shares, seed)
        return
    planted, key = plant_errors(pairs, shares, seed)
    pd.testing.assert_frame_equal(planted.drop(columns="label"), pairs.drop(columns="label"))
    now = [None if pd.isna(label) else int(label) for label in planted["label"]]
    after = reference.stated([(i, j, label) for (i, j, _), label in zip(rows, now, strict=True)])
    turned = {p for p in labels if labels[p] != after[p]}
    assert list(after) == list(labels)
    assert {s: sum(labels[p] == s for p in turned) for s in (1, 0)} == wanted
    said = [(int(r.text_a[1:]), int(r.text_b[1:]), r.stated, r.true) for r in key.itertuples()]
    assert [reference.pair(i, j) for i, j, *_ in said] == [p for p in labels if p in turned]  # in file order
    assert all(after[reference.pair(i, j)] == s and labels[reference.pair(i, j)] == t for i, j, s, t in said)
    for (i, j, before), label in zip(rows, now, strict=True):
        changes = i != j and before is not None and reference.pair(i, j) in turned
        assert label == (1 - before if changes else before)


def test_two_per_cent_of_the_shipped_corpus_both_ways():
    pairs = pg.read_pairs(pg.DEMO)
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    _, key = plant_errors(pairs, seed=7)
    for sign, true in ((1, 1), (-1, 0)):
        assert (key["true"] == true).sum() == round(0.02 * np.count_nonzero(graph.edge_sign == sign))


def test_the_seed_decides():
    pairs = pg.read_pairs(pg.DEMO)
    same = plant_errors(pairs, seed=1)[1]
    pd.testing.assert_frame_equal(same, plant_errors(pairs, seed=1)[1])
    assert not same.equals(plant_errors(pairs, seed=2)[1])


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan"), (0.1, 2), (0.1,)])
def test_a_share_that_is_none(wrong):
    with pytest.raises(pg.PairsError, match="is not a number from 0 to 1"):
        plant_errors(pg.read_pairs(pg.DEMO), wrong)
