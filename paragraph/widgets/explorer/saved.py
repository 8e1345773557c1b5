"""The Explorer as a page without Python: the clusters that matter, as plain values for a kernel in JavaScript."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from ...draw.text import oneline, shorten
from ...graph import ParaphraseGraph
from ...graph.closure import Batch
from ...graph.clusters import central_sentences
from ...learn.logistic import one_blas_thread
from ...pairs import PairsError
from ...words.shared import shared_and_splitting
from ..base.scene import make_scene
from ..base.why import Plain, thousandths
from ..pages.living import LIMIT, as_json, page_of
from .shown import HELP, MOST, facts_of, roster

__all__ = ["clusters_that_matter", "page"]

KERNEL = tuple(
    Path(__file__).parents[1] / "pages" / f"{name}.js"
    for name in ("held", "words", "scene", "picture", "reasons", "query", "dress", "clusters")
)
FRAME = 200_000  # bytes of a page without its clusters, at most
#: Bytes, about, of a cluster, of a stated label, and of a sentence without its text.
PER_CLUSTER, PER_EDGE, PER_SENTENCE = 450, 30, 80
PER_PAIR = 3  # bytes of the probability of a label that follows


def page(explorer: Any) -> str:
    """Return an Explorer as a page of at most 3 MB that works without Python and opens at what is on screen.

    For each cluster it shows as many neighbours as the Explorer does now.
    """
    from tqdm.auto import tqdm

    graph, screen, attributes, room = explorer.graph, explorer._screen, explorer._attributes, LIMIT - FRAME
    pairs = PER_PAIR * (explorer._friends is not None)
    kept = clusters_that_matter(graph, room, screen.cluster, explorer.limit, pairs).tolist()
    if graph.n and not kept:
        raise PairsError(
            f"each cluster alone needs more than half of a page of {LIMIT:,} bytes: save a part of the pairs"
        )
    edges = _edges(graph, kept)
    with one_blas_thread():
        made = {c: _record(explorer, c, kept) for c in tqdm(kept, "page", unit=" clusters", delay=2, leave=False)}
    sure, steps = {}, {}
    if explorer._friends is not None:
        sure = _probabilities(explorer, made)
        numbers = np.array([edge[0] for edge in edges], dtype=np.int64)
        right = thousandths(explorer._friends.reader.of_edges(numbers))
        steps = dict(zip(numbers.tolist(), right.tolist(), strict=True))
    while True:
        edges = [edge for edge in edges if {*graph.cluster_of[edge[1:3]].tolist()} <= made.keys()]
        data = {"clusters": list(made.values()), "edges": edges}
        if explorer._friends is not None:
            data["sure"] = {" ".join(map(str, of)): told for of, told in sure.items() if {*of} <= made.keys()}
            data["steps"] = [steps[edge[0]] for edge in edges]
        if (size := len(as_json(data).encode())) <= room:
            break
        for c in list(made)[int(len(made) * 0.98 * room / size) :]:
            del made[c]
    cluster = screen.cluster if screen.cluster in made else min(made, default=None)
    opened = [cluster] if cluster is not None and screen.view == "cluster" else []
    data |= {
        "bipartite": graph.bipartite, "hops": explorer.distance == "hops", "table": graph.pairs is not None,
        "colors": attributes.colors,
        "attributes": {name: attributes.scale(name) for name in attributes.values},
        "start": vars(explorer._start), "query": vars(explorer.query.with_(only=None)), "look": vars(explorer.look),
        "screen": {"cluster": cluster, "view": screen.view, "opened": opened},
    }  # fmt: skip
    traits = {"shortcuts": HELP, "name": explorer.name, "height": explorer.height, "layers": explorer.layers,
              "placed": explorer.placed, "controls": [], "ack": 0}  # fmt: skip
    title = repr(graph).strip("<>").removeprefix("ParaphraseGraph: ")
    return page_of(f"Clusters of {title}", _note(graph, made), explorer, KERNEL, traits, data)


def clusters_that_matter(
    graph: ParaphraseGraph, room: int, first: int | None = None, limit: int = 0, per_pair: int = 0
) -> np.ndarray:
    """Return the clusters for which a page has room, in bytes: one, then those with conflicts, then the largest.

    Each pair of the `limit` sentences drawn of a cluster takes `per_pair` bytes.

    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> clusters_that_matter(graph, room=9_000, first=200).tolist()
    [200, 0, 1]
    """
    k, home = len(graph.cluster_sizes), graph.edge_clusters[0]
    conflicting = np.bincount(home[graph.conflicting], minlength=k) > 0
    order = np.lexsort((~conflicting, np.arange(k) != first))  # ids go by size
    letters = pc.binary_length(graph.sentences).to_numpy()
    cost = np.bincount(graph.cluster_of, letters + PER_SENTENCE, k) + PER_EDGE * np.bincount(home, minlength=k)
    drawn = np.minimum(graph.cluster_sizes, limit).astype(np.int64)
    cost += per_pair * (drawn * (drawn - 1) // 2)
    order = order[cost[order] <= room / 2]  # one giant would leave no room for others
    return order[np.cumsum(cost[order] + PER_CLUSTER) <= room]


def _note(graph: ParaphraseGraph, made: dict[int, Any]) -> str:
    """Say where the page comes from, and what is left out."""
    source = f"From {Path(str(graph.report['source'])).name}. " if graph.report.get("source") else ""
    left = np.setdiff1d(np.arange(len(graph.cluster_sizes)), list(made))
    single = int((graph.cluster_sizes[left if len(left) else list(made)] == 1).sum())
    if not len(left):
        singles = f"{single:,} single sentence{'s' * (single != 1)}" if single else "no single sentences"
        return (
            f"{source}Contains all clusters, and {singles}."
            if single
            else f"{source}Contains all clusters; {singles}."
        )
    return (
        f"{source}Contains {len(made):,} of {len(made) + len(left):,} clusters: those with conflicts, then the "
        f"largest. "
        f"Left out: {len(left) - single:,} clusters of two or more and {single:,} single sentences."
    )


def _record(explorer: Any, cluster: int, kept: Container[int]) -> Plain:
    """Return a cluster as plain values: its sentences in order, those drawn with their places, its facts."""
    graph, of, listed = explorer.graph, explorer._attributes, explorer._list
    members = graph.members(cluster)
    scene = make_scene(graph, (cluster,), (), explorer.limit, explorer.seed, neighbours=0)
    near = make_scene(graph, (), (cluster,), seed=explorer.seed, neighbours=explorer.look.neighbours).nodes
    nodes, texts = roster(scene), graph.texts(members)
    groups = [node["group"] for node in nodes]
    drawn = {int(node["key"][1:]): node for node in nodes}
    words = shared_and_splitting([node["text"] for node in nodes], groups)
    plain = shared_and_splitting(texts[:MOST])
    facts, lists = facts_of(graph, cluster)
    central = int(central_sentences(graph, 1, cluster)[0])
    counts = (listed.within, *(listed.columns[name] for name in ("conflicts", "negatives", "density")))
    record = {
        "id": cluster, "facts": facts, "lists": lists, "central": central,
        "nodes": [_sentence(n, text, drawn.get(n)) for n, text in zip(members.tolist(), texts, strict=True)],
        "drawn": graph.place_in_cluster[scene.sentences].tolist(),
        "label": shorten(oneline(graph.text(central)), 26),
        "x": [node["x"] for node in nodes], "y": [node["y"] for node in nodes], "words": words,
        "counts": [column[cluster].item() for column in counts],
        "neighbours": int(graph.cluster_degree[cluster]),
        "around": {node["cluster"]: [node["x"], node["y"]] for node in near if node["cluster"] in kept},
        "values": {name: _rounded(values[members]) for name, values in of.values.items()},
        "means": {name: _rounded([of.of_cluster(name, cluster)])[0] for name in of.values if name not in of.names},
    }  # fmt: skip
    more = {"group": groups if any(groups) else None, "plain": plain if plain != words else None, "note": scene.note}
    return record | {name: value for name, value in more.items() if value}


def _probabilities(explorer: Any, made: dict[int, Plain]) -> dict[tuple[int, ...], str]:
    """Return the probabilities of inferred labels: those of one cluster, or of two that a negative joins.

    Three digits for each pair of the sentences drawn, row by row; 000 for a stated pair.
    """
    graph, ends, found = explorer.graph, {}, {}
    drawn = {c: graph.members(c)[record["drawn"]] for c, record in made.items()}
    for c, nodes in drawn.items():
        ends[c,] = nodes[np.array(np.triu_indices(len(nodes), 1))]
    for c, other in np.sort(np.stack(graph.links[:2], axis=1), axis=1).tolist():
        if c in drawn and other in drawn:
            ends[c, other] = np.array(np.meshgrid(drawn[c], drawn[other], indexing="ij")).reshape(2, -1)
    if not ends:
        return {}
    a, b = np.concatenate(list(ends.values()), axis=1)
    label = np.repeat([int(len(of) == 1) for of in ends], [pairs.shape[1] for pairs in ends.values()])
    right, follows = np.zeros(len(a), dtype=np.int64), graph.edge_index.places(a, b) < 0
    right[follows] = thousandths(explorer._friends.reader(Batch(a, b, label, None).where(follows)))
    digits, at = "".join(f"{one:03}" for one in right.tolist()), 0
    for of, pairs in ends.items():
        found[of], at = digits[at : at + 3 * pairs.shape[1]], at + 3 * pairs.shape[1]
    return found


def _sentence(number: int, text: str, node: Plain | None) -> list[Any]:
    """Return number, sentence (where it has marks as pieces, plain and marked by turns), and its label if another."""
    written: Any = text
    if node and "spans" in node:
        written = [piece for piece, _ in node["spans"]]
        written = ["", *written] if node["spans"][0][1] else written
    return [number, written, *([node["label"]] if node and node["label"] != text else [])]


def _edges(graph: ParaphraseGraph, kept: list[int]) -> list[list[Any]]:
    """Return the stated labels between the clusters kept: number, ends, sign, rows.

    A row is its name; with its label where that is another, and with its sentences where they are written or ordered
    in another way.
    """
    edges = graph.edges_at(kept)
    edges = edges[np.isin(graph.edge_clusters[:, edges], kept).all(axis=0)]
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


def _rounded(values: Any) -> list[float | None]:
    return [round(float(value), 4) if np.isfinite(value) else None for value in values]
