"""The Atlas: every cluster of a file as one dot on a map, above the Explorer."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np
import pandas as pd

from ..draw.page import png_image
from ..files import PairsError
from ..files.shown import counting
from ..graph import ParaphraseGraph
from ..graph.core import checked_graph
from ..graph.search import find
from ..widgets.base.live import Stack, save_as
from ..widgets.explorer.widget import Explorer
from .dots import dots_of
from .figure import draw_atlas
from .map import Map
from .places import has_tsne, place_clusters
from .saved import page_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Atlas"]

#: Columns that cannot colour dots.
PLAIN = ("cluster", "x", "y", "sentence")


class Atlas(Stack, ipywidgets.VBox):
    """See all clusters at once: clusters with similar meanings are close on the map.

    Each dot is a cluster of two or more sentences: the larger the dot, the more sentences. Point at a dot to read its
    most central sentence; a word names the topic of each region. A click opens a cluster in the Explorer below. To
    drag with Shift held selects several; a search selects those whose sentences contain its words. The list below
    then shows only these, and Python gets them as `selection`.

    Parameters
    ----------
    graph : ParaphraseGraph
    by : {"meaning", "words"}, optional
        The basis for placing the dots (see `places.place_clusters`). Default: meaning, if torch is installed. The
        first map of a large file takes a while, the second no time: vectors and maps are kept on disk.
    color : str
        The column that colours the dots, one of `table`.
    columns : DataFrame, optional
        Columns of your own, one row per cluster, with its number in `cluster`.
    height : int
        Pixels of the map.
    seed : int
        The same seed gives the same map.

    Attributes
    ----------
    table : DataFrame
        One row per dot: `cluster`, `x`, `y`, `size`, `conflicts` …, `sentence`.
    selection : DataFrame
        The rows of the selected clusters. Set it to numbers of clusters, or to such a table.
    color : str
    explorer : Explorer

    Raises
    ------
    PairsError
        An unknown column, cluster or basis; a table that lacks a column.

    Examples
    --------
    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> atlas = pg.Atlas(graph, by="words")  # shows itself at the end of a cell
    >>> atlas.search("exam")
    >>> atlas.selection = atlas.selection.query("conflicts > 0")
    >>> atlas.selection["conflicts"].min() > 0
    np.True_
    """

    name = "Atlas"
    in_python = 'Here search and colour in Python: atlas.search("exam"), atlas.color = "size"'

    def __init__(
        self,
        graph: ParaphraseGraph,
        by: str | None = None,
        *,
        color: str = "conflicts",
        columns: pd.DataFrame | None = None,
        height: int = 440,
        seed: int = 0,
    ):
        self.graph = checked_graph(graph, "Atlas")
        self.table = dots_of(graph, columns)
        self._check_color(color)
        places = place_clusters(graph, len(self.table), by, seed)
        self.table.insert(1, "x", places[:, 0])
        self.table.insert(2, "y", places[:, 1])
        self.explorer = Explorer(graph)
        self._map = Map(self.table, color, self._open, height)
        self._words = ipywidgets.Text(
            placeholder="Search sentences, then Enter",
            continuous_update=False,
            layout={"width": "20rem"},
        )
        names = [(str(name), name) for name in self._columns]
        self._colors = ipywidgets.Dropdown(options=names, value=color, description="colour by")
        self._colors.layout.width = "16rem"
        self._message = ipywidgets.HTML()
        bar = ipywidgets.HBox([self._words, self._colors, self._message])
        bar.layout.flex_flow = "row wrap"
        super().__init__([bar, self._map, self.explorer])
        self.add_class("pg-atlas")
        self._words.observe(lambda change: self.search(change["new"]), "value")
        self._colors.observe(lambda change: self._map.paint(change["new"]), "value")
        self._map.observe(self._follow_map, "chosen")
        self.explorer.observe(self._follow_list, "query")
        self._follow_map()

    # -- to and from Python --------------------------------------------------------------------------------

    @property
    def selection(self) -> pd.DataFrame:
        """The rows of the selected clusters."""
        rows = np.sort(self._map.rows)
        return self.table.iloc[rows].reset_index(drop=True)

    @selection.setter
    def selection(self, chosen: pd.DataFrame | Iterable[int]) -> None:
        if isinstance(chosen, pd.DataFrame):
            if "cluster" not in chosen:
                raise PairsError(
                    f"a selection has a column cluster, not {', '.join(map(str, chosen))}"
                )
            chosen = chosen["cluster"]
        ids = list(dict.fromkeys(chosen))
        for one in ids:
            if isinstance(one, bool | np.bool) or one not in range(len(self.table)):
                raise PairsError(
                    f"cluster {one!r} is not one of 0 .. {len(self.table) - 1} of the map"
                )
        self._map.rows = ids

    @property
    def color(self) -> str:
        """The column that colours the dots."""
        return self._colors.value

    @color.setter
    def color(self, color: str) -> None:
        self._check_color(color)
        self._colors.value = color

    def search(self, words: str) -> None:
        """Select the clusters with a sentence that contains all the words, ignoring case; without words, none."""
        homes = np.empty(0, int)
        if words.split():
            homes = np.unique(self.graph.cluster_of[find(self.graph, words)])
        self._map.rows = homes[homes < len(self.table)]
        self._words.value = words
        self._follow_map()

    def figure(self) -> Figure:
        """Return the map as a matplotlib figure: ``atlas.figure().savefig("map.png")``."""
        return draw_atlas(self.table, self.color, self._title())

    def save(self, path: str | PathLike) -> Path:
        """Write the map to ``.html``, a page on which dots open their clusters; `figure` is for a picture."""

        def page(part: Path) -> None:
            part.write_text(page_of(self._map, self._title(), self.explorer), "utf-8")

        return save_as(path, self.graph.inputs, html=page)

    # -- how it is done ------------------------------------------------------------------------------------

    @property
    def _columns(self) -> list[Any]:
        """The columns that can colour dots."""
        return [name for name in self.table if name not in PLAIN]

    def _check_color(self, color: str) -> None:
        if color not in self._columns:
            known = ", ".join(map(str, self._columns))
            raise PairsError(f"clusters are not coloured by {color!r} but by one of {known}")

    def _open(self, row: int) -> None:
        self.explorer.cluster = int(self.table["cluster"].iloc[row])

    def _follow_map(self, _: Any = None) -> None:
        """Show how many dots are selected (0 if a search found none), and list them."""
        count = len(self._map.rows)
        self._message.value = self._title()
        if count or self._words.value.strip():
            self._message.value = f"{counting(count, 'cluster')}, in <code>.selection</code>"
        only = self._only
        if self.explorer.query["only"] != only:
            self.explorer.query = self.explorer.query | {"only": only}

    @property
    def _only(self) -> list[int] | None:
        """The clusters that the list shows: those selected; a click opens one and hides none."""
        ids = self.selection["cluster"].tolist()
        if len(ids) < 2:
            return None
        return ids

    def _follow_list(self, _: Any) -> None:
        """Select on the map only what the list of the Explorer shows, where its filter was changed there."""
        only = self.explorer.query["only"]
        if only != self._only:
            self._words.value = ""
            self._map.rows = [one for one in only or () if one < len(self.table)]

    def _title(self) -> str:
        if not len(self.table):
            return "The graph has no sentences."
        title = counting(len(self.table), "cluster")
        if not has_tsne():
            title += ", by two principal components (t-SNE needs openTSNE)"
        return title

    def _twin_parts(self) -> tuple[str, str]:
        title = self._title()
        return title, png_image(self.figure(), title)
