"""Opinions of classifiers that others have trained: what their labels mean, both orders, and what is refused."""

import json
import math

import numpy as np
import pandas as pd
import pytest
import torch

import paragraph as pg
from paragraph.learn import describe, encode, pair_opinions
from paragraph.learn.pretrained.classify import head_of
from paragraph.learn.pretrained.find import MissingModel, load_classifier, load_encoder

from .tiny import tiny_bert, tiny_classifier

PAIRS = pd.DataFrame(
    [
        ("How do cats purr?", "Why do cats purr?"),
        ("Why do cats purr?", "How do cats purr?"),
        ("Is tea hot?", "Is the tea cold or hot?"),
        ("x", "x"),
    ],
    columns=["text_a", "text_b"],
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PARAGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PARAGRAPH_BFLOAT16", "0")


def logits(folder, a, b):
    """What plain transformers says of ordered pairs."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    found = AutoTokenizer.from_pretrained(folder)(list(a), list(b), padding=True, return_tensors="pt")
    with torch.inference_mode():
        return AutoModelForSequenceClassification.from_pretrained(folder).eval()(**found).logits.double()


@pytest.mark.parametrize(
    ("labels", "output", "entails"),
    [
        (["not_paraphrase", "paraphrase"], 1, False),
        (["Paraphrase", "Non-Paraphrase"], 0, False),
        (["not_equivalent", "equivalent"], 1, False),
        (["Duplicate", "Not Duplicate"], 0, False),
        (["is_duplicate", "is_not_duplicate"], 0, False),
        (["no", "yes"], 1, False),
        (["SAME", "DIFFERENT"], 0, False),
        (["inequivalent", "equivalent"], 1, False),
        (["LABEL_0", "LABEL_1"], 1, False),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], 2, True),
        (["neutral", "Entailment", "contradiction"], 1, True),
        (["entailment", "not_entailment"], 0, True),
        (["LABEL_0"], 0, False),
    ],
)
def test_which_output_speaks_for_a_paraphrase(labels, output, entails):
    assert head_of(labels)[:2] == (output, entails)


@pytest.mark.parametrize(
    "labels",
    [
        ["NEGATIVE", "POSITIVE"],
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["LABEL_1", "LABEL_0"],
        ["paraphrase", "duplicate"],
        ["not_paraphrase", "no"],
        ["entailment", "neutral", "other"],
        [],
    ],
)
def test_labels_that_do_not_say_are_named(labels):
    with pytest.raises(pg.PairsError, match="id2label: not_paraphrase and paraphrase") as caught:
        head_of(labels, "toy")
    assert all(repr(label) in str(caught.value) for label in labels)


def test_probabilities_by_hand():
    """Odds of 3 : 1 in one order, 1 : 1 in the other."""
    both = np.log([[1.0, 3.0], [1.0, 1.0]])
    assert head_of(["no", "yes"]).probability(both) == pytest.approx([(3 / 4 + 1 / 2) / 2])
    assert head_of(["entailment", "not_entailment"]).probability(both) == pytest.approx([1 / 4])
    ways = np.log([[1, 8, 1], [2, 2, 6], [2, 5, 3], [1, 1, 8]])  # two pairs; then both the other way round
    assert head_of(["neutral", "entailment", "contradiction"]).probability(ways) == pytest.approx([0.5, 0.1])
    assert head_of(["LABEL_0"]).probability(np.array([[0.0], [math.log(3)]])) == pytest.approx([(1 / 2 + 3 / 4) / 2])
    assert head_of(["no", "yes"]).probability(np.array([[0.0, 1e4], [0.0, 1e4]])) == pytest.approx([1])


@pytest.mark.parametrize(
    ("labels", "reads"),
    [
        (["duplicate", "not_duplicate"], "P('duplicate'), the mean of both orders"),
        (["NEUTRAL", "CONTRADICTION", "ENTAILMENT"], "P('ENTAILMENT'), the least of both ways"),
        (["LABEL_0"], "sigmoid of its one output, the mean of both orders"),
    ],
)
def test_a_folder_is_asked_both_ways(tmp_path, labels, reads):
    folder = tiny_classifier(tmp_path / "bert", labels)
    found = pair_opinions(PAIRS, folder, encoder=folder, progress=False)
    there, back = logits(folder, PAIRS["text_a"], PAIRS["text_b"]), logits(folder, PAIRS["text_b"], PAIRS["text_a"])
    if len(labels) == 1:
        expected = (there.sigmoid() + back.sigmoid())[:, 0] / 2
    elif len(labels) == 2:
        expected = (there.softmax(1) + back.softmax(1))[:, 0] / 2
    else:
        expected = torch.minimum(there.softmax(1), back.softmax(1))[:, 2]
    assert (there - back).abs().max() > 0.1  # so that the order tells
    np.testing.assert_allclose(found["model"], expected, atol=1e-4)
    assert found["model"][0] == pytest.approx(found["model"][1], abs=1e-4)
    assert found["model"].std() > 0.001
    assert found.columns.tolist() == ["text_a", "text_b", "model", "cosine"]
    assert found.attrs == {
        "out_of_fold": False,
        "model": str(folder),
        "reads": reads,
        "trained_on": "unknown (see the model's card)",
    }
    again = pair_opinions(PAIRS, str(folder), encoder=folder, progress=False)  # from the cache
    np.testing.assert_array_equal(again["model"], found["model"])
    assert pair_opinions(PAIRS[:0], folder, encoder=folder, progress=False).empty


def changed(folder, file="config.json", **entries):
    path = folder / file
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
    return folder


def test_code_that_a_model_brings_is_never_run(tmp_path, monkeypatch):
    ran = tmp_path / "ran"
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("it asked"))
    for i, file in enumerate(("config.json", "tokenizer_config.json")):
        folder = tiny_classifier(tmp_path / f"bert{i}", ["no", "yes"])
        (folder / "own.py").write_text(f"open({str(ran)!r}, 'w')\nclass Own: pass\n")
        changed(
            folder, file, auto_map={"AutoConfig": "own.Own", "AutoTokenizer": ["own.Own", None]}, model_type="own"
        )
        for ask in (describe, load_encoder, lambda f: pair_opinions(PAIRS, f, progress=False)):
            with pytest.raises(pg.PairsError, match="brings Python code of its own"):
                ask(folder)
    assert not ran.exists()


@pytest.mark.parametrize("entries", [{"problem_type": "regression"}, {"problem_type": "multi_label_classification"}])
def test_outputs_that_are_no_probabilities(tmp_path, entries):
    folder = changed(tiny_classifier(tmp_path / "bert", ["LABEL_0"]), **entries)
    with pytest.raises(pg.PairsError, match=f"says {entries['problem_type']}.*as the model, or columns"):
        pair_opinions(PAIRS, folder, progress=False)


def test_a_head_that_is_not_there_is_not_drawn_at_random(tmp_path):
    from safetensors.torch import load_file, save_file

    with pytest.raises(pg.PairsError, match="no classification head"):
        pair_opinions(PAIRS, tiny_bert(tmp_path / "headless"), progress=False)
    folder = tiny_classifier(tmp_path / "bert", ["no", "yes"])
    path = folder / "model.safetensors"
    weights = load_file(path)
    save_file({k: v for k, v in weights.items() if k != "classifier.weight"}, path, metadata={"format": "pt"})
    with pytest.raises(pg.PairsError, match=r"lack 1 of those it needs \(classifier.weight\)"):
        pair_opinions(PAIRS, folder, progress=False)
    assert load_classifier(folder).num_labels == 2  # to be trained, a new head will do
    lost = {k: v for k, v in weights.items() if k != "bert.embeddings.word_embeddings.weight"}
    save_file(lost, path, metadata={"format": "pt"})
    for load in (load_classifier, load_encoder):
        with pytest.raises(pg.PairsError, match="lack 1 of those it needs"):
            load(folder)


NAMES = ["\0", "a\0b", "\ud800", "x" * 5000, "a/b/c", "", " ", "~nobody/there", "../no", "no\nsuch"]


@pytest.mark.parametrize("name", NAMES, ids=[ascii(name)[:12] for name in NAMES])
def test_no_name_of_a_model(name, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for ask in (describe, lambda name: encode(["a"], name), lambda name: pair_opinions(PAIRS, name, progress=False)):
        with pytest.raises(MissingModel) as caught:
            ask(name)
        assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 600
