"""What the commands share: how a file is named and read, what an argument may be, what is recorded."""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from ..graph.store.files import in_order, is_pattern
from ..graph.store.open import ENGINES, open_pairs
from ..graph.variants import extent
from ..pairs import PairsError, read_pairs
from ..pairs.errors import capped
from ..pairs.provenance import make_record
from ..pairs.showing import printable

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Command", "add_command", "assignments", "copied", "count_of", "has_folder", "inputs_of", "is_stored", "learning",
    "lines_of", "one_line", "record_of", "seen", "sentence", "the_graph", "the_pairs", "weigh", "what_was_read",
    "with_record",
]  # fmt: skip

#: Arguments that name a file to read, which may be ``-`` for standard input.
INPUTS = ("file", "test", "dev", "evidence", "judged", "audit", "scores", "texts", "others", "parses")
#: Rows that nobody wants to write by accident.
ENORMOUS = 10**8
#: Options that say how a file is read, and how texts are written.
COMMON = (
    "input", "columns", "labels", "unlabelled", "on_error", "identity", "max_unpacked", "encoding",
    "spreadsheet_safe",
)  # fmt: skip


class Command(argparse.ArgumentParser):
    """A parser with the arguments that commands share."""

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))

    def add_output(self, metavar: str, help: str) -> None:
        self.add_argument("-o", "--output", required=True, metavar=metavar, help=help)

    def add_whole(self, name: str, help: str, default: int | None = None, metavar: str = "N") -> None:
        self.add_argument(name, type=whole, default=default, metavar=metavar, help=help)

    def add_unpacked(self, add: Callable[..., Any]) -> None:
        about = "unpack no compressed file beyond so many gigabytes (default 8)"
        add("--max-unpacked", type=gigabytes, metavar="GB", help=about)

    def add_spreadsheet_safe(self) -> None:
        about = "put ' before texts that a spreadsheet would run as a formula (=, +, -, @); it is taken off when read"
        self.add_argument("--spreadsheet-safe", action="store_true", help=about)

    def add_yes(self) -> None:
        self.add_argument("--yes", action="store_true", help="write even more than 100 million rows")

    def add_negatives(self, default: str = "all") -> None:
        self.add_argument(
            "--negatives", default=default, choices=("all", "clusters"),
            help="infer a negative for every pair of the two clusters, or only where both have two or more sentences",
        )  # fmt: skip

    def add_by(self, help: str) -> None:
        self.add_argument("--by", default="components", choices=("components", "clusters", "pairs"), help=help)


def add_command(commands: Any, run: Any, help: str, file: str | None = "FILE", engines: bool = False) -> Command:
    """A new command named after the function that runs it, with the options that say how to read its files."""
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
        add("--encoding", metavar="NAME", help="of its text, where that is not UTF-8 (cp1252, shift-jis, utf-16 …)")
        sub.add_unpacked(add)
        add("--identity", default="text", choices=("text", "normal", "id"), help="when two spellings are one")
    if engines:
        add = sub.add_argument_group("many files (FILE is a pattern), or more than fits into memory").add_argument
        add("--engine", choices=ENGINES, help="how the pairs are held (default: memory; auto for a pattern)")
        add("--memory", default="8GB", help="what may be used (default 8GB)")
        add("--folder", metavar="DIR", help="where an engine keeps what it made, for the next command")
    return sub


def one_line(message: str) -> str:
    """A message as one line of a terminal, of moderate length."""
    return capped(printable("; ".join(line.strip() for line in message.splitlines()).replace(":; ", ": ")))


def whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def gigabytes(text: str) -> int:
    try:
        found = int(float(text) * 10**9)
    except (ValueError, OverflowError):
        found = -1
    if found < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of gigabytes")
    return found


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


def weigh(args: argparse.Namespace, closures: Iterable[Closure]) -> None:
    """Say how much the four datasets of these closures come to, before they are written; refuse without --yes."""
    found = [(closure, *extent(closure.graph, closure)) for closure in closures]
    rows, size = sum(rows for _, rows, _ in found), sum(size for *_, size in found)
    up_to = "up to " * any(closure.max_distance is not None for closure, *_ in found)
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


def lines_of(path: str) -> list[str]:
    """The lines of a text file. They end as records of a table do: a sentence may hold U+2028 or a form feed."""
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PairsError(f"{path}, line {data[: error.start].count(10) + 1}: not UTF-8") from None
    return re.split(r"\r\n?|\n", re.sub(r"(\r\n?|\n)\Z", "", text)) if text else []


def with_record(path: str) -> tuple[str, str]:
    """A file that is written and the record that goes beside it; refused at once where its folder is missing."""
    has_folder(path)
    return path, f"{path}.record.json"


def has_folder(path: str) -> None:
    """Refuse an output whose folder is missing before hours of work, not after."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise PairsError(f"{path}: there is no folder {str(folder)!r}; make it first, or name another output")


def inputs_of(**given: str) -> dict[str, str]:
    """The files behind some arguments, those of a pattern numbered."""
    found = {name: in_order(path) if is_pattern(path) else [path] for name, path in given.items()}
    return {
        f"{name} {i}" if len(paths) > 1 else name: str(path)
        for name, paths in found.items()
        for i, path in enumerate(paths, 1)
    }


def record_of(args: argparse.Namespace, inputs: dict[str, str], **options: Any) -> dict[str, Any]:
    """The record of an output: its inputs, the options given, those that all commands share, versions."""
    shared = {name: value for name in COMMON if (value := getattr(args, name, None)) is not None}
    return make_record(inputs, **options, **shared)


def what_was_read(pairs: pd.DataFrame | dict[str, Any]) -> dict[str, Any]:
    """What a record keeps of the report of a file."""
    report = pairs if isinstance(pairs, dict) else pairs.attrs["report"]
    return {key: report[key] for key in ("format", "rows", "kept", "notes")}


def count_of(kinds: pd.Series) -> str:
    """So many conflicts, in words, and how many of each kind."""
    each = ", ".join(f"{count:,} {kind}" for kind, count in kinds.value_counts().items())
    return f"{len(kinds):,} conflict{'s' * (len(kinds) != 1)}{': ' * bool(each)}{each}"


def the_options(args: argparse.Namespace) -> dict[str, Any]:
    """How pairs are read, as `read_pairs` and `open_pairs` call it."""
    options = {"format": args.input} | {
        name: getattr(args, name)
        for name in ("unlabelled", "on_error", "max_unpacked", "encoding")
        if getattr(args, name, None)
    }
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


def assignments(text: str, option: str, convert: Callable[[str], Any]) -> dict[str, Any]:
    try:
        parts = [part.split("=", 1) for part in text.split(",")]
        found = {name.strip(): convert(value.strip()) for name, value in parts}
    except ValueError:
        raise PairsError(f"{option} {text!r} is not a list like a=1,b=2") from None
    if len(found) < len(parts):
        raise PairsError(f"{option} {text!r} names one thing twice")
    return found


@contextmanager
def learning() -> Iterator[None]:
    """What needs the optional packages, with an error that says so."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "transformers", "sklearn"):
            raise
        raise PairsError(
            f"this needs {error.name}, which is not installed: pip install 'paragraph-workbench[learn]'"
        ) from None


def seen(model: Any) -> None:
    if model.trained_on:
        print(f"what its weights have seen: {model.trained_on}")
