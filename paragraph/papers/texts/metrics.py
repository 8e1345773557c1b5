"""Metrics of generated text, each from pairs (candidate, reference) to precision, recall and F."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from ...files import PairsError
from ...learn.encoder import load
from ...learn.vectors import encode, unit
from ..tags.penn import places, words
from ..tags.pieces import Sentence, WordReader
from ..tags.tagger import Tagger, default_tagger
from .ngrams import ROUGE, bleu, rouge

__all__ = ["METRICS", "Metric", "make_metric"]

METRICS = (*ROUGE, "bleu", "cosine", "bertscore", "matching")

Pair = tuple[str, str]
#: Where each word of a text begins and ends, and its value; of both texts.
Words = list[list[tuple[int, int, float]]]
#: From pairs of texts to the values of the words of each: of the first text, and of the second.
Reader = Callable[[Sequence[Pair]], Iterator[tuple[np.ndarray, np.ndarray]]]


class Metric(NamedTuple):
    """A way to score pairs of texts."""

    name: str
    #: P, R and F of each pair, float64, (n, 3); NaN where there is no score
    score: Callable[[Sequence[Pair]], np.ndarray]
    #: what each word of either text adds, where words have values
    words: Callable[[str, str], Words] | None = None
    #: a word's value on a scale from 0 (worst) to 1
    share: Callable[[float], float] = float


def make_metric(
    name: str,
    *,
    encoder: str | os.PathLike = "minilm",
    tagger: Tagger | str | os.PathLike | None = None,
) -> Metric:
    """Make a metric by name.

    Parameters
    ----------
    name : str
        ``rouge1``, ``rouge2``, ``rougeL``: `paragraph.papers.texts.ngrams.rouge`.
        ``bleu``: P is the BLEU of the candidate, R that of the reference given the candidate, and F is P: BLEU has
        no F. From 0 to 100.
        ``cosine``: of the vectors of both texts; P = R = F.
        ``bertscore``: each word's best cosine in the other text, by the vectors of the middle layer; P is the mean
        over the candidate's words, R over the reference's, F their harmonic mean (Zhang et al. 2020, greedy
        matching, on words).
        ``matching``: S = G₀ − G₁ of a tagger for each word, how far it is from a 1; P and R as before, F the mean
        over all words of both (Wang et al. 2022, equations 4 to 7).
    encoder : str or path
        For cosine and bertscore, as for `describe`.
    tagger : tagger or path, optional
        For matching. Default: the one that ships.

    Raises
    ------
    PairsError
        No such metric.
    """
    if name in ROUGE:
        return Metric(name, lambda pairs: rouge(*zip(*pairs, strict=True), kind=name))
    if name == "bleu":
        return Metric(name, _bleu)
    if name == "cosine":
        return Metric(name, partial(_cosine, encoder))
    if name == "bertscore":
        # the last layer is trained for whole sentences
        middle = int(load(encoder).config.num_hidden_layers) // 2
        reader = WordReader(encoder, [middle])
        return _by_words(name, partial(_best_cosines, reader), _harmonic_mean)
    if name == "matching":
        if tagger is None:
            tagger = default_tagger()
        elif isinstance(tagger, str | os.PathLike):
            tagger = Tagger.load(tagger)
        return _by_words(name, partial(_log_odds, tagger), _mean_of_all, expit)
    raise PairsError(f"metric {name!r} is not one of {', '.join(METRICS)}")


def _bleu(pairs: Sequence[Pair]) -> np.ndarray:
    candidates, references = zip(*pairs, strict=True)
    precision = bleu(candidates, references)
    recall = bleu(references, candidates)
    return np.column_stack([precision, recall, precision])


def _cosine(encoder: str | os.PathLike, pairs: Sequence[Pair]) -> np.ndarray:
    texts, (a, b) = _texts(pairs)
    vectors = unit(encode(texts, encoder, progress=False)).astype(np.float64)
    products = vectors[a] * vectors[b]
    value = np.clip(products.sum(1), -1, 1)
    return np.column_stack([value, value, value])


def _best_cosines(
    reader: WordReader, pairs: Sequence[Pair]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    texts, ends = _texts(pairs)
    vectors = reader([_cut(text) for text in texts])
    for i, j in ends.T:
        products = vectors[i][0] @ vectors[j][0].T
        cosines = np.clip(products, -1, 1)
        if cosines.size:
            yield cosines.max(1), cosines.max(0)
        else:
            yield cosines.sum(1), cosines.sum(0)


def _log_odds(tagger: Tagger, pairs: Sequence[Pair]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the log-odds of 0 of each word; where a text is empty there is nothing to tag, and no score."""
    table = pd.DataFrame(pairs, columns=["text_a", "text_b"])
    full = np.array([bool(a.strip() and b.strip()) for a, b in pairs])
    odds = iter(())
    if full.any():
        odds = iter(tagger.log_odds(table[full]))
    unknown = np.array([np.nan])
    for has_words in full:
        if has_words:
            a, b = next(odds)
            yield -a, -b
        else:
            yield unknown, unknown


def _by_words(
    name: str, values: Reader, f: Callable[..., float], share: Callable[[float], float] = float
) -> Metric:
    """A metric whose P is the mean over the candidate's words, and R that over the reference's.

    A pair is read in the order of its texts, so that P and R change places where candidate and reference do.
    """

    def score(pairs: Sequence[Pair]) -> np.ndarray:
        in_order = [(min(pair), max(pair)) for pair in pairs]
        rows = np.array([(_mean(a), _mean(b), f(a, b)) for a, b in values(in_order)])
        turned = [a > b for a, b in pairs]
        rows[turned, :2] = rows[turned, 1::-1]
        return rows

    def words_of(candidate: str, reference: str) -> Words:
        pair = sorted([candidate, reference])
        # of a text against itself, both sides are the same
        of = dict(zip(pair, next(values([tuple(pair)])), strict=True))
        found = []
        for text in (candidate, reference):
            _, its_places = _cut(text)
            each = zip(its_places, of[text].tolist(), strict=True)
            found.append([(*place, value) for place, value in each])
        return found

    return Metric(name, score, words_of, share)


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else 0.0


def _mean_of_all(a: np.ndarray, b: np.ndarray) -> float:
    """F as the mean of the values of the words of both texts."""
    return _mean(np.concatenate([a, b]))


def _harmonic_mean(a: np.ndarray, b: np.ndarray) -> float:
    """F as the harmonic mean of P and R."""
    p = _mean(a)
    r = _mean(b)
    if p * r <= 0:
        return 0.0
    return 2 * p * r / (p + r)


def _cut(text: str) -> Sentence:
    return text, tuple(places(text, words(text)))


def _texts(pairs: Sequence[Pair]) -> tuple[list[str], np.ndarray]:
    """The different texts in order, whichever side they are on, and the numbers of each pair's two: (2, n)."""
    texts = np.array(pairs, dtype=object).ravel()
    found, at = np.unique(texts, return_inverse=True)
    return found.tolist(), at.reshape(-1, 2).T
