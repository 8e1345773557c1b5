"""Layouts as lenses: each kind reads pairs together with the cell of each label, and writes answers back into it.

`get` turns a table with the texts of records (`texts.Texts`) into one of pairs, each with the `row` of its record and
the `place` in the record that states it. `put` turns the answers about the pairs of one record into its `Edit`. Two
laws hold for each kind (tests/pairs/test_laws.py): without an answer nothing changes; and the changed record reads
as it was answered, and where nobody answered, as before. `says` tells people what becomes of their answers. A lens
that `keeps` every row has a place for the answer that a pair differs, so that no row leaves because of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files.errors import PairsError
from .recognise import Layout
from .source import Source
from .tables import DECIDED, FURTHER

__all__ = ["Edit", "PairEffect", "lens_of"]

#: Values that stand for no set at all; DBSCAN calls noise −1.
NO_SET = {"-1", "-1.0", "NA", "N/A", "nan", "NaN", "None", "null"}


class PairEffect(NamedTuple):
    """A pair of a record, and the effect of the answers about it."""

    place: tuple  #: the path, in the record, of a text whose place is its label; else empty
    sign: int | None  #: as it was read
    effect: str  #: "becomes 1", "becomes 0", "dropped", "stays"; empty where nobody answered

    @property
    def wish(self) -> int | None:
        """The sign that the answer asks for; None where it asks for none, or nobody answered."""
        return {"becomes 1": 1, "becomes 0": 0, "stays": self.sign}.get(self.effect)

    @property
    def wrong(self) -> bool:
        """True if the record does not state what was answered."""
        return self.effect == "dropped" or (self.wish is not None and self.wish != self.sign)


class Edit(NamedTuple):
    """A change of one record."""

    leaves: bool = False  #: it is kept apart
    label: int | None = None  #: the new sign in the cell of the label
    decided: int | None = None  #: the sign in the column `decided`
    taken: Sequence = ()  #: the places of texts that leave the record


class OneLabel:
    """One pair in each record, with one label, whose cell takes the answer."""

    says = ""  # everybody expects it
    keeps = False
    pairs_of = ""  #: the word for its records, if they are not pairs

    def __init__(self, columns: dict[str, Any]):
        self.columns = columns  #: the columns of sets, negatives and labels, by their roles

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        (pair,) = effects
        if pair.effect == "dropped":
            return Edit(leaves=True)
        if pair.wrong:
            return Edit(label=pair.wish)
        return Edit()


class FirmLabel(OneLabel):
    """One pair in each record, with a label that stays: a score, an answer in an export of a tool."""

    says = f"nobody's label changes; the answer goes into a last column {DECIDED!r}"
    keeps = True

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        signed = [pair for pair in effects if pair.sign is not None or pair.wish is not None]
        if signed and all(pair.effect == "dropped" for pair in signed):
            return Edit(leaves=True)
        wishes = [pair.wish for pair in effects if pair.wish is not None]
        changes = [pair.wish for pair in effects if pair.effect.startswith("becomes")]
        return Edit(decided=next(iter(changes + wishes), None))


class AllSame(FirmLabel):
    """One pair in each record, and all are paraphrases; a pair that differs leaves, or a column `decided` says so."""

    says = ""
    keeps = False

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(label="1")


class SeveralPeople(FirmLabel):
    """One pair in each record, with labels by several people; a label in `decided` counts in place of them."""

    pairs_of = "several people"

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        labels = frame[[*self.columns]].to_numpy(object)
        decided = np.zeros(len(frame), bool)
        if DECIDED in frame:
            decided = (frame[DECIDED] != "").to_numpy()
        counts = (labels != "") & ~decided[:, None]
        # A row that is decided, or that nobody labelled, gives one pair
        counts[:, 0] |= ~counts.any(axis=1)
        rows, people = np.nonzero(counts)
        names = np.array([*map(str, self.columns.values())], object)[people]
        values = labels[rows, people]
        values[decided[rows]] = ""
        names[decided[rows]] = DECIDED
        return _pairs(frame, rows, self.columns, label=values, annotator=names)


class Lists(OneLabel):
    """Lists of texts in JSON whose places are their labels: sets, and queries with paraphrases and others."""

    says = (
        "a text that differs is taken out of its list; a record without a pair left is kept apart"
    )
    leaves = True  #: whether a record without a pair left is kept apart

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        wrong = [pair.place for pair in effects if pair.wrong]
        is_empty = self.leaves and len(wrong) == len(effects)
        if () in wrong or is_empty:
            return Edit(leaves=True)
        return Edit(taken=wrong)


class Triplets(Lists):
    """A text, a paraphrase of it and texts that are none, in columns of their own."""

    says = "a wrong negative is taken out of its row; a row whose positive is wrong is kept apart"
    pairs_of = "triplets"

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        texts = frame[["text_b", *self.columns]].to_numpy(object)
        present = texts != ""
        # A row of one text gives a pair with an empty text, which is a fault
        present[:, 0] |= ~present.any(axis=1) & (frame["text_a"] != "")
        rows, columns = np.nonzero(present)
        others = texts[rows, columns]
        labels = np.where(columns, "0", "1")
        pairs = _pairs(frame, rows, self.columns, text_b=others, label=labels)
        places = [(), *((name,) for name in self.columns.values())]
        return pairs.assign(place=[places[i] for i in columns])


class SetColumn(Lists):
    """One text in each record, and a column, or several, whose equal values mark paraphrases."""

    says = "a text that differs leaves its set; that two texts of different sets are the same cannot be written"
    leaves = False
    pairs_of = "sets"

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        texts = frame["text_a"].to_numpy(object)
        codes, _ = pd.factorize(frame["set"])
        first = np.unique(codes, return_index=True)[1][codes]
        rows = np.flatnonzero((first < np.arange(len(frame))) & (frame["set"] != ""))
        text_a = texts[first[rows]]
        pairs = _pairs(frame, rows, ["set"], text_a=text_a, text_b=texts[rows], label="1")
        return pairs.assign(place=[(self.columns["set"],)] * len(rows))


def lens_of(source: Source, layout: Layout, frame: pd.DataFrame, labels: Any) -> OneLabel:
    """The lens of a layout, for labels that mean what the caller says."""
    roles = layout.roles
    own = {role: name for role, name in roles.items() if role == "set" or FURTHER.fullmatch(role)}
    if any(role.startswith("neg") for role in own):
        return Triplets(own)
    if "set" in own:
        doubtful = NO_SET & {*frame["set"].unique()}
        if doubtful:
            raise PairsError(
                f"{source.name}: set {min(doubtful)!r} may mean that a text is in none; "
                "leave those rows out, or give the set a name"
            )
        return SetColumn(own)
    if len(own) > 1:
        return SeveralPeople(own)
    if "place" in frame:
        return Lists(own)
    if "label" not in frame and labels == {"all": 1}:
        return AllSame(own)
    people = 0
    if "annotator" in frame:
        people = frame["annotator"].nunique()
    words = isinstance(labels or layout.release.labels, dict)
    if words and people < 2 and source.single and DECIDED not in frame:
        return OneLabel(own)
    return FirmLabel(own)


def _pairs(frame: pd.DataFrame, rows: np.ndarray, without: Any, **columns: Any) -> pd.DataFrame:
    """The rows of a table at some positions, less the columns `without`, plus `columns` of texts."""
    pairs = frame.drop(columns=[*without]).iloc[rows].reset_index(drop=True)
    for name, values in columns.items():
        pairs[name] = pd.Series(values, index=pairs.index, dtype=frame["text_a"].dtype)
    return pairs
