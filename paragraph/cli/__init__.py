"""The same verbs from a shell: ``paragraph summary``, ``augment``, ``conflicts``, ``explain`` and so on.

What takes long to import is imported by the functions below, so that Ctrl-C ends that too.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import TYPE_CHECKING

from .interrupt import INTERRUPTED, soon_over

if TYPE_CHECKING:
    from .options import Command

__all__ = ["main", "parser"]


def main(argv: list[str] | None = None) -> int:
    """Run one command; exit status 0, or 2 with the error on stderr, or 130 where Ctrl-C has ended it."""
    try:
        with soon_over():
            return _run(argv)
    except KeyboardInterrupt:
        print("\nparagraph: interrupted", file=sys.stderr, flush=True)
        return INTERRUPTED


def _run(argv: list[str] | None) -> int:
    from ..pairs import PairsError
    from ..pairs.errors import from_shell
    from .common import copied

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
            warnings.simplefilter("ignore", ResourceWarning)  # of no use to whoever types a command
            args.run(args)
        sys.stdout.flush()
        return 0
    except BrokenPipeError:  # the reader of our output has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PairsError, OSError) as error:
        _say(f"paragraph: {error}")
        return 2
    except UnicodeEncodeError as error:  # of a library that knows no other file names than UTF-8
        _say(f"paragraph: {error.object!r} is not UTF-8; name the file otherwise")
        return 2


def _say(message: str) -> None:
    """One line on standard error, however long the message is and whatever a file put in it."""
    from .options import one_line

    print(one_line(message), file=sys.stderr)


def parser() -> Command:
    """The command line."""
    from . import collecting, data, learning, repairing, tagging, texts
    from .options import Command

    top = Command(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help. FILE may be -, for standard input.",
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for topic in (data, learning, repairing, tagging, collecting, texts):  # each holds some commands, and adds them
        topic.add(commands)
    return top
