"""The colours of a map, and the map as a figure."""

import numpy as np
import pandas as pd
import pytest

from paragraph.atlas.colors import NAMED, OTHER, colors_of
from paragraph.atlas.figure import draw_atlas
from paragraph.draw.style import NEGATIVE

from ..hostile import SENTENCES

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
def test_colors(case):
    column, values = SHADES[case]
    shown = colors_of(column)
    assert shown.values.tolist() == values and sorted(shown.first.tolist()) == list(range(len(column)))
    if shown.colors is not None:
        assert set(shown.colors) == set(values) and set(shown.colors.values()) <= {*NAMED, OTHER, NEGATIVE}


@pytest.mark.parametrize("n", [0, 1, len(SENTENCES)])
@pytest.mark.parametrize("color", ["conflicts", "doubt", "topic"])
def test_still_map_of_sentences_nobody_should_trust(n, color, tmp_path):
    texts = SENTENCES[:n]
    table = pd.DataFrame({"sentence": pd.Series(texts, dtype="str"), "topic": pd.Series(texts, dtype="str")})
    table = table.assign(x=np.linspace(-1, 1, n), y=0.0, size=2, conflicts=np.arange(n), doubt=0.5)
    figure = draw_atlas(table, color, "A map")
    figure.savefig(tmp_path / "map.png")
    assert figure.axes[0].get_title() == "A map"
    if n and color != "doubt":
        assert len(figure.axes[0].get_legend().get_texts()) == table[color].nunique() if n < 3 else 7
