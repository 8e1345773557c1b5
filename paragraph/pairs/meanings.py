"""The signs that labels stand for: as the user says, with advice about usual meanings; none is guessed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from ..files.errors import PairsError, meant
from ..files.spelling import command, option

__all__ = [
    "EMPTY", "KNOWN", "NO_SIGN", "OUTSIDE", "Signs", "is_label", "label_text", "listed", "score_of", "sign_of",
    "signs_of", "ways",
]  # fmt: skip
# Beside the signs 1 and 0, what a label can come to
EMPTY, NO_SIGN, OUTSIDE = 2, 3, 4


#: Labels that are understood without an explanation, in upper or lower case.
KNOWN = {"yes": 1, "no": 0, "true": 1, "false": 0}
SAID = KNOWN | {"1": 1, "0": 0}
#: The usual meanings of other names of labels; a `not` before one turns its sign.
NAMES = SAID | {"-1": None, "-": None, "contradiction": 0, "neutral": None}
for sign, names in {
    1: "entailment entails accept paraphrase duplicate equivalent equivalence same similar match positive y t ja oui "
    "si sí 同じ",
    0: "reject different distinct dissimilar random contradictory exclusion independent negative n f nein non nao "
    "違う",
    None: "? unsure unknown maybe ambiguous other otherrelated forwardentailment reverseentailment skip none null "
    "nan na n/a hidden ignore",
}.items():
    NAMES |= dict.fromkeys(names.split(), sign)
NOT = re.compile(r"(not|non|no|un|dis|in)[ _-]?(an? )?(?=.{3})")
VOTES = re.compile(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)|(\d+)\s*/\s*(\d+)", re.ASCII)
LIST = re.compile(r"\[[^\[\]]+\]")
NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d{1,3})?", re.ASCII)
#: Labels that a message lists, and the most that may be names.
SHOWN, MANY = 8, 20


def label_text(value: Any) -> str:
    """Spell a label as it is compared: text without outer white space; 1, 1.0, ``"1.0"`` and True are ``"1"``.

    A list of one label is that label.
    """
    if value is None or value != value:
        return ""
    text = str(int(value)) if isinstance(value, bool) else str(value).strip()
    text = re.sub(r"\A\[(['\"]?)([^\[\],]*)\1\]\Z", r"\2", text)
    whole = re.fullmatch(r"([+-]?\d+)\.0+", text, re.ASCII)
    return whole[1] if whole else text


def score_of(values: Iterable[str]) -> dict[str, float]:
    """The numbers among some labels of one column; votes become shares.

    ``4/6`` is 4 of 6. ``(4, 6)`` is the same if the second number is the same in all labels; if the sum is, it means
    4 for and 6 against. A list holds the vote of each person.

    >>> score_of(["3.5", "x", "3,5", "4/6", "85 %"])
    {'3.5': 3.5, '3,5': 3.5, '85 %': 0.85, '4/6': 0.6666666666666666}
    >>> score_of(["(3, 6)", "(6, 6)"]), score_of(["(3, 2)", "(1, 4)"]), score_of(["['yes', 'no']"])
    ({'(3, 6)': 0.5, '(6, 6)': 1.0}, {'(3, 2)': 0.6, '(1, 4)': 0.2}, {"['yes', 'no']": 0.5})
    """
    found, votes = {}, {}
    for value in values:
        if NUMBER.fullmatch(number := value.removesuffix("%").strip()):
            found[value] = float(number.replace(",", ".")) / (100 if "%" in value else 1)
        elif vote := VOTES.fullmatch(value.strip()):
            votes[value] = tuple(int(number) for number in vote.groups() if number)
        elif LIST.fullmatch(value):
            said = [SAID.get(each.casefold()) for each in re.findall(r"[^\[\]\s,'\"]+", value)]
            votes |= {value: (sum(said), len(said))} if None not in said else {}
    bracketed = [vote for value, vote in votes.items() if "(" in value]
    against = len({n for _, n in bracketed}) > 1 and len({sum(vote) for vote in bracketed}) == 1
    for value, (k, n) in votes.items():
        n = k + n if against and "(" in value else n
        if 0 < n >= k:
            found[value] = k / n
    return found


def usual(counts: Counter) -> list[tuple[str, Any]]:
    """The usual meanings of the values in a column of labels, each with the value of `labels` for it.

    >>> usual(Counter(["entailment", "not_entailment", "-"]))[0][1]
    {'entailment': 1, 'not_entailment': 0, '-': None}
    >>> usual(Counter("012345")), usual(Counter(["(1, 6)", "(5, 6)"]))
    ([('scores, 4 or more the same, below 3 not', (3, 4))], [('shares of annotators', (0.4, 0.6))])
    """
    scores = score_of(counts)
    numbers, votes = sorted(scores.values()), not all(map(NUMBER.fullmatch, counts))
    if {*counts} <= {*"enc-"} and "n" in counts and len(counts) > 1:
        return [("entailment, neutral and contradiction", {"e": 1, "n": None, "c": 0, "-": None})]
    if len(scores) < len(counts):
        return [] if len(counts) > MANY else [("they mean what they say", {name: _sign(name) for name in counts})]
    if votes or (numbers[0] >= 0 and numbers[-1] <= 1):
        known = not votes and {*numbers} <= {0, 1}
        what = "shares of annotators" + ", or probabilities" * (not votes)
        return [("1 is the same", {"0": 0, "1": 1})] if known else [(what, (0.4, 0.6))]
    if {*numbers} <= {-1, 0, 1}:
        without = {"-1": None, "0": 0, "1": 1}
        turned = ("-1 is not the same", {"-1": 0, "0": None, "1": 1})
        return [("-1 is no label", without), turned] if 0 in numbers else [(turned[0], {"-1": 0, "1": 1})]
    if {*numbers} == {1, 2}:
        return [("1 is the same", {"1": 1, "2": 0}), ("2 is the same", {"1": 0, "2": 1})]
    grades = [number for number in numbers if number >= 0]
    top = next((top for top in (2, 3, 4, 5, 7, 10, 100) if top >= grades[-1]), grades[-1])
    high, low = (round(share * top, 2) for share in (0.8, 0.6))
    if top < 4:
        high, low = top, top - 1
    high, low = (int(bound) if bound == int(bound) else bound for bound in (high, low))
    found = [(f"scores, {high} or more the same, below {low} not", (low, high))]
    if {0, 2} <= {*numbers} <= {-1, 0, 1, 2}:
        none = {"-1": None} if -1 in numbers else {}
        nli = none | {"0": 1, "1": None, "2": 0}
        found.insert(0, ("0 entailment, 1 neutral, 2 contradiction, as in many NLI files", nli))
    return found


def _sign(name: str) -> int | str | None:
    """The usual sign of one name; "…" for none that is known."""
    plain = name.casefold().strip()
    if plain in NAMES:
        return NAMES[plain]
    rest = NOT.sub("", plain, count=1)
    turned = NAMES.get(rest) if rest != plain else None
    return "…" if turned is None else 1 - turned


def is_label(value: str) -> bool:
    """Tell if a value is a number, votes, or a name that usually is a label's."""
    return _sign(value) != "…" or bool(score_of([value]) or VOTES.fullmatch(value))


