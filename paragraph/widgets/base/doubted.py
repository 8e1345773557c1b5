"""The doubt about stated labels, and the parts of clusters without those that are too doubtful."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.arrays import first_nodes, pair_keys
from ...pairs.tables import refuse
from .records import Plain

__all__ = ["Doubted", "thousandths"]

UNKNOWN = "of suspects is no sentence of the graph"


class Doubted:
    """The stated labels of a graph with the probability that each is wrong, from a table of suspects.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["b", "d"], "label": [1, 1]})
    >>> suspects = pd.DataFrame({"text_a": ["c"], "text_b": ["d"], "p_wrong": [0.7]})
    >>> doubted = Doubted(ParaphraseGraph.from_pairs(pairs), suspects)
    >>> doubted.wrong.tolist(), doubted.of_clusters.tolist()
    ([-1, 700], [-1, 700])
    """

    def __init__(self, graph: ParaphraseGraph, suspects: pd.DataFrame):
        missing = [name for name in ("text_a", "text_b", "p_wrong") if name not in suspects]
        if missing:
            raise PairsError(
                f"suspects: a table of suspects has the columns text_a, text_b, p_wrong; missing: {missing}"
            )
        p_wrong = pd.to_numeric(suspects["p_wrong"], errors="coerce").astype(np.float64)
        odd = ~p_wrong.between(0, 1)
        refuse(
            suspects,
            odd,
            lambda row: f"p_wrong {row['p_wrong']!s:.200} of suspects is not between 0 and 1",
        )
        ends = graph.pair_nodes(suspects)
        for side, nodes in zip(("text_a", "text_b"), ends, strict=True):
            refuse(suspects, nodes < 0, lambda row, side=side: f"{row[side]!r:.200} {UNKNOWN}")
        self.graph = graph
        edges = graph.edge_index.places(*ends)
        #: in thousandths; -1: not known
        self.wrong = np.full(len(graph.edge_sign), -1, dtype=np.int64)
        np.maximum.at(self.wrong, edges[edges >= 0], thousandths(p_wrong)[edges >= 0])

    @property
    def of_clusters(self) -> np.ndarray:
        """The greatest of the pairs of each cluster, in thousandths; -1: not known."""
        worst = np.full(len(self.graph.cluster_sizes), -1)
        np.maximum.at(worst, self.graph.edge_clusters[0], self.wrong)
        return worst

    def out(self, trust: float) -> np.ndarray:
        """Return the positives that are right with less than this probability, as edges."""
        is_out = self.wrong > 1000 - round(1000 * trust)
        return np.flatnonzero(is_out & (self.graph.edge_sign > 0))

    def table(self, trust: float) -> pd.DataFrame:
        """Return these positives, the most doubtful first."""
        edges = self.out(trust)
        edges = edges[np.argsort(-self.wrong[edges], kind="stable")]
        pairs = self.graph.pair_texts(*self.graph.ends(edges))
        return pairs.assign(label=1, p_wrong=self.wrong[edges] / 1000)

    def apart(self, trust: float) -> Plain:
        """Count what is left without these positives: clusters, conflicts and inferred labels.

        `of` lists each cluster that changes: its number, its parts, its remaining conflicts.
        """
        graph = self.graph
        k = len(graph.cluster_sizes)
        home = graph.edge_clusters[0]
        out = self.out(trust)
        stands = np.ones(len(graph.edge_sign), dtype=bool)
        stands[out] = False
        a, b = graph.ends(stands)
        positive = graph.edge_sign[stands] > 0
        # the first sentence of each one's part
        part = first_nodes(graph.n, [(a[positive], b[positive])])
        a = part[a]
        b = part[b]
        contradicted = (graph.negatives_inside[stands] & (a == b)) | graph.labelled_twice[stands]
        left = np.bincount(home[stands][contradicted], minlength=k)
        size = np.bincount(part)
        parts = np.bincount(graph.cluster_of[size.nonzero()], minlength=k)
        before = np.bincount(home[graph.conflicting], minlength=k)
        changed = np.flatnonzero((parts > 1) | (left < before))
        follow = 0
        if not graph.bipartite:
            keys = pair_keys(a, b, graph.n)[a != b]
            one, other = np.divmod(np.unique(keys), graph.n)
            inside = size * (size - 1) // 2
            follow = int(inside.sum() + size[one] @ size[other]) - len(a)
        return {
            "out": len(out),
            "clusters": int(np.count_nonzero(size > 1)),
            "conflicts": int(left.sum()),
            "follow": follow,
            "of": np.stack([changed, parts[changed], left[changed]], axis=1).tolist(),
        }


def thousandths(p: np.ndarray) -> np.ndarray:
    """Return probabilities as whole numbers of three digits, which pages store, compare and show.

    >>> thousandths(np.array([0.8649, 1])).tolist()
    [864, 999]
    """
    return np.minimum(np.floor(1000 * np.asarray(p)), 999).astype(np.int64)
