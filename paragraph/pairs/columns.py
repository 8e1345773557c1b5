"""Columns of pairs and their labels: what they are called in files and tables, and what a label means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import PairsError, meant, option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ROLES", "SPELLINGS", "RawColumns", "canonical", "is_number", "label_text", "likely_columns"]
__all__ += ["Signs", "sign_of", "signs_of"]

#: What a column with this role may be called; the first name is the canonical one.
SPELLINGS = {
    "text_a": ("text_a", "question1", "sentence1"),
    "text_b": ("text_b", "question2", "sentence2"),
    "label": ("label", "is_duplicate"),
    "id": ("id", "idx"),
    "id_a": ("id_a", "qid1"),
    "id_b": ("id_b", "qid2"),
    "split": ("split",),
    "entailment": ("entailment",),
    "from_row": ("from_row",),
}
ROLES = tuple(SPELLINGS)
#: Labels that are understood without being told, in any case.
KNOWN = {"yes": 1, "no": 0, "true": 1, "false": 0}
#: Names of columns that are no texts, and of those that may be labels.
ID = re.compile(r"(\w+[_ ])?(q?id\d?|idx|row|index|no\.?|nr\.?|unnamed.*|)", re.IGNORECASE)
LABEL = re.compile(r"label|same|score|dup|class|gold|target|quality|similar|relat|paraphrase", re.IGNORECASE)
# Beside the signs 1 and 0, what a label can come to
EMPTY, NO_SIGN, OUTSIDE = 2, 3, 4


@dataclass
class RawColumns:
    """The columns of a source, before anything is checked but that they are text.

    `fmt` is the `Dataset`. `columns` maps roles to pyarrow.ChunkedArray of large_string without nulls;
    ``"otherwise"`` is the second label column, where the format has one. `row` (int64) places them in the source.
    `bad` lists (row, value, why) for records that gave no row. `names` are those of the columns of a delimited file.
    """

    name: str
    fmt: Any
    columns: dict
    row: np.ndarray
    bad: list
    note: str
    names: list | None = None

    def label(self, i):
        """The label at a position, of the second column where the first has none."""
        values = (self.columns[role][i].as_py() for role in ("label", "otherwise") if role in self.columns)
        return next(filter(str.strip, values), "")


def canonical(table: pd.DataFrame, what: str = "a table of pairs") -> pd.DataFrame:
    """Rename the columns of pairs to `text_a`, `text_b` and, if there are labels, `label`.

    `question1`, `question2`, `is_duplicate` are renamed, and so are `sentence1`, `sentence2`. A canonical name goes
    before another spelling. Other columns, rows, index and `attrs` stay as they are; the data is not copied.
    A `PairsError`, which calls the table `what`, names what is missing or there twice.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"question1": ["a"], "question2": ["b"], "is_duplicate": [1], "cosine": [0.8]})
    >>> canonical(table).columns.tolist()
    ['text_a', 'text_b', 'label', 'cosine']
    """
    columns = [*getattr(table, "columns", ())]
    given, ours = {*columns}, {"text_a", "text_b"}
    if twice := [name for name in given if columns.count(name) > 1]:
        raise PairsError(f"{what} has two columns that are called {twice[0]!r}")
    names = zip(SPELLINGS["text_a"], SPELLINGS["text_b"], strict=True)
    texts = next((pair for pair in names if {*pair} <= given), ())
    if not texts or (given & ours) - {*texts}:
        raise PairsError(f"{what} needs the columns text_a, text_b (or question1, question2)")
    label = [] if "label" in table else ["is_duplicate"]
    return table.rename(columns=dict(zip([*texts, *label], ("text_a", "text_b", "label"), strict=False)))


def sign_of(labels):
    """Return a function from a label, as text, to 1, 0 or None (no sign); it raises ValueError for any other.

    Parameters
    ----------
    labels : dict or tuple of two numbers
        A map from label to 1, 0 or None; or (low, high): from `high` up positive, below `low` negative, the
        rest without a sign.

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
    low, high = labels

    def by_thresholds(text):
        if not is_number(text):
            raise ValueError(f"label {text!r} is not a number")
        score = float(text)
        return 1 if score >= high else 0 if score < low else None

    return by_thresholds