def listed(counts: Counter, most: int = SHOWN) -> str:
    """The commonest labels with their counts, in words."""
    shown = ", ".join(f"{value[:40]!r} {n:,}" for value, n in counts.most_common(most))
    return shown + f", and {len(counts) - most:,} more" * (len(counts) > most)


def ways(counts: Counter, **changes: Any) -> str:
    """The values of a column of labels with their counts, and a complete command for each usual meaning; in words."""
    found = usual(counts)
    fill = "; each … is 1, 0, or nothing for no sign" * any("…" in str(labels) for _, labels in found)
    told = [f"if {meaning}: {command(**changes, labels=labels)}" for meaning, labels in found]
    if found and found[0][0].endswith("probabilities") and "columns" in changes:
        texts = {role: name for role, name in changes["columns"].items() if role.startswith("text")}
        told.append(f"if all are paraphrases: {command(columns=texts, labels={'all': 1})}")
    otherwise = "that is probably not a column of labels: name another with columns" if len(counts) > MANY else ""
    return f"labels there: {listed(counts)}; what do they mean? {'; '.join(told) or otherwise}{fill}"


# ---------------------------------------------------------------- signs


def sign_of(labels, values=()):
    """Return a function from a label, as text, to 1, 0 or None (no sign); it raises ValueError for any other.

    Parameters
    ----------
    labels : dict or tuple of two numbers
        A map from label to 1, 0 or None; or (low, high): from `high` up positive, below `low` negative, the
        rest without a sign. Votes among the `values` of the column are shares (`score_of`).

    Examples
    --------
    >>> sign = sign_of({"yes": 1, "no": 0, "?": None})
    >>> sign("yes"), sign("?")
    (1, None)
    >>> sign("maybe")
    Traceback (most recent call last):
    ValueError: label 'maybe' is not one of yes, no, ?
    >>> [sign_of((3.5, 4.5))(score) for score in ("4.5", "3.5", "3.4")]
    [1, None, 0]
    """
    if isinstance(labels, dict):
        signs = {}
        for key, sign in labels.items():
            if sign is not None and sign not in (0, 1):
                raise PairsError(f"{option('labels')} maps {label_text(key)!r} to {sign!r}; a sign is 1, 0 or None")
            if signs.setdefault(label_text(key), sign) != sign:
                raise PairsError(f"{option('labels')} maps {label_text(key)!r} to two signs")

        def by_map(text):
            label = label_text(text)
            if label not in signs:
                raise ValueError(f"label {text!r} is not one of {', '.join(signs)}{meant(label, signs)}")
            return signs[label]

        return by_map
    numbers = isinstance(labels, tuple | list) and all(isinstance(x, int | float) for x in labels)
    if not numbers or len(labels) != 2 or not labels[0] <= labels[1]:
        raise PairsError(f"{option('labels')}: {labels!r} is neither a dict nor two thresholds, the lower first")
    (low, high), scores = labels, score_of(values)

    def by_thresholds(text):
        if (score := scores.get(text, score_of([text]).get(text))) is None:
            raise ValueError(f"label {text!r} is not a number")
        return 1 if score >= high else 0 if score < low else None

    return by_thresholds


