"""The user's own file, corrected: every byte that no decision touches is as it was."""

import gzip

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragraph.pairs import read_pairs
from paragraph.pairs.corrected import beside_corrected, write_corrected
from tests.refused import refused

YES = {"labels": {"ja": 1, "Ja": 1, "nein": 0}}
NAMED = {"columns": {"text_a": "q 1", "text_b": "q 2", "label": "same"}} | YES
QUOTED = (
    b'id,q 1,q 2,same,"note, free"\r\n1,"How, far?",B,ja,\r\n2,"say ""x""",D,nein,"two\r\nlines"\r\n\r\n3,E,F, ja ,x'
)
PLAIN = {"columns": {"text_a": 0, "text_b": 1, "label": 2}}
SCORES = {"columns": {"text_a": "a", "text_b": "b", "label": "s"}, "labels": (2, 4)}
JSON = (
    b'{"label": 1.0,  "text_a": "\\u00e4", "text_b": "b", "n": 1.10}\r\n\n{"text_a":"c","text_b":"d","label": 0.0 }'
)
LIST = (
    b'[\n{"text_a": "a", "text_b": "b", "label": 1},\n', b'{"text_a": "\xc3\xa9", "text_b": "d", "label": 1} ,\n',
    b'{"text_a": "e", "text_b": "f", "label": 0},\n', b'{"text_a": "g", "text_b": "h", "label": 0}', b"\n]\n",
)  # fmt: skip
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
        "my.tsv", "\ufefftext_a\ttext_b\tlabel\nä\tb\t1\nc\td\t0\n".encode("utf-16-be"), {"encoding": "utf-16"},
        {3: "becomes 1"}, "\ufefftext_a\ttext_b\tlabel\nä\tb\t1\nc\td\t1\n".encode("utf-16-be"),
        "\ufefftext_a\ttext_b\tlabel\n".encode("utf-16-be"),
    ),
    "JSON Lines": ("my.jsonl", JSON, {}, {3: "becomes 1"}, JSON.replace(b"0.0", b"1.0"), b""),
    "JSON Lines with scores": (
        "my.jsonl", JSON, {"labels": (0.5, 0.5)}, {1: "dropped", 3: "becomes 1"},
        JSON[63:].replace(b"0.0 }", b'0.0, "decided": 1 }'), JSON[:63],
    ),
    "a list of objects": (
        "my.json", b"".join(LIST), {}, {1: "dropped", 3: "becomes 1", 4: "dropped"},
        b"[\n" + LIST[1] + LIST[2].replace(b"0},\n", b"1}") + LIST[4], LIST[0] + LIST[3] + LIST[4],
    ),
    "the first line names the delimiter": (
        "my.csv", b"sep=;\ntext_a;text_b;label\na;b;1\nc;d;0\n", {}, {2: "dropped", 3: "becomes 1"},
        b"sep=;\ntext_a;text_b;label\nc;d;1\n", b"sep=;\ntext_a;text_b;label\na;b;1\n",
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::paragraph.pairs.read.ReadWarning")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("case", FILES)
def test_only_what_is_decided_changes(tmp_path, case, packed):
    name, content, options, effects, corrected, left = FILES[case]
    path, out = tmp_path / f"{name}{'.gz' * packed}", tmp_path / f"clean.{name[3:]}{'.gz' * packed}"
    path.write_bytes(gzip.compress(content) if packed else content)
    pairs = read_pairs(path, **options)
    write_corrected(pairs, effects, out)
    found = [file.read_bytes() for file in (out, beside_corrected(out))]
    assert [gzip.decompress(each) if packed else each for each in found] == [corrected, left]
    write_corrected(pairs, {}, out)  # nothing is decided
    if "scores stay" not in case:
        assert out.read_bytes() == path.read_bytes() or (packed and gzip.decompress(out.read_bytes()) == content)


@pytest.mark.parametrize("kind", [pa.int64(), pa.bool_(), pa.float32(), pa.dictionary(pa.int8(), pa.string())])
def test_parquet_keeps_its_schema_and_values(tmp_path, kind):
    label = pd.Series([1, 0, 1]).astype({"bool": bool}.get(str(kind), str)).tolist()
    label = pa.array(label).cast(kind if not pa.types.is_dictionary(kind) else pa.string()).cast(kind)
    columns = {"text_a": ["a", "c", "e"], "when": [pd.Timestamp("2026-01-31"), None, None], "text_b": ["b", "d", "f"]}
    table = pa.table(columns).append_column(pa.field("label", kind, metadata={"of": "x"}), label)
    table = table.replace_schema_metadata({"made by": "hand"})
    pq.write_table(table, tmp_path / "my.parquet")
    write_corrected(
        read_pairs(tmp_path / "my.parquet"),
        {1: "dropped", 2: "becomes 1", 3: "becomes 0"},
        tmp_path / "clean.parquet",
    )
    found, left = (pq.read_table(tmp_path / f"clean{name}.parquet") for name in ("", ".left_out"))
    assert found.schema.equals(table.schema, check_metadata=True) and left.equals(table[:1])
    assert found["label"].to_pylist() == label[:2].to_pylist()
    assert found.drop_columns("label").equals(table[1:].drop_columns("label"))


def test_refusals_leave_the_file_alone(tmp_path):
    path = tmp_path / "my.csv"
    path.write_text("text_a,text_b,label\na,b,1\nc,d,0\n")
    pairs = read_pairs(path)
    for said, out in {"is the input": "my.csv", "format of my.csv; end its name in .csv": "clean.tsv"}.items():
        refused(said, write_corrected, pairs, {3: "becomes 1"}, tmp_path / out)
    path.write_text("text_a,text_b,label\na,b,1\nx,d,0\n")
    refused("my.csv, row 3: another pair than when", write_corrected, pairs, {3: "becomes 1"}, tmp_path / "clean.csv")
    refused("do not come from a single file", write_corrected, read_pairs(pairs), {}, tmp_path / "clean.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["my.csv"]


@pytest.mark.parametrize("line", [
    b'{"set": ["a", "b", "c"]}', b'{"text_a": "a", "text_b": "b", "label": ["1"]}',
    b'{"anchor": "a", "positive": "b", "negative": "c"}',
])  # fmt: skip
def test_records_that_are_not_one_pair_each_are_refused_with_a_way_on(tmp_path, line):
    path = tmp_path / "my.jsonl"
    path.write_bytes(line + b"\n")
    pairs = read_pairs(path)
    refused("name a folder as the output", write_corrected, pairs, {1: "becomes 0"}, tmp_path / "clean.jsonl")
