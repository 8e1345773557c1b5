"""Damaged files: always a table or a PairsError, and no row that vanishes without being counted.

PARAGRAPH_FUZZ is the number of damaged files a reader, 25 if unset.
"""

import gzip
import json
import os
import random
import re
import warnings

import pandas as pd
import pytest

import paragraph as pg
from paragraph.files import PairsError
from paragraph.pairs import read_pairs, write_pairs
from paragraph.pairs.evidence import read_table
from paragraph.pairs.layouts import RELEASES
from paragraph.papers.japanese.parse import read_parses

from ..growth import LINEAR, exponent
from .samples import FIRST_LINES

DAMAGED = int(os.environ.get("PARAGRAPH_FUZZ", "25"))

# Bytes and strings that parsers trip over
NASTY = [b'"', b'""', b'"\n', b"\t", b",", b"\n", b"\r", b"\r\n", b"\n\n", b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80"]
NASTY += [b"\xef\xbb\xbf", b"\xff\xfe", b"\x1a", *(bytes([each]) for each in b"\\'10{}[ "), b"-1", b"nan", b"1e999"]
WORDS = ["what", "how", "far", "is", "the", "moon", "from", "here,", "'now'", '"then"', "é", "日本", "...", "why?"]


def table(rng, rows=12):
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(1, 7))) for _ in range(2 * rows)]
    return [(a, b, rng.randint(0, 1)) for a, b in zip(texts[::2], texts[1::2], strict=True)]


def repeated(name):
    """A maker of whole files of a format: its sample, its rows several times."""
    head, body = re.fullmatch("([^\n]*\n)(.*)" if name != "mqp" else "()(.*)", FIRST_LINES[name], re.DOTALL).groups()
    return lambda rng: (head + body * rng.randint(4, 12)).encode()


def json_lines(rng):
    rows = [{"text_a": a, "text_b": b, "label": s, "id": i} for i, (a, b, s) in enumerate(table(rng))]
    return "".join(json.dumps(row, ensure_ascii=rng.random() < 0.5) + "\n" for row in rows).encode()


MAKERS = {name: repeated(name) for name in RELEASES} | {"jsonl": json_lines}


def damage(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + rng.choice([1, 3, 40, 1000]))
        new = rng.choice([rng.choice(NASTY), bytes([rng.randrange(256)]), b"", data[at:to]])
        data[at : rng.choice([at, at + 1, to])] = new
        if rng.random() < 0.03:
            del data[at:]
    return bytes(data)


def read(path, reader=read_pairs, **options):
    """The table, or None where there was an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return reader(path, **options)
        except PairsError as error:
            assert str(error)
            return None


def sound(pairs):
    report = pairs.attrs["report"]
    assert report["rows"] == report["kept"] + len(report["skipped"]) and report["kept"] == len(pairs)
    rows = pairs["row"].tolist() + [skipped["row"] for skipped in report["skipped"]]
    assert len(set(rows)) == len(rows) and pairs["row"].is_monotonic_increasing
    for side in ("text_a", "text_b"):
        assert not pairs[side].isna().any() and (pairs[side].str.strip() != "").all()
    assert set(pairs["label"].dropna()) <= {0, 1}
    return report


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_files(tmp_path, name):
    rng = random.Random(name)
    tables = 0
    for trial in range(DAMAGED):
        data = damage(MAKERS[name](rng), rng)
        path, fmt = tmp_path / "file.dat", rng.choice(["auto", name])
        path.write_bytes(gzip.compress(data, 1) if rng.random() < 0.1 else data)
        on_error, unlabelled = rng.choice(["skip", "error", None]), rng.choice(["keep", "skip", "error"])
        pairs = read(path, format=fmt, on_error=on_error, unlabelled=unlabelled)
        if pairs is None:
            continue
        tables += 1
        report = sound(pairs)
        text = data.removeprefix(b"\xef\xbb\xbf")
        ends = rb"\n" if name == "jsonl" else rb"\r\n|\r|\n"
        lines = len(re.findall(ends, text)) + (re.search(rb"(?:%b)\Z" % ends, text) is None)
        lines -= name not in ("mqp", "jsonl")  # the header
        if "CSV quotes" not in report["notes"][0]:
            assert report["rows"] == lines, f"file {trial}"
        elif not report["skipped"] and {"id", "id_a", "id_b"} <= set(pairs):
            # Each line is a row, or inside one of its fields (Quora's, all of which but the label are kept)
            fields = pairs[["text_a", "text_b", "id", "id_a", "id_b"]].to_numpy().ravel()
            inside = sum(len(re.findall("\r\n|\r|\n", field)) for field in fields)
            assert report["rows"] + inside == lines, f"file {trial}"
        else:
            assert report["rows"] <= lines, f"file {trial}"
    assert tables > DAMAGED / 20


def parses(rng):
    phrases = rng.sample(["猫が", "机で", "魚を", "犬と"], 3)
    line = {"text": "".join(phrases), "phrases": phrases, "heads": [2, 2, -1], "pinned": [1]}
    return (json.dumps(line, ensure_ascii=False) + "\n").encode()


#: Readers that give everything or an error, and makers of whole files for them.
STRICT = {
    "tags": (pg.tags.read, json_lines),
    "parses": (read_parses, parses),
    "table": (read_table, MAKERS["paragraph"]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", STRICT)
def test_damaged_files_that_are_read_whole_or_not_at_all(tmp_path, name):
    rng = random.Random(name)
    reader, make = STRICT[name]
    outcomes = set()
    for trial in range(4 * DAMAGED):
        data = damage(make(rng), rng) if trial else make(rng)
        (tmp_path / "file.dat").write_bytes(gzip.compress(data, 1) if rng.random() < 0.1 else data)
        outcomes.add(read(tmp_path / "file.dat", reader) is None)
    assert outcomes == {True, False}


@pytest.mark.slow
def test_damaged_parquet_and_gzip(tmp_path):
    rng, whole, damaged = random.Random(0), tmp_path / "whole.parquet", tmp_path / "damaged"
    for _ in range(DAMAGED // 3):
        write_pairs(pd.DataFrame(table(rng), columns=["text_a", "text_b", "label"]), whole)
        for data in (whole.read_bytes(), gzip.compress(MAKERS["qqp"](rng))):
            damaged.write_bytes(damage(data, rng))
            pairs = read(damaged, unlabelled="keep", on_error="skip")
            assert pairs is None or sound(pairs)


@pytest.mark.long
@pytest.mark.parametrize("line", [
    b'"a\n', b'a\t"b\n', b'a"\t"b\n', b'""\t"\n', b'"""\n', b'a\t"\n"\t"', b'""""a\n', b'"a""b\n', b'\t"\t"\n"',
])  # fmt: skip
def test_no_pattern_of_quotes_takes_more_than_linear_time(tmp_path, line):
    sizes = 5_000, 80_000
    for lines in sizes:
        data = b"question1\tquestion2\tis_duplicate\n" + line * lines + b'""a\n' * lines
        (tmp_path / f"{lines}.tsv").write_bytes(data)

    def work(lines):
        pairs = read(tmp_path / f"{lines}.tsv", on_error="skip")
        assert pairs is None or sound(pairs)

    assert exponent(work, *sizes) < LINEAR
