"""Files named by arguments: inputs, read as the options say; outputs with a record, never written over an input."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.names import is_pattern, paths_of
from ..files.outputs import REPORT, atomic_write, make_record, record_of, refuse_overwrite, write_record
from ..files.spelling import reading_flags
from ..files.tables import write_table
from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from ..pairs import read_pairs
from ..pairs.back import clean_name
from ..pairs.read import read_table
from ..pairs.remembered import left_to_say, remember
from ..pairs.tables import canonical

#: Arguments that name an input file, which may be ``-`` for standard input.
INPUTS = ("file", "test", "answers")
#: Further arguments that are not options of the result: a record names files without their folders, and no output.
BESIDE = ("run", "called", "copies", "quiet", "json", "yes", "output", "log", "engine", "memory", "folder")
#: Options for reading a file; a record has those that are given.
READING = ("input", "columns", "labels", "unlabelled", "on_error", "identity", "max_unpacked", "encoding")
READING += ("header", "quoting", "leave_out", "votes", "ids")
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
        from ..decisions.log import file_of

        self.args, self.path = args, Path(args.output or "-")
        self.inputs = _given(args)
        self._found = {path: _state(path) for path in self.inputs.values()}
        if args.output and not folder and not self.path.parent.is_dir():
            parent = str(self.path.parent)
            raise PairsError(f"{self.path}: there is no folder {parent!r}; make it first, or name another output")

        judge = getattr(args, "judge", None)  # perhaps a folder
        inside = Path(judge).rglob("*") if judge else ()
        logs = getattr(args, "log", None) or []
        logs = [file_of(log) for log in ([logs] if isinstance(logs, str) else logs)]
        self._spared = [*self.inputs.values(), *inside, *logs]
        refuse_overwrite(self._spared, self.path, record_of(self.path))  # here, before anything is read

    def record(self, **options: Any) -> dict[str, Any]:
        """Make the record of the output: its inputs, the options of the command, further ones, versions.

        `PairsError` if an input is not the file any more that it was when the command began to read.
        """
        given = {name: value for name, value in vars(self.args).items() if name not in (*INPUTS, *BESIDE)}
        given |= {"judge": Path(given["judge"]).name} if given.get("judge") else {}
        given = {name: value for name, value in given.items() if value is not None or name not in READING}
        record = make_record(self.inputs, **given | options)
        if changed := next((path for path, state in self._found.items() if _state(path) != state), None):
            raise PairsError(f"{changed} was changed while it was read, so nothing is written; run the command again")
        return record

    def write(self, write: Callable[[Path], Any], options: dict[str, Any] | None = None, **facts: Any) -> Any:
        """Write the file and, beside it, its record with further options and facts; return what `write` did."""
        with atomic_write(self.path, inputs=self._spared) as part:
            done = write(part)
            write_record(self.record(**options or {}) | facts, record_of(part))
        return done

    def table(self, table: pd.DataFrame, options: dict[str, Any] | None = None, **facts: Any) -> None:
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
        with atomic_write(self.path, folder=True, inputs=self._spared) as stage:
            yield stage
            record = self.record(**options) | report.pop("record", {})
            write_record(report | {"record": record}, stage / REPORT)

    def say(self, *lines: object) -> None:
        """Print these lines, unless the user wants no notes, or the output is there."""
        for line in () if self.args.quiet or self.args.output == "-" else lines:
            print(line)


def _state(path: str) -> tuple[int, ...] | None:
    """The marks of a file that change when it is written to or replaced; None for one that is missing."""
    with suppress(OSError):
        found = os.stat(path)
        return found.st_ino, found.st_size, found.st_mtime_ns
    return None


def _given(args: Namespace) -> dict[str, str]:
    """The given inputs, by their names in a record; the files of a pattern have numbers."""
    found = {}
    for name in INPUTS:
        if isinstance(path := getattr(args, name, None), str):
            name = getattr(args, "called", "pairs") if name == "file" else name
            paths = paths_of(path) if is_pattern(path) else [path]
            found |= {f"{name} {i}" if len(paths) > 1 else name: str(file) for i, file in enumerate(paths, 1)}
    return found


@contextmanager
def copied(args: Namespace) -> Iterator[None]:
    """Copy inputs that can be read only once (standard input, pipes) to `args.copies`: they are read, then hashed."""
    given = {name: path for name in INPUTS if isinstance(path := getattr(args, name, None), str)}
    if list(given.values()).count("-") > 1:
        raise PairsError("standard input holds one file, not two")
    once = {name: path for name, path in given.items() if path == "-" or Path(path).is_fifo()}
    with tempfile.TemporaryDirectory(prefix="paragraph-") if once else nullcontext() as args.copies:
        for name, path in once.items():
            copy = Path(tempfile.mkdtemp(dir=args.copies), "standard input" if path == "-" else Path(path).name)
            setattr(args, name, str(copy))
            with open(0 if path == "-" else path, "rb", closefd=path != "-") as source, copy.open("wb") as out:
                shutil.copyfileobj(source, out)
        yield


def announce_size(args: Namespace, closures: Iterable[Closure]) -> None:
    """Say how many rows the four datasets of these closures have, before writing; refuse too many without --yes."""
    rows, up_to = 0, ""
    for closure in closures:
        rows += 2 * (closure.graph.n_rows + len(closure.graph.edge_a) + sum(closure.at_most().values()))
        up_to = up_to if closure.max_distance is None else "up to "
    said = f"{up_to}{rows:,} rows"
    if rows > ENORMOUS and not args.yes:
        raise PairsError(
            f"this would write {said}; --yes does so anyway, --max-per-cluster and --max-cluster-size of "
            "`paragraph augment` write less, and `paragraph sample` draws some inferred labels"
        )
    if not args.quiet:
        print(f"writing {said}", flush=True)


def what_was_read(graph: ParaphraseGraph) -> dict[str, Any]:
    """Return the part of a graph's report that goes into a record."""
    return {key: graph.report[key] for key in ("format", "rows", "kept", "notes")}


