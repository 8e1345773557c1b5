"""The shell's shuffle: pairs with all their columns, sentences, and errors that say what to do."""

import json

import pandas as pd
import pytest

CAT, DOG, SLEEP = "猫が机で魚を食べている", "犬が庭で寝ている", "犬が寝ている"
FILE = f"pair\tpremise\thypothesis\tlabel\tnote\nA\t{CAT}\t{DOG}\t0\t=x\nB\t{DOG}\t{SLEEP}\t1\t\n"
PARSES = [
    {
        "text": CAT,
        "phrases": ["猫が", "机で", "魚を", "食べている"],
        "heads": [3, 3, 3, -1],
        "pinned": [3],
    },
    {"text": DOG, "phrases": ["犬が", "庭で", "寝ている"], "heads": [2, 2, -1], "pinned": [2]},
    {"text": SLEEP, "phrases": ["犬が", "寝ている"], "heads": [1, -1], "pinned": [1]},
]
COLUMNS = "text_a=premise,text_b=hypothesis"


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.tsv").write_text(FILE, encoding="utf-8")
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, PARSES)), encoding="utf-8")
    (tmp_path / "t.txt").write_text("\n".join(parse["text"] for parse in PARSES), encoding="utf-8")
    return tmp_path


def table(name="out.tsv"):
    return pd.read_csv(name, sep="\t", dtype=str, keep_default_na=False)


def test_pairs_keep_all_columns_and_say_where_they_come_from(run, desk):
    status, out, error = run("shuffle", "pairs.tsv", "--columns", COLUMNS, "--parses", "p.jsonl", "-o", "out.tsv")
    assert (status, error) == (0, "")
    made = table()
    assert [*made] == ["pair", "premise", "hypothesis", "label", "note", "from_row", "side", "order"]
    assert made[:2].to_csv(columns=[*made][:5], sep="\t", index=False) == FILE
    assert made["from_row"].tolist() == ["", "", "2", "2", "2", "3"]
    assert made["side"].tolist()[2:] == ["premise", "hypothesis", "both", "premise"]
    record = json.loads((desk / "out.tsv.record.json").read_text(encoding="utf-8"))
    assert record["shuffling"]["dropped"] == {"no other order": 2}
    assert record["options"]["rule"] == "strict" and record["inputs"]["parses"]["file"] == "p.jsonl"
    assert "2 premise; 1 hypothesis; 1 both; left out: 2 no other order" in out


def test_sentences_with_the_number_of_their_orders(run):
    assert run("shuffle", "--sentences", "t.txt", "--parses", "p.jsonl", "-n", "9", "-o", "out.tsv")[0] == 0
    made = table()
    assert [*made] == ["text", "shuffled", "order", "orders"]
    assert made["orders"].tolist() == ["6"] * 5 + ["2"] and made["order"].iloc[-1] == "1 0 2"


def test_it_is_the_same_bytes_for_the_same_seed(run, desk):
    for name in ("a.tsv", "b.tsv"):
        run("shuffle", "pairs.tsv", "--columns", COLUMNS, "--parses", "p.jsonl", "--rule", "paper", "-o", name)
    assert (desk / "a.tsv").read_bytes() == (desk / "b.tsv").read_bytes()


@pytest.mark.parametrize("args, why", [
    ([], "name a file of pairs, or sentences with --sentences"),
    (["pairs.tsv", "--sentences", "t.txt"], "name a file of pairs, or"),
    (["pairs.tsv"], "no column for text_a"),
    (["pairs.tsv", "--columns", COLUMNS, "--rule", "words", "--parses", "p.jsonl"], "holds no words"),
    (["pairs.tsv", "--columns", COLUMNS, "--parses", "pairs.tsv"], "pairs.tsv, row 1: not JSON"),
])  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_is_written(args, why, run, desk):
    status, _, error = run("shuffle", *args, "-o", "out.tsv")
    assert status == 2 and why in error and not (desk / "out.tsv").exists()


def test_an_empty_sentence_is_named(run, desk):
    (desk / "pairs.tsv").write_text(FILE + "C\t \t犬が寝ている\t1\t\n", encoding="utf-8")
    _, _, error = run("shuffle", "pairs.tsv", "--columns", COLUMNS, "--parses", "p.jsonl", "-o", "out.tsv")
    assert "pairs.tsv, row 4: premise is empty" in error
