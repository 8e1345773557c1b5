"""The live map: dots on a canvas. Python holds the truth, JavaScript draws and sends what was chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets
from matplotlib.colors import LinearSegmentedColormap, to_hex

from ...draw.charts import colors_of
from ...draw.style import RAMP
from ...pairs import PairsError
from ..base.keys import help_of
from ..base.live import LIVE_CSS, Live, Refused, script

__all__ = ["Map"]

HERE = Path(__file__).parent
HELP = help_of({"zoom": None, "back": "choose nothing"}, {})
STEPS = 64  # colours of a column of numbers


class Map(Live):
    """Rows of a table (x, y, size, sentence) as dots; `rows` are those chosen, `opens` is called with one clicked."""

    _esm = script(HERE / "map.js")
    _css = LIVE_CSS + (HERE / "style.css").read_text(encoding="utf-8")

    dots = traitlets.Bytes().tag(sync=True)  #: float32: x and y within -1 and 1, radius in pixels
    shade = traitlets.Bytes().tag(sync=True)  #: uint8, one a dot: its colour in `palette`
    order = traitlets.Bytes().tag(sync=True)  #: uint32: dots in the order in which they are drawn
    palette = traitlets.List(traitlets.Unicode()).tag(sync=True)
    legend = traitlets.Dict().tag(sync=True)  #: title, and names of the colours or the ends of numbers
    chosen = traitlets.CBytes().tag(sync=True)  #: uint32: chosen dots
    height = traitlets.Int(440).tag(sync=True)

    def __init__(self, table: pd.DataFrame, height: int = 440):
        size = np.sqrt(table["size"].to_numpy() / 2)
        smallest = np.clip(150 / np.sqrt(max(len(table), 1)), 1.2, 6)
        radius = np.minimum(smallest * size, 4 * smallest)
        packed = np.column_stack([table["x"], table["y"], radius]).astype(np.float32)
        super().__init__(dots=packed.tobytes(), height=height, shortcuts=HELP)
        self._table = table
        self.opens: Callable[[int], None] | None = None

    @property
    def rows(self) -> np.ndarray:
        """The chosen dots."""
        return np.frombuffer(self.chosen, np.uint32).astype(np.int64)

    @rows.setter
    def rows(self, rows: Iterable[int]) -> None:
        self.chosen = np.array(list(rows), dtype=np.uint32).tobytes()

    def color(self, column: pd.Series) -> None:
        """Colour the dots by a column."""
        shown, self._shown = colors_of(column), column.name
        if shown.colors is None:
            low, high = shown.values.min(), shown.values.max()
            share = (shown.values - low) / (high - low) if high > low else shown.values * 0.0
            ramp = LinearSegmentedColormap.from_list("ramp", RAMP, STEPS)
            palette, shade = [to_hex(ramp(step)) for step in range(STEPS)], (share * (STEPS - 1)).round()
            legend = {"ends": [f"{low:.3g}", f"{high:.3g}"]}
        else:
            palette, shade = list(shown.colors.values()), shown.values.cat.codes
            legend = {"names": list(shown.colors)}
        with self.hold_sync():
            self.palette, self.legend = palette, {"title": str(column.name), **legend}
            self.shade = shade.to_numpy(np.uint8).tobytes()
            self.order = shown.first.astype(np.uint32).tobytes()

    @traitlets.validate("chosen")
    def _check_chosen(self, proposal: dict[str, Any]) -> bytes:
        value = proposal["value"]
        if len(value) % 4 or (np.frombuffer(value, np.uint32) >= len(self._table)).any():
            raise Refused("chosen dots are not dots of the map")
        return value

    def on_hover(self, row: int) -> None:
        """Send the page what a dot is."""
        self.send({"intent": "hover", "row": row, **self._said(self._checked(row))})

    def on_open(self, row: int) -> None:
        """Open a dot."""
        if self.opens:
            self.opens(self._checked(row))

    def _checked(self, row: int) -> int:
        if isinstance(row, bool) or not isinstance(row, int) or not 0 <= row < len(self._table):
            raise PairsError(f"{row!r} is no dot")
        return row

    def _said(self, row: int) -> dict[str, str]:
        """The sentence of a dot, and its numbers in words."""
        (one,) = self._table.iloc[[row]].to_dict("records")
        facts = [f"cluster {one['cluster']}"]
        for name, noun in (("size", "sentence"), ("conflicts", "conflict")):
            if one[name]:
                facts.append(f"{one[name]:,} {noun}{'s' * (one[name] != 1)}")
        if self._shown not in ("size", "conflicts"):
            value = one[self._shown]
            facts.append(f"{self._shown} {value:.3g}" if isinstance(value, float) else f"{self._shown} {value!s:.80}")
        return {"sentence": one["sentence"][:2000], "facts": " · ".join(facts)}
