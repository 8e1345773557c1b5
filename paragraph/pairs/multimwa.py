"""MultiMWA: human word alignments of paraphrases, read as tags (Lan, Jiang and Xu 2021)."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path

import pandas as pd

from .errors import PairsError
from .jsonl import HELD, content
from .records import excerpt
from .tagged import checked

__all__ = ["read_multimwa"]

_NAMES = ["row", "id", "text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b"]


def read_multimwa(path: str | PathLike, *, max_unpacked: int = HELD) -> pd.DataFrame:
    """Read the tag table of one MultiMWA file, with its ``id``: a word is 1 if no link reaches it, sure or possible.

    A `PairsError` names file, row and value: too few fields, what is no link, a link to a word that is not there.

    References
    ----------
    W. Lan, C. Jiang and W. Xu, *Neural semi-Markov CRF for monolingual word alignment*, ACL 2021, section 4.
    """
    name, rows = Path(path).name, []
    for row, line in enumerate(content(path, max_unpacked).split(b"\n"), 1):
        if not line.strip():
            continue
        fields = (
            line.decode("utf-8", "surrogateescape").rstrip("\r").split("\t")
        )  # `checked` refuses what is not UTF-8
        if len(fields) < 9:
            raise PairsError(f"{name}, row {row}: {len(fields)} fields where MultiMWA has 9 or more: {excerpt(line)}")
        words = [fields[1].split(), fields[3].split()]
        tags = [[1] * len(side) for side in words]
        for link in f"{fields[7]} {fields[8]}".split():  # sure, and possible
            ends = [int(end) for end in link.split("-")] if re.fullmatch(r"\d{1,9}-\d{1,9}", link) else []
            if not ends or any(end >= len(side) for side, end in zip(tags, ends, strict=True)):
                raise PairsError(f"{name}, row {row}: {link!r} is no link between two of the words")
            for side, end in zip(tags, ends, strict=True):
                side[end] = 0
        rows.append((row, fields[0], fields[1], fields[3], *words, *tags))
    table = pd.DataFrame(rows, columns=_NAMES, dtype=object).set_index("row").assign(source=name.split(".")[0])
    return checked(table, name).reset_index(drop=True)
