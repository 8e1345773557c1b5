"""Tag tables: files and back, and what they refuse."""

import json

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
