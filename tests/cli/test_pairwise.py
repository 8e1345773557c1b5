"""The shell's all-pairs: the same figures as in Python, and errors that name what does not fit."""

import json
import struct
from itertools import combinations

import numpy as np
import pytest

import paragraph as pg
from paragraph.cli import main

TEXTS = ["How do cats purr?", "Why do cats purr?", "What is tea?", "Is tea a drink?", "Where is Paris?"]
FIELDS = ["sentences", "pairs", "positives", "method", "AP", "AP_min", "AP_max", "AP_low", "AP_high", "P_R20"]


@pytest.fixture
def folder(tmp_path):
    rows = [(0, 1, 1), (2, 3, 1), (3, 4, 0)]
    lines = [f"{TEXTS[i]}\t{TEXTS[j]}\t{label}" for i, j, label in rows]
    (tmp_path / "pairs.tsv").write_text("\n".join(["question1\tquestion2\tis_duplicate", *lines, ""]))
    vectors = np.random.default_rng(0).standard_normal((6, 4))
    np.save(tmp_path / "v.npy", vectors)
    (tmp_path / "t.txt").write_text("\n".join(["Nothing of that.", *reversed(TEXTS), ""]))
    scores = [f"{TEXTS[j]}\t{TEXTS[i]}\t{i * 0.1 + j * 0.01}" for i, j in combinations(range(5), 2)]
    (tmp_path / "s.tsv").write_text("\n".join(["question1\tquestion2\tscore", *scores, ""]))
    return tmp_path


def shell(folder, *args):
    return main(["all-pairs", str(folder / "pairs.tsv"), *map(str, args), "-o", str(folder / "out.json")])


def test_vectors_and_scores_give_what_python_gives(folder, capsys):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(folder / "pairs.tsv"))
    vectors = np.load(folder / "v.npy")[[5, 4, 3, 2, 1]]
    assert shell(folder, "--vectors", folder / "v.npy", "--texts", folder / "t.txt") == 0
    written = json.loads((folder / "out.json").read_text())
    assert written == pg.measure.all_pairs(graph, vectors=vectors).summary()
    assert [*written] == [*FIELDS, "threshold"] and written["method"] == "exact"
    assert "average" not in capsys.readouterr().err
    options = ["--random", 3, "--near", 1, "--seed", 4, "-q"]
    assert shell(folder, "--vectors", folder / "v.npy", "--texts", folder / "t.txt", *options) == 0
    written = json.loads((folder / "out.json").read_text())
    assert written == pg.measure.all_pairs(graph, vectors=vectors, random=3, near=1, seed=4).summary()
    record = json.loads((folder / "out.json.record.json").read_text())
    assert record["options"]["random"] == 3 and record["inputs"]["texts"]["file"] == "t.txt"
    assert shell(folder, "--scores", folder / "s.tsv") == 0
    # Falling: .34, .24, .23, .14, .13, .12, .04, .03, .02, .01; positive are 0–1 with .01 and 2–3 with .23.
    assert json.loads((folder / "out.json").read_text())["AP"] == pytest.approx((1 / 3 + 2 / 10) / 2, abs=1e-12)


def test_of_two_spellings_the_first_counts(folder, capsys):
    vectors, texts = folder / "v.npy", folder / "t.txt"
    assert shell(folder, "--vectors", vectors, "--texts", texts) == 0
    first = json.loads((folder / "out.json").read_text())
    np.save(vectors, np.concatenate([np.load(vectors), np.ones((1, 4))]))
    texts.write_text(texts.read_text() + f" {TEXTS[0]} \n")
    assert shell(folder, "--vectors", vectors, "--texts", texts) == 0
    assert json.loads((folder / "out.json").read_text()) == first
    assert "1 lines of" in capsys.readouterr().err


def test_further_sentences_and_two_sides(folder):
    (folder / "more.txt").write_text("Nothing of that.\n")
    options = ["--vectors", folder / "v.npy", "--texts", folder / "t.txt", "--others", folder / "more.txt"]
    assert shell(folder, *options) == 0
    assert json.loads((folder / "out.json").read_text())["pairs"] == 15


