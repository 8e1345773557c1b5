"""MultiMWA: human word alignments of paraphrases, read as tags (Lan, Jiang and Xu 2021)."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

import pandas as pd

from .errors import PairsError
from .records import excerpt
from .tagged import checked, content

__all__ = ["read_multimwa"]

_LINKS = (7, 8)  #: columns of the official files, from 0: links that annotators were sure of, and possible ones


def read_multimwa(path: str | PathLike) -> pd.DataFrame:
    """The tag table of one MultiMWA file: a word is 1 if no link reaches it, sure or possible.

    The column ``id`` is the file's own. Compressed by gzip or not.

    Raises
    ------
    PairsError
        Naming file, row and value: too few fields, what is no link, a link to a word that is not there.

    References
    ----------
    W. Lan, C. Jiang and W. Xu, *Neural semi-Markov CRF for monolingual word alignment*, ACL 2021, section 4.
    """
    name, rows = Path(path).name, []
    for row, line in enumerate(content(path).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            fields = line.decode().rstrip("\r").split("\t")
        except UnicodeDecodeError:
            raise PairsError(f"{name}, row {row}: is not UTF-8: {excerpt(line)}") from None
        if len(fields) <= max(_LINKS):
            raise PairsError(f"{name}, row {row}: {len(fields)} fields where MultiMWA has 9 or more: {excerpt(line)}")
        words = [fields[1].split(), fields[3].split()]
        tags = [[1] * len(side) for side in words]
        for link in " ".join(fields[column] for column in _LINKS).split():
            found = re.fullmatch(r"(\d{1,9})-(\d{1,9})", link)
            ends = [int(end) for end in found.groups()] if found else []
            if not ends or any(end >= len(side) for side, end in zip(tags, ends, strict=True)):
                raise PairsError(f"{name}, row {row}: {link!r} is no link between two of the words")
            for side, end in zip(tags, ends, strict=True):
                side[end] = 0
        rows.append((row, fields[0], fields[1], fields[3], *words, *tags))
    names = ["row", "id", "text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b"]
    table = pd.DataFrame(rows, columns=names).set_index("row").assign(source=name.split(".")[0])
    return checked(table, name).reset_index(drop=True)
