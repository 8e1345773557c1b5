"""The parser of a command: the arguments that commands share, and what is said of an option that it does not know."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from ..graph.store import ENGINES
from ..pairs.errors import capped, meant
from ..pairs.showing import printable

__all__ = ["Command", "add_command", "one_line", "sentence", "share"]

#: Options with another name now, by command.
RENAMED = {
    "collect --labels": "--judged",
    "fetch --folder": "--output",
    "meta-evaluate --model": "--tagger",
    "score --model": "--tagger",
    "tag --model": "--tagger",
}
#: Options that are gone, and what to do instead.
GONE = {"train --hard": "models trained on hard negatives alone were worse; train on all pairs"}


class Command(argparse.ArgumentParser):
    """A parser with the arguments that commands share."""

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse as argparse does, but name the new option for an old one, and the nearest for an unknown one."""
        for given in (text.split("=")[0] for text in args or ()):
            known = f"{self.prog.split(' ', 1)[-1]} {given}"
            if known in RENAMED:
                self.error(f"{given} is now called {RENAMED[known]}")
            if known in GONE:
                self.error(f"{given} is gone: {GONE[known]}")
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            option = next((text for text in rest if text.startswith("--")), "")
            self.error(f"unrecognized arguments: {' '.join(rest)}{meant(option, self._option_string_actions)}")
        return found, rest

    def add_output(self, metavar: str, help: str) -> None:
        self.add_argument("-o", "--output", required=True, metavar=metavar, help=help)

    def add_whole(self, name: str, help: str, default: int | None = None, metavar: str = "N") -> None:
        self.add_argument(name, type=whole, default=default, metavar=metavar, help=help)

    def add_unpacked(self, group: Any = None) -> None:
        about = "unpack no compressed file beyond so many gigabytes (default 8)"
        (group or self).add_argument("--max-unpacked", type=gigabytes, metavar="GB", help=about)

    def add_spreadsheet_safe(self) -> None:
        about = "put ' before texts that a spreadsheet would run as a formula (=, +, -, @); it is taken off when read"
        self.add_argument("--spreadsheet-safe", action="store_true", help=about)

    def add_yes(self) -> None:
        self.add_argument("--yes", action="store_true", help="write even more than 100 million rows")

    def add_negatives(self, default: str = "all") -> None:
        about = "infer a negative for every pair of the two clusters, or only where both have two or more sentences"
        self.add_argument("--negatives", default=default, choices=("all", "clusters"), help=about)

    def add_by(self, help: str) -> None:
        self.add_argument("--by", default="components", choices=("components", "clusters", "pairs"), help=help)


def add_command(commands: Any, run: Any, help: str, file: str | None = "FILE", engines: bool = False) -> Command:
    """A new command named after the function that runs it, with the options that say how to read its files."""
    sub = commands.add_parser(run.__name__.replace("_", "-"), help=help, description=help)
    sub.set_defaults(run=run)
    sub.add_argument("-q", "--quiet", action="store_true", help="no notes, no progress")
    if file:
        sub.add_argument("file", metavar=file, help="labelled pairs: CSV, TSV, JSONL, Parquet; .gz too")
        group = sub.add_argument_group("how to read the file")
        add = group.add_argument
        add("--input", default="auto", metavar="FORMAT", help="its format (default: by header and content)")
        columns = "which columns hold what; where there is no header, numbers from 0"
        add("--columns", metavar="text_a=…,text_b=…,label=…", help=columns)
        add("--labels", metavar="yes=1,no=0 | LOW,HIGH", help="label map, or two thresholds")
        add("--unlabelled", choices=("error", "keep", "skip"), help="what to do with rows without a label")
        add("--on-error", choices=("error", "skip"), help="bad rows: stop, or skip and count")
        add("--encoding", metavar="NAME", help="of its text, where that is not UTF-8 (cp1252, shift-jis, utf-16 …)")
        sub.add_unpacked(group)
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


def share(text: str) -> float:
    try:
        if 0 <= (found := float(text)) <= 1:
            return found
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")


def sentence(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"{text!r} is not UTF-8") from None
    return text
