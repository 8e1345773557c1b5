"""Charts: what is drawn is what was measured."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from paragraph.papers import draw_learning_curve


def line(axes, label):
    (found,) = [line for line in axes.lines if label in str(line.get_label())]
    return np.asarray(found.get_xdata(), float), np.asarray(found.get_ydata(), float)


def inside(figure):
    """Every text is within the figure, and no two tick labels or legend entries lie on each other."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    whole = figure.bbox
    shown = [t for axes in figure.axes for t in (axes._left_title, axes.xaxis.label, axes.yaxis.label)]
    shown += [text for legend in figure.legends for text in legend.get_texts()] + figure.axes[-1].get_xticklabels()
    boxes = [text.get_window_extent(canvas.get_renderer()) for text in shown if text.get_text()]
    within = all(box.x0 >= -1 and box.x1 <= whole.x1 + 1 and box.y0 >= -1 and box.y1 <= whole.y1 + 1 for box in boxes)
    return within and not any(box.overlaps(other) for i, box in enumerate(boxes) for other in boxes[i + 1 :])


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
    assert inside(figure)
