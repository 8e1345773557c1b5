"""Fine-tuning on any number of labels."""

import numpy as np
import pandas as pd
import pytest
import torch

import paragraph as pg
from paragraph.learn.pairs.entailment import FineTuned

from .tiny import tiny_bert


def who_is_first(n, seed=0):
    """Three words; "tea" stands before "rice", or after it, or it is not there."""
    rows, rng = [], np.random.default_rng(seed)
    for _ in range(n):
        label = ["before", "after", "neither"][rng.integers(3)]
        pair = {"before": ["tea", "rice"], "after": ["rice", "tea"], "neither": ["rice", "milk"]}[label]
        rows.append((" ".join([*rng.permutation(["bread", "salt"]), *pair]), "what is there", label))
    return pd.DataFrame(rows, columns=["text_a", "text_b", "entailment"])


@pytest.mark.parametrize(
    ("labels", "message"),
    [(["a", "a"], "1 labels, and 0 rows"), (["a", None], "1 labels, and 1 rows"), ([None, None], "0 labels")],
)
def test_labels_it_cannot_learn_are_refused(labels, message):
    with pytest.raises(pg.PairsError, match=message):
        FineTuned(model="no model").fit(
            pd.DataFrame({"text_a": ["x", "y"], "text_b": ["y", "x"], "entailment": labels})
        )


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """With large weights, so that words differ."""
    from transformers import AutoModel

    folder = tiny_bert(
        tmp_path_factory.mktemp("tiny"), width=16, layers=1, texts=["tea rice bread milk salt", "what is there"]
    )
    encoder = AutoModel.from_pretrained(folder)
    for value in encoder.parameters():
        value.data.mul_(12 if value.ndim > 1 else 1)
    encoder.save_pretrained(folder)
    return folder


def test_an_encoder_of_a_folder_is_fine_tuned_on_three_labels(tiny):
    train, test = (who_is_first(n, seed).query("entailment != 'after'") for n, seed in ((150, 0), (60, 1)))
    train, dev = train[:80], train[80:]
    fitted = FineTuned(model=tiny, lr=0.1, updates=80).fit(train, dev)
    assert (fitted.predict(test) == test["entailment"]).mean() > 0.9
    three = FineTuned(model=tiny, updates=2).fit(who_is_first(30))
    assert three.labels == ["after", "before", "neither"] and three._module.config.num_labels == 3


def test_fine_tuning_stops_when_the_loss_on_dev_no_longer_falls(tiny, monkeypatch):
    steps, step = [], torch.optim.SGD.step
    monkeypatch.setattr(torch.optim.SGD, "step", lambda self, *_: (steps.append(1), step(self))[1])
    wrong = who_is_first(40).assign(entailment=lambda t: t["entailment"].map({"before": "neither"}).fillna("before"))
    monkeypatch.setattr(FineTuned, "every", 4)
    FineTuned(model=tiny, lr=0.1, updates=200).fit(who_is_first(80), wrong)  # what is learnt is wrong there
    assert len(steps) < 100 and len(steps) % 4 == 0
