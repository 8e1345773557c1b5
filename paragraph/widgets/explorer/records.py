"""Clusters as plain values, which a page draws and explains: whole, or in brief where one is a single node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...draw.layout import layout
from ...draw.text import oneline, shorten
from ...graph import ParaphraseGraph
from ...graph.bridges import cluster_bridges
from ...graph.clusters import central_sentences
from ...words.shared import mark_rare, shared_and_splitting
from ..base.scene import SPACING, Scene, make_scene
from ..base.why import Plain
from .looks import Attributes

__all__ = ["brief", "edges_of", "neighbours_of", "places_around", "record"]

MOST = 1_000  # sentences up to which a cluster's words are compared; for its bridges, twice as many


def record(
    graph: ParaphraseGraph, attributes: Attributes, cluster: int, limit: int, seed: int, wanted: tuple[int, ...] = ()
) -> Plain:
    """Return a cluster: its sentences in order, those drawn (see `make_scene`) with their places, its facts."""
    members = graph.members(cluster)
    scene = make_scene(graph, (cluster,), limit, seed, wanted)
    nodes, texts = _marked(scene), graph.texts(members)
    groups = [node["group"] for node in nodes]
    drawn = {int(node["key"][1:]): node for node in nodes}
    words = shared_and_splitting([node["text"] for node in nodes], groups)
    plain = shared_and_splitting(texts[:MOST])
    facts, lists = facts_of(graph, cluster)
    told = brief(graph, attributes, cluster)
    del told["text"], told["size"]  # its sentences say it
    told |= {
        "facts": facts, "lists": lists, "neighbours": int(graph.cluster_degree[cluster]),
        "nodes": [_sentence(n, text, drawn.get(n)) for n, text in zip(members.tolist(), texts, strict=True)],
        "drawn": graph.place_in_cluster[scene.sentences].tolist(), "words": words,
        "x": [node["x"] for node in nodes], "y": [node["y"] for node in nodes],
        "values": {name: _rounded(values[members]) for name, values in attributes.values.items()},
    }  # fmt: skip
    more = {"group": groups if any(groups) else None, "plain": plain if plain != words else None, "note": scene.note}
    return told | {name: value for name, value in more.items() if value}


def brief(graph: ParaphraseGraph, attributes: Attributes, cluster: int) -> Plain:
    """Return what a page draws of a closed cluster: its size, name and links to others."""
    central = int(central_sentences(graph, 1, cluster)[0])
    means = {name: _rounded([attributes.of_cluster(name, cluster)])[0] for name in attributes.values
             if name not in attributes.names}  # fmt: skip
    text = graph.text(central)
    return {
        "id": cluster, "size": int(graph.cluster_sizes[cluster]), "central": central, "text": text, "means": means,
        "label": shorten(oneline(text), 26), "links": np.stack(_links(graph, cluster), axis=1).tolist(),
    }  # fmt: skip


def neighbours_of(graph: ParaphraseGraph, cluster: int, most: int) -> list[int]:
    """Return the clusters that stated negatives join to one, those with most negatives first."""
    others, count = _links(graph, cluster)
    return others[np.lexsort((others, -count))][:most].tolist()


def places_around(graph: ParaphraseGraph, ids: list[int], seed: int) -> dict[int, list[float]]:
    """Return the places of clusters drawn as one node each, in pixels."""
    a, b, _ = graph.links
    joined = np.isin(a, ids) & np.isin(b, ids)
    number = {cluster: i for i, cluster in enumerate(ids)}
    ties = [(number[one], number[other]) for one, other in zip(a[joined].tolist(), b[joined].tolist(), strict=True)]
    points = 2.2 * layout(len(ids), ties, seed) * [SPACING, -SPACING]
    return {cluster: [round(x, 1), round(y, 1)] for cluster, (x, y) in zip(ids, points.tolist(), strict=True)}


def edges_of(graph: ParaphraseGraph, edges: np.ndarray) -> list[list[Any]]:
    """Return stated labels: number, ends, sign, rows.

    A row is its name; with its label where that is another, and with its sentences where they are written or ordered
    in another way.
    """
    rows = np.concatenate([edges[:0], *map(graph.rows_of, edges)])
    names, stated = dict(zip(rows.tolist(), graph.row_names(rows), strict=True)), {}
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


def facts_of(graph: ParaphraseGraph, cluster: int) -> tuple[list[list[str]], dict[str, list[str]]]:
    """Return the numbers of a cluster, each with its name; and the lines that are its bridges and its conflicts."""
    edges, size = graph.edges_at([cluster]), int(graph.cluster_sizes[cluster])
    positive, pairs = int((graph.edge_sign[edges] > 0).sum()), size * (size - 1) // 2
    conflicts = edges[graph.conflicting[edges] & (graph.edge_clusters[0, edges] == cluster)]
    lines, neighbours = {"bridges": [], "conflicts": conflicts.tolist()}, int(graph.cluster_degree[cluster])
    facts = [["sentences", f"{size:,}"]]
    if size > 1:
        facts.append(["density", f"{positive / pairs:.2f}: {positive:,} of {pairs:,} pairs stated positive"])
    if 2 < size <= 2 * MOST:
        lines["bridges"] = cluster_bridges(graph, cluster)[0].tolist()
        bridges = len(lines["bridges"])
        facts.append(["bridges", f"{bridges:,}: removing any one splits the cluster in two" if bridges else "none"])
    facts.append(["conflicts", f"{len(lines['conflicts']):,}" if lines["conflicts"] else "none"])
    facts.append(["neighbours", f"{neighbours:,} cluster{'s' * (neighbours != 1)}" if neighbours else "none"])
    return facts, {name: [f"e{edge}" for edge in edges] for name, edges in lines.items()}


def _marked(scene: Scene) -> list[Plain]:
    """Return the nodes, with the words marked that few paraphrases of a sentence contain."""
    text = {node["key"]: node["text"] for node in scene.nodes}
    near: dict[str, list[str]] = {key: [] for key in text}
    for edge in scene.edges:
        if edge["sign"] > 0:
            near[edge["from"]].append(text[edge["to"]])
            near[edge["to"]].append(text[edge["from"]])
    return [
        node | ({"spans": mark_rare(node["text"], near[node["key"]])} if near[node["key"]] else {})
        for node in scene.nodes
    ]


def _links(graph: ParaphraseGraph, cluster: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the clusters that stated negatives join to one, and how many do."""
    a, b, count = graph.links
    at = np.flatnonzero((a == cluster) | (b == cluster))
    return a[at] + b[at] - cluster, count[at]


def _sentence(number: int, text: str, node: Plain | None) -> list[Any]:
    """Return number, sentence (where it has marks as pieces, plain and marked by turns), and its label if another."""
    written: Any = text
    if node and "spans" in node:
        written = [piece for piece, _ in node["spans"]]
        written = ["", *written] if node["spans"][0][1] else written
    return [number, written, *([node["label"]] if node and node["label"] != text else [])]


def _rounded(values: Any) -> list[float | None]:
    return [round(float(value), 4) if np.isfinite(value) else None for value in values]
