"""The same verbs from a shell: ``paragraph summary``, ``augment``, ``conflicts``, ``explain`` and so on."""

from __future__ import annotations

import io
import os
import sys
import warnings

from ..pairs import PairsError
from ..pairs.fetching import FetchError
from . import auditing, data, learning, repairing
from .common import Command, copied

__all__ = ["main", "parser"]

#: Each holds some commands, and the function `add` that adds them to the parser.
TOPICS = (data, learning, auditing, repairing)


def main(argv: list[str] | None = None) -> int:
    """Run one command; exit status 0, or 2 with the error on stderr."""
    args = parser().parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):  # UTF-8 like the files, whatever the terminal's own
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with warnings.catch_warnings(), copied(args):
            warnings.showwarning = lambda message, *_, **__: args.quiet or print(f"note: {message}", file=sys.stderr)
            warnings.simplefilter("always")
            args.run(args)
        sys.stdout.flush()
        return 0
    except BrokenPipeError:  # the reader of our output has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PairsError, FetchError, OSError) as error:
        print(f"paragraph: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("paragraph: interrupted", file=sys.stderr)
        return 2


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
