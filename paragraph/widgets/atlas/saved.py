"""The Atlas as a page without Python: the map, and the sentence and numbers of each dot."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import numpy as np

from ...draw.text import oneline, shorten
from ..base.keys import help_of
from ..pages import page_of
from .map import Map

__all__ = ["map_page"]

MOST = 20_000  # dots for which a page has room; ids go by size, so they are the largest clusters
LETTERS = 1_500_000  # of all sentences together, about
NOTE = (
    "Each dot is a cluster; clusters on one topic are near each other. Point at a dot, or tap it, to read its name."
)
TRAITS = ("palette", "legend", "names", "height")


def map_page(dots: Map, title: str) -> str:
    """Return a map as HTML: one page, no network, in which each dot names its cluster."""
    kept = dots._table.iloc[:MOST]
    letters = max(30, min(300, LETTERS // max(1, len(kept))))
    told = [[shorten(oneline(sentence), letters), facts] for sentence, facts in dots.told(kept)]
    order, chosen = (np.frombuffer(part, np.uint32) for part in (dots.order, dots.chosen))
    packed = {
        "dots": np.frombuffer(dots.dots, np.float32)[: 3 * MOST], "shade": np.frombuffer(dots.shade, np.uint8)[:MOST],
        "order": order[order < MOST], "chosen": chosen[chosen < MOST],
    }  # fmt: skip
    left = len(dots._table) - len(kept)
    note = f"{NOTE} Left out: the {left:,} smallest clusters." if left else NOTE
    traits = {name: getattr(dots, name) for name in TRAITS} | {"ack": 0, "shortcuts": help_of({"zoom": None}, {})}
    data = {"packed": {name: b64encode(part.tobytes()).decode() for name, part in packed.items()}, "told": told}
    return page_of(f"Atlas of {title}", note, dots, (Path(__file__).with_name("page.js"),), traits, data)
