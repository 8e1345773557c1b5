"""The shell's simulate, collect and all-pairs: tables, records, the round trip by hand, and what is wrong."""

import struct
from itertools import combinations

import numpy as np
import pytest

import paragraph as pg

from .written import load_json, record

TEXTS = pg.read_pairs(pg.DEMO)["text_a"].drop_duplicates().tolist()[:30]
FEW = ["How do cats purr?", "Why do cats purr?", "What is tea?", "Is tea a drink?", "Where is Paris?"]
FIELDS = ["sentences", "pairs", "positives", "method", "AP", "AP_min", "AP_max", "AP_low", "AP_high", "P_R20"]
VECTORS = "all-pairs pairs.tsv --vectors v.npy --texts t.txt -o out.json"
SCORED = "question1\tquestion2\tscore\n"


@pytest.fixture(autouse=True)
def files(desk, put):
    (desk / "texts.txt").write_text("\n".join([*TEXTS, "", TEXTS[0]]) + "\n", encoding="utf-8")
    put("pairs.tsv", (FEW[0], FEW[1], 1), (FEW[2], FEW[3], 1), (FEW[3], FEW[4], 0))
    np.save("v.npy", np.random.default_rng(0).standard_normal((6, 4)))
    (desk / "t.txt").write_text("\n".join(["Nothing of that.", *reversed(FEW), ""]))
    scores = [f"{FEW[j]}\t{FEW[i]}\t{i * 0.1 + j * 0.01}" for i, j in combinations(range(5), 2)]
    (desk / "s.tsv").write_text(SCORED + "\n".join([*scores, ""]))


@pytest.fixture
def graph():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs("pairs.tsv"))


def lines(name):
    with open(name, encoding="utf-8") as file:
        return file.read().splitlines()


def written():
    return load_json("out.json")


def fill_in(name, label=1):
    head, *rows = lines(name)
    with open(name, "w") as file:
        file.write("\n".join([head, *(f"{row}{label}" for row in rows)]) + "\n")


def test_a_batch_is_filled_in_and_is_the_next_labels(run):
    said = run("collect texts.txt -n 5 -o batch.tsv").out
    assert "5 of 435 pairs to label, 0 known" in said and "1 lines that repeat one, 1 blank" in said
    batch = lines("batch.tsv")
    assert batch[0] == "question1\tquestion2\tp\tis_duplicate" and len(batch) == 6
    assert all(line.endswith("\t\t") for line in batch[1:])  # nothing is known of them yet
    told = record("batch.tsv")
    assert told["options"]["strategy"] == "uncertainty" and told["inputs"]["texts"]["file"] == "texts.txt"
    run("collect texts.txt -n 5 -q --judged batch.tsv -o next.tsv")
    assert lines("next.tsv") == batch  # what was left empty is not known
    fill_in("batch.tsv")
    run("collect texts.txt -n 5 --judged batch.tsv -o next.tsv")
    later = lines("next.tsv")
    assert not {line.split("\t\t")[0] for line in batch[1:]} & {line.rsplit("\t", 2)[0] for line in later[1:]}
    assert all(0 <= float(line.split("\t")[2]) <= 1 for line in later[1:])
    fill_in("next.tsv", 0)
    run("collect texts.txt -n 5 --judged batch.tsv next.tsv --strategy random -q -o third.tsv")
    assert record("third.tsv")["known"] == 10


def test_a_sentence_ends_where_a_record_does(run, desk):
    texts = ["what\u2028is this", "a\x85b c", "form\x0cfeed here", "file\x1cends"]
    (desk / "texts.txt").write_bytes("\r\n".join([*texts, ""]).encode())
    run("collect texts.txt -q -n 99 -o batch.tsv")
    batch = pg.read_pairs("batch.tsv", unlabelled="keep")
    assert {*batch["text_a"], *batch["text_b"]} == {*texts}


def test_pairs_of_two_files(run, desk):
    (desk / "others.txt").write_text("\n".join(TEXTS[20:]) + "\n")
    (desk / "texts.txt").write_text("\n".join(TEXTS[:20]) + "\n")
    run("collect texts.txt -n 5 -q --others others.txt --strategy random -o batch.tsv")
    rows = [line.split("\t")[:2] for line in lines("batch.tsv")[1:]]
    assert all(a in TEXTS[:20] and b in TEXTS[20:] for a, b in rows)


@pytest.mark.slow
def test_simulate_writes_results_questions_and_a_record(run, desk):
    pairs = pg.read_pairs(pg.DEMO)
    pg.write_pairs(pairs[pairs["label"] == 1], "many.tsv")  # of many components
    options = "--first 10 --rounds 2 --seeds 1 --neighbours 10 --sentences 200 -o res.tsv"
    done = run(f"simulate many.tsv --strategies random,uncertainty {options}")
    head, *rows = (line.split("\t") for line in lines("res.tsv"))
    assert " ".join(head) == "strategy seed round asked positives ap_dev ap_test p20_test"
    assert [row[:4] for row in rows] == [
        [name, "0", str(at), asked] for name in ("random", "uncertainty") for at, asked in ((1, "10"), (2, "25"))
    ]
    asked = lines("res.asked.tsv")
    assert asked[0] == "strategy\tseed\tround\tquestion1\tquestion2\tis_duplicate" and len(asked) == 51
    told = record("res.tsv")
    assert told["options"]["sentences"] == 200 and told["trained on"] == ""
    assert "uncertainty" in done.out
    before = (desk / "res.tsv").read_bytes()
    run(f"simulate many.tsv -q --strategies random,uncertainty {options}")
    assert (desk / "res.tsv").read_bytes() == before  # the same again