def is_number(text):
    """Return True if the text is one number, as thresholds take it."""
    return bool(re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", text, re.ASCII))


def label_text(value):
    """Spell a label as it is compared: text without outer white space; 1, 1.0, ``"1.0"`` and True are ``"1"``."""
    if value is None or value != value:
        return ""
    text = str(int(value)) if isinstance(value, bool) else str(value).strip()
    whole = re.fullmatch(r"([+-]?\d+)\.0+", text, re.ASCII)
    return whole[1] if whole else text


def likely_columns(names, found):
    """Guess the columns of the texts and the label, for a message: those found, and the first others by their names.

    >>> likely_columns(["id", "first", "second", "is same"], {})
    {'text_a': 'first', 'text_b': 'second', 'label': 'is same'}
    >>> likely_columns(["first", "second", "gleich?", "note"], {})["label"]
    'gleich?'
    >>> likely_columns(["How?", "In what way?", "1"], {})
    {'text_a': 0, 'text_b': 1, 'label': 2}
    """
    likely = {role: found.get(role) for role in ("text_a", "text_b", "label")}
    if not any(likely.values()) and any(isinstance(name, str) and is_number(name) for name in names):
        names = [*range(len(names))]  # there is no header
    left = [name for name in names if name not in likely.values() and not ID.fullmatch(str(name))]
    texts = [role for role in ("text_a", "text_b") if likely[role] is None]
    if likely["label"] is None and (len(left) > len(texts) or not texts):
        likely["label"] = next((name for name in left if LABEL.search(str(name))), left[len(texts)] if left else "…")
    left = [name for name in left if name != likely["label"]]
    likely |= dict(zip(texts, [*left, "…", "…"], strict=False))
    return {role: name for role, name in likely.items() if name is not None}


class Signs(NamedTuple):
    """The signs of the rows of a source, by their labels."""

    state: np.ndarray  #: int8: a sign, EMPTY, NO_SIGN or OUTSIDE for each row
    whys: dict  #: what is wrong with each label outside
    labels: Any  #: the map of the labels, or two thresholds
    of: Any  #: the function from a label to its sign
    told: list  #: a note where yes, no, true, false are understood


def signs_of(raw, labels=None, unlabelled="error"):
    """The `Signs` of a source (`RawColumns`); the arguments are those of `read_pairs`.

    yes, no, true and false are understood where neither the caller nor a public dataset says what its labels mean.
    """
    if "label" not in raw.columns and unlabelled != "keep":
        hint = option("columns", likely_columns(raw.names or [], raw.fmt.columns))
        keep = f"{option('unlabelled', 'keep')} reads the pairs without labels"
        raise PairsError(f"{raw.name}: there is no label column; name one, as with {hint}; {keep}")
    known = {}
    if labels is None:
        labels = raw.fmt.labels
        if not raw.fmt.title and "label" in raw.columns:
            given = map(label_text, raw.columns["label"].unique().to_pylist())
            known = {label: KNOWN[label.casefold()] for label in given if label.casefold() in KNOWN}
            labels = labels | known
    read = ", ".join(f"{label!r} as {sign}" for label, sign in known.items())
    told = [f"labels read: {read}; {option('labels')} says otherwise"] if known else []
    of = {"label": sign_of(labels), "otherwise": raw.fmt.otherwise and sign_of(raw.fmt.otherwise)}
    state, whys = np.full(len(raw.row), EMPTY, np.int8), {}
    for role, sign in of.items():
        if role in raw.columns:
            coded = raw.columns[role].combine_chunks().dictionary_encode()
            states = []
            for label in coded.dictionary.to_pylist():
                try:
                    states.append(NO_SIGN if (it := sign(label)) is None else it)
                except ValueError as error:
                    whys[label] = str(error)
                    states.append(OUTSIDE if label.strip() else EMPTY)
            state = np.where(state == EMPTY, np.array(states, np.int8)[coded.indices.to_numpy()], state)
    return Signs(state, whys, labels, of["label"], told)
