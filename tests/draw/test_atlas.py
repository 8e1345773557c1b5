"""The map of all clusters: places, colours, and the still picture, against brute force and as facts."""

import numpy as np
import pandas as pd
import pytest

from paragraph.draw.atlas import draw_atlas
from paragraph.draw.shades import NAMED, OTHER, shades
from paragraph.draw.tsne import nearest, repulsion, tsne

from .. import hostile


@pytest.mark.parametrize("spread", [0.01, 1, 8, 40])
def test_repulsion_is_the_sum_over_all_others(spread):
    y = np.random.default_rng(0).normal(0, spread, (400, 2))
    apart = y[:, None] - y
    q = 1 / (1 + (apart**2).sum(axis=2))
    push, total = repulsion(y)
    assert total == pytest.approx(q.sum() - len(y), rel=0.03)
    exact = (q[..., None] ** 2 * apart).sum(axis=1)
    assert np.linalg.norm(push - exact) <= 0.2 * np.linalg.norm(exact)


def squares(x):
    far = ((x[:, None] - x) ** 2).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    return far


@pytest.mark.parametrize(("n", "width", "k"), [(2, 1, 1), (30, 2, 29), (500, 5, 3), (2000, 20, 15)])
def test_nearest_is_exact_up_to_three_thousand(n, width, k):
    x = np.random.default_rng(1).normal(0, 1, (n, width)).astype(np.float32)
    found, far = nearest(x, k, np.random.default_rng(0)), squares(x)
    exact = np.sort(far, axis=1)[:, :k]
    assert np.allclose(np.sort(np.take_along_axis(far, found, axis=1), axis=1), exact, atol=1e-4)


def test_nearest_of_many_finds_most():
    rng = np.random.default_rng(0)
    x = (rng.normal(0, 3, (100, 8))[rng.integers(0, 100, 6000)] + rng.normal(0, 1, (6000, 8))).astype(np.float32)
    found = nearest(x, 10, np.random.default_rng(0))
    assert all(len(set(row)) == 10 and i not in row for i, row in enumerate(found.tolist()))
    some = rng.choice(6000, 100)
    far = ((x[some, None] - x) ** 2).sum(axis=2)
    far[np.arange(100), some] = np.inf
    exact = np.argsort(far, axis=1)[:, :10]
    kept = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(found[some].tolist(), exact.tolist(), strict=True)])
    assert kept > 0.9


def test_what_is_near_in_many_dimensions_is_near_on_the_map():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(12), 40)
    x = rng.normal(0, 4, (12, 10))[group] + rng.normal(0, 1, (len(group), 10))
    places = tsne(x - x.mean(axis=0))
    around = squares(places).argsort(axis=1)[:, :10]
    assert (group[around] == group[:, None]).mean() > 0.97
    assert (tsne(x - x.mean(axis=0)) == places).all()  # the same seed, the same map


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("width", [1, 2, 4])
def test_few_vectors_and_equal_ones(n, width):
    for x in (np.zeros((n, width)), np.arange(n * width, dtype=float).reshape(n, width)):
        places = tsne(x)
        assert places.shape == (n, 2) and np.isfinite(places).all()


NAMES = [f"t{i}" for i in range(9) for _ in range(10 - i)]
SHADES = {
    "conflicts": (pd.Series([0, 1, 2, 7], name="conflicts"), ["none", "1", "2 or more", "2 or more"]),
    "no conflict": (pd.Series([0, 0], name="conflicts"), ["none", "none"]),
    "numbers": (pd.Series([0.5, np.nan, np.inf, 2], name="doubt"), [0.5, 0.5, 0.5, 2]),
    "whole numbers": (pd.Series([3, None], dtype="Int64", name="n"), [3, 3]),
    "nothing but gaps": (pd.Series([np.nan, np.nan], name="n"), [0, 0]),
    "names": (pd.Series(["a", None, "a"], name="topic"), ["a", "none", "a"]),
    "truth": (pd.Series([True, False], name="seen"), ["True", "False"]),
    "many names": (pd.Series(NAMES, name="t"), [name if name < "t7" else "other" for name in NAMES]),
    "none at all": (pd.Series([], dtype="str", name="t"), []),
}


@pytest.mark.parametrize("case", SHADES)
def test_shades(case):
    column, values = SHADES[case]
    shown = shades(column)
    assert shown.values.tolist() == values
    assert sorted(shown.first.tolist()) == list(range(len(column)))
    if shown.colors is not None:
        assert set(shown.colors) == set(values) and set(shown.colors.values()) <= {*NAMED, OTHER}


def test_what_is_remarkable_is_drawn_last():
    assert shades(pd.Series([2, 0, 1], name="conflicts")).first.tolist() == [1, 0, 2]
    assert shades(pd.Series([0.9, 0.1], name="doubt")).first.tolist() == [1, 0]


@pytest.mark.parametrize("n", [0, 1, len(hostile.SENTENCES)])
@pytest.mark.parametrize("color", ["conflicts", "doubt", "topic"])
def test_still_map_of_sentences_nobody_should_trust(n, color, tmp_path):
    texts = hostile.SENTENCES[:n]
    table = pd.DataFrame({"sentence": pd.Series(texts, dtype="str"), "topic": pd.Series(texts, dtype="str")})
    table = table.assign(x=np.linspace(-1, 1, n), y=0.0, size=2, conflicts=np.arange(n), doubt=0.5)
    figure = draw_atlas(table, color, "A map")
    figure.savefig(tmp_path / "map.png")
    written = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert "A map" in written and written.count("1") >= bool(n)
