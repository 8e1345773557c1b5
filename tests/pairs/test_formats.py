"""Which format a source is taken for, and what its labels mean."""

import csv
import gzip
import os
import re
import warnings
from pathlib import Path

import pandas as pd
import pytest

from paragraph.pairs import ReadWarning, read_pairs
from paragraph.pairs.back import write_back
from paragraph.pairs.labels import meaning_of
from paragraph.pairs.layouts import RELEASES

from ..refused import refused
from .samples import FIRST_LINES

QUORA = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"

# One file of each release: its name, and the texts, labels and further columns that must come of its sample.
SAMPLES = {
    "qqp": ('quora_duplicate_questions.tsv', [('What is "it"?', 'What?', 1), ('Two\nlines', 'One', 0)],
        {'id': ['0', '1'], 'id_a': ['1', '3'], 'id_b': ['2', '4'], 'row': [2, 3]}),
    "qqp-kaggle": ('train.csv', [('Is it, "now"?', 'When?', 0)],
        {'id': ['0'], 'id_a': ['1'], 'id_b': ['2']}),
    "qqp-glue": ('train.tsv', [('"It" is what?', 'What?', 1), ('Why "so"', '"So', 0)],
        {'id_b': ['2', '4'], 'row': [2, 3]}),
    "mrpc": ('msr_paraphrase_train.txt', [('"Yes.', 'He said, "yes".', 1)],
        {'id_a': ['70'], 'id_b': ['71'], 'row': [2]}),
    "paws": ('dev.csv', [('A , b', 'B , a', 0), ('C d', 'D "c"', 1)],
        {'id': ['0', '1']}),
    "sick": ('SICK_train.txt', [('a', 'b', 1), ('c', 'd', 0)],
        {'id': ['1', '2'], 'row': [2, 3]}),
    "jsick": ('train.tsv', [('あ', 'い', 1), ('う', 'え', 1), ('お', 'か', 0)],
        {'id': ['1', '2', '3'], 'split': ['test', '', '']}),
    "mqp": ('mqp.csv', [('Is it safe?', 'Can it harm?', 1), ('Is it safe?', 'Who, then?', 0)],
        {'row': [1, 2]}),
    "wikiqa": ('WikiQA-dev.tsv', [('why?', '"Because" is no reason', 0)],
        {'id_a': ['Q1'], 'id_b': ['D1-0']}),
    "paragraph": ('mine.tsv', [('a "b"', 'c', 1)],
        {'row': [2]}),
}  # fmt: skip


def texts_and_labels(pairs):
    return list(zip(pairs["text_a"], pairs["text_b"], pairs["label"], strict=True))


def quietly(source, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadWarning)
        return read_pairs(source, *args, **kwargs)


@pytest.mark.parametrize("name", [*RELEASES])
@pytest.mark.parametrize("asked", ["auto", "by name", "compressed"])
def test_each_format_is_recognised_and_read(tmp_path, name, asked):
    (file, expected, more), content = SAMPLES[name], FIRST_LINES[name]
    path = tmp_path / (file + ".gz" if asked == "compressed" else file)
    path.write_bytes(gzip.compress(content.encode()) if asked == "compressed" else content.encode())
    pairs = quietly(path, name if asked == "by name" else "auto")
    assert texts_and_labels(pairs) == expected and {column: pairs[column].tolist() for column in more} == more
    report = pairs.attrs["report"]
    assert report["format"] == name and name in report["notes"][0]
    assert pairs.attrs.get("bipartite", False) == (name == "wikiqa")
    assert str(pairs["text_a"].dtype) == "str" and str(pairs["label"].dtype) == "Int8"


# What the quotes say: (rows under the Quora header, the format taken or None where two remain possible)
ROW = "{}\t1\t2\t{}\tWhat?\t1\n"
QUOTES = {
    "no quote at all": (["What?"], "qqp"), "quotes inside only": (['Say "what"?'], "qqp"),
    "doubled inside quotes": (['"Say ""what""?"'], "qqp"), "line end inside quotes": (['"Say\nwhat?"'], "qqp"),
    "tab inside quotes": (['"Say\twhat?"'], "qqp"), "text after the quotes": (['"Say" what?'], "qqp-glue"),
    "never closed": (['"Say what?'], "qqp-glue"), "whole in quotes": (['"Say what?"'], None),
    "one of each": (['"Say ""what""?"', '"Say" what?'], None),
    "whole in quotes, and another that tells": (['"Say what?"', '"Say ""what""?"'], "qqp"),
    "whole in quotes, and another that tells against": (['"Say what?"', '"Say" what?'], "qqp-glue"),
}  # fmt: skip


