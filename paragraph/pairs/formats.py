"""Recognise the layout of a source: its header, and the columns of the texts and the label."""

import re
from collections import Counter
from dataclasses import replace

from ..files.delimited import DELIMITERS, field_pattern, first_records
from ..files.errors import PairsError, capped, meant
from ..files.spelling import option
from ..files.tables import MARK
from .layouts import NAMES, RELEASES, Layout
from .tables import is_pair_table
from .unknown import columns_of, is_header, may_label, question

__all__ = ["KINDS", "NoColumn", "recognise"]

#: Files of no release, and the ways in which their fields may be split.
KINDS = {"tsv": "\t", "csv": DELIMITERS[1:], "jsonl": "", "parquet": ""}
#: Columns that augmenting, or writing for a spreadsheet, adds to those of a dataset.
ADDED = ("from_row", "side", "order", MARK)
#: Columns that say whether an answer counts.
STATUS = re.compile(
    r"(.*[ ._-])?(\w*status|state|(was_?)?(cancell?ed|skipped|discarded|withdrawn|rejected|ignored|deleted))", re.I
)


class NoColumn(PairsError):
    """No column is known to hold a text."""


def recognise(source, kind="auto", columns=None, quoted=None, header=None):
    """Set the layout of a `Source`, and the names of the columns of a delimited file.

    A delimited file then has one delimiter, and `quoted` is None if no quote matters. `kind` is a name in `RELEASES`
    or `KINDS`, or ``"auto"``; the others are the caller's choices, None for none. `PairsError` if no layout fits, or
    two do and the rows would differ. `source.rivals` takes the columns that may hold labels, if none was named.
    """
    columns = columns or {}
    try:
        if source.kind == "delimited":
            _delimited(source, kind, columns, quoted, header)
        else:
            _tabular(source, kind, columns)
    except NoColumn as error:
        raise error.with_table(question(source)) from None
    layout, taken = source.layout, {*source.layout.roles.values()}
    if layout.name in RELEASES or (source.kind == "dataframe" and is_pair_table(source.content)):
        return
    said = [name for name in source.names if name not in taken and STATUS.fullmatch(str(name))]
    status = said or [name for name in source.names if name == "answer" and name not in taken]  # Prodigy's
    layout.roles.update((f"status {name}", name) for name in status)
    taken.update(said)
    if not any(role.startswith("label") for role in columns):
        left = {*source.names} - taken - {*ADDED}
        held = columns_of(source) if left else {}
        source.rivals = [name for name in held if name in left and may_label(name, held[name])]


def _choose(names, layout, columns, where):
    """The layout, with those of its columns that are among these names; the caller's `columns` take precedence.

    Where `layout` has no columns, those with well-known names are taken. `PairsError`, which calls the source
    `where`, if there is no column for a text, or a named column is missing or there twice.
    """
    known = layout.roles | {"from_row": ("from_row",)} if layout.roles else NAMES
    chosen = {
        role: next((name for name in some if name in names), None) if isinstance(some, tuple) else some
        for role, some in known.items()
    } | columns
    ways = {role[:3]: role for role in columns if role.startswith(("label", "set", "neg"))}
    if len(ways) > 1:
        raise PairsError(f"{where}: {' and '.join(ways.values())} both give labels; name one of them")
    if "set" in columns:
        chosen["text_b"] = chosen["text_a"]  # the text of another row, which `settle` finds
    must = {"text_a", "text_b", *columns}
    if (layout.roles and not layout.otherwise) or any(role.startswith("label") for role in columns):
        must.add("label")
    for role in sorted(must):
        if (name := chosen.get(role)) is None:
            raise NoColumn(f"{where}: no column for {role} among {_shown(names)}")
        if name not in names:
            near = meant(str(name), names)
            raise PairsError(f"{where}: there is no column {name!r} (for {role}) among {_shown(names)}{near}")
    if "label" in columns:
        chosen.pop("otherwise", None)
    if "set" in columns or any(role.startswith("neg") for role in columns):
        chosen.pop("label", None)  # which becomes a rival
    if chosen["text_b"] == "positive" and "text_b" not in columns and "label" not in columns:
        further = [name for name in names if re.fullmatch(r"neg(ative)?_?\d*", str(name))]
        chosen |= {name: name for name in further if name not in columns.values()}
        chosen.pop("label" if further else "", None)
    for side, end in (("a", "_l"), ("b", "_r")):  # an id of Splink's
        if re.fullmatch(f"unique_id.*{end}", str(chosen[f"text_{side}"])):
            chosen[f"source_{side}"] = f"source_dataset{end}"
    chosen = {role: name for role, name in chosen.items() if name in names}
    if twice := [name for name in chosen.values() if names.count(name) > 1]:
        raise PairsError(f"{where}: there is more than one column {twice[0]!r}")
    return replace(layout, roles=chosen)


def _shown(names):
    return ", ".join(capped(repr(name), 80) for name in names[:20]) + ", …" * (len(names) > 20)


