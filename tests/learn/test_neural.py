"""Models that torch trains: what they learn and must not learn, and what they compute."""

import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import torch

from paragraph.learn import Adapter, DenseHead, PairClassifier, load_model
from paragraph.learn.encoder import load, load_tokenizer
from paragraph.papers.japanese.fine_tuned import FineTuned

from ..refused import refused
from .tiny import tiny_bert


def small(tiny, **options):
    return PairClassifier(tiny, **{"lr": 1e-3, "batch_size": 16, "device": "cpu"} | options)


def head(tiny, **options):
    options = {"hidden": 32, "epochs": 3, "cache": False, "device": "cpu"} | options
    return DenseHead(tiny, **options)


def weights(model):
    return model._module.state_dict()


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
        if kind == "dense":
            model = DenseHead(loud, hidden=64, epochs=4, cache=False)
        else:
            model = Adapter(loud, rank=4, epochs=4, lr=2e-2, batch_size=16)
        found = model.fit(train.assign(label=labels)).predict_proba(test)
        right.append(((found > 0.5) == test["label"]).mean())
    assert right[0] > 0.9 and 0.3 < right[1] < 0.7


def test_an_adapter_keeps_little_reads_both_orders_and_goes_on(tiny, few, exact, tmp_path):
    model = Adapter(tiny, rank=2, lr=1e-2, batch_size=16, device="cpu").fit(few)
    encoder = load(tiny)
    kept = dict(model._module.encoder.named_parameters())
    assert all(torch.equal(value, kept[name]) for name, value in encoder.named_parameters() if name in kept)
    back = few.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    np.testing.assert_allclose(model.predict_proba(few), model.predict_proba(back), atol=1e-5)
    both = few["text_a"].tolist(), few["text_b"].tolist()
    p = model.predict_proba(few)
    sure, doubt = (model.logits(*both, doubt=doubt) for doubt in (0, np.inf))
    np.testing.assert_allclose(doubt, np.log(p) - np.log1p(-p), atol=1e-3)
    least = np.median(np.abs(sure))
    some = model.logits(*both, doubt=least)
    np.testing.assert_allclose(some, np.where(np.abs(sure) < least, doubt, sure), atol=1e-3)
    np.testing.assert_allclose(some, model.logits(*both[::-1], doubt=least), atol=1e-3)
    assert np.abs(sure - doubt).max() > 1e-3
    model.save(tmp_path / "a")
    again = load_model(tmp_path / "a")
    np.testing.assert_allclose(again.predict_proba(few), model.predict_proba(few), atol=2e-3)  # in half precision
    whole = sum(4 * one.numel() for one in encoder.parameters())
    assert (tmp_path / "a/adapter.safetensors").stat().st_size < whole / 2
    further = {"rank": 2, "lr": 1e-9, "device": "cpu", "start": tmp_path / "a"}
    begun = Adapter(tiny, **further).fit(few)
    np.testing.assert_allclose(begun.predict_proba(few), again.predict_proba(few), atol=1e-6)
    refused("start from an adapter of the same encoder and rank", Adapter(tiny, **further | {"rank": 3}).fit, few)


def test_probabilities_are_those_of_transformers(tiny, few, exact):
    model, tokenizer = small(tiny, epochs=1).fit(few), load_tokenizer(tiny)
    with torch.inference_mode():
        rows = zip(few["text_a"], few["text_b"], strict=True)
        logits = [model._module(**tokenizer(a, b, return_tensors="pt")).logits[0] for a, b in rows]
    found = model.predict_proba(few)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, torch.stack(logits).softmax(dim=1)[:, 1].numpy(), atol=1e-5)


def test_all_but_biases_and_norms_decay(tiny):
    model, network = small(tiny), load(tiny, "ForSequenceClassification", 2)
    decayed, others = model._optimizer(network).param_groups
    assert (decayed["weight_decay"], others["weight_decay"], decayed["lr"]) == (0.01, 0, model.lr)
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


def test_a_cross_encoder_saved_and_loaded(tiny, few, tmp_path):
    model = small(tiny, epochs=1).fit(few[20:60])
    model.trained_on = "something"
    model.save(tmp_path / "model")
    again = PairClassifier.load(tmp_path / "model", device="cpu")
    assert (again.name, again.trained_on, again.lr) == (model.name, "something", 1e-3)
    assert equal(model, again) and again.history.equals(model.history)


