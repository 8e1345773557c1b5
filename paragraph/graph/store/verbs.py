"""What an opened store of pairs can be asked: the same of every engine."""

from __future__ import annotations

from itertools import chain
from os import PathLike
from typing import Any, NamedTuple

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


class PairStore(NamedTuple):
    """Pairs as `open_pairs` opens them. All functions of graphs take `graph`, unless they need its texts in memory."""

    graph: ParaphraseGraph
    engine: str  #: what coded the pairs
    plan: str  #: the choice of the engine in words, and what it costs

    def __repr__(self) -> str:
        return f"<PairStore ({self.engine}) of {self.graph!r}>"

    def counts(self) -> dict[str, int]:
        """Rows, sentences, stated pairs, clusters, conflicts, and what follows by either rule."""
        found = {name: int(value) for name, value in self.graph.summary().items()}
        for rule in () if self.graph.bipartite else ("all", "clusters"):
            counts = infer(self.graph, negatives=rule).counts()
            found["inferred positive"] = counts["positive"]
            found[f"inferred negative (rule {rule!r})"] = counts["negative"]
        return found

    def conflicts(self, **options: Any) -> pd.DataFrame:
        """Labels that contradict each other, each with its evidence: see `contradictions.conflicts`."""
        return conflicts(self.graph, **options)

    def clusters(self, min_size: int = 2, **options: Any) -> pd.DataFrame:
        """One row a cluster, largest first: see `clusters.cluster_table`."""
        return self.graph.clusters(min_size=min_size, **options)

    def sample(self, n: int, seed: int = 0, **options: Any) -> pd.DataFrame:
        """`n` inferred labels drawn uniformly, with their distance; `options` as `infer` has them."""
        return infer(self.graph, **options).sample(n, seed)

    def explain(self, a: str, b: str, negatives: str = "all") -> Explanation:
        """Why two sentences count as the same, or not: see `proof.explain`."""
        return explain(self.graph, a, b, negatives)

    def cluster(self, cluster: int) -> ParaphraseGraph:
        """One cluster with the pairs stated inside as a graph of its own, which any widget shows."""
        return taken_out(self.graph, cluster)

    def codes(self) -> pd.DataFrame:
        """Every row as a pair table of numbers in the place of texts, for what asks only which are the same: `split`.

        Examples
        --------
        >>> import paragraph as pg
        >>> parts = pg.split(pg.open_pairs(pg.DEMO, progress=False).codes(), {"train": 0.8, "test": 0.2})
        >>> sorted(parts["split"].unique())
        ['test', 'train']
        """
        return self.graph.codes()

    def write(self, path: str | PathLike, limit: int | None = None, negatives: str = "all") -> int:
        """Stream all labels, stated and inferred, to a file as `LabelWriter` names them; the number of rows.

        At most `limit` inferred labels of each sign from one cluster. `PairsError` names the clusters that give most
        where it would be more than 10⁹ rows, and there is no limit.
        """
        graph, closure = self.graph, infer(self.graph, negatives=negatives, max_per_cluster=limit)
        rows = len(graph.edge_a) + sum(closure.at_most().values())
        if rows > MOST and limit is None:
            table = graph.clusters(negatives=negatives)
            table["labels"] = table["inferred_positive"] + table["inferred_negative"]
            top = table.nlargest(3, "labels")[["cluster", "size", "labels", "example"]].itertuples(index=False)
            said = "; ".join(
                f"cluster {c} of {size:,} sentences, as {text[:60]!r}: {n:,}" for c, size, n, text in top
            )
            raise PairsError(f"{rows:,} labels would be written; limit= bounds each cluster, most of all {said}")
        label = (graph.edge_sign > 0).view(np.int8)
        blocks = (slice(start, start + BLOCK) for start in range(0, len(label), BLOCK))
        stated = ((graph.edge_a[block], graph.edge_b[block], label[block]) for block in blocks)
        inferred = ((each.a, each.b, each.label) for each in closure.batches(progress="writing"))
        return write_labels(graph, path, chain(stated, inferred))
