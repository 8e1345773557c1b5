"""The alignment tagger: is there a word in the other sentence that this one matches?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd
from scipy.special import expit
from tqdm.auto import tqdm

from ...measure.scoring import best_threshold
from ...pairs import PairsError
from ...pairs.errors import intact
from ...pairs.outputs import together
from ...tags.table import checked, untagged
from ..pretrained.find import describe
from ..pretrained.words import WordReader
from .features import columns, names
from .taggers import Odds, Tagger, folds_of, provenance, sentences, tagged_part
from .trees import Trees, grow

__all__ = ["FILE", "AlignmentTagger"]

FILE = "alignment_tagger.npz"

#: Pairs whose words' vectors are in memory at once.
_CHUNK = 1000
#: Of the trees: neither twice as many nor half the leaves are better by cross-validation on MultiMWA and ETPC.
_GROWTH = {
    "max_iter": 150, "learning_rate": 0.08, "max_leaf_nodes": 31, "min_samples_leaf": 40, "l2_regularization": 1.0,
}  # fmt: skip


class AlignmentTagger(Tagger):
    """Gradient-boosted trees on what tells whether a word has a counterpart in the other sentence.

    The transformer reads each sentence by itself and is not trained. A word's match at one of its layers is the word
    of the other sentence with the greatest cosine. Its cosine counts, its margin over the second best, whether the
    match is mutual, and how the neighbours are matched; also equal words, stems and letters, and what kind of word it
    is (`features.names`).

    Parameters
    ----------
    model : str or path
        The transformer: "minilm", a hub id, or a folder; its tokenizer must be a fast one.
    layers : sequence of int, optional
        Those whose vectors are compared. Default: the middle layer and the last.
    folds : int
        Of the cross-validation that chooses the threshold.
    seed : int
        Of the folds and the trees.
    device : str, optional
    progress : bool

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["He paid $2."] * 40, "text_b": ["He paid $2.", "She paid $3."] * 20})
    >>> tags = pg.tags.untagged(pairs)
    >>> sides = list(zip(tags.words_a, tags.words_b)), list(zip(tags.words_b, tags.words_a))
    >>> tags["tags_a"], tags["tags_b"] = ([[int(w not in y) for w in x] for x, y in side] for side in sides)
    >>> tagger = AlignmentTagger(progress=False).fit(tags)
    >>> tagger.tag(pairs[1:2])[["tags_a", "tags_b"]].values.tolist()
    [[[1, 0, 0, 1, 0], [1, 0, 0, 1, 0]]]
    """

    deterministic = True

    def __init__(
        self, model: str | PathLike = "minilm", seed: int = 0, *, layers: Sequence[int] | None = None, folds: int = 5,
        device: str | None = None, progress: bool = True,
    ):  # fmt: skip
        about = describe(model, progress=progress)
        self.model, self.seed, self.layers, self.folds = model, seed, layers, folds
        self.device, self.progress = device, progress
        self.name, self.trained_on = f"alignment ({about.name})", about.trained_on
        self._sha256, self._trees, self._reader = about.sha256, None, None

    def fit(self, tags: pd.DataFrame, progress: bool | None = None) -> Self:
        """Learn from a tag table; the threshold is chosen by cross-validation that keeps a sentence's pairs together.

        Raises `PairsError` without tags, or with one tag only.
        """
        if progress is not None:
            self.progress = progress
        table, label = tagged_part(tags)
        parts = [each for each, _ in self._columns(table)]
        x = np.concatenate(parts)
        fold = np.repeat(folds_of(table, self.folds, self.seed), [len(each) for each in parts])
        held_out = np.full(len(x), -np.inf)
        for k in tqdm(range(self.folds), "choosing the threshold", disable=not self.progress, leave=False):
            rest = fold != k
            if 0 < label[rest].sum() < rest.sum() < len(x):
                held_out[~rest] = grow(x[rest], label[rest], self.seed, **_GROWTH).log_odds(x[~rest])
        known = np.isfinite(held_out)
        self.threshold = best_threshold(label[known], expit(held_out[known])) if known.any() else 0.5
        self._trees = grow(x, label, self.seed, **_GROWTH)
        self.trained_on = provenance(describe(self.model).trained_on, table)
        return self

    def save(self, folder: str | PathLike) -> None:
        """Write the fitted trees as plain arrays, `alignment_tagger.npz`; of the transformer, its name and hash."""
        if self._trees is None:
            raise PairsError(f"the tagger {self.name} is not fitted: call fit(tags) first")
        about = {"model": str(self.model), "sha256": self._sha256, "trained_on": self.trained_on}
        about = {name: np.array(value) for name, value in about.items()}
        with together(folder) as stage:
            np.savez_compressed(
                stage / FILE, layers=np.array(self.layers), least_p=np.array(self.threshold), **about,
                **self._trees._asdict(),
            )  # fmt: skip

    @classmethod
    def load(cls, folder: str | PathLike, device: str | None = None, *, progress: bool = False) -> Self:
        """A fitted tagger that `save` has written."""
        path = Path(folder, FILE)
        if not path.is_file():
            raise PairsError(f"{path} is missing: name a folder that {cls.__name__}.save has written")
        with (
            intact(path, "it is damaged: train the tagger and save it again"),
            np.load(path, allow_pickle=False) as arrays,
        ):
            tagger = cls(str(arrays["model"]), layers=arrays["layers"].tolist(), device=device, progress=progress)
            if tagger._sha256 != str(arrays["sha256"]):
                raise ValueError(f"it was fitted to vectors of other weights than those of {tagger.model}")
            tagger.threshold, tagger.trained_on = float(arrays["least_p"]), str(arrays["trained_on"])
            if not 0 <= tagger.threshold <= 1:
                raise ValueError(f"threshold {tagger.threshold}")
            trees = Trees(**{name: arrays[name] for name in Trees._fields})
            tagger._trees = trees.checked(len(names(tagger.layers)))
        return tagger

    def _odds(self, table: pd.DataFrame) -> tuple[Odds, np.ndarray]:
        if self._trees is None:
            raise PairsError(f"the tagger {self.name} is not fitted: call fit(tags) first, or load one")
        found, windows = [], []
        for (x, count), n in zip(self._columns(table), table["words_a"].map(len), strict=True):
            odds = self._trees.log_odds(x)
            found.append((odds[:n], odds[n:]))
            windows.append(count)
        return found, np.array(windows, dtype=np.int64)

    def best_match(self, table: pd.DataFrame) -> pd.DataFrame:
        """Of each word the word of the other sentence nearest to it: `match_a`, `cosine_a`, and so for b.

        By the first of the layers. Where the other sentence has no word, "" and nan.
        """
        table = checked(table, "the table") if "words_a" in table else untagged(table)
        rows = []
        for a, b, alike, _ in self._alike(table):
            sides = [(b, alike[0]), (a, alike[0].T)]
            rows += [tuple(part for words, cosines in sides for part in _nearest(words, cosines))]
        names = ["match_a", "cosine_a", "match_b", "cosine_b"]
        return table.assign(**{k: pd.Series([row[i] for row in rows], table.index) for i, k in enumerate(names)})

    def _columns(self, table: pd.DataFrame) -> Iterator[tuple[np.ndarray, int]]:
        """The columns of the words of each pair, and in how many windows the longer of its sentences was read."""
        for a, b, alike, windows in self._alike(table):
            yield columns(a, b, alike, self.layers), windows

    def _alike(self, table: pd.DataFrame) -> Iterator[tuple[list[str], list[str], np.ndarray, int]]:
        """The words of each pair, their cosines, (layers, words of a, words of b), and in how many windows."""
        if self._reader is None:
            self._reader = WordReader(self.model, self.layers, self.device)
            self.layers = self._reader.layers
        bar = tqdm(total=len(table), desc="aligning", unit=" pairs", delay=1, disable=not self.progress)
        for at in range(0, len(table), _CHUNK):
            some, number = table.iloc[at : at + _CHUNK], {}
            sides = [[number.setdefault(one, len(number)) for one in side] for side in sentences(some)]
            vectors, windows = self._reader(list(number))
            for a, b, i, j in zip(some["words_a"], some["words_b"], *sides, strict=True):
                alike = vectors[i] @ vectors[j].transpose(0, 2, 1)
                yield a, b, alike, max(windows[i], windows[j])
                bar.update()
        bar.close()


def _nearest(words: list[str], cosines: np.ndarray) -> tuple[list[str], list[float]]:
    """The word nearest to each row of the cosines, and its cosine."""
    if not words:
        return [""] * len(cosines), [np.nan] * len(cosines)
    return [words[k] for k in cosines.argmax(axis=1)], cosines.max(axis=1).astype(float).tolist()
