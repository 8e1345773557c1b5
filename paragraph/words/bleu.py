"""BLEU of single sentences, as the translation benchmarks take it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["bleu", "bleu_signature"]


def bleu(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """The BLEU of each candidate against the reference in the same place, from 0 to 100: float64, (n,).

    Moses tokens (sacremoses), scored one by one as a corpus of one sentence by sacrebleu (Post 2018). It counts what
    of the candidate is in the reference: it is not symmetric. Of a candidate of fewer than four words, runs of words
    count only up to its length (sacrebleu's effective order); without that, "a cat" against itself would score 0.

    Examples
    --------
    >>> bleu(["The cat sat on the mat."] * 2, ["The cat sat on the mat.", "The cat sat on a mat."]).round(1).tolist()
    [100.0, 48.9]
    """
    scorer, _ = _tools()
    found = [
        scorer.corpus_score([_moses(a)], [[_moses(b)]]).score for a, b in zip(candidates, references, strict=True)
    ]
    return np.array(found, dtype=np.float64)


def bleu_signature() -> str:
    """sacrebleu's signature: its options and version."""
    bleu(["a"], ["a"])  # before its first score it does not know
    return f"{_tools()[0].get_signature()}|moses"


@lru_cache(maxsize=1 << 14)
def _moses(text: str) -> str:
    return _tools()[1].tokenize(text, return_str=True)


@lru_cache(maxsize=1)
def _tools() -> tuple[Any, Any]:
    from sacrebleu.metrics import BLEU
    from sacremoses import MosesTokenizer

    return BLEU(force=True, effective_order=True), MosesTokenizer(
        lang="en"
    )  # force: that tokens stand apart is meant
