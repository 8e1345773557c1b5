"""Files that a command writes, with a record, never over an input."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import Any

import pandas as pd

from ..files import PairsError
from ..files.names import is_pattern, paths_of
from ..files.outputs import atomic_write, refuse_overwrite
from ..files.records import REPORT, make_record, record_of, write_record
from ..files.tables import write_table
from ..graph.closure import Closure
from .inputs import INPUTS, the_graph

#: Further arguments that are not options of the result: a record names files without their folders, and no output.
LEFT_OUT = (
    "run",
    "called",
    "quiet",
    "json",
    "yes",
    "output",
    "log",
    "engine",
    "memory",
    "folder",
)
#: The number of rows that nobody wants to write by accident.
ENORMOUS = 10**8


class Output:
    """The outputs of a command: no input is overwritten, nothing incomplete appears, a record tells their origin.

    Parameters
    ----------
    args : Namespace
        With `output`, and `called`, the record's name for FILE (default: pairs).
    folder : bool
        `output` is a folder, which is made if necessary.
    """

    def __init__(self, args: Namespace, folder: bool = False):
        self.args = args
        self.path = Path(args.output or "-")
        self.inputs = _given(args)
        self._states = {path: _state(path) for path in self.inputs.values()}
        if args.output and not folder and not self.path.parent.is_dir():
            parent = str(self.path.parent)
            raise PairsError(
                f"{self.path}: there is no folder {parent!r}; make it first, or name another output"
            )
        self._not_over = [*self.inputs.values(), *(getattr(args, "log", None) or ())]
        # here, before anything is read
        refuse_overwrite(self._not_over, self.path, record_of(self.path))

    def record(self, **options: Any) -> dict[str, Any]:
        """Make the record of the output: its inputs, the options of the command, further ones, versions.

        `PairsError` if an input is not the file any more that it was when the command began to read.
        """
        given = {}
        for name, value in vars(self.args).items():
            if value is not None and name not in (*INPUTS, *LEFT_OUT):
                given[name] = value
        if "judge" in given:
            given["judge"] = Path(given["judge"]).name
        record = make_record(self.inputs, **given | options)
        for path, state in self._states.items():
            if _state(path) != state:
                raise PairsError(
                    f"{path} was changed while it was read, so nothing is written; run the command again"
                )
        return record

    def write(
        self, write: Callable[[Path], Any], options: dict[str, Any] | None = None, **facts: Any
    ) -> Any:
        """Write the file and, beside it, its record with further options and facts; return what `write` did."""
        with atomic_write(self.path, inputs=self._not_over) as part:
            done = write(part)
            write_record(self.record(**options or {}) | facts, record_of(part))
        return done

    def table(
        self, table: pd.DataFrame, options: dict[str, Any] | None = None, **facts: Any
    ) -> None:
        """Write a table as text: see `write`; or, where the output is ``-``, to standard output, without a record."""
        safe = getattr(self.args, "spreadsheet_safe", False)
        if self.args.output == "-":
            # Not by the name /dev/stdout: opening that again would empty a file that is being appended to.
            write_table(table, os.dup(sys.stdout.fileno()), safe)
        else:
            self.write(lambda part: write_table(table, part, safe), options, **facts)

    @contextmanager
    def folder(self, report: dict[str, Any], **options: Any) -> Iterator[Path]:
        """Yield a place for the files of a folder; the report, which the block may fill, goes with them."""
        with atomic_write(self.path, folder=True, inputs=self._not_over) as stage:
            yield stage
            record = self.record(**options) | report.pop("record", {})
            write_record(report | {"record": record}, stage / REPORT)

    def say(self, *lines: object) -> None:
        """Print these lines, unless the user wants no notes, or the output is there."""
        if not self.args.quiet and self.args.output != "-":
            print(*lines, sep="\n")


def _given(args: Namespace) -> dict[str, str]:
    """The given inputs, by their names in a record; the files of a pattern have numbers."""
    files = {}
    for name in INPUTS:
        path = getattr(args, name, None)
        if path is None:
            continue
        if name == "file":
            name = getattr(args, "called", "pairs")
        if is_pattern(path):
            files |= {f"{name} {i}": str(file) for i, file in enumerate(paths_of(path), 1)}
        else:
            files[name] = path
    return files


def _state(path: str) -> tuple[int, ...] | None:
    """The marks of a file that change when it is written to or replaced; None for one that is missing."""
    with suppress(OSError):
        about = os.stat(path)
        return about.st_ino, about.st_size, about.st_mtime_ns
    return None


def announce_size(args: Namespace, closures: Iterable[Closure]) -> None:
    """Say how many rows the four datasets of these closures have, before writing; refuse too many without --yes."""
    rows = 0
    up_to = ""
    for closure in closures:
        rows += 2 * (
            closure.graph.n_rows + len(closure.graph.edge_a) + sum(closure.at_most().values())
        )
        if closure.max_distance is not None:
            up_to = "up to "
    size = f"{up_to}{rows:,} rows"
    if rows > ENORMOUS and not args.yes:
        raise PairsError(
            f"this would write {size}; --yes does so anyway, --max-per-cluster of "
            "`paragraph augment` writes less, and `paragraph sample` draws some inferred labels"
        )
    if not args.quiet:
        print(f"writing {size}", flush=True)


def refuse_lost_answers(path: str) -> None:
    """Refuse to write over a sheet or a sample, in which somebody may have answered."""
    if os.path.lexists(path):
        raise PairsError(f"{path} exists, and may hold answers; name another output, or delete it")


#: The meanings of commands' parameters; any other is the argument of that name.
PARAMETERS: dict[str, Callable[[Namespace], Any]] = {
    "args": lambda args: args,
    "progress": lambda args: not args.quiet,
    "out": Output,
    "graph": the_graph,
}


def call(args: Namespace) -> None:
    """Call the command for some arguments; make each of its parameters from them."""
    values = []
    for name in signature(args.run).parameters:
        make = PARAMETERS.get(name, attrgetter(name))
        values.append(make(args))
    args.run(*values)
