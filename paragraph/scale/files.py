"""Files of pairs in a fixed order, read part by part, so none has to fit into memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..files.records import check_recorded, file_hash
from ..pairs.check import kinds_of, sift, skipped_in_words
from ..pairs.columns import Columns, of_table, parquet_errors, parquet_file
from ..pairs.read import Reading, ask_in_own_words, read_source, seen_through
from ..pairs.recognise import how_of, recognise
from ..pairs.source import FIRST

__all__ = ["PairFiles", "row_names"]

LISTED = 1000  #: skipped rows that a report lists; all are counted


@dataclass(frozen=True)
class PairFiles:
    """Files of pairs and the options for reading them: as `read_pairs` reads one, with the same checks.

    Parquet is read some rows at a time and may hold whole numbers, the ids of records, in place of texts; a file of
    another kind is read whole. The order is part of the data: the first spelling and the later row count.
    """

    paths: list[Path]
    format: str = "auto"
    columns: Mapping[str, str] | None = None
    labels: Any = None
    unlabelled: str = "error"
    on_error: str | None = None
    identity: str = "text"
    encoding: str = "utf-8"
    header: bool | None = None
    quoting: bool | None = None
    leave_out: tuple[str, ...] = ()
    ids: str | None = None
    groups: range | None = (
        None  #: of row groups: where only these are read, of the one Parquet file there is
    )

    def parquet(self, path: Path) -> bool:
        """True for a Parquet file."""
        with path.open("rb") as file:
            return file.read(4) == b"PAR1"

    def extent(self, path: Path) -> tuple[int, int]:
        """The approximate number of rows in a file, and of bytes of text."""
        if not self.parquet(path):
            size = path.stat().st_size
            if path.suffix == ".gz":
                size *= 4
            return size // 120, size
        about = parquet_file(path).metadata
        sizes = [about.row_group(i).total_byte_size for i in range(about.num_row_groups)]
        return about.num_rows, sum(sizes)

    def fingerprint(self) -> dict[str, Any]:
        """The identity of coded pairs: all bytes of the files, in their order, and how they are read."""
        options = {name: repr(value) for name, value in vars(self).items() if name != "paths"}
        files = []
        for path in self.paths:
            files.append([str(path.resolve().parent), path.name, file_hash(path)])
        return {"version": 1, "options": options, "files": files}

    def sizes_and_times(self) -> list[tuple[int, int]]:
        """The size and the time of each file, which show a change."""
        stats = [path.stat() for path in self.paths]
        return [(stat.st_size, stat.st_mtime_ns) for stat in stats]

    def parts(self, report: dict[str, Any]) -> Iterator[tuple[pd.DataFrame, np.ndarray]]:
        """The pair tables in the files, one after another, with the numbers of their rows through all files.

        `report` becomes the report of the whole, as in `read_pairs`, except that `skipped` lists only the first rows;
        `left_out` counts all by reason, and `starts` gives the row after which each file begins.
        """
        for path in self.paths:
            check_recorded(path)
        parts = self.one_report(report, self._numbered())
        return ((pairs, start + pairs["row"].to_numpy()) for pairs, start in parts)

    def _numbered(self) -> Iterator[tuple[int, dict[str, Any], pd.DataFrame]]:
        for file, path in enumerate(self.paths):
            for part, pairs in self._read(path):
                yield file, part, pairs

    def one_report(
        self, report: dict[str, Any], parts: Iterable[tuple[int, dict, Any]]
    ) -> Iterator[tuple[Any, int]]:
        """Combine the reports of parts, each with its file's number, into one report with each file's start."""
        files = [path.name for path in self.paths]
        left_out = Counter()
        notes = {}
        last = 0
        name = files[0]
        if len(files) > 1:
            name = f"{files[0]} … {files[-1]} ({len(files)} files)"
        report |= {"source": name, "files": files, "starts": []}
        report |= {"rows": 0, "kept": 0, "skipped": []}
        for file, part, more in parts:
            if file == len(report["starts"]):
                report["starts"].append(last)
            for key in ("rows", "kept"):
                report[key] += part[key]
            for key in ("format", "bipartite"):
                report[key] = part[key]
            room = LISTED - len(report["skipped"])
            report["skipped"] += part["skipped"][:room]
            left_out.update(part["left_out"])
            if part.get("turned"):  # a report of reports has it only where there is a question
                report["turned"] = part["turned"]
            for note in part["notes"]:
                if " skipped (" not in note:
                    notes[note] = None
            last = max(last, report["starts"][file] + part["last"])
            yield more, report["starts"][file]
        report["notes"] = [*notes, *skipped_in_words(left_out)]
        report |= {"left_out": dict(left_out), "last": last}

    @property
    def options(self) -> dict[str, Any]:
        """The options of `read_pairs`."""
        left_out = ("paths", "identity", "groups")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def _read(self, path: Path) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
        for reading in self._readings(path):
            layout = reading.layout
            found = sift(reading)
            pairs = found.pairs
            out = found.skipped
            skipped = []
            for row, value, why in out[:LISTED]:
                where = {"file": path.name, "row": row}
                skipped.append(where | {"value": value, "why": why})
            last = 0
            if len(pairs):
                last = int(pairs["row"].iloc[-1])
            part = {
                "rows": len(pairs) + len(out),
                "kept": len(pairs),
                "format": layout.name,
                "bipartite": layout.release.bipartite,
                "skipped": skipped,
                "left_out": kinds_of(out),
                "notes": [reading.note, *found.warnings],
                "turned": ask_in_own_words(pairs, reading.signs, self.options),
                "last": last,
            }
            yield part, pairs

    def _readings(self, path: Path) -> Iterable[Reading]:
        """The pairs of a file: piece by piece, if it is Parquet whose records are pairs; else all of them."""
        options = self.options
        if not self.parquet(path):
            return [read_source(path, options, whole=True)]
        first = next(parts(path, FIRST))
        layout = recognise(first, how_of(options))
        if any(first.places) or "label" not in layout.roles:
            return [read_source(path, options, whole=True)]
        unused = {"id", "split", "entailment", "annotator"}
        if self.identity != "id":
            unused |= {"id_a", "id_b"}
        layout = layout._replace(
            roles={role: name for role, name in layout.roles.items() if role not in unused}
        )
        rows, size = self.extent(path)
        in_16_mb = 1 + rows * (1 << 24) // max(size, 1)
        sources = parts(
            path, min(1 << 18, in_16_mb), list(dict.fromkeys(layout.roles.values())), self.groups
        )
        return (seen_through(source, layout, options) for source in sources)


def parts(
    path: Path, size: int, names: Sequence | None = None, groups: range | None = None
) -> Iterator[Columns]:
    """Yield some columns of a Parquet file, `size` rows at a time; of all row groups, or of a range of them."""
    if any("." in name for name in names or ()):  # it would be read as a path into a nested column
        names = None
    with parquet_errors(path.name):
        file = parquet_file(path)
        before = range(groups.start) if groups else ()
        start = 1 + sum(file.metadata.row_group(i).num_rows for i in before)
        batches = file.iter_batches(size, groups, columns=names)
        if not file.metadata.num_rows:
            batches = [file.read(columns=names)]
        for batch in batches:
            yield of_table(path.name, "parquet", pa.table(batch), start=start)
            start += len(batch)


def row_names(rows: np.ndarray, report: dict[str, Any]) -> list[Any]:
    """Row numbers in their files, with the file if there are several, as ``b.parquet:2``."""
    starts = report["starts"]
    files = report["files"]
    if len(files) == 1:
        return rows.tolist()
    names = []
    of = np.searchsorted(starts, rows, side="left") - 1
    for i, row in zip(of.tolist(), rows.tolist(), strict=True):
        names.append(f"{files[i]}:{row - starts[i]}")
    return names
