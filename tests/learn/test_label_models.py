"""Models of any number of labels: what reads order learns order, what does not is blind to it."""

import numpy as np
import pandas as pd
import pytest
import torch

import paragraph as pg
from benchmarks.order_model import OrderModel
from paragraph.learn.pairs.entailment import FineTuned

from .tiny import tiny_bert


def vectors(text):
    words = text.split() or [""]
    found = [np.random.default_rng(list(word.encode())).normal(size=12) for word in words]
    return torch.tensor(np.array(found), dtype=torch.float32)


def who_is_first(n, seed=0):
    """Three words; "tea" stands before "rice", or after it, or it is not there."""
    rows, rng = [], np.random.default_rng(seed)
    for _ in range(n):
        label = ["before", "after", "neither"][rng.integers(3)]
        pair = {"before": ["tea", "rice"], "after": ["rice", "tea"], "neither": ["rice", "milk"]}[label]
        rows.append((" ".join([*rng.permutation(["bread", "salt"]), *pair]), "what is there", label))
    return pd.DataFrame(rows, columns=["text_a", "text_b", "entailment"])


def model(**options):
    return OrderModel(vectors=vectors, **{"updates": 60, "lr": 1e-2} | options)


def in_other_order(table):
    return table.assign(text_a=[" ".join(reversed(text.split())) for text in table["text_a"]])


@pytest.mark.long
@pytest.mark.parametrize(("blind", "right"), [(False, (0.95, 1.0)), (True, (0.3, 0.8))])
def test_order_is_learnt_by_what_reads_it_alone(blind, right):
    test = who_is_first(200, seed=1)
    fitted = model(blind=blind).fit(who_is_first(200))
    accuracy = (fitted.predict(test) == test["entailment"]).mean()
    assert right[0] <= accuracy <= right[1]  # two labels in three differ by order alone
    same = fitted.predict(test) == fitted.predict(in_other_order(test))
    assert same.all() if blind else not same.all()


@pytest.mark.long
@pytest.mark.parametrize(("rows", "updates"), [(20, 7), (200, 7), (3, 40)])
def test_updates_are_as_many_as_asked_for_whatever_the_rows(rows, updates, monkeypatch):
    steps = []
    monkeypatch.setattr(torch.optim.AdamW, "step", lambda *_: steps.append(1))
    model(updates=updates).fit(who_is_first(rows))
    assert len(steps) == updates


@pytest.mark.parametrize(
    ("labels", "message"),
    [(["a", "a"], "1 labels, and 0 rows"), (["a", None], "1 labels, and 1 rows"), ([None, None], "0 labels")],
)
def test_labels_it_cannot_learn_are_refused(labels, message):
    with pytest.raises(pg.PairsError, match=message):
        model().fit(pd.DataFrame({"text_a": ["x", "y"], "text_b": ["y", "x"], "entailment": labels}))


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
