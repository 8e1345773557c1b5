"""Declaration of commands: functions whose docstrings are their help, one argument per line.

After the name of an argument stands the word for its value, and after two spaces its help::

    --test TEST   an option that takes a value
    --yes         one that takes none
    log LOG+      a positional argument, one or more times
    -o DIR!       a required option
    --by a|b      one of these words (default a)

The word for a value decides how it is read (`TYPES`). "(default a)" is a value, "(default: none)" a remark. More
deeply indented lines continue the help above them. A block of lines may have a title, for a group in the help.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any, NoReturn

import paragraph as pg

from ..files.errors import capped, did_you_mean
from ..files.names import TEXTS, ending
from ..files.shown import shown

#: What using a model requires: the extra "learn".
LEARN = ("torch", "transformers", "sklearn")
#: By the name of a command: its function, with defaults, and the lines about its arguments.
DECLARED: dict[str, tuple[dict[str, Any], str]] = {}


def command(name: str, *parts: str, **defaults: str) -> Callable[[Callable], Callable]:
    """Declare that the function below is a command, with these arguments and those of its docstring.

    `defaults` are those that the help does not mention.
    """

    def declare(run: Callable) -> Callable:
        _, _, own = cleandoc(run.__doc__).partition("\n\n")
        DECLARED[name] = {"run": run, **defaults}, "\n\n".join([QUIET, *parts, own])
        return run

    return declare


def add_arguments(to: argparse.ArgumentParser, declared: str) -> None:
    """Add to a parser the arguments that the lines declare."""
    for block in re.split(r"\n\n+", re.sub(r"\n {2,}", " ", declared.strip())):
        title, _, lines = block.rpartition(":\n")
        group = to.add_argument_group(title) if title else to
        for line in lines.splitlines():
            _add(group, line)


def _add(to: Any, line: str) -> None:
    names, value, mark, help = re.fullmatch(
        r"(\w+|-\S+(?: -\S+)*) ?(.*?)([!+]?) {2,}(.+)", line
    ).groups()
    settings: dict[str, Any] = {"metavar": value or None, "type": TYPES.get(value)}
    if "|" in value and " " not in value:
        settings = {"choices": value.split("|")}
    elif names[0] == "-" and not value:
        settings = {"action": "store_true"}
    if mark == "!":
        settings["required"] = True
    elif mark:
        settings["nargs"] = mark
    default = re.search(r"\(default ([^):]+)", help)
    if default:
        settings["default"] = default[1]
    to.add_argument(*names.split(), help=help, **settings)


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _level(text: str) -> float:
    with suppress(ValueError):
        if 0 <= float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")


def _text_name(name: str) -> str:
    """The name of a table that is written as text; found out before, as making the table may take long."""
    if ending(name) not in TEXTS:
        raise argparse.ArgumentTypeError(
            f"{name!r} is written as text; end its name in .tsv or .csv"
        )
    return name


#: Readers of values, by the word for the value. With any other word, the value is a text.
TYPES = {"N": _whole, "ID": _whole, "LEVEL": _level, "OUT.tsv": _text_name}

# -- arguments that commands share ---------------------------------------------------------------------------

QUIET = "-q --quiet  no notes, no progress"
SEED = "--seed N  for random draws (default 0)"
SAFE = "--spreadsheet-safe  put ' before texts that a spreadsheet would run; reading removes it"
ALL = """--negatives all|clusters  infer a negative for every pair of the two clusters, or only if both have
    two or more sentences (default all)"""
READING = """
how to read the file:
--input FORMAT  its format (default auto: by header and content)
--columns text_a=…,text_b=…,label=…  names of columns (numbers without a header); "…" around names with a comma
--labels yes=1,no=0,?= | LOW,HIGH  meaning of labels, or two thresholds of a score or a share of votes (HIGH,LOW of a
    distance); all=1 for a file without labels (default, in documented layouts: 1, 0; yes, no; true, false)
--unlabelled error|keep|skip  what to do with rows without a label
--on-error error|skip  bad rows: stop, or skip and count
--header yes|no  the first row of a delimited file names the columns (default: unless --columns counts them)
--quoting yes|no  quotes are marks around fields, or part of the texts (default: as the file suggests)
--leave-out TEXTS  leave out rows with one of these texts, such as NS,#NAME?
--ids two|one  ids in place of texts are of two sources (2 and 2 are two records) or of one (default: two)
--encoding NAME  of its text, if that is not UTF-8 (cp1252, shift-jis, utf-16 …)
--identity text|normal|id  when two spellings are one (default text)
"""
ENGINE = """
many files (FILE is a pattern), or more than fits into memory:
--engine auto|memory|duckdb|spark  where the pairs are held (default: memory; auto for a pattern)
--memory MEMORY  the memory that may be used (default 8GB)
--folder DIR  where an engine keeps its results, for the next command
"""
PAIRS = f"file FILE  labelled pairs: CSV, TSV, JSONL, Parquet; .gz too\n{READING}"
STORED = PAIRS + ENGINE
TABLE = f"-o --output OUT!  - for standard output\n{SAFE}"
TSV = f"-o --output OUT.tsv!  its record goes beside it\n{SAFE}"


#: Files of commands, in the order of the help.
FILES = ("cli.data", "cli.repairing", "cli.opening", *pg._COMMANDS)


def _commands(file: str) -> dict[str, str]:
    """The names of a file's commands, each with its description: the first line of its docstring."""
    path = Path(pg.__file__).parent.joinpath(*file.split(".")).with_suffix(".py")
    if not path.exists():  # the core runs without its wings
        return {}
    source = path.read_text(encoding="utf-8")
    found = re.findall(
        r'^@command\(\s*"(.+?)".*?"""(.+?)\.?(?:\n|""")', source, re.MULTILINE | re.DOTALL
    )
    return {name: line[0].lower() + line[1:] for name, line in found}


#: The descriptions of the commands, by the file that declares them.
COMMANDS = {file: _commands(file) for file in FILES}


class Command(argparse.ArgumentParser):
    """A parser whose errors take one line and name the nearest option.

    The arguments of a command are in their own file, which is imported when they are first needed: importing the
    libraries behind all commands takes longer than most commands.
    """

    #: The file that declares the command, and its name.
    declared: tuple[str, str] | None = None

    def filled(self) -> Command:
        """Add the arguments that the command's file declares."""
        if self.declared:
            file, name = self.declared
            self.declared = None
            import_module(f"{pg.__name__}.{file}")
            defaults, declared = DECLARED[name]
            add_arguments(self, declared)
            self.set_defaults(**defaults)
        return self

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))

    def parse_known_args(
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parse as argparse does, but name the nearest option for an unknown one."""
        found, rest = super(Command, self.filled()).parse_known_args(args, namespace)
        if rest:
            option = next((text for text in rest if text.startswith("--")), "")
            self.error(
                f"unrecognized arguments: {' '.join(rest)}{did_you_mean(option, self._option_string_actions)}"
            )
        return found, rest


def parser() -> Command:
    """Make the command line."""
    top = Command(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help.",
    )
    verbs = top.add_subparsers(metavar="COMMAND", required=True)
    for file, commands in COMMANDS.items():
        for name, help in commands.items():
            verbs.add_parser(name, help=help, description=help).declared = (file, name)
    return top


def one_line(message: str) -> str:
    """A message as one line of a terminal, of moderate length."""
    return capped(
        shown("; ".join(line.strip() for line in message.splitlines()).replace(":; ", ": "))
    )
