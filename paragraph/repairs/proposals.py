"""Which label of a conflict is wrong: flip the negative, or cut a positive on the way."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.contradictions import write_conflicts
from ..measure.weights import sigmoid
from ..pairs import PairsError
from ..words.differences import reasons
from .cuts import Cuts, Effect
from .evidence import evidence_log_odds
from .posterior import label_log_odds, posterior
from .sides import flip_or_cut

__all__ = ["UNSURE", "apply_repairs", "repair", "write_repairs"]

#: Below this margin, odds of 3 to 2, the proposal is "unsure".
UNSURE = float(np.log(1.5))
#: Alternatives listed of each conflict.
LISTED = 6

COLUMNS = (
    "question1", "question2", "proposal", "margin", "edge1", "edge2", "p_flip", "changes", "alternatives", "reason",
    "method", "block", "parts", "inferred_positive", "inferred_negative", "settles",
)  # fmt: skip


def repair(
    graph: ParaphraseGraph,
    evidence: pd.DataFrame | np.ndarray | None = None,
    method: str = "map",
    progress: bool = True,
) -> pd.DataFrame:
    """A proposal for each conflict (negative inside a cluster): is its label wrong, or one on the path?

    Parameters
    ----------
    evidence : DataFrame or array, optional
        Columns of numbers about pairs, beside `question1`, `question2`; see `evidence.log_odds`, which adds what the
        words of the sentences say, and weighs it all. Or the log-odds of each edge, weighed already.
    method : {"map", "flip_all"}
        ``"map"``: flip or cut by what the two sides of the conflict say (`sides`), what to cut by the posterior over
        weakly balanced labellings (`posterior`); where log-odds are given, both by the posterior. ``"flip_all"``:
        the rule of Chen, Ji and Evans (2020), which flips every one; it has no opinion on how sure that is.

    Columns
    -------
    question1, question2
        The negative, as first stated.
    proposal, margin, p_flip
        `p_flip` is the probability that the negative is truly positive. "flip" or "cut", whichever is
        more probable; `margin` is the log-odds (natural) of the proposal against the other, never negative.
        "unsure" below odds of 3 to 2 (`UNSURE`); then the rest of the row is about the more probable of the two.
    edge1, edge2
        The pair whose label to change: for *flip* the negative itself; for *cut* that of `changes` which is most
        probably wrong.
    changes
        All pairs whose label to change, as lists of two sentences. Of a *cut*: the positives that keep the two
        sentences apart in the most probable labelling in which they are.
    alternatives
        ``[change, sentence, sentence, probability]``: the marginal probability that this label is wrong, for the
        negative (flip) and for positives on the paths between its ends (cut), the highest first.
    reason
        How the two sentences of `edge1`, `edge2` differ, in words.
    method, block
        How the probabilities of this block were found (see `posterior`), and its number.
    parts, inferred_positive, inferred_negative, settles
        What the changes do: sizes of the clusters that the cluster becomes, how many inferred labels of each sign
        are gained (or withdrawn, below 0), how many conflicts are no more.

    Raises
    ------
    PairsError
        An unknown method; bipartite pairs; evidence that does not fit.

    Notes
    -----
    By labels alone, and one path of two positives, *cut* is twice as probable: either of the two may be the wrong
    label, and there is only one negative. Each further path is evidence for *flip*, if errors are independent.

    Examples
    --------
    One path, then three that share no edge:

    >>> from paragraph.repairs.posterior import label_log_odds
    >>> pairs = pd.DataFrame({"text_a": [*"abaadae"], "text_b": [*"bccdcec"], "label": [1, 1, 0, 1, 1, 1, 1]})
    >>> for rows in (3, 7):
    ...     graph = ParaphraseGraph.from_pairs(pairs.head(rows))
    ...     print(repair(graph, label_log_odds(graph))[["question1", "question2", "proposal", "margin"]].round(2))
      question1 question2 proposal  margin
    0         a         c      cut    0.72
      question1 question2 proposal  margin
    0         a         c     flip    3.74
    """
    if method not in ("map", "flip_all"):
        raise PairsError(f"method {method!r} is not one of 'map', 'flip_all'")
    if graph.bipartite:
        raise PairsError("these pairs are bipartite: nothing in them is transitive, so no label contradicts a path")
    conflicts = np.flatnonzero(graph.within)
    rows = (
        [_flipped(graph, edge) for edge in conflicts.tolist()]
        if method == "flip_all"
        else _by_posterior(graph, conflicts, evidence, progress)
    )
    text = ("question1", "question2", "proposal", "edge1", "edge2", "reason", "method")
    whole = ("block", "inferred_positive", "inferred_negative", "settles")
    types = (
        dict.fromkeys(text, "str") | dict.fromkeys(whole, "int64") | dict.fromkeys(("margin", "p_flip"), "float64")
    )
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(types)


def _by_posterior(
    graph: ParaphraseGraph, conflicts: np.ndarray, evidence: pd.DataFrame | np.ndarray | None, progress: bool
) -> list[dict[str, Any]]:
    from tqdm.auto import tqdm

    by_sides: dict[int, float] = {}
    if isinstance(evidence, np.ndarray):
        found = posterior(graph, evidence, progress=progress)
    else:
        own = evidence_log_odds(graph, evidence)
        found = posterior(graph, own + label_log_odds(graph), progress=progress)
        judged = flip_or_cut(graph, own, model=evidence is not None and "model" in evidence)
        by_sides = dict(zip(judged["edge"].tolist(), judged["log_odds"].tolist(), strict=True))
    cuts, p_wrong = Cuts(found), found.p_wrong
    methods = found.blocks["method"].tolist()
    rows = []
    for edge in tqdm(conflicts.tolist(), "repair", unit=" conflicts", delay=2, leave=False, disable=not progress):
        odds, pair = by_sides.get(edge, float(found.log_odds[edge])), _pair(graph, edge)
        p_flip = float(sigmoid(odds))
        paths, cluster = cuts.suspects(edge), int(graph.cluster_of[graph.edge_a[edge]])
        flip = odds > 0
        changes = np.array([edge]) if flip else cuts.best(edge)
        effect = _of_flip(graph, cluster) if flip else cuts.effect(cluster, changes)
        chosen = _pair(graph, int(changes[0]))
        others = [("flip", *pair, round(p_flip, 4))]
        others += [("cut", *_pair(graph, i), round(float(p_wrong[i]), 4)) for i in paths[:LISTED].tolist()]
        rows.append(
            dict(zip(("question1", "question2"), pair, strict=True))
            | {
                "proposal": "unsure" if abs(odds) < UNSURE else "flip" if flip else "cut",
                "margin": abs(odds),
                "edge1": chosen[0],
                "edge2": chosen[1],
                "p_flip": p_flip,
                "changes": [list(_pair(graph, i)) for i in changes.tolist()],
                "alternatives": [list(x) for x in sorted(others, key=lambda x: -x[3])[:LISTED]],
                "reason": "; ".join(reasons(*chosen)),
                "method": methods[found.block[edge]],
                "block": int(found.block[edge]),
            }
            | _named(effect)
        )
    return rows


def _flipped(graph: ParaphraseGraph, edge: int) -> dict[str, Any]:
    pair = _pair(graph, edge)
    return (
        dict(zip(("question1", "question2", "edge1", "edge2"), pair * 2, strict=True))
        | {
            "proposal": "flip",
            "margin": np.nan,
            "p_flip": np.nan,
            "changes": [list(pair)],
            "alternatives": [],
            "reason": "; ".join(reasons(*pair)),
            "method": "flip_all",
            "block": -1,
        }
        | _named(_of_flip(graph, int(graph.cluster_of[graph.edge_a[edge]])))
    )


def _of_flip(graph: ParaphraseGraph, cluster: int) -> Effect:
    """A flipped negative is a stated positive where all else was joined already."""
    return Effect([int(graph.cluster_sizes[cluster])], 0, 0, 1)


def _named(effect: Effect) -> dict[str, Any]:
    names = ("parts", "inferred_positive", "inferred_negative", "settles")
    return dict(zip(names, effect, strict=True))


def _pair(graph: ParaphraseGraph, edge: int) -> tuple[str, str]:
    return graph.text(graph.edge_a[edge]), graph.text(graph.edge_b[edge])


def apply_repairs(graph: ParaphraseGraph, repairs: pd.DataFrame, cut: str = "drop") -> ParaphraseGraph:
    """A new graph with the proposals of a table carried out; the old one stays as it is.

    *flip*: every row of the pair becomes 1. *cut*: the rows of all its `changes` are dropped, or become 0. What is
    "unsure" is left alone. ``.pairs.attrs["repairs"]`` lists each changed pair with its effect and its rows.

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
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)
    >>> repaired = apply_repairs(graph, repair(graph, np.array([2.0, 1.0, -2.0])))
    >>> repaired.pairs.values.tolist()
    [['a', 'b', 1], ['a', 'c', 0]]
    >>> repaired.pairs.attrs["repairs"]
    [{'question1': 'b', 'question2': 'c', 'effect': 'dropped', 'rows': [1]}]
    """
    if graph.pairs is None:
        raise PairsError("this graph was made from codes; it has no rows to change")
    if cut not in ("drop", "negative"):
        raise PairsError(f"cut {cut!r} is not one of 'drop', 'negative'")
    effects: dict[int, str] = {}
    for proposal, changes in zip(repairs["proposal"], repairs["changes"], strict=True):
        if proposal not in ("flip", "cut", "unsure"):
            raise PairsError(f"proposal {proposal!r} is not one of 'flip', 'cut', 'unsure'")
        if proposal != "unsure":
            effect = "becomes 1" if proposal == "flip" else "dropped" if cut == "drop" else "becomes 0"
            effects |= dict.fromkeys((_edge(graph, *pair) for pair in changes), effect)
    pairs, label = graph.pairs, graph.pairs["label"].array.copy()
    dropped, listed = np.zeros(len(pairs), dtype=bool), []
    numbers = pairs["row"].to_numpy() if "row" in pairs else np.arange(len(pairs))
    for edge, effect in sorted(effects.items()):
        rows = np.flatnonzero(graph.row_edge == edge)  # unlabelled rows of the pair too
        if effect == "dropped":
            dropped[rows] = True
        else:
            label[rows] = int(effect[-1])
        names = dict(zip(("question1", "question2"), _pair(graph, edge), strict=True))
        listed.append(names | {"effect": effect, "rows": numbers[rows].tolist()})
    repaired = pairs.assign(label=label)[~dropped].reset_index(drop=True)
    repaired.attrs = {**pairs.attrs, "repairs": listed}
    return ParaphraseGraph.from_pairs(repaired, graph.identity)


def _edge(graph: ParaphraseGraph, a: str, b: str) -> int:
    edge = graph.edge_between(graph.node(a), graph.node(b))
    if edge < 0:
        raise PairsError(f"{a!r} and {b!r} are not a stated pair of this graph")
    return edge


def write_repairs(table: pd.DataFrame, path: str | PathLike) -> None:
    """Write a table of proposals (or suspects) as TSV, quoted where needed; lists as JSON, what is missing empty."""
    write_conflicts(table.astype(object).where(table.notna(), ""), path)
