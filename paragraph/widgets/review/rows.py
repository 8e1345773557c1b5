"""The rows of a graph as a review shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...files import PairsError
from ...files.spelling import option
from ...graph import ParaphraseGraph
from ...pairs.beside import columns_beside

__all__ = ["Rows"]


class Rows:
    """The rows of a graph, with the columns of their file that the user wants to see beside them."""

    def __init__(self, graph: ParaphraseGraph, names: Sequence[str] = ()):
        self._graph = graph
        self._columns = {}
        if names:
            if graph.pairs is None:
                raise PairsError(f"{option('show')}: the rows were not kept; leave out the engine")
            self._columns = columns_beside(graph.pairs, names).to_dict("list")

    def beside(self, row: int) -> list[list[str]]:
        """The names and the values of the columns beside a row, without empty ones."""
        return [[name, values[row]] for name, values in self._columns.items() if values[row]]

    def alone(self, node: int) -> list[list[Any]]:
        """The rows that pair a sentence with itself, which are no labels of the graph: name, label, columns."""
        graph = self._graph
        if graph.pairs is None:
            return []
        rows = graph.rows_between(node, node)
        found = []
        for name, row in zip(graph.row_names(rows), rows.tolist(), strict=True):
            found.append([name, int(graph.row_sign[row] > 0), self.beside(row)])
        return found
