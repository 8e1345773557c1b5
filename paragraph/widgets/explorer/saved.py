"""The Explorer as a page without Python: the most important clusters, as plain values for a kernel in JavaScript."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from ...files import PairsError
from ...graph import ParaphraseGraph
from ..base.records import Plain, edges_of, record
from ..pages.living import LIMIT, as_json, page_of

__all__ = ["KERNEL", "contents", "page"]

HERE = Path(__file__).parent
BASE = ("signed", "layout", "scene", "reasons")
FILES = ("picture", "query", "pagelog", "keeper", "decisions", "screen", "choice", "moves", "browse",
         "clusters")  # fmt: skip
KERNEL = (
    *(HERE.parent / "base" / f"{name}.js" for name in BASE),
    *(HERE / f"{name}.js" for name in FILES),
)
MARGIN = 20_000  # bytes of a page besides its scripts and its clusters, at most
COLUMNS = 60  # bytes of a cluster in the list, at most


def page(explorer: Any) -> str:
    """Return an Explorer as a page of at most 3 MB that works without Python and opens at the current screen."""
    title = repr(explorer.graph).strip("<>").removeprefix("ParaphraseGraph: ")
    note, traits, data = contents(explorer)
    return page_of(f"Clusters of {title}", note, explorer, KERNEL, traits, data)


def contents(explorer: Any) -> tuple[str, Plain, Plain]:
    """Return a page's content for an Explorer: a note on what is left out, then its traits and its data."""
    graph = explorer.graph
    screen = explorer.screen
    records, edges = _that_fit(explorer)
    ids = sorted(records)
    columns = {name: column[ids].tolist() for name, column in explorer._list.counts.items()}
    for one in records.values():
        one["links"] = [link for link in one["links"] if link[0] in records]
    edges = edges[np.isin(graph.edge_clusters[:, edges], ids).all(axis=0)]
    data = explorer.data | {
        "edges": edges_of(graph, edges),
        "records": list(records.values()),
        "columns": columns | {"ids": ids, "count": len(ids)},
        "isPage": True,
        "nobody": "Type your name first: the decisions are yours.",
    }
    data["id"] = hashlib.sha256(as_json(data).encode()).hexdigest()[:12]  # of what is decided on it
    selected = [key for key in explorer.selected if key[0] == "n"]
    if not records.keys() >= {screen["cluster"], *screen["opened"]}:
        cluster = screen["cluster"]
        if cluster not in records:
            cluster = min(records, default=None)
        screen = explorer._at(cluster, screen["view"])
        selected = []
    own = ("shortcuts", "name", "height", "placed", "layers")
    traits = {name: getattr(explorer, name) for name in own}
    traits |= {
        "screen": screen,
        "selected": selected,
        "query": explorer.query | {"only": None},
        "controls": [],
        "ack": 0,
        "desk": {},
        "decided": {},
    }
    return _note(graph, ids), traits, data


def _that_fit(explorer: Any) -> tuple[dict[int, Plain], np.ndarray]:
    """Return the records of the clusters for which a page has room, and the stated labels at them.

    The open cluster comes first, then those with conflicts, then the largest. One that would take more than half of
    the room is left out.
    """
    from tqdm.auto import tqdm

    graph = explorer.graph
    k = len(graph.cluster_sizes)
    room = LIMIT - len(page_of("", "", explorer, KERNEL, {}, {}).encode()) - MARGIN
    torn = graph.edge_clusters[0, graph.conflicting]
    has_conflict = np.bincount(torn, minlength=k) > 0
    order = np.lexsort((~has_conflict, np.arange(k) != explorer.cluster))  # ids go by size
    records: dict[int, Plain] = {}
    edges = []
    with tqdm(total=room, desc="page", unit="B", unit_scale=True, delay=2, leave=False) as bar:
        for cluster in order.tolist():
            one = record(graph, cluster)
            own = graph.edges_at([cluster])
            size = len(as_json([one, edges_of(graph, own)]).encode()) + COLUMNS
            if size > room / 2:  # one giant would leave no room for others
                continue
            if bar.n + size > room:
                break
            bar.update(size)
            records[cluster] = one
            edges.append(own)
    if graph.n and not records:
        raise PairsError(
            f"each cluster alone needs more than half of a page of {LIMIT:,} bytes: save a part of the pairs"
        )
    return records, np.unique(np.concatenate([*edges, np.empty(0, np.int64)]))


def _note(graph: ParaphraseGraph, saved: list[int]) -> str:
    """Describe the origin of the page, and what is left out."""
    note = ""
    if graph.report.get("source"):
        note = f"From {Path(str(graph.report['source'])).name}. "
    is_cluster = graph.cluster_sizes > 1
    if len(saved) == len(is_cluster):
        return f"{note}Contains all clusters and single sentences."
    clusters = np.count_nonzero(is_cluster)
    held = np.count_nonzero(is_cluster[saved])
    return (
        f"{note}Contains {held:,} of {clusters:,} clusters and {len(saved) - held:,} of "
        f"{len(is_cluster) - clusters:,} single sentences: those with conflicts, then the largest."
    )
