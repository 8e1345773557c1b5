"""One Ctrl-C ends a command, soon."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["INTERRUPTED", "soon_over"]

#: The exit status of a command that Ctrl-C has ended: 128 + the number of SIGINT.
INTERRUPTED = 130
_PATIENCE = 1.0  # seconds


@contextmanager
def soon_over() -> Iterator[None]:
    """Inside, the process ends a second after Ctrl-C at the latest.

    Python raises `KeyboardInterrupt` between two steps of its own, and some libraries swallow it, in a destructor, a
    callback, an ``except:``, or make another error of it, as numpy does while it is imported. So a thread waits for
    the signal too, and then for the end of this context; and any error after the signal is that of the signal. Files
    are written beside their place and then moved, so that nothing half written has the name of an output.
    """
    if threading.current_thread() is not threading.main_thread():  # signals are the main thread's
        yield
        return
    came, over = threading.Event(), threading.Event()
    ours, theirs = socket.socketpair()

    def wait() -> None:
        while number := ours.recv(1):
            if number[0] == signal.SIGINT and not over.wait(_PATIENCE):
                os.write(sys.__stderr__.fileno(), b"\nparagraph: interrupted\n")
                os._exit(INTERRUPTED)

    def interrupt(*_: object) -> None:
        came.set()
        raise KeyboardInterrupt

    theirs.setblocking(False)
    awake = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    before = signal.signal(signal.SIGINT, interrupt)
    report = sys.unraisablehook
    sys.unraisablehook = lambda ignored: came.is_set() or report(ignored)  # the signal, in a destructor
    threading.Thread(target=wait, name="ctrl-c", daemon=True).start()
    try:
        yield
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
