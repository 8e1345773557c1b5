"""The shell's generate, score, meta-evaluate and shuffle: tables as Python gives them, with their records."""

import json

import pandas as pd
import pytest

from paragraph.papers.experiments import meta_evaluate
from paragraph.papers.texts.scores import score

from ..learn.tiny import tiny_bart
from .written import record, table

ROWS = [("How do I buy tea?", "How do I purchase tea?", 1), ("How do I purchase tea?", "Where is tea sold?", 1)]
ITEMS = [
    {"candidate": "A cat sat.", "references": ["The cat sat down.", "No."]},
    {"candidate": "=b\tc", "references": ["b d"]},
]
CAT, DOG, SLEEP = "猫が机で魚を食べている", "犬が庭で寝ている", "犬が寝ている"
FILE = f"pair\tpremise\thypothesis\tlabel\tnote\nA\t{CAT}\t{DOG}\t0\t=x\nB\t{DOG}\t{SLEEP}\t1\t\n"
PARSES = [
    {"text": CAT, "phrases": ["猫が", "机で", "魚を", "食べている"], "heads": [3, 3, 3, -1], "pinned": [3]},
    {"text": DOG, "phrases": ["犬が", "庭で", "寝ている"], "heads": [2, 2, -1], "pinned": [2]},
    {"text": SLEEP, "phrases": ["犬が", "寝ている"], "heads": [1, -1], "pinned": [1]},
]
SHUFFLE = "shuffle pairs.tsv --columns text_a=premise,text_b=hypothesis --parses p.jsonl"


@pytest.fixture(autouse=True)
def files(desk, put):
    put("tea.tsv", *ROWS)
    (desk / "texts.txt").write_text("Can one buy soup?\nHow do I buy tea?\nWho won?\n", encoding="utf-8")
    (desk / "in.jsonl").write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
    (desk / "pairs.tsv").write_text(FILE, encoding="utf-8")
    (desk / "p.jsonl").write_text("\n".join(map(json.dumps, PARSES)), encoding="utf-8")
    (desk / "t.txt").write_text("\n".join(parse["text"] for parse in PARSES), encoding="utf-8")


def test_members_of_clusters_and_a_sentence_without_one(run, desk):
    done = run("generate tea.tsv -o out.tsv --tagger none -n 1")
    assert table()[["text", "paraphrase", "why"]].to_numpy().tolist() == [
        ["How do I buy tea?", "How do I purchase tea?", "row 2"],
        ["How do I purchase tea?", "How do I buy tea?", "row 2"],
        ["Where is tea sold?", "How do I purchase tea?", "row 3"],
    ]
    assert json.loads(table()["proof"][0]) == ["How do I buy tea?", "How do I purchase tea?"]
    assert record()["options"]["by"] == "cluster" and record()["inputs"]["pairs"]["file"] == "tea.tsv"
    assert record()["found"]["sentences"] == 3 and record()["found"]["without"] == 0
    assert "3 paraphrases, 0 of 3 sentences without one" in done.out
    (desk / "texts.txt").write_text("Who won?\n")
    assert "1 of 1 sentences without one" in run("generate tea.tsv -o out.tsv --tagger none --texts texts.txt").out
    assert table().empty and record()["found"]["without"] == 1


@pytest.mark.slow
def test_a_model_learns_and_is_kept(run, desk):
    bart = tiny_bart(desk / "bart", texts=[text for row in ROWS for text in row[:2]])
    seq2seq = "generate tea.tsv -o out.tsv --by seq2seq --tagger none -q --texts texts.txt"
    run(f"{seq2seq} --model {bart} --epochs 1 --save taught")
    first = (desk / "out.tsv").read_text()
    assert (desk / "taught" / "config.json").is_file()
    run(f"{seq2seq} --model taught --epochs 0")
    assert (desk / "out.tsv").read_text() == first.replace("written by bart", "written by taught")


