"""Answers written back into the user's own file: what no answer touches stays as it was, byte for byte."""

from __future__ import annotations

import codecs
import gzip
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
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
from .check import sift
from .labels import label_text
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
    answer stands in each. Rows that are left out go to a file beside it, as they were: ``clean.left_out.csv``. Where
    options were needed to read the file, ``clean.csv.layout.json`` has them, so the copy needs none. Returns the
    number of records that were left out.

    Parameters
    ----------
    pairs : DataFrame
        As `read_pairs` gave it, or some of its rows; the report names the file.
    effects : dict
        For positions in `pairs` "becomes 1", "becomes 0", "stays" or "dropped".
    path : str or Path
        Has the ending of the file; ``.gz`` after it compresses the content.

    Raises
    ------
    PairsError
        The pairs do not come from a file; the file has changed since; the name has the ending of another format.

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
    own = ending(clean_name(report))
    if ending(path) != own:
        raise PairsError(
            f"{path.name}: the corrected file has the format of {file.name}; end its name in {own}"
        )
    source = reopen(report)
    layout = recognise(source, how_of(options))
    reading = seen_through(source, layout, options)
    edits = _edits(reading, pairs, effects)
    kept, left = map(_encoder(file, options), reading.source.edited(edits))
    layout = kept_options(options)
    if isinstance(edits.added, int):
        layout["columns"] = reading.layout.roles | {DECIDED: edits.added}
    with atomic_write(path, inputs=[file]) as part:
        _write(kept, part)
        _write(left, sibling(part, "left_out"))
        if not edits.cells and not edits.gone and path.suffix == file.suffix:
            part.write_bytes(file.read_bytes())  # packed as it was
        if layout or layout_file(path).exists():  # that of an earlier copy
            write_json(layout, layout_file(part))
    return len(edits.gone)


def _write(content: bytes, path: Path) -> None:
    if path.suffix == ".gz":
        content = gzip.compress(content, 6, mtime=0)
    path.write_bytes(content)


def _encoder(file: Path, options: Mapping[str, Any]) -> Callable[[bytes], bytes]:
    """A function that gives a content, as UTF-8 without a byte-order mark, the encoding of a file."""
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
    texts = reading.texts
    effect_of = _on_texts(reading, pairs, effects)
    by_row: dict[int, list[PairEffect]] = {int(texts.row[i]): [] for i in effect_of}
    for i in np.flatnonzero(np.isin(texts.row, [*by_row])).tolist():
        place = texts.places[i] if texts.places else ()
        sign = {0: 0, 1: 1}.get(int(reading.signs.state[i]))
        by_row[int(texts.row[i])].append(PairEffect(place, sign, effect_of.get(i, "")))
    roles = reading.layout.roles
    names = reading.source.names
    decided = roles.get(DECIDED, len(names) if isinstance(names[0], int) else DECIDED)
    words = _words(reading)
    edits = Edits({}, set())
    for row, some in by_row.items():
        edit = reading.lens.put(some)
        cells: dict[Any, str | None] = {
            place[0] if len(place) == 1 else place: None for place in edit.taken
        }
        if edit.label is not None:
            cells[roles["label"]] = words[edit.label]
        if edit.decided is not None:
            cells[decided] = words[edit.decided]
            edits = edits._replace(added=None if DECIDED in roles else decided)
        if edit.leaves:
            edits.gone.add(row)
        elif cells:
            edits.cells[row] = cells
    return edits


def _on_texts(reading: Reading, pairs: pd.DataFrame, effects: Mapping[int, str]) -> dict[int, str]:
    """The effects on the pairs that a lens gave, by their positions there: the pairs of a table may be a part."""
    texts = reading.texts
    names = [
        name
        for name in ("text_a", "text_b", "annotator")
        if name in pairs and name in texts.columns
    ]
    columns = [texts.row.tolist(), *(texts.columns[name].to_pylist() for name in names)]
    places = defaultdict(list)
    kept = sift(reading).kept
    for i in np.flatnonzero(kept)[::-1].tolist():
        places[tuple(column[i] for column in columns)].append(i)
    found = {}
    for position, key in enumerate(
        zip(pairs["row"].tolist(), *(pairs[name] for name in names), strict=True)
    ):
        if not places[key]:
            raise PairsError(
                f"{texts.name}, row {key[0]}: another pair than when it was read; read the file again"
            )
        place = places[key].pop()
        if position in effects:
            found[place] = effects[position]
    return found


def _words(reading: Reading) -> dict[int | None, str]:
    """The spelling of 1 and 0: as most labels of the file have it, or 1 and 0 where its labels are scores or none."""
    signs = reading.signs
    words = {0: "0", 1: "1"}
    if isinstance(signs.labels, dict) and "label" in reading.texts.columns:
        words |= {sign: label_text(label) for label, sign in reversed(signs.labels.items())}
        for value, _ in reversed(Counter(reading.texts.columns["label"].to_pylist()).most_common()):
            with suppress(ValueError):
                words[signs.meaning.sign(value)] = value
    return words
