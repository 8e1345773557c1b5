"""Recognise the layout of a source: an official release, documented names of columns, or what the caller says."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

from ..files.delimited import DELIMITERS, field_pattern, first_records
from ..files.errors import PairsError, capped, did_you_mean
from ..files.spelling import option
from ..files.tables import MARK
from .layouts import NAMES, RELEASES, Layout, may_label
from .opened import Opened
from .question import question, sample_of
from .tables import DECIDED, FURTHER, TEXTS, is_pair_table

__all__ = ["IDS", "KINDS", "How", "NoColumn", "recognise"]

#: Files of no release, and the ways in which their fields may be split.
KINDS = {"tsv": "\t", "csv": DELIMITERS[1:], "jsonl": "", "parquet": ""}
#: Columns that augmenting, writing for a spreadsheet, or answers of people add to those of a dataset.
ADDED = ("from_row", "side", "order", MARK, DECIDED)
#: The numberings of ids on the left and on the right.
IDS = ("two", "one", "links")
#: What Prodigy's `answer` says; beside a label, it is about the label.
ANSWERS = {"accept", "reject", "ignore"}
#: Documented columns for answers that count or do not: MTurk's and Prodigy's.
STATUS = ("AssignmentStatus", "answer")


class How(NamedTuple):
    """What the caller says about the layout of a source; None for nothing."""

    format: str = "auto"
    columns: dict | None = None
    header: bool | None = None
    quoting: bool | None = None
    ids: str | None = None


class NoColumn(PairsError):
    """No column is known to hold a text."""


class Trial(NamedTuple):
    """A delimited file, read by one delimiter."""

    mark: str
    records: list  #: the first ones, as lists of texts
    share: float  #: of those that have the commonest number of fields; 0 if that number is one
    names: tuple
    layout: Layout | NoColumn | PairsError

    @property
    def sample(self) -> dict[Any, list[str]]:
        named = bool(self.names) and isinstance(self.names[0], str)
        return {
            name: [row[i] for row in self.records[named:] if row[i:] and row[i]] for i, name in enumerate(self.names)
        }


def recognise(opened: Opened, how: How = How()) -> Layout:  # noqa: B008 (a tuple)
    """The layout of a source.

    A delimited file then has one delimiter, and `quoted` is None if no quote matters. `PairsError` if no layout fits,
    or two do and the rows would differ; it shows the columns and the flags to complete.
    """
    find = _delimited if opened.kind == "delimited" else _tabular
    return _meant(opened, find(opened, how), how.columns or {})


def _meant(opened: Opened, layout: Layout, columns: dict) -> Layout:
    """The layout, with what is known of its labels: their meaning, and further columns that may hold them."""
    if layout.name in RELEASES and not columns:
        return layout
    roles = layout.roles
    pair = opened.kind == "dataframe" and is_pair_table(opened.content)
    if pair:  # what was decided is known by an id, not by a label
        roles = {role: name for role, name in roles.items() if role != DECIDED}
    texts = roles.get("text_a"), roles.get("text_b")
    known = texts in {*TEXTS, ("anchor", "positive")} and roles.get("label", "label") in NAMES["label"]
    if f"{roles.get('label')}.status" in layout.names:
        raise PairsError(
            f"{opened.name}: {roles['label']!r} and its status are lists of answers and of their states, as Argilla "
            "writes them; docs/layouts.md shows three lines of pandas that read them"
        )
    about_two = len({*layout.sample.get("label", [])}) > 1
    if roles.get("label") == "answer" and about_two and _is_answer(layout):
        raise PairsError(
            f"{opened.name}: 'answer' says if the label in 'label' is right, as Prodigy writes it; docs/layouts.md "
            "shows three lines of pandas that read both"
        )
    for name in STATUS:
        is_answer = name != "answer" or _is_answer(layout)
        if name in layout.names and name not in layout.columns().values() and is_answer:
            roles = roles | {"status": name}
    layout = replace(layout, roles=roles, known=known and layout.known)
    if pair or any(role.startswith("label") for role in columns):
        return layout
    used = {*layout.columns().values(), *ADDED} - {"answer"}
    rivals = []
    for name, values in layout.sample.items():
        about_label = name == "answer" and _is_answer(layout)
        if name not in used and (about_label or may_label(values)):
            rivals.append(name)
    return replace(layout, rivals=tuple(rivals))


def _is_answer(layout: Layout) -> bool:
    """True if a column `answer` is Prodigy's."""
    return {*layout.sample.get("answer", [])} <= ANSWERS


