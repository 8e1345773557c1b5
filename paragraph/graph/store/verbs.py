"""What an opened store of pairs can be asked: the same of every engine."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ...pairs import PairsError
from ..contradictions import conflicts
from ..inference import infer, write_labels
from ..paraphrase import ParaphraseGraph
from ..proof import Explanation, explain
from .coded import taken_out

__all__ = ["PairStore"]

BLOCK = 1 << 20  # stated pairs that are written together

MOST = 10**9  #: rows that nobody writes by accident


@dataclass(frozen=True)
class PairStore:
    """Pairs as `open_pairs` opens them; `graph` takes all functions of graphs that need no rows in memory.

    Attributes
    ----------
    graph : ParaphraseGraph
    engine : str
        What coded the pairs.
    plan : str
        The choice of the engine in words, and what it costs.
    """

    graph: ParaphraseGraph
    engine: str
    plan: str

    def __repr__(self) -> str:
        return f"<PairStore ({self.engine}) of {self.graph!r}>"

    def counts(self) -> dict[str, int]:
        """Rows, sentences, stated pairs, clusters, conflicts, and what follows by either rule."""
        found = {name: int(value) for name, value in self.graph.summary().items()}
        for rule in () if self.graph.bipartite else ("all", "clusters"):
            counts = infer(self.graph, negatives=rule).counts()
            found |= {
                "inferred positive": counts["positive"],
                f"inferred negative (rule {rule!r})": counts["negative"],
            }
        return found

    def conflicts(self, **options: Any) -> pd.DataFrame:
        """Labels that contradict each other, each with its evidence: see `conflicts`."""
        return conflicts(self.graph, **options)

    def clusters(self, min_size: int = 2, **options: Any) -> pd.DataFrame:
        """One row a cluster, largest first: see `clusters.cluster_table`."""
        return self.graph.clusters(min_size=min_size, **options)

    def sample(self, n: int, seed: int = 0, **options: Any) -> pd.DataFrame:
        """`n` inferred labels drawn uniformly, with their distance; `options` as `infer` has them."""
        return infer(self.graph, **options).sample(n, seed)

    def explain(self, a: str, b: str, negatives: str = "all") -> Explanation:
        """Why two sentences count as the same, or not: see `explain`."""
        return explain(self.graph, a, b, negatives)

    def cluster(self, cluster: int) -> ParaphraseGraph:
        """One cluster with the pairs stated inside as a graph of its own, which any widget shows."""
        return taken_out(self.graph, cluster)

    def write(self, path: str | PathLike, limit: int | None = None, negatives: str = "all") -> int:
        """Stream all labels, stated and inferred, to a .tsv or .parquet file; the number of rows.

        Parameters
        ----------
        limit : int
            At most so many inferred labels of each sign from one cluster.

        Raises
        ------
        PairsError
            More than 10⁹ rows, and no limit: the clusters that they come from are named.
        """
        graph, closure = self.graph, infer(self.graph, negatives=negatives, max_per_cluster=limit)
        rows = len(graph.edge_a) + sum(closure.at_most().values())
        if rows > MOST and limit is None:
            raise PairsError(
                f"{rows:,} labels would be written, {self._largest(negatives)}; limit= bounds each cluster"
            )
        stated = (
            (
                graph.edge_a[i : i + BLOCK],
                graph.edge_b[i : i + BLOCK],
                (graph.edge_sign[i : i + BLOCK] > 0).view(np.int8),
            )
            for i in range(0, len(graph.edge_a), BLOCK)
        )
        inferred = ((each.a, each.b, each.label) for each in closure.batches(progress="writing"))
        return write_labels(graph, path, (batch for part in (stated, inferred) for batch in part))

    def _largest(self, negatives: str) -> str:
        table = self.graph.clusters(negatives=negatives)
        table["labels"] = table["inferred_positive"] + table["inferred_negative"]
        top = table.nlargest(3, "labels")
        return "; ".join(
            f"cluster {row.cluster} ({row.size:,} sentences, as {row.example[:60]!r}) gives {row.labels:,}"
            for row in top.itertuples()
        )
