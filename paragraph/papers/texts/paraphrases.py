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

__all__ = ["COPY", "THETA", "paraphrases"]

#: Most of the words of a pair that may be tagged 1 (Wang et al. 2022, section 5.3).
THETA = 0.05
#: The ROUGE-2 F of a copy.
COPY = 0.9
#: Members that are looked at for each that is wanted: some are copies, or do not pass the tagger.
LOOKED_AT = 4


def paraphrases(
    graph: ParaphraseGraph,
    sentences: Sequence[str],
    n: int = 3,
    tagger: Any = None,
    theta: float = THETA,
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Find at most `n` paraphrases of each different sentence, in the order given, the least doubtful first.

    They are the nearest members of its cluster; the proof is the path of stated pairs, as in `graph.explain`. Members
    that are stated to be no paraphrase of it are none; a sentence that is not in the data has none.

    Parameters
    ----------
    tagger : optional
        A tagger that was not trained on the data from which the paraphrases come. Paraphrases in which it tags more
        than a fraction `theta` of the words are left out.

    Columns
    -------
    text, paraphrase
    why
        The rows on the path.
    share
        Of the words of both that the tagger tags 1; missing without a tagger.
    rouge2
        ROUGE-2 F of the two: the lower, the more diverse (Wang et al. 2022, Table 7).

    ``.attrs`` has the mean `rouge2`, how many proposals were left out as `copies` (a ROUGE-2 F of .9 or more, or
    the same words) and as `tagged`, and the sentences `without` a paraphrase.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Is a tea warm?"], "text_b": ["Is a tea warm?", "Warm tea?"],
    ...                       "label": [1, 1], "row": [2, 3]})
    >>> found = paraphrases(ParaphraseGraph.from_pairs(pairs), ["Is tea hot?", "Who won?"])
    >>> found[["paraphrase", "why"]]
           paraphrase        why
    0  Is a tea warm?      row 2
    1       Warm tea?  rows 2, 3
    """
    if not 0 <= theta <= 1:
        raise PairsError(f"theta {theta} is not a share, from 0 to 1")
    check_transitive(checked_graph(graph, "paraphrases"))
    check_texts(sentences)
    texts = list(dict.fromkeys(sentences))
    nodes = nodes_of(graph, texts).tolist()
    rows = []
    bar = tqdm(nodes, "clusters", delay=2, leave=False, disable=not progress)
    for number, node in enumerate(bar):
        if node >= 0:
            for other, why in _members(graph, node, LOOKED_AT * n):
                rows.append((number, texts[number], other, why))
    table = pd.DataFrame(rows, columns=["number", "text", "paraphrase", "why"])
    table = table.astype({"text": "str", "paraphrase": "str", "why": "str"})
    table["share"] = np.nan
    scores = rouge(table["paraphrase"], table["text"], "rouge2")
    table["rouge2"] = scores[:, 2]
    same_words = _words(table["text"]) == _words(table["paraphrase"])
    copies = (table["rouge2"] >= COPY) | same_words
    table = table[~copies]
    if tagger is not None and len(table):
        pairs = table[["text", "paraphrase"]].set_axis(["text_a", "text_b"], axis=1)
        tags = tagger.tag(pairs)
        both = tags["tags_a"] + tags["tags_b"]
        table = table.assign(share=both.map(np.mean))
    doubt = table["share"].fillna(0)
    passing = table[doubt <= theta].sort_values(["number", "share"], kind="stable")
    kept = passing.groupby("number").head(n).drop(columns="number").reset_index(drop=True)
    paraphrased = {*kept["text"]}
    without = [text for text in texts if text not in paraphrased]
    mean = float(kept["rouge2"].mean()) if len(kept) else None
    kept.attrs = {"rouge2": mean, "copies": int(copies.sum())}
    kept.attrs |= {"tagged": int((doubt > theta).sum()), "without": without}
    return kept


def _members(graph: ParaphraseGraph, node: int, most: int) -> list[tuple[str, str]]:
    """Return the nearest members of a cluster, each with the rows on the path to it, in words."""
    members = graph.members(graph.cluster_of[node])
    _, lengths = path_lengths(graph, np.array([node]))
    edges = graph.edge_index.places(np.full(len(members), node), members)
    negative = (edges >= 0) & (graph.edge_sign[edges] < 0)
    order = np.argsort(lengths, kind="stable")
    usable = (lengths > 0) & ~negative
    near = members[order[usable[order]]][:most]
    found = []
    for path in shortest_paths(graph, np.full(len(near), node), near):
        rows = []
        for i, j in pairwise(path):
            row, *_ = graph.source_rows(graph.edge_between(i, j))
            rows.append(str(row))
        why = f"row {rows[0]}"
        if len(rows) > 1:
            why = f"rows {', '.join(rows)}"
        found.append((graph.text(path[-1]), why))
    return found


def _words(texts: pd.Series) -> pd.Series:
    return texts.str.casefold().str.findall(r"\w+").map(tuple)
