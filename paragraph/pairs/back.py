"""Answers written back into the user's own file: what no answer touches stays as it was, byte for byte."""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..files.content import BOM, load, open_unpacked
from ..files.errors import PairsError
from ..files.names import TABLES, ending, sibling
from ..files.outputs import atomic_write, write_json
from ..files.spelling import option
from .check import sift
from .delimited import open_delimited
from .labels import ZERO_ONE, label_text
from .lenses import PairEffect
from .opened import reopen
from .read import Reading, seen_through
from .recognise import how_of, recognise
from .remembered import kept_options, layout_file
from .source import Edits
from .tables import DECIDED

__all__ = ["clean_name", "write_back"]


def clean_name(report: Mapping[str, Any]) -> str:
    """The name for the corrected copy of a file that was read: ``my.clean.csv``, or with the ending of its format."""
    path = Path(report["path"])
    return sibling(path, "clean", "" if ending(path) in TABLES else report["ending"]).name


def write_back(pairs: pd.DataFrame, effects: Mapping[int, str], path: str | PathLike) -> int:
    """Write a copy of the file that pairs were read from, with answers in it.

    The file's words, rows, columns, encoding, quotes and line ends stay, whatever its layout; `lenses` says where an
    answer stands in each layout. Rows that are left out go, as they were, to a file beside the copy:
    ``clean.left_out.csv``. The options that the copy needs to be read are kept in ``clean.csv.layout.json``. Returns
    the number of records that were left out.

    Parameters
    ----------
    pairs : DataFrame
        As `read_pairs` gave it, or some of its rows; the report names the file.
    effects : dict
        By position in `pairs`: "becomes 1", "becomes 0", "stays" or "dropped".
    path : str or Path
        Has the ending of the file; ``.gz`` after it compresses the content.

    Raises
    ------
    PairsError
        If the pairs do not come from a file, if the file has changed since, or if the name has the ending of another
        format.

    Examples
    --------
    >>> import tempfile, paragraph as pg
    >>> file = Path(tempfile.mkdtemp()) / "my.csv"
    >>> file.write_text('text_a;label;text_b\\nHow?;ja;"In what way?"\\nWhy?;nein;When?\\nWho?;ja;Where?\\n')
    74
    >>> pairs = pg.read_pairs(file, labels={"ja": 1, "nein": 0})
    >>> write_back(pairs, {1: "dropped", 2: "becomes 0"}, file.with_name("clean.csv"))
    1
    >>> print(file.with_name("clean.csv").read_text())
    text_a;label;text_b
    How?;ja;"In what way?"
    Who?;nein;Where?
    <BLANKLINE>
    """
    report = pairs.attrs.get("report") or {}
    path = Path(path)
    if not report.get("path"):
        raise PairsError(
            "these pairs do not come from a single file that could be corrected; write_pairs writes the table"
        )
    file = Path(report["path"])
    options = report["options"]
    suffix = ending(clean_name(report))
    if ending(path) != suffix:
        raise PairsError(
            f"{path.name}: the corrected file has the format of {file.name}; end its name in {suffix}"
        )
    source = reopen(report)
    reading = seen_through(source, recognise(source, how_of(options)), options)
    edits = _edits(reading, pairs, effects)
    contents = source.edited(edits)
    layout = _layout_of_copy(reading, edits, contents[0])
    kept, left = map(_encoder(file, options), contents)
    with atomic_write(path, inputs=[file]) as part:
        _write(kept, part)
        _write(left, sibling(part, "left_out"))
        if not edits.cells and not edits.gone and path.suffix == file.suffix:
            part.write_bytes(file.read_bytes())  # the same bytes, compressed or not
        if layout or layout_file(path).exists():  # an earlier copy may have left one
            write_json(layout, layout_file(part))
    return len(edits.gone)


def _layout_of_copy(reading: Reading, edits: Edits, content: bytes) -> dict[str, Any]:
    """The options that read the copy: those of its source, and what its rows no longer tell."""
    source = reading.source
    layout = kept_options(reading.options)
    if source.kind == "tsv" and edits.gone and _tells_other_quotes(reading, content):
        layout["quoting"] = source.quoted
    if isinstance(edits.added, int):  # no header names the new column
        layout["columns"] = reading.layout.roles | {DECIDED: edits.added}
    return layout


