"""What is proposed for a conflict, with its reasons: computed when first asked for, hidden until then."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..balance.blocks import blocks
from ..graph import ParaphraseGraph
from ..words.differences import reasons
from .evidence import log_odds
from .posterior import posterior
from .proposals import UNSURE

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Proposal", "Proposals"]

LARGE = 150  # sentences of a block whose posterior takes too long
REASONS = 5  # told of each pair at most


class Proposal(NamedTuple):
    """Which label of a conflict is wrong."""

    proposal: str  #: "flip", "cut" or "unsure"
    margin: float  #: log-odds (natural) that the negative is wrong; below 0 for a cut


class Proposals:
    """Proposals for the conflicts of a graph, each worked out when it is asked for.

    As in `repair`, from the posterior of the conflict's block; of a block with more than 150 sentences from its
    cluster alone, with each cluster around it as one node, because the whole would take too long to wait for.
    """

    def __init__(self, graph: ParaphraseGraph, evidence: pd.DataFrame | np.ndarray | None = None):
        self.graph, self.evidence = graph, evidence
        self._found: dict[int, float] = {}  # log-odds that an edge is truly positive

    def p_flip(self) -> np.ndarray:
        """The probability of each edge of the graph to be truly positive."""
        return posterior(self.graph, self._given).p_positive

    def of(self, edge: int) -> Proposal:
        """The proposal for a conflict."""
        margin = self._log_odds(edge)
        return Proposal("unsure" if abs(margin) < UNSURE else "flip" if margin > 0 else "cut", margin)

    def weakest(self, path: list[int]) -> int | None:
        """The edge of a path that is most probably no paraphrase."""
        return min(path, key=lambda edge: (self._log_odds(edge), edge), default=None)

    @cached_property
    def _given(self) -> np.ndarray:
        """Log-odds that each edge of the graph is truly positive, by all that is known of it alone."""
        return self.evidence if isinstance(self.evidence, np.ndarray) else log_odds(self.graph, self.evidence)

    @cached_property
    def _blocks(self) -> np.ndarray:
        return blocks(self.graph.n, self.graph.edge_a, self.graph.edge_b)

    def _log_odds(self, edge: int) -> float:
        """Log-odds that an edge is truly positive, given all labels of its block, or of its cluster and around it."""
        graph, block = self.graph, int(self._blocks[edge])
        if block < 0:
            return float(self._given[edge])
        if edge not in self._found:
            edges = np.flatnonzero(self._blocks == block)
            names = np.arange(graph.n)
            if len(np.unique([graph.edge_a[edges], graph.edge_b[edges]])) > LARGE:
                cluster = graph.cluster_of[graph.edge_a[edge]]
                home_a, home_b = graph.edge_clusters
                edges = edges[(home_a[edges] == cluster) | (home_b[edges] == cluster)]
                names = np.where(graph.cluster_of == cluster, names, graph.n + graph.cluster_of)
            self._found.update(self._part(edges, names[graph.edge_a[edges]], names[graph.edge_b[edges]]))
        return self._found[edge]

    def _part(self, edges: np.ndarray, a: np.ndarray, b: np.ndarray) -> Iterator[tuple[int, float]]:
        """Edges with their log-odds, those between the same two nodes taken together."""
        _, ends = np.unique([a, b], return_inverse=True)
        pairs, one = np.unique(np.sort(ends.reshape(2, -1), axis=0), axis=1, return_inverse=True)
        given = np.bincount(one, self._given[edges])
        sign = np.where(given > 0, 1, -1).astype(np.int8)
        part = ParaphraseGraph(pairs[0], pairs[1], sign, int(pairs.max()) + 1)
        return zip(edges.tolist(), posterior(part, given).log_odds[one].tolist(), strict=True)

    def told(self, edge: int, path: list[int]) -> dict[str, Any]:
        """A proposal in words: what, how surely, and what speaks for it."""
        said, weakest = self.of(edge), self.weakest(path)
        p_flip = 1 / (1 + np.exp(-said.margin))
        text = f"The negative is wrong with probability {_percent(p_flip)}."
        told = [f"the pair: {reason}" for reason in self._reasons(edge)]
        if weakest is not None:
            number = path.index(weakest) + 1
            p = 1 / (1 + np.exp(self._log_odds(weakest)))
            text += f" The weakest link is {number}: wrong with probability {_percent(p)}."
            told += [f"link {number}: {reason}" for reason in self._reasons(weakest)]
        return {"badge": said.proposal, "text": text, "reasons": told}

    def _reasons(self, edge: int) -> list[str]:
        return reasons(*self.graph.texts([self.graph.edge_a[edge], self.graph.edge_b[edge]]))[:REASONS]


def _percent(p: float) -> str:
    return f"{p:.0%}" if 0.01 <= p <= 0.99 else "below 1 %" if p < 0.5 else "above 99 %"
