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
from ...graph.paths import path_lengths, shortest_paths
from ...graph.search import nodes_of
from ...learn.vectors import check_texts
from .ngrams import rouge

__all__ = ["COPY", "THETA", "ClusterParaphraser"]

#: Most of the words of a pair that may be tagged 1 (Wang et al. 2022, section 5.3).
THETA = 0.05
#: The ROUGE-2 F of a copy.
COPY = 0.9
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
        self.graph = graph
        self.tagger = tagger
        self.theta = theta

    def paraphrases(
        self, sentences: Sequence[str], n: int = 3, *, progress: bool = True
    ) -> pd.DataFrame:
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
        nodes = nodes_of(self.graph, texts).tolist()
        rows = []
        bar = tqdm(nodes, "clusters", delay=2, leave=False, disable=not progress)
        for text, node in zip(texts, bar, strict=True):
            if node >= 0:
                members = self._members(node, LOOKED_AT * n)
                rows += [(text, *member) for member in members]
        table = pd.DataFrame(rows, columns=["text", "paraphrase", "why", "proof"])
        table = table.astype({"text": "str", "paraphrase": "str", "why": "str"})
        table["share"] = np.nan
        scores = rouge(table["paraphrase"], table["text"], "rouge2")
        table["rouge2"] = scores[:, 2]
        same_words = _words(table["text"]) == _words(table["paraphrase"])
        copies = (table["rouge2"] >= COPY) | same_words
        table = table[~copies]
        if self.tagger is not None and len(table):
            table = table.assign(share=self._shares(table))
        doubt = table["share"].fillna(0).to_numpy()
        number = {text: i for i, text in enumerate(texts)}
        order = np.lexsort((doubt, table["text"].map(number)))
        passing = order[doubt[order] <= self.theta]
        kept = table.iloc[passing]
        kept = kept.groupby("text", sort=False).head(n)
        kept = kept.reset_index(drop=True)
        paraphrased = {*kept["text"]}
        tagged = doubt > self.theta
        without = [text for text in texts if text not in paraphrased]
        mean = float(kept["rouge2"].mean()) if len(kept) else None
        kept.attrs = {"rouge2": mean, "copies": int(copies.sum())}
        kept.attrs |= {"tagged": int(tagged.sum()), "without": without}
        return kept

    def _shares(self, table: pd.DataFrame) -> list[float]:
        """The share of the words of each pair that the tagger tags 1."""
        names = {"text": "text_a", "paraphrase": "text_b"}
        pairs = table[[*names]].rename(columns=names)
        tags = self.tagger.tag(pairs)
        shares = []
        for tags_of_pair in tags["tags_a"] + tags["tags_b"]:
            count = max(len(tags_of_pair), 1)
            shares.append(sum(tags_of_pair) / count)
        return shares

    def _members(self, node: int, most: int) -> list[tuple[str, str, list[str]]]:
        """Return the nearest members of a cluster, each with its rows in words and the path to it."""
        members = self.graph.members(self.graph.cluster_of[node])
        _, lengths = path_lengths(self.graph, np.array([node]))
        from_node = np.full(len(members), node)
        edges = self.graph.edge_index.places(from_node, members)
        negative = (edges >= 0) & (self.graph.edge_sign[edges] < 0)
        order = np.argsort(lengths, kind="stable")
        usable = (lengths > 0) & ~negative
        near = members[order[usable[order]]][:most]
        found = []
        begins = np.full(len(near), node)
        for path in shortest_paths(self.graph, begins, near):
            rows = []
            for i, j in pairwise(path):
                edge = self.graph.edge_between(i, j)
                row, *_ = self.graph.source_rows(edge)
                rows.append(str(row))
            why = f"row {rows[0]}"
            if len(rows) > 1:
                why = f"rows {', '.join(rows)}"
            text = self.graph.text(path[-1])
            found.append((text, why, self.graph.texts(path)))
        return found


def _words(texts: pd.Series) -> pd.Series:
    return texts.str.casefold().str.findall(r"\w+").map(tuple)
