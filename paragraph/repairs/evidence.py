"""Evidence for and against each stated label, the label itself aside, as calibrated log-odds."""

from __future__ import annotations

import warnings
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.search import nodes_of
from ..learn.logistic import Weights, fit_logistic, log_odds_of
from ..pairs import PairsError
from ..pairs.tables import canonical
from ..words.difference import COLUMNS as DIFFERENCES
from ..words.difference import differences, seems_english

__all__ = ["DECIDED", "ERROR_RATE", "evidence", "evidence_log_odds", "in_english", "label_log_odds"]
__all__ += ["weights_for"]

#: Each label is wrong so often, where nothing better is known.
ERROR_RATE = 0.05

#: Weights fitted on a large public corpus, for data too small to fit their own.
SHIPPED = Path(__file__).with_name("evidence.json")
#: Stated labels of the rarer kind for each weight, below which a fit is not to be trusted (Peduzzi and others
#: 1996 ask for 10 where the rows are independent; pairs that share sentences are not).
LABELS_PER_WEIGHT = 20
#: Log-odds of a pair that a person has decided: more than any label, yet not beyond all doubt.
DECIDED = 12.0
#: Worked out once a graph: all of a large corpus takes seconds, and repair, suspects and the review each ask for it.
_DIFFERENCES: WeakKeyDictionary[ParaphraseGraph, pd.DataFrame] = WeakKeyDictionary()
_ENGLISH: WeakKeyDictionary[ParaphraseGraph, bool] = WeakKeyDictionary()


def evidence(graph: ParaphraseGraph, columns: pd.DataFrame | None = None, *, progress: bool = True) -> pd.DataFrame:
    """The table of evidence: one row an edge of the graph, none of it derived from labels of that edge.

    Parameters
    ----------
    columns : DataFrame, optional
        Further evidence from anywhere: `text_a`, `text_b` (in either order) and numeric columns. `model` is a
        probability of being a paraphrase, from a model that has not seen the pair (`learn.pair_opinions`), and
        becomes log-odds; `decision` is a person's earlier word (1, 0 or missing).
        Pairs that it lacks are missing (NaN) in these columns.

    Returns
    -------
    DataFrame
        The columns of `differences`, then the given ones.

    Raises
    ------
    PairsError
        Columns that are missing or hold no numbers; a probability outside 0 to 1; pairs of which none is stated.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is it far?"], "text_b": ["Is it far from Rome?"], "label": [1]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)
    >>> opinions = pd.DataFrame({"text_a": ["Is it far?"], "text_b": ["Is it far from Rome?"], "cosine": [0.8]})
    >>> evidence(graph, opinions)[["added", "name_added", "cosine"]]
       added  name_added  cosine
    0    1.0         1.0     0.8
    """
    if graph not in _DIFFERENCES:
        texts = np.array(graph.sentences.to_pylist(), dtype=object)
        _DIFFERENCES[graph] = differences(texts[graph.edge_a], texts[graph.edge_b], progress=progress)
    return _DIFFERENCES[graph].assign(**({} if columns is None else _aligned(graph, columns)))


