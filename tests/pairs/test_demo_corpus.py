"""The corpus that ships: its numbers, its truth, and the errors planted in it."""

import csv
import re
from pathlib import Path

import networkx as nx
import pytest

import paragraph as pg
from paragraph.papers.tags import penn

from ..process import python
from ..reference import pair, stated, votes

DATA = Path(__file__).parents[2] / "data"
HEADER = ["id", "qid1", "qid2", "question1", "question2", "is_duplicate"]


def table(name):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))


ROWS = table("demo.tsv")
KEY = table("demo_key.tsv")
MEANING = {row["question"]: row["meaning"] for row in table("demo_meanings.tsv")}
PLANTED = {pair(row["question1"], row["question2"]): row for row in KEY}
TRIPLES = [(row["question1"], row["question2"], int(row["is_duplicate"])) for row in ROWS]
GIVEN, STATED = votes(TRIPLES), stated(TRIPLES)


def truth(ends):
    return int(len({MEANING[question] for question in ends}) == 1)


def positive_graph(left_out=()):
    graph = nx.Graph()
    graph.add_nodes_from(MEANING)
    graph.add_edges_from(ends for ends, label in STATED.items() if label and ends not in left_out)
    return graph


def test_layout_is_that_of_the_released_quora_pairs():
    assert all(list(row) == HEADER for row in ROWS) and [int(row["id"]) for row in ROWS] == list(range(len(ROWS)))
    assert {row["is_duplicate"] for row in ROWS} == {"0", "1"}
    ids = {}
    for row in ROWS:
        for side in "12":
            question = row[f"question{side}"]
            assert ids.setdefault(question, len(ids) + 1) == int(row[f"qid{side}"])
    assert ids.keys() == MEANING.keys()


def test_key_lists_every_untrue_label_and_no_other_and_says_what_the_dataset_says():
    for ends, found in GIVEN.items():
        assert any(label != truth(ends) for label in found) == (ends in PLANTED), ends
    assert len(PLANTED) == len(KEY)
    for ends, row in PLANTED.items():
        assert (int(row["true"]), int(row["stated"])) == (truth(ends), STATED[ends]) and row["note"], row
        assert row["kind"] == "direct" or set(GIVEN[ends]) == {int(row["stated"])} == {1 - int(row["true"])}, row


@pytest.mark.parametrize("prefix, fewest, most", [("one ", 1, 1), ("several ", 2, 9), ("no ", 0, 0)])
def test_wrong_positives_close_the_cycles_they_say(prefix, fewest, most):
    chosen = [
        row for row in KEY if row["kind"] == "wrong_positive" and row["note"].startswith(prefix + "stated negative")
    ]
    assert len(chosen) >= 5
    negatives = [ends for ends, label in STATED.items() if label == 0]
    for row in chosen:
        ends = row["question1"], row["question2"]
        graph = positive_graph(left_out=[pair(*ends)])
        one, two = (nx.node_connected_component(graph, question) for question in ends)
        assert one.isdisjoint(two), "this wrong positive is not the only join of its two meanings"
        # The stated negatives inside a cluster that comes apart without this positive
        conflicts = [(a, b) for a, b in negatives if (a in one and b in two) or (a in two and b in one)]
        assert fewest <= len(conflicts) <= most and all(truth(ends) == 0 for ends in conflicts), row


def test_wrong_positives_and_templates_are_all_that_joins_meanings_or_splits_them():
    left_out = [ends for ends, row in PLANTED.items() if row["true"] == "0" and row["stated"] == "1"]
    for cluster in nx.connected_components(positive_graph(left_out)):
        assert len({MEANING[question] for question in cluster}) == 1


def test_direct_contradictions_show_majorities_ties_and_exchanged_sides():
    shapes = set()
    direct = {ends: row for ends, row in PLANTED.items() if row["kind"] == "direct"}
    for ends, row in direct.items():
        found = GIVEN[ends]
        assert set(found) == {0, 1} and found == [int(digit) for digit in re.findall(r"\b[01]\b", row["note"])]
        tie = 2 * sum(found) == len(found)
        shapes.add(("tie" if tie else "majority", row["stated"], row["true"]))
    assert shapes == {("majority", "1", "1"), ("majority", "0", "0"), ("tie", "1", "1"), ("tie", "0", "1")}
    pairs = {row[:2] for row in TRIPLES}
    assert any({(a, b), (b, a)} <= pairs for a, b in direct)
    assert {ends for ends, found in GIVEN.items() if len(set(found)) == 2} == set(direct)  # and no others
    assert sum(len(found) - 1 for ends, found in GIVEN.items() if ends not in direct) == 2  # two repeated rows
    assert [r["question1"] for r in ROWS if r["question1"] == r["question2"]] == ["Why do we get hiccups?"]


@pytest.mark.slow
def test_the_build_script_gives_the_files_as_they_are(tmp_path):
    python(DATA / "build_demo.py", tmp_path, check=True)
    for name in ("demo.tsv", "README.md"):
        assert (tmp_path / name).read_bytes() == (DATA / name).read_bytes(), name


@pytest.mark.slow
def test_tags_are_of_pairs_that_are_there():
    tags = pg.tags.read(pg.DEMO_TAGS)
    pairs = {row[:2] for row in TRIPLES}
    assert all(ends in pairs for ends in zip(tags["text_a"], tags["text_b"], strict=True))
    first, second = (rows.reset_index(drop=True) for _, rows in tags.groupby("annotator"))
    assert len(first) == 120 and first["text_a"].equals(second["text_a"]) and first["text_b"].equals(second["text_b"])
    assert len(first.drop_duplicates(["text_a", "text_b"])) == 120
    assert all(penn.words(text) == found for text, found in zip(tags["text_a"], tags["words_a"], strict=True))
