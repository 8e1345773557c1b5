"""Files of pairs in a fixed order, read part by part, so that none has to fit into memory."""

from __future__ import annotations

import glob
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ...pairs import PairsError
from ...pairs.checking import sift, swallowed
from ...pairs.labels import sign_of
from ...pairs.reading import ReadWarning
from ...pairs.sources import find, parquet_batches
from ...pairs.unpacking import UNPACKED

__all__ = ["PairFiles", "in_order", "joined", "warn_of"]

LISTED = 1000  #: skipped rows that a report lists; all are counted


def in_order(source: str | PathLike | Iterable[str | PathLike]) -> list[Path]:
    """The files of a list in its order, or those that match a pattern, by name.

    The order is part of the data: the first spelling and the later row count.
    """
    if isinstance(source, str | PathLike):
        path = Path(source)
        if path.is_file() or not glob.has_magic(str(source)):
            source = [path]
        else:
            source = sorted(name for name in glob.glob(str(source), recursive=True) if Path(name).is_file())
    paths = [Path(path) for path in source]
    if not paths:
        raise PairsError("no file of that name, or none is given")
    if gone := [path for path in paths if not path.is_file()]:
        raise PairsError(f"{gone[0]}: no such file")
    return paths


@dataclass(frozen=True)
class PairFiles:
    """Files of pairs and how they are read: as `read_pairs` reads one, with the same checks.

    Parquet is read some rows at a time and may hold whole numbers, ids of records, in the place of texts; a file of
    another kind is read whole, so the engines bound its size.
    """

    paths: list[Path]
    format: str = "auto"
    columns: Mapping[str, str] | None = None
    labels: Any = None
    unlabelled: str = "error"
    on_error: str | None = None
    identity: str = "text"
    max_unpacked: int = UNPACKED

    def parquet(self, i: int) -> bool:
        """Whether file i is a Parquet file."""
        with self.paths[i].open("rb") as file:
            return file.read(4) == b"PAR1"

    def extent(self, i: int) -> tuple[int, int]:
        """About how many rows file i has, and bytes of text."""
        if not self.parquet(i):
            size = self.paths[i].stat().st_size * (4 if self.paths[i].suffix == ".gz" else 1)
            return size // 120, size
        import pyarrow.parquet as pq

        about = pq.read_metadata(self.paths[i])
        sizes = [about.row_group(g).total_byte_size for g in range(about.num_row_groups)]
        return about.num_rows, sum(sizes)

    def fingerprint(self) -> dict[str, Any]:
        """What must be the same for the codes to be: the files, as far as a look tells, and how they are read."""
        state = ((path.name, path.stat()) for path in self.paths)
        options = {name: value for name, value in vars(self).items() if name not in ("paths", "max_unpacked")}
        return {
            "version": 1,
            "files": [[name, about.st_size, about.st_mtime_ns] for name, about in state],
            "options": {name: repr(value) for name, value in options.items()},
        }

    def parts(self, i: int, report: dict[str, Any], size: int = 1 << 18) -> Iterator[pd.DataFrame]:
        """The pair tables in file i, one after another; `row` counts through the file.

        What was left out is added up in `report`: `rows`, `kept`, `kinds` (reasons, counted), `skipped` (the first).
        """
        path = self.paths[i]
        roles = {"text_a", "text_b", "label", *(("id_a", "id_b") if self.identity == "id" else ())}
        if self.parquet(i):
            parts = parquet_batches(path, self.format, self.columns, roles, size)
        else:
            parts = [find(path, self.format, self.columns, max_unpacked=self.max_unpacked)]
        report |= {"source": path.name, "format": "", "bipartite": False, "rows": 0, "kept": 0}
        report |= {"kinds": {}, "skipped": [], "notes": []}
        kinds: Counter[str] = Counter()
        for found in parts:
            sign = sign_of(found.fmt.labels if self.labels is None else self.labels)
            pairs, skipped, faults = sift(found, sign, self.unlabelled, self.on_error)
            left_out = sorted(skipped + faults)
            kinds.update(re.sub(r"'.*'|\d+", "…", why) for *_, why in left_out)
            room = LISTED - len(report["skipped"])
            report["skipped"] += [{"row": row, "value": value, "why": why} for row, value, why in left_out[:room]]
            report["rows"] += len(found.row) + len(found.bad)
            report["kept"] += len(pairs)
            report |= {"format": found.fmt.name, "bipartite": found.fmt.bipartite, "kinds": dict(kinds)}
            report["notes"] = [found.note, *swallowed(pairs, found, sign)]
            yield pairs


def joined(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """The reports of several files as one, which names the file of each row that was left out."""
    first = reports[0]
    if len(reports) == 1:
        report = dict(first)
    else:
        skipped = [{"file": each["source"]} | row for each in reports for row in each["skipped"]]
        report = {
            "source": f"{first['source']} … {reports[-1]['source']} ({len(reports)} files)",
            "format": first["format"],
            "bipartite": any(each["bipartite"] for each in reports),
            "rows": sum(each["rows"] for each in reports),
            "kept": sum(each["kept"] for each in reports),
            "kinds": dict(sum((Counter(each["kinds"]) for each in reports), Counter())),
            "skipped": skipped[:LISTED],
            "notes": list(dict.fromkeys(note for each in reports for note in each["notes"])),
        }
    if out := sum(report["kinds"].values()):
        why = "; ".join(f"{n:,}: {why}" for why, n in Counter(report["kinds"]).most_common(5))
        note = f"{out:,} row{'s' * (out != 1)} skipped ({why})"
        report["notes"] = [*report["notes"], note]
    return report


def warn_of(report: dict[str, Any]) -> None:
    """Warn once of what was left out, and of rows that look wrong."""
    if odd := [note for note in report["notes"] if "skipped" in note or "stray quote" in note]:
        warnings.warn(f"{report['source']}: {'; '.join(odd)}", ReadWarning, stacklevel=3)
