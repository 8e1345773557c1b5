"""Commands as they are declared: a name, a help text and options above the function; and the parser made of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..graph.store import ENGINES
from ..pairs.errors import capped, meant
from ..pairs.showing import printable

#: What earlier versions took, by command, and what to do instead.
OLD = {
    "collect --labels": "is now called --judged",
    "fetch --folder": "is now called --output",
    "generate --by substitution": "is gone: use --by cluster, or --by seq2seq with a model",
    "meta-evaluate --model": "is now called --tagger",
    "score --model": "is now called --tagger",
    "tag --model": "is now called --tagger",
    "train --hard": "is gone: models trained on hard negatives alone were worse; train on all pairs",
}
#: The functions behind all commands, by the words of a command.
COMMANDS: dict[str, Callable[[argparse.Namespace], None]] = {}


class Command(argparse.ArgumentParser):
    """A parser whose errors are one line, and name the option that was meant."""

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse as argparse does, but name the new option for an old one, and the nearest for an unknown one."""
        given = f"{self.prog} {' '.join(args or ())} ".replace("=", " ")
        for old, instead in OLD.items():
            command, _, option = old.partition(" ")
            if self.prog.endswith(f" {command}") and f" {option} " in given:
                self.error(f"{option} {instead}")
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            option = next((text for text in rest if text.startswith("--")), "")
            self.error(f"unrecognized arguments: {' '.join(rest)}{meant(option, self._option_string_actions)}")
        return found, rest


class Part:
    """Arguments of a command. As a decorator, it gives them to the command declared below it."""

    def __init__(self, add: Callable[[Any], object]):
        self.add = add

    def __call__(self, run: Callable) -> Callable:
        run.parts = [self, *getattr(run, "parts", [])]
        return run


def command(words: str, help: str, *parts: Part) -> Callable[[Callable], Callable]:
    """Declare that the function below is a command, with these arguments and those between."""

    def declare(run: Callable) -> Callable:
        run.help, run.parts = help, [*parts, *getattr(run, "parts", [])]
        COMMANDS[words] = run
        return run

    return declare


def parser() -> Command:
    """Make the command line of all commands that are declared."""
    top = Command(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help. FILE may be -, for standard input.",
    )
    groups = {"": top.add_subparsers(metavar="COMMAND", required=True)}
    for words, run in COMMANDS.items():
        group, _, name = words.rpartition(" ")
        if group not in groups:
            about = "re-run an experiment of the literature; the same command again continues where it stopped"
            inner = groups[""].add_parser(group, help=about, description=about)
            groups[group] = inner.add_subparsers(metavar=group.upper(), required=True, help="which")
        sub = groups[group].add_parser(name, help=run.help, description=run.help)
        sub.set_defaults(run=run)
        for part in (QUIET, *run.parts):
            part.add(sub)
    return top


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


def one_line(message: str) -> str:
    """A message as one line of a terminal, of moderate length."""
    return capped(printable("; ".join(line.strip() for line in message.splitlines()).replace(":; ", ": ")))


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
UNPACK = "unpack no compressed file beyond so many gigabytes (default 8)"
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
