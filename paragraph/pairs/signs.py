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

#: The states of a label that is neither 1 nor 0: empty, without a sign, unknown, or withdrawn by its tool.
EMPTY = 2
NO_SIGN = 3
OUTSIDE = 4
WITHDRAWN = 5


class Signs(NamedTuple):
    """The signs of pairs, by their labels."""

    state: np.ndarray  #: int8: a sign, EMPTY, NO_SIGN, OUTSIDE or WITHDRAWN for each pair
    whys: dict  #: the fault of each label that is OUTSIDE
    labels: Any  #: the map of the labels, or two thresholds
    meaning: Meaning
    notes: list  #: for the user: the words that were understood, the number of decided labels
    words: dict  #: a label for each sign: the commonest of the file, else the first of the map
    scores: (
        np.ndarray | None
    )  #: the numbers that thresholds were compared with, NaN where a label is none


def signs_of(
    name: str, frame: pd.DataFrame, layout: Layout, labels: Any = None, whole: bool = True
) -> Signs:
    """The signs of the pairs of a source, by `labels` as in `read_pairs`; `whole` as in `meaning_of`.

    If neither the caller nor a release says what labels mean, and the columns have documented names, 1 and 0 are the
    signs, and yes, no, true and false are understood. Any other label, a column of another name, and a second column
    that may hold the labels are refused.
    """
    column = _column(frame, "label")
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
            known = [f"{label!r} as {labels[label]}" for label in labels if label not in ZERO_ONE]
            if known:
                notes.append(f"labels read: {', '.join(known)}; {option('labels')} says otherwise")
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


def _column(frame: pd.DataFrame, name: str) -> pd.Series:
    """A column of texts, all of them empty if the table does not have it."""
    empty = pd.Series("", index=frame.index, dtype=frame["text_a"].dtype)
    return frame.get(name, empty)


def _states(column: pd.Series, meaning: Meaning, whys: dict) -> np.ndarray:
    """The state of each label; `whys` takes the fault of each label that is OUTSIDE."""
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
    """The decided sign of each pair, by the words of the file or 1 and 0; EMPTY or NO_SIGN where there is none."""
    column = _column(frame, DECIDED)
    meanings = ZERO_ONE | _known_words(column.unique())
    if isinstance(labels, dict):
        meanings |= labels
    whys: dict[str, str] = {}
    state = _states(column, meaning_of(meanings), whys)
    for why in whys.values():
        raise PairsError(
            f"{name}, column {DECIDED!r}: {why}; it holds what was decided: rename a column of another meaning"
        )
    return state


def _known_words(labels: Any) -> dict[str, int]:
    """The signs of the documented words among some labels."""
    return {label: KNOWN[label.casefold()] for label in labels if label.casefold() in KNOWN}


def _words(column: pd.Series, labels: Any, meaning: Meaning) -> dict[int | None, str]:
    """A label for each sign: the commonest of a column, else the first in the map; with thresholds, 1 and 0."""
    if not isinstance(labels, dict):
        return {0: "0", 1: "1"}
    words: dict[int | None, str] = {}
    for label in column.value_counts().index:
        with suppress(ValueError):
            words.setdefault(meaning.sign(label), label)
    for label, sign in labels.items():
        words.setdefault(sign, label_text(label))
    return words


def _documented(name: str, frame: pd.DataFrame, layout: Layout) -> dict[str, int]:
    """The signs of documented labels; `PairsError` for others, with the flags that give them signs."""
    texts = _column(frame, "label").map(label_text)
    counts = Counter(texts[texts != ""])
    labels = {}
    if layout.known:
        labels = ZERO_ONE | _known_words(counts)
    unknown = texts.isin(counts.keys() - labels.keys())
    if not unknown.any():
        return labels
    position = unknown.argmax()
    label = texts[position]
    column = layout.roles["label"]
    fault = f"what does label {label!r} in column {column!r} mean? Only documented names of columns tell"
    if labels:
        fault = f"label {label!r} is not one of {', '.join(labels)}{did_you_mean(label, labels)}"
    flags = option("labels", {common: "…" for common, _ in counts.most_common(8)})
    advice = f"say what each means, {flags}: 1 a paraphrase, 0 none, nothing for no sign"
    if len(counts) > 2 and all(map(is_number, counts)):
        bounds = f"{option('labels')} LOW,HIGH (of a distance: {option('labels')} HIGH,LOW)"
        advice += f"; or two thresholds of a score, {bounds}"
    row = frame["row"][position]
    raise PairsError(f"{name}, row {row}: {fault}; labels there: {listed(counts)}; {advice}")
