"""The shell's simulate, collect and all-pairs: tables, records, the round trip by hand, and what is wrong."""

import json
import struct
from itertools import combinations

import numpy as np
import pytest

import paragraph as pg

TEXTS = pg.read_pairs(pg.DEMO)["text_a"].drop_duplicates().tolist()[:30]
FEW = ["How do cats purr?", "Why do cats purr?", "What is tea?", "Is tea a drink?", "Where is Paris?"]
FIELDS = ["sentences", "pairs", "positives", "method", "AP", "AP_min", "AP_max", "AP_low", "AP_high", "P_R20"]
VECTORS = "all-pairs pairs.tsv --vectors v.npy --texts t.txt -o out.json"


@pytest.fixture(autouse=True)
def files(desk, put):
    (desk / "texts.txt").write_text("\n".join([*TEXTS, "", TEXTS[0]]) + "\n", encoding="utf-8")
    put("pairs.tsv", (FEW[0], FEW[1], 1), (FEW[2], FEW[3], 1), (FEW[3], FEW[4], 0))
    np.save("v.npy", np.random.default_rng(0).standard_normal((6, 4)))
    (desk / "t.txt").write_text("\n".join(["Nothing of that.", *reversed(FEW), ""]))
    scores = [f"{FEW[j]}\t{FEW[i]}\t{i * 0.1 + j * 0.01}" for i, j in combinations(range(5), 2)]
    (desk / "s.tsv").write_text("\n".join(["question1\tquestion2\tscore", *scores, ""]))


@pytest.fixture
def graph():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs("pairs.tsv"))


def lines(name):
    with open(name, encoding="utf-8") as file:
        return file.read().splitlines()


def written(name="out.json"):
    with open(name) as file:
        return json.load(file)


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
    record = written("batch.tsv.record.json")
    assert record["options"]["strategy"] == "uncertainty" and record["inputs"]["texts"]["file"] == "texts.txt"
    assert run("collect texts.txt -n 5 -q --judged batch.tsv -o next.tsv").status == 0
    assert lines("next.tsv") == batch  # what was left empty is not known
    fill_in("batch.tsv")
    assert run("collect texts.txt -n 5 --judged batch.tsv -o next.tsv").status == 0
    later = lines("next.tsv")
    assert not {line.split("\t\t")[0] for line in batch[1:]} & {line.rsplit("\t", 2)[0] for line in later[1:]}
    assert all(0 <= float(line.split("\t")[2]) <= 1 for line in later[1:])
    fill_in("next.tsv", 0)
    assert run("collect texts.txt -n 5 --judged batch.tsv next.tsv --strategy random -q -o third.tsv").status == 0
    assert written("third.tsv.record.json")["known"] == 10


def test_a_sentence_ends_where_a_record_does(run, desk):
    texts = ["what\u2028is this", "a\x85b c", "form\x0cfeed here", "file\x1cends"]
    (desk / "texts.txt").write_bytes("\r\n".join([*texts, ""]).encode())
    assert run("collect texts.txt -q -n 99 -o batch.tsv").status == 0
    batch = pg.read_pairs("batch.tsv", unlabelled="keep")
    assert {*batch["text_a"], *batch["text_b"]} == {*texts}


def test_pairs_of_two_files(run, desk):
    (desk / "others.txt").write_text("\n".join(TEXTS[20:]) + "\n")
    (desk / "texts.txt").write_text("\n".join(TEXTS[:20]) + "\n")
    assert run("collect texts.txt -n 5 -q --others others.txt --strategy random -o batch.tsv").status == 0
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
    record = written("res.tsv.record.json")
    assert record["options"]["sentences"] == 200 and record["trained on"] == ""
    assert done.status == 0 and "uncertainty" in done.out
    before = (desk / "res.tsv").read_bytes()
    assert run(f"simulate many.tsv -q --strategies random,uncertainty {options}").status == 0
    assert (desk / "res.tsv").read_bytes() == before  # the same again


def test_vectors_and_scores_give_what_python_gives(run, graph):
    vectors = np.load("v.npy")[[5, 4, 3, 2, 1]]
    done = run(VECTORS)
    assert written() == pg.measure.all_pairs(graph, vectors=vectors).summary()
    assert [*written()] == [*FIELDS, "threshold"] and written()["method"] == "exact"
    assert done.status == 0 and "average" not in done.err
    assert run(f"{VECTORS} --random 3 --near 1 --seed 4 -q") == (0, "", "")
    assert written() == pg.measure.all_pairs(graph, vectors=vectors, random=3, near=1, seed=4).summary()
    record = written("out.json.record.json")
    assert record["options"]["random"] == 3 and record["inputs"]["texts"]["file"] == "t.txt"
    assert run("all-pairs pairs.tsv --scores s.tsv -o out.json").status == 0
    # Falling: .34, .24, .23, .14, .13, .12, .04, .03, .02, .01; positive are 0–1 with .01 and 2–3 with .23.
    assert written()["AP"] == pytest.approx((1 / 3 + 2 / 10) / 2, abs=1e-12)


