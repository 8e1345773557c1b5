"""What is said of a cluster before anything in it is clicked, and of a closed one that was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...graph.bridges import fragile
from ...graph.central import central_sentences
from ...words.shared import shared_and_splitting
from ..bench.why import NOTHING, listed

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph
    from ..bench.scene import Scene

__all__ = ["story", "why_cluster"]

MOST = 1_000  # sentences up to which a cluster's words are compared; for its bridges, twice as many


def story(graph: ParaphraseGraph, cluster: int | None, scene: Scene) -> dict[str, Any]:
    """The open cluster: its numbers, its most central sentence, what its sentences share and what splits them."""
    if cluster is None:
        return dict(NOTHING)
    mine = [node for node in scene.nodes if node.get("home") == cluster]
    texts = [node["text"] for node in mine] or graph.texts(graph.members(cluster)[:MOST])
    sizes = np.bincount([node["group"] for node in mine]) if mine else []
    facts = _facts(graph, cluster)
    if len(sizes) > 1:
        facts.insert(2, ["parts", f"{len(sizes)}: " + " + ".join(map(str, sizes)) + " sentences"])
    shared, splitting = shared_and_splitting(texts, [node["group"] for node in mine] or None)
    [node] = central_sentences(graph, 1, cluster).tolist()
    several = int(graph.cluster_sizes[cluster]) > 1
    centre = {"title": "Most central sentence", "key": f"n{node}", "text": graph.text(node)}
    return {
        "title": f"Cluster {cluster}",
        "facts": facts,
        "central": centre if several else None,
        "words": [
            {"title": "Words that most sentences share", "words": shared if several else []},
            {"title": "Words that split them", "words": splitting},
        ],
        "note": NOTHING["text"],
    }


def why_cluster(graph: ParaphraseGraph, cluster: int) -> dict[str, Any]:
    """A closed cluster: its numbers and its sentences."""
    members = graph.members(cluster)
    return {
        "title": f"Cluster {cluster}",
        "facts": _facts(graph, cluster),
        "actions": [{"text": "Open this cluster", "intent": "open", "content": {"cluster": cluster}}],
        "pairs_title": "Its sentences",
        **listed(graph, members),
    }


def _facts(graph: ParaphraseGraph, cluster: int) -> list[list[str]]:
    inside = graph.edge_clusters[0] == cluster
    size = int(graph.cluster_sizes[cluster])
    positive, pairs = int((inside & (graph.edge_sign > 0)).sum()), size * (size - 1) // 2
    conflicts = int((inside & graph.conflicting).sum())
    neighbours = int(((graph.links.a == cluster) | (graph.links.b == cluster)).sum())
    facts = [["sentences", f"{size:,}"]]
    if size > 1:
        facts.append(["density", f"{positive / pairs:.2f}: {positive:,} of {pairs:,} pairs stated positive"])
    if 2 < size <= 2 * MOST:
        bridges = len(fragile(graph, cluster).edges)
        facts.append(["bridges", f"{bridges:,}: without any one of them it falls in two" if bridges else "none"])
    facts.append(["conflicts", f"{conflicts:,}" if conflicts else "none"])
    facts.append(["neighbours", f"{neighbours:,} cluster{'s' * (neighbours != 1)}" if neighbours else "none"])
    return facts
