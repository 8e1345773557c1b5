"""Recognise the layout of a source: an official release, documented names of columns, or what the caller says."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..files.errors import PairsError, capped, did_you_mean
from .labels import KNOWN, ZERO_ONE, label_text
from .layouts import ADDED, ANSWERS, NAMES, NEGATIVES, RELEASES, STATUS, Release
from .question import question
from .tables import DECIDED, TEXTS, is_pair_table
from .tools import CHOICE

__all__ = ["How", "Layout", "NoColumn", "columns_of", "has_texts", "recognise", "release_of"]


class How(NamedTuple):
    """What the caller says about a source: options of `read_pairs`."""

    format: str = "auto"
    columns: dict | None = None
    header: bool | None = None
    quoting: bool | None = None
    ids: str | None = None
    encoding: str = "utf-8"
    max_unpacked: int | None = None


class NoColumn(PairsError):
    """No column is known to hold a text."""


class Layout(NamedTuple):
    """Where the records of a source hold pairs."""

    name: str  #: of the release, else the kind of the source
    roles: dict  #: from roles to names of columns, or to a list of names: sets within the values of others
    release: Release
    sample: dict  #: the first values of each column
    known: bool  #: whether 1 and 0, yes and no are the meaning of the labels, as the columns have documented names
    rivals: tuple = ()  #: further columns that may hold labels, where the caller named none
    numbers: bool = False  #: whether whole numbers stand in place of texts: ids of records
    apart: frozenset = frozenset()  #: roles of ids whose left and right are those of two sources


def columns_of(roles: dict) -> list:
    """The columns of roles; a set may lie within the values of several."""
    found = []
    for column in roles.values():
        found += column if isinstance(column, list | tuple) else [column]
    return list(dict.fromkeys(found))


def release_of(names: tuple, how: How, delimiter: str = "") -> Release | None:
    """The release that the caller names, or whose header these names are."""
    if how.format in RELEASES:
        return RELEASES[how.format]
    known = {*names} - {*ADDED}
    for release in RELEASES.values():
        headers = [{*header.split("|")} for header in release.headers]
        if not how.columns and known in headers and delimiter in release.delimiters:
            return release
    return None


def has_texts(names: tuple, how: How, release: Release | None) -> bool:
    """True if the columns that the caller names, and some for both texts, are among these names."""
    roles = _roles_of(names, how, release)
    return {"text_a", "text_b"} <= roles.keys() and {*columns_of(how.columns or {})} <= {*names}


def _roles_of(names: tuple, how: How, release: Release | None) -> dict[str, Any]:
    """The columns of roles among some names, by documented names; those that the caller names take precedence."""
    known = NAMES
    if release:
        known = release.roles | {"from_row": "from_row", DECIDED: DECIDED}
    roles = {}
    for role, some in known.items():
        for name in some if isinstance(some, tuple) else [some]:
            if name in names:
                roles.setdefault(role, name)
    asked = [name for name in names if str(name).startswith(CHOICE)]
    if len(asked) == 1 and not release:  # Label Studio asked one question
        roles.setdefault("label", asked[0])
    roles |= how.columns or {}
    if "set" in roles:
        roles["text_b"] = roles.get("text_a")  # the text of another row, which the lens finds
    return roles


def recognise(source: Any, how: How) -> Layout:
    """The layout of a source.

    `PairsError` if there is no column for a text, or a named one is missing or there twice; it shows the columns and
    the flags to complete.
    """
    names = source.names
    columns = how.columns or {}
    release = source.release or release_of(names, how)
    sample = source.sample()
    roles = _roles_of(names, how, release)
    _check_roles(source, roles, columns, release, sample)
    own = {role[:3] for role in columns}
    if {"set", "neg"} & own:
        roles.pop("label", None)  # which becomes a rival
    if "lab" in own:
        roles.pop("otherwise", None)
    if roles["text_b"] == "positive" and not {"text_b", "label"} & {*columns}:
        further = [name for name in names if re.fullmatch(NEGATIVES, str(name)) and name not in columns.values()]
        roles |= {name: name for name in further}
        if further:
            roles.pop("label", None)
    is_pairs = source.kind == "dataframe" and is_pair_table(source.content)
    if is_pairs:  # what was decided is known by an id, not by a label
        roles.pop(DECIDED, None)
    if not release or columns:
        _check_tools(source.name, names, roles, sample)
    if STATUS in names and STATUS not in roles.values():
        roles["status"] = STATUS
    texts = (roles["text_a"], roles["text_b"])
    label = str(roles.get("label", "label"))
    documented = label in NAMES["label"] or label.startswith(CHOICE)
    known = documented and texts in {*TEXTS, ("anchor", "positive")}
    rivals = ()
    if (columns or not release) and not is_pairs and "lab" not in own:
        used = {*columns_of(roles), *ADDED}
        rivals = tuple(name for name in names if name not in used and _may_label(name, sample))
    layout = Layout(release.name if release else source.kind, roles, release or _ANYONE, sample, known, rivals)
    return layout if release else _with_ids(layout, how)


#: Of files of no release.
_ANYONE = Release("", {}, official=False)


def _check_roles(source: Any, roles: dict, columns: dict, release: Release | None, sample: dict) -> None:
    """Refuse columns that are missing or there twice, and two columns that both give labels."""
    where = source.name
    names = source.names
    ways = {role[:3]: role for role in columns if role.startswith(("label", "set", "neg"))}
    if len(ways) > 1:
        raise PairsError(f"{where}: {' and '.join(ways.values())} both give labels; name one of them")
    shown = ", ".join(capped(repr(name), 80) for name in names[:20])
    if len(names) > 20:
        shown += ", …"
    must = {"text_a", "text_b"}
    if "lab" in ways or (release and "otherwise" not in release.roles):
        must.add("label")
    for role in sorted(must - roles.keys()):
        table = question(sample, header=getattr(source, "header", False))
        raise NoColumn(f"{where}: no column for {role} among {shown}").with_table(table)
    for role, column in sorted(roles.items()):
        for name in column if isinstance(column, list | tuple) else [column]:
            if name not in names:
                near = did_you_mean(str(name), map(str, names))
                raise PairsError(f"{where}: there is no column {name!r} (for {role}) among {shown}{near}")
            if names.count(name) > 1:
                raise PairsError(f"{where}: there is more than one column {name!r}")


def _check_tools(where: str, names: tuple, roles: dict, sample: dict) -> None:
    """Refuse tables of annotation tools in which further columns say what a label is worth."""
    how = "docs/layouts.md shows three lines of pandas that read them"
    label = roles.get("label")
    if f"{label}.status" in names:
        raise PairsError(
            f"{where}: {label!r} and its status are lists of answers and their states, as Argilla writes them; {how}"
        )
    answers = {*sample.get("answer", ())}
    about_label = label not in (None, "answer") or len({*sample.get("label", ())}) > 1
    if answers and answers <= ANSWERS and about_label:
        raise PairsError(f"{where}: 'answer' says if the label beside it is right, as Prodigy writes them; {how}")


def _may_label(name: Any, sample: dict) -> bool:
    """True if a column may hold labels: those of a documented layout, or a few that come again."""
    values = [text for text in map(label_text, sample.get(name, ())) if text]
    few = {*map(str.casefold, values)}
    again = 1 < len(few) < 9 and len(values) >= 3 * len(few)
    return bool(few) and (few <= {*KNOWN, *ZERO_ONE} or again)


def _with_ids(layout: Layout, how: How) -> Layout:
    """The layout, with the roles of ids whose left and right are two numberings, unless the caller says they are one.

    Documented names of ids are those of one numbering. Texts that are all whole numbers are ids.
    """
    columns = how.columns or {}
    roles = layout.roles
    sides = [layout.sample.get(roles[role], ()) for role in ("text_a", "text_b")]
    numbers = all(values and all(map(str.isdecimal, values)) for values in sides)
    apart = set()
    if how.ids != "one":
        if numbers and roles["text_a"] != roles["text_b"]:
            apart |= {"text_a", "text_b"}
        if {"id_a", "id_b"} <= columns.keys() and columns["id_a"] != columns["id_b"]:
            apart |= {"id_a", "id_b"}
    return layout._replace(numbers=numbers, apart=frozenset(apart))
