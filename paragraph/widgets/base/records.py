"""Clusters as plain values, which a page's JavaScript lays out, draws and explains."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...draw.view import nearest
from ...graph import ParaphraseGraph
from ...graph.communities import communities

__all__ = ["DRAWN", "Beside", "Plain", "edges_of", "kept_apart", "record_of"]

#: Plain values by name, in the form for a page.
Plain = dict[str, Any]

#: What stands beside a row of the graph: the names and the values of columns.
Beside = Callable[[int], list[list[str]]]

DRAWN = 300  # sentences of a cluster at most


def record_of(graph: ParaphraseGraph, cluster: int, limit: int, wanted: Iterable[int] = ()) -> Plain:
    """Return the sentences of a cluster, each with its number; those drawn, community by community; and a note."""
    nodes, note = _drawn(graph, cluster, limit, tuple(wanted))
    edges = graph.edges_at([cluster])
    ends = graph.ends(edges[graph.edge_sign[edges] > 0])
    ties = np.searchsorted(nodes, ends[:, np.isin(ends, nodes).all(axis=0)]).T.tolist()
    group, order = communities(len(nodes), map(tuple, ties))
    members = graph.members(cluster)
    place = np.searchsorted(members, nodes)
    sentences = [list(one) for one in zip(members.tolist(), graph.texts(members), strict=True)]
    found = {"id": int(cluster), "nodes": sentences, "drawn": place[order].tolist()}
    rows = graph.self_rows[graph.cluster_of[graph.row_a[graph.self_rows]] == cluster]
    alone = zip(graph.row_a[rows].tolist(), graph.row_names(rows), strict=True)
    more = {"group": group[order].tolist() if group.any() else None, "note": note, "alone": [*map(list, alone)]}
    return found | {name: value for name, value in more.items() if value}


def kept_apart(graph: ParaphraseGraph, nodes: np.ndarray) -> list[list[Any]]:
    """Return sentences of other clusters, with these."""
    homes = graph.cluster_of[nodes].tolist()
    return [list(one) for one in zip(nodes.tolist(), graph.texts(nodes), homes, strict=True)]


def edges_of(graph: ParaphraseGraph, edges: np.ndarray, beside: Beside | None = None) -> list[list[Any]]:
    """Return stated labels: number, ends, sign, rows.

    A row is its name, with its score if it has one; or a list of its name, its annotator and what stands `beside`
    it. With its label, if that differs or there is such a list, and with its sentences, if their spelling or order
    differs.
    """
    rows = np.concatenate([edges[:0], *map(graph.rows_of, edges)])
    names = dict(zip(rows.tolist(), graph.row_names(rows), strict=True))
    stated = {}
    if graph.pairs is not None and "score" in graph.pairs:
        scores = graph.pairs["score"].to_numpy(float)
        names = {row: f"{name} (scored {scores[row]:.3g})" for row, name in names.items()}
    who = graph.annotators
    if graph.pairs is not None:
        columns = graph.pairs[["text_a", "text_b"]].iloc[rows]
        stated = dict(zip(names, columns.to_numpy(object).tolist(), strict=True))
    found = []
    for edge in edges.tolist():
        (a, b), sign = graph.ends(edge).tolist(), int(graph.edge_sign[edge])
        texts = graph.texts([a, b])
        written = []
        for row in graph.rows_of(edge).tolist():
            name = names[row]
            label = int(graph.row_sign[row] > 0)
            said = stated.get(row, texts)
            by = "" if who is None else who[row]
            more = [] if beside is None else beside(row)
            if by or more:
                name = [name, by, more]
            if said == texts:
                written.append(name if label == (sign > 0) and isinstance(name, int | str) else [name, label])
            else:
                written.append([name, label, 1] if said == texts[::-1] else [name, label, *said])
        found.append([edge, a, b, sign, *written])
    return found


def _drawn(graph: ParaphraseGraph, cluster: int, limit: int, wanted: tuple[int, ...]) -> tuple[np.ndarray, str]:
    """Return the drawn sentences, and a note about the others."""
    members = graph.members(cluster)
    if len(members) <= limit:
        return members, ""
    mine = [node for node in wanted if graph.cluster_of[node] == cluster]
    near = nearest(graph, members, limit, mine)
    conflicts = graph.edges_at([cluster])
    conflicts = conflicts[graph.negatives_inside[conflicts]][: limit // 4]
    picked = np.union1d(graph.ends(conflicts), near)
    return picked, (
        f"{len(picked):,} of the {len(members):,} sentences of cluster {cluster} are shown: those in conflict, and "
        f"the nearest to the {'chosen' if mine else 'best connected'} one."
    )
