"""Training sets with paraphrases: which rows are added, and what the table of the experiment says."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.experiments.augmentation import augmentation, augmented
from paragraph.learn.text.paraphrases import Paraphraser


class Written(Paraphraser):
    """Paraphrases by a dictionary."""

    def __init__(self, known):
        super().__init__()
        self.known = known

    def _propose(self, texts, n, progress):
        return [[(self.known[text], "", [])] if text in self.known else [] for text in texts]


PAIRS = pd.DataFrame(
    [("is tea hot", "is it hot tea", 1), ("who won", "is tea hot", 0)], columns=["text_a", "text_b", "label"]
)


@pytest.mark.parametrize(
    ("known", "added"),
    [
        ({}, []),
        ({"who won": "which team came first"}, [("which team came first", "is tea hot", 0)]),
        (
            {"is tea hot": "warm tea maybe"},
            [("warm tea maybe", "is it hot tea", 1), ("who won", "warm tea maybe", 0)],
        ),
        ({"is tea hot": "is tea hot?"}, []),  # a copy
        ({"is tea hot": "is it hot tea"}, [("who won", "is it hot tea", 0)]),  # not a sentence with itself
    ],
)
def test_rows_that_are_added(known, added):
    found = augmented(PAIRS, Written(known))
    assert found.to_numpy().tolist() == [*PAIRS.to_numpy().tolist(), *map(list, added)]


def test_a_set_without_paraphrases_gains_nothing_and_one_with_them_has_more_rows():
    pairs = pg.read_pairs(pg.DEMO)
    known = {text: f"{text} then please" for text in [*pairs["text_a"], *pairs["text_b"]]}
    sets = {"as it is": Written({}), "more": Written(known)}
    found = augmentation(pairs[:1500], pairs[1500:], sets, "tfidf", rows=200, seeds=3, progress=False)
    assert found.index.tolist() == ["none", "as it is", "more"]
    assert found.loc["as it is", ["gain", "low", "high"]].tolist() == [0, 0, 0]
    assert found.loc["none", "rows"] == 200 and 300 < found.loc["more", "rows"] < 600  # long ones are near copies
    assert np.isclose(found.loc["more", "gain"], found.loc["more", "accuracy"] - found.loc["none", "accuracy"])
    assert found.loc["more", "low"] <= found.loc["more", "gain"] <= found.loc["more", "high"]
