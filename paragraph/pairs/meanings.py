"""The sign of each row of a source, by its label; none is guessed."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError, meant
from ..files.spelling import option
from .labels import KNOWN, label_text, listed, score_of, sign_of
from .unknown import differs, question

__all__ = ["EMPTY", "NO_SIGN", "OUTSIDE", "WITHDRAWN", "Signs", "signs_of"]

#: Beside the signs 1 and 0, what a label can come to.
EMPTY, NO_SIGN, OUTSIDE, WITHDRAWN = 2, 3, 4, 5
#: What a status says of an answer that does not count; a column of such a name says so by a mere 1, yes or true.
GONE = {
    "discarded",
    "draft",
    "pending",
    "cancelled",
    "canceled",
    "skipped",
    "rejected",
    "reject",
    "withdrawn",
    "deleted",
}
GONE |= {"ignored", "ignore", "invalid", "skip"}
GONE_BY_NAME = re.compile("cancel|skip|discard|withdr|reject|ignore|delete", re.IGNORECASE)


#: A score of this name grows with the difference.
DISTANCE = re.compile(r"distan|differ|dissim|unähnl|abstand|lejan|écart|cost|error|\b[wc]er\b|perplex", re.IGNORECASE)


class Signs(NamedTuple):
    """The signs of the rows of a source, by their labels."""

    state: np.ndarray  #: int8: a sign, EMPTY, NO_SIGN, OUTSIDE or WITHDRAWN for each row
    whys: dict  #: what is wrong with each label outside
    labels: Any  #: the map of the labels, or two thresholds
    of: Any  #: the function from a label to its sign; None where no column holds labels, and all pairs have one sign
    told: list  #: a note where yes, no, true, false are understood
    scores: np.ndarray | None  #: what the thresholds were compared with, NaN for none
    words: list  #: the commonest word for 0 and that for 1, where labels are words; else empty


def signs_of(source, labels=None):
    """The `Signs` of a `Source` by `labels`, as in `read_pairs`.

    If neither the caller nor a release says what labels mean, 1 and 0 are the signs, and yes, no, true and false are
    understood. With any other label, with a 0 for the same text twice, with a name that may turn the sign, or if
    another column may hold the labels, nothing is read.
    """
    columns, layout, rivals = source.columns, source.layout, source.rivals
    state = np.full(len(source.row), EMPTY, np.int8)
    every = isinstance(labels, dict) and [*labels] == ["all"]
    if every and "set" in layout.roles:  # as sets are read; the user says that no other column counts
        labels, rivals, every = None, [], False
    if "label" in columns and rivals:
        names = ", ".join(map(repr, [*filter(None, [layout.roles.get("label")]), *rivals]))
        raise PairsError(f"{source.name}: labels may be in {names}").with_table(question(source, texts=True))
    if every and "label" not in columns:
        return Signs(np.full_like(state, labels["all"]), {}, labels, None, [], None, [])
    counts, known = Counter(), {}
    for label in columns["label"].value_counts().to_pylist() if "label" in columns else ():
        if text := label_text(label["values"]):
            counts[text] += label["counts"]
    if (name := layout.roles.get("label")) in counts:  # in a header that comes again
        heads = pc.and_(pc.equal(columns["text_a"], str(layout.roles["text_a"])), pc.equal(columns["label"], name))
        counts = +(counts - Counter({name: pc.sum(heads).as_py()}))
    if labels is None:
        labels = layout.labels
        if not layout.official and counts:
            turned = "label" in layout.roles and differs(layout)
            known = {} if turned else {each: KNOWN[each.casefold()] for each in counts if each.casefold() in KNOWN}
            labels = {} if turned else labels | known
            _ask(source, labels, counts)
    elif not isinstance(labels, dict) and not layout.official and DISTANCE.search(str(layout.roles.get("label"))):
        raise PairsError(
            f"{source.name}: a large {layout.roles['label']!r} may say that the texts differ, but a large score "
            "says that they are the same; turn the numbers, in a column of another name"
        )
    read = ", ".join(f"{label!r} as {sign}" for label, sign in known.items())
    told = [f"labels read: {read}; {option('labels')} says otherwise"] if known else []
    of = {"label": sign_of(labels, counts), "otherwise": layout.otherwise and sign_of(layout.otherwise)}
    whys, scores = {}, None
    for role in [role for role in of if role in columns]:
        coded = columns[role].combine_chunks().dictionary_encode()
        states, values, codes = [], coded.dictionary.to_pylist(), coded.indices.to_numpy()
        for label in values:
            try:
                states.append(NO_SIGN if (it := of[role](label)) is None else it)
            except ValueError as error:
                whys[label] = str(error)
                states.append(OUTSIDE if label.strip() else EMPTY)
        state = np.where(state == EMPTY, np.array(states, np.int8)[codes], state)
        if role == "label" and not isinstance(labels, dict):
            number = score_of(counts)
            scores = np.array([number.get(label_text(value), np.nan) for value in values], np.float64)[codes]
    for role in [role for role in columns if role.startswith("status")]:  # one that says so is enough
        by_name = GONE_BY_NAME.search(str(layout.roles[role]))
        said = {s: s.casefold().strip() for s in columns[role].unique().to_pylist()}
        gone = [
            s for s, plain in said.items() if plain in GONE or (by_name and plain in ("1", "1.0", "true", "yes", "y"))
        ]
        state[pc.is_in(columns[role], pa.array(gone, pa.large_string())).to_numpy()] = WITHDRAWN
    return Signs(state, whys, labels, of["label"], told, scores, _words(counts, labels))


def _words(counts, labels):
    """The commonest word for 0 and for 1 among some labels, if they are words; else an empty list."""
    words = [word for word, _ in counts.most_common() if isinstance(labels, dict) and not score_of([word])]
    signs = {label_text(label): sign for label, sign in labels.items()} if words else {}
    found = [next((word for word in words if signs.get(word) == sign), "") for sign in (0, 1)]
    return found if all(found) else []


def _ask(source, labels, counts):
    """Raise `PairsError` if a column holds labels other than these, or if 0 seems to mean the same."""
    if {*counts} - {*labels}:
        values = [label_text(value) for value in source.columns["label"].to_pylist()]
        place = next(i for i, value in enumerate(values) if value in counts and value not in labels)
        first = values[place]
        what = (
            f"label {first!r} is not one of {', '.join(labels)}{meant(first, labels)}"
            if labels
            else (f"label {first!r} in a column called {source.layout.roles['label']!r} may be 1 for what differs")
        )
        say = option("labels", {label: "…" for label, _ in counts.most_common(8)})
        how = f"say what each means, {say}: 1 a paraphrase, 0 none, nothing for no sign"
        if len(score_of(counts)) == len(counts) > 2:
            how += f"; or two thresholds of a score, {option('labels')} LOW,HIGH"
        raise PairsError(f"{source.name}, row {source.row[place]}: {what}; labels there: {listed(counts)}; {how}")
    if "id_a" in source.columns:
        return
    same = pc.equal(source.columns["text_a"], source.columns["text_b"])
    of = [labels.get(label_text(value)) for value in source.columns["label"].filter(same).to_pylist()]
    if of.count(0) > of.count(1):
        first = source.row[np.flatnonzero(same)[of.index(0)]]
        say = option("labels", dict.fromkeys(counts, "…"))
        raise PairsError(
            f"{source.name}, row {first}: label 0 for one text twice ({of.count(0):,} such rows); does 0 mean the "
            f"same? Say what each label means: {say}"
        )
