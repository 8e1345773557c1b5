"""A graph for other programs: networkx, GraphML, and tables with the words of its own files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_type
from ..files.outputs import atomic_write
from .structure import Structure

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["as_written", "export", "to_networkx"]

#: Characters that XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_networkx(graph, cluster: int | None = None, nodes: Iterable[int] | None = None) -> nx.Graph:
    """A networkx graph of everything, of one cluster, or of the given nodes.

    Nodes carry `text` and `cluster`; edges `sign`, `n_positive`, `n_negative` and `rows`.
    """
    import networkx as nx

    if cluster is not None:
        nodes = graph.members(cluster)
    if nodes is None:
        nodes = range(graph.n)
    nodes = np.array(list(nodes), dtype=np.int64)
    table = pd.DataFrame({"text": graph.texts(nodes)}, nodes)
    table["cluster"] = graph.cluster_of[nodes]
    result = nx.Graph()
    result.add_nodes_from(table.to_dict("index").items())
    for edge in graph.edges_among(nodes).tolist():
        attributes = {"sign": int(graph.edge_sign[edge])}
        attributes["n_positive"] = int(graph.edge_n_positive[edge])
        attributes["n_negative"] = int(graph.edge_n_negative[edge])
        attributes["rows"] = graph.source_rows(edge)
        a, b = graph.ends(edge).tolist()
        result.add_edge(a, b, **attributes)
    return result


def export(graph: Structure, path: str | PathLike, cluster: int | None = None) -> int:
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
        raise PairsError(
            f"{Path(path).name}: a graph is written as GraphML; name a file that ends in .graphml"
        )
    call = "export(pg.ParaphraseGraph.from_pairs(pairs))"
    check_type(graph, Structure, "export", "a graph", call)
    part = graph.to_networkx(cluster=cluster)
    for _, node in part.nodes(data=True):
        node["text"] = NOT_XML.sub("\ufffd", node["text"])
    for *_, edge in part.edges(data=True):
        edge["rows"] = " ".join(map(str, edge["rows"]))
    with atomic_write(path, inputs=graph.inputs) as file:
        nx.write_graphml(part, file)
    return part.number_of_edges()


def as_written(table: pd.DataFrame, graph: Structure | None = None) -> pd.DataFrame:
    """Turn a table of pairs into the form of a file: labels become the words of the data, if any.

    Files call the two sentences `question1` and `question2`, as Quora's release does.
    """
    table = table.rename(columns={"text_a": "question1", "text_b": "question2"})
    if graph is None or not graph.own_words or "label" not in table:
        return table
    words = dict(enumerate(graph.own_words))
    return table.assign(label=table["label"].map(words))
