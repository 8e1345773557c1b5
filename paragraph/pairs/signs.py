"""The sign of each pair, by its label; none is guessed."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError, did_you_mean
from ..files.spelling import option
from .labels import KNOWN, ZERO_ONE, Meaning, label_text, listed, meaning_of, numbers_of
from .layouts import Layout
from .question import question
from .tables import DECIDED
from .texts import Texts

__all__ = ["EMPTY", "NO_SIGN", "OUTSIDE", "WITHDRAWN", "Signs", "signs_of"]

#: Beside the signs 1 and 0, what a label can come to.
EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN = 2, 3, 4, 5
#: What MTurk and Prodigy write beside an answer that does not count.
GONE = ["Rejected", "reject", "ignore"]


class Signs(NamedTuple):
    """The signs of pairs, by their labels."""

    state: np.ndarray  #: int8: a sign, EMPTY, NO_SIGN, OUTSIDE or WITHDRAWN for each pair
    whys: dict  #: what is wrong with each label outside
    labels: Any  #: the map of the labels, or two thresholds
    sign: (
        Any  #: the function from a label to its sign; None where no column holds labels, and all pairs have one sign
    )
    notes: list  #: notes for the user: which words were understood, how many labels are decided
    scores: np.ndarray | None  #: what the thresholds were compared with, NaN for none
    votes: str | None  #: how votes in brackets were counted
    words: list  #: the commonest word for 0 and that for 1, where labels are words; else empty


def signs_of(texts: Texts, layout: Layout, labels: Any = None, votes: str | None = None, whole: bool = True) -> Signs:
    """The signs of the pairs in `texts` by `labels` and `votes`, as in `read_pairs`; are these pairs the `whole`?

    If neither the caller nor a release says what labels mean, and the columns have documented names, 1 and 0 are the
    signs, and yes, no, true and false are understood. With any other label, with columns of other names, with a 0 for
    the same text twice, or if another column may hold the labels, nothing is read.
    """
    columns, rivals = texts.columns, layout.rivals
    state = np.full(len(texts.row), EMPTY, np.int8)
    every = isinstance(labels, dict) and [*labels] == ["all"]
    stated = "label" not in layout.roles or layout.ids == "links" or any(texts.places or ())  # by the lens
    if "label" in columns and stated and labels == {"all": 1}:  # the user says that no other column counts
        labels = None
        rivals = ()
        every = False
    if "label" in columns and rivals:
        names = ", ".join(map(repr, [*filter(None, [layout.roles.get("label")]), *rivals]))
        raise PairsError(f"{texts.name}: labels may be in {names}").with_table(question(layout.sample, texts=True))
    decided = _decided(texts, labels if isinstance(labels, dict) and not every else {})
    if every and "label" not in columns:
        state[:] = labels["all"]
        return Signs(
            np.where(decided < EMPTY, decided, state), {}, labels, None, _note_decided(decided), None, votes, []
        )
    counts = _counts(texts, layout)
    notes = _note_decided(decided)
    if labels is None:
        labels = layout.labels
        if not layout.official and counts and "label" in layout.roles:
            labels, more = _documented(texts, layout, counts)
            notes += more
    try:
        values = [value for value in _dictionary(columns.get("label"))[0] if value.strip()]
        meaning = meaning_of(labels, values, votes, whole)
    except PairsError:
        raise
    except ValueError as error:
        raise PairsError(f"{texts.name}, column {layout.roles.get('label')!r}: {error}") from None
    whys: dict[str, str] = {}
    scores = None
    meanings = {"label": meaning, "otherwise": layout.otherwise and meaning_of(layout.otherwise)}
    for role in [role for role in meanings if role in columns]:
        values, codes = _dictionary(columns[role])
        states = [_state(value, meanings[role], whys) for value in values]
        state = np.where(state == EMPTY, np.array(states, np.int8)[codes], state)
        if role == "label" and meaning.scores is not None:
            scores = np.array([meaning.scores.get(value, np.nan) for value in values], np.float64)[codes]
    state = np.where(decided < EMPTY, decided, state)
    if "status" in columns:
        gone = pc.is_in(columns["status"], pa.array(GONE, pa.large_string()))
        state[gone.to_numpy()] = WITHDRAWN
    return Signs(state, whys, labels, meaning.sign, notes, scores, meaning.votes, _words(counts, labels))


def _dictionary(column: Any) -> tuple[list, np.ndarray]:
    """The different values of a column, and the number of each row's."""
    if column is None or not len(column):
        return [], np.empty(0, np.int64)
    coded = column.combine_chunks().dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy()


def _state(label: str, meaning: Meaning, whys: dict) -> int:
    try:
        sign = meaning.sign(label)
    except ValueError as error:
        whys[label] = str(error)
        return OUTSIDE if label.strip() else EMPTY
    return NO_SIGN if sign is None else sign


