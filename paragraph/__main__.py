"""``python -m paragraph``, and the command ``paragraph``."""

import gc
import os
import signal
import sys

__all__ = ["shell"]


def shell() -> None:
    """Run the command line, and leave."""
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # until `main` is there to say something
    from .cli import INTERRUPTED, main

    code = main()
    gc.freeze()  # else Python looks once more at all objects of all libraries before it ends
    if code == INTERRUPTED:
        os._exit(code)  # at once: there is nothing left to write, and libraries take seconds to say goodbye
    sys.exit(code)


if __name__ == "__main__":
    shell()
