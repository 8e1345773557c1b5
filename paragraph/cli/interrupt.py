"""One Ctrl-C ends a command, soon."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["INTERRUPTED", "soon_over"]

#: The exit status of a command that Ctrl-C has ended: 128 + the number of SIGINT.
INTERRUPTED = 130
_PATIENCE = 1.0  # seconds
_AGAIN = 0.01  # seconds


@contextmanager
def soon_over() -> Iterator[None]:
    """Inside, the process ends a second after Ctrl-C at the latest.

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
        if not _importing(frame):
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


def _importing(frame: FrameType | None) -> bool:
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None
