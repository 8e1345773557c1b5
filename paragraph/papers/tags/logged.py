"""Tags on words in a log of answers.

An answer on words says in `shown` into which words the sentences were cut (``words``: two lists) and which spans of
them are 1 (``tags``: two lists of [first, last + 1]). It is also an answer to the pair: without a 1 the two mean the
same, with one they do not. A pair that was left for later, or of which nobody can say, has no tags; its spans are
those marked until then.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from ...decisions.answers import Answers
from ...decisions.record import Answer
from ...files import PairsError
from .penn import tags_of
from .table import checked

__all__ = ["Marks", "has_tags", "is_of_words", "marks_of", "tag_table"]

Marks = list[list[int]]


def is_of_words(answer: Answer) -> bool:
    """Return True if an answer was given on the words of a pair."""
    return "words" in answer.saw


def has_tags(answer: Answer) -> bool:
    """Return True if the marks in an answer are its tags."""
    return is_of_words(answer) and answer.same in ("0", "1")


def marks_of(answer: Answer) -> tuple[list[list[str]], Marks]:
    """The words of both sentences, and 1 for each that is marked."""
    try:
        words = answer.saw["words"]
        tags = answer.saw["tags"]
        marks = []
        for side in (0, 1):
            spans = map(tuple, tags[side])
            marks.append(tags_of(spans, len(words[side])))
        return words, marks
    except (LookupError, TypeError, ValueError) as error:
        raise PairsError(f"the tags of record {answer.id} cannot be read: {error}") from None


def tag_table(records: Iterable[Answer], annotator: str | None = None) -> pd.DataFrame:
    """Return the tags that stand in a log (of all annotators, or of one): one row per pair and annotator."""
    rows = []
    for row in Answers(records, only=is_of_words).rows:
        one = row.record
        if has_tags(one) and annotator in (None, one.reviewer):
            (words_a, words_b), (tags_a, tags_b) = marks_of(one)
            marked = (words_a, words_b, tags_a, tags_b)
            rows.append((one.text_a, one.text_b, *marked, one.reviewer))
    names = ["text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b", "annotator"]
    return checked(pd.DataFrame(rows, columns=names), "the log")
