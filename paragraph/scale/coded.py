"""Coded pairs on disk: the files that an engine leaves in a folder, and the graph opened from them.

The contract of engines. Rows are numbered through all files, in order; sentences by their first position (row, side).
A folder then holds

================== ====================================================================================
sentences.text     the first spelling of every sentence, one after another, UTF-8
sentences.ends     int64: where each begins in it, and the end of the last
rows.parquet       every row kept, in order: `row`, `a`, `b`, `sign` (1, -1, or 0 without a label)
coded.json         `sentences`, `merged` (spellings counted as a sentence seen before), `report` (`PairFiles.parts`)
================== ====================================================================================

`seal` adds the arrays of the graph (the folder ``graph``) and the manifest ``store.json``: what was coded, and a hash
of each file of the store. A sealed store is never changed.

Everything else is the same for every engine: stated pairs, clusters, counts, conflicts, proofs, samples.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files import PairsError
from ..files.errors import as_pairs_error
from ..files.outputs import atomic_write
from ..files.records import read_record, write_record
from ..graph.arrays import Allocate
from ..graph.core import ParaphraseGraph
from ..graph.structure import Links
from .files import PairFiles, row_names

__all__ = ["CODED", "CodedGraph", "extract", "on_disk", "open_store", "seal", "write_sentences"]

#: Files that only led to the codes, or that an interrupted sealing left.
LED_HERE = ("hashed.*", "firsts.*", "store.json")
#: The files that an engine leaves.
CODED = ("sentences.text", "sentences.ends", "rows.parquet", "coded.json")


def on_disk(folder: Path) -> Allocate:
    """Make arrays as files in a folder, ready for `numpy.load`: the system moves them in and out of memory."""

    def allocate(name: str, shape: int | tuple[int, ...], dtype: type) -> np.ndarray:
        if name:
            path = folder / f"{name}.npy"
            if not isinstance(shape, tuple):
                shape = (shape,)
            found = np.lib.format.open_memmap(path, "w+", dtype, shape)
            with path.open("r+b") as file:
                _reserve(file)
            return found
        with tempfile.TemporaryFile(dir=folder) as file:
            whole = np.memmap(file, dtype, "w+", shape=max(shape, 1))
            found = whole[:shape]
            _reserve(file)
            return found

    return allocate


def _reserve(file: IO) -> None:
    """Reserve space on the disk for a mapped file: a write to its map without space would end the process."""
    if hasattr(os, "posix_fallocate"):  # not on every system
        size = os.fstat(file.fileno()).st_size
        os.posix_fallocate(file.fileno(), 0, size)


def write_sentences(folder: Path, texts: Iterable[pa.Array]) -> None:
    """Write sentences, which come in the order of their codes."""
    end = 0
    with (
        atomic_write(folder, folder=True) as stage,
        (stage / CODED[0]).open("wb") as text,
        (stage / CODED[1]).open("wb") as ends,
    ):
        ends.write(bytes(8))
        for each in texts:
            lengths = pc.binary_length(each).to_numpy(zero_copy_only=False)
            stops = end + np.cumsum(lengths, dtype=np.int64)
            ends.write(stops.tobytes())
            texts_as_bytes = each.cast(pa.large_binary()).to_pylist()
            text.write(b"".join(texts_as_bytes))
            if len(stops):
                end = int(stops[-1])


def seal(folder: Path, known: dict[str, Any]) -> None:
    """Add the graph's arrays and the manifest to what an engine has left; `known` is the fingerprint of the files."""
    for name in LED_HERE:
        for path in list(folder.glob(name)):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    (folder / "graph").mkdir(exist_ok=True)
    arrays = _arrays(folder, on_disk(folder / "graph"))
    for name, value in arrays.items():
        if not isinstance(value, np.memmap):
            np.save(folder / "graph" / name, value)
    write_record(known | {"paragraph": "coded pairs"}, folder / "store.json")


