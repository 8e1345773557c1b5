"""Models that torch trains: what they learn and must not learn, and what they compute."""

import numpy as np
import pandas as pd
import pytest
import torch

from paragraph.doubts.judges import judge_of
from paragraph.learn import Adapter
from paragraph.learn.encoder import load, load_tokenizer
from paragraph.learn.logistic import sigmoid
from paragraph.papers import load_model, make_model
from paragraph.papers.distance.dense import Dense
from paragraph.papers.models.cross_encoder import CrossEncoder

from ...learn.tiny import tiny_bert
from ...refused import refused


def small(tiny, **options):
    return make_model("cross-encoder", model=tiny, **{"lr": 1e-3, "batch_size": 16, "device": "cpu"} | options)


def head(tiny, **options):
    options = {"hidden": 32, "epochs": 3, "cache": False, "device": "cpu"} | options
    return make_model("dense", model=tiny, **options)


def adapter(tiny, **options):
    return make_model("adapter", model=tiny, **{"rank": 2, "lr": 1e-2, "batch_size": 16, "device": "cpu"} | options)


def weights(model):
    return model.head.network.state_dict()


def equal(a, b):
    return all(torch.equal(weights(a)[name], value) for name, value in weights(b).items())


@pytest.mark.parametrize("kind", ["dense", "adapter"])
def test_it_learns_a_word_and_does_not_learn_shuffled_labels(loud, kind):
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 360)
    rows = [
        (" ".join([*rng.permutation(["rice", "bread", "is"]), "tea" if one else "salt"]), "what") for one in label
    ]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b"]).assign(label=label)
    train, test, right = pairs[:240], pairs[240:], []
    for labels in (label[:240], rng.permutation(label[:240])):
        options = {"hidden": 64} if kind == "dense" else {"rank": 4, "lr": 2e-2}
        model = {"dense": head, "adapter": adapter}[kind](loud, epochs=4, **options)
        found = model.fit(train.assign(label=labels)).predict_proba(test)
        right.append(((found > 0.5) == test["label"]).mean())
    assert right[0] > 0.9 and 0.3 < right[1] < 0.7


def test_an_adapter_keeps_little_reads_both_orders_and_goes_on(tiny, few, exact, tmp_path):
    model = adapter(tiny).fit(few)
    encoder = load(tiny)
    kept = dict(model.head.network.encoder.named_parameters())
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


def test_probabilities_are_those_of_transformers(tiny, few, exact):
    model, tokenizer = small(tiny, epochs=1).fit(few), load_tokenizer(tiny)
    with torch.inference_mode():
        rows = zip(few["text_a"], few["text_b"], strict=True)
        logits = [model.head.network(**tokenizer(a, b, return_tensors="pt")).logits[0] for a, b in rows]
    found = model.predict_proba(few)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, torch.stack(logits).softmax(dim=1)[:, 1].numpy(), atol=1e-5)


def test_all_but_biases_and_norms_decay(tiny):
    head, network = CrossEncoder(tiny), load(tiny, "ForSequenceClassification", 2)
    head.network = network
    decayed, others = head.optimizer(1e-3).param_groups
    assert (decayed["weight_decay"], others["weight_decay"], decayed["lr"]) == (0.01, 0, 1e-3)
    plain = [value for name, value in network.named_parameters() if name.endswith("bias") or "LayerNorm" in name]
    assert set(map(id, others["params"])) == set(map(id, plain))


def test_same_seed_same_weights_and_the_callers_randomness_left_alone(tiny, few):
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    first = small(tiny, epochs=1).fit(few[20:60])
    assert torch.equal(before, torch.random.get_rng_state())
    torch.manual_seed(2)
    assert equal(small(tiny, epochs=1).fit(few[20:60]), first)
    assert not equal(small(tiny, epochs=1, seed=1).fit(few[20:60]), first)


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


def test_the_layers_and_settings_of_the_head_of_the_paper_and_no_batch_of_one_row():
    head = Dense()
    assert (head.usual[:3], head.hidden) == ((0.01, 32, 10), 4 * 384)
    for n, found in ((2, [2]), (32, [32]), (33, [33]), (34, [32, 2]), (65, [32, 33])):
        batches = head.batches(torch.empty(n, 1), 32, (0, 1))
        assert [len(batch) for batch in batches] == found
        assert sorted(np.concatenate(batches).tolist()) == list(range(n))
    network = head.build(2)
    assert [type(layer).__name__ for layer in network] == ["Linear", "BatchNorm1d", "ReLU"] * 2 + ["Linear"]
    sizes = [tuple(value.shape) for value in network.parameters() if value.ndim == 2]
    assert sizes == [(1536, 768), (1536, 1536), (1, 1536)]


def test_the_input_of_the_head_is_cls_of_both_orders(tiny, few, exact):
    encoder, tokenizer = load(tiny), load_tokenizer(tiny)

    def cls(*texts):
        with torch.inference_mode():
            return encoder(**tokenizer(*texts, return_tensors="pt")).last_hidden_state[0, 0]

    sides = zip(few["text_a"][:10], few["text_b"][:10], strict=True)
    expected = torch.stack([torch.cat([cls(a, b), cls(b, a)]) for a, b in sides])
    torch.testing.assert_close(head(tiny).head.inputs(few[:10], ""), expected, atol=1e-5, rtol=0)


def test_what_a_head_refuses(tiny, few):
    refused("dev set is empty", head(tiny).fit, few, few[:0])
    refused("two rows or more", head(tiny, batch_size=1).fit, few)
    refused("max_length 3 is not a whole number of 4 or more", head, tiny, max_length=3)
    refused(r"is (nan|inf) at step \d", head(tiny, lr=1e38).fit, few)
