"""Steps that commands share: read the files that arguments name, write outputs with a record of their making."""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from ..graph.store import open_pairs
from ..graph.store.files import in_order, is_pattern
from ..graph.variants import extent
from ..pairs import PairsError, read_pairs
from ..pairs.columns import canonical
from ..pairs.opening import UNPACKED
from ..pairs.outputs import beside, make_record, spare, together, write_json, write_record
from ..pairs.read import read_table
from ..pairs.write import write_table

__all__ = [
    "Output", "assignments", "copied", "count_of", "is_stored", "learning", "lines_of", "read_judged", "seen",
    "sentences_of", "the_graph", "the_pairs", "the_table", "weigh", "what_was_read",
]  # fmt: skip

#: Arguments that name a file to read, which may be ``-`` for standard input.
INPUTS = ("file", "test", "dev", "evidence", "judged", "audit", "scores", "texts", "others", "parses")
#: Further arguments that are no option of the result: a record names files without their folders, and no output.
BESIDE = ("run", "quiet", "json", "yes", "output", "save", "log", "more", "vectors", "mrpc", "engine", "memory")
BESIDE += ("folder", "annotator")
#: Options that say how a file is read; a record has those that are given.
READING = ("input", "columns", "labels", "unlabelled", "on_error", "identity", "max_unpacked", "encoding")
#: Arguments that may be a path, of which a record keeps the name.
NAMED = ("model", "encoder", "tagger", "generator")
#: Rows that nobody wants to write by accident.
ENORMOUS = 10**8


