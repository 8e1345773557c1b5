"""Coded pairs on disk: what an engine leaves in a folder, and the graph that is opened from it.

The contract of engines. Rows are numbered through all files, in order; sentences by their first position (row, side).
A folder then holds

================== ====================================================================================
sentences.text     the first spelling of every sentence, one after another, UTF-8
sentences.ends     int64: where each begins in it, and the end of the last
rows.parquet       every row kept, in order: `row`, `a`, `b`, `sign` (1, -1, or 0 without a label)
roots.npy          the first sentence of each sentence's cluster, where an engine knows it
coded.json         `sentences`, `merged` (spellings counted as a sentence seen before), `report` (`PairFiles.parts`)
================== ====================================================================================

All that follows is the same for every engine: stated pairs, clusters, counts, conflicts, proofs, samples.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ...pairs.outputs import together
from ..core import GraphArrays
from ..paraphrase import ParaphraseGraph
from .files import PairFiles, row_names

__all__ = ["CODED", "CodedGraph", "taken_out", "write_sentences"]

#: What an engine leaves.
CODED = ("sentences.text", "sentences.ends", "rows.parquet", "coded.json")


def write_sentences(folder: Path, texts: Iterable[pa.Array]) -> None:
    """Write sentences, which come in order of their codes."""
    end = 0
    with together(folder) as stage, (stage / CODED[0]).open("wb") as text, (stage / CODED[1]).open("wb") as ends:
        ends.write(bytes(8))
        for each in texts:
            stops = end + np.cumsum(pc.binary_length(each).to_numpy(zero_copy_only=False), dtype=np.int64)
            ends.write(stops.tobytes())
            text.write(b"".join(each.cast(pa.large_binary()).to_pylist()))
            end = int(stops[-1]) if len(stops) else end


class CodedGraph(ParaphraseGraph):
    """The graph of coded pairs in a folder. Arrays and texts are mapped: what is not asked for stays on disk."""

    def __init__(self, folder: Path, files: PairFiles, own: Any = None):
        known = json.loads((folder / "coded.json").read_text("utf-8"))
        arrays, part = folder / "graph", folder / ".unfinished-graph"
        if not arrays.exists():
            from pyarrow.parquet import read_table

            rows = [column.to_numpy() for column in read_table(folder / "rows.parquet").columns]
            roots = np.load(folder / "roots.npy") if (folder / "roots.npy").exists() else None
            part.mkdir()
            np.save(part / "row", rows[0])
            for name, value in vars(GraphArrays(*rows[1:], known["sentences"], roots=roots)).items():
                if isinstance(value, int | np.ndarray):
                    np.save(part / name, value)
            part.rename(arrays)
        for path in arrays.iterdir():
            value = np.load(path, mmap_mode="r")
            setattr(self, path.stem, value if value.ndim else int(value))
        self.pairs, self.merged, self.identity = None, known["merged"], files.identity
        self.folder, self.files, self.report, self._own = folder, files, known["report"], own  # own: a temporary one

    @property
    def bipartite(self) -> bool:
        return self.report["bipartite"]

    @cached_property
    def sentences(self) -> pa.LargeStringArray:
        """All sentences by code, in the spelling first seen: they stay on disk, and are read where they are used."""
        text, ends = (pa.memory_map(str(self.folder / name)).read_buffer() for name in CODED[:2])
        return pa.LargeStringArray.from_buffers(self.n, ends, text)

    def row_names(self, rows: np.ndarray) -> list[int | str]:
        return row_names(self.row[rows], self.report)

    def row_parts(self) -> Iterator[tuple[pd.DataFrame, np.ndarray, np.ndarray]]:
        """The rows in order, part by part: a pair table, read again from its file, and the nodes of its two sides."""
        done = 0
        for pairs, _ in self.files.parts({}):
            here = slice(done, done := done + len(pairs))
            yield pairs, self.row_a[here], self.row_b[here]


def taken_out(graph: ParaphraseGraph, nodes: np.ndarray) -> ParaphraseGraph:
    """Some sentences as a graph of their own, of the rows between them, in the spellings first seen."""
    inside = np.zeros(graph.n, dtype=bool)
    inside[nodes] = True
    rows = np.flatnonzero(inside[graph.row_a] & inside[graph.row_b])
    table = graph.codes(rows)
    for name in ("a", "b"):
        table[f"id_{name}"] = table[f"text_{name}"]
        table[f"text_{name}"] = pd.array(graph.texts(table[f"text_{name}"].astype(np.int64)), dtype="str")
    table["row"] = graph.row_names(rows)
    table.attrs["report"] = {"source": graph.report.get("source", "")}
    return ParaphraseGraph.from_pairs(table, graph.identity)
