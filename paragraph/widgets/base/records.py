"""Clusters as plain values, which a page's JavaScript lays out, draws and explains."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...draw.shared import NEIGHBOURS
from ...draw.style import oneline, shorten
from ...draw.view import nearest
from ...files.shown import counting
from ...graph import ParaphraseGraph
from ...graph.bridges import cluster_bridges, communities
from ...words.shared import shared_and_splitting

__all__ = [
    "DRAWN",
    "Beside",
    "Plain",
    "about",
    "brief",
    "clusters",
    "edges_of",
    "neighbours_of",
    "pair_of",
    "record",
    "rows_of",
]

#: Plain values by name, in the form for a page.
Plain = dict[str, Any]

#: What stands beside a row of the graph: the names and the values of columns.
Beside = Callable[[int], list[list[str]]]

DRAWN = 300  # sentences of a cluster at most
MOST = 2_000  # sentences of a cluster whose bridges are found


def about(graph: ParaphraseGraph) -> Plain:
    """Return the facts about a graph with which a page begins, before it asks anything."""
    return {
        "bipartite": graph.bipartite,
        "table": graph.pairs is not None,
        "words": graph.words,
    }


def clusters(
    graph: ParaphraseGraph,
    open: Iterable[int],
    near: Iterable[int],
    nodes: Iterable[int],
    wanted: Iterable[int],
    beside: Beside | None = None,
) -> Plain:
    """Answer a page: records of clusters and of those of `nodes`, brief ones of others, their stated labels."""
    homes = [int(graph.cluster_of[graph.node(node)]) for node in nodes]
    whole = list(dict.fromkeys([*open, *homes]))
    around = [*near]
    for cluster in whole:
        around += neighbours_of(graph, cluster)
    around = [cluster for cluster in dict.fromkeys(around) if cluster not in whole]
    edges = graph.edges_at(whole)
    ends = np.unique(graph.ends(edges))
    ends = ends[~np.isin(graph.cluster_of[ends], whole)]
    return {
        "edges": edges_of(graph, edges, beside),
        "records": [record(graph, cluster, wanted) for cluster in whole],
        "briefs": [brief(graph, cluster) for cluster in around],
        "others": rows_of(ends.tolist(), graph.texts(ends), graph.cluster_of[ends].tolist()),
    }


def record(
    graph: ParaphraseGraph, cluster: int, wanted: Iterable[int] = (), limit: int = DRAWN
) -> Plain:
    """Return a cluster: its sentences in order; those drawn, community by community; its facts and its words.

    A part that says nothing is left out: `group`, `note`, `alone` (rows that pair a sentence with itself).
    """
    members = graph.members(cluster)
    texts = graph.texts(members)
    nodes, note = _drawn(graph, members, limit, wanted)
    edges = graph.edges_at([cluster])
    ends = graph.ends(edges[graph.edge_sign[edges] > 0])
    ties = np.searchsorted(nodes, ends[:, np.isin(ends, nodes).all(axis=0)]).T
    group, order = communities(len(nodes), map(tuple, ties.tolist()))
    drawn = np.searchsorted(members, nodes)[order].tolist()
    found = brief(graph, cluster)
    del found["text"], found["size"]  # its sentences say it
    found |= {
        "nodes": rows_of(members.tolist(), texts),
        "drawn": drawn,
        "neighbours": int(graph.cluster_degree[cluster]),
    }
    found["facts"], found["lists"] = _facts(graph, cluster)
    parts = group[order].tolist() if group.any() else None
    found["words"] = shared_and_splitting([texts[place] for place in drawn], parts)
    rows = graph.self_rows
    rows = rows[graph.cluster_of[graph.row_a[rows]] == cluster]
    alone = rows_of(graph.row_a[rows].tolist(), graph.row_names(rows))
    more = {"group": parts, "note": note, "alone": alone}
    return found | {name: value for name, value in more.items() if value}


def rows_of(*columns: Iterable[Any]) -> list[list[Any]]:
    """Return columns of one length as rows."""
    return [list(row) for row in zip(*columns, strict=True)]


def brief(graph: ParaphraseGraph, cluster: int) -> Plain:
    """Return a closed cluster for a page: its size, name and links to others."""
    central = int(graph.central_sentences[cluster])
    text = graph.text(central)
    return {
        "id": int(cluster),
        "size": int(graph.cluster_sizes[cluster]),
        "central": central,
        "text": text,
        "label": shorten(oneline(text), 26),
        "links": np.stack(_links(graph, cluster), axis=1).tolist(),
    }


def neighbours_of(graph: ParaphraseGraph, cluster: int) -> list[int]:
    """Return the clusters that stated negatives join to one, those with the most negatives first."""
    others, count = _links(graph, cluster)
    return others[np.lexsort((others, -count))][:NEIGHBOURS].tolist()


def pair_of(graph: ParaphraseGraph, nodes: Iterable[int]) -> Plain:
    """Return a sentence, or two and what is stated of them, as a page lists them."""
    nodes = [graph.node(node) for node in nodes]
    key = " ".join(f"n{node}" for node in nodes)
    found = {"texts": graph.texts(nodes), "keys": [key for _ in nodes]}
    edge = graph.edge_between(*nodes) if len(nodes) > 1 else -1
    if edge < 0:
        is_together = len({*graph.cluster_of[nodes].tolist()}) == 1
        return found | {"sign": 1 if is_together else -1, "rows": [], "conflict": False}
    found["sign"] = int(graph.edge_sign[edge])
    found["rows"] = graph.row_names(graph.rows_of(edge))
    return found | {"conflict": bool(graph.conflicting[edge])}


def edges_of(
    graph: ParaphraseGraph, edges: np.ndarray, beside: Beside | None = None
) -> list[list[Any]]:
    """Return stated labels: number, ends, sign, rows.

    A row is its name, with its score if it has one; or a list of its name, its annotator and what stands `beside`
    it. With its label, if that differs or there is such a list, and with its sentences, if their spelling or order
    differs.
    """
    rows = np.concatenate([edges[:0], *map(graph.rows_of, edges)])
    names = dict(zip(rows.tolist(), graph.row_names(rows), strict=True))
    spelt = {}
    if graph.pairs is not None:
        texts = rows_of(*(graph.pairs[name].iloc[rows] for name in ("text_a", "text_b")))
        spelt = dict(zip(names, texts, strict=True))
        if "score" in graph.pairs:
            for row, score in zip(
                names, graph.pairs["score"].iloc[rows].astype(float), strict=True
            ):
                names[row] = f"{names[row]} (scored {score:.3g})"
    a, b = graph.ends(edges)
    found = rows_of(edges.tolist(), a.tolist(), b.tolist(), graph.edge_sign[edges].tolist())
    for entry, *texts in zip(found, graph.texts(a), graph.texts(b), strict=True):
        edge, *_, sign = entry
        for row in graph.rows_of(edge).tolist():
            label = int(graph.row_sign[row] > 0)
            by = graph.annotators[row] if graph.annotators is not None else ""
            more = beside(row) if beside is not None else []
            written = [names[row], label]
            if by or more:
                written[0] = [names[row], by, more]
            own = spelt.get(row, texts)
            if own == texts[::-1] != texts:
                written.append(1)
            elif own != texts:
                written += own
            elif label == (sign > 0) and not (by or more):
                written = names[row]
            entry.append(written)
    return found


def _facts(graph: ParaphraseGraph, cluster: int) -> tuple[list[list[str]], dict[str, list[str]]]:
    """Return the numbers of a cluster, each with its name; and the lines that are its bridges and its conflicts."""
    edges = graph.edges_at([cluster])
    size = int(graph.cluster_sizes[cluster])
    is_own = graph.edge_clusters[0, edges] == cluster
    conflicts = edges[graph.conflicting[edges] & is_own]
    bridges = edges[:0]
    facts = [["sentences", f"{size:,}"]]
    if size > 1:
        positive = np.count_nonzero(graph.edge_sign[edges] > 0)
        pairs = size * (size - 1) // 2
        facts.append(
            ["density", f"{positive / pairs:.2f}: {positive:,} of {pairs:,} pairs stated positive"]
        )
    if 2 < size <= MOST:
        bridges, _ = cluster_bridges(graph, cluster)
        text = f"{len(bridges):,}: removing any one splits the cluster in two"
        facts.append(["bridges", _or_none(len(bridges), text)])
    facts.append(["conflicts", _or_none(len(conflicts), f"{len(conflicts):,}")])
    neighbours = int(graph.cluster_degree[cluster])
    facts.append(["neighbours", _or_none(neighbours, counting(neighbours, "cluster"))])
    lines = {"bridges": bridges, "conflicts": conflicts}
    return facts, {name: [f"e{edge}" for edge in each.tolist()] for name, each in lines.items()}


def _or_none(count: int, text: str) -> str:
    return text if count else "none"


def _links(graph: ParaphraseGraph, cluster: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the clusters that stated negatives join to one, and the number of negatives."""
    a, b, count = graph.links
    at = np.flatnonzero((a == cluster) | (b == cluster))
    return a[at] + b[at] - cluster, count[at]


def _drawn(
    graph: ParaphraseGraph, members: np.ndarray, limit: int, wanted: Iterable[int]
) -> tuple[np.ndarray, str]:
    """Return the drawn sentences of a cluster, and a note about the others."""
    if len(members) <= limit:
        return members, ""
    cluster = graph.cluster_of[members[0]]
    mine = [node for node in wanted if graph.cluster_of[node] == cluster]
    edges = graph.edges_at([cluster])
    conflicts = edges[graph.negatives_inside[edges]][: limit // 4]
    near = nearest(graph, members, limit, mine)
    picked = np.union1d(graph.ends(conflicts), near)
    middle = "chosen" if mine else "best connected"
    return picked, (
        f"{len(picked):,} of the {len(members):,} sentences of cluster {cluster} are shown: those in conflict, and "
        f"the nearest to the {middle} one."
    )
