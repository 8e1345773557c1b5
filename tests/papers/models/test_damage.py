"""Saved models say the same when they are read; damaged files give one line that names the folder, or still work."""

import json
import shutil

import numpy as np
import pytest

import paragraph as pg
from paragraph.papers import load_model, make_model
from paragraph.papers.collection.bag import BagOfWords
from paragraph.papers.collection.cosine import Cosine
from paragraph.papers.models.adapter import LowRank

from ...disk import old_new_or_refused
from ...learn.tiny import tiny_bert
from ...refused import refused

MODELS = {
    "cosine": lambda encoder: make_model("cosine", model=encoder, epochs=1),
    "cross-encoder": lambda encoder: make_model("cross-encoder", model=encoder, epochs=1),
    "adapter": lambda encoder: make_model("adapter", model=encoder, rank=2),
}
LEARNT = pg.read_pairs(pg.DEMO)[:64]
PAIRS = LEARNT[:32]
#: What may be left of a file, from its bytes.
CUTS = {
    "nothing": lambda b: b"", "half": lambda b: b[: len(b) // 2],
    "nearly all": lambda b: b[: len(b) - len(b) // 50 - 2], "list": lambda b: b"[]", "no key": lambda b: b"{}",
    "brackets": lambda b: b"[" * 200_000,
}  # fmt: skip


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder with each model, what it says of some pairs, and the encoder."""
    root = tmp_path_factory.mktemp("saved")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARAGRAPH_CACHE", str(root / "cache"))
        encoder = tiny_bert(root / "encoder", width=16, layers=1)
        for name, make in MODELS.items():
            model = make(encoder).fit(LEARNT)
            model.save(root / name)
            np.save(root / f"{name}.npy", model.predict_proba(PAIRS))
        yield root


@pytest.mark.parametrize("name", MODELS)
def test_a_model_says_the_same_once_saved_and_once_fitted_anew(saved, name):
    found, model = load_model(saved / name), MODELS[name](saved / "encoder")
    said = np.load(saved / f"{name}.npy")
    np.testing.assert_allclose(found.predict_proba(PAIRS), said, atol=2e-3 if name == "adapter" else 1e-4)
    refused("not fitted", model.predict_proba, PAIRS)
    for _ in range(2):
        np.testing.assert_allclose(model.fit(LEARNT).predict_proba(PAIRS), said, atol=1e-6)
    assert found.predict_proba(PAIRS[:0]).shape == (0,)
    refused("is missing: .*save has written", type(found).load, saved)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_whose_encoder_has_changed_is_refused(saved, name):
    tiny_bert(saved / "encoder", seed=1, width=16, layers=1)
    said = f"^{saved}/{name}/.*: the encoder '{saved}/encoder' is not the one this model was trained on"
    refused(said, load_model, saved / name)
    tiny_bert(saved / "encoder", width=16, layers=1)
    load_model(saved / name)


def damaged(saved, name, tmp_path, hashes=True):
    """A copy of a saved model, and its files; without hashes, as these see a part of a large file alone."""
    files = sorted(shutil.copytree(saved / name, tmp_path / "copy").iterdir())
    for file in files:
        if not hashes and file.suffix == ".json" and "made" in (noted := json.loads(file.read_text())):
            file.write_text(json.dumps({key: value for key, value in noted.items() if key != "made"}))
    return files


def outcome(folder):
    """The message where loading fails; None where the model works."""
    try:
        found = load_model(folder).predict_proba(pg.read_pairs(pg.DEMO)[:3])
    except pg.PairsError as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) < 1000
        return str(error)
    assert found.shape == (3,) and np.isfinite(found).all()
    return None


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("hashes", [True, False])
def test_a_file_that_is_not_whole(saved, tmp_path, name, hashes):
    for file in damaged(saved, name, tmp_path, hashes):
        optional = file.name == "tokenizer_config.json"  # all that it says has a default
        before = file.read_bytes()
        for cut in CUTS:
            file.write_bytes(CUTS[cut](before))
            assert outcome(file.parent) is not None or (optional and cut == "no key"), (file.name, cut)
        file.unlink()
        assert outcome(file.parent) is not None or optional, file.name
        file.write_bytes(before)


def weights(model):
    return [value.sum().item() for value in model.network.state_dict().values()]


#: What fits a model to a seed, from a transformer in a folder.
MAKERS = {
    "adapter": lambda n, tiny: LowRank(tiny, rank=2, seed=n).fit(PAIRS),
    "cosine": lambda n, tiny: Cosine(tiny, seed=n, epochs=1).fit(PAIRS),
    "bag of words": lambda n, _: Cosine(BagOfWords.of([*PAIRS["text_a"]], 4), seed=n, epochs=1).fit(PAIRS[n:]),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_model_saved_over_another_is_one_of_them_or_refused(name, tmp_path):
    make, folder = MAKERS[name], tmp_path / "model"
    tiny = tiny_bert(tmp_path / "tiny", width=16, layers=1)
    old, new = (make(seed, tiny) for seed in (0, 1))
    old.save(folder)
    old_new_or_refused(folder, lambda: new.save(folder), lambda copy: weights(load_model(copy)), tmp_path)