def test_score_writes_what_python_gives(run):
    done = run("score in.jsonl --metrics rouge1,bleu -o out.tsv")
    found = pd.read_csv("out.tsv", sep="\t")
    assert list(found) == ["row", "metric", "P", "R", "F", "reference", "windows"]
    assert found["metric"].tolist() == ["rouge1"] * 2 + ["bleu"] * 2 and found["row"].tolist() == [0, 1, 0, 1]
    expected = score([one["candidate"] for one in ITEMS], [one["references"] for one in ITEMS], "rouge1")
    assert found["F"][:2].tolist() == expected.table["F"].tolist()
    assert record()["options"]["metrics"]["rouge1"] == expected.hash and "in.jsonl" in str(record()["inputs"])
    assert "rouge1" in done.out


def test_meta_evaluate_writes_what_python_gives(run, refuses, desk):
    (desk / "judged").mkdir()
    data = {
        i: {"src": "s", "sys_summ": it["candidate"], "ref_summs": it["references"], "scores": {"informativeness": i}}
        for i, it in enumerate(ITEMS)
    }
    (desk / "judged" / "Own.json").write_text(json.dumps(data))
    done = run("meta-evaluate judged --metrics rouge1 --draws 5 -o out.tsv")
    expected = meta_evaluate(desk / "judged", ["rouge1"], draws=5)
    pd.testing.assert_frame_equal(pd.read_csv("out.tsv", sep="\t"), expected, check_dtype=False)
    assert record()["options"]["draws"] == 5 and record()["inputs"]["Own"]["file"] == "Own.json"
    assert "Own" in done.out
    refuses("rouge9", "meta-evaluate judged --metrics rouge9 -o out.tsv")
    refuses("would be written over", "meta-evaluate judged -o judged/Own.json")


def test_pairs_keep_all_columns_and_say_where_they_come_from(run):
    out, err = run(f"{SHUFFLE} -o out.tsv")
    made = table(dtype=str)
    assert err == ""
    assert [*made] == ["pair", "premise", "hypothesis", "label", "note", "from_row", "side", "order"]
    assert made[:2].to_csv(columns=[*made][:5], sep="\t", index=False) == FILE
    assert made["from_row"].tolist() == ["", "", "2", "2", "2", "3"]
    assert made["side"].tolist()[2:] == ["premise", "hypothesis", "both", "premise"]
    assert record()["shuffling"]["dropped"] == {"no other order": 2}
    assert record()["options"]["rule"] == "strict" and record()["inputs"]["parses"]["file"] == "p.jsonl"
    assert "2 premise; 1 hypothesis; 1 both; left out: 2 no other order" in out


def test_sentences_with_the_number_of_their_orders(run):
    run("shuffle --sentences t.txt --parses p.jsonl -n 9 -o out.tsv")
    made = table(dtype=str)
    assert [*made] == ["text", "shuffled", "order", "orders"]
    assert made["orders"].tolist() == ["6"] * 5 + ["2"] and made["order"].iloc[-1] == "1 0 2"


@pytest.mark.parametrize("command, name, more, message", [
    ("generate tea.tsv --by seq2seq", "", "", "go together"),
    ("generate tea.tsv --model x", "", "", "go together"),
    ("generate tea.tsv --tagger none --texts nowhere.txt", "", "", "nowhere.txt"),
    ("score in.jsonl --metrics rouge1", "in.jsonl", "{", "row 3"),
    ("score in.jsonl", "in.jsonl", '{"candidate": 3, "references": ["a"]}', "row 3: candidate is 3, not a text"),
    ("score in.jsonl", "in.jsonl", '{"candidate": "a"}', "row 3: references is None"),
    ("score in.jsonl", "in.jsonl", '{"candidate": "a", "references": []}', "row 3: references is []"),
    ("score empty.jsonl", "empty.jsonl", "\n", "empty.jsonl"),
    ("shuffle", "", "", "name a file of pairs, or sentences with --sentences"),
    ("shuffle pairs.tsv --sentences t.txt", "", "", "name a file of pairs, or"),
    (f"{SHUFFLE} --rule words", "", "", "holds no words"),
    (SHUFFLE, "pairs.tsv", "C\t \t犬が寝ている\t1\t\n", "pairs.tsv, row 4: premise is empty"),
])  # fmt: skip
def test_what_is_wrong_writes_nothing(refuses, command, name, more, message):
    if name:
        with open(name, "a", encoding="utf-8") as file:
            file.write(more)
    refuses(message, f"{command} -o out.tsv")
