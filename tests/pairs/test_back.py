"""The user's own file, corrected: every byte that no decision touches is as it was."""

import gzip
import hashlib
import json

import pandas as pd
import pytest

from paragraph.files.names import sibling
from paragraph.pairs import read_pairs
from paragraph.pairs.back import write_back
from paragraph.pairs.remembered import kept_options, layout_file
from tests.refused import refused

YES = {"labels": {"ja": 1, "Ja": 1, "nein": 0}}
NAMED = {"columns": {"text_a": "q 1", "text_b": "q 2", "label": "same"}} | YES
QUOTED = (
    b'id,q 1,q 2,same,"note, free"\r\n1,"How, far?",B,ja,\r\n2,"say ""x""",D,nein,"two\r\nlines"\r\n\r\n3,E,F, ja ,x'
)
PLAIN = {"columns": {"text_a": 0, "text_b": 1, "label": 2}, "labels": {"0": 0, "1": 1}}
SCORES = {"columns": {"text_a": "a", "text_b": "b", "label": "s"}, "labels": (2, 4)}
JSON = (
    b'{"label": 1.0,  "text_a": "\\u00e4", "text_b": "b", "n": 1.10}\r\n\n'
    b'{"text_a": "c", "text_b": "d", "label": 0.0}\n'
)
WORDS = b'{"text_a":"e","text_b":"f","label":"nein"}\n'
PEOPLE = {"columns": {"text_a": "a", "text_b": "b", "label": "by.x", "label_2": "by.y", "label_3": "by.z"}}
PEOPLE |= {"labels": {"0": 0, "1": 1}}
ONE_WORD = {"columns": SCORES["columns"] | {"label_2": "t"}, "labels": {"dup": 1, "other": None}}
#: A name, the file, how it is read, what is done to which rows: the corrected file, and the rows that are left out
FILES = {
    "quotes, CR LF, a blank line, no last line end": (
        "my.csv", QUOTED, NAMED, {2: "becomes 0", 3: "becomes 1"},
        QUOTED.replace(b"B,ja", b"B,nein").replace(b"D,nein", b"D,ja"), QUOTED[:30],
    ),
    "the commonest spelling, in the quotes of the field": (
        "my.csv", b'text_a;text_b;label\na;b;ja\nc;d;"nein"\ne;f;Ja\ng;h;Ja\n', YES, {3: "becomes 1"},
        b'text_a;text_b;label\na;b;ja\nc;d;"Ja"\ne;f;Ja\ng;h;Ja\n', b"text_a;text_b;label\n",
    ),
    "a row left out, one that stays, one that has the label": (
        "my.tsv", b"\xef\xbb\xbftext_a\ttext_b\tlabel\r\na\tb\t1\r\nc\td\t0\r\ne\tf\t0\r\n", {},
        {2: "becomes 1", 3: "dropped", 4: "stays"},
        b"\xef\xbb\xbftext_a\ttext_b\tlabel\r\na\tb\t1\r\ne\tf\t0\r\n",
        b"\xef\xbb\xbftext_a\ttext_b\tlabel\r\nc\td\t0\r\n",
    ),
    "no header; no label is 1 yet; CR": (
        "my.tsv", b'a\t"b\t0\rc\td\t0\r', PLAIN, {2: "becomes 1"}, b'a\t"b\t0\rc\td\t1\r', b""),
    "rows that are no pairs": (
        "my.tsv", b"text_a\ttext_b\tlabel\na\tb\nc\t\xe9\t1\n\ne\tf\t0\nx\ty\t1\n", {"on_error": "skip"},
        {5: "becomes 1", 6: "dropped"}, b"text_a\ttext_b\tlabel\na\tb\nc\t\xe9\t1\n\ne\tf\t1\n",
        b"text_a\ttext_b\tlabel\nx\ty\t1\n",
    ),
    "scores stay": (
        "my.csv", b'a,b,s\r\nq,r,4.50\r\n"s","t",1\r\nu,v,3\r\n', SCORES | {"unlabelled": "skip"},
        {2: "becomes 0", 3: "stays"}, b'a,b,s,decided\r\nq,r,4.50,0\r\n"s","t",1,0\r\nu,v,3,\r\n',
        b"a,b,s,decided\r\n",
    ),
    "for a spreadsheet": (
        "my.tsv", b"text_a\ttext_b\tlabel\tspreadsheet_safe\n'=a\tb\t'-1\t1\nc\td\t'+1\t1\n",
        {"labels": {"-1": 0, "+1": 1}}, {2: "becomes 1"},
        b"text_a\ttext_b\tlabel\tspreadsheet_safe\n'=a\tb\t'+1\t1\nc\td\t'+1\t1\n",
        b"text_a\ttext_b\tlabel\tspreadsheet_safe\n",
    ),
    "UTF-16": (
        "my.tsv", "text_a\ttext_b\tlabel\nä\tb\t1\nc\td\t0\n".encode("utf-16"), {"encoding": "utf-16"},
        {3: "becomes 1"}, "text_a\ttext_b\tlabel\nä\tb\t1\nc\td\t1\n".encode("utf-16"),
        "text_a\ttext_b\tlabel\n".encode("utf-16"),
    ),
    "JSON Lines": ("my.jsonl", JSON, {}, {3: "becomes 1"}, JSON.replace(b"0.0", b"1.0"), b""),
    "JSON Lines with scores": (
        "my.jsonl", JSON, {"labels": (0.5, 0.5)}, {1: "dropped", 3: "becomes 1"},
        JSON[63:].replace(b"0.0}", b'0.0, "decided": 1}'), JSON[:63],
    ),
    "a word beside numbers": (
        "my.jsonl", WORDS + b'{"text_a":"a","text_b":"b","label":1}\n', {"labels": {"nein": 0, "1": 1}},
        {2: "becomes 0"}, WORDS + b'{"text_a":"a","text_b":"b","label":"nein"}\n', b"",
    ),
    "three people under nested keys": (
        "my.jsonl", b'{"a":"q","b":"r", "by":{"x":1,"y":0,"z":1}}\n{"a":"s","b":"t","by":{"x":1,"y":null,"z":1}}\n',
        PEOPLE, {2: "becomes 0"},
        b'{"a":"q","b":"r", "by":{"x":1,"y":0,"z":1}}\n{"a":"s","b":"t","by":{"x":1,"y":null,"z":1}, "decided": 0}\n',
        b"",
    ),
    "scores beside the list of their texts": (
        "my.jsonl", b'{"query":"q","pos":["a"],"neg":["b"],"pos_scores":[1.50],"neg_scores":[2]}\n', {},
        {1: "becomes 0"}, b'{"query":"q","pos":[],"neg":["b"],"pos_scores":[],"neg_scores":[2]}\n', b"",
    ),
    "a field too many is not what was decided": (
        "my.csv", b"a,b,s\nq,r,4.5\ns,t,1,1\n", SCORES | {"on_error": "skip"}, {2: "becomes 0"},
        b"a,b,s,decided\nq,r,4.5,0\ns,t,1,,1\n", b"a,b,s,decided\n",
    ),
    "two columns of one name": (
        "my.csv", b"a,b,s,x,x\nq,r,4.5,1,2\ns,t,1,3,4\n", SCORES, {2: "becomes 0"},
        b"a,b,s,x,x,decided\nq,r,4.5,1,2,0\ns,t,1,3,4,\n", b"a,b,s,x,x,decided\n",
    ),
    "a byte-order mark where files were joined": (
        "my.jsonl", WORDS + b"\xef\xbb\xbf" + WORDS.replace(b"nein", b"ja"), YES, {2: "becomes 0"},
        WORDS + b"\xef\xbb\xbf" + WORDS, b"",
    ),
    "a digit in place of a word that no label is": (
        "my.csv", b"a,b,s,t\nq,r,dup,dup\n", ONE_WORD, {2: "becomes 0"}, b"a,b,s,t,decided\nq,r,dup,dup,0\n",
        b"a,b,s,t,decided\n",
    ),
    "the first line names the delimiter": (
        "my.csv", b"sep=;\ntext_a;text_b;label\na;b;1\nc;d;0\n", {}, {2: "dropped", 3: "becomes 1"},
        b"sep=;\ntext_a;text_b;label\nc;d;1\n", b"sep=;\ntext_a;text_b;label\na;b;1\n",
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::paragraph.pairs.read.ReadWarning", "ignore:the scores of .* stay")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("case", FILES)
def test_only_what_is_decided_changes(tmp_path, case, packed):
    name, content, options, effects, corrected, left = FILES[case]
    path, out = tmp_path / f"{name}{'.gz' * packed}", tmp_path / f"clean.{name[3:]}{'.gz' * packed}"
    path.write_bytes(gzip.compress(content) if packed else content)
    pairs = read_pairs(path, **options)
    write_back(pairs, {place: effects[row] for place, row in enumerate(pairs["row"]) if row in effects}, out)
    found = [file.read_bytes() for file in (out, sibling(out, "left_out"))]
    assert [gzip.decompress(each) if packed else each for each in found] == [corrected, left]
    layout_file(out).write_text('{"labels": {"1": 0, "0": 1}}')  # of an earlier copy
    write_back(pairs, {}, out)  # nothing is decided
    assert json.loads(layout_file(out).read_text()) == kept_options(pairs.attrs["report"]["options"])
    assert out.read_bytes() == path.read_bytes()


@pytest.mark.filterwarnings("ignore::paragraph.pairs.read.ReadWarning")
def test_quotes_are_what_they_were_when_the_row_that_told_it_leaves(tmp_path):
    (path := tmp_path / "my.tsv").write_text('text_a\ttext_b\tlabel\n"x ""y"""\tz\t1\n"a"\tb\t0\n')
    write_back(read_pairs(path), {0: "dropped"}, tmp_path / "clean.tsv")
    assert read_pairs(tmp_path / "clean.tsv")["text_a"].tolist() == ["a"]


@pytest.mark.filterwarnings("ignore::paragraph.pairs.read.ReadWarning")
@pytest.mark.parametrize("people, labels", [
    ("label", {"0": 1, "1": None}), ("label,label_2", {"0": 1, "1": None}), ("label", {"0": 1, "nein": None}),
])  # fmt: skip
def test_no_digit_stands_for_a_word_that_the_labels_lack(tmp_path, people, labels):
    (path := tmp_path / "my.csv").write_text("text_a,text_b,label,label_2\na,b,0,0\n")
    columns = {name: name for name in people.split(",")}
    pairs = read_pairs(path, columns=columns, labels=labels)
    out = tmp_path / "clean.csv"
    refused('no label means it; name a word for it: labels=.*"WORD": 0', write_back, pairs, {0: "becomes 0"}, out)
    pairs = read_pairs(path, columns=columns, labels=labels | {"differs": 0})
    write_back(pairs, {0: "becomes 0"}, out)
    assert read_pairs(out)["label"].tolist() == [0]


def test_refusals_leave_the_file_alone(tmp_path):
    path = tmp_path / "my.csv"
    path.write_text("text_a,text_b,label\na,b,1\nc,d,0\n")
    pairs = read_pairs(path)
    for said, out in {"is the input": "my.csv", "format of my.csv; end its name in .csv": "clean.tsv"}.items():
        refused(said, write_back, pairs, {1: "becomes 1"}, tmp_path / out)
    refused("do not come from a single file", write_back, read_pairs(pairs), {}, tmp_path / "clean.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["my.csv"]


#: What happens to a file between reading and writing back, and what the refusal says.
CHANGED = {
    "labels are turned": (lambda path: path.write_text("text_a,text_b,label\na,b,0\nc,d,1\n"), "has changed since"),
    "a row is removed": (lambda path: path.write_text("text_a,text_b,label\na,b,1\n"), "has changed since it was"),
    "a line end is added": (
        lambda path: path.write_bytes(path.read_bytes() + b"\n"),
        "has changed since it was read",
    ),
    "it is moved": (lambda path: path.rename(path.with_name("moved.csv")), "is gone; put the file that was read"),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_file_that_changed_since_it_was_read_is_not_corrected(tmp_path, case):
    change, why = CHANGED[case]
    path = tmp_path / "my.csv"
    path.write_text("text_a,text_b,label\na,b,1\nc,d,0\n")
    pairs = read_pairs(path)
    was = hashlib.sha256(path.read_bytes()).hexdigest()
    change(path)
    message = refused(f"{path}: {why}", write_back, pairs, {1: "becomes 1"}, tmp_path / "clean.csv")
    assert f"the file that was read (SHA-256 {was})" in message
    if path.exists():
        assert f"(SHA-256 now {hashlib.sha256(path.read_bytes()).hexdigest()})" in message
    assert not (tmp_path / "clean.csv").exists()


def test_the_file_that_was_read_is_corrected_from_another_folder(tmp_path, monkeypatch):
    for folder, sign in (("here", 0), ("there", 1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "my.csv").write_text(f"text_a,text_b,label\na,b,{sign}\nc,d,{sign}\n")
    monkeypatch.chdir(tmp_path / "here")
    pairs = read_pairs("my.csv")
    monkeypatch.chdir(tmp_path / "there")
    write_back(pairs, {1: "becomes 1"}, "clean.csv")
    assert (tmp_path / "there" / "clean.csv").read_text() == "text_a,text_b,label\na,b,0\nc,d,1\n"


def test_parquet_is_changed_in_place(tmp_path):
    path, out = tmp_path / "my.parquet", tmp_path / "clean.parquet"
    table = pd.DataFrame(
        {"text_a": ["a", "b", "c"], "text_b": ["x", "y", "z"], "label": [1, 0, 1], "n": [1.5, None, 2]}
    )
    table.to_parquet(path)
    write_back(read_pairs(path), {0: "becomes 0", 2: "dropped"}, out)
    expected = table.assign(label=[0, 0, 1])
    pd.testing.assert_frame_equal(pd.read_parquet(out), expected[:2])
    pd.testing.assert_frame_equal(pd.read_parquet(sibling(out, "left_out")), table[2:].reset_index(drop=True))
    table = table.assign(label=[True, False, None], decided=None)
    table.to_parquet(path)
    write_back(read_pairs(path, unlabelled="keep"), {2: "becomes 1"}, out)
    assert pd.read_parquet(out)["decided"].tolist()[2] == 1
    lists = {"query": ["q"], "pos": [["p"]], "neg": [["n", "m", "k"]]}
    pd.DataFrame(lists).to_parquet(path)
    write_back(read_pairs(path), {1: "dropped", 3: "becomes 1"}, out)
    assert pd.read_parquet(out)["neg"][0].tolist() == ["m"]
