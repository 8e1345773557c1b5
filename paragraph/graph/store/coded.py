"""Coded pairs on disk: what an engine leaves in a folder, and the graph that is opened from it.

The contract of engines. Sentences are numbered by their first position (file, row, side); a row is numbered through
all files, in order. A folder then holds

================== =====================================================================================
sentences.text     the first spelling of every sentence, one after another, UTF-8
sentences.ends     int64: where each begins in it, and the end of the last
rows.parquet       every row kept, in order: `row`, `a`, `b`, `sign` (1, -1, or 0 without a label)
edges.parquet      the stated pairs (`edges.Edges`) by first row: `a`, `b` as that row has them, `sign`,
                   `n_positive`, `n_negative`, `row`
repeats.parquet    the other rows of stated pairs: `edge`, `row`, sorted
coded.json         counts, the report of reading, and where each file begins among the rows
================== =====================================================================================

All that follows is the same for every engine: clusters, counts, conflicts, proofs, samples.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...pairs import PairsError
from ...pairs.outputs import beside, together
from ..arrays import connected
from ..core import by_size
from ..identity import sentence_keys
from ..paraphrase import ParaphraseGraph
from .files import PairFiles

__all__ = ["CODED", "CodedGraph", "row_names", "taken_out", "write_sentences"]

#: What an engine leaves.
CODED = ("sentences.text", "sentences.ends", "rows.parquet", "edges.parquet", "repeats.parquet", "coded.json")

BLOCK = 1 << 20  # sentences, or rows, that are looked at together


def write_sentences(folder: Path, texts: Iterable[pa.Array]) -> None:
    """Write sentences, which come in order of their codes."""
    end = 0
    with together(folder) as stage, (stage / CODED[0]).open("wb") as text, (stage / CODED[1]).open("wb") as ends:
        ends.write(np.zeros(1, np.int64).tobytes())
        for each in texts:
            stops = end + np.cumsum(pc.binary_length(each).to_numpy(zero_copy_only=False), dtype=np.int64)
            ends.write(stops.tobytes())
            text.write(b"".join(each.cast(pa.large_binary()).to_pylist()))
            end = int(stops[-1]) if len(stops) else end


def row_names(rows: np.ndarray, starts: list[int], files: list[str]) -> list[Any]:
    """Rows as their files count them, with the file where there are several.

    >>> row_names(np.array([2, 12]), [0, 10], ["a.parquet", "b.parquet"]), row_names(np.array([2]), [0], ["a.tsv"])
    (['a.parquet:2', 'b.parquet:2'], [2])
    """
    if len(files) == 1:
        return rows.tolist()
    of = np.searchsorted(starts, rows, side="left") - 1
    return [f"{files[i]}:{row - starts[i]}" for i, row in zip(of.tolist(), rows.tolist(), strict=True)]


class CodedGraph(ParaphraseGraph):
    """The graph of coded pairs that lie in a folder: pairs of numbers in memory, sentences and rows on disk."""

    def __init__(self, folder: Path, files: PairFiles, own: Any = None):
        known = json.loads((folder / "coded.json").read_text("utf-8"))
        self.folder, self.files, self.known = folder, files, known
        self.pairs, self.identity, self._own = None, files.identity, own  # a temporary folder goes with the graph
        self.n, self.n_rows, self.merged = known["sentences"], known["rows"], known["merged"]
        self.n_self_pairs, self.n_unlabelled = known["self_pairs"], known["unlabelled"]
        edges = pq.read_table(folder / "edges.parquet", columns=["a", "b", "sign", "n_positive", "n_negative"])
        columns = [edges[i].combine_chunks().to_numpy(zero_copy_only=False) for i in range(5)]
        del edges
        self.edge_a, self.edge_b, self.edge_sign, self.edge_n_positive, self.edge_n_negative = columns
        clusters = folder / "clusters.npy"
        if not clusters.exists():
            positive = self.edge_sign > 0
            label = connected(self.n, self.edge_a[positive], self.edge_b[positive])
            with beside(clusters) as part, part.open("wb") as file:
                np.save(file, by_size(label)[0])
            del label
        self.cluster_of = np.load(clusters)
        self.cluster_sizes = np.bincount(self.cluster_of)
        for column in (*columns, self.cluster_of, self.cluster_sizes):
            column.setflags(write=False)

    @property
    def report(self) -> dict[str, Any]:
        return self.known["report"]

    @property
    def bipartite(self) -> bool:
        return self.report["bipartite"]

    @cached_property
    def sentences(self) -> pa.LargeStringArray:
        """All sentences by code, in the spelling first seen: they stay on disk, and are read where they are used."""
        text, ends = (pa.memory_map(str(self.folder / name)).read_buffer() for name in CODED[:2])
        return pa.LargeStringArray.from_buffers(self.n, ends, text)

    def __contains__(self, sentence: str) -> bool:
        return isinstance(sentence, str) and self._lookup(sentence) >= 0

    def node(self, sentence: str) -> int:
        """The node of a sentence, in any spelling that the identity takes for it."""
        at = self._lookup(sentence)
        if at < 0:
            raise PairsError(f"sentence {sentence!r} is not in the graph")
        return at

    def _lookup(self, sentence: str) -> int:
        given = pa.scalar(sentence, pa.large_string())
        at = pc.index(self.sentences, given).as_py()
        identity = "text" if self.identity == "id" else self.identity
        key = sentence_keys(pa.array([sentence], pa.large_string()), identity)[0]
        for start in range(0, self.n if at < 0 else 0, BLOCK):
            found = pc.index(sentence_keys(self.sentences.slice(start, BLOCK), identity), key).as_py()
            if found >= 0:
                return start + found
        return at

    # -- rows --------------------------------------------------------------------------------------------

    @cached_property
    def _repeats(self) -> tuple[np.ndarray, np.ndarray]:
        table = pq.read_table(self.folder / "repeats.parquet")
        return table["edge"].to_numpy(), table["row"].to_numpy()

    @cached_property
    def _first_rows(self) -> np.ndarray:
        return pq.read_table(self.folder / "edges.parquet", columns=["row"])["row"].to_numpy()

    def source_rows(self, edge: int) -> list[Any]:
        """The rows of an edge as their files count them."""
        edges, rows = self._repeats
        more = rows[slice(*np.searchsorted(edges, [edge, edge + 1]))]
        return self.row_names(np.append(self._first_rows[edge], more))

    def row_names(self, rows: np.ndarray) -> list[Any]:
        return row_names(rows, self.known["starts"], self.known["files"])

    def row_batches(self, size: int = BLOCK) -> Iterator[tuple[np.ndarray, ...]]:
        """All rows in order, some at a time: number, both sentences, sign."""
        with pq.ParquetFile(self.folder / "rows.parquet") as file:
            for batch in file.iter_batches(size, columns=["row", "a", "b", "sign"]):
                yield tuple(column.to_numpy(zero_copy_only=False) for column in batch.columns)

    def rows_of(self, edge: int) -> NoReturn:
        raise PairsError("the rows of coded pairs lie on disk; take a cluster out of the store")

    def row_parts(self) -> Iterator[tuple[pd.DataFrame, np.ndarray, np.ndarray]]:
        """The rows in order, part by part: a pair table, read again from its file, and the nodes of its two sides."""
        batches, row, ends = self.row_batches(), np.empty(0, np.int64), np.empty((2, 0), np.int32)
        for i in range(len(self.files.paths)):
            for pairs in self.files.parts(i, {}):
                while len(row) < len(pairs):
                    more, a, b, _ = next(batches)
                    row, ends = np.append(row, more), np.concatenate([ends, [a, b]], axis=1)
                yield pairs, *ends[:, : len(pairs)]
                row, ends = row[len(pairs) :], ends[:, len(pairs) :]


def taken_out(graph: ParaphraseGraph, cluster: int) -> ParaphraseGraph:
    """One cluster as a graph of its own, of the rows between its sentences, in the spellings first seen."""
    members, inside = graph.members(cluster), graph.cluster_of == cluster
    if isinstance(graph, CodedGraph):
        batches = graph.row_batches()
    else:
        sign = 2 * graph.pairs["label"].fillna(0).to_numpy(np.int8) - graph.row_labelled
        batches = [(graph.pairs["row"].to_numpy(), graph.row_a, graph.row_b, sign)]
    kept = [[each[inside[a] & inside[b]] for each in (row, a, b, sign)] for row, a, b, sign in batches]
    row, a, b, sign = (np.concatenate(column) for column in zip(*kept, strict=True))
    # A sentence may come first in a row that leaves the cluster, so those inside are numbered anew.
    nodes, first = np.unique(np.stack([a, b], 1), return_index=True)
    nodes = nodes[np.argsort(first)] if len(nodes) else members
    code = np.empty(graph.n, np.int32)
    code[nodes] = np.arange(len(nodes), dtype=np.int32)
    texts, a, b = graph.sentences.take(pa.array(nodes)), code[a], code[b]
    pairs = {"text_a": pd.Series(texts.take(pa.array(a)).to_pylist(), dtype="str")}
    pairs["text_b"] = pd.Series(texts.take(pa.array(b)).to_pylist(), dtype="str")
    pairs["label"] = pd.arrays.IntegerArray((sign > 0).astype(np.int8), sign == 0)
    pairs["row"] = graph.row_names(row) if isinstance(graph, CodedGraph) else row
    pairs = pd.DataFrame(pairs)
    pairs.attrs["report"] = {"source": graph.report.get("source", "")}
    return ParaphraseGraph(a, b, sign, len(nodes), texts, pairs, 0, graph.identity)
