"""Metrics of generated text, each from pairs (candidate, reference) to precision, recall and F."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .. import __version__
from ..measure.weights import sigmoid
from ..pairs import PairsError
from ..pairs.provenance import file_hash
from ..words.bleu import bleu, bleu_signature
from ..words.rouge import ROUGE, Piece, gram_shares, rouge, rouge_overlap
from ..words.tokens import places, words

__all__ = ["METRICS", "Metric", "make_metric"]

METRICS = (*ROUGE, "bleu", "cosine", "bertscore", "matching", "generation")

Pair = tuple[str, str]
Pieces = tuple[list[Piece], list[Piece]]
TEXTS = ["text_a", "text_b"]
#: The values of the words of a candidate, those of its reference, and in how many pieces the longer text was read.
Values = tuple[np.ndarray, np.ndarray, int]


class Metric(NamedTuple):
    """How to score pairs of texts."""

    name: str
    hash: str  #: of all that decides a score: model, layer, options, versions
    score: Callable[[Sequence[Pair]], np.ndarray]  #: P, R, F and windows of each pair, float64, (n, 4)
    words: Callable[[str, str], Pieces]  #: what each word of either text adds
    share: Callable[[float], float] = float  #: a word's value on a scale from 0 (worst) to 1
    kept: bool = True  #: whether scores are dear enough to be kept on disk


def make_metric(
    name: str,
    *,
    encoder: str | os.PathLike = "minilm",
    layer: int | None = None,
    tagger: Any = None,
    generator: str | os.PathLike | None = None,
    combine: str = "mean",
    device: str | None = None,
) -> Metric:
    """A metric by name.

    Parameters
    ----------
    name : str
        ``rouge1``, ``rouge2``, ``rougeL``: `paragraph.words.rouge.rouge`.
        ``bleu``: P is the BLEU of the candidate, R that of the reference given the candidate, and F is P: BLEU has
        no F. From 0 to 100.
        ``cosine``: of the vectors of both texts; P = R = F.
        ``bertscore``: each word's best cosine in the other text; P is the mean over the candidate's words, R over
        the reference's, F their harmonic mean (Zhang et al. 2020, greedy matching, on words).
        ``matching``: S = G₀ − G₁ of a tagger for each word, how far it is from a 1; P and R as before, F the mean
        over all words of both (Wang et al. 2022, equations 4 to 7).
        ``generation``: P is the mean log-likelihood of the candidate's tokens given the reference, R the reverse
        (Yuan et al. 2021, BARTScore).
    encoder : str or path
        For cosine and bertscore, as for `describe`.
    layer : int, optional
        Whose vectors bertscore compares. Default: the middle one. The last is trained for whole sentences.
    tagger : tagger or path, optional
        For matching. Default: the one that ships.
    generator : str or path
        For generation: an encoder-decoder, by hub id or folder.
    combine : {"mean", "harmonic"}
        How generation makes F of P and R, both of which are below 0.

    Raises
    ------
    PairsError
        No such metric, layer or way to combine; generation without a generator.
    """
    if name in ROUGE:
        found = Metric(name, f"{name}_1.5.5", partial(_rouge, name), partial(_rouge_words, name), kept=False)
    elif name == "bleu":
        found = Metric(name, f"bleu_{bleu_signature()}", _bleu, _bleu_words, kept=False)
    elif name == "cosine":
        found = _cosine(encoder, device)
    elif name == "bertscore":
        found = _bertscore(encoder, layer, device)
    elif name == "matching":
        found = _matching(tagger)
    elif name == "generation":
        found = _generation(generator, combine, device)
    else:
        raise PairsError(f"metric {name!r} is not one of {', '.join(METRICS)}")
    return found._replace(hash=f"{found.hash}_paragraph={__version__}")


def _rouge(kind: str, pairs: Sequence[Pair]) -> np.ndarray:
    return np.column_stack([rouge(*zip(*pairs, strict=True), kind), np.ones(len(pairs))])


def _rouge_words(kind: str, candidate: str, reference: str) -> Pieces:
    return rouge_overlap(candidate, reference, kind)[3:]


def _bleu(pairs: Sequence[Pair]) -> np.ndarray:
    candidates, references = zip(*pairs, strict=True)
    precision = bleu(candidates, references)
    return np.column_stack([precision, bleu(references, candidates), precision, np.ones(len(pairs))])


def _bleu_words(candidate: str, reference: str) -> Pieces:
    """The mean share of a word's n-grams of one to four words that the other text has."""
    sides = words(candidate), words(reference)
    shares = [gram_shares(*sides, order)[1] for order in range(1, 5)]
    return tuple(
        _placed(text, np.mean([share[i] for share in shares], 0)) for i, text in enumerate((candidate, reference))
    )


