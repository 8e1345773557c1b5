"""The same verbs from a shell: ``paragraph summary``, ``augment``, ``conflicts``, ``explain`` and so on."""

from __future__ import annotations

import io
import os
import sys
import warnings

from ..pairs import PairsError
from ..pairs.errors import from_shell
from ..pairs.fetching import FetchError
from . import data, learning, repairing
from .common import Command, copied, one_line

__all__ = ["main", "parser"]

#: Each holds some commands, and the function `add` that adds them to the parser.
TOPICS = (data, learning, repairing)


def main(argv: list[str] | None = None) -> int:
    """Run one command; exit status 0, or 2 with the error on stderr."""
    args = parser().parse_args(argv)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (until the process ends)
    if sys.stdout is None:
        if not args.quiet:
            print("paragraph: standard output is closed; --quiet goes without", file=sys.stderr)
            return 2
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):  # UTF-8 like the files, whatever the terminal's own
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with warnings.catch_warnings(), from_shell(), copied(args):
            warnings.showwarning = lambda message, *_, **__: args.quiet or _say(f"note: {message}")
            warnings.simplefilter("always")
            args.run(args)
        sys.stdout.flush()
        return 0
    except BrokenPipeError:  # the reader of our output has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PairsError, FetchError, OSError) as error:
        _say(f"paragraph: {error}")
        return 2
    except UnicodeEncodeError as error:  # of a library that knows no other file names than UTF-8
        _say(f"paragraph: {error.object!r} is not UTF-8; name the file otherwise")
        return 2
    except KeyboardInterrupt:
        print("paragraph: interrupted", file=sys.stderr)
        return 2


def _say(message: str) -> None:
    """One line on standard error, however long the message is and whatever a file put in it."""
    print(one_line(message), file=sys.stderr)


def parser() -> Command:
    """The command line."""
    top = Command(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help. FILE may be -, for standard input.",
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for topic in TOPICS:
        topic.add(commands)
    return top