@pytest.mark.parametrize(
    ("change", "args", "message"),
    [
        ({}, ["--vectors", "v.npy"], "--vectors needs --texts"),
        ({"t.txt": "one\n"}, ["--vectors", "v.npy", "--texts", "t.txt"], "t.txt has 1 lines, and each needs one row"),
        ({"t.txt": "a\nb\nc\nd\ne\nf"}, ["--vectors", "v.npy", "--texts", "t.txt"], "5 of 5 sentences are not in"),
        ({"s.tsv": "question1\tquestion2\tscore\n"}, ["--scores", "s.tsv"], "10 of 10 pairs have no score"),
        ({"s.tsv": "question1\tquestion2\tscore\nx\ty\t1\n"}, ["--scores", "s.tsv"], "s.tsv, row 2: 'x' is not in"),
        ({}, ["--scores", "s.tsv", "--random", "5"], "leave random out"),
    ],
)
def test_what_does_not_fit_is_named(folder, capsys, change, args, message):
    for name, text in change.items():
        (folder / name).write_text(text)
    args = [folder / arg if "." in arg else arg for arg in args]
    assert shell(folder, *args) == 2
    assert message in capsys.readouterr().err and not (folder / "out.json").exists()


def npy(shape, dtype="<f8", data=b""):
    """The bytes of an array file whose header may promise what is not there."""
    header = str({"descr": dtype, "fortran_order": False, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


DAMAGED = [
    (b"no array", "cannot be used"),
    (b"", "cannot be used"),
    (npy((6, 4))[:30], "cannot be used"),
    (npy((6, 4), data=bytes(100)), "cannot be used"),  # cut off
    (npy((2**32, 1000), data=bytes(100)), "cannot be used"),  # 32 TB
    (npy((2**70, 4)), "cannot be used"),
    (npy((-6, 4), data=bytes(192)), "cannot be used"),
    (npy((6, 4), "|O", bytes(192)), "cannot be used"),
    (b"PK\x03\x04 no more of it", "cannot be used"),
    (npy((6, 4), "<U2", bytes(192)), "holds <U2, not numbers"),
    (
        npy((6, 4), data=struct.pack("<24d", *[1.0] * 11, float("nan"), *[1.0] * 12)),
        "row 3: the vector is not finite",
    ),
    (npy((6, 4), data=struct.pack("<24d", *[1.0] * 23, float("inf"))), "row 6: the vector is not finite"),
]


@pytest.mark.parametrize(("data", "message"), DAMAGED)
def test_damaged_vectors_are_one_line(folder, capsys, data, message):
    (folder / "v.npy").write_bytes(data)
    assert shell(folder, "--vectors", folder / "v.npy", "--texts", folder / "t.txt") == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and "v.npy" in said[0] and message in said[0]
    assert not (folder / "out.json").exists()


@pytest.mark.parametrize("args", [[], ["--scores", "s.tsv", "--encoder", "minilm"]])
def test_one_score_is_measured(folder, args):
    with pytest.raises(SystemExit):
        shell(folder, *args)


def test_no_input_is_written_over(folder, capsys):
    out = ["-o", str(folder / "s.tsv")]
    assert main(["all-pairs", str(folder / "pairs.tsv"), "--scores", str(folder / "s.tsv"), *out]) == 2
    assert "is the input and would be written over" in capsys.readouterr().err


def test_models(folder):
    assert shell(folder, "--encoder", "bow") == 0
    counted = json.loads((folder / "out.json").read_text())
    # Words tell the cats from the rest, of whom "tea" and "is" tell all but Paris.
    assert counted["AP"] == 1 and counted["pairs"] == 10
    pairs = pg.read_pairs(pg.DEMO)
    model = pg.learn.TfidfPairs().fit(pairs)
    model.save(folder / "model")
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(folder / "pairs.tsv"))
    assert shell(folder, "--model", folder / "model") == 0
    expected = pg.measure.all_pairs(graph, scores=model.predict_proba)
    assert json.loads((folder / "out.json").read_text()) == expected.summary()
    assert shell(folder, "--model", folder / "model", "--random", 4, "--near", 1) == 0
    assert json.loads((folder / "out.json").read_text())["method"] == "estimate"
