"""``python -m paragraph``, and the command ``paragraph``."""

import os
import sys

from .cli import main
from .cli.interrupt import INTERRUPTED

__all__ = ["shell"]


def shell() -> None:
    """Run the command line, and leave."""
    code = main()
    if code == INTERRUPTED:
        os._exit(code)  # at once: there is nothing left to write, and libraries take seconds to say goodbye
    sys.exit(code)


if __name__ == "__main__":
    shell()
