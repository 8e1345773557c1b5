"""Reading and writing pair tables."""

import csv
import gzip
import io
import json
import re
import warnings

import pandas as pd
import psutil
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.files import content, memory
from paragraph.files.delimited import read_carefully, read_rows
from paragraph.files.records import file_hash
from paragraph.pairs import ReadWarning, read_pairs, write_pairs
from paragraph.pairs.evidence import read_table
from paragraph.pairs.labels import ZERO_ONE
from paragraph.pairs.tables import canonical

from ..process import python
from ..refused import refused

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TRICKY = st.text(st.sampled_from('ab"\t\n\r,é\x1c '), max_size=8)


HEADER = "question1\tquestion2\tis_duplicate\n"
ANYONES = {"columns": {"text_a": "q", "text_b": "r", "label": "same"}}


def tsv(tmp_path, content, name="pairs.tsv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return path


def test_a_pair_table(tmp_path):
    path = tsv(tmp_path, HEADER + " a \tb\t1\nC\td\t0\n")
    pairs = read_pairs(path)
    assert pairs.dtypes.astype(str).to_dict() == {"text_a": "str", "text_b": "str", "label": "Int8", "row": "int64"}
    assert pairs["text_a"].dtype.storage == "pyarrow"
    assert pairs.values.tolist() == [[" a ", "b", 1, 2], ["C", "d", 0, 3]]
    report = {
        "source": "pairs.tsv",
        "path": str(path),
        "sha256": file_hash(path),
        "format": "paragraph",
        "rows": 2,
        "kept": 2,
        "skipped": [],
    }
    report["notes"] = ["read as paragraph (tabs, CSV quotes)"]
    report["options"] = {"format": "auto", "columns": None, "header": None, "quoting": None, "encoding": "utf-8"}
    report["options"] |= {"labels": None, "unlabelled": "error", "on_error": None}
    report["options"] |= {"leave_out": [], "ids": None}
    report |= {"ending": ".tsv", "back": "", "keeps": False}
    assert pairs.attrs["report"] == report == json.loads(json.dumps(pairs.attrs["report"]))
    assert pairs.head(1).attrs["report"] is pairs.attrs["report"]


# What is wrong with the third of three rows (row 4): its bytes, and the message
STRAY = "stray quote (a field begins with one and does not end with one)"
FAULTS = {
    "unknown label": (b"e\tf\tmaybe", "label 'maybe' is not one of 0, 1"), "empty label": (b"e\tf\t", "no label"),
    "empty text": (b"\tf\t1", "question1 is empty"),
    "white space for a text": (b"e\t \xe3\x80\x80\t1", "question2 is empty"),
    "a field short": (b"e\tf", "2 fields where 3 are expected"),
    "a field over": (b"e\tf\t1\tg", "4 fields where 3 are expected"),
    "a field over, with quotes": (b'"e"\tf\t1\tg\t\t', "more than 3 fields where 3 are expected"),
    "text after quotes": (b'"e" e\tf\t1', STRAY), "never closed": (b'"e\tf\t1', STRAY),
    "not UTF-8": (b"e\tf\xe9\t1", 'byte 0xe9 is not UTF-8; encoding="cp1252", or that of another encoding, reads it'),
    "NUL": (b"e\x00\tf\t1", "NUL byte in the text"),
}  # fmt: skip


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_an_error_with_file_row_and_value_or_is_skipped_and_listed(tmp_path, case, end):
    row, why = FAULTS[case]
    path = tsv(tmp_path, end.join([HEADER.strip().encode(), b"a\tb\t1", b"c\td\t0", row, b"g\th\t1", b""]))
    refused("^" + re.escape(f"pairs.tsv, row 4: {why}; on_error="), read_pairs, path, labels=ZERO_ONE)
    with pytest.warns(ReadWarning, match=re.escape(f"pairs.tsv: 1 row skipped (row 4: {why})")) as caught:
        pairs = read_pairs(path, on_error="skip", labels=ZERO_ONE)
    assert len(caught) == 1 and caught[0].filename == __file__
    assert pairs[["text_a", "row"]].values.tolist() == [["a", 2], ["c", 3], ["g", 5]]
    (skipped,) = pairs.attrs["report"]["skipped"]
    assert (skipped["row"], skipped["why"], pairs.attrs["report"]["rows"]) == (4, why, 4)
    assert skipped["value"] in row.decode("utf-8", "backslashreplace").replace("\0", "\\0")


#: Rows under the header, and what becomes of them: texts of the left side, row numbers
TREATMENTS = {
    "a mark before a text": ("\ufeffa\tb\t1\n", ["a"], [2]), "no line end": ("a\tb\t1", ["a"], [2]),
    "blank lines": ("a\tb\t1\n\n\nc\td\t1\n\n", ["a", "c"], [2, 5]),
    "rows of empty cells": ("a\tb\t1\n\t\t\nc\td\t1\n\t\t\n", ["a", "c"], [2, 4]),
    "a text over two lines": ('"a\n\r\na"\tb\t1\nc\td\t0\n', ["a\n\r\na", "c"], [2, 3]),
    "quotes inside": ('a "b" c"\tb\t1\n', ['a "b" c"'], [2]),
    "self-pairs": ("a\ta\t1\nb\tb\t0\n", ["a", "b"], [2, 3]),
    "repeated rows": ("a\tb\t1\nb\ta\t1\na\tb\t0\na\tb\t1\n", ["a", "b", "a", "a"], [2, 3, 4, 5]),
}  # fmt: skip


@pytest.mark.parametrize("case", TREATMENTS)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_treatments(tmp_path, case, mark):
    content, texts, rows = TREATMENTS[case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if "blank" in case or "empty" in case else "error")
        pairs = read_pairs(tsv(tmp_path, mark + HEADER + content))
    assert (pairs["text_a"].tolist(), pairs["row"].tolist()) == (texts, rows)
    report = pairs.attrs["report"]
    assert {s["why"] for s in report["skipped"]} <= {"blank row"}
    assert report["rows"] == report["kept"] + len(report["skipped"])


def test_a_stray_quote_that_swallows_rows_and_a_header_without_rows_are_reported(tmp_path):
    path = tsv(tmp_path, HEADER + 'a\tb\t1\n"c\td\t0\ne"\tf\t1\ng\th\t1\n')
    with pytest.warns(ReadWarning, match="row 3 seems to run on into the next, after a stray quote"):
        pairs = read_pairs(path)
    assert pairs["text_a"].tolist() == ["a", "c\td\t0\ne", "g"]
    refused("row 3: seems to run on into the next, after a stray quote", read_table, path)
    with pytest.warns(ReadWarning, match="no rows"):
        pairs = read_pairs(tsv(tmp_path, HEADER))
    assert len(pairs) == 0 and str(pairs["text_a"].dtype) == "str"


def test_official_releases_load_whole_and_list_what_they_leave_out(tmp_path):
    header = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n"
    path = tsv(tmp_path, header + "0\t1\t2\ta\tb\t1\n1\t1\t2\ta\t\t0\n2\t1\tbroken\n3\t1\t2\tc\td\t0\n")
    with pytest.warns(ReadWarning, match=r"2 rows skipped"):
        pairs = read_pairs(path, "qqp-glue")
    assert pairs["id"].tolist() == ["0", "3"]
    assert pairs.attrs["report"]["skipped"] == [
        {"row": 3, "value": "", "why": "question2 is empty"},
        {"row": 4, "value": "2\t1\tbroken", "why": "3 fields where 6 are expected"},
    ]
    refused("row 3: question2 is empty", read_pairs, path, "qqp-glue", on_error="error")
    path = tsv(tmp_path, header + "0\t1\t2\ta\t\t1\n1\t1\n")
    refused("none of 2 rows can be read; row 2: question2 is empty", read_pairs, path, "qqp-glue")


@pytest.mark.parametrize("options", [{"unlabelled": "keep"}, {"unlabelled": "skip"}, {"on_error": "skip"}])
def test_labels_and_rows_without(tmp_path, options):
    path = tsv(tmp_path, "q\tr\tsame\na\tb\tyes\nc\td\tno\ne\tf\t?\ng\th\t\n")
    signs, keep = {"yes": 1, "no": 0, "?": None}, options.get("unlabelled") == "keep"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pairs = read_pairs(path, labels=signs, **ANYONES, **options)
    assert pairs["label"].fillna(9).tolist() == ([1, 0, 9, 9] if keep else [1, 0])
    whys = [skipped["why"] for skipped in pairs.attrs["report"]["skipped"]]
    assert whys == ([] if keep else ["label '?' gives no sign", "no label"])
    refused('row 5: no label; .*unlabelled="keep" keeps rows', read_pairs, path, labels=signs, **ANYONES)
    refused(r"row 2: label 'yes' is not a number \(and 3 more ", read_pairs, path, labels=(1, 2), **ANYONES)
    pairs = read_pairs(tsv(tmp_path, "question1\tquestion2\na\tb\n"), unlabelled="keep")
    assert pairs["label"].isna().all()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_encodings(tmp_path, encoding):
    path = tsv(tmp_path, (HEADER + "né\tb\t1\n").encode(encoding))
    assert read_pairs(path, encoding=encoding)["text_a"].tolist() == ["né"]
    if encoding == "utf-8-sig":  # its mark says more
        assert read_pairs(path, encoding="cp1252")["text_a"].tolist() == ["né"]
    if encoding == "utf-16":
        refused(r'looks like UTF-16; save it as UTF-8, or .* encoding="utf-16"', read_pairs, path)
        refused("cannot be decoded as ascii", read_pairs, path, encoding="ascii")


ODD = [{"header": "no"}, {"quoting": "yes"}, {"leave_out": "NS"}, {"leave_out": [5]}, {"encoding": 5}]
ODD += [{"columns": {"text_a": ["q"]}}, {"columns": {"set": []}}]


@pytest.mark.parametrize("option", ODD)
def test_values_of_other_kinds_are_none_of_an_option(option):
    [name] = option
    refused(f"^(read_pairs takes )?{name}", read_pairs, pg.DEMO, **option)


def test_a_header_in_another_encoding(tmp_path):
    path = tsv(tmp_path, "Sätze\tText\tgleich?\nich\tdu\tja\n".encode("cp1252"))
    refused(r'row 1: is not UTF-8; encoding="cp1252"', read_pairs, path)
    refused(r'row 1: is not UTF-8; encoding="cp1252"', read_pairs, path, columns={"text_a": "Sätze"})


def test_a_label_is_the_same_however_its_accents_are_coded(tmp_path):
    path = tsv(tmp_path, HEADER + "a\tb\tsi\u0301\nc\td\tno\n")
    assert read_pairs(path, labels={"sí": 1, "no": 0})["label"].tolist() == [1, 0]


def test_unpacking_stops_where_memory_ends(tmp_path, monkeypatch):
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b'{"text_a": "a"}' + b" " * 3_000_000))
    monkeypatch.setattr(content, "free_memory", lambda: 6_000_000)
    for reader in (read_pairs, read_table, pg.open_pairs):
        refused("unpacked it is larger than 1,000,000 bytes, the most that is read; split it", reader, bomb)


