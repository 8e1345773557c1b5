"""Layouts that are read without a question (layouts.toml): official releases, names of columns, marks of tools."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..files.tables import MARK
from .labels import ZERO_ONE
from .tables import DECIDED

__all__ = ["ADDED", "ANSWERS", "ANYONE", "NAMES", "NEGATIVES", "REJECTED", "RELEASES", "STATUS"]
__all__ += ["Download", "Release"]


class Download(NamedTuple):
    """The address of a file; of an archive, `members` names the files that are wanted."""

    url: str
    sha256: str | None = None
    members: Sequence[str] = ()

    @property
    def names(self) -> list[str]:
        """The names of the files that it leaves on disk."""
        return [PurePosixPath(path).name for path in self.members or (urlsplit(self.url).path,)]


@dataclass(frozen=True)
class Release:
    """The layout of an official release, and the addresses of its files; layouts.toml says what the fields are."""

    name: str  #: its format in `read_pairs`
    roles: dict[str, Any] = field(default_factory=dict)
    headers: list = field(default_factory=list)
    delimiters: str = "\t"
    quoted: bool | None = None
    labels: Any = field(default_factory=lambda: ZERO_ONE)
    words: list = field(default_factory=list)
    bipartite: bool = False
    official: bool = True
    title: str = ""
    terms: str = ""
    link: str = ""
    sources: list = field(default_factory=list)  #: of `Download`

    @classmethod
    def of(cls, name: str, sources: Iterable[dict] = (), **fields: Any) -> Release:
        """Make a release from its fields in the table."""
        return cls(name, sources=[Download(**source) for source in sources], **fields)


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
#: The documented names of a role's column in anyone's file; the first that exists is used.
NAMES = _TABLE["names"]
#: The releases by their names.
RELEASES = {name: Release.of(name, **fields) for name, fields in _TABLE["releases"].items()}
#: The layout of anyone's files, which are no release.
ANYONE = Release("", NAMES, official=False)
#: Documented names of the negatives beside `anchor` and `positive`.
NEGATIVES = r"neg(ative)?_?\d*"
#: MTurk's column that says whether an answer counts, and its word for one that does not.
STATUS = "AssignmentStatus"
REJECTED = "Rejected"
#: The values of Prodigy's `answer`; beside a label, it says whether the label is right.
ANSWERS = {"accept", "reject", "ignore"}
#: Columns that writing for a spreadsheet, or answers of people, add to those of a dataset.
ADDED = (MARK, DECIDED)
