"""Distance of inferred labels: its two units, and the rules for negatives that carry over."""

from __future__ import annotations

import numpy as np

from ..files import PairsError
from ..files.errors import check_int
from .arrays import Array

__all__ = [
    "CONVENTIONS",
    "RULES",
    "carrying",
    "check_rule",
    "check_transitive",
    "distance",
    "longest_path",
]

#: The rules for stated negatives that carry over, and the units of distance: see `closure.infer`.
RULES = ("all", "clusters")
CONVENTIONS = ("rounds", "hops")


def check_rule(negatives: str) -> None:
    """Raise `PairsError` unless the rule for negatives is known."""
    if negatives not in RULES:
        raise PairsError(f"negatives {negatives!r} is not one of {', '.join(map(repr, RULES))}")


def check_transitive(graph) -> None:
    """Raise `PairsError` unless labels follow from others in these data."""
    if graph.bipartite:
        raise PairsError(
            "these pairs are bipartite: their two sides are different things, such as question and answer, so "
            "'paraphrase' is not transitive and nothing can be inferred; use the pair table and the graph as they are"
        )


def carrying(size_a: Array, size_b: Array, negatives: str) -> Array:
    """Mark where a stated negative between clusters of these sizes carries over to their other pairs.

    Examples
    --------
    >>> sizes = np.array([2, 2, 1]), np.array([3, 1, 1])
    >>> carrying(*sizes, "all"), carrying(*sizes, "clusters")
    (array([ True,  True,  True]), array([ True, False, False]))
    """
    if negatives == "clusters":
        return np.minimum(size_a, size_b) > 1
    return np.ones(np.shape(size_a), dtype=bool)


def distance(edges: Array, sign: int, convention: str = "rounds") -> Array:
    """Distance of inferred labels from the number of positive edges their proofs use.

    Parameters
    ----------
    edges : integer array
        Length of the path for a positive (2 or more); positive edges on both sides of the negative one for a
        negative (1 or more).
    convention : {"rounds", "hops"}
        ``"rounds"``: the closure round in which the label appears when each round composes everything known
        so far: ⌈log₂ length⌉, ⌈log₂(p + 1)⌉ (Jurišić, Miličević and Srzić 2023, section 3). ``"hops"``:
        length − 1, and p.

    Examples
    --------
    >>> distance(np.array([2, 3, 4, 5, 8, 9]), +1)
    array([1, 2, 2, 3, 3, 4])
    >>> distance(np.array([1, 2, 3, 4, 7, 8]), -1)
    array([1, 2, 2, 3, 3, 4])
    >>> distance(np.array([2, 3]), +1, "hops"), distance(np.array([1, 2]), -1, "hops")
    (array([1, 2]), array([1, 2]))
    """
    # a negative edge counts as one step as well
    length = np.asarray(edges, dtype=np.int64) + (sign < 0)
    if convention == "hops":
        return length - 1
    if convention == "rounds":
        _, bits = np.frexp(length - 1)  # ⌈log₂ x⌉ is the bit length of x − 1
        return bits.astype(np.int64)
    raise PairsError(f"distance {convention!r} is not one of {', '.join(map(repr, CONVENTIONS))}")


def longest_path(max_distance: int | None, sign: int, convention: str) -> int | None:
    """The most positive edges that a proof within `max_distance` may use; None without a limit.

    >>> longest_path(2, +1, "rounds"), longest_path(2, -1, "rounds"), longest_path(2, +1, "hops")
    (4, 3, 3)
    """
    distance(np.array([2]), sign, convention)  # raises if the convention is unknown
    if max_distance is None:
        return None
    check_int("max_distance", max_distance)
    longest = max_distance + 1
    if convention == "rounds":
        longest = 2 ** min(max_distance, 62)  # an int64 goes no further
    return longest - (sign < 0)
