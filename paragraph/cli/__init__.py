"""The package's verbs as shell commands: ``paragraph summary``, ``augment``, ``conflicts`` and so on."""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from typing import Any, TextIO

__all__ = ["INTERRUPTED", "main"]

#: The exit status of a command that Ctrl-C ended: 128 + the number of SIGINT.
INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run one command; return exit status 0, or 2 with the error on stderr, or 130 if Ctrl-C ended it."""
    try:
        return _run(argv)
    except KeyboardInterrupt:
        print("\nparagraph: interrupted", file=sys.stderr, flush=True)
        return INTERRUPTED


def _run(argv: list[str] | None) -> int:
    from .options import LEARN, parser

    args = parser().parse_args(argv)
    from ..files.errors import PairsError
    from ..files.spelling import from_shell
    from .inputs import check_files
    from .outputs import call

    # None where it is closed
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115 (until the process ends)
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    if isinstance(
        sys.stdout, io.TextIOWrapper
    ):  # UTF-8 like the files, whatever the terminal's own
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    out = _Steady(sys.stdout, r"(\n)")
    err = _Steady(sys.stderr, r"(\n|\r|\x1b\[A)")  # as progress bars move
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            warnings.catch_warnings(),
            from_shell(),
        ):
            warnings.showwarning = lambda message, *_, **__: args.quiet or _say(f"note: {message}")
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", ResourceWarning)  # of no use to whoever types a command
            check_files(args)
            call(args)
            sys.stdout.flush()
        return 0
    except BrokenPipeError:  # the reader of our output has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PairsError, OSError) as error:
        table = getattr(error, "table", "")
        return _fail(str(error).removesuffix(table), table)
    except ModuleNotFoundError as error:
        if error.name not in LEARN:
            raise
        needed = "which is not installed: pip install '.[learn]' in your copy of paragraph"
        return _fail(f"this needs {error.name}, {needed}")


class _Steady:
    """A stream to a terminal that escapes control characters in text (see `shown`). Only `moves` pass."""

    def __init__(self, stream: TextIO, moves: str):
        self._stream = stream
        self._moves = moves

    def write(self, text: str) -> int:
        from ..files.shown import shown

        parts = re.split(self._moves, text)
        parts[::2] = map(shown, parts[::2])
        self._stream.write("".join(parts))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _fail(message: str, table: str = "") -> int:
    for line in (f"paragraph: {message}", *table.splitlines()):
        _say(line)
    return 2


def _say(message: str) -> None:
    """Print a message as one line on standard error, whatever it contains."""
    from .options import one_line

    if (
        "tqdm" in sys.modules
    ):  # where there may be a bar, it is taken away for the line, and drawn again below it
        place = sys.modules["tqdm"].tqdm.external_write_mode(sys.stderr)
    else:
        place = nullcontext()
    with place:
        print(one_line(message), file=sys.stderr)
