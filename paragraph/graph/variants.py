"""The four datasets of Chen, Ji and Evans (2020, Table 1), as tables and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files import PairsError
from ..files.outputs import atomic_write
from ..files.records import write_record
from ..pairs.tables import column
from ..pairs.write import LabelWriter
from .arrays import Array, PairIndex
from .closure import Closure, infer
from .core import ParaphraseGraph, checked_graph

__all__ = ["NAMES", "four_datasets", "labels_of", "write_datasets"]

BATCH = 1 << 20  #: stated pairs that are written together
_TYPES = {"text_a": "str", "text_b": "str", "label": "Int8"}
NAMES = ("original", "original_flipped", "augmented", "augmented_flipped")


def four_datasets(
    closure: Closure | ParaphraseGraph, kept: Array | None = None
) -> dict[str, pd.DataFrame]:
    """The four datasets as tables `text_a`, `text_b`, `label`, by name.

    *original*: the rows as given. *original_flipped*: the same, every row of a within-conflict pair 1. *augmented*:
    one row per distinct pair, stated first, then inferred; a within-conflict keeps its 0. *augmented_flipped*: the
    same with those pairs 1. The inferred labels are those of a closure, which knows its graph; a graph stands for
    ``infer(graph)``. `kept` is true for edges that are not flipped because a person decided so. Holds all inferred
    labels in memory, 10 million at most (`PairsError`); `write_datasets` streams them.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> for name, table in four_datasets(ParaphraseGraph.from_pairs(pairs)).items():
    ...     print(name, table["label"].tolist())
    original [1, 1, 0]
    original_flipped [1, 1, 1]
    augmented [1, 1, 0]
    augmented_flipped [1, 1, 1]
    """
    closure = _closure_of(closure, "four_datasets")
    graph = closure.graph
    turned = _edges_to_flip(graph, kept)
    parts = map(pd.DataFrame, _row_parts(graph, turned))
    original = pd.concat(parts, ignore_index=True)
    flipped = original.pop("flipped")
    stated = graph.pair_texts(graph.edge_a, graph.edge_b)
    stated["label"] = (graph.edge_sign > 0).astype(np.int8)
    inferred = closure.to_frame(distances=False)
    augmented = pd.concat([stated, inferred], ignore_index=True)
    tables = _with_flipped("original", original, flipped)
    return tables | _with_flipped("augmented", augmented, turned)


def _with_flipped(name: str, table: pd.DataFrame, turned: Array) -> dict[str, pd.DataFrame]:
    """The table, and a copy with label 1 where the flags `turned` are true, by name."""
    table = table.astype(_TYPES)
    flipped = table.copy()
    flipped.loc[np.flatnonzero(turned), "label"] = 1
    return {name: table, f"{name}_flipped": flipped}


def write_datasets(
    closure: Closure | ParaphraseGraph,
    folder: str | PathLike,
    format: str = "tsv",
    *,
    progress: bool = True,
    kept: Array | None = None,
    spreadsheet_safe: bool = False,
) -> dict[str, dict[str, int]]:
    """Write the four datasets (`four_datasets`) as ``folder/<name>.tsv`` (or .parquet), in bounded memory.

    With `spreadsheet_safe` no spreadsheet runs a text of the .tsv as a formula (see `LabelWriter`). ``report.json``
    holds the counts and a hash of each file: if one of two calls was killed, files that do not belong together are
    refused on reading.

    Returns
    -------
    dict
        ``{name: {"positive": rows, "negative": rows}}``; rows without a label, which only the two originals can hold,
        are counted as ``"unlabelled"`` if there are any.
    """
    if format not in ("tsv", "parquet"):
        raise PairsError(f"format {format!r} is not one of 'tsv', 'parquet'")
    closure = _closure_of(closure, "write_datasets")
    graph = closure.graph
    turned = _edges_to_flip(graph, kept)

    def rows(out: LabelWriter) -> Iterator[tuple]:
        for part in _row_parts(graph, turned):
            text_a = out.prepare(part["text_a"])
            text_b = out.prepare(part["text_b"])
            label = part["label"]
            yield text_a, text_b, label, label.mask(part["flipped"], 1)

    def labels(out: LabelWriter) -> Iterator[tuple]:
        texts = _text_function(graph, out)
        for a, b, label, flipped_label in labels_of(closure, turned, progress):
            yield texts(a), texts(b), label, flipped_label

    counts = {}
    with atomic_write(folder, folder=True, inputs=graph.inputs) as stage:
        for name, parts in (("original", rows), ("augmented", labels)):
            with (
                LabelWriter(stage / f"{name}.{format}", spreadsheet_safe) as plain,
                LabelWriter(stage / f"{name}_flipped.{format}", spreadsheet_safe) as flipped,
            ):
                for text_a, text_b, label, flipped_label in parts(plain):
                    plain.write(text_a, text_b, label)
                    flipped.write(text_a, text_b, flipped_label)
            counts[name] = plain.counts()
            counts[f"{name}_flipped"] = flipped.counts()
        write_record(counts, stage / "report.json")
    return counts


def _row_parts(graph: ParaphraseGraph, turned: Array) -> Iterator[dict[str, Any]]:
    """The rows, part by part: both texts, the label, and a flag: is the pair to be flipped?"""
    index = PairIndex.of(*graph.ends(turned), graph.n)
    for pairs, a, b in graph.row_parts():
        part = {"text_a": column(pairs, "text_a"), "text_b": column(pairs, "text_b")}
        label = pairs["label"].astype("Int8")
        part["label"] = label.reset_index(drop=True)
        part["flipped"] = index.places(a, b) >= 0
        yield part


def labels_of(
    closure: Closure, turned: Array, progress: bool = True
) -> Iterator[tuple[Array, ...]]:
    """All labels, stated and inferred, part by part: both nodes, the label, and the label after flipping."""
    graph = closure.graph
    stated = (graph.edge_sign > 0).astype(np.int8)
    for start in range(0, len(stated), BATCH):
        part = slice(start, start + BATCH)
        a, b = graph.ends(part)
        label = stated[part]
        yield a, b, label, label | turned[part]
    bar = "writing" if progress else None
    for batch in closure.batches(progress=bar):
        yield batch.a, batch.b, batch.label, batch.label


def _text_function(
    graph: ParaphraseGraph, out: LabelWriter
) -> Callable[[Array], pa.LargeStringArray]:
    """A function that turns nodes into sentences, prepared for a file."""
    sentences = graph.sentences
    if sentences.nbytes > 1 << 28:  # no second copy of all of them in memory
        return lambda nodes: out.prepare(sentences.take(pa.array(nodes)))
    sentences = out.prepare(sentences)
    return lambda nodes: sentences.take(pa.array(nodes))


def _closure_of(source: Closure | ParaphraseGraph, name: str) -> Closure:
    if isinstance(source, Closure):
        return source
    return infer(checked_graph(source, name))


def _edges_to_flip(graph: ParaphraseGraph, kept: Array | None) -> Array:
    """Flags of the edges to flip: the within-conflicts, except those that a person keeps."""
    turned = graph.negatives_inside
    if kept is None:
        return turned
    if np.shape(kept) != turned.shape:
        raise PairsError(f"kept is not a mask of the {len(turned):,} pairs that the graph states")
    return turned & ~kept
