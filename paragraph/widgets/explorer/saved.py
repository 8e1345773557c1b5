"""The Explorer as a page without Python: the most important clusters, as plain values for a kernel in JavaScript."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.closure import Batch
from ..base.doubted import thousandths
from ..base.records import DRAWN, Plain, edges_of
from ..pages.living import LIMIT, as_json, page_of
from .records import record

__all__ = ["KERNEL", "clusters_that_matter", "contents", "page"]

HERE = Path(__file__).parent
FILES = ("drawn", "apart", "picture", "bins", "query", "like", "pagelog", "keeper", "dress", "decisions", "clusters")
KERNEL = (
    *(HERE.parent / "base" / f"{name}.js" for name in ("held", "layout", "scene", "reasons")),
    *(HERE / f"{name}.js" for name in FILES),
)
MARGIN = 20_000  # bytes of a page besides its scripts and its clusters, at most
#: The approximate bytes of a cluster, of a stated label, and of a sentence without its text.
PER_CLUSTER, PER_EDGE, PER_SENTENCE = 450, 30, 80
PER_PAIR = 3  # bytes of the probability of a label that follows


def page(explorer: Any, told: Callable[[float], None] = lambda share: None) -> str:
    """Return an Explorer as a page of at most 3 MB that works without Python and opens at the current screen.

    `told` hears which share of it is done.
    """
    title = repr(explorer.graph).strip("<>").removeprefix("ParaphraseGraph: ")
    note, traits, data = contents(explorer, told)
    return page_of(f"Clusters of {title}", note, explorer, KERNEL, traits, data)


def contents(explorer: Any, told: Callable[[float], None] = lambda share: None) -> tuple[str, Plain, Plain]:
    """Return a page's content for an Explorer: a note on what is left out, then its traits and its data."""
    from tqdm.auto import tqdm

    frame = len(page_of("", "", explorer, KERNEL, {}, {}).encode()) + MARGIN
    graph, screen, room = explorer.graph, explorer.screen, LIMIT - frame
    pairs = PER_PAIR * (explorer._friends is not None)
    kept = clusters_that_matter(graph, room, screen["cluster"], DRAWN, pairs).tolist()
    if graph.n and not kept:
        raise PairsError(
            f"each cluster alone needs more than half of a page of {LIMIT:,} bytes: save a part of the pairs"
        )
    among = set(kept)
    edges = graph.edges_at(kept)
    edges = edges[np.isin(graph.edge_clusters[:, edges], kept).all(axis=0)]
    written = dict(zip(edges.tolist(), edges_of(graph, edges), strict=True))
    made = {}
    for c in tqdm(kept, "page", unit=" clusters", delay=2, leave=False):
        made[c] = record(graph, explorer._attributes, c)
        made[c]["links"] = [link for link in made[c]["links"] if link[0] in among]
        if len(made) % 100 == 0:
            told(len(made) / len(kept))
    friends, doubted, right = explorer._friends, explorer._attributes.doubted, np.zeros(len(graph.edge_sign), int)
    if friends is not None:
        sure, right[edges] = _probabilities(explorer, made), thousandths(friends.reader.of_edges(edges))
    while True:
        ids = sorted(made)
        edges = edges[np.isin(graph.edge_clusters[:, edges], ids).all(axis=0)]
        columns = {name: column[ids].tolist() for name, column in explorer._list.counts.items()}
        data = {"records": list(made.values()), "edges": [written[edge] for edge in edges.tolist()]}
        data["columns"] = columns | {"ids": ids, "count": len(ids)}
        if doubted is not None:
            data["wrong"] = doubted.wrong[edges].tolist()
        if friends is not None:
            data["sure"] = {" ".join(map(str, of)): told for of, told in sure.items() if {*of} <= made.keys()}
            data["steps"] = right[edges].tolist()
        if (size := len(as_json(data).encode())) <= room:
            break
        for c in list(made)[int(len(made) * 0.98 * room / size) :]:
            del made[c]
    cluster = screen["cluster"] if screen["cluster"] in made else min(made, default=None)
    opened = [cluster] if cluster is not None and screen["view"] == "cluster" else []
    data |= {name: value for name, value in explorer.data.items() if name != "columns"} | {"isPage": True}
    data["nobody"] = "Type your name first: the decisions are yours."
    data["id"] = hashlib.sha256(as_json(data).encode()).hexdigest()[:12]  # of what is decided on it
    traits = {name: getattr(explorer, name) for name in (
        "shortcuts", "name", "height", "layers", "placed", "looks")}  # fmt: skip
    traits |= {
        "screen": {"cluster": cluster, "view": screen["view"], "opened": opened, "wanted": []}, "selected": [],
        "asked": explorer.asked | {"only": None}, "controls": [], "ack": 0, "desk": {}, "decided": {},
    }  # fmt: skip
    return _note(graph, made), traits, data


def clusters_that_matter(
    graph: ParaphraseGraph, room: int, first: int | None = None, limit: int = 0, per_pair: int = 0
) -> np.ndarray:
    """Return the clusters for which a page has room, in bytes: one, then those with conflicts, then the largest.

    Each pair of the `limit` drawn sentences of a cluster takes `per_pair` bytes.

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
    """Describe the origin of the page, and what is left out."""
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
        f"Left out: {len(left) - single:,} clusters and {single:,} single sentences."
    )


def _probabilities(explorer: Any, made: dict[int, Plain]) -> dict[tuple[int, ...], str]:
    """Return the probabilities of inferred labels: those of one cluster, or of two that a negative joins.

    Three digits for each pair of the drawn sentences, row by row; 000 for a stated pair.
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
