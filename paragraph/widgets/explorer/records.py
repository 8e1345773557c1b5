"""Clusters as plain values, which a page draws and explains: complete, or in brief as a single node."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...draw.layout import layout
from ...draw.style import oneline, shorten
from ...graph import ParaphraseGraph
from ...graph.bridges import cluster_bridges
from ...graph.clusters import central_sentences
from ...words.shared import mark_rare, shared_and_splitting
from ..base.records import Plain, record_of
from ..base.sketch import SPACING, sketch
from .looks import Attributes

__all__ = ["brief", "neighbours_of", "places_around", "record"]

MOST = 1_000  # sentences up to which a cluster's words are compared; for its bridges, twice as many


def record(
    graph: ParaphraseGraph, attributes: Attributes, cluster: int, limit: int, seed: int, wanted: tuple[int, ...] = ()
) -> Plain:
    """Return a cluster: its sentences in order, those drawn (see `sketch`) with their places, its facts."""
    members, drawn = graph.members(cluster), sketch(graph, cluster, limit, seed, wanted)
    texts, groups = graph.texts(drawn.nodes), drawn.group.tolist()
    words = shared_and_splitting(texts, groups)
    plain = shared_and_splitting(graph.texts(members[:MOST]))
    facts, lists = facts_of(graph, cluster)
    told = brief(graph, attributes, cluster)
    del told["text"], told["size"]  # its sentences say it
    told |= record_of(graph, drawn, members, _marked(texts, drawn.ties)) | {
        "facts": facts, "lists": lists, "neighbours": int(graph.cluster_degree[cluster]), "words": words,
        "values": {name: _rounded(values[members]) for name, values in attributes.values.items()},
    }  # fmt: skip
    return told | ({"plain": plain} if plain != words else {})


def brief(graph: ParaphraseGraph, attributes: Attributes, cluster: int) -> Plain:
    """Return a closed cluster for a page: its size, name and links to others."""
    central = int(central_sentences(graph, 1, cluster)[0])
    means = {name: _rounded([attributes.of_cluster(name, cluster)])[0] for name in attributes.values
             if name not in attributes.names}  # fmt: skip
    text = graph.text(central)
    return {
        "id": cluster, "size": int(graph.cluster_sizes[cluster]), "central": central, "text": text, "means": means,
        "label": shorten(oneline(text), 26), "links": np.stack(_links(graph, cluster), axis=1).tolist(),
    }  # fmt: skip


def neighbours_of(graph: ParaphraseGraph, cluster: int, most: int) -> list[int]:
    """Return the clusters that stated negatives join to one, those with the most negatives first."""
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


def _marked(texts: list[str], ties: list[tuple[int, int]]) -> list[str | list[str]]:
    """Return sentences, in pieces if words are marked that few of their paraphrases contain."""
    near: list[list[str]] = [[] for _ in texts]
    for a, b in ties:
        near[a].append(texts[b])
        near[b].append(texts[a])
    found: list[str | list[str]] = []
    for text, others in zip(texts, near, strict=True):
        spans = mark_rare(text, others) if others else []
        found.append([""] * spans[0][1] + [piece for piece, _ in spans] if spans else text)
    return found


def _links(graph: ParaphraseGraph, cluster: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the clusters that stated negatives join to one, and the number of negatives."""
    a, b, count = graph.links
    at = np.flatnonzero((a == cluster) | (b == cluster))
    return a[at] + b[at] - cluster, count[at]


def _rounded(values: Any) -> list[float | None]:
    return [round(float(value), 4) if np.isfinite(value) else None for value in values]
