"""Columns of a source beside its pairs, by the names that a person gives, whatever the kind of file."""

import gzip
import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.pairs.beside import LONG, columns_beside

TABLE = pd.DataFrame({
    "nr": ["007", "8", "9"], "text_a": ["a", "b", "c"], "text_b": ["b", "c", "d"], "label": [1, 0, 1],
    "remark": ['by "phone"\nat noon', None, "<b>犬</b>"], "score 1": [0.5, 2.0, None],
})  # fmt: skip
WANTED = ["remark", "nr", "score 1"]
VALUES = [['by "phone"\nat noon', "007", "0.5"], ["", "8", "2"], ["<b>犬</b>", "9", ""]]
LINES = TABLE.to_json(orient="records", lines=True, force_ascii=False)
CSV = TABLE.assign(**{"score 1": ["0.5", "2", ""]}).to_csv(index=False)
FILES = {
    "comma.csv": CSV.encode(),
    "packed.csv.gz": gzip.compress(CSV.encode()),
    "excel.csv": "\ufeff".encode() + CSV.replace(",", ";").replace("\n", "\r\n").encode(),
    "lines.jsonl": LINES.encode(),
    "list.json": json.dumps([json.loads(line) for line in LINES.splitlines()]).encode(),
}
EXCEL = [[value.replace("\n", "\r\n") for value in row] for row in VALUES]


@pytest.mark.parametrize("name", [*FILES, "table.parquet"])
def test_the_values_of_each_row(tmp_path, name):
    path = tmp_path / name
    if name in FILES:
        path.write_bytes(FILES[name])
    else:
        TABLE.to_parquet(path)
    pairs = pg.read_pairs(path)
    assert columns_beside(pairs, WANTED).values.tolist() == (EXCEL if name == "excel.csv" else VALUES)
    some = pairs.iloc[[2, 0]]  # by the place in the file, not in the table
    assert columns_beside(some, ["nr"])["nr"].tolist() == ["9", "007"]


def test_columns_of_a_table_and_of_files_without_a_header(tmp_path):
    assert columns_beside(TABLE, WANTED).values.tolist() == VALUES
    path = tmp_path / "bare.tsv"
    path.write_text("7\ta\tb\t1\n8\tb\tc\t0\n")
    pairs = pg.read_pairs(path, columns={"text_a": 1, "text_b": 2, "label": 3}, labels={"1": 1, "0": 0})
    assert columns_beside(pairs.assign(mine=["x", "y"]), [0, "mine"]).values.tolist() == [["7", "x"], ["8", "y"]]
    long = pairs.assign(mine="x" * 9 * LONG)
    assert {len(value) for value in columns_beside(long, ["mine"])["mine"]} == {LONG}


def test_of_a_record_with_several_pairs_each_has_the_values_of_its_record(tmp_path):
    path = tmp_path / "triplets.csv"
    path.write_text("nr,anchor,positive,negative\n7,a,b,c\n8,d,e,f\n")
    columns = {"text_a": "anchor", "text_b": "positive", "negative": "negative"}
    pairs = pg.read_pairs(path, columns=columns)
    shown = columns_beside(pairs, ["nr"])["nr"]
    assert dict(zip(pairs["text_b"], shown, strict=True)) == {"b": "7", "c": "7", "e": "8", "f": "8"}


def test_another_file_and_an_unknown_column_are_refused(tmp_path):
    path = tmp_path / "my.csv"
    path.write_bytes(FILES["comma.csv"])
    pairs = pg.read_pairs(path)
    with pytest.raises(pg.PairsError, match="no column 'id'; there are nr, text_a, text_b, label, remark, score 1"):
        columns_beside(pairs, ["nr", "id"])
    with pytest.raises(pg.PairsError, match="a list of columns"):
        columns_beside(pairs, "nr")
    path.write_bytes(FILES["comma.csv"] + b"10,x,y,1,,\n")
    with pytest.raises(pg.PairsError, match="has changed since it was read"):
        columns_beside(pairs, ["nr"])
    path.unlink()
    with pytest.raises(pg.PairsError, match="is gone"):
        columns_beside(pairs, ["nr"])
