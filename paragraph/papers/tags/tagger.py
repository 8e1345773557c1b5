"""The tagger: which words of two sentences the other sentence cannot paraphrase, by the words that they match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd
from scipy.special import expit
from tqdm.auto import tqdm

from ...files import PairsError
from ...files.errors import as_pairs_error
from ...files.outputs import atomic_write
from ...graph.splits import sides
from ...learn.encoder import describe, find_here
from .features import columns, names
from .penn import places
from .pieces import Sentence, WordReader
from .scores import best_threshold
from .table import checked, untagged
from .trees import Trees, grow

__all__ = ["FILE", "SHIPPED", "Tagger", "default_tagger", "flat", "sentences"]

#: The file that `save` leaves.
FILE = "alignment_tagger.npz"
#: The folder of the tagger that ships; `python -m benchmarks.tagging DATA --ship` writes it.
SHIPPED = Path(__file__).parent
#: Of the cross-validation that chooses a threshold.
FOLDS = 5
#: Pairs whose words' vectors are in memory at once.
_CHUNK = 1000
#: Of the trees: neither twice as many nor half the leaves are better by cross-validation on MultiMWA and ETPC.
_GROWTH = {
    "max_iter": 150,
    "learning_rate": 0.08,
    "max_leaf_nodes": 31,
    "min_samples_leaf": 40,
    "l2_regularization": 1.0,
}
#: Of the words of either sentence of a pair, the log-odds of 1: G₁ − G₀ in Wang et al. (2022), section 5.
Odds = list[tuple[np.ndarray, np.ndarray]]


class Tagger:
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

    Attributes
    ----------
    threshold : float
        The least P(1) that makes a tag 1. Chosen on the training pairs, from predictions of models that had not seen
        them, for the best F1 over words.

    Examples
    --------
    >>> import paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["He paid $2."] * 40, "text_b": ["He paid $2.", "She paid $3."] * 20})
    >>> tags = pg.tags.untagged(pairs)
    >>> sides = list(zip(tags.words_a, tags.words_b)), list(zip(tags.words_b, tags.words_a))
    >>> tags["tags_a"], tags["tags_b"] = ([[int(w not in y) for w in x] for x, y in side] for side in sides)
    >>> tagger = Tagger(progress=False).fit(tags)
    >>> tagger.tag(pairs[1:2])[["tags_a", "tags_b"]].values.tolist()
    [[[1, 0, 0, 1, 0], [1, 0, 0, 1, 0]]]
    """

    threshold = 0.5

    def __init__(self, model: str | PathLike = "minilm", seed: int = 0, *, progress: bool = True):
        self.model = model
        self.seed = seed
        self.progress = progress
        self._about = describe(model)
        self.name = f"alignment ({self._about.name})"
        self.trained_on = self._about.trained_on
        self.layers = None
        self._trees = None
        self._reader = None

    def fit(self, tags: pd.DataFrame) -> Self:
        """Learn from a tag table; the threshold is chosen by cross-validation that keeps a sentence's pairs together.

        Raises `PairsError` without tags, or with one tag only.
        """
        table, label = tagged_part(tags)
        parts = []
        for pair in self._alike(table):
            parts.append(columns(*pair, self.layers))
        x = np.concatenate(parts)
        lengths = [len(part) for part in parts]
        fold = np.repeat(folds_of(table, self.seed), lengths)
        held_out = np.full(len(x), -np.inf)
        bar = tqdm(range(FOLDS), "choosing the threshold", disable=not self.progress, leave=False)
        for k in bar:
            rest = fold != k
            if 0 < label[rest].sum() < rest.sum() < len(x):
                trees = grow(x[rest], label[rest], self.seed, **_GROWTH)
                held_out[~rest] = trees.log_odds(x[~rest])
        known = np.isfinite(held_out)
        self.threshold = 0.5
        if known.any():
            self.threshold = best_threshold(label[known], expit(held_out[known]))
        self._trees = grow(x, label, self.seed, **_GROWTH)
        self.trained_on = provenance(self._about.trained_on, table)
        return self

    def save(self, folder: str | PathLike) -> None:
        """Write the fitted trees as plain arrays, `alignment_tagger.npz`; of the transformer, its name and hash."""
        arrays = {"layers": self.layers, "least_p": self.threshold}
        arrays["model"] = str(self.model)
        arrays |= {"sha256": self._about.sha256, "trained_on": self.trained_on}
        arrays |= self._fitted._asdict()
        with atomic_write(folder, folder=True) as stage:
            np.savez_compressed(stage / FILE, **arrays)

    @classmethod
    def load(cls, folder: str | PathLike, *, progress: bool = False) -> Self:
        """Read a fitted tagger that `save` has written."""
        path = Path(folder, FILE)
        damage = as_pairs_error(path, "it is damaged: train the tagger and save it again")
        with damage, np.load(path, allow_pickle=False) as arrays:
            model = find_here(str(arrays["model"]), path)
            tagger = cls(model, progress=progress)
            if tagger._about.sha256 != str(arrays["sha256"]):
                raise ValueError(
                    f"it was fitted to vectors of other weights than those of {tagger.model}"
                )
            tagger.layers = arrays["layers"].tolist()
            tagger.trained_on = str(arrays["trained_on"])
            tagger.threshold = float(arrays["least_p"])
            if not 0 <= tagger.threshold <= 1:
                raise ValueError(f"threshold {tagger.threshold}")
            trees = Trees(*map(arrays.__getitem__, Trees._fields))
            features = names(tagger.layers)
            tagger._trees = trees.checked(len(features))
        return tagger

    def tag(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the table with ``words_*``, ``tags_*`` and ``p_*``, P(1) of each word, in place of tags it may have.

        A warning counts the sentences that are longer than the model takes; the words behind are tagged by their
        letters alone.
        """
        table = self._checked(table)
        odds = self.log_odds(table)
        lists = dict.fromkeys(("tags_a", "tags_b", "p_a", "p_b"))
        for k, side in enumerate("ab"):
            p = [expit(pair[k]) for pair in odds]
            marked = [x >= self.threshold for x in p]
            tags = [one.astype(int).tolist() for one in marked]
            lists[f"tags_{side}"] = pd.Series(tags, table.index, dtype=object)
            values = [x.tolist() for x in p]
            lists[f"p_{side}"] = pd.Series(values, table.index, dtype=object)
        found = table.drop(columns=list(lists), errors="ignore")
        found = found.assign(**lists, annotator=self.name)
        first = ["text_a", "text_b", "words_a", "words_b", *lists]
        others = [name for name in found if name not in first]
        return found[[*first, *others]]

    def log_odds(self, table: pd.DataFrame) -> Odds:
        """Return the log-odds of 1 of each word of a tag table, or of any pairs cut by `pg.tags.words`."""
        trees = self._fitted
        odds = []
        for a, b, alike in self._alike(self._checked(table)):
            found = trees.log_odds(columns(a, b, alike, self.layers))
            odds.append(tuple(np.split(found, [len(a)])))
        return odds

    def _checked(self, table: pd.DataFrame) -> pd.DataFrame:
        return checked(table, "the table") if "words_a" in table else untagged(table)

    @property
    def _fitted(self) -> Trees:
        if self._trees is None:
            raise PairsError(
                f"the tagger {self.name} is not fitted: call fit(tags) first, or load one"
            )
        return self._trees

    def _alike(self, table: pd.DataFrame) -> Iterator[tuple[list[str], list[str], np.ndarray]]:
        """Yield the words of each pair, and their cosines, (layers, words of a, words of b)."""
        if self._reader is None:
            self._reader = WordReader(self.model, self.layers)
            self.layers = self._reader.layers
        bar = tqdm(
            total=len(table), desc="aligning", unit=" pairs", delay=1, disable=not self.progress
        )
        with bar:
            for at in range(0, len(table), _CHUNK):
                some = table.iloc[at : at + _CHUNK]
                left, right = sentences(some)
                different = list(dict.fromkeys([*left, *right]))
                vectors = self._reader(different)
                read = dict(zip(different, vectors, strict=True))
                words = (some["words_a"], some["words_b"])
                for a, b, one, other in zip(*words, left, right, strict=True):
                    yield a, b, read[one] @ read[other].transpose(0, 2, 1)
                    bar.update()


def default_tagger() -> Tagger:
    """Return the tagger that ships: trees on MiniLM's vectors, fitted to the first 4,076 pairs of ETPC.

    ETPC's tags are the nearest to what a tag is here. MultiMWA's unaligned words are others: it aligns "2.5" with
    "1.8". ETPC is English news: text of another kind or language is tagged as well, without a warning and less well.

    Examples
    --------
    >>> import pandas as pd
    >>> pair = pd.DataFrame({"text_a": ["She sold 2.5 million cars."], "text_b": ["She sold 1.8 million cars."]})
    >>> tags = default_tagger().tag(pair)
    >>> [word for word, tag in zip(tags.words_a[0], tags.tags_a[0]) if tag]
    ['2.5']
    """
    describe("minilm")  # to ask for this tagger is to ask for its vectors
    return Tagger.load(SHIPPED)


def tagged_part(tags: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a training set, checked, and its tags, all words of the first pair before those of the second.

    Raises `PairsError` without pairs, without tags, or with one tag only.
    """
    if not len(tags):
        raise PairsError("the training set is empty: give it tagged pairs")
    if "tags_a" not in tags:
        raise PairsError("a training set needs tags: the columns words_a, words_b, tags_a, tags_b")
    table = checked(tags, "the training set").reset_index(drop=True)
    label = flat(zip(table["tags_a"], table["tags_b"], strict=True))
    if len(np.unique(label)) < 2:
        which = "there are no words"
        if len(label):
            which = f"all {len(label):,} words have the tag {int(label[0])}"
        raise PairsError(f"{which}: a tagger needs words of both tags")
    return table, label


def flat(pairs: Iterable[tuple]) -> np.ndarray:
    """Return one array of the values of the words of both sentences of each pair."""
    sides = [np.asarray(side, dtype=np.float64) for side in chain(*pairs)]
    return np.concatenate([np.empty(0), *sides])


def sentences(table: pd.DataFrame) -> list[list[Sentence]]:
    """Return both sides of a checked tag table, sentence by sentence."""
    sides = []
    for side in "ab":
        rows = zip(table[f"text_{side}"], table[f"words_{side}"], strict=True)
        sides.append([(text, tuple(places(text, words))) for text, words in rows])
    return sides


def folds_of(table: pd.DataFrame, seed: int) -> np.ndarray:
    """Return a fold for each pair, of five: pairs that a sentence connects, over any number of pairs, have the same.

    Examples
    --------
    >>> table = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "d", "e"]})
    >>> first, second, third = folds_of(table, seed=0)
    >>> bool(first == second), bool(first == third)
    (True, False)
    """
    shares = [1 / FOLDS for _ in range(FOLDS)]
    found = sides(table.assign(label=np.nan), shares, "components", seed)
    return found.side[found.a]


def provenance(weights: str, table: pd.DataFrame) -> str:
    """Return the training data of a fitted tagger in words: its tagged pairs by source, and those of its weights."""
    counts = table["source"].replace("", "unnamed").value_counts()
    tagged = ", ".join(f"{count:,} of {source}" for source, count in counts.items())
    return f"tagged pairs: {tagged}; its transformer: {weights}"
