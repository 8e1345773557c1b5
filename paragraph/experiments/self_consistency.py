"""Does a model contradict itself? The signed graph of its predictions, and the unbalanced triads in it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from ..balance.signed import SignedGraph
from ..balance.triangles import KINDS, census
from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..measure.resampling import middle, ratios
from ..pairs import PairsError

__all__ = ["SHARES", "Consistency", "compare_consistency", "consistency"]

#: What is counted, out of which triads. Davis (1967) calls only ``++-`` unbalanced, Heider (1946) ``---`` too.
#: Most triads of a sample are ``---``; the last share looks at those alone where two labels speak for a third.
SHARES = {
    "weakly unbalanced": (("++-",), KINDS),
    "strongly unbalanced": (("++-", "---"), KINDS),
    "two paraphrases, not the third": (("++-",), ("+++", "++-")),
}
_DRAWS = 2_000


@dataclass(frozen=True)
class Consistency:
    """The result of `consistency`."""

    name: str  #: of the model
    table: pd.DataFrame  #: one row a cluster: `cluster`, `sentences`, `pairs`, and triads of each of the four kinds
    note: str  #: how the clusters were drawn
    seed: int

    def shares(self) -> pd.DataFrame:
        """Return the shares of unbalanced triads: `what`, `triads`, `of`, `share`, and the interval `low`, `high`.

        The interval holds 95 % of 2,000 bootstrap draws of whole clusters, since triads of a cluster share pairs.
        """
        rows = []
        for what in SHARES:
            part, whole, drawn = self._share(what)
            rows.append((what, int(part), int(whole), part / whole if whole else np.nan, *middle(drawn)))
        return pd.DataFrame(rows, columns=["what", "triads", "of", "share", "low", "high"])

    def _share(self, what: str) -> tuple[float, float, np.ndarray]:
        """Return the triads counted, those out of which, and their share in each bootstrap draw of clusters."""
        part, whole = (self.table[list(kinds)].sum(axis=1).to_numpy(float) for kinds in SHARES[what])
        return part.sum(), whole.sum(), ratios(part, whole, np.ones(len(part), int), _DRAWS, self.seed)

    def _repr_html_(self) -> str:
        table = self.shares().to_html(index=False, float_format="{:.4f}".format, na_rep="", border=0)
        return f'<div class="tex2jax_ignore mathjax_ignore"><p>{escape(f"{self.name}: {self.note}")}</p>{table}</div>'


def consistency(
    model: Any,
    graph: ParaphraseGraph,
    clusters: int = 100,
    *,
    neighbours: int = 3,
    max_sentences: int = 12,
    threshold: float = 0.5,
    seed: int = 0,
) -> Consistency:
    """Count the triads of a model's own labels on all pairs inside a cluster and with its neighbour clusters.

    A model labels each pair alone, so its labels need not be transitive. The sample: clusters of two sentences or
    more (of three where nothing is linked to them), uniformly; from each, and from its neighbours (clusters that a
    stated negative joins to it), a uniform sample of sentences. The model labels every pair among them, stated or
    not; the triads of this signed graph are counted by sign.

    Parameters
    ----------
    model
        A fitted model with `predict_proba`.
    clusters, neighbours, max_sentences : int
        At most so many clusters, neighbours of each, and sentences of each of these.
    threshold : float
        From this probability on a pair counts as a paraphrase.
    seed : int
        Draws clusters, neighbours and sentences: the same for every model, so that two models can be compared.

    Raises `PairsError` where no cluster has three sentences within reach.
    """
    groups = _groups(graph, clusters, neighbours, max_sentences, np.random.default_rng(seed))
    ends = [nodes[np.array(np.triu_indices(len(nodes), 1))] for nodes in groups.values()]
    # Clusters may share neighbours: each pair is asked once.
    keys, place = np.unique(pair_keys(*np.hstack(ends), graph.n), return_inverse=True)
    asked = {
        name: graph.texts(nodes) for name, nodes in zip(("text_a", "text_b"), np.divmod(keys, graph.n), strict=True)
    }
    sign = np.where(model.predict_proba(pd.DataFrame(asked, dtype="str")) >= threshold, 1, -1).astype(np.int8)[place]
    rows, start = [], 0
    for cluster, nodes in groups.items():
        i, j = np.triu_indices(len(nodes), 1)
        counts = census(SignedGraph.from_arrays(len(nodes), i, j, sign[start : start + len(i)]))
        rows.append({"cluster": cluster, "sentences": len(nodes), "pairs": len(i)} | counts.to_dict())
        start += len(i)
    note = (
        f"{len(groups):,} clusters drawn uniformly, with at most {neighbours} neighbours each and {max_sentences} "
        f"sentences of each cluster; {len(keys):,} pairs labelled"
    )
    return Consistency(model.name, pd.DataFrame(rows), note, seed)


def compare_consistency(left: Consistency, right: Consistency) -> pd.DataFrame:
    """Return the shares of the right minus those of the left, on the same sentences of the same clusters.

    Columns `what`, `left`, `right`, `difference`, and the interval `low`, `high`: 95 % of 2,000 bootstrap draws of
    clusters, the same for both. Raises `PairsError` where the two sampled other clusters.
    """
    looked_at = ["cluster", "sentences", "pairs"]
    if left.seed != right.seed or not left.table[looked_at].equals(right.table[looked_at]):
        raise PairsError("the two sampled different clusters; give both the same graph, sizes and seed")
    found = pd.DataFrame({"what": list(SHARES), "left": left.shares()["share"], "right": right.shares()["share"]})
    found["difference"] = found["right"] - found["left"]
    found[["low", "high"]] = [middle(right._share(what)[2] - left._share(what)[2]) for what in SHARES]
    return found


def _groups(
    graph: ParaphraseGraph, clusters: int, neighbours: int, max_sentences: int, rng: np.random.Generator
) -> dict[int, np.ndarray]:
    """Draw clusters, each with the nodes to look at."""
    if clusters < 1 or neighbours < 0 or max_sentences < 3:
        raise PairsError("clusters is a number from 1, neighbours from 0, max_sentences from 3")
    linked, other = (np.concatenate(ends) for ends in (graph.links[:2], graph.links[1::-1]))
    near = pd.Series(other).groupby(linked).indices
    sizes, reach = graph.cluster_sizes, np.isin(np.arange(len(graph.cluster_sizes)), linked) & (neighbours > 0)
    able = np.flatnonzero((sizes >= 3) | ((sizes == 2) & reach))
    if not len(able):
        raise PairsError("no cluster of this graph has three sentences within reach, so there are no triads")

    def some(values: np.ndarray, most: int) -> np.ndarray:
        return values if len(values) <= most else np.sort(rng.choice(values, most, replace=False))

    groups = {}
    for cluster in some(able, clusters).tolist():
        others = some(other[near.get(cluster, [])], neighbours) if cluster in near else []
        groups[cluster] = np.concatenate([some(graph.members(c), max_sentences) for c in (cluster, *others)])
    return groups
