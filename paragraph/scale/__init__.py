"""Pairs that need not fit into memory: opened once, coded by an engine, then used like any graph."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.names import paths_of
from ..files.outputs import lock, name_full_disk
from ..files.spelling import option
from ..graph.bridges import bridge_table
from ..graph.closure import summary_with_inferred
from ..graph.core import ParaphraseGraph
from ..pairs.read import ReadWarning
from ..pairs.remembered import completed
from .coded import CODED, CodedGraph, extract, open_store, seal
from .files import PairFiles, row_names

__all__ = ["ENGINES", "PairStore", "open_pairs"]

ENGINES = ("auto", "memory", "duckdb", "spark")
#: Gigabytes that memory takes (measured by ``python -m benchmarks scale``): at least, for a million pairs, and for a
#: gigabyte of their texts.
COSTS = (0.3, 0.1, 3)


class PairStore(NamedTuple):
    """Pairs as opened by `open_pairs`; `graph` serves for everything else, as in ``pg.conflicts(store.graph)``."""

    graph: ParaphraseGraph
    engine: str  #: what coded the pairs
    plan: str  #: the choice of the engine in words

    def __repr__(self) -> str:
        return f"<PairStore ({self.engine}) of {self.graph!r}>"

    def counts(self) -> dict[str, int]:
        """Count rows, sentences, stated pairs, clusters, conflicts, and the labels that follow by each rule."""
        summary = summary_with_inferred(self.graph)
        return {name: int(value) for name, value in summary.items()}

    def cluster(self, cluster: int) -> ParaphraseGraph:
        """One cluster, with its stated pairs, as a graph of its own, which any widget shows."""
        return extract(self.graph, self.graph.members(cluster))

    def bridges(self, cluster: int = 0, n: int | None = 40) -> pd.DataFrame:
        """List the pairs that alone hold a cluster together, the most even split first: see `bridge_table`."""
        return bridge_table(self.graph, cluster, n)

    def around(self, a: str, b: str, n: int = 60) -> ParaphraseGraph:
        """The `n` sentences nearest to two, by positive pairs, as their own graph: a bridge and its surroundings."""
        ends = [self.graph.node(a), self.graph.node(b)]
        return extract(self.graph, nearest(self.graph, ends, n))


def open_pairs(
    source: str | PathLike | Iterable[str | PathLike],
    engine: str = "auto",
    memory: str | int = "8GB",
    folder: str | PathLike | None = None,
    *,
    progress: bool = True,
    **options: Any,
) -> PairStore:
    """Open files of labelled pairs, whatever their size, as a store that answers the questions of a graph.

    Parameters
    ----------
    source : str, Path or list of them
        A file, a pattern such as ``"pairs/*.parquet"`` (files in order of name), or a list of files in order. Parquet
        with two columns of texts, or of ids (also whole numbers), and a label or a score; or any source of
        `read_pairs` that fits.
    engine : {"auto", "memory", "duckdb", "spark"}
        Hold all texts, or code them out of core and leave them on disk (needs the extra ``scale``), or do so in Spark
        (``spark``, and Java): the active session, or two cores. ``"auto"`` takes memory if that suffices.
    memory : str or int
        The most memory of its own that the process may hold, as ``"8GB"``, or in bytes; pages of mapped files do not
        count. A hundred million pairs were coded within 7.7 GB, a million within 1 (`docs/what_scale_costs.md`).
    folder : str or Path
        Where an engine keeps its results, in one folder per content (`PairFiles.fingerprint`), so that the same files
        are coded only once. Nothing else in it is touched. Default: nowhere.
    progress : bool
        Say on standard error which engine is chosen, and why.
    options
        `format`, `columns`, `header`, `labels` (a map, or two thresholds of a score), `unlabelled`, `on_error`,
        `encoding` … as in `read_pairs`, `identity` as in `ParaphraseGraph.from_pairs`; with the
        errors of both.

    Examples
    --------
    >>> from paragraph import DEMO
    >>> store = open_pairs(DEMO, progress=False)
    >>> store.engine, store.counts()["clusters"]
    ('memory', 258)
    """
    if engine not in ENGINES:
        raise PairsError(f"{option('engine')} {engine!r} is not one of {', '.join(ENGINES)}")
    paths = [path.absolute() for path in paths_of(source)]
    message = ""
    if len(paths) == 1:
        options, message = completed(paths[0], options)
    files = PairFiles(paths, **options)
    limit = in_bytes(memory)
    engine, plan = _plan(files, engine, limit)
    if progress:
        print(plan, file=sys.stderr, flush=True)
    graph = _in_memory(files) if engine == "memory" else _coded(files, engine, limit, folder)
    notes = graph.report["notes"]
    odd = [note for note in notes if " skipped (" in note or "stray quote" in note]
    if "turned" in graph.report:
        odd.append(graph.report["turned"])
    if message:
        odd.insert(0, message)
    if odd:
        warnings.warn(f"{graph.report['source']}: {'; '.join(odd)}", ReadWarning, stacklevel=2)
    return PairStore(graph, engine, plan)


def in_bytes(memory: str | int) -> int:
    """An amount of memory in bytes: 1500000000 for ``"1.5 GB"``."""
    found = re.fullmatch(r"(\d+\.?\d*)\s*([KMGT]?)B?", str(memory).strip().upper())
    amount = 0
    if found:
        power = " KMGT".index(found[2] or " ")
        amount = int(float(found[1]) * 1000**power)
    if amount < 10**8:
        raise PairsError(
            f"{option('memory')} {memory!r} is not an amount of memory of 100MB or more, such as 8GB"
        )
    return amount


def _plan(files: PairFiles, engine: str, limit: int) -> tuple[str, str]:
    """The engine, and in words why it is chosen."""
    extents = [files.extent(path) for path in files.paths]
    rows, size = np.sum(extents, axis=0) / [1e6, 1e9]
    needed = np.dot(COSTS, [1, rows, size])
    chosen = engine
    if engine == "auto":
        chosen = "memory" if needed * 1e9 <= limit else "duckdb"
    for path, (_, whole) in zip(files.paths, extents, strict=True):
        in_parts = chosen == "memory" or files.parquet(path)
        if not in_parts and 5 * whole > limit:
            raise PairsError(
                f"{path.name} is not a Parquet file, so it would be read whole, which takes too much memory; "
                "split it and write each piece as Parquet: pg.write_pairs(pg.read_pairs(piece), 'piece.parquet')"
            )
    count = len(files.paths)
    plan = "1 file" if count == 1 else f"{count} files"
    plan += f", about {rows:.2g} million rows: engine {chosen!r}"
    if engine == "auto":
        plan += f", since memory would take {needed:.1f} GB of {limit / 1e9:.1f}"
    return chosen, plan


def _in_memory(files: PairFiles) -> ParaphraseGraph:
    tables = []
    report = {}
    for pairs, rows in files.parts(report):
        if len(files.paths) > 1:
            pairs = pairs.assign(row=row_names(rows, report))
        tables.append(pairs)
    pairs = pd.concat(tables, ignore_index=True)
    report["inputs"] = [*map(str, files.paths)]
    pairs.attrs = {"report": report, "bipartite": report["bipartite"]}
    return ParaphraseGraph.from_pairs(pairs, files.identity)


def _coded(files: PairFiles, engine: str, limit: int, folder: Any) -> CodedGraph:
    """The graph of these pairs, which the engine codes unless a folder inside `folder` already holds them."""
    own = None
    if folder is None:
        own = tempfile.TemporaryDirectory(prefix="paragraph-")
        folder = own.name
    place = Path(folder)
    before = files.sizes_and_times()
    known = files.fingerprint()
    key = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]
    store = place / f"pairs-{key}"
    work = place / f".unfinished-pairs-{key}"
    place.mkdir(parents=True, exist_ok=True)
    with name_full_disk(place), (place / ".lock").open("a") as held:
        lock(held)
        if not store.exists():
            work.mkdir(exist_ok=True)
            for rest in work.glob(".unfinished-*"):  # of a process that was killed here
                shutil.rmtree(rest)
            try:
                coded = all((work / name).exists() for name in CODED)
                if not coded:
                    import_module(f".{engine}", __package__).code(files, work, limit)
                if files.sizes_and_times() != before:
                    raise PairsError(
                        f"{place}: the files have changed while they were read; open them again"
                    )
            except PairsError:
                shutil.rmtree(work)
                raise
            seal(work, known)
            work.rename(store)
    return open_store(store, files, own)


def nearest(graph, nodes: list[int], n: int) -> np.ndarray:
    """The `n` nodes that are the fewest positive pairs away from some nodes, which come first."""
    from scipy.sparse.csgraph import dijkstra

    far = dijkstra(graph.adjacency, indices=nodes, unweighted=True, min_only=True)
    reached = np.flatnonzero(np.isfinite(far))
    order = np.argsort(far[reached], kind="stable")
    return reached[order[:n]]
