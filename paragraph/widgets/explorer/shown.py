"""Values for the browser: the picture of what is on screen, and the text on a cluster before anything is clicked."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...graph import ParaphraseGraph
from ...graph.bridges import cluster_bridges
from ...graph.closure import Batch
from ...graph.clusters import central_sentences
from ...repairs.trust import Trusted
from ...words.shared import mark_rare, shared_and_splitting
from ..base.keys import help_of
from ..base.scene import Scene, inferred_labels
from ..base.why import NOTHING, Plain, listed, thousandths, why_pair, why_sentence
from ..base.widget import LAYERS
from .browse import Place

__all__ = ["HELP", "MOST", "facts_of", "layers_of", "picture_of", "roster", "why_of"]

HELP = help_of(
    {
        "step": None, "page": None, "search": "search sentences", "go on": "open the first cluster of the list",
        "view": None, "zoom": None, "number": "the layers on and off, from left to right",
        "back": "back: help, search, selection", "help": None,
    },
    {
        "Click": "a sentence or a line, to ask why",
        "Double click": "a neighbouring cluster, to see its sentences; again, to close it",
        "Ctrl or Shift click": "one more sentence",
        "Shift and drag": "choose a region",
        "Drag": "a sentence, to arrange; the ground, to move the picture",
        "Ctrl and the wheel": "zoom",
    },
    "cluster", "clusters",
)  # fmt: skip

PARTS = 5  # of a cluster, named at most
MOST = 1_000  # sentences up to which a cluster's words are compared; for its bridges, twice as many


def roster(scene: Scene) -> list[Plain]:
    """Return the nodes as a numbered list, with the words marked that few paraphrases of a sentence contain."""
    text = {node["key"]: node["text"] for node in scene.nodes}
    near: dict[str, list[str]] = {key: [] for key in text}
    for edge in scene.edges:
        if edge["sign"] > 0:
            near[edge["from"]].append(text[edge["to"]])
            near[edge["to"]].append(text[edge["from"]])
    return [
        node | {"number": i} | ({"spans": mark_rare(node["text"], near[node["key"]])} if near[node["key"]] else {})
        for i, node in enumerate(scene.nodes, 1)
    ]


def _title(graph: ParaphraseGraph, screen: Place, scene: Scene) -> str:
    """Return the title of the picture."""
    cluster = screen.cluster
    if cluster is None:
        return "The graph has no sentences."
    size = int(graph.cluster_sizes[cluster])
    around = len(scene.closed) - (cluster in scene.closed)
    neighbours = f"{around} neighbouring cluster{'s' * (around != 1)}"
    if screen.view == "clusters":
        return f"Cluster of clusters: cluster {cluster} of {size:,}, " + (neighbours if around else "alone")
    name = f"Cluster {cluster}: {size:,} sentence{'s' * (size != 1)}"
    return f"{name}, {neighbours}" if around else name


def layers_of(friends: Trusted | None) -> Plain:
    """The layers as they are at first; `sure` is the least probability with which inferred labels are drawn."""
    return LAYERS if friends is None else LAYERS | {"sure": getattr(friends.keep, "level", 0.0)}


def picture_of(
    graph: ParaphraseGraph,
    screen: Place,
    scene: Scene,
    layers: Plain,
    distance: str,
    friends: Trusted | None = None,
) -> Plain:
    """Return the trait `picture`: nodes, stated labels, inferred ones of the layers on, title and note.

    Of inferred labels it holds ends, sign and distance; with `friends` how probably each is right, in thousandths.
    """
    inferred, farthest, notes = [], 1, [scene.note] if scene.note else []
    wanted = [sign for name, sign in (("inferred_positive", 1), ("inferred_negative", -1)) if layers[name]]
    for sign in wanted:
        labels, total = inferred_labels(graph, scene, sign, distance)
        if len(labels) < total:
            notes.append(f"{len(labels):,} of {total:,} inferred labels are drawn: the nearest.")
        farthest = max(farthest, int(labels[:, 2].max(initial=1)))
        if friends is not None:
            a, b = labels[:, :2].T
            right = thousandths(friends.reader(Batch(a, b, np.full(len(a), int(sign > 0)), None)))
            labels = np.column_stack([labels, right])
        inferred += [(f"n{a}", f"n{b}", sign, *rest) for a, b, *rest in labels.tolist()]
    if graph.bipartite and wanted:
        notes.append("The two sides of these pairs are different things: nothing can be inferred.")
    elif -1 in wanted and len(screen.opened) < 2:
        notes.append("Inferred negatives join open clusters: double click a neighbour to open it.")
    return {
        "view": screen.view, "title": _title(graph, screen, scene), "note": " ".join(notes),
        "nodes": scene.nodes, "edges": scene.edges, "inferred": inferred, "farthest": farthest, "listed": True,
    }  # fmt: skip


def why_of(
    graph: ParaphraseGraph, cluster: int | None, scene: Scene, keys: list[str], friends: Trusted | None = None
) -> Plain:
    """Return what explains nodes chosen: a sentence, two of them, a closed cluster; where none is, the open one."""
    pair = partial(why_pair, friends=friends)
    explain = {"n": why_sentence, "c": why_cluster, "nn": pair}.get("".join(key[0] for key in keys))
    if explain:
        return explain(graph, *(int(key[1:]) for key in keys))
    return NOTHING if keys or cluster is None else story(graph, cluster, scene)


def story(graph: ParaphraseGraph, cluster: int, scene: Scene) -> Plain:
    """Return the open cluster: its numbers, its central sentence, what its sentences share and what splits them."""
    mine = [node for node in scene.nodes if node.get("home") == cluster]
    texts, groups = [node["text"] for node in mine], [node["group"] for node in mine]
    (facts, lists), sizes = facts_of(graph, cluster), np.bincount(groups) if mine else []
    if len(sizes) > 1:
        told = " + ".join(map(str, sizes[:PARTS])) + " + …" * (len(sizes) > PARTS)
        facts.insert(2, ["parts", f"{len(sizes)}: {told} sentences"])
    shared, splitting = shared_and_splitting(texts or graph.texts(graph.members(cluster)[:MOST]), groups or None)
    [node] = central_sentences(graph, 1, cluster).tolist()
    several = graph.cluster_sizes[cluster] > 1
    centre = {"title": "Most central sentence", "key": f"n{node}", "text": graph.text(node)}
    return {
        "title": f"Cluster {cluster}",
        "facts": facts,
        "lists": lists,
        "central": centre if several else None,
        "words": [
            {"title": "Words that most sentences share", "words": shared if several else []},
            {"title": "Words that split them", "words": splitting},
        ],
        "note": NOTHING["text"],
    }


def why_cluster(graph: ParaphraseGraph, cluster: int) -> Plain:
    """Return a closed cluster: its numbers and its sentences."""
    return {
        "title": f"Cluster {cluster}",
        "facts": facts_of(graph, cluster)[0],
        "actions": [{"text": "Open this cluster", "intent": "open", "content": {"cluster": cluster}}],
        "pairs_title": "Its sentences",
        **listed(graph, graph.members(cluster)),
    }


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
