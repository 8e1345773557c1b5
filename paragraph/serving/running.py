"""A server while it runs: until Ctrl-C, with its page in the browser."""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
import threading
import webbrowser
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["handed_over", "run", "show"]


@contextmanager
def handed_over(html: str) -> Iterator[str]:
    """The address of a page that leads to another with its secret: all users may read what a browser is started
    with, but only this one the file."""
    number, name = tempfile.mkstemp(".html", "paragraph-")
    try:
        with open(number, "w") as file:
            file.write(html)
        yield Path(name).as_uri()
    finally:
        os.unlink(name)


def show(address: str) -> None:
    """Open an address in the browser, which may take its time."""
    threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()


def run(server: Coroutine) -> None:
    """Run a server until Ctrl-C."""
    for name in ("tornado", "asyncio"):
        logging.getLogger(name).setLevel("CRITICAL")  # what strangers send is not for the terminal
    asyncio.run(server)
