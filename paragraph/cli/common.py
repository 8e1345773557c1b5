"""What the commands share: how a file is named and read, and what an argument may be."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..pairs import PairsError, read_pairs

if TYPE_CHECKING:
    import pandas as pd

    from ..graph import ParaphraseGraph

__all__ = ["add_command", "assignments", "copied", "reading", "sentence", "spare", "the_graph", "the_pairs", "whole"]

#: Arguments that name a file to read, which may be ``-`` for standard input.
INPUTS = ("file", "test", "dev", "evidence")


def add_command(commands: Any, run: Any, help: str, file: str | None = "FILE") -> argparse.ArgumentParser:
    """A new command named after the function that runs it, with the options that say how to read its file."""
    sub = commands.add_parser(run.__name__.replace("_", "-"), help=help, description=help)
    sub.set_defaults(run=run)
    sub.add_argument("-q", "--quiet", action="store_true", help="no notes, no progress")
    if file:
        sub.add_argument("file", metavar=file, help="labelled pairs: CSV, TSV, JSONL, Parquet; .gz too")
        reading = sub.add_argument_group("how to read the file")
        reading.add_argument("--input", default="auto", metavar="FORMAT", help="its format (default: look at it)")
        reading.add_argument(
            "--columns",
            metavar="text_a=…,text_b=…,label=…",
            help="which columns hold what; where there is no header, numbers from 0",
        )
        reading.add_argument("--labels", metavar="yes=1,no=0 | LOW,HIGH", help="label map, or two thresholds")
        reading.add_argument("--unlabelled", choices=("error", "keep", "skip"), help="rows without a label")
        reading.add_argument("--on-error", choices=("error", "skip"), help="bad rows: stop, or skip and count")
        reading.add_argument(
            "--identity",
            default="text",
            choices=("text", "normal", "id"),
            help="when two spellings are one",
        )
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
                with (
                    open(0 if path == "-" else path, "rb", closefd=path != "-") as source,
                    copy.open("wb") as out,
                ):
                    shutil.copyfileobj(source, out)
        yield


def spare(inputs: dict[str, str], *outputs: str | Path) -> None:
    """Refuse to write over what was read."""
    for path in outputs:
        if os.path.exists(path) and any(os.path.samefile(path, given) for given in inputs.values()):
            raise PairsError(f"{path} is the input and would be written over; name another output")


def reading(args: argparse.Namespace) -> dict[str, Any]:
    return {
        name: value
        for name in ("input", "columns", "labels", "unlabelled", "on_error", "identity")
        if (value := getattr(args, name)) is not None
    }


def the_pairs(args: argparse.Namespace, path: str | None = None) -> pd.DataFrame:
    options: dict[str, Any] = {"format": args.input}
    if args.columns:
        options["columns"] = assignments(args.columns, "--columns", lambda v: int(v) if v.isdecimal() else v)
    if args.labels:
        if "=" in args.labels:
            options["labels"] = assignments(args.labels, "--labels", lambda v: int(v) if v else None)
        else:
            try:
                low, high = map(float, args.labels.split(","))
            except ValueError:
                raise PairsError(
                    f"--labels {args.labels!r} is neither yes=1,no=0 nor two thresholds LOW,HIGH"
                ) from None
            options["labels"] = (low, high)
    if args.unlabelled:
        options["unlabelled"] = args.unlabelled
    if args.on_error:
        options["on_error"] = args.on_error
    return read_pairs(path or args.file, **options)


def the_graph(args: argparse.Namespace, path: str | None = None) -> ParaphraseGraph:
    from ..graph import ParaphraseGraph

    return ParaphraseGraph.from_pairs(the_pairs(args, path), args.identity)


def assignments(text: str, option: str, convert: Any) -> dict[str, Any]:
    try:
        return {
            name.strip(): convert(value.strip()) for name, value in (part.split("=", 1) for part in text.split(","))
        }
    except ValueError:
        raise PairsError(f"{option} {text!r} is not a list like a=1,b=2") from None
