"""The names of the columns of pairs: one canonical spelling in Python, and those that files and tables come with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import PairsError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ROLES", "SPELLINGS", "canonical"]

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


def canonical(table: pd.DataFrame, what: str = "a table of pairs") -> pd.DataFrame:
    """Rename the columns of pairs to `text_a`, `text_b` and, if there are labels, `label`.

    `question1`, `question2`, `is_duplicate` are renamed, and so are `sentence1`, `sentence2`. A canonical name goes
    before another spelling. Other columns, rows, index and `attrs` stay as they are; the data is not copied.

    Parameters
    ----------
    what : str
        What the error message calls the table.

    Raises
    ------
    PairsError
        The table has no two columns for the texts, or `text_a` beside `question1` and `question2`.

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
