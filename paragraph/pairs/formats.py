"""Recognise the format of a table or a delimited file, and the columns of the texts and the label."""

import re
from dataclasses import replace
from itertools import islice

from .columns import SPELLINGS, is_number
from .datasets import FORMATS, Dataset
from .delimited import MARK, first_record, quoting, records
from .errors import PairsError, meant, option

__all__ = ["KINDS", "NoColumn", "choose", "choose_by_names", "likely_columns", "recognise"]

#: Anyone's files, and how their fields may be split.
KINDS = {"tsv": "\t", "csv": ",;", "jsonl": "", "parquet": ""}
#: Columns that augmenting, or writing for a spreadsheet, adds to those of a dataset.
ADDED = ("from_row", "side", "order", MARK)
#: Names of columns that are no texts, and of those that may be labels.
ID = re.compile(r"(\w+[_ ])?(q?id\d?|idx|row|index|no\.?|nr\.?|unnamed.*|)", re.IGNORECASE)
LABEL = re.compile(r"label|same|score|dup|class|gold|target|quality|similar|relat|paraphrase", re.IGNORECASE)


class NoColumn(PairsError):
    """There is no column that is known to hold a text."""


def choose_by_names(names, kind, columns, where, own):
    """Choose the `Dataset` of a table with named columns (see `choose`); `own` is the kind of an unknown one."""
    if kind not in (*FORMATS, "auto", own):
        raise PairsError(f"{where}: format {kind!r} is for files of that kind")
    fmt = FORMATS.get(kind, Dataset(own))
    if kind == "auto" and not columns:
        known = {name for name in names if name not in ADDED}
        fmt = next((fmt for fmt in FORMATS.values() if any(known == {*header} for header in fmt.headers)), fmt)
    return choose(names, fmt, columns, where)


def choose(names, fmt, columns, where):
    """Choose the `Dataset` of a table with these column names; the caller's `columns` have precedence.

    Where `fmt` has no columns, those with well-known names are taken. `PairsError`, which calls the source `where`,
    if there is no column for a text, or a named column is missing or there twice.
    """
    columns = columns or {}
    known = fmt.columns | {"from_row": ("from_row",)} if fmt.columns else SPELLINGS
    found = {
        role: next((name for name in some if name in names), None) if isinstance(some, tuple) else some
        for role, some in known.items()
    } | columns
    must = {"text_a", "text_b", *columns} | ({"label"} if fmt.columns and not fmt.otherwise else set())
    shown = ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "")
    for role in sorted(must):
        if (name := found.get(role)) is None:
            hint = option("columns", likely_columns(names, found))
            raise NoColumn(f"{where}: no column for {role} among {shown}; name them, as with {hint}")
        if name not in names:
            raise PairsError(
                f"{where}: there is no column {name!r} (for {role}) among {shown}{meant(str(name), names)}"
            )
    second = fmt.otherwise if fmt.otherwise and fmt.otherwise[0] in names and "label" not in columns else None
    found = {role: name for role, name in found.items() if name in names}
    chosen = replace(fmt, columns=found, otherwise=second)
    if twice := [name for name in chosen.wanted.values() if names.count(name) > 1]:
        raise PairsError(f"{where}: there is more than one column {twice[0]!r}")
    return chosen


def likely_columns(names, found):
    """Guess the columns of the texts and the label, for a message: those found, and the first others by their names.

    >>> likely_columns(["id", "first", "second", "is same"], {})
    {'text_a': 'first', 'text_b': 'second', 'label': 'is same'}
    >>> likely_columns(["first", "second", "gleich?", "note"], {})["label"]
    'gleich?'
    >>> likely_columns(["How?", "In what way?", "1"], {})
    {'text_a': 0, 'text_b': 1, 'label': 2}
    """
    likely = {role: found.get(role) for role in ("text_a", "text_b", "label")}
    if not any(likely.values()) and any(isinstance(name, str) and is_number(name) for name in names):
        names = [*range(len(names))]  # there is no header
    left = [name for name in names if name not in likely.values() and not ID.fullmatch(str(name))]
    texts = [role for role in ("text_a", "text_b") if likely[role] is None]
    if likely["label"] is None and (len(left) > len(texts) or not texts):
        likely["label"] = next((name for name in left if LABEL.search(str(name))), left[len(texts)] if left else "…")
    left = [name for name in left if name != likely["label"]]
    likely |= dict(zip(texts, [*left, "…", "…"], strict=False))
    return {role: name for role, name in likely.items() if name is not None}


