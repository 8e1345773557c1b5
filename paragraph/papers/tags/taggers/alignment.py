"""The alignment tagger: is there a word in the other sentence that this one matches?"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
from scipy.special import expit
from tqdm.auto import tqdm

from ....learn.encoder import describe, here
from ....pairs import PairsError
from ....pairs.errors import intact
from ....pairs.outputs import all_or_none
from ..pieces import WordReader
from ..scores import best_threshold
from . import FOLDS, TAGGERS, Odds, Tagger, folds_of, provenance, sentences, tagged_part
from .features import columns, names

__all__ = ["AlignmentTagger", "Trees", "grow"]

FILE = TAGGERS["alignment"][2]
#: Pairs whose words' vectors are in memory at once.
_CHUNK = 1000
#: Of the trees: neither twice as many nor half the leaves are better by cross-validation on MultiMWA and ETPC.
_GROWTH = {
    "max_iter": 150, "learning_rate": 0.08, "max_leaf_nodes": 31, "min_samples_leaf": 40, "l2_regularization": 1.0,
}  # fmt: skip
#: Rows that walk through all trees at once: few enough for the processor's cache.
_ROWS = 256


class AlignmentTagger(Tagger):
    """Gradient-boosted trees on what tells whether a word has a counterpart in the other sentence.

    The transformer reads each sentence by itself and is not trained. A word's match at its middle or last layer is
    the word of the other sentence with the greatest cosine. Its cosine counts, its margin over the second best,
    whether the match is mutual, and how the neighbours are matched; also equal words, stems and letters, and what
    kind of word it is (`features.names`).

    Parameters
    ----------
    model : str or path
        The transformer: "minilm", a hub id, or a folder; its tokenizer must be a fast one.
    seed : int
        Of the folds of the cross-validation that chooses the threshold, and of the trees.

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

    def __init__(self, model: str | PathLike = "minilm", seed: int = 0, *, progress: bool = True):
        self.model, self.seed, self.progress = model, seed, progress
        self._about = describe(model, progress=progress)
        self.name, self.trained_on = f"alignment ({self._about.name})", self._about.trained_on
        self.layers, self._trees, self._reader = None, None, None

    def fit(self, tags: pd.DataFrame) -> Self:
        """Learn from a tag table; the threshold is chosen by cross-validation that keeps a sentence's pairs together.

        Raises `PairsError` without tags, or with one tag only.
        """
        table, label = tagged_part(tags)
        parts = [columns(a, b, alike, self.layers) for a, b, alike, _ in self._alike(table)]
        x = np.concatenate(parts)
        fold = np.repeat(folds_of(table, self.seed), [len(each) for each in parts])
        held_out = np.full(len(x), -np.inf)
        for k in tqdm(range(FOLDS), "choosing the threshold", disable=not self.progress, leave=False):
            rest = fold != k
            if 0 < label[rest].sum() < rest.sum() < len(x):
                held_out[~rest] = grow(x[rest], label[rest], self.seed, **_GROWTH).log_odds(x[~rest])
        known = np.isfinite(held_out)
        self.threshold = best_threshold(label[known], expit(held_out[known])) if known.any() else 0.5
        self._trees = grow(x, label, self.seed, **_GROWTH)
        self.trained_on = provenance(self._about.trained_on, table)
        return self

    def save(self, folder: str | PathLike) -> None:
        """Write the fitted trees as plain arrays, `alignment_tagger.npz`; of the transformer, its name and hash."""
        arrays = {"layers": self.layers, "least_p": self.threshold, "model": str(self.model)}
        arrays |= {"sha256": self._about.sha256, "trained_on": self.trained_on} | self._fitted._asdict()
        with all_or_none(folder) as stage:
            np.savez_compressed(stage / FILE, **arrays)

    @classmethod
    def load(cls, folder: str | PathLike, *, progress: bool = False) -> Self:
        """Read a fitted tagger that `save` has written."""
        path = Path(folder, FILE)
        with (
            intact(path, "it is damaged: train the tagger and save it again"),
            np.load(path, allow_pickle=False) as arrays,
        ):
            tagger = cls(here(str(arrays["model"]), path), progress=progress)
            if tagger._about.sha256 != str(arrays["sha256"]):
                raise ValueError(f"it was fitted to vectors of other weights than those of {tagger.model}")
            tagger.layers, tagger.trained_on = arrays["layers"].tolist(), str(arrays["trained_on"])
            tagger.threshold = float(arrays["least_p"])
            if not 0 <= tagger.threshold <= 1:
                raise ValueError(f"threshold {tagger.threshold}")
            trees = Trees(**{name: arrays[name] for name in Trees._fields})
            tagger._trees = trees.checked(len(names(tagger.layers)))
        return tagger

    @property
    def _fitted(self) -> Trees:
        if self._trees is None:
            raise PairsError(f"the tagger {self.name} is not fitted: call fit(tags) first, or load one")
        return self._trees

    def _odds(self, table: pd.DataFrame) -> tuple[Odds, np.ndarray]:
        trees, found, windows = self._fitted, [], []
        for a, b, alike, count in self._alike(table):
            odds = trees.log_odds(columns(a, b, alike, self.layers))
            found.append((odds[: len(a)], odds[len(a) :]))
            windows.append(count)
        return found, np.array(windows, dtype=np.int64)

    def _alike(self, table: pd.DataFrame) -> Iterator[tuple[list[str], list[str], np.ndarray, int]]:
        """The words of each pair, their cosines, (layers, words of a, words of b), and in how many windows."""
        if self._reader is None:
            self._reader = WordReader(self.model, self.layers)
            self.layers = self._reader.layers
        with tqdm(total=len(table), desc="aligning", unit=" pairs", delay=1, disable=not self.progress) as bar:
            for at in range(0, len(table), _CHUNK):
                some = table.iloc[at : at + _CHUNK]
                left, right = sentences(some)
                different = list(dict.fromkeys([*left, *right]))
                read = dict(zip(different, zip(*self._reader(different), strict=True), strict=True))
                for a, b, one, other in zip(some["words_a"], some["words_b"], left, right, strict=True):
                    (x, runs), (y, others) = read[one], read[other]
                    yield a, b, x @ y.transpose(0, 2, 1), max(runs, others)
                    bar.update()


