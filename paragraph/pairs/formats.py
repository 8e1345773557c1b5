"""Recognise the format of a table or a delimited file, and the columns of the texts and the label."""

import re
from dataclasses import replace
from itertools import islice

from .columns import SPELLINGS, likely_columns
from .datasets import FORMATS, Dataset
from .delimited import MARK, STRAY, field_pattern, quoted_record, records
from .errors import PairsError, meant, option

__all__ = ["KINDS", "NoColumn", "recognise"]

#: Anyone's files, and how their fields may be split.
KINDS = {"tsv": "\t", "csv": ",;", "jsonl": "", "parquet": ""}
#: Columns that augmenting, or writing for a spreadsheet, adds to those of a dataset.
ADDED = ("from_row", "side", "order", MARK)


class NoColumn(PairsError):
    """There is no column that is known to hold a text."""


def _choose(names, fmt, columns, where):
    """Choose the `Dataset` of a table with these column names; the caller's `columns` have precedence.

    Where `fmt` has no columns, those with well-known names are taken. `PairsError`, which calls the source `where`,
    if there is no column for a text, or a named column is missing or there twice.
    """
    columns = columns or {}
    known = fmt.columns | {"from_row": ("from_row",)} if fmt.columns else SPELLINGS
    chosen = {
        role: next((name for name in some if name in names), None) if isinstance(some, tuple) else some
        for role, some in known.items()
    } | columns
    must = {"text_a", "text_b", *columns} | ({"label"} if fmt.columns and not fmt.otherwise else set())
    shown = ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "")
    for role in sorted(must):
        if (name := chosen.get(role)) is None:
            hint = option("columns", likely_columns(names, chosen))
            raise NoColumn(f"{where}: no column for {role} among {shown}; name them, as with {hint}")
        if name not in names:
            raise PairsError(
                f"{where}: there is no column {name!r} (for {role}) among {shown}{meant(str(name), names)}"
            )
    if "label" in columns:
        chosen.pop("otherwise", None)
    chosen = {role: name for role, name in chosen.items() if name in names}
    if twice := [name for name in chosen.values() if names.count(name) > 1]:
        raise PairsError(f"{where}: there is more than one column {twice[0]!r}")
    return replace(fmt, columns=chosen)


def recognise(source, kind, columns, quoted=None):
    """Decide on the `Dataset` of an `Opened` source and, in a delimited file, on the names of its columns, else None.

    A delimited file has one delimiter then, and `quoted` is None where no quote matters. `kind` is a name in
    `FORMATS` or `KINDS`, or ``"auto"``; `columns` and `quoted` are the caller's choices, None for none.
    `PairsError` if no format fits, or two do and the rows would differ.
    """
    data, where = source.content, source.name
    if source.kind != "delimited":
        if kind not in (*FORMATS, "auto", source.kind):
            raise PairsError(f"{where}: format {kind!r} is for files of that kind")
        fmt = FORMATS.get(kind, Dataset(source.kind))
        if kind == "auto" and not columns:
            known = {*source.names} - {*ADDED}
            fmt = next((fmt for fmt in FORMATS.values() if known in map(set, fmt.headers)), fmt)
        if getattr(data, "attrs", {}).get("bipartite"):
            fmt = replace(fmt, bipartite=True)
        return _choose(source.names, fmt, columns, where), None
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
        readings = _quoting(data, delimiter, len(names))
        if len(readings) > 1:
            way = "quote all texts or none, or in Python say quoting=True or quoting=False"
            way = f"say {option('format', 'qqp')} or {option('format', 'qqp-glue')}" if quora else way
            raise PairsError(f"{where}: quotes may be CSV marks or part of the texts, and the rows differ; {way}")
        quoted = readings[0] if readings else None
    if quora:
        fmt = FORMATS["qqp-glue" if quoted is False else "qqp"]
    return replace(_choose(names, fmt, columns, where), delimiters=delimiter, quoted=quoted), names


def _by_header(data, kind, columns, where):
    """Format, delimiter and column names, before quotes are looked at."""
    headers = {mark: _first_record(data, mark) for mark in "\t,;"}
    if kind == "auto" and not columns:
        for fmt in FORMATS.values():
            for mark in fmt.delimiters:
                if tuple(name for name in headers[mark] if name not in ADDED) in fmt.headers:
                    return fmt, mark, headers[mark]
        # The first fifty records are doctor, question, question, 0 or 1
        first = list(islice(records(data, ",", True, 4), 50))
        if first and all(
            not why and fields[0].isdigit() and fields[3].strip() in (b"0", b"1") for _, fields, why, _ in first
        ):
            kind = "mqp"
    both = ["csv", "tsv"] if where.removesuffix(".gz").endswith(".csv") else ["tsv", "csv"]
    if kind in FORMATS:
        trials = [FORMATS[kind]]
    else:
        trials = [Dataset(name, delimiters=KINDS[name]) for name in ([kind] if kind in KINDS else both)]
    error = None
    for fmt in trials:
        for mark in fmt.delimiters:
            names = headers[mark]
            if any(isinstance(name, int) for name in (fmt.columns | (columns or {})).values()):
                names = [*range(len(names))]
            try:
                _choose(names, fmt, columns, where)
                return fmt, mark, names
            except PairsError as problem:
                # The most telling message is that of the delimiter which splits the header at all
                error = problem if error is None or len(names) > 1 else error
    raise error


def _first_record(data, delimiter):
    """The fields of the first record, as names; all of the first line where its quotes make no sense."""
    line = re.match(rb"[^\r\n]*", data)[0]
    split = delimiter.encode()
    fields = line.split(split)
    if b'"' in line:
        in_quotes, _, why = quoted_record(data, 0, field_pattern(split), split, 1 << 14)
        fields = fields if why == STRAY else in_quotes
    return [field.decode("utf-8", "replace").strip() for field in fields]


def _quoting(data, delimiter, width):
    """Tell which readings the quotes in the data allow: True for quotes as marks, False for quotes as text.

    A field that begins with a quote is a vote for quoting if it ends as a quoted field must, and holds a doubled
    quote, or a delimiter or line end that would leave its line with too few or too many fields. It is a vote
    against if it does not end so, or if its line is whole only without quoting. ``"Yes"`` is a vote for neither.

    Returns
    -------
    list of bool
        Empty where no field begins with a quote, so that both readings give the same rows.
    """
    split = delimiter.encode()
    field = field_pattern(split)
    votes = {True: 0, False: 0, None: 0}
    at = data.find(b'"')
    while at >= 0 and sum(votes.values()) < 10_000:
        if at and data[at - 1 : at] not in (split, b"\n", b"\r"):
            at = data.find(b'"', at + 1)
            continue
        found = field.match(data, at)
        if found[1] is None:
            votes[False] += 1
        elif b'""' in found[1]:
            votes[True] += 1
        elif any(mark in found[1] for mark in (split, b"\n", b"\r")):
            line = data[data.rfind(b"\n", 0, at) + 1 : (data.find(b"\n", at) + 1 or len(data) + 1) - 1]
            votes[line.count(split) + 1 != width] += 1
        else:
            votes[None] += 1
        at = data.find(b'"', max(found.end(), at + 1))
    if votes[True] > 20 * votes[False] or (not votes[True] and not votes[False] and data.startswith(b'"')):
        return [True]  # a header in quotes comes from a writer that quotes every text
    if votes[False] > 20 * votes[True]:
        return [False]
    return [True, False] if any(votes.values()) else []
