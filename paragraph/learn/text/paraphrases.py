"""Paraphrases to order: proposed, held against a tagger, and counted; the members of a cluster are the simplest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ...graph import ParaphraseGraph
from ...graph.distance import check_rule, path_lengths, shortest_paths
from ...graph.search import nodes_of
from ...pairs import PairsError
from ...words.ngrams import rouge
from ..pretrained.encode import check_texts

__all__ = ["COPY", "THETA", "ClusterParaphraser", "Paraphraser", "Proposal", "shares"]

#: Most of the words of a pair that may be tagged 1 (Wang et al. 2022, section 5.3); the ROUGE-2 F of a copy.
THETA, COPY = 0.05, 0.9

#: A paraphrase, where it comes from in words, and the proof.
Proposal = tuple[str, str, list]


class Paraphraser:
    """A way of making paraphrases; a subclass has `_propose`, which gives proposals for each text, best first.

    Parameters
    ----------
    tagger : optional
        An object with `tag`, as of `learn.make_tagger`, that has not learnt from what the paraphrases come from.
        Those in which it tags a share of the words above `theta` are left out.
    theta : float
    """

    def __init__(self, tagger: Any = None, theta: float = THETA):
        if not 0 <= theta <= 1:
            raise PairsError(f"theta {theta} is not a share, from 0 to 1")
        self.tagger, self.theta = tagger, theta

    def paraphrases(self, sentences: Sequence[str], n: int = 3, *, progress: bool = True) -> pd.DataFrame:
        """At most `n` paraphrases of each different sentence, in the order given, the least doubtful first.

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
        if isinstance(sentences, str):
            raise PairsError("paraphrases are made of a list of texts")
        check_texts(sentences)
        texts = list(dict.fromkeys(sentences))
        proposed = zip(texts, self._propose(texts, n, progress), strict=True)
        rows = [(text, *one) for text, found in proposed for one in found]
        table = pd.DataFrame(rows, columns=["text", "paraphrase", "why", "proof"])
        table = table.astype({"text": "str", "paraphrase": "str", "why": "str"}).assign(share=np.nan)
        table["rouge2"] = rouge(table["paraphrase"], table["text"], "rouge2")[:, 2]
        old, new = (table[name].str.casefold().str.findall(r"\w+").map(tuple) for name in ("text", "paraphrase"))
        copies = (table["rouge2"] >= COPY) | (old == new)
        table = table[~copies]
        doubt = np.zeros(len(table))
        if self.tagger is not None and len(table):
            tags = self.tagger.tag(pd.DataFrame({"text_a": table["text"], "text_b": table["paraphrase"]}))
            doubt = shares(tags)
            table = table.assign(share=doubt)
        order = np.lexsort((doubt, table["text"].map({text: i for i, text in enumerate(texts)})))
        kept = (
            table.iloc[order[doubt[order] <= self.theta]].groupby("text", sort=False).head(n).reset_index(drop=True)
        )
        kept.attrs = {
            "rouge2": float(kept["rouge2"].mean()) if len(kept) else None,
            "copies": int(copies.sum()),
            "tagged": int((doubt > self.theta).sum()),
            "without": sorted(set(texts).difference(kept["text"]), key=texts.index),
        }
        return kept

    def _propose(self, texts: list[str], n: int, progress: bool) -> list[list[Proposal]]:
        raise NotImplementedError


def shares(tags: pd.DataFrame) -> np.ndarray:
    """The share of 1s among the words of each tagged pair.

    >>> shares(pd.DataFrame({"tags_a": [[0, 1], []], "tags_b": [[0, 0], []]}))
    array([0.25, 0.  ])
    """
    both = [[*a, *b] for a, b in zip(tags["tags_a"], tags["tags_b"], strict=True)]
    return np.array([sum(one) / max(len(one), 1) for one in both], dtype=np.float64)


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
