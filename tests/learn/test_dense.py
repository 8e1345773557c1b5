"""The head of Jurišić et al.: its layers, its input, and what it learns."""

import sys

import numpy as np
import pandas as pd
import pytest
import torch

import paragraph as pg
from paragraph.learn import DenseHead
from paragraph.learn.pairs import dense
from paragraph.learn.pairs.dense import _batches
from paragraph.learn.pretrained.find import load_encoder, load_tokenizer

from .tiny import tiny_bert


def small(tiny, **options):
    options = {"hidden": 32, "epochs": 3, "cache": False, "progress": False, "device": "cpu"} | options
    return DenseHead(tiny, **options)


def equal(a, b):
    state = b._module.state_dict()
    return all(torch.equal(value, state[name]) for name, value in a._module.state_dict().items())


def test_the_layers_and_settings_of_the_paper():
    head = DenseHead()
    assert (head.lr, head.batch_size, head.epochs, head.hidden) == (0.01, 32, 10, 4 * 384)
    layers = [type(layer).__name__ for layer in dense._layers(768, 1536)]
    assert layers == ["Linear", "BatchNorm1d", "ReLU"] * 2 + ["Linear"]
    sizes = [tuple(value.shape) for value in dense._layers(768, 1536).parameters() if value.ndim == 2]
    assert sizes == [(1536, 768), (1536, 1536), (1, 1536)]


def test_the_input_is_cls_of_both_orders(tiny, few, monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", bool, raising=False)
    encoder, tokenizer = load_encoder(tiny), load_tokenizer(tiny)

    def cls(a, b):
        with torch.inference_mode():
            return encoder(**tokenizer(a, b, return_tensors="pt")).last_hidden_state[0, 0]

    rows = few[:10]
    found = small(tiny)._inputs(rows, "")
    sides = list(zip(rows["text_a"], rows["text_b"], strict=True))
    expected = torch.stack([torch.cat([cls(a, b), cls(b, a)]) for a, b in sides])
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


def test_each_pair_is_encoded_once(tiny, few, tmp_path, monkeypatch):
    """Heads on overlapping data, and both orders of a pair, share what is on disk."""
    small(tiny, cache=tmp_path).fit(few)
    # Whoever computed again would fail.
    monkeypatch.setattr(sys.modules["paragraph.learn.pretrained.encode"], "load_encoder", None)
    turned = few.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    small(tiny, cache=tmp_path, seed=1).fit(few[10:70], turned)


@pytest.mark.parametrize(
    "n, size, found", [(2, 32, [2]), (32, 32, [32]), (33, 32, [33]), (34, 32, [32, 2]), (65, 32, [32, 33])]
)
def test_no_batch_of_one_row(n, size, found):
    batches = _batches(n, size, (0, 1))
    assert [len(batch) for batch in batches] == found
    assert sorted(np.concatenate(batches).tolist()) == list(range(n))


def accuracy(head, test):
    return ((head.predict_proba(test) > 0.5) == test["label"].to_numpy(int)).mean()


def shuffled(pairs):
    return pairs.assign(label=np.random.default_rng(0).permutation(pairs["label"].to_numpy()))


def test_it_learns_which_of_two_things_is_asked_about(tmp_path):
    """Tea or salmon among other words; and nothing where the labels are shuffled."""
    rng = np.random.default_rng(0)
    words = np.array(["how", "many", "days", "does", "bread", "last", "in", "the", "kitchen"])
    label = rng.integers(0, 2, 360)
    rows = [(" ".join([*rng.permutation(words)[:4], "tea" if one else "salmon"]), "what lasts?") for one in label]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b"]).assign(label=label)
    train, test = pairs[:240], pairs[240:]
    options = {"hidden": 64, "epochs": 4, "cache": tmp_path, "progress": False}
    assert accuracy(DenseHead(**options).fit(train), test) > 0.9
    assert 0.3 < accuracy(DenseHead(**options).fit(shuffled(train)), test) < 0.7


def test_saved_and_loaded(tiny, few, tmp_path):
    head = small(tiny).fit(few)
    head.save(tmp_path / "head")
    again = DenseHead.load(tmp_path / "head", device="cpu")
    assert equal(head, again)
    np.testing.assert_allclose(again.predict_proba(few), head.predict_proba(few), atol=1e-4)
    assert again.history.equals(head.history)
    with pytest.raises(pg.PairsError, match="is missing"):
        DenseHead.load(tmp_path)


def test_loaded_beside_another_encoder(few, tmp_path):
    folder = tiny_bert(tmp_path / "encoder")
    small(folder, epochs=1).fit(few).save(tmp_path / "head")
    tiny_bert(folder, seed=1)
    with pytest.raises(pg.PairsError, match="not the one this head was trained on"):
        DenseHead.load(tmp_path / "head")


def test_what_it_refuses(tiny, few):
    with pytest.raises(pg.PairsError, match="set is empty"):
        small(tiny).fit(few[:0])
    with pytest.raises(pg.PairsError, match="all 40 training rows have the label 0"):
        small(tiny).fit(few[:40])
    with pytest.raises(pg.PairsError, match="dev set is empty"):
        small(tiny).fit(few, few[:0])
    with pytest.raises(pg.PairsError, match="not fitted"):
        small(tiny).predict_proba(few)
    with pytest.raises(pg.PairsError, match="two rows or more"):
        small(tiny, batch_size=1)
    with pytest.raises(pg.PairsError, match=r"is (nan|inf) at step \d"):
        small(tiny, lr=1e38).fit(few)
    assert small(tiny).fit(few).predict_proba(few[:0]).shape == (0,)
