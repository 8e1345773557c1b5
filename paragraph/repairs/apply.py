"""Labels changed in a copy: by proposals, or by what people decided."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import group
from ..pairs import PairsError

__all__ = ["apply_repairs", "effects_of", "relabelled"]

CUT = {"drop": "dropped", "negative": "becomes 0"}


def apply_repairs(graph: ParaphraseGraph, repairs: pd.DataFrame, cut: str = "drop") -> ParaphraseGraph:
    """A new graph with the proposals of a table applied; the given graph is not changed.

    *flip*: every row of the pair becomes 1. *cut*: the rows of all its `changes` are dropped, or become 0. *unsure*:
    nothing changes. ``.pairs.attrs["repairs"]`` lists each changed pair with its effect and its rows.

    Parameters
    ----------
    repairs : DataFrame
        As `repair` returns it, whole or in part.
    cut : {"drop", "negative"}

    Raises
    ------
    PairsError
        A graph without rows; an unknown option or proposal; a pair that the graph does not state.

    Examples
    --------
    >>> from paragraph import repair
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)
    >>> opinions = pairs[["text_a", "text_b"]].assign(model=[0.9, 0.1, 0.1])
    >>> repaired = apply_repairs(graph, repair(graph, opinions))
    >>> repaired.pairs.values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> repaired.pairs.attrs["repairs"]
    [{'text_a': 'b', 'text_b': 'c', 'effect': 'dropped', 'rows': [1]}]
    """
    known, effects = effects_of(cut), {}
    for proposal, changes in zip(repairs["proposal"], repairs["changes"], strict=True):
        if proposal not in ("flip", "cut", "unsure"):
            raise PairsError(f"proposal {proposal!r} is not one of 'flip', 'cut', 'unsure'")
        if proposal != "unsure":
            effects |= dict.fromkeys((_edge(graph, *pair) for pair in changes), known[proposal])
    pairs, rows = relabelled(graph, effects)
    listed = []
    for edge, effect in sorted(effects.items()):
        a, b = graph.texts([graph.edge_a[edge], graph.edge_b[edge]])
        listed.append({"text_a": a, "text_b": b, "effect": effect, "rows": rows[edge]})
    pairs.attrs["repairs"] = listed
    return ParaphraseGraph.from_pairs(pairs, graph.identity)


def effects_of(cut: str = "drop") -> dict[str, str]:
    """What each decision does to the rows of the pair that it changes: the effects that `relabelled` knows."""
    if cut not in CUT:
        raise PairsError(f"cut {cut!r} is not one of 'drop', 'negative'")
    return {"flip": "becomes 1", "cut": CUT[cut], "keep": "stays", "ambiguous": "dropped"}


def relabelled(
    graph: ParaphraseGraph, effects: Mapping[int, str], ids: Mapping[int, str] | None = None
) -> tuple[pd.DataFrame, dict[int, list[int]]]:
    """The rows of a graph with labels changed in a copy, and the row numbers of each changed edge.

    All rows of a pair change, unlabelled ones too. Numbers are those of the source (column `row`), or places.

    Parameters
    ----------
    effects : dict
        For each edge to change "becomes 1", "becomes 0", "dropped" or "stays".
    ids : dict, optional
        For each edge the decision behind the change, which column `decided` takes up.
    """
    if graph.pairs is None:
        raise PairsError("this graph was made from codes; it has no rows to change")
    pairs, label = graph.pairs, graph.pairs["label"].astype("Int8").array.copy()
    dropped = np.zeros(len(pairs), dtype=bool)
    decided = (pairs["decided"] if "decided" in pairs else pd.Series("", pairs.index)).to_numpy(object, copy=True)
    numbers = pairs["row"].to_numpy() if "row" in pairs else np.arange(len(pairs))
    rows = np.flatnonzero(graph.row_edge >= 0)
    starts, rows = group(graph.row_edge[rows], len(graph.edge_a), rows)
    changed = {}
    for edge, effect in effects.items():
        at = rows[starts[edge] : starts[edge + 1]]
        changed[edge] = numbers[at].tolist()
        if effect == "dropped":
            dropped[at] = True
        elif effect != "stays":
            label[at] = int(effect[-1])
        if ids:
            decided[at] = ids[edge]
    columns = {"label": label} | ({} if ids is None else {"decided": pd.array(decided, dtype="str")})
    found = pairs.assign(**columns)[~dropped].reset_index(drop=True)
    found.attrs = dict(pairs.attrs)
    return found, changed


def _edge(graph: ParaphraseGraph, a: str, b: str) -> int:
    edge = graph.edge_between(graph.node(a), graph.node(b))
    if edge < 0:
        raise PairsError(f"{a!r} and {b!r} are not a stated pair of this graph")
    return edge
