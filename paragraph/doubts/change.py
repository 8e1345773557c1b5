"""Change the labels of a graph: apply proposals, replay answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_type
from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..graph.core import checked_graph

__all__ = ["apply_repairs", "relabelled"]

#: The effects of a cut on the rows of a positive.
CUT = {"drop": "dropped", "negative": "becomes 0"}


def apply_repairs(graph: ParaphraseGraph, repairs: pd.DataFrame, cut: str = "drop") -> ParaphraseGraph:
    """Return a new graph with the proposals of a table applied; the given graph is not changed.

    *flip*: every row of the pair becomes 1. *cut*: the rows of all its `changes` that do not say 0 are dropped, or
    become 0. *unsure*, *none*: nothing changes. ``.pairs.attrs["repairs"]`` lists each changed pair with its effect
    and rows.

    Parameters
    ----------
    repairs : DataFrame
        The result of `repair`, whole or in part.
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
    >>> repaired = apply_repairs(graph, repair(graph, judge=opinions))
    >>> repaired.pairs.values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> repaired.pairs.attrs["repairs"]
    [{'text_a': 'b', 'text_b': 'c', 'effect': 'dropped', 'rows': [1]}]
    """
    check_type(repairs, pd.DataFrame, "apply_repairs", "a table", "apply_repairs(graph, pg.repair(graph))")
    if not {"proposal", "changes"} <= {*repairs}:
        raise PairsError("a table of repairs has proposal and changes, like that of pg.repair(graph)")
    checked_graph(graph, "apply_repairs")
    named, same = [], []
    for proposal, changes in zip(repairs["proposal"], repairs["changes"], strict=True):
        if proposal not in ("flip", "cut", "unsure", "none"):
            raise PairsError(f"proposal {proposal!r} is not one of 'flip', 'cut', 'unsure', 'none'")
        if proposal in ("flip", "cut"):
            named += changes
            same += [int(proposal == "flip")] * len(changes)
    nodes = graph.pair_nodes(pd.DataFrame(named, columns=["text_a", "text_b"]))
    found = graph.edge_index.places(*nodes).tolist()
    for a, b in [pair for pair, edge in zip(named, found, strict=True) if edge < 0]:
        graph.node(a), graph.node(b)  # one that is not in the graph is named, with the nearest
        raise PairsError(f"{a!r} and {b!r} are not a stated pair of this graph")
    wishes = dict(sorted(zip(found, same, strict=True)))
    ends = graph.ends(np.array([*wishes], dtype=np.int64))
    pairs, _, effects = relabelled(graph, ends, [*wishes.values()], cut)
    repaired = ParaphraseGraph.from_pairs(pairs, graph.identity)
    repaired.pairs.attrs["repairs"] = [  # last, for pandas copies it at every step
        {"text_a": a, "text_b": b, "effect": effect, "rows": rows}
        for (effect, rows), a, b in zip(effects, *map(graph.texts, ends), strict=True)
    ]
    return repaired


def relabelled(
    graph: ParaphraseGraph,
    ends: np.ndarray,
    same: Sequence[int | None],
    cut: str = "drop",
    ids: Sequence[str] | None = None,
) -> tuple[pd.DataFrame, np.ndarray, list[tuple[str, list[int]]]]:
    """A copy of the rows of a graph with changed labels, the effect on each row, and that on each pair with its rows.

    If the two are the same, the rows of the pair become 1; if they are not, those that do not say 0 are dropped or
    become 0; if nobody can say (None), all are dropped. A row without a label changes if others of its pair do. The
    effect on a row is "becomes 1", "becomes 0", "dropped", "stays", or "" if its pair is none of these. Of a pair,
    the rows that change are listed with their effect, or all of them with "stays"; their numbers are those of the
    source (column `row`), or places.

    Parameters
    ----------
    ends : int array, shape (2, pairs)
        The nodes of distinct pairs; the same node twice for a pair of a sentence with itself.
    cut : {"drop", "negative"}
    ids : list of str, optional
        The answer behind each pair, which goes into the column `decided`.
    """
    if graph.pairs is None:
        raise PairsError("this graph was made from codes; it has no rows to change")
    if cut not in CUT:
        raise PairsError(f"cut {cut!r} is not one of 'drop', 'negative'")
    pairs, sign = graph.pairs, np.asarray(graph.row_sign)
    wanted = pd.Index(pair_keys(*ends, graph.n))
    place = wanted.get_indexer(pair_keys(graph.row_a, graph.row_b, graph.n))
    hit = np.flatnonzero(place >= 0)
    at, sign = place[hit], sign[hit]
    wish = np.array([0 if one is None else 2 * one - 1 for one in same], dtype=np.int64)[at]
    turned = np.isin(at, at[(sign != wish) & (sign != 0) | (wish == 0)])
    changes = turned & ((sign != wish) | (wish == 0))
    effect = np.full(len(pairs), "", dtype=object)
    effect[hit] = np.where(changes, np.array(["dropped", "becomes 1", CUT[cut]], dtype=object)[wish], "stays")
    label = pairs["label"].astype("Int8").mask(effect == "becomes 1", 1).mask(effect == "becomes 0", 0)
    columns = {"label": label.array}
    if ids is not None:
        decided = np.array(pairs["decided"] if "decided" in pairs else [""] * len(pairs), dtype=object)
        decided[hit] = np.array([*ids, ""], dtype=object)[at]
        columns["decided"] = pd.array(decided, dtype="str")
    found = pairs.assign(**columns)[effect != "dropped"].reset_index(drop=True)
    found.attrs = dict(pairs.attrs)
    effects, rows = ["stays"] * len(wanted), [[] for _ in wanted]
    listed = changes | ~turned
    numbers = np.asarray(pairs.get("row", np.arange(len(pairs))))[hit]
    for i, number, what in zip(at[listed], numbers[listed].tolist(), effect[hit][listed], strict=True):
        effects[i] = what
        rows[i].append(number)
    return found, effect, [*zip(effects, rows, strict=True)]
