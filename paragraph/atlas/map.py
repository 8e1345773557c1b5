"""The map: dots on a canvas. JavaScript draws them, and sends which ones were chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets
from matplotlib.colors import LinearSegmentedColormap, to_hex

from ..draw.page import source
from ..draw.shared import RAMP
from ..files import PairsError
from ..files.shown import counting
from ..widgets.base.keys import help_of
from ..widgets.base.live import LIVE_CSS, Live, Refused, script
from .colors import colors_of
from .figure import regions

__all__ = ["Map"]

HERE = Path(__file__).parent
HELP = help_of({"zoom": None, "back": "choose nothing"}, {})
STEPS = 64  # colours of a column of numbers


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

    def __init__(self, table: pd.DataFrame, color: str, opens: Callable[[int], None], height: int):
        smallest = 150 / np.sqrt(max(len(table), 1))
        growth = np.minimum(np.sqrt(table["size"] / 2), 4)
        radius = growth * np.clip(smallest, 1.2, 6)
        dots = np.column_stack([table["x"], table["y"], radius])
        dots = dots.astype(np.float32).tobytes()
        super().__init__(dots=dots, height=height, shortcuts=HELP, names=regions(table))
        self.table = table
        self.opens = opens
        self.paint(color)

    @property
    def rows(self) -> np.ndarray:
        """The selected dots."""
        return np.frombuffer(self.chosen, np.uint32).astype(np.int64)

    @rows.setter
    def rows(self, rows: Iterable[int]) -> None:
        self.chosen = np.array(list(rows), dtype=np.uint32).tobytes()

    def paint(self, color: str) -> None:
        """Colour the dots by a column of the table."""
        self._color = color
        shown = colors_of(self.table[color])
        if shown.colors is None:
            low = shown.values.min()
            high = shown.values.max()
            share = (shown.values - low) / ((high - low) or 1)
            shade = (share * (STEPS - 1)).round()
            ramp = LinearSegmentedColormap.from_list("ramp", RAMP, STEPS)
            palette = [to_hex(ramp(step)) for step in range(STEPS)]
            legend = {"ends": [f"{low:.3g}", f"{high:.3g}"]}
        else:
            shade = shown.values.cat.codes
            palette = list(shown.colors.values())
            legend = {"names": list(shown.colors)}
        with self.hold_sync():
            self.palette = palette
            self.legend = {"title": str(color), **legend}
            self.shade = shade.to_numpy(np.uint8).tobytes()
            self.order = shown.first.astype(np.uint32).tobytes()

    @traitlets.validate("chosen")
    def _check_chosen(self, proposal: dict[str, Any]) -> bytes:
        value = proposal["value"]
        last = len(self.table) - 1
        is_whole = len(value) % 4 == 0
        if not is_whole or (np.frombuffer(value, np.uint32) > last).any():
            raise Refused("chosen dots are not dots of the map")
        return value

    def on_hover(self, row: int) -> None:
        """Send the sentence of a dot, and its numbers in words, to the page."""
        row = self._checked(row)
        [(sentence, facts)] = self.descriptions(self.table.iloc[[row]])
        self.send({"row": row, "sentence": sentence[:2000], "facts": facts})

    def on_open(self, row: int) -> None:
        """Open a dot."""
        self.opens(self._checked(row))

    def descriptions(self, rows: pd.DataFrame) -> list[tuple[str, str]]:
        """Return the sentence of each of some dots, and its numbers in words."""
        found = []
        for row in rows.to_dict("records"):
            facts = [f"cluster {row['cluster']}"]
            for name, noun in (("size", "sentence"), ("conflicts", "conflict")):
                if row[name]:
                    facts.append(counting(row[name], noun))
            if self._color not in ("size", "conflicts"):
                facts.append(f"{self._color} {_in_words(row[self._color])}")
            found.append((row["sentence"], " · ".join(facts)))
        return found

    def _checked(self, row: int) -> int:
        if type(row) is not int or not 0 <= row < len(self.table):
            raise PairsError(f"{row!r} is no dot")
        return row


def _in_words(value: Any) -> str:
    if pd.isna(value):
        return "missing"
    if isinstance(value, float):
        return f"{value:.3g}"
    return f"{value!s:.80}"
