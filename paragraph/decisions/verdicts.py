"""What decisions say of the meaning of pairs: the same, or not."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from .records import Decision, is_untouched, last_words

__all__ = ["says", "verdicts"]


def says(record: Decision) -> dict[frozenset[str], int | None]:
    """For each pair that a decision speaks of: 1 (the same), 0 (different), or None (nobody can say).

    *flip*: the two sentences mean the same. *cut*: those of the cut pair do not, nor do those of the negative that it
    was made for. *keep*: the label is right. *skip*, a *keep* of a label that nobody noted, and a
    sentence that was read alone say nothing.

    Examples
    --------
    >>> cut = Decision("2026-01-31T12:00:00.000Z", "Ada", "a", "c", "cut", 0, "a", "b")
    >>> {"".join(sorted(pair)): same for pair, same in says(cut).items()}
    {'ac': 0, 'ab': 0}
    """
    if is_untouched(record):
        return {}
    if record.decision == "flip":
        return {record.pair: 1}
    if record.decision == "cut":
        return {record.pair: 0, record.edge: 0}
    if record.decision == "keep" and record.label is not None:
        return {record.pair: record.label}
    return {record.pair: None} if record.decision == "ambiguous" else {}


def verdicts(records: Iterable[Decision]) -> pd.DataFrame:
    """One row a pair that standing decisions speak of, in their order: `text_a`, `text_b`, `same`.

    `same` is 1, 0, or missing where nobody can say or two words differ: reviewers, or decisions of one.

    Parameters
    ----------
    records : iterable of Decision
        Those that stand (`records.standing`); of one reviewer's on one pair the last counts.
    """
    found: dict[frozenset[str], set[int | None]] = {}
    for record in last_words(records):
        for pair, same in says(record).items():
            found.setdefault(pair, set()).add(same)
    texts = [sorted(pair) for pair in found]
    same = [next(iter(words)) if len(words) == 1 else None for words in found.values()]
    table = pd.DataFrame(texts, columns=["text_a", "text_b"], dtype="str")
    table.attrs["log"] = True  # it may hold more than one purpose asks for
    return table.assign(same=pd.array(same, dtype="Int8"))
