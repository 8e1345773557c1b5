"""A graph, or one cluster of it, as a file for other tools: GraphML, GEXF or Parquet."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

import numpy as np
import pyarrow as pa

from ..pairs import PairsError
from ..pairs.outputs import all_or_none, beside
from .core import ParaphraseGraph, checked_graph

__all__ = ["FORMATS", "export"]

FORMATS = ("graphml", "gexf", "parquet")
#: What a Parquet export holds.
TABLES = ("nodes.parquet", "edges.parquet")

#: Characters that XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def export(
    graph: ParaphraseGraph, path: str | PathLike, cluster: int | None = None, format: str | None = None
) -> int:
    """Write the graph to `path`; the number of edges written.

    Parameters
    ----------
    cluster : int
        Only this cluster.
    format : {"graphml", "gexf", "parquet"}
        Default: by the ending of `path`. Parquet makes a folder of two tables: ``nodes.parquet`` (`node`,
        `text`, `cluster`) and ``edges.parquet`` (`a`, `b`, `sign`, `n_positive`, `n_negative`, `rows`: numbers,
        or texts such as ``b.parquet:2`` where there are several files).

    Notes
    -----
    XML holds no control characters; in GraphML and GEXF each becomes U+FFFD, and `rows` is text, numbers separated
    by blanks. Line ends of any kind may come back from GraphML as line feeds. Both are built by networkx in
    memory: some 2 kB per edge.

    Raises
    ------
    PairsError
        An unknown format or cluster.
    """
    checked_graph(graph, "export")
    path = Path(path)
    format = format or path.suffix.removeprefix(".")
    if format not in FORMATS:
        raise PairsError(f"format {format!r} is not one of {', '.join(FORMATS)}; name one of them")
    if format == "parquet":
        return _parquet(graph, path, cluster)
    import networkx as nx

    whole = graph.to_networkx(cluster=cluster)
    for _, node in whole.nodes(data=True):
        node["text"] = NOT_XML.sub("\ufffd", node["text"])
        if format == "gexf":
            node["label"] = node["text"]  # what Gephi writes beside a node
    for *_, edge in whole.edges(data=True):
        edge["rows"] = " ".join(map(str, edge["rows"]))
    with beside(path) as part:
        (nx.write_graphml if format == "graphml" else nx.write_gexf)(whole, part)
    return whole.number_of_edges()


def _parquet(graph: ParaphraseGraph, folder: Path, cluster: int | None) -> int:
    import pyarrow.parquet as pq

    nodes = np.arange(graph.n) if cluster is None else graph.members(cluster)
    edges = graph.edge_table(graph.edges_among(nodes))
    # Whole numbers, or texts such as ``b.parquet:2`` where there are several files
    named = any(isinstance(row, str) for rows in edges["rows"] for row in rows)
    rows = pa.array(edges.pop("rows").tolist(), pa.list_(pa.string() if named else pa.int64()))
    texts = graph.sentences.take(pa.array(nodes))
    tables = [
        pa.table({"node": nodes, "text": texts, "cluster": graph.cluster_of[nodes]}),
        pa.table({name: edges[name].to_numpy() for name in edges}).append_column("rows", rows),
    ]
    with all_or_none(folder) as stage:
        for name, table in zip(TABLES, tables, strict=True):
            pq.write_table(table, stage / name)
    return len(edges)
