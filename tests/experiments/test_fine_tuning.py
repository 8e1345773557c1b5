"""The experiments with models that torch trains, on an encoder of random weights."""

import pytest

from paragraph.experiments import distance_grid, four_by_four
from paragraph.learn import make_model

from ..learn.tiny import tiny_bert


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return tiny_bert(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def small(tmp_path, monkeypatch):
    import torch

    monkeypatch.setenv("PARAGRAPH_CACHE", str(tmp_path / "cache"))
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # test processes would wait for each other's threads
    yield
    torch.set_num_threads(before)


def test_a_cross_encoder_with_early_stopping(tiny, demo_with_dev):
    train, dev, test = demo_with_dev

    def model(seed):
        return make_model("cross-encoder", seed, model=tiny, epochs=1, progress=False)

    four = four_by_four(train, test, model, seeds=2, dev=dev, max_train=48, progress=False)
    assert len(four.table) == 4 * 4 * 2 and four.table["average precision"].between(0, 1).all()
    options = four.record["options"]["model"]
    assert options["model"] == str(tiny) and options["epochs"] == 1 and not options["deterministic"]
    assert "bootstrap" not in four.notes()[0]
    original = four.table[four.table["train_set"] == "original"].set_index(["test_set", "seed"])
    assert original.loc[("original", 0), "average precision"] != original.loc[("original", 1), "average precision"]


def test_a_dense_head_on_the_distance_grid(tiny, demo_with_dev, tmp_path):
    def head(seed):
        return make_model("dense", seed, model=tiny, hidden=16, epochs=1, progress=False)

    found = distance_grid(*demo_with_dev, head, seeds=1, max_train=200, results=tmp_path / "run", progress=False)
    assert len(found.table) == 10 and found.hard_negatives["probability"].between(0, 1).all()
    assert (found.datasets["stated"] == 200).all()
    again = distance_grid(*demo_with_dev, head, seeds=1, max_train=200, results=tmp_path / "run", progress=False)
    assert again.table.equals(found.table)
