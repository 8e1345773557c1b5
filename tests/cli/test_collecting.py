"""The shell's simulate and collect: tables, records, the round trip by hand, and errors that say what is wrong."""

import json

import pytest

import paragraph as pg
from paragraph.cli import main

TEXTS = pg.read_pairs(pg.DEMO)["text_a"].drop_duplicates().tolist()[:30]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "texts.txt").write_text("\n".join([*TEXTS, "", TEXTS[0]]) + "\n", encoding="utf-8")
    return tmp_path


def collect(folder, *args, output="batch.tsv"):
    return main(["collect", str(folder / "texts.txt"), "-n", "5", *map(str, args), "-o", str(folder / output)])


def filled(path, label=1):
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *(f"{line}{label}" for line in lines[1:])]) + "\n")


def test_a_batch_is_filled_in_and_is_the_next_labels(folder, capsys):
    assert collect(folder) == 0
    said = capsys.readouterr().out
    assert "5 of 435 pairs to label, 0 known" in said and "1 lines that repeat one, 1 blank" in said
    batch = (folder / "batch.tsv").read_text().splitlines()
    assert batch[0] == "question1\tquestion2\tp\tis_duplicate" and len(batch) == 6
    assert all(line.endswith("\t\t") for line in batch[1:])  # nothing is known of them yet
    record = json.loads((folder / "batch.tsv.record.json").read_text())
    assert record["options"]["strategy"] == "uncertainty" and record["inputs"]["texts"]["file"] == "texts.txt"
    filled(folder / "batch.tsv")
    assert collect(folder, "--judged", folder / "batch.tsv", output="next.tsv") == 0
    later = (folder / "next.tsv").read_text().splitlines()
    assert not {line.split("\t\t")[0] for line in batch[1:]} & {line.rsplit("\t", 2)[0] for line in later[1:]}
    assert all(0 <= float(line.split("\t")[2]) <= 1 for line in later[1:])
    filled(folder / "next.tsv", 0)
    files = [folder / "batch.tsv", folder / "next.tsv"]
    assert collect(folder, "--judged", *files, "--strategy", "random", "-q", output="third.tsv") == 0
    assert json.loads((folder / "third.tsv.record.json").read_text())["known"] == 10


def test_what_was_left_empty_is_not_known(folder):
    assert collect(folder, "-q") == 0
    assert collect(folder, "-q", "--judged", folder / "batch.tsv", output="next.tsv") == 0
    assert (folder / "next.tsv").read_text() == (folder / "batch.tsv").read_text()


def test_a_sentence_ends_where_a_record_does(folder):
    texts = ["what\u2028is this", "a\x85b c", "form\x0cfeed here", "file\x1cends"]
    (folder / "texts.txt").write_bytes("\r\n".join([*texts, ""]).encode())
    assert collect(folder, "-q", "-n", 99) == 0
    batch = pg.read_pairs(folder / "batch.tsv", unlabelled="keep")
    assert {*batch["text_a"], *batch["text_b"]} == {*texts}


def test_pairs_of_two_files(folder):
    (folder / "others.txt").write_text("\n".join(TEXTS[20:]) + "\n")
    (folder / "texts.txt").write_text("\n".join(TEXTS[:20]) + "\n")
    assert collect(folder, "-q", "--others", folder / "others.txt", "--strategy", "random") == 0
    rows = [line.split("\t")[:2] for line in (folder / "batch.tsv").read_text().splitlines()[1:]]
    assert all(a in TEXTS[:20] and b in TEXTS[20:] for a, b in rows)


def test_simulate_writes_results_questions_and_a_record(tmp_path, capsys):
    out, pairs = tmp_path / "res.tsv", pg.read_pairs(pg.DEMO)
    pg.write_pairs(pairs[pairs["label"] == 1], tmp_path / "pairs.tsv")  # of many components
    options = ["--strategies", "random,uncertainty", "--first", "10", "--rounds", "2", "--seeds", "1"]
    options += ["--neighbours", "10", "--sentences", "200", "-o", out]
    assert main(["simulate", str(tmp_path / "pairs.tsv"), *map(str, options)]) == 0
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    assert " ".join(lines[0]) == "strategy seed round asked positives ap_dev ap_test p20_test"
    assert [line[:4] for line in lines[1:]] == [
        [name, "0", str(at), asked] for name in ("random", "uncertainty") for at, asked in ((1, "10"), (2, "25"))
    ]
    asked = (tmp_path / "res.asked.tsv").read_text().splitlines()
    assert asked[0] == "strategy\tseed\tround\tquestion1\tquestion2\tis_duplicate" and len(asked) == 51
    record = json.loads((tmp_path / "res.tsv.record.json").read_text())
    assert record["options"]["sentences"] == 200 and record["trained on"] == ""
    assert "uncertainty" in capsys.readouterr().out
    before = out.read_bytes()
    assert main(["simulate", str(tmp_path / "pairs.tsv"), "-q", *map(str, options)]) == 0
    assert out.read_bytes() == before  # the same again


@pytest.mark.parametrize(
    "line, message",
    [
        ("collect texts.txt --judged texts.txt -o texts.txt", "is the input and would be written over"),
        ("collect nothing.txt -o out.tsv", "nothing.txt"),
        ("collect empty.txt -o out.tsv", "holds no sentence"),
        ("collect latin.txt -o out.tsv", "latin.txt, line 2: not UTF-8"),
        ("collect texts.txt -n 0 -o out.tsv", "n 0 is not a whole number of 1 or more"),
        ("collect texts.txt --encoder nowhere/at/all -o out.tsv", "nowhere/at/all"),
        (f"simulate {pg.DEMO} --strategies best -o out.tsv", "'best' is not one of"),
        (
            f"simulate {pg.DEMO} --sentences 99999 -o out.tsv",
            "need 299,997; the data holds 874",
        ),
        (f"simulate {pg.DEMO} --dev {pg.DEMO} -o out.tsv", "missing: test"),
    ],
)
def test_errors_say_what_is_wrong_and_leave_no_file(folder, monkeypatch, capsys, line, message):
    monkeypatch.chdir(folder)
    (folder / "empty.txt").write_text("\n\n")
    (folder / "latin.txt").write_bytes("good\nschön\n".encode("latin-1"))
    before = sorted(folder.iterdir())
    assert main(line.split()) == 2
    assert message in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before
