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
    from .common import Command

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
    from ..pairs.fetching import FetchError
    from .common import copied

    args = parser().parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):  # UTF-8 like the files, whatever the terminal's own
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with warnings.catch_warnings(), from_shell(), copied(args):
            warnings.showwarning = lambda message, *_, **__: args.quiet or print(f"note: {message}", file=sys.stderr)
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", ResourceWarning)  # of no use to whoever types a command
            args.run(args)
        sys.stdout.flush()
        return 0
    except BrokenPipeError:  # the reader of our output has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PairsError, FetchError, OSError) as error:
        print(f"paragraph: {error}", file=sys.stderr)
        return 2


def parser() -> Command:
    """The command line."""
    from . import auditing, data, learning, repairing
    from .common import Command

    top = Command(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help. FILE may be -, for standard input.",
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for topic in (data, learning, auditing, repairing):  # each holds some commands, and adds them
        topic.add(commands)
    return top
