"""Paraphrases by substitution: a phrase of a sentence gives way to one that took its place in a cluster."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from ...graph import ParaphraseGraph
from ...graph.inference import infer
from ...pairs import PairsError
from ...words.phrases import Phrases
from .paraphraser import THETA, Paraphraser, Proposal

__all__ = ["SubstitutionParaphraser"]

#: Inferred pairs of a cluster that are read, beside all that are stated.
PER_CLUSTER = 50


class SubstitutionParaphraser(Paraphraser):
    """Sentences with one phrase or two replaced by what took its place in a cluster of `graph` (`words.phrases`).

    Whether a phrase fits *here* the tagger says: at most `theta` are the share of 1s in the pair, and P(1) of each
    changed word: in a long sentence one wrong word is a small share.

    Raises
    ------
    PairsError
        No tagger; bipartite pairs.
    """

    def __init__(self, graph: ParaphraseGraph, tagger: Any, theta: float = THETA, *, progress: bool = True):
        super().__init__(tagger, theta)
        if tagger is None:
            raise PairsError("substitution needs a tagger: a phrase that fits one sentence may not fit another")
        self.phrases = Phrases(_pairs(graph, progress))

    def _propose(self, texts: list[str], n: int, progress: bool) -> list[list[Proposal]]:
        return [
            [(new, "; ".join(map(" → ".join, some)), some) for new, some in self.phrases.substitutions(text)]
            for text in texts
        ]

    def _doubt(self, tags: pd.DataFrame) -> np.ndarray:
        doubt = super()._doubt(tags)
        for i, row in enumerate(tags.itertuples()):
            a, b = (row.words_a, row.p_a), (row.words_b, row.p_b)
            for (words, p), (others, _) in ((a, b), (b, a)):
                shared = {word.casefold() for word in others}
                changed = (p for word, p in zip(words, p, strict=True) if word.casefold() not in shared)
                doubt[i] = max(doubt[i], *changed, 0)
        return doubt


def _pairs(graph: ParaphraseGraph, progress: bool) -> Iterable[tuple[str, str, float, int]]:
    """Every stated pair with its vote, and some that follow inside each cluster with half a one."""
    batches = infer(graph, max_per_cluster=PER_CLUSTER).batches()
    inside = list(takewhile(lambda batch: batch.label[0] == 1, batches))  # positives come first
    a = np.concatenate([graph.edge_a, *(batch.a for batch in inside)])
    b = np.concatenate([graph.edge_b, *(batch.b for batch in inside)])
    vote = np.concatenate([graph.edge_sign, *(batch.label / 2 for batch in inside)])
    rows = zip(graph.texts(a), graph.texts(b), vote.tolist(), graph.cluster_of[a].tolist(), strict=True)
    return tqdm(rows, "phrases", len(a), unit=" pairs", delay=2, leave=False, disable=not progress)
