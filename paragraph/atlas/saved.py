"""The Atlas as a page without Python: the map, and below it the Explorer, in which a dot opens its cluster."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from ..draw.page import source
from ..draw.style import oneline, shorten
from ..widgets.base.keys import help_of
from ..widgets.explorer.saved import KERNEL, contents
from ..widgets.explorer.widget import Explorer
from ..widgets.pages.living import as_json, framed, living
from .map import Map

__all__ = ["page_of"]

HERE = Path(__file__).parent
MOST = 20_000  # dots for which a page has room; ids go by size, so they are the largest clusters
LETTERS = 120  # of the sentence of a dot
NOTE = "Each dot is a cluster; clusters on one topic are near each other. A click opens it below."
TRAITS = ("palette", "legend", "names", "height")


def page_of(dots: Map, title: str, explorer: Explorer) -> str:
    """Return a map and its Explorer as HTML: one page, no network, in which a click on a dot opens its cluster."""
    note, own, data = contents(explorer)
    left = len(dots.table) - MOST
    if left > 0:
        note = f"Left out of the map: the {left:,} smallest clusters. {note}"
    page = {"map": _map_of(dots), "explorer": {"traits": own, "data": data}}
    # Each of the two has a kernel and a `render`: those of the map are in their own scope.
    script = f"""{living(KERNEL)}
const atlas = (() => {{
{dots._script}
{living((HERE / "kernel.js",))}
return {{ livingModel, render }};
}})();
{source(HERE / "together.js")}"""
    both = SimpleNamespace(_script=explorer._script, _css=explorer._css + dots._css)
    inside = f'<script type="application/json" id="data">{as_json(page)}</script>'
    return framed(f"Atlas of {title}", f"{NOTE} {note}", both, script, inside)[0]


def _map_of(dots: Map) -> dict[str, dict]:
    """Return the traits of a map, and the data of its kernel: its largest dots."""
    order = np.frombuffer(dots.order, np.uint32)
    chosen = np.frombuffer(dots.chosen, np.uint32)
    parts = {
        "dots": dots.dots[: 12 * MOST],  # three numbers of four bytes each
        "shade": dots.shade[:MOST],
        "order": order[order < MOST].tobytes(),
        "chosen": chosen[chosen < MOST].tobytes(),
    }
    packed = {name: b64encode(part).decode() for name, part in parts.items()}
    described = []
    for sentence, facts in dots.descriptions(dots.table.head(MOST)):
        described.append([shorten(oneline(sentence), LETTERS), facts])
    traits = {name: getattr(dots, name) for name in TRAITS}
    traits |= {"ack": 0, "shortcuts": help_of({"zoom": None}, {})}
    return {"traits": traits, "data": {"packed": packed, "described": described}}
