"""Metrics of generated text, each from pairs (candidate, reference) to precision, recall and F."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from ... import __version__
from ...files import PairsError
from ...files.records import file_hash
from ...learn.encoder import describe, load, load_tokenizer
from ...learn.vectors import encode
from ..tags.pieces import WordReader, pieces, whole
from ..tags.tagger import FILE, Tagger, default_tagger
from .ngrams import ROUGE, bleu, bleu_signature, rouge

__all__ = ["METRICS", "Metric", "make_metric"]

METRICS = (*ROUGE, "bleu", "cosine", "bertscore", "matching")

Pair = tuple[str, str]
#: Where each word of a text begins and ends, and its value; of both texts.
Words = list[list[tuple[int, int, float]]]
#: The values of the words of a candidate, those of its reference, and in how many pieces the longer text was read.
Values = tuple[np.ndarray, np.ndarray, int]
Share = Callable[[float], float]
Reader = Callable[[Sequence[Pair]], Iterator[Values]]


class Metric(NamedTuple):
    """A way to score pairs of texts."""

    name: str
    hash: str  #: of all that decides a score: model, layer, options, versions
    #: P, R, F and windows of each pair, float64, (n, 4)
    score: Callable[[Sequence[Pair]], np.ndarray]
    words: Callable[[str, str], Words] | None = (
        None  #: what each word of either text adds, where words have values
    )
    share: Share = float  #: a word's value on a scale from 0 (worst) to 1
    kept: bool = False  #: are scores expensive enough to be kept on disk?


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
        count = partial(rouge, kind=name)
        found = _counting_metric(name, f"{name}_1.5.5", count)
    elif name == "bleu":
        found = _counting_metric(name, f"bleu_{bleu_signature()}", _bleu)
    elif name == "cosine":
        found = _cosine(encoder)
    elif name == "bertscore":
        found = _bertscore(encoder)
    elif name == "matching":
        found = _matching(tagger)
    else:
        raise PairsError(f"metric {name!r} is not one of {', '.join(METRICS)}")
    return found._replace(hash=f"{found.hash}_paragraph={__version__}")


def _counting_metric(name: str, hash: str, function: Callable[..., np.ndarray]) -> Metric:
    """Make a metric that counts words."""

    def score(pairs: Sequence[Pair]) -> np.ndarray:
        candidates, references = zip(*pairs, strict=True)
        values = function(candidates, references)
        return np.column_stack([values, np.ones(len(pairs))])

    return Metric(name, hash, score)


def _bleu(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    precision = bleu(candidates, references)
    recall = bleu(references, candidates)
    return np.column_stack([precision, recall, precision])


def _cosine(encoder: str | os.PathLike) -> Metric:
    tokenizer = load_tokenizer(encoder)
    about = describe(encoder)

    def score(pairs: Sequence[Pair]) -> np.ndarray:
        """The cosine of both texts; of one that is read in windows the vector is their mean, by their words."""
        texts, at = _texts(pairs)
        runs = []
        windows = []
        for text in texts:
            parts = pieces(tokenizer, whole(text), about.max_length - 2)
            runs.extend(parts)
            windows.append(len(parts))
        words = [[max(1, len(run.places))] for run in runs]
        vectors = encode([run.text for run in runs], encoder, progress=False)
        sums = np.zeros((len(texts), about.width))
        of = np.repeat(np.arange(len(texts)), windows)
        np.add.at(sums, of, vectors * np.array(words))
        sums /= np.linalg.norm(sums, axis=1, keepdims=True)
        a, b = at.T
        products = sums[a] * sums[b]
        value = np.clip(products.sum(1), -1, 1)
        most = np.array(windows)[at].max(1)
        return np.column_stack([value, value, value, most])

    return Metric("cosine", f"cosine_{_weights(encoder)}", score, kept=True)


def _bertscore(encoder: str | os.PathLike) -> Metric:
    # the last is trained for whole sentences
    layer = int(load(encoder).config.num_hidden_layers) // 2
    reader = WordReader(encoder, [layer])

    def values(pairs: Sequence[Pair]) -> Iterator[Values]:
        texts, at = _texts(pairs)
        vectors, windows = reader([whole(text) for text in texts])
        for i, j in at:
            products = vectors[i][0] @ vectors[j][0].T
            cosines = np.clip(products, -1, 1)
            count = max(windows[i], windows[j])
            if cosines.size:
                yield cosines.max(1), cosines.max(0), count
            else:
                yield cosines.sum(1), cosines.sum(0), count

    return _by_words("bertscore", f"bertscore_{_weights(encoder)}_L{layer}", values, _harmonic_mean)


def _matching(tagger: Tagger | str | os.PathLike | None) -> Metric:
    if tagger is None:
        tagger = default_tagger()
    elif isinstance(tagger, str | os.PathLike):
        tagger = Tagger.load(tagger)

    def values(pairs: Sequence[Pair]) -> Iterator[Values]:
        """The log-odds of 0 of each word; where a text is empty there is nothing to tag, and no score."""
        table = pd.DataFrame(pairs, columns=["text_a", "text_b"])
        full = np.array([bool(a.strip() and b.strip()) for a, b in pairs])
        odds = []
        windows = []
        if full.any():
            _, odds, windows = tagger.log_odds(table[full])
        found = zip(odds, windows, strict=True)
        unknown = np.array([np.nan])
        for has_words in full:
            if has_words:
                (a, b), count = next(found)
                yield -a, -b, count
            else:
                yield unknown, unknown, 1

    return _by_words("matching", f"matching_{_fingerprint(tagger)}", values, _mean_of_all, expit)


def _by_words(
    name: str, hash: str, values: Reader, f: Callable[..., float], share: Share = float
) -> Metric:
    """A metric whose P is the mean over the candidate's words, and R that over the reference's.

    A pair is read in the order of its texts, so that P and R change places where candidate and reference do.
    """

    def score(pairs: Sequence[Pair]) -> np.ndarray:
        rows = []
        in_order = [(min(pair), max(pair)) for pair in pairs]
        for a, b, windows in values(in_order):
            rows.append((_mean(a), _mean(b), f(a, b), windows))
        rows = np.array(rows)
        turned = [a > b for a, b in pairs]
        rows[turned, :2] = rows[turned, 1::-1]
        return rows

    def words_of(candidate: str, reference: str) -> Words:
        pair = sorted([candidate, reference])
        *sides, _ = next(values([tuple(pair)]))
        # of a text against itself, both sides are the same
        of = dict(zip(pair, sides, strict=True))
        words = []
        for text in (candidate, reference):
            places = whole(text).places
            values_of = of[text].tolist()
            each = zip(places, values_of, strict=True)
            words.append([(*place, value) for place, value in each])
        return words

    return Metric(name, hash, score, words_of, share, kept=True)


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


def _texts(pairs: Sequence[Pair]) -> tuple[list[str], np.ndarray]:
    """The different texts in their order, whichever side they are on, and their numbers in each pair."""
    texts = np.array(pairs, dtype=object).ravel()
    found, at = np.unique(texts, return_inverse=True)
    return found.tolist(), at.reshape(-1, 2)


def _weights(model: str | os.PathLike) -> str:
    about = describe(model)
    return (
        f"{Path(about.name).name}@{about.fingerprint[:12]}_transformers={version('transformers')}"
    )


def _fingerprint(tagger: Tagger) -> str:
    """Return a hash of what a tagger writes."""
    with tempfile.TemporaryDirectory() as folder:
        tagger.save(folder)
        return file_hash(Path(folder, FILE))[:12]
