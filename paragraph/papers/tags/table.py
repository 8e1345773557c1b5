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
from ...files.outputs import atomic_write
from ...files.records import check_rows, record_of, write_record
from ...pairs.tables import canonical
from .penn import places, words
from .shading import Highlighted, highlighted

__all__ = ["checked", "need_tags", "read", "show", "untagged", "write"]

_TEXTS = ["text_a", "text_b"]
_WORDS = ["words_a", "words_b"]
_TAGS = ["tags_a", "tags_b"]


def read(path: str | PathLike) -> pd.DataFrame:
    """Read the tag table of a JSON Lines file, packed by gzip or not; untagged rows may lack words, too.

    A `PairsError` names file, row and value: a line is no JSON object; a text is missing; a word is not in its
    sentence; tags are not 0 or 1, or not one per word; some rows are tagged and others are not; the record
    of the file counts other rows, as where it is cut off.
    """
    rows = dict(json_objects(path))
    check_rows(path, len(rows))
    names = list(rows)
    table = pd.DataFrame(list(rows.values()), index=names, dtype=object)
    table = checked(table, Path(path).name)
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
    lines = []
    for row in rows:
        record = {name: _plain(value) for name, value in row.items()}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    data = "".join(lines).encode()
    if str(path).endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    with atomic_write(path) as part:
        part.write_bytes(data)
        write_record({"rows": len(rows)}, record_of(part))


def _plain(value):
    if hasattr(value, "tolist"):  # an array, or one number of it
        value = value.tolist()
    if value is pd.NA or value is pd.NaT or value != value:
        return None
    return value


def untagged(pairs: pd.DataFrame) -> pd.DataFrame:
    """Make a tag table without tags from pairs; their words are those of `pg.tags.words`."""
    table = canonical(pairs)
    cut = [name for name in _TAGS + _WORDS if name in table]
    return checked(table.drop(columns=cut), "the pairs")


def checked(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the table as a tag table: words, `annotator` and `source` filled in where they are missing.

    A `PairsError` says what is wrong, in the table called `name`; the index numbers the rows.
    """
    table = canonical(table, name).copy()
    tagged = any(column in table for column in _TAGS)
    if tagged and any(column not in table for column in _TAGS + _WORDS):
        raise PairsError(
            f"{name}: a table with tags has the columns words_a, words_b, tags_a, tags_b"
        )
    nothing = pd.Series(None, table.index, dtype=object)
    for text, tokens, tags in zip(_TEXTS, _WORDS, _TAGS, strict=True):
        columns = [table.get(column, nothing) for column in (text, tokens, tags)]
        rows = zip(table.index, *columns, strict=True)
        cells = []
        for row, *values in rows:
            try:
                cells.append(_sentence(*values, tagged))
            except ValueError as error:  # half a surrogate pair is one, too
                raise PairsError(f"{name}, row {row}: {text}: {error}") from None
        table[text] = table[text].astype("str")
        read = [cell[0] for cell in cells]
        table[tokens] = pd.Series(read, table.index, dtype=object)
        if tagged:
            read = [cell[1] for cell in cells]
            table[tags] = pd.Series(read, table.index, dtype=object)
    for column in ("annotator", "source"):
        values = table.get(column, nothing)
        values = values.astype(object).where(values.notna(), "")
        table[column] = values.astype("str")
    usual = [*_TEXTS, *_WORDS, *_TAGS, "annotator", "source"]
    first = [column for column in usual if column in table]
    others = [column for column in table if column not in usual]
    return table[[*first, *others]]


def need_tags(table: pd.DataFrame) -> None:
    """Raise `PairsError` where a table has no tags."""
    for column in _TAGS:
        if column not in getattr(table, "columns", ()):
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
    lines = []
    plain = []
    records = table.head(rows).to_dict("records")
    for number, row in enumerate(records, 1):
        for side in "ab":
            words = row[f"words_{side}"]
            tags = row[f"tags_{side}"]
            text = row[f"text_{side}"]
            p = row.get(f"p_{side}", tags)
            marks = []
            for place, x in zip(places(text, words), p, strict=True):
                marks.append((*place, x, f"P(1) {x:.2f}"))
            marked = []
            for word, tag in zip(words, tags, strict=True):
                marked.append(f"[{word}]" if tag else word)
            name = f"{number} {side}"
            lines.append((name, highlighted(text, marks)))
            plain.append(f"{name}  {' '.join(marked)}")
    count = f"{min(rows, len(table)):,} of {len(table):,} pairs; darker: the other sentence cannot paraphrase it"
    return Highlighted(lines, count, "\n".join(plain))


def _sentence(text, tokens, tags, tagged):
    """Return words and tags of one sentence; ValueError says what is wrong."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{text!r} is not a sentence")
    text.encode()
    tokens = _as_list(tokens)
    tags = _as_list(tags)
    if not tagged and not isinstance(tokens, list | tuple | str):
        return words(text), None
    are_words = isinstance(tokens, list) and all(isinstance(word, str) for word in tokens)
    if not are_words or "" in tokens:
        raise ValueError(f"words {tokens!r} are not a list of words")
    places(text, tokens)
    if not tagged:
        return tokens, None
    are_tags = isinstance(tags, list) and all(isinstance(tag, int) for tag in tags)
    if not are_tags or not {*tags} <= {0, 1}:
        raise ValueError(
            f"tags {tags!r} are not a list of 0 and 1 (of a pair without differences: zeros)"
        )
    if len(tags) != len(tokens):
        raise ValueError(f"{len(tags)} tags for {len(tokens)} words")
    return tokens, [int(tag) for tag in tags]


def _as_list(value):
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple):
        return list(value)
    return value
