"""The first line of each file that the shell writes: a contract with whoever reads them by column."""

import pandas as pd
import pyarrow.parquet as pq
import pytest

from paragraph.cli import main

PAIRS = b"question1\tquestion2\tis_duplicate\n"
CONFLICTS = (
    b"kind\tquestion1\tquestion2\tcluster\tpath\tlength\tdisjoint_paths\tn_positive\tn_negative\trows\tpath_rows\n"
)
REPAIRS = (
    b"question1\tquestion2\tproposal\tmargin\tedge1\tedge2\tp_flip\tchanges\talternatives\treason\t"
    b"parts\tinferred_positive\tinferred_negative\tsettles\tp_same\n"
)
VARIANTS = ("original", "original_flipped", "augmented", "augmented_flipped")


@pytest.fixture
def pairs(tmp_path):
    rows = [("a", "b", 1), ("b", "c", 1), ("a", "c", 0)]
    path = tmp_path / "pairs.tsv"
    pd.DataFrame(rows, columns=["question1", "question2", "is_duplicate"]).to_csv(path, sep="\t", index=False)
    return str(path)


@pytest.mark.parametrize(
    ("command", "header"),
    [
        (["repair", "--model", "none"], REPAIRS),
        (["suspects", "--model", "none"], b"question1\tquestion2\tlabel\tp_wrong\treason\n"),
        (["conflicts"], CONFLICTS),
    ],
    ids=["repair", "suspects", "conflicts"],
)
def test_header_of_a_table(pairs, tmp_path, command, header):
    out = tmp_path / "out.tsv"
    assert main([*command, pairs, "-o", str(out), "-q"]) == 0
    assert out.read_bytes().splitlines(keepends=True)[0] == header


def test_headers_of_augment(pairs, tmp_path):
    assert main(["augment", pairs, "-o", str(tmp_path), "-q"]) == 0
    for name in VARIANTS:
        assert (tmp_path / f"train/{name}.tsv").read_bytes().startswith(PAIRS)
    assert (tmp_path / "train/conflicts.tsv").read_bytes().startswith(CONFLICTS)
    assert main(["augment", pairs, "-o", str(tmp_path), "-q", "--format", "parquet"]) == 0
    for name in VARIANTS:
        schema = pq.read_schema(tmp_path / f"train/{name}.parquet")
        assert [(field.name, str(field.type)) for field in schema] == [
            ("question1", "large_string"), ("question2", "large_string"), ("is_duplicate", "int8"),
        ]  # fmt: skip
