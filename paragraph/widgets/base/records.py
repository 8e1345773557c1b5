"""Clusters as plain values, which a page's JavaScript draws and explains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...draw.style import oneline, shorten, wrap
from ...draw.view import nearest
from ...graph import ParaphraseGraph
from ...graph.distance import shortest_paths
from .sketch import Sketch

__all__ = ["Plain", "edges_of", "kept_apart", "record_of", "records_of"]

#: Plain values by name, in the form for a page.
Plain = dict[str, Any]

HELD = 3_000  # sentences of a cluster that a review gives its page: more are not drawn, and would be megabytes


def records_of(graph: ParaphraseGraph, sketches: Iterable[Sketch]) -> Plain:
    """Return clusters in the form for `heldGraph`: their sentences, the drawn ones with their places, and all labels.

    For a cluster of more than 3,000 sentences, these are the sentences nearest to the drawn ones.
    """
    held = {one.cluster: _held(graph, one) for one in sketches}
    edges = graph.edges_at(held)
    ends, inside = graph.ends(edges), np.concatenate([edges[:0], *held.values()])
    away = ~np.isin(graph.cluster_of[ends], [*held])
    known = (np.isin(ends, inside) | away).all(axis=0)
    return {
        "bipartite": graph.bipartite, "table": graph.pairs is not None,
        "records": [record_of(graph, one, held[one.cluster]) | {"neighbours": 0, "links": []} for one in sketches],
        "edges": edges_of(graph, edges[known]), "others": kept_apart(graph, np.unique(ends[away])),
    }  # fmt: skip


def record_of(
    graph: ParaphraseGraph, drawn: Sketch, members: np.ndarray, written: Iterable[str | list[str]] = ()
) -> Plain:
    """Return some sentences of a cluster, and the places of the drawn ones.

    A sentence is its number and text, or (in `written`, for drawn ones) the pieces of its text, alternately plain and
    marked; then its label, if that differs.
    """
    texts, place = graph.texts(members), np.searchsorted(members, drawn.nodes).tolist()
    nodes: list[list[Any]] = [[node, text] for node, text in zip(members.tolist(), texts, strict=True)]
    for at in place:
        if (label := _label(texts[at])) != texts[at]:
            nodes[at].append(label)
    for at, pieces in zip(place, written, strict=False):
        nodes[at][1] = pieces
    group, (x, y) = drawn.group.tolist(), drawn.spots.T.tolist()
    found = {"id": drawn.cluster, "nodes": nodes, "drawn": place, "x": x, "y": y}
    more = {"group": group if any(group) else None, "note": drawn.note}
    return found | {name: value for name, value in more.items() if value}


def kept_apart(graph: ParaphraseGraph, nodes: np.ndarray) -> list[list[Any]]:
    """Return sentences of other clusters, with these."""
    homes = graph.cluster_of[nodes].tolist()
    return [list(one) for one in zip(nodes.tolist(), graph.texts(nodes), homes, strict=True)]


def edges_of(graph: ParaphraseGraph, edges: np.ndarray) -> list[list[Any]]:
    """Return stated labels: number, ends, sign, rows.

    A row is its name, with its score if it has one; with its label, if that differs, and with its sentences, if their
    spelling or order differs.
    """
    rows = np.concatenate([edges[:0], *map(graph.rows_of, edges)])
    names, stated = dict(zip(rows.tolist(), graph.row_names(rows), strict=True)), {}
    if graph.pairs is not None and "score" in graph.pairs:
        scores = graph.pairs["score"].to_numpy(float)
        names = {row: f"{name} (scored {scores[row]:.3g})" for row, name in names.items()}
    if graph.pairs is not None:
        columns = graph.pairs[["text_a", "text_b"]].iloc[rows]
        stated = dict(zip(names, columns.to_numpy(object).tolist(), strict=True))
    found = []
    for edge in edges.tolist():
        (a, b), sign = graph.ends(edge).tolist(), int(graph.edge_sign[edge])
        texts, written = graph.texts([a, b]), []
        for row in graph.rows_of(edge).tolist():
            name, label, said = names[row], int(graph.row_sign[row] > 0), stated.get(row, texts)
            if said == texts:
                written.append(name if label == (sign > 0) else [name, label])
            else:
                written.append([name, label, 1] if said == texts[::-1] else [name, label, *said])
        found.append([edge, a, b, sign, *written])
    return found


def _held(graph: ParaphraseGraph, drawn: Sketch) -> np.ndarray:
    """Return the sentences of a cluster that a page receives, with all drawn ones connected."""
    members = graph.members(drawn.cluster)
    if len(members) <= HELD:
        return members
    near = nearest(graph, members, HELD, drawn.nodes.tolist())
    paths = shortest_paths(graph, np.full(len(drawn.nodes), drawn.nodes[0]), drawn.nodes)
    return np.unique(np.concatenate([near, *map(np.array, paths)]))


def _label(text: str) -> str:
    """Return a sentence in at most two short lines; the picture shows the whole of it on hover."""
    lines = wrap(shorten(oneline(text), 44), 24)
    return "\n".join(lines if len(lines) <= 2 else [lines[0], lines[1].rstrip("…") + "…"])
