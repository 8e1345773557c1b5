"""Pairs that a person judged: do the two sentences mean the same, whatever label they have?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..graph.identity import column, row_name
from ..graph.search import nodes_of
from ..pairs import PairsError
from ..pairs.columns import canonical
from .strata import KINDS, Strata

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["Judged", "judged_pairs", "judged_table", "refuse"]

WHERE = "leave the row out, or give the graph of the file that the sample was drawn from"


@dataclass(frozen=True)
class Judged:
    """Pairs of a graph that were judged: one entry a pair in each array."""

    a: np.ndarray  #: node of one sentence
    b: np.ndarray  #: node of the other
    same: np.ndarray  #: bool
    kind: np.ndarray  #: place in `KINDS`
    size: np.ndarray  #: place in `SIZES`
    edge: np.ndarray  #: the stated label, or −1
    left: int  #: pairs named without a judgement
    elsewhere: int = 0  #: pairs of a log that are none of these kinds

    @property
    def wrong(self) -> np.ndarray:
        """Flags of the pairs whose label, stated or inferred, is wrong."""
        return self.same != np.array(list(KINDS.values()), dtype=bool)[self.kind]


def judged_pairs(graph: ParaphraseGraph, judged: Any, strata: Strata | None = None) -> Judged:
    """Read a table of judged pairs: columns `text_a`, `text_b`, `same` (1, 0, empty), in any order of rows.

    Parameters
    ----------
    judged : DataFrame, or a log or review with a method `judged` that gives one
        A log may serve more than one purpose: its judgements of other pairs are left out, and counted.

    Raises
    ------
    PairsError
        Naming the row: a `same` that is not 1, 0 or empty; a sentence that is not in the graph; a pair that is
        neither stated nor inside a cluster; two rows that judge one pair differently.

    Examples
    --------
    >>> from paragraph import ParaphraseGraph
    >>> pairs = pd.DataFrame({"text_a": ["a", "b"], "text_b": ["b", "c"], "label": [1, 1]})
    >>> table = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["b", "a"], "same": [1, 0]})
    >>> judged_pairs(ParaphraseGraph.from_pairs(pairs), table).wrong.tolist()
    [False, True]
    """
    table, same = judged_table(judged)
    strata, elsewhere = strata or Strata(graph), 0
    ends = np.array([nodes_of(graph, column(table, name).to_pylist()) for name in ("text_a", "text_b")])
    if table.attrs.get("log"):
        here = (ends >= 0).all(axis=0)
        here[here] = strata.of(*ends[:, here])[0] >= 0
        elsewhere = int(np.count_nonzero(~here))
        table, same, ends = table[here], same[here], ends[:, here]
    for name, nodes in zip(("text_a", "text_b"), ends, strict=True):
        refuse(table, nodes < 0, lambda row, name=name: f"{row[name]!r} is not in the data; {WHERE}")
    a, b = np.sort(ends, axis=0)
    kind, size = strata.of(a, b)
    no_pair = "neither a stated pair nor in one cluster"
    refuse(table, kind < 0, lambda row: f"{row['text_a']!r} and {row['text_b']!r} are {no_pair}; {WHERE}")
    known = np.flatnonzero(~np.isnan(same))
    _, first, which = np.unique(np.stack([a, b])[:, known], axis=1, return_index=True, return_inverse=True)
    differ = np.zeros(len(table), dtype=bool)
    differ[known] = same[known] != same[known[first[which]]]
    if differ.any():
        at = int(np.argmax(differ))
        other = int(known[first[which[known == at][0]]])
        raise PairsError(f"{row_name(table, other)} and {row_name(table, at)} judge one pair differently")
    rows = np.sort(known[first])
    named = len(np.unique(np.stack([a, b]), axis=1).T)
    edge = graph.edge_index.places(a, b)
    return Judged(*(each[rows] for each in (a, b, same == 1, kind, size, edge)), named - len(rows), elsewhere)


def judged_table(judged: Any) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a table of judged pairs, or that of a log or review; and its judgements as 1, 0 or NaN."""
    if not isinstance(judged, pd.DataFrame):
        if not hasattr(judged, "judged"):
            raise PairsError(f"a table of judged pairs, a log or a review is expected, not {type(judged).__name__}")
        judged = judged.judged()
    table = canonical(judged, "a table of judged pairs")
    if "same" not in table:
        raise PairsError("a table of judged pairs needs the column same (1, 0 or empty)")
    given = table["same"].map(lambda value: value.strip() if isinstance(value, str) else value)
    blank = given.isna() | given.isin([""])
    found = pd.to_numeric(given.where(~blank).astype(object), errors="coerce").to_numpy(float, na_value=np.nan)
    odd = ~blank.to_numpy() & (found != 0) & (found != 1)
    refuse(table, odd, lambda row: f"same {row['same']!r} is not 1, 0 or empty")
    return table, found


def refuse(table: pd.DataFrame, odd: np.ndarray, why: Callable[[pd.Series], str]) -> None:
    """Raise `PairsError` for the first odd row of a table, if there is one; `why` says what is wrong with it."""
    if np.any(odd):
        at = int(np.argmax(odd))
        raise PairsError(f"{row_name(table, at)}: {why(table.iloc[at])}")
