"""Training and test sets, their leaks, and planted errors, against brute force."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.papers.experiments.resampling import bootstrap
from paragraph.papers.experiments.sets import make_sets, plant_errors

from ... import reference
from ...reference import numbered as table
from ...refused import refused

sentence = st.integers(0, 9)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, 0, None])), min_size=3, max_size=20)
rule = st.sampled_from(["all", "clusters"])


def listed(frame):
    return [(int(r.text_a[1:]), int(r.text_b[1:]), int(r.label)) for r in frame.itertuples()]


def known(rows, negatives):
    """A dictionary from each pair that rows state or imply to its label."""
    labels = reference.stated(rows)
    follows = reference.inferred(10, labels, negatives)
    return labels, labels | {p: label for p, (label, _) in follows.items()}


def has_both_labels(*sets):
    return all({label for *_, label in rows} >= {0, 1} for rows in sets)


def the_four(rows, negatives):
    """The four datasets of numbered rows, as lists of rows."""
    labels, everything = known(rows, negatives)
    guilty = reference.within(10, labels)
    augmented = [(*p, label) for p, label in everything.items()]
    return {
        "original": [row for row in rows if row[2] is not None],
        "original_flipped": [row for row in reference.flipped(rows) if row[2] is not None],
        "augmented": augmented,
        "augmented_flipped": [(i, j, 1 if (i, j) in guilty else label) for i, j, label in augmented],
    }


def as_counts(rows):
    return pd.Series([(*reference.pair(i, j), label) for i, j, label in rows], dtype=object).value_counts().to_dict()


@settings(max_examples=20)
@given(some_rows, some_rows, rule, st.booleans())
def test_sets_and_leaks_by_brute_force(train, test, negatives, remove):
    in_test = known(test, negatives)[1]
    stated_in_test = reference.stated(test)
    kept = {
        name: [row for row in rows if not (remove and reference.pair(*row[:2]) in in_test)]
        for name, rows in the_four(train, negatives).items()
    }
    tests = the_four(test, negatives)
    if not has_both_labels(*kept.values(), *tests.values()):
        with pytest.raises(pg.PairsError, match="an experiment needs both"):
            make_sets(table(train), table(test), negatives=negatives, remove_leaks=remove)
        return
    sets = make_sets(table(train), table(test), negatives=negatives, remove_leaks=remove)
    counts = sets.counts.set_index(["part", "set"])
    for name, rows in the_four(train, negatives).items():
        assert as_counts(listed(sets.train[name])) == as_counts(kept[name])
        leaking = [(reference.pair(i, j), label) for i, j, label in rows if reference.pair(i, j) in in_test]
        said = counts.loc[("train", name)]
        assert said["stated in test"] == sum(p in stated_in_test for p, _ in leaking)
        assert said["inferable in test"] == sum(p not in stated_in_test for p, _ in leaking)
        assert said["removed"] == (len(leaking) if remove else 0)
    asked = [reference.pair(int(r.text_a[1:]), int(r.text_b[1:])) for r in sets.tests.asked.itertuples()]
    assert len(asked) == len(set(asked))
    for name, rows in tests.items():
        back = [(*asked[k], int(s)) for k, s in zip(sets.tests.places[name], sets.tests.labels[name], strict=True)]
        assert as_counts(back) == as_counts(rows)
        if remove:  # no training pair is in any test set, however it got there
            pairs = {reference.pair(i, j) for i, j, _ in listed(sets.train["augmented"])}
            assert not pairs & {(i, j) for i, j, _ in back}


def test_planted_errors_are_in_both_parts(demo):
    train, test = demo
    planted = make_sets(train, test, planted=0.05, seed=3)
    errors = planted.errors.set_index(["part", "set"])
    flips = planted.flips.set_index("part")
    for number, (part, rows) in enumerate((("train", train), ("test", test))):
        noisy, key = plant_errors(rows, 0.05, 3 + number)
        graph, before = pg.ParaphraseGraph.from_pairs(noisy), pg.ParaphraseGraph.from_pairs(rows)
        turned = {frozenset(pair) for pair in zip(key["text_a"], key["text_b"], strict=True)}
        inside = graph.ends(graph.negatives_inside).T
        conflicts = {frozenset(graph.texts(ends)) for ends in inside}
        assert flips.loc[part].tolist() == [
            len(conflicts), len(conflicts & turned), len(conflicts - turned), len(key)
        ]  # fmt: skip
        assert conflicts & turned
        right = np.append(before.edge_sign > 0, False)[before.row_edge]  # by the stated label of the row's pair
        wrong = int(((noisy["label"] == 1) != right)[before.row_edge >= 0].sum())
        assert errors.loc[(part, "original"), ["wrong", "rows"]].tolist() == [wrong, len(rows)]
    truth = make_sets(train, test).tests.labels["original"]
    assert (planted.tests.labels["original"] != truth).sum() > 0


def many_components(n, seed=0):
    """Rows of n separate groups of one to six sentences."""
    rng = np.random.default_rng(seed)
    labels = [rng.integers(0, 2, rng.integers(1, 6)).tolist() for _ in range(n)]
    rows = [(f"{c}.{i}", f"{c}.{i + 1}", label) for c, some in enumerate(labels) for i, label in enumerate(some)]
    return reference.table(rows)


@pytest.mark.parametrize("kind", ["components", "clusters"])
def test_units_hold_every_sentence_once_and_what_is_drawn_k_times_counts_k_times(demo, kind):
    train, test = demo if kind == "clusters" else (many_components(300), many_components(100, 1))
    sets, home = make_sets(train, test), {}
    assert sets.units.kind == kind
    for row in sets.train["augmented"].itertuples():
        for text, unit in ((row.text_a, row.unit_a), (row.text_b, row.unit_b)):
            assert home.setdefault(text, unit) == unit < sets.units.count
        assert kind == "clusters" or row.unit_a == row.unit_b
        assert kind == "components" or row.label == 0 or row.unit_a == row.unit_b
    n, table = sets.units.count, sets.train["augmented"]
    # How often a unit was drawn shows in the pairs inside it, and is the same for all training sets.
    often = {}
    for name, rows in sets.train.items():
        times = bootstrap(rows, n, seed=5).index.value_counts().reindex(rows.index, fill_value=0)
        for a, b, k in zip(rows["unit_a"], rows["unit_b"], times, strict=True):
            if a == b:
                assert often.setdefault(a, k) == k, name
        for a, b, k in zip(rows["unit_a"], rows["unit_b"], times, strict=True):
            assert a == b or not {a, b} <= {*often} or k == often[a] * often[b]
    assert max(often.values()) > 1 and min(often.values()) == 0
    mean = np.mean([len(bootstrap(table, n, seed=s)) for s in range(100)])
    assert abs(mean / len(table) - 1) < 0.05


def test_tables_that_are_none(demo):
    refused("is not a number from 0 to 1", plant_errors, demo[0], (0.1, 2))
    with pytest.raises(pg.PairsError, match=r"needs the columns text_a, text_b, label; missing: label"):
        make_sets(demo[0], demo[1].drop(columns="label"))
    refused("the train set 'original' has 0 positive", make_sets, demo[0][demo[0]["label"] == 0], demo[1])
    train = demo[0].copy()
    train.attrs["bipartite"] = True
    refused("bipartite", make_sets, train, demo[1])


@settings(max_examples=50)
@given(some_rows, st.tuples(st.floats(0, 1), st.floats(0, 1)), st.integers(0, 3))
def test_the_key_is_all_that_changed(rows, shares, seed):
    pairs, labels = table(rows), reference.stated(rows)
    wanted = {s: round(part * list(labels.values()).count(s)) for s, part in zip((1, 0), shares, strict=True)}
    if not any(wanted.values()) and any(shares):
        refused("is none; plant more", plant_errors, pairs, shares, seed)
        return
    planted, key = plant_errors(pairs, shares, seed)
    pd.testing.assert_frame_equal(planted.drop(columns="label"), pairs.drop(columns="label"))
    now = [None if pd.isna(label) else int(label) for label in planted["label"]]
    after = reference.stated([(i, j, label) for (i, j, _), label in zip(rows, now, strict=True)])
    turned = {p for p in labels if labels[p] != after[p]}
    assert list(after) == list(labels)
    assert {s: sum(labels[p] == s for p in turned) for s in (1, 0)} == wanted
    said = [(int(r.text_a[1:]), int(r.text_b[1:]), r.stated, r.true) for r in key.itertuples()]
    assert [reference.pair(i, j) for i, j, *_ in said] == [p for p in labels if p in turned]  # in file order
    assert all(after[reference.pair(i, j)] == s and labels[reference.pair(i, j)] == t for i, j, s, t in said)
    for (i, j, before), label in zip(rows, now, strict=True):
        changes = i != j and before is not None and reference.pair(i, j) in turned
        assert label == (1 - before if changes else before)
