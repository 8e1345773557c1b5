"""Layouts as lenses: each kind reads pairs together with the cell of each label, and writes answers back into it.

`get` turns the texts of records into pairs: one row for each, `row` says of which record, `place` which part of the
record states it. `put` turns the answers about the pairs of one record into its `Edit`. Two laws hold for each kind
(tests/pairs/test_laws.py): without an answer nothing changes; and what is read from the changed record is what was
answered, and else what was read before. `says` tells what becomes of answers before they are given. A lens that
`keeps` every row has a place for the answer that a pair differs, so that no row leaves for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError
from ..files.json_edit import REMOVED
from .labels import label_text
from .layouts import Layout
from .tables import DECIDED, FURTHER
from .texts import Texts

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
    values: dict = {}  # noqa: RUF012  (of a tuple, which nobody fills)  #: new values by their places


def _decided(effects: Sequence[PairEffect]) -> Edit:
    """The answer beside the words of several people, of votes or of a score, which stay."""
    stated = [one for one in effects if one.sign is not None or one.wish is not None]
    if stated and all(one.effect == "dropped" for one in stated):
        return Edit(leaves=True)
    wishes = [one.wish for one in effects if one.wish is not None]
    changed = [one.wish for one in effects if one.effect.startswith("becomes")]
    return Edit(decided=next(iter(changed + wishes), None))


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
        return Edit(label=one.wish if one.wrong else None)


class NoLabel(OneLabel):
    """One pair in each record, and all pairs are paraphrases: what differs leaves, or a column `decided` says it."""

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        return _decided(effects)


class FirmLabel(NoLabel):
    """One pair in each record, with a label that stays: a score, votes, an answer in an export of a tool."""

    says = f"labels stay as they are; the answer goes into a last column {DECIDED!r}"
    keeps = True


@dataclass(frozen=True)
class SeveralPeople:
    """One pair in each record, with the labels of several people; where `decided` has a label, it counts alone."""

    roles: tuple[str, ...]
    names: tuple[str, ...]

    keeps = True
    says = f"nobody's label changes; the answer goes into a last column {DECIDED!r}"

    def get(self, texts: Texts) -> Texts:
        decided = _filled(texts.columns.get(DECIDED), len(texts.row))
        filled = np.array([_filled(texts.columns[role], len(texts.row)) for role in self.roles]) & ~decided
        filled[0] |= ~filled.any(axis=0)  # one pair of a row that is decided, or that nobody labelled
        at, person, labels = _stacked(texts, self.roles, filled)
        annotators = np.array(self.names, object)[person]
        annotators[decided[at]] = DECIDED
        labels = pc.if_else(pa.array(decided[at]), "", labels)
        pairs = texts.take(at, "of several people", _others(texts, self.roles))
        columns = {"label": pa.chunked_array([labels]), "annotator": _texts(annotators)}
        return pairs._replace(columns=pairs.columns | columns)

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        return _decided(effects)


@dataclass(frozen=True)
class Triplets:
    """A text, a paraphrase of it and texts that are none, in columns of their own."""

    negatives: dict[str, Any]  #: columns, by their roles

    keeps = False
    says = "a wrong negative is taken out of its row; a row whose positive is wrong is kept apart"

    def get(self, texts: Texts) -> Texts:
        roles = ["text_b", *self.negatives]
        filled = np.array([_filled(texts.columns[role], len(texts.row)) for role in roles])
        at, which, others = _stacked(texts, roles, filled)
        pairs = texts.take(at, "of triplets", _others(texts, roles))
        names = [None, *self.negatives.values()]
        places = [(names[i],) if i else () for i in which.tolist()]
        columns = {"text_b": pa.chunked_array([others]), "label": _labels(which == 0)}
        note = pairs.note
        for name, full in zip(names[1:], filled[1:], strict=True):
            if not full.all():
                note += f"; {(~full).sum():,} rows have no {name}"
        return pairs._replace(columns=pairs.columns | columns, places=places, note=note)

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        wrong = [one.place for one in effects if one.wrong]
        return Edit(leaves=() in wrong, values=dict.fromkeys(filter(None, wrong), ""))


@dataclass(frozen=True)
class SetColumn:
    """A text in each record, and a column, or several, whose equal values mark paraphrases."""

    columns: tuple

    keeps = False
    says = "a text that differs leaves its set; that two texts of different sets are the same cannot be written"

    def get(self, texts: Texts) -> Texts:
        ids = texts.columns["set"].combine_chunks()
        codes = ids.dictionary_encode().indices.to_numpy()
        if none := NO_SET & {*ids.unique().to_pylist()}:
            what = f"set {min(none)!r} may mean that a text is in none; leave those rows out, or give the set a name"
            raise PairsError(f"{texts.name}: {what}")
        first = np.unique(codes, return_index=True)[1][codes]
        at = np.flatnonzero((first < np.arange(len(codes))) & _filled(ids, len(codes)))
        own = texts.columns["text_a"]
        pairs = texts.take(at, "of sets", _others(texts, ["set", "text_a", "text_b"]))
        left, right = own.take(pa.array(first[at])), own.take(pa.array(at))
        columns = {"text_a": left, "text_b": right, "label": _labels(at >= 0)}
        return pairs._replace(columns=pairs.columns | columns)

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        if not effects[0].wrong:
            return Edit()
        return Edit(values={(self.columns[0],): ""})


class Placed(OneLabel):
    """Lists of texts in JSON whose places are their labels: sets, and queries with paraphrases and others."""

    says = "a text that differs is taken out of its list; a record without a pair left is kept apart"

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        wrong = [one.place for one in effects if one.wrong]
        return Edit(leaves=len(wrong) == len(effects), values=dict.fromkeys(wrong, REMOVED))


class Links:
    """Links between two sources in which nothing stands twice: two partners of one record differ."""

    keeps = False
    says = "a wrong link is kept apart; that two partners of a record differ follows from the links"

    def get(self, texts: Texts) -> Texts:
        left, right = (texts.columns[f"text_{side}"].to_pylist() for side in "ab")
        decided = texts.columns[DECIDED].to_pylist() if DECIDED in texts.columns else [""] * len(left)
        at = []
        a = []
        b = []
        for own, partner in ((left, right), (right, left)):
            seen: dict[str, str] = {}
            for i, (one, other) in enumerate(zip(own, partner, strict=True)):
                if label_text(decided[i]) not in ("", "1"):
                    continue  # it is no link
                if seen.setdefault(one, other) != other:
                    at.append(i)
                    a.append(seen[one])
                    b.append(other)
        count = len(texts.row)
        columns = {"text_a": _texts(left + a), "text_b": _texts(right + b)}
        columns[DECIDED] = _texts(decided + [""] * len(a))
        rest = _others(texts, [*columns, "label"])
        order = np.array([*range(count), *at], np.int64)
        sort = np.argsort(order, kind="stable")
        pairs = texts.take(order[sort], "that link two sources", rest)
        columns["label"] = _labels(np.arange(len(order)) < count)
        columns = {role: column.take(pa.array(sort)) for role, column in columns.items()}
        places = [() if i < count else ("follows",) for i in sort.tolist()]
        return pairs._replace(columns=pairs.columns | columns, places=places)

    def put(self, effects: Sequence[PairEffect]) -> Edit:
        return _decided([one for one in effects if not one.place] or effects)


def lens_of(layout: Layout, texts: Texts, labels: Any) -> Any:
    """The lens of a layout, for labels that mean what the caller says."""
    roles = layout.roles
    negatives = {role: roles[role] for role in roles if role.startswith("neg")}
    people = tuple(role for role in roles if FURTHER.fullmatch(role) and role not in negatives)
    if layout.ids == "links":
        return Links()
    if negatives:
        return Triplets(negatives)
    if len(people) > 1:
        return SeveralPeople(people, tuple(str(roles[role]) for role in people))
    if "set" in roles:
        column = roles["set"]
        return SetColumn((column,) if isinstance(column, str | int) else tuple(column))
    if texts.places is not None and any(texts.places):
        return Placed()
    if "label" not in texts.columns:
        return NoLabel()
    one_person = "annotator" not in texts.columns or pc.count_distinct(texts.columns["annotator"]).as_py() < 2
    words = labels is None or isinstance(labels, dict)
    in_place = words and one_person and texts.single and DECIDED not in texts.columns
    return OneLabel() if in_place else FirmLabel()


def _others(texts: Texts, roles: Sequence[str]) -> dict[str, Any]:
    """The columns of the roles that are not among these."""
    return {role: column for role, column in texts.columns.items() if role not in roles}


def _stacked(texts: Texts, roles: Sequence[str], filled: np.ndarray) -> tuple[np.ndarray, np.ndarray, pa.Array]:
    """The filled values of several columns, row by row: the position of each row, the number of the column, the text.

    `filled` has shape (roles, rows).
    """
    count = max(len(texts.row), 1)
    order = np.arange(filled.size).reshape(filled.shape).T.ravel()
    order = order[filled.ravel()[order]]
    values = pa.concat_arrays([chunk for role in roles for chunk in texts.columns[role].chunks])
    return order % count, order // count, values.take(pa.array(order, pa.int64()))


def _filled(column: Any, count: int) -> np.ndarray:
    """The rows in which a column of texts has one."""
    if column is None:
        return np.zeros(count, bool)
    return pc.greater(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)


def _texts(values: Iterable) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, pa.large_string())])


def _labels(positive: np.ndarray) -> pa.ChunkedArray:
    return _texts(np.where(positive, "1", "0").astype(object))
