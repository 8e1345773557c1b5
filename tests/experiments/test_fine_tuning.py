"""An experiment with a model that torch trains, on an encoder of random weights."""

from paragraph.experiments import four_by_four
from paragraph.learn import make_model

from ..learn.tiny import tiny_bert


def test_a_cross_encoder_with_early_stopping(tmp_path, demo_with_dev):
    train, dev, test = demo_with_dev
    tiny = tiny_bert(tmp_path / "tiny")

    def model(seed):
        return make_model("cross-encoder", seed, model=tiny, epochs=1, progress=False)

    four = four_by_four(train, test, model, seeds=2, dev=dev, max_train=48, progress=False)
    assert len(four.table) == 4 * 4 * 2 and four.table["average precision"].between(0, 1).all()
    options = four.record["options"]["model"]
    assert options["model"] == str(tiny) and options["epochs"] == 1 and not options["deterministic"]
    assert "bootstrap" not in four.notes()[0]
    original = four.table[four.table["train_set"] == "original"].set_index(["test_set", "seed"])
    assert original.loc[("original", 0), "average precision"] != original.loc[("original", 1), "average precision"]