# -- gradient-boosted trees as plain arrays: scikit-learn fits them, numpy walks them -------------------------


class Trees(NamedTuple):
    """Log-odds of 1 as a sum over trees: ``start`` + Σ ``value`` of the leaf in which a row ends.

    A row goes to ``left`` of a node where its column ``column`` is at most ``threshold``, else to ``right``; a leaf
    leads to itself. Arrays, unlike a pickled model, run no code when they are read.
    """

    start: np.ndarray  #: float64, ()
    root: np.ndarray  #: int32, one per tree
    column: np.ndarray  #: int32, one per node, like all that follow
    threshold: np.ndarray  #: float64
    left: np.ndarray  #: int32
    right: np.ndarray  #: int32
    value: np.ndarray  #: float64

    def log_odds(self, x: np.ndarray) -> np.ndarray:
        """The log-odds of 1 of each row of x, (n, columns): float64, (n,). O(n · trees · depth)."""
        found, width = np.empty(len(x)), x.shape[1]
        for at in range(0, len(x), _ROWS):
            some = np.ascontiguousarray(x[at : at + _ROWS])
            flat, begin = some.ravel(), np.arange(len(some))[:, None] * width
            below, node = np.tile(self.root, (len(some), 1)), None  # (rows, trees)
            while node is None or not np.array_equal(below, node):
                node = below
                low = flat.take(begin + self.column.take(node)) <= self.threshold.take(node)
                below = np.where(low, self.left.take(node), self.right.take(node))
            found[at : at + _ROWS] = self.start + self.value.take(node).sum(axis=1)
        return found

    def checked(self, columns: int) -> Trees:
        """These trees; ValueError if a walk through this many columns would not end, or end outside."""
        nodes, whole = len(self.value), [self.root, self.column, self.left, self.right]
        if any(a.dtype != np.int32 for a in whole) or [a.ndim for a in self] != [0, 1, 1, 1, 1, 1, 1]:
            raise ValueError("arrays of another kind")
        if {len(a) for a in self[2:]} != {nodes} or not all(np.isfinite(a).all() for a in self):
            raise ValueError("arrays that do not agree, or hold what is no number")
        here = np.arange(nodes)
        leaf = (self.left == here) & (self.right == here)
        onward = (self.left > here) & (self.right > here)
        inside = all(((a >= 0) & (a < nodes)).all() for a in (self.root, self.left, self.right))
        if not inside or not (leaf | onward).all():
            raise ValueError("a node that leads nowhere")
        if ((self.column < 0) | (self.column >= columns)).any():
            raise ValueError(f"a column outside the {columns}")
        return self


def grow(x: np.ndarray, label: np.ndarray, seed: int = 0, **options: float) -> Trees:
    """Fit trees to rows of columns and their labels, 0 or 1.

    `options` are those of scikit-learn's HistGradientBoostingClassifier (LightGBM's histograms, Ke and others 2017).

    Examples
    --------
    >>> x = np.repeat([[0.0], [1.0]], 50, axis=0)
    >>> (grow(x, x[:, 0], max_iter=5).log_odds(x[[0, -1]]) > 0).tolist()
    [False, True]
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(early_stopping=False, random_state=seed, **options).fit(x, label)
    # scikit-learn has no public way to the nodes; the test compares our sums with its own
    nodes = [tree.nodes for (tree,) in model._predictors]
    sizes = [len(each) for each in nodes]
    root = np.cumsum([0, *sizes[:-1]])
    every, first = np.concatenate(nodes), np.repeat(root, sizes)
    leaf, here = every["is_leaf"].astype(bool), np.arange(len(every))
    return Trees(
        start=model._baseline_prediction.reshape(()),
        root=root.astype(np.int32),
        column=np.where(leaf, 0, every["feature_idx"]).astype(np.int32),
        threshold=np.where(leaf, 0.0, every["num_threshold"]),
        left=np.where(leaf, here, first + every["left"]).astype(np.int32),
        right=np.where(leaf, here, first + every["right"]).astype(np.int32),
        value=np.where(leaf, every["value"], 0.0),
    )
