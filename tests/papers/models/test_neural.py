"""Models that torch trains: what they learn and must not learn, and what they compute."""

import numpy as np
import pandas as pd
import pytest
import torch

from paragraph.doubts.judges import judge_of
from paragraph.learn import Adapter
from paragraph.learn.encoder import load
from paragraph.learn.logistic import sigmoid
from paragraph.papers import load_model, make_model

from ...learn.tiny import tiny_bert
from ...refused import refused


def adapter(tiny, **options):
    return make_model("adapter", model=tiny, **{"rank": 2, "lr": 1e-2, "batch_size": 16, "device": "cpu"} | options)


def weights(model):
    return model.network.state_dict()


def equal(a, b):
    return all(torch.equal(weights(a)[name], value) for name, value in weights(b).items())


def test_it_learns_a_word_and_does_not_learn_shuffled_labels(loud):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 360)
    rows = [
        (" ".join([*rng.permutation(["rice", "bread", "is"]), "tea" if one else "salt"]), "what") for one in label
    ]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b"]).assign(label=label)
    train, test, right = pairs[:240], pairs[240:], []
    for labels in (label[:240], rng.permutation(label[:240])):
        model = adapter(loud, epochs=4, rank=4, lr=2e-2)
        found = model.fit(train.assign(label=labels)).predict_proba(test)
        right.append(((found > 0.5) == test["label"]).mean())
    assert right[0] > 0.9 and 0.3 < right[1] < 0.7


def test_an_adapter_keeps_little_reads_both_orders_and_goes_on(tiny, few, exact, tmp_path):
    model = adapter(tiny).fit(few)
    encoder = load(tiny)
    kept = dict(model.network.encoder.named_parameters())
    assert all(torch.equal(value, kept[name]) for name, value in encoder.named_parameters() if name in kept)
    back = few.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    np.testing.assert_allclose(model.predict_proba(few), model.predict_proba(back), atol=1e-5)
    both = few["text_a"].tolist(), few["text_b"].tolist()
    model.save(tmp_path / "a")
    again, read = load_model(tmp_path / "a"), Adapter(tmp_path / "a", "cpu")
    p = again.predict_proba(few)
    sure, doubt = (read.logits(*both, doubt=doubt) for doubt in (0, np.inf))
    np.testing.assert_allclose(doubt, np.log(p) - np.log1p(-p), atol=1e-3)
    least = np.median(np.abs(sure))
    some = read.logits(*both, doubt=least)
    np.testing.assert_allclose(some, np.where(np.abs(sure) < least, doubt, sure), atol=1e-3)
    np.testing.assert_allclose(some, read.logits(*both[::-1], doubt=least), atol=1e-3)
    assert np.abs(sure - doubt).max() > 1e-3
    np.testing.assert_allclose(judge_of(tmp_path / "a")(*both), sigmoid(read.logits(*both)), atol=1e-3)
    np.testing.assert_allclose(again.predict_proba(few), model.predict_proba(few), atol=2e-3)  # in half precision
    whole = sum(4 * one.numel() for one in encoder.parameters())
    assert (tmp_path / "a/adapter.safetensors").stat().st_size < whole / 2
    begun = adapter(tiny, lr=1e-9, start=tmp_path / "a").fit(few)
    np.testing.assert_allclose(begun.predict_proba(few), again.predict_proba(few), atol=1e-6)
    other = adapter(tiny, start=tmp_path / "a", rank=3)
    refused("start from an adapter of the same encoder and rank", other.fit, few)


def test_same_seed_same_weights_and_the_callers_randomness_left_alone(tiny, few):
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    first = adapter(tiny, epochs=1).fit(few[20:60])
    assert torch.equal(before, torch.random.get_rng_state())
    torch.manual_seed(2)
    assert equal(adapter(tiny, epochs=1).fit(few[20:60]), first)
    assert not equal(adapter(tiny, epochs=1, seed=1).fit(few[20:60]), first)


@pytest.fixture(scope="module")
def loud(tmp_path_factory):
    """A tiny encoder with large weights, so that words differ."""
    texts = ["tea rice bread milk salt", "what is there"]
    folder = tiny_bert(tmp_path_factory.mktemp("tiny"), width=16, layers=1, texts=texts)
    encoder = load(folder)
    for value in encoder.parameters():
        value.data.mul_(12 if value.ndim > 1 else 1)
    encoder.save_pretrained(folder)
    return folder


def test_what_a_model_refuses(tiny, few):
    refused("dev set is empty", adapter(tiny).fit, few, few[:0])
    refused("max_length 3 is not a whole number of 4 or more", adapter, tiny, max_length=3)
    refused(r"is (nan|inf) at step \d", adapter(tiny, lr=1e38).fit, few)
