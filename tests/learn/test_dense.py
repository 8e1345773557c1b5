"""The head of Jurišić et al.: its layers, its input, and what it learns."""

import sys

import numpy as np
import pandas as pd
import pytest
import torch

import paragraph as pg
from paragraph.learn import DenseHead
from paragraph.learn.pretrained.find import load, load_tokenizer

from .tiny import tiny_bert


def small(tiny, **options):
    return DenseHead(
        tiny, **{"hidden": 32, "epochs": 3, "cache": False, "progress": False, "device": "cpu"} | options
    )


def test_the_layers_and_settings_of_the_paper():
    head = DenseHead()
    assert (head.lr, head.batch_size, head.epochs, head.hidden) == (0.01, 32, 10, 4 * 384)
    network = head._network()
    assert [type(layer).__name__ for layer in network] == ["Linear", "BatchNorm1d", "ReLU"] * 2 + ["Linear"]
    sizes = [tuple(value.shape) for value in network.parameters() if value.ndim == 2]
    assert sizes == [(1536, 768), (1536, 1536), (1, 1536)]


def test_the_input_is_cls_of_both_orders(tiny, few, exact):
    encoder, tokenizer = load(tiny), load_tokenizer(tiny)

    def cls(a, b):
        with torch.inference_mode():
            return encoder(**tokenizer(a, b, return_tensors="pt")).last_hidden_state[0, 0]

    sides = list(zip(few["text_a"], few["text_b"], strict=True))[:10]
    expected = torch.stack([torch.cat([cls(a, b), cls(b, a)]) for a, b in sides])
    torch.testing.assert_close(small(tiny)._inputs(few[:10], ""), expected, atol=1e-5, rtol=0)


def test_each_pair_is_encoded_once(tiny, few, tmp_path, monkeypatch):
    """Heads on overlapping data, and both orders of a pair, share what is on disk."""
    small(tiny, cache=tmp_path).fit(few)
    # Whoever computed again would fail.
    monkeypatch.setattr(sys.modules["paragraph.learn.pretrained.encode"], "load", None)
    turned = few.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    small(tiny, cache=tmp_path, seed=1).fit(few[10:70], turned)


@pytest.mark.parametrize("n, found", [(2, [2]), (32, [32]), (33, [33]), (34, [32, 2]), (65, [32, 33])])
def test_no_batch_of_one_row(tiny, n, found):
    batches = small(tiny)._batches(torch.empty(n, 1), (0, 1))
    assert [len(batch) for batch in batches] == found
    assert sorted(np.concatenate(batches).tolist()) == list(range(n))


@pytest.mark.slow
def test_it_learns_which_of_two_things_is_asked_about(tmp_path):
    """Tea or salmon among other words; and nothing where the labels are shuffled."""
    rng = np.random.default_rng(0)
    words = np.array(["how", "many", "days", "does", "bread", "last", "in", "the", "kitchen"])
    label = rng.integers(0, 2, 360)
    rows = [(" ".join([*rng.permutation(words)[:4], "tea" if one else "salmon"]), "what lasts?") for one in label]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b"]).assign(label=label)
    train, test, right = pairs[:240], pairs[240:], []
    for labels in (label[:240], rng.permutation(label[:240])):
        head = DenseHead(hidden=64, epochs=4, cache=tmp_path, progress=False).fit(train.assign(label=labels))
        right.append(((head.predict_proba(test) > 0.5) == test["label"]).mean())
    assert right[0] > 0.9 and 0.3 < right[1] < 0.7


def test_saved_and_loaded(few, tmp_path):
    encoder = tiny_bert(tmp_path / "encoder")
    head = small(encoder).fit(few)
    head.save(tmp_path / "head")
    again = DenseHead.load(tmp_path / "head", device="cpu")
    np.testing.assert_allclose(again.predict_proba(few), head.predict_proba(few), atol=1e-4)
    assert again.history.equals(head.history) and head.predict_proba(few[:0]).shape == (0,)
    with pytest.raises(pg.PairsError, match="is missing"):
        DenseHead.load(tmp_path)
    tiny_bert(encoder, seed=1)
    with pytest.raises(pg.PairsError, match="not the one this model was trained on"):
        DenseHead.load(tmp_path / "head")


def test_what_it_refuses(tiny, few):
    with pytest.raises(pg.PairsError, match="dev set is empty"):
        small(tiny).fit(few, few[:0])
    with pytest.raises(pg.PairsError, match="not fitted"):
        small(tiny).predict_proba(few)
    with pytest.raises(pg.PairsError, match="two rows or more"):
        small(tiny, batch_size=1)
    with pytest.raises(pg.PairsError, match=r"is (nan|inf) at step \d"):
        small(tiny, lr=1e38).fit(few)
