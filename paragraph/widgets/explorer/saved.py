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
from ..base.records import Plain, edges_of
from ..base.widget import LAYERS
from ..pages.living import LIMIT, as_json, page_of
from .records import record

__all__ = ["KERNEL", "clusters_that_matter", "contents", "page"]

HERE = Path(__file__).parent
FILES = ("apart", "picture", "bins", "query", "like", "pagelog", "keeper", "dress", "decisions", "screen", "choice",
         "moves", "browse", "clusters")  # fmt: skip
KERNEL = (
    *(HERE.parent / "base" / f"{name}.js" for name in ("held", "layout", "scene", "reasons")),
    *(HERE / f"{name}.js" for name in FILES),
)
MARGIN = 20_000  # bytes of a page besides its scripts and its clusters, at most
#: The approximate bytes of a cluster, of a stated label, and of a sentence without its text.
PER_CLUSTER = 450
PER_EDGE = 30
PER_SENTENCE = 80


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

    graph = explorer.graph
    screen = explorer.screen
    doubted = explorer._doubted
    room = LIMIT - len(page_of("", "", explorer, KERNEL, {}, {}).encode()) - MARGIN
    ids = clusters_that_matter(graph, room, screen["cluster"]).tolist()
    if graph.n and not ids:
        raise PairsError(
            f"each cluster alone needs more than half of a page of {LIMIT:,} bytes: save a part of the pairs"
        )
    made: dict[int, Plain] = {}
    for c in tqdm(ids, "page", unit=" clusters", delay=2, leave=False):
        made[c] = record(graph, c, columns=explorer._columns)
        if len(made) % 100 == 0:
            told(len(made) / len(ids))
    while True:
        ids = sorted(made)
        edges = graph.edges_at(ids)
        edges = edges[np.isin(graph.edge_clusters[:, edges], ids).all(axis=0)]
        columns = {name: column[ids].tolist() for name, column in explorer._list.counts.items()}
        for one in made.values():
            one["links"] = [link for link in one["links"] if link[0] in made]
        data = {
            "records": list(made.values()), "edges": edges_of(graph, edges),
            "wrong": [] if doubted is None else doubted.wrong[edges].tolist(),
            "columns": columns | {"ids": ids, "count": len(ids)},
        }  # fmt: skip
        if (size := len(as_json(data).encode())) <= room:
            break
        for c in list(made)[int(len(made) * 0.98 * room / size) :]:
            del made[c]
    cluster = screen["cluster"] if screen["cluster"] in made else min(made, default=None)
    first = explorer._at(cluster, screen["view"]) | {"view": screen["view"]}
    chosen = []
    if made.keys() >= {cluster, *screen["opened"]}:
        first = screen
        chosen = [key for key in explorer.selected if key[0] == "n"]
    data = explorer.data | data | {
        "isPage": True, "isTrusted": False, "nobody": "Type your name first: the decisions are yours.",
    }  # fmt: skip
    data["id"] = hashlib.sha256(as_json(data).encode()).hexdigest()[:12]  # of what is decided on it
    traits = {name: getattr(explorer, name) for name in ("shortcuts", "name", "height", "placed", "look")}
    traits |= {
        "layers": {name: explorer.layers[name] for name in LAYERS},  # Python alone knows what to trust
        "screen": first, "selected": chosen,
        "query": explorer.query | {"only": None}, "controls": [], "ack": 0, "desk": {}, "decided": {},
    }  # fmt: skip
    return _note(graph, made), traits, data


def clusters_that_matter(graph: ParaphraseGraph, room: int, first: int | None = None) -> np.ndarray:
    """Return the clusters for which a page has room, in bytes: one, then those with conflicts, then the largest.

    >>> import paragraph as pg
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> clusters_that_matter(graph, room=9_000, first=200).tolist()
    [200, 0, 1]
    """
    k = len(graph.cluster_sizes)
    home = graph.edge_clusters[0]
    conflicting = np.bincount(home[graph.conflicting], minlength=k) > 0
    order = np.lexsort((~conflicting, np.arange(k) != first))  # ids go by size
    letters = pc.binary_length(graph.sentences).to_numpy()
    cost = np.bincount(graph.cluster_of, letters + PER_SENTENCE, k) + PER_EDGE * np.bincount(home, minlength=k)
    order = order[cost[order] <= room / 2]  # one giant would leave no room for others
    return order[np.cumsum(cost[order] + PER_CLUSTER) <= room]


def _note(graph: ParaphraseGraph, made: dict[int, Any]) -> str:
    """Describe the origin of the page, and what is left out."""
    source = f"From {Path(str(graph.report['source'])).name}. " if graph.report.get("source") else ""
    sizes = graph.cluster_sizes
    if len(made) == len(sizes):
        return f"{source}Contains all clusters and single sentences."
    clusters = np.count_nonzero(sizes > 1)
    held = np.count_nonzero(sizes[list(made)] > 1)
    return (
        f"{source}Contains {held:,} of {clusters:,} clusters and {len(made) - held:,} of {len(sizes) - clusters:,} "
        "single sentences: those with conflicts, then the largest."
    )
