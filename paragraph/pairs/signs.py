"""The sign of each pair, by its label; none is guessed."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files.errors import PairsError, did_you_mean
from ..files.spelling import option
from .labels import KNOWN, ZERO_ONE, Meaning, is_number, label_text, listed, meaning_of
from .layouts import REJECTED
from .question import question
from .recognise import Layout
from .tables import DECIDED

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
    words: dict  #: the spelling of each sign that a label has: the commonest of the file, else the first of the map
    scores: np.ndarray | None  #: what the thresholds were compared with, NaN for none


def signs_of(
    name: str, frame: pd.DataFrame, layout: Layout, labels: Any = None, whole: bool = True
) -> Signs:
    """The signs of the pairs of a source by `labels`, as in `read_pairs`; are these pairs the `whole`?

    If neither the caller nor a release says what labels mean, and the columns have documented names, 1 and 0 are the
    signs, and yes, no, true and false are understood. With any other label, with columns of other names, or if
    another column may hold the labels, nothing is read.
    """
    column = frame.get("label", _nothing(frame))
    column_name = layout.roles.get("label")
    by_lens = "label" not in layout.roles
    if by_lens and labels == {"all": 1}:  # the user says that no other column counts
        labels = ZERO_ONE
    elif "label" in frame and layout.rivals:
        rivals = ", ".join(map(repr, [*filter(None, [column_name]), *layout.rivals]))
        table = question(layout.sample, texts=True)
        raise PairsError(f"{name}: labels may be in {rivals}").with_table(table)
    decided = _decided(name, frame, labels)
    is_decided = decided < EMPTY
    notes = []
    if is_decided.any():
        count = np.count_nonzero(is_decided)
        notes.append(f"labels from the column {DECIDED!r}, in place of the others: {count:,}")
    if labels is None:
        labels = layout.release.labels
        if not layout.release.official and not by_lens:
            labels = _documented(name, frame, layout)
            words = [f"{label!r} as {labels[label]}" for label in labels if label not in ZERO_ONE]
            if words:
                notes.append(f"labels read: {', '.join(words)}; {option('labels')} says otherwise")
    values = [value for value in column.unique() if value.strip()]
    words = dict(zip(layout.release.words, (0, 1, None), strict=False))
    try:
        meaning = meaning_of(labels, values, whole, words, frame.attrs.get("numbers"))
    except PairsError:
        raise
    except ValueError as error:
        raise PairsError(f"{name}, column {column_name!r}: {error}") from None
    whys: dict[str, str] = {}
    state = np.where(is_decided, decided, _states(column, meaning, whys))
    if "status" in frame:
        state[frame["status"] == REJECTED] = WITHDRAWN
    scores = None
    if not isinstance(labels, dict):
        scores = column.map(meaning.scores).to_numpy(float)
    return Signs(state, whys, labels, meaning, notes, _words(column, labels, meaning), scores)


def _nothing(frame: pd.DataFrame) -> pd.Series:
    return pd.Series("", index=frame.index, dtype=frame["text_a"].dtype)


def _states(column: pd.Series, meaning: Meaning, whys: dict) -> np.ndarray:
    """The sign of each label; `whys` takes the fault of one that has none."""
    codes, values = pd.factorize(column)
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
    return np.array(states, np.int8)[codes]


def _decided(name: str, frame: pd.DataFrame, labels: Any) -> np.ndarray:
    """The decided sign of each pair, by the words of the file or 1 and 0; EMPTY or more where there is none."""
    column = frame.get(DECIDED, _nothing(frame))
    own = ZERO_ONE | _known_words(column.unique())
    if isinstance(labels, dict):
        own |= labels
    whys: dict[str, str] = {}
    state = _states(column, meaning_of(own), whys)
    for why in whys.values():
        raise PairsError(
            f"{name}, column {DECIDED!r}: {why}; it holds what was decided: rename a column of another meaning"
        )
    return state


def _known_words(labels: Any) -> dict[str, int]:
    """The meaning of those labels that are documented words."""
    return {label: KNOWN[label.casefold()] for label in labels if label.casefold() in KNOWN}


def _words(column: pd.Series, labels: Any, meaning: Meaning) -> dict[int | None, str]:
    """The spelling of each sign: the commonest of a column, else the first in the map; of thresholds, 1 and 0."""
    words: dict[int | None, str] = {}
    if not isinstance(labels, dict):
        return {0: "0", 1: "1"}
    for value in column.value_counts().index:
        with suppress(ValueError):
            words.setdefault(meaning.sign(value), value)
    for label, sign in labels.items():
        words.setdefault(sign, label_text(label))
    return words


def _documented(name: str, frame: pd.DataFrame, layout: Layout) -> dict[str, int]:
    """The meaning of documented labels; `PairsError` with the flags for others."""
    texts = frame.get("label", _nothing(frame)).map(label_text)
    counts = Counter(texts[texts != ""])
    labels = {}
    if layout.known:
        labels = ZERO_ONE | _known_words(counts)
    unknown = texts.isin(counts.keys() - labels.keys())
    if not unknown.any():
        return labels
    at = unknown.argmax()
    first = texts[at]
    column = layout.roles["label"]
    what = f"what does label {first!r} in column {column!r} mean? Only documented names of columns tell"
    if labels:
        what = f"label {first!r} is not one of {', '.join(labels)}{did_you_mean(first, labels)}"
    say = option("labels", {label: "…" for label, _ in counts.most_common(8)})
    how = f"say what each means, {say}: 1 a paraphrase, 0 none, nothing for no sign"
    if len(counts) > 2 and all(map(is_number, counts)):
        bounds = f"{option('labels')} LOW,HIGH (of a distance: {option('labels')} HIGH,LOW)"
        how += f"; or two thresholds of a score, {bounds}"
    row = frame["row"][at]
    raise PairsError(f"{name}, row {row}: {what}; labels there: {listed(counts)}; {how}")
