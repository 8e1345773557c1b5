"""Columns of pairs and their labels: what they are called in files and tables, and what a label means."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .errors import PairsError, command, meant, option
from .meanings import KNOWN, label_text, score_of, ways

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ROLES", "SPELLINGS", "RawColumns", "Signs", "canonical", "sign_of", "signs_of"]

#: What a column with this role may be called; the first name is the canonical one.
SPELLINGS = {
    "text_a": ("text_a", "question1", "sentence1", "anchor", "questions.text.0"),
    "text_b": ("text_b", "question2", "sentence2", "positive", "questions.text.1"),
    "label": ("label", "is_duplicate", "gold_label", "choice"),
    "id": ("id", "idx"),
    "id_a": ("id_a", "qid1"),
    "id_b": ("id_b", "qid2"),
    "split": ("split",),
    "entailment": ("entailment",),
    "from_row": ("from_row",),
    "annotator": ("annotator",),
}
ROLES = tuple(SPELLINGS)
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
    hint: str = ""  #: commands that name the columns, where none is that of labels
    lines: bool = True  #: whether each row is one record of the source

    def __post_init__(self):
        """Give each value one reading, whatever the way in, and each row one pair."""
        for role, column in self.columns.items():
            # pandas writes 1 as 1.0 beside a missing one
            if role.startswith("id") and pc.any(pc.ends_with(column, ".0")).as_py():
                self.columns[role] = pc.replace_substring_regex(column, r"^(-?\d+)\.0+$", r"\1")
            elif role.startswith("text") and pc.any(pc.starts_with(column, "\ufeff")).as_py():
                self.columns[role] = pc.utf8_ltrim(column, "\ufeff")
        for side in "ab":
            if (source := self.columns.pop(f"source_{side}", None)) is not None:
                for role in {f"text_{side}", f"id_{side}"} & {*self.columns}:
                    self.columns[role] = pc.binary_join_element_wise(
                        source, self.columns[role], pa.scalar("-__-", pa.large_string())
                    )
        negatives = [self.columns.pop(role) for role in [*self.columns] if role.startswith("negative")]
        if negatives:
            count, times = len(self.row), 1 + len(negatives)
            right = pa.concat_arrays([c for each in (self.columns["text_b"], *negatives) for c in each.chunks])
            order = np.arange(count * times).reshape(times, count).T.ravel()
            order = order[pc.greater(pc.binary_length(right), 0).to_numpy(zero_copy_only=False)[order]]
            self.row, at = self.row[order % count], pa.array(order % count)
            self.columns = {role: column.take(at) for role, column in self.columns.items()}
            labels = np.where(order < count, "1", "0").astype(object)
            self.columns |= {"text_b": pa.chunked_array([right.take(pa.array(order))])}
            self.columns["label"] = pa.chunked_array([pa.array(labels, pa.large_string())])
            self.note, self.lines = f"{self.note}; {count:,} rows of triplets give {len(order):,} pairs", False

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
    of: Any  #: the function from a label to its sign
    told: list  #: a note where yes, no, true, false are understood
    scores: np.ndarray | None  #: what the thresholds were compared with, NaN for none


def signs_of(raw, labels=None, unlabelled="error"):
    """The `Signs` of a source (`RawColumns`); the arguments are those of `read_pairs`.

    Where neither the caller nor a public dataset says what labels mean, 1 and 0 are the signs, and yes, no, true and
    false are understood. With any other label, or with a 0 for what is twice the same text, nothing is read.
    """
    if "label" not in raw.columns and isinstance(labels, dict) and [*labels] == ["all"]:
        return Signs(np.full(len(raw.row), labels["all"], np.int8), {}, labels, None, [], None)
    if "label" not in raw.columns and unlabelled != "keep":
        keep = f"{command(unlabelled='keep')} reads the pairs without labels"
        raise PairsError(f"{raw.name}: there is no label column; say what is one: {raw.hint}; {keep}")
    counts, known = Counter(), {}
    for label in raw.columns["label"].value_counts().to_pylist() if "label" in raw.columns else ():
        counts[label_text(label["values"])] += label["counts"]
    counts = Counter({label: n for label, n in counts.items() if label not in ("", raw.fmt.columns.get("label"))})
    if labels is None:
        labels = raw.fmt.labels
        if not raw.fmt.title and counts:
            known = {label: KNOWN[label.casefold()] for label in counts if label.casefold() in KNOWN}
            labels = labels | known
            _ask(raw, labels, counts)
    read = ", ".join(f"{label!r} as {sign}" for label, sign in known.items())
    told = [f"labels read: {read}; {option('labels')} says otherwise"] if known else []
    of = {"label": sign_of(labels, counts), "otherwise": raw.fmt.otherwise and sign_of(raw.fmt.otherwise)}
    state, whys, scores = np.full(len(raw.row), EMPTY, np.int8), {}, None
    for role, sign in of.items():
        if role in raw.columns:
            coded = raw.columns[role].combine_chunks().dictionary_encode()
            states, values = [], coded.dictionary.to_pylist()
            for label in values:
                try:
                    states.append(NO_SIGN if (it := sign(label)) is None else it)
                except ValueError as error:
                    whys[label] = str(error)
                    states.append(OUTSIDE if label.strip() else EMPTY)
            codes = coded.indices.to_numpy()
            state = np.where(state == EMPTY, np.array(states, np.int8)[codes], state)
            if role == "label" and not isinstance(labels, dict):
                number = score_of(counts)
                scores = np.array([number.get(label_text(value), np.nan) for value in values], np.float64)[codes]
    return Signs(state, whys, labels, of["label"], told, scores)


def _ask(raw, labels, counts):
    """Raise `PairsError` where a column holds other labels than these, or where 0 seems to mean the same."""
    column = raw.columns["label"]
    outside = {label for label in counts if label not in labels}
    if outside:
        row = next(i for i, value in enumerate(column.to_pylist()) if label_text(value) in outside)
        first = label_text(column[row].as_py())
        what = f"label {first!r} is not one of {', '.join(labels)}{meant(first, labels)}"
        raise PairsError(f"{raw.name}, row {raw.row[row]}: {what}; {ways(counts)}")
    same = pc.and_(pc.equal(raw.columns["text_a"], raw.columns["text_b"]), pc.greater(pc.binary_length(column), 0))
    of = [labels[label_text(value)] for value in column.filter(same).to_pylist() if label_text(value) in labels]
    if "id_a" not in raw.columns and of.count(0) > of.count(1):
        row = next(
            i for i, value in enumerate(column.to_pylist()) if same[i].as_py() and labels[label_text(value)] == 0
        )
        turned = {label: 1 - labels[label] for label in counts}
        straight = {label: labels[label] for label in counts}
        raise PairsError(
            f"{raw.name}, row {raw.row[row]}: label 0 for one text twice ({of.count(0):,} such rows); does 0 mean "
            f"the same? If so: {command(labels=turned)}; if not: {command(labels=straight)}"
        )
