"""Layouts as lenses: each kind reads pairs together with the cell of each label, and writes answers back into it.

`get` turns a table with the texts of records (`texts.Texts`) into one of pairs: `row` says of which record, `place`
which part of the record states it. `put` turns the answers about the pairs of one record into its `Edit`. Two laws
hold for each kind (tests/pairs/test_laws.py): without an answer nothing changes; and what is read from the changed
record is what was answered, and else what was read before. `says` tells what becomes of answers before they are
given. A lens that `keeps` every row has a place for the answer that a pair differs, so that no row leaves for it.
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

#: What stands for no set at all; DBSCAN calls noise −1.
NO_SET = {"-1", "-1.0", "NA", "N/A", "nan", "NaN", "None", "null"}


class PairEffect(NamedTuple):
    """A pair of a record, and what the answers say about it."""

    place: tuple  #: of its label, or of the text whose place is its label, in the record
    sign: int | None  #: as it was read
    effect: str  #: "becomes 1", "becomes 0", "dropped", "stays"; empty where nobody answered

    @property
    def wish(self) -> int | None:
        """The sign that the answer asks for; None where it asks for none, or nobody answered."""
        return {"becomes 1": 1, "becomes 0": 0, "stays": self.sign}.get(self.effect)

    @property
    def wrong(self) -> bool:
        """True if what the record states is not what was answered."""
        return self.effect == "dropped" or (self.wish is not None and self.wish != self.sign)


class Edit(NamedTuple):
    """A change of one record."""

    leaves: bool = False  #: it is kept apart
    label: int | None = None  #: the new sign in the cell of the label
    decided: int | None = None  #: the sign in the column `decided`
    taken: Sequence = ()  #: the places of texts that are taken out


class OneLabel:
    """One pair in each record, with one label, whose cell takes the answer."""

    says = ""  # it is what everybody expects
    keeps = False
    pairs_of = ""  #: what its records are, if they are not pairs

    def __init__(self, columns: dict[str, Any]):
        self.columns = columns  #: of the pairs or labels of a record, by their roles

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        (one,) = effects
        if one.effect == "dropped":
            return Edit(leaves=True)
        if one.wrong:
            return Edit(label=one.wish)
        return Edit()


class FirmLabel(OneLabel):
    """One pair in each record, with a label that stays: a score, an answer in an export of a tool."""

    says = f"nobody's label changes; the answer goes into a last column {DECIDED!r}"
    keeps = True

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        stated = [one for one in effects if one.sign is not None or one.wish is not None]
        if stated and all(one.effect == "dropped" for one in stated):
            return Edit(leaves=True)
        wishes = [one.wish for one in effects if one.wish is not None]
        changed = [one.wish for one in effects if one.effect.startswith("becomes")]
        return Edit(decided=next(iter(changed + wishes), None))


class AllSame(FirmLabel):
    """One pair in each record, and all pairs are paraphrases: what differs leaves, or a column `decided` says it."""

    says = ""
    keeps = False

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(label="1")


class SeveralPeople(FirmLabel):
    """One pair in each record, with the labels of several people; where `decided` has a label, it counts alone."""

    pairs_of = "several people"

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        labels = frame[[*self.columns]].to_numpy(object)
        decided = np.zeros(len(frame), bool)
        if DECIDED in frame:
            decided = (frame[DECIDED] != "").to_numpy()
        shown = (labels != "") & ~decided[:, None]
        shown[:, 0] |= ~shown.any(
            axis=1
        )  # one pair of a row that is decided, or that nobody labelled
        at, person = np.nonzero(shown)
        names = np.array([*map(str, self.columns.values())], object)[person]
        values = labels[at, person]
        values[decided[at]] = ""
        names[decided[at]] = DECIDED
        return _pairs(frame, at, self.columns, label=values, annotator=names)


class Lists(OneLabel):
    """Lists of texts in JSON whose places are their labels: sets, and queries with paraphrases and others."""

    says = (
        "a text that differs is taken out of its list; a record without a pair left is kept apart"
    )
    leaves = True  # where no pair is left

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        wrong = [one.place for one in effects if one.wrong]
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
        shown = texts != ""
        shown[:, 0] |= ~shown.any(axis=1) & (frame["text_a"] != "")  # a row of one text is a fault
        at, which = np.nonzero(shown)
        places = [(), *((name,) for name in self.columns.values())]
        pairs = _pairs(
            frame, at, self.columns, text_b=texts[at, which], label=np.where(which, "0", "1")
        )
        return pairs.assign(place=[places[i] for i in which])


class SetColumn(Lists):
    """A text in each record, and a column, or several, whose equal values mark paraphrases."""

    says = "a text that differs leaves its set; that two texts of different sets are the same cannot be written"
    leaves = False
    pairs_of = "sets"

    def get(self, frame: pd.DataFrame) -> pd.DataFrame:
        texts = frame["text_a"].to_numpy(object)
        codes, _ = pd.factorize(frame["set"])
        first = np.unique(codes, return_index=True)[1][codes]
        at = np.flatnonzero((first < np.arange(len(frame))) & (frame["set"] != ""))
        pairs = _pairs(frame, at, ["set"], text_a=texts[first[at]], text_b=texts[at], label="1")
        return pairs.assign(place=[(self.columns["set"],)] * len(at))


def lens_of(source: Source, layout: Layout, frame: pd.DataFrame, labels: Any) -> OneLabel:
    """The lens of a layout, for labels that mean what the caller says."""
    roles = layout.roles
    own = {role: name for role, name in roles.items() if role == "set" or FURTHER.fullmatch(role)}
    if any(role.startswith("neg") for role in own):
        return Triplets(own)
    if "set" in own:
        none = NO_SET & {*frame["set"].unique()}
        if none:
            what = f"set {min(none)!r} may mean that a text is in none; leave those rows out, or give the set a name"
            raise PairsError(f"{source.name}: {what}")
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


def _pairs(frame: pd.DataFrame, at: np.ndarray, without: Any, **columns: Any) -> pd.DataFrame:
    """Some rows of a table, by their positions, without some columns and with others of texts."""
    pairs = frame.drop(columns=[*without]).iloc[at].reset_index(drop=True)
    for name, values in columns.items():
        pairs[name] = pd.Series(values, index=pairs.index, dtype=frame["text_a"].dtype)
    return pairs
