"""Recognise the format of a table or a delimited file, and the columns of the texts and the label."""

import re
from collections import Counter
from dataclasses import replace

from .columns import SPELLINGS
from .datasets import FORMATS, Dataset
from .delimited import MARK, field_pattern
from .errors import PairsError, capped, command, meant
from .layout import DELIMITERS, advice, first_records, fit, is_header

__all__ = ["KINDS", "NoColumn", "recognise"]

#: Anyone's files, and how their fields may be split.
KINDS = {"tsv": "\t", "csv": ",;|", "jsonl": "", "parquet": ""}
#: Further texts of a row, none of which is a paraphrase of the first.
NEGATIVE = re.compile(r"neg(ative)?_?\d*")
#: Columns that augmenting, or writing for a spreadsheet, adds to those of a dataset.
ADDED = ("from_row", "side", "order", MARK)


class NoColumn(PairsError):
    """There is no column that is known to hold a text."""


def _choose(names, fmt, columns, where, source=None):
    """Choose the `Dataset` of a table with these column names; the caller's `columns` have precedence.

    Where `fmt` has no columns, those with well-known names are taken. `PairsError`, which calls the source `where`,
    if there is no column for a text, or a named column is missing or there twice; with a `source` (`Opened`) it
    advises.
    """
    columns = columns or {}
    known = fmt.columns | {"from_row": ("from_row",)} if fmt.columns else SPELLINGS
    chosen = {
        role: next((name for name in some if name in names), None) if isinstance(some, tuple) else some
        for role, some in known.items()
    } | columns
    must = {"text_a", "text_b", *columns} | ({"label"} if fmt.columns and not fmt.otherwise else set())
    shown = ", ".join(capped(repr(name), 80) for name in names[:20]) + (", …" if len(names) > 20 else "")
    for role in sorted(must):
        if (name := chosen.get(role)) is None:
            hint = f"; name them, as with {advice(source, names, chosen)}" if source else ""
            raise NoColumn(f"{where}: no column for {role} among {shown}{hint}")
        if name not in names:
            raise PairsError(
                f"{where}: there is no column {name!r} (for {role}) among {shown}{meant(str(name), names)}"
            )
    if "label" in columns:
        chosen.pop("otherwise", None)
    if chosen["text_b"] == "positive" and not chosen.get("label"):
        further = [name for name in names if isinstance(name, str) and NEGATIVE.fullmatch(name)]
        chosen |= {f"negative{i}": name for i, name in enumerate(further)}
    for side, end in (("a", "_l"), ("b", "_r")):  # an id of Splink's
        if str(chosen[f"text_{side}"]).endswith(end) and str(chosen[f"text_{side}"]).startswith("unique_id"):
            chosen[f"source_{side}"] = f"source_dataset{end}"
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
        own = "jsonl" if source.kind == "records" else source.kind
        if kind not in (*FORMATS, "auto", own):
            raise PairsError(f"{where}: format {kind!r} is for files of that kind")
        fmt = FORMATS.get(kind, Dataset(own))
        if kind == "auto" and not columns:
            known = {*source.names} - {*ADDED}
            fmt = next((fmt for fmt in FORMATS.values() if known in map(set, fmt.headers)), fmt)
        if getattr(data, "attrs", {}).get("bipartite"):
            fmt = replace(fmt, bipartite=True)
        return _choose(source.names, fmt, columns, where, source), None
    fmt, delimiter, names = _by_header(source, kind, columns)
    if not columns and any("\n" in name or "\r" in name for name in names if isinstance(name, str)):
        raise PairsError(
            f"{where}, row 1: the header runs over several lines, as if after a stray quote; "
            f"where that is meant, name the columns with {advice(source, names, {})}"
        )
    # Which of the two tab-separated Quora formats it is, the quotes tell
    quora = kind == "auto" and fmt.headers == FORMATS["qqp"].headers and delimiter == "\t"
    if quoted is None and not quora:
        # A text without a single comma is rare, so commas never come without quotes
        quoted = True if fmt.quoted is None and delimiter != "\t" else fmt.quoted
    if quoted is None:
        readings = _quoting(data, delimiter, len(names))
        if len(readings) > 1:
            marks = {"format": "qqp"} if quora else {"quoting": True}
            text = {"format": "qqp-glue"} if quora else {"quoting": False}
            raise PairsError(
                f"{where}: quotes may be marks around fields or part of the texts, and the rows differ; "
                f"marks: {command(**marks)}; part of the texts: {command(**text)}"
            )
        quoted = readings[0] if readings else None
    if quora:
        fmt = FORMATS["qqp-glue" if quoted is False else "qqp"]
    return replace(_choose(names, fmt, columns, where), delimiters=delimiter, quoted=quoted), names


def _by_header(source, kind, columns):
    """Format, delimiter and column names, before quotes are looked at."""
    data, where = source.content, source.name
    marks = KINDS.get(kind) or (FORMATS[kind].delimiters if kind in FORMATS else DELIMITERS)
    records = {mark: first_records(data, mark, where) for mark in marks}
    headers = {mark: found[0] for mark, found in records.items()}
    if kind == "auto" and not columns:
        for fmt in FORMATS.values():
            for mark in fmt.delimiters:
                if tuple(name for name in headers[mark] if name not in ADDED) in fmt.headers:
                    return fmt, mark, headers[mark]
        # All records are doctor, question, question, 0 or 1; or genre, file, year, number, score, sentences, and more
        if all(len(row) == 4 and row[0].isdigit() and row[3] in ("0", "1") for row in records[","]):
            kind, marks = "mqp", ","
        elif all(len(row) >= 7 and row[0].startswith("main-") for row in records["\t"]):
            kind, marks = "stsb", "\t"
    trials = []
    for mark in marks:
        name = kind if kind in KINDS else "csv" if mark != "\t" else "tsv"
        fmt, names, error = FORMATS.get(kind) or Dataset(name), headers[mark], None
        rows = records[mark][1:]
        if rows and all(len(row) == len(names) + 1 and row[0].isdigit() for row in rows):
            names = ["", *names]  # as R numbers them
        if any(isinstance(name, int) for name in (fmt.columns | (columns or {})).values()):
            names = [*range(Counter(map(len, records[mark])).most_common(1)[0][0])]
        try:
            _choose(names, fmt, columns, where)
        except PairsError as problem:
            error = problem
        trials.append((error is None, fit(records[mark]), fmt, mark, names, error))
    best = max(trials, key=lambda trial: trial[:2])
    *_, fmt, mark, names, error = best
    source.first = records[mark]
    if error and not columns and kind not in FORMATS and not is_header(source.first) and best[1]:
        names = [*range(len(names))]
        raise NoColumn(
            f"{where}, row 1: the first row is like the others, so it names no columns; say which holds what, by "
            f"counting from 0: {advice(source, names, {})}"
        )
    if error:
        _choose(names, fmt, columns, where, source)
    return fmt, mark, names


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
