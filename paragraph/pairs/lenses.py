"""Layouts as lenses: each kind reads pairs together with the cell of each label, and writes answers back into it.

`get` turns the texts of records into pairs: one row for each, `row` says of which record, `place` which part of the
record states it. `put` turns the answers about the pairs of one record into its `Edit`. Two laws hold for each kind
(tests/pairs/test_laws.py): without an answer nothing changes; and what is read from the changed record is what was
answered, and else what was read before. `says` tells what becomes of answers before they are given. A lens that
`keeps` every row has a place for the answer that a pair differs, so that no row leaves for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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

    def get(self, texts: Texts) -> Texts:
        return texts

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        (one,) = effects
        if one.effect == "dropped":
            return Edit(leaves=True)
        return Edit(label=one.wish) if one.wrong else Edit()


class FirmLabel(OneLabel):
    """One pair in each record, with a label that stays: a score, an answer in an export of a tool."""

    says = f"labels stay as they are; the answer goes into a last column {DECIDED!r}"
    keeps = True

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        stated = [one for one in effects if one.sign is not None or one.wish is not None]
        if stated and all(one.effect == "dropped" for one in stated):
            return Edit(leaves=True)
        wishes = [one.wish for one in effects if one.wish is not None]
        changed = [one.wish for one in effects if one.effect.startswith("becomes")]
        return Edit(decided=next(iter(changed + wishes), None))


@dataclass(frozen=True)
class NoLabel(FirmLabel):
    """One pair in each record, and all pairs are paraphrases: what differs leaves, or a column `decided` says it."""

    sign: int

    says = ""
    keeps = False

    def get(self, texts: Texts) -> Texts:
        label = _constant(str(self.sign), len(texts.row))
        return texts._replace(columns=texts.columns | {"label": label})


@dataclass(frozen=True)
class SeveralPeople(FirmLabel):
    """One pair in each record, with the labels of several people; where `decided` has a label, it counts alone."""

    names: dict[str, Any]  #: columns, by their roles

    says = f"nobody's label changes; the answer goes into a last column {DECIDED!r}"

    def get(self, texts: Texts) -> Texts:
        labels = {role: texts.columns[role] for role in self.names}
        decided = np.zeros(len(texts.row), bool)
        if DECIDED in texts.columns:
            decided = filled(texts.columns[DECIDED])
            labels = {role: pc.if_else(pa.array(decided), "", column) for role, column in labels.items()}
        # One pair of a row that is decided, or that nobody labelled
        silent = ~np.any([filled(column) for column in labels.values()], axis=0)
        at, person, values = _stacked([*labels.values()], silent)
        names = np.array([str(name) for name in self.names.values()], object)[person]
        names[decided[at]] = DECIDED
        pairs = texts.take(at, "of several people", self.names)
        return pairs._replace(columns=pairs.columns | {"label": values, "annotator": _texts(names)})


@dataclass(frozen=True)
class Triplets:
    """A text, a paraphrase of it and texts that are none, in columns of their own."""

    negatives: dict[str, Any]  #: columns, by their roles

    keeps = False
    says = "a wrong negative is taken out of its row; a row whose positive is wrong is kept apart"

    def get(self, texts: Texts) -> Texts:
        roles = ["text_b", *self.negatives]
        at, which, others = _stacked([texts.columns[role] for role in roles])
        pairs = texts.take(at, "of triplets", roles)
        names = [None, *self.negatives.values()]
        note = pairs.note
        for i, name in enumerate(names[1:], 1):
            without = len(texts.row) - np.count_nonzero(which == i)
            if without:
                note += f"; {without:,} rows have no {name}"
        columns = pairs.columns | {"text_b": others, "label": _signs(which == 0)}
        places = [(names[i],) if i else () for i in which.tolist()]
        return pairs._replace(columns=columns, places=places, note=note)

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        wrong = [one.place for one in effects if one.wrong]
        return Edit(leaves=True) if () in wrong else Edit(taken=wrong)


@dataclass(frozen=True)
class SetColumn:
    """A text in each record, and a column, or several, whose equal values mark paraphrases."""

    column: Any  #: the first one

    keeps = False
    says = "a text that differs leaves its set; that two texts of different sets are the same cannot be written"

    def get(self, texts: Texts) -> Texts:
        ids = texts.columns["set"].combine_chunks()
        none = NO_SET & {*ids.unique().to_pylist()}
        if none:
            what = f"set {min(none)!r} may mean that a text is in none; leave those rows out, or give the set a name"
            raise PairsError(f"{texts.name}: {what}")
        codes = ids.dictionary_encode().indices.to_numpy()
        first = np.unique(codes, return_index=True)[1][codes]
        at = np.flatnonzero((first < np.arange(len(codes))) & filled(ids))
        pairs = texts.take(at, "of sets", ["set"])
        left = texts.columns["text_a"].take(pa.array(first[at]))
        columns = pairs.columns | {"text_a": left, "text_b": pairs.columns["text_a"], "label": _signs(at >= 0)}
        return pairs._replace(columns=columns)

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        return Edit(taken=[(self.column,)]) if effects[0].wrong else Edit()


class Lists(OneLabel):
    """Lists of texts in JSON whose places are their labels: sets, and queries with paraphrases and others."""

    says = "a text that differs is taken out of its list; a record without a pair left is kept apart"

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        wrong = [one.place for one in effects if one.wrong]
        return Edit(leaves=True) if len(wrong) == len(effects) else Edit(taken=wrong)


def lens_of(source: Source, layout: Layout, texts: Texts, labels: Any) -> Any:
    """The lens of a layout, for labels that mean what the caller says."""
    roles = layout.roles
    negatives = {role: name for role, name in roles.items() if role.startswith("neg")}
    people = {role: name for role, name in roles.items() if role.startswith("label") and FURTHER.fullmatch(role)}
    if negatives:
        return Triplets(negatives)
    if len(people) > 1:
        return SeveralPeople(people)
    if "set" in roles:
        column = roles["set"]
        return SetColumn(column[0] if isinstance(column, list | tuple) else column)
    if texts.places:
        return Lists()
    if "label" not in texts.columns:
        alone = isinstance(labels, dict) and [*labels] == ["all"]
        return NoLabel(labels["all"]) if alone else OneLabel()
    one_person = "annotator" not in texts.columns or pc.count_distinct(texts.columns["annotator"]).as_py() < 2
    words = isinstance(labels or layout.release.labels, dict)
    in_place = words and one_person and source.single and DECIDED not in texts.columns
    return OneLabel() if in_place else FirmLabel()


def _stacked(columns: list, silent: Any = None) -> tuple[np.ndarray, np.ndarray, pa.ChunkedArray]:
    """The filled values of several columns, row by row: the position of each row, the number of the column, the text.

    Of rows that are `silent`, the empty text of the first column.
    """
    masks = np.array([filled(column) for column in columns])
    if silent is not None:
        masks[0] |= silent
    at, which = np.nonzero(masks.T)
    every = pa.concat_arrays([column.combine_chunks() for column in columns])
    return at, which, pa.chunked_array([every.take(pa.array(which * masks.shape[1] + at, pa.int64()))])


def _constant(word: str, count: int) -> pa.ChunkedArray:
    return _texts(np.full(count, word, object))


def _signs(positive: np.ndarray) -> pa.ChunkedArray:
    return _texts(np.where(positive, "1", "0").astype(object))


def _texts(values: np.ndarray) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, pa.large_string())])