def _arrays(folder: Path, allocate: Allocate) -> dict[str, int | np.ndarray]:
    """The numbers and arrays of the graph that the rows in a folder make."""
    from pyarrow.parquet import ParquetFile

    coded = json.loads((folder / "coded.json").read_text("utf-8"))
    with ParquetFile(folder / "rows.parquet") as file:
        kinds = {"row": np.int64, "row_a": np.int32, "row_b": np.int32, "row_sign": np.int8}
        rows = file.metadata.num_rows
        columns = [allocate(name, rows, kind) for name, kind in kinds.items()]
        done = 0
        for batch in file.iter_batches():
            here = slice(done, done + len(batch))
            for column, part in zip(columns, batch.columns, strict=True):
                column[here] = part.to_numpy()
            done += len(batch)
    row, *ends = columns
    graph = ParaphraseGraph(*ends, coded["sentences"], merged=coded["merged"], allocate=allocate)
    found = {}
    for name, value in vars(graph).items():
        if isinstance(value, int | np.ndarray):
            found[name] = value
    for name in ("edge_clusters", "stated_inside", "links"):
        found[name] = np.asanyarray(getattr(graph, name))
    return found | {"row": row}


def open_store(store: Path, files: PairFiles, own: Any = None) -> CodedGraph:
    """The graph in a sealed store; `PairsError` if a file is not as it was written."""
    with as_pairs_error(store, "delete this folder, and the pairs are coded again"):
        read_record(store / "store.json")
        return CodedGraph(store, files, own)


class CodedGraph(ParaphraseGraph):
    """The graph of coded pairs in a folder. Arrays and texts are mapped: unused parts stay on disk."""

    def __init__(self, folder: Path, files: PairFiles, own: Any = None):
        known = json.loads((folder / "coded.json").read_text("utf-8"))
        for path in (folder / "graph").iterdir():
            value = np.load(path, mmap_mode="r")
            if not value.ndim:
                value = int(value)
            setattr(self, path.stem, value)
        self.links = Links(*self.links)
        self.pairs = None
        self.merged = known["merged"]
        self.identity = files.identity
        self.folder = folder
        self.files = files
        self.report = known["report"]
        self._own = own  # a temporary folder
        self._state = files.sizes_and_times()

    @property
    def bipartite(self) -> bool:
        return self.report["bipartite"]

    @property
    def inputs(self) -> list[str]:
        return [*map(str, self.files.paths)]

    @cached_property
    def sentences(self) -> pa.LargeStringArray:
        """All sentences by code, in the spelling first seen: they stay on disk, and are read when used."""
        if not self.n:  # an empty file has no buffer that Arrow accepts
            return pa.array([], pa.large_string())
        text, ends = (self._buffer(name) for name in CODED[:2])
        return pa.LargeStringArray.from_buffers(self.n, ends, text)

    def _buffer(self, name: str) -> pa.Buffer:
        return pa.memory_map(str(self.folder / name)).read_buffer()

    def row_names(self, rows: np.ndarray) -> list[int | str]:
        return row_names(self.row[rows], self.report)

    def row_parts(self) -> Iterator[tuple[pd.DataFrame, np.ndarray, np.ndarray]]:
        """The rows in order, part by part: a pair table, read again from its file, and the nodes of its two sides."""
        if self.files.sizes_and_times() != self._state:
            raise PairsError(
                f"{self.report['source']} has changed since it was opened; open it again"
            )
        done = 0
        for pairs, _ in self.files.parts({}):
            here = slice(done, done + len(pairs))
            done += len(pairs)
            yield pairs, self.row_a[here], self.row_b[here]


def extract(graph: ParaphraseGraph, nodes: np.ndarray) -> ParaphraseGraph:
    """Some sentences, with the rows between them, as a graph of their own, in the spellings first seen."""
    inside = np.zeros(graph.n, dtype=bool)
    inside[nodes] = True
    rows = np.flatnonzero(inside[graph.row_a] & inside[graph.row_b])
    ends = {"a": graph.row_a[rows], "b": graph.row_b[rows]}
    table = pd.DataFrame(
        {f"text_{side}": graph.texts(nodes) for side, nodes in ends.items()}, dtype="str"
    )
    for side, nodes in ends.items():
        table[f"id_{side}"] = nodes.astype(str)
    sign = graph.row_sign[rows]
    table["label"] = pd.arrays.IntegerArray((sign > 0).astype(np.int8), sign == 0)
    table["row"] = graph.row_names(rows)
    table.attrs["bipartite"] = graph.bipartite
    table.attrs["report"] = {"source": graph.report.get("source", "")}
    return ParaphraseGraph.from_pairs(table, graph.identity)