class Output:
    """Outputs of a command: no input is written over, nothing half done is seen, a record says how it was made.

    Parameters
    ----------
    args : argparse.Namespace
        With `output`.
    inputs : dict
        Paths of files, of folders or patterns of files, by name; None where one is not given.
    files : iterable of path, optional
        What is written in the folder `output`. Default: the file `output` and its record.
    spared : iterable of path
        Further files that no output may be.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        inputs: dict[str, str | None],
        files: Iterable[str | Path] | None = None,
        spared: Iterable[str | Path] = (),
    ):
        self.args, self.inputs = args, _files_in(inputs)
        self.path = Path(args.output or "-")
        if files is not None:
            places = [self.path / file for file in files]
        elif not args.output or self.path.parent.is_dir():
            places = [self.path, Path(f"{self.path}.record.json")]
        else:
            folder = str(self.path.parent)
            raise PairsError(f"{self.path}: there is no folder {folder!r}; make it first, or name another output")
        spare([*self.inputs.values(), *spared], *places)

    def record(self, **options: Any) -> dict[str, Any]:
        """The record of the output: its inputs, the options of the command, further ones, versions."""
        given = {name: value for name, value in vars(self.args).items() if name not in (*INPUTS, *BESIDE)}
        given |= {name: Path(given[name]).name for name in NAMED if isinstance(given.get(name), str)}
        given = {name: value for name, value in given.items() if value is not None or name not in READING}
        return make_record(self.inputs, **given | options)

    def write(self, write: Callable[[Path], Any], options: dict[str, Any] | None = None, **facts: Any) -> None:
        """Write the file and, beside it, its record with further options and facts."""
        with beside(self.path) as part:
            write(part)
            write_record(part, self.record(**options or {}) | facts)

    def table(self, table: pd.DataFrame, options: dict[str, Any] | None = None, **facts: Any) -> None:
        """Write a table as TSV, what is missing empty; see `write`."""
        full = table.astype(object).where(table.notna(), "")
        safe = getattr(self.args, "spreadsheet_safe", False)
        self.write(lambda part: write_table(full, part, safe), options, **facts)

    @contextmanager
    def folder(self, report: dict[str, Any], name: str = "report.json", **options: Any) -> Iterator[Path]:
        """Where to write the files of a folder; the report, which the block may fill, goes with them."""
        with together(self.path) as stage:
            yield stage
            write_json(report | {"record": self.record(**options) | report.pop("record", {})}, stage / name)


def _files_in(inputs: dict[str, str | None]) -> dict[str, str]:
    """Inputs by name: the files of a pattern numbered, those of a folder with their own names."""
    found = {}
    for name, path in inputs.items():
        if path is None:
            continue
        paths = in_order(path) if is_pattern(path) else [path]
        numbered = {f"{name} {i}" if len(paths) > 1 else name: str(file) for i, file in enumerate(paths, 1)}
        files = sorted(filter(Path.is_file, Path(path).iterdir())) if Path(path).is_dir() else []
        found |= {f"{name}, {file.name}": str(file) for file in files} or numbered
    return found


@contextmanager
def copied(args: argparse.Namespace) -> Iterator[None]:
    """Copies of inputs that can be read only once (standard input, pipes): they are read, then hashed."""
    given = {name: getattr(args, name, None) for name in INPUTS}
    given = {name: path for name, path in given.items() if isinstance(path, str)}
    if list(given.values()).count("-") > 1:
        raise PairsError("standard input holds one file, not two")
    with tempfile.TemporaryDirectory(prefix="paragraph-") as folder:
        for name, path in given.items():
            if path == "-" or Path(path).is_fifo():
                copy = Path(tempfile.mkdtemp(dir=folder), "standard input" if path == "-" else Path(path).name)
                setattr(args, name, str(copy))
                with open(0 if path == "-" else path, "rb", closefd=path != "-") as source, copy.open("wb") as out:
                    shutil.copyfileobj(source, out)
        yield


def weigh(args: argparse.Namespace, closures: Iterable[Closure]) -> None:
    """Say how much the four datasets of these closures come to, before they are written; refuse without --yes."""
    found = [(closure, *extent(closure.graph, closure)) for closure in closures]
    rows, size = sum(rows for _, rows, _ in found), sum(size for *_, size in found)
    up_to = "up to " if any(closure.max_distance is not None for closure, *_ in found) else ""
    said = f"{up_to}{rows:,} rows, about {in_bytes(size)} as TSV"
    if rows > ENORMOUS and not args.yes:
        raise PairsError(
            f"this would write {said}; --yes does so all the same, --max-per-cluster and --max-cluster-size of "
            "`paragraph augment` write less, and `sample` in Python draws from what follows"
        )
    if not args.quiet:
        print(f"writing {said}", flush=True)


def in_bytes(size: float) -> str:
    """A number of bytes as people say it.

    >>> in_bytes(999), in_bytes(1_234_567), in_bytes(2.5e15)
    ('999 bytes', '1.2 MB', '2,500.0 TB')
    """
    if size < 1000:
        return f"{size:.0f} bytes"
    for unit in ("kB", "MB", "GB", "TB"):
        size /= 1000
        if size < 1000 or unit == "TB":
            break
    return f"{size:,.1f} {unit}"


def what_was_read(pairs: pd.DataFrame | dict[str, Any]) -> dict[str, Any]:
    """What a record keeps of the report of a file."""
    report = pairs if isinstance(pairs, dict) else pairs.attrs["report"]
    return {key: report[key] for key in ("format", "rows", "kept", "notes")}


def count_of(kinds: pd.Series) -> str:
    """So many conflicts, in words, and how many of each kind."""
    counted = f"{len(kinds):,} conflict{'' if len(kinds) == 1 else 's'}"
    each = ", ".join(f"{count:,} {kind}" for kind, count in kinds.value_counts().items())
    return f"{counted}: {each}" if each else counted


# -- what is read --------------------------------------------------------------------------------------------


def the_options(args: argparse.Namespace) -> dict[str, Any]:
    """How pairs are read, as `read_pairs` and `open_pairs` call it."""
    names = ("unlabelled", "on_error", "max_unpacked", "encoding")
    options = {"format": args.input} | {name: getattr(args, name) for name in names if getattr(args, name)}
    if args.columns:
        options["columns"] = assignments(args.columns, "--columns", lambda v: int(v) if v.isdecimal() else v)
    if args.labels and "=" in args.labels:
        options["labels"] = assignments(args.labels, "--labels", lambda v: int(v) if v else None)
    elif args.labels:
        try:
            low, high = map(float, args.labels.split(","))
        except ValueError:
            raise PairsError(f"--labels {args.labels!r} is neither yes=1,no=0 nor two thresholds LOW,HIGH") from None
        options["labels"] = (low, high)
    return options


def the_pairs(args: argparse.Namespace, path: str | None = None) -> pd.DataFrame:
    """The pairs of a file, by default of FILE, read as the arguments say."""
    return read_pairs(path or args.file, **the_options(args))


def is_stored(args: argparse.Namespace) -> bool:
    """Whether an engine reads the pairs: one is named, or a folder for it, or many files."""
    return hasattr(args, "engine") and bool(args.engine or args.folder or is_pattern(args.file))


def the_graph(args: argparse.Namespace, path: str | None = None) -> ParaphraseGraph:
    """The graph of a file, or of what an engine makes of one, or of many."""
    if is_stored(args):
        options = the_options(args) | {"identity": args.identity, "progress": not args.quiet}
        return open_pairs(path or args.file, args.engine or "auto", args.memory, args.folder, **options).graph
    return ParaphraseGraph.from_pairs(the_pairs(args, path), args.identity)


def the_table(args: argparse.Namespace, path: str) -> pd.DataFrame:
    """Any table with pairs: `text_a`, `text_b`, further columns as text, `row`, and a report that names the file."""
    table = canonical(read_table(path, args.max_unpacked or UNPACKED), Path(path).name)
    table = table.assign(row=table.index)
    table.attrs["report"] = {"source": Path(path).name}
    return table


def read_judged(args: argparse.Namespace, path: str | None) -> pd.DataFrame | None:
    """A table of judged pairs (`text_a`, `text_b`, `same`), or what a log of decisions or its export says."""
    from ..decisions.log import records_of
    from ..decisions.records import standing, verdicts

    if path is None:
        return None
    with open(path, "rb") as file:
        is_log = file.read(16) == b"SQLite format 3\0" or path.endswith(".jsonl")
    table = None if is_log else the_table(args, path)
    if is_log or {"decision", "reviewer"} <= {*table}:
        return verdicts(standing(records_of(path)))
    return table


def lines_of(path: str) -> list[str]:
    """The lines of a text file. They end as records of a table do: a sentence may hold U+2028 or a form feed."""
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PairsError(f"{path}, line {data[: error.start].count(10) + 1}: not UTF-8") from None
    return re.split(r"\r\n?|\n", re.sub(r"(\r\n?|\n)\Z", "", text)) if text else []


def sentences_of(path: str, quiet: bool) -> list[str]:
    """The different sentences of a file, one a line."""
    lines = lines_of(path)
    counts = Counter(line.strip() for line in lines)
    blank = counts.pop("", 0)
    if not counts:
        raise PairsError(f"{path} holds no sentence")
    again = len(lines) - blank - len(counts)
    if (again or blank) and not quiet:
        print(f"{path}: {len(counts):,} sentences; left out: {again:,} lines that repeat one, {blank:,} blank")
    return list(counts)


def assignments(text: str, option: str, convert: Callable[[str], Any]) -> dict[str, Any]:
    """The names and values of an option like ``a=1,b=2``."""
    try:
        parts = [part.split("=", 1) for part in text.split(",")]
        found = {name.strip(): convert(value.strip()) for name, value in parts}
    except ValueError:
        raise PairsError(f"{option} {text!r} is not a list like a=1,b=2") from None
    if len(found) < len(parts):
        raise PairsError(f"{option} {text!r} names one thing twice")
    return found


# -- models --------------------------------------------------------------------------------------------------


@contextmanager
def learning() -> Iterator[None]:
    """Say what to install where a package of the extra "learn" is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "transformers", "sklearn"):
            raise
        raise PairsError(
            f"this needs {error.name}, which is not installed: pip install 'paragraph-workbench[learn]'"
        ) from None


def the_tagger(args: argparse.Namespace) -> Any:
    """The tagger that the arguments name: a folder, "default" (the one that ships) or "none"."""
    if args.tagger == "none":
        return None
    with learning():
        from .. import learn

        found = learn.default_tagger() if args.tagger == "default" else learn.load_tagger(args.tagger)
    found.progress = not args.quiet
    return found


def seen(model: Any) -> None:
    """Print what the pretrained weights of a model were trained on."""
    if model.trained_on:
        print(f"what its weights have seen: {model.trained_on}")
