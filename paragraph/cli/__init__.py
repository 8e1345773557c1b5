"""The same verbs from a shell: ``paragraph summary``, ``augment``, ``conflicts``, ``explain`` and so on.

What takes long to import is imported by the functions below, so that Ctrl-C ends that too.
"""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from types import FrameType

__all__ = ["INTERRUPTED", "main"]

#: The exit status of a command that Ctrl-C has ended: 128 + the number of SIGINT.
INTERRUPTED = 130
_PATIENCE = 1.0  # seconds
_AGAIN = 0.01  # seconds
#: Packages of the extra "learn".
_LEARN = ("torch", "transformers", "sklearn")


def main(argv: list[str] | None = None) -> int:
    """Run one command; exit status 0, or 2 with the error on stderr, or 130 where Ctrl-C has ended it."""
    try:
        with _soon_over():
            return _run(argv)
    except KeyboardInterrupt:
        print("\nparagraph: interrupted", file=sys.stderr, flush=True)
        return INTERRUPTED


def _run(argv: list[str] | None) -> int:
    from .commands import parser

    args = parser().parse_args(argv)
    from ..pairs.errors import PairsError, from_shell
    from .files import copied

    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (until the process ends)
    if sys.stdout is None:
        if not args.quiet:
            return _failed("standard output is closed; --quiet goes without")
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
        return _failed(str(error))
    except UnicodeEncodeError as error:  # of a library that knows no other file names than UTF-8
        return _failed(f"{error.object!r} is not UTF-8; spell it otherwise")
    except ModuleNotFoundError as error:
        if error.name not in _LEARN:
            raise
        return _failed(
            f"this needs {error.name}, which is not installed: pip install '.[learn]' in your copy of paragraph"
        )


def _failed(message: str) -> int:
    _say(f"paragraph: {message}")
    return 2


def _say(message: str) -> None:
    """Print a message as one line on standard error, whatever a file put in it."""
    from .commands import one_line

    bars = sys.modules.get("tqdm")  # where there may be one, it is taken away for the line, and drawn again below it
    with bars.tqdm.external_write_mode(sys.stderr) if bars else nullcontext():
        print(one_line(message), file=sys.stderr)


@contextmanager
def _soon_over() -> Iterator[None]:
    """End the process a second after Ctrl-C at the latest, while the context lasts.

    Python raises `KeyboardInterrupt` between two steps of its own, and some libraries swallow it, in a destructor, a
    callback, an ``except:``, or make another error of it, as numpy does while it is imported, where torch aborts.
    So nothing is raised inside an import. A thread waits for the signal too, repeats it until it could be raised, and
    waits for the end of this context; and whatever ends it after the signal is the signal. Files are written beside
    their place and then moved, so that nothing half written has the name of an output.
    """
    if threading.current_thread() is not threading.main_thread():  # signals are the main thread's
        yield
        return
    came, raised, over = threading.Event(), threading.Event(), threading.Event()
    ours, theirs = socket.socketpair()
    main = threading.get_ident()

    def wait() -> None:
        while number := ours.recv(1):
            if number[0] != signal.SIGINT:
                continue
            ends = time.monotonic() + _PATIENCE
            while not over.wait(_AGAIN):
                if time.monotonic() > ends:
                    os.write(sys.__stderr__.fileno(), b"\nparagraph: interrupted\n")
                    os._exit(INTERRUPTED)
                if not raised.is_set():
                    signal.pthread_kill(main, signal.SIGINT)

    def interrupt(_: int, frame: FrameType | None) -> None:
        came.set()
        while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if frame is None:  # not inside an import
            raised.set()
            raise KeyboardInterrupt

    theirs.setblocking(False)
    awake = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    before = signal.signal(signal.SIGINT, interrupt)
    report = sys.unraisablehook
    sys.unraisablehook = lambda ignored: came.is_set() or report(ignored)  # the signal, in a destructor
    threading.Thread(target=wait, name="ctrl-c", daemon=True).start()
    try:
        yield
        if came.is_set():
            raise KeyboardInterrupt
    except Exception as error:
        if came.is_set():
            raise KeyboardInterrupt from error
        raise
    finally:
        over.set()
        sys.unraisablehook = report
        signal.signal(signal.SIGINT, before)
        signal.set_wakeup_fd(awake)
        theirs.close()  # which ends the thread
