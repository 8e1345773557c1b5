"""Paraphrases to order: the nearest members of a cluster, held against a tagger, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ...graph.distance import check_transitive
from ...graph.identity import nodes_of
from ...graph.paths import path_lengths, shortest_paths
from ...learn.vectors import check_texts
from .ngrams import rouge

__all__ = ["COPY", "THETA", "ClusterParaphraser"]

#: Most of the words of a pair that may be tagged 1 (Wang et al. 2022, section 5.3); the ROUGE-2 F of a copy.
THETA, COPY = 0.05, 0.9
#: Members that are looked at for each that is wanted: some are copies, or do not pass the tagger.
LOOKED_AT = 4


class ClusterParaphraser:
    """The nearest members of a sentence's cluster; the proof is the path of stated pairs, as in `graph.explain`.

    Members that are stated to be no paraphrase of it are none; a sentence that is not in the data has none.

    Parameters
    ----------
    graph : ParaphraseGraph
    tagger : optional
        A tagger that was not trained on the data from which the paraphrases come. Paraphrases in which it tags more
        than a fraction `theta` of the words are left out.

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
        if not 0 <= theta <= 1:
            raise PairsError(f"theta {theta} is not a share, from 0 to 1")
        check_transitive(checked_graph(graph, "ClusterParaphraser"))
        self.graph, self.tagger, self.theta = graph, tagger, theta

    def paraphrases(self, sentences: Sequence[str], n: int = 3, *, progress: bool = True) -> pd.DataFrame:
        """Make at most `n` paraphrases of each different sentence, in the order given, the least doubtful first.

        Columns
        -------
        text, paraphrase
        why, proof
            Where it comes from, in words and as a list.
        share
            Of the words of both that the tagger tags 1; missing without a tagger.
        rouge2
            ROUGE-2 F of the two: the lower, the more diverse (Wang et al. 2022, Table 7).

        ``.attrs`` has the mean `rouge2`, how many proposals were left out as `copies` (a ROUGE-2 F of .9 or more, or
        the same words) and as `tagged`, and the sentences `without` a paraphrase.
        """
        check_texts(sentences)
        texts = list(dict.fromkeys(sentences))
        nodes = tqdm(nodes_of(self.graph, texts).tolist(), "clusters", delay=2, leave=False, disable=not progress)
        found = (self._members(node, LOOKED_AT * n) if node >= 0 else [] for node in nodes)
        rows = [(text, *one) for text, several in zip(texts, found, strict=True) for one in several]
        table = pd.DataFrame(rows, columns=["text", "paraphrase", "why", "proof"])
        table = table.astype({"text": "str", "paraphrase": "str", "why": "str"}).assign(share=np.nan)
        table["rouge2"] = rouge(table["paraphrase"], table["text"], "rouge2")[:, 2]
        old, new = (table[name].str.casefold().str.findall(r"\w+").map(tuple) for name in ("text", "paraphrase"))
        copies = (table["rouge2"] >= COPY) | (old == new)
        table = table[~copies]
        if self.tagger is not None and len(table):
            tags = self.tagger.tag(pd.DataFrame({"text_a": table["text"], "text_b": table["paraphrase"]}))
            both = [[*a, *b] for a, b in zip(tags["tags_a"], tags["tags_b"], strict=True)]
            table = table.assign(share=[sum(one) / max(len(one), 1) for one in both])
        doubt = table["share"].fillna(0).to_numpy()
        order = np.lexsort((doubt, table["text"].map({text: i for i, text in enumerate(texts)})))
        kept = table.iloc[order[doubt[order] <= self.theta]].groupby("text", sort=False).head(n)
        kept = kept.reset_index(drop=True)
        made = {*kept["text"]}
        kept.attrs = {
            "rouge2": float(kept["rouge2"].mean()) if len(kept) else None,
            "copies": int(copies.sum()),
            "tagged": int((doubt > self.theta).sum()),
            "without": [text for text in texts if text not in made],
        }
        return kept

    def _members(self, node: int, most: int) -> list[tuple[str, str, list[str]]]:
        """Return the nearest members of a cluster, each with its rows in words and the path to it."""
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
