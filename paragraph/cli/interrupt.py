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

    Python raises `KeyboardInterrupt` between two steps of its own, and some libraries swallow it: in a destructor, a
    callback, an ``except:``. So a thread waits for the signal too, and then for the end of this context. Files are
    written beside their place and then moved, so that nothing half written is left under the name of an output.
    """
    if threading.current_thread() is not threading.main_thread():  # signals are the main thread's
        yield
        return
    over = threading.Event()
    ours, theirs = socket.socketpair()

    def wait() -> None:
        while number := ours.recv(1):
            if number[0] == signal.SIGINT and not over.wait(_PATIENCE):
                os.write(sys.__stderr__.fileno(), b"\nparagraph: interrupted\n")
                os._exit(INTERRUPTED)

    theirs.setblocking(False)
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=wait, name="ctrl-c", daemon=True).start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        theirs.close()  # which ends the thread
