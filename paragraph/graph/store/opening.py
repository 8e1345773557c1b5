"""Opening pairs: by which engine, at what cost, and what of it is done already."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ...pairs import PairsError
from ...pairs.errors import option
from ...pairs.provenance import write_json
from ..identity import IDENTITIES
from ..paraphrase import ParaphraseGraph
from .coded import CODED, CodedGraph, row_names
from .files import PairFiles, in_order, joined, warn_of
from .verbs import PairStore

__all__ = ["ENGINES", "open_pairs"]

ENGINES = ("auto", "memory", "duckdb")

#: Measured with ``python -m benchmarks scale``, for a million pairs: bytes of memory beside those of the texts, by
#: engine; processor seconds; bytes of disk beside those of the texts.
IN_MEMORY, OUT_OF_CORE = 2.2e8, 1.2e8
SECONDS = {"memory": 5, "duckdb": 7}
DISK = 1.2e8
#: What engines, and the graph, leave in a folder.
MADE = (*CODED, "clusters.npy", "hashed-*", "firsts.*", "salt", "store.json")
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


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
        A file, a pattern such as ``"pairs/*.parquet"`` (files by name), or files in an order: it decides which
        spelling comes first and which row later. Parquet of two columns of texts, or of ids (whole numbers too),
        with a label or a score; also what `read_pairs` reads, if a file fits into memory.
    engine : {"auto", "memory", "duckdb"}
        ``"memory"`` holds all texts. ``"duckdb"`` codes them out of core and leaves them on disk (needs the extra
        ``scale``). ``"auto"`` takes memory where that suffices, and says so.
    memory : str or int
        What may be used, as ``"8GB"``, or in bytes. The codes themselves, about 40 bytes a pair, must fit.
    folder : str or Path
        Where engines keep what they made: opened again, the same files are not read again. Else a temporary one.
    format, columns, labels, unlabelled, on_error
        As in `read_pairs`. Two thresholds in `labels` make a sign of a score.
    identity : {"text", "normal", "id"}
        When two spellings are one sentence.
    progress : bool
        Say on standard error what the engine will take.

    Raises
    ------
    PairsError
        As `read_pairs`; an unknown engine; too little memory; a folder that holds other things.

    Examples
    --------
    >>> from paragraph import DEMO
    >>> store = open_pairs(DEMO, progress=False)
    >>> store.engine, store.counts()["clusters of two or more"]
    ('memory', 258)
    """
    if engine not in ENGINES:
        raise PairsError(f"{option('engine')} {engine!r} is not one of {', '.join(ENGINES)}")
    if identity not in IDENTITIES:
        raise PairsError(f"identity {identity!r} is not one of {', '.join(map(repr, IDENTITIES))}")
    files = PairFiles(in_order(source), format, columns, labels, unlabelled, on_error, identity, **options)
    limit = in_bytes(memory)
    engine, plan = _plan(files, engine, limit)
    if progress:
        print(plan, file=sys.stderr, flush=True)
    if engine == "memory":
        graph = _in_memory(files)
    else:
        from .outofcore import code

        graph = _coded(files, limit, folder, code)
    warn_of(graph.report)
    return PairStore(graph, engine, plan)


def in_bytes(memory: str | int) -> int:
    """An amount of memory.

    >>> in_bytes("8GB"), in_bytes("1.5 gb"), in_bytes(10**9)
    (8000000000, 1500000000, 1000000000)
    """
    found = re.fullmatch(r"\s*(\d+\.?\d*)\s*([KMGT]?B?)\s*", str(memory).upper())
    amount = int(float(found[1]) * UNITS.get(found[2], UNITS.get(f"{found[2]}B", 0))) if found else 0
    if amount < 10**8:
        raise PairsError(f"{option('memory')} {memory!r} is no amount of memory from 100MB, such as 8GB")
    return amount


def _plan(files: PairFiles, engine: str, limit: int) -> tuple[str, str]:
    """The engine, and why it is chosen and what it will take, in words."""
    rows, size = 0, 0
    for i, path in enumerate(files.paths):
        more, bytes_ = files.extent(i)
        rows, size = rows + more, size + bytes_
        if engine != "memory" and not files.parquet(i) and 5 * bytes_ > limit:
            raise PairsError(
                f"{path.name} is no Parquet file, so it would be read whole: about {5 * bytes_ / 1e9:.1f} GB; "
                "cut it into pieces and make Parquet of each: pg.write_pairs(pg.read_pairs(piece), 'piece.parquet')"
            )
    needs = {"memory": 3 * size + IN_MEMORY * rows / 1e6, "duckdb": max(1e9, OUT_OF_CORE * rows / 1e6)}
    fits = {name: f"{need / 1e9:.1f} GB" for name, need in needs.items()}
    chosen = engine if engine != "auto" else "memory" if needs["memory"] <= limit else "duckdb"
    why = "as told"
    if engine == "auto":
        verb = "fit into" if chosen == "memory" else "exceed"
        why = f"in memory they take about {fits['memory']}, which would {verb} the {limit / 1e9:.1f} GB allowed"
    cost = f"about {SECONDS[chosen] * rows / 1e6:,.0f} s of processor time, {fits[chosen]} of memory"
    if chosen != "memory":
        cost += f", {(2 * size + DISK * rows / 1e6) / 1e9:.1f} GB of disk"
    count = f"{len(files.paths)} file{'s' * (len(files.paths) != 1)}"
    return chosen, f"{count}, some {rows:,} rows: engine {chosen!r}, {why}; {cost}"


def _in_memory(files: PairFiles) -> ParaphraseGraph:
    tables, reports = [], []
    for i, path in enumerate(files.paths):
        reports.append({})
        for pairs in files.parts(i, reports[-1]):
            if len(files.paths) > 1:
                names = row_names(pairs["row"].to_numpy() + 1, [0, 1], ["", path.name])
                pairs["row"] = pd.array(names, dtype="str")
            tables.append(pairs)
    pairs = pd.concat(tables, ignore_index=True)
    pairs.attrs = {"report": joined(reports)}
    if pairs.attrs["report"]["bipartite"]:
        pairs.attrs["bipartite"] = True
    return ParaphraseGraph.from_pairs(pairs, files.identity)


def _coded(
    files: PairFiles, limit: int, folder: str | PathLike | None, code: Callable[[PairFiles, Path, int], None]
) -> CodedGraph:
    """The graph in a folder, which the engine fills if it does not hold just these pairs."""
    own = tempfile.TemporaryDirectory(prefix="paragraph-") if folder is None else None
    place = Path(own.name if own else folder)
    place.mkdir(parents=True, exist_ok=True)
    known, manifest = files.fingerprint(), place / "store.json"
    with _alone(place):
        if not manifest.exists() and (there := [path for path in place.iterdir() if path.name != "lock"]):
            raise PairsError(f"{place} holds other things, such as {there[0].name}; name an empty folder")
        same = manifest.exists() and json.loads(manifest.read_text("utf-8")) == known
        for pattern in (".unfinished-*", *(() if same else MADE)):
            for path in place.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        write_json(known, manifest)
        if not all((place / name).exists() for name in CODED):
            code(files, place, limit)
        return CodedGraph(place, files, own)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Whoever else opens this folder waits."""
    with (folder / "lock").open("w") as file:
        with suppress(ImportError):  # not on every system
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield
