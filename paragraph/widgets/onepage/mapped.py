"""The Atlas as a page without Python: the map, and below it the Explorer, in which a dot opens its cluster."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...draw.style import oneline, shorten
from ..atlas import Map
from ..base.keys import help_of
from ..explorer.saved import KERNEL, contents
from ..pages.living import as_json, framed, living

__all__ = ["map_page"]

HERE = Path(__file__).parent
MOST = 20_000  # dots for which a page has room; ids go by size, so they are the largest clusters
LETTERS = 120  # of the sentence of a dot
NOTE = "Each dot is a cluster; clusters on one topic are near each other. A click opens it below."
TRAITS = ("palette", "legend", "names", "height")


def map_page(dots: Map, title: str, explorer: Any) -> str:
    """Return a map and its Explorer as HTML: one page, no network, in which a click on a dot opens its cluster."""
    kept = dots._table.iloc[:MOST]
    told = [[shorten(oneline(sentence), LETTERS), facts] for sentence, facts in dots.told(kept)]
    order, chosen = (np.frombuffer(part, np.uint32) for part in (dots.order, dots.chosen))
    packed = {
        "dots": np.frombuffer(dots.dots, np.float32)[: 3 * MOST], "shade": np.frombuffer(dots.shade, np.uint8)[:MOST],
        "order": order[order < MOST], "chosen": chosen[chosen < MOST],
    }  # fmt: skip
    left = len(dots._table) - len(kept)
    note, own, data = contents(explorer)
    if left > 0:
        note = f"Left out of the map: the {left:,} smallest clusters. {note}"
    note = f"{NOTE} {note}"
    traits = {name: getattr(dots, name) for name in TRAITS} | {"ack": 0, "shortcuts": help_of({"zoom": None}, {})}
    packed = {name: b64encode(part.tobytes()).decode() for name, part in packed.items()}
    page = {
        "map": {"traits": traits, "data": {"packed": packed, "told": told}},
        "explorer": {"traits": own, "data": data},
    }  # fmt: skip
    # Each of the two has a kernel and a `render`: those of the map are in their own scope.
    script = f"""{living(KERNEL)}
const atlas = (() => {{
{dots._script}
{living((HERE.parent / "atlas" / "page.js",))}
return {{ livingModel, render }};
}})();
{(HERE / "together.js").read_text("utf-8")}"""
    both = SimpleNamespace(_script=explorer._script, _css=explorer._css + dots._css)
    inside = f'<script type="application/json" id="data">{as_json(page)}</script>'
    return framed(f"Atlas of {title}", note, both, script, inside)[0]
