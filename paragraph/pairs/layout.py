"""The layout of a source, by its first hundred rows: header, and which columns are likely to hold what."""

from __future__ import annotations

import re
from collections import Counter

from .delimited import FIRST
from .errors import capped
from .meanings import KNOWN, is_label, label_text, score_of, ways
from .spelling import command

__all__ = ["advice", "is_header", "likely_columns"]

#: Names of columns that are no texts, and of those that may be labels.
ID = re.compile(r"(\w+[_ ])?(q?id\d?|idx|hash|row|index|no\.?|nr\.?|unnamed.*|)(_[lr])?", re.IGNORECASE)
LABEL = re.compile(
    r"label|same|score|dup|class|gold|target|quality|similar|relat|paraphrase|judg|rating|answer|prob",
    re.IGNORECASE,
)
SENTENCE = re.compile(r".{60}|.*\s.*[.?!]$|.*[。？！]$", re.DOTALL)  #: no name of a column


def is_header(records):
    """Tell if the first record names columns: none of it is a sentence, a number or a label, unlike what follows.

    >>> is_header([["a", "b", "same"], ["How?", "Why?", "1"]]), is_header([["How?", "Why?", "1"]])
    (True, False)
    >>> is_header([["a", "b", "same"], ["c", "d", "other"], ["e", "f", "same"]])
    False
    """
    first, rest = records[0], records[1:]
    if any(map(SENTENCE.match, first)) or score_of(first):
        return False
    labels = [{*column} for column in zip(*rest, strict=False)]
    return not any(text and text in values for text, values in zip(first, labels, strict=False) if len(values) < 9)


def likely_columns(names, rows, found):
    """Guess the columns of the texts and the label, for a message, from names, first rows and those found.

    >>> likely_columns(["id", "first", "second", "is same"], [["1", "How?", "Why?", "yes"]], {})
    {'text_a': 'first', 'text_b': 'second', 'label': 'is same'}
    >>> likely_columns([0, 1, 2, 3], [["7", "How is it?", "(4, 6)", "Why is it so?"]], {})
    {'text_a': 1, 'text_b': 3, 'label': 2}
    """
    likely = {role: name for role in ("text_a", "text_b", "label") if (name := found.get(role)) is not None}
    columns = {name: [row[i] for row in rows if i < len(row)] for i, name in enumerate(names)}
    left = [name for name in names if name not in likely.values() and not ID.fullmatch(str(name))]

    short = [name for name in left if any(columns[name]) and not any(map(SENTENCE.match, columns[name]))]

    def labels(name):
        values = {*columns[name]} - {""}
        counted = [*map(str, range(1, len(rows) + 1))] != columns[name] or len(rows) < 3
        return counted and all(map(is_label, values)) and len(values) > 0

    if "label" not in likely:
        called = [
            name for name in short if LABEL.search(str(name)) and len({*columns[name]}) <= max(20, len(rows) / 2)
        ]
        few = [name for name in left if rows[5:] and len({*columns[name]}) < 5]
        if some := [*called, *filter(labels, left[::-1]), *few[::-1]]:
            likely["label"] = some[0]
    left = [name for name in left if name != likely.get("label") and not labels(name)]
    texts = [name for name in left if not any("://" in text for text in columns[name])]
    length = {name: sum(min(len(text), 40) for text in columns[name]) for name in texts}
    texts = [name for name in texts if 2 * length[name] >= max(length.values())]
    lacking = [role for role in ("text_a", "text_b") if role not in likely]
    likely |= dict(zip(lacking, [*texts, "…", "…"], strict=False))
    if "label" not in likely and (after := [name for name in short if name not in likely.values()]):
        likely["label"] = after[0]
    return {role: likely[role] for role in ("text_a", "text_b", "label") if role in likely}


def advice(source, found):
    """Commands that name the columns of a `Source`, what labels usually mean, and the first rows as read then."""
    if source.kind == "records" and all(isinstance(value, list | dict) for value in source.content[0].values()):
        key = next(iter(source.content[0]))
        frame = f"pd.DataFrame(json.load(open({source.name!r}))[{key!r}])"
        return f"`pg.read_pairs({frame})` in Python, where {key!r} holds the rows"
    names, rows = source.names, first_rows(source)
    likely = likely_columns(names, rows, found)
    places = [names.index(name) for name in likely.values() if name in names]
    label = names.index(likely["label"]) if likely.get("label") in names else None
    values = Counter(filter(None, (label_text(row[label]) for row in rows if label is not None and label < len(row))))
    odd = {value for value in values if value.casefold() not in ("0", "1", *KNOWN)}
    how = ways(values, columns=likely) if odd and len(values) <= FIRST / 2 else command(columns=likely)
    if label is None and found.get("label") is None:
        how = f"{command(columns=likely, labels={'all': 1})} where all pairs are paraphrases"
    shown = [" | ".join(capped(row[i], 40) for i in places if i < len(row)) for row in rows[:3]]
    return f"{how}; the first rows read so: {'; '.join(map(repr, shown))}" if shown else how


def first_rows(source):
    """The first rows of a `Source`, as lists of texts."""
    content = source.content
    if source.kind == "delimited":
        return source.first[isinstance(source.names[0], str) :]
    if source.kind == "records":
        rows = [[record.get(name) for name in source.names] for record in content[:FIRST]]
    elif source.kind == "dataframe":
        rows = content.head(FIRST).itertuples(index=False, name=None)
    else:
        table = content.slice(0, FIRST) if source.kind == "dataset" else next(content.iter_batches(FIRST), None)
        rows = zip(*(column.to_pylist() for column in table.columns), strict=True) if table is not None else ()
    return [["" if value is None or value != value else str(value) for value in row] for row in rows]
