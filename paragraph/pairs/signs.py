"""The sign of each pair, by its label; none is guessed."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from ..files.errors import PairsError, did_you_mean
from ..files.spelling import option
from .labels import KNOWN, ZERO_ONE, Meaning, label_text, listed, meaning_of, numbers_of
from .layouts import REJECTED
from .question import question
from .recognise import Layout
from .tables import DECIDED
from .texts import Texts

__all__ = ["EMPTY", "NO_SIGN", "OUTSIDE", "WITHDRAWN", "Signs", "signs_of"]

#: Beside the signs 1 and 0, what a label can come to.
EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN = 2, 3, 4, 5


class Signs(NamedTuple):
    """The signs of pairs, by their labels."""

    state: np.ndarray  #: int8: a sign, EMPTY, NO_SIGN, OUTSIDE or WITHDRAWN for each pair
    whys: dict  #: what is wrong with each label outside
    labels: Any  #: the map of the labels, or two thresholds
    meaning: Meaning
    notes: list  #: notes for the user: which words were understood, how many labels are decided
    words: list  #: the commonest word for 0 and that for 1, where labels are words; else empty
    scores: np.ndarray | None = None  #: what the thresholds were compared with, NaN for none


def signs_of(texts: Texts, layout: Layout, labels: Any = None, whole: bool = True) -> Signs:
    """The signs of the pairs in `texts` by `labels`, as in `read_pairs`; are these pairs the `whole`?

    If neither the caller nor a release says what labels mean, and the columns have documented names, 1 and 0 are the
    signs, and yes, no, true and false are understood. With any other label, with columns of other names, or if
    another column may hold the labels, nothing is read.
    """
    columns = texts.columns
    values, codes = _dictionary(columns.get("label"), len(texts.row))
    by_lens = "label" not in layout.roles
    if by_lens and labels == {"all": 1}:  # the user says that no other column counts
        labels = ZERO_ONE
    elif "label" in columns and layout.rivals:
        names = ", ".join(map(repr, [*filter(None, [layout.roles.get("label")]), *layout.rivals]))
        raise PairsError(f"{texts.name}: labels may be in {names}").with_table(question(layout.sample, texts=True))
    counts = Counter()
    for value, count in zip(values, np.bincount(codes, minlength=len(values)).tolist(), strict=True):
        if label_text(value):
            counts[label_text(value)] += count
    notes = []
    decided, known = _decided(texts, labels)
    if known.any():
        notes.append(f"labels from the column {DECIDED!r}, in place of the others: {known.sum():,}")
    if labels is None:
        labels = layout.release.labels
        if not layout.release.official and counts and not by_lens:
            labels = _documented(texts, layout, counts)
            read = [
                f"{label!r} as {sign}" for label, sign in labels.items() if label in counts and label not in ZERO_ONE
            ]
            if read:
                notes.append(f"labels read: {', '.join(read)}; {option('labels')} says otherwise")
    try:
        meaning = meaning_of(labels, [value for value in values if value.strip()], whole, layout.release.words)
    except PairsError:
        raise
    except ValueError as error:
        raise PairsError(f"{texts.name}, column {layout.roles.get('label')!r}: {error}") from None
    whys: dict[str, str] = {}
    states = np.array([_state(value, meaning, whys) for value in values], np.int8)
    state = np.where(known, decided, states[codes]).astype(np.int8)
    if "status" in columns:
        state[pc.equal(columns["status"], REJECTED).to_numpy()] = WITHDRAWN
    scores = None
    if not isinstance(labels, dict):
        scores = np.array([meaning.scores.get(value, np.nan) for value in values], np.float64)[codes]
    return Signs(state, whys, labels, meaning, notes, _words(counts, labels), scores)


def _dictionary(column: Any, count: int) -> tuple[list, np.ndarray]:
    """The different values of a column, and the number of each row's; an empty one where there is no column."""
    if column is None:
        return [""], np.zeros(count, np.int64)
    coded = column.combine_chunks().dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy()


def _state(label: str, meaning: Meaning, whys: dict) -> int:
    try:
        sign = meaning.sign(label)
    except ValueError as error:
        whys[label] = str(error)
        return OUTSIDE if label.strip() else EMPTY
    return NO_SIGN if sign is None else sign


def _decided(texts: Texts, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """The decided sign of each pair, by the words of the file or 1 and 0, and a mask of those that have one."""
    values, codes = _dictionary(texts.columns.get(DECIDED), len(texts.row))
    own = {label_text(value): KNOWN[value.casefold()] for value in values if value.casefold() in KNOWN}
    own = ZERO_ONE | own
    if isinstance(labels, dict):
        own |= {label_text(label): sign for label, sign in labels.items()}
    meaning = meaning_of(own)
    whys: dict[str, str] = {}
    states = np.array([_state(value, meaning, whys) for value in values], np.int8)
    if OUTSIDE in states:
        why = next(why for value, why in whys.items() if value.strip())
        raise PairsError(
            f"{texts.name}, column {DECIDED!r}: {why}; it holds what was decided: rename a column of another meaning"
        )
    state = states[codes]
    return state, state < EMPTY


def _words(counts: Counter, labels: Any) -> list[str]:
    """The commonest word for 0 and for 1 among some labels, if they are words; else an empty list."""
    if not isinstance(labels, dict):
        return []
    signs = {label_text(label): sign for label, sign in labels.items()}
    found: dict[int | None, str] = {}
    for word, _ in counts.most_common():
        if not _is_number(word):
            found.setdefault(signs.get(word), word)
    return [found[0], found[1]] if {0, 1} <= found.keys() else []


def _is_number(word: str) -> bool:
    return bool(numbers_of([word.replace(",", ".")]))


def _documented(texts: Texts, layout: Layout, counts: Counter) -> dict[str, int]:
    """The meaning of documented labels; `PairsError` with the flags for others."""
    labels = {}
    if layout.known:
        labels = ZERO_ONE | {each: KNOWN[each.casefold()] for each in counts if each.casefold() in KNOWN}
    if {*counts} <= {*labels}:
        return labels
    values = [label_text(value) for value in texts.columns["label"].to_pylist()]
    place = next(i for i, value in enumerate(values) if value and value not in labels)
    first = values[place]
    if labels:
        what = f"label {first!r} is not one of {', '.join(labels)}{did_you_mean(first, labels)}"
    else:
        column = layout.roles["label"]
        what = f"what does label {first!r} in column {column!r} mean? Only documented names of columns tell"
    say = option("labels", {label: "…" for label, _ in counts.most_common(8)})
    how = f"say what each means, {say}: 1 a paraphrase, 0 none, nothing for no sign"
    if len(counts) > 2 and all(map(_is_number, counts)):
        how += f"; or two thresholds of a score, {option('labels')} LOW,HIGH"
        how += f" (of a distance: {option('labels')} HIGH,LOW)"
    raise PairsError(f"{texts.name}, row {texts.row[place]}: {what}; labels there: {listed(counts)}; {how}")
