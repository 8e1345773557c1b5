"""Recognise the layout of a source: by an official release, by documented names, or by the words of the caller."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ..files.errors import PairsError, capped, did_you_mean
from .labels import KNOWN, ZERO_ONE, label_text
from .layouts import ADDED, ANSWERS, ANYONE, NAMES, NEGATIVES, RELEASES, STATUS, Release
from .question import question
from .tables import DECIDED, TEXTS, is_pair_table
from .tools import CHOICE

__all__ = ["How", "Layout", "has_texts", "how_of", "recognise", "release_of"]


class How(NamedTuple):
    """The options of `read_pairs` that say how a source is laid out."""

    format: str = "auto"
    columns: dict = {}  # noqa: RUF012 (of a tuple, which nobody fills)
    header: bool | None = None
    quoting: bool | None = None
    ids: str | None = None
    encoding: str = "utf-8"


def how_of(options: dict[str, Any]) -> How:
    """Pick these options among others, with a role for each column that names a set."""
    fields = {name: options[name] for name in How._fields if options.get(name) is not None}
    sets = fields.get("columns", {}).get("set")
    if isinstance(sets, list | tuple):  # sets within the values of other columns
        within = {f"within_{i}": column for i, column in enumerate(sets)}
        fields["columns"] = fields["columns"] | {"set": within.pop("within_0")} | within
    return How(**fields)


class Layout(NamedTuple):
    """The places where the records of a source hold pairs: a column for each role."""

    name: str  #: of the release, else the kind of the source
    roles: dict  #: the column of each role; `within_1` … are columns within whose values sets lie
    release: Release
    sample: dict  #: the first values of each column
    known: bool  #: whether labels may be 1 and 0, yes and no: the columns have documented names
    rivals: list  #: further columns that may hold labels, where the caller named none
    numbers: bool = False  #: whether whole numbers, ids of records, stand in place of texts
    apart: tuple = ()  #: roles of ids that are numbered by source: 2 on the left is not 2 on the right


def release_of(names: tuple, how: How, delimiter: str = "") -> Release:
    """The release that the caller names, or whose header these names are; else that of anyone's files."""
    header = {*names} - {*ADDED}
    is_open = how.format == "auto" and not how.columns
    for release in RELEASES.values():
        headers = [{*line.split("|")} for line in release.headers]
        if is_open and header in headers and delimiter in release.delimiters:
            return release
    return RELEASES.get(how.format, ANYONE)


def has_texts(names: tuple, how: How, release: Release) -> bool:
    """True if the columns that the caller names, and some for both texts, are among these names."""
    roles = _roles_of(names, how, release)
    return {"text_a", "text_b"} <= roles.keys() and {*how.columns.values()} <= {*names}


def _roles_of(names: tuple, how: How, release: Release) -> dict[str, Any]:
    """The columns by role: those that the caller names, else those with documented names."""
    questions = [name for name in names if str(name).startswith(CHOICE)]
    roles = {}
    if len(questions) == 1:  # Label Studio asked one question
        roles["label"] = questions[0]
    for role, documented in release.roles.items():
        present = [name for name in documented if name in names]
        if present:
            roles[role] = present[0]
    if DECIDED in names:
        roles[DECIDED] = DECIDED
    roles |= how.columns
    if "set" in roles:
        roles["text_b"] = roles.get("text_a")  # the text of another row, which the lens finds
    return roles


def recognise(source: Any, how: How) -> Layout:
    """The layout of a source.

    `PairsError` if there is no column for a text, or if a named one is missing or repeated; it shows the columns and
    the flags to complete.
    """
    names = source.names
    sample = source.sample()
    release = source.release or release_of(names, how)
    roles = _roles_of(names, how, release)
    _check_roles(source, how, release, roles, sample)
    roles = _with_one_way_to_label(roles, names, how)
    is_pairs = source.kind == "dataframe" and is_pair_table(source.table)
    if is_pairs:  # its column `decided` has ids of decisions, not labels
        roles.pop(DECIDED, None)
    if STATUS in names:
        roles.setdefault("status", STATUS)
    is_release = release is not ANYONE and not how.columns
    if not is_release:
        _check_tools(source, roles.get("label"), sample)
    rivals = []
    if not is_release and not is_pairs and "label" not in _ways_to_label(how):
        used = {*roles.values(), *ADDED}
        others = [name for name in names if name not in used]
        rivals = [name for name in others if _may_label(sample.get(name, ()))]
    known = _has_documented_names(roles)
    layout = Layout(release.name or source.kind, roles, release, sample, known, rivals)
    if release is ANYONE:
        layout = _with_ids(layout, how)
    return layout