def conflicts_of(graph: ParaphraseGraph) -> str:
    """Count the conflicts of a graph by kind; a pair may contradict others in two ways."""
    counts = {
        "inside a cluster": np.count_nonzero(graph.negatives_inside),
        "stated both ways": np.count_nonzero(graph.labelled_twice),
        "sentences stated to differ from themselves": len(graph.self_negatives),
    }
    if graph.annotators is not None:
        counts["of these, annotators differ"] = np.count_nonzero(graph.annotators_differ)
    return "conflicts: " + ", ".join(f"{kind}: {count:,}" for kind, count in counts.items())


# -- what is read --------------------------------------------------------------------------------------------


def reading_options(args: Namespace) -> dict[str, Any]:
    """Options of `read_pairs` and `open_pairs`, as the arguments give them."""
    names = ("unlabelled", "on_error", "max_unpacked", "encoding", "votes", "ids")
    options = {"format": args.input} | {name: getattr(args, name) for name in names if getattr(args, name)}
    for name in ("header", "quoting"):
        if getattr(args, name):
            options[name] = getattr(args, name) == "yes"
    if args.leave_out:
        options["leave_out"] = tuple(item.strip() for item in items_of(args.leave_out))
    if args.columns:
        options["columns"] = _columns(args.columns)
    if args.labels and "=" in args.labels:
        options["labels"] = assignments(args.labels, "--labels", lambda v: int(v) if v else None)
    elif args.labels:
        try:
            low, high = map(float, args.labels.split(","))
        except ValueError:
            raise PairsError(f"--labels {args.labels!r} is neither yes=1,no=0 nor two thresholds LOW,HIGH") from None
        options["labels"] = (low, high)
    return options


def _columns(text: str) -> dict[str, Any]:
    """The columns of roles; a name without a role is a further column of a set.

    >>> _columns("text_a=text,set=id,language"), _columns("text_a=0,label=2")
    ({'text_a': 'text', 'set': ['id', 'language']}, {'text_a': 0, 'label': 2})
    """
    named, sets = [], []
    for item in items_of(text, quotes=True):
        if "=" not in item and named and named[-1].lstrip('"').startswith("set="):
            sets.append(item.strip('"'))
        else:
            named.append(item)
    found = assignments(",".join(named), "--columns", lambda name: int(name) if name.isdecimal() else name)
    return found | ({"set": [found["set"], *sets]} if sets else {})


def options_to_say(args: Namespace) -> dict[str, Any]:
    """The options for reading FILE that the file beside it does not have."""
    return left_to_say(args.file, reading_options(args))


def in_shell(args: Namespace) -> str:
    """The options that tell the next command how to read FILE, each after a space."""
    return reading_flags(options_to_say(args) | {"identity": args.identity})


def settle_layout(args: Namespace, graph: ParaphraseGraph) -> None:
    """Keep how FILE was read, if flags said it, and say what becomes of its labels where they do not take answers."""
    report = graph.report
    if args.copies or not report.get("path"):
        return
    given = any(value not in ("auto", None) for value in reading_options(args).values())
    message = remember(args.file, report["options"]) if given else ""
    if message:
        warnings.warn(message, stacklevel=2)
    if report["back"]:
        warnings.warn(f"when answers are written back: {report['back']}", stacklevel=2)


