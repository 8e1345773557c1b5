"""Shortest unbalanced cycles."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from .blocks import unbalanced_blocks
from .signed import as_signed
from .unbalanced import UnbalancedCycles
from .verdict import balance, first_camps, misfits

__all__ = ["shortest_unbalanced_cycle"]


def shortest_unbalanced_cycle(graph: Any, kind: str = "strong") -> list[Hashable] | None:
    """The names of the nodes along an unbalanced cycle of fewest edges (see `Balance.cycle`), or None.

    Notes
    -----
    O(n m log n) at worst: block by block, shortest paths are searched from ends of edges that do not fit some camps,
    no farther than the length of the shortest cycle that is known.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.cycle_graph(5)
    >>> graph.add_edge(0, 3)
    >>> nx.set_edge_attributes(graph, 1, "sign")
    >>> graph.edges[3, 4]["sign"] = -1
    >>> shortest_unbalanced_cycle(graph, "weak")
    [3, 0, 4]
    """
    signed = as_signed(graph)
    best = balance(signed, kind).cycle
    for edges in unbalanced_blocks(signed, kind) if best else ():
        if len(best) == 3:
            break
        block = signed.part(edges)
        if kind == "strong":  # switching keeps the unbalanced cycles, and leaves few negatives to start from
            block = block.with_sign(np.where(misfits(block, first_camps(block, kind)), -1, 1))
        shorter = UnbalancedCycles(block, kind).violated(np.full(block.m, 1 / len(best)))
        best = min([best, *map(block.named, shorter.values())], key=len)
    return best
