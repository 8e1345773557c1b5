"""A table of pairs to review: its rows as sentences of a graph, each with the label to judge."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...graph import ParaphraseGraph
from ...graph.arrays import pair_keys
from ...graph.closure import known_labels
from ...graph.search import nodes_of
from ...pairs import PairsError
from ...pairs.tables import canonical, refuse, row_name

__all__ = ["PairTable", "pair_table"]


class PairTable(NamedTuple):
    """Pairs with a label to judge, in their order."""

    graph: ParaphraseGraph
    texts: list[tuple[str, str]]
    nodes: np.ndarray  #: of both sentences, one row a pair
    label: np.ndarray  #: 0 or 1
    known: np.ndarray  #: the label by the graph: 0, 1, or -1 where nothing follows
    stated: np.ndarray  #: bool: does the graph state it?
    blank: np.ndarray  #: bool: nobody gave a label, and none follows; it counts as 0
    facts: pd.DataFrame  #: the other columns
    repeats: int  #: rows left out, because they name a pair of an earlier row with its label again


def pair_table(table: pd.DataFrame, graph: ParaphraseGraph | None = None, blank: bool = False) -> PairTable:
    """Read a table with the columns `text_a`, `text_b`, and `label` or a graph.

    A missing label is taken from the graph, stated or inferred; without a graph, one is made from the rows. With
    `blank`, labels may be missing.

    Raises
    ------
    PairsError
        Columns are missing; a sentence is empty or not in the graph; a label is not 0 or 1, or is missing and cannot
        be inferred; two rows give one pair different labels.
    """
    if (again := table.columns.duplicated()).any():
        raise PairsError(
            f"the table has columns more than once: {table.columns[again].tolist()}; rename or drop them"
        )
    table = canonical(table, "a table of pairs to review").reset_index(drop=True)
    texts = {name: table[name].tolist() for name in ("text_a", "text_b")}
    for name, column in texts.items():
        # No log can hold a NUL character or half a surrogate pair.
        wrong = [not isinstance(t, str) or not t.strip() or re.search("[\0\ud800-\udfff]", t) for t in column]
        refuse(table, wrong, lambda row, name=name: f"{name} {row[name]!r} is not a sentence; leave the row out")
    given = table["label"] if "label" in table else pd.Series(pd.NA, table.index, dtype=object)
    label = pd.to_numeric(given, errors="coerce").astype("Float64")
    odd = (given.notna() & ~label.isin([0, 1])).to_numpy(bool)
    refuse(table, odd, lambda row: f"label {row['label']!r} is not one of 0, 1")
    if graph is None:
        if "label" not in table and not blank:
            raise PairsError("which labels are to be judged? Add a column label (0, 1), or give the graph")
        graph = ParaphraseGraph.from_pairs(pd.DataFrame(texts | {"label": label.astype("Int8")}))
    a, b = (nodes_of(graph, column) for column in texts.values())
    missing = "is not in the graph; give the graph of these data, or none"
    for nodes, name in zip((a, b), texts, strict=True):
        refuse(table, nodes < 0, lambda row, name=name: f"{row[name]!r} {missing}")
    known, stated = known_labels(graph, a, b)
    alone = a == b
    known[alone], stated[alone] = (
        ~np.isin(a[alone], graph.denied),
        [len(graph.rows_between(x, x)) > 0 for x in a[alone]],
    )
    label = label.fillna(pd.Series(known).where(known >= 0)).astype("Float64")
    none = label.isna().to_numpy()
    nothing = "there is no label to judge, and none follows from the graph; add a column label"
    refuse(table, none & (not blank), lambda row: nothing)
    label = label.fillna(0).to_numpy(np.int8)
    _, first, which = np.unique(pair_keys(a, b, graph.n), return_index=True, return_inverse=True)
    wrong = label[first[which]] != label
    earlier = row_name(table, int(first[which[np.argmax(wrong)]])) if wrong.any() else ""
    refuse(table, wrong, lambda row: f"{earlier} gives this pair another label; keep one of them")
    first.sort()
    facts = table.drop(columns=["text_a", "text_b", "label"], errors="ignore").iloc[first].reset_index(drop=True)
    pairs = list(zip(*texts.values(), strict=True))
    columns = (column[first] for column in (np.stack([a, b], axis=1), label, known, stated, none))
    return PairTable(graph, [pairs[i] for i in first], *columns, facts, len(table) - len(first))