@pytest.mark.parametrize("case", QUOTES)
@pytest.mark.parametrize("before", [[], [f"plain {i}" for i in range(60)]], ids=["at once", "far down"])
def test_quotes_tell_the_two_tab_separated_quora_formats_apart(tmp_path, case, before):
    texts, expected = QUOTES[case]
    path, rows = tmp_path / "file.tsv", [ROW.format(i, text) for i, text in enumerate(before + texts)]
    path.write_text(QUORA + "".join(rows), newline="")
    if expected is None:
        refused(r'file.tsv: .*marks: format="qqp"; .*: format="qqp-glue"', read_pairs, path)
        assert len(read_pairs(path, "qqp-glue")) == len(rows)
        return
    pairs, text = read_pairs(path), texts[0]
    assert pairs.attrs["report"]["format"] == expected and len(pairs) == len(rows)
    if expected == "qqp" and text.startswith('"'):
        text = text[1:-1].replace('""', '"')
    assert pairs["text_a"][len(before)] == text


def test_anyones_tsv_asks_for_quoting_where_both_remain_possible(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text('sentence1\tsentence2\tlabel\n"a"\tb\t1\n')
    refused("quoting=True; .* quoting=False", read_pairs, path)
    assert [read_pairs(path, quoting=quoting)["text_a"][0] for quoting in (True, False)] == ["a", '"a"']


NAMED, PLACED = {"text_a": "q", "text_b": "r", "label": "same"}, {"text_a": 1, "text_b": 2, "label": 0}
SAID = {"0": 0, "1": 1}


@pytest.mark.parametrize("name, content, columns", [
    ("x.tsv", "q\tr\tsame\na\tb\t1\n", NAMED), ("x.csv", "q,r,same\na,b,1\n", NAMED),
    ("x.csv", "q;r;same\na;b;1\n", NAMED), ("x.txt", "1\ta\tb\n", PLACED), ("x.csv", "1,a,b\n", PLACED),
    ("x.jsonl", '{"q": "a", "r": "b", "same": true}\n', NAMED),
    ("x.data", '{"sentence1": "a", "sentence2": "b", "label": 1.0}', None),
    ("x.tsv", "sentence1\tsentence2\tlabel\na\tb\t1\n", None), ("x.csv", "label,question2,question1\n1,b,a\n", None),
])  # fmt: skip
def test_anyones_files(tmp_path, name, content, columns):
    path = tmp_path / name
    path.write_text(content)
    if columns:
        refused(r"what does label '1' in column .* mean\? Only documented names", read_pairs, path, columns=columns)
    assert texts_and_labels(read_pairs(path, columns=columns, labels=columns and SAID)) == [("a", "b", 1)]


@pytest.mark.parametrize("content, options, message", [
    ("a\tb\n", {}, "x.tsv: no column for text_a among 'a', 'b'\nits columns:\n  'a': 0 different: "),
    ("q\tr\n", {"columns": {"text_a": "q", "text_b": "s"}}, "there is no column 's' (for text_b) among 'q', 'r'"),
    ("q\tq\tr\n", {"columns": {"text_a": "q", "text_b": "r"}}, "there is more than one column 'q'"),
    ("\n" + QUORA, {}, "row 1: is blank; take out the blank lines before the header"),
    ("question1\tquestion2\na\tb\n", {}, "there is no label column"),
    (QUORA, {"format": "mrpc"}, "no column for label among"),
    (QUORA, {"format": "excel"}, "format 'excel' is not one of auto, qqp, "),
    (QUORA, {"columns": {"texta": "x"}}, "unknown role 'texta' or column 'x': write ROLE=column, ROLE one of text_a"),
    (QUORA, {"labels": {"1": 2}}, "labels maps '1' to 2; a sign is 1, 0 or None"),
    (QUORA, {"labels": (4, "x")}, "neither a dict nor two thresholds"),
    (QUORA, {"labels": "01"}, "neither a dict nor two thresholds"),
    (QUORA, {"unlabelled": "drop"}, "unlabelled 'drop' is not one of"),
    (QUORA, {"on_error": "drop"}, "on_error 'drop' is not one of"),
    (QUORA, {"encoding": "klingon"}, "cannot be decoded as klingon"),
    ("a" * 2_000_000, {}, "x.tsv, row 1: is longer than 1,048,576 bytes, as no row of pairs is"),
    ('question1\tquestion2\tlabel\t"x\na\tb\t1\t"', {}, "x.tsv, row 1: the header runs over several lines"),
    ("", {}, "x.tsv: the file is empty"), ("\n \n", {}, "x.tsv: the file is empty"),
])  # fmt: skip
def test_what_cannot_be_read_says_why(tmp_path, content, options, message):
    path = tmp_path / "x.tsv"
    path.write_text(content)
    refused(re.escape(message), read_pairs, path, **options)


def test_official_names_hold_for_tables_too():
    frame = pd.DataFrame({"sentence_A": ["a", "b"], "sentence_B": ["c", "d"], "relatedness_score": [4.6, 4.0]})
    with pytest.warns(ReadWarning, match="1 row skipped"):
        assert texts_and_labels(read_pairs(frame, "sick")) == [("a", "c", 1)]


@pytest.mark.slow
@pytest.mark.parametrize("source", ["Dataset", "file"])
def test_names_of_labels_are_read_and_no_number_takes_their_place(tmp_path, source):
    datasets = pytest.importorskip("datasets")
    kinds = {name: datasets.Value("string") for name in ("sentence1", "sentence2")}
    features = datasets.Features(kinds | {"label": datasets.ClassLabel(names=["entailment", "not_entailment"])})
    rows = {"sentence1": ["a", "b"], "sentence2": ["c", "d"], "label": [0, 1]}
    table = datasets.Dataset.from_dict(rows, features=features)
    if source == "file":
        table.to_parquet(tmp_path / "rte.parquet")
        table = tmp_path / "rte.parquet"
    refused("label 'entailment' is not one of 0, 1", read_pairs, table)
    pairs = read_pairs(table, labels={"entailment": 1, "not_entailment": 0})
    assert texts_and_labels(pairs) == [("a", "c", 1), ("b", "d", 0)]
    if source == "file":
        write_back(pairs, {0: "becomes 0", 1: "becomes 1"}, tmp_path / "clean.parquet")
        assert pd.read_parquet(tmp_path / "clean.parquet")["label"].tolist() == [1, 0]
    if source == "Dataset":
        refused("one Dataset, not .*train", read_pairs, datasets.DatasetDict({"train": table}))
        refused("one Dataset, not a IterableDataset", read_pairs, table.to_iterable_dataset())


@pytest.mark.parametrize("labels, value, sign", [
    ({"0": 0, "1": 1}, " 1 ", 1), ({0: 0, 1: 1}, "1.0", 1), ({0.0: 0, 1.0: 1}, "1", 1), ({False: 0, True: 1}, "1", 1),
    ({-1: None}, "-1", None), ({"": None}, "", None),
    ((3.5, 4.5), "4.50", 1), ((3.5, 4.5), "4.499", None), ((3.5, 4.5), "-1e1", 0), ((3, 3), "3", 1),
    ((10, 5), "5", 1), ((10, 5), "5.1", None), ((10, 5), "10", None), ((10, 5), "10.1", 0),
])  # fmt: skip
def test_signs(labels, value, sign):
    assert meaning_of(labels, [value]).sign(value) == sign


@pytest.mark.parametrize("value", ["", "x", "nan", "inf", "1_0", "٣", "1e9999", "0x1"])
def test_a_score_is_a_plain_number(value):
    with pytest.raises(ValueError, match="is not a number"):
        meaning_of((3.5, 4.5), [value]).sign(value)


DATA = Path(os.environ.get("PARAGRAPH_DATA", "/nowhere"))
SIGNS = {"1": 1, "0": 0}
ENTAILED = {"entailment": 1, "contradiction": 0, "neutral": None}


def graded(score):
    return 1 if float(score) >= 4.5 else 0 if float(score) < 3.5 else None


#: Of each format: the delimiter of a file in CSV quotes, else None; the columns of texts and label; what labels mean.
COLUMNS = {
    "qqp": ("\t", 3, 4, 5, SIGNS.get), "paws": (",", 1, 2, 3, SIGNS.get), "mqp": (",", 1, 2, 3, SIGNS.get),
    "mrpc": (None, 3, 4, 0, SIGNS.get), "sick": (None, 1, 2, 3, graded), "wikiqa": (None, 1, -2, -1, SIGNS.get),
}  # fmt: skip
FILES = ["qqp/qqp_all.tsv.gz", "qqp/qqp_natural.tsv.gz", "paws/paws_wiki_dev.csv", "mqp/mqp.csv", "jsick/test.tsv.gz"]
FILES += [f"mrpc/msr_paraphrase_{part}.txt" for part in ("train", "test")] + ["jsick/train.tsv.gz"]
FILES += [f"sick/SICK_{part}.txt" for part in ("train", "trial", "test_annotated")]
FILES += [f"wikiqa/WikiQA-{part}.tsv.gz" for part in ("train", "dev", "test")]


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_real_files_by_an_independent_reading(name):
    if not (path := DATA / name).exists():
        pytest.skip(f"PARAGRAPH_DATA is unset or has no {name}")
    kind = name.split("/")[0]
    jsick = (None, 8, 9, 10, ENTAILED.get) if "train" in name else (None, 8, 9, 11, graded)
    delimiter, a, b, label, sign = (COLUMNS | {"jsick": jsick})[kind]
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8-sig", newline="") as file:
        lines = list(file)
    if delimiter:
        rows = list(csv.reader(lines, delimiter=delimiter, strict=True))
    else:
        rows = [line.rstrip("\r\n").split("\t") for line in lines if line.strip("\r\n")]
    expected = [(row[a], row[b], sign(row[label])) for row in rows[kind != "mqp" :]]
    pairs = quietly(path)
    signed = [row for row in expected if row[2] is not None]
    assert texts_and_labels(pairs) == signed
    report = pairs.attrs["report"]
    assert (report["format"], report["rows"]) == (kind, len(expected))
    assert len(report["skipped"]) == len(expected) - len(signed)
