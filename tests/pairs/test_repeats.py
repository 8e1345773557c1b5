"""Counting repeated rows: the same number as by comparing all of them."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph.pairs.repeats import count_repeats

# Texts alike in length and at both ends, short ones, and some longer than what is looked at
ALIKE = st.builds(
    "{}{}{}".format, st.sampled_from(["", "a" * 9]), st.text("ab", max_size=9), st.sampled_from(["", "b" * 9])
)
TEXTS = st.text("ab", min_size=0, max_size=8) | ALIKE | st.sampled_from(["x" * 5000 + "y" + "x" * 20, "x" * 5021])


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(TEXTS, TEXTS, st.integers(0, 1)), max_size=30), st.integers(1, 9), st.integers(1, 9), st.data()
)
def test_repeats(rows, size_a, size_b, data):
    skip = data.draw(st.integers(0, len(rows)))

    def chunked(values, size):
        array = pa.array(values, pa.large_string())
        return pa.chunked_array([array.slice(i, size) for i in range(0, len(values), size)], pa.large_string()).slice(
            skip
        )

    a, b = chunked([row[0] for row in rows], size_a), chunked([row[1] for row in rows], size_b)
    label = np.array([row[2] for row in rows], np.int8)[skip:]
    kept = rows[skip:]
    assert count_repeats([a, b], label) == len(kept) - len(set(kept))


@pytest.mark.parametrize(
    "text", ["question {:06d} of one length", "{:06d}", "a question that {:06d} " + "goes on " * 9]
)
def test_rows_that_differ_in_a_few_bytes(text):
    column = pa.chunked_array([[text.format(i) for i in range(3000)] + [text.format(7)]], pa.large_string())
    assert count_repeats([column, column], np.ones(3001, np.int8)) == 1
