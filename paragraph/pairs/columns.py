"""Columns of pairs and their labels: what they are called in files and tables, and what a label means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .errors import PairsError, meant, option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["KNOWN", "ROLES", "SPELLINGS", "canonical", "is_number", "label_text", "sign_of"]

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
        return _sign_by_map(labels)
    numbers = isinstance(labels, tuple | list) and all(isinstance(x, int | float) for x in labels)
    if not numbers or len(labels) != 2 or not labels[0] <= labels[1]:
        raise PairsError(f"{option('labels')}: {labels!r} is neither a dict nor two thresholds, the lower first")
    low, high = labels

    def sign(text):
        if not is_number(text):
            raise ValueError(f"label {text!r} is not a number")
        score = float(text)
        return 1 if score >= high else 0 if score < low else None

    return sign


def _sign_by_map(labels):
    signs = {}
    for key, sign in labels.items():
        if sign is not None and sign not in (0, 1):
            raise PairsError(f"{option('labels')} maps {label_text(key)!r} to {sign!r}; a sign is 1, 0 or None")
        if signs.setdefault(label_text(key), sign) != sign:
            raise PairsError(f"{option('labels')} maps {label_text(key)!r} to two signs")

    def sign(text):
        label = label_text(text)
        if label not in signs:
            raise ValueError(f"label {text!r} is not one of {', '.join(signs)}{meant(label, signs)}")
        return signs[label]

    return sign


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
