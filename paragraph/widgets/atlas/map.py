"""The map: its table, one row per dot, and the dots on a canvas. JavaScript draws, and sends the selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets
from matplotlib.colors import LinearSegmentedColormap, to_hex

from ...draw.atlas import colors_of, regions
from ...draw.page import source
from ...draw.style import RAMP
from ...files import PairsError
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.clusters import central_sentences
from ..base.doubted import Doubted
from ..base.keys import help_of
from ..base.live import LIVE_CSS, Live, Refused, script

__all__ = ["Map", "dots"]

HERE = Path(__file__).parent
HELP = help_of({"zoom": None, "back": "choose nothing"}, {})
STEPS = 64  # colours of a column of numbers
#: The Atlas's own columns: a user's table cannot add columns with these names.
OWN = ("cluster", "x", "y", "size", "conflicts", "negatives", "density", "doubt", "sentence")


def dots(
    graph: ParaphraseGraph, suspects: pd.DataFrame | None = None, columns: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return one row per cluster of two or more sentences, or per sentence if there is no such cluster.

    `cluster`, `size`, `conflicts`, `negatives`, `density` as in the Explorer; `doubt` if suspects are given, missing
    if none is in the cluster; the columns of the user's table; `sentence`, the most central one.
    """
    sizes = graph.cluster_sizes
    count = int(np.count_nonzero(sizes > 1)) or len(sizes)  # ids go by size
    table = graph.clusters(min_size=1).head(count).rename(columns={"stated_negative": "negatives"})
    table = table[["cluster", "size", "conflicts", "negatives", "density"]].reset_index(drop=True)
    table["density"] = table["density"].where(table["size"] > 1, 1.0)
    if suspects is not None:
        worst = Doubted(graph, suspects).of_clusters[:count]
        table["doubt"] = np.where(worst < 0, np.nan, worst / 1000)
    if columns is not None:
        table = _joined(table, columns, len(sizes))
    central = central_sentences(graph, count) if count else []
    return table.assign(sentence=pd.Series(graph.texts(central), dtype="str"))


def _joined(table: pd.DataFrame, columns: pd.DataFrame, clusters: int) -> pd.DataFrame:
    """The table joined with the user's columns, by `cluster`; missing values for clusters that theirs lacks."""
    if "cluster" not in columns:
        raise PairsError(f"columns: a table of clusters has a column cluster, not {', '.join(map(str, columns))}")
    ids = columns["cluster"]
    for odd, what in (
        (~ids.isin(range(clusters)), f"is not one of 0 .. {clusters - 1}"),
        (ids.duplicated(), "has two rows"),
    ):
        if odd.any():
            raise PairsError(f"columns: cluster {ids[odd].iloc[0]!s:.50} {what}")
    new = [name for name in columns if name not in OWN]
    return table.merge(columns[["cluster", *new]], how="left", on="cluster")


class Map(Live):
    """Rows of a table (x, y, size, sentence) as dots; `rows` are selected; `opens` is called with a clicked one."""

    _script = script(HERE / "map.js")
    _esm = f"{_script}\nexport default {{ render }};\n"
    _css = LIVE_CSS + source(HERE / "style.css")

    dots = traitlets.Bytes()  #: float32: x and y within -1 and 1, radius in pixels
    shade = traitlets.Bytes()  #: uint8, one per dot: its colour in `palette`
    order = traitlets.Bytes()  #: uint32: dots in the order in which they are drawn
    palette = traitlets.List(traitlets.Unicode())
    legend = traitlets.Dict()  #: title, and names of the colours or the ends of numbers
    names = traitlets.List()  #: of its parts: x, y, word
    chosen = traitlets.CBytes()  #: uint32: chosen dots
    height = traitlets.Int()

    def __init__(self, table: pd.DataFrame, opens: Callable[[int], None], height: int):
        size = np.sqrt(table["size"].to_numpy() / 2)
        smallest = np.clip(150 / np.sqrt(max(len(table), 1)), 1.2, 6)
        radius = np.minimum(smallest * size, 4 * smallest)
        packed = np.column_stack([table["x"], table["y"], radius]).astype(np.float32)
        super().__init__(dots=packed.tobytes(), height=height, shortcuts=HELP, names=regions(table))
        self._table = table
        self.opens = opens

    @property
    def rows(self) -> np.ndarray:
        """The selected dots."""
        return np.frombuffer(self.chosen, np.uint32).astype(np.int64)

    @rows.setter
    def rows(self, rows: Iterable[int]) -> None:
        self.chosen = np.array(list(rows), dtype=np.uint32).tobytes()

    def color(self, column: pd.Series) -> None:
        """Colour the dots by a column."""
        shown = colors_of(column)
        self._shown = column.name
        if shown.colors is None:
            low = shown.values.min()
            high = shown.values.max()
            share = (shown.values - low) / ((high - low) or 1)
            ramp = LinearSegmentedColormap.from_list("ramp", RAMP, STEPS)
            palette = [to_hex(ramp(step)) for step in range(STEPS)]
            shade = (share * (STEPS - 1)).round()
            legend = {"ends": [f"{low:.3g}", f"{high:.3g}"]}
        else:
            palette = list(shown.colors.values())
            shade = shown.values.cat.codes
            legend = {"names": list(shown.colors)}
        with self.hold_sync():
            self.palette = palette
            self.legend = {"title": str(column.name), **legend}
            self.shade = shade.to_numpy(np.uint8).tobytes()
            self.order = shown.first.astype(np.uint32).tobytes()

    @traitlets.validate("chosen")
    def _check_chosen(self, proposal: dict[str, Any]) -> bytes:
        value = proposal["value"]
        if len(value) % 4 or (np.frombuffer(value, np.uint32) >= len(self._table)).any():
            raise Refused("chosen dots are not dots of the map")
        return value

    def on_hover(self, row: int) -> None:
        """Send the sentence of a dot, and its numbers in words, to the page."""
        ((sentence, facts),) = self.told(self._table.iloc[[self._checked(row)]])
        self.send({"row": row, "sentence": sentence[:2000], "facts": facts})

    def told(self, rows: pd.DataFrame) -> Iterator[tuple[str, str]]:
        """Yield the sentence of each of some dots, and its numbers in words."""
        for one in rows.to_dict("records"):
            facts = [f"cluster {one['cluster']}"]
            for name, noun in (("size", "sentence"), ("conflicts", "conflict")):
                if one[name]:
                    facts.append(counting(one[name], noun))
            if self._shown not in ("size", "conflicts"):
                value = "missing" if pd.isna(one[self._shown]) else one[self._shown]
                told = f"{value:.3g}" if isinstance(value, float) else f"{value!s:.80}"
                facts.append(f"{self._shown} {told}")
            yield one["sentence"], " · ".join(facts)

    def on_open(self, row: int) -> None:
        """Open a dot."""
        self.opens(self._checked(row))

    def _checked(self, row: int) -> int:
        if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < len(self._table):
            raise PairsError(f"{row!r} is no dot")
        return row
