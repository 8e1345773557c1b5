"""Signed graphs that the Triad Lab can begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...balance import KINDS, presets

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["four_triads", "starts"]


def starts() -> dict[str, Any]:
    """What the lab can begin with, by name: each a function that makes a signed networkx graph."""
    found: dict[str, Any] = {"the four triads": four_triads}
    found |= {f"triad {kind}": (lambda kind=kind: presets.triad(kind)) for kind in KINDS}
    found |= {name: (lambda name=name: presets.classic(name)) for name in presets.CLASSICS}
    found |= {
        "two camps": presets.two_camps,
        "three camps": presets.three_camps,
        "jammed": presets.jammed,
        "highland tribes": presets.tribes,
    }
    found |= {f"Europe {year}": (lambda year=year: presets.europe(year)) for year in presets.EUROPE}
    return found


def four_triads() -> nx.Graph:
    """The four signed triads side by side (Chen, Ji and Evans 2020, Figure 1).

    >>> four_triads().number_of_nodes()
    12
    """
    import networkx as nx

    graph = nx.Graph(source="Chen, Ji and Evans 2020, Figure 1")
    for number, kind in enumerate(("+++", "+--", "---", "++-")):
        graph.add_edges_from(
            (f"{a}{number + 1}", f"{b}{number + 1}", {"sign": sign})
            for a, b, sign in presets.triad(kind).edges(data="sign")
        )
    return graph
