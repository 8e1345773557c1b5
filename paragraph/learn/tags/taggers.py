"""The base of all taggers: check a tag table, divide it into folds, choose a threshold, tag."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy.special import expit

from ...measure.splits import sides
from ...pairs import PairsError
from ...tags.table import checked, untagged
from ..pretrained.words import Piece, whole

__all__ = ["Odds", "Tagger", "flat", "folds_of", "provenance", "sentences", "tagged_part"]

#: Of the words of either sentence of a pair, the log-odds of 1: G₁ − G₀ in Wang et al. (2022), section 5.
Odds = list[tuple[np.ndarray, np.ndarray]]


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
        """The log-odds of 1 of each word; a pair each, in the order of the table.

        Parameters
        ----------
        table : DataFrame
            A tag table, with or without tags; or any pairs, whose words are then those of `pg.tags.words`.
        """
        return self._asked(table)[1]

    def tag(self, table: pd.DataFrame) -> pd.DataFrame:
        """The table with ``words_*``, ``tags_*`` and ``p_*``, P(1) of each word, in place of tags it may have.

        Warns
        -----
        UserWarning
            How many pairs are longer than the model takes, and were read in windows.
        """
        table, odds, windows = self._asked(table)
        if long := int((windows > 1).sum()):
            warnings.warn(
                f"{long:,} of {len(table):,} pairs are longer than {self.name} takes at once; they were read in "
                "windows, and every word is tagged",
                stacklevel=2,
            )
        p = {side: [expit(pair[k]).tolist() for pair in odds] for k, side in enumerate("ab")}
        tags = {side: [[int(x >= self.threshold) for x in each] for each in p[side]] for side in "ab"}
        lists = {f"{name}_{side}": of[side] for name, of in (("tags", tags), ("p", p)) for side in "ab"}
        lists = {name: pd.Series(values, table.index, dtype=object) for name, values in lists.items()}
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
    if not len(label) or label.min() == label.max():
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


def folds_of(table: pd.DataFrame, folds: int, seed: int) -> np.ndarray:
    """A fold for each pair: pairs that a sentence connects, over any number of pairs, have the same.

    Examples
    --------
    >>> table = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "d", "e"]})
    >>> first, second, third = folds_of(table, 2, seed=0)
    >>> bool(first == second), bool(first == third)
    (True, False)
    """
    found = sides(table.assign(label=np.nan), [1 / folds] * folds, "components", seed)
    return found.side[found.a]


def provenance(weights: str, table: pd.DataFrame) -> str:
    """The training data of a fitted tagger in words: its tagged pairs by source, and those of its weights."""
    counts = table["source"].replace("", "unnamed").value_counts()
    tagged = ", ".join(f"{count:,} of {source}" for source, count in counts.items())
    return f"tagged pairs: {tagged}; its transformer: {weights}"
