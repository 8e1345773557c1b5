"""The baseline and the nine datasets, by brute force; the grid's table."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.papers.distance.rounds import DATASETS, ROUNDS, make_grid_sets
from paragraph.papers.experiments import DistanceGrid, distance_grid, read_results

from ... import reference
from ...reference import numbered as table
from ..experiments.conftest import Seeded

sentence = st.integers(0, 9)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, 0, None])), min_size=1, max_size=20)


def numbers(frame):
    return [(reference.pair(int(r.text_a[1:]), int(r.text_b[1:])), int(r.label)) for r in frame.itertuples()]


@settings(max_examples=40)
@given(some_rows, some_rows, some_rows, st.integers(0, 2))
def test_the_nine_datasets_by_brute_force(train, dev, test, seed):
    sets = make_grid_sets(table(train), [table(dev), table(test)], seed=seed)
    stated = [(reference.pair(i, j), label) for i, j, label in train if label is not None]
    everything = reference.inferred(10, reference.stated(train))
    held_out = {reference.pair(i, j) for i, j, _ in dev + test}
    assert numbers(sets.train["baseline"]) == stated
    counts = sets.datasets.set_index("dataset")
    drawn = {}
    for name, (rounds, times) in DATASETS.items():
        limit = ROUNDS[rounds] or 99
        near = {p: label for p, (label, d) in everything.items() if d <= limit and p not in held_out}
        positive = {(p, 1) for p, label in near.items() if label == 1}
        rows = numbers(sets.train[name])
        assert rows[: len(stated)] == stated
        added = rows[len(stated) :]
        assert len(added) == len(set(added))
        negative = set(added) - positive
        assert positive <= set(added) and negative <= {(p, 0) for p, label in near.items() if label == 0}
        available = len(near) - len(positive)
        assert len(negative) == min(times * len(positive), available)
        said = counts.loc[name]
        assert said[["positives", "negatives wanted", "available", "negatives"]].tolist() == [
            len(positive), times * len(positive), available, len(negative)
        ]  # fmt: skip
        drawn[name] = negative
    for rounds in ROUNDS:
        assert drawn[f"{rounds} x0"] == set() and drawn[f"{rounds} x1"] <= drawn[f"{rounds} x2"]
    by_round = {}
    for p, (label, d) in everything.items():
        known = by_round.setdefault((("negative", "positive")[label], d), [0, 0])
        known[0] += 1
        known[1] += p in held_out
    assert by_round == {
        (row["sign"], row["distance"]): [row["inferred"], row["in dev or test"]]
        for row in sets.rounds.to_dict("records")
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("grid") / "run"


@pytest.fixture(scope="module")
def grid(demo_with_dev, path):
    return distance_grid(*demo_with_dev, Seeded, seeds=2, results=path)


def test_the_table_has_every_dataset_and_seed(grid, demo_with_dev):
    assert len(grid.table) == 10 * 2
    assert grid.table["n"].unique().tolist() == [len(demo_with_dev[2])]
    layout = grid.layout("weighted F1")
    assert layout.shape == (3, 3)
    assert layout.index.tolist() == ["distance 1", "distance 1, 2", "all"] and list(layout) == ["×0", "×1", "×2"]
    values = grid.table[grid.table["dataset"] == "1-2 x1"]["weighted F1"]
    assert layout.loc["distance 1, 2", "×1"] == f"{values.mean():.4f} ± {values.std():.4f}"
    differences = grid.score_differences("weighted F1").set_index("train_set")
    assert differences.index.tolist() == list(DATASETS)
    assert differences.loc["1-2 x1", "difference"] == pytest.approx(values.mean() - grid.baseline("weighted F1")[0])


def test_negatives_that_do_not_exist_are_missed_aloud():
    """A long chain has many inferred positives, and one negative at its end gives few negatives."""
    chain = [(i, i + 1, 1) for i in range(6)] + [(6, 7, 0)]
    other = [(f"x{i}", f"y{i}", i % 2) for i in range(30)]
    train = pd.concat([table(chain), reference.table(other)], ignore_index=True)
    found = distance_grid(train, reference.table(other), reference.table(other), "tfidf", seeds=1)
    short = found.datasets.set_index("dataset").loc["all x2"]
    assert short[["positives", "negatives wanted", "negatives"]].tolist() == [15, 30, 6]
    assert "all x2: 30 inferred negatives wanted, 6 exist." in found.notes()
    assert "30 inferred negatives wanted" in found._repr_html_()


def test_what_is_written_is_read_back(grid, path):
    again = read_results(path)
    pd.testing.assert_frame_equal(again.table, grid.table)
    assert isinstance(again, DistanceGrid)
    assert again.notes() == grid.notes() and again.layout().equals(grid.layout())
    assert len(again.figure().axes) == 1


def test_nothing_to_infer():
    rows = reference.table([(f"x{i}", f"y{i}", i % 2) for i in range(30)])
    with pytest.raises(pg.PairsError, match="nothing can be inferred"):
        distance_grid(rows, rows, rows, model="tfidf", seeds=1)