class Signs(NamedTuple):
    """The signs of the rows of a source, by their labels."""

    state: np.ndarray  #: int8: a sign, EMPTY, NO_SIGN or OUTSIDE for each row
    whys: dict  #: what is wrong with each label outside
    labels: Any  #: the map of the labels, or two thresholds
    of: Any  #: the function from a label to its sign; None where no column holds labels, and all pairs have one sign
    told: list  #: a note where yes, no, true, false are understood
    scores: np.ndarray | None  #: what the thresholds were compared with, NaN for none


def signs_of(source, labels=None):
    """The `Signs` of a `Source` by `labels`, as in `read_pairs`.

    If neither the caller nor a public dataset says what labels mean, 1 and 0 are the signs, and yes, no, true and
    false are understood. With any other label, or with a 0 for the same text twice, nothing is read.
    """
    columns, fmt = source.columns, source.format
    state = np.full(len(source.row), EMPTY, np.int8)
    if "label" not in columns and isinstance(labels, dict) and [*labels] == ["all"]:
        return Signs(np.full_like(state, labels["all"]), {}, labels, None, [], None)
    counts, known = Counter(), {}
    for label in columns["label"].value_counts().to_pylist() if "label" in columns else ():
        if (text := label_text(label["values"])) not in ("", fmt.columns.get("label")):
            counts[text] += label["counts"]
    if labels is None:
        labels = fmt.labels
        if not fmt.title and counts:
            known = {label: KNOWN[label.casefold()] for label in counts if label.casefold() in KNOWN}
            labels = labels | known
            _ask(source, labels, counts)
    read = ", ".join(f"{label!r} as {sign}" for label, sign in known.items())
    told = [f"labels read: {read}; {option('labels')} says otherwise"] if known else []
    of = {"label": sign_of(labels, counts), "otherwise": fmt.otherwise and sign_of(fmt.otherwise)}
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
    return Signs(state, whys, labels, of["label"], told, scores)


def _ask(source, labels, counts):
    """Raise `PairsError` if a column holds labels other than these, or if 0 seems to mean the same."""
    if {*counts} - {*labels}:
        values = [label_text(value) for value in source.columns["label"].to_pylist()]
        outside = [value in counts and value not in labels for value in values]
        first = values[outside.index(True)]
        what = f"label {first!r} is not one of {', '.join(labels)}{meant(first, labels)}"
        raise PairsError(f"{source.name}, row {source.row[outside.index(True)]}: {what}; {ways(counts)}")
    if "id_a" in source.columns:
        return
    same = pc.equal(source.columns["text_a"], source.columns["text_b"])
    of = [labels.get(label_text(value)) for value in source.columns["label"].filter(same).to_pylist()]
    if of.count(0) > of.count(1):
        first = source.row[np.flatnonzero(same)[of.index(0)]]
        turned = {label: 1 - labels[label] for label in counts}
        straight = {label: labels[label] for label in counts}
        raise PairsError(
            f"{source.name}, row {first}: label 0 for one text twice ({of.count(0):,} such rows); does 0 mean the "
            f"same? If so: {command(labels=turned)}; if not: {command(labels=straight)}"
        )
