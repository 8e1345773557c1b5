"""Words and runs of words that a text shares with a reference: ROUGE and BLEU."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, pairwise
from typing import Any

import numpy as np

__all__ = ["ROUGE", "bleu", "rouge", "stem"]

ROUGE = ("rouge1", "rouge2", "rougeL")

_WORD = re.compile("[A-Za-z0-9]+")


def rouge(candidates: Sequence[str], references: Sequence[str], kind: str = "rouge1") -> np.ndarray:
    """Return precision, recall and F of each candidate against the reference in the same place: float64, (n, 3).

    The figures of ROUGE-1.5.5 with the options ``-n 2 -a -m``, less its list of irregular words: lower case, words
    of a–z and 0–9, those of more than three letters stemmed (`stem`), sentences split at " . ". Precision and recall
    are rounded to five decimals, F is computed from them and rounded again, so that two texts tie where they tie
    there. A text without words scores 0.

    Parameters
    ----------
    kind : {"rouge1", "rouge2", "rougeL"}
        Shared words; shared pairs of neighbours; the words on longest common subsequences of sentences (the union
        over the candidate's sentences, for each of the reference).

    References
    ----------
    Lin (2004), "ROUGE: a package for automatic evaluation of summaries".

    Examples
    --------
    >>> rouge(["The cats sat .", "Sat the cat"], ["A cat sat down", "A cat sat down"]).tolist()
    [[0.66667, 0.5, 0.57143], [0.66667, 0.5, 0.57143]]
    >>> rouge(["The cats sat .", "Sat the cat"], ["A cat sat down", "A cat sat down"], "rougeL")[:, 1].tolist()
    [0.5, 0.25]
    """
    found = []
    for candidate, reference in zip(candidates, references, strict=True):
        found.append(_overlap(_read(candidate), _read(reference), kind))
    return np.array(found, dtype=np.float64).reshape(-1, 3)


def _overlap(
    candidate: list[list[str]], reference: list[list[str]], kind: str
) -> tuple[float, float, float]:
    """Return precision, recall and F of one candidate, from the stems of the sentences of both."""
    words = [chain(*side) for side in (candidate, reference)]
    if kind == "rouge2":
        words = map(pairwise, words)
    grams = [Counter(side) for side in words]
    shared = grams[0] & grams[1]
    if kind == "rougeL":  # a word counts as often as the union has it, and both texts hold it
        shared &= _union(candidate, reference)
    precision, recall = (_share(shared, side) for side in grams)
    f = 0.0
    if precision + recall > 0:
        f = precision * recall / (0.5 * precision + 0.5 * recall)
    return precision, recall, float(f"{f:.5f}")


def _union(candidate: list[list[str]], reference: list[list[str]]) -> Counter[str]:
    """The words of the reference's lines that a longest common subsequence with a line holds."""
    words = Counter()
    for line in reference:
        on = set()
        for other in candidate:
            on.update(_subsequence(line, other))
        words.update(line[i] for i in on)
    return words


def _share(shared: Counter, side: Counter) -> float:
    if not side:
        return 0.0
    return float(f"{shared.total() / side.total():.5f}")


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> list[list[str]]:
    """Read the stems of the words of each sentence."""
    sentences = [_WORD.findall(sentence) for sentence in text.split(" . ")]
    return [[stem(word.lower()) for word in words] for words in sentences]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word in lower case (Porter 1980); one of up to three letters stays.

    As NLTK has it, with the two departures of Porter's own program (*-bli*, *-logi*) that ROUGE-1.5.5 has too.

    >>> [stem(word) for word in "ponies hopping relational possibly the".split()]
    ['poni', 'hop', 'relat', 'possibl', 'the']
    """
    return _stemmer().stem(word) if len(word) > 3 else word


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer(PorterStemmer.MARTIN_EXTENSIONS)


def _subsequence(rows: list[str], columns: list[str]) -> Iterator[int]:
    """Yield the rows of one longest common subsequence, from the end: of several, the one ROUGE-1.5.5 finds."""
    longest = [[0 for _ in range(len(columns) + 1)]]
    for word in rows:
        above = longest[-1]
        here = [0]
        for j, other in enumerate(columns):
            step = above[j] + 1 if word == other else max(above[j + 1], here[j])
            here.append(step)
        longest.append(here)
    i = len(rows)
    j = len(columns)
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i -= 1
            j -= 1
            yield i
        elif longest[i - 1][j] >= longest[i][j - 1]:
            i -= 1
        else:
            j -= 1


def bleu(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Return the BLEU of each candidate against the reference in the same place, from 0 to 100: float64, (n,).

    Moses tokens (sacremoses), scored one by one as a corpus of one sentence by sacrebleu (Post 2018). It counts what
    of the candidate is in the reference: it is not symmetric. Of a candidate of fewer than four words, runs of words
    count only up to its length (sacrebleu's effective order); without that, "a cat" against itself would score 0.

    Examples
    --------
    >>> bleu(["The cat sat on the mat."] * 2, ["The cat sat on the mat.", "The cat sat on a mat."]).round(1).tolist()
    [100.0, 48.9]
    """
    scorer, _ = _tools()
    scores = []
    for candidate, reference in zip(candidates, references, strict=True):
        one = _moses(candidate)
        other = _moses(reference)
        found = scorer.corpus_score([one], [[other]])
        scores.append(found.score)
    return np.array(scores, dtype=np.float64)


@lru_cache(maxsize=1 << 14)
def _moses(text: str) -> str:
    return _tools()[1].tokenize(text, return_str=True)


@cache
def _tools() -> tuple[Any, Any]:
    from sacrebleu.metrics import BLEU
    from sacremoses import MosesTokenizer

    # force: that tokens stand apart is meant
    return BLEU(force=True, effective_order=True), MosesTokenizer(lang="en")