def test_vectors_and_scores_give_what_python_gives(run, graph):
    vectors = np.load("v.npy")[[5, 4, 3, 2, 1]]
    done = run(VECTORS)
    assert written() == pg.measure.all_pairs(graph, vectors=vectors).summary()
    assert [*written()] == [*FIELDS, "threshold"] and written()["method"] == "exact"
    assert "average" not in done.err
    assert run(f"{VECTORS} --random 3 --near 1 --seed 4 -q") == ("", "")
    assert written() == pg.measure.all_pairs(graph, vectors=vectors, random=3, near=1, seed=4).summary()
    told = record("out.json")
    assert told["options"]["random"] == 3 and told["inputs"]["texts"]["file"] == "t.txt"
    run("all-pairs pairs.tsv --scores s.tsv -o out.json")
    # Falling: .34, .24, .23, .14, .13, .12, .04, .03, .02, .01; positive are 0–1 with .01 and 2–3 with .23.
    assert written()["AP"] == pytest.approx((1 / 3 + 2 / 10) / 2, abs=1e-12)


def test_of_two_spellings_the_first_counts_and_further_sentences_join(run, desk):
    run(VECTORS)
    first = written()
    np.save("v.npy", np.concatenate([np.load("v.npy"), np.ones((1, 4))]))
    (desk / "t.txt").write_text((desk / "t.txt").read_text() + f" {FEW[0]} \n")
    assert "1 lines of" in run(VECTORS).err and written() == first
    (desk / "more.txt").write_text("Nothing of that.\n")
    run(f"{VECTORS} --others more.txt")
    assert written()["pairs"] == 15


def test_models(run, graph):
    run("all-pairs pairs.tsv --encoder bow -o out.json")
    # Words tell the cats from the rest, of whom "tea" and "is" tell all but Paris.
    assert written()["AP"] == 1 and written()["pairs"] == 10
    model = pg.learn.TfidfPairs().fit(pg.read_pairs(pg.DEMO))
    model.save("model")
    run("all-pairs pairs.tsv --model model -o out.json")
    assert written() == pg.measure.all_pairs(graph, scores=model.predict_proba).summary()
    run("all-pairs pairs.tsv --model model --random 4 --near 1 -o out.json")
    assert written()["method"] == "estimate"


@pytest.mark.parametrize("command, change, message", [
    ("collect texts.txt --judged texts.txt -o texts.txt", {}, "is the input and would be written over"),
    ("collect nothing.txt -o out.json", {}, "nothing.txt"),
    ("collect empty.txt -o out.json", {"empty.txt": "\n\n"}, "holds no sentence"),
    ("collect latin.txt -o out.json", {"latin.txt": "good\nsch\xf6n\n"}, "latin.txt, line 2: not UTF-8"),
    ("collect texts.txt --encoder nowhere/at/all -o out.json", {}, "nowhere/at/all"),
    (f"simulate {pg.DEMO} --strategies best -o out.json", {}, "'best' is not one of"),
    (f"simulate {pg.DEMO} --sentences 99999 -o out.json", {}, "need 299,997; the data holds 874"),
    (f"simulate {pg.DEMO} --dev {pg.DEMO} -o out.json", {}, "missing: test"),
    ("all-pairs pairs.tsv --vectors v.npy -o out.json", {}, "--vectors needs --texts"),
    (VECTORS, {"t.txt": "one\n"}, "a row of numbers for each of the 1 lines of t.txt"),
    (VECTORS, {"t.txt": "a\nb\nc\nd\ne\nf"}, "5 of 5 sentences are not in"),
    ("all-pairs pairs.tsv --scores s.tsv -o out.json", {"s.tsv": f"{SCORED}x\ty\t1\n"}, "row 2: 'x' is not in"),
    ("all-pairs pairs.tsv --model minilm -o out.json", {}, "--model minilm is no folder that"),
    ("all-pairs pairs.tsv -o out.json", {}, "one of the arguments --scores --vectors --encoder --model"),
    ("all-pairs pairs.tsv --scores s.tsv --encoder minilm -o out.json", {}, "not allowed with argument"),
])  # fmt: skip
def test_what_is_wrong_writes_nothing(refuses, desk, command, change, message):
    for name, text in change.items():
        (desk / name).write_bytes(text.encode("latin-1"))
    refuses(message, command)


def npy(shape, dtype="<f8", data=b""):
    """The bytes of an array file whose header may promise what is not there."""
    header = str({"descr": dtype, "fortran_order": False, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def numbers(*values):
    return npy((6, 4), data=struct.pack("<24d", *values))


@pytest.mark.parametrize("data, message", [
    *((data, "v.npy: cannot be used") for data in (
        b"no array", b"", npy((6, 4))[:30], npy((6, 4), data=bytes(100)), b"PK\x03\x04 no more of it",
        npy((2**32, 1000), data=bytes(100)), npy((2**70, 4)),  # 32 TB, and more
        npy((-6, 4), data=bytes(192)), npy((6, 4), "|O", bytes(192)),
    )),
    (npy((6, 4), "<U2", bytes(192)), "v.npy holds <U2, (6, 4); it needs a row of numbers"),
    (numbers(*[1.0] * 11, float("nan"), *[1.0] * 12), "v.npy, row 3: the vector is not finite"),
    (numbers(*[1.0] * 23, float("inf")), "v.npy, row 6: the vector is not finite"),
])  # fmt: skip
def test_damaged_vectors_are_one_line(refuses, desk, data, message):
    (desk / "v.npy").write_bytes(data)
    assert refuses(message, VECTORS).err.count("\n") == 1
