"""Which stated labels are most probably wrong, in a conflict or not."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..measure.weights import Weights, fit, sigmoid
from ..pairs import PairsError
from ..words.differences import reasons
from .evidence import LABELS_PER_WEIGHT, SUREST, evidence_log_odds
from .posterior import label_log_odds, posterior
from .sides import LABEL, flip_or_cut

__all__ = ["COLUMNS", "DEGREES", "fit_suspicion", "kinds", "p_wrong", "suspects", "suspicion"]

#: What `suspicion` says of each edge, for either label.
COLUMNS = {
    "evidence": "evidence other than labels that the pair is a paraphrase",
    "flip": "negative: log-odds of flip against cut; positive: of cut against flip, shared among the cut's positives",
    "structure": "what other labels of its block add to the log-odds that it is wrong (`posterior`), ±6 at most",
    "support": "negative: other negatives between the same two clusters; positive: sentences joined to both ends",
}
#: How many other labels its two sentences carry: says much where pairs were drawn by a rule, and holds for no other
#: data; so it is part of weights fitted on the data themselves, never of shipped ones.
DEGREES = {
    "positives_fewer": "other positives of that end which has fewer (log of 1 + count)",
    "positives_more": "… of the other end",
    "negatives_fewer": "other negatives of that end which has fewer",
    "negatives_more": "… of the other end",
}
#: Share of labels flipped to learn what a wrong one looks like.
SHARE = 0.02


def suspicion(
    graph: ParaphraseGraph,
    evidence: np.ndarray,
    flips: Weights | None = None,
    model: bool = False,
    *,
    progress: bool = False,
) -> pd.DataFrame:
    """One row an edge: the columns of `COLUMNS` and `DEGREES`, from which `suspects` makes one probability.

    Besides, `conflict` (bool): it is a negative inside a cluster, or a positive on the easiest cut of one.

    Parameters
    ----------
    evidence : float array
        As of `evidence.evidence_log_odds`.
    flips, model
        `weights` and `model` of `sides.flip_or_cut`.
    """
    positive = graph.edge_sign > 0
    found = pd.DataFrame({"evidence": evidence, "conflict": False, "flip": 0.0})
    conflicts = flip_or_cut(graph, evidence, flips, model)
    at = conflicts["edge"].to_numpy(np.int64)
    found.loc[at, "conflict"], found.loc[at, "flip"] = True, conflicts["log_odds"].to_numpy()
    blame = np.full(len(found), -np.inf)
    for log_odds, edges in zip(conflicts["log_odds"], conflicts["positives"], strict=True):
        blame[edges] = np.maximum(blame[edges], -log_odds - np.log(len(edges)))
    blamed = np.isfinite(blame)
    found.loc[blamed, "conflict"], found.loc[blamed, "flip"] = True, blame[blamed]
    whole = posterior(graph, evidence + label_log_odds(graph), progress=progress)
    found["structure"] = np.clip(graph.edge_sign * (whole.given - whole.log_odds), -SUREST, SUREST)
    link = graph.edge_link
    between = np.bincount(link[link >= 0], minlength=1)
    found["support"] = np.log1p(np.where(positive, _common(graph), np.where(link >= 0, between[link] - 1, 0)))
    for sign, name in ((1, "positives"), (-1, "negatives")):
        alike = graph.edge_sign == sign
        degree = np.bincount(np.concatenate([graph.edge_a[alike], graph.edge_b[alike]]), minlength=graph.n)
        ends = np.log1p([degree[graph.edge_a] - alike, degree[graph.edge_b] - alike])
        found[f"{name}_fewer"], found[f"{name}_more"] = ends.min(axis=0), ends.max(axis=0)
    return found


def _common(graph: ParaphraseGraph) -> np.ndarray:
    """How many sentences are joined to both ends of each edge by positives."""
    joined = graph.adjacency.copy()
    joined.data = np.ones_like(joined.data)
    found = np.zeros(len(graph.edge_a), dtype=np.int64)
    for start in range(0, len(found), 50_000):
        part = slice(start, start + 50_000)
        both = joined[graph.edge_a[part]].multiply(joined[graph.edge_b[part]])
        found[part] = both.sum(axis=1)
    return found


def kinds(graph: ParaphraseGraph, table: pd.DataFrame) -> dict[str, np.ndarray]:
    """The edges of each kind that has weights of its own, as bool arrays."""
    positive, conflict = graph.edge_sign > 0, table["conflict"].to_numpy()
    return {
        "positive": positive & ~conflict,
        "negative": ~positive & ~conflict,
        "positive in a conflict": positive & conflict,
        "negative in a conflict": ~positive & conflict,
    }


def fit_suspicion(
    graph: ParaphraseGraph, table: pd.DataFrame, wrong: np.ndarray, fitted_on: str
) -> dict[str, Weights]:
    """Weights for each of `kinds`, from a graph some of whose labels are known to be wrong.

    Parameters
    ----------
    table : DataFrame
        Columns of `suspicion`, or some of them.
    wrong : bool array, one entry an edge
    """
    group = connected(graph.n, graph.edge_a, graph.edge_b)[graph.edge_a]
    found = {}
    for kind, edges in kinds(graph, table).items():
        known, n = wrong[edges].sum(), edges.sum()
        if 0 < known < n:
            found[kind] = fit(table.loc[edges].drop(columns="conflict"), wrong[edges], group[edges], fitted_on)
        else:  # all alike: nothing to tell them apart by, only how frequent they are (Laplace's rule of succession)
            found[kind] = Weights.constant(float(np.log((known + 1) / (n - known + 1))), fitted_on)
    return found


def p_wrong(graph: ParaphraseGraph, table: pd.DataFrame, weights: dict[str, Weights]) -> np.ndarray:
    """The probability that each label is wrong.

    Each further row that states the label speaks for it as in `posterior.label_log_odds`, each that states the other
    one against it.
    """
    log_odds = LABEL - graph.edge_sign * label_log_odds(graph)
    for kind, edges in kinds(graph, table).items():
        if edges.any():
            log_odds[edges] += weights[kind].log_odds(table.loc[edges])
    return sigmoid(log_odds)


def suspects(
    graph: ParaphraseGraph, evidence: pd.DataFrame | None = None, seed: int = 0, *, progress: bool = True
) -> pd.DataFrame:
    """Every stated pair with the probability that its label is wrong, the most suspicious first.

    A conflict is judged by shipped weights (`sides`). Outside conflicts, where the data are large enough, 2 % of the
    labels are flipped in a copy, drawn with `seed`, and a logistic regression learns what a wrong label looks
    like there; labels that are wrong by nature count as right in that. So `p_wrong` is calibrated for 2 % of wrong
    labels, and ranks well whatever their share. Small data get shipped weights there too; as those come from other
    data, their log-odds are averaged with those of the `posterior`, which assumes less (independent errors, 5 %).
    ``.attrs["weights"]`` holds the weights.

    Parameters
    ----------
    evidence : DataFrame, optional
        Further evidence about pairs; see `evidence.evidence`.

    Columns
    -------
    text_a, text_b, label
        As first stated; the stated label.
    p_wrong
        Probability that the label is wrong.
    reason
        The conflict it is part of, and how the sentences differ in words (for a positive), or that they do not.

    Raises
    ------
    PairsError
        Evidence that does not fit; bipartite pairs.

    Examples
    --------
    >>> rows = [("Is tea hot?", "is tea hot", 1), ("Is it far?", "Is it far from Rome?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> suspects(ParaphraseGraph.from_pairs(pairs)).loc[0, ["text_a", "text_b", "reason"]].tolist()
    ['Is it far?', 'Is it far from Rome?', "only one side: 'from Rome'"]
    """
    from tqdm.auto import tqdm

    if graph.bipartite:
        raise PairsError("these pairs are bipartite: nothing in them is transitive, so no label contradicts a path")
    own = evidence_log_odds(graph, evidence, progress=progress)
    model = evidence is not None and "model" in evidence
    table = suspicion(graph, own, model=model, progress=progress)
    weights = {kind: Weights.shipped(_name(kind, model)) for kind in kinds(graph, table)}
    fitted = _own_weights(graph, own, model, seed, progress)
    weights |= fitted
    p, positive = p_wrong(graph, table, weights), graph.edge_sign > 0
    if not fitted:
        posterior_log_odds = table["structure"].to_numpy() - graph.edge_sign * (own + label_log_odds(graph))
        p = sigmoid((np.log(p) - np.log1p(-p) + posterior_log_odds) / 2)
    order = np.argsort(-p, kind="stable")
    a, b = graph.texts(graph.edge_a[order]), graph.texts(graph.edge_b[order])
    conflict = table["conflict"].to_numpy()[order]
    label = positive[order].astype(np.int8)
    rows = zip(a, b, label.tolist(), conflict.tolist(), strict=True)
    rows = tqdm(rows, "reasons", len(a), unit=" pairs", delay=2, leave=False, disable=not progress)
    why = [_reason(*row) for row in rows]
    found = pd.DataFrame({"text_a": a, "text_b": b, "label": label, "p_wrong": p[order], "reason": why})
    found = found.astype({"text_a": "str", "text_b": "str", "reason": "str"})
    found.attrs["weights"] = {kind: each.figures() for kind, each in weights.items()}
    return found


def _own_weights(
    graph: ParaphraseGraph, own: np.ndarray, model: bool, seed: int, progress: bool
) -> dict[str, Weights]:
    """Weights outside conflicts, fitted on errors planted in a copy of the graph; none where it is too small."""
    rng = np.random.default_rng(seed)
    wrong = np.zeros(len(graph.edge_sign), dtype=bool)
    for sign in (1, -1):
        edges = np.flatnonzero(graph.edge_sign == sign)
        drawn = round(SHARE * len(edges))
        if drawn < LABELS_PER_WEIGHT * (len(COLUMNS) + len(DEGREES)):
            return {}
        wrong[rng.choice(edges, drawn, replace=False)] = True
    sign = np.where(wrong, -graph.edge_sign, graph.edge_sign).astype(np.int8)
    planted = ParaphraseGraph(graph.edge_a, graph.edge_b, sign, graph.n, graph.sentences)
    table = suspicion(planted, own, model=model, progress=progress)
    fitted = fit_suspicion(planted, table, wrong, f"{wrong.sum():,} errors planted in these data")
    return {kind: fitted[kind] for kind in ("positive", "negative")}


def _name(kind: str, model: bool) -> str:
    return f"suspicion, {kind}" + "+model" * model


def _reason(a: str, b: str, label: int, conflict: bool) -> str:
    message = ["a negative lies across it" if label else "joined by positives"] if conflict else []
    return "; ".join([*message, *(reasons(a, b) or ["no difference in words"])])
