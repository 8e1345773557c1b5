"""Blocks with an unbalanced cycle: the parts of a graph in which frustration is to be found."""

from __future__ import annotations

import numpy as np

from ..graph.bridges import blocks
from .signed import SignedGraph
from .verdict import first_camps, misfits

__all__ = ["blocks", "unbalanced_blocks"]


def unbalanced_blocks(signed: SignedGraph, kind: str) -> list[np.ndarray]:
    """Return the edges of each block that holds an unbalanced cycle, smallest first.

    An edge that does not fit the camps of a spanning forest closes an unbalanced cycle with edges of the forest, in
    its own block. Weak: the same holds of a negative inside a positive part; other negatives lie on no such cycle.
    """
    wrong = misfits(signed, first_camps(signed, kind))
    edges = np.flatnonzero(wrong | (signed.sign > 0) | (kind == "strong"))
    label = blocks(signed.n, signed.a[edges], signed.b[edges])
    order = np.argsort(label, kind="stable")
    each = np.split(edges[order], np.flatnonzero(np.diff(label[order])) + 1)
    return sorted((block for block in each if wrong[block].any()), key=len)
