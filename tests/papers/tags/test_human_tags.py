"""Tags that other people's files hold: word alignments, and typed spans in which pairs differ."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks.human_tags import read_etpc, read_multimwa

LINKS = "0:0\ta b c d\tN/A\te f g\tN/A\t1\t1\t{}\t{}\t\t \n"


def test_a_word_without_a_sure_or_a_possible_link_is_1(tmp_path):
    path = tmp_path / "wiki.tsv.gz"
    path.write_bytes(gzip.compress((LINKS.format("0-1 1-1", "3-2") + LINKS.format("0-0", "")).encode()))
    table = read_multimwa(path)
    assert table.tags_a.tolist() == [[0, 0, 1, 0], [0, 1, 1, 1]] and table.tags_b.tolist() == [[1, 0, 0], [0, 1, 1]]
    assert (table.source[0], table.words_a[0]) == ("wiki", ["a", "b", "c", "d"])


TRAIN = ["It cost $ 2.5 billion .", "It was red ."], ["He left .", 'He said: "I won\'t"']
TEST = ["All is well .", "Nothing works here"]


def etpc(folder, *relations):
    """Read some relations of three pairs of MRPC."""
    for name, rows in {"train": TRAIN, "test": [TEST]}.items():
        lines = ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", *(f"0\t1\t2\t{a}\t{b}" for a, b in rows)]
        (folder / f"msr_paraphrase_{name}.txt").write_text("\ufeff" + "\r\n".join(lines) + "\r\n")
    keys = ("pair_id", "type_name", "sense_preserving", "s1_scope", "s2_scope", "s1_text", "s2_text")
    fields = ("".join(f"<{k}>{v}</{k}>" for k, v in zip(keys, relation, strict=True)) for relation in relations)
    written = "".join(f"<relation>{one}</relation>" for one in fields)
    for sign, text in (("neg", written), ("pos", "")):
        (folder / f"textual_np_{sign}.xml.gz").write_bytes(gzip.compress(f"<xml>{text}</xml>".encode()))
    return read_etpc(folder, folder)


# A relation of the first pair, and the tags that come of it.
SPANS = {
    "not preserving": (("Ellipsis", "no", "0, 3", "1", "It 2.5", "was"), "100100", "0100"),
    "preserving": (("Ellipsis", "yes", "0, 3", "1", "It 2.5", "was"), "000000", "0000"),
    "addition": (("Addition/Deletion", "yes", "", "0, 1", "", "It was"), "000000", "1100"),
    "non-paraphrase": (("Non-paraphrase", "yes", "1", "", "cost", ""), "010000", "0000"),
    "substitution": (("Same Polarity Substitution (x)", "no", "0, 1", "0, 1", "It cost", "It was"), "010000", "0100"),
    "not a substitution": (("Diathesis alternation", "no", "0, 1", "0, 1", "It cost", "It was"), "110000", "1100"),
    "whole sentence": (("Non-paraphrase", "no", "whole sentence", "2", "It cost", "red"), "111111", "0010"),
}  # fmt: skip


@pytest.mark.parametrize("case", SPANS)
def test_typed_spans_become_tags(tmp_path, case):
    relation, tags_a, tags_b = SPANS[case]
    table = etpc(tmp_path, ("1", *relation))
    assert ["".join(map(str, table[f"tags_{side}"][0])) for side in "ab"] == [tags_a, tags_b]


def test_numbers_run_on_from_train_to_test_and_quotes_match(tmp_path):
    two, three = ("2", "Ellipsis", "no", "", "3, 4", "", "`` I"), ("3", "Ellipsis", "no", "", "0", "", "Nothing")
    table = etpc(tmp_path, two, three)
    assert table.pair_id.tolist() == [2, 3] and table.text_a.tolist() == [TRAIN[1][0], TEST[0]]
    assert table.tags_b.tolist() == [[0, 0, 0, 1, 1, 0, 0, 0], [1, 0, 0]]


def test_scopes_that_do_not_match_mark_nothing(tmp_path):
    wrong, right = ("1, 2", "9", "cost nothing", "x"), ("0", "0", "It", "It")
    table = etpc(tmp_path, ("1", "Ellipsis", "no", *wrong), ("1", "Ellipsis", "no", *right))
    assert (table.tags_a[0], table.tags_b[0]) == ([1, 0, 0, 0, 0, 0], [1, 0, 0, 0])


FOLDER = Path(os.environ.get("PARAGRAPH_DATA", "/nowhere"))


@pytest.mark.long
@pytest.mark.skipif(not (FOLDER / "multimwa").is_dir(), reason="PARAGRAPH_DATA holds no multimwa")
@pytest.mark.parametrize(("part", "share"), [("wiki-train", 0.069), ("mtref-train", 0.115)])
def test_shares_of_1_in_multimwa(part, share):
    table = read_multimwa(FOLDER / "multimwa" / f"{part}.tsv.gz")
    tags = np.concatenate([np.concatenate(table[column].tolist()) for column in ("tags_a", "tags_b")])
    assert round(tags.mean(), 3) == share


@pytest.mark.long
@pytest.mark.skipif(not (FOLDER / "etpc").is_dir(), reason="PARAGRAPH_DATA holds no etpc")
def test_pairs_of_etpc():
    table = read_etpc(FOLDER / "etpc", FOLDER / "mrpc")
    early = table.pair_id <= 4076
    assert (len(table), table.pair_id[early].max(), table.pair_id.max()) == (1901, 4076, 5799)
