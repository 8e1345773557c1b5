"""Shares with their intervals as a picture: how many labels of each kind are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from .canvas import new_figure
from .style import INK, NEGATIVE, POSITIVE, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_shares"]

#: Colour and mark by the label that a kind of pairs has; filled where a row states it.
LOOKS = {
    "positive": (POSITIVE, "o", True),
    "negative": (NEGATIVE, "s", True),
    "conflict": (NEGATIVE, "D", True),
    "unstated": (POSITIVE, "o", False),
}
ROW = 0.27  # inches


def draw_shares(table: pd.DataFrame, names: dict[str, str] | None = None) -> Figure:
    """The share of wrong labels by kind of pairs and size of cluster, a row each: a mark and its 95 % interval.

    At the right stands how many of the judged pairs were wrong. Strata of which nothing was judged are left out.

    Parameters
    ----------
    table : DataFrame
        `kind`, `size`, `judged`, `wrong`, `share`, `low`, `high`, as in `measure.audit.Audit.strata`; rows of a kind
        follow each other.
    names : dict, optional
        What to call each kind.

    Examples
    --------
    >>> row = {"kind": "positive", "size": "≥ 10", "judged": 9, "wrong": 4, "share": 0.44, "low": 0.2, "high": 0.7}
    >>> figure = draw_shares(pd.DataFrame([row]))
    """
    table = table[table["judged"] > 0].reset_index(drop=True)
    number, names = (table["kind"] != table["kind"].shift()).cumsum(), names or {}
    table["y"] = table.index + 1.6 * number  # room for a heading above each kind
    last = float(table["y"].max()) if len(table) else 1.0
    figure = new_figure(7, 0.9 + ROW * (last + 1))
    axes = figure.add_subplot()
    for kind, rows in table.groupby("kind", sort=False):
        color, mark, filled = LOOKS.get(kind, (INK, "o", True))
        axes.hlines(rows["y"], rows["low"], rows["high"], color=color, lw=2, alpha=0.75)
        face = color if filled else "white"
        axes.plot(rows["share"], rows["y"], mark, ms=7, mfc=face, mec=color, mew=1.6, clip_on=False, zorder=3)
        axes.text(0, rows["y"].min() - 0.95, names.get(kind, kind), color=INK, size=9.5, weight="bold", va="center")
        for row in rows.itertuples():
            told = f"{row.wrong:,} of {row.judged:,}"
            axes.annotate(told, (1, row.y), (8, 0), textcoords="offset points", va="center", size=8.5, color=QUIET)
    axes.set(xlim=(0, 1), ylim=(last + 0.7, 0.2), xlabel="wrong labels", ylabel="sentences in the cluster")
    axes.set_yticks(table["y"], table["size"])
    axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")
    axes.tick_params(axis="y", length=0, pad=9)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color=QUIET, alpha=0.2)
    figure.tight_layout()
    return figure