def _choose(names: tuple, layout: Layout, columns: dict, where: str) -> Layout:
    """The layout, with those of its columns that are among these names; the caller's `columns` take precedence.

    Where `layout` has no columns, those with documented names are taken. `PairsError`, which calls the source
    `where`, if there is no column for a text, or a named column is missing or there twice.
    """
    known = layout.roles | {name: (name,) for name in ("from_row", DECIDED)} if layout.roles else NAMES
    chosen: dict[str, Any] = {}
    for role, some in known.items():
        chosen[role] = next((name for name in some if name in names), None) if isinstance(some, tuple) else some
    chosen |= columns
    ways = {role[:3]: role for role in columns if role.startswith(("label", "set", "neg"))}
    if len(ways) > 1:
        raise PairsError(f"{where}: {' and '.join(ways.values())} both give labels; name one of them")
    if "set" in ways:
        chosen["text_b"] = chosen["text_a"]  # the text of another row, which the lens finds
    must = {"text_a", "text_b", *columns}
    if (layout.roles and not layout.otherwise) or any(role.startswith("label") for role in columns):
        must.add("label")
    for role in sorted(must):
        found = chosen.get(role)
        if found is None:
            raise NoColumn(f"{where}: no column for {role} among {_shown(names)}")
        for name in found if isinstance(found, list | tuple) else [found]:
            if name not in names:
                near = did_you_mean(str(name), map(str, names))
                raise PairsError(f"{where}: there is no column {name!r} (for {role}) among {_shown(names)}{near}")
    if "label" in columns:
        chosen.pop("otherwise", None)
    if ways and "lab" not in ways:
        chosen.pop("label", None)  # which becomes a rival
    if chosen["text_b"] == "positive" and "text_b" not in columns and "label" not in columns:
        further = [name for name in names if re.fullmatch(r"neg(ative)?_?\d*", str(name))]
        chosen |= {name: name for name in further if name not in columns.values()}
        if further:
            chosen.pop("label", None)
    for side, end in (("a", "_l"), ("b", "_r")):  # an id of Splink's
        if re.fullmatch(f"unique_id.*{end}", str(chosen[f"text_{side}"])):
            chosen[f"source_{side}"] = f"source_dataset{end}"
    chosen = {role: name for role, name in chosen.items() if isinstance(name, list | tuple) or name in names}
    layout = replace(layout, roles=chosen, names=tuple(names))
    for name in layout.columns().values():
        if names.count(name) > 1:
            raise PairsError(f"{where}: there is more than one column {name!r}")
    return layout


def _shown(names: tuple) -> str:
    more = ", …" if len(names) > 20 else ""
    return ", ".join(capped(repr(name), 80) for name in names[:20]) + more


# ---------------------------------------------------------------- tables


def _tabular(opened: Opened, how: How) -> Layout:
    own = "jsonl" if opened.kind == "records" else opened.kind
    if how.format not in (*RELEASES, "auto", own):
        raise PairsError(f"{opened.name}: format {how.format!r} is for files of that kind")
    layout = RELEASES.get(how.format, Layout(own))
    if how.format == "auto" and not how.columns:
        known = {*opened.names} - {*ADDED}
        layout = next((each for each in RELEASES.values() if known in map(set, each.headers)), layout)
    if getattr(opened.content, "attrs", {}).get("bipartite"):
        layout = replace(layout, bipartite=True)
    sample = sample_of(opened)
    try:
        layout = _choose(opened.names, layout, how.columns or {}, opened.name)
    except NoColumn as error:
        raise error.with_table(question(sample)) from None
    return _numbered(replace(layout, sample=sample, delimiters=""), how)


def _numbered(layout: Layout, how: How) -> Layout:
    """The layout, with the roles of ids whose left and right are two numberings, unless the caller says they are one.

    Documented names of ids are those of one numbering. Texts that are all whole numbers are ids, but in a release.
    """
    ids = how.ids or "two"
    columns, apart = how.columns or {}, set()
    if ids != "one" and {"id_a", "id_b"} <= {*columns} and columns["id_a"] != columns["id_b"]:
        apart |= {"id_a", "id_b"}
    sides = [layout.sample.get(layout.roles.get(role), []) for role in ("text_a", "text_b")]
    numbers = layout.name not in RELEASES and all(values and all(map(str.isdecimal, values)) for values in sides)
    splink = "source_a" in layout.roles or str(layout.roles["text_a"]).startswith("unique_id")
    if ids != "one" and numbers and not splink and layout.roles["text_a"] != layout.roles["text_b"]:
        apart |= {"text_a", "text_b"}
    return replace(layout, ids=ids, apart=frozenset(apart))


# ---------------------------------------------------------------- delimited text


def _delimited(opened: Opened, how: How) -> Layout:
    kind = how.format
    columns = how.columns or {}
    where = opened.name
    marks = KINDS.get(kind) or (RELEASES[kind].delimiters if kind in RELEASES else DELIMITERS)
    records = first_records(opened.content, marks, where)
    auto = kind == "auto" and not columns
    if auto:
        kind, marks = _release(records) or (kind, marks)
    trials = [_trial(mark, records[mark], kind, how, where) for mark in marks]
    best = max(trials, key=lambda trial: (isinstance(trial.layout, Layout), trial.share))
    layout = best.layout
    if not isinstance(layout, Layout):
        if "\ufffd" in "".join(best.records[0]):
            way = option("encoding", "cp1252")
            raise PairsError(f"{where}, row 1: is not UTF-8; {way}, or that of another encoding, reads it")
        if isinstance(layout, NoColumn):
            raise layout.with_table(question(best.sample, header=isinstance(best.names[0], str)))
        raise layout
    if not columns and any(re.search("[\r\n]", str(name)) for name in best.names):
        raise NoColumn(
            f"{where}, row 1: the header runs over several lines, as if after a stray quote; "
            "if that is intended, name the columns"
        ).with_table(question(best.sample, header=isinstance(best.names[0], str)))
    layout = replace(layout, sample=best.sample)
    if kind not in RELEASES:
        _check_header(layout, how, where)
    return _numbered(_with_quotes(opened, layout, how, auto and kind == "qqp"), how)


