"""Splits and leakage, against brute force on tiny data."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg

from .. import reference
from ..reference import numbered as table
from ..refused import refused

HALVES = {"train": 0.5, "test": 0.5}
sentence = st.integers(0, 9)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, 0, None])), max_size=25)


ROWS = table([(0, 1, 1), (1, 2, 0)])


def quiet_split(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pg.split(*args, **options)


def sides(pairs):
    """A dictionary from each sentence to the splits its rows are in."""
    found = {}
    for row in pairs.itertuples():
        for text in (row.text_a, row.text_b):
            found.setdefault(text, set()).update(() if pd.isna(row.split) else [row.split])
    return found


@settings(max_examples=25)
@given(some_rows, st.sampled_from(["components", "clusters"]), st.integers(0, 3))
def test_no_sentence_on_two_sides_and_no_row_lost(rows, by, seed):
    pairs = table(rows)
    found = quiet_split(pairs, by=by, seed=seed)
    pd.testing.assert_frame_equal(found.drop(columns="split"), pairs)
    assert all(len(s) <= 1 for s in sides(found).values())
    report = found.attrs["split_report"]
    for name, said in report["splits"].items():
        part = found[(found["split"] == name).fillna(False)]
        counted = {"rows": len(part), "unlabelled": part["label"].isna().sum()}
        counted |= {"positive": (part["label"] == 1).sum(), "negative": (part["label"] == 0).sum()}
        assert {name: said[name] for name in counted} == counted
    assert report["without_split"]["rows"] == found["split"].isna().sum()
    if by == "components":
        assert not found["split"].isna().any()
        parts = (found[(found["split"] == name).fillna(False)] for name in ("train", "test"))
        counts = pg.leakage(*parts).counts
        assert not any(count for name, count in counts.items() if not name.startswith("test_"))


@settings(max_examples=25)
@given(some_rows)
def test_clusters_are_never_cut(rows):
    rows = reference.number([(f"s{i}", f"s{j}", label) for i, j, label in rows])
    pairs = table(rows)
    found = quiet_split(pairs, HALVES, by="clusters")
    n = 1 + max((max(i, j) for i, j, _ in rows), default=-1)
    home = reference.members_of(n, reference.stated(rows))
    for (i, j, _), side in zip(rows, found["split"], strict=True):
        if pd.isna(side):
            assert home[i][0] != home[j][0]
    where = sides(found)
    for cluster in reference.clusters(n, reference.stated(rows)):
        assert len(set().union(*(where[f"s{i}"] for i in cluster))) <= 1


def test_clusters_are_cut_only_from_components_too_large():
    """A chain of negatives holds 20 of 26 rows; the six rows apart are whole."""
    chain = [(i, i + 1, 0) for i in range(20)]
    apart = [(100 + 2 * i, 101 + 2 * i, 0) for i in range(6)]
    with pytest.warns(UserWarning, match="rows join clusters on different sides and have no split"):
        found = pg.split(table(chain + apart), HALVES, by="clusters")
    assert not found["split"].iloc[20:].isna().any()
    assert 1 <= found["split"].isna().sum() <= 8  # a chain can be cut once; a random cut would cost 10
    with pytest.warns(UserWarning, match=r"one component holds 20 of 26 rows, more than the largest share \(50%\)"):
        found = pg.split(table(chain + apart), HALVES)
    assert found["split"].value_counts().to_dict() in ({"train": 20, "test": 6}, {"test": 20, "train": 6})


@pytest.mark.parametrize("seed", range(3))
def test_every_split_has_its_share_of_each_label_to_the_row(seed):
    rng = np.random.default_rng(seed)
    rows, at = [], 0
    for size in np.minimum(rng.zipf(2, 2000), 60):
        labels = [[1, 0, None][rng.integers(3)]] if size == 1 else (rng.random(size) > 0.6).astype(int)
        rows += [(at, at + i + 1, label) for i, label in enumerate(labels)]
        at += size + 1
    shares = {"train": 0.7, "dev": 0.1, "test": 0.2}
    report = pg.split(table(rows), shares, seed=seed).attrs["split_report"]
    for kind in ("positive", "negative", "unlabelled"):
        total = sum(s[kind] for s in report["splits"].values())
        for name, share in shares.items():
            assert abs(report["splits"][name][kind] - share * total) <= 1


@pytest.mark.parametrize("options, message", [
    *(({"shares": wrong}, "add up to 1") for wrong in ({}, {"train": 0.5}, {"a": 1.2, "b": -0.2}, {"a": np.nan})),
    ({"shares": [0.5, 0.5]}, "shares must be numbers by name"),
    ({"shares": {"a": "x"}}, "shares must be numbers by name"),
    ({"seed": -1}, "seed -1 is not a whole number of 0 or more"), ({"by": "rows"}, "by='rows' is not one of"),

])  # fmt: skip
def test_wrong_options_of_a_split(options, message):
    assert "\n" not in refused(message, pg.split, ROWS, **options)


def test_data_of_two_sides_and_other_wrong_data():
    pairs = ROWS.copy()
    pairs.attrs["bipartite"] = True
    refused("different things", pg.split, pairs, by="clusters")
    assert not quiet_split(pairs)["split"].isna().any()
    refused("bipartite", pg.leakage, pairs, pairs)
    refused("negatives 'some'", pg.leakage, table([]), table([]), negatives="some")
    refused(r"test: a pair table needs the columns .*label", pg.leakage, table([]), table([])[["text_a", "text_b"]])


@pytest.mark.parametrize("pairs, message", [
    ([1], "needs the columns text_a, text_b"),
    (ROWS.assign(label=[1, "maybe"]), "row 3: label 'maybe' is not one of 0, 1"),
    (ROWS.assign(text_b=pd.Series(["s1", "\ud800"], dtype=object)), "row 3: text_b .* cannot be used"),
    (ROWS.assign(text_a=pd.Series([3, "s1"], dtype=object)), "row 2: text_a 3 cannot be used"),
])  # fmt: skip
def test_malformed_tables_are_one_line(pairs, message):
    for function, tables in ((pg.split, [pairs]), (pg.leakage, [pairs, ROWS]), (pg.leakage, [ROWS, pairs])):
        assert "\n" not in refused(message, function, *tables)


def test_columns_of_a_file_and_an_empty_table():
    named = ROWS.rename(columns={"text_a": "question1", "text_b": "question2", "label": "is_duplicate"})
    pd.testing.assert_frame_equal(quiet_split(named), quiet_split(ROWS))
    assert pg.leakage(named, ROWS).counts == pg.leakage(ROWS, ROWS).counts
    with pytest.warns(UserWarning, match="nothing is left for train, dev, test"):
        assert len(pg.split(table([]))) == 0
    assert set(pg.leakage(table([]), table([])).counts.values()) == {0}


def test_identity_decides_what_is_one_sentence():
    rows = [("Why?", "How come?", 1), ("why", "Since when?", 0), *((f"x{i}", f"y{i}", i % 2) for i in range(10))]
    pairs = reference.table(rows)
    assert len({s for found in (pg.split(pairs, seed=s) for s in range(9)) for s in found["split"].iloc[:2]}) > 1
    for seed in range(9):
        assert quiet_split(pairs, HALVES, seed=seed, identity="normal")["split"].iloc[:2].nunique() == 1
    assert pg.leakage(pairs.iloc[:1], pairs.iloc[1:2]).counts["shared_sentences"] == 0
    assert pg.leakage(pairs.iloc[:1], pairs.iloc[1:2], identity="normal").counts["shared_sentences"] == 1


def leaks(n, train, test, negatives):
    """The counts of `leakage` by listing everything."""
    left, right = reference.stated(train), reference.stated(test)
    from_left = {pair: label for pair, (label, _) in reference.inferred(n, left, negatives).items()}
    occurs = [{i for row in rows for i in row[:2]} for rows in (train, test)]
    crowds = [[set(c) for c in reference.clusters(n, labels) if len(c) > 1] for labels in (left, right)]
    known = [(right[p], left[p]) for p in right if p in left]
    follows = [(right[p], from_left[p]) for p in right if p in from_left]
    return {
        "shared_sentences": len(occurs[0] & occurs[1]),
        "shared_clusters": sum(any(c & d for c in crowds[0]) for d in crowds[1]),
        "stated_agree": sum(a == b for a, b in known), "stated_disagree": sum(a != b for a, b in known),
        "inferred_agree": sum(a == b for a, b in follows), "inferred_disagree": sum(a != b for a, b in follows),
        "test_sentences": len(occurs[1]), "test_clusters": len(crowds[1]), "test_pairs": len(right),
    }  # fmt: skip


@settings(max_examples=25)
@given(some_rows, some_rows, st.sampled_from(["all", "clusters"]))
def test_leakage_against_brute_force(train, test, negatives):
    found = pg.leakage(table(train), table(test), negatives=negatives)
    assert found.counts == leaks(10, train, test, negatives)


def test_what_leakage_lists():
    train = [("a", "b", 1), ("b", "c", 1), ("c", "x", 0), ("a", "y", 1)]
    test = [("c", "a", 0), ("b", "x", 0), ("y", "b", 1), ("a", "b", 0), ("new", "b", 1)]
    found = pg.leakage(reference.table(train), reference.table(test))
    columns = ["text_a", "text_b", "how", "label", "train_label", "agrees"]
    assert sorted(found.pairs[columns].values.tolist()) == [
        ["a", "b", "stated", 0, 1, False], ["b", "x", "inferred", 0, 0, True],
        ["c", "a", "inferred", 0, 1, False], ["y", "b", "inferred", 1, 1, True],
    ]  # fmt: skip
    assert found.sentences.values.tolist() == [["a", 2, 2], ["b", 2, 4], ["c", 2, 1], ["x", 1, 1], ["y", 1, 1]]
    bad = reference.table([("<b>", "c", 1)])
    found = pg.leakage(bad, bad)
    assert "test pairs stated in train, same label" in str(found)
    assert "100.00%" in str(found)
