"""Recognise the format of a table or a delimited file, and the columns of the texts and the label."""

from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from .columns import SPELLINGS
from .datasets import FORMATS, Dataset
from .delimited import MARK, first_record, quoting, records
from .errors import PairsError, meant, option

__all__ = ["KINDS", "Layout", "NoColumn", "choose", "choose_by_names", "recognise"]

#: Anyone's files, and how their fields may be split.
KINDS = {"tsv": "\t", "csv": ",;", "jsonl": "", "parquet": ""}
#: Columns that augmenting, or writing for a spreadsheet, adds to those of a dataset.
ADDED = ("from_row", "side", "order", MARK)


def choose_by_names(names, kind, columns, where, own):
    """Choose the `Dataset` of a table with named columns (see `choose`); `own` is the kind of an unknown one."""
    if kind in FORMATS:
        fmt = FORMATS[kind]
    elif kind in ("auto", own):
        own_names = {name for name in names if name not in ADDED}
        same = [fmt for fmt in FORMATS.values() if any(own_names == set(h) for h in fmt.headers)]
        fmt = same[0] if same and kind == "auto" and not columns else Dataset(own)
    else:
        raise PairsError(f"{where}: format {kind!r} is for files of that kind")
    return choose(names, fmt, columns, where)


def choose(names, fmt, columns, where):
    """Choose the `Dataset` of a table with these column names.

    Parameters
    ----------
    names : list of str
    fmt : Dataset
        One with columns; or one without, for which columns with well-known names are taken.
    columns : dict or None
        The caller's choice, which has precedence.
    where : str
        What error messages call the source.

    Raises
    ------
    PairsError
        If there is no column for a text, or a named column is missing or there twice.
    """
    columns = columns or {}
    roles = fmt.columns and fmt.columns | ({"from_row": "from_row"} if "from_row" in names else {})
    found = {
        role: next((name for name in known if name in names), None) if isinstance(known, tuple) else known
        for role, known in (roles or SPELLINGS).items()
    } | columns
    must = {"text_a", "text_b", *columns} | ({"label"} if fmt.columns and not fmt.otherwise else set())
    for role in sorted(must):
        if found.get(role) is None:
            hint = option("columns", {role: "…"})
            raise NoColumn(f"{where}: no column for {role} among {_list(names)}; name it with {hint}")
        if found[role] not in names:
            near = meant(str(found[role]), names)
            raise PairsError(f"{where}: there is no column {found[role]!r} (for {role}) among {_list(names)}{near}")
    second = fmt.otherwise and fmt.otherwise[0] in names and "label" not in columns
    found = {role: name for role, name in found.items() if name in names}
    chosen = replace(fmt, columns=found, otherwise=fmt.otherwise if second else None)
    for name in chosen.wanted.values():
        if list(names).count(name) > 1:
            raise PairsError(f"{where}: there is more than one column {name!r}")
    return chosen


def _list(names):
    shown = ", ".join(repr(name) for name in list(names)[:20])
    return shown + (", …" if len(names) > 20 else "")


class Layout(NamedTuple):
    """A delimited file's format, with all that the content decided."""

    fmt: Dataset
    delimiter: str
    quoted: bool | None  # None: no quote met that could matter
    names: list  # of the columns


def recognise(data, kind, columns, quoted, where):
    """Decide on the `Layout` of a delimited file.

    Parameters
    ----------
    data : bytes
        The file without a byte-order mark.
    kind : str
        A name in `FORMATS` or `KINDS`, or ``"auto"``.
    columns, quoted
        The caller's choices, None for none.
    where : str
        What error messages call the file.

    Raises
    ------
    PairsError
        If no format fits, or two do and the rows would differ.
    """
    fmt, delimiter, names = _by_header(data, kind, columns, where)
    quora = fmt.headers == FORMATS["qqp"].headers
    if not columns and any("\n" in name or "\r" in name for name in names if isinstance(name, str)):
        raise PairsError(
            f"{where}, row 1: the header runs over several lines, as if after a stray quote; "
            f"where that is meant, name the columns with {option('columns')}"
        )
    if quoted is None:
        # A text without a single comma is rare, so commas never come without quotes
        quoted = True if fmt.quoted is None and delimiter != "\t" else fmt.quoted
    if quoted is None:
        reading = quoting(data, delimiter, len(names))
        if reading == "either":
            way = (
                f"say {option('format', 'qqp')} or {option('format', 'qqp-glue')}"
                if quora
                else "quote all texts or none, or in Python say quoting=True or quoting=False"
            )
            raise PairsError(f"{where}: quotes may be CSV marks or part of the texts, and the rows differ; {way}")
        quoted = {"quoted": True, "unquoted": False, "same": None}[reading]
    if kind == "auto" and quora and delimiter == "\t":
        fmt = FORMATS["qqp-glue" if quoted is False else "qqp"]
    return Layout(choose(names, fmt, columns, where), delimiter, quoted, names)


class NoColumn(PairsError):
    """There is no column that is known to hold a text."""


def _by_header(data, kind, columns, where):
    """Format, delimiter and column names, before quotes are looked at."""

    def first(fmt, mark):
        return [name.strip() for name in first_record(data, mark, fmt.quoted is not False)]

    if kind == "auto" and not columns:
        for fmt in FORMATS.values():
            for mark in fmt.delimiters:
                names = first(fmt, mark)
                if tuple(name for name in names if name not in ADDED) in fmt.headers:
                    # Which of the two tab-separated Quora formats it is, the quotes will tell
                    return replace(fmt, quoted=None) if fmt.name in ("qqp", "qqp-glue") else fmt, mark, names
        kind = "mqp" if _is_mqp(data) else kind
    if kind in FORMATS:
        trials = [(FORMATS[kind], mark) for mark in FORMATS[kind].delimiters]
    else:
        both = ["csv", "tsv"] if where.removesuffix(".gz").endswith(".csv") else ["tsv", "csv"]
        kinds = [kind] if kind in KINDS else both
        trials = [(Dataset(name), mark) for name in kinds for mark in KINDS[name]]
    error = None
    for fmt, mark in trials:
        names = first(fmt, mark)
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
        not why and fields[0].isdigit() and fields[3].strip() in (b"0", b"1") for _, fields, why in first
    )
