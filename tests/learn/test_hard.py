"""Hard negatives."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.learn.hard import hard
from paragraph.words.differences import words_of


@pytest.mark.parametrize(
    ("most", "kept"),
    [
        (2, ["a dog bites the man", "the dog bites a man", "+", "+"]),
        (3, ["a dog bites the man", "the dog bites a man", "the dog sees a man", "+", "+", "+"]),
        (9, ["a dog bites the man", "the dog bites a man", "the dog sees a man", "who?", "+", "+", "+"]),
    ],
)
def test_what_is_kept(most, kept):
    """Most shared words first, the same words in another order among them; not the same sentence in other letters."""
    text = "A man bites the dog"
    negatives = ["who?", "the dog sees a man", "the dog bites a man", "a MAN bites the dog", "a dog bites the man"]
    rows = [(text, other, 0) for other in negatives] + [(text, "+", 1)] * 3
    found = hard(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]).sample(frac=1, random_state=0), most)
    assert sorted(found["text_b"]) == sorted(kept)


def test_no_negative_that_is_left_out_shares_more_words():
    pairs = pg.read_pairs(pg.DEMO)

    def shared(table):
        for a, b in zip(table["text_a"], table["text_b"], strict=True):
            one, other = ({w for w in words_of(t.casefold()) if w[0].isalnum()} for t in (a, b))
            if a.casefold() != b.casefold():
                yield min(len(one & other) / len(one | other), 0.999)

    found = hard(pairs, 100, seed=1)
    assert found["label"].value_counts().to_dict() == {0: 100, 1: 100}
    assert found.index.is_monotonic_increasing
    rest = pairs.drop(found.index)
    assert min(shared(found[found["label"] == 0])) >= max(shared(rest[rest["label"] == 0]))
    drawn = [hard(pairs, 100, seed)["label"].eq(1).index for seed in (1, 2)]
    assert not np.array_equal(*drawn)


def test_at_least_one():
    with pytest.raises(pg.PairsError, match="at least one"):
        hard(pg.read_pairs(pg.DEMO), 0)
