"""Opening pairs: by which engine, at what cost, and what of it is done already."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ...pairs import PairsError
from ...pairs.errors import option
from ...pairs.provenance import write_json
from ..paraphrase import ParaphraseGraph
from .coded import CODED, CodedGraph
from .files import PairFiles, in_order, row_names, warn_of
from .verbs import PairStore

__all__ = ["ENGINES", "open_pairs"]

ENGINES = ("auto", "memory", "duckdb")
#: What a million pairs take, as ``python -m benchmarks scale`` measures it: processor seconds; gigabytes of memory, and
#: of disk, each beside so many times the bytes of their texts.
COSTS = {"memory": (4, 0.25, 3, 0, 0), "duckdb": (7, 0.18, 0, 0.12, 1)}
#: What engines, and the graph, leave in a folder.
MADE = (*CODED, "graph", "hashed.*", "firsts.*", "store.json")


def open_pairs(
    source: str | PathLike | Iterable[str | PathLike],
    engine: str = "auto",
    memory: str | int = "8GB",
    folder: str | PathLike | None = None,
    *,
    format: str = "auto",
    columns: dict[str, str] | None = None,
    labels: Any = None,
    unlabelled: str = "error",
    on_error: str | None = None,
    identity: str = "text",
    progress: bool = True,
    **options: Any,
) -> PairStore:
    """Files of labelled pairs as a store that answers the questions of a graph, whatever their size.

    Parameters
    ----------
    source : str, Path or list of them
        A file, a pattern such as ``"pairs/*.parquet"`` (files by name), or files in an order. Parquet of two columns of
        texts, or of ids (whole numbers too), with a label or a score; also what `read_pairs` reads, if it fits.
    engine : {"auto", "memory", "duckdb"}
        ``"memory"`` holds all texts; ``"duckdb"`` codes them out of core and leaves them on disk (needs the extra
        ``scale``); ``"auto"`` takes memory where that suffices, and says so.
    memory : str or int
        What may be used, as ``"8GB"``, or in bytes. The codes alone take about 75 bytes a pair.
    folder : str or Path
        Where an engine keeps what it made: opened again, the same files are not read again. Default: nowhere.
    format, columns, labels, unlabelled, on_error, identity
        As in `read_pairs` and `ParaphraseGraph.from_pairs`. Two thresholds in `labels` make a sign of a score.
    progress : bool
        Say on standard error what the engine will take.

    Raises
    ------
    PairsError
        As `read_pairs`; an unknown engine, or one that is not installed; a folder that holds other things.

    Examples
    --------
    >>> from paragraph import DEMO
    >>> store = open_pairs(DEMO, progress=False)
    >>> store.engine, store.counts()["clusters of two or more"]
    ('memory', 258)
    """
    if engine not in ENGINES:
        raise PairsError(f"{option('engine')} {engine!r} is not one of {', '.join(ENGINES)}")
    files = PairFiles(in_order(source), format, columns, labels, unlabelled, on_error, identity, **options)
    limit = in_bytes(memory)
    engine, plan = _plan(files, engine, limit)
    if progress:
        print(plan, file=sys.stderr, flush=True)
    if engine == "memory":
        graph = _in_memory(files)
    else:
        from .outofcore import code

        graph = _coded(files, code, limit, folder)
    warn_of(graph.report)
    return PairStore(graph, engine, plan)


def in_bytes(memory: str | int) -> int:
    """An amount of memory.

    >>> in_bytes("8GB"), in_bytes("1.5 g"), in_bytes(10**9)
    (8000000000, 1500000000, 1000000000)
    """
    found = re.fullmatch(r"(\d+\.?\d*)\s*([KMGT]?)B?", str(memory).strip().upper())
    amount = int(float(found[1]) * 1000 ** " KMGT".index(found[2] or " ")) if found else 0
    if amount < 10**8:
        raise PairsError(f"{option('memory')} {memory!r} is no amount of memory from 100MB, such as 8GB")
    return amount


def _plan(files: PairFiles, engine: str, limit: int) -> tuple[str, str]:
    """The engine, and why it is chosen and what it will take, in words."""
    extents = [files.extent(path) for path in files.paths]
    rows, size = sum(rows for rows, _ in extents) / 1e6, sum(size for _, size in extents) / 1e9
    needs = {name: 0.3 + fixed * rows + times * size for name, (_, fixed, times, *_) in COSTS.items()}
    chosen = engine if engine != "auto" else "memory" if needs["memory"] * 1e9 <= limit else "duckdb"
    for path, (_, whole) in zip(files.paths, extents, strict=True):
        if chosen != "memory" and not files.parquet(path) and 5 * whole > limit:
            raise PairsError(
                f"{path.name} is no Parquet file, so it would be read whole, which takes too much memory; cut it into "
                "pieces and make each Parquet: pg.write_pairs(pg.read_pairs(piece), 'piece.parquet')"
            )
    seconds, *_, fixed, times = COSTS[chosen]
    return chosen, (
        f"{len(files.paths)} file{'s' * (len(files.paths) != 1)}, about {rows:.2g} million rows: engine {chosen!r}"
        + f", since memory would take {needs['memory']:.1f} GB of {limit / 1e9:.1f}" * (engine == "auto")
        + f"; about {seconds * rows:,.0f} s of processor time, {needs[chosen]:.1f} GB of memory"
        + f", {fixed * rows + times * size:.1f} GB of disk" * (chosen != "memory")
    )


def _in_memory(files: PairFiles) -> ParaphraseGraph:
    tables, report = [], {}
    for pairs, rows in files.parts(report):
        tables.append(pairs.assign(row=row_names(rows, report)) if len(files.paths) > 1 else pairs)
    pairs = pd.concat(tables, ignore_index=True)
    pairs.attrs = {"report": report, "bipartite": report["bipartite"]}
    return ParaphraseGraph.from_pairs(pairs, files.identity)


def _coded(files: PairFiles, code: Any, limit: int, folder: str | PathLike | None) -> CodedGraph:
    """The graph in a folder, which the engine fills if it does not hold just these pairs."""
    own = tempfile.TemporaryDirectory(prefix="paragraph-") if folder is None else None
    place = Path(own.name if own else folder)
    place.mkdir(parents=True, exist_ok=True)
    known, manifest, lock = files.fingerprint(), place / "store.json", place / ".lock"
    if not manifest.exists() and (there := [path.name for path in place.iterdir() if path != lock]):
        raise PairsError(f"{place} holds other things, such as {there[0]}; name an empty folder")
    with lock.open("w") as alone:
        with suppress(ImportError):  # not on every system: whoever else opens this folder waits
            import fcntl

            fcntl.flock(alone, fcntl.LOCK_EX)
        same = manifest.exists() and json.loads(manifest.read_text("utf-8")) == known
        for pattern in (".unfinished-*", *(() if same else MADE)):
            for path in place.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write_json(known, manifest)
        if not all((place / name).exists() for name in CODED):
            code(files, place, limit)
        return CodedGraph(place, files, own)
