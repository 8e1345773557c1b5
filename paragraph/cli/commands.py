"""The command line: which commands there are, and a parser that imports the file of the one that is asked for."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from ..pairs.errors import capped, meant
from ..pairs.showing import printable

#: Files of commands, in the order of the help.
FILES = ("data", "repairing", "reviewing", "notebook")


def _commands(file: str) -> dict[str, str]:
    """The names of a file's commands, and what each does: the first line of its docstring."""
    source = Path(__file__).with_name(f"{file}.py").read_text(encoding="utf-8")
    found = re.findall(r'^@command\(\s*"(.+?)".*?"""(.+?)\.?(?:\n|""")', source, re.MULTILINE | re.DOTALL)
    return {name: line[0].lower() + line[1:] for name, line in found}


#: What each command does, by the file that declares it.
COMMANDS = {file: _commands(file) for file in FILES}


class Command(argparse.ArgumentParser):
    """A parser whose errors are one line, and name the option that was meant.

    The arguments of a command stand in a file of its own, which is imported when they are first needed: the libraries
    behind all commands take longer to import than most commands take.
    """

    #: The file that declares the command, and its name.
    declared: tuple[str, str] | None = None

    def filled(self) -> Command:
        """Add the arguments that the command's file declares."""
        if self.declared:
            (file, name), self.declared = self.declared, None
            import_module(f".{file}", __package__)
            from .options import DECLARED, add_arguments

            defaults, declared = DECLARED[name]
            add_arguments(self, declared)
            self.set_defaults(**defaults)
        return self

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse as argparse does, but name the nearest option for an unknown one."""
        found, rest = super(Command, self.filled()).parse_known_args(args, namespace)
        if rest:
            option = next((text for text in rest if text.startswith("--")), "")
            self.error(f"unrecognized arguments: {' '.join(rest)}{meant(option, self._option_string_actions)}")
        return found, rest


def parser() -> Command:
    """Make the command line."""
    top = Command(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help. FILE may be -, for standard input.",
    )
    verbs = top.add_subparsers(metavar="COMMAND", required=True)
    for file, commands in COMMANDS.items():
        for name, help in commands.items():
            verbs.add_parser(name, help=help, description=help).declared = (file, name)
    return top


def one_line(message: str) -> str:
    """A message as one line of a terminal, of moderate length."""
    return capped(printable("; ".join(line.strip() for line in message.splitlines()).replace(":; ", ": ")))
