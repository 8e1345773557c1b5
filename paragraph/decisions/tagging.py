"""Tags in a log of decisions: what a record says of the words of a pair.

A record of tags says in `shown` which words the sentences were cut into (``words``: two lists) and which spans of
them are 1 (``tags``: two lists of [first, last + 1]). It is also a decision on the pair: with no 1 the two mean the
same, a *flip* of the 0 that an unlabelled pair counts as; with a 1 a *keep*. Without ``tags`` it was *ambiguous* or
skipped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike

import pandas as pd

from ..pairs.tagged import checked
from ..words.tokens import spans, tags_of
from .log import DecisionLog, records_of
from .records import Decision, DecisionError, last_words, standing

__all__ = ["is_of_tags", "marks_of", "shown_of", "tag_table"]

Marks = list[list[int]]


def shown_of(words: list[list[str]], marks: Marks | None, blind: bool) -> dict:
    """What a record keeps in `shown`."""
    tags = {} if marks is None else {"tags": [[[*span] for span in spans(side)] for side in marks]}
    return {"blind": blind, "stated": False, "words": words} | tags


def is_of_tags(record: Decision) -> bool:
    """Whether a decision was made on words."""
    return "words" in json.loads(record.shown)


def marks_of(record: Decision) -> tuple[list[list[str]], Marks] | None:
    """The words of both sentences and their tags; None where a record has none."""
    shown = json.loads(record.shown)
    if "tags" not in shown:
        return None
    try:
        words, tags = shown["words"], shown["tags"]
        return words, [tags_of(map(tuple, tags[side]), len(words[side])) for side in (0, 1)]
    except (LookupError, TypeError, ValueError) as error:
        raise DecisionError(f"the tags of record {record.id} cannot be read: {error}") from None


def tag_table(log: DecisionLog | str | PathLike | Iterable[Decision], annotator: str | None = None) -> pd.DataFrame:
    """The tags that stand in a log, one row a pair and annotator, as a tag table.

    Parameters
    ----------
    log : DecisionLog, path of a log or of its export, or list of Decision
    annotator : str, optional
        Whose; by default all.
    """
    words = last_words(filter(is_of_tags, standing(records_of(log))))
    rows = []
    for record in words:
        if annotator in (None, record.reviewer) and (found := marks_of(record)):
            texts = {"text_a": record.question1, "text_b": record.question2, "annotator": record.reviewer}
            (words_a, words_b), (tags_a, tags_b) = found
            rows.append(texts | {"words_a": words_a, "words_b": words_b, "tags_a": tags_a, "tags_b": tags_b})
    names = ["text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b", "annotator"]
    return checked(pd.DataFrame(rows, columns=names), "the log")