def _aligned(graph: ParaphraseGraph, columns: pd.DataFrame) -> dict[str, np.ndarray]:
    """A user's columns, put to the edges of the graph by the texts of their pairs."""
    columns = canonical(columns, "a table of evidence")
    names = [name for name in columns if name not in ("text_a", "text_b")]
    for name in names:
        if name in DIFFERENCES:
            raise PairsError(f"evidence column {name!r} is one that is worked out already; give it another name")
        if not pd.api.types.is_numeric_dtype(columns[name]):
            raise PairsError(f"evidence column {name!r} holds no numbers; leave it out")
    texts = columns[["text_a", "text_b"]].map(lambda text: text if isinstance(text, str) else "")  # of no pair
    a, b = (nodes_of(graph, texts[end].tolist()) for end in texts)
    edges = graph.edge_index.places(a, b)
    known = edges >= 0
    if len(columns) and not known.any():
        raise PairsError("no pair of the table of evidence is a stated pair of the data; are they of another file?")
    elsewhere = ~known & ((a != b) | (a < 0))  # a sentence paired with itself is no edge, and no mistake
    if elsewhere.any():
        warnings.warn(
            f"{elsewhere.sum():,} pairs of evidence are not stated in the data and are ignored", stacklevel=3
        )
    found = {}
    for name in names:
        given = columns[name].to_numpy(float, na_value=np.nan)[known]
        odd = (given < 0) | (given > 1)
        if name in ("model", "decision") and odd.any():
            raise PairsError(f"evidence column {name!r}: {given[odd][0]} is not a probability, from 0 to 1")
        if name == "model":  # a probability, which enters as log-odds
            given = log_odds_of(given)
        found[name] = np.full(len(graph.edge_a), np.nan)
        found[name][edges[known]] = given
    return found


def evidence_log_odds(
    graph: ParaphraseGraph,
    columns: pd.DataFrame | None = None,
    *,
    progress: bool = True,
) -> np.ndarray:
    """The log-odds that each edge is truly positive, by evidence other than labels of this edge or of others.

    A pair that a person has decided (column `decision`) gets log-odds of ±`DECIDED`.

    Parameters
    ----------
    columns : DataFrame, optional
        As in `evidence`.
    """
    table = evidence(graph, columns, progress=progress)
    found = weights_for(graph, table).log_odds(table)
    if "decision" in table:
        decided = table["decision"].notna().to_numpy()
        found[decided] = DECIDED * (2 * table["decision"].to_numpy()[decided] - 1)
    return found


def weights_for(graph: ParaphraseGraph, table: pd.DataFrame) -> Weights:
    """Weights of a table of evidence: fitted on the graph's stated labels, or the shipped ones where they are few.

    Logistic regression of the stated label on the evidence. The label of a pair never enters its own evidence, so a
    wrong one makes the weights less sharp, and cannot hide. Too few are fewer than `LABELS_PER_WEIGHT` labels of the
    rarer kind for each column.
    """
    names = [name for name in table if name != "decision"]
    positive = int(np.count_nonzero(graph.edge_sign > 0))
    if min(positive, len(table) - positive) >= LABELS_PER_WEIGHT * len(names):
        return Weights(names, fit_logistic(table[names].to_numpy(float), graph.edge_sign > 0))
    unknown = [name for name in names if name not in {*DIFFERENCES, "model", "cosine"}]
    if unknown:
        warnings.warn(f"too few labels to fit a weight for {', '.join(unknown)}: not used", stacklevel=3)
    return Weights.read(SHIPPED, "+".join(["evidence", *(name for name in ("model", "cosine") if name in names)]))


def label_log_odds(graph: ParaphraseGraph) -> np.ndarray:
    """Return the log-odds that each edge is truly positive by its rows alone, each wrong independently at one rate.

    Every row adds ± log((1 − ε) / ε); a pair with as many rows of either label has log-odds 0.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "b"], "text_b": ["b", "a", "c"], "label": [1, 1, 0]})
    >>> label_log_odds(ParaphraseGraph.from_pairs(pairs)).round(2)
    array([ 5.89, -2.94])
    """
    rows = graph.edge_n_positive.astype(float) - graph.edge_n_negative
    return rows * np.log((1 - ERROR_RATE) / ERROR_RATE)


def in_english(graph: ParaphraseGraph) -> bool:
    """Return True if the sentences seem to be English, as the word lists are; else warn, once per graph."""
    if graph not in _ENGLISH:
        _ENGLISH[graph] = seems_english(graph.texts(np.arange(min(graph.n, 1000))))
        if not _ENGLISH[graph]:
            warnings.warn(
                "the sentences seem not to be English, and the word lists (negations, questions, comparisons) are: "
                "reasons leave them out; only the graph and a model, if there is one, help",
                stacklevel=3,
            )
    return _ENGLISH[graph]
