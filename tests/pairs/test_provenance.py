"""The record beside a written output."""

import hashlib
import json
from importlib.metadata import version

import pytest

from paragraph.pairs.outputs import file_hash, make_record, write_record


def test_file_hash_of_a_known_text(tmp_path):
    (tmp_path / "data").write_bytes(b"abc")  # the example of FIPS 180-2
    assert file_hash(tmp_path / "data") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_record(tmp_path):
    for name, text in (("train.tsv", "one"), ("test.tsv", "three")):
        (tmp_path / name).write_text(text)
    inputs = {"train": tmp_path / "train.tsv", "test": str(tmp_path / "test.tsv")}
    record = make_record(inputs, negatives="all", seed=3, max_distance=None)
    assert list(record) == ["inputs", "options", "versions"]
    assert record["inputs"] == {
        "train": {"file": "train.tsv", "bytes": 3, "sha256": hashlib.sha256(b"one").hexdigest()},
        "test": {"file": "test.tsv", "bytes": 5, "sha256": hashlib.sha256(b"three").hexdigest()},
    }
    assert record["options"] == {"negatives": "all", "seed": 3, "max_distance": None}
    for name in ("paragraph-workbench", "numpy", "pandas", "pyarrow", "scipy"):
        assert record["versions"][name.removesuffix("-workbench")] == version(name)
    assert record["versions"]["python"].count(".") == 2
    assert str(tmp_path) not in json.dumps(record)  # records travel


def test_a_record_of_nothing_that_is_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        make_record({"train": tmp_path / "none.tsv"})


def test_records_lie_beside_their_output(tmp_path):
    for name in ("out.tsv", "out.tsv.gz", "out"):
        write_record(tmp_path / name, make_record({}, seed=1))
        assert json.loads((tmp_path / f"{name}.record.json").read_text(encoding="utf-8"))["options"] == {"seed": 1}