def _tells_other_quotes(reading: Reading, content: bytes) -> bool:
    """True if the rows of a copy do not tell that its quotes are those of the source."""
    source = reading.source
    try:
        copy = open_delimited(source.name, content, how_of(reading.options))
    except PairsError:
        return True
    return copy.quoted not in (source.quoted, None)


def _write(content: bytes, path: Path) -> None:
    """Write a content, compressed if the name of the file ends in ``.gz``."""
    if path.suffix == ".gz":
        content = gzip.compress(content, 6, mtime=0)
    path.write_bytes(content)


def _encoder(file: Path, options: Mapping[str, Any]) -> Callable[[bytes], bytes]:
    """A function from a content in UTF-8, without a byte-order mark, to the encoding of a file."""
    encoding = options["encoding"]
    with open_unpacked(file) as source:
        raw = source.read(len(BOM))
        if raw == BOM:
            return lambda text: BOM + text
        if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig"):
            return bytes
        raw += source.read()

    def encode(text: bytes) -> bytes:
        return text.decode("utf-8", "surrogatepass").encode(encoding)

    with suppress(UnicodeError):
        if encode(load(file, encoding)) == raw:
            return encode
    raise PairsError(
        f"{file.name}: {encoding} does not give back every byte; save the file as UTF-8 first"
    )


def _edits(reading: Reading, pairs: pd.DataFrame, effects: Mapping[int, str]) -> Edits:
    """The changes of the records that answers are about."""
    frame = reading.frame
    positions = _positions_of(pairs, reading)
    effect_of = {positions[i]: effect for i, effect in effects.items()}
    row_of = frame["row"].to_numpy()
    by_row: dict[int, list[PairEffect]] = {row_of[i]: [] for i in effect_of}
    for i in np.flatnonzero(np.isin(row_of, [*by_row])):
        place = frame["place"].iloc[i] if "place" in frame else ()
        sign = {0: 0, 1: 1}.get(reading.signs.state[i])
        by_row[row_of[i]].append(PairEffect(place, sign, effect_of.get(i, "")))
    roles = reading.layout.roles
    names = reading.source.names
    decided = roles.get(DECIDED, DECIDED)
    if DECIDED not in roles and isinstance(names[0], int):  # columns are counted
        decided = len(names)
    edits = Edits({}, set())
    for row, pair_effects in by_row.items():
        edit = reading.lens.put(pair_effects)
        cells: dict[Any, str | None] = {}
        for place in edit.taken:
            cells[place[0] if len(place) == 1 else place] = None
        if edit.label is not None:
            cells[roles["label"]] = _word(reading, edit.label)
        if edit.decided is not None:
            cells[decided] = _word(reading, edit.decided, ZERO_ONE)
            if DECIDED not in roles:
                edits = edits._replace(added=decided)
        if edit.leaves:
            edits.gone.add(row)
        elif cells:
            edits.cells[row] = cells
    return edits


def _word(reading: Reading, sign: int, digits: Iterable[str] = ()) -> str:
    """The word of the file for a sign, else its digit, if it is one of `digits` and the file has no such label."""
    signs = reading.signs
    if sign in signs.words:
        return signs.words[sign]
    digit = str(sign)
    if digit in digits and digit not in map(label_text, signs.labels):
        return digit
    flag = option("labels", signs.labels | {"WORD": sign})
    raise PairsError(
        f"{reading.source.name}: an answer says {sign}, and no label means it; name a word for it: {flag}"
    )


def _positions_of(pairs: pd.DataFrame, reading: Reading) -> np.ndarray:
    """The position of each pair of a table, which may be a part, among the pairs that the lens gave."""
    all_pairs = reading.frame[sift(reading).kept]
    keys = ["row", "text_a", "text_b"]
    if "annotator" in pairs and "annotator" in all_pairs:
        keys.append("annotator")
    # `nth` tells pairs of the same keys apart
    all_pairs = all_pairs.assign(at=all_pairs.index, nth=all_pairs.groupby(keys).cumcount())
    wanted = pairs[keys].assign(nth=pairs.groupby(keys).cumcount())
    positions = wanted.merge(all_pairs, "left", [*keys, "nth"])["at"]
    if positions.isna().any():
        row = pairs["row"].iloc[positions.isna().argmax()]
        raise PairsError(
            f"{reading.source.name}, row {row}: another pair than when it was read; read the file again"
        )
    return positions.to_numpy(int)
