"""The sign of each pair, by its label; none is guessed."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from ..files.errors import PairsError, did_you_mean
from ..files.spelling import option
from .labels import KNOWN, ZERO_ONE, Meaning, is_number, label_text, listed, meaning_of
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
    scores: np.ndarray | None  #: what the thresholds were compared with, NaN for none


def signs_of(texts: Texts, layout: Layout, labels: Any = None, whole: bool = True) -> Signs:
    """The signs of the pairs in `texts` by `labels`, as in `read_pairs`; are these pairs the `whole`?

    If neither the caller nor a release says what labels mean, and the columns have documented names, 1 and 0 are the
    signs, and yes, no, true and false are understood. With any other label, with columns of other names, or if
    another column may hold the labels, nothing is read.
    """
    by_lens = "label" not in layout.roles
    if by_lens and labels == {"all": 1}:  # the user says that no other column counts
        labels = ZERO_ONE
    elif "label" in texts.columns and layout.rivals:
        names = ", ".join(map(repr, [*filter(None, [layout.roles.get("label")]), *layout.rivals]))
        raise PairsError(f"{texts.name}: labels may be in {names}").with_table(
            question(layout.sample, texts=True)
        )
    values, codes = _dictionary(texts, "label")
    counts: Counter[str] = Counter()
    for value, count in zip(
        values, np.bincount(codes, minlength=len(values)).tolist(), strict=True
    ):
        counts[label_text(value)] += count
    del counts[""]
    notes = []
    decided = _decided(texts, labels)
    count = np.count_nonzero(decided < EMPTY)
    if count:
        notes.append(f"labels from the column {DECIDED!r}, in place of the others: {count:,}")
    if labels is None:
        labels = layout.release.labels
        if not layout.release.official and not by_lens:
            labels = _documented(texts, layout, counts)
            read = ", ".join(
                f"{label!r} as {sign}" for label, sign in labels.items() if label not in ZERO_ONE
            )
            if read:
                notes.append(f"labels read: {read}; {option('labels')} says otherwise")
    words = dict(zip(layout.release.words, (0, 1, None), strict=False))
    try:
        meaning = meaning_of(labels, filter(str.strip, values), whole, words)
    except PairsError:
        raise
    except ValueError as error:
        raise PairsError(f"{texts.name}, column {layout.roles.get('label')!r}: {error}") from None
    whys: dict[str, str] = {}
    state = _states(values, meaning, whys)[codes]
    state = np.where(decided < EMPTY, decided, state)
    if "status" in texts.columns:
        state[pc.equal(texts.columns["status"], REJECTED).to_numpy()] = WITHDRAWN
    scores = None
    if not isinstance(labels, dict):
        scores = np.array([meaning.scores.get(value, np.nan) for value in values], np.float64)[
            codes
        ]
    return Signs(state, whys, labels, meaning, notes, _words(counts, labels), scores)


def _dictionary(texts: Texts, role: str) -> tuple[list, np.ndarray]:
    """The different values of a column, and the number of each row's; an empty one where there is no column."""
    if role not in texts.columns:
        return [""], np.zeros(len(texts.row), np.int64)
    coded = texts.columns[role].combine_chunks().dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy()


def _states(values: list, meaning: Meaning, whys: dict) -> np.ndarray:
    """The sign of each label; `whys` takes the fault of one that has none."""
    states = []
    for label in values:
        try:
            state = meaning.sign(label)
            if state is None:
                state = NO_SIGN
        except ValueError as error:
            state = EMPTY
            if label.strip():
                state = OUTSIDE
                whys[label] = str(error)
        states.append(state)
    return np.array(states, np.int8)


def _decided(texts: Texts, labels: Any) -> np.ndarray:
    """The decided sign of each pair, by the words of the file or 1 and 0; EMPTY or more where there is none."""
    values, codes = _dictionary(texts, DECIDED)
    own = ZERO_ONE | {
        value: KNOWN[value.casefold()] for value in values if value.casefold() in KNOWN
    }
    if isinstance(labels, dict):
        own |= labels
    whys: dict[str, str] = {}
    state = _states(values, meaning_of(own), whys)[codes]
    for why in whys.values():
        raise PairsError(
            f"{texts.name}, column {DECIDED!r}: {why}; it holds what was decided: rename a column of another meaning"
        )
    return state


def _words(counts: Counter, labels: Any) -> list[str]:
    """The commonest word for 0 and for 1 among some labels, if they are words; else an empty list."""
    if not isinstance(labels, dict):
        return []
    signs = {label_text(label): sign for label, sign in labels.items()}
    found: dict[int | None, str] = {}
    for word, _ in counts.most_common():
        if not is_number(word):
            found.setdefault(signs.get(word), word)
    return [found[0], found[1]] if {0, 1} <= found.keys() else []


def _documented(texts: Texts, layout: Layout, counts: Counter) -> dict[str, int]:
    """The meaning of documented labels; `PairsError` with the flags for others."""
    labels = {}
    if layout.known:
        labels = ZERO_ONE | {
            each: KNOWN[each.casefold()] for each in counts if each.casefold() in KNOWN
        }
    if {*counts} <= {*labels}:
        return labels
    unknown = {*counts} - {*labels}
    values = map(label_text, texts.columns["label"].to_pylist())
    row, first = next(each for each in zip(texts.row, values, strict=True) if each[1] in unknown)
    column = layout.roles["label"]
    what = f"what does label {first!r} in column {column!r} mean? Only documented names of columns tell"
    if labels:
        what = f"label {first!r} is not one of {', '.join(labels)}{did_you_mean(first, labels)}"
    say = option("labels", {label: "…" for label, _ in counts.most_common(8)})
    how = f"say what each means, {say}: 1 a paraphrase, 0 none, nothing for no sign"
    if len(counts) > 2 and all(map(is_number, counts)):
        bounds = f"{option('labels')} LOW,HIGH (of a distance: {option('labels')} HIGH,LOW)"
        how += f"; or two thresholds of a score, {bounds}"
    raise PairsError(f"{texts.name}, row {row}: {what}; labels there: {listed(counts)}; {how}")
