"""Taggers, by name, and the one that ships: which words of two sentences the other sentence cannot paraphrase."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

from ....learn.encoder import describe
from ....measure.splits import sides
from ....pairs import PairsError
from ..pieces import Piece, whole
from ..table import checked, untagged

__all__ = [
    "TAGGERS", "Odds", "Tagger", "default_tagger", "flat", "folds_of", "load_tagger", "make_tagger", "provenance",
    "sentences", "tagged_part",
]  # fmt: skip

#: Name, the module and class of the tagger or of its head, and the file that `save` leaves.
TAGGERS = {
    "alignment": ("alignment", "AlignmentTagger", "alignment_tagger.npz"),
    "cross-encoder": ("encoder", "Words", "tag_encoder.json"),
}
#: The folder of the tagger that ships; `python -m benchmarks.tagging DATA --ship` writes it.
SHIPPED = Path(__file__).parent
#: Of the cross-validation that chooses a threshold.
FOLDS = 5
#: Of the words of either sentence of a pair, the log-odds of 1: G₁ − G₀ in Wang et al. (2022), section 5.
Odds = list[tuple[np.ndarray, np.ndarray]]


def make_tagger(name: str, /, seed: int = 0, **options: Any) -> Tagger:
    """Make a new tagger, not yet fitted.

    `options` go to its constructor, its `model` (the transformer) among them.

    Examples
    --------
    >>> make_tagger("crf")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: tagger 'crf' is not one of alignment, cross-encoder
    """
    if name not in TAGGERS:
        raise PairsError(f"tagger {name!r} is not one of {', '.join(TAGGERS)}")
    kind = _class_of(name)
    return getattr(kind, "made", kind)(seed=seed, **options)


def load_tagger(folder: str | PathLike, *, progress: bool = False) -> Tagger:
    """Read the fitted tagger that `save` has written to a folder, whichever of `TAGGERS` it is.

    Examples
    --------
    >>> load_tagger("no such folder")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: no such folder holds no tagger; name a folder that a tagger's save has written
    """
    for name, (_, _, file) in TAGGERS.items():
        if Path(folder, file).is_file():
            return _class_of(name).load(folder, progress=progress)
    raise PairsError(f"{folder} holds no tagger; name a folder that a tagger's save has written")


def default_tagger(*, progress: bool = False) -> Tagger:
    """The tagger that ships: trees on MiniLM's vectors, fitted to the first 4,076 pairs of ETPC.

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
    describe("minilm", progress=progress)  # to ask for this tagger is to ask for its vectors
    return load_tagger(SHIPPED, progress=progress)


def _class_of(name: str) -> Any:
    module, kind, _ = TAGGERS[name]
    return getattr(import_module(f".{module}", __name__), kind)


class Tagger:
    """A model of which words of two sentences the other one cannot paraphrase.

    A subclass has a `name`, `trained_on`, `fit`, `save` and `load`, and ``_odds(table)``: the `Odds` of a checked
    table and in how many windows each pair was read.

    Attributes
    ----------
    threshold : float
        The least P(1) that makes a tag 1. Chosen on the training pairs, from predictions of models that had not seen
        them, for the best F1 over words.
    """

    threshold = 0.5

    def log_odds(self, table: pd.DataFrame) -> Odds:
        """The log-odds of 1 of each word of a tag table, or of any pairs, cut by `pg.tags.words`."""
        return self._asked(table)[1]

    def tag(self, table: pd.DataFrame) -> pd.DataFrame:
        """The table with ``words_*``, ``tags_*`` and ``p_*``, P(1) of each word, in place of tags it may have.

        A warning counts the pairs that are longer than the model takes, and were read in windows.
        """
        table, odds, windows = self._asked(table)
        if long := int((windows > 1).sum()):
            longer = f"{long:,} of {len(table):,} pairs are longer than {self.name} takes at once"
            warnings.warn(f"{longer}; they were read in windows, and every word is tagged", stacklevel=2)
        p = {f"p_{side}": [expit(pair[k]).tolist() for pair in odds] for k, side in enumerate("ab")}
        lists = {
            f"tags_{side}": [[int(x >= self.threshold) for x in each] for each in p[f"p_{side}"]] for side in "ab"
        }
        lists = {name: pd.Series(values, table.index, dtype=object) for name, values in (lists | p).items()}
        found = table.drop(columns=[name for name in lists if name in table]).assign(**lists, annotator=self.name)
        first = ["text_a", "text_b", "words_a", "words_b", *lists]
        return found[[*first, *(name for name in found if name not in first)]]

    def _asked(self, table: pd.DataFrame) -> tuple[pd.DataFrame, Odds, np.ndarray]:
        """The table, checked; its log-odds; and in how many windows each pair was read."""
        table = checked(table, "the table") if "words_a" in table else untagged(table)
        return table, *self._odds(table)


def tagged_part(tags: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """A training set, checked, and its tags, all words of the first pair before those of the second.

    Raises `PairsError` without pairs, without tags, or with one tag only.
    """
    if not len(tags):
        raise PairsError("the training set is empty: give it tagged pairs")
    if "tags_a" not in tags:
        raise PairsError("a training set needs tags: the columns words_a, words_b, tags_a, tags_b")
    table = checked(tags, "the training set").reset_index(drop=True)
    label = flat(zip(table["tags_a"], table["tags_b"], strict=True))
    if len(np.unique(label)) < 2:
        which = f"all {len(label):,} words have the tag {int(label[0])}" if len(label) else "there are no words"
        raise PairsError(f"{which}: a tagger needs words of both tags")
    return table, label


def flat(pairs: Iterable[tuple]) -> np.ndarray:
    """One array of the values of the words of both sentences of each pair."""
    return np.concatenate([np.empty(0), *(np.asarray(side, dtype=np.float64) for pair in pairs for side in pair)])


def sentences(table: pd.DataFrame) -> list[list[Piece]]:
    """Both sides of a checked tag table, sentence by sentence."""
    sides = [(table[f"text_{side}"], table[f"words_{side}"]) for side in "ab"]
    return [[whole(text, words) for text, words in zip(*side, strict=True)] for side in sides]


def folds_of(table: pd.DataFrame, seed: int) -> np.ndarray:
    """One of five folds for each pair: pairs that a sentence connects, over any number of pairs, have the same.

    Examples
    --------
    >>> table = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "d", "e"]})
    >>> first, second, third = folds_of(table, seed=0)
    >>> bool(first == second), bool(first == third)
    (True, False)
    """
    found = sides(table.assign(label=np.nan), [1 / FOLDS] * FOLDS, "components", seed)
    return found.side[found.a]


def provenance(weights: str, table: pd.DataFrame) -> str:
    """The training data of a fitted tagger in words: its tagged pairs by source, and those of its weights."""
    counts = table["source"].replace("", "unnamed").value_counts()
    tagged = ", ".join(f"{count:,} of {source}" for source, count in counts.items())
    return f"tagged pairs: {tagged}; its transformer: {weights}"