#: The control group of a process as Linux shows it: the list of groups, a folder, its memory.stat and memory.max; and
#: whether it leaves 2 MB, besides the cache of its files
GROUPS = [
    ("0::/jobs/one\n", "jobs/one", "anon 3000000\nfile 2000000\n", "5000001\n", True),
    ("4:memory:/one\n0::/\n", "memory/one", "hierarchical_memory_limit 5000001\ntotal_rss 3000000\n", None, True),
    ("0::/one\n", "one", "anon 3000000\n", "max\n", False),
    ("0::/gone\n", "one", "anon 3000000\n", "5000001\n", False),
]


@pytest.mark.parametrize(("own", "folder", "stat", "most", "tight"), GROUPS)
def test_a_file_is_unpacked_as_far_as_the_free_memory_goes(tmp_path, monkeypatch, own, folder, stat, most, tight):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "memory.stat").write_text(stat)
    if most:
        (tmp_path / folder / "memory.max").write_text(most)
    (tmp_path / "own").write_text(own)
    monkeypatch.setattr(memory, "OWN_GROUPS", tmp_path / "own")
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(gzip.compress((HEADER + "a\t" + "b" * 3_000_000 + "\t1\n").encode()))
    if tight:
        refused("unpacked it is larger than 333,333 bytes, the most that is read", read_pairs, path)
    else:
        assert len(read_pairs(path)) == 1


