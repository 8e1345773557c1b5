"""CosineBERT: what it computes, how it is trained, and that every fit begins anew."""

import numpy as np
import pytest
import torch
from scipy.optimize import minimize

import paragraph as pg
from paragraph.learn.logistic import sigmoid
from paragraph.papers.collection.bag import BagOfWords
from paragraph.papers.collection.cosine import Cosine, CosineNetwork, Projection


@pytest.fixture(scope="module")
def pairs():
    return pg.read_pairs(pg.DEMO)[:120]


@pytest.fixture(scope="module")
def bag(pairs):
    return BagOfWords.of([*pairs["text_a"], *pairs["text_b"]], width=40)


@pytest.fixture(scope="module", params=["bow", "transformer"])
def model(request, bag, tiny, pairs):
    given = bag if request.param == "bow" else tiny
    return Cosine(given, device="cpu", epochs=1).fit(pairs)


def state(model):
    return {name: value.clone() for name, value in model.network.state_dict().items()}


def same(one, other):
    return all(torch.equal(value, other[name]) for name, value in one.items())


def test_probability_is_the_sigmoid_of_the_cosine(model, pairs):
    a, b = (model.vectors(pairs[name]).astype(float) for name in ("text_a", "text_b"))
    cosine = (a * b).sum(1) / np.maximum(np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1), 1e-12)
    p = model.predict_proba(pairs)
    assert np.allclose(p, sigmoid(model.logits(cosine)), atol=1e-5)
    assert (np.diff(p[np.argsort(cosine)]) >= -1e-6).all()  # w ≥ 0: it grows with the cosine
    turned = pairs.rename(columns={"text_a": "text_b", "text_b": "text_a"})
    assert np.allclose(model.predict_proba(turned), p, atol=1e-6)


def test_every_fit_begins_with_the_pretrained_weights_and_saved_and_read_it_says_the_same(model, pairs, tmp_path):
    once = state(model)
    model.save(tmp_path)
    read = pg.papers.load_model(tmp_path)
    assert np.array_equal(read.predict_proba(pairs), model.predict_proba(pairs))
    begun = state(model.renewed(here=True).fit(pairs))  # goes on from there, where one asks for it
    assert not same(once, begun) and same(begun, state(read.fit(pairs)))
    assert not same(once, state(model.fit(pairs[:60])))
    assert same(once, state(model.fit(pairs)))


def test_the_settings_are_those_of_the_paper_and_there_is_no_dropout(tiny, pairs):
    usual = Cosine(tiny)
    assert (usual.lr, usual.batch_size, usual.epochs, usual.clip) == (2e-5, 16, 2, 1)
    model = Cosine(tiny, device="cpu", epochs=1).fit(pairs[:20])
    inputs, network = model.inputs(pairs[:20], ""), model.network.train()
    assert any(isinstance(part, torch.nn.Dropout) and part.p > 0 for part in network.modules())
    once, again = (network.encoder(inputs[2], np.arange(9), torch.device("cpu")) for _ in range(2))
    assert torch.equal(once, again)
    encoder, scale = model.optimizer().param_groups
    assert (encoder["lr"], encoder["eps"], encoder["weight_decay"]) == (2e-5, 1e-6, 0)
    assert scale["lr"] == pytest.approx(0.2) and len(scale["params"]) == 2
    assert model.clipped() is network.encoder
    norm = network.norm
    assert (norm.eps, norm.affine, norm.momentum) == (1e-8, False, None)


def test_refit_is_the_least_of_its_loss():
    def loss(found):
        z = found[0] * (cosine - cosine.mean()) / cosine.std() + found[1]
        return np.mean(np.logaddexp(0, z) - label * z) + 1e-6 / 2 * np.sum(found**2)

    rng = np.random.default_rng(0)
    cosine = rng.uniform(-0.2, 1, 400)
    label = (rng.random(400) < sigmoid(6 * cosine - 4)).astype(int)
    network = CosineNetwork(Projection(np.ones(2)))
    network.refit(cosine, label)
    mean, scale, *found = network.scale.numpy()
    assert (mean, scale) == (pytest.approx(cosine.mean()), pytest.approx(cosine.std()))  # population sd
    assert np.allclose(found, minimize(loss, [0, 0], tol=1e-12).x, atol=1e-4)


def test_refit_of_odd_labels_is_finite_and_never_falls():
    spread, network = [0.1, 0.5, 0.9], CosineNetwork(Projection(np.ones(2)))
    for cosine, label in (
        (spread, [0, 0, 0]), (spread, [1, 1, 1]), (spread, [1, 1, 0]), (spread, [0, 0, 1]),
        ([0.5] * 3, [0, 1, 1]), ([0.5], [1]),
    ):  # fmt: skip
        network.refit(np.array(cosine), np.array(label))
        p = sigmoid(network.logits(torch.tensor([0.0, 0.5, 1.0], dtype=torch.float64)).numpy())
        assert np.isfinite(network.scale.numpy()).all() and (np.diff(p) >= 0).all() and ((p > 0) & (p < 1)).all()
        assert label != [1, 1, 0] or np.allclose(p, 2 / 3, atol=1e-4)