def _cosine(encoder: str | os.PathLike, device: str | None) -> Metric:
    from .encoding import encode
    from .models import describe, load_tokenizer
    from .tagging.reading import pieces

    tokenizer, most = load_tokenizer(encoder), describe(encoder).max_length - 2

    def vectors(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Unit vectors; of a text that was read in pieces that of their mean, by their words."""
        runs = [pieces(tokenizer, [_whole(text)], most)[0] for text in texts]
        of = np.repeat(np.arange(len(texts)), [len(each) for each in runs])
        found = encode([run.text for each in runs for run in each], encoder, device=device, progress=False)
        sums = np.zeros((len(texts), found.shape[1]))
        np.add.at(sums, of, found * np.array([[max(1, len(run.places))] for each in runs for run in each]))
        return sums / np.linalg.norm(sums, axis=1, keepdims=True), np.bincount(of, minlength=len(texts))

    def score(pairs: Sequence[Pair]) -> np.ndarray:
        texts, at = _texts(pairs)
        found, windows = vectors(texts)
        value = np.clip((found[at[:, 0]] * found[at[:, 1]]).sum(1), -1, 1)
        return np.column_stack([value, value, value, windows[at].max(1)])

    def words_of(candidate: str, reference: str) -> Pieces:
        """The cosine of each word's vector at the last layer with that of the whole other text."""
        from .tagging.vectors import WordReader

        texts = [candidate, reference]
        own, _ = WordReader(encoder, [-1], device)([_whole(text) for text in texts])
        return tuple(
            _placed(text, words[0] @ other)
            for text, words, other in zip(texts, own, vectors(texts[::-1])[0], strict=True)
        )

    return Metric("cosine", f"cosine_{_weights(encoder)}", score, words_of)


def _bertscore(encoder: str | os.PathLike, layer: int | None, device: str | None) -> Metric:
    from .tagging.vectors import WordReader

    layers = _layers(encoder)
    layer = layers // 2 if layer is None else layer
    if not 0 <= layer <= layers:
        raise PairsError(f"layer={layer}: {encoder} has layers 0 (embeddings) to {layers}")
    reader = WordReader(encoder, [layer], device)

    def values(pairs: Sequence[Pair]) -> Iterator[Values]:
        texts, at = _texts(pairs)
        vectors, windows = reader([_whole(text) for text in texts])
        for i, j in at:
            cosines = np.clip(vectors[i][0] @ vectors[j][0].T, -1, 1)
            best = (cosines.max(1), cosines.max(0)) if cosines.size else (cosines.sum(1), cosines.sum(0))
            yield *best, max(windows[i], windows[j])

    return _by_words("bertscore", f"bertscore_{_weights(encoder)}_L{layer}", values, _harmonic)


def _matching(tagger: Any) -> Metric:
    if tagger is None or isinstance(tagger, str | os.PathLike):
        from .tagging.named import default_tagger, load_tagger

        tagger = default_tagger() if tagger is None else load_tagger(tagger)

    def values(pairs: Sequence[Pair]) -> Iterator[Values]:
        """Where a text is empty there is nothing to tag, and no score."""
        full = [bool(a.strip() and b.strip()) for a, b in pairs]
        table = pd.DataFrame([pair for pair, there in zip(pairs, full, strict=True) if there], columns=TEXTS)
        found = tagger._asked(table)[1:] if len(table) else ([], [])
        found = zip(*found, strict=True)
        for there in full:
            (a, b), windows = next(found) if there else ((np.array([np.nan]), np.array([np.nan])), 1)
            yield -a, -b, windows

    return _by_words("matching", f"matching_{_fingerprint(tagger)}", values, _of_all, sigmoid)


def _generation(generator: str | os.PathLike | None, combine: str, device: str | None) -> Metric:
    from .likelihood import Likelihood

    if combine not in ("mean", "harmonic"):
        raise PairsError(f"combine={combine!r} is not one of mean, harmonic")
    if generator is None:
        raise PairsError("the metric 'generation' needs an encoder-decoder: name one (generator=, --generator)")
    model = Likelihood(generator, device)
    f = _harmonic if combine == "harmonic" else _average
    return _by_words(
        "generation", f"generation_{_weights(generator)}_{combine}", model.values, f, np.exp, model.placed
    )


def _by_words(
    name: str,
    hash: str,
    values: Callable[[Sequence[Pair]], Iterator[Values]],
    f: Callable[[np.ndarray, np.ndarray], float],
    share: Callable[[float], float] = float,
    placed: Callable[[str, np.ndarray], list[Piece]] | None = None,
) -> Metric:
    """A metric whose P and R are means over words. It reads a pair in one order, whichever is the candidate."""

    def score(pairs: Sequence[Pair]) -> np.ndarray:
        turned = [a > b for a, b in pairs]
        found = values([pair[::-1] if turn else pair for pair, turn in zip(pairs, turned, strict=True)])
        rows = [(_mean(a), _mean(b), f(a, b), windows) for a, b, windows in found]
        return np.array(
            [(r, p, *rest) if turn else (p, r, *rest) for (p, r, *rest), turn in zip(rows, turned, strict=True)]
        )

    def words_of(candidate: str, reference: str) -> Pieces:
        pair = sorted([candidate, reference])
        *sides, _ = next(values([tuple(pair)]))
        found = [(placed or _placed)(text, side) for text, side in zip(pair, sides, strict=True)]
        return tuple(found if candidate <= reference else found[::-1])

    return Metric(name, hash, score, words_of, share)


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else 0.0


def _of_all(a: np.ndarray, b: np.ndarray) -> float:
    return _mean(np.concatenate([a, b]))


def _average(a: np.ndarray, b: np.ndarray) -> float:
    return (_mean(a) + _mean(b)) / 2


def _harmonic(a: np.ndarray, b: np.ndarray) -> float:
    p, r = _mean(a), _mean(b)
    return 2 * p * r / (p + r) if p * r > 0 else 0.0


def _whole(text: str) -> Any:
    from .tagging.reading import whole

    return whole(text, places(text, words(text)))


def _placed(text: str, values: np.ndarray) -> list[Piece]:
    return [(*place, float(value)) for place, value in zip(places(text, words(text)), values, strict=True)]


def _texts(pairs: Sequence[Pair]) -> tuple[list[str], np.ndarray]:
    """The different texts in their order, whichever side they are on, and their numbers in each pair."""
    found, at = np.unique(np.array(pairs, dtype=object).ravel(), return_inverse=True)
    return found.tolist(), at.reshape(-1, 2)


def _layers(encoder: str | os.PathLike) -> int:
    from .models import load_encoder

    return int(load_encoder(encoder).config.num_hidden_layers)


def _weights(model: str | os.PathLike) -> str:
    from .models import describe

    about = describe(model)
    return f"{Path(about.name).name}@{about.fingerprint[:12]}_transformers={version('transformers')}"


def _fingerprint(tagger: Any) -> str:
    """Of what a tagger writes of itself, but for its record."""
    with tempfile.TemporaryDirectory() as folder:
        tagger.save(folder)
        files = sorted(path for path in Path(folder).rglob("*") if path.is_file() and path.name != "record.json")
        return hashlib.sha256("".join(map(file_hash, files)).encode()).hexdigest()[:12]