def clean_file(args: Namespace, graph: ParaphraseGraph) -> str:
    """The name that `apply` takes for the corrected copy of FILE; a folder, where no single file was read."""
    return clean_name(graph.report) if graph.report.get("path") else "corrected"


def items_of(text: str, quotes: bool = False) -> list[str]:
    """The items of a list with commas, without the quotes around those that hold one, unless these shall stay."""
    items = re.findall(r'(?:[^,"]|"(?:[^"]|"")*")+', text)
    if quotes:
        return items
    return [re.sub(r'"((?:[^"]|"")*)"', lambda quoted: quoted[1].replace('""', '"'), item) for item in items]


def assignments(text: str, option: str, convert: Callable[[str], Any]) -> dict[str, Any]:
    """The names and values of an option like ``a=1,b=2``; values with a comma are in quotes.

    >>> assignments('"yes, the same=1",a=b=0', "--labels", int)
    {'yes, the same': 1, 'a=b': 0}
    >>> assignments('text_a="first, cleaned",text_b=x=y', "--columns", str)
    {'text_a': 'first, cleaned', 'text_b': 'x=y'}
    """
    try:
        # What has a "=" of its own: a label, before the value; a column, after its role
        split = str.rpartition if option == "--labels" else str.partition
        parts = [split(item, "=") for item in items_of(text)]
        if text.count('"') % 2 or not all(mark for _, mark, _ in parts):
            raise ValueError
        found = {name.strip(): convert(value.strip()) for name, _, value in parts}
    except ValueError:
        how = "has a …: write 1, 0 or nothing there" if "…" in text else "is not a list like a=1,b=2"
        raise PairsError(f"{option} {text!r} {how}") from None
    if len(found) < len(parts):
        raise PairsError(f"{option} {text!r} names one thing twice")
    return found


def the_pairs(args: Namespace, path: str | None = None) -> pd.DataFrame:
    """The pairs of a file, by default of FILE, read as the arguments say."""
    return read_pairs(path or args.file, **reading_options(args))


def the_graph(args: Namespace, path: str | None = None) -> ParaphraseGraph:
    """The graph of a file, or of one or many files coded by an engine."""
    if "engine" in args and (args.engine or args.folder or is_pattern(args.file)):
        from .. import open_pairs  # of a wing

        options = reading_options(args) | {"identity": args.identity, "progress": not args.quiet}
        return open_pairs(path or args.file, args.engine or "auto", args.memory, args.folder, **options).graph
    return ParaphraseGraph.from_pairs(the_pairs(args, path), args.identity)


def the_table(args: Namespace, path: str) -> pd.DataFrame:
    """Read a table with pairs: `text_a`, `text_b`, further columns as text, `row`; a report names the file."""
    table = canonical(read_table(path, args.max_unpacked), Path(path).name)
    table = table.assign(row=table.index)
    table.attrs["report"] = {"source": Path(path).name}
    return table


def read_answers(args: Namespace, path: str | None) -> Any:
    """Read judged pairs from a table (`text_a`, `text_b`, `same`), a log of decisions or its export."""
    from ..decisions.answers import Answers
    from ..decisions.log import records_of

    if path is None:
        return None
    return Answers(records_of(path)) if is_log(path) else the_table(args, path)


def is_log(path: str) -> bool:
    """Return True for a log of decisions or its export, by its first bytes or its name."""
    with open(path, "rb") as file:
        return file.read(16) == b"SQLite format 3\0" or path.endswith(".jsonl")


def spare_judgements(args: Namespace) -> None:
    """Refuse to overwrite a sample in which somebody has judged pairs."""
    if not Path(args.output).is_file():
        return
    try:
        judged = read_answers(args, args.output)
        table = judged if isinstance(judged, pd.DataFrame) else judged.table()
    except PairsError:
        return
    same = table.get("same", pd.Series(dtype="str"))
    if count := int((same.astype("str").str.strip().fillna("") != "").sum()):
        raise PairsError(f"{args.output} holds {count:,} judged pairs, which would be lost; name another output")


# -- what a command takes ------------------------------------------------------------------------------------

#: The meanings of commands' parameters; any other is the argument of that name.
PARAMETERS: dict[str, Callable[[Namespace], Any]] = {
    "args": lambda args: args,
    "progress": lambda args: not args.quiet,
    "out": Output,
    "graph": the_graph,
}


def run(args: Namespace) -> None:
    """Call the command for some arguments; make each of its parameters from them."""
    names = signature(args.run).parameters
    args.run(*(PARAMETERS[name](args) if name in PARAMETERS else getattr(args, name) for name in names))
