"""Pairs of a graph that people have answered, read from a table, a log or a review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..graph.arrays import Array
from ..pairs.tables import canonical, refuse

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["answer_table", "answered_edges", "answered_pairs"]

NO_PAIR = (
    "neither a stated pair of the data nor in one cluster; leave the row out, or give the graph of the file "
    "that the sample was drawn from"
)


def answered_pairs(graph: ParaphraseGraph, answers: Any) -> pd.DataFrame:
    """Read answers about pairs: columns `text_a`, `text_b`, `same` (1, 0, empty), in any order of rows.

    A column `random` (true, false) says which pairs were drawn at random; without it, all were, as by `audit`.

    Parameters
    ----------
    answers : DataFrame, or a log or review with a method `answered` that gives one; or None
        Answers in a log about pairs of other data are left out, and counted. So is a pair that two rows answer
        differently, as two reviewers may.

    Returns
    -------
    DataFrame
        One row per answered pair: `a`, `b`, its nodes, the lower first; `edge`, the stated label, or −1; `same`;
        `wrong`, true if that contradicts its label, stated or inferred; `random`. ``.attrs`` counts other pairs:
        `left` have no answer, `disputed` were answered both ways, `elsewhere` belong to other data.

    Raises
    ------
    PairsError
        Naming the row: a `same` that is not 1, 0 or empty; a sentence that is not in the graph; a pair that is
        neither stated nor inside a cluster.

    Examples
    --------
    >>> from paragraph import ParaphraseGraph
    >>> pairs = pd.DataFrame({"text_a": ["a", "b"], "text_b": ["b", "c"], "label": [1, 1]})
    >>> table = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["b", "a"], "same": [1, 0]})
    >>> answered_pairs(ParaphraseGraph.from_pairs(pairs), table)["wrong"].tolist()
    [False, True]
    """
    if answers is None:
        answers = pd.DataFrame(columns=["text_a", "text_b", "same"], dtype="str")
    if hasattr(answers, "answered_in"):
        table = answers.answered_in(graph)
        a = table["a"].to_numpy()
        b = table["b"].to_numpy()
        same = table["same"].to_numpy(float, na_value=np.nan)
    else:
        table, same = answer_table(answers)
        a, b = np.sort(graph.pair_nodes(table), axis=0)
    pairs = pd.DataFrame({"a": a, "b": b, "same": same})
    pairs["edge"] = graph.edge_index.places(a, b)
    pairs["random"] = True
    if "random" in table:
        words = table["random"].astype("str").str.lower()
        pairs["random"] = words.isin(["true", "1"]).to_numpy()
    in_graph = pairs["edge"] >= 0
    if not graph.bipartite:
        inside = graph.cluster_of[a] == graph.cluster_of[b]
        inside &= (a >= 0) & (a != b)  # -1: a sentence of other data
        in_graph |= inside
    if not table.attrs.get("log"):
        refuse(
            table, ~in_graph, lambda row: f"{row['text_a']!r} and {row['text_b']!r} are {NO_PAIR}"
        )
    pairs = pairs[in_graph]
    by_pair = pairs.groupby(["a", "b"])["same"]
    meanings = by_pair.nunique()
    agreed = pairs[by_pair.transform("nunique") == 1]
    agreed = agreed.dropna()
    agreed = agreed.drop_duplicates(["a", "b"], ignore_index=True)
    agreed["same"] = agreed["same"] > 0
    # A pair without a stated label has edge −1, the last place: it is an inferred positive.
    labels = np.append(graph.edge_sign > 0, True)
    agreed["wrong"] = agreed["same"] != labels[agreed["edge"]]
    counts = {"left": meanings == 0, "disputed": meanings > 1, "elsewhere": ~in_graph}
    agreed.attrs = {name: int(flags.sum()) for name, flags in counts.items()}
    return agreed


def answered_edges(graph: ParaphraseGraph, answers: Any) -> tuple[Array, Array]:
    """Return a person's answer about each edge, 1 (the same), 0 or NaN; and flags of edges drawn at random."""
    pairs = answered_pairs(graph, answers).query("edge >= 0")
    same = np.full(len(graph.edge_a), np.nan)
    same[pairs["edge"]] = pairs["same"]
    random = np.zeros(len(same), dtype=bool)
    random[pairs["edge"]] = pairs["random"]
    return same, random


def answer_table(answers: Any) -> tuple[pd.DataFrame, Array]:
    """Return the table of answers, also of a log or review; and the answers as 1, 0 or NaN."""
    if not isinstance(answers, pd.DataFrame):
        if not hasattr(answers, "answered"):
            raise PairsError(
                f"a table of answers, a log or a review is expected, not {type(answers).__name__}"
            )
        answers = answers.answered()
    table = canonical(answers, "a table of answers")
    if "same" not in table:
        raise PairsError("a table of answers needs the column same (1, 0 or empty)")
    cells = table["same"].astype(object)
    cells = cells.replace(r"^\s*$", None, regex=True)
    numbers = pd.to_numeric(cells, errors="coerce")
    same = numbers.to_numpy(float, na_value=np.nan)
    invalid = (same != 0) & (same != 1)
    invalid &= cells.notna().to_numpy()
    refuse(table, invalid, lambda row: f"same {row['same']!r} is not 1, 0 or empty")
    return table, same
