"""Texts as vectors of their words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, diags_array

from .tokens import words_of

__all__ = ["tfidf"]


def tfidf(texts: Sequence[str], group: np.ndarray | None = None) -> csr_array:
    """Return TF-IDF vectors of words, of unit length or 0: one row per text, or per group of texts.

    `group` is the number of each text's group, from 0.

    Examples
    --------
    >>> vectors = tfidf(["cats purr", "why do cats purr", "rain falls"])
    >>> (vectors @ vectors.T).toarray()[0].round(2).tolist()
    [1.0, 0.38, 0.0]
    """
    group = np.arange(len(texts)) if group is None else group
    words = [[word.casefold() for word in words_of(text) if word[0].isalnum()] for text in texts]
    rows = np.repeat(group, [len(some) for some in words])
    columns, vocabulary = pd.factorize(pd.Series([word for some in words for word in some], dtype=object))
    n = int(group.max(initial=-1)) + 1
    counts = csr_array((np.ones(len(columns)), (rows, columns)), shape=(n, max(len(vocabulary), 1)))
    counts.sum_duplicates()
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    weighted = counts.log1p() @ diags_array(np.log((1 + n) / (1 + held)))
    return diags_array(1 / np.maximum(np.sqrt(weighted.multiply(weighted).sum(axis=1)), 1e-12)) @ weighted
