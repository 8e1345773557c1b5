"""Layouts as lenses: each kind reads pairs together with the cell of each label, and writes answers back into it.

`get` turns the texts of records into pairs: one row for each, `row` says of which record, `places` which part of the
record states it. `put` turns the answers about the pairs of one record into its `Edit`. Two laws hold for each kind
(tests/pairs/test_laws.py): without an answer nothing changes; and what is read from the changed record is what was
answered, and else what was read before. `says` tells what becomes of answers before they are given. A lens that
`keeps` every row has a place for the answer that a pair differs, so that no row leaves for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError
from .recognise import Layout
from .source import Source
from .tables import DECIDED, FURTHER
from .texts import Texts, filled

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

    def __init__(self, columns: dict[str, Any]):
        self.columns = columns  #: of the pairs or labels of a record, by their roles

    def get(self, texts: Texts) -> Texts:
        return texts

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

    def get(self, texts: Texts) -> Texts:
        return texts._replace(columns=texts.columns | {"label": _signs(texts.row > 0)})


class SeveralPeople(FirmLabel):
    """One pair in each record, with the labels of several people; where `decided` has a label, it counts alone."""

    def get(self, texts: Texts) -> Texts:
        decided = np.zeros(len(texts.row), bool)
        if DECIDED in texts.columns:
            decided = filled(texts.columns[DECIDED])
        labels = [pc.if_else(pa.array(decided), "", texts.columns[role]) for role in self.columns]
        said = np.array([filled(column) for column in labels])
        said[0] |= ~said.any(axis=0)  # one pair of a row that is decided, or that nobody labelled
        at, person, values = _stacked(labels, said)
        names = np.array([*map(str, self.columns.values())], object)[person]
        names[decided[at]] = DECIDED
        others = dict.fromkeys(self.columns)
        return texts.take(
            at, "of several people", **others | {"label": values, "annotator": _array(names)}
        )


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

    def get(self, texts: Texts) -> Texts:
        columns = [texts.columns[role] for role in ("text_b", *self.columns)]
        at, which, values = _stacked(columns, np.array([filled(column) for column in columns]))
        places = [(), *((name,) for name in self.columns.values())]
        others = dict.fromkeys(self.columns)
        pairs = texts.take(
            at, "of triplets", **others | {"text_b": values, "label": _signs(which == 0)}
        )
        return pairs._replace(places=[places[i] for i in which.tolist()])


class SetColumn(Lists):
    """A text in each record, and a column, or several, whose equal values mark paraphrases."""

    says = "a text that differs leaves its set; that two texts of different sets are the same cannot be written"
    leaves = False

    def get(self, texts: Texts) -> Texts:
        ids = texts.columns["set"].combine_chunks().dictionary_encode()
        none = NO_SET & {*ids.dictionary.to_pylist()}
        if none:
            what = f"set {min(none)!r} may mean that a text is in none; leave those rows out, or give the set a name"
            raise PairsError(f"{texts.name}: {what}")
        codes = ids.indices.to_numpy()
        first = np.unique(codes, return_index=True)[1][codes]
        at = np.flatnonzero((first < np.arange(len(codes))) & filled(texts.columns["set"]))
        left, right = (texts.columns["text_a"].take(pa.array(place)) for place in (first[at], at))
        pairs = texts.take(
            at, "of sets", set=None, text_a=left, text_b=right, label=_signs(at >= 0)
        )
        return pairs._replace(places=[(self.columns["set"],) for _ in at])


def lens_of(source: Source, layout: Layout, texts: Texts, labels: Any) -> OneLabel:
    """The lens of a layout, for labels that mean what the caller says."""
    roles = layout.roles
    own = {role: name for role, name in roles.items() if role == "set" or FURTHER.fullmatch(role)}
    if any(role.startswith("neg") for role in own):
        return Triplets(own)
    if "set" in own:
        return SetColumn(own)
    if len(own) > 1:
        return SeveralPeople(own)
    if any(texts.places):
        return Lists(own)
    if "label" not in texts.columns and labels == {"all": 1}:
        return AllSame(own)
    people = 0
    if "annotator" in texts.columns:
        people = pc.count_distinct(texts.columns["annotator"]).as_py()
    words = isinstance(labels or layout.release.labels, dict)
    if words and people < 2 and source.single and DECIDED not in texts.columns:
        return OneLabel(own)
    return FirmLabel(own)


def _stacked(columns: list, said: np.ndarray) -> tuple[np.ndarray, np.ndarray, pa.ChunkedArray]:
    """Some values of several columns, row by row: the position of each row, the number of the column, the text.

    `said` tells which, with a row for each column.
    """
    at, which = np.nonzero(said.T)
    every = pa.concat_arrays([column.combine_chunks() for column in columns])
    return (
        at,
        which,
        pa.chunked_array([every.take(pa.array(which * said.shape[1] + at, pa.int64()))]),
    )


def _signs(positive: np.ndarray) -> pa.ChunkedArray:
    return _array(np.where(positive, "1", "0").astype(object))


def _array(values: np.ndarray) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, pa.large_string())])
