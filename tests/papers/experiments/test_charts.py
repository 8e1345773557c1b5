"""Charts: what is drawn is what was measured."""

import numpy as np
import pandas as pd
import pytest

from paragraph.papers import draw_learning_curve


def line(axes, label):
    (found,) = [line for line in axes.lines if label in str(line.get_label())]
    return np.asarray(found.get_xdata(), float), np.asarray(found.get_ydata(), float)


def test_learning_curve():
    runs = pd.DataFrame(
        [(m, n, s, v + 0.01 * s) for m, v in (("a", 0.6), ("b", 0.7)) for n in (250, 1000, 4000) for s in range(3)],
        columns=["model", "rows", "seed", "F1"],
    )
    figure = draw_learning_curve(runs, "F1")
    x, y = line(figure.axes[0], "b")
    assert x.tolist() == [250, 1000, 4000] and y == pytest.approx([0.71] * 3)
    low, high = figure.axes[0].collections[0].get_paths()[0].get_extents().intervaly
    assert (low, high) == pytest.approx((0.6, 0.62))  # 0.61 ± 0.01
