"""Classifiers of other people as judges: which output speaks for a paraphrase, and what is refused."""

import json
import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import load_file, save_file

from paragraph.doubts.heads import head_of
from paragraph.doubts.judges import judge_of
from paragraph.learn import describe, encode
from paragraph.learn.encoder import MissingModel, load, load_tokenizer

from ..learn.tiny import tiny_classifier
from ..refused import refused


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch, exact):
    monkeypatch.setenv("PARAGRAPH_CACHE", str(tmp_path / "cache"))


PAIRS = pd.DataFrame({"text_a": ["How do cats purr?", "Is tea hot?", "x"], "text_b": ["Why do cats?", "Tea?", "x"]})


def test_which_output_speaks_for_a_paraphrase_and_labels_that_do_not_say_are_named():
    # Labels of classifiers that others have trained: the output that speaks for a paraphrase, and whether it entails.
    for head, labels in {
        (0, False): "Paraphrase Non-Paraphrase, is_duplicate is_not_duplicate, SAME DIFFERENT, LABEL_0",
        (1, False): "not_paraphrase paraphrase, not_equivalent equivalent, no yes, LABEL_0 LABEL_1",
        (0, True): "entailment not_entailment",
        (2, True): "CONTRADICTION NEUTRAL ENTAILMENT",
    }.items():
        assert {head_of(some.split())[:2] for some in labels.split(", ")} == {head}
    for labels in ("NEGATIVE POSITIVE", "LABEL_0 LABEL_1 LABEL_2", "LABEL_1 LABEL_0", "paraphrase duplicate", ""):
        said = refused("id2label: not_paraphrase and paraphrase", head_of, labels.split(), "toy")
        assert all(repr(label) in said for label in labels.split())


def test_probabilities_by_hand():
    """Odds of 3 : 1 in one order, 1 : 1 in the other."""
    both = np.log([[1.0, 3.0], [1.0, 1.0]])
    assert head_of(["no", "yes"]).probability(both) == pytest.approx([(3 / 4 + 1 / 2) / 2])
    assert head_of(["entailment", "not_entailment"]).probability(both) == pytest.approx([1 / 4])
    ways = np.log([[1, 8, 1], [2, 2, 6], [2, 5, 3], [1, 1, 8]])  # two pairs; then both the other way round
    assert head_of(["neutral", "entailment", "contradiction"]).probability(ways) == pytest.approx([0.5, 0.1])
    assert head_of(["LABEL_0"]).probability(np.array([[0.0], [math.log(3)]])) == pytest.approx([(1 / 2 + 3 / 4) / 2])
    assert head_of(["no", "yes"]).probability(np.array([[0.0, 1e4], [0.0, 1e4]])) == pytest.approx([1])


def test_a_folder_is_asked_both_ways(tmp_path):
    folder = tiny_classifier(tmp_path / "bert", ["duplicate", "not_duplicate"])
    left, right = PAIRS["text_a"].tolist(), PAIRS["text_b"].tolist()
    judge = judge_of(folder)
    found = judge(left, right)
    model, tokenizer = load(folder, "ForSequenceClassification", fitted=True), load_tokenizer(folder)
    with torch.inference_mode():  # as plain transformers would
        there, back = (
            model(**tokenizer(a, b, padding=True, return_tensors="pt")).logits.softmax(1)[:, 0]
            for a, b in ((left, right), (right, left))
        )
    assert (there - back).abs().max() > 0.01  # so that the order tells
    np.testing.assert_allclose(found, (there + back) / 2, atol=1e-4)
    seen = "unknown (see the model's card)"
    assert judge.about == f"P('duplicate'), the mean of both orders; it has seen: {seen}"
    np.testing.assert_array_equal(judge_of(str(folder))(left, right), found)  # from the cache
    assert judge([], []).shape == (0,)


def changed(folder, file="config.json", **entries):
    path = folder / file
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
    return folder


def test_code_that_a_model_brings_is_never_run(tmp_path, monkeypatch):
    ran = tmp_path / "ran"
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("it asked"))
    code = {"AutoConfig": "own.Own", "AutoTokenizer": ["own.Own", None]}
    for i, file in enumerate(("config.json", "tokenizer_config.json")):
        folder = tiny_classifier(tmp_path / f"bert{i}", ["no", "yes"])
        (folder / "own.py").write_text(f"open({str(ran)!r}, 'w')\nclass Own: pass\n")
        changed(folder, file, auto_map=code, model_type="own")
        for ask in (describe, load, judge_of):
            refused("contains its own Python code", ask, folder)
    assert not ran.exists()


def test_outputs_that_are_no_probabilities_and_a_head_that_is_not_there(tiny, tmp_path):
    folder = tiny_classifier(tmp_path / "single", ["LABEL_0"])
    for kind in ("regression", "multi_label_classification"):
        changed(folder, problem_type=kind)
        refused(f"says {kind}.*as the model, or columns", judge_of, folder)
    refused("no classification head", judge_of, tiny)  # and none is drawn at random
    folder = tiny_classifier(tmp_path / "bert", ["no", "yes"])
    path = folder / "model.safetensors"
    weights = load_file(path)
    for lost in ("classifier.weight", "bert.embeddings.word_embeddings.weight"):
        save_file({k: v for k, v in weights.items() if k != lost}, path, metadata={"format": "pt"})
        refused("lack 1 of those it needs", judge_of(folder), ["a"], ["b"])
        if lost.startswith("classifier"):
            assert load(folder, "ForSequenceClassification", 2).num_labels == 2  # to be trained, a new head will do
    for head in ("", "ForSequenceClassification"):
        refused("lack 1 of those it needs", load, folder, head)


def test_no_name_of_a_model(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for name in ("\0", "a\0b", "\ud800", "x" * 5000, "a/b/c", "", "~nobody/there", "../no", "no\nsuch"):
        for ask in (describe, partial(encode, ["a"]), partial(judge_of, progress=False)):
            with pytest.raises(MissingModel) as caught:
                ask(name)
            assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 600, ascii(name)