@pytest.mark.long
@pytest.mark.skipif(not hasattr(psutil, "RLIMIT_AS"), reason="only Linux keeps a process to so much memory")
def test_what_takes_more_memory_than_there_is_is_refused_in_one_line(tmp_path):
    """3 GB out of 3 MB, in a process that may take one more gigabyte."""
    (tmp_path / "bomb.tsv.gz").write_bytes(gzip.compress(b" " * 10_000_000) * 300)
    code = (
        "import psutil, paragraph as pg\n"
        "own = psutil.Process()\n"
        "pg.read_pairs(pg.DEMO)\n"
        "own.rlimit(psutil.RLIMIT_AS, (own.memory_info().vms + 10**9,) * 2)\n"
        "try: pg.read_pairs('bomb.tsv.gz')\n"
        "except pg.PairsError as error: print(error)\n"
    )
    said = python("-c", code, cwd=tmp_path, check=True).stdout
    assert said == "bomb.tsv.gz: cannot be read: it needs more memory than there is\n"


def test_paths_that_cannot_be_read(tmp_path):
    refused(r"nowhere.tsv: cannot be read: No such file", read_pairs, tmp_path / "nowhere.tsv")
    refused("cannot be read", read_pairs, tmp_path)
    refused("names no file: it holds a NUL character", read_pairs, "x\0y")
    whole = gzip.compress((HEADER + "a\tb\t1\n" * 1000).encode())
    for damaged in (whole[:-6], whole[:40], whole[:30] + b"?" + whole[31:], whole + b"junk"):
        refused(r"pairs.tsv.gz: cannot be read", read_pairs, tsv(tmp_path, damaged, "pairs.tsv.gz"))
    assert len(read_pairs(tsv(tmp_path, whole, "named_otherwise.tsv"))) == 1000


