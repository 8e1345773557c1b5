"""MultiMWA: human word alignments of paraphrases, read as tags (Lan, Jiang and Xu 2021)."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

import pandas as pd

from .errors import PairsError
from .tagged import checked, content

__all__ = ["read_multimwa"]

#: Columns of the official files, from 0: the links that annotators were sure of, and those they held possible.
_LINKS = {7: "sure", 8: "possible"}


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
    try:
        lines = content(path).decode().split("\n")
    except UnicodeDecodeError as error:
        raise PairsError(f"{name}: is not UTF-8: {error}") from None
    for row, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) <= max(_LINKS):
            raise PairsError(f"{name}, row {row}: {len(fields)} fields where MultiMWA has 9 or more: {line[:80]}")
        words = [fields[1].split(), fields[3].split()]
        tags = [[1] * len(side) for side in words]
        for link in " ".join(fields[column] for column in _LINKS).split():
            found = re.fullmatch(r"(\d{1,9})-(\d{1,9})", link)
            ends = [int(end) for end in found.groups()] if found else [len(line)]
            for side, end in zip(tags, ends, strict=False):
                if end >= len(side):
                    raise PairsError(f"{name}, row {row}: {link!r} is no link between two of the words")
                side[end] = 0
        rows.append((fields[0], fields[1], fields[3], *words, *tags, row))
    names = ["id", "text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b", "row"]
    table = pd.DataFrame(rows, columns=names).set_index("row").assign(source=re.sub(r"\.tsv(\.gz)?$", "", name))
    return checked(table, name).reset_index(drop=True)
