"""Commands as they are declared: a name and arguments above the function."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.store import ENGINES

#: The functions behind the commands whose files are imported, by the words of a command.
DECLARED: dict[str, Callable[[argparse.Namespace], None]] = {}


class Part:
    """Arguments of a command. As a decorator, it gives them to the command declared below it."""

    def __init__(self, add: Callable[[Any], object]):
        self.add = add

    def __call__(self, run: Callable) -> Callable:
        run.parts = [self, *getattr(run, "parts", [])]
        return run


def command(words: str, *parts: Part) -> Callable[[Callable], Callable]:
    """Declare that the function below is a command, with these arguments and those between."""

    def declare(run: Callable) -> Callable:
        run.parts = [QUIET, *parts, *getattr(run, "parts", [])]
        DECLARED[words] = run
        return run

    return declare


# -- arguments -----------------------------------------------------------------------------------------------


def option(name: str, help: str, metavar: str | None = None, **settings: Any) -> Part:
    """An argument; its help text names the default, where there is one and the text does not say more of it."""
    if settings.get("default") is not None and "default" not in help:
        help += " (default %(default)s)"
    return Part(lambda to: to.add_argument(*name.split(), help=help, metavar=metavar, **settings))


def flag(name: str, help: str) -> Part:
    return Part(lambda to: to.add_argument(*name.split(), action="store_true", help=help))


def choice(name: str, help: str, *choices: str) -> Part:
    """One of some words, by default the first."""
    return option(name, help, choices=choices, default=choices[0])


def whole(name: str, help: str, default: int | None = None, metavar: str = "N") -> Part:
    return option(name, help, metavar, type=_whole, default=default)


def output(metavar: str, help: str = "its record goes beside it", required: bool = True) -> Part:
    return option("-o --output", help, metavar, required=required)


def parts(*several: Part) -> Part:
    return Part(lambda to: _add(to, several))


def group(title: str, *parts: Part) -> Part:
    return Part(lambda to: _add(to.add_argument_group(title), parts))


def one_of(*parts: Part) -> Part:
    return Part(lambda to: _add(to.add_mutually_exclusive_group(required=True), parts))


def _add(to: Any, parts: Sequence[Part]) -> None:
    for part in parts:
        part.add(to)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def number(most: float, what: str, times: float = 1.0) -> Callable[[str], float]:
    """A function that reads a number from 0 up to `most`, times a unit."""

    def read(text: str) -> float:
        try:
            if 0 <= (found := float(text)) <= most:
                return type(times)(found * times)
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"{text!r} is not a number {what}")

    return read


# -- arguments that commands share ---------------------------------------------------------------------------

QUIET = flag("-q --quiet", "no notes, no progress")
SEED = whole("--seed", "of what is drawn at random", 0)
SAFE = flag("--spreadsheet-safe", "put ' before texts that a spreadsheet would run; it is taken off when read")
NEGATIVES = "infer a negative for every pair of the two clusters, or only where both have two or more sentences"
ALL = choice("--negatives", NEGATIVES, "all", "clusters")
CLUSTERS = choice("--negatives", NEGATIVES, "clusters", "all")
UNPACK = "unpack no compressed file beyond so many gigabytes (default 8, or half of the free memory)"
GB = option("--max-unpacked", UNPACK, "GB", type=number(1e9, "of gigabytes", 10**9))
READING = group(
    "how to read the file",
    option("--input", "its format (default: by header and content)", "FORMAT", default="auto"),
    option(
        "--columns",
        'which hold what (numbers without a header); "…" around what has a comma',
        "text_a=…,text_b=…,label=…",
    ),
    option("--labels", "label map, or two thresholds (default: 1, 0; yes, no; true, false)", "yes=1,no=0 | LOW,HIGH"),
    option("--unlabelled", "what to do with rows without a label", choices=("error", "keep", "skip")),
    option("--on-error", "bad rows: stop, or skip and count", choices=("error", "skip")),
    option("--encoding", "of its text, where that is not UTF-8 (cp1252, shift-jis, utf-16 …)", "NAME"),
    GB,
    choice("--identity", "when two spellings are one", "text", "normal", "id"),
)
ENGINE = group(
    "many files (FILE is a pattern), or more than fits into memory",
    option("--engine", "how the pairs are held (default: memory; auto for a pattern)", choices=ENGINES),
    option("--memory", "what may be used", default="8GB"),
    option("--folder", "where an engine keeps what it made, for the next command", "DIR"),
)
FILE = "labelled pairs: CSV, TSV, JSONL, Parquet; .gz too"
PAIRS, TRAINED = (parts(option("file", FILE, name), READING) for name in ("FILE", "TRAIN"))
STORED, TRAIN = parts(PAIRS, ENGINE), parts(TRAINED, ENGINE)
TABLE = parts(output("OUT.tsv", "- for standard output"), SAFE)
TSV = parts(output("OUT.tsv"), SAFE)
MRPC = option("--mrpc", "the folder of MRPC, whose sentences ETPC's tags are on", "DIR")
