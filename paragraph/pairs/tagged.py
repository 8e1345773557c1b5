"""Pairs of sentences with a tag on each word: the tag table, and its JSON Lines.

A *tag* is 1 where the other sentence cannot paraphrase the word, else 0. A *tag table* is a DataFrame, one row a
pair:

======================== ============= ==================================================================
``text_a``, ``text_b``   str           the sentences
``words_a``, ``words_b`` list of str   their words; each stands in the sentence, in this order
``tags_a``, ``tags_b``   list of int   0 or 1 for each word; both columns are absent in an untagged table
``annotator``            str           who tagged; empty where unknown
``source``               str           where the pair is from; empty where unknown
======================== ============= ==================================================================

Other columns are kept. A file holds one JSON object a line with the same keys.
"""

from __future__ import annotations

import gzip
import json
from os import PathLike
from pathlib import Path

import pandas as pd

from ..words.tokens import places, words
from .columns import canonical
from .errors import PairsError
from .outputs import beside
from .records import excerpt
from .sources import begin, parse_object

__all__ = ["checked", "content", "read", "untagged", "write"]

_WORDS, _TAGS = ("words_a", "words_b"), ("tags_a", "tags_b")


def content(path: str | PathLike) -> bytes:
    """All bytes of a file, unpacked where gzip packed it, without a byte-order mark."""
    path = Path(path)
    try:
        with begin(path)[0]() as stream:
            return bytes(stream.read()).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise PairsError(f"{path}: cannot be read: {error.strerror or error}") from None


def read(path: str | PathLike) -> pd.DataFrame:
    """The tag table of a JSON Lines file, packed by gzip or not.

    A row without `words_a`, `words_b` and tags gets the words of `paragraph.words.tokens.words`.

    Raises
    ------
    PairsError
        Naming file, row and value: a line is no JSON object; a text is missing; a word is not in its sentence; tags
        are not 0 or 1, or not one a word; some rows are tagged and others are not.
    """
    name, rows, at = Path(path).name, [], []
    for row, line in enumerate(content(path).split(b"\n"), 1):
        record, why = parse_object(line)
        if why:
            raise PairsError(f"{name}, row {row}: {why}: {excerpt(line)}")
        if record:
            rows.append(record)
            at.append(row)
    if not rows:
        raise PairsError(f"{name}: holds no pairs")
    table = checked(pd.DataFrame(rows, dtype=object).set_axis(at), name)
    return table.reset_index(drop=True).infer_objects()


def write(tags: pd.DataFrame, path: str | PathLike) -> None:
    """Write a tag table as JSON Lines, with all its columns; packed where the name ends in ``.gz``.

    Raises
    ------
    PairsError
        The table is none, as `read` would say.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "tags.jsonl"
    >>> pairs = pd.DataFrame({"text_a": ["He paid $2."], "text_b": ["He paid $3."]})
    >>> write(untagged(pairs).assign(tags_a=[[0, 0, 0, 1, 0]], tags_b=[[0, 0, 0, 1, 0]]), path)
    >>> read(path).words_a[0]
    ['He', 'paid', '$', '2', '.']
    """
    table = checked(tags, "the tag table")
    columns = [[_plain(value) for value in table[column]] for column in table]
    rows = (dict(zip(table.columns, row, strict=True)) for row in zip(*columns, strict=True))
    data = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    with beside(path) as part:
        part.write_bytes(gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)


def _plain(value):
    if hasattr(value, "tolist"):  # an array, or one number of it
        value = value.tolist()
    return None if value is pd.NA or value is pd.NaT or value != value else value


def untagged(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs as a tag table without tags: the words are those of `paragraph.words.tokens.words`.

    Examples
    --------
    >>> untagged(pd.DataFrame({"question1": ["Is it?"], "question2": ["It isn't."]})).words_b[0]
    ['It', 'is', "n't", '.']
    """
    table = canonical(pairs)
    return checked(table.drop(columns=[name for name in _TAGS + _WORDS if name in table]), "the pairs")


def checked(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """The table as a tag table, or what is wrong with it: `name` says where it is from, the index where a row stands.

    Tags become ints; words, `annotator` and `source` are filled in where they are missing.
    """
    table = canonical(table, name).copy()
    tagged = any(column in table for column in _TAGS)
    if tagged and not {*_TAGS, *_WORDS} <= {*table.columns}:
        raise PairsError(f"{name}: a table with tags has the columns words_a, words_b, tags_a, tags_b")
    for text, its_words, tags in zip(("text_a", "text_b"), _WORDS, _TAGS, strict=True):
        found = []
        asked = (table.get(column, [None] * len(table)) for column in (text, its_words, tags))
        for row, *values in zip(table.index, *asked, strict=True):
            try:
                found.append(_side(*values, tagged))
            except ValueError as error:  # half a surrogate pair is one, too
                raise PairsError(f"{name}, row {row}: {text[-1]}: {error}") from None
        table[text] = table[text].astype("str")
        columns = zip(*found, strict=True) if found else ((), ())
        for column, values in zip((its_words, tags)[: 1 + tagged], columns, strict=False):
            table[column] = pd.Series(values, table.index, dtype=object)
    for column in ("annotator", "source"):
        values = table.get(column, pd.Series(None, table.index, dtype=object))
        table[column] = values.astype(object).where(values.notna(), "").astype("str")
    first = [column for column in ("text_a", "text_b", *_WORDS, *_TAGS, "annotator", "source") if column in table]
    return table[[*first, *(column for column in table if column not in first)]]


def _side(text, its_words, tags, tagged):
    """Words and tags of one sentence; ValueError says what is wrong."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"the text is {text!r}, not a sentence")
    text.encode()
    if not tagged and not isinstance(its_words, list | tuple) and not hasattr(its_words, "tolist"):
        return words(text), None
    found, marks = (value.tolist() if hasattr(value, "tolist") else value for value in (its_words, tags))
    if not isinstance(found, list | tuple) or not all(isinstance(word, str) and word for word in found):
        raise ValueError(f"{its_words!r} is not a list of words")
    places(text, found)
    if not tagged:
        return list(found), None
    if not isinstance(marks, list | tuple) or not all(isinstance(mark, int) and mark in (0, 1) for mark in marks):
        raise ValueError(f"{tags!r} is not a list of 0 and 1 (of a pair without differences: zeros)")
    if len(marks) != len(found):
        raise ValueError(f"{len(marks)} tags for {len(found)} words")
    return list(found), [int(mark) for mark in marks]
