"""A graph, or one cluster of it, as a GraphML file for Gephi, networkx and other tools."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

from ..pairs import PairsError
from ..pairs.outputs import beside
from .core import ParaphraseGraph, checked_graph

__all__ = ["export"]

#: Characters that XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export(graph: ParaphraseGraph, path: str | PathLike, cluster: int | None = None) -> int:
    """Write the graph to a GraphML file, and return the number of edges written.

    Parameters
    ----------
    path : path
        Ends in ``.graphml``.
    cluster : int
        Only this cluster.

    Notes
    -----
    XML holds no control characters: each becomes U+FFFD. `rows` is text, numbers separated by blanks. Line ends of
    any kind may come back as line feeds. The file is built by networkx in memory: some 2 kB per edge.

    Raises
    ------
    PairsError
        Another ending, or an unknown cluster.
    """
    import networkx as nx

    if Path(path).suffix != ".graphml":
        raise PairsError(f"{Path(path).name}: a graph is written as GraphML; name a file that ends in .graphml")
    written = checked_graph(graph, "export").to_networkx(cluster=cluster)
    for _, node in written.nodes(data=True):
        node["text"] = NOT_XML.sub("\ufffd", node["text"])
    for *_, edge in written.edges(data=True):
        edge["rows"] = " ".join(map(str, edge["rows"]))
    with beside(path) as part:
        nx.write_graphml(written, part)
    return written.number_of_edges()
