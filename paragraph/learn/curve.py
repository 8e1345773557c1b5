"""The losses of a training run as a picture, at its end or while it grows."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["live_curve", "loss_curve"]


def loss_curve(history: pd.DataFrame) -> Figure:
    """Train and dev loss by step, with a ring around the least dev loss and lines where epochs end.

    Parameters
    ----------
    history : DataFrame
        Of a fitted `PairClassifier` or `DenseHead`.

    Examples
    --------
    >>> row = {"step": 5, "epoch": 1, "train loss": 0.6, "dev loss": 0.5, "dev accuracy": 0.7}
    >>> loss_curve(pd.DataFrame([row])).axes[0].get_xlabel()
    'step (batches)'
    """
    from matplotlib.figure import Figure  # no pyplot: a picture, not a window

    from ..draw.style import INK, NEGATIVE, POSITIVE, QUIET

    figure = Figure(figsize=(6.4, 2.8), layout="constrained")
    axes = figure.subplots()
    axes.plot(history["step"], history["train loss"], color=QUIET, linewidth=1.2, marker=".", label="train")
    dev = history.dropna(subset="dev loss")
    if len(dev):
        axes.plot(dev["step"], dev["dev loss"], color=POSITIVE, linewidth=2, marker=".", label="dev")
        best = dev.loc[dev["dev loss"].idxmin()]
        axes.plot(best["step"], best["dev loss"], "o", color=NEGATIVE, fillstyle="none", markersize=11)
        text = f"best: loss {best['dev loss']:.3f}, accuracy {best['dev accuracy']:.1%}, step {best['step']:,.0f}"
        axes.set_title(text, fontsize=10, color=INK, loc="left")
    for step in history.groupby("epoch")["step"].max():
        axes.axvline(step, color=QUIET, linewidth=0.6, linestyle=(0, (1, 3)), zorder=0)
    axes.set_xlabel("step (batches)")
    axes.set_ylabel("loss (nats per pair)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left")
    return figure


def live_curve() -> Callable[[pd.DataFrame], None] | None:
    """A function that shows a history in this cell's output, in place of the one before; None outside a notebook."""
    try:
        from IPython import get_ipython
        from IPython.display import SVG, display
    except ImportError:
        return None
    if not hasattr(get_ipython(), "kernel"):
        return None
    handle = None

    def show(history: pd.DataFrame) -> None:
        nonlocal handle
        picture = io.StringIO()
        loss_curve(history).savefig(picture, format="svg")
        if handle is None:
            handle = display(SVG(picture.getvalue()), display_id=True)
        else:
            handle.update(SVG(picture.getvalue()))

    return show
