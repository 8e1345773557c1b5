"""``python -m paragraph``, and the command ``paragraph``."""

import gc
import os
import sys

from .cli import INTERRUPTED, main

__all__ = ["shell"]


def shell() -> None:
    """Run the command line, and leave."""
    code = main()
    gc.freeze()  # else Python looks once more at all objects of all libraries before it ends
    if code == INTERRUPTED:
        # at once: there is nothing left to write, and libraries take seconds to say goodbye
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the folder it is called in: what lies there is data, not modules
    shell()