def recognise(data, kind, columns, quoted, where):
    """Decide on the format of a delimited file, and on the names of its columns.

    It has one delimiter then, and `quoted` is None where no quote matters. `data` has no byte-order mark; `kind`
    is a name in `FORMATS` or `KINDS`, or ``"auto"``; `columns` and `quoted` are the caller's choices, None for none.
    `PairsError`, which calls the file `where`, if no format fits, or two do and the rows would differ.
    """
    fmt, delimiter, names = _by_header(data, kind, columns, where)
    if not columns and any("\n" in name or "\r" in name for name in names if isinstance(name, str)):
        raise PairsError(
            f"{where}, row 1: the header runs over several lines, as if after a stray quote; "
            f"where that is meant, name the columns with {option('columns')}"
        )
    # Which of the two tab-separated Quora formats it is, the quotes tell
    quora = kind == "auto" and fmt.headers == FORMATS["qqp"].headers and delimiter == "\t"
    if quoted is None and not quora:
        # A text without a single comma is rare, so commas never come without quotes
        quoted = True if fmt.quoted is None and delimiter != "\t" else fmt.quoted
    if quoted is None:
        readings = quoting(data, delimiter, len(names))
        if len(readings) > 1:
            way = "quote all texts or none, or in Python say quoting=True or quoting=False"
            way = f"say {option('format', 'qqp')} or {option('format', 'qqp-glue')}" if quora else way
            raise PairsError(f"{where}: quotes may be CSV marks or part of the texts, and the rows differ; {way}")
        quoted = readings[0] if readings else None
    if quora:
        fmt = FORMATS["qqp-glue" if quoted is False else "qqp"]
    return replace(choose(names, fmt, columns, where), delimiters=delimiter, quoted=quoted), names


def _by_header(data, kind, columns, where):
    """Format, delimiter and column names, before quotes are looked at."""
    headers = {mark: [name.strip() for name in first_record(data, mark)] for mark in "\t,;"}
    if kind == "auto" and not columns:
        for fmt in FORMATS.values():
            for mark in fmt.delimiters:
                if tuple(name for name in headers[mark] if name not in ADDED) in fmt.headers:
                    return fmt, mark, headers[mark]
        kind = "mqp" if _is_mqp(data) else kind
    if kind in FORMATS:
        trials = [(FORMATS[kind], mark) for mark in FORMATS[kind].delimiters]
    else:
        both = ["csv", "tsv"] if where.removesuffix(".gz").endswith(".csv") else ["tsv", "csv"]
        kinds = [kind] if kind in KINDS else both
        trials = [(Dataset(name), mark) for name in kinds for mark in KINDS[name]]
    error = None
    for fmt, mark in trials:
        names = headers[mark]
        if any(isinstance(name, int) for name in (fmt.columns | (columns or {})).values()):
            names = list(range(len(names)))
        try:
            choose(names, fmt, columns, where)
            return fmt, mark, names
        except PairsError as problem:
            # The most telling message is that of the delimiter which splits the header at all
            error = problem if error is None or len(names) > 1 else error
    raise error


def _is_mqp(data):
    """Return True if each of the first fifty records is doctor, question, question, 0 or 1."""
    first = list(islice(records(data, ",", True, 4), 50))
    return bool(first) and all(
        not why and fields[0].isdigit() and fields[3].strip() in (b"0", b"1") for _, fields, why, _ in first
    )