def _trial(mark: str, records: list, kind: str, how: How, where: str) -> Trial:
    """The first records of a file, split at a delimiter, and the layout that fits them, or the error."""
    columns = how.columns or {}
    layout = RELEASES.get(kind) or Layout(kind if kind in KINDS else "csv" if mark != "\t" else "tsv")
    width, count = Counter(map(len, records)).most_common(1)[0]
    names = tuple(records[0])
    numbers = [name for name in (layout.roles | columns).values() if isinstance(name, int)]
    if how.header is False or numbers:
        names = tuple(range(width))
    layout = replace(layout, header=how.header if how.header is not None else isinstance(names[0], str))
    try:
        chosen = replace(_choose(names, layout, columns, where), delimiters=mark)
    except PairsError as error:
        chosen = error
    return Trial(mark, records, count / len(records) if width > 1 else 0, names, chosen)


def _check_header(layout: Layout, how: How, where: str) -> None:
    """Refuse columns that are counted where nothing tells a header from a pair: no label, so no unknown one."""
    labelled = any(FURTHER.fullmatch(role) and role.startswith("label") for role in layout.roles)
    if how.header is None and not layout.header and not labelled:
        raise PairsError(
            f"{where}, row 1: may name the columns; {option('header', True)} says that it does, "
            f"{option('header', False)} that it is a pair"
        )


def _release(records: dict) -> tuple[str, str] | None:
    """The format and the delimiter of the release whose first records these are, by delimiter; else None."""
    for layout in RELEASES.values():
        for mark in layout.delimiters:
            if tuple(name for name in records[mark][0] if name not in ADDED) in layout.headers:
                return layout.name, mark
    # All records are doctor, question, question, 0 or 1; or genre, file, year, number, score, sentences, and more
    if all(len(row) == 4 and row[0].isdigit() and row[3] in ("0", "1") for row in records[","]):
        return "mqp", ","
    return ("stsb", "\t") if all(len(row) > 6 and row[0].startswith("main-") for row in records["\t"]) else None


def _with_quotes(opened: Opened, layout: Layout, how: How, quora: bool) -> Layout:
    """The layout, with what its quotes are; they tell which of the two tab-separated Quora formats it is."""
    mark, quoted = layout.delimiters, how.quoting
    if quoted is None and not quora:
        # A text without a single comma is rare, so commas never come without quotes
        quoted = len(mark) == 1 if layout.quoted is None and mark != "\t" else layout.quoted
    if quoted is None:
        readings = _quoting(opened.content, mark, len(layout.names))
        if len(readings) > 1:
            marks = ("format", "qqp") if quora else ("quoting", True)
            text = ("format", "qqp-glue") if quora else ("quoting", False)
            raise PairsError(
                f"{opened.name}: quotes may be marks around fields or part of the texts, and the rows differ; "
                f"marks: {option(*marks)}; part of the texts: {option(*text)}"
            )
        quoted = readings[0] if readings else None
    name = "qqp-glue" if quora and quoted is False else layout.name
    return replace(layout, name=name, quoted=quoted)


def _quoting(data: bytes, delimiter: str, width: int) -> list[bool]:
    """The readings that the quotes in the data allow: True for quotes as marks, False for quotes as text.

    A field that begins with a quote shows that quotes are marks if it ends as a quoted field must, and holds a
    doubled quote, or a delimiter or line end that would leave its line with too few or too many fields. It shows that
    they are text if it does not end so, or if its line is whole only without quoting. ``"Yes"`` shows neither. Empty
    if no field begins with a quote: both readings then give the same rows.
    """
    split = delimiter.encode()
    field = field_pattern(split)
    shown: set[bool | None] = set()
    at = data.find(b'"')
    while at >= 0:
        if at and data[at - 1 : at] not in (split, b"\n", b"\r"):
            at = data.find(b'"', at + 1)
            continue
        found = field.match(data, at)
        if found[1] is None:
            shown.add(False)
        elif b'""' in found[1]:
            shown.add(True)
        elif any(mark in found[1] for mark in (split, b"\n", b"\r")):
            line = data[data.rfind(b"\n", 0, at) + 1 : (data.find(b"\n", at) + 1 or len(data) + 1) - 1]
            shown.add(line.count(split) + 1 != width)
        else:
            shown.add(None)
        if {True, False} <= shown:
            return [True, False]
        at = data.find(b'"', max(found.end(), at + 1))
    if shown == {None} and data.startswith(b'"'):
        return [True]  # a header in quotes comes from a writer that quotes every text
    readings = [reading for reading in (True, False) if reading in shown]
    return readings or ([True, False] if shown else [])
