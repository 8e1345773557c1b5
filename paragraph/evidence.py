"""What speaks for and against each stated label besides the label itself, as one number: log-odds, calibrated."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from .differences import COLUMNS as DIFFERENCES
from .differences import differences
from .graph import ParaphraseGraph
from .pairs import PairsError
from .posterior import label_log_odds

__all__ = ["Weights", "evidence", "fit_weights", "log_odds", "shipped_weights"]

#: Fitted on a large public corpus (see its `fitted_on`), for data too small to fit.
SHIPPED = Path(__file__).parent / "_fitted" / "evidence.json"
#: Stated labels of the rarer kind for each weight, below which a fit is not to be trusted (Peduzzi and others
#: 1996 ask for 10 where the rows are independent; pairs that share sentences are not).
LABELS_PER_WEIGHT = 20
#: A decided pair's log-odds: a person's word counts for more than any label, but can be outvoted by certainty.
DECIDED = 12.0
#: Columns that hold probabilities, and enter as log-odds.
PROBABILITIES = ("model",)
#: No single probability is taken to be surer than this (log-odds).
SUREST = 6.0


class Weights(NamedTuple):
    """A combination of columns of evidence: log-odds = bias + Σ weight · (x − mean) / scale.

    Attributes
    ----------
    table : DataFrame
        One row a column: `column`, `mean`, `scale`, `weight` (log-odds per standard deviation), `low`, `high`
        (95 % interval), `what`.
    bias : float
    fitted_on : str
    """

    table: pd.DataFrame
    bias: float
    fitted_on: str

    def log_odds(self, evidence: pd.DataFrame) -> np.ndarray:
        """The log-odds of each row that it is truly positive, by evidence alone; what is missing says nothing."""
        t = self.table
        x = (evidence[t["column"].tolist()].to_numpy(float) - t["mean"].to_numpy()) / t["scale"].to_numpy()
        return self.bias + np.nan_to_num(x) @ t["weight"].to_numpy()


def evidence(graph: ParaphraseGraph, columns: pd.DataFrame | None = None) -> pd.DataFrame:
    """The table of evidence: one row an edge of the graph, none of it derived from labels of that edge.

    Parameters
    ----------
    columns : DataFrame, optional
        Further evidence from anywhere: `question1`, `question2` (or `text_a`, `text_b`; in either order) and
        numeric columns. `model` is a probability of being a paraphrase, from a model that has not seen the pair
        (`learn.pair_opinions`), and becomes log-odds; `decision` is a person's earlier word (1, 0 or missing).
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
    >>> opinions = pd.DataFrame({"question1": ["Is it far?"], "question2": ["Is it far from Rome?"], "cosine": [0.8]})
    >>> evidence(graph, opinions)[["added", "name_added", "cosine"]]
       added  name_added  cosine
    0    1.0         1.0     0.8
    """
    texts = np.array(graph.sentences.to_pylist(), dtype=object)
    table = differences(texts[graph.edge_a], texts[graph.edge_b])
    if columns is not None:
        for name, values in _aligned(graph, columns).items():
            table[name] = values
    return table


def _aligned(graph: ParaphraseGraph, columns: pd.DataFrame) -> dict[str, np.ndarray]:
    """A user's columns, put to the edges of the graph by the texts of their pairs."""
    ends = next((pair for pair in (("question1", "question2"), ("text_a", "text_b")) if {*pair} <= {*columns}), None)
    if ends is None:
        raise PairsError("a table of evidence needs the columns question1, question2 (or text_a, text_b)")
    names = [name for name in columns if name not in ends]
    for name in names:
        if name in DIFFERENCES:
            raise PairsError(f"evidence column {name!r} is one that is worked out already; give it another name")
        if not pd.api.types.is_numeric_dtype(columns[name]):
            raise PairsError(f"evidence column {name!r} holds no numbers; leave it out")
    places = {text: i for i, text in enumerate(graph.sentences.to_pylist())}
    a, b = (columns[end].map(places).fillna(-1).to_numpy(np.int64) for end in ends)
    edges = np.array([graph.edge_between(i, j) if i >= 0 and j >= 0 else -1 for i, j in zip(a, b, strict=True)], int)
    known = edges >= 0
    if len(columns) and not known.any():
        raise PairsError("no pair of the table of evidence is a stated pair of the data; are they of another file?")
    if not known.all():
        warnings.warn(
            f"{(~known).sum():,} pairs of evidence are not stated in the data, and say nothing", stacklevel=3
        )
    found = {}
    for name in names:
        given = columns[name].to_numpy(float, na_value=np.nan)[known]
        if name in PROBABILITIES or name == "decision":
            odd = (given < 0) | (given > 1)
            if odd.any():
                raise PairsError(f"evidence column {name!r}: {given[odd][0]} is not a probability, from 0 to 1")
        if name in PROBABILITIES:
            with np.errstate(divide="ignore"):
                given = np.clip(np.log(given) - np.log1p(-given), -SUREST, SUREST)
        found[name] = np.full(len(graph.edge_a), np.nan)
        found[name][edges[known]] = given
    return found


