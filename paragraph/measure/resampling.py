"""Drawing training sets anew: pairs that share sentences depend on each other, so whole groups of them are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.arrays import pair_keys as keys_of
from ..graph.identity import identify

__all__ = ["Units", "bootstrap", "pair_keys", "units_of"]

#: Columns that say which unit each end of a pair lies in.
ENDS = ["unit_a", "unit_b"]


@dataclass(frozen=True)
class Units:
    """What is drawn as a whole: components of a graph, or its clusters."""

    kind: str  #: "components" or "clusters"
    count: int
    graph: ParaphraseGraph
    of_node: np.ndarray

    def mark(self, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
        """The tables, of sentences that are all in the graph, with two columns `unit_a`, `unit_b`."""
        columns = ["text_a", "text_b"]
        # The graph's own rows come first, so that sentences get the numbers they have there.
        found = identify(pd.concat([self.graph.pairs[columns], *(t[columns] for t in tables.values())]))
        bounds = np.cumsum([len(self.graph.pairs), *map(len, tables.values())])[:-1]
        ends = [np.split(self.of_node[codes], bounds)[1:] for codes in (found.a, found.b)]
        return {
            name: table.assign(**dict(zip(ENDS, of_row, strict=True)))
            for (name, table), *of_row in zip(tables.items(), *ends, strict=True)
        }


def units_of(graph: ParaphraseGraph) -> Units:
    """Components of the graph, over all its rows; clusters where one component holds more than half of the rows.

    Such a component would make every draw nearly all or nearly nothing.
    """
    component = connected(graph.n, graph.row_a, graph.row_b)
    rows = np.bincount(component[graph.row_a])
    if rows.max(initial=0) <= len(graph.row_a) / 2:
        return Units("components", int(component.max(initial=-1)) + 1, graph, component)
    return Units("clusters", len(graph.cluster_sizes), graph, graph.cluster_of)


def bootstrap(table: pd.DataFrame, count: int, seed: int) -> pd.DataFrame:
    """Rows as often as their unit was drawn, when as many of `count` units are drawn as there are.

    A row between two units (clusters) occurs as often as both together, the product of the two: the pigeonhole
    bootstrap (Owen 2007), under which each row occurs once on average, and which is rather too wide than too
    narrow. Tables marked with the same units get the same draw, so that training sets differ by their rows and
    labels, and not by luck.

    Examples
    --------
    >>> table = pd.DataFrame({"text_a": [*"abc"], "text_b": [*"bcd"], "unit_a": [0, 0, 0], "unit_b": [0, 0, 1]})
    >>> [bootstrap(table, 2, seed)["text_a"].tolist() for seed in (2, 3, 4)]
    [['a', 'b', 'c'], [], ['a', 'a', 'b', 'b']]
    """
    times = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count))
    a, b = (table[end].to_numpy() for end in ENDS)
    often = times[a] * np.where(a == b, 1, times[b])
    return table.iloc[np.repeat(np.arange(len(table)), often)]


def pair_keys(*tables: pd.DataFrame) -> list[np.ndarray]:
    """For every row of each table the number of its unordered pair: the same number in all the tables."""
    columns = ["text_a", "text_b"]
    found = identify(pd.concat([table[columns] for table in tables], ignore_index=True))
    keys = keys_of(found.a, found.b, len(found.texts))
    return np.split(keys, np.cumsum([len(table) for table in tables])[:-1])
