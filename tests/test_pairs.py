"""Reading and writing pair tables."""

import csv
import gzip

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph.delimited import DelimitedWriter, quote_fields

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TRICKY = st.text(st.sampled_from('ab"\t\n\r,é\x1c '), max_size=8)


@pytest.mark.parametrize("delimiter", ["\t", ","])
@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.none() | ANY_TEXT | TRICKY, max_size=8), data=st.data())
def test_quoted_fields_are_what_csv_reads_back(delimiter, texts, data):
    cut = data.draw(st.integers(0, len(texts)))
    for kind in (pa.string(), pa.large_string()):
        array = pa.array(texts, kind).slice(cut)
        for quoted in (quote_fields(array, delimiter), quote_fields(pa.chunked_array([array]), delimiter)):
            assert quoted.type == kind
            for text, field in zip(texts[cut:], quoted.to_pylist(), strict=True):
                if text is None:
                    assert field is None
                    continue
                plain = not set(text) & {delimiter, '"', "\n", "\r"}
                row = next(csv.reader([field + delimiter + "end"], delimiter=delimiter, strict=True))
                assert row == [text, "end"]
                assert (field == text) == plain


def test_writer_streams_batches_and_writes_nulls_as_empty_fields(tmp_path):
    for path in (tmp_path / "x.tsv", tmp_path / "x.tsv.gz"):
        with DelimitedWriter(path, ["a", "b"]) as writer:
            writer.rows_per_write = 2
            writer.write([pa.array(["1", "2", "3"]), pa.array(["x", None, "é"], pa.large_string())])
            writer.write([pa.array([], pa.string()), pa.array([], pa.string())])
            writer.write([pa.chunked_array([["4"], ["5"]]), pa.array(["y", "z"])])
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        assert text == "a\tb\n1\tx\n2\t\n3\té\n4\ty\n5\tz\n"