def test_of_two_spellings_the_first_counts_and_further_sentences_join(run, desk):
    run(VECTORS)
    first = written()
    np.save("v.npy", np.concatenate([np.load("v.npy"), np.ones((1, 4))]))
    (desk / "t.txt").write_text((desk / "t.txt").read_text() + f" {FEW[0]} \n")
    assert "1 lines of" in run(VECTORS).err and written() == first
    (desk / "more.txt").write_text("Nothing of that.\n")
    assert run(f"{VECTORS} --others more.txt").status == 0 and written()["pairs"] == 15


def test_models(run, graph):
    assert run("all-pairs pairs.tsv --encoder bow -o out.json").status == 0
    # Words tell the cats from the rest, of whom "tea" and "is" tell all but Paris.
    assert written()["AP"] == 1 and written()["pairs"] == 10
    model = pg.learn.TfidfPairs().fit(pg.read_pairs(pg.DEMO))
    model.save("model")
    assert run("all-pairs pairs.tsv --model model -o out.json").status == 0
    assert written() == pg.measure.all_pairs(graph, scores=model.predict_proba).summary()
    assert run("all-pairs pairs.tsv --model model --random 4 --near 1 -o out.json").status == 0
    assert written()["method"] == "estimate"


@pytest.mark.parametrize(
    "command, change, message",
    [
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
        ("all-pairs pairs.tsv --scores s.tsv -o out.json", {"s.tsv": "x\ty\t1\n"}, "s.tsv, row 2: 'x' is not in"),
        ("all-pairs pairs.tsv --model minilm -o out.json", {}, "--model minilm is no folder that"),
        ("all-pairs pairs.tsv --scores s.tsv -o s.tsv", {}, "is the input and would be written over"),
        ("all-pairs pairs.tsv -o out.json", {}, "one of the arguments --scores --vectors --encoder --model"),
        ("all-pairs pairs.tsv --scores s.tsv --encoder minilm -o out.json", {}, "not allowed with argument"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(run, desk, command, change, message):
    for name, text in change.items():
        head = "question1\tquestion2\tscore\n" if name == "s.tsv" else ""
        (desk / name).write_bytes((head + text).encode("latin-1"))
    before = {path: path.read_bytes() for path in desk.iterdir()}
    done = run(command)
    assert done.status == 2 and message in done.err
    assert {path: path.read_bytes() for path in desk.iterdir()} == before


def npy(shape, dtype="<f8", data=b""):
    """The bytes of an array file whose header may promise what is not there."""
    header = str({"descr": dtype, "fortran_order": False, "shape": shape}).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def numbers(*values):
    return npy((6, 4), data=struct.pack("<24d", *values))


@pytest.mark.parametrize(
    "data, message",
    [
        (b"no array", "cannot be used"),
        (b"", "cannot be used"),
        (npy((6, 4))[:30], "cannot be used"),
        (npy((6, 4), data=bytes(100)), "cannot be used"),  # cut off
        (npy((2**32, 1000), data=bytes(100)), "cannot be used"),  # 32 TB
        (npy((2**70, 4)), "cannot be used"),
        (npy((-6, 4), data=bytes(192)), "cannot be used"),
        (npy((6, 4), "|O", bytes(192)), "cannot be used"),
        (b"PK\x03\x04 no more of it", "cannot be used"),
        (npy((6, 4), "<U2", bytes(192)), "holds <U2, (6, 4); it needs a row of numbers"),
        (numbers(*[1.0] * 11, float("nan"), *[1.0] * 12), "row 3: the vector is not finite"),
        (numbers(*[1.0] * 23, float("inf")), "row 6: the vector is not finite"),
    ],
)
def test_damaged_vectors_are_one_line(run, desk, data, message):
    (desk / "v.npy").write_bytes(data)
    done = run(VECTORS)
    assert done.status == 2 and done.err.count("\n") == 1 and "v.npy" in done.err and message in done.err
    assert not (desk / "out.json").exists()