def fit_weights(graph: ParaphraseGraph, table: pd.DataFrame) -> Weights:
    """Weights of the columns of a table of evidence, fitted on the stated labels of the graph.

    Logistic regression of the stated label on the evidence. A pair's label never enters its own evidence, so errors
    in labels blur the weights a little and do not hide themselves.

    The intervals allow for pairs that share sentences: a sandwich estimate over connected components (Liang and
    Zeger 1986, Biometrika 73, Theorem 2 with independence as working correlation).

    Raises
    ------
    PairsError
        Fewer than `LABELS_PER_WEIGHT` labels of either kind for each weight.
    """
    names = [name for name in table if name != "decision"]
    y = (graph.edge_sign > 0).astype(float)
    if not enough(graph, len(names)):
        raise PairsError(
            f"{int(min(y.sum(), len(y) - y.sum())):,} labels of the rarer kind are too few to fit {len(names)} "
            f"weights ({LABELS_PER_WEIGHT} for each are needed); use shipped_weights"
        )
    x = table[names].to_numpy(float)
    mean, scale = np.nanmean(x, axis=0), np.nanstd(x, axis=0)
    scale[scale <= 1e-6 * np.maximum(1, np.abs(mean))] = 1  # constant but for rounding
    x = np.column_stack([np.nan_to_num((x - mean) / scale), np.ones(len(x))])
    weight, curvature = _logistic(x, y)
    scores = np.zeros((int(_component(graph).max()) + 1, x.shape[1]))
    np.add.at(scores, _component(graph)[graph.edge_a], x * (y - _p(x @ weight))[:, None])
    bread = np.linalg.inv(curvature)
    error = np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))[:-1]
    rows = {"column": names, "mean": mean, "scale": scale, "weight": weight[:-1]}
    rows |= {"low": weight[:-1] - 1.96 * error, "high": weight[:-1] + 1.96 * error}
    rows["what"] = [DIFFERENCES.get(name, "given") for name in names]
    return Weights(pd.DataFrame(rows), float(weight[-1]), f"{len(y):,} stated labels of these data")


def enough(graph: ParaphraseGraph, columns: int) -> bool:
    """Whether a graph has labels enough to fit weights of so many columns."""
    positive = int(np.count_nonzero(graph.edge_sign > 0))
    return min(positive, len(graph.edge_sign) - positive) >= LABELS_PER_WEIGHT * columns


def _p(z: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(z, -700, 700)))


def _logistic(x: np.ndarray, y: np.ndarray, ridge: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Weights of a logistic regression by Newton's method, and the curvature there; the last column is the bias."""
    weight = np.zeros(x.shape[1])
    penalty = np.diag(np.append(np.full(x.shape[1] - 1, ridge), 1e-9))
    for _ in range(50):
        p = _p(x @ weight)
        curvature = (x * (p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(curvature, x.T @ (y - p) - penalty @ weight)
        weight += step
        if np.abs(step).max() < 1e-8:
            break
    return weight, curvature


def _component(graph: ParaphraseGraph) -> np.ndarray:
    """The connected component of each node, labels of either sign joining."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = (graph.edge_a, graph.edge_b)
    matrix = coo_array((np.ones(len(graph.edge_a), dtype=np.int8), ends), shape=(graph.n, graph.n))
    return connected_components(matrix, directed=False)[1]


def shipped_weights(columns: list[str]) -> Weights:
    """Weights fitted elsewhere (`fitted_on` says where), for data too small to fit their own.

    Of the given columns they know those of `differences`, `model` and `cosine`; others get no weight, and a warning.
    """
    unknown = [name for name in columns if name not in {*DIFFERENCES, "model", "cosine", "decision"}]
    if unknown:
        warnings.warn(f"too few labels to fit a weight for {', '.join(unknown)}: not used", stacklevel=2)
    name = "+".join(["differences", *(name for name in ("model", "cosine") if name in columns)])
    kept = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return Weights(pd.DataFrame(kept[name]["table"]), kept[name]["bias"], kept["fitted_on"])


def log_odds(
    graph: ParaphraseGraph, columns: pd.DataFrame | None = None, weights: Weights | None = None
) -> np.ndarray:
    """θ: the log-odds that each edge is truly positive, by its stated label and all evidence about it alone.

    The evidence's log-odds plus the label's: each row that states the pair adds or takes away log((1 − ε) / ε), with
    error rate ε = 5 % (`posterior.label_log_odds`). What other labels say about the edge is left to `posterior`.

    Parameters
    ----------
    columns : DataFrame, optional
        As in `evidence`.
    weights : Weights, optional
        By default fitted on these data (`fit_weights`), or `shipped_weights` where they are too small for it.
    """
    table = evidence(graph, columns)
    if weights is None:
        names = [name for name in table if name != "decision"]
        weights = fit_weights(graph, table) if enough(graph, len(names)) else shipped_weights(list(table))
    found = weights.log_odds(table) + label_log_odds(graph)
    if "decision" in table:
        decided = table["decision"].notna().to_numpy()
        found[decided] = DECIDED * (2 * table["decision"].to_numpy()[decided] - 1)
    return found