def _ways_to_label(how: How) -> dict[str, str]:
    """The roles by which the caller says where labels are: of a label, a set or a negative, the last of each."""
    ways = {}
    for role in how.columns:
        for kind in ("label", "set", "neg"):
            if role.startswith(kind):
                ways[kind] = role
    return ways


def _with_one_way_to_label(roles: dict, names: tuple, how: How) -> dict[str, Any]:
    """The roles, with the negatives beside a positive; without a label where the place of a text is its label."""
    ways = _ways_to_label(how)
    roles = dict(roles)
    if roles["text_b"] == "positive" and not {"text_b", "label"} & how.columns.keys():
        used = {*roles.values()}
        for name in names:
            if re.fullmatch(NEGATIVES, str(name)) and name not in used:
                roles[name] = name
    if "label" in ways:
        roles.pop("otherwise", None)
    elif any(role.startswith(("set", "neg")) for role in roles):
        roles.pop("label", None)  # its column becomes a rival
    return roles


def _has_documented_names(roles: dict) -> bool:
    """True if the columns of the texts and of the label have documented names."""
    label = str(roles.get("label", "label"))
    if not label.startswith(CHOICE) and label not in NAMES["label"]:
        return False
    return (roles["text_a"], roles["text_b"]) in {*TEXTS, ("anchor", "positive")}


def _check_roles(source: Any, how: How, release: Release, roles: dict, sample: dict) -> None:
    """Refuse columns that are missing or repeated, and two columns that both give labels."""
    where = source.name
    names = source.names
    shown = ", ".join(capped(repr(name), 80) for name in names[:20])
    ways = _ways_to_label(how)
    if len(ways) > 1:
        raise PairsError(
            f"{where}: {' and '.join(ways.values())} both give labels; name one of them"
        )
    required = {"text_a", "text_b"}
    if "label" in ways or (release.official and "otherwise" not in release.roles):
        required.add("label")
    for role in sorted(required - roles.keys()):
        table = question(sample, header=getattr(source, "header", False))
        raise PairsError(f"{where}: no column for {role} among {shown}").with_table(table)
    for role, name in sorted(roles.items()):
        if name not in names:
            near = did_you_mean(str(name), map(str, names))
            raise PairsError(
                f"{where}: there is no column {name!r} (for {role}) among {shown}{near}"
            )
        if names.count(name) > 1:
            raise PairsError(f"{where}: there is more than one column {name!r}")


def _check_tools(source: Any, label: Any, sample: dict) -> None:
    """Refuse tables of annotation tools in which another column says whether a label counts."""
    why = ""
    if f"{label}.status" in source.names:
        why = f"{label!r} and its status are lists of answers and their states, as Argilla writes them"
    answers = {*sample.get("answer", ())}
    about_label = label not in (None, "answer") or len({*sample.get("label", ())}) > 1
    if answers and answers <= ANSWERS and about_label:
        why = "'answer' says if the label beside it is right, as Prodigy writes it"
    if why:
        raise PairsError(
            f"{source.name}: {why}; docs/layouts.md shows three lines of pandas that read both"
        )


def _may_label(values: list[str]) -> bool:
    """True if a column may hold labels: documented ones, or two to eight that come three times on average."""
    labels = {label_text(value).casefold() for value in values}
    recur = 1 < len(labels) < 9 and len(values) >= 3 * len(labels)
    return bool(labels) and (labels <= {*KNOWN, *ZERO_ONE} or recur)


def _with_ids(layout: Layout, how: How) -> Layout:
    """The layout, with the roles of ids that are numbered by source, unless the caller says that both are one source.

    Ids in columns of documented names are of one source. Texts that are all whole numbers are ids.
    """
    texts = ("text_a", "text_b")
    sides = [layout.sample.get(layout.roles[role]) for role in texts]
    numbers = all(values and all(map(str.isdecimal, values)) for values in sides)
    apart = ()
    if how.ids != "one":
        if numbers and layout.roles["text_a"] != layout.roles["text_b"]:
            apart += texts
        if {"id_a", "id_b"} <= how.columns.keys() and how.columns["id_a"] != how.columns["id_b"]:
            apart += ("id_a", "id_b")
    return layout._replace(numbers=numbers, apart=apart)