@pytest.mark.parametrize("line, why", [*{
    "{": "not JSON", "3": "not a JSON object", "{}": "an object without keys",
    '{"text_a": "a", "text_b": "b", "label": 1, "label": 0}': "not JSON (key 'label' is there twice)",
    '{"text_a": "a", "\\ud800": 1}': "not JSON (key '\\ud800' holds half a surrogate pair)",
    '{"text_a": 5, "text_b": "b", "label": 1}': "text_a is 5, not text",
    '{"text_a": "a", "label": 1}': "text_b is empty",
    '{"text_a": "a", "text_b": "\\ud800", "label": 1}': "text_b holds half a surrogate pair",
    '{"text_a": "a", "text_b": "\\u0000", "label": 1}': "NUL byte in the text",
    "[" * 100_000: "not JSON",
}.items()])  # fmt: skip
def test_json_lines_faults(tmp_path, line, why):
    content = '{"text_a": "é\\n", "text_b": "b", "label": 1, "id": 7}\n\n' + line + "\n"
    path = tsv(tmp_path, content, "pairs.jsonl")
    refused("^" + re.escape(f"pairs.jsonl, row 3: {why}"), read_pairs, path)
    with pytest.warns(ReadWarning):
        pairs = read_pairs(path, on_error="skip")
    assert pairs.values.tolist() == [["é\n", "b", 1, 1, "7"]]
    assert [s["row"] for s in pairs.attrs["report"]["skipped"]] == [2, 3]


FRAME = {"text_a": ["a", "b"], "text_b": ["c", "d"], "label": [1, 0]}
SAME = [{}, {"label": [1.0, 0.0]}, {"label": [True, False]}, {"label": ["1", "0"]}, {"label": [1, "0"]}]
SAME += [{"label": pd.Series([1, 0], dtype="Int8")}, {"text_a": pd.Categorical(["a", "b"])}]
SAME += [{"text_a": pd.Series(["a", "b"], dtype=kind)} for kind in (object, "string", pd.ArrowDtype(pa.string()))]


@pytest.mark.parametrize("changes", SAME, ids=repr)
def test_data_frames(changes):
    pairs = read_pairs(pd.DataFrame(FRAME | changes).set_axis([5, 5]))
    assert pairs.values.tolist() == [["a", "c", 1, 1], ["b", "d", 0, 2]] and pairs.index.tolist() == [0, 1]


