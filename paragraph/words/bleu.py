"""BLEU of single sentences, as the translation benchmarks take it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["bleu", "bleu_signature"]


def bleu(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """The BLEU of each candidate against the reference in the same place, from 0 to 100: float64, (n,).

    Moses tokens (sacremoses), scored one by one as a corpus of one sentence by sacrebleu. It counts what of the
    candidate is in the reference, so that it is not symmetric.

    References
    ----------
    Post (2018), "A call for clarity in reporting BLEU scores".

    Examples
    --------
    >>> bleu(["The cat sat on the mat."] * 2, ["The cat sat on the mat.", "The cat sat on a mat."]).round(1).tolist()
    [100.0, 48.9]
    """
    tokens = [[_moses(text) for text in side] for side in (candidates, references)]
    found = [_scorer().corpus_score([a], [[b]]).score for a, b in zip(*tokens, strict=True)]
    return np.array(found, dtype=np.float64)


def bleu_signature() -> str:
    """What sacrebleu says of how it scores, its version included."""
    scorer = _scorer()
    scorer.corpus_score(["a"], [["a"]])
    return f"{scorer.get_signature()}|moses"


@lru_cache(maxsize=1)
def _scorer() -> Any:
    from sacrebleu.metrics import BLEU

    return BLEU(force=True)  # tokens that stand apart are meant


@lru_cache(maxsize=1 << 14)
def _moses(text: str) -> str:
    return _tokenizer().tokenize(text, return_str=True)


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from sacremoses import MosesTokenizer

    return MosesTokenizer(lang="en")
