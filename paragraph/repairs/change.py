"""Change the labels of a graph: proposals applied, decisions replayed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.core import checked_graph
from ..graph.search import nodes_of
from ..pairs import PairsError
from ..pairs.errors import taken

__all__ = ["apply_repairs", "effects_of", "relabelled"]

#: What a cut does to the rows of a positive.
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
    taken(repairs, pd.DataFrame, "apply_repairs", "a table", "apply_repairs(graph, pg.repair(graph))")
    if not {"proposal", "changes"} <= {*repairs}:
        raise PairsError("a table of repairs has proposal and changes, as pg.repair(graph) makes it")
    known, effects, wanted = effects_of(cut), {}, []
    for proposal, changes in zip(repairs["proposal"], repairs["changes"], strict=True):
        if proposal not in ("flip", "cut", "unsure"):
            raise PairsError(f"proposal {proposal!r} is not one of 'flip', 'cut', 'unsure'")
        wanted += [(known[proposal], *pair) for pair in changes] if proposal != "unsure" else []
    nodes = nodes_of(checked_graph(graph, "apply_repairs"), [text for _, *pair in wanted for text in pair]).reshape(
        -1, 2
    )
    for (effect, a, b), ends in zip(wanted, nodes.tolist(), strict=True):
        ends = [graph.node(text) if node < 0 else node for text, node in zip((a, b), ends, strict=True)]
        if (edge := graph.edge_between(*ends)) < 0:
            raise PairsError(f"{a!r} and {b!r} are not a stated pair of this graph")
        effects[edge] = effect
    pairs, rows = relabelled(graph, effects)
    edges = sorted(effects)
    ends = zip(edges, *map(graph.texts, graph.ends(edges)), strict=True)
    pairs.attrs["repairs"] = [
        {"text_a": a, "text_b": b, "effect": effects[edge], "rows": rows[edge]} for edge, a, b in ends
    ]
    return ParaphraseGraph.from_pairs(pairs, graph.identity)


def effects_of(cut: str = "drop") -> dict[str, str]:
    """Return the effect of each decision on the rows of the pair that it changes, as `relabelled` knows effects."""
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
    pairs, numbers = graph.pairs, graph.pairs.get("row", np.arange(len(graph.pairs)))
    effect = pd.Series(effects, dtype=object).reindex(graph.row_edge).to_numpy()
    hit = np.flatnonzero(pd.notna(effect))
    changed = pd.Series(np.asarray(numbers)[hit]).groupby(graph.row_edge[hit]).agg(list).to_dict()
    label = pairs["label"].astype("Int8").mask(effect == "becomes 1", 1).mask(effect == "becomes 0", 0)
    columns = {"label": label.array}
    if ids is not None:
        decided = pd.Series(ids, dtype=object).reindex(graph.row_edge).to_numpy()
        decided = np.where(pd.isna(decided), pairs.get("decided", ""), decided)
        columns["decided"] = pd.array(decided, dtype="str")
    found = pairs.assign(**columns)[effect != "dropped"].reset_index(drop=True)
    found.attrs = dict(pairs.attrs)
    return found, changed