def _counts(texts: Texts, layout: Layout) -> Counter:
    """The labels with their numbers, without those in a header that comes again."""
    columns, counts = texts.columns, Counter()
    if "label" not in columns:
        return counts
    for label in columns["label"].value_counts().to_pylist():
        if text := label_text(label["values"]):
            counts[text] += label["counts"]
    name = layout.roles.get("label")
    if isinstance(name, str) and name in counts:
        heads = pc.and_(pc.equal(columns["text_a"], str(layout.roles["text_a"])), pc.equal(columns["label"], name))
        counts = +(counts - Counter({name: pc.sum(heads).as_py() or 0}))
    return counts


def _decided(texts: Texts, labels: dict) -> np.ndarray:
    """The decided sign of each pair, by the words of the file or 1 and 0; EMPTY where nobody decided."""
    if DECIDED not in texts.columns:
        return np.full(len(texts.row), EMPTY, np.int8)
    values, codes = _dictionary(texts.columns[DECIDED])
    known = {value: KNOWN[value.casefold()] for value in map(label_text, values) if value.casefold() in KNOWN}
    meaning = meaning_of(ZERO_ONE | known | {label_text(label): sign for label, sign in labels.items()})
    states = []
    for value in values:
        try:
            sign = meaning.sign(value) if value.strip() else EMPTY
        except ValueError as error:
            raise PairsError(
                f"{texts.name}, column {DECIDED!r}: {error}; rename a column of another meaning"
            ) from None
        states.append(EMPTY if sign is None else sign)
    return np.array(states, np.int8)[codes]


def _note_decided(decided: np.ndarray) -> list[str]:
    count = int((decided < EMPTY).sum())
    return [f"labels from the column {DECIDED!r}, in place of the others: {count:,}"] if count else []


def _words(counts: Counter, labels: Any) -> list[str]:
    """The commonest word for 0 and for 1 among some labels, if they are words; else an empty list."""
    if not isinstance(labels, dict):
        return []
    signs = {label_text(label): sign for label, sign in labels.items()}
    words = [word for word, _ in counts.most_common() if not _is_number(word)]
    found = [next((word for word in words if signs.get(word) == sign), "") for sign in (0, 1)]
    return found if all(found) else []


def _is_number(word: str) -> bool:
    return bool(numbers_of([word], votes="k,n"))


def _documented(texts: Texts, layout: Layout, counts: Counter) -> tuple[dict, list[str]]:
    """The meaning of documented labels, and a note where they are words; `PairsError` with the flags for others."""
    known = {each: KNOWN[each.casefold()] for each in counts if each.casefold() in KNOWN}
    labels = ZERO_ONE | known if layout.known else {}
    if {*counts} - {*labels}:
        values = [label_text(value) for value in texts.columns["label"].to_pylist()]
        place = next(i for i, value in enumerate(values) if value in counts and value not in labels)
        first = values[place]
        if labels:
            what = f"label {first!r} is not one of {', '.join(labels)}{did_you_mean(first, labels)}"
        else:
            column = layout.roles["label"]
            what = f"what does label {first!r} in column {column!r} mean? Only documented names of columns tell"
        say = option("labels", {label: "…" for label, _ in counts.most_common(8)})
        how = f"say what each means, {say}: 1 a paraphrase, 0 none, nothing for no sign"
        if sum(map(_is_number, counts)) == len(counts) > 2:
            how += f"; or two thresholds of a score, {option('labels')} LOW,HIGH"
            how += f" (of a distance: {option('labels')} HIGH,LOW)"
        raise PairsError(f"{texts.name}, row {texts.row[place]}: {what}; labels there: {listed(counts)}; {how}")
    if "id_a" not in texts.columns:
        _check_same(texts, labels, counts)
    if not known:
        return labels, []
    read = ", ".join(f"{label!r} as {sign}" for label, sign in known.items())
    return labels, [f"labels read: {read}; {option('labels')} says otherwise"]


def _check_same(texts: Texts, labels: dict, counts: Counter) -> None:
    """Refuse labels in which 0 seems to mean the same: most pairs of one text twice have it."""
    same = pc.equal(texts.columns["text_a"], texts.columns["text_b"])
    of = [labels.get(label_text(value)) for value in texts.columns["label"].filter(same).to_pylist()]
    if of.count(0) > of.count(1):
        first = texts.row[np.flatnonzero(same)[of.index(0)]]
        say = option("labels", dict.fromkeys(counts, "…"))
        raise PairsError(
            f"{texts.name}, row {first}: label 0 for one text twice ({of.count(0):,} such rows); does 0 mean the "
            f"same? Say what each label means: {say}"
        )
