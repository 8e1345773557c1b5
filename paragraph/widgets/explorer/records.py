"""Clusters as plain values, which a page draws and explains: complete, or in brief as a single node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ...draw.shared import LISTED, NEIGHBOURS
from ...draw.style import oneline, shorten
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.bridges import cluster_bridges
from ...graph.clusters import central_sentences
from ...words.shared import shared_and_splitting
from ..base.records import DRAWN, Plain, record_of
from .columns import Column

__all__ = ["brief", "listed", "neighbours_of", "record"]

MOST = 1_000  # sentences up to which a cluster's words are compared; for its bridges, twice as many


def record(
    graph: ParaphraseGraph, cluster: int, wanted: Iterable[int] = (), columns: Mapping[str, Column] | None = None
) -> Plain:
    """Return a cluster: its sentences in order, those drawn, its facts, what columns say of the sentences."""
    told = record_of(graph, cluster, DRAWN, wanted)
    drawn = told["drawn"]
    texts = [text for _, text in told["nodes"]]
    plain = words = shared_and_splitting([texts[at] for at in drawn], told.get("group"))
    if "group" in told or len(drawn) < len(texts):
        plain = shared_and_splitting(texts[:MOST])
    facts, lists = facts_of(graph, cluster)
    closed = brief(graph, cluster)
    del closed["text"], closed["size"]  # its sentences say it
    told |= closed | {
        "facts": facts, "lists": lists, "neighbours": int(graph.cluster_degree[cluster]), "words": words,
        "values": {name: column.of(graph.members(cluster)) for name, column in (columns or {}).items()},
    }  # fmt: skip
    return told | ({"plain": plain} if plain != words else {})


def brief(graph: ParaphraseGraph, cluster: int) -> Plain:
    """Return a closed cluster for a page: its size, name and links to others."""
    central = int(central_sentences(graph, 1, cluster)[0])
    text = graph.text(central)
    return {
        "id": cluster, "size": int(graph.cluster_sizes[cluster]), "central": central, "text": text,
        "label": shorten(oneline(text), 26), "links": np.stack(_links(graph, cluster), axis=1).tolist(),
    }  # fmt: skip


def neighbours_of(graph: ParaphraseGraph, cluster: int) -> list[int]:
    """Return the clusters that stated negatives join to one, those with the most negatives first."""
    others, count = _links(graph, cluster)
    return others[np.lexsort((others, -count))][:NEIGHBOURS].tolist()


def facts_of(graph: ParaphraseGraph, cluster: int) -> tuple[list[list[str]], dict[str, list[str]]]:
    """Return the numbers of a cluster, each with its name; and the lines that are its bridges and its conflicts."""
    edges = graph.edges_at([cluster])
    size = int(graph.cluster_sizes[cluster])
    positive = int((graph.edge_sign[edges] > 0).sum())
    pairs = size * (size - 1) // 2
    conflicts = edges[graph.conflicting[edges] & (graph.edge_clusters[0, edges] == cluster)]
    lines = {"bridges": [], "conflicts": conflicts.tolist()}
    neighbours = int(graph.cluster_degree[cluster])
    facts = [["sentences", f"{size:,}"]]
    if size > 1:
        facts.append(["density", f"{positive / pairs:.2f}: {positive:,} of {pairs:,} pairs stated positive"])
    if 2 < size <= 2 * MOST:
        lines["bridges"] = cluster_bridges(graph, cluster)[0].tolist()
        bridges = len(lines["bridges"])
        facts.append(["bridges", f"{bridges:,}: removing any one splits the cluster in two" if bridges else "none"])
    facts.append(["conflicts", f"{len(lines['conflicts']):,}" if lines["conflicts"] else "none"])
    facts.append(["neighbours", counting(neighbours, "cluster") if neighbours else "none"])
    return facts, {name: [f"e{edge}" for edge in edges] for name, edges in lines.items()}


def _links(graph: ParaphraseGraph, cluster: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the clusters that stated negatives join to one, and the number of negatives."""
    a, b, count = graph.links
    at = np.flatnonzero((a == cluster) | (b == cluster))
    return a[at] + b[at] - cluster, count[at]


def listed(graph: ParaphraseGraph, title: str, some: list[list[int]], total: int) -> Plain:
    """Return sentences, or pairs of them, as a page lists them; `total` counts all of which these are some."""
    entries = []
    for nodes in (some := some[:LISTED]):
        edge = graph.edge_between(*nodes) if len(nodes) > 1 else -1
        together = len({*graph.cluster_of[nodes].tolist()}) == 1
        entries.append({
            "sign": int(graph.edge_sign[edge]) if edge >= 0 else 1 if together else -1,
            "texts": graph.texts(nodes), "keys": [" ".join(f"n{node}" for node in nodes)] * len(nodes),
            "rows": graph.row_names(graph.rows_of(edge)) if edge >= 0 else [],
            "conflict": edge >= 0 and bool(graph.conflicting[edge]),
        })  # fmt: skip
    note = f"{len(some):,} of {total:,} are listed." if total > len(some) else ""
    return {"title": title, "pairs_title": f"{total:,}", "pairs": entries, "note": note}
