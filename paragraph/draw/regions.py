"""Names of the regions of a map of clusters."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np
import pandas as pd

from ..words.lexicon import COMPARISON, CONTRACTIONS, FUNCTION_WORDS, NUMBERS, QUESTION, WAYS
from ..words.tokens import words_of

__all__ = ["regions"]

#: Words that name no topic.
NO_TOPIC = frozenset().union(FUNCTION_WORDS, COMPARISON, CONTRACTIONS, NUMBERS, WAYS, QUESTION, *QUESTION.values())


def regions(table: pd.DataFrame) -> list[tuple[float, float, str]]:
    """Name the parts of a map of clusters, each at its place: x, y, and the word that sets it apart.

    Parts are those of k-means, one for 25 dots and at most ten. A word counts by the number of a part's sentences
    that hold it, times the logarithm of its share there over its share of the whole map. Words of grammar, of
    comparison and of questions ("how", "best", "way") do not count: they name no topic.

    Examples
    --------
    >>> import pandas as pd
    >>> regions(pd.DataFrame({"x": [0] * 25, "y": [1] * 25, "sentence": ["How is tea made?"] * 24 + ["Tea?"]}))
    [(0.0, 1.0, 'tea')]
    """
    from scipy.cluster.vq import kmeans2

    places, found = table[["x", "y"]].to_numpy(float), []
    if not (count := min(10, len(table) // 25)):
        return []
    part = kmeans2(places, count, minit="++", seed=0)[1] if count > 1 else np.zeros(len(table))
    words = [{word for word in map(str.casefold, words_of(text)) if word[0].isalnum()} for text in table["sentence"]]
    everywhere = Counter(chain.from_iterable(words))
    for k in range(count):
        rows = np.flatnonzero(part == k)
        there = Counter(word for i in rows for word in words[i] - NO_TOPIC)
        telling = {word: n * np.log(n * len(words) / len(rows) / everywhere[word]) for word, n in there.items()}
        if telling:
            name = max(telling, key=lambda word: (telling[word], there[word]))
            found.append((*np.median(places[rows], axis=0).tolist(), name))
    return found
