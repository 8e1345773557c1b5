"""Tag tables: files and back, what they refuse, and the two public corpora that stand in for tags."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import paragraph as pg

from ...refused import refused

ROW = {"text_a": "He paid $2.", "text_b": "He got $3."}
ROW |= {"words_a": ["He", "paid", "$", "2", "."], "words_b": ["He", "got", "$", "3", "."]}
ROW |= {"tags_a": [0, 1, 0, 1, 0], "tags_b": [0, 1, 0, 1, 0]}
ROW |= {"annotator": "ann", "source": "two", "note": {"kept": None}}


def file_of(folder, *rows, name="tags.jsonl"):
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz"])
def test_a_tag_table_written_is_read_again(tmp_path, ending):
    table = pg.tags.read(file_of(tmp_path, ROW, ROW | {"text_b": "He got “$3”.", "note": 7}))
    again = tmp_path / f"again{ending}"
    pg.tags.write(table, again)
    assert pg.tags.read(again).to_dict("list") == table.to_dict("list")
    assert table.columns.tolist() == list(ROW) and table.note.tolist() == [{"kept": None}, 7]
    arrays = table[:1].assign(tags_a=[np.array(ROW["tags_a"])], p_a=[np.full(5, 0.5)], label=pd.array([None], "Int8"))
    pg.tags.write(arrays, again)
    read = pg.tags.read(again)
    assert (read.tags_a[0], read.p_a[0], read.label[0]) == (ROW["tags_a"], [0.5] * 5, None)


def test_untagged_pairs_get_words_and_no_tags(tmp_path):
    table = pg.tags.read(file_of(tmp_path, {"question1": "Is it?", "question2": "It isn't."}))
    assert "tags_a" not in table and table.words_b.tolist() == [["It", "is", "n't", "."]]
    assert (table.annotator[0], table.source[0]) == ("", "")
    assert "tags_a" not in pg.tags.untagged(pd.DataFrame([ROW]))


@pytest.mark.parametrize("key, value, said", [
    ("text_a", None, "text_a: None is not a sentence"), ("text_b", " ", "text_b: ' ' is not a sentence"),
    ("text_a", "He paid $2.\ud800", "surrogates"),
    ("words_a", ["He", "gave", "$", "2", "."], "word 'gave' is not in the sentence"),
    ("words_a", ["paid", "He", "$", "2", "."], "word 'He' is not in the sentence"),
    ("words_b", "He got $3.", "not a list of words"), ("tags_a", [0, 1], "text_a: 2 tags for 5 words"),
    ("tags_b", [0, 0.5, 0, 1, 0], "not a list of 0 and 1"), ("tags_b", [0, 2, 0, 1, 0], "not a list of 0 and 1"),
    ("tags_a", None, "tags None are not a list of 0 and 1"),
])  # fmt: skip
def test_what_is_wrong_is_named_with_file_and_row(tmp_path, key, value, said):
    path = file_of(tmp_path, ROW)
    path.write_text(path.read_text() + "\n" + json.dumps(ROW | {key: value}))
    assert said in refused(r"tags\.jsonl, row 3: ", pg.tags.read, path)


@pytest.mark.parametrize("line, said", [
    ("[1]", "row 1: not a JSON object"), ('{"text_a": "a", "text_a": "b"}', "'text_a' is there twice"),
    ('{"words_a": ["a"]}', "needs the columns text_a, text_b"),
    ('{"text_a": "a", "text_b": "b", "tags_a": [1], "tags_b": [1]}', "has the columns words_a, words_b"),
    (f"{json.dumps(ROW)}\n{{}}", "row 2: an object without keys"),  # an empty object is no blank line
    ("\n", "the file is empty"),
])  # fmt: skip
def test_lines_that_are_no_pairs(tmp_path, line, said):
    (tmp_path / "t.jsonl").write_text(line)
    assert said in refused(r"t\.jsonl", pg.tags.read, tmp_path / "t.jsonl")


@pytest.mark.parametrize("key", ["text_a", "annotator", "source", "note"])
@pytest.mark.parametrize(("byte", "said"), [(b"\xff", "0xff"), (b"\xed\xa0\x80", "0xed"), (rb"\ud800", "surrogates")])
def test_what_is_no_unicode(tmp_path, key, byte, said):
    path = file_of(tmp_path, ROW, ROW | {key: "@"})
    path.write_bytes(path.read_bytes().replace(b"@", byte))
    assert said in refused(r"tags\.jsonl, row 2: ", pg.tags.read, path)


LINKS = "0:0\ta b c d\tN/A\te f g\tN/A\t1\t1\t{}\t{}\t\t \n"


def test_a_word_without_a_sure_or_a_possible_link_is_1(tmp_path):
    path = tmp_path / "wiki.tsv.gz"
    path.write_bytes(gzip.compress((LINKS.format("0-1 1-1", "3-2") + LINKS.format("0-0", "")).encode()))
    table = pg.tags.read_multimwa(path)
    assert table.tags_a.tolist() == [[0, 0, 1, 0], [0, 1, 1, 1]] and table.tags_b.tolist() == [[1, 0, 0], [0, 1, 1]]
    assert (table.id[0], table.source[0], table.words_a[0]) == ("0:0", "wiki", ["a", "b", "c", "d"])


LINE = LINKS.format("0-0", "")


@pytest.mark.parametrize("content, said", [
    *((LINE + LINKS.format("0-0", link), f"row 2: '{link}' is no link") for link in ("4-0", "0-3", "1", "a-b")),
    *((LINE.encode().replace(part, b"\xed\xa0\x80"), "row 1: byte 0xed is not UTF-8") for part in (b"g", b"0:0")),
    ("a\tb\tc\n", "row 1: 3 fields"),
])  # fmt: skip
def test_what_is_no_alignment(tmp_path, content, said):
    (tmp_path / "m.tsv").write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(rf"m\.tsv, {said}", pg.tags.read_multimwa, tmp_path / "m.tsv")


TRAIN = ["It cost $ 2.5 billion .", "It was red ."], ["He left .", 'He said: "I won\'t"']
TEST = ["All is well .", "Nothing works here"]


def mrpc(folder):
    for name, rows in {"train": TRAIN, "test": [TEST]}.items():
        lines = ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", *(f"0\t1\t2\t{a}\t{b}" for a, b in rows)]
        (folder / f"msr_paraphrase_{name}.txt").write_text("\ufeff" + "\r\n".join(lines) + "\r\n")
    return folder


def etpc(folder, *relations, name="textual_np_neg.xml"):
    keys = ("pair_id", "type_name", "sense_preserving", "s1_scope", "s2_scope", "s1_text", "s2_text")
    fields = ("".join(f"<{k}>{v}</{k}>" for k, v in zip(keys, relation, strict=True)) for relation in relations)
    (folder / name).write_text(f"<xml>{''.join(f'<relation>{one}</relation>' for one in fields)}</xml>")
    return folder / name


# A relation of the first pair, and the tags that come of it.
SPANS = {
    "not preserving": (("Ellipsis", "no", "0, 3", "1", "It 2.5", "was"), "100100", "0100"),
    "preserving": (("Ellipsis", "yes", "0, 3", "1", "It 2.5", "was"), "000000", "0000"),
    "addition": (("Addition/Deletion", "yes", "", "0, 1", "", "It was"), "000000", "1100"),
    "non-paraphrase": (("Non-paraphrase", "yes", "1", "", "cost", ""), "010000", "0000"),
    "substitution": (("Same Polarity Substitution (x)", "no", "0, 1", "0, 1", "It cost", "It was"), "010000", "0100"),
    "not a substitution": (("Diathesis alternation", "no", "0, 1", "0, 1", "It cost", "It was"), "110000", "1100"),
    "whole sentence": (("Non-paraphrase", "no", "whole sentence", "2", "It cost", "red"), "111111", "0010"),
}  # fmt: skip


@pytest.mark.parametrize("case", SPANS)
def test_typed_spans_become_tags(tmp_path, case):
    relation, tags_a, tags_b = SPANS[case]
    etpc(tmp_path, ("1", *relation))
    table = pg.tags.read_etpc(tmp_path, mrpc(tmp_path))
    assert ["".join(map(str, table[f"tags_{side}"][0])) for side in "ab"] == [tags_a, tags_b]
    assert table.attrs["unmatched"] == []


def test_numbers_run_on_from_train_to_test_and_quotes_match(tmp_path):
    etpc(tmp_path, ("2", "Ellipsis", "no", "", "3, 4", "", "`` I"), ("3", "Ellipsis", "no", "", "0", "", "Nothing"))
    etpc(tmp_path, ("3", "Negation", "", "", "0, 1", "", "Nothing works"), ("1", "Negation", "", "1", "", "cost", ""),
         name="negation.xml")  # fmt: skip
    table = pg.tags.read_etpc(tmp_path, mrpc(tmp_path))
    assert table.pair_id.tolist() == [2, 3] and table.split.tolist() == ["train", "test"]
    assert table.text_a.tolist() == [TRAIN[1][0], TEST[0]]
    assert table.tags_b.tolist() == [[0, 0, 0, 1, 1, 0, 0, 0], [1, 0, 0]]
    assert table.negation_b.tolist() == [[0] * 8, [1, 1, 0]] and table.attrs["untagged"] == [1]


def test_scopes_that_do_not_match_mark_nothing_and_are_listed(tmp_path):
    wrong, right = ("1, 2", "9", "cost nothing", "x"), ("0", "0", "It", "It")
    path = etpc(tmp_path, ("1", "Ellipsis", "no", *wrong), ("1", "Ellipsis", "no", *right))
    table = pg.tags.read_etpc([path], mrpc(tmp_path))
    assert (table.tags_a[0], table.tags_b[0]) == ([1, 0, 0, 0, 0, 0], [1, 0, 0, 0])
    unmatched = [(each["side"], each["scope"], each["pair_id"]) for each in table.attrs["unmatched"]]
    assert unmatched == [("a", "1, 2", 1), ("b", "9", 1)] and table.attrs["scopes"] == {path.name: 4}


@pytest.mark.parametrize("number, scope, said", [
    ("4", "0", "pair_id '4' is not a row of MRPC"), ("9" * 5000, "0", "999' is not a row of MRPC"),
    ("1", "9" * 5000, "999' has neither word numbers"), ("", "0", "pair_id '' is not a row of MRPC"),
    ("1", "0-2", "pair_id 1: s1_scope '0-2' has neither"),
])  # fmt: skip
def test_relations_of_nothing(tmp_path, number, scope, said):
    etpc(tmp_path, (number, "Ellipsis", "no", scope, "", "It", ""))
    assert said in refused(r"textual_np_neg\.xml", pg.tags.read_etpc, tmp_path, mrpc(tmp_path))


def test_what_is_no_etpc(tmp_path):
    mrpc(tmp_path)
    refused("is no folder with", pg.tags.read_etpc, tmp_path, tmp_path)
    for content, said in (("<xml><relation></xml>", "is not XML"), ("<xml></xml>", "holds no relation")):
        (tmp_path / "textual_np_neg.xml").write_text(content)
        refused(said, pg.tags.read_etpc, tmp_path, tmp_path)
    refused("cannot be read", pg.tags.read_etpc, [tmp_path / "negation.xml"], tmp_path)


FOLDER = Path(os.environ.get("PARAGRAPH_DATA", "/nowhere"))


@pytest.mark.long
@pytest.mark.skipif(not (FOLDER / "multimwa").is_dir(), reason="PARAGRAPH_DATA holds no multimwa")
@pytest.mark.parametrize(("part", "share"), [("wiki-train", 0.069), ("mtref-train", 0.115)])
def test_shares_of_1_in_multimwa(part, share):
    table = pg.tags.read_multimwa(FOLDER / "multimwa" / f"{part}.tsv.gz")
    tags = np.concatenate([np.concatenate(table[column].tolist()) for column in ("tags_a", "tags_b")])
    assert round(tags.mean(), 3) == share


@pytest.mark.long
@pytest.mark.skipif(not (FOLDER / "etpc").is_dir(), reason="PARAGRAPH_DATA holds no etpc")
def test_scopes_of_etpc_lead_to_their_words_but_for_one_in_a_hundred():
    spans = [FOLDER / "etpc" / f"textual_np_{sign}.xml.gz" for sign in ("neg", "pos")]
    table = pg.tags.read_etpc(spans, FOLDER / "mrpc")
    assert (sum(table.attrs["scopes"].values()), len(table.attrs["unmatched"])) == (14_242, 167)
    assert (table.pair_id.loc[table.split == "train"].max(), table.pair_id.max()) == (4076, 5799)
    assert table.split.eq("train").equals(table.pair_id <= 4076)
