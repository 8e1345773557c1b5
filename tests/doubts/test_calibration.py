"""Calibration, counted by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from paragraph.doubts.audit import calibration

SOME = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 0.99, 1.0]) | st.floats(0, 1)
some = st.lists(st.tuples(st.integers(0, 1), SOME), min_size=1, max_size=30).map(
    lambda pairs: tuple(np.array(column) for column in zip(*pairs, strict=True))
)


@settings(max_examples=20)
@given(some, st.integers(1, 12))
def test_calibration_by_hand(pairs, bins):
    label, probability = pairs
    table = calibration(label, probability, bins)
    for row in table.itertuples():
        mine = [i for i, p in enumerate(probability) if row.low <= p < row.high or (p == 1 and row.high == 1)]
        assert row.n == len(mine)
        if mine:
            means = probability[mine].mean(), label[mine].mean()
            assert (row.predicted, row.observed) == pytest.approx(means)
        else:
            assert math.isnan(row.observed)
    assert table["n"].sum() == len(label)


def test_each_prediction_counts_once_and_the_interval_is_clopper_and_pearsons():
    p, truth = np.array([0.0, 0.1, 0.15, 0.55, 0.95, 1.0]), np.array([0, 0, 1, 1, 1, 0])
    table = calibration(truth, p, 5)
    assert table["n"].tolist() == [3, 0, 1, 0, 2] and table.loc[1, ["least", "most"]].isna().all()
    for row in table[table["n"] > 0].itertuples():  # one of each is a 1
        interval = stats.binomtest(1, row.n).proportion_ci(method="exact")
        assert (row.observed, row.least, row.most) == pytest.approx((1 / row.n, *interval))