def _tabular(source, kind, columns):
    own = "jsonl" if source.kind == "records" else source.kind
    if kind not in (*RELEASES, "auto", own):
        raise PairsError(f"{source.name}: format {kind!r} is for files of that kind")
    layout = RELEASES.get(kind, Layout(own))
    if kind == "auto" and not columns:
        known = {*source.names} - {*ADDED}
        layout = next((each for each in RELEASES.values() if known in map(set, each.headers)), layout)
    if getattr(source.content, "attrs", {}).get("bipartite"):
        layout = replace(layout, bipartite=True)
    source.layout = _choose(source.names, layout, columns, source.name)


def _delimited(source, kind, columns, quoted, header):
    marks = KINDS.get(kind) or (RELEASES[kind].delimiters if kind in RELEASES else DELIMITERS)
    records = first_records(source.content, marks, source.name)
    auto = kind == "auto" and not columns
    if auto:
        kind, marks = _release(records) or (kind, marks)
    trials = []
    for mark in marks:
        layout = RELEASES.get(kind) or Layout(kind if kind in KINDS else "csv" if mark != "\t" else "tsv")
        names = records[mark][0]
        counted = header is False or any(isinstance(name, int) for name in (layout.roles | columns).values())
        if counted:
            names = [*range(Counter(map(len, records[mark])).most_common(1)[0][0])]
        try:
            chosen = replace(_choose(names, layout, columns, source.name), delimiters=mark)
        except PairsError as error:
            chosen = error
        trials.append((isinstance(chosen, Layout), _fit(records[mark]), mark, names, chosen))
    fits, share, mark, source.names, chosen = max(trials, key=lambda trial: trial[:2])
    source.first = records[mark]
    seems, source.header = is_header(source.first), header if header is not None else isinstance(source.names[0], str)
    if not fits:
        if "\ufffd" in "".join(source.first[0]):
            way = option("encoding", "cp1252")
            raise PairsError(f"{source.name}, row 1: is not UTF-8; {way}, or that of another encoding, reads it")
        if isinstance(chosen, NoColumn) and header is None and share and not columns and kind not in RELEASES:
            source.header = seems is not False
            what = (
                f"{source.name}, row 1: the first row is like the others, so it names no columns: they count from 0"
            )
            if not source.header:
                source.names = [*range(len(source.names))]
                chosen = NoColumn(f"{what} ({option('header', True)} says otherwise)")
        raise chosen
    if header is None and not source.header and seems and kind not in RELEASES:
        raise PairsError(
            f"{source.name}, row 1: seems to name the columns; {option('header', True)} says that it does, "
            f"{option('header', False)} that it is a pair"
        )
    if not columns and any(re.search("[\r\n]", str(name)) for name in source.names):
        raise NoColumn(
            f"{source.name}, row 1: the header runs over several lines, as if after a stray quote; "
            "if that is intended, name the columns"
        )
    # The quotes tell which of the two tab-separated Quora formats it is
    quora = auto and kind == "qqp"
    if quoted is None and not quora:
        # A text without a single comma is rare, so commas never come without quotes
        quoted = len(mark) == 1 if chosen.quoted is None and mark != "\t" else chosen.quoted
    if quoted is None:
        readings = _quoting(source.content, mark, len(source.names))
        if len(readings) > 1:
            marks = ("format", "qqp") if quora else ("quoting", True)
            text = ("format", "qqp-glue") if quora else ("quoting", False)
            raise PairsError(
                f"{source.name}: quotes may be marks around fields or part of the texts, and the rows differ; "
                f"marks: {option(*marks)}; part of the texts: {option(*text)}"
            )
        quoted = readings[0] if readings else None
    name = "qqp-glue" if quora and quoted is False else chosen.name
    source.layout = replace(chosen, name=name, quoted=quoted)


def _fit(records):
    """The share of records that have the most frequent number of fields; 0 if that number is one."""
    width, count = Counter(map(len, records)).most_common(1)[0]
    return count / len(records) if width > 1 else 0


def _release(records):
    """The format and the delimiter of the release whose first records these are, by delimiter; else None."""
    for layout in RELEASES.values():
        for mark in layout.delimiters:
            if tuple(name for name in records[mark][0] if name not in ADDED) in layout.headers:
                return layout.name, mark
    # All records are doctor, question, question, 0 or 1; or genre, file, year, number, score, sentences, and more
    if all(len(row) == 4 and row[0].isdigit() and row[3] in ("0", "1") for row in records[","]):
        return "mqp", ","
    return ("stsb", "\t") if all(len(row) > 6 and row[0].startswith("main-") for row in records["\t"]) else None


def _quoting(data, delimiter, width):
    """Tell which readings the quotes in the data allow: True for quotes as marks, False for quotes as text.

    A field that begins with a quote is a vote for quoting if it ends as a quoted field must, and holds a doubled
    quote, or a delimiter or line end that would leave its line with too few or too many fields. It is a vote
    against if it does not end so, or if its line is whole only without quoting. ``"Yes"`` is a vote for neither.

    Returns
    -------
    list of bool
        Empty if no field begins with a quote, because both readings then give the same rows.
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