@pytest.mark.parametrize("column, values, message", [
    ("text_a", [1, 2], ", row 1: text_a is 1, not text"),
    ("text_a", ["a", 2], ", row 2: text_a is 2, not text"), ("text_a", ["a", None], ", row 2: text_a is empty"),
    ("text_a", ["a", "\ud800"], ", row 2: text_a holds half a surrogate pair"),
    ("text_a", ["a", "\0"], ", row 2: NUL byte"), ("label", [1, float("nan")], ", row 2: no label"),
    ("label", [1, 2], ", row 2: label '2' is not one of 0, 1"),
    ("label", [[1], [0, 1]], r", row 2: label '\[0, 1\]' is not one of 0, 1"),
    ("label", [1, Ellipsis], ", row 2: label is Ellipsis"),
    ("text_a", [b"a", b"b"], ", row 1: text_a is b'a', not text"),
    ("note", [[1], "x"], ": .*column note.*; leave out columns"),
], ids=repr)  # fmt: skip
def test_data_frames_with_faults(column, values, message):
    values = pd.Series(values, dtype=object if "\ud800" in values else None)
    refused(f"^the DataFrame{message}", read_pairs, pd.DataFrame(FRAME | {column: values}))


#: Labels, the last of which is missing; as another program writes it, without a null; of several kinds.
MISSING = [pd.Series([True, pd.NA], dtype=object), pd.arrays.ArrowExtensionArray(pa.array([1, float("nan")]))]
MISSING += [pd.Series([1, "0", pd.NA], dtype=object)]


@pytest.mark.parametrize("labels", MISSING, ids=repr)
def test_what_is_missing_is_no_label(labels):
    pairs = read_pairs(pd.DataFrame({"text_a": "a", "text_b": "b", "label": labels}), unlabelled="keep")
    assert pairs["label"].isna().tolist() == [*[False] * (len(labels) - 1), True]


def test_numbers_of_a_table_have_one_decimal_sign(tmp_path):
    frame = pd.DataFrame(FRAME | {"label": [3.125, 100.0]})
    frame.to_parquet(tmp_path / "x.parquet")
    (tmp_path / "x.jsonl").write_text(frame.to_json(orient="records", lines=True))
    frame.to_csv(tmp_path / "x.csv", index=False)
    for source in (frame, tmp_path / "x.parquet", tmp_path / "x.jsonl"):
        assert read_pairs(source, labels=(50, 60))["label"].tolist() == [0, 1]
    frame.assign(label=["3.125", "100"]).to_csv(tmp_path / "x.csv", index=False)
    refused("'3.125' beside '100' can be 3.125 or 3125", read_pairs, tmp_path / "x.csv", labels=(50, 60))


def test_a_pair_table_read_again_keeps_its_rows(tmp_path):
    pairs = read_pairs(tsv(tmp_path, HEADER + "a\tb\t1\nc\td\t0\ne\tf\t1\n"))
    assert read_pairs(pairs[1:])["row"].tolist() == [3, 4]
    refused("row 4: text_a is 3, not text", read_pairs, pairs[1:].astype({"text_a": object}).assign(text_a=["c", 3]))


def columns_of(result):
    return [c.to_pylist() for c in result.columns], result.row.tolist(), result.bad


PIECES = ["a", "bc", '"', '""', "\t", "\t", "\n", "\n", "\r\n", "\r", "é", "\ufeff", "\0", "\x85"]


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES)), st.booleans(), st.sampled_from([7, 64, 1 << 20]))
def test_fast_is_careful_on_any_bytes(pieces, quoted, block):
    text = "".join(pieces).removeprefix("\ufeff")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paragraph.files.delimited.BLOCK", block)
        fast = read_rows(text.encode(), "\t", quoted, ["a", "b"], [0, 1])
    assert columns_of(fast) == columns_of(read_carefully(text.encode(), "\t", quoted, 2, [0, 1]))
    seen = len(fast.row) + len(fast.bad)
    assert seen == len(set(fast.row.tolist()) | {row for row, _, _ in fast.bad})
    if not quoted:
        assert seen == len(re.findall("\r\n|\r|\n", text)) + (text != "" and text[-1] not in "\r\n")


