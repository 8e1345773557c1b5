"""The tags on words that stand in a log of decisions."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from ...decisions.records import Decision, has_tags, is_of_words, last_words, marks_of, standing
from .table import checked

__all__ = ["tag_table"]


def tag_table(records: Iterable[Decision], annotator: str | None = None) -> pd.DataFrame:
    """Return the tags that stand in records (of all annotators, or of one): one row per pair and annotator."""
    rows = []
    for record in last_words(filter(is_of_words, standing(records))):
        if has_tags(record) and annotator in (None, record.reviewer):
            (words_a, words_b), (tags_a, tags_b) = marks_of(record)
            texts = (record.question1, record.question2)
            rows.append((*texts, words_a, words_b, tags_a, tags_b, record.reviewer))
    names = ["text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b", "annotator"]
    return checked(pd.DataFrame(rows, columns=names), "the log")
