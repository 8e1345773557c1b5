"""Signed graphs that the Triad Lab can begin with."""

from __future__ import annotations

from functools import partial
from typing import Any

import networkx as nx

from ...balance import KINDS, presets

__all__ = ["four_triads", "starts"]


def starts() -> dict[str, Any]:
    """What the lab can begin with, by name: each a function that makes a signed networkx graph."""
    plain = {"two camps": presets.two_camps, "three camps": presets.three_camps, "jammed": presets.jammed}
    return (
        {"the four triads": four_triads}
        | {f"triad {kind}": partial(presets.triad, kind) for kind in KINDS}
        | {name: partial(presets.classic, name) for name in presets.CLASSICS}
        | plain
        | {"highland tribes": presets.tribes}
        | {f"Europe {year}": partial(presets.europe, year) for year in presets.EUROPE}
    )


def four_triads() -> nx.Graph:
    """The four signed triads side by side (Chen, Ji and Evans 2020, Figure 1).

    >>> four_triads().number_of_nodes()
    12
    """
    graph = nx.Graph(source="Chen, Ji and Evans 2020, Figure 1")
    for number, kind in enumerate(("+++", "+--", "---", "++-")):
        graph.add_edges_from(
            (f"{a}{number + 1}", f"{b}{number + 1}", {"sign": sign})
            for a, b, sign in presets.triad(kind).edges(data="sign")
        )
    return graph