@pytest.mark.slow
@settings(max_examples=100)
@given(
    st.lists(st.tuples(ANY_TEXT | TRICKY, ANY_TEXT | TRICKY), max_size=12),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([16, 1 << 20]),
)
def test_what_csv_writes_is_read(rows, style, end, block):
    # NUL is refused; and this csv module leaves a CR bare where it ends lines with LF
    odd = str.maketrans("", "", "\0" if "\r" in end or style == csv.QUOTE_ALL else "\0\r")
    rows = [("x", "x"), *((a.translate(odd), b.translate(odd)) for a, b in rows)]
    sink = io.StringIO(newline="")
    csv.writer(sink, delimiter="\t", quoting=style, lineterminator=end).writerows(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paragraph.files.delimited.BLOCK", block)
        result = read_rows(sink.getvalue().encode(), "\t", True, ["a", "b"], [0, 1])
    assert result.bad == [] and list(zip(*columns_of(result)[0], strict=True)) == rows


def test_well_formed_files_go_the_fast_way(monkeypatch):
    """Quotes, line ends inside them and CR LF are no reason to be slow."""
    monkeypatch.setattr("paragraph.files.delimited.read_carefully", lambda *a: pytest.fail("went the careful way"))
    for end in ("\n", "\r\n"):
        data = end.join(['"a ""b"""\tc', '"d\n\te"\tf', "", 'g\t""', "h\ti"]).encode()
        for block in (16, 20, 1 << 20):
            monkeypatch.setattr("paragraph.files.delimited.BLOCK", block)
            result = read_rows(data, "\t", True, ["a", "b"], [0, 1])
            assert result.columns[0].to_pylist() == ['a "b"', "d\n\te", "", "g", "h"]


WRITABLE = ANY_TEXT | TRICKY | st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [
    ".tsv", ".csv", ".jsonl", ".parquet",
    pytest.param(".tsv.gz", marks=pytest.mark.long), pytest.param(".parquet.gz", marks=pytest.mark.long),
])  # fmt: skip
@settings(max_examples=60)
@given(rows=st.lists(st.tuples(WRITABLE, WRITABLE, st.sampled_from([0, 1, None])), max_size=6))
def test_what_is_written_is_read_back(tmp_path_factory, ending, rows):
    rows = [row for row in rows if all(text.strip() and text[0] != "\ufeff" and "\0" not in text for text in row[:2])]
    if ending == ".jsonl" and not rows:
        return  # a file without a byte says nothing, not even that it holds no pairs
    path = tmp_path_factory.mktemp("written") / f"pairs{ending}"
    frame = pd.DataFrame(rows, columns=["text_a", "text_b", "label"]).astype({"label": "Int8"})
    write_pairs(frame, path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        back = read_pairs(path, unlabelled="keep", labels=ZERO_ONE)
    assert back.attrs["report"]["format"] == "paragraph"
    labels = [None if x is pd.NA else x for x in back["label"]]
    assert list(zip(back["text_a"], back["text_b"], labels, strict=True)) == rows


def test_written_files_are_plain(tmp_path):
    path = tmp_path / "pairs.tsv"
    write_pairs(pd.DataFrame({"text_a": ["a,b", 'c"'], "text_b": ["d\te", "f\ufeff "], "label": [1, None]}), path)
    assert path.read_bytes().decode() == HEADER + 'a,b\t"d\te"\t1\n"c"""\tf\ufeff \t\n'
    write_pairs(read_pairs(path, unlabelled="keep"), tmp_path / "pairs.csv")
    assert (tmp_path / "pairs.csv").read_text().splitlines()[1] == '"a,b",d\te,1'


@pytest.mark.parametrize("rows, message", [
    ([("\ud800", "d", 0)], "row 2: text_a holds half a surrogate pair"), ([("", "d", 0)], "row 2: text_a is empty"),
    ([("x\0", "d", 0)], "row 2: NUL byte"), ([("b", "d", 7)], "row 2: label '7' is not one of 0, 1"),
    ([("", "", None)], "row 2 of the pair table is blank"),
])  # fmt: skip
def test_what_could_not_be_read_back_is_not_written(tmp_path, rows, message):
    path = tmp_path / "pairs.tsv"
    refused(message, write_pairs, pd.DataFrame([("a", "c", 1), *rows], columns=list(FRAME), dtype=object), path)
    assert not path.exists()


def test_what_write_pairs_and_columns_ask_for(tmp_path):
    refused("label is missing", write_pairs, pd.DataFrame({"text_a": [], "text_b": []}), tmp_path / "x.tsv")
    refused("x.xlsx must end in .tsv, .csv, .jsonl or .par", write_pairs, pd.DataFrame(FRAME), tmp_path / "x.xlsx")
    table, columns = pd.DataFrame({"Question1": ["a"], "b": ["c"]}), {"text_a": "question1", "text_b": "b"}
    refused("did you mean 'Question1'", read_pairs, table, columns=columns)


def labelled(labels):
    return pd.DataFrame({"text_a": [f"a{i}" for i in range(len(labels))], "text_b": "b", "label": labels})


@pytest.mark.parametrize("given, labels, said", [
    (["x", "1"], None, "label 'x' is not one of 0, 1; labels there: 'x' 1, '1' 1; say what each means, "),
    (["x", "y", "x"], None, 'labels={"x": "…", "y": "…"}: 1 a paraphrase, 0 none, nothing for no sign'),
    (["x", "y", "x", 1], ZERO_ONE, "; unknown labels: 'x' 2, 'y' 1; on_error="),
    (["x", "y"], ZERO_ONE, "unknown labels: 'x' 1, 'y' 1|"),
    (["paraphrse", "no"], {"paraphrase": 1, "no": 0}, "did you mean 'paraphrase'?"),
    (["ja", "Ja", "nein"], {"ja": 1, "nein": 0}, "did you mean 'ja'?"),
    ([f"label {i}" for i in range(14)], None, "'label 7' 1, and 6 more; say what each means"),
    (["1.0", " 2", "2.0"], ZERO_ONE, "label ' 2' is not one of 0, 1 (and 1 more such rows); on_error="),
    (["1", "4", "2.5"], None, "or two thresholds of a score, labels LOW,HIGH"),
])  # fmt: skip
def test_unknown_labels_are_named_with_their_rows(given, labels, said):
    assert said in refused(".", read_pairs, labelled(given), labels=labels) + "|"


def test_skipped_rows_are_counted_by_reason():
    with pytest.warns(ReadWarning) as told:
        read_pairs(labelled(["5", "1", "3.5", "4", "4.25", "", "4"]), labels=(3.5, 4.5), on_error="skip")
    assert str(told[0].message).endswith("5 rows skipped (4: label … gives no sign; 1: no label)")


@pytest.mark.parametrize("given, expected", [
    ("text_a text_b label", "text_a text_b label"), ("question1 question2 is_duplicate", "text_a text_b label"),
    ("sentence1 sentence2", "text_a text_b"), ("x question2 question1 label", "x text_b text_a label"),
    ("question1 question2 label is_duplicate", "text_a text_b label is_duplicate"),
    ("question1 question2 text_a text_b", "question1 question2 text_a text_b"),
    ("text_a question1 question2 is_duplicate", None), ("question1 text_b", None), ("", None),
])  # fmt: skip
def test_canonical_names(given, expected):
    table = pd.DataFrame([range(len(given.split()))], columns=given.split(), index=[7])
    table.attrs["report"] = {}
    if expected is None:
        refused("evidence needs the columns text_a, text_b", canonical, table, "evidence")
        return
    found = canonical(table)
    assert list(found) == expected.split() and list(table) == given.split()
    assert found.index.tolist() == [7] and found.attrs == {"report": {}}


@pytest.mark.parametrize("rows, options, caption, shown", [
    (616, {}, "10 of 616 rows; the next: pg.show(table[10:])", range(10)), (10, {}, None, range(10)),
    (1_200, {"rows": 1_000}, "1,000 of 1,200 rows; the next: pg.show(table[1000:])", range(1000)),
    (0, {}, None, []),
])  # fmt: skip
def test_a_shown_table_says_how_much_of_it_is_seen(rows, options, caption, shown):
    table = pd.DataFrame({"n": range(rows)})
    page = pg.show(table, **options)
    assert page.caption == caption and page.data["n"].tolist() == [*shown]


@pytest.mark.parametrize("spelled", [("yes", "NO", "Yes"), ("TRUE", "False", "true")])
def test_yes_no_true_false_are_understood_and_named(tmp_path, spelled):
    path = tsv(tmp_path, HEADER + "".join(f"a{i}\tb\t{label}\n" for i, label in enumerate(spelled)))
    with pytest.warns(
        ReadWarning, match=f"'{spelled[0]}' as 1, '{spelled[1]}' as 0, '{spelled[2]}' as 1; labels says"
    ):
        assert read_pairs(path)["label"].tolist() == [1, 0, 1]
    refused(f"label '{spelled[0]}' is not one of ja", read_pairs, path, labels={"ja": 1})
    refused("label 'ja' is not one of 0, 1; .*labels=", read_pairs, tsv(tmp_path, HEADER + "a\tb\tja\n"))
