"""A table of pairs to review: its rows as sentences of a graph, each with the label to judge."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..graph.identity import row_name
from ..graph.search import nodes_of
from ..pairs import PairsError
from ..pairs.columns import canonical

__all__ = ["PairTable", "in_words", "known_labels", "pair_table"]


class PairTable(NamedTuple):
    """Pairs with a label to judge, in their order."""

    graph: ParaphraseGraph
    text_a: list[str]
    text_b: list[str]
    a: np.ndarray  #: node of each first sentence
    b: np.ndarray  #: node of each second sentence
    label: np.ndarray  #: 0 or 1
    known: np.ndarray  #: what the graph says: 0, 1, or -1 where nothing follows
    stated: np.ndarray  #: whether the graph states it (bool)
    facts: pd.DataFrame  #: the other columns
    repeats: int  #: rows left out, because they name a pair of an earlier row with its label again


def pair_table(table: pd.DataFrame, graph: ParaphraseGraph | None = None) -> PairTable:
    """Read a table with the columns `text_a`, `text_b`, and `label` or a graph.

    Where the label is missing, it is what the graph states or what follows from it; without a graph, one is made
    from the rows.

    Raises
    ------
    PairsError
        Columns are missing; a sentence is empty, paired with itself or not in the graph; a label is not 0 or 1, is
        missing and follows from nothing; two rows give one pair different labels.
    """
    if (again := table.columns.duplicated()).any():
        raise PairsError(
            f"the table has columns more than once: {table.columns[again].tolist()}; rename or drop them"
        )
    table = canonical(table, "a table of pairs to review").reset_index(drop=True)
    texts = [_texts(table, name) for name in ("text_a", "text_b")]
    label = _labels(table)
    if graph is None:
        if "label" not in table:
            raise PairsError("which labels are to be judged? Add a column label (0, 1), or give the graph")
        rows = pd.DataFrame({"text_a": texts[0], "text_b": texts[1], "label": pd.array(label, dtype="Int8")})
        graph = ParaphraseGraph.from_pairs(rows)
    a, b = (_nodes(table, graph, column) for column in texts)
    if (same := a == b).any():
        at = int(np.argmax(same))
        raise PairsError(f"{row_name(table, at)}: a sentence is paired with itself: {texts[0][at]!r}; leave it out")
    known, stated = known_labels(graph, a, b)
    label = label.fillna(pd.Series(known).where(known >= 0)).astype("Float64")
    if (gone := label.isna().to_numpy()).any():
        where = row_name(table, int(np.argmax(gone)))
        raise PairsError(f"{where}: there is no label to judge, and none follows from the graph; add a column label")
    label = label.to_numpy(np.int8)
    first = _first_rows(table, pair_keys(a, b, graph.n), label)
    facts = table.drop(columns=["text_a", "text_b", "label"], errors="ignore").iloc[first].reset_index(drop=True)
    return PairTable(
        graph, *([column[i] for i in first.tolist()] for column in texts),
        *(column[first] for column in (a, b, label, known, stated)), facts, len(table) - len(first),
    )  # fmt: skip


def known_labels(graph: ParaphraseGraph, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the graph says of pairs of nodes: 1, 0 or -1 (nothing), and whether it states it.

    Inferred labels are those of `infer` without a limit, under the rule "all". A stated one goes before.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c", "x"], "text_b": ["b", "c", "x", "y"], "label": [1, 1, 0, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)  # a b c are one cluster, x and y stand alone
    >>> known, stated = known_labels(graph, np.array([0, 0, 0, 0]), np.array([1, 2, 3, 4]))
    >>> known.tolist(), stated.tolist()
    ([1, 1, 0, -1], [True, False, False, False])
    """
    edge = graph.edge_index.places(a, b)
    stated = edge >= 0
    known = np.full(len(edge), -1, dtype=np.int8)
    if not graph.bipartite:
        home, away = graph.cluster_of[a], graph.cluster_of[b]
        k, links = len(graph.cluster_sizes), graph.links
        known[np.isin(pair_keys(home, away, k), pair_keys(links.a, links.b, k))] = 0
        known[home == away] = 1
    known[stated] = graph.edge_sign[edge[stated]] > 0
    return known, stated


def in_words(value: Any) -> str:
    """A value of a table in a few words."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {in_words(one)}" for key, one in value.items()) or "–"
    if isinstance(value, list | tuple | np.ndarray):
        return ", ".join(map(in_words, value)) or "–"
    if pd.isna(value):
        return "–"
    return f"{value:.3g}" if isinstance(value, float | np.floating) else str(value)


def _texts(table: pd.DataFrame, name: str) -> list[str]:
    found = table[name].tolist()
    for at, text in enumerate(found):
        # No log can hold a NUL character or half a surrogate pair.
        if not isinstance(text, str) or not text.strip() or re.search("[\0\ud800-\udfff]", text):
            raise PairsError(f"{row_name(table, at)}: {name} {text!r} is not a sentence; leave the row out")
    return found


def _labels(table: pd.DataFrame) -> pd.Series:
    if "label" not in table:
        return pd.Series(pd.NA, index=table.index, dtype="Float64")
    found = pd.to_numeric(table["label"], errors="coerce").astype("Float64")
    odd = (table["label"].notna() & ~found.isin([0, 1])).to_numpy()
    if odd.any():
        at = int(np.argmax(odd))
        raise PairsError(f"{row_name(table, at)}: label {table['label'].iloc[at]!r} is not one of 0, 1")
    return found


def _nodes(table: pd.DataFrame, graph: ParaphraseGraph, texts: list[str]) -> np.ndarray:
    nodes = nodes_of(graph, texts)
    if (gone := nodes < 0).any():
        at = int(np.argmax(gone))
        where = row_name(table, at)
        raise PairsError(f"{where}: {texts[at]!r} is not in the graph; give the graph of these data, or none")
    return nodes


def _first_rows(table: pd.DataFrame, pair: np.ndarray, label: np.ndarray) -> np.ndarray:
    """The first row of each pair."""
    _, first, which = np.unique(pair, return_index=True, return_inverse=True)
    before = first[which]
    if (conflicting := label[before] != label).any():
        at = int(np.argmax(conflicting))
        both = f"{row_name(table, int(before[at]))} and {row_name(table, at)}"
        raise PairsError(f"{both} give one pair different labels; keep one of them")
    return np.sort(first)
