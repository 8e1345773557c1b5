"""The graphs with which the Triad Lab can begin: by name, a signed graph, or a cluster of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import networkx as nx

from ...balance import KINDS, as_signed, presets
from ...graph import ParaphraseGraph
from ...pairs import PairsError

__all__ = ["given", "starts"]

MOST = 40  # nodes at most, as in table.js


def starts() -> dict[str, Callable[[], nx.Graph]]:
    """Return the starts of the Lab, by name: functions that make a signed networkx graph."""
    return (
        {"the four triads": _four_triads}
        | {f"triad {kind}": partial(presets.triad, kind) for kind in KINDS}
        | {name: partial(presets.classic, name) for name in presets.CLASSICS}
        | {"two camps": presets.two_camps, "three camps": presets.three_camps, "jammed": presets.jammed}
        | {"highland tribes": presets.tribes}
        | {f"Europe {year}": partial(presets.europe, year) for year in presets.EUROPE}
        | {"empty, for your own": nx.Graph}
    )


def _four_triads() -> nx.Graph:
    """Return the four signed triads side by side."""
    graph = nx.Graph(source="Chen, Ji and Evans 2020, Figure 1")
    for number, kind in enumerate(("+++", "+--", "---", "++-"), 1):
        signs = presets.triad(kind).edges(data="sign")
        graph.add_edges_from((f"{a}{number}", f"{b}{number}", {"sign": sign}) for a, b, sign in signs)
    return graph


def given(graph: Any, cluster: int | None = None) -> tuple[str, nx.Graph]:
    """Return the name and the graph of a named start, of a signed graph, or of a cluster of a dataset."""
    name = "your own"
    if isinstance(graph, str):
        if graph not in starts():
            raise PairsError(f"no start is called {graph!r}; there are: {', '.join(starts())}")
        return graph, starts()[graph]()
    if isinstance(graph, ParaphraseGraph):
        if cluster is None:
            raise PairsError("say which cluster of the data: TriadLab(graph, cluster=3)")
        if (size := len(graph.members(cluster))) > MOST:
            raise PairsError(f"cluster {cluster} has {size} sentences, more than {MOST} on one table")
        name, graph = f"cluster {cluster}", graph.to_networkx(cluster=cluster)
    if (n := as_signed(graph).n) > MOST:
        raise PairsError(f"{n} nodes are more than {MOST} on one table")
    return name, nx.Graph(graph)
