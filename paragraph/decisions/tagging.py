"""Tags in a log of decisions: what a record says of the words of a pair.

A record of tags says in `shown` which words the sentences were cut into (``words``: two lists) and which spans of
them are 1 (``tags``: two lists of [first, last + 1]). It is also a decision on the pair: with no 1 the two mean the
same, a *flip* of the 0 that an unlabelled pair counts as; with a 1 a *keep*. The spans of a pair that was skipped or
is *ambiguous* are those marked until then, and no tags.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from ..tags import spans, tags_of
from ..tags.table import checked
from .records import Decision, DecisionError, last_words, standing

__all__ = ["Marks", "has_tags", "is_of_words", "marks_of", "shown_of", "tag_table"]

Marks = list[list[int]]


def shown_of(words: list[list[str]], marks: Marks, blind: bool) -> dict[str, Any]:
    """What a record keeps in `shown`."""
    return {"blind": blind, "words": words, "tags": [[[*span] for span in spans(side)] for side in marks]}


def is_of_words(record: Decision) -> bool:
    """Whether a decision was made on the words of a pair."""
    return "words" in json.loads(record.shown)


def has_tags(record: Decision) -> bool:
    """Whether what is marked in a record are its tags."""
    return is_of_words(record) and record.decision in ("flip", "keep")


def marks_of(record: Decision) -> tuple[list[list[str]], Marks]:
    """The words of both sentences, and 1 for each that is marked."""
    try:
        words, tags = (json.loads(record.shown)[name] for name in ("words", "tags"))
        return words, [tags_of(map(tuple, tags[side]), len(words[side])) for side in (0, 1)]
    except (LookupError, TypeError, ValueError) as error:
        raise DecisionError(f"the tags of record {record.id} cannot be read: {error}") from None


def tag_table(records: Iterable[Decision], annotator: str | None = None) -> pd.DataFrame:
    """The tags that stand in records (of all annotators, or of one), one row a pair and annotator, as a tag table."""
    rows = []
    for record in last_words(filter(is_of_words, standing(records))):
        if has_tags(record) and annotator in (None, record.reviewer):
            (words_a, words_b), (tags_a, tags_b) = marks_of(record)
            texts = (record.question1, record.question2)
            rows.append((*texts, words_a, words_b, tags_a, tags_b, record.reviewer))
    names = ["text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b", "annotator"]
    return checked(pd.DataFrame(rows, columns=names), "the log")
