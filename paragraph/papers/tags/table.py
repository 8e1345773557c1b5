"""Pairs of sentences with a tag on each word: the tag table and its JSON Lines.

A *tag* is 1 where the other sentence cannot paraphrase the word, else 0. A *tag table* is a DataFrame, one row per
pair; its other columns are kept, and a file holds one JSON object per line with the same keys:

======================== ============= ==================================================================
``text_a``, ``text_b``   str           the sentences
``words_a``, ``words_b`` list of str   their words; each stands in the sentence, in this order
``tags_a``, ``tags_b``   list of int   0 or 1 for each word; both columns are absent in an untagged table
``annotator``            str           who tagged; empty where unknown
``source``               str           where the pair is from; empty where unknown
======================== ============= ==================================================================
"""

from __future__ import annotations

import gzip
import json
from os import PathLike
from pathlib import Path

import pandas as pd

from ...files import PairsError
from ...files.json_lines import json_objects
from ...files.outputs import check_rows, record_of, write_record, written
from ...pairs.tables import canonical
from .penn import places, words
from .shading import Highlighted, highlighted

__all__ = ["checked", "need_tags", "read", "show", "untagged", "write"]

_TEXTS, _WORDS, _TAGS = ([f"{name}_{side}" for side in "ab"] for name in ("text", "words", "tags"))


def read(path: str | PathLike) -> pd.DataFrame:
    """Read the tag table of a JSON Lines file, packed by gzip or not; untagged rows may lack words, too.

    A `PairsError` names file, row and value: a line is no JSON object; a text is missing; a word is not in its
    sentence; tags are not 0 or 1, or not one per word; some rows are tagged and others are not; the record
    of the file counts other rows, as where it is cut off.
    """
    rows = dict(json_objects(path))
    check_rows(path, len(rows))
    table = checked(pd.DataFrame(list(rows.values()), index=list(rows), dtype=object), Path(path).name)
    return table.reset_index(drop=True).infer_objects()


def write(tags: pd.DataFrame, path: str | PathLike) -> None:
    """Write a tag table as JSON Lines, with all its columns, and its record; packed where the name ends in ``.gz``.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "tags.jsonl"
    >>> pairs = pd.DataFrame({"text_a": ["He paid $2."], "text_b": ["He paid $3."]})
    >>> write(untagged(pairs).assign(tags_a=[[0, 0, 0, 1, 0]], tags_b=[[0, 0, 0, 1, 0]]), path)
    >>> read(path).words_a[0]
    ['He', 'paid', '$', '2', '.']
    """
    rows = checked(tags, "the tag table").to_dict("records")
    data = "".join(json.dumps({k: _plain(v) for k, v in row.items()}, ensure_ascii=False) + "\n" for row in rows)
    with written(path) as part:
        part.write_bytes(gzip.compress(data.encode(), mtime=0) if str(path).endswith(".gz") else data.encode())
        write_record({"rows": len(rows)}, record_of(part))


def _plain(value):
    value = value.tolist() if hasattr(value, "tolist") else value  # an array, or one number of it
    return None if value is pd.NA or value is pd.NaT or value != value else value


def untagged(pairs: pd.DataFrame) -> pd.DataFrame:
    """Make a tag table without tags from pairs; their words are those of `pg.tags.words`."""
    table = canonical(pairs)
    return checked(table.drop(columns=[name for name in _TAGS + _WORDS if name in table]), "the pairs")


def checked(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the table as a tag table: words, `annotator` and `source` filled in where they are missing.

    A `PairsError` says what is wrong, in the table called `name`; the index numbers the rows.
    """
    table = canonical(table, name).copy()
    tagged = any(column in table for column in _TAGS)
    if tagged and not {*_TAGS, *_WORDS} <= {*table.columns}:
        raise PairsError(f"{name}: a table with tags has the columns words_a, words_b, tags_a, tags_b")
    for three in zip(_TEXTS, _WORDS, _TAGS, strict=True):
        found, columns = [], [table.get(column, [None] * len(table)) for column in three]
        for row, *values in zip(table.index, *columns, strict=True):
            try:
                found.append(_sentence(*values, tagged))
            except ValueError as error:  # half a surrogate pair is one, too
                raise PairsError(f"{name}, row {row}: {three[0]}: {error}") from None
        table[three[0]] = table[three[0]].astype("str")
        for k, column in enumerate(three[1 : 2 + tagged]):
            table[column] = pd.Series([values[k] for values in found], table.index, dtype=object)
    for column in ("annotator", "source"):
        values = table.get(column, pd.Series(None, table.index, dtype=object))
        table[column] = values.astype(object).where(values.notna(), "").astype("str")
    first = [column for column in (*_TEXTS, *_WORDS, *_TAGS, "annotator", "source") if column in table]
    return table[[*first, *(column for column in table if column not in first)]]


def need_tags(table: pd.DataFrame) -> None:
    """Raise `PairsError` where a table has no tags."""
    if not {"tags_a", "tags_b"} <= {*getattr(table, "columns", ())}:
        raise PairsError("the table has no tags: columns tags_a, tags_b")


def show(table: pd.DataFrame, rows: int = 10) -> Highlighted:
    """Show the first pairs of a tag table, their words shaded by P(1) of a tagger, or by tag.

    Examples
    --------
    >>> table = untagged(pd.DataFrame({"text_a": ["He paid $2."], "text_b": ["He got $3."]}))
    >>> show(table.assign(tags_a=[[0, 1, 0, 1, 0]], tags_b=[[0, 1, 0, 1, 0]]))
    1 a  He [paid] $ [2] .
    1 b  He [got] $ [3] .
    """
    need_tags(table)
    lines, plain = [], []
    for number, row in enumerate(table.head(rows).to_dict("records"), 1):
        for side in "ab":
            text, words, tags = (row[f"{name}_{side}"] for name in ("text", "words", "tags"))
            p = row.get(f"p_{side}", tags)
            marks = ((*place, x, f"P(1) {x:.2f}") for place, x in zip(places(text, words), p, strict=True))
            name = f"{number} {side}"
            lines.append((name, highlighted(text, marks)))
            marked = (f"[{word}]" if tag else word for word, tag in zip(words, tags, strict=True))
            plain.append(f"{name}  {' '.join(marked)}")
    count = f"{min(rows, len(table)):,} of {len(table):,} pairs; darker: the other sentence cannot paraphrase it"
    return Highlighted(lines, count, "\n".join(plain))


def _sentence(text, tokens, tags, tagged):
    """Return words and tags of one sentence; ValueError says what is wrong."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{text!r} is not a sentence")
    text.encode()
    tokens, tags = (value.tolist() if hasattr(value, "tolist") else value for value in (tokens, tags))
    if not tagged and not isinstance(tokens, list | tuple | str):
        return words(text), None
    if not isinstance(tokens, list | tuple) or not all(isinstance(word, str) and word for word in tokens):
        raise ValueError(f"words {tokens!r} are not a list of words")
    places(text, tokens)
    if not tagged:
        return list(tokens), None
    if not isinstance(tags, list | tuple) or not all(isinstance(tag, int) and tag in (0, 1) for tag in tags):
        raise ValueError(f"tags {tags!r} are not a list of 0 and 1 (of a pair without differences: zeros)")
    if len(tags) != len(tokens):
        raise ValueError(f"{len(tags)} tags for {len(tokens)} words")
    return list(tokens), [int(tag) for tag in tags]