def test_texts_longer_than_the_model(tiny, few):
    long = few[20:60].copy()
    long.iloc[0, long.columns.get_loc("text_a")] = "why " * 500
    with pytest.warns(UserWarning, match="1 of 40 training pairs are longer than 64 tokens and were cut"):
        model = small(tiny, epochs=1).fit(long)
    with pytest.warns(UserWarning, match="1 of 40 pairs are longer than 64 tokens and were cut") as caught:
        assert np.isfinite(model.predict_proba(long)).all()
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict_proba(few)


def who_is_first(n, seed=0):
    """Three words; "tea" stands before "rice", or after it, or it is not there."""
    rows, rng = [], np.random.default_rng(seed)
    for _ in range(n):
        label = ["before", "after", "neither"][rng.integers(3)]
        pair = {"before": ["tea", "rice"], "after": ["rice", "tea"], "neither": ["rice", "milk"]}[label]
        rows.append((" ".join([*rng.permutation(["bread", "salt"]), *pair]), "what is there", label))
    return pd.DataFrame(rows, columns=["text_a", "text_b", "entailment"])


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


def test_an_encoder_of_a_folder_is_fine_tuned_on_three_labels_and_saved(loud, tmp_path):
    train, test = (who_is_first(n, seed).query("entailment != 'after'") for n, seed in ((150, 0), (60, 1)))
    fitted = FineTuned(model=loud, lr=0.1, epochs=1, updates=80).fit(train[:80], train[80:])
    assert (fitted.predict(test) == test["entailment"]).mean() > 0.9
    three = FineTuned(model=loud, epochs=1, updates=2).fit(who_is_first(30))
    assert three.labels == ["after", "before", "neither"] and three._module.config.num_labels == 3
    three.save(tmp_path / "three")
    again = FineTuned.load(tmp_path / "three", device="cpu")
    assert equal(three, again) and again.predict(test).tolist() == three.predict(test).tolist()
    for labels, message in (("a", "1 labels, and 0 rows"), (["a", None], "1 labels, and 1 rows"), (None, "0 labels")):
        refused(message, FineTuned(model=loud).fit, train[:2].assign(entailment=labels))


def test_fine_tuning_stops_when_the_loss_on_dev_no_longer_falls(loud, monkeypatch):
    steps, step = [], torch.optim.SGD.step
    monkeypatch.setattr(torch.optim.SGD, "step", lambda self, *_: (steps.append(1), step(self))[1])
    wrong = who_is_first(40).assign(entailment=lambda t: t["entailment"].map({"before": "neither"}).fillna("before"))
    FineTuned(model=loud, lr=0.1, epochs=50, updates=4).fit(who_is_first(80), wrong)  # what is learnt is wrong there
    assert len(steps) < 100 and len(steps) % 4 == 0


def test_the_layers_and_settings_of_the_head_of_the_paper_and_no_batch_of_one_row():
    head = DenseHead()
    assert (head.lr, head.batch_size, head.epochs, head.hidden) == (0.01, 32, 10, 4 * 384)
    for n, found in ((2, [2]), (32, [32]), (33, [33]), (34, [32, 2]), (65, [32, 33])):
        batches = head._batches(torch.empty(n, 1), 1)
        assert [len(batch) for batch in batches] == found
        assert sorted(np.concatenate(batches).tolist()) == list(range(n))
    network = head._network()
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
    torch.testing.assert_close(head(tiny)._inputs(few[:10], ""), expected, atol=1e-5, rtol=0)


def test_each_pair_is_encoded_once(tiny, few, tmp_path, monkeypatch):
    head(tiny, cache=tmp_path).fit(few)
    # Whoever computed again would fail.
    monkeypatch.setattr(sys.modules["paragraph.learn.vectors"], "load", None)
    turned = few.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    head(tiny, cache=tmp_path, seed=1).fit(few[10:70], turned)


def test_what_a_head_refuses(tiny, few):
    refused("dev set is empty", head(tiny).fit, few, few[:0])
    refused("two rows or more", head, tiny, batch_size=1)
    refused(r"is (nan|inf) at step \d", head(tiny, lr=1e38).fit, few)
