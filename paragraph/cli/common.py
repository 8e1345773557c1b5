"""What the commands share: how a file is named and read, what an argument may be, what is recorded."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from ..graph import ParaphraseGraph
from ..pairs import PairsError, read_pairs
from ..pairs.columns import canonical
from ..pairs.provenance import make_record

__all__ = [
    "Command", "add_command", "assignments", "copied", "count_of", "record_of", "sentence", "spare", "text_table",
    "the_graph", "the_pairs", "what_was_read",
]  # fmt: skip

#: Arguments that name a file to read, which may be ``-`` for standard input.
INPUTS = ("file", "test", "dev", "evidence", "judged", "audit")
#: Options that say how a file is read.
READING = ("input", "columns", "labels", "unlabelled", "on_error", "identity")


class Command(argparse.ArgumentParser):
    """A parser with the arguments that commands share."""

    def add_output(self, metavar: str, help: str) -> None:
        self.add_argument("-o", "--output", required=True, metavar=metavar, help=help)

    def add_whole(self, name: str, help: str, default: int | None = None, metavar: str = "N") -> None:
        self.add_argument(name, type=whole, default=default, metavar=metavar, help=help)

    def add_negatives(self, default: str = "all") -> None:
        self.add_argument(
            "--negatives", default=default, choices=("all", "clusters"),
            help="infer a negative for every pair of the two clusters, or only where both have two or more sentences",
        )  # fmt: skip

    def add_by(self, help: str) -> None:
        self.add_argument("--by", default="components", choices=("components", "clusters", "pairs"), help=help)


def add_command(commands: Any, run: Any, help: str, file: str | None = "FILE") -> Command:
    """A new command named after the function that runs it, with the options that say how to read its file."""
    sub = commands.add_parser(run.__name__.replace("_", "-"), help=help, description=help)
    sub.set_defaults(run=run)
    sub.add_argument("-q", "--quiet", action="store_true", help="no notes, no progress")
    if file:
        sub.add_argument("file", metavar=file, help="labelled pairs: CSV, TSV, JSONL, Parquet; .gz too")
        add = sub.add_argument_group("how to read the file").add_argument
        add("--input", default="auto", metavar="FORMAT", help="its format (default: by header and content)")
        add(
            "--columns",
            metavar="text_a=…,text_b=…,label=…",
            help="which columns hold what; where there is no header, numbers from 0",
        )
        add("--labels", metavar="yes=1,no=0 | LOW,HIGH", help="label map, or two thresholds")
        add("--unlabelled", choices=("error", "keep", "skip"), help="what to do with rows without a label")
        add("--on-error", choices=("error", "skip"), help="bad rows: stop, or skip and count")
        add("--identity", default="text", choices=("text", "normal", "id"), help="when two spellings are one")
    return sub


def whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def sentence(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"{text!r} is not UTF-8") from None
    return text


@contextmanager
def copied(args: argparse.Namespace) -> Iterator[None]:
    """Copies of inputs that can be read only once (standard input, pipes): they are read, then hashed."""
    given = {name: getattr(args, name, None) for name in INPUTS}
    if list(given.values()).count("-") > 1:
        raise PairsError("standard input holds one file, not two")
    with tempfile.TemporaryDirectory(prefix="paragraph-") as folder:
        for name, path in given.items():
            if path == "-" or Path(path or "").is_fifo():
                copy = Path(tempfile.mkdtemp(dir=folder), "standard input" if path == "-" else Path(path).name)
                setattr(args, name, str(copy))
                with open(0 if path == "-" else path, "rb", closefd=path != "-") as source, copy.open("wb") as out:
                    shutil.copyfileobj(source, out)
        yield


def spare(inputs: dict[str, str], *outputs: str | Path) -> None:
    """Refuse to write over what was read."""
    for path in outputs:
        if os.path.exists(path) and any(os.path.samefile(path, given) for given in inputs.values()):
            raise PairsError(f"{path} is the input and would be written over; name another output")


def record_of(args: argparse.Namespace, inputs: dict[str, str], **options: Any) -> dict[str, Any]:
    """The record of an output: its inputs, the options given, those that say how the files are read, versions."""
    read = {name: value for name in READING if (value := getattr(args, name)) is not None}
    return make_record(inputs, **options, **read)


def what_was_read(pairs: pd.DataFrame) -> dict[str, Any]:
    """What a record keeps of the report of a file."""
    return {key: pairs.attrs["report"][key] for key in ("format", "rows", "kept", "notes")}


def count_of(kinds: pd.Series) -> str:
    """So many conflicts, in words, and how many of each kind."""
    each = ", ".join(f"{count:,} {kind}" for kind, count in kinds.value_counts().items())
    return f"{len(kinds):,} conflict{'s' * (len(kinds) != 1)}{': ' * bool(each)}{each}"


def the_pairs(args: argparse.Namespace, path: str | None = None) -> pd.DataFrame:
    options = {name: getattr(args, name) for name in ("unlabelled", "on_error") if getattr(args, name)}
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
    return read_pairs(path or args.file, args.input, **options)


def the_graph(args: argparse.Namespace, path: str | None = None) -> ParaphraseGraph:
    return ParaphraseGraph.from_pairs(the_pairs(args, path), args.identity)


def text_table(path: str) -> pd.DataFrame:
    """A file of pairs with any columns, all of them text: tab-separated, or by commas where its name ends so."""
    separator = "," if path.removesuffix(".gz").endswith(".csv") else "\t"
    try:
        table = pd.read_csv(path, sep=separator, dtype="str", keep_default_na=False, encoding="utf-8-sig")
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise PairsError(f"{Path(path).name}: {error}") from None
    return canonical(table, Path(path).name)


def assignments(text: str, option: str, convert: Callable[[str], Any]) -> dict[str, Any]:
    try:
        parts = (part.split("=", 1) for part in text.split(","))
        return {name.strip(): convert(value.strip()) for name, value in parts}
    except ValueError:
        raise PairsError(f"{option} {text!r} is not a list like a=1,b=2") from None
