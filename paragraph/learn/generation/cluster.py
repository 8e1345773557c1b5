"""Paraphrases that the data hold: the other members of a sentence's cluster."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from ...graph import ParaphraseGraph
from ...graph.distance import check_rule, path_lengths
from ...graph.paths import shortest_paths
from ...graph.search import nodes_of
from .paraphraser import THETA, Paraphraser, Proposal

__all__ = ["ClusterParaphraser"]

#: Members that are looked at for each that is wanted: some are copies, or do not pass the tagger.
LOOKED_AT = 4


class ClusterParaphraser(Paraphraser):
    """The nearest members of a sentence's cluster; the proof is the path of stated pairs, as of `graph.explain`.

    Members that are stated to be no paraphrase of it are none; a sentence that is not in the data has none.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Is a tea warm?"], "text_b": ["Is a tea warm?", "Warm tea?"],
    ...                       "label": [1, 1], "row": [2, 3]})
    >>> found = ClusterParaphraser(ParaphraseGraph.from_pairs(pairs)).paraphrases(["Is tea hot?", "Who won?"])
    >>> found[["paraphrase", "why"]]
           paraphrase        why
    0  Is a tea warm?      row 2
    1       Warm tea?  rows 2, 3
    """

    def __init__(self, graph: ParaphraseGraph, tagger: Any = None, theta: float = THETA):
        super().__init__(tagger, theta)
        check_rule(graph, "all")
        self.graph = graph

    def _propose(self, texts: list[str], n: int, progress: bool) -> list[list[Proposal]]:
        nodes = tqdm(nodes_of(self.graph, texts).tolist(), "clusters", delay=2, leave=False, disable=not progress)
        return [self._members(node, LOOKED_AT * n) if node >= 0 else [] for node in nodes]

    def _members(self, node: int, most: int) -> list[Proposal]:
        members = self.graph.members(self.graph.cluster_of[node])
        _, lengths = path_lengths(self.graph, np.array([node]))
        edges = self.graph.edge_index.places(np.full(len(members), node), members)
        denied = (edges >= 0) & (self.graph.edge_sign[edges] < 0)
        order = np.argsort(lengths, kind="stable")
        near = members[order[(lengths[order] > 0) & ~denied[order]]][:most]
        found = []
        for path in shortest_paths(self.graph, np.full(len(near), node), near):
            rows = [self.graph.source_rows(self.graph.edge_between(i, j))[0] for i, j in pairwise(path)]
            why = f"row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"
            found.append((self.graph.text(path[-1]), why, self.graph.texts(path)))
        return found
