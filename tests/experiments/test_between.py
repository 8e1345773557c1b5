"""What a difference between training sets is made of, on predictions made up for the purpose."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from paragraph.experiments.grid import between, score_table
from paragraph.experiments.sets import HeldOut


@pytest.fixture
def made_up():
    rng = np.random.default_rng(0)
    n, seeds = 400, [0, 1, 2]
    label = rng.integers(0, 2, n)
    grid = {
        name: np.clip(label * 0.3 + 0.35 + noise * rng.normal(size=(len(seeds), n)), 0, 1)
        for name, noise in (("plain", 0.5), ("better", 0.3))
    }
    tests = HeldOut(
        pd.DataFrame({"text_a": ["a"] * n, "text_b": ["b"] * n}),
        np.repeat(np.arange(80), 5),
        "components",
        {"all": label, "half": label[::2], "again": label[:50]},
        {"all": np.arange(n), "half": np.arange(0, n, 2), "again": np.repeat([3, 7], 25)},
    )
    tests.labels["again"] = label[tests.places["again"]]
    return grid, seeds, tests, score_table(grid, seeds, tests, model="made up")


def test_seeds_and_pairs(made_up):
    grid, _, tests, table = made_up
    found = between(grid, table, tests, [("plain", "better")], ["accuracy"]).set_index("test_set")
    for test_set in ("all", "half"):
        row, places, label = found.loc[test_set], tests.places[test_set], tests.labels[test_set]
        right = {name: (p[:, places] >= 0.5) == label for name, p in grid.items()}
        assert row["difference"] == pytest.approx(right["better"].mean() - right["plain"].mean())
        by_seed = [right[name].mean(axis=1) for name in ("better", "plain")]
        test = stats.ttest_ind(*by_seed)
        assert (row["t"], row["p"]) == pytest.approx((test.statistic, test.pvalue))
        mean = {name: (p[:, places].mean(axis=0) >= 0.5) == label for name, p in grid.items()}
        assert row["only train_set right"] == (mean["better"] & ~mean["plain"]).sum()
        assert row["only against right"] == (mean["plain"] & ~mean["better"]).sum()
        # The bootstrap by hand: whole groups, with all seeds of their pairs.
        gain = pd.Series((right["better"].astype(float) - right["plain"]).mean(axis=0))
        groups = gain.groupby(tests.group[places])
        total, size = groups.sum().to_numpy(), groups.size().to_numpy()
        drawn = np.random.default_rng(1).integers(0, len(size), (4000, len(size)))
        low, high = np.quantile(total[drawn].sum(axis=1) / size[drawn].sum(axis=1), [0.025, 0.975])
        assert (row["pairs low"], row["pairs high"]) == pytest.approx((low, high), abs=0.008)
        assert row["significant_over"] == "both" and row["detectable"] > 0 and 0 < row["pairs detectable"] < 1


def test_one_seed_tells_nothing_of_seeds_and_a_model_against_itself(made_up):
    grid, seeds, tests, _ = made_up
    one = {name: p[:1] for name, p in grid.items()}
    table = score_table(one, [0], tests)
    found = between(one, table, tests, [("plain", "better")]).set_index(["metric", "test_set"])
    row = found.loc[("accuracy", "all")]
    assert row[["low", "high", "t", "p", "g", "detectable"]].isna().all() and np.isfinite(row["pairs low"])
    assert row["significant_over"] == ("neither" if row["pairs low"] <= 0 <= row["pairs high"] else "pairs")
    assert np.isnan(found.loc[("F1", "all"), "pairs low"])
    same = {"one": grid["plain"], "other": grid["plain"]}
    row = between(same, score_table(same, seeds, tests), tests, [("one", "other")], ["accuracy"]).iloc[0]
    assert row[["difference", "pairs low", "pairs high", "only train_set right"]].tolist() == [0, 0, 0, 0]
    assert row["significant_over"] == "neither" and np.isnan(row["pairs detectable"]) and row["McNemar p"] == 1
